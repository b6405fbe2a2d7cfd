"""What the bus refuses: heard in the error callback of a connection, and nowhere else.

Whoever asked waits for an answer that never comes. So each refusal is an alarm in the log, is
counted, and whoever runs out of patience looks here for the reason.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable

from nats.aio.client import Client

from ragsolver_runtime.errors import RefusedError

_log = logging.getLogger(__name__)

_KEY = "ragsolver_refusals"
_KEPT = 64
_DENIED = re.compile(r'permissions violation for (publish|subscription) to "([^"]+)"', re.I)
_FIX = (
    "write the server's file again with `ragsolver infra nats-config` and load it, or use the "
    "credentials of the right role (--creds)"
)


class Refusals:
    """What one connection was refused, and the last error that it heard."""

    def __init__(
        self, name: str, role: str, on_refused: Callable[[str], None] | None = None
    ) -> None:
        """Nothing was refused yet.

        Args:
            name: of the connection.
            role: who we are; empty on a bus without users.
            on_refused: called with the subject of each refusal, in lower case.
        """
        self._name, self._role, self._on_refused = name, role, on_refused
        self.last_error: Exception | None = None
        self.counts: Counter[tuple[str, str]] = Counter()
        """Refusals by verb (`publish`, `subscription`) and subject in lower case, as told."""

    @property
    def count(self) -> int:
        """All refusals together."""
        return self.counts.total()

    async def heard(self, error: Exception) -> None:
        """The error callback of the connection."""
        self.last_error = error
        found = _DENIED.search(str(error))
        if found is None:
            _log.error("bus alarm on connection %s: %s", self._name, error or type(error).__name__)
            return
        verb, subject = found[1].lower(), found[2].lower()
        if len(self.counts) < _KEPT or (verb, subject) in self.counts:
            self.counts[verb, subject] += 1
        _log.error("bus alarm on connection %s: %s", self._name, self._said(verb, subject))
        if self._on_refused is not None:
            self._on_refused(subject)

    def check(self, subject: str) -> None:
        """Say why there is no answer on a subject, where that is because it was refused.

        Raises:
            RefusedError: the bus refuses us this subject.
        """
        for verb, refused in self.counts:
            if refused == subject.lower():
                raise RefusedError(self._said(verb, refused))

    def check_all(self, patterns: Iterable[str]) -> None:
        """Say what was refused of these.

        Raises:
            RefusedError: the bus refused something that a pattern covers.
        """
        wanted = tuple(patterns)
        for verb, refused in self.counts:
            if covered(refused, wanted):
                raise RefusedError(self._said(verb, refused))

    def _said(self, verb: str, subject: str) -> str:
        what = "publish on" if verb == "publish" else "listen to"
        who = f"role {self._role}" if self._role else "this user"
        return f"the bus refuses {who} to {what} {subject}: {_FIX}"


def attach(client: Client, refusals: Refusals) -> None:
    """Keep what a connection is refused beside it."""
    client.options[_KEY] = refusals


def refusals_of(client: Client) -> Refusals | None:
    """What a connection was refused; none where nobody keeps it."""
    found = getattr(client, "options", {}).get(_KEY)
    return found if isinstance(found, Refusals) else None


def check_refused(client: Client, subject: str) -> None:
    """Say why there is no answer on a subject, where that is because it was refused.

    Raises:
        RefusedError: the bus refuses us this subject.
    """
    refusals = refusals_of(client)
    if refusals is not None:
        refusals.check(subject)


def covered(subject: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns covers a subject; upper and lower case are the same."""
    tokens = subject.lower().split(".")
    return any(_covers(pattern.lower().split("."), tokens) for pattern in patterns)


def _covers(pattern: list[str], tokens: list[str]) -> bool:
    for place, wanted in enumerate(pattern):
        if wanted == ">":
            return len(tokens) > place
        if place >= len(tokens) or wanted not in {"*", tokens[place]}:
            return False
    return len(pattern) == len(tokens)
