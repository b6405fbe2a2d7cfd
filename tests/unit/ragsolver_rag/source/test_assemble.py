from ragsolver_rag.source.assemble import assemble, mentioned


def file(*declarations, **changes):
    return {
        "title": "T", "bullets": [], "mentions": {}, "left_out": 0,
        "declarations": [dict(d) for d in declarations],
    } | changes  # fmt: skip


def declared(name, **changes):
    return {"name": name, "kind": "theorem", "module": "M"} | changes


def test_a_written_declaration_is_kept_before_a_made_one():
    made, written = declared("A.b", origin="to_additive"), declared("A.b", type="own")
    for order in ((made, written), (written, made)):
        found = assemble([file(*order)])
        assert [d["type"] for d in found.declarations] == ["own"]
        assert found.duplicates == 1


def test_references_go_to_what_exists():
    alias = declared("A.old", origin="alias", successor=["A.new", "new"], deprecated="2025")
    lost = declared("A.lost", successor=["no", "A.lost"])
    found = assemble([file(alias, lost), file(declared("new", type="n = n"), left_out=2)])
    by_name = {d["name"]: d for d in found.declarations}
    assert by_name["A.old"]["successor"] == by_name["A.old"]["origin_of"] == "new"
    assert by_name["A.old"]["type"] == "n = n"
    assert "successor" not in by_name["A.lost"]
    assert found.private == 2


def test_notes_and_titles_reach_their_declarations():
    bullets = [["b", "said of b"], ["Other.c", "said of another"]]
    found = assemble([
        file(declared("A.b", heading="Laws"), declared("A.c"),
             declared("X.b", origin="simps"), bullets=bullets)
    ])  # fmt: skip
    first, second, made = found.declarations
    assert (first["note"], first["context"]) == ("said of b", "T. Laws")
    assert "note" not in second
    assert "note" not in made


def test_mentions_count_also_inside_open_namespaces():
    mentions = {"A.b_c": 2, "b_c": 3, "b": 100, "N.A.b_c": 1}
    assert mentioned("N.A.b_c", mentions) == 6
    assert mentioned("X.b", mentions) == 0
    assert mentioned("b", mentions) == 100
    found = assemble([file(declared("A.b_c"), mentions=mentions)])
    assert found.declarations[0]["mentions"] == 5
