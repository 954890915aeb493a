"""Measures the growth of time with the number of photos: a table and a plot."""
import math
import os

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

from measuring import Run, alternate, note
from processes import Starter

PANELS = [("build", "build the index, ms"), ("result", "within 50 m, ns a result"),
          ("cluster", "cluster, 15 m, ms"), ("near", "`near`, the whole process, ms")]
# Fewer than elsewhere: of ten million photos, a result at home has three million.
QUERIES = 500
# The approximate memory per photo, for the peer's index and while the index file is made.
BYTES_A_PHOTO = 1200


def measure(bench):
    """Returns size -> program -> panel -> median. Sizes too large for the memory are skipped."""
    found = {}
    for size in bench.growth:
        if size * BYTES_A_PHOTO > available_bytes():
            note(f"{size:,} photos do not fit into this memory")
            continue
        note(f"growth: {size:,} photos")
        # Always generated, so that the sizes are comparable.
        points = bench.layout("library", size)
        queries = bench.made(
            f"queries-{size}-{QUERIES}.f64", lambda path: Run([bench.spatial, "queries", QUERIES, points, path]))
        asked = [points, queries, os.devnull, "50 m"]
        index = bench.made(f"growth-{size}.json", lambda path: Run([bench.library, "index", points, path]))

        def ours():
            figures = Run([bench.spatial, "measure", *asked]).figures()
            return {
                **spatial(figures),
                "cluster": Run([bench.spatial, "cluster", points]).figures()["clusters", "ms"]}

        found[size] = alternate(bench.rounds if size <= 1_000_000 else 1, {
            "PhotoSpots": ours,
            "nanoflann": lambda: spatial(Run([bench.peer("nanoflann"), *asked]).figures())})
        # The first warm-up round makes the file that all others map.
        near = [bench.photospots, "near", "--index", index, "52.09", "5.12"]
        found[size]["PhotoSpots"]["near"] = Starter(bench.work).run(10 * bench.rounds, {"near": near})["near"].wall
        # The files are large.
        for file in (points, queries, index, index.with_name(index.name + ".mapped")):
            file.unlink()
    return found


def spatial(figures):
    return {"build": figures["build", "ms"], "result": figures["50 m", "past photos, ns a result"]}


def available_bytes():
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def draw(found, path):
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 6.5), sharex=True, constrained_layout=True)
    for axis, (panel, title) in zip(axes.flat, PANELS):
        for program, style in (("nanoflann", "s--C1"), ("PhotoSpots", "o-C0")):
            points = [(size, programs[program][panel]) for size, programs in found.items() if panel in programs[program]]
            if points:
                axis.loglog(*zip(*points), style, label=program)
        axis.set_title(title, fontsize=10)
        axis.grid(True, which="major", alpha=0.3)
        axis.set_ylim(bottom=axis.get_ylim()[0] / 2, top=axis.get_ylim()[1] * 2)
    for axis in axes[1]:
        axis.set_xlabel("photos")
    axes[0][0].legend()
    figure.savefig(path, dpi=90)


def markdown(found):
    lines = ["| photos | " + " | ".join(title for _, title in PANELS) + " |", "| --- " * 5 + "|"]
    for size, programs in found.items():
        cells = [f"{programs['PhotoSpots'][panel]:,.3g}" if programs["PhotoSpots"][panel] < 100
                 else f"{programs['PhotoSpots'][panel]:,.0f}" for panel, _ in PANELS]
        lines.append(f"| {size:,} | " + " | ".join(cells) + " |")
    sizes = list(found)
    if len(sizes) > 1:
        cells = [f"{exponent(found, sizes[-2], sizes[-1], panel):.2f}" for panel, _ in PANELS]
        lines.append(f"| exponent, {sizes[-2]:,} to {sizes[-1]:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def exponent(found, small, large, panel):
    """The exponent of the growth of time with size: 1 if proportional, 0 if constant."""
    ratio = found[large]["PhotoSpots"][panel] / found[small]["PhotoSpots"][panel]
    return math.log(ratio) / math.log(large / small)
