#!/usr/bin/env python3
"""Measures one GEOSEARCH of 100 m per fix of a walk, pipelined, on its own Redis server.

  watcher-redis.py SPOTS FIXES     files written by `watcher-peer write`; the first 100,000 fixes

Prints the time per fix, from sending the first request to reading the last response, and the
server's own time per request. Needs redis-server and redis-cli.
"""
import re
import struct
import subprocess
import sys
import tempfile
import time

MOST_FIXES = 100_000


def rows(path):
    with open(path, "rb") as file:
        return list(struct.iter_unpack("<3d", file.read()))


def request(*words):
    words = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


def main():
    spots, fixes = rows(sys.argv[1]), rows(sys.argv[2])[:MOST_FIXES]
    with tempfile.TemporaryDirectory() as folder:
        socket = folder + "/redis"
        client = ["redis-cli", "-s", socket]
        server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL)
        try:
            while subprocess.run(client + ["ping"], capture_output=True).returncode:
                if server.poll() is not None:
                    sys.exit("redis-server does not start")
            # Redis rejects latitudes beyond 85.05 degrees.
            adds = b"".join(request("GEOADD", "spots", longitude, latitude, number)
                            for number, (latitude, longitude, _) in enumerate(spots)
                            if abs(latitude) < 85)
            subprocess.run(client + ["--pipe"], input=adds, check=True, capture_output=True)
            asks = b"".join(request("GEOSEARCH", "spots", "FROMLONLAT", longitude, latitude,
                                    "BYRADIUS", 100, "m")
                            for latitude, longitude, _ in fixes if abs(latitude) < 85)
            start = time.monotonic()
            subprocess.run(client + ["--pipe"], input=asks, check=True, capture_output=True)
            nanoseconds = (time.monotonic() - start) * 1e9 / len(fixes)
            stats = subprocess.run(client + ["info", "commandstats"], capture_output=True, text=True)
            own = re.search(r"geosearch:.*usec_per_call=([\d.]+)", stats.stdout)
            print(f"{nanoseconds:.0f} ns a fix, {float(own[1]) * 1000:.0f} of them the server's own")
        finally:
            server.terminate()
            server.wait()


main()
