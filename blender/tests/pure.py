#!/usr/bin/env python3
"""Tests the part of the add-on that runs without Blender: a few milliseconds, no packages.

usage: pure.py [NAVBAKE]   (with the command, its real output is read as well)
"""

import json
import struct
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "blender"))

from core import axes, blob, command, config, findings, obj, properties, rooms  # noqa: E402
from core.problem import Problem  # noqa: E402

NAVBAKE = ""
SQUARE = [(0.0, 0.0), (0.0, 2.0), (3.0, 2.0), (3.0, 0.0)]
OBJ = """# two islands
v 0 1 0
v 0 1 2
v 3 1 2
v 3 1 0
v 9 0 0
v 9 0 1
v 10 0.5 0
g island_0
f 1 2 3 4
g island_1
f 5 6 7
"""


class Reading(unittest.TestCase):
    """OBJ and axes."""

    def test_axes_turn_y_up_into_z_up(self):
        self.assertEqual(axes.to_blender((1.0, 2.0, 3.0)), (1.0, -3.0, 2.0))
        self.assertEqual(axes.metres_to_blender((1.0, 2.0, 3.0), 0.5), (2.0, -6.0, 4.0))
        self.assertEqual(axes.plan_area(SQUARE), 6.0)
        self.assertEqual(axes.plan_area(SQUARE[::-1]), -6.0)

    def test_groups_are_islands_with_corners_of_their_own(self):
        islands = obj.read(OBJ)
        self.assertEqual([i.number for i in islands], [0, 1])
        self.assertEqual([i.plan_area() for i in islands], [6.0, 0.5])
        self.assertEqual(list(islands[1].loops), [0, 1, 2])
        self.assertEqual(list(islands[1].z_up()), [9, 0, 0, 9, -1, 0, 10, 0, 0.5])
        self.assertEqual(islands[1].z_up().typecode, "f")

    def test_a_bad_line_is_named(self):
        for bad in ("f 1 2 9", "f 1 2", "v 1 2", "f 0 1 2", "g tower"):
            with self.assertRaisesRegex(Problem, "line 13 .*" + bad):
                obj.read(OBJ + bad)


class Rooms(unittest.TestCase):
    """Faces to polygons, colours, links."""

    def ground(self):
        other = [(3.0, 0.0), (3.0, 2.0), (4.0, 2.0), (4.0, 0.0)]
        return blob.Ground(rings=[SQUARE, other], islands=[0, 0], relief=[True, False],
                           neighbours=[{1}, {0}], rooms=[0, 1])

    def island(self, faces):
        island = obj.Island(0)
        for face in faces:
            island.face_starts.append(len(island.loops))
            for x, z in face:
                island.loops.append(len(island.corners) // 3)
                island.corners.extend((x, x, z))
        return island

    def test_faces_belong_to_the_polygon_that_they_cover(self):
        halves = [SQUARE[:3], [SQUARE[0], SQUARE[2], SQUARE[3]]]
        island = self.island([*halves, self.ground().rings[1]])
        self.assertEqual(rooms.polygons_of_faces([island], self.ground(), 1.0), [[0, 0, 1]])
        for faces in (halves, [*halves, halves[0]], [halves[0], self.ground().rings[1]]):
            with self.assertRaises(Problem):
                rooms.polygons_of_faces([self.island(faces)], self.ground(), 1.0)

    def test_units_of_the_file_are_scaled(self):
        big = [[(x * 100, z * 100) for x, z in ring] for ring in self.ground().rings]
        found = rooms.polygons_of_faces([self.island(big)], self.ground(), 0.01)
        self.assertEqual(found, [[0, 1]])

    def test_neighbours_have_other_colours(self):
        beside = {0: {1, 7}, 1: {0}, 7: {0}}
        colours = rooms.colours(8, beside, 7)
        self.assertNotEqual(colours[0], colours[7])
        self.assertEqual(rooms.neighbours(self.ground()), {0: {1}, 1: {0}})

    def test_ends_of_links_are_on_the_ground(self):
        ground = self.ground()
        ground.links = [blob.Link("jump", "", (1.0, 1.0), (3.5, 1.0), (0, 1)),
                        blob.Link("jump", "", (3.5, 1.0), (1.0, 1.0), (1, 0))]
        island = self.island(ground.rings)
        (kind, _, both, ends), = rooms.ends_of_links(ground, [island], [[0, 1]], 1.0)
        self.assertEqual((kind, both, ends), ("jump", True, [(1, 1, 1), (3.5, 3.5, 1)]))
        line = rooms.arc((0, 0, 0), (4, 0, 0), "jump")
        self.assertEqual((line[0], line[8], line[-1]), ((0, 0, 0), (2, 0, 1), (4, 0, 0)))


class Answers(unittest.TestCase):
    """What the command says."""

    def test_failures_say_what_and_how_to_mend_it(self):
        error = {"error": {"code": "io", "cure": "check the path", "exit": 4,
                           "message": "a.nav: cannot read", "place": None}}
        with self.assertRaisesRegex(Problem, r"navbake bake: a.nav: cannot read \(check the path"):
            command.answer("bake", 4, json.dumps(error), "text")
        with self.assertRaisesRegex(Problem, "code -9: killed"):
            command.answer("bake", -9, "", "killed")
        with self.assertRaisesRegex(Problem, "code 1"):
            command.answer("bake", 1, "{}", "")
        self.assertEqual(command.answer("check", 1, '{"schema": 1}', ""), {"schema": 1})

    def test_a_command_that_is_missing_or_another_one_has_a_cure(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in (folder, folder + "/none"):
                with self.assertRaisesRegex(Problem, "cargo install"):
                    command.find(path)
        with self.assertRaisesRegex(Problem, "is not navbake"):
            command.version(sys.executable)

    def test_findings_are_sorted_and_name_objects(self):
        names = {"node": "hall/Cube.017", "mesh": "Cube.003", "material": ""}
        found = [{"rule": r, "severity": s, "message": r, "place": p, "agent": None,
                  "names": ["spawn"], "objects": o, "figures": {}, "shape": [],
                  "fingerprint": "0" * 16}
                 for r, s, p, o in (("sliver", "note", None, []),
                                    ("unreachable", "error", [1.0, 2.0, 3.0], [names]))]
        first, second = findings.read({"schema": 1, "findings": found})
        self.assertEqual((first.rule, first.place), ("unreachable", (1.0, 2.0, 3.0)))
        self.assertEqual(findings.counts([first, second]), "1 error, 0 warnings, 1 note")
        fields = [{key: getattr(f, key) for key in findings.NAMES} for f in (first, second)]
        scene = {"hall": None, "Cube.017": "hall", "spawn": None}
        self.assertEqual(findings.guilty(fields[0], scene, {}), "Cube.017")
        self.assertEqual(findings.guilty(fields[0], {}, {"Cube.003": "copy"}), "copy")
        self.assertEqual(findings.guilty(fields[1], scene, {}), "spawn")
        self.assertEqual(findings.guilty(fields[1], {}, {}), "")
        with self.assertRaisesRegex(Problem, "schema 2"):
            findings.read({"schema": 2})

    def test_paths_find_objects_with_slashes_and_instances(self):
        def guilty(path, scene):
            return findings.guilty({"nodes": [path], "meshes": [], "names": []}, scene, {})

        self.assertEqual(guilty("a/b", {"a/b": None, "b": None}), "a/b")
        self.assertEqual(guilty("a/b", {"a": None, "b": "a"}), "b")
        self.assertEqual(guilty("tree/leaf", {"tree": None}), "tree")


class Writing(unittest.TestCase):
    """Configs and properties."""

    def test_the_config_lists_tags_and_the_agent(self):
        import tomllib
        # 0.6 as Blender's single precision has it.
        agent = {"radius": array("f", [0.6])[0], "height": 2, "slope": 45.0}
        tables = tomllib.loads(config.of_scene(agent, ["wood", 'a "b"']))
        self.assertEqual(tables["tags"], ["wood", 'a "b"'])
        own = {"name": "default", "radius": 0.6, "height": 2.0, "slope": 45.0}
        self.assertEqual(tables["agent"], [own])
        pairs = tomllib.loads(config.of_pairs([("a", "b"), ("ü", "\\")]))
        self.assertEqual(pairs["must_reach"], [["a", "b"], ["ü", "\\"]])

    def test_values_that_navbake_refuses_are_refused(self):
        for key, value in ((properties.ROLE, "swamp"), (properties.AREA, " "),
                           (properties.TAGS, "wood, 32"), (properties.TAGS, "-1")):
            with self.assertRaises(Problem):
                properties.cleaned(key, value)
        self.assertEqual(properties.cleaned(properties.TAGS, "wood ,5,"), "wood, 5")
        self.assertEqual(properties.tag_names(["wood, 5", ["ice"]]), ["ice", "wood"])
        with self.assertRaisesRegex(Problem, "33 names"):
            properties.tag_names([[f"t{k}" for k in range(33)]])

    def test_keys_and_words_are_those_of_the_guide(self):
        guide = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
        start = guide.index("## Metadata in Blender")
        part = guide[start : guide.index("\n## ", start + 1)]
        for key in properties.OF_GROUND + properties.OF_LINKS:
            self.assertIn(f"`{key}`", part)
        roles = ", ".join(f"`{role}`" for role, _ in properties.ROLES[:3])
        self.assertIn(f"{roles} or `{properties.ROLES[3][0]}`", part)
        keys = (ROOT / "docs/config.md").read_text(encoding="utf-8")
        self.assertIn(" \\| ".join(properties.KINDS), keys)
        form = (ROOT / "docs/format.md").read_text(encoding="utf-8")
        kinds = ", ".join(f"{k} {kind}" for k, kind in enumerate(blob.KINDS))
        self.assertIn(f"kind: {kinds}", form)
        self.assertIn(f"# The blob format, version {blob.VERSION}\n", form)
        for number, name in ((blob.LINKS, "links"), (blob.ROOM_OF, "room-of"),
                             (blob.POLYGONS, "layout-polygons"), (blob.EDGES, "layout-edges"),
                             (blob.AGENTS, "agents"), (blob.STRINGS, "strings"),
                             (blob.ROOMS, "rooms")):
            self.assertIn(f"| 0x{number:04X} | {name} |", form)


class Blob(unittest.TestCase):
    """The unpacked file, as the command writes it."""

    def test_other_files_are_refused(self):
        with self.assertRaisesRegex(Problem, "not a file of navbake"):
            blob.Blob(b"glTF" + bytes(200))
        newer = bytearray(blob.MAGIC + bytes(200))
        struct.pack_into("<I", newer, 12, blob.VERSION + 1)
        with self.assertRaisesRegex(Problem, "as new as the command"):
            blob.Blob(bytes(newer))

    def test_islands_rooms_and_links_are_those_of_the_command(self):
        if not NAVBAKE:
            self.skipTest("no command given")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("terraces", "courtyard", "crossing"):
                self.level(Path(folder), name)

    def level(self, folder, name):
        def run(*arguments):
            done = subprocess.run([NAVBAKE, *arguments, "--format", "json"], check=True,
                                  capture_output=True)
            return json.loads(done.stdout)

        source = next((ROOT / "fixtures" / name).glob(f"{name}.[og]*"))
        options = ["--config", str(source.parent / "bake.toml")]
        options = options if Path(options[1]).exists() else []
        baked, text, unpacked = (str(folder / f"{name}.{end}") for end in ("nav", "obj", "big"))
        run("bake", str(source), "-o", baked, "--rooms", *options)
        run("export", baked, "--to", "obj", "-o", text)
        run("export", baked, "--to", "unpacked", "-o", unpacked)
        said = run("info", baked)
        ground = blob.Blob(Path(unpacked).read_bytes()).ground()
        islands = obj.read(Path(text).read_text(encoding="utf-8"))
        own = said["classes"][0]
        self.assertEqual(len(ground.rings), own["polygons"])
        self.assertEqual(len(islands), own["islands"])
        self.assertEqual(len(ground.room_names), own["rooms"])
        area = sum(island.plan_area() for island in islands)
        self.assertAlmostEqual(area, own["area_m2"], delta=1e-6 * area)
        faces = rooms.polygons_of_faces(islands, ground, 1.0)
        covered = {polygon for of_island in faces for polygon in of_island}
        self.assertEqual(covered, set(range(len(ground.rings))))
        self.assertEqual(len(rooms.ends_of_links(ground, islands, faces, 1.0)) > 0,
                         name != "courtyard")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        NAVBAKE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
