"""Fixtures for tests of the page of `photospots serve` in a real browser.

They need Debian's chromium and chromium-headless-shell, and from PyPI pytest, playwright, axe-playwright-python and pillow.
Environment variables: PHOTOSPOTS is the program, PHOTOSPOTS_SERVE the command that starts the
server (by default `photospots serve`), PHOTOSPOTS_CORPUS a folder of real photos, and CHROMIUM the
browser. PHOTOSPOTS_NARROW=1 leaves out combinations of sizes and themes.
"""

import itertools
import os
import re

import pytest
from album import camera_file
from playwright.sync_api import expect, sync_playwright

from server import PATIENCE, Server, becomes, copied, make_library, photos_folder, share_pictures

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
THEMES = ["light", "dark"]
IS_NARROW = "PHOTOSPOTS_NARROW" in os.environ
# All pairs of a size and a theme, or only enough for each of both.
LOOKS = [pytest.param(SIZES[size], theme, id=f"{size}-{theme}")
         for size, theme in (zip if IS_NARROW else itertools.product)(SIZES, THEMES)]

expect.set_options(timeout=PATIENCE * 1000)


def until(page, read, wanted):
    """Reads a value until it is the wanted one, while the page's events are received."""
    becomes(wanted, read, lambda seconds: page.wait_for_timeout(1000 * seconds))


# Whether nothing moves within 200 ms. The map writes its address and asks for pins 120 ms after it came to rest; a
# timer set later ends later, on a slow machine too.
IS_STILL = """async () => {
  const shown = () => JSON.stringify([location.href, document.documentElement.outerHTML.length,
    ...[...document.querySelectorAll("button, a, input, img, li, h2, dialog, [role=complementary], canvas")]
      .map((one) => Object.values(one.getBoundingClientRect().toJSON()).map(Math.round))]);
  const before = shown();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return before === shown()
    && document.getAnimations().every((one) => one.playState !== "running");
}"""


def settle(page):
    """Waits until a page has received what it asked for, and nothing moves."""
    until(page, lambda: not page.watch.pending and page.evaluate(IS_STILL) and not page.watch.pending, True)


# Whether each entry of the history is that of an open dialog or of the page: a page goes back when a dialog was
# closed, which the browser does later. Whoever goes elsewhere meanwhile is refused with ERR_ABORTED.
IS_ARRIVED = """() => (history.state?.layer ?? 0) === document.querySelectorAll("dialog[open]").length"""


def arrived(page):
    """Waits until the history has arrived where the page asked it to go."""
    page.wait_for_function(IS_ARRIVED)


def go_to(page, address, **options):
    """Opens an address, once the history has arrived."""
    arrived(page)
    return page.goto(address, **options)


def log_in(page, server):
    """Logs in by the server's address, and loads the page again.

    The code in the address works once: a page that goes before its answer would stay outside.
    """
    go_to(page, server.address)
    until(page, lambda: bool(page.context.cookies()), True)
    reload(page)


def reload(page):
    """Reloads a page, once the history has arrived."""
    arrived(page)
    page.reload()


def let_pass(page, seconds):
    """Lets time pass, to show that nothing happens in it: the only pause that is not a wait for a condition."""
    page.wait_for_timeout(1000 * seconds)
    settle(page)


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    library = make_library(tmp_path_factory.mktemp("library"), photos_folder())
    base = tmp_path_factory.getbasetemp()
    # The folders of parallel processes lie in that of the run.
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return share_pictures(library, run / "pictures")


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
            # A window of it costs half the time of one of the whole browser, which cameras need.
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"], timeout=PATIENCE * 1000)
        yield browser
        browser.close()


class Watch:
    """Records faults of a page: requests to other hosts, errors, and violations of its policy.

    Also the requests to which it waits for a response.
    """

    def __init__(self, page, base):
        self.faults = []
        self.pending = set()
        self.is_lenient = False
        self.is_closing = False
        page.watch = self
        page.on("console", lambda message: message.type == "error" and self.note(message.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: self.check(request, base))
        for ending in ("requestfinished", "requestfailed"):
            page.on(ending, lambda request: self.pending.discard(request))

    def check(self, request, base):
        if not request.url.startswith((base, "data:", "blob:")):
            self.faults.append(f"asked {request.url}")
        if request.is_navigation_request():
            self.pending.clear()
        # The stream of events does not end.
        if "/events" not in request.url:
            self.pending.add(request)

    def note(self, text):
        # The browser logs rejected requests, and files without a picture, as errors itself.
        is_refusal = "Failed to load resource" in text
        is_expected = self.is_lenient or "status of 415" in text or self.is_closing and "net::ERR_" in text
        if not (is_refusal and is_expected):
            self.faults.append(text)


def close_all(opened):
    """Closes windows or browsers, each with the watch of its page, which must have had no faults."""
    for window, watch in opened:
        watch.is_closing = True
        window.close()
        assert watch.faults == []


@pytest.fixture
def open_page(browser):
    """Returns a function that opens a server's page in a new window; faults fail the test."""
    opened = []

    def make(server, size=DESKTOP, address=None, is_lenient=False, theme="light", locale="en-GB"):
        context = browser.new_context(
            viewport=size, color_scheme=theme, locale=locale, timezone_id="UTC",
            reduced_motion="reduce", has_touch=size["width"] < 761,
            # After a click through the warning.
            ignore_https_errors=server.scheme == "https")
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        watch = Watch(page, server.base)
        watch.is_lenient = is_lenient
        opened.append((context, watch))
        page.goto(server.address if address is None else server.base + address)
        return page

    yield make
    close_all(opened)


@pytest.fixture
def make_camera(browser, tmp_path):
    """Returns a function that opens an empty page in a browser with a fake camera, which sees an image.

    With `None` as the image, the page has no permission to use it. Faults fail the test.
    """
    opened = []

    def make(base, image, is_lenient=False, **options):
        arguments = ["--no-sandbox", "--use-fake-device-for-media-stream"]
        if image is not None:
            file = camera_file(tmp_path / "camera.mjpeg", image)
            arguments.append(f"--use-file-for-fake-video-capture={file}")
        launched = browser.browser_type.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=arguments,
            timeout=PATIENCE * 1000)
        context = launched.new_context(
            timezone_id="UTC", reduced_motion="reduce", permissions=[] if image is None else ["camera"], **options)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        watch = Watch(page, base)
        watch.is_lenient = is_lenient
        opened.append((launched, watch))
        return page

    yield make
    close_all(opened)


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


def show_all(page):
    """Shows all photos on the map, which opens on most of them."""
    page.get_by_role("button", name="Show all my photos").click()
    settle(page)


def counted(text):
    """Returns the first number in a text."""
    return int(re.search(r"\d[\d,]*", text)[0].replace(",", ""))


def visit(page, server, hash_):
    """Opens an address of the page, and waits until the map comes to rest."""
    go_to(page, server.base + hash_)
    settle(page)
