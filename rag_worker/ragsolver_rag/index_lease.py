"""Which folders of tables somebody reads, told by file locks that end with their process.

A reader holds a shared lock on a file in the folder for as long as it has it open; a writer
removes a folder only under the exclusive lock.
"""

import fcntl
import os
import shutil
from pathlib import Path

from ragsolver_rag.index_files import HELD


class FolderGoneError(Exception):
    """The folder was removed before it could be held."""


class Lease:
    """A folder that is held; closed at the latest when nobody refers to it."""

    def __init__(self, folder: Path) -> None:
        """Hold it.

        Raises:
            FolderGoneError: it is not there, or is being removed.
        """
        self._file = -1
        path = folder / HELD
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except FileNotFoundError:
            raise FolderGoneError(f"{folder} is gone") from None
        except OSError:
            return  # it cannot be written: nobody can remove it either
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            there = os.path.samestat(os.fstat(file), path.stat())
        except OSError:
            there = False
        if not there:
            os.close(file)
            raise FolderGoneError(f"{folder} is being removed")
        self._file = file

    def close(self) -> None:
        """Hold it no longer."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __del__(self) -> None:
        self.close()


def remove_unheld(folder: Path) -> bool:
    """Remove a folder unless somebody reads it; says whether it is gone."""
    try:
        file = os.open(folder / HELD, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        return not folder.exists()
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()
    finally:
        os.close(file)
