import hashlib
from pathlib import Path

from ragsolver_verifier.toolchain.digests import file_sha256, integrity, tree_sha256


def test_file_digests_are_those_of_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"abc")
    assert file_sha256(file) == hashlib.sha256(b"abc").hexdigest()
    assert integrity(file) == (
        "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
    )


def _tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_tree_digest_depends_on_names_and_contents_only(tmp_path: Path) -> None:
    one = _tree(tmp_path / "1", {"a": "x", "b/c": "y"})
    same = _tree(tmp_path / "2", {"b/c": "y", "a": "x"})
    renamed = _tree(tmp_path / "3", {"a": "x", "b/d": "y"})
    changed = _tree(tmp_path / "4", {"a": "x", "b/c": "z"})
    assert tree_sha256(one) == tree_sha256(same)
    assert len({tree_sha256(tree) for tree in (one, renamed, changed)}) == 3
