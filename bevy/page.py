#!/usr/bin/env python3
"""Follows docs/engines/bevy.md in an empty folder: makes its game, builds it and runs it.

usage: page.py NAVBAKE

NAVBAKE is the command. Ends with 1 if the game finds no path.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main():
    navbake = Path(sys.argv[1]).resolve()
    page = (ROOT / "docs/engines/bevy.md").read_text()
    shell, build, source, run = re.findall(r"```(?:sh|rust)\n(.*?)```", page, re.DOTALL)[:4]
    environment = {**os.environ, "PATH": f"{navbake.parent}:{os.environ['PATH']}"}
    environment.pop("NAVBAKE", None)
    with tempfile.TemporaryDirectory() as folder:
        def follow(script):
            command = ["bash", "-e", "-o", "pipefail", "-c", script]
            return subprocess.run(command, cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, check=True).stdout

        (Path(folder) / "navbake").symlink_to(ROOT)
        # The command is there; the versions are those of bevy/Cargo.lock.
        first, *rest = shell.strip().splitlines()
        assert first.startswith("cargo install"), first
        new, *rest = rest
        follow(f"{new}; cp {ROOT}/bevy/Cargo.lock .")
        game = Path(folder) / "game"
        shutil.rmtree(game / ".git", ignore_errors=True)
        follow("; ".join(["cd game", *rest]))
        (game / "build.rs").write_text(build)
        (game / "src/main.rs").write_text(source)
        printed = follow(f"cd game; {run}")
        print(printed)
        if "Found(" not in printed:
            sys.exit("the game of the page finds no path")


if __name__ == "__main__":
    main()
