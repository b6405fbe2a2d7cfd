"""The retriever as a worker of the runtime."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptCritiqued, EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.retrieval import Citation, RetrievalRequest, RetrievalResult
from ragsolver_rag.decide import AGENT, decide, recall, wants
from ragsolver_rag.embed import ModelError
from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_rag.service import LazySearch, open_search
from ragsolver_rag.settings import retriever_settings
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.tasks import end
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec

_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_retriever(context: WorkerContext) -> AsyncIterator[Decide]:
    """Index and encoder for the life of the process, loaded in the background."""
    settings = retriever_settings(context.settings)
    lazy = LazySearch(partial(open_search, settings))

    async def _search(request: RetrievalRequest, cited: Mapping[str, Citation]) -> RetrievalResult:
        try:
            return await asyncio.to_thread(lazy.search, request, cited)
        except (IndexMissingError, ModelError) as error:
            raise PermanentError(str(error)) from error

    async def _decide(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
        return await decide(case, trigger, _search)

    warming = asyncio.create_task(_warm(lazy), name="retriever warm-up")
    try:
        yield _decide
    finally:
        await end(warming)


async def _warm(lazy: LazySearch) -> None:
    try:
        await asyncio.to_thread(lazy.warm)
    except (IndexMissingError, ModelError) as error:
        # A run without retrieval needs neither; one with retrieval fails with this message.
        _log.warning("not ready to retrieve: %s", error)
    except Exception:  # noqa: BLE001 - the first question meets the same error and reports it
        _log.exception("warm-up failed")


WORKER = WorkerSpec(
    role=AGENT,
    triggers=(ProblemPlanned, AttemptCritiqued),
    emits=(EvidenceRetrieved,),
    open=open_retriever,
    wants=wants,
    recall=recall,
    concurrency=2,
    max_work_s=300.0,
)
