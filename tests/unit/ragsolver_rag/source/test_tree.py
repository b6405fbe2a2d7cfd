import pytest

from ragsolver_rag.corpus import CorpusError
from ragsolver_rag.source.tree import find_tree
from suites import lean_tree


def test_a_project_is_what_it_builds_by_default(tmp_path):
    tree = find_tree(lean_tree.write(tmp_path / "p"))
    assert [tree.module(file) for file in tree.files] == ["Mini.Base", "Mini.Lattice", "Mini"]
    assert (tree.title, tree.lean_version, tree.license) == ("mini", "4.30.0", "Apache-2.0")
    assert [root.name for root in tree.roots] == ["p", "other"]


def test_another_library_can_be_asked_for(tmp_path):
    folder = lean_tree.write(tmp_path / "p")
    assert [f.name for f in find_tree(folder, ["MiniTest"]).files] == ["MiniTest.lean"]
    with pytest.raises(CorpusError, match="no library 'No'"):
        find_tree(folder, ["No"])


def test_a_lakefile_in_lean_is_read(tmp_path):
    (tmp_path / "lakefile.lean").write_text("lean_lib Other\n@[default_target]\nlean_lib «Own»\n")
    (tmp_path / "Own").mkdir()
    (tmp_path / "Own" / "A.lean").write_text("")
    (tmp_path / "Other.lean").write_text("")
    assert [f.name for f in find_tree(tmp_path).files] == ["A.lean"]


def test_any_folder_of_lean_files_will_do_and_others_are_refused(tmp_path):
    with pytest.raises(CorpusError, match="is no folder"):
        find_tree(tmp_path / "no")
    with pytest.raises(CorpusError, match="no Lean file"):
        find_tree(tmp_path)
    (tmp_path / "A.lean").write_text("")
    found = find_tree(tmp_path)
    assert (found.title, found.lean_version, found.license) == (tmp_path.name, "", "")
    (tmp_path / "lakefile.toml").write_text("name = [")
    with pytest.raises(CorpusError, match=r"lakefile\.toml cannot be read"):
        find_tree(tmp_path)
