"""Reads the results of the tests in .build/results, where the scripts that run the tests leave them.

    results.py again EVENTS...   prints a pattern for each Swift test that failed, to run it again
    results.py summary TITLE     prints what failed, and how many tests passed, in at most 30 lines, and adds the flaky
                                 tests to .build/flaky.tsv

The files: swift/*.jsonl has the events of Swift Testing (swift/again-*.jsonl of tests that ran again alone), page.xml and
page-again.xml the results of pytest, node.tap and node-again.tap those of node, and `stages` the stages of .ci/run.
"""

import json
import os
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as ET

RESULTS = pathlib.Path(".build/results")
# Each line has the day, the load of the machine, and the test with the reason of its failure.
FLAKY = pathlib.Path(".build/flaky.tsv")
MOST_LINES = 30
WIDTH = 200
# Swift Testing describes the arguments of a test several times. For a megabyte of bytes that takes a minute.
LONGEST_RECORD = 200_000


class Test:
    """The result of a test: its place in the sources, and why it failed, if it did."""

    def __init__(self, name, where="", reason=None, is_skipped=False):
        self.name = name
        self.where = where
        self.reason = reason
        self.is_skipped = is_skipped


# The folders of the test targets, by their names.
FOLDERS = {path.name: path for path in pathlib.Path("Tests").glob("**/*Tests") if path.is_dir()}


def place(source):
    """The file and line of an issue; Swift names only the target and the file."""
    target, _, file = source["fileID"].partition("/")
    found = next(FOLDERS.get(target, pathlib.Path("Tests") / target).rglob(file), file)
    return f"{found}:{source['line']}"


def swift_tests(path):
    """The results of Swift tests by their ids, from the events of a process."""
    known, running, tests = {}, {}, {}
    for line in path.read_text(errors="replace").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            # The last line of a process that was killed may be cut off.
            continue
        payload = record["payload"]
        kind = payload["kind"]
        if record["kind"] == "test" and kind == "function":
            name = payload["id"].split(".", 1)[-1].rsplit("/", 1)[0]
            known[payload["id"]] = Test(name, place(payload["sourceLocation"]))
        key = payload.get("testID")
        test = known.get(key)
        if record["kind"] != "event" or not test:
            continue
        if len(line) > LONGEST_RECORD and kind == "testCaseStarted":
            test.reason = test.reason or "an argument is long: pass its number in a list instead"
        if kind == "testStarted":
            running[key] = test
        elif kind in ("testEnded", "testSkipped"):
            test.is_skipped = kind == "testSkipped"
            running.pop(key, None)
            tests[key] = test
        elif kind == "issueRecorded" and not payload["issue"].get("isKnown") and not test.reason:
            if source := payload["issue"].get("sourceLocation"):
                test.where = place(source)
            test.reason = " ".join(one["text"] for one in payload["messages"])
    # Where the process ended early: the test that began last, which is the only one if they do not run in parallel.
    for key, test in list(running.items())[-1:]:
        test.reason = test.reason or "the process ended during this test"
        tests[key] = test
    return tests


def all_of(paths):
    """The results of Swift tests by their ids, from the events of several processes."""
    return {key: test for path in paths for key, test in swift_tests(path).items()}


def page_tests(path):
    """The results of pytest by their ids."""
    tests = {}
    if not path.exists():
        return tests
    for case in ET.parse(path).iter("testcase"):
        file, name = case.get("file") or case.get("classname"), case.get("name")
        test = Test(name, f"{file}:{int(case.get('line') or 0) + 1}")
        for problem in case:
            if problem.tag == "skipped":
                test.is_skipped = True
            elif problem.tag in ("failure", "error"):
                places = re.findall(rf"^({re.escape(file)}:\d+): ", problem.text or "", re.MULTILINE)
                test.where = (places or [test.where])[-1]
                test.reason = problem.get("message") or problem.tag
        earlier = tests.get((file, name))
        # A test and its teardown may both fail.
        if not (earlier and earlier.reason):
            tests[file, name] = test
    return tests


def node_tests(path):
    """The results of node's tests by file and name."""
    tests, file, last = {}, "", None
    for line in path.read_text(errors="replace").split("\n") if path.exists() else []:
        found = re.match(r"(not )?ok \d+ - (.*?)( # (?:SKIP|TODO).*)?$", line)
        if line.startswith("# Tests/"):
            file = line[2:]
        elif found:
            last = Test(found[2], file, reason="failed" if found[1] else None, is_skipped=bool(found[3]))
            tests[file, found[2]] = last
        elif last and last.reason and (at := re.match(r"  location: '.*/(Tests/.*:\d+):\d+'", line)):
            last.where = at[1]
        elif last and last.reason == "failed" and (reason := re.match(r"  error: (.*)", line)):
            last.reason = "error: " if reason[1] == "|-" else reason[1]
        elif last and last.reason == "error: ":
            last.reason = line.strip() or last.reason
    return tests


def merged(first, again):
    """The results of tests of which some ran again, and the first results of those that passed then."""
    flaky = [test for key, test in first.items() if test.reason and key in again and not again[key].reason]
    return [*{**first, **again}.values()], flaky


def one_line(test, word):
    """A test that failed, and why, in a line."""
    reason = " ".join((test.reason or "").split())
    return f"{word} {test.where} {test.name}: {reason}"[:WIDTH]


def summary(title):
    """Prints the summary of all results."""
    again = sorted((RESULTS / "swift").glob("again-*.jsonl"))
    events = sorted(set((RESULTS / "swift").glob("*.jsonl")) - set(again))
    tests, flaky = merged(all_of(events), all_of(again))
    for kind, read in (("page", page_tests), ("node", node_tests)):
        ending = "xml" if kind == "page" else "tap"
        more, odd = merged(read(RESULTS / f"{kind}.{ending}"), read(RESULTS / f"{kind}-again.{ending}"))
        tests += more
        flaky += odd
    failed = [test for test in tests if test.reason]
    skipped = [test for test in tests if test.is_skipped and not test.reason]
    print(title)
    stages = RESULTS / "stages"
    if stages.exists():
        print(" | ".join(line.replace("\t", " ") for line in stages.read_text().splitlines()))
    lines = [one_line(test, "FAILED") for test in failed]
    lines += [f"FLAKY, ended when it ran again: the process of the {path.stem} tests crashed or hung"
              for path in sorted((RESULTS / "swift").glob("*.crashed"))
              if int(path.with_suffix(".status").read_text()) < 124]
    lines += [one_line(test, "FLAKY, passed alone:") for test in flaky]
    room = MOST_LINES - 4
    with FLAKY.open("a") as record:
        for line in lines[len(failed):]:
            print(time.strftime("%Y-%m-%d"), os.getloadavg()[0], line, sep="\t", file=record)
    for line in lines[:room]:
        print(line)
    if len(lines) > room:
        print(f"and {len(lines) - room} more")
    print(f"{len(tests) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")


def print_again(paths):
    """Prints a pattern for each test that failed, which matches its id."""
    for key, test in all_of(map(pathlib.Path, paths)).items():
        if test.reason:
            print("^" + re.escape(re.sub(r"/[^/]*:\d+:\d+$", "", key)) + "/")


if sys.argv[1] == "again":
    print_again(sys.argv[2:])
else:
    summary(sys.argv[2])
