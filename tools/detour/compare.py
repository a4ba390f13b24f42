#!/usr/bin/env python3
"""Exports levels to Detour's format and compares recast-navigation-js with navbake on random pairs.

usage: compare.py FOLDER [COUNT] [LEVEL...]

FOLDER keeps the client (`npm install @recast-navigation/core@0.43`) and the blobs. Without LEVEL:
the levels of tools/bench/levels.toml that are files, below NAVBAKE_DATA or ../shared/data beside
the project, and the fixtures with links. Ends with 1 where fewer than 99.9 % of the pairs of a
level have the same reachability, or the sums of lengths differ by more than 1 %.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ["crossing/crossing.glb", "tower/tower.obj", "terraces/terraces.obj", "mall/mall.obj"]


def levels():
    """Files with the options of their bakes."""
    data = pathlib.Path(os.environ.get("NAVBAKE_DATA", ROOT.parent / "shared" / "data"))
    listed = tomllib.loads((ROOT / "tools/bench/levels.toml").read_text())["level"]
    for level in listed:
        file = data / level.get("file", "none")
        if file.is_file():
            options = [f"--{key}" for key in ("up", "scale", "slope") if key in level]
            values = [str(level[key[2:]]) for key in options]
            yield file, [word for pair in zip(options, values) for word in pair]
        elif "file" in level:
            print(f"skipped: {file} is missing", file=sys.stderr)
    for name in LINKED:
        file = ROOT / "fixtures" / name
        config = file.parent / "bake.toml"
        yield file, ["--config", str(config)] if config.is_file() else []


def run(command, **options):
    """What a command prints."""
    child = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, **options)
    return child.stdout


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    count = sys.argv[2] if len(sys.argv) > 2 else "10000"
    chosen = [(pathlib.Path(level), []) for level in sys.argv[3:]] or list(levels())
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/@recast-navigation/core").is_dir():
        run(["npm", "install", "--prefix", str(folder), "@recast-navigation/core@0.43"])
    # The client is found from the script's own folder.
    script = shutil.copy(ROOT / "tools/detour/compare.mjs", folder)
    build = ["cargo", "build", "--release", "--locked", "--manifest-path", str(ROOT / "Cargo.toml")]
    run([*build, "-p", "navbake", "-p", "navbake-detour", "--bins", "--examples"])
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    failed = False
    print("| level | polygons | same reachability | reached | over links | sum of lengths | within 1 % | 99th percentile | worst height, m |")
    print("|---|---|---|---|---|---|---|---|---|")
    for level, options in chosen:
        blob, out = folder / f"{level.stem}.nav", folder / f"{level.stem}.bin"
        navbake = [str(target / "navbake"), "-q"]
        run([*navbake, "bake", str(level), "-o", str(blob), "--force", *options])
        run([*navbake, "export", str(blob), "--to", "detour", "-o", str(out)])
        answers = run([str(target / "examples/answers"), str(blob), count, "1"])
        found = json.loads(run(["node", str(script), str(out)], input=answers))
        pairs, both = found["pairs"], max(found["both"], 1)
        print(
            f"| {level.stem} | {found['polygons']} | {found['same_reach'] / pairs:.4f}"
            f" | {found['both']} | {found['jumps']} | {found['sum_ratio'] or 1:.4f}"
            f" | {found['within_1'] / both:.3f} | {found['p99']:.3f}"
            f" | {found['worst_height']:.3f} |",
            flush=True,
        )
        alike = abs((found["sum_ratio"] or 1) - 1) <= 0.01 or found["with_links"] > 0
        failed |= found["same_reach"] < 0.999 * pairs or not alike
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
