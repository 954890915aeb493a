"""The links of alerts, and the page that they open without a key."""

import json
import time

import pytest
from conftest import DESKTOP, PHONE, go_to
from playwright.sync_api import expect
from server import becomes, copied


@pytest.fixture
def linked(library, make_server, tmp_path):
    """A server whose alerts go to a hook, which waits for a file; and the links of an alert."""
    server = make_server(copied(library, tmp_path / "library"))
    server.stop()
    hook = tmp_path / "hook"
    hook.write_text(f"""#!/bin/sh
cat > /dev/null
echo "$PHOTOSPOTS_MUTE_LINK $PHOTOSPOTS_NOT_NOW_LINK" > {tmp_path}/links.new
mv {tmp_path}/links.new {tmp_path}/links
until [ -e {tmp_path}/go ]; do sleep 0.1; done
""")
    hook.chmod(0o755)
    settings = server.folder / "photospots" / "config.json"
    settings.write_text(json.dumps({"pageAddress": server.base.rstrip("/")}))
    server.start("--hook", str(hook))

    def alert():
        spot = server.get("spots?limit=1")["items"][0]
        server.walk_to(spot["latitude"], spot["longitude"])
        becomes(True, (tmp_path / "links").exists)
        return spot, (tmp_path / "links").read_text().split()

    yield server, alert, lambda: (tmp_path / "go").touch()
    (tmp_path / "go").touch()


@pytest.mark.parametrize("locale,title,question,button,done,used", [
    ("en-GB", "PhotoSpots", "Mute this spot until 30 days after the alert?", "Mute",
     "This spot sends no alerts until 30 days after this one.", "This link was used already"),
    ("es-ES", "PhotoSpots", "¿Silenciar este sitio hasta 30 días después del aviso?", "Silenciar",
     "Este sitio no avisa hasta 30 días después de este aviso.", "Este enlace ya se usó"),
])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_names_the_spot_mutes_it_once_and_looks_like_the_page(
        linked, browser, locale, title, question, button, done, used, theme):
    server, alert, go = linked
    spot, (mute, _) = alert()
    go()
    context = browser.new_context(viewport=PHONE, locale=locale, color_scheme=theme)
    page = context.new_page()
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("console", lambda message: failed.append(message.text))
    go_to(page, mute)
    expect(page.get_by_role("heading", name=spot["title"])).to_be_visible()
    expect(page.get_by_text(question)).to_be_visible()
    assert server.get("mutes")["items"] == []
    colours = page.evaluate("""() => [document.body, document.querySelector("button")].map(one =>
        getComputedStyle(one).backgroundColor)""")
    assert colours == {"light": ["rgb(244, 241, 234)", "rgb(194, 65, 12)"],
                       "dark": ["rgb(20, 24, 27)", "rgb(255, 146, 86)"]}[theme]
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text(done)).to_be_visible()
    expect(page.get_by_role("heading", name=spot["title"])).to_be_visible()
    [kept] = server.get("mutes")["items"]
    assert kept["spot"] == spot["id"] and kept["until"]
    days = (time.mktime(time.strptime(kept["until"][:19], "%Y-%m-%dT%H:%M:%S")) - time.time()) / 86_400
    assert 28.5 < days < 30.5
    # Unmuted by its owner, it stays so.
    server.ask(f"api/v1/mutes/{spot['id']}", "DELETE")
    response = go_to(page, mute)
    assert response.status == 410
    expect(page.get_by_text(used)).to_be_visible()
    assert server.ask(mute.removeprefix(server.base), "POST", key=False)[0] == 410
    assert server.get("mutes")["items"] == []
    assert [one for one in failed if "410" not in one] == []
    context.close()


def test_an_alert_says_that_it_is_sent_when_it_is(linked, open_page):
    server, alert, go = linked
    page = open_page(server, DESKTOP)
    page.get_by_role("tab", name="Alerts").click()
    expect(page.get_by_role("heading", name="No alerts yet")).to_be_visible()
    alert()
    card = page.get_by_role("tabpanel").get_by_role("listitem")
    expect(card).to_contain_text("not sent yet to hook")
    go()
    expect(card).not_to_contain_text("not sent yet")
    expect(card).to_contain_text("sent to hook")
    expect(card).to_have_count(1)
