"""The focus stays where it is when a view is drawn again, also the one that a dialog gives back."""

import json
import re

import pytest
from album import make_album, scene, seen, write
from conftest import go_to, pins, reload, until
from playwright.sync_api import expect
from server import make_library, run

FOCUSED = """() => {
  const one = document.activeElement;
  return one === document.body ? null : one.getAttribute("aria-label") ?? one.textContent.trim();
}"""
FOCUSABLE = "button:not(:disabled), a[href], input, select, textarea"


@pytest.fixture
def growing(make_server, tmp_path):
    """A server, and a function that adds a photo far away, after which views are drawn again."""
    photos = make_album(tmp_path / "photos")
    write(photos / "Siena", "2011.jpg", seen(scene(3)), "2011-03-01 12:00:00", place=(43.318, 11.331))
    server = make_server(make_library(tmp_path / "library", photos))

    def grow(number, place=(-33.857, 151.215)):
        write(photos / "Sydney", f"{number}.jpg", seen(scene(20 + number), (400, 300)),
              f"20{10 + number}-01-01 12:00:00", place=place)
        run(server.folder, "index", photos)

    return server, grow


def opened(open_page, server, size, place="nearby", **options):
    page = open_page(server, size, **options)
    expect(pins(page).first).to_be_visible()
    if place:
        go_to(page, f"{server.base}#9/43.4/11.6/{place}")
    return page


def mark(page):
    """Marks what the panel shows now; `drawn_again` waits until it is replaced or updated."""
    page.evaluate("""document.getElementById("view").querySelectorAll("*").forEach(one => {
      one.wasThere = true; })""")


def drawn_again(page, part="*"):
    page.wait_for_function("""part => [...document.getElementById("view").querySelectorAll(part)]
      .some(one => !one.wasThere)""", arg=part)


def test_every_button_of_a_spot_keeps_the_focus(growing, open_page, size):
    server, _ = growing
    [spot] = [one for one in server.get("spots")["items"] if one["photoCount"] == 4]
    page = opened(open_page, server, size, f"spot/{spot['id']}")
    panel = page.get_by_role("tabpanel")
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    count = panel.locator(FOCUSABLE).count()
    assert count >= 9
    for index in range(count):
        one = panel.locator(FOCUSABLE).nth(index)
        one.focus()
        before = page.evaluate(FOCUSED)
        mark(page)
        # Somebody else mutes the spot, or hears of it again.
        server.ask(f"api/v1/mutes/{spot['id']}", "DELETE" if index % 2 else "PUT")
        drawn_again(page, "h2")
        names = {"Mute this spot", "Hear of it again"}
        allowed = names if before in names else {before}
        until(page, lambda: page.evaluate(FOCUSED) in allowed, True)


def test_the_heading_of_a_spot_keeps_the_focus(growing, open_page):
    server, _ = growing
    spot = server.get("spots?limit=1")["items"][0]
    page = opened(open_page, server, {"width": 1280, "height": 800}, f"spot/{spot['id']}")
    heading = page.get_by_role("tabpanel").get_by_role("heading", level=2).first
    expect(heading).to_be_focused()
    mark(page)
    server.ask(f"api/v1/mutes/{spot['id']}", "PUT")
    drawn_again(page, "h2")
    expect(heading).to_be_focused()


def test_a_closed_dialog_gives_the_focus_back_though_the_view_was_drawn_again(growing, open_page, size):
    server, _ = growing
    [spot] = [one for one in server.get("spots")["items"] if one["photoCount"] == 4]
    page = opened(open_page, server, size, f"spot/{spot['id']}")
    for name, dialog in [("1994, 1 photo", re.compile("^Photo, ")), ("Compare years", re.compile("^Compare"))]:
        button = page.get_by_role("button", name=name)
        button.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name=dialog)).to_be_visible()
        mark(page)
        server.ask(f"api/v1/mutes/{spot['id']}", "DELETE" if name == "Compare years" else "PUT")
        drawn_again(page, "h2")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(button).to_be_focused()


def test_the_cells_of_a_cluster_keep_the_focus(growing, open_page, size):
    server, grow = growing
    page = opened(open_page, server, size, place=None)
    go_to(page, f"{server.base}#3/30/30/nearby")
    page.get_by_role("button", name=re.compile(" spots$")).first.click()
    cells = page.get_by_role("list", name="Spots here").get_by_role("button")
    expect(cells).to_have_count(2)
    for index in range(2):
        cells.nth(index).focus()
        before = page.evaluate(FOCUSED)
        mark(page)
        grow(index)
        drawn_again(page, "ul.grid > li")
        until(page, lambda: page.evaluate(FOCUSED), before)
    page.get_by_role("button", name="Back to nearby").focus()
    mark(page)
    grow(3)
    drawn_again(page, "ul.grid > li")
    expect(page.get_by_role("button", name="Back to nearby")).to_be_focused()


def test_the_buttons_of_alerts_keep_the_focus_when_another_alert_comes(growing, open_page, size):
    server, _ = growing
    far, near = sorted(server.get("spots")["items"], key=lambda one: one["latitude"])
    server.walk_to(far["latitude"], far["longitude"])
    [alert] = server.get("alerts")["items"]
    later = {**alert, "id": "later", "spot": near, "time": alert["time"].replace("202", "203", 1)}
    lines = []
    page = opened(open_page, server, size, "alerts")
    page.route("**/api/v1/events*", lambda route: route.fulfill(
        content_type="text/event-stream", body="retry: 200\n\n" + "".join(lines)))
    reload(page)
    panel = page.get_by_role("tabpanel")
    mute = panel.get_by_role("button", name="Mute", exact=True)
    expect(mute).to_have_count(1)
    mute.focus()
    lines.append(f"id: a-1\nevent: alert\ndata: {json.dumps(later)}\n\n")
    expect(mute).to_have_count(2)
    # The new alert is above.
    expect(mute.last).to_be_focused()
    # A used button gives the focus to its alert.
    page.keyboard.press("Enter")
    expect(mute).to_have_count(1)
    until(page, lambda: far["title"] in (page.evaluate(FOCUSED) or ""), True)


def test_try_again_leaves_the_focus_in_the_panel(still_server, open_page, size):
    page = open_page(still_server, size, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    page.route("**/api/v1/settings*", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"type":"/problems/busy"}'))
    page.get_by_role("tab", name="Settings").click()
    again = page.get_by_role("alert").get_by_role("button", name="Try again")
    again.focus()
    page.keyboard.press("Enter")
    expect(again).to_be_visible()
    until(page, lambda: page.evaluate(FOCUSED) is not None, True)
    page.unroute("**/api/v1/settings*")
    again.click()
    expect(page.get_by_role("slider", name="Alert within")).to_be_visible()
    expect(page.locator("#view")).to_be_focused()


def test_the_button_that_follows_keeps_the_focus_and_ends_it(growing, open_page, size):
    server, _ = growing
    spot = server.get("spots?limit=1")["items"][0]
    server.send(spot["latitude"], spot["longitude"])
    page = opened(open_page, server, size)
    page.get_by_role("tabpanel").get_by_role("button", name="Follow", exact=True).focus()
    page.keyboard.press("Enter")
    following = page.get_by_role("tabpanel").get_by_role("button", name="Following", pressed=True)
    tool = page.get_by_role("button", name="Follow my position")
    expect(following).to_be_focused()
    expect(tool).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Follow", exact=True)).to_be_focused()
    expect(tool).to_have_attribute("aria-pressed", "false")


def test_a_message_that_is_closed_gives_the_focus_to_the_next(growing, open_page):
    server, _ = growing
    spot = server.get("spots?limit=1")["items"][0]
    page = opened(open_page, server, {"width": 1280, "height": 800}, f"spot/{spot['id']}")
    page.get_by_role("button", name="Mute this spot").click()
    page.get_by_role("button", name="Hear of it again").click()
    close = page.get_by_role("status").get_by_role("button", name="Close")
    expect(close).to_have_count(2)
    close.first.focus()
    page.keyboard.press("Enter")
    expect(close).to_have_count(1)
    expect(close).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#view")).to_be_focused()
