"""The browser's back button, a gesture on phones, and what lies on top of the page."""

import re

import pytest
from conftest import let_pass, pins, reload
from playwright.sync_api import expect
from test_again import album, album_server, indexed, open_camera, spot_of  # noqa: F401
from album import scene, seen

CAMERA = (640, 480)


def opened(page, server):
    """Opens the spot from the map, so that there is a place before it."""
    expect(pins(page).first).to_be_visible()
    pins(page).first.click()
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()
    return spot_of(server)


def is_at(page, spot):
    expect(page).to_have_url(re.compile(f"/spot/{spot['id']}$"))
    expect(page.get_by_role("list", name="Photos by year")).to_be_visible()


def test_back_closes_the_photo_then_leaves_the_spot(album_server, open_page, size):
    page = open_page(album_server, size)
    spot = opened(page, album_server)
    frame = page.get_by_role("button", name="2008, 1 photo")
    frame.click()
    dialog = page.get_by_role("dialog", name=re.compile("^Photo, "))
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(frame).to_be_focused()
    is_at(page, spot)
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))


@pytest.mark.parametrize("way", ["Escape", "Close"])
def test_a_closed_photo_is_not_in_the_history(album_server, open_page, size, way):
    page = open_page(album_server, size)
    spot = opened(page, album_server)
    for _ in range(3):
        page.get_by_role("button", name="2008, 1 photo").click()
        dialog = page.get_by_role("dialog", name=re.compile("^Photo, "))
        expect(dialog).to_be_visible()
        if way == "Escape":
            page.keyboard.press("Escape")
        else:
            dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_be_hidden()
    is_at(page, spot)
    page.wait_for_function("history.state.layer === undefined")
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))


def test_a_tab_chosen_right_after_a_dialog_was_closed_stays(album_server, open_page, size):
    page = open_page(album_server, size)
    spot = opened(page, album_server)
    page.get_by_role("button", name="2008, 1 photo").click()
    expect(page.get_by_role("dialog", name=re.compile("^Photo, "))).to_be_visible()
    page.evaluate("""() => {
      document.querySelector("dialog[open]").close();
      return new Promise(resolve => setTimeout(() => {
        document.getElementById("tab-settings").click();
        resolve();
      }));
    }""")
    expect(page.get_by_role("slider", name="Alert within")).to_be_visible()
    let_pass(page, 0.4)
    expect(page.get_by_role("slider", name="Alert within")).to_be_visible()
    page.go_back()
    is_at(page, spot)


def test_back_closes_the_comparison_over_a_photo_then_the_photo(album_server, open_page, size):
    page = open_page(album_server, size)
    spot = opened(page, album_server)
    page.get_by_role("button", name="2008, 1 photo").click()
    photo = page.get_by_role("dialog", name=re.compile("^Photo, "))
    photo.get_by_role("button", name="Compare").click()
    compare = page.get_by_role("dialog", name="Compare 2008 and 2024")
    expect(compare).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.go_back()
    expect(photo).to_be_visible()
    expect(photo.get_by_role("button", name="Compare")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    is_at(page, spot)
    # Forward does not open them again, and back is still the place before.
    page.go_forward()
    is_at(page, spot)
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))


def test_a_photo_that_was_under_a_comparison_can_be_opened_again(album_server, open_page, size):
    page = open_page(album_server, size)
    opened(page, album_server)
    page.get_by_role("button", name="2008, 1 photo").click()
    photo = page.get_by_role("dialog", name=re.compile("^Photo, "))
    photo.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("dialog", name="Compare 2008 and 2024")).to_be_visible()
    page.evaluate("history.go(-2)")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="2008, 1 photo").click()
    expect(photo.get_by_role("img", name=re.compile("^Photo, "))).to_be_visible()


def test_back_closes_the_camera_and_stops_it(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    spot = opened(page, album_server)
    page.get_by_role("button", name="Take it again", exact=True).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Take it again: 2008 in "))
    expect(dialog.get_by_role("button", name="Take the photo")).to_be_enabled()
    track = page.evaluate_handle("document.querySelector('video').srcObject.getVideoTracks()[0]")
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function("one => one.readyState === 'ended'", arg=track)
    is_at(page, spot)
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))


def test_a_saved_photo_leaves_no_dialog_in_the_history(open_camera, album_server):
    page = open_camera(seen(scene(1), CAMERA))
    spot = opened(page, album_server)
    page.get_by_role("button", name="2008, 1 photo").click()
    page.get_by_role("dialog", name=re.compile("^Photo, ")).get_by_role(
        "button", name="Take it again").click()
    dialog = page.get_by_role("dialog", name=re.compile("^Take it again: 2008 in "))
    expect(dialog.get_by_role("button", name="Take the photo")).to_be_enabled()
    dialog.get_by_role("button", name="Take the photo").click()
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    is_at(page, spot)
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))


def test_a_reload_with_a_photo_open_shows_its_spot_and_back_leaves_it(album_server, open_page, size):
    page = open_page(album_server, size)
    spot = opened(page, album_server)
    page.get_by_role("button", name="2008, 1 photo").click()
    expect(page.get_by_role("dialog", name=re.compile("^Photo, "))).to_be_visible()
    reload(page)
    is_at(page, spot)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function("history.state.layer === undefined")
    page.go_back()
    expect(page).to_have_url(re.compile("/nearby$"))
