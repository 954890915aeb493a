"""Logging in and out: codes, the key form, several browsers, and servers beside each other."""

import json
import re

from conftest import DESKTOP, go_to, pins, reload, until
from playwright.sync_api import expect
from server import copied


def form(page):
    return page.get_by_role("form", name="Key")


def made_code(server):
    return json.loads(server.ask("api/v1/codes", "POST")[2])["code"]


def test_a_code_in_the_address_opens_the_page_once(still_server, open_page, size):
    code = made_code(still_server)
    page = open_page(still_server, size, address=f"#pair={code}", is_lenient=True)
    expect(pins(page).first).to_be_visible()
    assert code not in page.url
    # The address is still in the browser's history, but is worth nothing.
    page.context.clear_cookies()
    page.evaluate("localStorage.clear()")
    go_to(page, "about:blank")
    go_to(page, f"{still_server.base}#pair={code}")
    alert = form(page).get_by_role("alert")
    expect(alert).to_have_text("The code is wrong, was used, or is older than ten minutes")


def test_a_page_that_is_shown_before_its_key_was_answered_asks_for_nothing(still_server, open_page):
    page = open_page(still_server, address="icon.svg")
    asked, held = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/api/v1/session", lambda route: held.append(route))
    go_to(page, still_server.address)
    until(page, lambda: len(held), 1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # What it asked for before comes before this.
    page.evaluate("() => fetch('icon.svg').then(() => null)")
    assert not [url for url in asked if "/api/" in url and not url.endswith("/session")]
    held[0].continue_()
    expect(pins(page).first).to_be_visible()


def test_a_wrong_key_in_the_address_is_said(still_server, open_page, size):
    page = open_page(still_server, size, address="#key=" + "0" * 32, is_lenient=True)
    expect(form(page).get_by_role("alert")).to_have_text("The key is wrong")
    page.evaluate("key => location.hash = `key=${key}`", "1" * 32)
    expect(form(page).get_by_role("alert")).to_have_text("The key is wrong")
    page.evaluate("key => location.hash = `key=${key}`", still_server.key)
    expect(pins(page).first).to_be_visible()
    # A browser that is in stays in.
    page.evaluate("key => location.hash = `key=${key}`", "2" * 32)
    expect(page.get_by_text("This browser is logged in already.")).to_be_visible()
    expect(pins(page).first).to_be_visible()


def test_after_ten_wrong_codes_the_form_says_to_wait(server, open_page, size):
    def tried():
        body = json.dumps({"code": "K7Q2-MX9R-T4HD"}).encode()
        status, headers, _ = server.ask(
            "api/v1/session", "POST",
            {"Content-Type": "application/json", "Origin": server.base.rstrip("/")}, body, key=False)
        return status, headers["Retry-After"]

    for _ in range(10):
        assert tried() == (401, None)
    assert tried() == (429, "60")
    page = open_page(server, size, address="", is_lenient=True)
    form(page).get_by_role("textbox", name="Key").fill("K7Q2-MX9R-T4HD")
    form(page).get_by_role("button", name="Open").click()
    expect(form(page).get_by_role("alert")).to_have_text("Too many wrong codes")


def test_the_key_form_stays_when_a_tab_is_touched(still_server, open_page, size):
    page = open_page(still_server, size, address="", is_lenient=True)
    expect(form(page)).to_be_visible()
    for name in ["Alerts", "Settings", "Nearby"]:
        page.get_by_role("tab", name=name).click()
        expect(form(page)).to_be_visible()
    page.get_by_role("tab", name="Alerts").click()
    form(page).get_by_role("textbox", name="Key").fill(still_server.key)
    form(page).get_by_role("button", name="Open").click()
    expect(pins(page).first).to_be_visible()
    expect(page.get_by_role("tab", name="Alerts")).to_have_attribute("aria-selected", "true")


def test_after_a_new_key_an_open_page_asks_for_it(server, open_page, size):
    page = open_page(server, size, is_lenient=True)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    server.stop()
    server.start("--new-key")
    expect(form(page)).to_be_visible()
    page.evaluate("key => location.hash = `key=${key}`", server.key)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    expect(pins(page).first).to_be_visible()


def test_a_lost_token_asks_for_the_key_when_something_is_changed(server, open_page):
    page = open_page(server, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    page.get_by_role("tab", name="Settings").click()
    switch = page.get_by_role("switch", name=re.compile("^Favourites only"))
    expect(switch).to_be_visible()
    page.evaluate("localStorage.removeItem('photospots-token')")
    switch.click(force=True)
    expect(form(page).get_by_role("alert")).to_contain_text("log in once more")
    form(page).get_by_role("textbox", name="Key").fill(server.key)
    form(page).get_by_role("button", name="Open").click()
    page.get_by_role("switch", name=re.compile("^Favourites only")).click(force=True)
    expect(page.get_by_text("Saved")).to_be_visible()


def test_a_browser_lets_another_one_in_ends_it_and_logs_out(server, open_page, size):
    one = open_page(server, size, is_lenient=True)
    expect(pins(one).first).to_be_visible()
    one.get_by_role("tab", name="Settings").click()
    one.get_by_role("button", name="Let another browser in").click()
    said = one.get_by_role("status").filter(has_text="It works once")
    code = re.search(r"(?:[0-9A-Z]{4}-){2}[0-9A-Z]{4}", said.inner_text())[0]
    other = open_page(server, DESKTOP, address="", is_lenient=True)
    form(other).get_by_role("textbox", name="Key").fill(code.lower())
    form(other).get_by_role("button", name="Open").click()
    expect(pins(other).first).to_be_visible()
    one.get_by_role("tab", name="Nearby").click()
    one.get_by_role("tab", name="Settings").click()
    expect(one.get_by_text("This browser")).to_be_visible()
    end = one.get_by_role("button", name="End the session of Chrome on Linux")
    expect(end).to_have_count(1)
    end.click()
    expect(end).to_have_count(0)
    other.get_by_role("tab", name="Alerts").click()
    other.get_by_role("tab", name="Settings").click()
    expect(form(other)).to_be_visible()
    cookies = one.context.cookies()
    one.get_by_role("button", name="Log out").click()
    expect(form(one)).to_be_visible()
    # The cookie is worth nothing, even to those who kept it.
    until(one, one.context.cookies, [])
    kept = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies)
    assert server.ask("api/v1/status", headers={"Cookie": kept}, key=False)[0] == 401


def test_two_tabs_of_a_browser_log_in_and_out_together(server, open_page):
    page = open_page(server, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    second = page.context.new_page()
    go_to(second, server.base)
    expect(pins(second).first).to_be_visible()
    second.get_by_role("tab", name="Settings").click()
    second.get_by_role("button", name="Log out").click()
    expect(form(second)).to_be_visible()
    page.get_by_role("tab", name="Settings").click()
    expect(form(page)).to_be_visible()
    form(page).get_by_role("textbox", name="Key").fill(server.key)
    form(page).get_by_role("button", name="Open").click()
    expect(form(page)).to_have_count(0)
    expect(pins(page).first).to_be_visible()
    second.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(form(second)).to_have_count(0)
    expect(pins(second).first).to_be_visible()


def test_two_servers_on_a_host_work_side_by_side_in_one_browser(
        library, make_server, tmp_path, open_page):
    first = make_server(copied(library, tmp_path / "first"))
    second = make_server(copied(library, tmp_path / "second"))
    page = open_page(first, is_lenient=True)
    expect(pins(page).first).to_be_visible()
    other = page.context.new_page()
    go_to(other, second.address)
    expect(pins(other).first).to_be_visible()
    names = {cookie["name"] for cookie in page.context.cookies()}
    assert names == {f"photospots-{first.port}", f"photospots-{second.port}"}
    for one in [page, other]:
        reload(one)
        expect(pins(one).first).to_be_visible()
        one.get_by_role("tab", name="Settings").click()
        one.get_by_role("switch", name=re.compile("^Favourites only")).click(force=True)
        expect(one.get_by_text("Saved")).to_be_visible()
    # The browser sends the second server the first one's cookie, which changes nothing there.
    cookies = "; ".join(
        f"{cookie['name']}={cookie['value']}" for cookie in page.context.cookies())
    stolen = {"Cookie": cookies, "Origin": first.base.rstrip("/")}
    status, _, body = first.ask(
        "api/v1/settings", "PATCH", {**stolen, "Content-Type": "application/merge-patch+json"},
        b'{"proximityRadius":"77 m"}', key=False)
    assert (status, json.loads(body)["type"]) == (403, "/problems/no-token")
    other.get_by_role("button", name="Log out").click()
    expect(form(other)).to_be_visible()
    reload(page)
    expect(pins(page).first).to_be_visible()
