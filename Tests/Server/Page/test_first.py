"""The first screen: where the map opens, what is near, and what is shown where nothing is."""

import datetime
import re

import pytest
from album import scene, seen, write
from conftest import go_to, in_view, pins, reload, settle, until
from playwright.sync_api import expect
from server import make_library

VIENNA = (48.2082, 16.3738)
PARIS = (48.8584, 2.2945)
ROME = (41.8902, 12.4922)
TODAY = datetime.date.today()


def days_ago(days, years=0):
    """A time of capture some days and years before today."""
    day = TODAY - datetime.timedelta(days=days)
    return f"{day.year - years:04}-{day.month:02}-{min(day.day, 28):02} 12:00:00"


@pytest.fixture(scope="module")
def family_library(tmp_path_factory):
    """Many photos in Vienna; some in Paris this week years ago; an old one in Rome; a new album there."""
    folder = tmp_path_factory.mktemp("family")
    photos = folder / "photos"
    picture = seen(scene(4), (400, 300))
    for number in range(8):
        write(photos / "Wien", f"{number}.jpg", picture, days_ago(100 + number),
              place=(VIENNA[0] + number * 0.002, VIENNA[1]))
    for years in (7, 10):
        write(photos / "2019 Louvre", f"{years}.jpg", picture, days_ago(1, years), place=PARIS)
    write(photos / "Rom", "old.jpg", picture, "1994-05-01 12:00:00", place=ROME)
    for number in range(3):
        write(photos / "Prater", f"{number}.jpg", picture, days_ago(20 + number),
              place=(VIENNA[0] + 0.02, VIENNA[1] + 0.03))
    return make_library(folder / "library", photos)


@pytest.fixture
def family(family_library, make_server, tmp_path):
    from server import copied
    return make_server(copied(family_library, tmp_path / "family"))


def place_of(page):
    """The zoom, latitude and longitude of the address."""
    return [float(part) for part in page.url.split("#")[1].split("/")[:3]]


def opened(open_page, server, size, **options):
    page = open_page(server, size, **options)
    expect(pins(page).first).to_be_visible()
    settle(page)
    return page


def near(page, name):
    return page.get_by_role("group", name="Near what").get_by_role("button", name=name)


def is_near(page, name):
    for one in ("Near me", "Near the map"):
        expect(near(page, one)).to_have_attribute("aria-pressed", str(one == name).lower())


def week(page):
    return page.get_by_role("region", name="This week in other years").get_by_role("button")


def nearest(page):
    return page.get_by_role("button", name=re.compile("^Nearest: "))


def test_the_map_opens_on_the_area_with_most_photos(family, open_page, size):
    page = opened(open_page, family, size)
    zoom, latitude, longitude = place_of(page)
    assert abs(latitude - VIENNA[0]) < 0.5 and abs(longitude - VIENNA[1]) < 0.5 and zoom <= 11
    expect(in_view(page)).to_have_text("11 photos in view")


def test_the_map_opens_where_it_was_left(family, open_page, size):
    page = opened(open_page, family, size)
    go_to(page, f"{family.base}#13/{PARIS[0]}/{PARIS[1]}/nearby")
    settle(page)
    page.get_by_role("button", name="Zoom in").click()
    settle(page)
    left = place_of(page)
    go_to(page, "about:blank")
    go_to(page, family.base)
    expect(pins(page).first).to_be_visible()
    until(page, lambda: place_of(page), pytest.approx(left, abs=0.01))
    is_near(page, "Near the map")
    expect(page.get_by_text(re.compile("^The map as you left it: "))).to_be_visible()
    # Moved, it is elsewhere than it was left.
    page.get_by_role("group", name="Map", exact=True).press("ArrowLeft")
    expect(page.get_by_text("From the middle of the map")).to_be_visible()


def test_the_map_left_over_an_ocean_opens_so_far_out_that_photos_are_in_view(family, open_page, size):
    page = opened(open_page, family, size)
    go_to(page, f"{family.base}#12/30/-40/nearby")
    settle(page)
    until(page, lambda: "-40" in (page.evaluate("localStorage.getItem('photospots.left')") or ""), True)
    go_to(page, "about:blank")
    go_to(page, family.base)
    expect(pins(page).first).to_be_visible()
    assert place_of(page)[1:] == pytest.approx([30, -40], abs=0.5)


def test_the_map_opens_at_the_phone_and_is_not_locked_to_it(family, open_page, size):
    family.send(*PARIS)
    page = opened(open_page, family, size)
    until(page, lambda: place_of(page)[1:], pytest.approx(list(PARIS), abs=0.01))
    is_near(page, "Near me")
    expect(nearest(page)).to_be_visible()
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Follow", exact=True)).to_have_attribute(
        "aria-pressed", "false")
    # The map moves, and so does what is near; the phone stays known.
    chart = page.get_by_role("group", name="Map", exact=True)
    chart.press("+")
    settle(page)
    is_near(page, "Near me")
    for _ in range(4):
        chart.press("Shift+ArrowRight")
    is_near(page, "Near the map")
    settle(page)
    moved = place_of(page)
    family.send(PARIS[0] + 0.001, PARIS[1])
    until(page, lambda: family.get("devices")["items"][0]["latitude"], pytest.approx(PARIS[0] + 0.001))
    settle(page)
    assert place_of(page) == moved
    near(page, "Near me").click()
    is_near(page, "Near me")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Following", pressed=True)).to_be_visible()
    until(page, lambda: place_of(page)[1], pytest.approx(PARIS[0] + 0.001, abs=1e-3))


def test_dragging_the_map_chooses_what_is_near_to_it(family, open_page, size):
    family.send(*PARIS)
    page = opened(open_page, family, size)
    is_near(page, "Near me")
    start = (size["width"] - 150, 150)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - 90, start[1] + 60, steps=6)
    page.mouse.up()
    is_near(page, "Near the map")


def test_what_was_sought_is_what_spots_are_near_to(family, open_page, size):
    family.send(*ROME)
    page = opened(open_page, family, size)
    is_near(page, "Near me")
    page.get_by_role("combobox", name="Search").fill("Paris")
    page.get_by_role("option").first.click()
    is_near(page, "Near the map")


def test_without_a_spot_within_a_walk_memories_are_shown(family, open_page, size):
    page = opened(open_page, family, size)
    is_near(page, "Near the map")
    expect(nearest(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_have_count(0)
    year = (TODAY - datetime.timedelta(days=1)).year
    ago = TODAY.year - year + 7
    expect(week(page)).to_have_accessible_name(re.compile(rf"^Louvre, Paris, \d+ .* {ago} years ago$"))
    expect(week(page)).to_contain_text(f"2 photos · also {year - 10}")
    unseen = page.get_by_role("list", name="Not photographed for a long time").get_by_role("button")
    expect(unseen).to_have_count(2)
    expect(unseen.first).to_have_accessible_name(re.compile("^Rom.*, last in 1994, 1 photo$"))
    expect(unseen.last).to_have_accessible_name(re.compile("^Louvre, Paris, last in "))
    album = page.get_by_role("list", name="Newest album").get_by_role("button")
    expect(album).to_have_count(3)
    expect(album.first).to_have_accessible_name(re.compile("^Photo, "))
    expect(album.first).to_contain_text("Prater")
    page.get_by_role("button", name="All 3 photos").click()
    expect(page.get_by_role("heading", name="Prater")).to_be_focused()
    expect(page.get_by_role("list", name="Spots here").get_by_role("button")).to_have_count(1)
    page.go_back()
    unseen.first.click()
    expect(page.get_by_role("heading", name="Rom")).to_be_focused()
    page.go_back()
    week(page).click()
    expect(page.get_by_role("heading", name="Louvre")).to_be_focused()


def test_closer_to_a_spot_the_nearest_is_shown(family, open_page, size):
    page = opened(open_page, family, size)
    expect(week(page)).to_be_visible()
    go_to(page, f"{family.base}#15/{PARIS[0]}/{PARIS[1]}/nearby")
    expect(nearest(page)).to_be_visible()
    expect(week(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_visible()


def test_nothing_is_to_be_taken_again_where_the_person_is_not(family, open_page, size):
    family.send(*ROME)
    page = opened(open_page, family, size)
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_visible()
    near(page, "Near the map").click()
    go_to(page, f"{family.base}#15/{PARIS[0]}/{PARIS[1]}/nearby")
    expect(near(page, "Near the map")).to_be_visible()
    near(page, "Near the map").click()
    expect(page.get_by_role("button", name=re.compile("^Nearest: Louvre"))).to_be_visible()
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_hidden()


def test_the_years_limit_the_memories(family, open_page, size):
    page = opened(open_page, family, size)
    expect(week(page)).to_be_visible()
    if page.get_by_role("slider", name="From year").count() == 0:
        page.get_by_role("button", name="Years:").click()
    slider = page.get_by_role("slider", name="From year")
    slider.press("End")
    expect(week(page)).to_have_count(0)
    expect(page.get_by_role("region", name="Not photographed for a long time")).to_have_count(0)
    expect(page.get_by_role("region", name="Newest album")).to_be_visible()


def test_without_memories_the_largest_spots_are_shown(make_server, open_page, tmp_path, size):
    photos = tmp_path / "photos"
    for number in range(2):
        write(photos / "DCIM", f"{number}.jpg", seen(scene(4), (400, 300)), days_ago(60 + number), place=VIENNA)
    server = make_server(make_library(tmp_path / "library", photos))
    page = opened(open_page, server, size)
    go_to(page, f"{server.base}#8/50/10/nearby")
    rows = page.get_by_role("list", name="Spots with the most photos").get_by_role("button")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("2 photos")


def test_a_refused_position_leaves_the_choice(family, open_page, size):
    page = opened(open_page, family, size)
    near(page, "Near me").click()
    expect(page.get_by_role("status").filter(has_text="This page is not allowed to know where you are")).to_be_visible()
    is_near(page, "Near the map")


def test_a_browser_that_may_tell_the_position_opens_there(family, open_page, size):
    page = opened(open_page, family, size)
    page.context.grant_permissions(["geolocation"], origin=family.base)
    page.context.set_geolocation({"latitude": ROME[0], "longitude": ROME[1], "accuracy": 8})
    go_to(page, "about:blank")
    go_to(page, family.base)
    expect(page.get_by_text(re.compile("^This browser"))).to_be_visible()
    is_near(page, "Near me")
    until(page, lambda: place_of(page)[1:], pytest.approx(list(ROME), abs=0.01))
    expect(page.get_by_role("button", name=re.compile("^Nearest: Rom"))).to_be_visible()
    # A bookmark opens where it says.
    go_to(page, f"{family.base}#13/{PARIS[0]}/{PARIS[1]}/nearby")
    reload(page)
    expect(page.get_by_text(re.compile("^This browser"))).to_be_visible()
    settle(page)
    assert place_of(page)[1:] == pytest.approx(list(PARIS), abs=0.01)


def test_a_pin_far_out_opens_its_pictures(family, open_page, size):
    page = opened(open_page, family, size)
    go_to(page, f"{family.base}#4/{VIENNA[0]}/{VIENNA[1]}/nearby")
    pins(page).filter(has_text=re.compile(r"^1\d$")).first.press("Enter")
    expect(page.get_by_role("list", name="Spots here").get_by_role("button").first).to_be_visible()
