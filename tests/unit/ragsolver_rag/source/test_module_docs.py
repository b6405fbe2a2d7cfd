from ragsolver_rag.source.module_docs import bullets, last_heading, title

TEXT = """# A title

## Main results

* `Foo.bar`: says
  two lines
- `one` and `two`, what both do
* **`bold`** : marked
* no name here
* `silent`

Rest."""


def test_lists_describe_declarations():
    assert bullets(TEXT) == [
        ("Foo.bar", "says two lines"),
        ("one", "what both do"),
        ("two", "what both do"),
        ("bold", "marked"),
    ]


def test_titles_and_headings():
    assert title(TEXT) == "A title"
    assert title("none") == ""
    assert last_heading("### Laws of x") == "Laws of x"
    assert last_heading(TEXT) == ""
