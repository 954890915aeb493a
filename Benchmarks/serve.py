#!/usr/bin/env python3
"""Measures `photospots serve`: the page in a browser, the API under load, pictures and memory.

  serve.py PROGRAM INDEX [STAGE ...]

PROGRAM  a photospots built for release
INDEX    an index file of 200,000 spots or more; its photos need not exist
STAGE    page, queries, load, events, memory, pictures; by default all

page      the bytes of the first load in gzip, and on a phone (processor / 4, 20 Mbit/s) the times
          of the first paint and of the first map with pins (headless Chromium; needs playwright)
queries   medians and 99th percentiles of `clusters` for the world and for a city, and of
          `spots?near`: successive requests over one persistent connection
load      requests per second of `spots?near` by wrk, alternately with nginx serving a file of the
          same size
events    1,000 clients of `events`: the delay from a fix to each of them
memory    private memory of an idle server after requests
pictures  a picture of 512 pixels of a JPEG of 12 megapixels, and 1,000 of them by as many clients
          as cores

wrk and nginx are installed if missing (Debian, Ubuntu).
"""
import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TOKEN = "7f3a41c08be2d95f7f3a41c08be2d95f"
STAGES = ["page", "queries", "load", "events", "memory", "pictures"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A `photospots serve` over an index, with its own folders."""

    def __init__(self, program, index, folder, *arguments):
        self.port = free_port()
        environment = {
            **os.environ, "XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder,
            "PHOTOSPOTS_LISTEN_TOKENS": f"phone={TOKEN}"}
        self.process = subprocess.Popen(
            [program, "serve", "--listen", f"127.0.0.1:{self.port}", "--index", index, "--no-browser", *arguments],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.key = self.process.stdout.readline().strip().split("#key=")[1]
        self.base = f"http://127.0.0.1:{self.port}/"
        self.local = threading.local()

    def ask(self, path, method="GET", body=None, headers=None):
        """Sends a request over the thread's persistent connection; returns the response's body."""
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.local.connection.request(
            method, path, body, {"Authorization": f"Bearer {self.key}", **(headers or {})})
        answer = self.local.connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"{path}: {answer.status} {content[:300]}")
        return content

    def json(self, path):
        return json.loads(self.ask("/api/v1/" + path))

    def private_memory(self):
        """The memory in MiB that is not shared with a file."""
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        sizes = dict(re.findall(r"^(Private_\w+|Rss|Pss_Anon):\s+(\d+) kB", text, re.M))
        return int(sizes["Private_Dirty"]) / 1024, int(sizes["Rss"]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def told(name, samples, wanted=""):
    samples = sorted(samples)
    high = samples[min(len(samples) - 1, int(len(samples) * 0.99))]
    print(f"{name:<58} p50 {statistics.median(samples):8.2f}  p99 {high:8.2f} ms  {wanted}", flush=True)


# --- Stages

# Records the time of the first frame with pins.
PINS_DRAWN = """new MutationObserver((changes, observer) => {
  if (!document.querySelector(".pin")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => performance.mark("pins")));
}).observe(document, { childList: true, subtree: true });"""


def page(server):
    files = pathlib.Path(__file__).resolve().parents[1] / "Sources/Server/Page/files"
    total = sum(len(gzip.compress(path.read_bytes())) for path in files.rglob("*") if path.is_file())
    print(f"{'all files of the page, gzip':<58} {total / 1000:8.1f} kB  (wanted <= 250)")
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        paints, maps, loaded = [], [], []
        for _ in range(7):
            context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
            context.add_cookies([])
            view = context.new_page()
            session = context.new_cdp_session(view)
            session.send("Network.enable")
            session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            session.send("Network.emulateNetworkConditions", {
                "offline": False, "latency": 20, "downloadThroughput": 20e6 / 8, "uploadThroughput": 5e6 / 8})
            sizes = []
            session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
            # By the page's clock, since the slow processor also delays polling.
            view.add_init_script(PINS_DRAWN)
            view.goto(f"{server.base}#key={server.key}")
            while not view.evaluate("performance.getEntriesByName('pins').length"):
                view.wait_for_timeout(50)
            maps.append(view.evaluate("performance.getEntriesByName('pins')[0].startTime"))
            paints.append(view.evaluate(
                "performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            loaded.append(sum(sizes) / 1000)
            context.close()
        browser.close()
    print(f"{'first load as sent, with answers and pictures':<58} {statistics.median(loaded):8.1f} kB")
    told("phone: first paint", paints, "(wanted <= 1000)")
    told("phone: the map with its pins", maps, "(wanted <= 1500)")


def boxes_of(server, count):
    """Boxes around spots, as large as a city on a phone."""
    chooser = random.Random(1)
    world = server.json("clusters?box=-85,-180,85,180&zoom=6")["items"]
    for _ in range(count):
        item = chooser.choice(world)
        yield item["latitude"], item["longitude"]


def queries(server):
    world = "/api/v1/clusters?box=-85,-180,85,180&zoom="
    told("clusters, the first of a level", [
        milliseconds(lambda: server.ask(world + str(zoom / 2))) for zoom in range(0, 12)])
    told("clusters of the world", [
        milliseconds(lambda: server.ask(world + str(1 + number % 4 / 2))) for number in range(1000)],
        "(wanted p99 <= 10)")
    cities = list(boxes_of(server, 1000))
    for zoom in (12, 13, 14):
        latitude, longitude = cities[0]
        server.ask(f"/api/v1/clusters?box={latitude-.05},{longitude-.05},{latitude+.05},{longitude+.05}&zoom={zoom}")

    def city(place):
        latitude, longitude = place
        west, east = max(-180, longitude - .08), min(180, longitude + .08)
        server.ask(f"/api/v1/clusters?box={max(-85, latitude - .05):.6f},{west:.6f},"
                   f"{min(85, latitude + .05):.6f},{east:.6f}&zoom={random.choice((12, 13, 14))}")

    told("clusters of a city", [milliseconds(lambda: city(place)) for place in cities], "(wanted p99 <= 20)")

    def near(place):
        server.ask(f"/api/v1/spots?near={place[0]:.6f},{place[1]:.6f}&limit=30")

    near(cities[0])
    told("spots?near, 30", [milliseconds(lambda: near(place)) for place in cities], "(wanted p99 <= 3)")
    told("status", [milliseconds(lambda: server.ask("/api/v1/status")) for _ in range(200)])


def install(*packages):
    missing = [name for name in packages if shutil.which(name) is None and not os.path.exists(f"/usr/sbin/{name}")]
    if missing:
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*sudo, "apt-get", "update", "-qq"], check=True)
        subprocess.run([*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "install", "-y",
                        "-qq", *missing], check=True, stdout=subprocess.DEVNULL)


def load(server):
    install("wrk", "nginx")
    latitude, longitude = next(boxes_of(server, 1))
    path = f"/api/v1/spots?near={latitude:.6f},{longitude:.6f}&limit=30"
    answer = server.ask(path)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        pathlib.Path(folder, "answer.json").write_bytes(answer)
        port = free_port()
        pathlib.Path(folder, "nginx.conf").write_text(f"""
            worker_processes auto; pid {folder}/pid; error_log /dev/null;
            events {{ worker_connections 1024; }}
            http {{ access_log off; sendfile on; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
              fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
              server {{ listen 127.0.0.1:{port}; root {folder}; }} }}""")
        nginx = subprocess.Popen(["/usr/sbin/nginx", "-c", f"{folder}/nginx.conf", "-g", "daemon off; user root;"])
        time.sleep(1)
        rates = {"photospots": [], "nginx": []}
        try:
            for _ in range(3):
                for name, address in (("photospots", server.base.rstrip("/") + path),
                                      ("nginx", f"http://127.0.0.1:{port}/answer.json")):
                    text = subprocess.run(
                        ["wrk", "-t1", "-c16", "-d5", "-H", f"Authorization: Bearer {server.key}", address],
                        check=True, capture_output=True, text=True).stdout
                    rates[name].append(float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]))
        finally:
            nginx.terminate()
            nginx.wait()
    ours, theirs = (statistics.median(rates[name]) for name in ("photospots", "nginx"))
    print(f"{'spots?near by wrk, 16 connections':<58} {ours:8.0f} a second; nginx, a file of {len(answer)} bytes: "
          f"{theirs:.0f} a second, {ours / theirs:.2f} of it")


def events(server, count=1000):
    import selectors
    selector = selectors.DefaultSelector()
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(
            f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: Bearer {server.key}\r\nAccept: text/event-stream\r\n\r\n".encode())
        clients.append(client)
        client.settimeout(20)
        while b"retry" not in client.recv(65536):
            pass
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ)
    delays = []
    for number in range(10):
        report = {"_type": "location", "lat": 10 + number / 100, "lon": 10, "acc": 5, "tst": int(time.time())}
        import base64
        login = base64.b64encode(f"phone:{TOKEN}".encode()).decode()
        start = time.perf_counter()
        sender = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        sender.request("POST", "/feed", json.dumps(report),
                       {"Authorization": f"Basic {login}", "Content-Type": "application/json"})
        heard = set()
        while len(heard) < count and time.perf_counter() - start < 10:
            for key, _ in selector.select(1):
                if b"event: position" in key.fileobj.recv(65536) and key.fileobj not in heard:
                    heard.add(key.fileobj)
                    delays.append((time.perf_counter() - start) * 1000)
        sender.getresponse().read()
        if len(heard) < count:
            raise SystemExit(f"only {len(heard)} of {count} clients heard of the fix")
        time.sleep(1.1)
    for client in clients:
        client.close()
    told(f"a fix at {count} clients of events", delays, "(wanted p99 <= 250)")


def memory(server):
    server.json("status")
    server.json("spots?near=48.8584,2.2945")
    for zoom in range(0, 45):
        latitude, longitude = 48.8584, 2.2945
        reach = min(80, 180 / 2 ** (zoom / 2))
        server.ask(f"/api/v1/clusters?box={max(-85, latitude - reach):.6f},{longitude - reach:.6f},"
                   f"{min(85, latitude + reach):.6f},{longitude + reach:.6f}&zoom={zoom / 2}")
    server.ask("/api/v1/clusters?box=-85,-180,85,180&zoom=3&from=2000&to=2012")
    server.ask("/api/v1/clusters?box=-85,-180,85,180&zoom=3&favorites=true")
    # The server's initial scan may take a while.
    private, resident = server.private_memory()
    for _ in range(20):
        time.sleep(3)
        before, (private, resident) = private, server.private_memory()
        if abs(private - before) < 1:
            break
    print(f"{'memory at rest after all zooms: private, resident':<58} {private:8.1f} MiB {resident:8.1f} MiB  "
          "(wanted <= 60 private)")


def pictures(program):
    from PIL import Image
    from PIL.ExifTags import GPS
    with tempfile.TemporaryDirectory() as folder:
        photos = pathlib.Path(folder, "photos")
        photos.mkdir()
        noise = Image.effect_noise((800, 600), 60).resize((4000, 3000), Image.Resampling.BICUBIC)
        picture = Image.merge("RGB", [noise, noise.rotate(90).resize((4000, 3000)), noise.transpose(0)])
        exif = Image.Exif()
        exif[0x9003] = "2020:05:16 12:00:00"
        gps = exif.get_ifd(0x8825)
        gps.update({GPS.GPSLatitudeRef: "N", GPS.GPSLatitude: (48.0, 51.0, 30.0),
                    GPS.GPSLongitudeRef: "E", GPS.GPSLongitude: (2.0, 17.0, 40.0)})
        picture.save(photos / "0.jpg", quality=88, exif=exif)
        for number in range(1, 1000):
            shutil.copy(photos / "0.jpg", photos / f"{number}.jpg")
            # Identical files would count as one shot.
            with open(photos / f"{number}.jpg", "r+b") as file:
                content = file.read(65536)
                place = content.index(b"2020:05:16 12:00:00")
                file.seek(place)
                file.write(f"2020:05:{1 + number % 28:02} {number // 60 % 24:02}:{number % 60:02}:{number % 59:02}".encode())
        index = f"{folder}/index.json"
        subprocess.run([program, "index", "--index", index, photos], check=True, stdout=subprocess.DEVNULL)
        server = Server(program, index, folder)
        try:
            names = []
            for spot in server.json("spots?near=48.8583,2.2944&limit=500")["items"]:
                names += [photo["id"] for photo in server.json(f"spots/{spot['id']}")["photos"]]
            path = "/api/v1/photos/{}/picture?size=512".format
            size = (photos / "0.jpg").stat().st_size
            told(f"a picture of 512 pixels of 12 megapixels, {size / 1e6:.1f} MB", [
                milliseconds(lambda: server.ask(path(name))) for name in names[:60]], "(wanted <= 15)")
            rest = names[60:]
            start = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(lambda name: server.ask(path(name)), rest))
            seconds = time.perf_counter() - start
            print(f"{f'{len(rest)} of them, {os.cpu_count()} clients':<58} {seconds:8.2f} s, "
                  f"{seconds / len(rest) * os.cpu_count() * 1000:.1f} ms of a core each")
            told("again, from the cache", [milliseconds(lambda: server.ask(path(name))) for name in names[:200]])
        finally:
            server.stop()


def main():
    if len(sys.argv) < 3 or any(stage not in STAGES for stage in sys.argv[3:]):
        sys.exit(__doc__)
    program, index = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    stages = sys.argv[3:] or STAGES
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, index, folder)
        try:
            status = server.json("status")
            print(f"{status['photos']:,} photos, {status['spots']:,} spots; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
            for stage in stages:
                if stage == "pictures":
                    pictures(program)
                else:
                    globals()[stage](server)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
