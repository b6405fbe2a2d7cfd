"""Prompt files: Markdown with a front matter, rendered strictly.

A file begins with its `id` and `version`; then come `## system`, which is fixed, and one or more
further sections in the order in which their content changes. Each is one block, and all but the
last may be kept by the server. A variable is fenced unless it is `Plain`; each that a file uses
must be given, and each that is given must be used.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from jinja2 import StrictUndefined, TemplateError, meta
from jinja2.sandbox import SandboxedEnvironment

from ragsolver_agents.llm.fences import fence
from ragsolver_contracts.ids import digest
from ragsolver_contracts.llm import Block
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.llm.port import Prompt

_FRONT = re.compile(r"\A---\nid: ([a-z]+\.[a-z]+)\nversion: ([0-9]+)\n---\n")
_SECTION = re.compile(r"^## ([a-z ]+)$", re.MULTILINE)


class PromptError(PermanentError):
    """A prompt file is not what it has to be, or is not given what it uses."""


@dataclass(frozen=True)
class Plain:
    """A value of our own that stands in a prompt without a fence: a number, a name of ours."""

    text: str


Value = str | Plain
"""Text is untrusted and fenced unless it says otherwise."""


@dataclass(frozen=True)
class PromptFile:
    """One prompt as it stands in its file."""

    name: str
    version: int
    prompt_hash: str
    """Hex SHA-256 of the file."""
    system: str
    sections: tuple[str, ...]
    """What follows the system prompt, the most stable first."""

    @property
    def prompt_id(self) -> str:
        """Name and version."""
        return f"{self.name}/{self.version}"

    @property
    def variables(self) -> frozenset[str]:
        """What its sections use."""
        environment = _environment()
        parsed = (environment.parse(section) for section in self.sections)
        return frozenset().union(*map(meta.find_undeclared_variables, parsed))


@lru_cache(maxsize=32)
def prompt_file(package: str, name: str) -> PromptFile:
    """A prompt that ships with a worker.

    Args:
        package: for example `ragsolver_agents.planner`.
        name: file without its ending.

    Raises:
        PromptError: the file is not one of a prompt.
    """
    place = files(package) / "prompts" / f"{name}.md"
    return read_prompt(place.read_text(encoding="utf-8"), f"{package}/prompts/{name}.md")


def read_prompt(text: str, where: str = "the prompt") -> PromptFile:
    """A prompt from the text of its file.

    Raises:
        PromptError: it is not one.
    """
    front = _FRONT.match(text)
    if front is None:
        raise PromptError(
            f"{where}: begin it with `---`, `id: agent.purpose`, `version: 1`, `---`"
        )
    _, *parts = _SECTION.split(text[front.end() :])
    titles, bodies = parts[::2], [part.strip() for part in parts[1::2]]
    if len(titles) < 2 or titles[0] != "system" or not all(bodies):
        raise PromptError(f"{where}: it needs `## system` and then sections, none of them empty")
    read = PromptFile(front[1], int(front[2]), digest(text), bodies[0], tuple(bodies[1:]))
    if "{{" in read.system or "{%" in read.system:
        raise PromptError(f"{where}: the system prompt is fixed; move variables to a section")
    try:
        _ = read.variables
    except TemplateError as error:
        raise PromptError(f"{where}: {error}") from error
    return read


def render(prompt: PromptFile, values: Mapping[str, Value]) -> Prompt:
    """The prompt with its variables filled.

    Raises:
        PromptError: a variable is missing, or one is given that it does not use.
    """
    wrong = sorted(prompt.variables ^ values.keys())
    if wrong:
        raise PromptError(f"{prompt.prompt_id}: missing or not used: {', '.join(wrong)}")
    shown = {
        name: value.text if isinstance(value, Plain) else fence(name, value)
        for name, value in values.items()
    }
    environment = _environment()
    blocks = [environment.from_string(section).render(shown) for section in prompt.sections]
    last = len(blocks) - 1
    return Prompt(
        prompt_id=prompt.prompt_id,
        prompt_hash=prompt.prompt_hash,
        system=(Block(text=prompt.system, cached=True),),
        user=tuple(Block(text=text, cached=n < last) for n, text in enumerate(blocks)),
    )


def _environment() -> SandboxedEnvironment:
    """Variables and nothing else: no filters, no functions."""
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    environment.filters.clear()
    environment.globals.clear()
    environment.tests.clear()
    return environment
