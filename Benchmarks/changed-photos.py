#!/usr/bin/env python3
"""Measures the cost of changes in a large library: bytes written, time, and delay for readers.

    changed-photos.py PROGRAM [--photos 1000000] [--changes 1,100,10000] [--rounds 3]
                      [--folder FOLDER]

Makes --photos small JPEG files with a position and a time each (4 KiB on disk per file, in $TMPDIR)
and indexes them. Then it adds files and runs `photospots index` again, like `index --watch` for a
batch of changes. The bytes are those that the process wrote to files (/proc/PID/io): the index and
the file that readers map.

`index --watch` waits until nothing has changed for 2 s, scans, and then pauses for 20 times the
duration of the scan, or a second per megabyte written, at most 600 s (WatchTimes, RescanSchedule).
The last columns follow from that: the delay until `near` and `watch` have a new photo after a quiet
time, the maximum delay of a photo just after another, and the bytes written in a day of constant
changes.
"""

import argparse
import os
import statistics
import struct
import subprocess
import tempfile
import time

PER_FOLDER = 1000


def place(number):
    """The position of a photo: a third are at home, the others on walks in a thousand towns."""
    town = 0 if number % 3 == 0 else number // PER_FOLDER % 1000 + 1
    step = number * 2_654_435_761 % 2**32 / 2**32
    other = number * 40_503 % 1_000_003 / 1_000_003
    width = 0.001 if town == 0 else 0.05
    return town * 37 % 120 - 60 + width * step, town * 73 % 350 - 175 + width * other


def photo(number, latitude, longitude):
    """The start of a JPEG file with EXIF: DateTimeOriginal, and a position to 0.01 arc seconds."""
    date = time.strftime("%Y:%m:%d %H:%M:%S", time.gmtime(1_300_000_000 + 300 * number)).encode() + b"\0"

    def angle(degrees):
        hundredths = round(abs(degrees) * 360_000)
        return struct.pack(">6I", hundredths // 360_000, 1, hundredths // 6_000 % 60, 1, hundredths % 6_000, 100)

    def directory(*entries):
        return struct.pack(">H", len(entries)) + b"".join(entries) + bytes(4)

    def entry(tag, kind, count, value):
        return struct.pack(">HHI", tag, kind, count) + value.ljust(4, b"\0")

    offsets = {"exif": 38, "gps": 56, "date": 110, "latitude": 130, "longitude": 154}
    at = {name: struct.pack(">I", offset) for name, offset in offsets.items()}
    tiff = b"MM\0*" + struct.pack(">I", 8)
    tiff += directory(entry(0x8769, 4, 1, at["exif"]), entry(0x8825, 4, 1, at["gps"]))
    tiff += directory(entry(0x9003, 2, 20, at["date"]))
    tiff += directory(
        entry(1, 2, 2, b"S\0" if latitude < 0 else b"N\0"), entry(2, 5, 3, at["latitude"]),
        entry(3, 2, 2, b"W\0" if longitude < 0 else b"E\0"), entry(4, 5, 3, at["longitude"]))
    tiff += date + angle(latitude) + angle(longitude)
    block = b"Exif\0\0" + tiff
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(block) + 2) + block + b"\xff\xd9"

def add(folder, numbers):
    for number in numbers:
        part = os.path.join(folder, f"{number // PER_FOLDER:05}")
        if number % PER_FOLDER == 0 or not os.path.isdir(part):
            os.makedirs(part, exist_ok=True)
        with open(os.path.join(part, f"IMG_{number:08}.JPG"), "wb", buffering=0) as file:
            file.write(photo(number, *place(number)))

def index(program, folder, path):
    """Runs a scan; returns its wall and processor seconds, and the bytes written."""
    start = time.monotonic()
    process = subprocess.Popen([program, "index", "--quiet", "--index", path, folder])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.monotonic() - start
    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
        written = int(dict(line.split(": ") for line in file)["wchar"])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"changed-photos: {program} failed with status {status}")
    return seconds, usage.ru_utime + usage.ru_stime, written

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--photos", type=int, default=1_000_000)
    parser.add_argument("--changes", default="1,100,10000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default=os.environ.get("TMPDIR", "/tmp"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as work:
        folder, path = os.path.join(work, "photos"), os.path.join(work, "index.json")
        add(folder, range(arguments.photos))
        seconds, processor, written = index(arguments.program, folder, path)
        print(f"all {arguments.photos}: {seconds:.1f} s, {processor:.1f} s of the processor, {written / 1e6:.0f} MB written")
        seconds, processor, written = index(arguments.program, folder, path)
        print(f"none: {seconds:.1f} s, {processor:.1f} s of the processor, {written / 1e6:.1f} MB written", flush=True)
        count = arguments.photos
        for change in map(int, arguments.changes.split(",")):
            runs = []
            for _ in range(arguments.rounds):
                add(folder, range(count, count + change))
                count += change
                runs.append(index(arguments.program, folder, path))
            seconds, processor, written = (statistics.median(figure) for figure in zip(*runs))
            pause = min(max(20 * seconds, written / 1e6), 600)
            print(
                f"{change}: {seconds:.1f} s, {processor:.1f} s of the processor, {written / 1e6:.0f} MB written;"
                f" seen after {2 + seconds:.0f} s, or {pause + seconds:.0f} s just after another;"
                f" at most {written * 86_400 / (seconds + pause) / 1e9:.0f} GB a day", flush=True)

main()
