"""A process that is refused what its role needs ends, and says what was refused."""

import asyncio
from collections.abc import Callable

from nats.aio.client import Client

from ragsolver_runtime.access.refusals import covered, refusals_of
from ragsolver_runtime.access.table import Access


def ends_when_refused(access: Access, lost: asyncio.Event) -> Callable[[str, str], None]:
    """What to do about a refused subject: end, where the declared table has it.

    A server whose file is older than this version refuses such a subject for ever. Any other
    refusal is an alarm and no more, so that nobody can end a process by the address of a reply.

    Args:
        access: of the process's role.
        lost: set to end it.
    """

    def _hear(verb: str, subject: str) -> None:
        granted = access.publish_allowed if verb == "publish" else access.subscribe_allowed
        if covered(subject, granted):
            lost.set()

    return _hear


def say_refused(client: Client, access: Access) -> None:
    """Say what was refused of what a role needs, if anything was.

    Raises:
        RefusedError: with the subject, and what to do.
    """
    refusals = refusals_of(client)
    if refusals is not None:
        refusals.check_all((*access.publish_allowed, *access.subscribe_allowed))
