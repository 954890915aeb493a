"""What the kinds of walks are made of: the paths, noise and labels of the corpus, and smooth driving.

A kind is a function of a `Trace` that lays places, samples a true path with noise, and says which
alerts are wanted (for recall) or tolerated; all others count against precision. Lengths are metres
east and north of an origin, times seconds since 1970, speeds metres per second.
"""

import os
import pathlib
import sys

CORPUS = os.environ.get("PHOTOSPOTS_CORPUS")
if not CORPUS:
    sys.exit("Set PHOTOSPOTS_CORPUS to the folder with the test data; its folder golden is needed.")
sys.path.insert(0, str(pathlib.Path(CORPUS) / "golden"))

from core import (  # noqa: E402, F401
    DAY, MON, Noise, Path, Trace, Wifi, indoor, open_sky,
)

H, M = 3600.0, 60.0


def registry():
    """Returns an empty list of kinds, and a decorator that adds to it."""
    kinds = []

    def kind(function):
        kinds.append(function)
        return function

    return kinds, kind


def build(kind, seed):
    """Makes a trace of a kind, with the noise of a seed."""
    trace = Trace(kind.__name__, seed)
    kind(trace)
    trace.fixes.sort(key=lambda fix: fix["t"])
    return trace


def brake(path, x, speed, deceleration=1.2):
    """Goes on to x, to the east, and decelerates evenly to a halt there."""
    length, steps = speed * speed / 2 / deceleration, 8
    path.to(x - length, path.k[-1][2], speed)
    for step in range(1, steps + 1):
        left = length * (1 - step / steps) ** 2
        path.to(x - left, path.k[-1][2], max(0.4, speed * (1 - (step - 0.5) / steps)))
    return path


def accel(path, speed, acceleration=1.2):
    """Accelerates evenly from a halt, to the east."""
    x, length, steps = path.k[-1][1], speed * speed / 2 / acceleration, 8
    for step in range(1, steps + 1):
        path.to(x + length * (step / steps) ** 2, path.k[-1][2], max(0.4, speed * (step - 0.5) / steps))
    return path
