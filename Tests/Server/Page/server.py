"""Starts `photospots serve` with its own library, and sends requests like scripts and phones."""

import base64
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("PHOTOSPOTS", "photospots")
SERVE = shlex.split(os.environ.get("PHOTOSPOTS_SERVE", f"{shlex.quote(PROGRAM)} serve"))
TOKEN = "7f3a41c08be2d95f7f3a41c08be2d95f"
# The longest wait for anything, in seconds. That something is quick is shown by a benchmark, not by a test.
PATIENCE = 60
# Ports that neither the system assigns to connections nor the Swift tests use.
PORTS = range(10_000, 20_000)


def photos_folder():
    """The folder of real photos if there is a corpus, else that of the sample photos."""
    corpus = os.environ.get("PHOTOSPOTS_CORPUS")
    return pathlib.Path(corpus) / "photos" if corpus else ROOT / "Samples" / "photos"


def environment(folder):
    """An environment in which the program stores all of its files in a folder."""
    return {
        **os.environ,
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "PHOTOSPOTS_LISTEN_TOKENS": f"phone={TOKEN}",
        # Without these rules, a walk sent within a second is not a burst after a cold start.
        "PHOTOSPOTS_RULES_OFF": "bursts,coldStart,devices,jumps,vehicles",
        "TZ": "UTC",
    }


def run(folder, *arguments):
    """Runs a command of the program, and returns its output."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], env=environment(folder), capture_output=True, text=True,
        check=False)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout


def make_library(folder, photos):
    """Indexes photos into a folder; no photos if `photos` is None."""
    folder.mkdir(parents=True, exist_ok=True)
    if photos is not None:
        run(folder, "index", photos)
    return folder


def free_port():
    """A free port, which stays free while a server is restarted."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Server:
    """A running `photospots serve`."""

    def __init__(self, folder):
        self.folder = folder
        self.port = None
        self.key = None
        self.process = None
        self.last_sent = 0
        self.scheme = "http"

    @property
    def base(self):
        return f"{self.scheme}://127.0.0.1:{self.port}/"

    def start(self, *arguments):
        """Starts the server; again on the same port, which its page still asks."""
        if self.port:
            assert self.starts(*arguments), "serve printed no address with a key"
            return self
        # Another process may take a port that was free.
        for _ in range(3):
            self.port = free_port()
            if self.starts(*arguments):
                return self
        raise AssertionError("serve printed no address with a key")

    def starts(self, *arguments):
        self.scheme = "https" if "--lan" in arguments else "http"
        self.process = subprocess.Popen(
            [*SERVE, "--listen", f"127.0.0.1:{self.port}", *arguments], env=environment(self.folder),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # A program without output must not block the tests forever.
        guard = threading.Timer(PATIENCE, self.process.kill)
        guard.start()
        self.key = None
        for line in self.process.stdout:
            if "#key=" in line:
                self.key = line.strip().split("#key=")[1].split()[0]
                break
        guard.cancel()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self.key is not None

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    @property
    def address(self):
        """The URL of the page, with the key."""
        return f"{self.base}#key={self.key}"

    @property
    def trust(self):
        """The authority of a server with a certificate of its own."""
        authority = self.folder / "photospots" / "home-authority.pem"
        return ssl.create_default_context(cafile=authority) if self.scheme == "https" else None

    def ask(self, path, method="GET", headers=None, body=None, key=True):
        """Sends a request; returns the response's status, headers and body."""
        request = urllib.request.Request(self.base + path, data=body, method=method)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if key:
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE, context=self.trust) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def get(self, path):
        """Gets the value at a path of the API."""
        status, _, body = self.ask("api/v1/" + path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def walk_to(self, latitude, longitude, meters=300, steps=12, behind=0):
        """Sends a walk from the north to a position, like OwnTracks; it ended `behind` s ago."""
        start = time.time() - behind - 15 * steps
        for step in range(steps + 1):
            away = meters * (1 - step / steps) / 111_195
            self.send(latitude + away, longitude, start + 15 * step)

    def send(self, latitude, longitude, seconds=None):
        """Sends one position, like OwnTracks; by default with the current time."""
        if seconds is None:
            # Two positions within the same second count as one that was repeated.
            while int(time.time()) <= self.last_sent:
                time.sleep(0.05)
            seconds = time.time()
        self.last_sent = max(self.last_sent, int(seconds))
        report = {
            "_type": "location", "lat": latitude, "lon": longitude, "acc": 5, "tst": int(seconds),
        }
        login = base64.b64encode(f"phone:{TOKEN}".encode()).decode()
        status, _, body = self.ask(
            "feed", "POST", {"Authorization": f"Basic {login}", "Content-Type": "application/json"},
            json.dumps(report).encode(), key=False)
        assert status == 200, (status, body)


def becomes(wanted, read, pause=time.sleep):
    """Reads a value until it is the wanted one, and asserts that it is."""
    end = time.monotonic() + PATIENCE
    while (found := read()) != wanted and time.monotonic() < end:
        pause(0.05)
    assert found == wanted


def copied(library, folder):
    """Copies a library for a server that changes it."""
    shutil.copytree(library, folder, symlinks=True, dirs_exist_ok=True)
    return folder


def share_pictures(library, folder):
    """Lets a library and its later copies keep the pictures that servers make in one folder, so that each is made once."""
    folder.mkdir(mode=0o700, exist_ok=True)
    (library / "photospots" / "pictures").symlink_to(folder)
    return library
