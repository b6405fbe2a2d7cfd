from pathlib import Path

import pytest

from ragsolver_runtime.paths import agreement_path, cache_dir, data_dir, resource_dir


@pytest.mark.parametrize(
    ("where", "own", "xdg", "default"),
    [
        (cache_dir, "RAGSOLVER_CACHE", "XDG_CACHE_HOME", ".cache"),
        (data_dir, "RAGSOLVER_DATA", "XDG_DATA_HOME", ".local/share"),
    ],
)
def test_our_own_variable_wins_then_xdg_then_home(monkeypatch, where, own, xdg, default):
    monkeypatch.setenv("HOME", "/home-of-test")
    monkeypatch.delenv(own, raising=False)
    monkeypatch.delenv(xdg, raising=False)
    assert where() == Path("/home-of-test") / default / "ragsolver"
    monkeypatch.setenv(xdg, "/xdg")
    assert where() == Path("/xdg/ragsolver")
    monkeypatch.setenv(own, "~/mine")
    assert where() == Path("/home-of-test/mine")


def test_shipped_folders_are_found_and_others_are_said():
    assert resource_dir("configs").is_dir()
    assert (resource_dir("schemas") / "v1").is_dir()
    with pytest.raises(FileNotFoundError, match="no_such_folder"):
        resource_dir("no_such_folder")


def test_the_agreement_of_a_corpus_lies_in_the_cache(monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", "/mine")
    assert agreement_path() == Path("/mine/index/embedded/agreement.json")
    assert agreement_path("mathlib").parent.name == "mathlib"
