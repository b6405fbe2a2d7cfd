import pytest

from ragsolver_runtime.formats.words import read_markdown, read_text, word_name

SECTIONS = """# Exercises

Some words about all of them.

```lean
import Mathlib -- all
open Nat
```

## Sum of odds

Show that the sum of two odd numbers is even.
```python
## no heading
```

### Solution

Add them.

#### In detail

More.

### Remark

It is easy.

## two/three

Two is less than three.

~~~lean4
-- 31
/-- Doc. -/
lemma two_three : 2 < 3 := by
  have h : 1 < 2 := by sorry
  omega
~~~

## **empty**
"""


def test_sections_are_problems_with_their_lines():
    found = list(read_markdown(SECTIONS, "sheet"))
    assert [p.fields["name"] for p in found] == ["Sum-of-odds", "two-three", "empty"]
    lines = SECTIONS.split("\n")
    assert all(lines[p.line - 1].startswith("## ") for p in found)


def test_solutions_are_left_out_down_to_the_next_heading_of_their_level():
    words = next(read_markdown(SECTIONS, "sheet")).fields["informal_statement"]
    assert words.startswith("Show that the sum of two odd numbers is even.\n```python")
    assert "Add them" not in words
    assert "More" not in words
    assert words.endswith("### Remark\n\nIt is easy.")


def test_a_block_of_lean_is_the_formal_statement():
    fields = list(read_markdown(SECTIONS, "sheet"))[1].fields
    assert fields == {
        "name": "two-three",
        "informal_statement": "Two is less than three.",
        "formal_statement": "theorem two_three : 2 < 3",
        "header": "import Mathlib\nopen Nat",
        "sketch": "by\n  have h : 1 < 2 := by sorry\n  omega",
    }


def test_an_empty_section_goes_on_to_be_refused():
    assert list(read_markdown(SECTIONS, "sheet"))[2].fields == {"name": "empty"}


def test_without_sections_the_file_is_one_problem():
    text = "# Parity\n\nZero is even.\n\n```lean\ntheorem zero : p := by rfl\n```\n"
    (found,) = read_markdown(text, "my sheet")
    assert found.line == 1
    assert found.fields == {
        "name": "my-sheet",
        "informal_statement": "# Parity\n\nZero is even.",
        "formal_statement": "theorem zero : p",
        "header": "",
    }


def test_documentation_stands_in_for_words():
    (found,) = read_markdown("```lean\n/-- Doc. -/\ntheorem a : p := by\n```", "a")
    assert found.fields["informal_statement"] == "Doc."


@pytest.mark.parametrize("text", ["Zero is even.\n", "\n  Zero is even."])
def test_plain_text_is_one_problem_named_after_its_file(text):
    (found,) = read_text(text, "zero even")
    assert found.fields == {"name": "zero-even", "informal_statement": "Zero is even."}


@pytest.mark.parametrize(
    ("title", "name"),
    [("`a_1`", "a_1"), (" a  b/c ", "a-b-c"), ("__a", "a"), ("**Σ**", "Σ"), ("3. x", "3.-x")],
)
def test_titles_become_names(title, name):
    assert word_name(title) == name
