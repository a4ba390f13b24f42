#!/usr/bin/env python3
"""Builds the part of three.js that report pages carry.

usage: three.py [FILE]     writes FILE, by default crates/report/src/html/three.js
       three.py --check    says whether the file in the tree is what this makes

Node and npm have to be there; package-lock.json names the versions of three.js and esbuild. The
file in the tree is there so that a clone needs neither.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "crates/report/src/html/three.js"
SOURCE = pathlib.Path(__file__).resolve().parent / "three"
OPTIONS = ["--bundle", "--minify", "--format=iife", "--target=es2022", "--charset=ascii", "--legal-comments=none"]
# What would end the script element that the file goes into, or what the page's policy forbids.
FORBIDDEN = (b"</script", b"<!--", b"eval(", b"new Function")


def build():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for file in SOURCE.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        # Nothing of a package runs while it is installed.
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        command = [folder / "node_modules/.bin/esbuild", "entry.js", *OPTIONS]
        script = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout
        notice = (folder / "node_modules/three/LICENSE").read_text(encoding="utf-8").replace("\u00a9", "(c)").strip()
    made = f"/*! three.js\n\n{notice}\n*/\n".encode("ascii") + script
    for text in FORBIDDEN:
        if text in made:
            sys.exit(f"three.py: the script has {text.decode()!r} in it")
    return made


def main():
    words = sys.argv[1:]
    if len(words) > 1 or (words and words[0].startswith("-") and words[0] != "--check"):
        sys.exit(__doc__)
    made = build()
    if words == ["--check"]:
        if made != KEPT.read_bytes():
            sys.exit(f"{KEPT.relative_to(ROOT)} is not what tools/page/three.py makes: run it and commit the file")
        print(f"{KEPT.relative_to(ROOT)}: as built, {len(made)} bytes")
        return
    file = pathlib.Path(words[0]) if words else KEPT
    file.write_bytes(made)
    print(f"{file}: {len(made)} bytes")


if __name__ == "__main__":
    main()
