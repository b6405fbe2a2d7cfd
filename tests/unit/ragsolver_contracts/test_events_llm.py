from ragsolver_contracts.events_llm import LlmCalled, LlmReserved


def test_calls_are_numbered() -> None:
    assert LlmReserved(call=3, agent="critic", purpose="p").decides() == (3,)
    called = LlmCalled(
        call=3,
        agent="critic",
        purpose="p",
        prompt_id="i",
        prompt_hash="h",
        model="m",
        request_hash="r",
        response="",
        stop_reason="end_turn",
    )
    assert called.decides() == (3,)
