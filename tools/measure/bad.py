#!/usr/bin/env python3
"""Bakes every bad file: those of fixtures/bad, which say what they must answer, and those of the
data folder.

Each must bake (exit code 0) or be refused (3) with a message that names the file, within 10 s and 1
GiB. Files of the data folder whose names promise that they are sound must bake, or be refused only
because nothing in them can be walked on. Exit code 1 when one fails.

usage: bad.py [-v] [NAME ...]     -v prints every answer
"""

import json
import pathlib
import sys
import tempfile

from runs import ROOT, data, program, run

SECONDS, MEMORY = 10, 1 << 30
SOUND = ("syn_ok", "negative_scale", "shear", "triangle_strip", "no_indices", "uri_ok", "two_scenes", "negative_indices")


def fault(path, result, codes, word):
    """What is wrong with an answer, in words, or None."""
    if result.code is None:
        return f"stopped after {result.seconds:.1f} s"
    if result.code not in codes:
        return f"exit {result.code}"
    if result.peak_bytes > MEMORY:
        return f"{result.peak_bytes >> 20} MiB"
    if result.code != 0 and path.name not in result.err:
        return "the message does not name the file"
    if result.code != 0 and word.lower() not in result.err.lower():
        return f"the message does not say `{word}`"
    return None


def cases():
    """Pairs of a file, the codes that are right, and a word of the message."""
    own = ROOT / "fixtures" / "bad"
    for name, right in json.loads((own / "expected.json").read_text()).items():
        yield own / name, right["exit"], right["says"]
    for path in sorted((data() / "bad").rglob("*")):
        if path.suffix in (".obj", ".gltf", ".glb", ".map"):
            yield path, [0, 3], "walk" if any(s in path.name for s in SOUND) else ""


def main():
    arguments = sys.argv[1:]
    verbose = "-v" in arguments
    names = [a for a in arguments if a != "-v"]
    navbake = program()
    counts = {"baked": 0, "refused": 0, "failed": 0}
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "bad.nav"
        for path, codes, word in cases():
            if names and not any(n in str(path) for n in names):
                continue
            result = run(navbake, "bake", path, "-o", output, "--force", seconds=SECONDS, memory=MEMORY)
            wrong = fault(path, result, codes, word)
            counts["failed" if wrong else "refused" if result.code else "baked"] += 1
            if wrong or verbose:
                place = f"{path.parent.name}/{path.name}"
                print(f"{'FAIL ' + wrong + ': ' if wrong else ''}{place}: exit {result.code}: {result.first_error()}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
