"""Opening the page: with its key, fitted to the photos, and without photos."""

import json
import re

import pytest
from conftest import PHONE, counted, go_to, in_view, let_pass, log_in, pins, reload, show_all, until
from playwright.sync_api import expect
from server import make_library


def test_without_a_session_the_page_asks_for_its_key(still_server, open_page, size):
    page = open_page(still_server, size, address="", is_lenient=True)
    form = page.get_by_role("form", name="Key")
    form.get_by_role("textbox", name="Key").fill("0" * 32)
    form.get_by_role("button", name="Open").click()
    expect(form.get_by_role("alert")).to_have_text("The key is wrong")
    form.get_by_role("textbox", name="Key").fill(still_server.key)
    form.get_by_role("button", name="Open").click()
    expect(pins(page).first).to_be_visible()


def test_the_key_in_the_address_opens_the_page_and_is_removed(still_server, open_page, size):
    page = open_page(still_server, size)
    expect(page.get_by_role("tab", name="Nearby")).to_have_attribute("aria-selected", "true")
    expect(pins(page).first).to_be_visible()
    assert "key" not in page.url


def test_a_key_entered_in_the_address_of_an_open_page_opens_it(still_server, open_page, size):
    page = open_page(still_server, size, address="", is_lenient=True)
    expect(page.get_by_role("form", name="Key")).to_be_visible()
    page.evaluate("key => location.hash = `key=${key}`", still_server.key)
    expect(pins(page).first).to_be_visible()
    assert "key" not in page.url
    # If the page is open already, the address becomes that of the current view again.
    page.evaluate("key => location.hash = `key=${key}`", still_server.key)
    expect(page).to_have_url(re.compile(r"#[\d./-]+/nearby$"))
    expect(pins(page).first).to_be_visible()


def test_a_reload_before_the_key_is_sent_still_opens_the_page(still_server, open_page):
    page = open_page(still_server, address="", is_lenient=True)
    expect(page.get_by_role("form", name="Key")).to_be_visible()
    asked = []

    def hold_the_first(route):
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    page.route("**/api/v1/session", hold_the_first)
    with page.expect_request("**/api/v1/session"):
        page.evaluate("key => location.hash = `key=${key}`", still_server.key)
    reload(page)
    expect(pins(page).first).to_be_visible()
    assert "key" not in page.url


def held(page, *names):
    """Delays files of the page forever."""
    for name in names:
        page.route(f"**/{name}", lambda route: None)


def test_the_first_paint_does_not_wait_for_scripts_or_icons(still_server, open_page):
    page = open_page(still_server, PHONE, address="icon.svg", is_lenient=True)
    held(page, "*.js", "icons.svg")
    go_to(page, still_server.address, wait_until="commit")
    paints = "performance.getEntriesByName('first-contentful-paint').length"
    until(page, lambda: page.evaluate(paints), 1)


def test_the_first_requests_do_not_wait_for_other_modules(still_server, open_page):
    page = open_page(still_server, PHONE, address="icon.svg", is_lenient=True)
    held(page, "app.js", "map/*.js", "views/*.js", "words/*.js")
    with page.expect_response("**/api/v1/status") as answer:
        go_to(page, still_server.address, wait_until="commit")
    assert answer.value.status == 200


def test_the_map_does_not_wait_for_modules_of_hidden_views(still_server, open_page, size):
    page = open_page(still_server, size, address="icon.svg", is_lenient=True)
    held(page, *(f"views/{name}.js" for name in (
        "alerts", "cluster", "key", "photo", "replay", "settings", "spot")))
    go_to(page, still_server.address, wait_until="commit")
    expect(pins(page).first).to_be_visible()
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()


def test_all_photos_can_be_shown_at_once(page, still_server):
    photos = still_server.get("status")["photos"]
    show_all(page)
    expect(in_view(page)).to_have_text(f"{photos} photos in view")
    until(page, lambda: sum(counted(name.split(", ")[-1]) for name in names(page)), photos)


@pytest.mark.parametrize("width,height", [(390, 844), (412, 915), (768, 1024), (1280, 800)])
def test_no_pin_lies_under_controls_where_all_are_shown(still_server, open_page, width, height):
    page = open_page(still_server, {"width": width, "height": height})
    expect(pins(page).first).to_be_visible()
    show_all(page)
    controls = [
        page.get_by_role("toolbar", name="Map tools"), page.get_by_role("region", name="Years", exact=True),
        page.get_by_role("combobox", name="Search"), page.get_by_role("complementary"),
    ]
    boxes = [control.bounding_box() for control in controls]
    # The badge extends beyond the button.
    for pin in pins(page).all():
        for part in pin.locator(":scope > span").all():
            box = part.bounding_box()
            assert not any(overlap(box, other) for other in boxes), pin.get_attribute("aria-label")


def test_my_position_and_its_pin_are_on_the_same_copy_of_the_world(server, open_page):
    west = server.get("status")["box"][1]
    spot = next(one for one in server.get("spots?limit=500")["items"] if abs(one["longitude"] - west) < 1e-4)
    server.send(spot["latitude"], spot["longitude"])
    page = open_page(server, PHONE)
    expect(page.get_by_text("Your phone")).to_be_visible()
    expect(pins(page).first).to_be_visible()
    show_all(page)
    mark = page.locator("#me i").bounding_box()
    nearest = min(abs(pin.bounding_box()["x"] + 26 - mark["x"] - 9) for pin in pins(page).all())
    assert nearest < 60
    assert mark["x"] + mark["width"] < page.get_by_role("toolbar", name="Map tools").bounding_box()["x"]


def overlap(a, b):
    return (a["x"] < b["x"] + b["width"] and a["x"] + a["width"] > b["x"]
            and a["y"] < b["y"] + b["height"] and a["y"] + a["height"] > b["y"])


def names(page):
    return [pin.get_attribute("aria-label") for pin in pins(page).all()]


def test_an_empty_index_shows_how_to_add_photos(make_server, open_page, tmp_path, size):
    folder = tmp_path / "none"
    photos = tmp_path / "photos"
    photos.mkdir()
    server = make_server(make_library(folder, photos))
    page = open_page(server, size)
    expect(page.get_by_role("heading", name="Where are your photos?")).to_be_visible()
    expect(page.get_by_role("textbox", name="Another folder")).to_be_visible()


def test_a_damaged_index_is_reported_and_can_be_retried(
        library, make_server, open_page, tmp_path, size):
    from server import copied
    folder = copied(library, tmp_path / "damaged")
    index = folder / "photospots" / "index.json"
    whole = index.read_bytes()
    index.write_bytes(whole[:len(whole) // 2])
    for derived in (folder / "photospots").glob("index.json.mapped*"):
        derived.unlink()
    server = make_server(folder)
    page = open_page(server, size, address="", is_lenient=True)
    # Without events the page does not find out itself that the index was mended.
    page.route("**/api/v1/events*", lambda route: route.abort())
    log_in(page, server)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("PhotoSpots’ list of photos is damaged")
    index.write_bytes(whole)
    alert.get_by_role("button", name="Try again").click()
    expect(pins(page).first).to_be_visible()


def test_a_status_problem_stays_visible_while_other_requests_succeed(still_server, open_page):
    page = open_page(still_server, address="", is_lenient=True)
    problem = {
        "type": "/problems/index-damaged", "title": "The index is damaged", "status": 503,
        "detail": "It is cut off.",
    }
    page.route("**/api/v1/status", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body=json.dumps(problem)))
    log_in(page, still_server)
    expect(page.get_by_role("alert")).to_contain_text("It is cut off.")
    page.get_by_role("button", name="Zoom in").click()
    let_pass(page, 0.8)
    expect(page.get_by_role("alert")).to_contain_text("PhotoSpots’ list of photos is damaged")
    page.get_by_role("tab", name="Alerts").click()
    expect(page.get_by_role("alert")).to_contain_text("PhotoSpots’ list of photos is damaged")


def test_the_page_uses_the_browser_language(still_server, open_page, size):
    page = open_page(still_server, size, locale="es-ES")
    expect(page.get_by_role("tab", name="Cerca")).to_be_visible()
    expect(page.get_by_role("group", name="Fotos en el mapa").get_by_role("button").first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "es"
