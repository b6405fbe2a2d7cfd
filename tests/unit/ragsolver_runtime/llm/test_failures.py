from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import anthropic
import httpx2
import pytest

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.exchange import RequestError
from ragsolver_runtime.llm.failures import Secrets, failure, retry_after_s

ASKED = httpx2.Request("POST", "http://host/v1/messages")


def status(code, body=None, headers=None):
    answer = httpx2.Response(code, headers=headers, request=ASKED)
    return anthropic.APIStatusError(f"Error code: {code}", response=answer, body=body)


def said(kind, message="m"):
    return {"type": "error", "error": {"type": kind, "message": message}}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (status(400), "rejected"),
        (status(400, said("invalid_request_error", "temperature: wrong")), "rejected"),
        (
            status(400, said("invalid_request_error", "prompt is too long: 9 > 8")),
            "context_overflow",
        ),
        (
            status(400, said("x", "This model's maximum context length is 8192 tokens")),
            "context_overflow",
        ),
        (status(401), "unauthorized"),
        (status(402, said("billing_error")), "rejected"),
        (status(403, said("permission_error")), "unauthorized"),
        (status(404, said("not_found_error")), "rejected"),
        (status(413, said("request_too_large")), "rejected"),
        (status(422), "rejected"),
        (status(408), "server_error"),
        (status(429), "rate_limited"),
        (status(500), "server_error"),
        (status(502, "<html>bad gateway</html>"), "server_error"),
        (status(503, said("overloaded_error")), "overloaded"),
        (status(504, said("timeout_error")), "server_error"),
        (status(529), "overloaded"),
        (status(200, said("overloaded_error")), "overloaded"),
        (status(200, said("rate_limit_error")), "rate_limited"),
        (status(200, said("something new")), "server_error"),
        (anthropic.APIConnectionError(request=ASKED), "connection"),
        (anthropic.APITimeoutError(request=ASKED), "stalled"),
        (httpx2.ReadTimeout(""), "stalled"),
        (httpx2.ConnectTimeout(""), "connection"),
        (httpx2.ReadError(""), "connection"),
        (httpx2.RemoteProtocolError("peer closed"), "connection"),
        (ValueError("Expecting value"), "server_error"),
        (RequestError("wrong"), "rejected"),
        (TypeError("unexpected"), "rejected"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value)[:60],
)
def test_what_a_failure_means(error, outcome):
    found = failure(error)
    assert found.outcome is LlmOutcome(outcome)
    assert found.message


def test_a_connection_that_was_not_taken_is_no_stall():
    error = anthropic.APITimeoutError(request=ASKED)
    error.__cause__ = httpx2.ConnectTimeout("")
    assert failure(error).outcome is LlmOutcome.CONNECTION


def test_a_redirect_names_where_to():
    found = failure(status(307, headers={"location": "https://elsewhere/"}))
    assert found.outcome is LlmOutcome.REJECTED
    assert "https://elsewhere/" in found.message


def test_how_long_a_server_asks_us_to_wait():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90))
    assert failure(status(429, headers={"retry-after": "7"})).retry_after_s == 7
    assert retry_after_s({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert 80 < retry_after_s({"retry-after": later}) <= 90
    for wrong in ("", "soon", "-1", "inf", "nan"):
        assert retry_after_s({"retry-after": wrong}) is None


def test_a_header_of_a_stream_is_no_request_to_wait():
    error = status(200, said("overloaded_error"), headers={"retry-after": "7"})
    assert failure(error).retry_after_s is None


def test_secrets_are_hidden_the_longer_ones_first():
    secrets = Secrets(["secret", "secret-and-more", " padded-one\n", "", "ab"])
    text = "secret-and-more, secret, padded-one, ab, sk-ant-unknown-key"
    assert secrets.hide("x" * 990 + "secret-and-more", 1_000) == "x" * 990 + "[key]"
    assert secrets.hide(text) == "[key], [key], [key], ab, [key]"
