"""A bake or a check in steps, so that the interface goes on while the command runs.

A timer takes the steps; scripts and tests can take them as well, without a window.
"""

import json
import os
import shutil
import tempfile
import time

import bpy

from ..core import blob, command, config, findings, obj, rooms
from ..core.axes import metres_to_blender
from ..core.problem import Problem
from . import overlay, preferences, scene
from .settings import AGENT

# The job that runs, or None.
current = None


class Job:
    """Exports a scene, runs the command, and shows what it found."""

    def __init__(self, context, bakes, checks):
        self.stage = "exporting"
        self.error = ""
        self.done = ""
        self.is_over = False
        self._bakes, self._checks = bakes, checks
        self._scene = context.scene.name
        self._results = context.window_manager.navbake
        self._steps = self._all_steps(context)

    def step(self):
        """Goes on a little; true once the job is over. `error` or `done` say how it ended."""
        try:
            next(self._steps)
        except StopIteration:
            self._end()
        except Problem as problem:
            self.error = str(problem)
            self._end()
        except BaseException:
            self._end()
            raise
        return self.is_over

    def finish(self):
        """Takes all steps that are left."""
        while not self.step():
            time.sleep(0.005)

    def cancel(self):
        """Ends the command and forgets the job; what is shown stays as it was."""
        if not self.is_over:
            self._steps.close()
            self.error = "cancelled"
            self._end()

    def _end(self):
        global current
        self.is_over = True
        if current is self:
            current = None
        self._results.status = self.error or self.done

    def _shown(self):
        found = bpy.data.scenes.get(self._scene)
        if not found:
            raise Problem("the scene was removed while it was baked")
        return found

    def _all_steps(self, context):
        folder = tempfile.mkdtemp(prefix="navbake-")
        try:
            program = preferences.command_path(context)
            settings = _settings(context, folder)
            level = os.path.join(folder, "level.glb")
            scene.export(context, level)
            yield
            self._program, self._folder, said = program, folder, []
            if self._bakes:
                said.append((yield from self._bake(settings, level, context.scene.navbake.output)))
            if self._checks:
                said.append((yield from self._check(settings, level)))
            self.done = "; ".join(said)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, stage, arguments):
        self.stage = stage
        run = command.Run(self._program, arguments, self._folder)
        try:
            while not run.ended():
                yield
        finally:
            run.kill()
        return run.answer()

    def _bake(self, settings, level, output):
        baked = file_path(output) or os.path.join(self._folder, "level.nav")
        said = yield from self._run("baking", command.bake(settings, level, baked))
        paths = [os.path.join(self._folder, name) for name in ("ground.obj", "unpacked.nav")]
        for kind, path in zip(("obj", "unpacked"), paths):
            arguments = command.export(settings, baked, kind, path)
            yield from self._run("reading the navmesh", arguments)
        islands = None
        with open(paths[0], encoding="utf-8") as lines:
            for islands in obj.slices(lines):
                yield
        with open(paths[1], "rb") as file:
            ground = blob.Blob(file.read()).ground(settings.agent)
        polygons = rooms.polygons_of_faces(islands, ground, settings.scale)
        overlay.draw(self._shown(), islands, ground, polygons, settings.scale)
        return _summary(said, len(islands), ground)

    def _check(self, settings, level):
        report = yield from self._run("checking", command.check(settings, level))
        found = findings.read(report)
        shown = self._shown()
        self._results.scene = shown.name
        _store(self._results, found, settings.scale)
        overlay.pins(shown, self._results.findings, settings.scale)
        left_out = f", {len(report['not_run'])} rules not run" if report["not_run"] else ""
        return findings.counts(found) + left_out


def start(context, bakes, checks):
    """Begins a job. A problem if another one runs."""
    global current
    if current:
        raise Problem("navbake already runs: wait, or cancel it")
    current = Job(context, bakes, checks)
    return current


def cancel_all():
    """Cancels the job that runs, if any."""
    if current:
        current.cancel()


def file_path(path):
    """A path of a setting without Blender's `//`; empty if it is."""
    if path.startswith("//") and not bpy.data.filepath:
        raise Problem(f"{path} is beside the .blend file, which is not saved yet: save it first")
    return bpy.path.abspath(path) if path else ""


def scale_of(shown):
    """The metres of a unit of a scene."""
    unit = shown.unit_settings
    return unit.scale_length if unit.system != "NONE" else 1.0


def _settings(context, folder):
    """What the command is called with; writes the files that go with the scene."""
    chosen = context.scene.navbake
    own = os.path.join(folder, "bake.toml")
    tag_names = scene.tag_names(context.scene)
    if not chosen.config:
        agent = {name: getattr(chosen, name) for name in AGENT}
        _write(own, config.of_scene(agent, tag_names))
    else:
        listed = config.load(file_path(chosen.config)).get("tags", [])
        missing = [name for name in tag_names if name not in listed]
        if missing:
            raise Problem(f"{chosen.config} does not list the tag {missing[0]}: add it to `tags`")
    pairs = [(p.start.name, p.goal.name) for p in chosen.pairs if p.start and p.goal]
    rules = file_path(chosen.rules)
    if pairs and rules:
        raise Problem("there is a rules file and a list of markers that must be reached: write "
                      "must_reach in the file, and empty the list")
    if pairs:
        rules = os.path.join(folder, "rules.toml")
        _write(rules, config.of_pairs(pairs))
    return command.Settings(
        config=file_path(chosen.config) or own,
        rules=rules,
        rooms=chosen.rooms,
        agent=chosen.agent,
        scale=scale_of(context.scene),
    )


def _write(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _summary(said, islands, ground):
    words = [f"{islands} islands", f"{len(ground.rings)} polygons", f"{said['area_m2']:.1f} m2"]
    if ground.rooms:
        words.append(f"{len(ground.room_names)} rooms")
    if ground.links:
        words.append(f"{len(ground.links)} links")
    if said["warnings"]:
        words.append(f"{len(said['warnings'])} warnings: {said['warnings'][0]['message']}")
    return ", ".join(words)


def _store(results, found, scale):
    results.findings.clear()
    results.finding_index = -1
    for finding in found:
        row = results.findings.add()
        row.name = finding.rule
        row.rule, row.severity = finding.rule, finding.severity
        row.message, row.agent = finding.message, finding.agent
        row.has_place = finding.place is not None
        if finding.place is not None:
            row.place = metres_to_blender(finding.place, scale)
        row.names = json.dumps({key: getattr(finding, key) for key in findings.NAMES})
