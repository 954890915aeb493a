"""Phones: one comes in by a code, is offered apps, reports, is renamed and removed."""

import json
import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import LOOKS, PHONE, SIZES, go_to, pins, reload, settle
from playwright.sync_api import expect
from server import becomes
from test_accessibility import OPTIONS

NAME = "Ana's <b>phone</b>"


def settings(page):
    # A view that is chosen before the page has started is drawn again when it has.
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_role("textbox", name="Name of the phone")).to_be_visible()


def invite(page, name):
    """Opens the dialog for a phone of a name, and returns it."""
    page.get_by_role("textbox", name="Name of the phone").fill(name)
    page.get_by_role("button", name="Add a phone").click()
    dialog = page.get_by_role("dialog", name=f"Scan this with {name}")
    expect(dialog.get_by_role("status")).to_have_text("Waiting for the phone")
    return dialog


def link_of(page, dialog):
    """The link that a dialog copies."""
    # Browsers under test have no clipboard; what is copied is noted.
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    dialog.get_by_role("button", name="Copy the link").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    return page.evaluate("window.copied")


def code_for(server, name):
    status, _, body = server.ask(
        "api/v1/codes", "POST", {"Content-Type": "application/json"}, json.dumps({"phone": name}).encode())
    assert status == 201, body
    return json.loads(body)


def come_in(server, open_page, link, size=PHONE, **options):
    """Opens a link on a phone, and lets it in."""
    phone = open_page(server, size, address=link.removeprefix(server.base), is_lenient=True, **options)
    phone.get_by_role("button", name="Let this phone in").click()
    return phone


def report(server, token, path="feed"):
    """Sends a position as Traccar Client does; returns the status."""
    body = f"id=x&lat=48.86&lon=2.29&accuracy=8&timestamp={int(__import__('time').time())}".encode()
    return server.ask(f"{path}/{token}", "POST", {}, body, key=False)[0]


def token_on(phone):
    """The token that a phone shows for another app."""
    phone.get_by_role("button", name="Show how to set up Another app").click()
    return phone.locator("#how-other code").last.inner_text()


def test_a_phone_comes_in_by_its_code_and_is_offered_apps(server, open_page, size):
    page = open_page(server, size)
    settings(page)
    dialog = invite(page, NAME)
    image = dialog.get_by_role("img", name="QR code to open PhotoSpots on the phone")
    expect(image).to_be_visible()
    assert image.bounding_box()["width"] >= 240
    link = link_of(page, dialog)
    assert re.fullmatch(re.escape(server.base) + r"#pair=[0-9A-HJKMNP-TV-Z]{12}&phone", link)
    # It is honest about an address that only this machine knows.
    expect(dialog.get_by_text("A phone cannot open this address")).to_be_visible()

    phone = open_page(server, PHONE, address=link.removeprefix(server.base), is_lenient=True)
    ask = phone.get_by_role("dialog", name="Let this phone in?")
    expect(ask).to_be_visible()
    # Opening the link uses nothing up.
    assert server.get("phones")["total"] == 0
    expect(dialog).to_be_visible()
    ask.get_by_role("button", name="Let this phone in").click()

    apps = phone.get_by_role("dialog", name="Which app should send your position?")
    expect(apps.get_by_text(f"{NAME} can see the photos now.")).to_be_visible()
    assert "pair" not in phone.url
    for name in ("OwnTracks", "Overland (iPhone)", "Traccar Client"):
        href = apps.get_by_role("link", name=f"Set up {name}", exact=True).get_attribute("href")
        assert href.startswith(("owntracks:///config?inline=", "overland://setup?", "org.traccar.client://config?"))
    expect(apps.get_by_text("Allow external configuration")).to_be_visible()
    expect(dialog).not_to_be_attached()
    expect(page.get_by_role("button", name="Add a phone")).to_be_focused()
    expect(page.get_by_text("127.0.0.1").first).to_be_visible()
    expect(page.get_by_role("button", name=f"Rename or remove {NAME}")).to_be_attached()

    token = token_on(phone)
    assert len(token) == 32 and report(server, token) == 200
    expect(apps.get_by_text(re.compile(r"^Arrived: \d\d:\d\d, accurate to 10 m$"))).to_be_visible()
    expect(page.get_by_text("Traccar Client, last used today")).to_be_visible()
    apps.get_by_role("button", name="Later: only look at the photos").click()
    expect(pins(phone).first).to_be_visible()
    # The first steps, once: three cards, which can be skipped.
    steps = phone.get_by_role("region", name="First steps")
    expect(steps.get_by_role("heading", name="Your photos, where you took them")).to_be_visible()
    assert Axe().run(phone, options=OPTIONS).response["violations"] == []
    steps.get_by_role("button", name="Next").click()
    expect(steps.get_by_role("heading", name="What is near")).to_be_focused()
    steps.get_by_role("button", name="Next").press("Enter")
    expect(steps.get_by_text("3 of 3")).to_be_visible()
    expect(steps.get_by_role("button", name="Skip")).to_be_hidden()
    steps.get_by_role("button", name="Done").click()
    expect(steps).not_to_be_attached()
    expect(phone.get_by_role("group", name="Map", exact=True)).to_be_focused()
    reload(phone)
    expect(pins(phone).first).to_be_visible()
    expect(apps).not_to_be_attached()
    expect(steps).not_to_be_attached()


def test_a_phone_is_renamed_and_removed_and_its_browser_with_it(server, open_page, size):
    phone = come_in(server, open_page, code_for(server, "Ana")["link"])
    token = token_on(phone)
    page = open_page(server, size)
    settings(page)
    more = page.get_by_role("button", name="Rename or remove Ana")
    more.click()
    page.get_by_role("textbox", name="New name").fill("Berta")
    page.get_by_role("button", name="Rename", exact=True).click()
    more = page.get_by_role("button", name="Rename or remove Berta")
    expect(more).to_be_visible()
    assert report(server, token) == 200
    more.click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("Remove Berta? It can then no longer open the page.")).to_be_visible()
    assert server.get("phones")["total"] == 1
    page.get_by_role("button", name="Yes, remove it").click()
    expect(more).not_to_be_attached()
    assert report(server, token) == 401
    reload(phone)
    expect(phone.get_by_role("form", name="Key")).to_be_visible()


def test_a_name_that_is_taken_is_said_and_a_stranger_is_sent_away(server, open_page, size):
    come_in(server, open_page, code_for(server, "Ana")["link"])
    becomes(1, lambda: server.get("phones")["total"])
    page = open_page(server, size, is_lenient=True)
    settings(page)
    page.get_by_role("textbox", name="Name of the phone").fill("ana")
    page.get_by_role("button", name="Add a phone").click()
    expect(page.get_by_text("Another phone has this name")).to_be_visible()
    dialog = invite(page, "Ben")
    stranger = come_in(server, open_page, link_of(page, dialog))
    expect(dialog).not_to_be_attached()
    page.get_by_role("button", name="Not me").click()
    expect(page.get_by_role("button", name="Rename or remove Ben")).not_to_be_attached()
    becomes(["Ana"], lambda: [one["name"] for one in server.get("phones")["items"]])
    reload(stranger)
    expect(stranger.get_by_role("form", name="Key")).to_be_visible()


def test_a_used_code_and_a_refusal_lead_to_the_key_form(server, open_page):
    link = code_for(server, "Ana")["link"]
    phone = open_page(server, PHONE, address=link.removeprefix(server.base), is_lenient=True)
    phone.get_by_role("button", name="Not now").click()
    expect(phone.get_by_role("form", name="Key")).to_be_visible()
    assert server.get("phones")["total"] == 0
    # The code is still worth something, entered in the address of the open page.
    phone.evaluate("link => location.hash = new URL(link).hash", link)
    phone.get_by_role("button", name="Let this phone in").click()
    expect(phone.get_by_role("dialog", name="Which app should send your position?")).to_be_visible()
    other = come_in(server, open_page, link)
    expect(other.get_by_role("alert")).to_have_text("The code is wrong, was used, or is older than ten minutes")


@pytest.mark.parametrize("lost", ["styles/phones.css", "phones/letin.js"])
def test_a_phone_whose_network_loses_a_file_is_not_left_waiting(server, open_page, lost):
    link = code_for(server, "Anna")["link"]
    page = open_page(server, PHONE, address="", is_lenient=True)
    go_to(page, "about:blank")
    page.context.route(f"**/{lost}", lambda route: route.abort())
    go_to(page, server.base + link[link.index("#"):])
    question = page.get_by_role("button", name="Let this phone in")
    key = page.get_by_role("form", name="Key")
    expect(question.or_(key)).to_be_visible()


def test_a_new_code_replaces_the_picture_and_an_old_one_is_said(server, open_page):
    page = open_page(server, PHONE)
    settings(page)
    page.clock.install()
    dialog = invite(page, "Ana")
    first = link_of(page, dialog)
    dialog.get_by_role("button", name="New code").click()
    expect(dialog.get_by_role("button", name="Copy the link")).to_be_visible()
    assert link_of(page, dialog) != first
    page.clock.fast_forward(601_000)
    expect(dialog.get_by_role("status")).to_have_text("This code is too old. Make a new one.")
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_attached()


def test_the_page_of_a_phone_speaks_spanish(server, open_page):
    phone = open_page(
        server, PHONE, address=code_for(server, "Ana")["link"].removeprefix(server.base), is_lenient=True,
        locale="es-ES")
    phone.get_by_role("button", name="Dejar entrar a este teléfono").click()
    expect(phone.get_by_text("Ana ya puede ver las fotos.")).to_be_visible()
    expect(phone.get_by_role("link", name="Configurar OwnTracks")).to_be_visible()


@pytest.mark.parametrize("view", ["invitation", "question", "apps", "change"])
@pytest.mark.parametrize("size,theme", LOOKS)
def test_the_views_of_phones_are_accessible_and_fit(server, open_page, view, theme, size):
    if view in ("question", "apps"):
        link = code_for(server, "W" * 64)["link"]
        page = open_page(server, size, address=link.removeprefix(server.base), is_lenient=True, theme=theme)
        if view == "apps":
            page.get_by_role("button", name="Let this phone in").click()
            expect(page.get_by_role("dialog", name="Which app should send your position?")).to_be_visible()
            for how in page.get_by_role("button", name=re.compile("^Show how to set up")).all():
                how.click()
    else:
        page = open_page(server, size, theme=theme)
        come_in(server, open_page, code_for(server, "Ana")["link"])
        settings(page)
        if view == "invitation":
            invite(page, "W" * 64)
        else:
            page.get_by_role("button", name="Rename or remove Ana").click()
            page.get_by_role("button", name="Remove", exact=True).click()
    settle(page)
    found = Axe().run(page, options=OPTIONS).response["violations"]
    assert [(one["id"], node["html"][:160], node["failureSummary"][:300])
            for one in found for node in one["nodes"]] == []
    scope = "dialog[open]" if view != "change" else ".phones"
    small = page.evaluate("""(scope) => [...document.querySelectorAll(`${scope} :is(button, a, input)`)]
      .filter(one => one.checkVisibility())
      .filter(one => { const box = one.getBoundingClientRect(); return box.height < 43.9 || box.width < 43.9 })
      .map(one => one.outerHTML.slice(0, 120))""", scope)
    assert small == []
    for width in (320, size["width"]):
        page.set_viewport_size({"width": width, "height": size["height"]})
        wide = page.evaluate("""(scope) => [...document.querySelectorAll(`${scope}, ${scope} *`)]
          .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
          .map(one => one.outerHTML.slice(0, 120))""", scope)
        assert wide == [], width
