"""The views of a spot and its photos, of replay, and of settings."""

import datetime
import json
import math
import re
import shutil

import pytest
from conftest import go_to, pins, reload, until
from playwright.sync_api import expect
from server import ROOT, becomes, make_library, run


def open_spot(page, server, spot):
    go_to(page, f"{server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()


def test_every_spot_ends_with_an_empty_frame_of_this_year(page, still_server):
    year = datetime.datetime.now(datetime.UTC).year
    for spot in still_server.get("spots?limit=5")["items"]:
        open_spot(page, still_server, spot)
        expect(page.get_by_role("heading", name=spot["title"]).first).to_be_visible()
        frames = page.get_by_role("list", name="Photos by year").get_by_role("listitem")
        expect(frames.last).to_have_text(re.compile(rf"{year}: take it again$"))
        expect(frames.last).to_have_accessible_name(f"{year}: take it again")
        photos = still_server.get(f"spots/{spot['id']}")["photos"]
        years = {photo["captured"][:4] if photo.get("captured") else None for photo in photos}
        expect(frames).to_have_count(len(years) + 1)
        for one in years - {None}:
            count = sum((photo.get("captured") or "").startswith(one) for photo in photos)
            name = f"{one}, {count} photo{'' if count == 1 else 's'}"
            expect(page.get_by_role("button", name=name, exact=True)).to_be_attached()


def test_a_photo_opens_and_stepping_to_others_keeps_the_focus(page, still_server):
    spot = max(still_server.get("spots?limit=500")["items"], key=lambda one: len(one["years"]))
    photos = still_server.get(f"spots/{spot['id']}")["photos"]
    open_spot(page, still_server, spot)
    first = page.get_by_role("list", name="Photos by year").get_by_role("button").first
    first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=re.compile("^Photo, "))
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("img", name=re.compile("^Photo, "))).to_be_visible()
    later = dialog.get_by_role("button", name="Later photo")
    later.focus()
    for _ in range(len(photos)):
        page.keyboard.press("Enter")
        expect(later).to_be_focused()
    expect(dialog).to_contain_text(f"{len(photos)} of {len(photos)}")
    expect(dialog).to_contain_text(photos[-1]["name"])
    page.keyboard.press("ArrowLeft")
    expect(dialog).to_contain_text(f"{len(photos) - 1} of {len(photos)}")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(first).to_be_focused()


def test_a_missing_spot_is_reported(still_server, open_page, size):
    page = open_page(still_server, size, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    go_to(page, f"{still_server.base}#10/1/2/spot/aaaaaaaaaaaa")
    expect(page.get_by_role("heading", name="Gone", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This spot is gone")
    page.get_by_role("button", name="Back to nearby").click()
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()


def test_a_spot_is_muted_and_unmuted(server, open_page, size):
    page = open_page(server, size)
    expect(pins(page).first).to_be_visible()
    spot = server.get("spots?limit=1")["items"][0]
    open_spot(page, server, spot)
    page.get_by_role("button", name="Mute this spot").click()
    expect(page.get_by_role("button", name="Hear of it again")).to_be_visible()
    assert [one["spot"] for one in server.get("mutes")["items"]] == [spot["id"]]
    page.get_by_role("button", name="Hear of it again").click()
    expect(page.get_by_role("button", name="Mute this spot")).to_be_visible()
    assert server.get("mutes")["items"] == []
    link = page.get_by_role("link", name="Open in a map app")
    assert link.get_attribute("href").startswith("geo:")


def test_an_older_answer_that_arrives_late_does_not_replace_a_newer_one(server, open_page):
    page = open_page(server)
    expect(pins(page).first).to_be_visible()
    spot = server.get("spots?limit=1")["items"][0]
    open_spot(page, server, spot)
    held, newer, later, finished = [], [], [], []

    def hold_all_but_the_newer(route):
        answer = route.fetch()
        if newer:
            later.append((route, answer))
        elif answer.json().get("muted"):
            held.append((route, answer))
        else:
            if held:
                newer.append(route.request)
            route.fulfill(response=answer)

    page.on("requestfinished", lambda request: finished.append(request))
    page.route(f"**/api/v1/spots/{spot['id']}", hold_all_but_the_newer)
    # Somebody else mutes the spot, and hears of it again.
    server.ask(f"api/v1/mutes/{spot['id']}", "PUT")
    until(page, lambda: bool(held), True)
    server.ask(f"api/v1/mutes/{spot['id']}", "DELETE")
    until(page, lambda: bool(newer) and newer[0] in finished, True)
    for route, answer in held:
        route.fulfill(response=answer)
    until(page, lambda: all(route.request in finished for route, _ in held), True)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.get_by_role("button", name="Mute this spot")).to_be_visible()
    for route, answer in later:
        route.fulfill(response=answer)


def track(tmp_path):
    """The sample walk as a GPX file."""
    lines = (ROOT / "Samples" / "walk.ndjson").read_text().splitlines()
    points = "".join(
        f'<trkpt lat="{fix["latitude"]}" lon="{fix["longitude"]}"><time>{fix["time"]}</time></trkpt>'
        for fix in map(json.loads, lines))
    file = tmp_path / "walk.gpx"
    file.write_text(
        '<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">'
        f"<trk><trkseg>{points}</trkseg></trk></gpx>")
    return file


@pytest.fixture
def sample_server(make_server, tmp_path):
    """A server with the sample photos, which the sample walk passes."""
    return make_server(make_library(tmp_path / "samples", ROOT / "Samples" / "photos"))


def expected_visits(server, file, *arguments):
    runs = json.loads(run(server.folder, "replay", file, "--format", "json", *arguments))
    return [(visit["fires"], away(visit["decision"]["distance"]))
            for day in runs[-1]["days"] for visit in day["visits"]]


def away(meters):
    """A distance below a kilometre, rounded as on the page."""
    five = math.floor(meters / 5 + 0.5) * 5
    return f"{five if five < 100 else math.floor(meters / 10 + 0.5) * 10} m away"


def test_replay_matches_the_command_and_stores_no_alerts(
        sample_server, open_page, tmp_path, size):
    server = sample_server
    file = track(tmp_path)
    page = open_page(server, size)
    expect(pins(page).first).to_be_visible()
    page.get_by_role("tab", name="Replay").click()
    page.get_by_label("Choose a recorded track").set_input_files(file)
    visits = page.get_by_role("list", name="Visits").get_by_role("listitem")
    check_visits(visits, expected_visits(server, file))
    slider = page.get_by_role("slider", name="Within")
    slider.focus()
    page.keyboard.press("Home")
    narrow = expected_visits(server, file, "--set", "radius=20")
    assert narrow != expected_visits(server, file)
    check_visits(visits, narrow)
    assert server.get("alerts?limit=1")["total"] == 0


def check_visits(visits, expected):
    expect(visits).to_have_count(len(expected))
    for index, (fires, distance) in enumerate(expected):
        expect(visits.nth(index)).to_contain_text(distance)
        has = expect(visits.nth(index))
        (has.to_contain_text if fires else has.not_to_contain_text)("Would alert you")


@pytest.mark.parametrize("content", ["", "<gpx><trk><trkseg><trkpt lat=", "hello"])
def test_a_file_without_a_track_is_reported(still_server, open_page, tmp_path, content):
    page = open_page(still_server, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    file = tmp_path / "none.gpx"
    file.write_text(content)
    page.get_by_role("tab", name="Replay").click()
    page.get_by_label("Choose a recorded track").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("This file contains no track")


def test_settings_are_saved_on_the_server(server, open_page, size):
    page = open_page(server, size)
    expect(pins(page).first).to_be_visible()
    page.get_by_role("tab", name="Settings").click()
    slider = page.get_by_role("slider", name="Alert within")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="Saved").first).to_be_visible()
    page.get_by_role("switch", name="Favourites only").check()
    page.get_by_label("Quiet from").fill("22:00")
    page.get_by_label("Quiet until").fill("07:00")
    page.get_by_label("Quiet until").blur()

    def kept():
        settings = json.loads(run(server.folder, "config", "--format", "json"))
        return {one["name"]: (one["value"], one["origin"]) for one in settings}

    names = ["proximityRadius", "favoritesOnly", "quietHours"]
    becomes(["200 m", "true", "22:00-07:00"], lambda: [kept()[name][0] for name in names])
    assert kept()["proximityRadius"][1].endswith("config.json")
    reload(page)
    expect(slider).to_have_value("200")


def test_a_pressed_tab_gets_the_colour_of_the_selected_tab(page):
    colour = "tab => getComputedStyle(tab).color"
    chosen = page.get_by_role("tab", name="Nearby").evaluate(colour)
    tab = page.get_by_role("tab", name="Settings")
    tab.click()
    until(page, lambda: tab.evaluate(colour), chosen)


def test_the_theme_is_stored_in_the_browser(page):
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("group", name="Look").get_by_role("button", name="Dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    reload(page)
    expect(page.get_by_role("group", name="Look").get_by_role("button", name="Dark")).to_have_attribute(
        "aria-pressed", "true")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    page.get_by_role("group", name="Look").get_by_role("button", name="Light").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_names_with_markup_are_shown_as_text(make_server, open_page, tmp_path, size):
    name = "<img src=x onerror=document.title='broken'>"
    album = tmp_path / "photos" / name
    album.mkdir(parents=True)
    source = sorted((ROOT / "Samples" / "photos" / "2016 Paris").glob("*.jpg"))[0]
    shutil.copy(source, album / f"{name}.jpg")
    server = make_server(make_library(tmp_path / "library", tmp_path / "photos"))
    page = open_page(server, size)
    expect(pins(page).first).to_be_visible()
    open_spot(page, server, server.get("spots?limit=1")["items"][0])
    page.get_by_role("list", name="Photos by year").get_by_role("button").first.click()
    expect(page.get_by_role("dialog").get_by_text(f"{name}.jpg")).to_be_visible()
    assert page.title() == "PhotoSpots"
    assert page.locator("img[src=x]").count() == 0
