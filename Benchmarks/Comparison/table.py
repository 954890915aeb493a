"""The table of results: each measurement, its comparison, and whether its target is met."""
from dataclasses import dataclass
from typing import Optional


@dataclass
class Row:
    work: str
    ours: float
    unit: str
    peer: str = ""
    figure: Optional[float] = None
    most: Optional[float] = None
    """The target: at most so many times the peer's figure, or without a peer so much."""

    @property
    def ratio(self):
        return self.ours / self.figure if self.figure else None

    @property
    def is_met(self):
        if self.most is None:
            return None
        return (self.ours if self.figure is None else self.ratio) <= self.most

    def cells(self):
        target = "" if self.most is None else "≤ " + (
            number(self.most) + (" " + self.unit if self.unit else "") if self.figure is None else times(self.most))
        return [
            self.work, quantity(self.ours, self.unit), self.peer,
            "" if self.figure is None else quantity(self.figure, self.unit),
            "" if self.figure is None else times(self.ratio), target,
            {None: "", True: "yes", False: "**no**"}[self.is_met]]


TITLES = ["work", "PhotoSpots", "against", "its figure", "ratio", "target", "met"]


def markdown(rows):
    lines = [TITLES, ["---"] * len(TITLES)] + [row.cells() for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(value):
    if value and abs(value) < 10 and value != int(value):
        return f"{value:.2g}" if abs(value) < 1 else f"{value:.2f}"
    return f"{value:,.0f}"


def quantity(value, unit):
    if unit == "ns" and value >= 10_000:
        value, unit = value / 1000, "µs"
    if unit == "ms" and value >= 10_000:
        value, unit = value / 1000, "s"
    return f"{number(value)} {unit}".strip()


def times(ratio):
    """Formats a ratio: `0.29 ×`, or `1/15` for small ones."""
    return f"1/{1 / ratio:,.0f}" if 0 < ratio <= 0.1 else f"{ratio:.2f} ×"
