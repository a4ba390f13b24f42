"""Running `navbake` from the measuring scripts: where it is, where the data is, what a run took."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]


def data():
    """The folder with test levels: NAVBAKE_DATA, else ../shared/data beside the project. Leaves
    when there is none."""
    folder = pathlib.Path(os.environ.get("NAVBAKE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        sys.exit(f"no test levels at {folder}: set NAVBAKE_DATA to a folder with meshes/, maps/, optimal/ and bad/")
    return folder


def program():
    """The command: NAVBAKE, else the release build of this tree, brought up to date first."""
    if "NAVBAKE" in os.environ:
        return os.environ["NAVBAKE"]
    build = ["cargo", "build", "--release", "--quiet", "-p", "navbake"]
    if subprocess.run(build, cwd=ROOT).returncode != 0:
        sys.exit("navbake does not build")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(ROOT / target / "release" / "navbake")


@dataclass
class Run:
    """How a run ended. `code` is None when it had to be stopped."""

    code: int | None
    out: str
    err: str
    seconds: float
    peak_bytes: int

    def json(self):
        return json.loads(self.out.splitlines()[-1])

    def first_error(self):
        lines = [line for line in self.err.splitlines() if line.strip()]
        return lines[-1] if lines else "(says nothing)"


def run(*arguments, seconds=600, memory=None):
    """Runs a command under a limit of wall time (s) and address space (bytes). A peak below the
    size of this script's own is not seen."""

    def limits():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    files = [open(os.memfd_create(name), "w+b") for name in ("out", "err")]
    began = time.monotonic()
    process = subprocess.Popen(
        [str(a) for a in arguments],
        stdin=subprocess.DEVNULL,
        stdout=files[0],
        stderr=files[1],
        preexec_fn=limits,
    )
    code = None
    while time.monotonic() - began < seconds:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            break
        time.sleep(0.002)
    else:
        process.kill()
        _, _, usage = os.wait4(process.pid, 0)
    process.returncode = -9 if code is None else code
    taken = time.monotonic() - began
    texts = []
    for file in files:
        file.seek(0)
        texts.append(file.read().decode(errors="replace"))
        file.close()
    return Run(code, *texts, taken, usage.ru_maxrss * 1024)


def table(rows):
    """Prints a Markdown row a list; the first is the head."""
    for index, row in enumerate(rows):
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
        if index == 0:
            print("|" + " --- |" * len(row), flush=True)
