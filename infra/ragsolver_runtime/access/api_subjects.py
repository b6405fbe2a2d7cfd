"""The subjects on which a NATS server takes JetStream requests, as permissions name them."""

_API = "$JS.API"

EVERYTHING = f"{_API}.>"
"""Every request there is: for whoever runs the bus."""
ACCOUNT_INFO = f"{_API}.INFO"
STREAM_NAMES = f"{_API}.STREAM.NAMES"
STREAM_LIST = f"{_API}.STREAM.LIST"


def direct_get(stream: str) -> tuple[str, ...]:
    """Reading stored messages: by a query, and the last one of a subject."""
    return (f"{_API}.DIRECT.GET.{stream}", f"{_API}.DIRECT.GET.{stream}.>")


def message_get(stream: str) -> str:
    """Reading stored messages from the leader."""
    return f"{_API}.STREAM.MSG.GET.{stream}"


def message_delete(stream: str) -> str:
    """Removing one stored message."""
    return f"{_API}.STREAM.MSG.DELETE.{stream}"


def stream_info(stream: str) -> str:
    """A stream's settings and state; `*` for any."""
    return f"{_API}.STREAM.INFO.{stream}"


def consumer_info(stream: str, durable: str) -> str:
    """A consumer's settings and state; `*` for any."""
    return f"{_API}.CONSUMER.INFO.{stream}.{durable}"


def consumer_list(stream: str) -> str:
    """Settings and state of all consumers of a stream."""
    return f"{_API}.CONSUMER.LIST.{stream}"


def next_message(stream: str, durable: str) -> str:
    """Pulling from a durable."""
    return f"{_API}.CONSUMER.MSG.NEXT.{stream}.{durable}"


def acks(stream: str, durable: str) -> str:
    """Settling what a durable delivered."""
    return f"$JS.ACK.{stream}.{durable}.>"
