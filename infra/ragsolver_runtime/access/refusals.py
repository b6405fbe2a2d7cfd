"""What the bus refuses: heard in the error callback of a connection, and nowhere else.

Whoever asked waits for an answer that never comes. So each refusal is an alarm in the log, is
counted, and whoever runs out of patience looks here for the reason.
"""

import asyncio
import logging
import re
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

from nats.aio.client import Client

from ragsolver_runtime.access.credentials import inbox_prefix
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
        self, name: str, role: str, on_refused: Callable[[str, str], None] | None = None
    ) -> None:
        """Nothing was refused yet.

        Args:
            name: of the connection.
            role: who we are; empty on a bus without users.
            on_refused: called with verb and subject of each refusal, as in `counts`.
        """
        self._name, self._role, self._on_refused = name, role, on_refused
        self.connecting = False
        """Whether the connection is being made for the first time."""
        self.last_error: Exception | None = None
        self.rejection: Exception | None = None
        """The last error by which another try cannot help."""
        self.rejected = 0
        """Attempts in a row that a server or we ourselves rejected: credentials, certificates."""
        self._most: int | None = None
        self._close: Callable[[], Awaitable[None]] | None = None
        self._closing: asyncio.Future[None] | None = None
        self.changed = asyncio.Event()
        """Set when that number grows."""
        self.counts: Counter[tuple[str, str]] = Counter()
        """Refusals by verb (`publish`, `subscription`) and subject in lower case, as told."""

    @property
    def count(self) -> int:
        """All refusals together."""
        return self.counts.total()

    async def heard(self, error: Exception) -> None:
        """The error callback of the connection."""
        self.last_error = error
        if is_rejection(error):
            self.rejection = error
            self.rejected += 1
            self.changed.set()
            self._end_if_hopeless()
        found = _DENIED.search(str(error))
        if found is None:
            # Whoever connects says why it fails; afterwards nobody else does.
            level = logging.DEBUG if self.connecting else logging.ERROR
            said = error or type(error).__name__
            _log.log(level, "bus alarm on connection %s: %s", self._name, said)
            return
        verb, subject = found[1].lower(), found[2].lower()
        if len(self.counts) < _KEPT or (verb, subject) in self.counts:
            self.counts[verb, subject] += 1
        _log.error("bus alarm on connection %s: %s", self._name, self._said(verb, subject))
        if self._on_refused is not None:
            self._on_refused(verb, subject)

    async def accepted(self) -> None:
        """The callback of a connection that is there again."""
        self.rejected = 0
        _log.warning("connection %s: connected to the bus again", self._name)

    def end_at(self, rejected: int, close: Callable[[], Awaitable[None]]) -> None:
        """Close a connection whose credentials were revoked: it would try for ever.

        Args:
            rejected: attempts in a row that are rejected.
            close: ends the connection.
        """
        self.rejected, self._most, self._close = 0, rejected, close

    def _end_if_hopeless(self) -> None:
        hopeless = self._most is not None and self.rejected >= self._most
        if hopeless and self._close is not None and self._closing is None:
            _log.error("connection %s ends: the bus does not accept it any more", self._name)
            # Not from here: the task that tries is the one that tells us.
            self._closing = asyncio.ensure_future(self._close())

    def check(self, subject: str) -> None:
        """Say why there is no answer on a subject, where that is because it was refused.

        Raises:
            RefusedError: the bus refuses us this subject.
        """
        own = f"{inbox_prefix(self._role)}.".lower()
        for verb, refused in self.counts:
            if refused == subject.lower() or (self._role and refused.startswith(own)):
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


def is_rejection(error: BaseException) -> bool:
    """Whether another try cannot help: credentials or a certificate are not accepted."""
    said = str(error).lower()
    if isinstance(error, ssl.SSLError):
        # Ours of theirs, or theirs of ours.
        return isinstance(error, ssl.SSLCertVerificationError) or "alert" in said
    return "authorization " in said


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
