#!/usr/bin/env python3
"""Compares the memory that `bake --dry-run` predicts with the peak of the bake (VmHWM).

usage: memory.py NAVBAKE LEVEL...

One line a level and number of threads: triangles, MiB predicted, MiB used, predicted over used.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def run(command):
    """The result of a command, as JSON."""
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if child.returncode != 0:
        sys.exit(child.stderr.decode())
    return json.loads(child.stdout)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    navbake, *levels = sys.argv[1:]
    print("| level | triangles | threads | predicted, MiB | used, MiB | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for level in levels:
            for threads in ("1", "2"):
                bake = [navbake, "bake", level, "-o", f"{folder}/a.nav", "--threads", threads]
                bake += ["--memory", "8GiB", "--table-budget", "none", "--format", "json"]
                told = run([*bake, "--dry-run"])
                used = run([*bake, "--force"])["peak_rss_bytes"] / 2**20
                said = told["predicted_peak_bytes"] / 2**20
                print(
                    f"| {pathlib.Path(level).stem} | {told['triangles']} | {threads} | {said:.0f}"
                    f" | {used:.0f} | {said / used:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
