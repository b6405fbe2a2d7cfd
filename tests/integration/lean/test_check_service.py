"""Checks asked for on a real bus, answered by real Lean."""

import asyncio

import pytest

from ragsolver_contracts.check import CheckRequest
from ragsolver_runtime.ask_check import UnansweredError, ask_check
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.tasks import end
from ragsolver_runtime.testing import isolated_server
from ragsolver_verifier.cli_serve import serve
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.locate import locate

pytestmark = [
    pytest.mark.connected,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        locate() is None,
        reason="the embedded Lean toolchain is missing: run `ragsolver lean install`",
    ),
]


async def test_a_standalone_server_judges_for_others():
    candidates = (
        {"id": "good", "proof": "by omega"},
        {"id": "lie", "proof": "by sorry"},
        {"id": "whole", "whole": "theorem t (n : Nat) : n < n + 1 := Nat.lt_succ_self n"},
        {"id": "other", "whole": "theorem t (n : Nat) : n < n + 2 := by omega"},
    )
    request = CheckRequest(statement="theorem t (n : Nat) : n < n + 1", candidates=candidates)
    async with isolated_server() as server:
        serving = asyncio.create_task(serve(server.url, VerifierSettings(sessions=1)))
        client = await connect(BusSettings(url=server.url), "test")
        try:
            while True:
                if serving.done():
                    await serving
                try:
                    reply = await ask_check(client, request, 120)
                except UnansweredError:
                    await asyncio.sleep(0.2)
                    continue
                break
            bad = request.model_copy(update={"statement": "theorem t : nonsense"})
            refused = await ask_check(client, bad, 120)
        finally:
            await end(serving)
            await client.close()
    said = {item.id: item.verdict for item in reply.results}
    assert {name: verdict.reason for name, verdict in said.items()} == {
        "good": None,
        "lie": "contains_sorry",
        "whole": None,
        "other": "statement_mismatch",
    }
    assert (refused.status, refused.pointer) == ("refused", "/statement")
    assert "nonsense" in refused.detail
