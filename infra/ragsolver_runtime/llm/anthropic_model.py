"""The adapter of the Messages API: one streamed request per try, on the `anthropic` SDK.

The SDK's own repetitions are off: every try is counted and recorded by the caller. Nothing but
a cancellation is raised, and the key is taken out of everything that is said.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anthropic
import httpx2

from ragsolver_contracts.llm import LlmOutcome, LlmReply, LlmRequest
from ragsolver_runtime.llm.exchange import Heard, RequestError, body, storable
from ragsolver_runtime.llm.failures import Failure, Secrets, failure
from ragsolver_runtime.llm.port import CallId
from ragsolver_runtime.llm.settings import (
    DEFAULT_URL,
    KEY_VARIABLES,
    ModelSettings,
    key_variable,
    server_url,
)
from ragsolver_runtime.logs import quieten

_HEADERS_VARIABLE = "ANTHROPIC_CUSTOM_HEADERS"
"""Read by the SDK itself: `Name: value` lines that go with every request."""
_LONGEST_MESSAGE = 1_000
_LONGEST_NAME = 200
_NO_KEY = "none"
"""Sent to a server of one's own where no key is set."""


class AnthropicModel:
    """One client of a server, for the life of a process."""

    def __init__(
        self, client: anthropic.AsyncAnthropic, settings: ModelSettings, secrets: Secrets
    ) -> None:
        self._client = client
        self._settings = settings
        self._secrets = secrets

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """What came of one streamed request. Being cancelled closes the connection."""
        started, heard = time.monotonic(), Heard()
        try:
            async with asyncio.timeout(self._settings.total_s):
                await self._listen(request, call, heard)
            reply = heard.reply(request)
        except TimeoutError:
            said = "the answer took longer than model.total_s"
            reply = _without_answer(heard, Failure(LlmOutcome.STALLED, said))
        except Exception as error:  # noqa: BLE001 - whatever a server does is an outcome
            reply = _without_answer(heard, failure(error))
        return self._safe(reply, (time.monotonic() - started) * 1000)

    async def _listen(self, request: LlmRequest, call: CallId, heard: Heard) -> None:
        asked = body(request, call, self._settings.structured)
        stream = await self._client.messages.create(
            model=request.model,
            max_tokens=request.max_tokens,
            messages=asked.pop("messages"),
            stream=True,
            # Everything else as it is: a parameter that this SDK does not know is the server's.
            extra_body=asked,
        )
        async with stream:
            answer = stream.response
            heard.server_id = answer.headers.get("request-id", "")
            kind = answer.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise RequestError(
                    f"what answers at {self._client.base_url} does not speak the Messages API "
                    f"(it answers with {kind or 'no content type'}): check model.base_url"
                )
            async for event in stream:
                _take(heard, event)
                if heard.too_long:
                    return

    def _safe(self, reply: LlmReply, latency_ms: float) -> LlmReply:
        hide = self._secrets.hide
        return reply.model_copy(
            update={
                "text": hide(reply.text),
                "error": hide(reply.error, _LONGEST_MESSAGE),
                "stop_reason": hide(reply.stop_reason, _LONGEST_NAME),
                "server_id": hide(reply.server_id, _LONGEST_NAME),
                "latency_ms": latency_ms,
            }
        )


def _take(heard: Heard, event: object) -> None:
    try:
        heard.take(event)
    except (AttributeError, TypeError) as error:
        kind = getattr(event, "type", type(event).__name__)
        raise ValueError(f"an event {kind} is not as the Messages API has it: {error}") from error


def _without_answer(heard: Heard, failed: Failure) -> LlmReply:
    return LlmReply(
        outcome=failed.outcome,
        text=heard.text,
        stop_reason=heard.stop_reason,
        error=storable(failed.message),
        retry_after_s=failed.retry_after_s,
        usage=heard.usage,
        server_id=heard.server_id,
    )


@asynccontextmanager
async def open_anthropic(
    settings: ModelSettings, env: Mapping[str, str]
) -> AsyncIterator[AnthropicModel]:
    """A client of the server that the settings name, closed after the block.

    Args:
        settings: the `[model]` table.
        env: environment variables; the key is in one of them.
    """
    quieten()  # the SDK may have been told by ANTHROPIC_LOG to show what servers say
    variable, url = key_variable(env), server_url(settings, env)
    key = env[variable].strip() if variable else _NO_KEY
    by_token = variable == KEY_VARIABLES[1]
    limits = httpx2.Timeout(
        connect=settings.connect_s, read=settings.stall_s, write=settings.stall_s, pool=None
    )
    # A redirect would take the key along to another host.
    http = anthropic.DefaultAsyncHttpxClient(follow_redirects=False, timeout=limits)
    # The SDK sends a key as a bearer token; other servers may read the older header only.
    older = {} if by_token or not variable or url == DEFAULT_URL else {"X-Api-Key": key}
    client = anthropic.AsyncAnthropic(
        api_key=None if by_token else key,
        auth_token=key if by_token else None,
        base_url=url,
        timeout=limits,
        max_retries=0,
        default_headers=older,
        http_client=http,
        open_telemetry=False,
    )
    try:
        yield AnthropicModel(client, settings, secrets_of(env))
    finally:
        await client.close()


def secrets_of(env: Mapping[str, str]) -> Secrets:
    """What of the environment must never be seen: the keys, and the values of custom headers."""
    headers = env.get(_HEADERS_VARIABLE, "").split("\n")
    values = [line.partition(":")[2] for line in headers]
    bearers = [value.strip().removeprefix("Bearer ") for value in values]
    return Secrets([*(env.get(name, "") for name in KEY_VARIABLES), *values, *bearers])
