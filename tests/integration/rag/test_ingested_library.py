"""A library read from text, served over the bus while it changes and while ingests are killed."""

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ragsolver_contracts.events_work import EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest
from ragsolver_contracts.testing import problem
from ragsolver_rag.cli_ingest import ingest
from ragsolver_rag.handler import WORKER, open_retriever
from ragsolver_rag.index_folder import find_index, indexes_dir, tables_dir
from ragsolver_rag.service import open_search
from ragsolver_rag.settings import RetrieverSettings
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
from suites import mini_library

pytestmark = [pytest.mark.connected, pytest.mark.timeout(180)]

SETTINGS = RetrieverSettings(corpus="fable", dense=False)
TABLE = {"corpus": "fable", "dense": False}
ASKED = RetrievalRequest(
    queries=("weight of two dragons",), context=RetrievalContext(problem_id="p"), rerank=False
)
KILLED = """
import sys, time
from ragsolver_rag import build, cli_ingest

def written(tables):
    print("written", flush=True)
    time.sleep(600)

build.stored_files = written
cli_ingest.ingest(["lean", sys.argv[1], "--force"])
"""
"""An ingest that has written its tables and not yet their manifest."""


@pytest.fixture
def library(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path / "cache"))
    return mini_library.write(tmp_path / "fable")


def ingested(library, *more):
    done = CliRunner().invoke(ingest, ["lean", str(library), "--json", *more])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def killed_while_writing(library):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(library)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while "written" not in (line := process.stdout.readline()):
            assert line, "the ingest ended by itself"
        os.killpg(process.pid, signal.SIGKILL)


def answer():
    found = open_search(SETTINGS).search(ASKED)
    return [hit.metadata["decl_name"] for hit in found.hits]


@asynccontextmanager
async def serving():
    """Ask by a plan of a new problem; the answer is what the worker published."""
    spec = replace(WORKER, open=lambda context: open_retriever(replace(context, settings=TABLE)))
    async with isolated_server() as server:
        settings = app_settings(server.url)
        client = await connect(settings.bus, "test")
        try:
            await provision(client.jetstream(timeout=5), settings.streams, [spec])
            publisher, reader = Publisher(client), EventReader(client)
            await start_run(publisher, "r1")

            async def ask(problem_id, query):
                subgoal = Subgoal(subgoal_id="s1", statement_nl=query, search_queries=(query,))
                plan = ProblemPlanned(plan=1, subgoals=(subgoal,))
                await submit_problem(publisher, "r1", problem(problem_id))
                await publisher.publish(said(plan, "r1", problem_id))

                async def answered():
                    events = await reader.read_problem("r1", problem_id)
                    return [e.data for e in events if type(e.data) is EvidenceRetrieved]

                await until(answered, timeout_s=60)
                return (await answered())[0].result

            async with running_worker(spec, settings):
                yield ask
        finally:
            await client.close()


async def test_a_serving_retriever_follows_its_library_and_a_killed_ingest_changes_nothing(
    library,
):
    first = ingested(library)
    assert first["files"] == first["files_read"] == 12
    assert {"to_additive": 1, "field": 11}.items() <= first["by_origin"].items()
    async with serving() as ask:
        found = await ask("p1", "weight of two dragons is the sum of their weights")
        assert found.hits[0].metadata["decl_name"] == "Fable.Dragon.weight_add"
        assert found.trace.versions.index_version == first["index"]["version"]
        assert found.trace.versions.mathlib_tag.startswith("fable Lean 4.30.0")
        assert found.trace.versions.reranker_model == "", "there is none, and the trace says so"
        citation = found.citations[0]
        assert citation.citation_id == "M1"
        assert citation.label == "Fable.Dragon.weight_add"
        assert citation.locator["module_path"] == "Fable.Dragon"
        assert citation.retrieved_for.problem_id == "p1"
        sums = await ask("p2", "fabled sums commute")
        assert sums.hits[0].metadata["decl_name"] == "Fable.fabled_add_comm"
        named = await ask("p3", "Fable.Engine.weight_sum")
        old = next(h for h in named.hits if h.metadata["decl_name"] == "Fable.Engine.weight_sum")
        assert old.rank <= 2
        assert old.metadata["deprecated"] == "2026-01-01"

        mini_library.change(library)
        killed_while_writing(library)
        before = await ask("p4", "every sparrow sings at dawn")
        assert before.trace.versions.index_version == first["index"]["version"]
        assert "Fable.sparrow_sings_at_dawn" not in [h.metadata["decl_name"] for h in before.hits]

        again = ingested(library)
        assert again["files_read"] == 0, "the killed ingest had read what changed"
        after = await ask("p5", "every sparrow sings at dawn")
        assert after.trace.versions.index_version == again["index"]["version"]
        assert after.hits[0].metadata["decl_name"] == "Fable.sparrow_sings_at_dawn"
    ingested(library)
    assert len(list(indexes_dir("fable").glob("*/lance*"))) == 1


def test_only_a_changed_file_is_read_again(library):
    ingested(library)
    mini_library.change(library)
    assert ingested(library)["files_read"] == 1


def test_a_new_process_is_answered_from_the_last_index_after_a_killed_ingest(library):
    first = ingested(library)
    before = answer()
    mini_library.change(library)
    killed_while_writing(library)
    assert find_index(SETTINGS)[1].version == first["index"]["version"]
    assert answer() == before
    (library.parent / "cache" / "corpora" / "fable" / "manifest.json").unlink()
    assert answer() == before, "killed while the corpus was written"


def test_a_full_disk_is_said_and_leaves_the_index_as_it_was(library):
    """Files may grow to less than the largest of the index: writing it again must fail."""
    ingested(library)
    before = answer()
    folder, manifest = find_index(SETTINGS)
    limit = max(file.size for file in manifest.files) // 2
    source = "from ragsolver_rag.cli_ingest import ingest; import sys; ingest(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", source, "lean", str(library), "--force"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert "make room on the disk" in done.stderr
    assert find_index(SETTINGS) == (folder, manifest)
    assert answer() == before
    assert list(folder.glob("lance*")) == [tables_dir(folder, manifest)]
