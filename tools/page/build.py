#!/usr/bin/env python3
"""Makes the runtime that the report's page carries along: crates/report/src/html/search.wasm.

usage: build.py [--check]     with --check nothing is written; exit code 1 when the file is not what this would write

The target is installed with `rustup target add wasm32-unknown-unknown`. Another compiler makes other bytes: the one that made the file is named beside it, in
search.wasm.txt, and with another --check only looks whether the runtime builds.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "crates/report/src/html/search.wasm"
TARGET = "wasm32-unknown-unknown"


def build():
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # Panics tell where they are: not by folders of this machine.
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={home}=cargo"
    command = ["cargo", "build", "--locked", "-p", "navbake-page", "--profile", "small", "--target", TARGET]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTFLAGS": flags})
    return (folder / TARGET / "small/navbake_page.wasm").read_bytes()


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    compiler = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout
    made = build()
    named = KEPT.with_suffix(".wasm.txt")
    if not check:
        KEPT.write_bytes(made)
        named.write_text(compiler)
        print(f"{KEPT.relative_to(ROOT)}: {len(made)} bytes")
    elif named.read_text() != compiler:
        print(f"the file was made by {named.read_text().strip()}; this is {compiler.strip()}: its bytes are not compared")
    elif KEPT.read_bytes() != made:
        sys.exit(f"{KEPT.relative_to(ROOT)} is stale: run tools/page/build.py and commit it")


if __name__ == "__main__":
    main()
