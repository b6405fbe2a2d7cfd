from ragsolver_rag.index import DeclarationRow, Index


def test_a_row_needs_only_what_a_hit_shows():
    row = DeclarationRow(
        chunk_id="d:mathlib_decl:0",
        doc_id="d",
        order=0,
        decl_name="mt",
        kind="theorem",
        module_path="Init.Core",
        signature="(a → b) → ¬b → ¬a",
        type="(a → b) → ¬b → ¬a",
    )
    assert row.search_text == ""


def test_something_without_the_channels_is_no_index():
    assert not isinstance(object(), Index)
