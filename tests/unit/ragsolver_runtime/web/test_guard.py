import pytest
from starlette.responses import PlainTextResponse

from ragsolver_runtime.web.guard import Guard, host_name, is_loopback
from suites.asgi import ask


async def inner(scope, receive, send) -> None:
    await PlainTextResponse("in")(scope, receive, send)


GUARDED = Guard(inner, ["Proofs.example"])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_only_reading_is_allowed(method: str) -> None:
    answer = await ask(GUARDED, "/", method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "127.0.0.1:80", "[::1]:8080", "10.0.0.5", "proofs.EXAMPLE.:1"],
)
async def test_own_names_and_addresses_pass(host: str) -> None:
    assert (await ask(GUARDED, "/", {"host": host})).body == b"in"


@pytest.mark.parametrize(
    "host", ["evil.example", "", "localhost.evil.example", "127.0.0.1.evil.example", "[evil]"]
)
async def test_a_name_that_somebody_else_may_point_here_is_refused(host: str) -> None:
    assert (await ask(GUARDED, "/", {"host": host})).status == 421


async def test_other_sites_may_not_ask() -> None:
    for mode in ("cors", "no-cors"):
        headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode}
        assert (await ask(GUARDED, "/api/runs", headers)).status == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert (await ask(GUARDED, "/", link)).status == 200


async def test_every_answer_carries_the_policy() -> None:
    for host in ("localhost", "evil.example"):
        headers = (await ask(GUARDED, "/", {"host": host})).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_names_of_hosts() -> None:
    assert host_name("A.b:80") == "a.b"
    assert host_name("[::1]:80") == "::1"


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("10.0.0.1", "192.168.1.1", "::", "host")))
