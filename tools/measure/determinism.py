#!/usr/bin/env python3
"""Bakes levels with 1 and 2 threads and with their triangles shuffled, and compares the bytes; exit
code 1 when they differ.

usage: determinism.py [NAME ...]
           only levels of tools/levels.toml whose file name holds one of the names
"""

import pathlib
import random
import sys
import tempfile

from levels import bake, levels
from runs import data, program

LEVELS = ["recast_nav_test", "recast_dungeon.obj", "recast_undulating", "synthetic_tower", "dutility", "godot_navigation", "lqdm5", "proto_level", "bridges"]


def shuffled(source, target):
    """Writes an OBJ file with the faces of each group in another order and each triangle's corners
    turned; indices must be positive."""
    chance = random.Random(1)
    lines, run = [], []
    for line in source.read_text().splitlines():
        if line.startswith("f "):
            corners = line.split()[1:]
            turn = chance.randrange(3) if len(corners) == 3 else 0
            run.append("f " + " ".join(corners[turn:] + corners[:turn]))
            continue
        if line.startswith(("g", "o", "usemtl")):
            chance.shuffle(run)
            lines += run
            run = []
        lines.append(line)
    chance.shuffle(run)
    target.write_text("\n".join(lines + run) + "\n")


def main():
    navbake = program()
    same = True
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for entry in levels(sys.argv[1:] or LEVELS):
            source = data() / "meshes" / entry["file"]
            variants = {"1 thread": (source, "1"), "2 threads": (source, "2")}
            if source.suffix == ".obj":
                other = folder / source.name
                shuffled(source, other)
                variants["shuffled"] = (other, "2")
            outputs = {}
            for name, (level, threads) in variants.items():
                output = folder / "level.nav"
                output.unlink(missing_ok=True)
                result = bake(navbake, entry, output, folder, "--threads", threads, source=level)
                outputs[name] = output.read_bytes() if result.code == 0 else result.first_error().encode()
            first = outputs["1 thread"]
            different = [name for name, found in outputs.items() if found != first]
            same &= not different and len(first) > 1000
            print(f"{entry['file']}: {len(first)} bytes, {' = '.join(outputs) if not different else 'DIFFERENT: ' + ', '.join(different)}", flush=True)
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
