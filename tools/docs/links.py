#!/usr/bin/env python3
"""Checks that links between the project's documents resolve, anchors included.

Prints each broken link with its file and line; exits with 1 if there is one.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def prose(text):
    """The lines of a document with their numbers, code blocks left out."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, re.sub(r"`[^`]*`", lambda m: "`" * len(m[0]), line)


def anchors(path):
    """The anchors of a document's headings, as GitHub names them."""
    names = set()
    code = False
    for line in path.read_text().splitlines():
        code ^= line.lstrip().startswith("```")
        heading = re.match(r"#+\s+(.*)", line)
        if heading and not code:
            name = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            names.add(name)
    return names


def main():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split()
    broken = 0
    for name in listed:
        path = ROOT / name
        if not path.is_file():
            continue
        for number, line in prose(path.read_text()):
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                there = (path.parent / file).resolve() if file else path
                if not there.exists():
                    fault = "no such file"
                elif anchor and there.suffix == ".md" and anchor not in anchors(there):
                    fault = "no such heading"
                else:
                    continue
                print(f"{name}:{number}: {target}: {fault}")
                broken += 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
