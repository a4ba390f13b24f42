#!/usr/bin/env python3
"""Asks explain and the navmesh about random points of levels; exit code 1 when a point is judged
differently more than 0.05 m from the mesh's border, or when plain measures confirm less than 95 of
100 of the figures that explain's reasons tell.

usage: explain.py [--samples N] [--seed N] [--border-error M] [NAME ...]
           only levels of tools/levels.toml whose file name holds one of the names

By default 20,000 points of each of five levels, 100,000 in all, and borders are drawn in by 0.05 m
at most: explain knows the level, not how its borders are drawn. The program is the example
explain_agrees of crates/report; the environment variable EXPLAIN_AGREES names another one.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from levels import levels
from runs import ROOT, data

LEVELS = ["recast_nav_test", "recast_dungeon.obj", "recast_undulating", "synthetic_tower", "dutility"]
# A game's level whose ramps are steeper than most agents' slope.
SLOPES = {"redeclipse_dutility.obj": "46"}
CONFIRMED = 0.95


def program():
    if "EXPLAIN_AGREES" in os.environ:
        return os.environ["EXPLAIN_AGREES"]
    build = ["cargo", "build", "--release", "--quiet", "-p", "navbake-report", "--example", "explain_agrees"]
    if subprocess.run(build, cwd=ROOT).returncode != 0:
        sys.exit("explain_agrees does not build")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(ROOT / target / "release" / "examples" / "explain_agrees")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--samples", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--border-error", type=float, default=0.05)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    agrees = program()
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        for entry in levels(options.names or LEVELS):
            config = pathlib.Path(folder) / "config.toml"
            config.write_text(entry.get("config", ""))
            command = [agrees, data() / "meshes" / entry["file"], "--config", config]
            command += ["--samples", options.samples, "--seed", options.seed, "--border-error", options.border_error]
            if entry["file"] in SLOPES:
                command += ["--slope", SLOPES[entry["file"]]]
            ran = subprocess.run([str(a) for a in command], capture_output=True, text=True)
            print(f"{entry['file']}: {ran.stdout.strip() or ran.stderr.strip()}", flush=True)
            found = re.search(r'"drawn_in": (\d+), "disagree": (\[[^]]*\])', ran.stdout)
            sound &= found is not None and sum(json.loads(found[2])) + int(found[1]) == 0
            confirmed = re.search(r'"confirmed": ({[^}]*})', ran.stdout)
            pairs = list(json.loads(confirmed[1]).values()) if confirmed else [[0, 1]]
            sound &= sum(p[0] for p in pairs) >= CONFIRMED * sum(p[1] for p in pairs)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
