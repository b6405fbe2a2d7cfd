"""The index of the embedded library as it lies in the cache; built by `make index`."""

import pytest

from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_rag.search import Search
from ragsolver_rag.service import open_search
from ragsolver_rag.settings import RetrieverSettings


@pytest.fixture(scope="session")
def embedded_search() -> Search:
    """The search over the embedded library."""
    try:
        search = open_search(RetrieverSettings())
    except IndexMissingError as error:
        pytest.skip(str(error))
    search.warm()
    return search
