import asyncio
from contextlib import aclosing

import psutil
import pytest

from ragsolver_verifier.check_file import Asked, FileCheck
from ragsolver_verifier.check_files import findings, jobs_for
from ragsolver_verifier.errors import SessionDiedError
from ragsolver_verifier.lean_sources import Source
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings
from suites.scripted_lean import ScriptedSession, honest, outlined


def text(name):
    return f"theorem {name} : p := q\ntheorem {name}' : p := q\n"


def answer(request):
    if request["op"] == "outline":
        name = request["source"].split()[1]
        words = ("theorem", "theorem", ":=", "q")
        return outlined(request["source"], (name, *words), (f"{name}'", *words))
    return honest(request)


def pool(sessions=2, answering=answer):
    return SessionPool(
        lambda: ScriptedSession(answering), lambda _: None, PoolSettings(sessions=sessions)
    )


def checks(*names):
    return [FileCheck(Source(f"{name}.lean", text(name)), Asked()) for name in names]


async def collect(leases, made, jobs=2):
    seen = []
    async with aclosing(findings(leases, made, jobs, seen.append)) as stream:
        found = [finding async for finding in stream]
    assert len(seen) == len(found)
    return found


async def test_findings_come_in_the_files_order():
    names = [f"f{n}" for n in range(6)]
    async with pool() as leases:
        found = await collect(leases, checks(*names))
    assert [f.name for f in found] == [n + end for n in names for end in ("", "'")]
    assert {f.result for f in found} == {"accepted"}


async def test_leaving_early_ends_the_rest():
    made = checks("a", "b", "c")
    async with pool(1) as leases:
        stream = findings(leases, made, 1, lambda _: None)
        async with aclosing(stream):
            async for _ in stream:
                break
        assert asyncio.all_tasks() == {asyncio.current_task()} or not [
            task for task in asyncio.all_tasks() if task.get_name() == "check a file"
        ]
    assert not made[2].done


async def test_a_file_without_any_lean_process_is_a_failure():
    class NoLean:
        async def use(self, work):
            raise SessionDiedError("no memory")

    (found,) = await collect(NoLean(), checks("a"))
    assert found.result == "failed"
    assert "no memory" in found.detail


@pytest.mark.parametrize(
    ("files", "wanted", "free_mb", "jobs"),
    [
        (10, None, 100_000, 4),
        (2, None, 100_000, 2),
        (10, None, 3_000, 2),
        (10, None, 100, 1),
        (10, 8, 100, 8),
        (3, 8, 100, 3),
        (0, None, 100_000, 1),
    ],
)
def test_jobs_follow_cores_memory_and_files(files, wanted, free_mb, jobs, monkeypatch):
    class Memory:
        available = free_mb * 1024**2

    monkeypatch.setattr(psutil, "virtual_memory", Memory)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(4)), raising=False)
    assert jobs_for(files, wanted) == jobs
