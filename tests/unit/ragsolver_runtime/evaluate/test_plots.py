import sys
from pathlib import Path

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.plots import require_plots, write_plots
from ragsolver_runtime.evaluate.summary import summarize
from suites.evaluated import evaluated


def test_every_picture_in_both_formats(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra eval is not installed")
    files = write_plots(summarize(read_runs(evaluated(tmp_path))), tmp_path / "plots")
    stems = ("pass_at_1", "proved_over_time", "errors", "pass_at_k")
    assert {p.name for p in files} == {f"{s}.{f}" for s in stems for f in ("png", "svg")}
    assert all(p.read_bytes()[:4] in (b"\x89PNG", b"<?xm") for p in files)


def test_what_has_nothing_to_show_is_not_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra eval is not installed")
    assert write_plots(summarize([]), tmp_path) == []


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install 'ragsolver\[eval\]'"):
        require_plots()
