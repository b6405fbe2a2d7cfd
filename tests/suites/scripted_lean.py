"""A Lean session that answers from a script, for tests of what is built on sessions."""

from collections.abc import Callable, Mapping
from typing import Any

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.lean import Isolation, IsolationLayer, LeanToolchain
from ragsolver_contracts.verdict import Verdict
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.statement import elaborate

TOOLCHAIN = LeanToolchain(kind="embedded", lean_version="4.28.0-pre", digest="d" * 64)
ISOLATION = Isolation(layers=(IsolationLayer.WEBASSEMBLY,), detail="scripted")
MESSAGE = {
    "severity": "error",
    "pos": {"line": 1, "column": 0},
    "endPos": None,
    "data": "unsolved goals\n⊢ False",
}
GOOD = {
    "status": "checked",
    "complete": True,
    "ms": 3,
    "messages": [],
    "sorries": [],
    "forbidden": [],
    "declared": 1,
    "kernel": {"ok": True, "checked": 1, "new": 1, "failed": [], "skipped": []},
    "kind": "theorem",
    "in_kernel": True,
    "type_equal": True,
    "axioms": ["propext"],
    "new_axioms": [],
    "rests_on": [{"name": "foo", "kind": "theorem", "safe": True}],
    "constants": ["Nat.add_zero", "Eq"],
    "named": ["rfl", "Nat.add_zero"],
}
"""Complete evidence, as the checker program answers it."""
HEADER = {"ok": True, "messages": [], "forbidden": []}
STATE = {
    "header": HEADER,
    "ok": True,
    "messages": [],
    "forbidden": [],
    "name": "foo",
    "levels": [],
    "type": "∀ (n : Nat), n + 0 = n",
    "canon": "(all Nat eq)",
    "negated": "theorem foo : ¬ (∀ (n : Nat), n + 0 = n)",
    "view": {
        "binders": [
            {
                "name": "n",
                "type": "Nat",
                "info": "explicit",
                "is_prop": False,
                "tree": {"c": "Nat"},
            }
        ],
        "target": "n + 0 = n",
        "tree": {"c": "Eq", "t": "Nat", "a": [{"v": "n"}, {"v": "n"}]},
        "head": "Eq",
        "constants": ["Nat", "Eq"],
        "numerals": [0],
    },
}
"""A statement that elaborates, as the checker program answers it."""


class ScriptedSession:
    """Answers every request through one function, with the request's own nonce."""

    def __init__(self, answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self.toolchain = TOOLCHAIN
        self.isolation = ISOLATION
        self.cpu_s = 0.0
        self.asked: list[Mapping[str, Any]] = []
        self.alive = True
        self.requests = 0
        self.closed = 0
        self.header_hits = 0
        self.header_misses = 0
        self.size_mb = 100.0
        self._answer = answer

    def ask(
        self,
        request: Mapping[str, Any],
        *,
        timeout_s: float,
        memory_mb: int | None = None,
        cpu_s: float | None = None,
        output_mb: int | None = None,
    ) -> Mapping[str, Any]:
        limits = {"memory_mb": memory_mb, "cpu_s": cpu_s, "output_mb": output_mb}
        self.asked.append({**request, "timeout_s": timeout_s, **limits})
        self.requests += 1
        self.cpu_s += 0.25
        return {"nonce": request.get("nonce"), **self._answer(request)}

    def memory_mb(self) -> float:
        return self.size_mb

    def close(self) -> None:
        self.alive = False
        self.closed += 1


def checked(**changes: Any) -> dict[str, Any]:
    """The answer to a `check` request: complete evidence but for `changes`."""
    return {
        "statement_ok": True,
        "statement_name": "foo",
        "canon": STATE["canon"],
        "result": {**GOOD, **changes},
    }


def honest(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Everything elaborates, every candidate is a proof, every name exists."""
    if request["op"] == "state":
        return STATE
    if request["op"] == "check":
        return checked()
    return {"missing": [], "missing_namespaces": []}


def at(text: str, index: int) -> dict[str, int]:
    """A place in a text as Lean counts."""
    line = text.count("\n", 0, index)
    return {"line": line + 1, "column": index - text.rfind("\n", 0, index) - 1}


def outlined(text: str, *theorems: tuple[str, str, str, str, str]) -> dict[str, Any]:
    """The answer to an `outline` request.

    Args:
        text: the file.
        theorems: name, and the words with which command, theorem and proof start, and with which
            the command ends; each looked for after the one before.
    """
    items, commands, here = [], [], 0
    for name, *words in theorems:
        places = []
        for word in words:
            here = text.index(word, here)
            places.append(here)
        stop = places[3] + len(words[3])
        statement = text[places[1] : places[2]].strip()
        position = [at(text, place) for place in places]
        ends = {"pos": position[0], "endPos": at(text, stop)}
        commands.append({"kind": "Lean.Parser.Command.theorem", **ends})
        items.append(
            {"name": name, "statement": statement, "at": position[1], "proof": position[2], **ends}
        )
    return {
        "header": HEADER,
        "messages": [],
        "forbidden": [],
        "theorems": items,
        "commands": commands,
    }


def wrong(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a `check` request about a candidate that Lean does not accept."""
    return checked(complete=False, messages=[MESSAGE])


def verdict_on(
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]] = honest,
) -> Verdict:
    """The verdict on a small theorem by what a session answers to `check`."""
    statement = elaborate(ScriptedSession(honest), "", "theorem foo : 1 = 1", timeout_s=1)
    question = Question(statement)
    return check(ScriptedSession(answer), question, Candidate("x"), CheckLimits())
