#!/usr/bin/env python3
"""Measures what a picture of a photo costs in `photospots serve`, by programs to compare.

  pictures.py FOLDER PROGRAM...

FOLDER   a folder of photos with positions, such as one JPEG of 12 megapixels, or Samples/photos
PROGRAM  a photospots with the page; two versions, or one twice to see the noise

Each program serves FOLDER. They are asked in turn for a picture of the same photo at 120 sizes,
none of which was made before, over one connection each. Prints, for each program, the median, the
fastest and the 90th percentile in ms.
"""
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


class Server:
    def __init__(self, program, folder, scratch):
        environment = {
            **os.environ, "XDG_CACHE_HOME": scratch, "XDG_CONFIG_HOME": scratch,
            "XDG_STATE_HOME": scratch}
        self.program = program
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--no-browser", folder],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address, self.key = self.process.stdout.readline().strip().split("/#key=")
        self.connection = http.client.HTTPConnection(address.removeprefix("http://"))
        self.times = []

    def ask(self, path):
        self.connection.request(
            "GET", "/api/v1/" + path, headers={"Authorization": "Bearer " + self.key})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def cover(self):
        for _ in range(600):
            spots = json.loads(self.ask("spots?limit=1")[1]).get("items")
            if spots:
                return spots[0]["cover"]
            time.sleep(0.1)
        sys.exit(f"{self.program}: no spot was found")

    def picture(self, photo, size):
        begin = time.perf_counter()
        status, body = self.ask(f"photos/{photo}/picture?size={size}")
        self.times.append((time.perf_counter() - begin) * 1000)
        if status != 200 or body[:2] != b"\xff\xd8":
            sys.exit(f"{self.program}: status {status}")


def main(folder, *programs):
    with tempfile.TemporaryDirectory() as scratch:
        servers = [
            Server(os.path.abspath(program), os.path.abspath(folder), f"{scratch}/{number}")
            for number, program in enumerate(programs)]
        try:
            photos = [server.cover() for server in servers]
            for turn in range(126):
                for server, photo in zip(servers, photos):
                    server.picture(photo, 420 + turn)
            for server in servers:
                # The first ones open files and start processes.
                times = sorted(server.times[6:])
                print(
                    f"{server.program}: median {statistics.median(times):.2f}, fastest "
                    f"{times[0]:.2f}, 90 % {times[len(times) * 9 // 10]:.2f} ms")
        finally:
            for server in servers:
                server.process.terminate()
                server.process.wait()


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
