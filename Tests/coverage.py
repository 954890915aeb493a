"""Prints the line coverage of each module as a table in Markdown.

Usage: coverage.py LLVM-COV BINARY PROFILE

A module is a folder of a folder of Sources. Lines are those that llvm-cov counts: with code, in files that were compiled. The page's
scripts and C code without coverage mapping are not among them, nor are the links to WholeNumbers.swift in all modules but one.
"""
import collections
import json
import pathlib
import subprocess
import sys


def coverage(llvm_cov, binary, profile):
    """Returns the covered and all lines by module."""
    sources = pathlib.Path.cwd() / 'Sources'
    report = subprocess.run(
        [llvm_cov, 'export', '-summary-only', '-instr-profile', profile, binary],
        check=True, capture_output=True)
    modules = collections.defaultdict(lambda: [0, 0])
    for file in json.loads(report.stdout)['data'][0]['files']:
        path = pathlib.Path(file['filename'])
        if not path.is_relative_to(sources) or path.is_symlink():
            continue
        lines = file['summary']['lines']
        module = modules[path.relative_to(sources).parts[1]]
        module[0] += lines['covered']
        module[1] += lines['count']
    return modules


def row(name, covered, count):
    return f'| {name} | {count:,} | {100 * covered / max(count, 1):.1f} % |'


def main():
    modules = coverage(*sys.argv[1:4])
    print('| Module | Lines | Covered |\n| --- | ---: | ---: |')
    for name in sorted(modules, key=str.lower):
        print(row(name, *modules[name]))
    print(row('**all**', *(sum(module[place] for module in modules.values()) for place in (0, 1))))


main()
