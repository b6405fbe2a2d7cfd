"""What can go wrong on the bus, by what the caller should do about it."""


class BusError(Exception):
    """Base of the runtime's own errors; the message says what to do."""


class PermanentError(BusError):
    """Trying again cannot help: the delivery ends in `work_failed` at once."""


class ServerError(BusError):
    """The embedded nats-server did not start, died for good, or its folder is in use."""


class DriftError(BusError):
    """A stream or consumer on the server differs from the declared table."""


class PublishError(BusError):
    """An event could not be stored within the retry budget; the caller may try again later."""


class StorageFullError(BusError):
    """The stream or the disk refuses more bytes; nothing was stored."""


class NoRecordedAnswerError(BusError):
    """A replay may not call a language model and has no recorded answer; the problem ends."""


class SubjectConflictError(PermanentError):
    """The subject of an event is taken by a message that is not this event."""


class BlobError(PermanentError):
    """A payload moved to the object store is missing or its digest does not match."""


class ConfigError(BusError):
    """A configuration file, variable or flag has an unknown key or a bad value."""


class BusLostError(BusError):
    """The connection or the consumer is gone for good: the process must be started again."""


class RefusedError(ConfigError):
    """The bus refuses what this process needs: wrong credentials, or permissions too narrow."""
