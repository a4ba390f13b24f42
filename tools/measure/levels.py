#!/usr/bin/env python3
"""Bakes every level of tools/levels.toml and prints a table; exit code 1 when a bake fails, is
empty or does not verify.

usage: levels.py [NAME ...]     only levels whose file name holds one of the names
"""

import pathlib
import sys
import tempfile
import tomllib

from runs import ROOT, data, program, run, table

HEAD = ["level", "triangles", "polygons", "islands", "area m2", "seconds", "peak MiB", "blob KiB", "exit", "verify"]


def levels(names=()):
    """The entries of tools/levels.toml whose file name holds one of the names; all when there are
    none."""
    entries = tomllib.loads((ROOT / "tools" / "levels.toml").read_text())["level"]
    return [e for e in entries if not names or any(n in e["file"] for n in names)]


def bake(navbake, entry, output, folder, *more, source=None):
    """Bakes one entry with its settings."""
    config = pathlib.Path(folder) / "bake.toml"
    config.write_text(entry.get("config", ""))
    level = source or data() / "meshes" / entry["file"]
    options = ["-o", output, "--config", config, "--format", "json", "--quiet", "--force", *more]
    return run(navbake, "bake", level, *options)


def main():
    navbake = program()
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "level.nav"
        table([HEAD])
        for entry in levels(sys.argv[1:]):
            # Navmeshes alone: tables have a measure of their own.
            result = bake(navbake, entry, output, folder, "--table-budget", "none")
            row = [entry["file"], entry["triangles"]]
            if result.code == 0:
                found = result.json()
                verify = run(navbake, "info", output, "--verify").code
                row += [found["polygons"], found["islands"], f"{found['area_m2']:.1f}"]
                row += [f"{result.seconds:.2f}", result.peak_bytes >> 20, found["bytes"] >> 10, 0]
                row += ["clean" if verify == 0 else f"exit {verify}"]
                sound &= verify == 0 and found["polygons"] > 0
            else:
                sound = False
                row += ["", "", "", f"{result.seconds:.2f}", result.peak_bytes >> 20, "", result.code, ""]
                print(f"{entry['file']}: {result.first_error()}", file=sys.stderr)
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
