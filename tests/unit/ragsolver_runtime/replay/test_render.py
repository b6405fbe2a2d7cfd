from rich.console import Console

from ragsolver_contracts.replay import ReplayStage, StageReason
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.replay.compare import Cause, Parting
from ragsolver_runtime.replay.costs import Cost, Spent
from ragsolver_runtime.replay.render import cost_text, partings_text, replay_text
from ragsolver_runtime.replay.report import ReplayedProblem, ReplayReport
from suites.replayed_world import replay_of

PARTING = Parting(
    problem_id="p1",
    cause=Cause.RETRIEVAL,
    worker="retriever",
    event="evidence_retrieved 1.s1.0",
    field="/hits/0",
    old="a\x1b[31m",
    new="b\nc",
    detail="changed: retrieval.k",
)


def shown(report: ReplayReport) -> str:
    console = Console(width=200, highlight=False)
    with console.capture() as captured:
        console.print(replay_text(report))
    return captured.get()


def report(*, same: bool) -> ReplayReport:
    reason = StageReason(what="retrieval.k", stage=ReplayStage.RETRIEVAL, old="8", new="3")
    spent = Spent(live=Cost(retrievals=1), reused=Cost(lean_checks=2, lean_s=0.25))
    problem = ReplayedProblem(
        problem_id="p1",
        name="p1",
        old=Outcome.SOLVED,
        new=None,
        old_state="a" * 64,
        new_state="a" * 64 if same else "b" * 64,
        parting=None if same else PARTING,
        spent=spent,
    )
    return ReplayReport(
        run_id="r2",
        config="full",
        replay=replay_of(reasons=() if same else (reason,), recheck=same),
        old_state="a" * 64,
        new_state="a" * 64 if same else "b" * 64,
        same=same,
        problems=(problem,),
        spent=spent,
    )


def test_the_same_state_is_one_line() -> None:
    text = shown(report(same=True))
    assert "the same state in all 1 problems: aaaaaaaaaaaaaaaa" in text
    assert "used again: 2 Lean checks (0.2 s)" in text
    assert "every Lean check done again" in text


def test_what_parted_is_a_table_with_reason_and_cost() -> None:
    text = shown(report(same=False))
    assert "retrieval.k: touches retrieval (8 → 3)" in text
    assert "1 of 1 problems parted" in text
    row = next(line for line in text.splitlines() if "p1 " in line)
    for word in ("solved", "open", "evidence_retrieved", "retrieval  ", "1 retrievals"):
        assert word in row


def test_differences_are_three_lines_each_and_printable() -> None:
    lines = partings_text([PARTING]).splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("p1: retrieval: retriever said another evidence_retrieved 1.s1.0")
    assert "\x1b" not in lines[1]
    assert lines[2] == "  B: b c"


def test_a_cost_of_nothing_says_so() -> None:
    assert cost_text(Cost()) == "nothing"
    assert cost_text(Cost(llm_calls=1, llm_tokens=9)) == "1 LLM calls (9 tokens)"
