"""The Chromium of the system, driven by playwright; what it complains about is kept."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Path of the browser; the test is skipped where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("not here: chromium (apt-get install chromium)")
    return found


@contextmanager
def browser() -> Iterator["Browser"]:
    """The browser, without a window."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # Without its sandbox, for a machine of tests often runs as root; it visits our page only.
        opened = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()


@dataclass
class Visit:
    """One tab on the page."""

    page: "Page"
    base: str
    complaints: list[str] = field(default_factory=list)

    def go(self, address: str = "") -> None:
        """Open an address of the page and wait until it shows something."""
        self.page.goto(self.base + address.removeprefix("/"))
        self.ready()

    def ready(self) -> None:
        """Wait until the view is there."""
        self.page.wait_for_selector("main[data-ready]", timeout=15_000)

    def text(self, selector: str) -> str:
        """Text of the first such element, once it is there."""
        return self.page.locator(selector).first.inner_text(timeout=15_000)

    def has(self, selector: str, count: int) -> None:
        """Wait until there are so many such elements."""
        from playwright.sync_api import expect

        expect(self.page.locator(selector)).to_have_count(count, timeout=15_000)

    def overflow(self) -> int:
        """Pixels by which the document is wider than the window."""
        asked = "document.documentElement.scrollWidth - window.innerWidth"
        return int(self.page.evaluate(asked))


@contextmanager
def visiting(
    opened: "Browser", base: str, width: int = 1280, height: int = 900, **options: Any
) -> Iterator[Visit]:
    """A fresh tab; dialogs and messages of the console become complaints."""
    context = opened.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    visit = Visit(page, base)
    page.set_default_timeout(15_000)

    def _console(message: Any) -> None:
        if message.type in {"error", "warning"}:
            visit.complaints.append(message.text)

    def _dialog(dialog: Any) -> None:
        visit.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", _console)
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("dialog", _dialog)
    try:
        yield visit
    finally:
        context.close()
