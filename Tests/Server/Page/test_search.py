"""The search field with its suggestions, and the filters beside the years."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import DESKTOP, go_to, in_view, pins, reload, settle, show_all, until
from playwright.sync_api import expect

OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
VIENNA, BARCELONA = (48.2082, 16.3738), (41.3874, 2.1686)


@pytest.fixture(scope="module")
def town_library(tmp_path_factory):
    """A library of albums in two towns."""
    from album import seen, scene, write
    from server import make_library
    photos = tmp_path_factory.mktemp("towns")
    image = seen(scene(3), size=(240, 180))
    for folder, name, taken, place, favorite, *caption in [
        ("Wien 2013", "oak.jpg", "2013-05-12 10:00:00", VIENNA, True),
        ("Wien 2013", "b.jpg", "2013-07-15 10:00:00", (48.2, 16.36), False),
        ("Scans Wien", "c.jpg", "1994-12-01 10:00:00", (48.22, 16.39), False),
        ("2013 Barcelona", "d.jpg", "2013-05-03 10:00:00", BARCELONA, False),
        ("Holidays", "e.jpg", "2014-10-07 10:00:00", (41.4036, 2.1744), False, "Grandmother's <b>jetty</b>"),
    ]:
        write(photos / folder, name, image, taken, favorite=favorite, place=place, caption=(caption or [None])[0])
    return make_library(tmp_path_factory.mktemp("town-library"), photos)


@pytest.fixture(scope="module")
def town_server(town_library, tmp_path_factory):
    from server import Server, copied
    server = Server(copied(town_library, tmp_path_factory.mktemp("town-server"))).start()
    server.ask("api/v1/places", "POST", {"Content-Type": "application/json"}, json.dumps(
        {"latitude": 48.3, "longitude": 16.3, "name": "Wiener Eiche", "kind": "tree"}).encode())
    yield server
    server.stop()


@pytest.fixture
def page(town_server, open_page, size):
    page = open_page(town_server, size)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    expect(pins(page).first).to_be_visible()
    show_all(page)
    return page


def field(page):
    return page.get_by_role("combobox", name="Search")


def options(page):
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def chosen(page):
    return page.get_by_role("option", selected=True)


def type_in(page, text):
    field(page).click()
    field(page).press_sequentially(text)


def position(page):
    return [float(part) for part in page.url.split("#")[1].split("/")[:3]]


def test_suggestions_are_grouped_and_chosen_by_the_keyboard(page):
    type_in(page, "wien")
    expect(chosen(page)).to_have_accessible_name("Vienna, wien · Austria · 3 photos here, Town")
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^\d+ suggestions$"))).to_be_attached()
    mine = page.get_by_role("group", name="In my photos").get_by_role("option")
    names = [option.get_attribute("aria-label") for option in mine.all()]
    assert "Wien 2013, 2 photos · 2013, Album" in names
    assert "Scans Wien, 1 photo · 1994, Album" in names
    assert any(re.fullmatch(r"Wiener Eiche, tree · .* k?m, My place", name) for name in names)
    first = chosen(page).get_attribute("id")
    expect(field(page)).to_have_attribute("aria-activedescendant", first)
    field(page).press("ArrowUp")
    expect(chosen(page)).to_have_accessible_name(names[-1])
    field(page).press("ArrowDown")
    expect(field(page)).to_have_attribute("aria-activedescendant", first)
    expect(field(page)).to_be_focused()
    field(page).press("Enter")
    expect(options(page).first).to_be_hidden()
    until(page, lambda: position(page)[1:], pytest.approx(VIENNA, abs=0.1))


def test_the_hit_is_marked_in_names_with_accents(page):
    type_in(page, "sao pau")
    expect(chosen(page).locator("mark")).to_have_text(["São", "Pau"])


def test_photos_of_a_year_in_a_town_set_years_and_map_and_back_undoes_both(page):
    settle(page)
    before, shown = position(page), in_view(page).inner_text()
    type_in(page, "barcelona in 2013")
    expect(chosen(page)).to_have_accessible_name("Barcelona in 2013, 1 photo at 1 spot, Photos")
    field(page).press("Enter")
    until(page, lambda: position(page)[1:], pytest.approx(BARCELONA, abs=0.1))
    years = page.get_by_role("button", name="Years: 2013 to 2013")
    expect(years).to_be_visible()
    until(page, lambda: in_view(page).inner_text(), "1 photo in view")
    settle(page)
    reload(page)
    expect(years).to_be_visible()
    settle(page)
    page.go_back()
    expect(page.get_by_role("button", name="Years: 1994 to 2014")).to_be_visible()
    until(page, lambda: position(page), pytest.approx(before, abs=0.01))
    until(page, lambda: in_view(page).inner_text(), shown)
    page.go_forward()
    expect(years).to_be_visible()


def test_an_album_shows_its_photos_alone(page):
    type_in(page, "scans")
    expect(chosen(page)).to_have_accessible_name("Scans Wien, 1 photo · 1994, Album")
    chosen(page).click()
    expect(page.get_by_role("button", name="1 filter", exact=True)).to_be_visible()
    until(page, lambda: in_view(page).inner_text(), "1 photo in view")
    until(page, lambda: position(page)[1:], pytest.approx((48.22, 16.39), abs=0.01))


def test_escape_closes_and_then_empties(page):
    type_in(page, "wien")
    expect(chosen(page)).to_be_visible()
    field(page).press("Escape")
    expect(options(page).first).to_be_hidden()
    expect(field(page)).to_have_value("wien")
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    field(page).press("Escape")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()


def test_nothing_of_a_name_is_said(page):
    type_in(page, "xqzt")
    expect(page.get_by_text("Nothing is called “xqzt”").first).to_be_visible()
    expect(page.get_by_text("Try a town, an album, a year or coordinates.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Nothing is called")).to_be_attached()
    field(page).press("Enter")
    expect(field(page)).to_have_value("xqzt")


def test_one_letter_asks_for_nothing_and_a_late_answer_is_dropped(page):
    asked, held = [], []

    def hold(route):
        asked.append(route.request.url)
        held.append(route) if "query=wi&" in route.request.url else route.continue_()

    page.route("**/api/v1/search?*", hold)
    type_in(page, "w")
    field(page).press_sequentially("i")
    until(page, lambda: len(held), 1)
    field(page).press_sequentially("en")
    expect(chosen(page)).to_have_accessible_name(re.compile("^Vienna"))
    settled = [option.get_attribute("aria-label") for option in options(page).all()]
    try:
        held[0].continue_()
    except Exception:  # The page gave it up already.
        pass
    settle(page)
    assert settled == [option.get_attribute("aria-label") for option in options(page).all()]
    assert not any("query=w&" in url for url in asked)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_suggestions_and_filters_have_no_axe_violations(town_server, open_page, size, theme):
    page = open_page(town_server, size, theme=theme)
    expect(pins(page).first).to_be_visible()
    type_in(page, "wien")
    expect(chosen(page)).to_be_visible()
    settle(page)
    for step in ("suggestions", "none", "filters"):
        if step == "none":
            field(page).fill("xqzt")
            expect(page.get_by_text("Nothing is called “xqzt”").first).to_be_visible()
        if step == "filters":
            field(page).press("Escape")
            page.get_by_role("button", name="Filter", exact=True).click()
            expect(page.get_by_role("combobox", name="Album")).to_be_visible()
        settle(page)
        found = Axe().run(page, options=OPTIONS).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_suggestions_in_spanish(town_server, open_page):
    page = open_page(town_server, DESKTOP, locale="es-ES")
    expect(page.get_by_role("group", name="Fotos en el mapa").get_by_role("button").first).to_be_visible()
    page.get_by_role("button", name="Mostrar todas mis fotos").click()
    text = page.get_by_role("combobox", name="Buscar")
    text.click()
    text.press_sequentially("2013-05")
    expect(chosen(page)).to_have_accessible_name("Todo mayo de 2013, 2 fotos en 2 sitios, Mes")
    text.press("Enter")
    expect(page.get_by_role("button", name="1 filtro", exact=True)).to_be_visible()
    until(page, lambda: page.get_by_role("status").filter(has_text="a la vista").inner_text(),
          "2 fotos a la vista")


def test_a_photo_is_found_by_its_caption_and_shows_it(page, town_server):
    page.get_by_role("button", name="Filter", exact=True).click()
    text = page.get_by_role("textbox", name="Words in names and captions")
    text.fill("JETTY grandmother")
    text.press("Enter")
    until(page, lambda: in_view(page).inner_text(), "1 photo in view")
    [spot] = [one for one in town_server.get("spots?limit=9")["items"] if one["title"] == "Holidays"]
    go_to(page, f"{town_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("list", name="Photos by year").get_by_role("button").first.click()
    expect(page.get_by_role("dialog").get_by_text("Grandmother's <b>jetty</b>", exact=True)).to_be_visible()


@pytest.mark.parametrize("label, value, photos", [
    ("Album", "Holidays", 1), ("Age", "10 years or older", 5), ("Age", "20 years or older", 1),
    ("Time of year", "Winter", 1), ("Time of year", "May", 2),
])
def test_a_filter_limits_what_is_shown(page, label, value, photos):
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("combobox", name=label).select_option(label=value)
    plural = "" if photos == 1 else "s"
    until(page, lambda: in_view(page).inner_text(), f"{photos} photo{plural} in view")
    expect(page.get_by_role("button", name="1 filter", exact=True)).to_be_visible()
    page.get_by_role("button", name="Remove the filters").click()
    until(page, lambda: in_view(page).inner_text(), "5 photos in view")
    expect(page.get_by_role("combobox", name=label)).to_have_value("")
    expect(page.get_by_role("button", name="Filter", exact=True)).to_be_visible()


def test_favourites_and_words_are_filters_too(page):
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("switch", name="Favourites only").click()
    until(page, lambda: in_view(page).inner_text(), "1 photo in view")
    text = page.get_by_role("textbox", name="Words in names and captions")
    text.fill("WIEN oak")
    text.press("Enter")
    expect(page.get_by_role("button", name="2 filters", exact=True)).to_be_visible()
    until(page, lambda: in_view(page).inner_text(), "1 photo in view")
    text.fill("elm")
    text.press("Enter")
    until(page, lambda: in_view(page).inner_text(), "0 photos in view")
    expect(page.get_by_role("heading", name="No photos match")).to_be_visible()
    page.get_by_role("button", name="Show all photos").click()
    until(page, lambda: in_view(page).inner_text(), "5 photos in view")
    expect(page.get_by_role("switch", name="Favourites only")).not_to_be_checked()
    expect(text).to_have_value("")
