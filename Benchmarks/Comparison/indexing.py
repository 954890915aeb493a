"""Compares `photospots index` with the system calls it needs, and with programs that read EXIF."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re

from measuring import Run, alternate, note, peak_memory
from table import Row

THREADS = 2
SAMPLE = 2000
TAGS = ["GPSLatitude", "GPSLongitude", "DateTimeOriginal", "Model"]


def compare(bench):
    """Returns the rows."""
    folder = bench.photos(bench.files)
    index = bench.work / "photos.json"
    command = [bench.photospots, "index", "--index", index, "--jobs", THREADS, folder]
    floor = [bench.peer("floor")]

    def full():
        index.unlink(missing_ok=True)
        return Run(command).seconds

    def system(what, threads=THREADS):
        return float(Run([*floor, what, threads, folder]).text.split()[1])

    note(f"indexing {bench.files:,} photos")
    # A rescan uses the index of the preceding full scan.
    found = alternate(bench.rounds, {
        "read": lambda: system("read"), "index": lambda: {"full": full(), "rescan": Run(command).seconds},
        "stat": lambda: system("stat"), "walk": lambda: system("stat", 1)}, warm_up=True)
    ours = found["index"]
    index.unlink()
    peak = peak_memory(command)
    scan = json.loads(Run([*command, "--full", "--json"]).output)
    title = f"{bench.files:,} photos: "
    rows = [
        Row(title + "full index, 2 threads, spots and the mapped file included", ours["full"] * 1000, "ms",
            "open, fstat, read 16 KiB, close, 2 threads", found["read"] * 1000, 2.3),
        Row(title + "rescan, nothing changed, 2 threads", ours["rescan"] * 1000, "ms", "fstatat, 1 thread",
            found["walk"] * 1000, 2.0),
        Row(title + "rescan, nothing changed, 2 threads", ours["rescan"] * 1000, "ms", "fstatat, 2 threads",
            found["stat"] * 1000),
        Row("bytes read of a photo, mean", scan["bytesRead"] / scan["filesRead"] / 1024, "KiB", most=20),
        Row("peak memory of a full index", peak, "MiB"),
    ]
    return rows + readers(bench, folder, index, ours["full"] / bench.files)


def readers(bench, folder, index, ours):
    """Compares the time per photo and the positions with those of ExifTool, exif and Exiv2."""
    files = sample(folder)
    note(f"ExifTool, exif and Exiv2 on {len(files):,} photos")
    exiftool = ["exiftool", "-q", "-n", "-fast2", "-json", *["-" + tag for tag in TAGS], "-r",
                *sorted({os.path.dirname(file) for file in files})]
    exiv2 = exiv2_commands(files)
    # The program exif prints all entries, and stops at the first file with a rejected maker note.
    taken = [file for file in files if not Run(["exif", "-m", file], fails=True).status]
    exif = [["exif", "-m", *taken[start:start + 500]] for start in range(0, len(taken), 500)]
    answers = {}

    def run(name, commands, count):
        runs = [Run(command) for command in commands]
        answers[name] = "".join(one.text for one in runs)
        return sum(one.seconds for one in runs) / max(count, 1)

    found = alternate(bench.rounds, {
        "exiftool": lambda: run("exiftool", [exiftool], len(files)),
        "exif": lambda: run("exif", exif, len(taken)),
        "exiv2": lambda: run("exiv2", exiv2, len(files))}, warm_up=True)
    positions = {file: at for file, at in indexed(index).items() if file in set(files)}
    theirs = {"exiftool": exiftool_positions(answers["exiftool"]), "exiv2": exiv2_positions(answers["exiv2"])}
    rows = []
    for name, title, most in (("exiftool", "exiftool -r -n -fast2 -json, four tags", 1 / 300),
                              ("exif", f"exif -m (libexif), the {len(taken):,} that it takes", None), ("exiv2", "exiv2 -Pkv, four tags", None)):
        rows.append(Row("full index, a photo", ours * 1e9, "ns", title, found[name] * 1e9, most))
    differing = sum(differences(positions, said, name) for name, said in theirs.items())
    latitudes = re.findall(r"\nLatitude\t(.*)\n(?:.*\n)?Longitude\t(.*)", answers["exif"])
    located = sum(any(re.search("[1-9]", degrees) for degrees in pair) for pair in latitudes)
    expected = len(set(taken) & set(positions))
    note(f"exif: {located:,} positions in {len(taken):,} photos that it takes, {expected:,} are ours")
    differing += abs(located - expected)
    rows.append(Row(f"positions of {len(files):,} photos that differ from a reader's", differing, "", most=0))
    return rows


def sample(folder):
    """The files of the first folders, at least `SAMPLE` in total if there are so many."""
    files = []
    for name in sorted(os.listdir(folder)):
        if len(files) >= SAMPLE:
            break
        files += sorted(str(path) for path in pathlib.Path(folder, name).iterdir())
    return files


def indexed(path):
    """The positions in an index file, by path."""
    with open(path, encoding="utf-8") as file:
        index = json.load(file)
    files, photos = index["files"], index["photos"]
    return {
        os.path.join(index["folders"][files["folder"][at]], files["name"][at]): (latitude, longitude)
        for at, latitude, longitude in zip(photos["file"], photos["latitude"], photos["longitude"])}


def differences(ours, theirs, name):
    # A camera without a position yet writes 0, 0.
    theirs = {file: position for file, position in theirs.items() if position != (0, 0)}
    bad = sum(
        file not in ours or file not in theirs
        or any(abs(one - other) > 1e-6 for one, other in zip(ours[file], theirs[file]))
        for file in set(ours) | set(theirs))
    note(f"{name}: {len(theirs):,} positions, {bad} differ from ours")
    return bad


def exiftool_positions(text):
    return {photo["SourceFile"]: (photo["GPSLatitude"], photo["GPSLongitude"])
            for photo in json.loads(text) if "GPSLatitude" in photo and "GPSLongitude" in photo}


EXIV2_KEYS = ["Exif.GPSInfo.GPSLatitude", "Exif.GPSInfo.GPSLatitudeRef", "Exif.GPSInfo.GPSLongitude",
              "Exif.GPSInfo.GPSLongitudeRef", "Exif.Photo.DateTimeOriginal", "Exif.Image.Model"]


def exiv2_commands(files):
    options = [option for key in EXIV2_KEYS for option in ("-K", key)]
    return [["exiv2", "-q", *options, "-PEkv", *files[start:start + 500]] for start in range(0, len(files), 500)]


def exiv2_positions(text):
    loader = importlib.machinery.SourceFileLoader(
        "metadata_peers", str(pathlib.Path(__file__).parent.parent / "metadata-peers.py"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("metadata_peers", loader))
    loader.exec_module(module)
    values = {}
    for line in text.splitlines():
        found = re.match(r"(.*?)\s+(Exif\.\w+\.\w+)\s+(.*)", line)
        if found:
            values.setdefault(found[1], {})[found[2]] = found[3]
    positions = {}
    for file, said in values.items():
        latitude, north, longitude, east = (said.get(key) for key in EXIV2_KEYS[:4])
        position = module.degrees(latitude, north), module.degrees(longitude, east)
        if None not in position:
            positions[file] = position
    return positions
