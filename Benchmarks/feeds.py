#!/usr/bin/env python3
"""Measures the speed of `photospots watch`, from a feed's bytes to decisions and alerts.

  feeds.py throughput PROGRAM INDEX FIXES [ROUNDS]   a recorded walk as NDJSON and NMEA, on one core
  feeds.py latency PROGRAM INDEX FIXES [COUNT]       from a fix's last byte to the line of its alert
  feeds.py idle PROGRAM INDEX FIXES [SECONDS]        a fix per second: processor time and memory

INDEX is an index file. FIXES is a file with rows of latitude, longitude and seconds (float64) that
pass the index's photos, as made by `watcher-peer write` or the sample generators. State and feeds
are in a temporary folder.
"""
import json
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

START = 1_750_000_000


def rows(path):
    with open(path, "rb") as file:
        return list(struct.iter_unpack("<3d", file.read()))


def iso(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"


def ndjson(row):
    return (f'{{"time":"{iso(START + row[2])}","latitude":{row[0]:.7f},"longitude":{row[1]:.7f},'
            '"horizontalAccuracy":5,"speed":1.4}\n')


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


def nmea(row):
    """The sentences of a receiver for one epoch: RMC and GGA."""
    now = time.gmtime(START + row[2])
    clock = time.strftime("%H%M%S", now) + f".{int(row[2] % 1 * 100):02d}"
    place = []
    for degrees, width, letters in ((row[0], 2, "NS"), (row[1], 3, "EW")):
        minutes = round(abs(degrees) * 60, 5)
        place.append(f"{int(minutes // 60):0{width}d}{minutes % 60:08.5f},{letters[degrees < 0]}")
    place = ",".join(place)
    return (sentence(f"GPRMC,{clock},A,{place},2.7,,{time.strftime('%d%m%y', now)},,,A")
            + sentence(f"GPGGA,{clock},{place},1,10,1.0,40.0,M,47.0,M,,"))


def watch(program, index, state, *arguments):
    return [program, "watch", *arguments, "--index", index, "--state", state, "--format", "ndjson"]


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(["taskset", "-c", "0", *command], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))


def throughput(program, index, fixes, rounds=5):
    fixes = rows(fixes)
    with tempfile.TemporaryDirectory(prefix="photospots-feeds.") as folder:
        for name, line in (("ndjson", ndjson), ("nmea", nmea)):
            with open(f"{folder}/{name}", "w", newline="") as file:
                file.writelines(map(line, fixes))
        empty = f"{folder}/empty"
        with open(empty, "w") as file:
            file.write(ndjson((0, 0, 0)))
        found = {}
        for number in range(rounds):
            for name in ("empty", "ndjson", "nmea"):
                # Each round has its own state, so that all fire the same alerts.
                took = timed(watch(program, index, f"{folder}/{name}-{number}", f"{folder}/{name}", "--record"))
                found.setdefault(name, []).append(took)
        loading = [statistics.median(column) for column in zip(*found["empty"])]
        print(f"{len(fixes):,} fixes, {rounds} rounds, medians, one core; {loading[0]:.3f} s to start are taken off")
        for name in ("ndjson", "nmea"):
            wall, processor = (statistics.median(column) - off for column, off in zip(zip(*found[name]), loading))
            print(f"{name:8} {len(fixes) / wall:12,.0f} fixes/s by the clock {len(fixes) / processor:12,.0f} of processor time")


def latency(program, index, fixes, count=500):
    fixes = rows(fixes)
    step = max(1, len(fixes) // (count * 4))
    times = []
    with tempfile.TemporaryDirectory(prefix="photospots-feeds.") as folder:
        process = subprocess.Popen(
            watch(program, index, f"{folder}/state", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        os.set_blocking(process.stdout.fileno(), False)
        time.sleep(3)
        for number, (latitude, longitude, _) in enumerate(fixes[::step]):
            # Each fix has its own device, so that no cooldown applies.
            fix = json.dumps({"latitude": latitude, "longitude": longitude, "horizontalAccuracy": 5, "device": f"d{number}"})
            line = fix.encode() + b"\n"
            start = time.perf_counter()
            process.stdin.write(line)
            process.stdin.flush()
            # Without a spot nearby there is no output.
            answer = b""
            while not answer.endswith(b"\n") and time.perf_counter() - start < 0.2:
                answer += process.stdout.read() or b""
            if answer:
                times.append((time.perf_counter() - start) * 1000)
            if len(times) == count:
                break
        process.stdin.close()
        process.wait()
    times.sort()
    print(f"{len(times)} alerts: p50 {times[len(times) // 2]:.2f} ms, p99 {times[len(times) * 99 // 100]:.2f} ms, "
          f"most {times[-1]:.2f} ms, from the last byte of the fix to the line on standard output")


def idle(program, index, fixes, seconds=3600):
    fixes = rows(fixes)[:seconds]
    with tempfile.TemporaryDirectory(prefix="photospots-feeds.") as folder:
        process = subprocess.Popen(
            watch(program, index, f"{folder}/state", "-"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        time.sleep(5)
        first, begin = processor(process.pid), time.monotonic()
        for number, (latitude, longitude, _) in enumerate(fixes):
            time.sleep(max(0, begin + number - time.monotonic()))
            fix = {"latitude": latitude, "longitude": longitude, "horizontalAccuracy": 5}
            process.stdin.write(json.dumps(fix).encode() + b"\n")
            process.stdin.flush()
        took, elapsed = processor(process.pid) - first, time.monotonic() - begin
        with open(f"/proc/{process.pid}/status") as file:
            memory = dict(line.split(":\t") for line in file.read().splitlines() if line.startswith(("VmRSS", "VmHWM")))
        print(f"{len(fixes):,} fixes in {elapsed:.0f} s: {took:.2f} s of processor time, {100 * took / elapsed:.3f} % of a core; "
              f"resident {memory['VmRSS'].strip()}, at the peak {memory['VmHWM'].strip()}")
        process.stdin.close()
        process.wait()


def processor(pid):
    """The processor seconds used by a process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


COMMANDS = {"throughput": throughput, "latency": latency, "idle": idle}

if len(sys.argv) not in (5, 6) or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
COMMANDS[sys.argv[1]](*sys.argv[2:5], *map(int, sys.argv[5:]))
