"""Compare and Take it again: acceptance 9 to 13."""

import hashlib
import io
import math
import os
import re
import urllib.parse

import pytest
from album import make_album, scene, seen
from conftest import DESKTOP, IS_NARROW, LOOKS, PHONE, SIZES, go_to, log_in, pins, reload, settle
from playwright.sync_api import expect
from PIL import Image, ImageChops
from server import copied, make_library, run, share_pictures
from test_accessibility import OPTIONS

CAMERA = (640, 480)


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    return make_album(tmp_path_factory.mktemp("album"))


@pytest.fixture(scope="module")
def indexed(album, tmp_path_factory):
    library = make_library(tmp_path_factory.mktemp("albums"), album)
    return share_pictures(library, tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def album_server(indexed, make_server, tmp_path):
    server = make_server(copied(indexed, tmp_path / "library"))
    if "recreations" not in server.get("status")["features"]:
        pytest.skip("this server keeps no photos taken again")
    return server


def spot_of(server):
    [spot] = server.get("spots")["items"]
    return server.get(f"spots/{spot['id']}")


@pytest.fixture
def open_camera(make_camera, album_server):
    """Returns a function that opens the page with a camera that sees an image; `None`: without permission."""
    def make(image, size=PHONE, theme="light", is_lenient=False, script=None):
        page = make_camera(
            album_server.base, image, is_lenient, viewport=size, color_scheme=theme, locale="en-GB")
        if script:
            page.add_init_script(script)
        go_to(page, album_server.address)
        expect(pins(page).first).to_be_visible()
        return page

    return make


def take_again(page, server):
    spot = spot_of(server)
    go_to(page, f"{server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("button", name="Take it again", exact=True).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Take it again: 2008 in "))
    expect(dialog).to_be_visible()
    return dialog


def score(page):
    """The value of the meter after as many frames as a phone aligns in 1.5 s."""
    meter = page.get_by_role("meter", name="Alignment")
    shown = page.evaluate_handle("""() => {
        const shown = { count: 0 };
        new MutationObserver((changes) => { shown.count += changes.length })
          .observe(document.body, { subtree: true, attributeFilter: ["aria-valuenow"] });
        return shown;
    }""")
    page.wait_for_function("shown => shown.count >= 14", arg=shown)
    expect(meter).not_to_have_text("–")
    return int(meter.get_attribute("aria-valuenow"))


def test_the_empty_frame_of_this_year_opens_the_camera(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    spot = spot_of(album_server)
    go_to(page, f"{album_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    frames = page.get_by_role("list", name="Photos by year").get_by_role("listitem")
    expect(frames).to_have_count(5)
    frames.last.get_by_role("button", name=re.compile("take it again$")).click()
    expect(page.get_by_role("dialog", name=re.compile("^Take it again: 2008 in "))).to_be_visible()


def test_the_link_in_an_alert_opens_the_camera_once(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    spot = spot_of(album_server)
    place = f"#17/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}"
    go_to(page, f"{album_server.base}{place}/again")
    dialog = page.get_by_role("dialog", name=re.compile("^Take it again: 2008 in "))
    expect(dialog).to_be_visible()
    expect(page).to_have_url(re.compile(f"/spot/{spot['id']}$"))
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_visible()
    reload(page)
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_visible()
    assert page.get_by_role("dialog").count() == 0


def test_compare_opens_with_the_oldest_and_newest_photo_of_the_same_view(album_server, open_page, size):
    page = open_page(album_server, size)
    expect(pins(page).first).to_be_visible()
    spot = spot_of(album_server)
    go_to(page, f"{album_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    opener = page.get_by_role("button", name="Compare years")
    opener.click()
    dialog = page.get_by_role("dialog", name="Compare 1994 and 2024")
    expect(dialog).to_be_visible()
    slider = dialog.get_by_role("slider", name="Reveal: 1994 left, 2024 right")
    expect(slider).to_be_focused()
    expect(dialog.get_by_role("status")).to_have_text(re.compile("^The photos are aligned"))
    covered = lambda: page.locator(".over-seam").evaluate("one => getComputedStyle(one).clipPath")
    page.keyboard.press("End")
    assert covered() == "inset(0px 0px 0px 100%)"
    page.keyboard.press("Home")
    assert covered() in ("inset(0px 0px 0px 0%)", "inset(0px)")
    page.keyboard.press("ArrowRight")
    assert covered() == "inset(0px 0px 0px 1%)"
    # Photos of different views are recognized.
    dialog.get_by_role("combobox", name="Later photo").select_option(label="1 May 2016")
    expect(page.get_by_role("dialog", name="Compare 1994 and 2016")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="different views")).to_be_visible()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("combobox", name="Earlier photo")).to_have_value(spot["photos"][0]["id"])
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()


def test_the_later_photo_is_aligned_with_the_earlier_one(album_server, open_page):
    page = open_page(album_server, DESKTOP)
    expect(pins(page).first).to_be_visible()
    spot = spot_of(album_server)
    go_to(page, f"{album_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("button", name="Compare years").click()
    expect(page.get_by_role("status").filter(has_text="The photos are aligned")).to_be_visible()
    later = page.locator(".over-seam img")
    size = later.evaluate("one => [one.offsetWidth, one.offsetHeight]")
    # The scene is 0.02 widths right of the center in 1994; in 2024 0.03 left, turned by 1.5°.
    found = later.evaluate("""one => { const map = new DOMMatrix(getComputedStyle(one).transform);
        return [map.a, map.b, map.e, map.f] }""")
    assert found[0] == pytest.approx(1, abs=0.01)
    assert found[1] == pytest.approx(-0.0262, abs=0.005)
    assert found[2] / size[0] == pytest.approx(0.05, abs=0.006)
    assert abs(found[3] / size[0]) < 0.006


def test_compare_from_a_photo_includes_that_photo(album_server, open_page, size):
    page = open_page(album_server, size)
    expect(pins(page).first).to_be_visible()
    spot = spot_of(album_server)
    go_to(page, f"{album_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("button", name="2008, 1 photo").click()
    page.get_by_role("dialog", name=re.compile("^Photo, ")).get_by_role("button", name="Compare").click()
    expect(page.get_by_role("dialog", name="Compare 2008 and 2024")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(1)


def test_the_same_view_in_the_camera_scores_high_and_says_hold_still(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    dialog = take_again(page, album_server)
    assert score(page) >= 75
    expect(dialog.get_by_role("status")).to_have_text("Hold still")
    expect(dialog.get_by_label("What the camera sees")).to_be_visible()
    expect(dialog.locator(".chosen")).to_have_text(re.compile(r"2008\s*2 of 4"))
    # The overlays are a radio group, also for the arrow keys.
    dialog.get_by_role("radio", name="Outline").focus()
    for name in ("Fade", "Split", "Difference"):
        page.keyboard.press("ArrowRight")
        expect(dialog.get_by_role("radio", name=name)).to_be_focused()
        expect(dialog.get_by_role("radio", name=name)).to_be_checked()
    dialog.get_by_role("slider", name="How much of the old photo").press("End")
    other = dialog.get_by_role("radiogroup", name="Which photo").get_by_role("radio", name="1 May 2016")
    other.click()
    expect(page.get_by_role("dialog", name=re.compile("^Take it again: 2016 in "))).to_be_visible()
    assert score(page) < 25


def test_a_camera_too_far_right_is_advised_to_turn_left(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA, x=-0.08))
    dialog = take_again(page, album_server)
    assert score(page) < 50
    expect(dialog.get_by_role("status")).to_have_text("Turn left")


def test_another_view_in_the_camera_scores_low(open_camera, album_server):
    page = open_camera(seen(scene(5), CAMERA))
    dialog = take_again(page, album_server)
    assert score(page) < 25
    expect(dialog.get_by_role("status")).to_have_text("Looking for the old view")


def test_a_dark_picture_has_no_score(open_camera, album_server):
    page = open_camera(Image.new("RGB", CAMERA, (6, 6, 8)))
    dialog = take_again(page, album_server)
    expect(dialog.get_by_role("status")).to_have_text("Too dark")
    expect(dialog.get_by_role("meter")).to_have_attribute("aria-valuetext", "unknown")


def hashes(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*.jpg")}


def photograph(page, server):
    dialog = take_again(page, server)
    score(page)
    dialog.get_by_role("button", name="Take the photo").click()
    expect(dialog.get_by_role("slider", name=re.compile("^Reveal: 2008 left, 20.. right$"))).to_be_focused()
    return dialog


def test_a_photo_is_taken_saved_and_shared(open_camera, album_server, album, tmp_path):
    before = hashes(album)
    page = open_camera(seen(scene(1), CAMERA))
    dialog = photograph(page, album_server)
    expect(dialog.get_by_text(re.compile(r"^\d+ of 100$"))).to_be_visible()
    dialog.get_by_role("button", name="Take another").click()
    expect(dialog.get_by_role("meter")).to_be_visible()
    score(page)
    dialog.get_by_role("button", name="Take the photo").click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile(r"^Saved\. .* now has 5 photos\.$"))
    [kept] = album_server.get("recreations")["items"]
    spot = spot_of(album_server)
    assert kept["photo"] == spot["cover"] and kept["score"] >= 0.75
    assert hashes(album) == before
    # The shared picture has no metadata, hence no position.
    shared = dialog.get_by_role("img", name=re.compile("^Then and now: 2008 and "))
    expect(shared).to_be_visible()
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download").click()
    content = download.value.path().read_bytes()
    picture = Image.open(io.BytesIO(content))
    # It is the picture made by the server from both photos and their alignment.
    assert not picture.getexif() and picture.size in ((1200, 630), (1080, 1350))
    plain, tag = fetched(album_server, "share", earlier=kept["photo"], later=kept["id"])
    assert Image.open(io.BytesIO(plain)).size == picture.size and tag.startswith("W/")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    expect(page.get_by_text("Taken again", exact=True)).to_be_visible()


def test_the_page_draws_the_shared_picture_if_the_server_cannot(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA), is_lenient=True)
    page.route("**/api/v1/share?*", lambda route: route.fulfill(
        status=415, content_type="application/problem+json", body='{"type": "/problems/no-picture"}'))
    dialog = photograph(page, album_server)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("img", name=re.compile("^Then and now: 2008 and "))).to_be_visible()
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download").click()
    assert Image.open(download.value.path()).width == 1080


def fetched(server, route, **parameters):
    """The content of a file of the API, and its ETag."""
    status, headers, body = server.ask(f"api/v1/{route}?{urllib.parse.urlencode(parameters)}")
    assert status == 200, body
    return body, headers["ETag"]


def test_compared_photos_are_downloaded_as_one_picture(album_server, open_page, size):
    page = open_page(album_server, size)
    expect(pins(page).first).to_be_visible()
    spot = spot_of(album_server)
    go_to(page, f"{album_server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("button", name="Compare years").click()
    expect(page.get_by_role("status").filter(has_text="The photos are aligned")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "then-and-now.jpg"
    picture = Image.open(download.value.path())
    assert not picture.getexif() and picture.size in ((1200, 630), (1080, 1350))
    # Both halves show the same view: they are alike outside of the years.
    if picture.width > picture.height:
        halves = picture.crop((0, 100, 597, 560)), picture.crop((603, 100, 1200, 560))
    else:
        halves = picture.crop((0, 100, 1080, 620)), picture.crop((0, 736, 1080, 1256))
    grey = [half.convert("L").resize((60, 46)).tobytes() for half in halves]
    assert correlation(*map(list, grey)) > 0.8


def test_the_picture_is_shared_with_an_app_if_the_browser_supports_it(album_server, open_page):
    page = open_page(album_server, PHONE)
    expect(pins(page).first).to_be_visible()
    page.evaluate("""() => {
        navigator.canShare = () => true;
        navigator.share = async ({ files: [file] }) => {
            document.body.dataset.handed = `${file.name} ${file.type} ${file.size > 10000}`;
        };
    }""")
    spot = spot_of(album_server)
    page.evaluate("address => { location.hash = address }",
                  f"#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
    page.get_by_role("button", name="Compare years").click()
    page.get_by_role("dialog").get_by_role("button", name="Share").click()
    expect(page.locator("body")).to_have_attribute("data-handed", "then-and-now.jpg image/jpeg true")


def test_the_animated_slider_is_a_valid_looping_gif(album_server):
    photos = spot_of(album_server)["photos"]
    content, _ = fetched(
        album_server, "share", earlier=photos[0]["id"], later=photos[-1]["id"], animated="true", shape="portrait")
    assert len(content) <= 1_500_000
    animation = Image.open(io.BytesIO(content))
    assert animation.format == "GIF" and animation.size == (540, 675)
    assert animation.info["loop"] == 0 and 50 <= animation.n_frames <= 70
    shown = []
    for frame in range(animation.n_frames):
        animation.seek(frame)
        assert animation.info["duration"] in (40, 1200)
        shown.append(animation.convert("RGB").resize((54, 67)))
    # The last frame is like the first, so that it loops without a jump.
    difference = ImageChops.difference(shown[0], shown[-1]).convert("L")
    assert sum(difference.tobytes()) / (54 * 67) < 6


def correlation(one, other):
    mean = [sum(values) / len(values) for values in (one, other)]
    apart = [[value - middle for value in values] for values, middle in zip((one, other), mean)]
    product = sum(left * right for left, right in zip(*apart))
    return product / math.sqrt(math.prod(sum(value * value for value in values) for values in apart))


def test_a_photo_taken_offline_is_sent_once_after_reconnecting(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA), is_lenient=True)
    dialog = photograph(page, album_server)
    album_server.kill()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile("^Stored in this browser"))
    album_server.start()
    expect(page.get_by_text("The photo stored here is now saved")).to_be_visible()
    assert len(album_server.get("recreations")["items"]) == 1


def taken_offline(page, server):
    dialog = photograph(page, server)
    server.kill()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile("^Stored in this browser"))


def moved_on(server, album):
    """Changes the time of all old photos while the server is away, and with it their ids."""
    for folder, _, names in os.walk(album):
        for name in names:
            os.utime(os.path.join(folder, name), (1_700_000_000, 1_700_000_000))
    run(server.folder, "index", album)


def test_a_photo_taken_offline_is_saved_though_the_old_one_was_touched(open_camera, album_server, album):
    page = open_camera(seen(scene(1), CAMERA), is_lenient=True)
    before = spot_of(album_server)["cover"]
    taken_offline(page, album_server)
    moved_on(album_server, album)
    album_server.start()
    expect(page.get_by_text("The photo stored here is now saved")).to_be_visible()
    [kept] = album_server.get("recreations")["items"]
    assert kept["photo"] != before


@pytest.mark.parametrize("choice", ["keep", "choose"])
def test_a_photo_that_the_server_refuses_is_kept_or_given_to_another(open_camera, album_server, choice):
    page = open_camera(seen(scene(1), CAMERA), is_lenient=True)
    taken_offline(page, album_server)
    # The old photo is unknown under any name.
    page.route("**/api/v1/recreations?*", lambda route: route.continue_(
        url=re.sub(r"photo=[^&]*&spot=[^&]*&name=[^&]*", "photo=gone", route.request.url)))
    album_server.start()
    dialog = page.get_by_role("dialog", name="PhotoSpots could not save this photo")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("This photo is gone")
    page.unroute("**/api/v1/recreations?*")
    if choice == "keep":
        with page.expect_download() as download:
            dialog.get_by_role("link", name="Keep it on this device").click()
        assert download.value.suggested_filename.endswith(".jpg")
        expect(dialog).to_have_count(0)
        reload(page)
        expect(pins(page).first).to_be_visible()
        assert album_server.get("recreations")["items"] == []
    else:
        dialog.get_by_role("button", name="Choose another photo").click()
        photos = dialog.get_by_role("group", name="Photos near where it was taken")
        photos.get_by_role("button").first.click()
        expect(page.get_by_text("The photo stored here is now saved")).to_be_visible()
        assert len(album_server.get("recreations")["items"]) == 1


def test_a_photo_whose_response_was_lost_is_stored_once(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA), is_lenient=True)
    dialog = photograph(page, album_server)
    # The request reaches the server, but the response is lost.
    page.route("**/api/v1/recreations?*", lambda route: (
        route.fetch(), route.abort()) if route.request.method == "POST" else route.continue_())
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile("^Stored in this browser"))
    page.unroute("**/api/v1/recreations?*")
    assert len(album_server.get("recreations")["items"]) == 1
    reload(page)
    expect(page.get_by_text("The photo stored here is now saved")).to_be_visible()
    assert len(album_server.get("recreations")["items"]) == 1


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_without_camera_permission_the_camera_app_can_be_used(open_camera, album_server, tmp_path, size):
    page = open_camera(None, size)
    dialog = take_again(page, album_server)
    expect(dialog.get_by_role("heading", name="This page is not allowed to use the camera")).to_be_visible()
    photo = tmp_path / "phone.jpg"
    seen(scene(1), (800, 600), x=0.01).save(photo, "JPEG")
    text = tmp_path / "text.jpg"
    text.write_text("no photo")
    dialog.get_by_label("Use the camera app").set_input_files(text)
    expect(dialog.get_by_role("alert")).to_have_text(re.compile("not a photo"))
    dialog.get_by_label("Use the camera app").set_input_files(photo)
    expect(dialog.get_by_role("slider", name=re.compile("^Reveal: 2008 left"))).to_be_visible()
    expect(dialog.get_by_text(re.compile(r"^\d+ of 100$"))).to_be_visible()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile(r"^Saved\. "))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_without_https_the_camera_app_is_offered(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA),
                       script="Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    dialog = take_again(page, album_server)
    expect(dialog.get_by_role("heading", name="The live camera is not possible at this address")).to_be_visible()
    expect(dialog.get_by_label("Use the camera app")).to_be_attached()


def test_a_stopped_camera_is_reported_and_can_be_restarted(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    dialog = take_again(page, album_server)
    score(page)
    page.evaluate("""document.querySelector('video').srcObject.getVideoTracks()[0]
        .dispatchEvent(new Event('ended'))""")
    expect(dialog.get_by_role("heading", name="The camera stopped")).to_be_visible()
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog.get_by_role("meter")).to_be_visible()


def test_closing_the_dialog_stops_the_camera(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    take_again(page, album_server)
    score(page)
    track = page.evaluate_handle("document.querySelector('video').srcObject.getVideoTracks()[0]")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # The camera is stopped in the event that follows the closing.
    page.wait_for_function("one => one.readyState === 'ended'", arg=track)
    expect(page.get_by_role("button", name="Take it again", exact=True)).to_be_focused()


def test_take_it_again_is_hidden_if_the_server_stores_no_photos(album_server, open_page):
    page = open_page(album_server, DESKTOP, address="", is_lenient=True)
    page.route("**/api/v1/status", lambda route: route.fulfill(
        json={**album_server.get("status"), "features": []}))
    log_in(page, album_server)
    expect(pins(page).first).to_be_visible()
    pins(page).first.click()
    expect(page.get_by_role("button", name="Compare years")).to_be_visible()
    expect(page.get_by_role("button", name="Take it again")).to_have_count(0)


STEPS = ["compare", "camera", "review", "saved", "refused"]


def show(page, server, step):
    """Opens the comparison or the camera dialog at one of `STEPS`."""
    if step == "compare":
        spot = spot_of(server)
        go_to(page, f"{server.base}#16/{spot['latitude']:.6f}/{spot['longitude']:.6f}/spot/{spot['id']}")
        page.get_by_role("button", name="Compare years").click()
        return expect(page.get_by_role("status").filter(has_text="The photos are aligned")).to_be_visible()
    if step == "camera":
        take_again(page, server)
        return score(page)
    if step == "refused":
        return expect(take_again(page, server).get_by_label("Use the camera app")).to_be_attached()
    dialog = photograph(page, server)
    if step == "saved":
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("status")).to_have_text(re.compile("^Saved"))


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("size,theme", LOOKS)
def test_dialogs_have_no_axe_violations(open_camera, album_server, step, theme, size):
    from axe_playwright_python.sync_playwright import Axe
    page = open_camera(None if step == "refused" else seen(scene(1), CAMERA, x=0.1), size, theme)
    show(page, album_server, step)
    if step != "camera":
        settle(page)
    found = Axe().run(page, options=OPTIONS).response["violations"]
    assert [(one["id"], node["html"][:160], node["failureSummary"][:300])
            for one in found for node in one["nodes"]] == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("width", [320] if IS_NARROW else [320, 640])
def test_no_dialog_control_exceeds_the_window(open_camera, album_server, step, width):
    page = open_camera(None if step == "refused" else seen(scene(1), CAMERA, x=0.1),
                       {"width": width, "height": 560})
    show(page, album_server, step)
    if step != "camera":
        settle(page)
    cut = page.evaluate("""() => [...document.querySelectorAll("dialog[open] :is(button, a, select, h2, p, label)")]
      .filter(one => !one.closest(".which") && one.checkVisibility())
      .filter(one => { const box = one.getBoundingClientRect();
        return box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 })
      .map(one => one.outerHTML.slice(0, 120))""")
    assert cut == []


def test_dialog_modules_are_not_loaded_before_they_are_opened(album_server, open_page):
    page = open_page(album_server, DESKTOP, address="", is_lenient=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    log_in(page, album_server)
    expect(pins(page).first).to_be_visible()
    settle(page)
    late = ("align/", "thennow", "again/")
    # Unsent photos are searched once the page is live.
    early = [url for url in asked if any(name in url for name in late)]
    assert all(url.endswith(("again/later.js", "again/unsent.js")) for url in early)
