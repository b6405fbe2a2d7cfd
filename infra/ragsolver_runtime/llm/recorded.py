"""A model that answers from a trace: by the hash of the request, as it was answered before.

A replay of a run has its own recorded answers (`ragsolver replay`); this one serves any run
whose requests are the recorded ones, for example with other workers or another bus.
"""

import time
from pathlib import Path

from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome, LlmReply, LlmRequest, Usage
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.port import CallId
from ragsolver_runtime.trace_file import open_trace, require_sound

Recorded = dict[str, list[tuple[str, LlmCalled]]]
"""By request hash: the problem and the exchange, in the order of the trace."""


class RecordedModel:
    """Gives each request the answer that is recorded for it."""

    def __init__(self, name: str, recorded: Recorded) -> None:
        self._name = name
        self._recorded = recorded

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """The recorded answer; `rejected` where there is none.

        Of several, the one of the same problem and call number counts, else the first of the
        same problem, else the first.
        """
        started = time.monotonic()
        found = self._recorded.get(request.request_hash, [])
        if not found:
            said = (
                f"{self._name} has no answer to request {request.request_hash[:16]} (the "
                f"{call.agent}'s {call.purpose}, call {call.call} of {call.problem_id}): record "
                "it with a model that can be asked, or take the configuration of the trace"
            )
            return LlmReply(outcome=LlmOutcome.REJECTED, error=said)
        best = min(found, key=lambda entry: _distance(entry, call))[1]
        return LlmReply(
            outcome=best.outcome,
            text=best.response,
            stop_reason=best.stop_reason,
            error=best.error,
            usage=Usage(
                input_tokens=best.input_tokens,
                output_tokens=best.output_tokens,
                cache_read_tokens=best.cache_read_tokens,
                cache_write_tokens=best.cache_write_tokens,
            ),
            latency_ms=(time.monotonic() - started) * 1000,
        )


def _distance(entry: tuple[str, LlmCalled], call: CallId) -> tuple[bool, bool]:
    problem, exchange = entry
    return (problem != call.problem_id, exchange.call != call.call)


def read_recorded(file: str | Path) -> RecordedModel:
    """The answers of a trace. Failures that pass (a server's overload) are left out.

    Raises:
        ConfigError: it cannot be read, is no sound trace, or has no answers.
    """
    path = Path(file).expanduser()
    recorded: Recorded = {}
    try:
        with open_trace(path) as trace:
            require_sound(trace)
            for run_id in trace.runs:
                for problem in trace.problem_ids(run_id):
                    for event in trace.events(run_id, problem):
                        said = event.data
                        if isinstance(said, LlmCalled) and not said.outcome.passes:
                            recorded.setdefault(said.request_hash, []).append((problem, said))
    except OSError as error:
        raise ConfigError(f"cannot read the trace {path}: {error}") from error
    if not recorded:
        raise ConfigError(f"{path} has no exchange with a language model to answer from")
    return RecordedModel(str(path), recorded)
