from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.web.exchanges import calls_of, exchange_of, laid_out

REQUEST = {
    "model": "m",
    "max_tokens": 10,
    "system": [{"text": "Be brief."}],
    "messages": [
        {
            "role": "user",
            "content": [{"text": "Plan."}, {"image": "aa", "media_type": "image/png"}],
        }
    ],
}


def called(call: int, **changes) -> LlmCalled:
    values = {
        "call": call,
        "agent": "planner",
        "purpose": "plan",
        "prompt_id": "p",
        "prompt_hash": "h",
        "model": "m",
        "request_hash": "r",
        "request": REQUEST,
        "response": '{"a": 1}',
        "stop_reason": "end_turn",
        "input_tokens": 5,
        "output_tokens": 2,
    }
    return LlmCalled(**{**values, **changes})


EVENTS = [
    event(LlmReserved(call=1, agent="planner", purpose="plan")),
    event(called(1)),
    event(LlmReserved(call=2, agent="critic", purpose="critique")),
    event(LlmReserved(call=3, calls=2, agent="critic", purpose="child", granted_to="c")),
    event(called(5, outcome=LlmOutcome.STALLED, response="", error="silence", request={})),
]


def test_every_call_of_the_budget_has_a_line() -> None:
    lines = calls_of(EVENTS)
    assert [(line.call, line.outcome) for line in lines] == [
        (1, "answered"), (2, "on its way"), (3, "granted"), (5, "stalled"),
    ]  # fmt: skip
    assert (lines[0].tokens_in, lines[0].tokens_out) == (5, 2)
    assert lines[2].granted_to == "c"


def test_the_order_of_events_does_not_matter() -> None:
    assert calls_of(EVENTS[::-1]) == calls_of(EVENTS)


def test_a_whole_exchange() -> None:
    found = exchange_of(EVENTS, 1)
    assert found is not None
    assert [(turn.role, turn.text) for turn in found.turns] == [
        ("system", "Be brief."),
        ("user", "Plan.\n\n[image, image/png]"),
    ]
    assert found.is_json
    assert found.answer == '{\n  "a": 1\n}'


def test_exchanges_without_request_or_answer() -> None:
    found = exchange_of(EVENTS, 5)
    assert found is not None
    assert (found.turns, found.answer, found.line.error) == ((), "", "silence")
    assert exchange_of(EVENTS, 2) is None
    assert exchange_of(EVENTS, 9) is None


def test_a_request_of_another_shape_is_shown_as_it_is() -> None:
    found = exchange_of([event(called(1, request={"odd": 1}))], 1)
    assert found is not None
    assert found.turns[0].role == "request"


def test_text_is_laid_out_only_where_it_is_json() -> None:
    assert laid_out("no json") == ("no json", False)
    assert laid_out("12") == ("12", False)
    assert laid_out("[1]") == ("[\n  1\n]", True)
