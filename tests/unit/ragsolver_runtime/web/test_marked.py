import pytest

from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_contracts.report import CitedEvidence, Outcome, Proof
from ragsolver_runtime.web.marked import Cited, cited_of, marked, proof_pieces
from suites.sample_run import TOOLCHAIN, citation, solution


def proof(source: str, named: tuple[str, ...] = (), constants: tuple[str, ...] = ()) -> Proof:
    return Proof(
        source=source,
        declaration="x",
        strategy="s",
        attempt=1,
        candidate=0,
        named_in_proof=named,
        constants=constants,
        statement_digest="d",
        toolchain=TOOLCHAIN,
    )


def cited(*labels: str) -> list[Cited]:
    return [
        Cited(id=f"M{n}", level="used_in_proof", label=label) for n, label in enumerate(labels, 1)
    ]


def mentions(found) -> list[tuple[str, str]]:
    return [(piece.text, piece.cited) for piece in found if piece.cited]


def test_pieces_are_the_whole_text() -> None:
    text = "theorem x : a := by\n  exact Nat.add_comm _ _ -- ∀ é"
    pieces = proof_pieces(proof(text), cited("Nat.add_comm"))
    assert "".join(piece.text for piece in pieces) == text
    assert mentions(pieces) == [("Nat.add_comm", "M1")]


@pytest.mark.parametrize(
    ("text", "named", "found"),
    [
        ("exact add_comm a b", ("Nat.add_comm",), [("add_comm", "M1")]),
        ("exact h.add_comm", ("Nat.add_comm",), [("h.add_comm", "M1")]),
        ("exact add_comm a b", (), []),
        ("exact Nat.add_comm_of", ("Nat.add_comm",), []),
        ("exact «weird name»", (), []),
    ],
)
def test_short_names_count_where_lean_resolved_them(text, named, found) -> None:
    assert mentions(proof_pieces(proof(text, named), cited("Nat.add_comm"))) == found


def test_a_short_name_of_two_declarations_is_left_alone() -> None:
    both = ("Nat.add_comm", "Int.add_comm")
    assert mentions(proof_pieces(proof("exact add_comm", both), cited(*both))) == []


def test_citations_by_level_with_where_they_lead() -> None:
    report = solution("p", Outcome.SOLVED, "m", 1)
    first, second = cited_of(report.citations, ["Nat.add_zero"])
    assert (first.level, first.label, first.module) == (
        "used_in_proof",
        "Nat.add_zero",
        "Init.Core",
    )
    assert first.named
    assert not second.named
    assert second.level == "consulted"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//evil", "", None])
def test_only_web_addresses_are_links(url) -> None:
    given = citation("p", 1)
    where = {**given.locator, "docs_url": url}
    evidence = CitedEvidence(consulted=(given.model_copy(update={"locator": where}),))
    assert cited_of(evidence)[0].url == ""


def said(line: int, column: int, end: tuple[int, int] | None, part: str = "proof") -> Diagnostic:
    return Diagnostic(
        severity="error",
        text="no",
        part=part,  # type: ignore[arg-type]
        start=Position(line=line, column=column),
        end=Position(line=end[0], column=end[1]) if end else None,
    )


def rows(text: str, *diagnostics: Diagnostic) -> list[list[tuple[str, int | None]]]:
    found = marked(text, "proof", diagnostics)
    return [[(piece.text, piece.message) for piece in line] for line in found.lines]


def test_a_diagnostic_marks_its_stretch() -> None:
    assert rows("by\n  simp", said(2, 2, (2, 6))) == [[("by", None)], [("  ", None), ("simp", 0)]]


def test_columns_count_code_points() -> None:
    assert rows("𝔸ℕx", said(1, 2, (1, 3))) == [[("𝔸ℕ", None), ("x", 0)]]


def test_several_lines_and_no_end() -> None:
    assert rows("ab\n\ncd", said(1, 1, (3, 1))) == [
        [("a", None), ("b", 0)],
        [(" ", 0)],
        [("c", 0), ("d", None)],
    ]
    assert rows("ab", said(1, 1, None)) == [[("a", None), ("b", 0)]]


@pytest.mark.parametrize(
    ("line", "column", "end"), [(9, 0, None), (1, 99, None), (1, 2, (1, 2)), (0, 0, (0, 0))]
)
def test_places_outside_of_the_text_do_no_harm(line, column, end) -> None:
    found = rows("by", said(line, column, end))
    assert "".join(text for row in found for text, _ in row).strip() == "by"


def test_the_first_of_two_wins_and_other_parts_are_left_out() -> None:
    found = rows("abc", said(1, 0, (1, 2)), said(1, 1, (1, 3)), said(1, 0, (1, 3), "header"))
    assert found == [[("ab", 0), ("c", 1)]]
