#!/usr/bin/env python3
"""Checks the extension's library, and runs it in Godot where there is one.

usage: run.py NAVBAKE LIBRARY

NAVBAKE is the command, LIBRARY the one that `cargo build` made. Godot is $GODOT, or `godot` on
the path; without it this says so. Ends with 1 if a check fails.
"""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures"
ENTRY = "gdext_rust_init"
# From the yard up into the house; and a straight line over the yard.
FROM, TO = [20, 0, 25], [10, 4, 9]
FREE = [[2, 0, 20], [6, 0, 20]]


def check_library(library):
    """Loads the library with all its symbols, and finds the entry that Godot calls."""
    manifest = (HERE / "project/addons/navbake/navbake.gdextension").read_text()
    if f'entry_symbol = "{ENTRY}"' not in manifest:
        sys.exit(f"navbake.gdextension does not name {ENTRY}")
    if not hasattr(ctypes.CDLL(str(library), mode=os.RTLD_NOW), ENTRY):
        sys.exit(f"{library}: no entry {ENTRY}")
    print(f"{library.name}: loads, and has the entry {ENTRY}")


def main():
    navbake, library = (Path(name).resolve() for name in sys.argv[1:3])
    check_library(library)
    godot = os.environ.get("GODOT") or shutil.which("godot")
    if not godot:
        print("left out: Godot itself, for there is no godot on the path and no $GODOT")
        return
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(HERE / "project", project)
        shutil.copy(library, project / "addons/navbake")
        # The editor writes this when it sees the extension for the first time.
        (project / ".godot").mkdir()
        (project / ".godot/extension_list.cfg").write_text(
            "res://addons/navbake/navbake.gdextension\n")
        courtyard = project / "courtyard.navbake"

        def run(*arguments):
            return subprocess.run([navbake, "-q", *arguments], cwd=FIXTURES, check=True,
                                  stdout=subprocess.PIPE).stdout

        def ask(query, *arguments):
            return json.loads(run("query", query, courtyard, "--format", "json", *arguments))

        def text(point):
            return ",".join(map(str, point))

        run("bake", "courtyard/courtyard.obj", "-o", courtyard)
        run("bake", "office/office.obj", "--config", "office/bake.toml", "--rooms",
            "-o", project / "office.navbake")
        # Sides of chunks are whole tiles, which grow with cells.
        run("bake", "courtyard/courtyard.obj", "--cell", "0.03", "--chunk", "20",
            "-o", project / "world.navw")
        damaged = bytearray(courtyard.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (project / "damaged.navbake").write_bytes(damaged)
        (project / "expected.json").write_text(json.dumps({
            "from": FROM,
            "to": TO,
            "free": FREE,
            "path": ask("path", "--from", text(FROM), "--to", text(TO), "--planner", "optimal"),
            "ray": ask("raycast", "--from", text(FROM), "--to", text([TO[0], FROM[1], TO[2]])),
            "wall": ask("distance", "--at", text(FROM), "--within", "10"),
        }))
        command = [godot, "--headless", "--path", project, "--script", "res://test.gd"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=300)
        print(done.stdout, end="")
        # Godot ends with 0 as well where a script cannot be parsed, so its last word counts too.
        if done.returncode or ", 0 failed" not in done.stdout:
            sys.exit("the tests in Godot failed")


main()
