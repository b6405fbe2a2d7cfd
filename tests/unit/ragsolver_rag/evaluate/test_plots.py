import pytest

from ragsolver_rag.evaluate.plots import draw
from suites.retrieval_report import report


def test_a_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    draw(report(), tmp_path / "r.png")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
