"""The command navbake: where it is, and what it is called with."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass

from .problem import Problem

CURE = (
    "build it with `cargo install --path crates/cli` in navbake's folder, or give its path in the "
    "preferences of the add-on"
)
# Without a console window on Windows.
FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)


@dataclass
class Settings:
    """What a bake depends on, beside the level. A unit of the level's file is `scale` metres."""

    config: str
    rules: str = ""
    rooms: bool = False
    agent: str = ""
    scale: float = 1.0


def find(path):
    """The command at `path`, or the one on PATH if it is empty. A problem if it is not there."""
    if not path:
        found = shutil.which("navbake")
        if not found:
            raise Problem(f"the command navbake is not on PATH: {CURE}")
        return found
    found = shutil.which(path)
    if not found:
        what = "a folder" if os.path.isdir(path) else "not a program"
        what = what if os.path.exists(path) else "not there"
        raise Problem(f"the command {path} is {what}: {CURE}")
    return found


def version(path):
    """What the command at `path` says of its version, such as `navbake 0.1.0`."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=10, creationflags=FLAGS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem(f"the command {path} does not run ({error}): {CURE}") from error
    said = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode or not said.startswith("navbake "):
        raise Problem(f"the command {path} is not navbake: {CURE}")
    return said


def _of_level(settings):
    # Blender writes GLB with y up; the scene says how large its units are, whatever a config says.
    return ["--config", settings.config, "--up", "y", "--scale", f"{settings.scale:.6g}"]


def bake(settings, level, blob):
    """Arguments that bake `level` to `blob`."""
    arguments = ["bake", level, "-o", blob, "--format", "json", *_of_level(settings)]
    return arguments + (["--rooms"] if settings.rooms else [])


def check(settings, level):
    """Arguments that check `level`. Its findings have the level's objects, a blob's do not."""
    arguments = ["check", level, "--format", "json", *_of_level(settings)]
    return arguments + (["--rules", settings.rules] if settings.rules else [])


def export(settings, blob, kind, output):
    """Arguments that export `blob`: `obj` in the units of the level's file, or `unpacked`."""
    arguments = ["export", blob, "--to", kind, "-o", output, "--format", "json"]
    if kind == "obj":
        arguments += ["--coords", "input"]
        if settings.agent:
            arguments += ["--agent", settings.agent]
    return arguments


class Run:
    """A running command. Its output goes to files of `folder`, so that no pipe fills up."""

    def __init__(self, command, arguments, folder):
        self.verb = arguments[0]
        self._paths = [os.path.join(folder, f"{self.verb}.{kind}") for kind in ("out", "err")]
        out, err = (open(path, "wb") for path in self._paths)
        with out, err:
            try:
                self._process = subprocess.Popen(
                    [command, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    creationflags=FLAGS,
                )
            except OSError as error:
                raise Problem(f"the command {command} does not run ({error}): {CURE}") from error

    def ended(self):
        """Whether the command has ended."""
        return self._process.poll() is not None

    def kill(self):
        """Ends the command; returns when it has."""
        if not self.ended():
            self._process.kill()
        self._process.wait()

    def answer(self):
        """The JSON that the ended command printed. A problem if it failed."""
        out, err = (_text(path) for path in self._paths)
        return answer(self.verb, self._process.returncode, out, err)


def answer(verb, code, out, err):
    """The JSON object that `navbake VERB` printed. `check` ends with 1 if it has findings."""
    try:
        said = json.loads(out.strip().splitlines()[-1]) if out.strip() else None
    except json.JSONDecodeError:
        said = None
    if isinstance(said, dict) and "error" in said:
        error = said["error"]
        cure = f" ({error['cure']})" if error.get("cure") else ""
        raise Problem(f"navbake {verb}: {error['message']}{cure}")
    if code == 0 or (verb == "check" and code == 1):
        if isinstance(said, dict):
            return said
        raise Problem(f"navbake {verb} printed no JSON: is the command as new as the add-on?")
    why = err.strip() or out.strip() or "without a word"
    raise Problem(f"navbake {verb} ended with code {code}: {why}")


def _text(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


