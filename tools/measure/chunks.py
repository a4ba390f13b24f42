#!/usr/bin/env python3
"""Bakes worlds as one blob and as chunks, and compares and times them as a game loads them.

usage: chunks.py NAVBAKE LOAD_CHUNKS DATA FOLDER [SIDE...]

LOAD_CHUNKS is the example of navbake-world of that name. For each side N the worlds of worlds.py
are made: dungeons in N x N placements, and levels in metres at random places, which overlap. Both
are baked as one blob and in chunks of 300 m. LOAD_CHUNKS prints how they compare, and times.
"""

import pathlib
import subprocess
import sys

import worlds

PAIRS = "10000"
ORDERS = "100"


def bake(navbake, world, out):
    command = [navbake, "bake", world, "-o", out, "--force", "-j", "2", "--table-budget", "none"]
    command += ["--allow-outside", "--no-diagnostics"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    navbake, load, data, folder, *sides = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for side in map(int, sides):
        for name, text in (
            ("dungeons", worlds.dungeons(data, side)),
            ("mixed", worlds.mixed(data, side)),
        ):
            world = folder / f"{name}-{side}.toml"
            world.write_text(text)
            whole, index = world.with_suffix(".nav"), world.with_suffix(".navw")
            bake(navbake, world, whole)
            bake(navbake, world, index)
            print(f"{name} {side} x {side}", flush=True)
            subprocess.run([load, index, whole, PAIRS, ORDERS], check=True)


if __name__ == "__main__":
    main()
