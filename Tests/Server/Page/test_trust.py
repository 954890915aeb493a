"""The page by https in a network without a domain: serve --lan, and how a phone comes to trust it."""

import hashlib
import plistlib
import ssl
import urllib.request

import pytest
from conftest import pins
from playwright.sync_api import expect
from server import Server, becomes, copied


@pytest.fixture
def home(library, tmp_path):
    """A server with a certificate of its own authority."""
    server = Server(copied(library, tmp_path / "library"))
    yield server.start("--lan")
    server.stop()


def test_a_phone_gets_the_certificate_and_compares_its_fingerprint(home, open_page, size):
    page = open_page(home, size)
    expect(pins(page).first).to_be_visible()
    assert page.evaluate("isSecureContext")
    page.get_by_role("tab", name="Settings").click()
    page.get_by_text("How a phone comes to trust this machine").click()
    expect(page.locator("ol.steps > li")).to_have_count(3)

    authority = ssl.PEM_cert_to_DER_cert(
        (home.folder / "photospots" / "home-authority.pem").read_text().split("-----END PRIVATE KEY-----")[1].strip())
    digits = hashlib.sha256(authority).hexdigest()
    grouped = " ".join(digits[start:start + 4] for start in range(0, 16, 4))
    expect(page.locator("details.trust").get_by_role("status")).to_contain_text(grouped)

    with page.expect_download() as download:
        page.get_by_role("link", name="Get it for Android").click()
    assert download.value.path().read_bytes() == authority
    address = page.get_by_role("link", name="Get it for an iPhone").evaluate("link => link.href")
    status, headers, body = home.ask(address.removeprefix(home.base))
    assert (status, headers["Content-Type"]) == (200, "application/x-apple-aspen-config")
    profile = plistlib.loads(body)
    assert profile["PayloadContent"][0]["PayloadContent"] == authority


def test_without_an_authority_the_settings_do_not_mention_it(still_server, open_page, size):
    page = open_page(still_server, size)
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_role("button", name="Let another browser in")).to_be_visible()
    expect(page.get_by_text("How a phone comes to trust this machine")).to_have_count(0)
    status, _, _ = still_server.ask("api/v1/authority")
    assert status == 404


def test_a_switch_lets_phones_of_the_network_in_and_out(library, tmp_path, make_server, open_page):
    server = make_server(copied(library, tmp_path / "library"))
    page = open_page(server, is_lenient=True)
    page.get_by_role("tab", name="Settings").click()
    allowed = page.get_by_role("switch", name="Let phones on this network in")
    expect(allowed).not_to_be_checked()

    def answers_by_tls():
        authority = server.folder / "photospots" / "home-authority.pem"
        try:
            context = ssl.create_default_context(cafile=authority)
            with urllib.request.urlopen(f"https://127.0.0.1:{server.port}/", context=context) as answer:
                return answer.status == 200
        except OSError:
            return False

    def has_authority():
        try:
            return "authority" in server.get("status")["features"]
        except OSError:
            return None

    for is_on in (True, False):
        allowed.click()
        becomes(is_on, answers_by_tls)
        # This browser goes on without TLS, and is still logged in.
        becomes(is_on, has_authority)
        expect(page.get_by_role("status").filter(has_text="Live")).to_be_attached()
        if is_on:
            expect(allowed).to_be_checked()
        else:
            expect(allowed).not_to_be_checked()
