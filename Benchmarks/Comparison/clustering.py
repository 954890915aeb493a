"""Compares clustering with supercluster, and with the definition computed by SciPy's k-d tree."""
import sys
import time

import numpy
from scipy.spatial import cKDTree

from measuring import Run, alternate, note
from table import Row

RADIUS = 15.0
EARTH_RADIUS = 6371008.8
LAYOUTS = {"place": "within 100 m of one place", "identical": "at one position", "line": "on a line of 1000 km",
           "pole": "around a pole"}


def compare(bench):
    """Returns the rows."""
    note(f"clustering, {bench.size:,} points")
    points = {"library": bench.points(bench.size)}
    points.update({name: bench.layout(name, bench.size) for name in LAYOUTS})
    turns = {name: lambda path=path: Run([bench.spatial, "cluster", path]).figures()["clusters", "ms"]
             for name, path in points.items()}
    turns["supercluster"] = lambda: float(Run([sys.executable, __file__, "supercluster", points["library"]]).output)
    found = alternate(bench.rounds, turns)
    title = f"{bench.size_name} points: cluster, 15 m"
    rows = [Row(title + ", one thread", found["library"], "ms", most=120),
            Row(title, found["library"], "ms", "supercluster (its C++ port for Python), one level",
                found["supercluster"], 1 / 10)]
    seconds, wrong = 0, 0
    for name, path in points.items():
        labels = bench.work / f"{name}.clusters"
        Run([bench.spatial, "cluster", path, labels])
        expected, took = by_definition(coordinates(path))
        bad = int((numpy.fromfile(labels, numpy.int32) != expected).sum())
        note(f"{name}: {bad} of {len(expected):,} photos in another cluster than by definition")
        wrong += bad
        seconds = took if name == "library" else seconds
    rows.append(Row(title, found["library"], "ms", "the definition, with SciPy's k-d tree", seconds * 1000))
    for name, words in LAYOUTS.items():
        rows.append(Row(f"{title}, {words}", found[name], "ms", "the library of photos", found["library"],
                        1.0 if name != "pole" else None))
    rows.append(Row("photos in another cluster than by definition, all layouts", wrong, "", most=0))
    return rows


def coordinates(path):
    return numpy.fromfile(path).reshape(-1, 3)[:, :2]


def by_definition(positions):
    """Clusters greedily by the definition: the first free point is an anchor, and all free points
    within its radius join it.

    Returns the number of each point's cluster, and the time in seconds without reading the points.
    """
    start = time.perf_counter()
    radians = numpy.radians(positions)
    equatorial = numpy.cos(radians[:, 0])
    vectors = numpy.column_stack(
        [equatorial * numpy.cos(radians[:, 1]), equatorial * numpy.sin(radians[:, 1]), numpy.sin(radians[:, 0])])
    tree = cKDTree(vectors)
    # Slightly too far; exact distances are checked below.
    chord = 2 * numpy.sin(RADIUS / (2 * EARTH_RADIUS)) + 1e-12
    clusters = numpy.full(len(positions), -1, numpy.int32)
    count = 0
    for anchor in range(len(positions)):
        if clusters[anchor] >= 0:
            continue
        near = numpy.array(tree.query_ball_point(vectors[anchor], chord))
        near = near[clusters[near] < 0]
        near = near[distances(radians, anchor, near) <= RADIUS]
        clusters[near] = count
        count += 1
    return clusters, time.perf_counter() - start


def distances(radians, anchor, others):
    """Great-circle distances in metres by the haversine formula."""
    latitude, longitude = radians[anchor]
    across = numpy.sin((radians[others, 0] - latitude) / 2) ** 2
    along = numpy.sin((radians[others, 1] - longitude) / 2) ** 2
    return 2 * EARTH_RADIUS * numpy.arcsin(
        numpy.sqrt(numpy.minimum(1, across + numpy.cos(latitude) * numpy.cos(radians[others, 0]) * along)))


def supercluster(path):
    """The milliseconds of supercluster for one level of clusters of a radius of 15 m at 47°."""
    import pysupercluster
    points = numpy.ascontiguousarray(coordinates(path)[:, ::-1])
    zoom, extent = 16, 512
    radius = RADIUS / numpy.cos(numpy.radians(47)) / (2 * numpy.pi * EARTH_RADIUS) * extent * 2**zoom
    start = time.perf_counter()
    pysupercluster.SuperCluster(points, min_zoom=zoom, max_zoom=zoom, radius=radius, extent=extent)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    print(supercluster(sys.argv[2]))
