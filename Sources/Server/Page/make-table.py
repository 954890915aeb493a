#!/usr/bin/env python3
"""Writes page.c, the table of the page's files, which the compiler embeds in the program.

Run it after adding, removing or renaming a file in files/; a test compares the table with that
folder.
"""

import pathlib

HERE = pathlib.Path(__file__).parent


def main():
    files = sorted(
        path.relative_to(HERE / "files").as_posix() for path in (HERE / "files").rglob("*")
        if path.is_file() and not path.name.startswith("."))
    lines = [
        "// Written by make-table.py.",
        '#include "CPage.h"',
        "",
        "// Clang accepts #embed (C23, section 6.10.4) in every version of C, with a warning.",
        '#pragma clang diagnostic ignored "-Wc23-extensions"',
    ]
    for number, name in enumerate(files):
        lines += [
            "", f"static const unsigned char file_{number}[] = {{", f'#embed "files/{name}"', "};"]
    lines += ["", "static const struct photospots_page_file files[] = {"]
    for number, name in enumerate(files):
        lines.append(f'  {{"{name}", file_{number}, sizeof file_{number}}},')
    lines += [
        "};", "",
        "const struct photospots_page_file *photospots_page_files(void) { return files; }", "",
        "size_t photospots_page_file_count(void) { return sizeof files / sizeof files[0]; }"]
    (HERE / "page.c").write_text("\n".join(lines) + "\n")


main()
