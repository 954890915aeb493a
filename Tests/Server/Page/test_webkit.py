"""The page in WebKitGTK, by WebDriver; skipped if webkit2gtk-driver or xvfb is not installed."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from conftest import IS_STILL
from server import PATIENCE, free_port

MINI_BROWSER = next(iter(sorted(
    pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)

pytestmark = pytest.mark.skipif(
    not (MINI_BROWSER and shutil.which("WebKitWebDriver") and shutil.which("xvfb-run")),
    reason="needs webkit2gtk-driver and xvfb")


class WebDriver:
    """The part of the W3C WebDriver protocol needed by these tests."""

    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}"
        self.session = None

    def ask(self, method, path, value=None):
        body = None if method == "GET" else json.dumps(value or {}).encode()
        request = urllib.request.Request(
            self.base + path, data=body, method=method, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())["value"]

    def open(self):
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        capabilities = {"alwaysMatch": {
            "browserName": "MiniBrowser", "webkitgtk:browserOptions": options}}
        # Neither the driver nor the browser that it starts is ready at once.
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self.session = self.ask("POST", "/session", {"capabilities": capabilities})["sessionId"]
                return self
            except OSError as error:
                last = error
                time.sleep(0.1)
        raise AssertionError(f"WebKitWebDriver opens no session: {last}")

    def visit(self, address):
        self.ask("POST", f"/session/{self.session}/url", {"url": address})

    def run(self, script):
        return self.ask("POST", f"/session/{self.session}/execute/sync", {"script": script, "args": []})

    def wait(self, script):
        """Waits until a script returns a true value, and returns that."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.run(script)
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"never: {script}")


@pytest.fixture
def webkit():
    port = free_port()
    driver = subprocess.Popen(
        ["xvfb-run", "-a", "-s", "-screen 0 1280x900x24", "WebKitWebDriver", f"--port={port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    one = WebDriver(port)
    try:
        yield one.open()
    finally:
        if one.session:
            try:
                one.ask("DELETE", f"/session/{one.session}")
            except OSError:
                pass
        # The process group of the xvfb-run started by this fixture.
        os.killpg(driver.pid, signal.SIGTERM)
        try:
            driver.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()


PINS = "[...document.querySelectorAll('.pin')].filter(pin => !pin.classList.contains('covered'))"


def test_webkit_shows_pins_spots_and_photos_without_requests_to_other_hosts(webkit, still_server):
    webkit.visit(still_server.address)
    webkit.run("""window.faults = [];
      addEventListener('error', event => faults.push(event.message));
      addEventListener('unhandledrejection', event => faults.push(String(event.reason)));
      document.addEventListener('securitypolicyviolation', event => faults.push(event.violatedDirective));
    """)
    webkit.wait(f"return {PINS}.length")
    photos = still_server.get("status")["photos"]
    webkit.run("document.querySelector('[aria-label=\"Show all my photos\"]').click()")
    webkit.wait(f"return document.getElementById('in-view').textContent.startsWith('{photos} ')")
    assert "key" not in webkit.run("return location.hash")
    webkit.wait(f"{PINS}[0].click(); return true")
    webkit.wait("return document.querySelector('.grid button, .reel button')")
    webkit.run("document.querySelector('.grid button')?.click()")
    webkit.wait("return document.querySelector('.reel button')")
    webkit.run("document.querySelector('.reel button').click()")
    webkit.wait("return document.querySelector('dialog[open] img')?.naturalWidth")
    webkit.run("document.querySelector('dialog').close()")
    for name in ("alerts", "replay", "settings", "nearby"):
        webkit.run(f"document.getElementById('tab-{name}').click()")
        webkit.wait("return document.querySelector('#view').children.length")
        webkit.wait(f"return ({IS_STILL})()")
    foreign = webkit.run("""return performance.getEntriesByType('resource').map(one => one.name)
      .filter(name => !name.startsWith(location.origin))""")
    assert foreign == []
    assert webkit.run("return faults") == []


def test_webkit_supports_the_colours_and_draws_the_map(webkit, still_server):
    webkit.visit(still_server.address)
    webkit.wait(f"return {PINS}.length")
    color = webkit.run("return getComputedStyle(document.querySelector('.panel')).backgroundColor")
    assert color in ("rgb(255, 253, 249)", "rgb(29, 35, 39)")
    colors = webkit.wait("""const canvas = document.querySelector('canvas');
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4000) seen.add(data.slice(i, i + 3).join());
      return seen.size > 3 ? [...seen].length : 0""")
    assert colors > 3
