"""Whether the event stream takes anything more: a run on a full one would wait for ever."""

import asyncio
import logging

from nats import errors as nats_errors
from nats.js import JetStreamContext

from ragsolver_runtime.streams import EVENTS

_log = logging.getLogger(__name__)

_LOOK_EVERY_S = 5.0
_PATIENCE_S = 60.0
"""What a full stream gets to take something all the same, or to be made larger."""
_ONE_EVENT = 64 * 1024


async def until_full(js: JetStreamContext) -> str:
    """Return what to do, once the stream has been full and has taken nothing for a minute."""
    last, quiet_s = -1, 0.0
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        try:
            info = await js.stream_info(EVENTS)
        except (nats_errors.Error, TimeoutError, OSError):
            continue  # no bus at all is somebody else's matter
        most, used = info.config.max_bytes or -1, info.state.bytes
        if most <= 0 or most - used >= min(_ONE_EVENT, most // 20):
            last, quiet_s = -1, 0.0
            continue
        if last < 0:
            _log.critical("stream %s is full: %d of %d bytes are used", EVENTS, used, most)
        quiet_s = quiet_s + _LOOK_EVERY_S if info.state.last_seq == last else 0.0
        last = info.state.last_seq
        if quiet_s >= _PATIENCE_S:
            return (
                f"stream {EVENTS} is full: {used} of {most} bytes are used, and nothing recorded "
                "is dropped. Make it larger (`ragsolver infra provision --set bus.events_mib=…` "
                "on a bus that runs), or export the runs (`trace export`) and start from a new "
                "data folder; `solve --resume` goes on where this run stands"
            )
