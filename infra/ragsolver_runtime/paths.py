"""Where things live on this machine: caches, data and the files shipped with the product."""

import os
from pathlib import Path


def _xdg(own: str, xdg: str, default: str) -> Path:
    explicit = os.environ.get(own)
    if explicit:
        return Path(explicit).expanduser()
    base = os.environ.get(xdg)
    return (Path(base) if base else Path.home() / default) / "ragsolver"


def cache_dir() -> Path:
    """Folder for what can be made again: the Lean toolchain and the index.

    `RAGSOLVER_CACHE` wins, then `XDG_CACHE_HOME`, then `~/.cache`.
    """
    return _xdg("RAGSOLVER_CACHE", "XDG_CACHE_HOME", ".cache")


def data_dir() -> Path:
    """Folder for what must not be lost: the embedded server's event streams.

    `RAGSOLVER_DATA` wins, then `XDG_DATA_HOME`, then `~/.local/share`.
    """
    return _xdg("RAGSOLVER_DATA", "XDG_DATA_HOME", ".local/share")


def agreement_path(corpus: str = "embedded") -> Path:
    """File by which index and verifier agree: toolchain digest and some indexed names, as JSON.

    Written with every index of that formal corpus; whether it exists is for the reader to see.
    """
    return cache_dir() / "index" / corpus / "agreement.json"


def resource_dir(name: str) -> Path:
    """Folder of files shipped with the product: `configs`, `lean_project` or `schemas`.

    Args:
        name: the resource folder's name.

    Raises:
        FileNotFoundError: neither a checkout nor an installed copy has it.
    """
    here = Path(__file__).resolve().parent
    checkout = here.parents[1]
    relative = {"schemas": Path("contracts") / "schemas"}.get(name, Path(name))
    for candidate in (checkout / relative, here / "_resources" / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"no folder {name!r} beside this installation: reinstall ragsolver")
