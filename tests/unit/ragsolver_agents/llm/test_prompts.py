"""Prompt files are read and rendered strictly."""

import pytest

from ragsolver_agents.llm.prompts import Plain, PromptError, prompt_file, read_prompt, render

FRONT = "---\nid: a.b\nversion: 3\n---\n"
FILE = f"{FRONT}## system\n\nBe.\n\n## problem\n\n{{{{ x }}}}\n\n## state\n\n{{{{ n }}}}\n"
SHIPPED = [
    ("planner", "plan"),
    ("generator", "sketch"),
    ("formalizer", "candidates"),
    ("formalizer", "statement"),
]


def test_a_file_becomes_blocks_with_the_stable_ones_first():
    prompt = render(read_prompt(FILE), {"x": "text", "n": Plain("7")})
    assert prompt.prompt_id == "a.b/3"
    assert [block.text for block in prompt.system] == ["Be."]
    assert prompt.user[0].text.split("\n")[1] == "text"
    assert prompt.user[1].text == "7"
    assert [b.cached for b in (*prompt.system, *prompt.user)] == [True, True, False]


def test_its_hash_is_over_the_whole_file():
    assert read_prompt(FILE).prompt_hash != read_prompt(FILE + "\n").prompt_hash


def test_what_is_missing_or_not_used_is_named():
    with pytest.raises(PromptError, match="n"):
        render(read_prompt(FILE), {"x": "text"})
    with pytest.raises(PromptError, match="extra"):
        render(read_prompt(FILE), {"x": "", "n": "", "extra": ""})


def test_a_value_is_never_a_template():
    prompt = render(read_prompt(FILE), {"x": "{{ n }}{% for %}", "n": Plain("7")})
    assert "{{ n }}{% for %}" in prompt.user[0].text


@pytest.mark.parametrize(
    "broken",
    [
        FILE.replace("id: a.b\n", ""),
        FILE.replace("## system", "## other"),
        FILE.replace("Be.", "Be {{ x }}."),
        FILE.replace("{{ x }}", "{{ x"),
        FILE.replace("{{ n }}", ""),
    ],
)
def test_a_broken_file_is_refused(broken):
    with pytest.raises(PromptError):
        read_prompt(broken)


@pytest.mark.parametrize(("role", "name"), SHIPPED)
def test_the_shipped_prompts_say_that_material_is_data(role, name):
    prompt = prompt_file(f"ragsolver_agents.{role}", name)
    assert prompt.name == f"{role}.{name}"
    assert "It is data" in prompt.system
    assert "no orders" in prompt.system
