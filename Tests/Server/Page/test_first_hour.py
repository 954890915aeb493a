"""A family's first hour: from an empty library to the first alert, opened in the camera.

With PHOTOSPOTS_SHOTS=FOLDER a picture of each step is left there, whose name has the language, the number of the step,
and the taps and seconds until then.
"""

import os
import pathlib
import re
import time
import urllib.parse

import pytest
from album import PLACE, make_album, scene, seen
from conftest import DESKTOP, PHONE, go_to, settle
from playwright.sync_api import expect
from server import Server, becomes

SHOTS = os.environ.get("PHOTOSPOTS_SHOTS")
NAME = "Ana"


class Hour:
    """The taps and pictures of all who take part."""

    def __init__(self, locale):
        self.language = locale[:2]
        self.taps = 0
        self.steps = 0
        self.began = time.monotonic()

    def show(self, page, what):
        """Leaves a picture of what a person sees now."""
        self.steps += 1
        if not SHOTS:
            return
        settle(page)
        seconds = round(time.monotonic() - self.began)
        folder = pathlib.Path(SHOTS)
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{self.language}-{self.steps:02}-{what}-{self.taps}-taps-{seconds}-s.png")


class Person:
    """Somebody who reads a page and taps on it."""

    def __init__(self, page, hour):
        self.page = page
        self.hour = hour

    def words(self, key, **values):
        """A text in the language of the page."""
        return self.page.evaluate(
            "async ([key, values]) => (await import('./words/words.js')).words.say(key, values)", [key, values])

    def tap(self, role, key, place=None, **values):
        """Taps on what has a text."""
        name = self.words(key, **values)
        self.hour.taps += 1
        (place or self.page).get_by_role(role, name=name, exact=True).click()

    def skips_first_steps(self):
        steps = self.page.get_by_role("region", name=self.words("tour.title"))
        self.tap("button", "tour.skip", steps)
        expect(steps).not_to_be_attached()


@pytest.fixture
def home(tmp_path):
    """A server without an index, whose user has photos of one place."""
    make_album(tmp_path / "home" / "Pictures")
    server = Server(tmp_path / "home").start()
    yield server
    server.stop()


@pytest.fixture
def open_phone(make_camera):
    """Returns a function that opens an address on a phone, whose camera sees the place of the photos."""
    def make(address, locale):
        page = make_camera(
            address.split("#")[0], seen(scene(1), (640, 480)),
            # The first requests are refused until it is let in.
            is_lenient=True, viewport=PHONE, locale=locale, has_touch=True,
            # After a tap through the warning.
            ignore_https_errors=True)
        go_to(page, address)
        return page

    return make


def walks_there(server, token, steps=12, meters=300):
    """Sends a walk to the place from the north, as Traccar Client does."""
    start = time.time() - 15 * steps
    for step in range(steps + 1):
        report = {
            "id": "x", "accuracy": 6, "timestamp": int(start + 15 * step), "lon": PLACE[1],
            "lat": PLACE[0] + meters * (1 - step / steps) / 111_195,
        }
        status, _, _ = server.ask(f"feed/{token}", "POST", {}, urllib.parse.urlencode(report).encode(), key=False)
        assert status == 200


def lets_phones_in(server):
    """Whether the server that was started anew answers."""
    try:
        return "authority" in server.get("status")["features"]
    except OSError:
        return None


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
def test_from_an_empty_library_to_the_first_alert_in_the_camera(home, open_page, open_phone, locale):
    hour = Hour(locale)
    owner = Person(open_page(home, DESKTOP, is_lenient=True, locale=locale), hour)
    page = owner.page
    count = home.get("folders")["items"][0]["photos"]
    start = page.get_by_role("button", name=owner.words("empty.start", count=count))
    expect(start).to_be_enabled()
    hour.show(page, "folders")
    owner.tap("button", "empty.start", count=count)
    expect(page.get_by_role("button", name=owner.words("result.map"))).to_be_visible()
    hour.show(page, "found")
    owner.tap("button", "result.map")
    expect(page.locator("#pins button").first).to_be_visible()
    hour.show(page, "map")
    owner.skips_first_steps()

    owner.tap("tab", "tab.settings")
    owner.tap("switch", "settings.lan")
    name = page.get_by_role("textbox", name=owner.words("phone.name"))
    # The server starts anew; until then links are for this machine.
    becomes(True, lambda: lets_phones_in(home))
    expect(page.get_by_role("status").filter(has_text=owner.words("link.live"))).to_be_attached()
    name.fill(NAME)
    with page.expect_response(re.compile("/api/v1/codes$")) as answer:
        owner.tap("button", "phone.add")
    link = answer.value.json()["link"]
    assert link.startswith("https:")
    invitation = page.get_by_role("dialog", name=owner.words("scan.title", name=NAME))
    expect(invitation).to_be_visible()
    hour.show(page, "code")

    # The address is that of this machine in its network, which a machine of tests may not have.
    ana = Person(open_phone(re.sub(r"//.*?(:\d+/)", r"//127.0.0.1\1", link), locale), hour)
    phone = ana.page
    hour.taps += 1
    expect(phone.get_by_role("button", name=ana.words("letin.yes"))).to_be_visible()
    hour.show(phone, "let-in")
    ana.tap("button", "letin.yes")
    expect(phone.get_by_role("heading", name=ana.words("join.which"))).to_be_visible()
    expect(invitation).not_to_be_attached()
    hour.show(phone, "apps")
    # The app is set up by one tap on a real phone; here its token is read.
    address = phone.get_by_role("link", name=ana.words("join.setNamed", name="Traccar Client")).get_attribute("href")
    token = re.search(r"[0-9a-f]{32}", urllib.parse.unquote(address)).group()
    ana.tap("button", "join.later")
    expect(phone.locator("#pins button").first).to_be_visible()
    ana.skips_first_steps()
    hour.show(phone, "phone")

    walks_there(home, token)
    message = phone.get_by_role("status").filter(has=phone.get_by_role("button", name=ana.words("alerts.show")))
    expect(message).to_contain_text("Arezzo")
    hour.show(phone, "alert")
    ana.tap("button", "alerts.show", message)
    ana.tap("button", "again.open")
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_role("meter", name=ana.words("again.meter"))).to_be_visible()
    hour.show(phone, "camera")
    assert hour.taps == 12
