"""Which stage a difference between two runs touches first. One table, for people to read too."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ragsolver_contracts.replay import ReplayStage, StageReason
from ragsolver_contracts.run_config import RunConfig

FIELDS: dict[str, ReplayStage | None] = {
    "name": None,
    "seed": ReplayStage.PLAN,
    "budget.llm_calls": ReplayStage.PLAN,
    "budget.attempts": ReplayStage.CRITIQUE,
    "budget.lean_s": ReplayStage.SKETCH,
    "engines.planner": ReplayStage.PLAN,
    "engines.generator": ReplayStage.SKETCH,
    "engines.formalizer": ReplayStage.CANDIDATES,
    "engines.critic": ReplayStage.CRITIQUE,
    "llm": ReplayStage.PLAN,
    "llm.statements": ReplayStage.CRITIQUE,
    "llm.portfolio_first": ReplayStage.CRITIQUE,
    "llm.attempts": ReplayStage.CRITIQUE,
    "llm.plans": ReplayStage.CRITIQUE,
    "llm.candidates": ReplayStage.CANDIDATES,
    "llm.depth": ReplayStage.CANDIDATES,
    "llm.width": ReplayStage.CANDIDATES,
    "llm.child_calls": ReplayStage.CRITIQUE,
    "llm.max_heartbeats": ReplayStage.CANDIDATES,
    "llm.timeout_s": ReplayStage.CANDIDATES,
    "llm.agents.planner": ReplayStage.PLAN,
    "llm.agents.generator": ReplayStage.SKETCH,
    "llm.agents.formalizer": ReplayStage.CANDIDATES,
    "llm.agents.critic": ReplayStage.CRITIQUE,
    "planner.queries": ReplayStage.PLAN,
    "planner.plans": ReplayStage.CRITIQUE,
    "retrieval": ReplayStage.RETRIEVAL,
    "retrieval.error_rounds": ReplayStage.CRITIQUE,
    "portfolio": ReplayStage.SKETCH,
    "portfolio.batch_size": ReplayStage.CANDIDATES,
    "verifier.memory_mb": ReplayStage.VERDICT,
    "verifier.tier": ReplayStage.VERDICT,
    "verifier.compatibility_header": ReplayStage.STATEMENT,
}
"""Field of the run configuration, or a group of them, and the first stage that reads it."""

PARTS: dict[str, ReplayStage] = {
    "lean": ReplayStage.STATEMENT,
    "index": ReplayStage.RETRIEVAL,
}
"""Part of the installation, as `run_started.versions` names it, and the stage that it answers."""

_SHOWN = 60


def config_differences(old: RunConfig, new: RunConfig) -> Iterator[StageReason]:
    """Every field in which two configurations differ, with the stage that it touches.

    Raises:
        KeyError: a field that the table does not know; a test keeps it complete.
    """
    was, now = leaves(old.model_dump(mode="json")), leaves(new.model_dump(mode="json"))
    for field in sorted(was.keys() | now.keys()):
        if was.get(field) != now.get(field):
            stage = stage_of(field)
            if stage is not None:
                old_value, new_value = _shown(was.get(field)), _shown(now.get(field))
                yield StageReason(what=field, stage=stage, old=old_value, new=new_value)


def version_differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[StageReason]:
    """Parts of the installation that answer and are not what they were; an unknown one is not."""
    for part, stage in PARTS.items():
        was, now = old.get(part, ""), new.get(part, "")
        if was and now and was != now:
            yield StageReason(what=f"version of {part}", stage=stage, old=was, new=now)


def first_stage(reasons: Iterable[StageReason]) -> ReplayStage | None:
    """The earliest stage among the reasons; none where there is none."""
    order = list(ReplayStage)
    touched = [order.index(reason.stage) for reason in reasons]
    return order[min(touched)] if touched else None


def stage_of(field: str) -> ReplayStage | None:
    """The stage of a field, by the longest entry of the table that it stands under.

    Raises:
        KeyError: the table has no such entry.
    """
    known = field
    while known not in FIELDS:
        known, dot, _ = known.rpartition(".")
        if not dot:
            raise KeyError(f"replay.touched.FIELDS has no stage for {field}")
    return FIELDS[known]


def leaves(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The values of nested tables by dotted name; a list is one value."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        found |= leaves(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return found


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
