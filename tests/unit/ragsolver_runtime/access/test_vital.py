import asyncio
from types import SimpleNamespace

import pytest
from nats import errors as nats_errors

from ragsolver_runtime.access.refusals import Refusals, attach
from ragsolver_runtime.access.table import access_of
from ragsolver_runtime.access.vital import ends_when_refused, say_refused
from ragsolver_runtime.errors import RefusedError


async def test_a_process_ends_when_it_is_refused_what_its_role_needs():
    lost = asyncio.Event()
    hear = ends_when_refused(access_of("intake"), lost)
    hear("publish", "_inbox.of.somebody")
    hear("subscription", "$js.api.consumer.info.rs_input.intake")
    assert not lost.is_set()
    hear("publish", "$js.api.consumer.info.rs_input.intake")
    assert lost.is_set()


async def test_it_says_what_was_refused():
    client = SimpleNamespace(options={})
    refusals = Refusals("intake/one", "intake")
    attach(client, refusals)
    await refusals.heard(nats_errors.Error('permissions violation for publish to "elsewhere"'))
    say_refused(client, access_of("intake"))
    await refusals.heard(
        nats_errors.Error('permissions violation for publish to "rs.v1.problem_submitted.a"')
    )
    with pytest.raises(RefusedError, match="problem_submitted"):
        say_refused(client, access_of("intake"))
