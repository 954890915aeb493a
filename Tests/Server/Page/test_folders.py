"""An empty library: folders of photos, their scan, and what it found."""

import json
import re

import pytest
from album import PLACE, make_album, scene, seen, write
from axe_playwright_python.sync_playwright import Axe
from conftest import go_to, let_pass, pins
from playwright.sync_api import expect
from test_accessibility import OPTIONS


@pytest.fixture
def empty_server(make_server, tmp_path):
    """A server without an index, whose user has photos; one of them has no place."""
    folder = tmp_path / "home"
    make_album(folder / "Pictures")
    seen(scene(5), (400, 300)).save(folder / "Pictures" / "Arezzo" / "none.jpg", "JPEG")
    write(folder / "Scans", "a.jpg", seen(scene(6), (400, 300)), "2001-05-01 12:00:00", place=PLACE)
    (folder / "Papers").mkdir()
    return make_server(folder)


def heading(page, name):
    return page.get_by_role("heading", name=name)


def folder_box(page):
    return page.get_by_role("checkbox", name=re.compile("Pictures, 5 photos$"))


def start(page):
    return page.get_by_role("button", name=re.compile("^Find the places? of "))


def test_folders_of_photos_are_found_and_indexed(empty_server, open_page, size):
    page = open_page(empty_server, size)
    expect(heading(page, "Where are your photos?")).to_be_visible()
    expect(folder_box(page)).to_be_checked()
    expect(start(page)).to_have_text("Find the places of 5 photos")
    folder_box(page).uncheck()
    expect(start(page)).to_be_disabled()
    folder_box(page).check()
    start(page).click()
    expect(heading(page, "4 photos at 1 spot")).to_be_focused()
    expect(page.get_by_text("From 1994 to 2024.")).to_be_visible()
    steps = page.get_by_role("list", name="What to do next").get_by_role("listitem")
    expect(steps.first).to_contain_text("1 photo has no place")
    page.get_by_role("button", name="Show the map").click()
    expect(pins(page).first).to_be_visible()
    first = page.get_by_role("region", name="First steps")
    first.get_by_role("button", name="Skip").press("Escape")
    expect(first).not_to_be_attached()
    expect(page.get_by_role("button", name=re.compile("^Nearest: Arezzo"))).to_be_visible()
    assert empty_server.get("status")["photos"] == 4
    # The folder is watched from now on.
    write(empty_server.folder / "Pictures" / "Siena", "2011.jpg", seen(scene(3), (400, 300)),
          "2011-03-01 12:00:00", place=(43.318, 11.331))
    expect(page.get_by_role("status").filter(has_text="photos in view")).to_be_attached()


def test_a_browser_on_the_machine_may_type_a_path(empty_server, open_page, size):
    page = open_page(empty_server, size, is_lenient=True)
    field = page.get_by_role("textbox", name="Another folder")
    for wrong in ("nowhere", str(empty_server.folder / "missing"), str(empty_server.folder / "Papers")):
        field.fill(wrong)
        start(page).click()
        expect(page.get_by_role("alert")).to_have_text(
            "There is no folder with photos that can be read there.")
        expect(field).to_be_focused()
    folder_box(page).uncheck()
    field.fill(str(empty_server.folder / "Scans"))
    expect(start(page)).to_have_text("Find the places of these photos")
    start(page).click()
    expect(heading(page, "1 photo at 1 spot")).to_be_visible()


def test_a_browser_elsewhere_gets_no_paths_and_types_none(empty_server, open_page):
    headers = {"X-Forwarded-For": "192.168.1.7", "Content-Type": "application/json"}
    status, _, body = empty_server.ask("api/v1/folders", headers=headers)
    answer = json.loads(body)
    assert status == 200 and not answer["isLocal"]
    assert answer["items"] and all("path" not in one for one in answer["items"])
    assert str(empty_server.folder) not in body.decode()
    typed = json.dumps({"path": str(empty_server.folder / "Scans")}).encode()
    status, _, body = empty_server.ask("api/v1/indexing", "POST", headers, typed)
    assert status == 400 and json.loads(body)["parameter"] == "path"
    page = open_page(empty_server, address="icon.svg")
    page.route("**/api/v1/folders", lambda route: route.fulfill(json=answer))
    go_to(page, empty_server.address)
    expect(page.get_by_role("checkbox", name="Pictures, 5 photos")).to_be_visible()
    expect(page.get_by_role("textbox", name="Another folder")).to_have_count(0)


def test_a_scan_shows_its_progress_and_is_stopped(empty_server, open_page, size):
    state = {
        "isRunning": True, "isStopped": False, "folder": "Pictures", "found": 4060, "total": 4060,
        "scanned": 2570, "located": 1604, "secondsLeft": 20.4, "result": None,
    }
    asked = []

    def answer(route):
        asked.append(route.request.method)
        if route.request.method == "DELETE":
            state.update(isRunning=False, isStopped=True)
        if route.request.method == "POST":
            state.update(isRunning=True, isStopped=False)
        route.fulfill(json=state)

    page = open_page(empty_server, size, address="icon.svg")
    page.route("**/api/v1/indexing", answer)
    go_to(page, empty_server.address)
    # A page that is opened during the scan shows it too.
    expect(heading(page, "Finding the places")).to_be_focused()
    bar = page.get_by_role("progressbar", name="Finding the places")
    expect(bar).to_have_attribute("aria-valuenow", "63")
    expect(page.get_by_role("status").filter(has_text="About 20 s left · Pictures")).to_be_visible()
    expect(page.get_by_text("of 4,060 photos")).to_be_visible()
    state.update(scanned=3045)
    expect(bar).to_have_attribute("aria-valuenow", "75")
    page.get_by_role("button", name="Stop").click()
    expect(heading(page, "Stopped before a place was found")).to_be_focused()
    assert "DELETE" in asked
    page.get_by_role("button", name="Go on").click()
    expect(bar).to_be_visible()
    assert "POST" in asked
    state.update(isRunning=False, result=None)
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_scan_by_the_server_that_finds_no_photo_leaves_the_choice(empty_server, open_page):
    state = {
        "isRunning": True, "isStopped": False, "folder": "", "found": 0, "total": 0, "scanned": 0, "located": 0,
        "secondsLeft": None, "result": None,
    }
    page = open_page(empty_server, address="icon.svg")
    page.route("**/api/v1/indexing", lambda route: route.fulfill(json=state))
    go_to(page, empty_server.address)
    expect(heading(page, "Finding the places")).to_be_visible()
    state.update(isRunning=False, result={"files": 0, "located": 0, "withoutPosition": 0, "unread": 0})
    expect(folder_box(page)).to_be_checked()


def test_the_choice_of_folders_stays_while_the_page_hears_of_other_things(empty_server, open_page):
    page = open_page(empty_server)
    expect(folder_box(page)).to_be_checked()
    folder_box(page).uncheck()
    empty_server.send(*PLACE)
    let_pass(page, 1)
    expect(folder_box(page)).not_to_be_checked()


@pytest.mark.parametrize("locale, title", [("en-GB", "Where are your photos?"), ("es-ES", "¿Dónde están tus fotos?")])
def test_the_choice_is_accessible(empty_server, open_page, size, locale, title):
    page = open_page(empty_server, size, locale=locale)
    expect(heading(page, title)).to_be_visible()
    found = Axe().run(page, options=OPTIONS).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
