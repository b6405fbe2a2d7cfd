from ragsolver_runtime.web.api import Api
from ragsolver_runtime.web.assets import load_assets
from ragsolver_runtime.web.pages import application
from ragsolver_runtime.web.reports import ReportFolders
from ragsolver_runtime.web.source import BusSource, opener_on
from suites.asgi import ask
from suites.memory_bus import MemoryBus

SOURCE = BusSource(opener_on(MemoryBus()))  # type: ignore[arg-type]
APP = application(Api(SOURCE, ReportFolders([]), ""), load_assets(), ["proofs"])


async def test_the_page_and_its_files() -> None:
    page = await ask(APP, "/")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert (await ask(APP, "/js/main.js")).headers["content-type"].startswith("text/javascript")


async def test_a_file_that_did_not_change_is_not_sent_again() -> None:
    tag = (await ask(APP, "/css/base.css")).headers["etag"]
    again = await ask(APP, "/css/base.css", {"if-none-match": tag})
    assert (again.status, again.body) == (304, b"")


async def test_no_path_leads_out_of_the_page() -> None:
    for path in ("/../api.py", "/js/../../api.py", "/js", "/%2e%2e/api.py", "//etc/passwd"):
        assert (await ask(APP, path)).status == 404


async def test_further_names() -> None:
    assert (await ask(APP, "/", {"host": "proofs"})).status == 200
    assert (await ask(APP, "/", {"host": "other"})).status == 421
