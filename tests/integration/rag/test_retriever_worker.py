"""The retriever on a real bus and the real index: plan in, evidence out."""

import pytest

from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued, EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_rag.handler import WORKER
from ragsolver_rag.search import Search
from ragsolver_runtime.connect import connect
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import provision
from ragsolver_runtime.testing import (
    app_settings,
    isolated_server,
    running_worker,
    said,
    start_run,
    submit_problem,
    until,
)

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

PLANNED = ProblemPlanned(
    plan=1,
    subgoals=(
        Subgoal(
            subgoal_id="s1",
            statement_nl="addition is commutative",
            formal_hint="∀ (a b : Nat), a + b = b + a",
            search_queries=("Nat add comm",),
        ),
        Subgoal(subgoal_id="s2", statement_nl="gcd", search_queries=("Nat gcd comm",)),
    ),
)
MISSED = AttemptCritiqued(
    attempt=1,
    error_class=ErrorClass.UNKNOWN_IDENTIFIER,
    missing_identifiers=("Nat.add_com",),
    route=Route.RE_RETRIEVE,
)


async def evidence_of(config, *payloads):
    """What one worker says to the payloads, each published when the one before was answered."""
    async with isolated_server() as server:
        settings = app_settings(server.url)
        client = await connect(settings.bus, "test")
        try:
            await provision(client.jetstream(timeout=5), settings.streams, [WORKER])
            publisher, reader = Publisher(client), EventReader(client)
            await start_run(publisher, "r1", config)
            await submit_problem(publisher, "r1", problem("p"))
            async with running_worker(WORKER, settings):
                answers = 0
                for payload in payloads:
                    await publisher.publish(said(payload, "r1", "p"))
                    answers += len(getattr(payload, "subgoals", (None,)))

                    async def _answered(wanted=answers):
                        events = await reader.read_problem("r1", "p")
                        return sum(type(e.data) is EvidenceRetrieved for e in events) >= wanted

                    await until(_answered, timeout_s=200)
            return await reader.load_case("r1", "p")
        finally:
            await client.close()


async def test_plans_and_misses_get_their_evidence(embedded_search: Search):
    case = await evidence_of(RunConfig(), PLANNED, MISSED)
    assert set(case.evidence) == {(1, "s1", 0), (1, "s2", 0), (1, "s1", 1)}
    found = {key: item.result for key, item in case.evidence.items()}
    assert found[1, "s1", 0].hits[0].metadata["decl_name"] == "Nat.add_comm"
    assert found[1, "s2", 0].hits[0].metadata["decl_name"] == "Nat.gcd_comm"
    assert found[1, "s1", 1].hits[0].metadata["decl_name"] == "Nat.add_comm"
    ids = [(c.citation_id, c.chunk_id) for r in found.values() for c in r.citations]
    assert len({i for i, _ in ids}) == len({chunk for _, chunk in ids}) == len(set(ids))
    assert case.llm_calls == 0


async def test_a_run_without_retrieval_is_answered_with_nothing():
    config = RunConfig(retrieval=RetrievalConfig(enabled=False))
    case = await evidence_of(config, PLANNED)
    assert {item.result.trace.versions.index_version for item in case.evidence.values()} == {
        "disabled"
    }
    assert not case.citations
