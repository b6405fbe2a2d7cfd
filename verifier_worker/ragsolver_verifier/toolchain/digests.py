"""Digests of files and folders."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_sha256(folder: Path) -> str:
    """SHA-256 over the relative names and contents of all files of a folder.

    Independent of the order of creation, of times and of permissions.
    """
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        total.update(f"{path.relative_to(folder).as_posix()}\0{file_sha256(path)}\n".encode())
    return total.hexdigest()


def integrity(path: Path) -> str:
    """Subresource integrity (`sha512-<base64>`) of a file, as npm registries state it."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    return f"sha512-{base64.b64encode(digest).decode()}"
