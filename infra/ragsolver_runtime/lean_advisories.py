"""Known holes of Lean kernels by version, read from `configs/advisories.yaml`."""

import re
from functools import total_ordering
from typing import Final

import yaml
from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_runtime.paths import resource_dir

_VERSION: Final = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([a-z]+)[-.]?(\d*).*)?")
_STAGES: Final = {"m": 1, "rc": 2}
_RELEASE: Final = 3


@total_ordering
class LeanVersion:
    """A Lean version that can be compared: `4.28.0-pre` < `4.28.0-rc1` < `4.28.0`.

    Whatever precedes the release candidates (`-pre`, `-nightly-…`) counts as the earliest state
    of its version: an advisory must rather concern too much than too little.
    """

    def __init__(self, text: str) -> None:
        """Read a version.

        Raises:
            ValueError: the text is not a Lean version.
        """
        match = _VERSION.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a Lean version: {text!r}; expected for example 4.28.0-rc1")
        major, minor, patch, stage, number = match.groups()
        rank = _RELEASE if stage is None else _STAGES.get(stage, 0)
        counted = int(number) if number and rank else 0
        self._key = (int(major), int(minor), int(patch), rank, counted)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LeanVersion) and self._key == other._key

    def __lt__(self, other: "LeanVersion") -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)


class AffectedVersions(Model):
    """Versions from `since` (from the beginning where it is absent) to just below `before`."""

    since: str | None = None
    before: str

    def holds(self, version: LeanVersion) -> bool:
        """Whether a version is among them."""
        after = self.since is None or LeanVersion(self.since) <= version
        return after and version < LeanVersion(self.before)


class LeanAdvisory(Model):
    """One known hole."""

    id: str
    affected: tuple[AffectedVersions, ...] = Field(min_length=1)
    summary: str
    """What goes wrong, in one sentence."""
    source: str
    """Issue, pull request or release notes."""
    met_by: str
    """What of ours stands in the way, and what does not."""

    def concerns(self, version: LeanVersion) -> bool:
        """Whether a version has it."""
        return any(versions.holds(version) for versions in self.affected)


def known_advisories() -> tuple[LeanAdvisory, ...]:
    """Every advisory of the file, in its order.

    Raises:
        FileNotFoundError: the file is not installed.
        ValueError: it does not have its shape.
    """
    path = resource_dir("configs") / "advisories.yaml"
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(LeanAdvisory.model_validate(item) for item in table["advisories"] or ())


def advisories_of(lean_version: str) -> tuple[LeanAdvisory, ...]:
    """The advisories that concern a version; all of them where it cannot be read."""
    try:
        version = LeanVersion(lean_version)
    except ValueError:
        return known_advisories()
    return tuple(advisory for advisory in known_advisories() if advisory.concerns(version))
