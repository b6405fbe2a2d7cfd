"""What a failed request means, and how it is said without the key."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import anthropic
import httpx2

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.exchange import RequestError

_HIDDEN = "[key]"
_SHORTEST_SECRET = 6
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")

_BY_TYPE = {
    "rate_limit_error": LlmOutcome.RATE_LIMITED,
    "overloaded_error": LlmOutcome.OVERLOADED,
    "api_error": LlmOutcome.SERVER_ERROR,
    "timeout_error": LlmOutcome.SERVER_ERROR,
    "authentication_error": LlmOutcome.UNAUTHORIZED,
    "permission_error": LlmOutcome.UNAUTHORIZED,
    "invalid_request_error": LlmOutcome.REJECTED,
    "not_found_error": LlmOutcome.REJECTED,
    "request_too_large": LlmOutcome.REJECTED,
    "billing_error": LlmOutcome.REJECTED,
}
_BY_STATUS = {
    401: LlmOutcome.UNAUTHORIZED,
    403: LlmOutcome.UNAUTHORIZED,
    408: LlmOutcome.SERVER_ERROR,
    409: LlmOutcome.SERVER_ERROR,
    425: LlmOutcome.SERVER_ERROR,
    429: LlmOutcome.RATE_LIMITED,
    529: LlmOutcome.OVERLOADED,
}
_TOO_LONG = re.compile(
    r"prompt is too long|exceed\w* (?:the )?(?:model'?s? )?(?:available |maximum )?context"
    r"|context (?:window|length|limit|size)|maximum context|too many (?:input )?tokens",
    re.IGNORECASE,
)


class Failure(NamedTuple):
    """Why there is no answer."""

    outcome: LlmOutcome
    message: str
    retry_after_s: float | None = None


class Secrets:
    """Texts that must not be seen."""

    def __init__(self, texts: Iterable[str]) -> None:
        found = {text.strip() for text in texts}
        self._texts = sorted((t for t in found if len(t) >= _SHORTEST_SECRET), key=len)[::-1]

    def hide(self, text: str, longest: int | None = None) -> str:
        """The text without them, and without what looks like a key; cut only then."""
        for secret in self._texts:
            text = text.replace(secret, _HIDDEN)
        return _LOOKS_LIKE_A_KEY.sub(_HIDDEN, text)[:longest]


def failure(error: Exception) -> Failure:
    """What an exception of the SDK, or of what it is built on, means."""
    match error:
        case anthropic.APIStatusError():
            return _refused(error)
        case anthropic.APITimeoutError():
            return _late(error.__cause__)
        case anthropic.APIConnectionError():
            return Failure(LlmOutcome.CONNECTION, f"no connection: {_cause(error)}")
        case httpx2.TimeoutException():
            return _late(error)
        case httpx2.HTTPError():
            return Failure(LlmOutcome.CONNECTION, f"the connection was lost: {_said(error)}")
        case RequestError():
            return Failure(LlmOutcome.REJECTED, str(error))
        case ValueError():  # of a stream that is no event stream: its JSON or its UTF-8 is broken
            said = f"the server's stream cannot be read: {_said(error)}"
            return Failure(LlmOutcome.SERVER_ERROR, said)
    return Failure(LlmOutcome.REJECTED, f"the request cannot be made: {_said(error)}")


def _refused(error: anthropic.APIStatusError) -> Failure:
    status, message = error.status_code, _message(error)
    outcome = _BY_TYPE.get(str(error.type)) or _BY_STATUS.get(status)
    if outcome is None:
        outcome = LlmOutcome.SERVER_ERROR if status >= 500 or status < 300 else LlmOutcome.REJECTED
    if outcome is LlmOutcome.REJECTED and _TOO_LONG.search(message):
        outcome = LlmOutcome.CONTEXT_OVERFLOW
    in_stream = status < 300
    where = "in the stream" if in_stream else f"status {status}"
    headers = {} if in_stream else error.response.headers
    return Failure(outcome, f"{where}: {message}", retry_after_s(headers))


def _message(error: anthropic.APIStatusError) -> str:
    location = error.response.headers.get("location")
    if error.response.is_redirect and location:
        return f"the server sends us on to {location}: set model.base_url to the final address"
    kind = f"{error.type}: " if error.type else ""
    return kind + (error.api_message or str(error.message))


def _late(cause: BaseException | None) -> Failure:
    if isinstance(cause, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return Failure(LlmOutcome.CONNECTION, "the server did not take the connection in time")
    return Failure(LlmOutcome.STALLED, "nothing came for longer than model.stall_s")


def _cause(error: Exception) -> str:
    return _said(error.__cause__ or error)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def retry_after_s(headers: Mapping[str, Any]) -> float | None:
    """How long a server asks us to wait: seconds, milliseconds or a date; none: it does not."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name)
        if not said:
            continue
        try:
            seconds = float(said) * unit
        except ValueError:
            return _until(said)
        return seconds if 0 <= seconds < float("inf") else None
    return None


def _until(date: str) -> float | None:
    try:
        when = parsedate_to_datetime(date)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
