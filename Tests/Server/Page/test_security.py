"""The permissions of the page, and requests that the server rejects."""

import json
import re

import pytest
from conftest import pins, settle
from playwright.sync_api import expect


def test_the_page_does_not_violate_its_security_policy(still_server, open_page, size):
    page = open_page(still_server, size)
    reports = []
    page.on("console", lambda message: reports.append(message.text)
            if "Content Security Policy" in message.text else None)
    expect(pins(page).first).to_be_visible()
    for name in ("Alerts", "Replay", "Settings", "Nearby"):
        page.get_by_role("tab", name=name).click()
        settle(page)
    rows = page.get_by_role("list", name="Spots nearby, nearest first").get_by_role("button")
    rows.first.click()
    page.get_by_role("list", name="Photos by year").get_by_role("button").first.click()
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    assert reports == []


def test_the_security_policy_forbids_inline_code(still_server):
    _, headers, _ = still_server.ask("", key=False)
    policy = headers["Content-Security-Policy"]
    for rule in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


PROBLEMS = [
    ("api/v1/status", "GET", {"Host": "evil.test"}, True, 421, "wrong-host"),
    ("api/v1/mutes/aaaaaaaaaaaa", "PUT", {"Origin": "http://evil.test"}, False, 403, "wrong-origin"),
    ("api/v1/status", "GET", {}, False, 401, "no-key"),
    ("api/v1/photos/../x", "GET", {}, True, 404, None),
    ("api/v1/photos/%2e%2e%2fx", "GET", {}, True, 404, None),
    ("api/v1/photos/aaaaaaaaaaaaaaaa", "GET", {}, True, 404, "no-such-photo"),
    ("api/v1/spots/aaaaaaaaaaaa", "GET", {}, True, 404, "no-such-spot"),
    ("api/v1/nothing", "GET", {}, True, 404, "not-found"),
    ("api/v1/status", "DELETE", {}, True, 405, "wrong-method"),
    ("api/v1/spots?near=1,2&near=3,4", "GET", {}, True, 400, "bad-parameter"),
    ("api/v1/spots?nonsense=1", "GET", {}, True, 400, "bad-parameter"),
    ("api/v1/spots?near=1,2&box=1,2,3,4", "GET", {}, True, 400, "bad-parameter"),
]


@pytest.mark.parametrize("path,method,headers,key,status,slug", PROBLEMS, ids=lambda one: str(one)[:40])
def test_rejected_requests_return_problem_details(still_server, path, method, headers, key, status, slug):
    code, answered, body = still_server.ask(path, method, headers, b"" if method == "PUT" else None, key)
    assert code == status
    assert answered["Content-Type"].startswith("application/problem+json")
    problem = json.loads(body)
    assert problem["status"] == status and problem["title"]
    if slug:
        assert problem["type"] == f"/problems/{slug}"


def test_static_files_need_no_key_and_have_at_most_100_kb(still_server):
    _, _, html = still_server.ask("", key=False)
    text = html.decode()
    names = re.findall(r'(?:src|href)="([^"#]+)"', text)
    total = 0
    for name in ["", *sorted(set(names)), "icons.svg"]:
        status, headers, body = still_server.ask(
            name, headers={"Accept-Encoding": "gzip"}, key=False)
        assert status == 200, name
        total += len(body)
    assert total <= 100_000
    assert not re.search(r"<style|<script(?! type=\"module\" src)| style=| on\w+=", text)
