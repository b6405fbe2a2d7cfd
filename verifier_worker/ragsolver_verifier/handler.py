"""The verifier as a worker."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from ragsolver_contracts import subjects
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked, StatementProposed
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.kinship import needless
from ragsolver_runtime.paths import agreement_path
from ragsolver_runtime.replay.recall import recall_checks
from ragsolver_runtime.tasks import end
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec
from ragsolver_verifier.agreement import require_agreement
from ragsolver_verifier.answer_check import check_service
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.decide import decide, opens, wants
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings
from ragsolver_verifier.session import LeanProcess
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchains import auditor_for, installed_program, warm

_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_checker(settings: VerifierSettings) -> AsyncIterator[Checker]:
    """A checker on a pool of warm sessions, closed with everything that it started.

    Raises:
        ToolchainMissing: no toolchain is installed; says what to run.
        LeanFailureError: no session starts, or the required isolation cannot be had.
    """
    program = await asyncio.to_thread(
        installed_program, settings.isolation, choice=settings.toolchain
    )
    sizes = PoolSettings(settings.sessions, settings.recycle_checks, settings.recycle_mb)
    pool = SessionPool(
        lambda: LeanProcess(program, memory_mb=settings.session_mb),
        lambda session: warm(session, settings.start_timeout_s),
        sizes,
    )
    async with pool:
        timeout_s = settings.statement_timeout_s
        auditor = auditor_for(program, settings)
        try:
            yield Checker(pool, program.toolchain, statement_timeout_s=timeout_s, auditor=auditor)
        finally:
            auditor.stop()


@asynccontextmanager
async def _open(context: WorkerContext) -> AsyncIterator[Decide]:
    settings = settings_as(VerifierSettings, context.settings, "workers.toml [verifier]")
    async with open_checker(settings) as checker, AsyncExitStack() as stack:
        index = agreement_path(checker.toolchain.kind)
        asked = await require_agreement(checker, index, settings.agreement_names)
        _log.info("Lean knows %d of %d names asked from the index", asked, asked)

        async def _decide(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
            over = needless(context.cancelled, case)
            return await _unless(over, decide(case, trigger, checker))

        if settings.serve_checks:
            await stack.enter_async_context(context.serve(check_service(checker, settings)))
        yield _decide


async def _unless(over: Awaitable[None], work: Awaitable[Sequence[Payload]]) -> Sequence[Payload]:
    """What the work decides, or nothing as soon as nobody needs it: its Lean processes end."""
    deciding, ended = asyncio.ensure_future(work), asyncio.ensure_future(over)
    try:
        await asyncio.wait({deciding, ended}, return_when=asyncio.FIRST_COMPLETED)
        if deciding.done():
            return deciding.result()
        _log.info("checks stopped: the problem needs no more work")
        return ()
    finally:
        await end(deciding, ended)


WORKER = WorkerSpec(
    role="verifier",
    triggers=(ProblemSubmitted, StatementProposed, CandidateProposed),
    emits=(StatementChecked, VerdictIssued, WorkFailed),
    open=_open,
    wants=wants,
    opens=opens,
    recall=recall_checks,
    serves=(subjects.CHECK,),
    concurrency=2,
    max_work_s=1800.0,
)
