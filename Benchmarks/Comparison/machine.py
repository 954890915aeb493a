"""Describes the machine and the versions of the programs."""
import datetime
import os
import platform
import re
import subprocess


def describe():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (f"{model}, {os.cpu_count()} processors, {pages / 2**30:.0f} GiB of memory, {system()}, "
            f"Linux {platform.release()}")


def system():
    with open("/etc/os-release") as file:
        return next(line.split("=")[1].strip().strip('"') for line in file if line.startswith("PRETTY_NAME"))


def load():
    return os.getloadavg()[0]


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def versions():
    """The versions of the peers and compilers, by name."""
    commands = {
        "Swift": ["swift", "--version"], "g++": ["g++", "-dumpfullversion"], "ExifTool": ["exiftool", "-ver"],
        "exif": ["exif", "--version"], "Exiv2": ["exiv2", "--version"], "SQLite": ["sqlite3", "--version"],
        "Redis": ["redis-server", "--version"]}
    found = {name: number(command) for name, command in commands.items()}
    for name, package in {"libexif": "libexif12", "nanoflann": "libnanoflann-dev", "Boost": "libboost-dev",
                          "S2": "libs2-dev", "simdjson": "libsimdjson-dev"}.items():
        found[name] = number(["dpkg-query", "-W", "-f", "${Version}", package])
    import matplotlib, numpy, scipy
    from importlib.metadata import version
    found.update({"numpy": numpy.__version__, "SciPy": scipy.__version__, "pysupercluster": version("pysupercluster"),
                  "matplotlib": matplotlib.__version__})
    return found


def number(command):
    """The first version number in a command's output."""
    done = subprocess.run(command, capture_output=True, text=True)
    return re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)[0]
