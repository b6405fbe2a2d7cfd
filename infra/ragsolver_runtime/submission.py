"""Posting inputs on the input subject, as any NATS client may, until each one is answered."""

import asyncio

from nats import errors as nats_errors
from nats.aio.client import Client

from ragsolver_contracts import subjects
from ragsolver_contracts.problem import SubmitReply
from ragsolver_runtime.access.refusals import check_refused
from ragsolver_runtime.errors import BusLostError, PublishError
from ragsolver_runtime.intake import LINE_HEADER, RUN_HEADER

REPLY_TIMEOUT_S = 3.0
"""Silence after which the same input is posted again: the intake answers it the same."""
BUDGET_S = 120.0
"""All tries of one input together: a first start of the intake, or a restart of the server."""


async def post_input(
    client: Client,
    message: bytes,
    *,
    run_id: str | None = None,
    line: int | None = None,
    budget_s: float = BUDGET_S,
) -> SubmitReply:
    """Post one input and wait for the answer.

    Args:
        client: the bus.
        message: the input, JSON or not.
        run_id: its run, also for a message that cannot be read.
        line: its 1-based line in a file.
        budget_s: seconds after which a silent bus is an error.

    Raises:
        PublishError: nobody answered in time.
        BusLostError: the connection is closed for good.
        RefusedError: the bus does not let us post.
    """
    headers = {RUN_HEADER: run_id} if run_id else {}
    if line is not None:
        headers[LINE_HEADER] = str(line)
    try:
        async with asyncio.timeout(budget_s):
            while True:
                try:
                    answer = await client.request(
                        subjects.SUBMIT, message, timeout=REPLY_TIMEOUT_S, headers=headers or None
                    )
                except (nats_errors.TimeoutError, nats_errors.NoRespondersError):
                    check_refused(client, subjects.SUBMIT)
                    await asyncio.sleep(0.2)
                except nats_errors.Error as error:
                    if client.is_closed:
                        raise BusLostError("the connection to the bus is closed") from error
                    await asyncio.sleep(0.2)
                else:
                    return SubmitReply.model_validate_json(answer.data)
    except TimeoutError as error:
        raise PublishError(
            f"no intake answered an input in {budget_s:.0f} s: check that `ragsolver up` runs, or "
            "that a `ragsolver worker intake` does"
        ) from error
