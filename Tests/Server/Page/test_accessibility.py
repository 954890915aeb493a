"""Accessibility: axe finds no violations, the keyboard reaches all controls, and narrow windows
show everything.
"""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import DESKTOP, IS_NARROW, LOOKS, SIZES, go_to, pins, settle, show_all
from playwright.sync_api import expect

OPTIONS = {
    "runOnly": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice",
    ],
    "resultTypes": ["violations"],
}
VIEWS = ["nearby", "cluster", "spot", "photo", "alerts", "replay", "settings", "key", "place", "places",
         "keep", "moving", "collections"]
PLACES = VIEWS[8:]


@pytest.fixture(scope="module")
def visited_server(library, tmp_path_factory):
    """A server with a position, an alert and places, so that no view is empty."""
    from server import Server, copied
    server = Server(copied(library, tmp_path_factory.mktemp("visited"))).start()
    spot = server.get("spots?limit=1")["items"][0]
    server.walk_to(spot["latitude"], spot["longitude"])
    photos = server.get(f"spots/{spot['id']}")["photos"]
    keep(server, spot=spot["id"], name="A" * 120 + " <b>long</b> name", kind="bench", radius=150,
         note="One line\n" + "w" * 200, collections=["Benches", "V" * 60], photos=[photos[0]["id"]])
    for step in range(6):
        keep(server, latitude=spot["latitude"] + step * 0.002, longitude=spot["longitude"] + 0.002,
             name=f"Tree {step}", kind="tree", collections=["Trees"])
    yield server
    server.stop()


def keep(server, **members):
    """Adds an own place."""
    server.ask("api/v1/places", "POST", {"Content-Type": "application/json"}, json.dumps(members).encode())


def show(page, view, server):
    """Shows a view."""
    if view == "key":
        return expect(page.get_by_role("form", name="Key")).to_be_visible()
    expect(pins(page).first).to_be_visible()
    if view == "cluster":
        show_all(page)
        # By the keyboard: pins of places that are loaded later may cover its middle.
        page.get_by_role("button", name=re.compile(" spots$")).first.press("Enter")
        expect(page.get_by_role("list", name="Spots here").get_by_role("button").first).to_be_visible()
    if view in ("spot", "photo"):
        page.get_by_role("button", name="All years").click()
        expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    if view == "photo":
        page.get_by_role("list", name="Photos by year").get_by_role("button").first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
    if view in ("alerts", "replay", "settings"):
        page.get_by_role("tab", name=view.capitalize()).click()
    if view in PLACES:
        show_places(page, view, server)
    settle(page)


def show_places(page, view, server):
    """Shows a view of own places."""
    place = next(one for one in server.get("places")["items"] if one["spot"])
    at = f"{server.base}#15.5/{place['latitude']:.6f}/{place['longitude']:.6f}/"
    chart = page.get_by_role("group", name="My places on the map")
    go_to(page, at + "nearby")
    expect(chart.get_by_role("button").first).to_be_visible()
    if view == "places":
        go_to(page, at + "places")
        expect(page.get_by_role("list", name="My places").get_by_role("button").first).to_be_visible()
    if view in ("place", "moving"):
        go_to(page, f"{at}place/{place['id']}")
        expect(page.get_by_role("list", name="Notes")).to_be_visible()
    if view == "moving":
        page.get_by_role("button", name="Move", exact=True).click()
        page.get_by_role("button", name=re.compile("^Edit the note")).click()
    if view == "keep":
        page.get_by_role("group", name="Map", exact=True).press("Enter")
        expect(page.get_by_role("textbox", name="First note")).to_be_visible()
    if view == "collections":
        page.get_by_role("button", name="All places").click()
        page.get_by_role("button", name=re.compile("^Trees")).first.click()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size,theme", LOOKS)
def test_views_have_no_axe_violations(visited_server, open_page, view, theme, size):
    address = "" if view == "key" else None
    page = open_page(visited_server, size, address, is_lenient=view == "key", theme=theme)
    show(page, view, visited_server)
    found = Axe().run(page, options=OPTIONS).response["violations"]
    told = [(one["id"], node["html"][:160], node["failureSummary"][:300])
            for one in found for node in one["nodes"]]
    assert told == []


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [320] if IS_NARROW else [320, 390, 640])
def test_nothing_exceeds_the_window_width(visited_server, open_page, view, width):
    address = "" if view == "key" else None
    size = {"width": width, "height": 640}
    page = open_page(visited_server, size, address, is_lenient=view == "key")
    show(page, view, visited_server)
    wide = page.evaluate("""() => [...document.querySelectorAll("body, .view, dialog[open], .top")]
      .filter(one => one.scrollWidth > one.clientWidth + 1)
      .map(one => `${one.id || one.className}: ${one.scrollWidth} > ${one.clientWidth}`)""")
    assert wide == []
    # Nothing is cut off at the sides, except for the reel of years, which scrolls.
    cut = page.evaluate("""() => [...document.querySelectorAll("button, a, input, h2, h3, p, code")]
      .filter(one => !one.closest(".reel, .pins, .skip, .hidden-text") && one.checkVisibility()
        && one.className !== "skip" && one.getBoundingClientRect().width > 1)
      .filter(one => { const box = one.getBoundingClientRect();
        return box.left < -1 || box.right > innerWidth + 1 })
      .map(one => one.outerHTML.slice(0, 120))""")
    assert cut == []


@pytest.mark.parametrize("view", PLACES)
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_touch_targets_of_places_are_at_least_44_pixels(
        visited_server, open_page, view, size):
    page = open_page(visited_server, size)
    show(page, view, visited_server)
    small = page.evaluate("""() => [...document.querySelectorAll(
        ".pin.place, .collections button, #view :is(button, a, input:not([type=checkbox]), textarea)")]
      .filter(one => one.checkVisibility() && one.type !== "range")
      .filter(one => { const box = one.getBoundingClientRect(); return box.height < 43.9 || box.width < 43.9 })
      .filter(one => !one.closest(".source"))
      .map(one => one.outerHTML.slice(0, 120))""")
    assert small == []


def tab_stops(page, most=60):
    """The stops of the Tab key in order, with their accessible names, or ids if they have none."""
    stops = []
    page.evaluate("document.body.focus()")
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate("""() => {
          const one = document.activeElement;
          if (one === document.body) return null;
          const label = one.getAttribute("aria-label") ?? one.textContent.trim();
          const before = window.stopBefore;
          window.stopBefore = one;
          const isLater = !before
            || Boolean(before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
          return { label: label || one.id, id: one.id, isLater };
        }""")
        if stop is None:
            break
        if stops and stop["label"] == stops[0]["label"]:
            break
        stops.append(stop)
    return stops


def test_tab_key_reaches_all_controls_in_reading_order(still_server, open_page):
    page = open_page(still_server, DESKTOP)
    expect(pins(page).first).to_be_visible()
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()
    stops = tab_stops(page)
    labels = [stop["label"] for stop in stops]
    rows = page.get_by_role("list", name="Spots nearby, nearest first").get_by_role("button")
    wanted = [
        "Skip to the map", "Search", "Nearby", "Near me", "Near the map", "Use my position",
        *[row.get_attribute("aria-label") for row in rows.all()], "Map", "Zoom in", "Zoom out",
        "Follow my position", "Show all my photos", "From year", "To year",
    ]
    # Two spots may have the same name, so each is searched after the previous one.
    position = -1
    for label in wanted:
        position = labels.index(label, position + 1)
    assert all(stop["isLater"] for stop in stops[1:])
    pin_names = [pin.get_attribute("aria-label") for pin in pins(page).all()]
    assert sum(label in pin_names for label in labels) == 1


def test_arrow_keys_move_between_pins_and_escape_returns_to_the_map(page):
    settle(page)
    shown = {pin.get_attribute("aria-label") for pin in pins(page).all()}
    first = page.locator("#pins button[tabindex='0']")
    expect(first).to_have_count(1)
    first.focus()
    reached, fringe = set(), [page.evaluate("document.activeElement.ariaLabel")]
    while fringe:
        name = fringe.pop()
        if name in reached:
            continue
        reached.add(name)
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            page.get_by_role("button", name=name, exact=True).first.focus()
            page.keyboard.press(key)
            fringe.append(page.evaluate("document.activeElement.ariaLabel"))
    assert reached == shown
    expect(page.locator("#pins button[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Map", exact=True)).to_be_focused()


def test_arrow_keys_move_between_tabs(page):
    page.get_by_role("tab", name="Nearby").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Alerts")).to_be_focused()
    expect(page.get_by_role("tab", name="Alerts")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Settings")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Nearby")).to_be_focused()


def test_map_controls_are_accessible_on_a_phone(still_server, open_page):
    page = open_page(still_server, SIZES["phone"])
    expect(pins(page).first).to_be_visible()
    for name in ("Zoom in", "Zoom out", "Follow my position", "Show all my photos"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="photos in view")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Years: ")).click()
    expect(page.get_by_role("slider", name="To year")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("width", [320, 390, 844, 1280])
def test_the_names_of_the_tabs_fit_their_tabs(still_server, open_page, width, locale):
    page = open_page(still_server, {"width": width, "height": 800}, locale=locale)
    # The names of other things depend on the language.
    expect(page.get_by_role("tab").last).to_have_text({"en-GB": "Settings", "es-ES": "Ajustes"}[locale])
    for tab in page.get_by_role("tab").all():
        assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth"), tab.inner_text()


@pytest.mark.parametrize(("width", "height"), [(844, 390), (800, 300), (780, 441), (1280, 400)])
def test_years_do_not_cover_the_map_controls_in_a_low_window(still_server, open_page, width, height):
    page = open_page(still_server, {"width": width, "height": height})
    expect(pins(page).first).to_be_visible()
    settle(page)
    years = page.get_by_role("button", name=re.compile("^Years: ")).bounding_box()["y"]
    for name in ("Zoom in", "Zoom out", "Follow my position", "Show all my photos"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= years, name


def test_a_focused_pin_is_moved_out_from_under_controls(still_server, open_page, size):
    page = open_page(still_server, size)
    expect(pins(page).first).to_be_visible()
    settle(page)
    tools = page.get_by_role("toolbar", name="Map tools").bounding_box()
    pin = pins(page).first
    name = pin.get_attribute("aria-label")
    pin.focus()
    settle(page)
    # A drag moves the map until the pin is under the tools.
    box = pin.bounding_box()
    start = (size["width"] / 2 + (200 if size["width"] > 760 else 0), 90)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + tools["x"] - 20 - box["x"], start[1] + tools["y"] + 40 - box["y"], steps=8)
    page.mouse.up()
    settle(page)
    page.get_by_role("group", name="Map", exact=True).focus()
    page.keyboard.press("Tab")
    page.get_by_role("button", name=name, exact=True).focus()
    settle(page)
    box = page.get_by_role("button", name=name, exact=True).bounding_box()
    assert box["x"] + 52 < tools["x"] or box["y"] > tools["y"] + tools["height"]
