import pytest

from ragsolver_contracts.lean import Position
from ragsolver_verifier.errors import ProtocolError
from ragsolver_verifier.evidence import Hole, read_evidence
from ragsolver_verifier.view import MOST_HOLES, hole_views, read_view
from suites.scripted_lean import GOOD, STATE

HOLE = Hole.model_validate(
    {
        "goal": "⊢ n = n",
        "pos": {"line": 2, "column": 3},
        "endPos": {"line": 2, "column": 8},
        "term": True,
        "view": STATE["view"],
        "part": "proof",
    }
)


def test_a_goals_type_is_its_target():
    read = read_view(STATE["view"])
    assert read.type == read.target == STATE["view"]["target"]
    assert read.binders[0].expression is not None


@pytest.mark.parametrize("view", [{}, {**STATE["view"], "binders": [{"name": "n"}]}])
def test_what_is_no_view_is_a_protocol_error(view):
    with pytest.raises(ProtocolError, match="cannot be read"):
        read_view(view)


def holes(*found):
    return hole_views(read_evidence(GOOD).model_copy(update={"sorries": found}))


def test_holes_of_the_proof_are_told_with_their_places():
    (hole,) = holes(HOLE)
    assert hole.is_term
    assert (hole.start, hole.end) == (Position(line=2, column=3), Position(line=2, column=8))


def test_holes_elsewhere_or_without_a_view_are_not_told():
    elsewhere = HOLE.model_copy(update={"part": "preamble"})
    assert holes(elsewhere, HOLE.model_copy(update={"view": None})) == ()


def test_so_many_holes_are_told():
    assert len(holes(*[HOLE] * 40)) == MOST_HOLES
