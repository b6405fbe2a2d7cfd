"""The files of the page, read once from the package: no path of a request reaches the disk."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Asset:
    """One file."""

    body: bytes
    media_type: str
    tag: str
    """Entity tag: changes with the text."""


def load_assets() -> dict[str, Asset]:
    """Every file of the page by its path, for example `js/main.js`.

    Raises:
        FileNotFoundError: the installation has no page.
    """
    root = files("ragsolver_runtime.web") / "static"
    if not root.is_dir():
        raise FileNotFoundError("the files of the web page are missing: reinstall ragsolver")
    return dict(_below(root, ""))


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, Asset]]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _below(entry, f"{name}/")
            continue
        media_type = _TYPES.get(name.rpartition(".")[2])
        if media_type is not None:
            body = entry.read_bytes()
            yield name, Asset(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
