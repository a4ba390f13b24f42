#!/usr/bin/env python3
"""Makes worlds of real levels, and measures their bakes: time and memory by triangles.

usage: worlds.py NAVBAKE DATA FOLDER [SIDE...]

DATA has meshes/ with the levels of tools/levels.toml. For each side N it makes two worlds in
FOLDER: dungeons-N.toml, one dungeon in N x N placements, and mixed-N.toml, the levels in metres in
N x N placements, each turned and moved at random, always the same. Each is baked without tables on
two threads; the dungeons also as one OBJ file where that has at most 3 million triangles. One line
a bake: triangles, CPU seconds, microseconds a triangle, peak in MiB.
"""

import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
# As one level at most.
WHOLE = 3_000_000
DUNGEON = "recast_dungeon.obj"


def place(file, x, z, angle=0):
    text = f'[[place]]\nfile = "{file}"\ntranslate = [{x:.3f}, 0, {z:.3f}]\nrotate = {angle:.3f}\n'
    return text


def dungeons(data, side):
    file = os.path.abspath(f"{data}/meshes/{DUNGEON}")
    return "".join(place(file, 120 * i, 90 * j) for i in range(side) for j in range(side))


def one_level(data, side, path):
    """The dungeons as one file."""
    lines = pathlib.Path(f"{data}/meshes/{DUNGEON}").read_text().splitlines()
    vertices = [tuple(map(float, x.split()[1:4])) for x in lines if x.startswith("v ")]
    faces = [[int(w.split("/")[0]) for w in x.split()[1:]] for x in lines if x.startswith("f ")]
    with open(path, "w") as out:
        base = 0
        for i in range(side):
            for j in range(side):
                for x, y, z in vertices:
                    out.write(f"v {x + 120 * i:.6f} {y:.6f} {z + 90 * j:.6f}\n")
                for face in faces:
                    out.write("f " + " ".join(str(v + base) for v in face) + "\n")
                base += len(vertices)


def mixed(data, side):
    """Levels in metres, at random places that overlap at their borders."""
    with open(HERE / "../levels.toml", "rb") as file:
        levels = tomllib.load(file)["level"]
    levels = [x for x in levels if "scale" not in x.get("config", "") and "up" not in x.get("config", "")]
    names = [x["file"] for x in levels if "hugecoords" not in x["file"] and "bounds" not in x.get("config", "")]
    chance = random.Random(1)
    text = ""
    for i in range(side):
        for j in range(side):
            file = os.path.abspath(f"{data}/meshes/{chance.choice(names)}")
            x, z = (150 * k + chance.uniform(-20, 20) for k in (i, j))
            text += place(file, x, z, chance.uniform(0, 360))
    return text


def bake(navbake, world, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [navbake, "bake", world, "-o", out, "--force", "-j", "2", "--table-budget", "none"]
    command += ["--allow-outside", "--no-diagnostics", "--format", "json"]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if child.returncode != 0:
        sys.exit(child.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(child.stdout), seconds


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    navbake, data, folder, *sides = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    print("| world | triangles | CPU s | us a triangle | peak, MiB | polygons |", flush=True)
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for side in map(int, sides):
        for name, text in (("dungeons", dungeons(data, side)), ("mixed", mixed(data, side))):
            world = folder / f"{name}-{side}.toml"
            world.write_text(text)
            plan = [navbake, "bake", world, "--dry-run", "--allow-outside", "--format", "json"]
            count = json.loads(subprocess.run(plan, stdout=subprocess.PIPE).stdout)["triangles"]
            kinds = [(f"{name} {side} x {side}", world)]
            if count <= WHOLE and name == "dungeons":
                whole = folder / f"{name}-{side}.obj"
                one_level(data, side, whole)
                kinds.append((f"{name} {side} x {side}, as one level", whole))
            for kind, level in kinds:
                report, seconds = bake(navbake, level, folder / "out.nav")
                peak = report["peak_rss_bytes"] / 2**20
                print(
                    f"| {kind} | {count} | {seconds:.1f} | {seconds / count * 1e6:.2f}"
                    f" | {peak:.0f} | {report['polygons']} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
