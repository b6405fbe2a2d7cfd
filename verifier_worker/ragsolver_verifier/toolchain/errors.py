"""Failures of the embedded toolchain. None of them says anything about a proof."""

from __future__ import annotations


class ToolchainError(Exception):
    """The embedded Lean toolchain cannot be installed or used."""


class ToolchainMissing(ToolchainError):  # noqa: N818 - a state, not only an error
    """No complete installation of the pinned toolchain was found."""


class IntegrityMismatch(ToolchainError):  # noqa: N818 - says what is wrong
    """A downloaded archive is not the pinned one.

    Attributes:
        expected: subresource integrity that is pinned.
        got: subresource integrity of what arrived.
    """

    def __init__(self, what: str, expected: str, got: str) -> None:
        super().__init__(
            f"{what} is not the pinned archive: expected {expected}, got {got}. "
            "Delete it and install again; if it repeats, the registry serves other content."
        )
        self.expected = expected
        self.got = got


class PatchMismatch(ToolchainError):  # noqa: N818 - says what is wrong
    """A file of the package does not have the shape that a patch needs."""
