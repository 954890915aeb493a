"""Compares the spatial index with nanoflann, Boost's R-tree and S2, by the same queries."""
from measuring import Run, alternate, note
from table import Row

PEERS = {"nanoflann": "nanoflann", "boost": "Boost R-tree", "s2": "S2"}

# The work, the measure, and the target for each peer.
TARGETS = [
    ("50 m", "p50 past photos, ns", {"nanoflann": 0.40, "boost": 0.45, "s2": 1 / 12}),
    ("50 m", "p99 without home, ns", {"nanoflann": 0.20, "boost": None, "s2": 1 / 10}),
    ("50 m", "p50 at home, ns", {"nanoflann": None}),
    ("200 m", "p50 past photos, ns", {"nanoflann": 0.30, "boost": None, "s2": None}),
    ("5 km", "p50 past photos, ns", {"nanoflann": 0.25, "boost": None, "s2": None}),
    ("10 nearest", "p50 past photos, ns", {"nanoflann": 1.0, "boost": None, "s2": 1 / 20}),
    ("build", "ms", {"nanoflann": 0.75, "boost": None, "s2": None}),
]


def compare(bench):
    """Returns the rows."""
    points, queries = bench.points(bench.size), bench.queries(bench.size)
    answers = {name: bench.work / f"{name}.answers" for name in ["photospots", *PEERS]}
    programs = {"photospots": [bench.spatial, "measure"], **{name: [bench.peer(name)] for name in PEERS}}
    note(f"spatial index, {bench.size:,} points")
    turns = {name: lambda name=name: Run([*programs[name], points, queries, answers[name]]).figures()
             for name in programs}
    found = alternate(bench.rounds, turns)
    ours = found["photospots"]
    rows = []
    for work, measure, targets in TARGETS:
        unit = "ms" if work == "build" else "ns"
        title = f"{bench.size_name} points: " + (
            "build the index" if work == "build" else
            f"{'within ' + work if 'm' in work else work}, {measure.removesuffix(', ns')}")
        for peer, most in targets.items():
            rows.append(Row(title, ours[work, measure], unit, PEERS[peer], found[peer][work, measure], most))
    rows.append(Row("memory of the index, a point", ours["index", "bytes a point"], "B", most=32))
    for peer in PEERS:
        rows.append(Row("memory of the index, a point", ours["index", "bytes a point"], "B", PEERS[peer],
                        found[peer]["index", "bytes a point"]))
    differing = sum(differences(answers["photospots"], answers[peer], PEERS[peer]) for peer in PEERS)
    rows.append(Row("answers that differ from a peer's", differing, "", most=0))
    note("full scans")
    wrong = Run([bench.spatial, "check", points, queries, bench.checks]).figures()
    count = wrong["check", "answers"]
    rows.append(Row(f"wrong answers of {count:,.0f}, poles, antimeridian and edges among them", wrong["check", "wrong"],
                    "", "a full scan, which counts none", most=0))
    return rows


def differences(ours, theirs, peer):
    """The number of different answers.

    Sums of distances may differ a little, by the order of summation and a peer's formula.
    """
    said = read(ours)
    bad = 0
    for key, (hits, ids, meters) in read(theirs).items():
        mine = said[key]
        if mine[:2] != (hits, ids) or abs(mine[2] - meters) > 1e-6 * hits + 1e-12 * meters + 2e-6:
            bad += 1
    note(f"{peer}: {len(said):,} answers, {bad} differ from ours")
    return bad


def read(path):
    """The answers in a file: (work, query) -> count, checksum of the ids, sum of the distances."""
    with open(path) as file:
        lines = (line.rstrip("\n").split("\t") for line in file)
        return {(work, query): (int(hits), ids, float(meters)) for work, query, hits, ids, meters in lines}
