import io

from ragsolver_verifier.finding import Finding
from ragsolver_verifier.lean_sources import Source, sources


def read(*names, stdin=b""):
    return list(sources([str(name) for name in names], io.BytesIO(stdin)))


def write(folder, name, raw=b"theorem a : True := trivial\n"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def test_a_folder_is_searched_in_order_and_without_hidden_ones(tmp_path):
    for name in ("b/c.lean", "a.lean", "b/a.lean", ".lake/x.lean", "b/.y.lean", "c.txt"):
        write(tmp_path, name)
    names = [source.name for source in read(tmp_path)]
    assert names == [str(tmp_path / name) for name in ("a.lean", "b/a.lean", "b/c.lean")]


def test_a_file_named_twice_is_read_once(tmp_path):
    file = write(tmp_path, "a.lean")
    assert len(read(file, tmp_path, file)) == 1


def test_standard_input():
    (source,) = read("-", stdin=b"x\r\ny")
    assert source == Source("-", "x\ny")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    (source,) = read(write(tmp_path, "a.lean", b"\xef\xbb\xbfx"))
    assert source.text == "x"


def test_what_cannot_be_read_is_said_and_the_rest_goes_on(tmp_path):
    broken = write(tmp_path, "broken.lean", b"a\nb\n\xff\xfe")
    (tmp_path / "none").mkdir()
    found = read(broken, tmp_path / "absent.lean", tmp_path / "none", write(tmp_path, "z.lean"))
    details = [item.detail for item in found if isinstance(item, Finding)]
    assert details == [
        "it is not UTF-8 text, first in line 3",
        "there is no such file",
        "the folder holds no .lean file",
    ]
    assert isinstance(found[-1], Source)
    assert {item.result for item in found[:-1]} == {"unread"}


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    (found,) = read(write(tmp_path, "a.lean"))
    assert found.detail == "it cannot be read: Permission denied"
