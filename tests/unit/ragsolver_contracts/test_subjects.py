from ragsolver_contracts import subjects


def matches(subject_filter: str, subject: str) -> bool:
    """NATS' own rule: `*` is one token, `>` the rest."""
    wanted, tokens = subject_filter.split("."), subject.split(".")
    for position, part in enumerate(wanted):
        if part == ">":
            return len(tokens) > position
        if position >= len(tokens) or part not in ("*", tokens[position]):
            return False
    return len(wanted) == len(tokens)


SUBJECT = subjects.event_subject("verdict_issued", "r1", "Foo.bar", "ab" * 16)


def test_event_subject_has_six_safe_tokens_and_ends_in_the_id() -> None:
    parts = SUBJECT.split(".")
    assert parts[:4] == ["rs", "v1", "verdict_issued", "r1"]
    assert parts[-1] == "ab" * 16
    assert len(parts) == 6


def test_filters_select_what_their_names_say() -> None:
    assert matches(subjects.EVENTS_ALL, SUBJECT)
    assert matches(subjects.events_named("verdict_issued"), SUBJECT)
    assert not matches(subjects.events_named("verdict"), SUBJECT)
    assert matches(subjects.events_of_run("r1"), SUBJECT)
    assert not matches(subjects.events_of_run("r2"), SUBJECT)
    assert matches(subjects.events_of_problem("r1", "Foo.bar"), SUBJECT)
    assert not matches(subjects.events_of_problem("r1", "foo.bar"), SUBJECT)
    assert matches(subjects.events_of_problem("r1", "Foo.bar", "verdict_issued"), SUBJECT)


def test_inputs_and_notices_are_not_events() -> None:
    notice = subjects.cancel_notice("r1", "p")
    assert matches(subjects.CANCEL_ALL, notice)
    assert matches(subjects.SUBMIT_ANSWERS, subjects.submit_answer("ab" * 32))
    for other in (subjects.SUBMIT, notice, subjects.submit_answer("ab" * 32)):
        assert not matches(subjects.EVENTS_ALL, other)


def test_recorded_answers_are_no_events_and_have_one_subject_each() -> None:
    first = subjects.recorded_answer("rec", "Foo.bar", "verdict", "00")
    assert matches(subjects.RECORDED_ALL, first)
    assert not matches(subjects.EVENTS_ALL, first)
    assert len(first.split(".")) == 6
    others = {
        subjects.recorded_answer("rec2", "Foo.bar", "verdict", "00"),
        subjects.recorded_answer("rec", "foo.bar", "verdict", "00"),
        subjects.recorded_answer("rec", "Foo.bar", "statement", "00"),
        subjects.recorded_answer("rec", "Foo.bar", "verdict", "01"),
    }
    assert len(others - {first}) == 4


def test_the_name_of_an_event_is_read_off_its_subject() -> None:
    assert subjects.event_name(SUBJECT) == "verdict_issued"
    for other in ("", "rs", subjects.SUBMIT, "rs.cancel.r1.p", "x.v1.verdict_issued.r.p.e"):
        assert subjects.event_name(other) == ""


def test_templates_are_the_subjects_with_names() -> None:
    filled = subjects.event_template("verdict_issued").format(run="r1", problem="p", event="e")
    assert filled == subjects.event_subject("verdict_issued", "r1", "p", "e")
    notice = subjects.CANCEL_TEMPLATE.format(run="r1", problem="p")
    assert notice == subjects.cancel_notice("r1", "p")
