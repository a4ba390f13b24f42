#!/usr/bin/env python3
"""Makes the runtime that the report's page carries along: crates/report/src/html/search.wasm.

usage: build.py [--check]     with --check nothing is written; exit code 1 when the file is stale

Beside it stands what it was made of, in search.wasm.txt: the compiler, and a digest of the sources. The file is stale when the sources have another digest; whether other
bytes come out of the same sources is told, and no fault: another compiler may do that. The target is installed with `rustup target add wasm32-unknown-unknown`.
"""

import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "crates/report/src/html/search.wasm"
TARGET = "wasm32-unknown-unknown"


SOURCES = ("crates/grid/src", "crates/format/src", "crates/navmesh/src", "crates/search/src", "tools/page/src", "tools/page/Cargo.toml")


def build():
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # Panics tell where they are: not by folders of this machine.
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={home}=cargo"
    command = ["cargo", "build", "--locked", "-p", "navbake-page", "--profile", "small", "--target", TARGET]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTFLAGS": flags})
    return (folder / TARGET / "small/navbake_page.wasm").read_bytes()


def sources():
    """A digest of what the file is made of."""
    digest = hashlib.sha256()
    for name in SOURCES:
        top = ROOT / name
        for path in sorted([top] if top.is_file() else top.rglob("*.rs")):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    compiler = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout
    told = f"{compiler.strip()}\nsources {sources()}\n"
    named = KEPT.with_suffix(".wasm.txt")
    stale = f"{KEPT.relative_to(ROOT)} is stale: run tools/page/build.py and commit what it writes"
    if check and named.read_text().splitlines()[1:] != told.splitlines()[1:]:
        sys.exit(stale)
    made = build()
    if not check:
        KEPT.write_bytes(made)
        named.write_text(told)
        print(f"{KEPT.relative_to(ROOT)}: {len(made)} bytes")
    elif KEPT.read_bytes() != made:
        print(f"the same sources give other bytes here: kept are those of {named.read_text().splitlines()[0]}")


if __name__ == "__main__":
    main()
