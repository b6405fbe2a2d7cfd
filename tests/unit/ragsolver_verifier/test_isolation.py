from pathlib import Path

import pytest

from ragsolver_contracts.lean import Isolation, IsolationLayer
from ragsolver_verifier import isolation as module
from ragsolver_verifier.errors import IsolationError, LeanFailureError
from ragsolver_verifier.isolation import (
    EMBEDDED_LAYERS,
    IsolationPolicy,
    contain,
    require_in_force,
)
from ragsolver_verifier.sandbox import Sandbox, View

CONTAINED, SANDBOXED, OFF = IsolationPolicy
VIEW = View((Path("/lean"),))
NATIVE: tuple[IsolationLayer, ...] = ()


@pytest.fixture
def works(monkeypatch):
    tried = []
    monkeypatch.setattr(module, "find_sandbox", lambda: Sandbox(Path("/bwrap"), "0.8.0"))
    monkeypatch.setattr(module, "try_sandbox", lambda *args: tried.append(args))
    return tried


@pytest.fixture(params=["missing", "refused"])
def fails(request, monkeypatch):
    def refuse(*_):
        raise IsolationError("bubblewrap: install it")

    broken = "find_sandbox" if request.param == "missing" else "try_sandbox"
    monkeypatch.setattr(module, "find_sandbox", lambda: Sandbox(Path("/bwrap"), "0.8.0"))
    monkeypatch.setattr(module, "try_sandbox", lambda *_: None)
    monkeypatch.setattr(module, broken, refuse)


@pytest.mark.parametrize("policy", [CONTAINED, SANDBOXED])
@pytest.mark.parametrize("layers", [EMBEDDED_LAYERS, NATIVE])
def test_where_the_sandbox_works_it_is_used(works, policy, layers):
    kept = contain(policy, VIEW, ["/lean", "--version"], layers=layers)
    assert kept.isolation.layers == (*layers, IsolationLayer.BUBBLEWRAP)
    assert kept.isolation.sandboxed
    assert kept.isolation.detail == "bubblewrap 0.8.0"
    assert kept.prefix == Sandbox(Path("/bwrap"), "0.8.0").prefix(VIEW)
    assert kept.sandbox == Path("/bwrap")
    assert works[0][1:] == (VIEW, ["/lean", "--version"])


@pytest.mark.usefixtures("fails")
def test_embedded_lean_contains_itself_and_the_verdict_says_so():
    kept = contain(CONTAINED, VIEW, ["/lean"], layers=EMBEDDED_LAYERS)
    assert kept.isolation.layers == EMBEDDED_LAYERS
    assert not kept.isolation.sandboxed
    assert kept.isolation.detail == "no sandbox: bubblewrap: install it"
    assert kept.prefix == ()


@pytest.mark.usefixtures("fails")
@pytest.mark.parametrize(
    ("policy", "layers"),
    [(CONTAINED, NATIVE), (SANDBOXED, NATIVE), (SANDBOXED, EMBEDDED_LAYERS)],
)
def test_where_it_is_required_and_cannot_be_had_nothing_starts(policy, layers):
    with pytest.raises(LeanFailureError, match=r"install it.*requires a sandbox"):
        contain(policy, VIEW, ["/lean"], layers=layers)


@pytest.mark.parametrize("layers", [EMBEDDED_LAYERS, NATIVE])
def test_off_is_off_and_says_so(works, layers):
    kept = contain(OFF, VIEW, ["/lean"], layers=layers)
    assert kept.isolation.layers == layers
    assert not kept.isolation.sandboxed
    assert "switched off" in kept.isolation.detail
    assert kept.prefix == ()
    assert not works


def test_a_sandbox_that_is_said_but_was_not_started_is_noticed():
    require_in_force(Isolation(), None, 1)
    with pytest.raises(IsolationError, match="none was started"):
        require_in_force(Isolation(sandboxed=True), None, 1)


def test_a_sandbox_that_was_started_is_looked_at(monkeypatch):
    looked = []
    monkeypatch.setattr(module, "require_confined", lambda *args: looked.append(args))
    require_in_force(Isolation(sandboxed=True), Path("/bwrap"), 7)
    assert looked == [(7, Path("/bwrap"))]
