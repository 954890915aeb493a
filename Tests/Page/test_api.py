"""Requests that schemathesis makes up from the description of the API, all checks on."""

import os
import pathlib
import subprocess
import sys

SECONDS = int(os.environ.get("PHOTOSPOTS_API_SECONDS", "60"))

# A stream of events does not end, so no answer of it would ever be whole.
WITHOUT = ["--exclude-path", "/events"]


# What parameters and bodies may hold together, the description says in words: `box` or `near`, say. Such
# requests may be refused; all else of the checks is as it comes.
SETTINGS = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "415", "422", "429", "5xx"]
"""


def run(server, *arguments):
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    (server.folder / "schemathesis.toml").write_text(SETTINGS)
    return subprocess.run(
        [program, "run", f"{server.base}api/v1/openapi.json", "--checks", "all", "--workers", "2",
         "--max-time", str(SECONDS), "--request-timeout", "20", "--continue-on-failure",
         "--no-color", *WITHOUT, *arguments],
        capture_output=True, text=True, check=False, cwd=server.folder)


def test_every_answer_is_as_the_description_says(server):
    done = run(server, "--header", f"Authorization: Bearer {server.key}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert server.process.poll() is None
