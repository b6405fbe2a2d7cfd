import pytest
from pydantic import ValidationError

from ragsolver_contracts.retrieval import RetrievalRequest

CONTEXT = {"problem_id": "p"}


def test_defaults_of_a_request() -> None:
    request = RetrievalRequest(queries=("q",), context=CONTEXT)
    assert (request.k, request.n_candidates, request.mode) == (8, 50, "nl")


@pytest.mark.parametrize("queries", [(), ("q",) * 5])
def test_one_to_four_queries(queries: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError, match="queries"):
        RetrievalRequest(queries=queries, context=CONTEXT)
