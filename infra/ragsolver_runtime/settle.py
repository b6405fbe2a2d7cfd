"""How a delivery that failed is settled: again after a delay, or given up on record."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime import dead_letter
from ragsolver_runtime.delivery import Delivery
from ragsolver_runtime.errors import BusLostError
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.telemetry.watching import Handled

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ConsumeSettings:
    """Times in seconds."""

    first_delay_s: float = 1.0
    """Delay before the second delivery; doubles each time."""
    longest_delay_s: float = 60.0
    shutdown_delay_s: float = 0.1


def redelivery_delay(settings: ConsumeSettings, number: int) -> float:
    """Seconds until the delivery after number `number` (from 1): doubling, bounded."""
    exponent = min(number - 1, 30)
    return min(settings.first_delay_s * 2.0**exponent, settings.longest_delay_s)


@dataclass(frozen=True)
class Settling:
    """Settles what one worker process could not do."""

    role: str
    source: str
    """CloudEvents source of dead letters."""
    max_deliver: int
    publisher: Publisher
    on_lost: Callable[[], None]
    settings: ConsumeSettings

    async def hand_back(self, delivery: Delivery) -> Handled:
        """This process stops: a replica takes over at once."""
        await delivery.nak(self.settings.shutdown_delay_s)
        return Handled.HANDED_BACK

    async def again(
        self, delivery: Delivery, event: AnyEvent | None, stage: str, error: Exception
    ) -> Handled:
        """Deliver it again after a delay, or give it up when that was its last delivery."""
        if delivery.number >= self.max_deliver:
            return await self.bury(delivery, event, stage, error)
        delay = redelivery_delay(self.settings, delivery.number)
        _log.warning(
            "delivery %d of %s failed at %s and is tried again in %.1f s: %r",
            delivery.number,
            delivery.subject,
            stage,
            delay,
            error,
            exc_info=error,
        )
        await delivery.nak(delay)
        return Handled.REDELIVERED

    async def bury(
        self, delivery: Delivery, event: AnyEvent | None, stage: str, error: Exception
    ) -> Handled:
        """Record that this delivery can never succeed; only then give it up."""
        if event is not None and dead_letter.is_own(event, self.role):
            # A letter about our failure to work on a letter of ours would never end.
            _log.critical("role %s cannot work on its own dead letter: %r", self.role, error)
            await delivery.term()
            return Handled.DEAD_LETTERED
        letter = dead_letter.letter(
            role=self.role,
            source=self.source,
            subject=delivery.subject,
            body=delivery.body,
            event=event,
            stage=stage,
            error=error,
            deliveries=delivery.number,
        )
        _log.error("giving up on %s at %s: %r", delivery.subject, stage, error)
        try:
            await self.publisher.publish(letter, closes=True)
        except BusLostError:
            self.on_lost()
            return Handled.LOST
        except Exception:  # noqa: BLE001 - an unrecorded failure must stay deliverable
            _log.exception("the dead letter itself could not be stored; trying again later")
            await delivery.nak(self.settings.longest_delay_s)
            return Handled.REDELIVERED
        await delivery.term()
        return Handled.DEAD_LETTERED
