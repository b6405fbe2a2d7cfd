"""Programs that tests call and that wheels may bring."""

import os
import shutil
import sysconfig


def program(name: str) -> str | None:
    """A program of this environment, or of the system; a wheel's is not on everybody's path."""
    own = sysconfig.get_path("scripts")
    return shutil.which(name, path=os.pathsep.join((own, os.environ.get("PATH", ""))))
