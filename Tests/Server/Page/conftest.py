"""Fixtures for tests of the page of `photospots serve` in a real browser.

They need Debian's chromium, and from PyPI pytest, playwright, axe-playwright-python and pillow.
Environment variables: PHOTOSPOTS is the program, PHOTOSPOTS_SERVE the command that starts the
server (by default `photospots serve`), PHOTOSPOTS_CORPUS a folder of real photos, and CHROMIUM the
browser.
"""

import os
import re

import pytest
from playwright.sync_api import expect, sync_playwright

from server import Server, copied, make_library, photos_folder

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
SIZES = {"phone": PHONE, "desktop": DESKTOP}

# On a busy machine a program without optimization takes seconds to compare two pictures.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return make_library(tmp_path_factory.mktemp("library"), photos_folder())


@pytest.fixture(scope="session")
def still_server(library, tmp_path_factory):
    """A server shared by tests that do not change it."""
    server = Server(copied(library, tmp_path_factory.mktemp("still"))).start()
    yield server
    server.stop()


@pytest.fixture
def make_server(tmp_path):
    """Returns a function that starts a server in a folder; stops the servers after the test."""
    servers = []

    def make(folder):
        servers.append(Server(folder).start())
        return servers[-1]

    yield make
    for server in servers:
        server.stop()


@pytest.fixture
def server(library, make_server, tmp_path):
    """A server with its own copy of the library, which the test may change."""
    return make_server(copied(library, tmp_path / "library"))


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


class Watch:
    """Records faults of a page: requests to other hosts, errors, and violations of its policy."""

    def __init__(self, page, base):
        self.faults = []
        self.is_lenient = False
        page.on("console", lambda message: message.type == "error" and self.note(message.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: self.check(request.url, base))

    def check(self, url, base):
        if not url.startswith((base, "data:", "blob:")):
            self.faults.append(f"asked {url}")

    def note(self, text):
        # The browser logs rejected requests, and files without a picture, as errors itself.
        is_refusal = "Failed to load resource" in text
        if not (is_refusal and (self.is_lenient or "status of 415" in text)):
            self.faults.append(text)


@pytest.fixture
def open_page(browser):
    """Returns a function that opens a server's page in a new window; faults fail the test."""
    opened = []

    def make(server, size=DESKTOP, address=None, is_lenient=False, theme="light", locale="en-GB"):
        context = browser.new_context(
            viewport=size, color_scheme=theme, locale=locale, timezone_id="UTC",
            reduced_motion="reduce", has_touch=size["width"] < 761)
        page = context.new_page()
        watch = Watch(page, server.base)
        watch.is_lenient = is_lenient
        opened.append((context, watch))
        page.goto(server.address if address is None else server.base + address)
        return page

    yield make
    for context, watch in opened:
        context.close()
        assert watch.faults == []


@pytest.fixture(params=SIZES, ids=str)
def size(request):
    return SIZES[request.param]


@pytest.fixture
def page(still_server, open_page, size):
    """The page of `still_server`, in both window sizes."""
    page = open_page(still_server, size)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    expect(pins(page).first).to_be_visible()
    return page


def pins(page):
    """The visible pins."""
    return page.get_by_role("group", name="Photos on the map").get_by_role("button")


def in_view(page):
    """The status with the number of photos in view."""
    return page.get_by_role("status").filter(has_text=re.compile("photos? in view"))


def counted(text):
    """Returns the first number in a text."""
    return int(re.search(r"\d[\d,]*", text)[0].replace(",", ""))


def visit(page, server, hash_):
    """Opens an address of the page, and waits until the map comes to rest."""
    page.goto(server.base + hash_)
    page.wait_for_timeout(350)
