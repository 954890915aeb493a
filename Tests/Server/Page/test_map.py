"""The map: positions of pins, contents of clusters, and the filter by years."""

import math
import re

import pytest
from conftest import in_view, let_pass, pins, reload, settle, show_all, until, visit
from playwright.sync_api import expect

ZOOMS = [1.6, 2.7, 4.3, 5.9, 7.5, 9.1, 10.7, 12.3, 13.9, 15.8, 17.7]


def world(zoom):
    return 256 * 2 ** zoom


def mercator(latitude, longitude):
    y = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2
    return (longitude + 180) / 360, y


def uncovered(page):
    """The area of the map not covered by a panel: left, top, right, bottom in pixels."""
    size = page.viewport_size
    panel = page.get_by_role("complementary").bounding_box()
    if panel["x"] + panel["width"] < size["width"]:
        return panel["width"], 0, size["width"], size["height"]
    return 0, 0, size["width"], panel["y"]


@pytest.mark.parametrize("zoom", ZOOMS)
def test_pins_lie_on_their_coordinates_and_do_not_overlap(page, still_server, zoom):
    spot = still_server.get("spots?limit=1")["items"][0]
    visit(page, still_server, f"#{zoom}/{spot['latitude']:.7f}/{spot['longitude']:.7f}/nearby")
    expect(pins(page).first).to_be_visible()
    settle(page)
    shown = [pin.bounding_box() for pin in pins(page).all()]
    centers = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in shown]
    for index, one in enumerate(centers):
        for other in centers[index + 1:]:
            assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= 51.5
    items = still_server.get(f"clusters?box=-90,-180,90,180&zoom={zoom}")["items"]
    left, top, right, bottom = uncovered(page)
    middle = mercator(spot["latitude"], spot["longitude"])
    expected = []
    for item in items:
        x, y = mercator(item["latitude"], item["longitude"])
        across = x - middle[0]
        across -= round(across)
        expected.append(((left + right) / 2 + across * world(zoom),
                         (top + bottom) / 2 + (y - middle[1]) * world(zoom)))
    for center in centers:
        assert min(math.dist(center, one) for one in expected) <= 1
    seen = [one for one in expected
            if left + 1 < one[0] < right - 1 and top + 1 < one[1] < bottom - 1]
    assert len(seen) <= len(centers)


def test_a_cluster_opens_a_grid_of_its_spots(page):
    show_all(page)
    pin = pins(page).filter(has=page.locator("xpath=self::*[contains(@aria-label, ' spots')]")).first
    name = pin.get_attribute("aria-label")
    place, photos, spots = re.fullmatch(r"(.*), (\d+) photos? at (\d+) spots", name).groups()
    pin.click()
    expect(page.get_by_role("heading", name=f"Around {place}")).to_be_focused()
    cells = page.get_by_role("list", name="Spots here").get_by_role("button")
    expect(cells).to_have_count(int(spots))
    labels = [cell.get_attribute("aria-label") for cell in cells.all()]
    assert sum(int(re.search(r"(\d+) photos?, ", label)[1]) for label in labels) == int(photos)
    # The list remains after the map was fitted, and after a while.
    let_pass(page, 1)
    expect(cells).to_have_count(int(spots))
    cells.first.click()
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    page.go_back()
    expect(cells).to_have_count(int(spots))
    page.get_by_role("button", name="Back to nearby").click()
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()


def test_the_more_button_loads_the_next_page_of_spots(page, still_server):
    spots = still_server.get("spots?limit=500")["items"]

    def answer(route):
        if "box=" not in route.request.url or "limit=200" not in route.request.url:
            return route.continue_()
        half = len(spots) // 2
        is_next = "cursor=" in route.request.url
        found = spots[half:] if is_next else spots[:half]
        route.fulfill(json={
            "items": found, "total": len(spots),
            "next": None if is_next else "/api/v1/spots?box=-90,-180,90,180&limit=200&cursor=1",
        })

    show_all(page)
    page.route("**/api/v1/spots?*", answer)
    pins(page).filter(has=page.locator("xpath=self::*[contains(@aria-label, ' spots')]")).first.click()
    cells = page.get_by_role("list", name="Spots here").get_by_role("button")
    expect(cells).to_have_count(len(spots) // 2)
    page.get_by_role("button", name="More", exact=True).click()
    expect(cells).to_have_count(len(spots))
    expect(page.get_by_role("button", name="More", exact=True)).to_have_count(0)
    expect(cells.nth(len(spots) // 2)).to_be_focused()


def test_the_years_filter_applies_to_pins_counts_and_lists(page, still_server):
    first = int(min(still_server.get("status")["years"]))
    show_all(page)
    if page.get_by_role("slider", name="From year").count() == 0:
        page.get_by_role("button", name="Years:").click()
    slider = page.get_by_role("slider", name="From year")
    slider.focus()
    wanted = max(2015, first + 2)
    for _ in range(wanted - first):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", str(wanted))
    expect(page.get_by_role("button", name=f"Years: {wanted} to")).to_be_visible()
    whole = still_server.get(f"clusters?box=-90,-180,90,180&zoom=0&from={wanted}")["photos"]
    expect(in_view(page)).to_have_text(f"{whole} photos in view")
    settle(page)
    names = [pin.get_attribute("aria-label") for pin in pins(page).all()]
    photos = [re.search(r"(\d+) photos?(?: at \d+ spots)?$", name)[1] for name in names]
    assert sum(map(int, photos)) == whole
    rows = page.get_by_role("list", name="Spots nearby, nearest first").get_by_role("button")
    total = still_server.get(f"spots?near=0,0&limit=1&from={wanted}")["total"]
    expect(rows).to_have_count(min(30, total))
    for row in rows.all():
        years = re.findall(r"\d{4}", row.get_attribute("aria-label").rsplit(", ", 1)[-1])
        assert years and min(map(int, years)) >= wanted


def test_arrow_keys_pan_and_plus_and_minus_zoom_the_map(page):
    chart = page.get_by_role("group", name="Map", exact=True)
    chart.focus()
    before = position(page)
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    settle(page)
    after = position(page)
    assert after[0] == pytest.approx(before[0] + 1, abs=0.01)
    assert after[1] > before[1]
    assert after[2] != before[2]
    page.keyboard.press("-")
    until(page, lambda: position(page)[0], pytest.approx(before[0], abs=0.01))


def position(page):
    return [float(part) for part in page.url.split("#")[1].split("/")[:3]]


def test_the_address_restores_the_view_after_reload_and_back(page, still_server):
    spot = still_server.get("spots?limit=1")["items"][0]
    visit(page, still_server,
          f"#15/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    heading = page.get_by_role("heading", name=spot["title"])
    expect(heading).to_be_visible()
    reload(page)
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile(f"/spot/{spot['id']}$"))
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_role("slider", name="Alert within")).to_be_visible()
    expect(page).to_have_url(re.compile("/settings$"))
    page.go_back()
    expect(heading).to_be_visible()


def test_the_search_goes_to_coordinates_and_towns(page):
    field = page.get_by_role("combobox", name="Search")
    field.fill("48°51'30\"N 2°17'40\"E")
    field.press("Enter")
    until(page, lambda: position(page), pytest.approx([15, 48.858333, 2.294444], abs=1e-4))
    field.fill("sao paulo")
    field.press("Enter")
    until(page, lambda: position(page)[1], pytest.approx(-23.5, abs=0.2))
    field.fill("Nowhereville")
    field.press("Enter")
    expect(page.get_by_text("Nothing is called “Nowhereville”").first).to_be_visible()


def test_the_sheet_on_a_phone_has_three_heights(page):
    if page.viewport_size["width"] > 760:
        pytest.skip("the panel stands beside the map")
    panel = page.get_by_role("complementary", name="Photos and alerts")
    page.get_by_role("button", name="Show more of the list").press("Enter")
    expect(page.get_by_role("button", name="Show less of the list")).to_be_visible()
    height = lambda: panel.bounding_box()["height"]
    until(page, height, pytest.approx(0.88 * 844, abs=2))
    settle(page)
    grip = page.get_by_role("button", name="Show less of the list").bounding_box()
    page.mouse.move(195, grip["y"] + 10)
    page.mouse.down()
    page.mouse.move(195, 500, steps=5)
    page.mouse.move(195, 690, steps=5)
    page.mouse.up()
    until(page, height, pytest.approx(0.2 * 844, abs=2))
    settle(page)
    page.get_by_role("button", name="Show more of the list").click()
    until(page, height, pytest.approx(0.5 * 844, abs=2))
