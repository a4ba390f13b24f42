#!/usr/bin/env python3
"""What rooms cost: bakes every level of tools/levels.toml and every MovingAI map with `[rooms]
enabled = true` on one thread, and prints CPU seconds.

The share is that of rooms (which finds them and cuts polygons) and ways (how far it is from door to
door) in the CPU time of the stages walkable and mesh: whatever comes between import and rooms. The
least of several rounds counts, stage by stage.

usage: rooms.py [--rounds N] [NAME ...]
           only levels and maps whose file name holds one of the names
"""

import argparse
import pathlib
import sys
import tempfile

from levels import bake, levels
from runs import data, program, table

HEAD = ["level", "polygons", "rooms", "doors", "walkable + mesh", "rooms s", "ways s", "share"]

# Stages of rooms, and those that are neither theirs nor of walkable and mesh.
ROOMS, OTHERS = ["rooms", "ways"], ["import", "links", "tables", "encode", "findings"]


def sources(names):
    """Entries of levels and their files: those of tools/levels.toml, then the maps."""
    for entry in levels(names):
        yield entry, data() / "meshes" / entry["file"]
    for path in sorted((data() / "maps").glob("*/*.map")):
        if not names or any(n in path.name for n in names):
            yield {"file": path.name}, path


def with_rooms(entry):
    """The entry with rooms to be found."""
    return {**entry, "config": entry.get("config", "") + "\n[rooms]\nenabled = true\n"}


def stages(found):
    """CPU seconds of walkable and mesh, of rooms, and of ways."""
    cpu = {s["stage"]: s["cpu"] for s in found["timings"]["stages"]}
    before = sum(seconds for stage, seconds in cpu.items() if stage not in ROOMS + OTHERS)
    return [before, *(cpu.get(stage, 0.0) for stage in ROOMS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    navbake, sound = program(), True
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "level.nav"
        table([HEAD])
        for entry, source in sources(options.names):
            least = [float("inf")] * 3
            for _ in range(options.rounds):
                more = ["--table-budget", "none", "--threads", "1", "--timings"]
                result = bake(navbake, with_rooms(entry), output, folder, *more, source=source)
                if result.code != 0:
                    break
                found = result.json()
                least = [min(pair) for pair in zip(least, stages(found))]
            if result.code != 0:
                print(f"{entry['file']}: exit {result.code}: {result.first_error()}", file=sys.stderr)
                sound = False
                continue
            before, rooms, ways = least
            row = [pathlib.Path(entry["file"]).stem, found["polygons"], found["rooms"], found["doors"]]
            row += [f"{before:.3f}", f"{rooms:.4f}", f"{ways:.4f}", f"{100 * (rooms + ways) / before:.1f} %"]
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
