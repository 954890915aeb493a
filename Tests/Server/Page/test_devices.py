"""Devices in the settings: a clock that is off, speeds in another unit, and reports that are refused."""

import base64
import json
import time

import pytest
from conftest import go_to, let_pass, until
from playwright.sync_api import expect
from server import TOKEN


def report(server, **members):
    """Sends a report of the phone, like OwnTracks."""
    login = base64.b64encode(f"phone:{TOKEN}".encode()).decode()
    status, _, body = server.ask(
        "feed", "POST", {"Authorization": f"Basic {login}", "Content-Type": "application/json"},
        json.dumps({"_type": "location", "acc": 5, **members}).encode(), key=False)
    assert status == 200, (status, body)


def phone(server):
    """What the API says of the phone; nothing before its first report is stored."""
    return next(iter(server.get("devices")["items"]), {})


def shown(page, server):
    """The phone in the settings, as text."""
    go_to(page, server.base)
    page.get_by_role("tab", name="Settings").click()
    return page.locator("li[data-key=phone]")


def test_a_clock_that_is_off_is_named_with_its_correction(server, open_page, size):
    page = open_page(server, size)

    def is_known():
        # A shift is certain after reports over ten seconds.
        report(server, lat=10, lon=20, tst=int(time.time()) + 7200)
        let_pass(page, 3)
        return "clockShift" in phone(server)

    until(page, is_known, True)
    row = shown(page, server)
    expect(row).to_contain_text("its clock is 120 minutes ahead, which is corrected")
    expect(row).to_contain_text("heard on")


def test_speeds_in_another_unit_are_named_with_their_correction(server, open_page, size):
    page = open_page(server, size)
    # Three metres a second to the north, of which the phone says 38.88 km/h: its app took m/s for km/h.
    start = int(time.time()) - 300
    for seconds in range(0, 300, 10):
        report(server, lat=10 + 3 * seconds / 111_195, lon=20, tst=start + seconds, vel=3 * 3.6 * 3.6)
    until(page, lambda: "speedFactor" in phone(server), True)
    expect(shown(page, server)).to_contain_text(
        "it reports 360% of its real speed, which is corrected")


@pytest.mark.parametrize("members, reason", [
    ({"lat": 0, "lon": 0}, "5 with an impossible position"),
    ({"lat": 10, "lon": 20, "acc": 5000}, "5 too inaccurate"),
])
def test_refused_reports_are_counted_with_their_reason(server, open_page, size, members, reason):
    page = open_page(server, size)
    start = int(time.time()) - 60
    for number in range(5):
        report(server, tst=start + 10 * number, **members)
    report(server, _type="lwt", tst=start)
    until(page, lambda: phone(server).get("reports", {}).get("received"), 6)
    row = shown(page, server)
    expect(row).to_contain_text("6 reports · 0 accepted · 1 without a position")
    expect(row).to_contain_text(f"5 refused ({reason})")
    expect(row).to_contain_text("Its last reports cannot raise an alert.")
