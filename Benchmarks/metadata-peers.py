#!/usr/bin/env python3
"""Compares the results and times of PhotoSpots, ExifTool and Exiv2 for the same folder.

  metadata-peers.py PHOTOSPOTS FOLDER [TRUTH]

PHOTOSPOTS  the program, built for release
FOLDER      the photos
TRUTH       a JSON array of objects: path (relative to FOLDER), format, latitude, longitude,
            dateTaken (in EXIF's form), make, model, sidecars (paths). By default, ExifTool's
            results are used as the truth.

For each program and format it prints the number of true positions, and how many of them were
found, missed, and wrong (by more than 1e-6 degrees), and how many were invented; then the same for
capture times (wrong by more than a second) and cameras; then every difference with its file. A
photo without its own position has that of its XMP or Takeout sidecar; those photos have a row of
their own.

Then it measures whole processes, alternately, after one round that fills the page cache. It prints
the medians of ROUNDS rounds (environment variable, by default 7, at least 5). PhotoSpots writes its
index; the others print the same few tags to a pipe. Exiv2 does not walk folders, so it gets the
files.

Finally it prints the number of reads and bytes that PhotoSpots needs per photo of each format, and
the cost per photo: the processor time of a full index of many links to the photos of that format by
one thread, minus that of an index of an empty folder. It includes the walk and writing the index.
"""
import datetime, json, os, re, resource, shutil, statistics, subprocess, sys, tempfile, time
from collections import Counter, defaultdict

TAGS = ["GPSLatitude", "GPSLongitude", "DateTimeOriginal", "CreateDate", "CreationDate", "Make", "Model"]
EXIV2_KEYS = [f"{group}.{name}" for group, names in {
    "Exif.GPSInfo": ["GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef"],
    "Exif.Photo": ["DateTimeOriginal", "DateTimeDigitized"], "Exif.Image": ["Make", "Model"],
    "Xmp.exif": ["GPSLatitude", "GPSLongitude", "DateTimeOriginal"]}.items() for name in names]


class Answers(dict):
    """A program's results: path -> {"position", "time", "camera"}, each None if missing."""

    def keep(self, path, position=None, taken=None, make=None, model=None):
        make, model = (str(text).strip() if text is not None else "" for text in (make, model))
        camera = (make, model) if make or model else None
        self[path] = {"position": position, "time": Taken.of(taken), "camera": camera}


class Taken:
    """A date and time, parsed from any of the formats in use."""

    def __init__(self, local, offset):
        self.local, self.offset = local, offset

    @staticmethod
    def of(text):
        """Parses a text, also seconds since 1970; None if it is not a time."""
        if isinstance(text, (int, float)) or str(text).isdigit():
            return Taken(datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(text)), 0)
        parts = re.match(
            r"\s*(\d{4})\D(\d\d)\D(\d\d)\D(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?", str(text))
        try:
            local = datetime.datetime(*[int(number or 0) for number in parts.groups()[:6]])
        except (AttributeError, ValueError):
            return None
        if parts[7] in (None, "Z"):
            return Taken(local, 0 if parts[7] else None)
        minutes = int(parts[7][1:3]) * 60 + int(parts[7][-2:])
        return Taken(local, -minutes if parts[7][0] == "-" else minutes)

    def agrees(self, other):
        """Whether both are the same local time, or the same instant, within a second."""
        apart = (self.local - other.local).total_seconds()
        if abs(apart) <= 1:
            return True
        # A time without an offset may be UTC, as in movies.
        shift = 60 * ((self.offset or 0) - (other.offset or 0))
        return (self.offset, other.offset) != (None, None) and abs(apart - shift) <= 1

    def __repr__(self):
        return f"{self.local}" + ("" if self.offset is None else f" {self.offset:+} min")


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options).stdout


# The programs

def photospots_command(program, folder, work, *options):
    return [program, "index", "--index", os.path.join(work, "index.json"), "--full", *options, folder]


def photospots(program, folder, work, files):
    """The positions of the index, with the times and cameras printed by `inspect`."""
    index_file = os.path.join(work, "index.json")
    if os.path.exists(index_file):
        os.remove(index_file)
    run(photospots_command(program, folder, work))
    index = json.load(open(index_file, encoding="utf-8", errors="surrogateescape"))
    table, photos = index["files"], index["photos"]
    paths = [os.path.join(index["folders"][at], name) for at, name in zip(table["folder"], table["name"])]
    answers = Answers()
    for start in range(0, len(paths), 500):
        said = json.loads(run([program, "inspect", "--format", "json", *paths[start:start + 500]]))
        for path, photo in zip(paths[start:], said):
            answers.keep(path, None, photo.get("captured"), photo.get("make"), photo.get("model"))
            answers[path].update(reads=photo["reads"], bytes=photo["bytesRead"])
    for at, latitude, longitude in zip(photos["file"], photos["latitude"], photos["longitude"]):
        answers[paths[at]]["position"] = (latitude, longitude)
    return answers


def exiftool_command(folder, *options):
    return ["exiftool", *options, "-r", "-n", "-json", "-FileType", *["-" + tag for tag in TAGS], folder]


def exiftool(folder, *options):
    answers = Answers()
    formats = {}
    for photo in json.loads(run(exiftool_command(folder, *options)) or "[]"):
        values = [photo.get(tag) for tag in TAGS]
        position = tuple(values[:2]) if all(isinstance(value, (int, float)) for value in values[:2]) else None
        path = os.path.abspath(photo["SourceFile"])
        taken = next((value for value in values[2:5] if Taken.of(value)), None)
        answers.keep(path, position, taken, *values[5:])
        formats[path] = photo.get("FileType")
    return answers, formats


def exiv2_commands(files):
    options = [option for key in EXIV2_KEYS for option in ("-K", key)]
    return [["exiv2", "-q", *options, "-PEXkv", "/dev/null", *files[start:start + 1000]]
            for start in range(0, len(files), 1000)]


def exiv2(files):
    values = defaultdict(dict)
    for command in exiv2_commands(files):
        for line in run(command).decode("utf-8", "surrogateescape").splitlines():
            found = re.match(r"(.*?)\s+((?:Exif|Xmp)\.\w+\.\w+)\s+(.*)", line)
            if found:
                values[found[1]].setdefault(found[2], found[3])
    answers = Answers()
    for path in files:
        said = values.get(path, {})
        gps = [said.get("Exif.GPSInfo." + name) for name in
               ("GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef")]
        position = degrees(gps[0], gps[1]), degrees(gps[2], gps[3])
        if None in position:
            position = tuple(xmp_degrees(said.get("Xmp.exif." + name)) for name in ("GPSLatitude", "GPSLongitude"))
        times = [said.get(key) for key in
                 ("Exif.Photo.DateTimeOriginal", "Exif.Photo.DateTimeDigitized", "Xmp.exif.DateTimeOriginal")]
        answers.keep(
            path, None if None in position else position, next((text for text in times if Taken.of(text)), None),
            said.get("Exif.Image.Make"), said.get("Exif.Image.Model"))
    return answers


def degrees(rationals, reference):
    """Degrees from rationals and a reference: `48/1 51/1 3024/100` and `N`."""
    try:
        parts = [part.split("/") for part in rationals.split()]
        numbers = [int(part[0]) / int(part[1]) if int(part[1]) or int(part[0]) else 0 for part in parts]
    except (AttributeError, IndexError, ValueError, ZeroDivisionError):
        return None
    if not numbers or parts[0][1] == "0" or not reference or reference[0].upper() not in "NSEW":
        return None
    value = sum(number / unit for number, unit in zip(numbers, (1, 60, 3600)))
    return -abs(value) if reference[0].upper() in "SW" else value


def xmp_degrees(text):
    try:
        value = sum(float(part) / unit for part, unit in zip(text.rstrip("NSEWnsew").split(","), (1, 60, 3600)))
    except (AttributeError, ValueError):
        return None
    return -value if text[-1] in "SWsw" else value


# The truth

def load_truth(file, folder):
    """The truth, the format of each file, and the files with a position from a sidecar."""
    entries = {entry["path"]: entry for entry in json.load(open(file, encoding="utf-8"))}
    truth, formats, beside = Answers(), {}, set()
    for path, entry in entries.items():
        whole = os.path.join(folder, path)
        position, taken = located(entry), entry.get("dateTaken")
        for sidecar in [entries.get(path, {}) for path in entry.get("sidecars") or []]:
            if not position and located(sidecar):
                position = located(sidecar)
                beside.add(whole)
            taken = taken if Taken.of(taken) else sidecar.get("dateTaken")
        if taken and entry.get("offset") and not re.search(r"[+-]\d\d:\d\d$", str(taken)):
            taken += entry["offset"]
        truth.keep(whole, position, taken, entry.get("make"), entry.get("model"))
        formats[whole] = entry.get("format") or "unknown"
    return truth, formats, beside


def located(entry):
    position = (entry.get("latitude"), entry.get("longitude"))
    return None if None in position else position


# The comparison

def judge(kind, expected, said):
    """found, missed, wrong, invented, or None if there is neither an expected nor a given value."""
    if expected is None or said is None:
        return "missed" if said is None and expected is not None else "invented" if said is not None else None
    if kind == "position":
        return "found" if all(abs(one - other) <= 1e-6 for one, other in zip(expected, said)) else "wrong"
    if kind == "time":
        return "found" if expected.agrees(said) else "wrong"
    return "found" if expected == said else "wrong"


def compare(programs, truth, formats, beside):
    differences = defaultdict(list)
    for kind, title in (("position", "Positions"), ("time", "Capture times"), ("camera", "Cameras")):
        print(f"\n{title}\n{'':26}{'':8}" + "".join(f"{name:>32}" for name, _ in programs))
        print(f"{'format':26}{'truth':>8}" + "   found missed wrong  invented" * len(programs))
        rows, totals = defaultdict(lambda: defaultdict(Counter)), defaultdict(Counter)
        for path, entry in truth.items():
            row = "position in a sidecar" if path in beside and kind == "position" else formats[path]
            expected = entry[kind]
            rows[row]["truth"]["count"] += expected is not None
            totals["truth"]["count"] += expected is not None
            for name, answers in programs:
                said = answers.get(path, {}).get(kind)
                verdict = judge(kind, expected, said)
                rows[row][name][verdict] += 1
                totals[name][verdict] += 1
                if verdict in ("missed", "wrong", "invented"):
                    differences[path, kind, str(expected)].append(f"{name}: {verdict}" + (
                        f" {said}" if said is not None else ""))
        for row, counts in sorted(rows.items()) + [("all", totals)]:
            if any(count[verdict] for count in counts.values() for verdict in ("count", "invented")):
                print_row(row, counts, [name for name, _ in programs])
    return differences


def print_row(row, counts, names):
    cells = "".join(
        f"{counts[name]['found']:>8}{counts[name]['missed']:>7}{counts[name]['wrong']:>6}"
        f"{counts[name]['invented']:>10} " for name in names)
    print(f"{row:26}{counts['truth']['count']:>8}{cells}")


# The clock

def measure(commands, rounds, work):
    """Median wall and processor seconds of each command, run without an existing index.

    A command may consist of several successive processes.
    """
    seconds, busy = defaultdict(list), defaultdict(list)
    for turn in range(rounds + 1):
        for name in list(commands) if turn % 2 else reversed(list(commands)):
            if os.path.exists(os.path.join(work, "index.json")):
                os.remove(os.path.join(work, "index.json"))
            start, used = time.perf_counter(), processor()
            for command in commands[name]:
                run(command)
            if turn:
                seconds[name].append(time.perf_counter() - start)
                busy[name].append(processor() - used)
    return {name: (statistics.median(seconds[name]), statistics.median(busy[name])) for name in commands}


def processor():
    """The processor seconds of all finished child processes, including system calls."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def print_costs(program, ours, formats, rounds, work):
    paths = defaultdict(list)
    for path, answer in ours.items():
        if answer["reads"]:
            paths[formats.get(path, "unknown")].append(path)
    folders = {"": os.path.join(work, "empty")}
    for format, members in paths.items():
        folders[format] = os.path.join(work, "links " + re.sub(r"\W", "_", format))
        link_all(members, folders[format])
    os.makedirs(folders[""])
    seconds = measure(
        {format: [photospots_command(program, at, work, "--jobs", "1")] for format, at in folders.items()},
        rounds, work)
    print(f"\n{'format':26}{'files':>6}{'reads':>8}{'most':>6}{'KiB':>8}{'most':>8}{'µs':>8}")
    for format, members in sorted(paths.items()):
        reads, sizes = ([ours[path][key] for path in members] for key in ("reads", "bytes"))
        micros = (seconds[format][1] - seconds[""][1]) / len(os.listdir(folders[format])) * 1e6
        print(f"{format:26}{len(members):>6}{statistics.mean(reads):>8.1f}{max(reads):>6}"
              f"{statistics.mean(sizes) / 1024:>8.1f}{max(sizes) / 1024:>8.1f}{micros:>8.1f}")


LINKS = 2000


def link_all(paths, folder):
    """Makes LINKS links to copies of files, equally many for each file."""
    copies = folder + " copies"
    os.makedirs(copies)
    os.makedirs(folder)
    for number, path in enumerate(paths):
        copy = os.path.join(copies, f"{number}{os.path.splitext(path)[1]}")
        shutil.copyfile(path, copy)
        for turn in range(max(1, LINKS // len(paths))):
            os.link(copy, os.path.join(folder, f"{turn}-{os.path.basename(copy)}"))


def main():
    if len(sys.argv) not in (3, 4) or not os.access(sys.argv[1], os.X_OK) or not os.path.isdir(sys.argv[2]):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    for peer in ("exiftool", "exiv2"):
        if not shutil.which(peer):
            sys.exit(f"metadata-peers: {peer} is not installed")
    program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    rounds = max(5, int(os.environ.get("ROUNDS", "7")))
    files = sorted(os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)
    with tempfile.TemporaryDirectory(prefix="photospots-peers.") as work:
        tool, types = exiftool(folder)
        fast, _ = exiftool(folder, "-fast2")
        if len(sys.argv) == 4:
            truth, formats, beside = load_truth(sys.argv[3], folder)
        else:
            truth, beside = tool, set()
            formats = {path: types[path] or "unknown" for path in tool}
        ours = photospots(program, folder, work, files)
        # A sidecar is not a photo; its data are expected for the photo beside it.
        photos = Answers({path: entry for path, entry in truth.items()
                          if formats[path] not in ("XMP", "Takeout JSON", "JSON", "TXT")})
        programs = [("photospots", ours), ("exiftool", tool), ("exiftool -fast2", fast), ("exiv2", exiv2(files))]
        differences = compare(programs, photos, formats, beside)
        print("\nDifferences")
        for (path, kind, expected), verdicts in sorted(differences.items()):
            print(f"  {os.path.relpath(path, folder)}: {kind} {expected}; {', '.join(verdicts)}")
        seconds = measure({
            "photospots": [photospots_command(program, folder, work)],
            "exiftool": [exiftool_command(folder)], "exiftool -fast2": [exiftool_command(folder, "-fast2")],
            "exiv2": exiv2_commands(files)}, rounds, work)
        print(f"\n{len(files)} files, {rounds} rounds, median seconds of the whole process")
        for name, (median, busy) in seconds.items():
            print(f"  {name:18}{median:9.4f} s{median / seconds['photospots'][0]:8.1f} × photospots,"
                  f"{busy:9.4f} s of the processor")
        print_costs(program, ours, formats, rounds, work)


if __name__ == "__main__":
    main()
