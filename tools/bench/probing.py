"""What the scripts share: where the data is, the probe program, navmeshes as polygons, and bakes by
the probe."""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# The agent of Recast's demo, every island kept.
CONFIG = 'min_region = 0.0\n'


def data():
    """The folder with test levels: NAVBAKE_DATA, else ../shared/data beside the project. Leaves
    when there is none."""
    folder = pathlib.Path(os.environ.get("NAVBAKE_DATA", HERE.parents[2] / "shared" / "data"))
    if not folder.is_dir():
        sys.exit(f"no test levels at {folder}: set NAVBAKE_DATA to the folder that holds meshes/")
    return folder


def script(name, *arguments):
    """Runs a generator of levels below NAVBAKE_DATA_TOOLS, else `tools` beside the data folder."""
    folder = pathlib.Path(os.environ.get("NAVBAKE_DATA_TOOLS", data().parent / "tools"))
    command = [sys.executable, folder / name, *arguments]
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL)


def program():
    """The probe: NAVBAKE_PROBE, else the release build of this crate, brought up to date first."""
    if "NAVBAKE_PROBE" in os.environ:
        return os.environ["NAVBAKE_PROBE"]
    build = ["cargo", "build", "--release", "--quiet", "--bin", "probe"]
    if subprocess.run(build, cwd=HERE).returncode != 0:
        sys.exit("the probe does not build")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))
    return str(HERE / target / "release" / "probe")


def probe(level, folder, config=CONFIG, pairs=None, obj=None):
    """Bakes a level (or opens a .nav file) and gives the probe's answer. Raises RuntimeError with
    what it said when it fails."""
    folder = pathlib.Path(folder)
    (folder / "bake.toml").write_text(config)
    command = [program(), level, "--config", folder / "bake.toml"]
    if pairs is not None:
        lines = [" ".join(repr(float(c)) for c in pair) for pair in pairs]
        (folder / "pairs.txt").write_text("".join(line + "\n" for line in lines))
        command += ["--pairs", folder / "pairs.txt"]
    if obj is not None:
        command += ["--obj", obj]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def read_obj(path):
    """Vertices and faces (lists of vertex numbers from 0) of an OBJ file without negative
    indices."""
    vertices, faces = [], []
    for line in open(path):
        words = line.split()
        if words and words[0] == "v":
            vertices.append(tuple(float(w) for w in words[1:4]))
        elif words and words[0] == "f":
            faces.append([int(w.split("/")[0]) - 1 for w in words[1:]])
    return vertices, faces
