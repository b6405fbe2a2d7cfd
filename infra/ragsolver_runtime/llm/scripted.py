"""A model that answers from a file: by problem, agent, purpose and turn.

The file has one JSON object per line:

    {"problem": "p1", "agent": "generator", "purpose": "sketch", "turn": 1, "answer": {...}}
    {"problem": "*", "agent": "critic", "purpose": "*", "turn": "*", "fail": "refused"}

`*` stands for anything; of the lines that fit, the one that says more counts, the problem first.
Several lines for the same thing answer its tries in order, the last one all further tries.
"""

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, ValidationError, model_validator

from ragsolver_contracts.base import Model
from ragsolver_contracts.invalid import pointers
from ragsolver_contracts.llm import Agent, LlmOutcome, LlmReply, LlmRequest, Purpose, Usage
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.port import CallId

ANY: Final = "*"
Key = tuple[str, str, str, str]
"""Problem, agent, purpose and turn, each a value or `*`."""


class ScriptLine(Model):
    """One answer: `answer` (JSON), `text` (as it is) or `fail`."""

    problem: str = ANY
    agent: Agent | Literal["*"] = ANY
    purpose: Purpose | Literal["*"] = ANY
    turn: int | Literal["*"] = ANY
    """Which call of this agent and purpose in the problem, from 1."""
    answer: dict[str, Any] | None = None
    text: str | None = None
    fail: LlmOutcome | None = None
    after_s: float = Field(default=0.0, ge=0)
    """Seconds until it comes."""
    retry_after_s: float | None = Field(default=None, ge=0)
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        said = [name for name in ("answer", "text", "fail") if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(
                f"give one of `answer`, `text` and `fail` (here: {', '.join(said) or 'none'})"
            )
        if self.fail is LlmOutcome.ANSWERED:
            raise ValueError("`fail` names a failure: give an `answer` instead")
        if isinstance(self.turn, int) and self.turn < 1:
            raise ValueError("`turn` counts from 1")
        return self

    @property
    def key(self) -> Key:
        """What it answers."""
        return (self.problem, self.agent, self.purpose, str(self.turn))

    def said(self) -> str:
        """The answer as text; empty where it fails."""
        if self.answer is not None:
            return json.dumps(self.answer, ensure_ascii=False)
        return self.text or ""


class Script:
    """The lines of a file, by what they answer."""

    def __init__(self, lines: Iterable[ScriptLine], name: str = "the script") -> None:
        self.name = name
        self._lines: dict[Key, list[ScriptLine]] = {}
        for line in lines:
            self._lines.setdefault(line.key, []).append(line)
        self._asked: Counter[tuple[str, str, Key]] = Counter()

    def line(self, call: CallId) -> ScriptLine | None:
        """What answers a try; none: no line fits."""
        exact = (call.problem_id, call.agent, call.purpose, str(call.turn))
        problem, agent, purpose, turn = ((value, ANY) for value in exact)
        for key in itertools.product(problem, agent, purpose, turn):
            lines = self._lines.get(key)
            if lines is None:
                continue
            if len(lines) == 1:
                return lines[0]
            place = (call.run_id, call.problem_id, key)
            self._asked[place] += 1
            return lines[min(self._asked[place], len(lines)) - 1]
        return None


def read_script(file: str | Path, kind: type[ScriptLine] = ScriptLine) -> Script:
    """A file of answers.

    Args:
        file: JSON lines; empty lines and lines that begin with `#` are skipped.
        kind: class of its lines.

    Raises:
        ConfigError: it cannot be read, or a line is wrong: with the file and the line.
    """
    path = Path(file).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the script of answers {path}: {error}") from error
    lines = []
    # Not `splitlines`: a JSON text may hold other line separators.
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        try:
            lines.append(kind.model_validate_json(raw))
        except ValidationError as error:
            wrong = "; ".join(f"{where or '/'}: {what}" for where, what in pointers(error))
            raise ConfigError(f"{path} line {number}: {wrong}") from error
    return Script(lines, str(path))


class ScriptedModel:
    """Answers from a script; a call that no line fits is rejected, with the line to add."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """What the script says of this try."""
        started = time.monotonic()
        line = self._script.line(call)
        if line is None:
            return LlmReply(outcome=LlmOutcome.REJECTED, error=missing(self._script.name, call))
        await asyncio.sleep(line.after_s)
        failed = line.fail is not None
        return LlmReply(
            outcome=line.fail or LlmOutcome.ANSWERED,
            text=line.said(),
            stop_reason="" if failed else "end_turn",
            error=f"{self._script.name} says {line.fail}" if failed else "",
            retry_after_s=line.retry_after_s,
            usage=line.usage,
            latency_ms=(time.monotonic() - started) * 1000,
        )


def missing(script: str, call: CallId) -> str:
    """What to add to a script that has no line for a call."""
    line = {
        "problem": call.problem_id,
        "agent": call.agent,
        "purpose": call.purpose,
        "turn": call.turn,
        "answer": {},
    }
    said = json.dumps(line, ensure_ascii=False).replace("{}", "{…}")
    return f"{script} has no line for this call: add {said}"
