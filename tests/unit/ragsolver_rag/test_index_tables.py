import asyncio

import pytest

from ragsolver_rag.index_tables import Caches, about_table, open_tables
from ragsolver_rag.index_write import write_index
from suites import library


@pytest.fixture
def folder(tmp_path):
    write_index(tmp_path, {"doc_id": "d"}, library.rows(), None, {})
    return tmp_path


def test_a_table_says_what_it_holds(folder):
    async def asked():
        _, table = await open_tables(folder, Caches())
        return await about_table(table)

    about = asyncio.run(asked())
    assert (about.rows, about.dimensions, about.unindexed) == (13, 0, 0)
    assert about.indexed == {"search_text", "decl_name", "kind"}
    assert {"order", "shapes"} < about.columns
