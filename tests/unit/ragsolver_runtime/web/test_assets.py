import re

import pytest

from ragsolver_runtime.web.assets import load_assets

ASSETS = load_assets()
SCRIPTS = [name for name in ASSETS if name.endswith(".js")]
PARSERS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment"
    r"|\beval\(|new Function|srcdoc|setTimeout\(\s*[\"'`]"
)


def text(name: str) -> str:
    return ASSETS[name].body.decode()


def test_the_page_is_complete() -> None:
    named = re.findall(r'(?:src|href)="/([^"]+)"', text("index.html"))
    assert {"js/main.js", "css/base.css", "icon.svg"} <= set(named)
    assert set(named) <= set(ASSETS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_import_what_is_there(name: str) -> None:
    for wanted in re.findall(r'from "\./([^"]+)"', text(name)):
        assert f"js/{wanted}" in ASSETS


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_text_is_parsed_as_html_or_run(name: str) -> None:
    assert PARSERS.search(text(name)) is None


@pytest.mark.parametrize("name", [*SCRIPTS, "index.html"])
def test_nothing_comes_from_elsewhere_and_nothing_is_inline(name: str) -> None:
    body = text(name)
    assert re.search(r"https?://(?!www\.w3\.org)", body) is None
    if name == "index.html":
        assert "style=" not in body
        assert re.search(r"<script(?![^>]*\bsrc=)", body) is None


def test_tags_tell_texts_apart() -> None:
    assert len({asset.tag for asset in ASSETS.values()}) == len(ASSETS)
    assert ASSETS["js/main.js"].media_type == "text/javascript; charset=utf-8"
