"""Writes the golden traces anew: `python tests/golden/update_traces.py`.

A trace is one problem's whole history, one event a line, played by the deciding workers' pure
functions with a told verifier and retriever. A difference after a change of a worker is what
that change means: read it, then run this.
"""

import sys
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from ragsolver_contracts.events_work import CandidateProposed
from ragsolver_contracts.run_config import PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_contracts.verdict import Verdict
from suites.deciding_world import World, accepted, checked, rejected, view

TRACES = Path(__file__).parent / "traces"

CONFIG = RunConfig(
    name="golden",
    portfolio=PortfolioConfig(
        batch_size=3,
        stages=(
            PortfolioStage(name="close", families=("close",), max_heartbeats=10_000),
            PortfolioStage(name="refute", families=("refute",), negated=True),
            PortfolioStage(name="lemmas", families=("hinted", "lemmas")),
            PortfolioStage(name="arithmetic", families=("gcd", "cycles", "residues")),
        ),
    ),
)
SQUARE = view("a ^ 2 % 4 = 0 ∨ a ^ 2 % 4 = 1", ("a", "ℤ"), constants=("HMod.hMod", "HPow.hPow"))
SMALL = view("n < 7", ("n", "ℕ"), constants=("LT.lt",))


def _no(message: str = "omega could not prove the goal:\n") -> Verdict:
    return rejected(message)


def _by(strategy: str, verdict: Verdict) -> Callable[[CandidateProposed], Verdict]:
    return lambda item: verdict if item.strategy == strategy else _no()


def _misnamed(item: CandidateProposed) -> Verdict:
    if item.strategy.startswith("hinted/"):
        return _no("Unknown constant `Int.emod_two`")
    known = "Int.emod_two_eq" in item.text.proof
    return accepted("Int.emod_two_eq") if known else _no()


def _looked_up(queries: object) -> list[tuple[str, str]]:
    return [("Int.emod_two_eq", "x % 2 = 0 ∨ x % 2 = 1")] if queries == ("Int.emod_two",) else []


def _world(statement=SQUARE, judge=lambda _: _no(), retrieve=lambda _: (), **fields) -> World:
    asked = problem("asked", formal_statement="theorem asked : x", **fields)
    return World(asked, checked(statement), judge, retrieve, CONFIG)


def worlds() -> dict[str, World]:
    """Every traced history by name."""
    return {
        "solved_by_a_single_tactic": _world(judge=_by("close/omega", accepted("Int.emod_emod"))),
        "solved_by_residues": _world(judge=_by("residues/4", accepted("Int.mul_emod"))),
        "false_statement": _world(
            SMALL, judge=lambda c: accepted(negated=True) if c.negated else _no()
        ),
        "looked_up_after_an_unknown_name": _world(
            judge=_misnamed, retrieve=_looked_up, hints=("Int.emod_two",)
        ),
        "not_proved": _world(SMALL),
        "checker_always_dies": _world(SMALL, judge=lambda _: None),
    }


def lines(world: World) -> list[str]:
    """The history as JSON lines."""
    world.play()
    return [event.to_json().decode() for event in world.events]


def main() -> None:
    """Write every trace; remove those of histories that are gone."""
    TRACES.mkdir(exist_ok=True)
    wanted = worlds()
    for path in TRACES.glob("*.jsonl"):
        if path.stem not in wanted:
            path.unlink()
    for name, world in wanted.items():
        (TRACES / f"{name}.jsonl").write_text("\n".join(lines(world)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
