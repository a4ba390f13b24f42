#!/usr/bin/env python3
"""Hashes the answers to random queries on real levels and grid maps, and compares them with those
of an earlier version.

usage: answers.py [--jobs N] [--check FILE] [--quick] [NAME ...]
           only levels and maps whose name holds one of the names

Each level is baked twice, with rooms and labels and without tables, and asked twice more with its
ground cut to pieces and joined by links, with areas, weights and closed areas made up. A line of
the output is a blob, an agent and a state of its doors, with a hash for each kind of query that
covers every status, length and point of the answers, bit for bit; `export` hashes the exported
navmesh. With --check, hashes that differ from FILE's are printed, with exit code 1.
tools/measure/answers.txt holds those of version 0.1.0 before its mesh had one layout.

A level takes about a minute of CPU time. NAVBAKE and ANSWERS name the programs, else the release
build of this tree is brought up to date.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from levels import levels
from runs import ROOT, data, program, run

ROOMS = "[rooms]\nenabled = true\n"
# Their labels or their triangles would take most of the time.
LEFT_OUT = ("10m", "16x16", "srtm")


def answers_program():
    if "ANSWERS" in os.environ:
        return os.environ["ANSWERS"]
    build = ["cargo", "build", "--release", "--quiet", "-p", "navbake-ask", "--bin", "navbake-answers"]
    if subprocess.run(build, cwd=ROOT).returncode != 0:
        sys.exit("navbake-answers does not build")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(ROOT / target / "release" / "navbake-answers")


def inputs(names):
    """Levels and maps: name, file, config."""
    wanted = lambda name: not names or any(n in name for n in names)
    for entry in levels():
        path = data() / "meshes" / entry["file"]
        if path.exists() and wanted(entry["file"]) and not any(word in entry["file"] for word in LEFT_OUT):
            yield path.stem, path, entry.get("config", "")
    for path in sorted((data() / "maps").glob("*/*.map")):
        if wanted(path.name):
            yield path.stem, path, ""


def joined(lines):
    """One line a blob, agent and state of doors: its kinds of queries with eight digits of each
    hash."""
    kinds = {}
    for line in lines:
        words = line.split()
        if len(words) < 4 or len(words[-1]) != 16:
            yield line
            continue
        *whose, kind, _, digest = words
        kinds.setdefault(" ".join(whose), []).append(f"{kind}={digest[:8]}")
    for whose, hashes in kinds.items():
        yield f"{whose}: {' '.join(hashes)}"


def differences(line, known):
    """The kinds of queries whose hashes are not those of the line that is known."""
    whose, _, hashes = line.partition(": ")
    before = set(known.get(whose, "").split())
    return [f"{whose}: {one}" for one in hashes.split() if one not in before] if hashes else [line]


def lines_of(navbake, answers, quick, job):
    name, source, config = job
    few = ["--count", "1000", "--paths", "1000"] if quick else []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "bake.toml").write_text(config + "\n" + ROOMS)
        lines = []
        for kind, budget in (("tables", "labels"), ("bare", "none")):
            blob = folder / f"{name}.{kind}.nav"
            bake = run(navbake, "bake", source, "-o", blob, "--config", folder / "bake.toml", "--quiet", "--force",
                       "--threads", 1, "--table-budget", budget, seconds=3600)
            if bake.code != 0:
                return [f"{name} {kind} bake ended with {bake.code}: {bake.first_error()}"]
            jobs = [few]
            if kind == "bare":
                out = folder / "export.obj"
                export = run(navbake, "export", blob, "--to", "obj", "-o", out)
                digest = hashlib.sha256(out.read_bytes()).hexdigest()[:16] if export.code == 0 else export.first_error()
                lines.append(f"{name}: export={digest}")
                jobs.append(["--count", "1000", "--paths", "1000", "--links", "40"])
                jobs.append(["--count", "1000", "--paths", "1000", "--links", "3", "--seed", "2"])
            for options in jobs:
                result = run(answers, blob, *options, seconds=7200)
                if result.code != 0:
                    lines.append(f"{name} {kind} ended with {result.code}: {result.first_error()}")
                lines += [line for line in result.out.splitlines() if line.strip()]
        return list(joined(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="levels at a time")
    parser.add_argument("--check", type=pathlib.Path, help="a file of lines to compare with")
    parser.add_argument("--quick", action="store_true", help="a tenth of the queries; not comparable with a full run")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    navbake, answers = program(), answers_program()
    known = dict(line.split(": ", 1) for line in options.check.read_text().splitlines()) if options.check else None
    wrong = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for lines in pool.map(lambda job: lines_of(navbake, answers, options.quick, job), inputs(options.names)):
            for line in lines:
                if known is None:
                    print(line, flush=True)
                    continue
                for difference in differences(line, known):
                    wrong += 1
                    print(f"differs: {difference}", flush=True)
            if known is not None and lines:
                print(f"{lines[0].split(':')[0]}: {len(lines)} lines compared", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
