"""Own places: their pins and lists; adding, changing, moving and removing them."""

import json
import math
import re

import pytest
from conftest import DESKTOP, PHONE, go_to, pins, reload, settle, until, visit
from playwright.sync_api import expect
from server import becomes, copied

MARKUP = "<img src=x onerror=document.title='broken'>"


def send(server, method, path, value=None):
    """Sends a change to the API; returns the response's value, or None if it is empty."""
    status, _, body = server.ask(
        "api/v1/" + path, method, {"Content-Type": "application/json"},
        None if value is None else json.dumps(value).encode())
    assert status < 300, (method, path, status, body)
    return json.loads(body) if body else None


def keep(server, **members):
    return send(server, "POST", "places", members)


@pytest.fixture
def spot(server):
    return server.get("spots?limit=1")["items"][0]


def place_pins(page):
    """The visible pins of places."""
    return page.get_by_role("group", name="My places on the map").get_by_role("button")


def here(spot, zoom=16):
    return f"#{zoom}/{spot['latitude']:.6f}/{spot['longitude']:.6f}/"


def opened(open_page, server, size=DESKTOP, **options):
    page = open_page(server, size, **options)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    expect(pins(page).first).to_be_visible()
    expect(page.get_by_role("group", name="My places on the map")).to_be_attached()
    return page


def open_place(page, server, place, zoom=16):
    visit(page, server, f"{here(place, zoom)}place/{place['id']}")
    expect(page.get_by_role("heading", name=place["name"], exact=True)).to_be_visible()


def north_of(spot, meters):
    return {"latitude": spot["latitude"] + meters / 111_195, "longitude": spot["longitude"]}


def tip(pin):
    box = pin.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"]


def middle(page):
    """The pixel at the center of the area not covered by a panel."""
    size = page.viewport_size
    panel = page.get_by_role("complementary").bounding_box()
    if panel["width"] < size["width"]:
        return (panel["width"] + size["width"]) / 2, size["height"] / 2
    return size["width"] / 2, panel["y"] / 2


def away(a, b):
    """The distance in metres of two positions near each other."""
    across = (a["longitude"] - b["longitude"]) * math.cos(math.radians(a["latitude"]))
    return 111_195 * math.hypot(a["latitude"] - b["latitude"], across)


def test_a_place_is_added_at_the_map_center_with_the_keyboard(
        server, open_page, size, spot):
    page = opened(open_page, server, size)
    where = north_of(spot, 900)
    visit(page, server, f"{here(where)}nearby")
    page.get_by_role("group", name="Map", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Keep this place")).to_be_focused()
    page.get_by_role("textbox", name="Name", exact=True).fill(MARKUP)
    page.get_by_role("textbox", name="Kind").fill("tree")
    page.get_by_role("textbox", name="First note").fill("Two lines\nof a note")
    page.get_by_role("textbox", name="New collection").fill("Trees")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Trees")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Keep this place").click()
    expect(page.get_by_role("heading", name=MARKUP, exact=True)).to_be_focused()
    [kept] = server.get("places")["items"]
    assert (kept["name"], kept["kind"], kept["collections"]) == (MARKUP, "tree", ["Trees"])
    assert kept["notes"][0]["text"] == "Two lines\nof a note"
    assert away(kept, where) < 2
    expect(page).to_have_url(re.compile(f"/place/{kept['id']}$"))
    expect(page.get_by_role("list", name="Notes").get_by_text("Two lines")).to_be_visible()
    expect(place_pins(page)).to_have_accessible_name(f"{MARKUP}, tree")
    # A name with markup is shown as text.
    assert page.title() == "PhotoSpots"
    assert page.locator("img[src=x]").count() == 0
    # The form is not in the history.
    page.go_back()
    expect(page.get_by_role("tab", name="Nearby")).to_be_visible()
    expect(page.get_by_role("textbox", name="First note")).to_have_count(0)


def test_the_context_menu_adds_a_place_at_the_mouse_position(server, open_page, spot):
    page = opened(open_page, server)
    visit(page, server, f"{here(north_of(spot, 900))}nearby")
    x, y = middle(page)
    page.mouse.click(x + 150, y - 120, button="right")
    expect(page.get_by_role("heading", name="Keep this place")).to_be_focused()
    mark = page.locator(".choosing")
    assert tip(mark) == pytest.approx((x + 150, y - 120), abs=1.5)
    # The mark can still be dragged, without moving the map.
    before = page.url
    page.mouse.move(x + 150, y - 140)
    page.mouse.down()
    page.mouse.move(x + 100, y - 100, steps=4)
    page.mouse.move(x + 50, y - 40, steps=4)
    page.mouse.up()
    assert tip(mark) == pytest.approx((x + 50, y - 20), abs=1.5)
    assert page.url == before
    page.get_by_role("button", name="Keep this place").click()
    expect(page.get_by_role("button", name="Remove this place")).to_be_visible()
    visit(page, server, f"{here(north_of(spot, 900))}nearby")
    expect(place_pins(page)).to_have_count(1)
    assert tip(place_pins(page)) == pytest.approx((x + 50, y - 20), abs=2.5)


def test_only_a_long_press_adds_a_place_at_the_touched_position(
        server, open_page, spot):
    page = opened(open_page, server, PHONE)
    visit(page, server, f"{here(north_of(spot, 900))}nearby")
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    form = page.get_by_role("heading", name="Keep this place")
    # The browser itself times these gestures: between two commands, a slow machine takes long enough for a press.
    gesture = {"x": 120, "y": 200, "gestureSourceType": "touch"}
    session.send("Input.synthesizeTapGesture", {**gesture, "duration": 150})
    # A moving finger drags the map.
    before = page.url
    session.send("Input.synthesizeScrollGesture", {
        **gesture, "xDistance": 40, "yDistance": 40, "speed": 50, "preventFling": True})
    settle(page)
    assert page.url != before
    expect(form).to_have_count(0)
    touch("touchStart", (120, 200))
    expect(form).to_be_visible()
    touch("touchEnd")
    expect(form).to_be_visible()
    assert tip(page.locator(".choosing")) == pytest.approx((120, 200), abs=1.5)


def test_a_spot_is_kept_as_a_place_and_links_to_it(server, open_page, size, spot):
    page = opened(open_page, server, size)
    visit(page, server, f"{here(spot)}spot/{spot['id']}")
    page.get_by_role("button", name="Keep this place").click()
    expect(page.get_by_text(f"Pinned to {spot['title']}")).to_be_visible()
    page.get_by_role("textbox", name="Name", exact=True).fill("Our corner")
    page.get_by_role("button", name="Keep this place").click()
    expect(page.get_by_role("heading", name="Our corner", exact=True)).to_be_focused()
    [kept] = server.get("places")["items"]
    assert kept["spot"] == spot["id"] and away(kept, spot) < 1
    page.get_by_role("button", name="Pinned to a spot").click()
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Our corner · ")).click()
    expect(page.get_by_role("heading", name="Our corner", exact=True)).to_be_focused()
    page.get_by_role("button", name="Unpin").click()
    expect(page.get_by_role("button", name="Pinned to a spot")).to_have_count(0)
    becomes(None, lambda: server.get("places")["items"][0]["spot"])


def test_notes_are_added_edited_removed_and_restored(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak", note="The first")
    page = opened(open_page, server, size)
    open_place(page, server, place)
    notes = page.get_by_role("list", name="Notes").get_by_role("listitem")
    page.get_by_role("textbox", name="New note").fill("The second\n\nin two parts")
    page.get_by_role("button", name="Add the note").click()
    expect(notes).to_have_count(2)
    expect(notes.first).to_contain_text("The second")
    expect(page.get_by_role("textbox", name="New note")).to_have_value("")
    expect(page.get_by_role("textbox", name="New note")).to_be_focused()
    notes.first.get_by_role("button", name=re.compile("^Edit the note: ")).click()
    field = page.get_by_role("textbox", name="Text of the note")
    expect(field).to_be_focused()
    field.fill(MARKUP)
    page.keyboard.press("Escape")
    expect(notes.first).to_contain_text("The second")
    notes.first.get_by_role("button", name=re.compile("^Edit the note: ")).press("Enter")
    field.fill(MARKUP)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(notes.first).to_contain_text(MARKUP)
    expect(notes.first.get_by_role("button", name=re.compile("^Edit "))).to_be_focused()
    becomes([MARKUP, "The first"], lambda: [
        note["text"] for note in server.get(f"places/{place['id']}")["notes"]])
    before = server.get(f"places/{place['id']}")["notes"]
    notes.first.get_by_role("button", name=re.compile("^Remove the note: ")).click()
    expect(notes).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(notes).to_have_count(2)
    after = server.get(f"places/{place['id']}")["notes"]
    assert [(one["text"], one["time"]) for one in after] == [
        (one["text"], one["time"]) for one in before]
    assert page.title() == "PhotoSpots"


def test_name_kind_collections_and_radius_are_saved_on_change(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak", collections=["Trees"])
    page = opened(open_page, server, size)
    open_place(page, server, place)
    name = page.get_by_role("textbox", name="Name", exact=True)
    name.fill("The old oak")
    name.press("Enter")
    expect(page.get_by_role("heading", name="The old oak")).to_be_visible()
    page.get_by_role("textbox", name="Kind").fill("tree")
    page.get_by_role("textbox", name="New collection").fill("Walks")
    page.get_by_role("button", name="Add", exact=True).click()
    about = page.get_by_role("region", name="About this place")
    expect(about.get_by_role("button", name="Walks")).to_have_attribute("aria-pressed", "true")
    about.get_by_role("button", name="Trees").click()
    expect(about.get_by_role("button", name="Trees")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("switch", name="Its own alert distance").check()
    slider = page.get_by_role("slider", name="Alert within")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "150 m")
    expect(slider).to_be_focused()

    def kept(*names):
        return [server.get(f"places/{place['id']}")[name] for name in names]

    becomes(["The old oak", "tree", ["Walks"], 150], lambda: kept("name", "kind", "collections", "radius"))
    page.get_by_role("switch", name="Its own alert distance").uncheck()
    expect(slider).to_have_count(0)
    becomes([None], lambda: kept("radius"))
    # A place always has a name.
    name.fill("")
    name.blur()
    expect(name).to_have_value("The old oak")


def test_a_place_is_moved_with_the_keyboard(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak")
    page = opened(open_page, server, size)
    open_place(page, server, place)
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    page.get_by_role("group", name="Map", exact=True).focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    page.get_by_role("button", name="Put the mark in the middle of the map").press("Enter")
    until(page, lambda: tip(page.locator(".choosing")), pytest.approx(middle(page), abs=2))
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(page.locator(".choosing")).to_be_hidden()
    expect(page.get_by_role("button", name="Move", exact=True)).to_be_focused()
    assert away(server.get(f"places/{place['id']}"), place) < 0.1
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    page.get_by_role("button", name="Put the mark in the middle of the map").press("Enter")
    page.get_by_role("button", name="Save the position").press("Enter")
    expect(page.get_by_role("button", name="Move", exact=True)).to_be_focused()
    moved = server.get(f"places/{place['id']}")
    assert moved["longitude"] > place["longitude"] and away(moved, place) > 20
    expect(place_pins(page)).to_have_count(1)


def test_a_removed_place_can_be_restored_and_a_missing_one_is_reported(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak")
    page = opened(open_page, server, size, is_lenient=True)
    open_place(page, server, place)
    page.get_by_role("button", name="Remove this place").click()
    expect(page.get_by_text("Oak was removed")).to_be_visible()
    expect(place_pins(page)).to_have_count(0)
    becomes(0, lambda: server.get("places")["total"])
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Oak", exact=True)).to_be_visible()
    expect(place_pins(page)).to_have_count(1)
    send(server, "DELETE", f"places/{place['id']}")
    # A page that shows the place is notified by the event.
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Remove this place")).to_be_visible()
    send(server, "DELETE", f"places/{place['id']}")
    visit(page, server, f"{here(spot)}places")
    removed = page.get_by_role("list", name="Removed in the last 30 days")
    expect(removed.get_by_text("Oak")).to_be_visible()
    removed.get_by_role("button", name="Restore").click()
    rows = page.get_by_role("list", name="My places").get_by_role("button")
    expect(rows).to_have_count(1)
    expect(removed).to_have_count(0)
    visit(page, server, f"{here(spot)}place/aaaaaaaaaaaaaaaa")
    expect(page.get_by_role("alert")).to_contain_text("This place is gone")


def overlap(a, b, by=0.5):
    return (a["x"] + by < b["x"] + b["width"] and a["x"] + a["width"] > b["x"] + by
            and a["y"] + by < b["y"] + b["height"] and a["y"] + a["height"] > b["y"] + by)


@pytest.mark.parametrize("zoom", [4.3, 12.3, 15.8, 17.7])
def test_pins_of_places_lie_on_their_coordinates_and_do_not_overlap(
        server, open_page, size, spot, zoom):
    for row in range(5):
        for column in range(6):
            keep(server, latitude=spot["latitude"] + row * 0.0006 - 0.001, name=f"Tree {row}.{column}",
                 longitude=spot["longitude"] + column * column * 0.0002 - 0.0011)
    page = opened(open_page, server, size)
    visit(page, server, f"{here(spot, zoom)}nearby")
    expect(place_pins(page).first).to_be_visible()
    settle(page)
    found = [(pin.bounding_box(), pin.get_attribute("aria-label"), pin.evaluate(
        "pin => pin.querySelector('.stem')?.offsetHeight ?? 2")) for pin in place_pins(page).all()]
    for index, (box, name, _) in enumerate(found):
        assert min(box["width"], box["height"]) > 43.9
        assert not any(overlap(box, other) for other, _, _ in found[index + 1:]), name
    world = 256 * 2 ** zoom
    places = server.get("places?limit=500")["items"]
    center = middle(page)
    for box, name, stem in found:
        label = re.match(r"Tree \d\.\d", name)[0]
        place = next(one for one in places if one["name"] == label)
        across = (place["longitude"] - spot["longitude"]) / 360 * world
        slope = math.cos(math.radians(spot["latitude"]))
        down = (spot["latitude"] - place["latitude"]) / 360 * world / slope
        at = (box["x"] + 22, box["y"] + 50 + stem - 2)
        assert at == pytest.approx((center[0] + across, center[1] + down), abs=1.5), name
    counted = [int(re.search(r"(\d+) places$", name)[1]) for _, name, _ in found if " and others" in name]
    if zoom < 10:
        assert counted == [30]


def test_pins_of_places_do_not_cover_the_photos_of_their_spot(server, open_page, size, spot):
    keep(server, spot=spot["id"], name="Our corner")
    page = opened(open_page, server, size)
    visit(page, server, f"{here(spot, 17)}nearby")
    expect(place_pins(page)).to_have_count(1)
    photo = page.locator("#pins button").filter(has_text="").first
    settle(page)
    own = place_pins(page).bounding_box()
    for photo in pins(page).all():
        assert not overlap(own, photo.bounding_box(), by=3), photo.get_attribute("aria-label")


def test_a_pin_of_several_places_opens_their_list(server, open_page, size, spot):
    for number in range(4):
        keep(server, **north_of(spot, 2000 + number), name=f"Tree {number}")
    page = opened(open_page, server, size)
    visit(page, server, f"{here(north_of(spot, 2000), 14)}nearby")
    place_pins(page).click()
    rows = page.get_by_role("list", name="Places here").get_by_role("button")
    expect(rows).to_have_count(4)
    rows.first.click()
    expect(page.get_by_role("heading", name="Tree 0", exact=True)).to_be_focused()


def test_collections_filter_the_map_and_the_lists(server, open_page, size, spot):
    keep(server, **north_of(spot, 100), name="Oak", collections=["Trees"])
    keep(server, **north_of(spot, 200), name="Elm", collections=["Trees", "Walks"])
    keep(server, **north_of(spot, 300), name="Bench", collections=["Benches"])
    keep(server, **north_of(spot, 400), name="Stone")
    page = opened(open_page, server, size)
    visit(page, server, f"{here(north_of(spot, 200))}nearby")
    listed = page.get_by_role("list", name="Spots and places nearby, nearest first")
    names = lambda: {name for name in ("Oak", "Elm", "Bench", "Stone")
                     if listed.get_by_role("button", name=re.compile(f"^{name}, ")).count()}
    expect(listed.get_by_role("button", name=re.compile("^Stone, "))).to_be_attached()
    assert names() == {"Oak", "Elm", "Bench", "Stone"}
    region = page.get_by_role("region", name="Collections")
    fold = region.get_by_role("button", name="All places")
    fold.press("Enter")
    switches = region.get_by_role("group", name="Collections")
    every = switches.get_by_role("button", name="All", exact=True)
    expect(every).to_have_attribute("aria-pressed", "true")
    switches.get_by_role("button", name="Benches").press("Enter")
    expect(every).to_have_attribute("aria-pressed", "false")
    expect(listed.get_by_role("button", name=re.compile("^Stone, "))).to_have_count(0)
    assert names() == {"Bench"}
    expect(place_pins(page)).to_have_count(1)
    switches.get_by_role("button", name="Walks").click()
    expect(listed.get_by_role("button", name=re.compile("^Elm, "))).to_be_attached()
    assert names() == {"Bench", "Elm"}
    expect(region.get_by_role("button", name="Collections: 2 of 3")).to_be_visible()
    page.keyboard.press("Escape")
    expect(switches).to_be_hidden()
    expect(region.get_by_role("button", name="Collections: 2 of 3")).to_be_focused()
    # A removed collection no longer filters the places.
    for place in server.get("places")["items"]:
        if set(place["collections"]) & {"Walks", "Benches"}:
            send(server, "PATCH", f"places/{place['id']}", {"collections": ["Trees"]})
    expect(region.get_by_role("button", name="All places")).to_be_visible()
    expect(listed.get_by_role("button", name=re.compile("^Stone, "))).to_be_attached()


def test_nearby_lists_spots_and_places_by_distance(server, open_page, size, spot):
    keep(server, spot=spot["id"], name="Our corner")
    near = keep(server, **north_of(spot, 12), name="Bench")
    far = keep(server, **north_of(spot, 80_000), name="Far oak")
    page = opened(open_page, server, size)
    visit(page, server, f"{here(spot)}nearby")
    rows = page.get_by_role("list", name="Spots and places nearby, nearest first").get_by_role("button")
    expect(rows.first).to_have_accessible_name(re.compile("^Bench, 10 m north, place$"))
    names = [row.get_attribute("aria-label") for row in rows.all()]
    # The place pinned to the nearest spot is represented by that spot.
    assert not any(name.startswith("Our corner") for name in names[:1])
    expected = server.get(
        f"spots?near={spot['latitude']:.6f},{spot['longitude']:.6f}&limit=31")["items"][1:]
    before = sum(one["distance"] < 80_000 for one in expected)
    if before < 29:
        assert names[before + 1].startswith("Far oak")
    rows.first.click()
    expect(page.get_by_role("heading", name=near["name"], exact=True)).to_be_focused()
    assert far["id"] != near["id"]


def test_changes_by_others_appear_and_unsaved_text_is_kept(
        server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak")
    page = opened(open_page, server, size)
    open_place(page, server, place)
    field = page.get_by_role("textbox", name="New note")
    field.fill("Not yet sent")
    name = page.get_by_role("textbox", name="Name", exact=True)
    name.focus()
    page.keyboard.type("!")
    written = name.input_value()
    send(server, "POST", f"places/{place['id']}/notes", {"text": "From elsewhere"})
    expect(page.get_by_role("list", name="Notes").get_by_text("From elsewhere")).to_be_visible()
    expect(field).to_have_value("Not yet sent")
    expect(name).to_have_value(written)
    expect(name).to_be_focused()
    keep(server, **north_of(spot, 500), name="Elm")
    expect(place_pins(page)).to_have_count(2)


def test_unsaved_text_stays_while_the_server_is_unreachable(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak", note="The first")
    page = opened(open_page, server, size, is_lenient=True)
    open_place(page, server, place)
    server.kill()
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_be_attached()
    page.get_by_role("textbox", name="New note").fill("Kept for later")
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_text("PhotoSpots does not answer").first).to_be_visible()
    expect(page.get_by_role("textbox", name="New note")).to_have_value("Kept for later")
    name = page.get_by_role("textbox", name="Name", exact=True)
    name.fill("The old oak")
    name.blur()
    expect(name).to_have_value("The old oak")
    expect(page.get_by_role("heading", name="Oak", exact=True)).to_be_visible()
    expect(page.get_by_role("list", name="Notes").get_by_text("The first")).to_be_visible()
    server.start()
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    # A change that the server did not receive is sent again.
    expect(page.get_by_role("heading", name="The old oak")).to_be_visible()
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_role("list", name="Notes").get_by_text("Kept for later")).to_be_visible()


def test_a_place_that_could_not_be_saved_stays_in_the_form(server, open_page, size, spot):
    page = opened(open_page, server, size, is_lenient=True)
    page.route("**/api/v1/places", lambda route: route.abort() if route.request.method == "POST"
               else route.continue_())
    visit(page, server, f"{here(spot)}places")
    page.get_by_role("button", name="Keep the place in the middle of the map").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Oak")
    page.get_by_role("button", name="Keep this place").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("PhotoSpots does not answer")
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Oak")
    page.unroute("**/api/v1/places")
    alert.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Oak", exact=True)).to_be_focused()
    assert server.get("places")["total"] == 1


def test_photos_of_a_place_open_and_missing_ones_are_named(server, open_page, size, spot):
    photos = server.get(f"spots/{spot['id']}")["photos"]
    place = keep(server, **north_of(spot, 300), name="Oak", photos=[photos[0]["id"]])
    page = opened(open_page, server, size)
    page.route(f"**/api/v1/places/{place['id']}", lambda route: route.fulfill(
        json={**place, "photos": [*place["photos"], {"name": "<b>lost</b>.jpg"}]}))
    open_place(page, server, place)
    reel = page.get_by_role("list", name="Photos of this place")
    expect(reel.get_by_text("<b>lost</b>.jpg")).to_be_attached()
    reel.get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img")).to_be_visible()
    expect(dialog.get_by_role("button", name="Take it again")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(reel.get_by_role("button")).to_be_focused()


def test_reloading_the_address_of_a_place_shows_its_details(server, open_page, size, spot):
    place = keep(server, **north_of(spot, 300), name="Oak", collections=["Trees"])
    keep(server, **north_of(spot, 600), name="Bench", collections=["Benches"])
    page = opened(open_page, server, size)
    open_place(page, server, place)
    reload(page)
    expect(page.get_by_role("heading", name="Oak", exact=True)).to_be_visible()
    about = page.get_by_role("region", name="About this place")
    expect(about.get_by_role("button", name="Trees")).to_have_attribute("aria-pressed", "true")
    expect(about.get_by_role("button", name="Benches")).to_have_attribute("aria-pressed", "false")
    oak = page.get_by_role("button", name="Oak, place", exact=True)
    expect(oak).to_have_attribute("aria-current", "true")


def test_the_search_finds_the_nearest_place_by_part_of_its_name(server, open_page, spot):
    keep(server, **north_of(spot, 90_000), name="Oak of Meudon")
    near = keep(server, **north_of(spot, 30_000), name="Oak of Paris")
    page = opened(open_page, server)
    field = page.get_by_role("combobox", name="Search")
    field.fill("OAK")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Oak of Paris", exact=True)).to_be_visible()
    latitude = lambda: float(page.url.split("#")[1].split("/")[1])
    until(page, latitude, pytest.approx(near["latitude"], abs=0.01))


def test_arrow_keys_move_between_pins_of_places(server, open_page, spot):
    for meters in (100, 250, 400):
        keep(server, **north_of(spot, meters), name=f"Tree {meters}")
    page = opened(open_page, server)
    visit(page, server, f"{here(north_of(spot, 250))}nearby")
    expect(place_pins(page)).to_have_count(3)
    stop = page.locator(".pins button.place[tabindex='0']")
    expect(stop).to_have_count(1)
    page.get_by_role("button", name="Tree 100, place", exact=True).focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="Tree 250, place", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tree 250", exact=True)).to_be_focused()


WAYPOINTS = """<gpx><wpt lat="43.5" lon="11.5"><name>%s</name><ele>300</ele></wpt>
<wpt lat="43.6" lon="11.6"><name>Elm</name></wpt><wpt><name>Lost</name></wpt></gpx>"""


def choose(page, button, name, text):
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).click()
    chooser.value.set_files({
        "name": name, "mimeType": "application/gpx+xml", "buffer": text.encode()})


@pytest.mark.parametrize("locale, button, counts, left", [
    ("en-GB", "Import places", "2 places in the file: 2 new, 1 left out, 1 value not read",
     "1 without a position: Lost"),
    ("es-ES", "Importar lugares", "2 lugares en el archivo: 2 nuevos, 1 omitido, 1 valor no leído",
     "Sin posición: 1, Lost"),
])
def test_a_file_of_places_is_imported_and_reported(
        make_server, library, tmp_path, open_page, locale, button, counts, left):
    server = make_server(copied(library, tmp_path / "library"))
    page = open_page(server, DESKTOP, locale=locale)
    visit(page, server, "#8/43.5/11.5/places")
    choose(page, button, "w.gpx", WAYPOINTS % "&lt;img src=x onerror=document.title='broken'&gt;")
    report = page.get_by_role("status").filter(has_text="w.gpx")
    expect(report).to_contain_text(counts)
    expect(report).to_contain_text(left)
    expect(page.get_by_text(MARKUP).first).to_be_visible()
    assert "broken" not in page.title()
    assert {place["name"] for place in server.get("places")["items"]} == {MARKUP, "Elm"}


def test_an_import_can_take_the_values_of_the_file_and_restore_places(
        make_server, library, tmp_path, open_page):
    server = make_server(copied(library, tmp_path / "library"))
    page = open_page(server, DESKTOP)
    visit(page, server, "#8/43.5/11.5/places")
    choose(page, "Import places", "w.gpx", WAYPOINTS % "Oak")
    expect(page.get_by_text("2 new")).to_be_visible()
    items = {place["name"]: place for place in server.get("places")["items"]}
    send(server, "PATCH", f"places/{items['Oak']['id']}", {"latitude": 43.50001, "longitude": 11.5})
    send(server, "DELETE", f"places/{items['Elm']['id']}")
    choose(page, "Import places", "w.gpx", WAYPOINTS % "Oak")
    expect(page.get_by_text("Changed here later than in the file: Oak")).to_be_visible()
    page.get_by_role("button", name="Take the values of the file").click()
    expect(page.get_by_text("1 changed, 1 kept")).to_be_visible()
    page.get_by_role("button", name="Restore the removed places").click()
    until(page, lambda: len(server.get("places")["items"]), 2)
    page.watch.is_lenient = True
    choose(page, "Import places", "w.sqlite", "SQLite format 3\0")
    expect(page.get_by_role("alert")).to_contain_text("a database")


def test_photos_do_not_wait_for_modules_of_places(still_server, open_page, size):
    page = open_page(still_server, size, address="icon.svg", is_lenient=True)
    for name in ("places/*.js", "views/place*.js", "views/keep.js", "styles/places.css"):
        page.route(f"**/{name}", lambda route: None)
    go_to(page, still_server.address, wait_until="commit")
    expect(pins(page).first).to_be_visible()
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()


def test_all_files_of_the_page_have_at_most_250_kb(still_server):
    from server import ROOT
    files = ROOT / "Sources" / "Server" / "Page" / "files"
    total = 0
    for file in files.rglob("*"):
        if file.is_file() and not file.name.startswith("."):
            name = file.relative_to(files).as_posix()
            status, _, body = still_server.ask(name, headers={"Accept-Encoding": "gzip"}, key=False)
            assert status == 200, name
            total += len(body)
    assert total <= 250_000


def test_what_cannot_be_read_is_named_and_shown_as_read_last(library, make_server, open_page, tmp_path):
    """The folder of the places goes away, as a disk that is unmounted, and comes back."""
    folder, disk = copied(library, tmp_path / "library"), tmp_path / "disk"
    disk.mkdir()
    (folder / "photospots").mkdir(exist_ok=True)
    (folder / "photospots" / "config.json").write_text(json.dumps({"placesFile": str(disk / "places.json")}))
    server = make_server(folder)
    spot = server.get("spots?limit=1")["items"][0]
    keep(server, **north_of(spot, 300), name="Oak")
    page = opened(open_page, server, is_lenient=True)
    visit(page, server, here(spot) + "nearby")
    expect(place_pins(page)).to_have_count(1)
    disk.rename(tmp_path / "away")
    notice = page.get_by_role("status").filter(has_text="your places")
    expect(notice).to_contain_text("shown as they were last read")
    expect(place_pins(page)).to_have_count(1)
    assert server.get("status")["outages"] == ["places"]
    assert server.get("places")["total"] == 1
    (tmp_path / "away").rename(disk)
    expect(notice).to_have_count(0)
    becomes([], lambda: server.get("status")["outages"])
    assert server.get("places")["total"] == 1
