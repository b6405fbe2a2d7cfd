from ragsolver_runtime.web.timeline import MODEL, groups_of, timeline_of
from suites.sample_run import sample_run
from suites.web_world import sample_case


def test_nothing_has_no_timeline() -> None:
    assert timeline_of([]).spans == ()


def test_spans_begin_with_their_causes() -> None:
    """In the sample run each event comes a second after its cause."""
    _, events = sample_case("add_zero_nat")
    timeline = timeline_of(events)
    assert timeline.length_ms == (len(events) - 1) * 1000
    first, second = timeline.spans[:2]
    assert (first.lane, first.start_ms, first.end_ms) == ("intake", 0.0, 0.0)
    assert (second.lane, second.start_ms, second.end_ms) == ("verifier", 0.0, 1000.0)


def test_work_is_what_events_tell() -> None:
    _, events = sample_case("add_zero_nat")
    stages = {share.name: share for share in timeline_of(events).stages}
    assert stages["verifier"].work_ms == 50.0
    assert stages["planner"].work_ms == 0.0
    assert sum(share.events for share in stages.values()) == len(events)
    assert list(stages)[:2] == ["intake", "planner"]


def test_lanes_that_overlap_count_once() -> None:
    _, events = sample_case("hard")
    timeline = timeline_of(events)
    assert all(share.total_ms <= timeline.length_ms for share in timeline.stages)
    assert MODEL not in {share.name for share in timeline.stages}
    assert {share.name for share in timeline.processes} == {e.source for e in events}


def test_events_of_one_cause_and_process_are_one_group() -> None:
    _, events = sample_case("add_zero_nat")
    cause = events[0].id
    same = [e.model_copy(update={"causationid": cause}) for e in events if e.role == "formalizer"]
    assert [len(group) for group in groups_of(same)] == [2]
    alone = [e.model_copy(update={"causationid": None}) for e in same]
    assert [len(group) for group in groups_of(alone)] == [1, 1]


def test_every_event_is_in_one_group() -> None:
    events = sample_run()
    assert [e for group in groups_of(events) for e in group] == events
