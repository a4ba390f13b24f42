#!/usr/bin/env python3
"""Imports what Recast makes of levels, and compares `optimal` with a plain method on its polygons.

usage: imports.py FOLDER [COUNT]

FOLDER keeps the client (`npm install @recast-navigation/core@0.43
@recast-navigation/generators@0.43`) and the files. Levels are the OBJ files of
tools/bench/levels.toml. Recast bakes each as one tile and as many, its own exporter writes them,
and `import-detour --rooms` reads them. COUNT random pairs (100) go through `optimal` and through
the visibility graph of all corners (crates/detour/examples/brute.rs). `check`, `report` and `diff`
run on each blob. Ends with 1 where a length is wrong or a command fails.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

from compare import ROOT, run

# Recast's polygons of larger levels take the plain method hours.
LARGEST = 3_000_000


def levels():
    data = pathlib.Path(os.environ.get("NAVBAKE_DATA", ROOT.parent / "shared" / "data"))
    for level in tomllib.loads((ROOT / "tools/bench/levels.toml").read_text())["level"]:
        file = data / level.get("file", "none")
        if not file.is_file():
            print(f"left out: {level.get('name', file)}: no file of its own", file=sys.stderr)
        elif file.stat().st_size > LARGEST:
            print(f"left out: {file.stem}: {file.stat().st_size} bytes", file=sys.stderr)
        else:
            yield file, [level.get("up", "y"), str(level.get("scale", 1))]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    count = sys.argv[2] if len(sys.argv) > 2 else "100"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/@recast-navigation/generators").is_dir():
        packages = [f"@recast-navigation/{name}@0.43" for name in ("core", "generators")]
        run(["npm", "install", "--prefix", str(folder), *packages])
    script = shutil.copy(ROOT / "tools/detour/recast.mjs", folder)
    build = ["cargo", "build", "--release", "--locked", "--manifest-path", str(ROOT / "Cargo.toml")]
    run([*build, "-p", "navbake", "-p", "navbake-detour", "--bins", "--examples"])
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    navbake = [str(target / "navbake"), "-q"]
    failed = False
    print("| level | tiles | polygons | rooms | findings | pairs | reached | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    for level, frame in levels():
        for kind in ("solo", "tiled"):
            file, blob = (folder / f"{level.stem}-{kind}{end}" for end in (".bin", ".nav"))
            run(["node", script, str(level), str(file), kind, *frame])
            blob.unlink(missing_ok=True)
            run([*navbake, "import-detour", str(file), "-o", str(blob), "--rooms"])
            info = json.loads(run([*navbake, "info", str(blob), "--format", "json"]))
            page = str(blob.with_suffix(".html"))
            checked = run([*navbake, "check", str(blob), "--html", page, "--fail-on", "error"])
            findings = re.findall(r"(\d+) (errors?|warnings?|notes?)", checked.splitlines()[-1])
            run([*navbake, "diff", str(blob), str(blob)])
            plain = subprocess.run(
                [str(target / "examples/brute"), str(blob), count, "1"],
                stdout=subprocess.PIPE,
                text=True,
            )
            asked, reached, wrong = plain.stdout.split()
            failed |= plain.returncode != 0
            print(
                f"| {level.stem} | {kind} | {info['polygons']} | {info['rooms']}"
                f" | {sum(int(n) for n, _ in findings)} | {asked} | {reached} | {wrong} |",
                flush=True,
            )
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
