"""A bus made ready for a process: whoever may makes what is missing, everybody compares.

On a bus with users only the operator makes streams and consumers. Any other role looks at those
that it needs, and says what to run where something is missing.
"""

from collections.abc import Iterable

from nats import errors as nats_errors
from nats.aio.client import Client
from nats.js import api
from nats.js.errors import NotFoundError

from ragsolver_runtime.access import api_subjects
from ragsolver_runtime.access.credentials import OPERATOR
from ragsolver_runtime.access.refusals import check_refused
from ragsolver_runtime.access.table import Access, access_of, worker_access
from ragsolver_runtime.drift import Difference, compare_consumer, compare_stream, drifted
from ragsolver_runtime.errors import BusLostError, DriftError
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.streams import (
    EVENTS,
    INPUT,
    INTAKE_DURABLE,
    advisory_consumer,
    consumers_of,
    input_consumer,
    provision,
    stream_table,
)
from ragsolver_runtime.worker import WorkerSpec

_TIMEOUT_S = 5.0


async def make_ready(
    client: Client, app: AppSettings, workers: Iterable[WorkerSpec] = (), *, grow: bool = False
) -> None:
    """Make what is missing, or only look, as our role may.

    Args:
        client: a connection to the bus.
        app: the bus as declared, and who we are on it.
        workers: roles whose durable consumers are wanted.
        grow: whether streams that are smaller than declared are made larger, where we may.

    Raises:
        DriftError: something differs from the declared table, or is missing and not ours to make.
        RefusedError: we may not even look.
        ServerError: the server's storage cannot hold the declared streams.
    """
    specs = tuple(workers)
    role = app.bus.role
    if role in {"", OPERATOR}:
        await provision(client.jetstream(timeout=_TIMEOUT_S), app.streams, specs, grow=grow)
        return
    access = next((worker_access(s) for s in specs if s.role == role), None) or access_of(role)
    await _look(client, app, access, specs)


async def _look(
    client: Client, app: AppSettings, access: Access, specs: tuple[WorkerSpec, ...]
) -> None:
    found: list[Difference] = []
    missing: list[str] = []
    js = client.jetstream(timeout=_TIMEOUT_S)
    declared = {str(stream.name): stream for stream in stream_table(app.streams)}
    for name in access.inspects:
        try:
            info = await js.stream_info(name)
        except NotFoundError:
            missing.append(f"stream {name}")
        except (nats_errors.Error, TimeoutError) as error:
            check_refused(client, api_subjects.stream_info(name))
            raise _silent(f"stream {name}", error) from error
        else:
            found += compare_stream(declared[name], info)
    for stream, consumer in _consumers(access, specs):
        name = str(consumer.durable_name)
        try:
            seen = await js.consumer_info(stream, name)
        except NotFoundError:
            missing.append(f"consumer {name} of stream {stream}")
        except (nats_errors.Error, TimeoutError) as error:
            check_refused(client, api_subjects.consumer_info(stream, name))
            raise _silent(f"consumer {name}", error) from error
        else:
            found += compare_consumer(stream, consumer, seen)
    if missing:
        raise DriftError(
            f"the bus has no {', no '.join(missing)}, and role {access.role} may not make it: run "
            "`ragsolver infra provision --creds FOLDER/operator.toml` once"
        )
    drifted(found)


def _consumers(
    access: Access, specs: tuple[WorkerSpec, ...]
) -> list[tuple[str, api.ConsumerConfig]]:
    of_workers = {str(c.durable_name): c for spec in specs for c in consumers_of(spec)}
    wanted: list[tuple[str, api.ConsumerConfig]] = []
    for stream, durable in access.durables:
        if stream == EVENTS:
            if durable in of_workers:
                wanted.append((stream, of_workers[durable]))
        else:
            is_input = (stream, durable) == (INPUT, INTAKE_DURABLE)
            wanted.append((stream, input_consumer() if is_input else advisory_consumer()))
    return wanted


def _silent(what: str, error: BaseException) -> BusLostError:
    said = str(error) or type(error).__name__
    return BusLostError(f"the bus does not tell about {what} ({said}): check the NATS server")
