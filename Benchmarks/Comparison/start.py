"""Compares the start of the program with that of an empty C program."""
from measuring import note
from processes import Starter
from table import Row

ROUNDS = 40


def compare(bench):
    """Returns the rows."""
    note("start of the program")
    starter = Starter(bench.work)
    found = starter.run(ROUNDS * bench.rounds, {
        "ours": [bench.photospots, "--version"], "bare": [starter.bare]})
    title = f"start of the program ({bench.program_kind}), `--version`"
    return [
        Row(title, found["ours"].wall, "ms", most=4),
        Row(title, found["ours"].wall, "ms", "a bare C program", found["bare"].wall),
        Row(title + ", of the processor", found["ours"].processor, "ms", "a bare C program", found["bare"].processor),
        Row(title + ", peak memory", found["ours"].peak, "MiB", most=10),
        Row(title + ", peak memory", found["ours"].peak, "MiB", "a bare C program", found["bare"].peak),
    ]
