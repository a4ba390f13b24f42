"""What the add-on promises, tested in bpy; extension.py installs it and runs this."""

import time
import unittest
from unittest import mock

import bpy
import level


def plan_area(thing):
    """The area of a mesh object seen from above."""
    corners = [v.co for v in thing.data.vertices]
    total = 0.0
    for face in thing.data.polygons:
        ring = [corners[v] for v in face.vertices]
        total += sum(a.x * b.y - b.x * a.y for a, b in zip(ring, ring[1:] + ring[:1])) / 2
    return total


def click(rule):
    """Clicks the first finding of a rule in the list."""
    number = next(k for k, f in enumerate(results().findings) if f.rule == rule)
    results().finding_index = number
    return results().findings[number]


def results():
    """What the last job said."""
    return bpy.context.window_manager.navbake


def views():
    """The regions of all 3D views."""
    areas = [a for w in bpy.context.window_manager.windows for a in w.screen.areas]
    return [a.spaces.active.region_3d for a in areas if a.type == "VIEW_3D"]


class Overlay(unittest.TestCase):
    """Bake, and what is shown."""

    def setUp(self):
        bpy.ops.navbake.clear()
        self.settings = level.make()
        self.settings.output = level.path("level.nav")

    def tearDown(self):
        self.settings.output = self.settings.config = self.settings.agent = ""
        self.settings.drop = 0.0
        self.settings.source = "SCENE"

    def baked(self):
        self.assertEqual(bpy.ops.navbake.bake(), {"FINISHED"})
        return level.navbake("info", self.settings.output)

    def test_islands_have_the_area_and_number_of_the_navmesh(self):
        said = self.baked()
        islands = level.overlay("island")
        self.assertEqual(len(islands), said["islands"])
        self.assertGreaterEqual(len(islands), 2)
        area = sum(plan_area(t) for t in islands)
        self.assertLess(abs(area - said["area_m2"]), 1e-3 * said["area_m2"])
        self.assertTrue(all(t.hide_select for t in islands))
        colours = {t.data.polygons[0].material_index for t in islands}
        self.assertEqual(len(colours), len(islands))

    def test_the_overlay_is_where_the_level_is(self):
        self.baked()
        corners = [t.matrix_world @ v.co for t in level.overlay("island") for v in t.data.vertices]
        lift = self.settings.lift
        for k, (low, high) in enumerate([(-12, 12), (-8, 8), (lift, 2 + lift)]):
            values = [c[k] for c in corners]
            self.assertGreaterEqual(min(values), low - 1e-4)
            self.assertLessEqual(max(values), high + 0.11 * (k == 2))
        # The platform is at +y in Blender: z of the file is -y.
        top = [c for c in corners if c.z > 1.9]
        self.assertTrue(top and min(c.y for c in top) > 4 and min(c.x for c in top) > 5)

    def test_the_overlay_is_not_exported(self):
        scene = level.module("ui.scene")
        paths = [level.path(name) for name in ("without.glb", "with.glb")]
        scene.export(bpy.context, paths[0])
        self.baked()
        bpy.ops.navbake.check()
        scene.export(bpy.context, paths[1])
        names = [[n["name"] for n in level.glb_json(path)["nodes"]] for path in paths]
        self.assertEqual(*names)
        # Settings of the scene are extras of the scene, which navbake does not read.
        before, after = (level.glb_parts(path) for path in paths)
        self.assertEqual(before, after)
        layer = bpy.context.view_layer.layer_collection.children[self.settings.overlay.name]
        self.assertFalse(layer.exclude)
        names = {node["name"] for node in level.glb_json(paths[1])["nodes"]}
        self.assertIn("Cube.017", names)
        # It comes back after a failure as well.
        with self.assertRaises(ValueError):
            with scene.hidden_overlay(bpy.context, self.settings.overlay):
                self.assertTrue(bpy.context.view_layer.layer_collection.children[
                    self.settings.overlay.name].exclude)
                raise ValueError
        layer = bpy.context.view_layer.layer_collection.children[self.settings.overlay.name]
        self.assertFalse(layer.exclude)

    def test_a_second_bake_replaces_the_first(self):
        first = self.baked()
        before = sorted(t.name for t in self.settings.overlay.objects)
        second = self.baked()
        self.assertEqual(first["area_m2"], second["area_m2"])
        self.assertEqual(before, sorted(t.name for t in self.settings.overlay.objects))

    def test_rooms_colour_faces_and_neighbours_differ(self):
        self.baked()
        self.settings.colour = "ROOM"
        rooms = {f.material_index for t in level.overlay("island") for f in t.data.polygons}
        self.assertGreater(len(rooms), 1)
        self.settings.colour = "ISLAND"

    def test_drops_are_drawn_as_links(self):
        self.settings.drop = 3.0
        said = self.baked()
        self.assertGreater(said["links"], 0)
        curves = level.overlay("links")
        self.assertEqual(sum(len(t.data.splines) for t in curves), said["links"])
        points = curves[0].data.splines[0].points
        self.assertGreater(points[0].co.z, points[-1].co.z + 1.0)

    def test_selection_and_collection_are_baked_alone(self):
        whole = self.baked()["area_m2"]
        for thing in bpy.data.objects:
            thing.select_set(thing.name == "floor")
        self.settings.source = "SELECTION"
        self.assertGreater(abs(self.baked()["area_m2"] - whole), 1.0)
        alone = bpy.data.collections.new("alone")
        bpy.context.scene.collection.children.link(alone)
        alone.objects.link(bpy.data.objects["platform"])
        self.settings.source, self.settings.collection = "COLLECTION", alone
        self.assertAlmostEqual(self.baked()["area_m2"], 4.8 * 2.8, delta=0.2)
        bpy.data.collections.remove(alone)

    def test_units_of_the_scene_are_respected(self):
        metres = self.baked()["area_m2"]
        level.make(unit=0.01)
        said = self.baked()
        self.assertAlmostEqual(said["area_m2"], metres, delta=1e-3 * metres)
        area = sum(plan_area(t) for t in level.overlay("island")) * 1e-4
        self.assertLess(abs(area - metres), 1e-3 * metres)
        level.make()

    def test_relief_and_two_agents(self):
        wave = [(x, y, 0.6 * ((x * y) % 3)) for y in range(-8, 9, 2) for x in range(14, 31, 2)]
        faces = [(9 * r + c, 9 * r + c + 1, 9 * r + c + 10, 9 * r + c + 9)
                 for r in range(8) for c in range(8)]
        level.mesh("terrain", wave, faces)
        config = level.path("agents.toml")
        with open(config, "w", encoding="utf-8") as file:
            for name, radius in (("cat", 0.2), ("ox", 0.9)):
                file.write(f'[[agent]]\nname = "{name}"\nradius = {radius}\n')
        self.settings.config = config
        for number, agent in enumerate(("cat", "ox")):
            self.settings.agent = agent
            said = self.baked()["classes"][number]
            area = sum(plan_area(t) for t in level.overlay("island"))
            self.assertLess(abs(area - said["area_m2"]), 1e-3 * said["area_m2"])
        faces = sum(len(t.data.polygons) for t in level.overlay("island"))
        self.assertGreater(faces, said["polygons"])


class Findings(unittest.TestCase):
    """Check, and what a click does."""

    def setUp(self):
        bpy.ops.navbake.clear()
        self.settings = level.make()

    def test_the_narrow_door_is_found_and_its_wall_selected_and_framed(self):
        bpy.ops.navbake.bake()
        bpy.ops.navbake.check()
        finding = click("blocked-by-width")
        self.assertEqual(finding.severity, "error")
        place = finding.place
        self.assertLess(((place[0]) ** 2 + (place[1] + 3) ** 2) ** 0.5, 0.6)
        self.assertIn(bpy.context.view_layer.objects.active.name, ("Cube.017", "wall_south"))
        self.assertEqual(bpy.context.selected_objects, [bpy.context.view_layer.objects.active])
        box = [bpy.context.object.matrix_world @ v.co for v in bpy.context.object.data.vertices]
        middle = sum(box, start=box[0] * 0) / len(box)
        self.assertTrue(views())
        for view in views():
            self.assertLess((view.view_location - middle).length, 0.1)
        pins = level.overlay("finding")
        self.assertEqual(len(pins), sum(f.has_place for f in results().findings))
        self.assertEqual([p.show_name for p in pins].count(True), 1)

    def test_an_object_named_as_blender_names_copies_is_selected(self):
        bpy.data.objects["flag_blue"].location = (0.0, 4.0, 1.0)
        bpy.context.view_layer.update()
        bpy.ops.navbake.check()
        click("marker-in-solid")
        self.assertEqual(bpy.context.object.name, "Cube.017")

    def test_a_finding_without_an_object_brings_its_place_into_view(self):
        results().scene = bpy.context.scene.name
        row = results().findings.add()
        row.rule, row.has_place, row.place = "made", True, (5.0, -2.0, 1.0)
        row.names = '{"nodes": ["gone"], "meshes": [], "materials": [], "names": []}'
        click("made")
        self.assertEqual(bpy.context.selected_objects, [])
        for view in views():
            self.assertLess((view.view_location - row.place.copy()).length, 1e-4)


class Ends(unittest.TestCase):
    """Failures, cancelling, disabling."""

    def setUp(self):
        bpy.ops.navbake.clear()
        self.settings = level.make()

    def test_a_missing_command_is_an_error_with_its_cure(self):
        level.preferences().command = level.path("not_there")
        with self.assertRaisesRegex(RuntimeError, "not there: build it with `cargo install"):
            bpy.ops.navbake.bake()
        self.assertIn("cargo install", results().status)
        with self.assertRaisesRegex(RuntimeError, "not there"):
            bpy.ops.navbake.version()

    def test_what_navbake_says_is_in_the_error(self):
        self.settings.climb = 1.5
        with self.assertRaisesRegex(RuntimeError, "climb"):
            bpy.ops.navbake.bake()
        self.settings.climb = 0.9
        bpy.data.objects["floor"]["navbake_role"] = "swamp"
        with self.assertRaisesRegex(RuntimeError, "ground, obstacle, ignored or floor"):
            bpy.ops.navbake.bake()

    def test_a_job_goes_step_by_step_and_a_second_one_is_refused(self):
        job = level.module("ui.job")
        started = job.start(bpy.context, True, True)
        self.assertFalse(started.step())
        with self.assertRaisesRegex(RuntimeError, "poll"):
            bpy.ops.navbake.bake()
        steps = 1
        while not started.step():
            steps += 1
        self.assertGreater(steps, 3)
        self.assertEqual(started.error, "")
        self.assertTrue(level.overlay("island"))
        self.assertIsNone(job.current)

    def button(self):
        """An operator as a click starts it. Without a window Blender never calls invoke."""
        said = []

        class Button(level.module("ui.operators")._Work):
            bakes = True

            def report(self, kinds, text):
                said.append((kinds, text))

        manager = mock.Mock(navbake=results())
        context = mock.Mock(window_manager=manager, scene=bpy.context.scene,
                            preferences=bpy.context.preferences,
                            selected_objects=bpy.context.selected_objects)
        context.screen.areas = []
        button = Button()
        self.assertEqual(button.invoke(context, None), {"RUNNING_MODAL"})
        manager.modal_handler_add.assert_called_once_with(button)
        self.assertEqual(level.overlay("island"), [])
        return button, context, said

    def test_the_button_goes_on_beside_other_work(self):
        button, context, said = self.button()
        tick, move = mock.Mock(type="TIMER"), mock.Mock(type="MOUSEMOVE")
        self.assertEqual(button.modal(context, move), {"PASS_THROUGH"})
        for _ in range(2000):
            answer = button.modal(context, tick)
            if answer != {"PASS_THROUGH"}:
                break
            time.sleep(0.005)
        self.assertEqual(answer, {"FINISHED"})
        self.assertIn("3 islands", said[0][1])
        context.window_manager.event_timer_remove.assert_called_once()
        self.assertTrue(level.overlay("island"))

    def test_escape_cancels(self):
        button, context, said = self.button()
        button.modal(context, mock.Mock(type="TIMER"))
        press = mock.Mock(type="ESC", value="PRESS")
        self.assertEqual(button.modal(context, press), {"CANCELLED"})
        self.assertEqual(said, [({"INFO"}, "navbake: cancelled")])
        context.window_manager.event_timer_remove.assert_called_once()
        self.assertIsNone(level.module("ui.job").current)
        self.assertEqual(level.overlay("island"), [])

    def test_cancel_ends_the_command_and_keeps_the_scene(self):
        job, command = level.module("ui.job"), level.module("core.command")
        bpy.ops.navbake.bake()
        before = sorted(t.name for t in self.settings.overlay.objects)
        runs, folders = [], []
        begin = command.Run.__init__

        def slow(run, _command, arguments, folder):
            begin(run, "sleep", ["60"], folder)
            runs.append(run)
            folders.append(folder)

        with mock.patch.object(command.Run, "__init__", slow):
            started = job.start(bpy.context, True, False)
            started.step()
            started.step()
            self.assertFalse(runs[0].ended())
            self.assertEqual(bpy.ops.navbake.cancel(), {"FINISHED"})
        self.assertTrue(runs[0].ended() and started.is_over)
        self.assertFalse(level.os.path.exists(folders[0]))
        self.assertEqual(before, sorted(t.name for t in self.settings.overlay.objects))
        self.assertEqual(results().status, "cancelled")

    def test_clear_leaves_the_scene_as_it_was(self):
        before = [len(data) for data in _data()]
        bpy.ops.navbake.bake()
        bpy.ops.navbake.check()
        bpy.ops.navbake.clear()
        self.assertEqual(before, [len(data) for data in _data()])


class Marks(unittest.TestCase):
    """Properties, markers, links and doors reach the navmesh."""

    def setUp(self):
        bpy.ops.navbake.clear()
        self.settings = level.make()
        self.settings.output = level.path("marks.nav")

    def tearDown(self):
        self.settings.output = ""

    def select(self, *names):
        for thing in bpy.data.objects:
            thing.select_set(thing.name in names)
        bpy.context.view_layer.objects.active = bpy.data.objects[names[-1]]

    def test_areas_and_names_of_tags_reach_the_navmesh(self):
        self.select("ramp")
        bpy.ops.navbake.set(key="navbake_area", value="planks")
        bpy.ops.navbake.set(key="navbake_tags", value="wood,  steep")
        self.assertEqual(bpy.data.objects["ramp"]["navbake_tags"], "wood, steep")
        bpy.ops.navbake.bake()
        said = level.navbake("info", self.settings.output)
        self.assertIn("planks", [area["name"] for area in said["areas"]])
        self.assertEqual(sorted(m["name"] for m in said["markers"]), ["flag_blue", "spawn_red"])
        with self.assertRaisesRegex(RuntimeError, "no role swamp"):
            bpy.ops.navbake.set(key="navbake_role", value="swamp")
        bpy.ops.navbake.unset(key="navbake_area")
        self.assertNotIn("navbake_area", bpy.data.objects["ramp"])
        metadata = level.module("ui.metadata")
        self.assertEqual(metadata.known(bpy.context, "tags", "navbake_tags"), ["wood, steep"])

    def test_a_door_is_closed_by_its_switch(self):
        bpy.data.objects.remove(bpy.data.objects["wall_south"])
        level.box("gate", (-0.05, -8, 0), (0.05, -3 + level.DOOR / 2, 2.5))
        bpy.context.view_layer.update()
        self.select("gate")
        bpy.ops.navbake.door()
        bpy.ops.navbake.bake()
        query = ["query", "reachable", self.settings.output, "--from", "-8,0,-3",
                 "--to", "5,0,3"]
        self.assertEqual(level.navbake(*query)["status"], "reached")
        self.assertEqual(level.navbake(*query, "--closed", "gate")["status"], "unreachable")

    def test_markers_and_links_are_made(self):
        bpy.context.scene.cursor.location = (5, -3, 0)
        bpy.ops.navbake.marker(name="vault")
        self.assertEqual(tuple(bpy.data.objects["vault"].location), (5, -3, 0))
        with self.assertRaisesRegex(RuntimeError, "already"):
            bpy.ops.navbake.marker(name="vault")
        self.select("spawn_red", "vault")
        bpy.ops.navbake.link(kind="teleport", two_way=False)
        bpy.ops.navbake.pair()
        self.assertEqual(self.settings.pairs[1].goal.name, "vault")
        bpy.ops.navbake.bake()
        said = level.navbake("query", "reachable", self.settings.output, "--from", "-8,0,-3",
                             "--to", "5,0,3")
        self.assertEqual(said["status"], "reached")
        self.assertEqual(len(level.overlay("links")), 1)


class ZDisabled(unittest.TestCase):
    """The last one: the add-on goes."""

    def test_disabling_leaves_nothing(self):
        bpy.ops.navbake.clear()
        before = [len(data) for data in _data()]
        bpy.ops.navbake.bake()
        bpy.ops.navbake.check()
        bpy.ops.preferences.addon_disable(module=level.ADDON)
        self.assertEqual(before, [len(data) for data in _data()])
        self.assertFalse(hasattr(bpy.types.Scene, "navbake"))
        left = [name for name in dir(bpy.types) if "navbake" in name.lower()]
        self.assertEqual(left, [])
        self.assertEqual(dir(bpy.ops.navbake), [])
        bpy.ops.preferences.addon_enable(module=level.ADDON)
        level.make()
        self.assertEqual(bpy.ops.navbake.bake(), {"FINISHED"})


def _data():
    data = bpy.data
    return (data.objects, data.meshes, data.materials, data.curves, data.collections)
