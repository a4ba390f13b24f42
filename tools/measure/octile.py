#!/usr/bin/env python3
"""Bakes every MovingAI map and asks grid8 all queries of its scenario; exit code 1 when a length is
not the scenario's.

usage: octile.py [NAME ...]     only maps whose path holds one of the names
"""

import pathlib
import sys
import tempfile

from runs import data, program, run, table

HEAD = ["map", "queries", "cells KiB", "mean us", "p99 us", "mean expanded", "mismatches"]


def main():
    navbake, folder = program(), data()
    sound = True
    with tempfile.TemporaryDirectory() as scratch:
        blob = pathlib.Path(scratch) / "map.nav"
        table([HEAD])
        for level in sorted((folder / "maps").glob("*/*.map")):
            name = f"{level.parent.name}/{level.stem}"
            if sys.argv[1:] and not any(n in name for n in sys.argv[1:]):
                continue
            scen = level.with_name(level.name + ".scen")
            asked = run(navbake, "bake", level, "-o", blob, "--table-budget", "none", "--format", "json", "--quiet", "--force")
            if asked.code == 0:
                held = run(navbake, "info", blob, "--format", "json").json()
                size = sum(s["bytes"] for s in held["sections"] if s["name"].startswith("grid-"))
                questions = ["--planner", "grid8", "--scen", scen, "--format", "json"]
                asked = run(navbake, "bench", blob, *questions, seconds=3600)
            if asked.code != 0:
                print(f"{name}: exit {asked.code}: {asked.first_error()}", file=sys.stderr)
                sound = False
                continue
            bench = asked.json()
            sound &= bench["mismatches"] == 0 and bench["failed"] == 0
            row = [name, bench["queries"], f"{size / 1024:.1f}", f"{bench['mean_us']:.1f}", f"{bench['p99_us']:.1f}"]
            row += [f"{bench['mean_expanded']:.0f}", bench["mismatches"]]
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
