#!/usr/bin/env python3
"""Writes the public declarations of each module to docs/api/MODULE.txt.

    make-listing.py SYMBOL-GRAPHS

Each line is a declaration, below its type. So changes of the public API are visible in reviews as
changes of these files.
"""
import json
import pathlib
import sys

# Conformances that the compiler adds to almost every type.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}


def declaration(symbol):
    text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
    return " ".join(text.split()) or symbol["names"]["title"]


def listing(folder):
    rows = {}
    for file in sorted(folder.glob("*.symbols.json")):
        graph = json.loads(file.read_text())
        paths = {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]}
        conformances = {}
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                target = paths.get(relation["target"])
                name = target["names"]["title"] if target else relation.get("targetFallback", "")
                name = name.split(".")[-1]
                if name and name not in IMPLIED:
                    conformances.setdefault(relation["source"], set()).add(name)
        for precise, symbol in paths.items():
            text = declaration(symbol)
            if names := sorted(conformances.get(precise, [])):
                text += "  // " + ", ".join(names)
            path = tuple(symbol["pathComponents"])
            # Overloads have the same path, so the declaration orders them.
            rows[(path, text)] = "  " * (len(path) - 1) + text
    # Members of another module's type have no line for the type above them.
    types = {path for path, _ in rows}
    for path, _ in list(rows):
        for length in range(1, len(path)):
            if path[:length] not in types:
                rows[(path[:length], "")] = "  " * (length - 1) + f"extension {path[length - 1]}"
    return [rows[key] for key in sorted(rows)]


def main():
    target = pathlib.Path(__file__).parent
    for old in target.glob("*.txt"):
        old.unlink()
    for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        if lines := listing(folder):
            (target / f"{folder.name}.txt").write_text("\n".join(lines) + "\n")


main()
