#!/usr/bin/env python3
"""Bakes a world on a Slurm of two nodes on this machine, of which one dies, and compares the bytes.

usage: slurm.py NAVBAKE SLURM_LOCAL [JOBS]

SLURM_LOCAL is a script that starts and stops a Slurm: `SLURM_LOCAL start DIR 2`, then the
configuration is DIR/slurm.conf. Where Slurm is missing, the test says so and is skipped.

Once the array runs, the daemon of the second node is killed (-9). All jobs and the merge must end
within 60 seconds more than without, and the blob must have the bytes of a bake on one machine.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import yards


def queue():
    """The lines of the queue that are left."""
    out = subprocess.run(["squeue", "-h", "-o", "%j %T"], capture_output=True, text=True).stdout
    return [line for line in out.splitlines() if line.strip()]


def daemons(node):
    """The processes of a node's daemon."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        if line[0].endswith(b"slurmd") and node.encode() in line:
            found.append(int(entry.name))
    return found


def farm(navbake, folder, jobs, kill):
    """Plans, submits and waits; kills a node's daemon if asked. Gives the seconds."""
    shutil.rmtree(folder / "plan", ignore_errors=True)
    (folder / "farm.nav").unlink(missing_ok=True)
    plan = [navbake, "plan", "world.toml", "-o", "plan", "--jobs", str(jobs), "--cell", "0.05"]
    subprocess.run([*plan, "--engine", "slurm"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    environment = {**os.environ, "NAVBAKE": str(navbake), "OUT": "farm.nav"}
    begin = time.monotonic()
    subprocess.run(
        ["sh", "plan/submit-slurm.sh"], cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL
    )
    killed = None
    while queue():
        seconds = time.monotonic() - begin
        if seconds > 600:
            sys.exit(f"not done after 10 minutes: {queue()}")
        if kill and killed is None and any("RUNNING" in line for line in queue()):
            killed = daemons("n2")
            for process in killed:
                os.kill(process, 9)
        time.sleep(0.2)
    seconds = time.monotonic() - begin
    if kill and not killed:
        sys.exit("no daemon was killed")
    status = subprocess.run(
        [navbake, "status", "--plan", "plan", "--format", "json"], cwd=folder, capture_output=True
    )
    report = json.loads(status.stdout)
    if report["again"]:
        logs = "\n".join(path.read_text() for path in sorted(folder.glob("slurm-*.out")))
        sys.exit(f"jobs {report['again']} are not done\n{logs}")
    if not (folder / "farm.nav").exists():
        logs = "\n".join(path.read_text() for path in sorted(folder.glob("slurm-*.out")))
        sys.exit(f"no blob\n{logs}")
    return seconds, (folder / "farm.nav").read_bytes(), report


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    navbake, local = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    missing = [name for name in ("slurmctld", "slurmd", "sbatch", "munged") if not shutil.which(name)]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yards.world(folder, 8)
        bake = [navbake, "bake", "world.toml", "-o", "one.nav", "--cell", "0.05", "-q"]
        subprocess.run(bake, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        wanted = (folder / "one.nav").read_bytes()
        os.environ["SLURM_CONF"] = f"{name}/slurm/slurm.conf"
        subprocess.run([local, "start", f"{name}/slurm", "2"], check=True)
        try:
            for kill in (False, True):
                seconds, found, report = farm(navbake, folder, jobs, kill)
                same = "the bytes of one machine" if found == wanted else "OTHER BYTES"
                after = "a node's daemon killed" if kill else "no fault"
                print(f"{len(report['jobs'])} jobs on 2 nodes, {after}: {seconds:.0f} s, {same}")
                if found != wanted:
                    sys.exit(1)
        finally:
            subprocess.run([local, "stop", f"{name}/slurm"], check=False)


if __name__ == "__main__":
    main()
