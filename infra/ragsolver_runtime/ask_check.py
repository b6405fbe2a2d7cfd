"""Asking whoever serves `rs.check` for verdicts."""

from nats import errors as nats_errors
from nats.aio.client import Client
from pydantic import ValidationError

from ragsolver_contracts import subjects
from ragsolver_contracts.check import CheckReply, CheckRequest
from ragsolver_runtime.access.refusals import check_refused
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.requests import PATIENCE_HEADER


class UnansweredError(BusError):
    """There is no usable answer: says nothing of the candidates."""


async def ask_check(
    client: Client, request: CheckRequest | bytes, timeout_s: float = 120.0
) -> CheckReply:
    """Verdicts on candidates for a statement.

    Args:
        client: the bus.
        request: what to check; bytes go out as they are.
        timeout_s: seconds to wait. The server stops working on it then, too.

    Raises:
        UnansweredError: nobody serves, no answer in time, or one that cannot be read.
    """
    raw = request if isinstance(request, bytes) else request.model_dump_json().encode()
    headers = {PATIENCE_HEADER: f"{timeout_s:g}"}
    try:
        answer = await client.request(subjects.CHECK, raw, timeout=timeout_s, headers=headers)
    except nats_errors.NoRespondersError as error:
        raise UnansweredError(
            "nobody answers checks on this bus: start `ragsolver lean serve`, or `ragsolver up`"
        ) from error
    except (nats_errors.TimeoutError, TimeoutError) as error:
        check_refused(client, subjects.CHECK)
        raise UnansweredError(
            f"no answer in {timeout_s:g} s: the server is busy or was killed; ask again"
        ) from error
    except nats_errors.MaxPayloadError as error:
        raise UnansweredError(
            f"the request has {len(raw)} bytes, and this bus carries {client.max_payload}: "
            "send fewer candidates"
        ) from error
    except nats_errors.Error as error:
        raise UnansweredError(f"the bus does not carry the request: {error!r}") from error
    try:
        return CheckReply.model_validate_json(answer.data)
    except ValidationError as error:
        raise UnansweredError(f"the answer is no CheckReply: {error}") from error
