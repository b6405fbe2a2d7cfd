from ragsolver_rag.source.found import FileFound, Found


def test_fields_that_say_nothing_are_left_out():
    found = Found(name="a", kind="def", module="M", type="", line=3, successor=())
    assert found.as_json() == {"name": "a", "kind": "def", "module": "M", "line": 3}


def test_a_file_begins_empty():
    assert FileFound("M").declarations == FileFound("N").declarations == []
