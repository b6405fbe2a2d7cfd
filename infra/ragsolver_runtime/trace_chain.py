"""The hash chain of a trace: each line proves itself and the line before it.

A line ends in `"previous":"…","digest":"…"}`: the digest is SHA-256 over everything in the line
before it, `previous` is the digest of the line before, empty for the first. A closing line says
how many there were. So an edited, moved, repeated or removed line and a cut-off end each show
where they are. The chain is no signature: who writes the whole file anew can make a new one, but
not one that ends in the digest that was noted elsewhere.
"""

import hashlib
import json
import re
from collections.abc import Iterator

_TAIL = re.compile(rb'(?P<content>.*),"digest":"(?P<digest>[0-9a-f]{64})"\}', re.DOTALL)


class ChainWriter:
    """Seals the lines of one trace."""

    def __init__(self) -> None:
        self.head = ""
        """Digest of the latest line."""
        self.count = 0

    def seal(self, record: str) -> str:
        """A record, the text of a JSON object that is not empty, as the next line."""
        self.count += 1
        return self._sealed(record)

    def close(self, run_id: str) -> str:
        """The closing line."""
        end = {"trace": 2, "end": True, "run": run_id, "count": self.count}
        return self._sealed(json.dumps(end, separators=(",", ":")))

    def _sealed(self, record: str) -> str:
        content = f'{record[:-1]},"previous":"{self.head}"'
        self.head = hashlib.sha256(content.encode()).hexdigest()
        return f'{content},"digest":"{self.head}"}}'


class ChainReader:
    """Checks the chain line by line, remembering only the latest digest."""

    def __init__(self) -> None:
        self.chained = False
        """Whether any line was sealed."""
        self.closed = False
        """Whether the latest line is a closing line."""
        self.last_line = 0
        self.head = ""
        """Digest of the latest line."""
        self._known = True
        """Whether `head` is certain: not after a line that could not be read."""
        self._count = 0
        self._unsealed = False

    def unreadable(self, number: int) -> None:
        """A line that is no record: what follows it cannot be judged."""
        self._known = False
        self._count += 1
        self.closed, self.last_line = False, number

    def line(
        self, number: int, raw: bytes, previous: str | None, *, count: int | None = None
    ) -> Iterator[str]:
        """What is wrong with a line.

        Args:
            number: 1-based line of the file.
            raw: its bytes.
            previous: what it says of the line before it; none in a trace without a chain.
            count: of a closing line, the number of lines before it.
        """
        if self.closed:
            self.head, self._count, self._known = "", 0, True
        before, self.last_line, self.closed = self.last_line, number, count is not None
        if previous is None:
            if self.chained:
                yield "has no digest, though lines before it have: it was put in"
            self._unsealed, self._known = True, False
            self._count += 1
            return
        match = _TAIL.fullmatch(raw.rstrip(b"\r\n"))
        stated = match["digest"].decode() if match else ""
        if match is None or hashlib.sha256(match["content"]).hexdigest() != stated:
            yield "was edited: its digest is not that of its content"
        if self._unsealed and not self.chained:
            yield "has a digest, though lines before it have none: they were put in"
        if self._known and previous != self.head:
            yield self._parted(before, stated)
        if count is not None and count != self._count:
            yield f"closes {count} lines, but {self._count} are here"
        self.chained, self._known, self.head = True, True, stated
        if count is None:
            self._count += 1

    def end(self) -> str | None:
        """What is wrong with where the trace ends."""
        if self.chained and not self.closed:
            return "is the last one, but no closing line: the end was cut off"
        return None

    def _parted(self, before: int, stated: str) -> str:
        if stated == self.head:
            return f"repeats line {before}"
        if not self.head:
            return "is not the first line of its trace: what stood before it is gone"
        return (
            f"did not follow line {before} when it was exported: a line was removed, moved, "
            "repeated or edited here"
        )
