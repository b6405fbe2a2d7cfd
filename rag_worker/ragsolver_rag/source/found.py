"""What the reader finds in one file: declarations as they are written, and what Lean derives."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Found:
    """One declaration of a source file. Field names are those of `corpus.Declaration`."""

    name: str
    kind: str
    module: str
    type: str
    line: int
    value: str = ""
    doc: str = ""
    origin: str = ""
    """What made it, where no person wrote it: `to_additive`, `simps`, `field`, `auto_named`, …"""
    origin_of: str = ""
    """The declaration that it was made of."""
    deprecated: str = ""
    """Date since which it is, or `yes`."""
    successor: tuple[str, ...] = ()
    """Names that may stand for it, the likeliest first; which exists is seen later."""
    heading: str = ""
    """Title of the part of the file in which it stands."""
    private: bool = False

    def as_json(self) -> dict[str, Any]:
        """Its fields, those that say nothing left out."""
        return {key: value for key, value in asdict(self).items() if value not in ("", (), False)}


@dataclass
class FileFound:
    """Everything that one file gives."""

    module: str
    declarations: list[Found] = field(default_factory=list)
    title: str = ""
    bullets: list[tuple[str, str]] = field(default_factory=list)
    """Name and description, from the lists in the module documentation."""
    mentions: dict[str, int] = field(default_factory=dict)
    """How often each dotted or plain name is written."""
    left_out: int = 0
    """Private declarations."""
