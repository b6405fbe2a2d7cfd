"""Behaviour contract `replay`: contracts/behaviour/replay.yaml."""

import asyncio
import json
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golden.update_traces import CONFIG, SMALL, SQUARE
from ragsolver_contracts.answers import (
    AnswerKind,
    answers_of,
    decider,
    retrieval_key,
    statement_key,
    verdict_key,
)
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import make_event
from ragsolver_contracts.events_work import CandidateProposed, EvidenceRetrieved, VerdictIssued
from ragsolver_contracts.replay import ANSWERED, ReplayStage, StageReason
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.state import state_hash, state_of
from ragsolver_contracts.testing import problem
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.replay.compare import first_difference
from ragsolver_runtime.replay.recording import RecordedAnswers
from ragsolver_runtime.replay.touched import leaves, stage_of
from ragsolver_runtime.trace_chain import ChainReader, ChainWriter
from suites.deciding_world import World, accepted, checked, rejected
from suites.replayed_world import Recording, ReplayedWorld, replay_of

SLOW = settings(deadline=None, max_examples=25)
PROBLEM = problem("asked", formal_statement="theorem asked : x", hints=("Int.emod_two",))
ENDS = st.sampled_from(["no", "no", "no", "no", "unknown", "dies", "yes"])


@st.composite
def worlds(draw):
    """A problem played to its end; what Lean says of each candidate is drawn."""
    ends = draw(st.lists(ENDS, min_size=1, max_size=12))
    found = draw(st.lists(st.sampled_from(["Int.emod_two_eq", "Nat.le_refl"]), unique=True))
    statement = draw(st.sampled_from([SQUARE, SMALL]))
    told: dict[str, str] = {}

    def judge(item):
        # The same text has the same fate, as with Lean.
        text = f"{item.negated}{item.text.preamble}{item.text.proof}"
        fate = told.setdefault(text, ends[len(told) % len(ends)])
        if fate == "dies":
            return None
        if fate == "yes":
            return accepted("Int.emod_two_eq", negated=item.negated)
        return rejected("Unknown constant `Int.emod_two`" if fate == "unknown" else "no")

    world = World(
        PROBLEM,
        checked(statement),
        judge,
        lambda _: [(name, "a = a") for name in found],
        CONFIG,
    )
    world.play()
    return world


def fold(events, run="r1"):
    return Case.fold(run, "asked", events, CONFIG)


@SLOW
@given(worlds(), st.data())
def test_order_and_repetition_change_no_hash(world, data):
    again = data.draw(st.lists(st.sampled_from(world.events), max_size=5))
    mixed = data.draw(st.permutations([*world.events, *again]))
    assert state_hash(fold(mixed)) == state_hash(world.case())


def elsewhere(event):
    """The same fact in another run, at another time, by another process."""
    payload = event.data
    if isinstance(payload, VerdictIssued):
        times = {"elapsed_ms": 9e9, "cpu_ms": 7.0, "memory_mb": 1.0, "detail": "said otherwise"}
        payload = payload.model_copy(update={"verdict": payload.verdict.model_copy(update=times)})
    return make_event(
        payload,
        run_id="r2",
        problem_id=event.problem_id,
        source="elsewhere/7",
        time=event.time + timedelta(days=7),
    )


@SLOW
@given(worlds())
def test_who_when_and_where_change_no_hash(world):
    moved = fold([elsewhere(event) for event in world.events], "r2")
    assert not set(moved.events) & set(world.case().events)
    assert state_hash(moved) == state_hash(world.case())


@SLOW
@given(worlds(), st.data())
def test_what_a_race_leaves_behind_changes_no_hash(world, data):
    case = world.case()
    decided_by = decider(case)
    if decided_by is None:
        return
    beside = [
        event
        for event in world.events
        if isinstance(event.data, CandidateProposed | VerdictIssued)
        and event.data.attempt == decided_by[0]
        and (event.data.attempt, event.data.candidate) != decided_by
        and (isinstance(event.data, VerdictIssued) or event.data.candidate > decided_by[1])
    ]
    lost = {event.id for event in beside if data.draw(st.booleans())}
    left = [event for event in world.events if event.id not in lost]
    assert state_hash(fold(left)) == state_hash(case)


@SLOW
@given(worlds(), st.data())
def test_another_answer_changes_the_hash(world, data):
    case = world.case()
    decisive = [
        event
        for event in world.events
        if isinstance(event.data, EvidenceRetrieved | VerdictIssued | CandidateProposed)
        and any(
            (event.data.NAME, tuple(event.data.decides())) == (slot.name, slot.decides)
            for slot in state_of(case)
        )
    ]
    chosen = data.draw(st.sampled_from(decisive))
    match chosen.data:
        case VerdictIssued() as issued:
            verdict = issued.verdict.model_copy(update={"source": "another text"})
            other = issued.model_copy(update={"verdict": verdict})
        case CandidateProposed() as candidate:
            text = candidate.text.model_copy(update={"proof": "by another"})
            other = candidate.model_copy(update={"text": text})
        case EvidenceRetrieved() as found:
            request = found.request.model_copy(update={"k": found.request.k + 1})
            other = found.model_copy(update={"request": request})
    changed = [
        event.model_copy(update={"data": other}) if event is chosen else event
        for event in world.events
    ]
    assert state_hash(fold(changed)) != state_hash(case)
    parting = first_difference(case, fold(changed))
    assert parting is not None
    assert parting.event.split()[0] == chosen.name


@SLOW
@given(worlds(), worlds())
def test_a_difference_is_found_exactly_when_hashes_differ(one, other):
    found = first_difference(one.case(), other.case())
    assert (found is None) == (state_hash(one.case()) == state_hash(other.case()))
    assert first_difference(one.case(), one.case()) is None


def replayed(world, config=CONFIG, **terms):
    recording = Recording.of([world.case()], **terms)
    again = ReplayedWorld(
        world.problem, world.statement, world.judge, config=config, run="r2", recording=recording
    )
    again.play()
    return again


@SLOW
@given(worlds())
def test_a_history_replays_to_the_same_hash(world):
    assert state_hash(replayed(world).case()) == state_hash(world.case())


@SLOW
@given(worlds())
def test_answers_are_found_wherever_the_question_comes_up(world):
    """Stages in another order: other attempt numbers, the same questions of those that come up."""
    known = {key: event for kind, key, event in answers_of(world.case())}
    statement = world.statement
    for candidate in world.case().candidates.values():
        moved = candidate.model_copy(update={"attempt": 99, "candidate": 7, "batch": 3})
        key = verdict_key(statement, candidate, CONFIG)
        assert verdict_key(statement, moved, CONFIG) == key
        judged = (candidate.attempt, candidate.candidate) in world.case().verdicts
        assert key in known or not judged


@given(st.sampled_from(["proof", "preamble", "negated", "limits", "memory", "header", "lean"]))
def test_questions_that_differ_have_different_keys(what):
    statement = checked(SQUARE)
    values = {"attempt": 1, "candidate": 0, "batch": 0, "closes_batch": True}
    candidate = CandidateProposed(
        **values, closes_attempt=True, text={"proof": "by simp"}, strategy="s"
    )
    key = verdict_key(statement, candidate, CONFIG)
    changes = {
        "proof": {"text": candidate.text.model_copy(update={"proof": "by  simp"})},
        "preamble": {"text": candidate.text.model_copy(update={"preamble": "x"})},
        "negated": {"negated": True},
        "limits": {"limits": candidate.limits.model_copy(update={"timeout_s": 1.0})},
    }
    config = CONFIG
    if what == "memory":
        memory = CONFIG.verifier.model_copy(update={"memory_mb": 999})
        config = CONFIG.model_copy(update={"verifier": memory})
        assert statement_key(PROBLEM, config) == statement_key(PROBLEM, CONFIG)
    if what == "header":
        statement = statement.model_copy(update={"header": "open Nat"})
        other = PROBLEM.model_copy(update={"header": "open Nat"})
        assert statement_key(other, CONFIG) != statement_key(PROBLEM, CONFIG)
    if what == "lean":
        lean = statement.toolchain.model_copy(update={"lean_version": "4.29.0"})
        statement = statement.model_copy(update={"toolchain": lean})
    changed = candidate.model_copy(update=changes.get(what, {}))
    assert verdict_key(statement, changed, config) != key


def test_a_retrieval_depends_on_what_is_cited_and_not_on_who_asks():
    world = World(
        PROBLEM, checked(SMALL), lambda _: rejected("no"), lambda _: [("a", "b")], CONFIG
    )
    world.play()
    (first, *_) = world.case().evidence.values()
    context = first.request.context.model_copy(update={"run_id": "r9", "attempt": 5})
    moved = first.request.model_copy(update={"context": context})
    cited = world.case().citations
    assert retrieval_key(moved, {}) == retrieval_key(first.request, {})
    assert retrieval_key(moved, cited) != retrieval_key(moved, {})
    assert retrieval_key(moved.model_copy(update={"rerank": False}), {}) != retrieval_key(
        moved, {}
    )


@given(st.sets(st.sampled_from(list(ReplayStage))), st.booleans())
def test_no_answer_of_a_touched_stage_is_used(stages, recheck):
    reasons = tuple(StageReason(what="x", stage=stage) for stage in sorted(stages))
    terms = replay_of(reasons=reasons, recheck=recheck)
    asked = []

    async def fetch(subject):
        asked.append(subject)

    port = RecordedAnswers(terms, "p", fetch, None)
    kinds = {
        AnswerKind.STATEMENT: ReplayStage.STATEMENT,
        AnswerKind.RETRIEVAL: ReplayStage.RETRIEVAL,
        AnswerKind.VERDICT: ReplayStage.VERDICT,
    }
    assert set(kinds.values()) == set(ANSWERED)
    for kind, stage in kinds.items():
        asked.clear()
        asyncio.run(port.answer(kind, "00"))
        lean = stage is not ReplayStage.RETRIEVAL
        assert bool(asked) == (stage not in stages and not (recheck and lean))


def test_every_field_of_the_configuration_has_a_stage():
    for field in leaves(RunConfig().model_dump(mode="json")):
        stage = stage_of(field)
        assert (stage is None) == (field == "name")
    with pytest.raises(KeyError, match=r"no stage for unheard\.of"):
        stage_of("unheard.of")


def test_an_accepted_answer_beside_the_deciding_one_is_not_an_answer():
    """Otherwise a replay could end the problem by another proof than the old run did."""
    world = World(PROBLEM, checked(SQUARE), lambda _: accepted(), lambda _: [], CONFIG)
    world.play()
    decided_by = decider(world.case())
    assert decided_by is not None
    later = next(c for c in world.case().candidates.values() if c.candidate > decided_by[1])
    extra = VerdictIssued(attempt=later.attempt, candidate=later.candidate, verdict=accepted("z"))
    world._say(extra, "verifier", None)
    kept = [
        event.data
        for kind, _, event in answers_of(world.case())
        if kind is AnswerKind.VERDICT and isinstance(event.data, VerdictIssued)
    ]
    proved = [v for v in kept if v.verdict.status is VerdictStatus.ACCEPTED]
    assert [(v.attempt, v.candidate) for v in proved] == [decided_by]


def sealed(count):
    writer = ChainWriter()
    lines = [writer.seal(json.dumps({"trace": 2, "n": n})) for n in range(count)]
    return [line.encode() + b"\n" for line in [*lines, writer.close("r1")]]


def chain_faults(lines):
    reader, found = ChainReader(), []
    for number, raw in enumerate(lines, start=1):
        record = json.loads(raw)
        said = list(reader.line(number, raw, record["previous"], count=record.get("count")))
        found += [number] if said else []
    ended = reader.end()
    return found + ([reader.last_line] if ended else [])


@given(st.integers(1, 8), st.data())
def test_every_tampering_is_found_at_its_line(count, data):
    lines = sealed(count)
    assert chain_faults(lines) == []
    at = data.draw(st.integers(0, count - 1))
    edited = list(lines)
    edited[at] = edited[at].replace(f'"n": {at}'.encode(), b'"n": 99')
    assert chain_faults(edited) == [at + 1]
    assert chain_faults([*lines[: at + 1], lines[at], *lines[at + 1 :]])[0] == at + 2
    assert chain_faults([*lines[:at], *lines[at + 1 :]])[0] == at + 1
    cut = lines[: data.draw(st.integers(1, count))]
    assert chain_faults(cut) == [len(cut)]
    if count > 1:
        first = data.draw(st.integers(0, count - 2))
        swapped = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
        assert chain_faults(swapped)[0] == first + 1
    resealed = list(lines)
    writer = ChainWriter()
    writer.head = json.loads(lines[at])["previous"]
    resealed[at] = writer.seal(json.dumps({"trace": 2, "n": 99})).encode() + b"\n"
    assert chain_faults(resealed) == [at + 2]
