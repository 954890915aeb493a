"""Changes while the page is open: fixes, alerts, and a server that stops and restarts."""

import re

import pytest
from conftest import counted, go_to, let_pass, reload, show_all, until
from playwright.sync_api import expect


def live(page):
    return page.get_by_role("status").filter(has_text="Live")


def opened_at(open_page, server, spot, size, **options):
    """Opens the page at a spot, which is then the nearest to the middle of the map."""
    page = opened(open_page, server, size, **options)
    go_to(page, f"{server.base}#15/{spot['latitude']:.6f}/{spot['longitude']:.6f}/nearby")
    expect(live(page)).to_be_attached()
    return page


def opened(open_page, server, size, **options):
    page = open_page(server, size, **options)
    expect(live(page)).to_be_attached()
    return page


def largest(server):
    return server.get("spots?limit=1")["items"][0]


def nearest(page):
    return page.get_by_role("button", name=re.compile("^Nearest: "))


def test_a_fix_updates_the_list_and_keeps_the_focus(server, open_page, size):
    spot = largest(server)
    server.send(spot["latitude"] + 0.0045, spot["longitude"])
    page = opened(open_page, server, size)
    expect(page.get_by_text("Your phone")).to_be_visible()
    rows = page.get_by_role("list", name="Spots nearby, nearest first").get_by_role("button")
    expect(rows.first).to_be_visible()
    rows.nth(2).focus()
    focused = page.evaluate("document.activeElement.closest('li').dataset.key")
    scroll = page.get_by_role("tabpanel").evaluate("view => view.scrollTop = 120")
    here = (spot["latitude"] + 0.0009, spot["longitude"])
    server.send(*here)
    answer = server.get(f"spots?near={here[0]:.6f},{here[1]:.6f}&limit=4")["items"]
    first = answer[0]
    photos = "1 photo" if first["photoCount"] == 1 else f"{first['photoCount']} photos"
    meters = round(first["distance"] / 5) * 5
    # The list may add to the title what tells the spot apart.
    expected = re.compile(
        rf"^Nearest: {re.escape(first['title'])}(, | \().*{meters} m [a-z-]+, {photos}, ")
    expect(page.get_by_role("button", name=expected)).to_be_visible()
    row = rows.first.get_attribute("aria-label")
    assert row.startswith(answer[1]["title"]), row
    assert page.evaluate("document.activeElement.closest('li')?.dataset.key") == focused
    assert page.get_by_role("tabpanel").evaluate("view => view.scrollTop") == scroll


def test_a_fix_does_not_close_an_open_cluster(server, open_page, size):
    spot = largest(server)
    page = opened(open_page, server, size)
    show_all(page)
    pin = page.get_by_role("button", name=re.compile(" spots$")).first
    expect(pin).to_be_visible()
    pin.click()
    cells = page.get_by_role("list", name="Spots here").get_by_role("button")
    expect(cells.first).to_be_visible()
    server.send(spot["latitude"], spot["longitude"])
    # Nothing shows that the fix arrived: the list is still there a while later.
    let_pass(page, 0.6)
    expect(cells.first).to_be_visible()


def test_an_alert_is_announced_counted_and_opens_its_spot(server, open_page, size):
    spot = largest(server)
    page = opened_at(open_page, server, spot, size)
    expect(nearest(page)).to_be_visible()
    server.walk_to(spot["latitude"], spot["longitude"])
    message = page.get_by_role("status").filter(has=page.get_by_role("button", name="Show"))
    expect(message).to_contain_text(spot["title"])
    tab = page.get_by_role("tab", name="Alerts")
    expect(tab).to_contain_text("1")
    expect(tab).to_have_accessible_description("1 new")
    message.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name=spot["title"])).to_be_focused()
    expect(page.get_by_text("You are here", exact=True)).to_be_visible()
    tab.click()
    expect(tab).to_have_accessible_description("")
    expect(page.get_by_role("button", name=re.compile(re.escape(spot["title"]))).first).to_be_visible()


def test_after_a_reconnection_missed_alerts_appear_once(server, open_page, size):
    spot = largest(server)
    page = opened_at(open_page, server, spot, size, is_lenient=True)
    expect(nearest(page)).to_be_visible()
    shown = nearest(page).get_attribute("aria-label")
    server.kill()
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_be_attached()
    assert nearest(page).get_attribute("aria-label") == shown
    server.start()
    server.walk_to(spot["latitude"], spot["longitude"])
    expect(live(page)).to_be_attached()
    tab = page.get_by_role("tab", name="Alerts")
    expect(tab).to_have_accessible_description("1 new")
    tab.click()
    total = server.get("alerts?limit=1")["total"]
    cards = page.get_by_role("tabpanel").get_by_role("listitem")
    expect(cards).to_have_count(min(50, total))


def test_a_view_that_could_not_be_loaded_is_loaded_when_the_server_answers_again(server, open_page, size):
    page = opened(open_page, server, size, is_lenient=True)
    page.context.route("**/views/replay.js", lambda route: route.abort())
    reload(page)
    expect(live(page)).to_be_attached()
    page.get_by_role("tab", name="Replay").click()
    problem = page.get_by_role("alert").filter(has_text="PhotoSpots does not answer")
    expect(problem).to_be_visible()
    server.kill()
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_be_attached()
    page.context.unroute("**/views/replay.js")
    server.start()
    expect(live(page)).to_be_attached()
    expect(page.get_by_label("Choose a recorded track")).to_be_attached()
    expect(problem).to_have_count(0)


def test_a_spot_shows_distance_and_direction_as_the_position_changes(server, open_page, size):
    spot = largest(server)
    server.send(spot["latitude"] + 0.002, spot["longitude"])
    page = opened(open_page, server, size)
    expect(nearest(page)).to_be_visible()
    page.get_by_role("button", name="All years").click()
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    server.send(spot["latitude"] + 0.0009, spot["longitude"])
    expect(page.get_by_text(re.compile(r"^100 m south$"))).to_be_visible()
    server.send(spot["latitude"] + 0.00002, spot["longitude"])
    expect(page.get_by_text("You are here", exact=True)).to_be_visible()


def test_following_centers_the_position_until_the_map_is_moved(server, open_page, size):
    spot = largest(server)
    server.send(spot["latitude"], spot["longitude"])
    page = opened(open_page, server, size)
    button = page.get_by_role("button", name="Follow my position")
    expect(page.get_by_text("Your phone")).to_be_visible()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    server.send(spot["latitude"] + 0.01, spot["longitude"])
    until(page, lambda: float(page.url.split("/")[4]), pytest.approx(spot["latitude"] + 0.01, abs=1e-4))
    page.get_by_role("group", name="Map", exact=True).press("ArrowLeft")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_the_empty_alert_list_links_to_connecting_a_phone(server, open_page, size):
    page = opened(open_page, server, size)
    page.get_by_role("tab", name="Alerts").click()
    expect(page.get_by_role("heading", name="No alerts yet")).to_be_visible()
    page.get_by_role("button", name="Connect a phone").click()
    expect(page.get_by_text(f"{server.base}feed")).to_be_visible()


def test_newly_indexed_photos_appear_without_a_reload(make_server, open_page, tmp_path, size):
    from server import make_library, photos_folder, run
    photos = tmp_path / "photos"
    photos.mkdir()
    server = make_server(make_library(tmp_path / "library", photos))
    page = opened(open_page, server, size)
    expect(page.get_by_role("heading", name="Where are your photos?")).to_be_visible()
    run(server.folder, "index", photos_folder())
    status = page.get_by_role("status").filter(has_text=re.compile("[1-9].* in view"))
    expect(status).to_be_attached()
    assert counted(status.inner_text()) == server.get("status")["photos"]
    expect(page.get_by_role("list", name="Spots nearby, nearest first")).to_be_visible()


def test_the_progress_of_indexing_is_shown_until_it_is_done(still_server, open_page, size):
    page = opened(open_page, still_server, size)
    events = [("progress", '{"folder":"/photos","scanned":1200,"located":900,"secondsLeft":40}')]
    page.route("**/api/v1/events*", lambda route: route.fulfill(
        content_type="text/event-stream",
        body="retry: 200\n\n" + "".join(
            f"id: a-1\nevent: {name}\ndata: {data}\n\n" for name, data in events)))
    reload(page)
    status = page.get_by_role("status").filter(has_text="Reading photos")
    expect(status).to_contain_text("1,200 read, 900 with a place")
    expect(status).to_contain_text("40 s left")
    events[:] = [("index", "{}")]
    expect(status).to_be_hidden()
