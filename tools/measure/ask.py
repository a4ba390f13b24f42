#!/usr/bin/env python3
"""Bakes every level of tools/levels.toml and asks each blob random questions of every kind, every
answer checked by plain code.

usage: ask.py [--count N] [--paths N] [NAME ...]
           N questions of each cheap kind and of each with a search; only levels named so

By default 1,000,000 and 100,000, which takes hours. Exit code 1 when an answer is wrong or a bake
fails.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from levels import bake, levels
from runs import ROOT, program


def fuzzer():
    """The program of tools/ask: NAVBAKE_ASK, else the release build of this tree, brought up to
    date first."""
    if "NAVBAKE_ASK" in os.environ:
        return os.environ["NAVBAKE_ASK"]
    build = ["cargo", "build", "--release", "--quiet", "-p", "navbake-ask"]
    if subprocess.run(build, cwd=ROOT).returncode != 0:
        sys.exit("navbake-ask does not build")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(ROOT / target / "release" / "navbake-ask")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--paths", type=int, default=100_000)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    navbake, ask = program(), fuzzer()
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        blobs = []
        for entry in levels(options.names):
            output = pathlib.Path(folder) / (pathlib.Path(entry["file"]).stem + f"_{len(blobs)}.nav")
            result = bake(navbake, entry, output, folder)
            if result.code == 0:
                blobs.append(output)
            else:
                sound = False
                print(f"{entry['file']}: {result.first_error()}", file=sys.stderr)
        if not blobs:
            sys.exit("no levels")
        counts = ["--count", options.count, "--paths", options.paths]
        command = [ask, *blobs, *counts]
        sound &= subprocess.run([str(a) for a in command]).returncode == 0
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
