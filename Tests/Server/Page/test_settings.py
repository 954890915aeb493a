"""Settings: changed in another tab, refused by the server, or changed while it is away; messages."""

import json
import re

from conftest import go_to, let_pass, pins, reload, settle, until, visit
from playwright.sync_api import expect
from server import becomes, run


def settings(page):
    # A view that is chosen before the page has started is drawn again when it has.
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_role("slider", name="Alert within")).to_be_visible()


def value(server, name):
    [one] = [one for one in server.get("settings?limit=500")["items"] if one["name"] == name]
    return one["value"]


def change(server, values):
    """Changes settings as another browser does."""
    status, _, body = server.ask(
        "api/v1/settings", "PATCH", {"Content-Type": "application/merge-patch+json"},
        json.dumps(values).encode())
    assert status == 200, body


def test_a_setting_changed_in_another_tab_is_shown_and_keeps_the_focus(server, open_page, size):
    # There are no tiles at the address.
    page = open_page(server, size, is_lenient=True)
    settings(page)
    other = page.context.new_page()
    go_to(other, server.base)
    settings(other)
    slider = page.get_by_role("slider", name="Alert within")
    switch = page.get_by_role("switch", name="Favourites only")
    switch.focus()
    other.get_by_role("slider", name="Alert within").fill("250")
    other.get_by_role("switch", name="Favourites only").check()
    other.get_by_label("Quiet from").fill("22:00")
    other.get_by_label("Quiet until").fill("07:00")
    other.get_by_label("Streets on the map").fill("https://tiles.example/{z}/{x}/{y}.png")
    other.get_by_label("Streets on the map").blur()
    expect(slider).to_have_value("250")
    expect(slider).to_have_attribute("aria-valuetext", "250 m")
    expect(switch).to_be_checked()
    expect(switch).to_be_focused()
    expect(page.get_by_label("Quiet from")).to_have_value("22:00")
    expect(page.get_by_label("Quiet until")).to_have_value("07:00")
    expect(page.get_by_label("Streets on the map")).to_have_value("https://tiles.example/{z}/{x}/{y}.png")
    # What is being written stays.
    tiles = page.get_by_label("Streets on the map")
    tiles.focus()
    page.keyboard.type("x")
    written = tiles.input_value()
    other.get_by_role("switch", name="Favourites only").uncheck()
    expect(switch).not_to_be_checked()
    expect(tiles).to_have_value(written)
    tiles.fill("https://tiles.example/{z}/{x}/{y}.png")
    # The theme, which the browser stores.
    other.get_by_role("group", name="Look").get_by_role("button", name="Dark").click()
    expect(page.get_by_role("group", name="Look").get_by_role("button", name="Dark")).to_have_attribute(
        "aria-pressed", "true")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_an_answer_that_a_newer_one_overtook_is_not_shown(server, open_page, size):
    page = open_page(server, size)
    settings(page)
    slider = page.get_by_role("slider", name="Alert within")
    held = []

    def hold_first(route):
        """Holds the first answer with the settings, until the test sends it."""
        if held or route.request.method != "GET":
            return route.continue_()
        held.append(None)
        held[0] = (route, route.fetch())

    page.route("**/api/v1/settings?*", hold_first)
    for meters in (60, 250):
        change(server, {"proximityRadius": meters})
        if meters == 60:
            until(page, lambda: bool(held and held[0]), True)
    expect(slider).to_have_value("250")
    route, answer = held[0]
    assert b"60 m" in answer.body()
    route.fulfill(response=answer)
    let_pass(page, 0.5)
    expect(slider).to_have_value("250")
    # A request that is under way when the page closes is nobody's fault.
    page.unroute_all(behavior="ignoreErrors")


def refusing(page, setting):
    """Answers changes of one setting like a server that refuses them."""
    def answer(route):
        body = route.request.post_data_json if route.request.method == "PATCH" else {}
        if setting not in body:
            return route.continue_()
        route.fulfill(status=422, content_type="application/problem+json", body=json.dumps({
            "type": "/problems/bad-setting", "title": "The setting cannot have this value",
            "status": 422, "detail": "An English sentence.", "parameter": setting}))

    page.route("**/api/v1/settings", answer)


def test_a_refused_change_is_put_back_and_others_are_saved(server, open_page, size):
    page = open_page(server, size, is_lenient=True)
    settings(page)
    refusing(page, "favoritesOnly")
    switch = page.get_by_role("switch", name="Favourites only")
    switch.click(force=True)
    expect(page.get_by_text("An English sentence.")).to_be_visible()
    expect(switch).not_to_be_checked()
    refusing(page, "mapTiles")
    tiles = page.get_by_label("Streets on the map")
    tiles.fill("nonsense")
    tiles.press("Enter")
    expect(tiles).to_have_value("")
    page.get_by_role("slider", name="Alert within").fill("250")
    expect(page.get_by_role("status").filter(has_text="Saved").first).to_be_visible()
    becomes(["250 m", "false"], lambda: [
        value(server, name) for name in ("proximityRadius", "favoritesOnly")])


def test_equal_errors_are_one_message_and_others_are_few(server, open_page, size):
    page = open_page(server, size, is_lenient=True)
    settings(page)
    refusing(page, "favoritesOnly")
    switch = page.get_by_role("switch", name="Favourites only")
    for _ in range(5):
        switch.click(force=True)
        expect(switch).not_to_be_checked()
    expect(page.get_by_text("An English sentence.")).to_have_count(1)
    page.get_by_role("tab", name="Nearby").click()
    spot = server.get("spots?limit=1")["items"][0]
    go_to(page, f"{server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    for name in ["Mute this spot", "Hear of it again"] * 2:
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    assert page.locator("#toasts > *").count() <= 3


def test_a_change_while_the_server_is_away_is_shown_and_sent_later(server, open_page, size):
    page = open_page(server, size, is_lenient=True)
    settings(page)
    server.kill()
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_be_attached()
    switch = page.get_by_role("switch", name="Favourites only")
    switch.click(force=True)
    expect(page.get_by_role("status").filter(has_text="Not saved yet").first).to_be_visible()
    expect(switch).to_be_checked()
    # It is sent though another view is shown.
    page.get_by_role("tab", name="Alerts").click()
    server.start()
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    expect(page.get_by_role("status").filter(has_text=re.compile("^Saved")).first).to_be_visible()
    becomes("true", lambda: value(server, "favoritesOnly"))
    settings(page)
    expect(switch).to_be_checked()
    kept = {one["name"]: one for one in json.loads(run(server.folder, "config", "--format", "json"))}
    assert kept["favoritesOnly"]["value"] == "true"


def test_a_place_shows_a_refused_change_as_the_server_has_it(server, open_page, size):
    spot = server.get("spots?limit=1")["items"][0]
    body = {"latitude": spot["latitude"], "longitude": spot["longitude"], "name": "Oak"}
    place = json.loads(server.ask(
        "api/v1/places", "POST", {"Content-Type": "application/json"}, json.dumps(body).encode())[2])
    page = open_page(server, size, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    go_to(page, f"{server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/place/{place['id']}")
    switch = page.get_by_role("switch", name="Its own alert distance")
    expect(switch).to_be_visible()
    page.route(f"**/api/v1/places/{place['id']}", lambda route: route.fulfill(
        status=400, content_type="application/problem+json",
        body='{"type":"/problems/bad-parameter","detail":"Not this."}')
        if route.request.method == "PATCH" else route.continue_())
    switch.click(force=True)
    expect(page.get_by_text("Not this.")).to_be_visible()
    expect(switch).not_to_be_checked()
    name = page.get_by_role("textbox", name="Name", exact=True)
    name.fill("Elm")
    name.press("Enter")
    expect(name).to_have_value("Oak")


def test_a_spanish_page_says_problems_in_spanish(server, open_page, size):
    page = open_page(server, size, is_lenient=True, locale="es-ES")
    page.get_by_role("tab", name="Ajustes").click()
    refusing(page, "favoritesOnly")
    page.get_by_role("switch", name="Solo favoritas").click(force=True)
    expect(page.get_by_text("Este valor no se admite aquí.")).to_be_visible()
    expect(page.get_by_text("English sentence")).to_have_count(0)
    go_to(page, f"{server.base}#10/1/2/spot/aaaaaaaaaaaa")
    expect(page.get_by_role("alert")).to_contain_text("Este sitio ya no está")
    expect(page.get_by_role("alert")).to_contain_text("Sus fotos se eliminaron")
    expect(page.get_by_role("tab", name="Simulación")).to_be_visible()


def test_distances_are_in_miles_where_the_person_wants_them(server, open_page, size):
    page = open_page(server, size)
    settings(page)
    slider = page.get_by_role("slider", name="Alert within")
    expect(slider).to_have_attribute("aria-valuetext", "100 m")
    units = page.get_by_role("group", name="Distances")
    units.get_by_role("button", name="Miles").click()
    expect(slider).to_have_attribute("aria-valuetext", "330 ft")
    until(page, lambda: page.locator("#scale-text").inner_text().split()[-1] in ("ft", "mi"), True)
    reload(page)
    expect(slider).to_have_attribute("aria-valuetext", "330 ft")
    page.get_by_role("tab", name="Nearby").click()
    rows = page.get_by_role("list", name="Spots nearby, nearest first").get_by_role("button")
    expect(rows.first).to_have_accessible_name(re.compile(r" (ft|mi) "))
    page.get_by_role("tab", name="Settings").click()
    units.get_by_role("button", name="Kilometres").click()
    expect(slider).to_have_attribute("aria-valuetext", "100 m")


def test_a_browser_of_the_united_states_measures_in_feet(server, open_page):
    page = open_page(server, locale="en-US")
    settings(page)
    expect(page.get_by_role("slider", name="Alert within")).to_have_attribute("aria-valuetext", "330 ft")
    expect(page.get_by_role("group", name="Distances").get_by_role("button", name="Same as device")) \
        .to_have_attribute("aria-pressed", "true")


def test_the_cooldown_the_age_of_photos_and_the_size_of_a_spot_can_be_set(server, open_page, size):
    page = open_page(server, size)
    settings(page)
    toasts = page.locator("#toasts")
    radius = page.get_by_role("slider", name="Size of a spot")
    radius.fill("30")
    becomes("30 m", lambda: value(server, "clusterRadius"))
    # Only what is decided at a position applies from the next one on.
    expect(toasts).to_contain_text("Saved")
    expect(toasts).not_to_contain_text("next position")
    again = page.get_by_role("combobox", name="The same spot again")
    expect(again.locator("option:checked")).to_have_text("1 day")
    again.select_option(label="7 days")
    becomes("7 d", lambda: value(server, "cooldown"))
    age = page.get_by_role("combobox", name="Age of photos")
    age.select_option(label="5 years")
    becomes("5 y", lambda: value(server, "minimumPhotoAge"))
    expect(toasts).to_contain_text("next position")
    # A duration that is none of the choices, from the settings file.
    change(server, {"cooldown": "36 h"})
    expect(again.locator("option:checked")).to_have_text("36 hours")
    expect(age.locator("option:checked")).to_have_text("5 years")


def test_names_of_towns_can_be_hidden(server, open_page):
    page = open_page(server)
    expect(pins(page).first).to_be_visible()
    visit(page, server, "#7/48.85/2.35/settings")
    names = page.get_by_role("switch", name="Names of towns on the map")
    expect(names).to_be_checked()
    drawn = lambda: page.evaluate("() => document.querySelector('#map canvas').toDataURL()")
    settle(page)
    shown = drawn()
    names.uncheck()
    settle(page)
    hidden = drawn()
    assert hidden != shown
    reload(page)
    expect(names).not_to_be_checked()
    settle(page)
    assert drawn() == hidden
    names.check()
    settle(page)
    assert drawn() == shown
