"""The retriever as a worker of the runtime."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptCritiqued, EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.retrieval import Citation, RetrievalRequest, RetrievalResult
from ragsolver_rag.decide import AGENT, decide, recall, wants
from ragsolver_rag.embed import ModelError
from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_rag.models import SharedModels
from ragsolver_rag.service import ServedSearch
from ragsolver_rag.settings import retriever_settings
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.tasks import end
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec

_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_retriever(context: WorkerContext) -> AsyncIterator[Decide]:
    """One index and one encoder for all deliveries, loaded in the background."""
    settings = retriever_settings(context.settings)
    loop = asyncio.get_running_loop()
    searching = ThreadPoolExecutor(settings.search_threads, "search")

    with SharedModels(settings) as models:
        served = ServedSearch(settings, models)

        async def _search(
            request: RetrievalRequest, cited: Mapping[str, Citation]
        ) -> RetrievalResult:
            try:
                return await loop.run_in_executor(searching, served.search, request, cited)
            except (IndexMissingError, ModelError) as error:
                raise PermanentError(str(error)) from error

        async def _decide(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
            return await decide(case, trigger, _search)

        warming = asyncio.create_task(_warm(served), name="retriever warm-up")
        try:
            yield _decide
        finally:
            await end(warming)
            searching.shutdown(wait=False, cancel_futures=True)


async def _warm(served: ServedSearch) -> None:
    try:
        await asyncio.to_thread(served.warm)
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
    concurrency=8,
    max_work_s=300.0,
)
