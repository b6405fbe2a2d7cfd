import pytest
from nats import errors

from ragsolver_runtime.access.refusals import Refusals
from ragsolver_runtime.connect import BusSettings, connection_options
from ragsolver_runtime.telemetry.alarms import counted, kind
from ragsolver_runtime.telemetry.numbers import Counted

REFUSED = errors.Error('nats: permissions violation for publish to "rs.v1.x"')


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (REFUSED, "permission"),
        (errors.SlowConsumerError("s", "r", 1, None), "slow_consumer"),
        (errors.StaleConnectionError(), "error"),
        (OSError("x"), "error"),
    ],
)
def test_errors_have_kinds(error, name):
    assert kind(error) == name


async def test_what_befalls_a_connection_is_counted_and_logged(caplog):
    numbers = Counted("critic")
    caplog.set_level("INFO")
    options = counted(
        connection_options(BusSettings("nats://x"), "critic/one", Refusals("c", "")),
        numbers,
    )
    await options["error_cb"](REFUSED)
    await options["disconnected_cb"]()
    await options["reconnected_cb"]()
    alarms = {
        sample.labels["kind"]: sample.value
        for family in numbers.registry.collect()
        for sample in family.samples
        if sample.name == "ragsolver_bus_alarms_total"
    }
    assert alarms == {"permission": 1, "disconnected": 1, "reconnected": 1}
    assert "rs.v1.x" in caplog.text
    assert options["servers"] == ["nats://x"]


async def test_a_connection_without_callbacks_is_counted():
    numbers = Counted("critic")
    await counted({}, numbers)["disconnected_cb"]()
