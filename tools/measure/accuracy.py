#!/usr/bin/env python3
"""Bakes levels, exports their navmeshes and asks an accuracy oracle how well they cover the ground;
prints its figures.

The oracle is a program of its own, named by the environment variable ORACLE: `oracle SOURCE.obj
NAVMESH.obj` prints one JSON object with `recall` and `intrusion` at margins, areas and height
errors, measured by brute force on the source's triangles.

usage: accuracy.py [LEVEL ...]     files below meshes/; by default the three of Recast's demo
"""

import os
import pathlib
import sys
import tempfile

from runs import data, program, run

LEVELS = ["recast_nav_test.obj", "recast_dungeon.obj", "recast_undulating.obj"]


def main():
    oracle = os.environ.get("ORACLE")
    if not oracle:
        sys.exit(__doc__)
    navbake = program()
    ended = 0
    with tempfile.TemporaryDirectory() as folder:
        blob, mesh = pathlib.Path(folder) / "level.nav", pathlib.Path(folder) / "level.obj"
        for name in sys.argv[1:] or LEVELS:
            source = data() / "meshes" / name
            steps = [
                (navbake, "bake", source, "-o", blob, "--table-budget", "none", "--force", "--quiet"),
                (navbake, "export", blob, "--to", "obj", "-o", mesh),
                (oracle, source, mesh),
            ]
            for step in steps:
                result = run(*step, seconds=1800)
                if result.code != 0:
                    print(f"{name}: {pathlib.Path(step[0]).name} ended with {result.code}: {result.first_error()}")
                    ended = 1
                    break
            else:
                print(f"{name}: {result.out.strip()}", flush=True)
    sys.exit(ended)


if __name__ == "__main__":
    main()
