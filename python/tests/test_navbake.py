"""Tests of the package, as installed. NAVBAKE_FIXTURES is the folder of levels."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import navbake

FIXTURES = pathlib.Path(os.environ["NAVBAKE_FIXTURES"])
COURTYARD = FIXTURES / "courtyard/courtyard.obj"
START, GOAL = (20, 0, 25), (10, 4, 9)
QUAD = np.array([[0, 0, 0], [0, 0, 10], [10, 0, 10], [10, 0, 0]], dtype=float)
TWO = [[0, 1, 2], [0, 2, 3]]


def courtyard():
    """The courtyard, baked once."""
    if not hasattr(courtyard, "blob"):
        courtyard.blob = navbake.bake(COURTYARD, {"rooms": {"enabled": True}}).blob
    return courtyard.blob


class Bakes(unittest.TestCase):
    def test_threads_and_path_types_do_not_change_a_byte(self):
        one = navbake.bake(COURTYARD, threads=1)
        self.assertEqual(one.blob, navbake.bake(str(COURTYARD), threads=2).blob)
        self.assertEqual(one.summary["agents"], ["default"])
        self.assertEqual(one.summary["bytes"], len(one.blob))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "level.nav")
            one.write(file)
            self.assertEqual(file.read_bytes(), one.blob)
            self.assertEqual(navbake.open(file).agents[0].name, "default")

    def test_the_command_bakes_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "level.nav")
            config = pathlib.Path(folder, "bake.toml")
            config.write_text("[[agent]]\nname = 'cat'\nradius = 0.3\n")
            command = [os.environ["NAVBAKE"], "-q", "bake", COURTYARD, "--config", config]
            subprocess.run([*command, "-o", file], check=True, capture_output=True)
            keys = {"agent": [{"name": "cat", "radius": 0.3}]}
            self.assertEqual(navbake.bake(COURTYARD, keys).blob, file.read_bytes())
            self.assertEqual(navbake.bake(COURTYARD, config).blob, file.read_bytes())

    def test_triangles_of_numpy_are_a_level(self):
        baked = navbake.bake_triangles(QUAD, TWO, {"agent": [{"name": "a", "radius": 0.5}]})
        mesh = baked.open().mesh("a")
        corners = mesh.polygons().corners
        self.assertEqual(corners.min(axis=0).tolist(), [0.5, 0.0, 0.5])
        self.assertEqual(corners.max(axis=0).tolist(), [9.5, 0.0, 9.5])
        same = navbake.bake_triangles(
            QUAD.astype(np.float32), np.array(TWO, dtype=np.uint16), {"agent": [{"name": "a", "radius": 0.5}]}
        )
        self.assertEqual(same.blob, baked.blob)

    def test_faults_name_the_place(self):
        cases = [
            (lambda: navbake.bake("no.obj"), navbake.NavbakeError, "no.obj"),
            (lambda: navbake.bake(COURTYARD, {"radios": 1}), navbake.NavbakeError, "radios"),
            (lambda: navbake.bake(COURTYARD, {"cell": None}), ValueError, "config"),
            (lambda: navbake.bake_triangles(QUAD, [[0, 1, 9]]), ValueError, "triangles[0]"),
            (lambda: navbake.bake_triangles(QUAD, [[0, 1, -2]]), ValueError, "-2"),
            (lambda: navbake.bake_triangles(QUAD * np.nan, TWO), ValueError, "vertices[0]"),
            (lambda: navbake.bake_triangles(QUAD[:, :2], TWO), ValueError, "(n, 3)"),
            (lambda: navbake.open("no.nav"), FileNotFoundError, "no.nav"),
            (lambda: navbake.open(b"nonsense"), navbake.NavbakeError, "blob"),
            (lambda: navbake.open(courtyard()[:-1]), navbake.NavbakeError, "blob"),
            (lambda: navbake.open(7), TypeError, "bytes"),
        ]
        for call, kind, text in cases:
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(text, str(caught.exception))

    def test_a_check_finds_what_the_command_finds(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "bake.toml")
            config.write_text("[check]\nmax_polygons = 10\n")
            blob = pathlib.Path(folder, "level.nav")
            navbake.bake(COURTYARD, config).write(blob)
            for level in [COURTYARD, blob]:
                command = [os.environ["NAVBAKE"], "check", level, "--config", config]
                ran = subprocess.run([*command, "--format", "json"], capture_output=True)
                self.assertEqual(ran.returncode, 1)
                expected = json.loads(ran.stdout)
                rules = {finding["rule"] for finding in expected["findings"]}
                self.assertIn("polygons-over-budget", rules)
                self.assertEqual(navbake.check(level, config), expected)
            # The config is in the blob too, and bytes have no name.
            found = navbake.check(blob.read_bytes())
            self.assertEqual(found["findings"], navbake.check(blob)["findings"])
            named = blob.rename(blob.with_suffix(".navbake"))
            self.assertEqual(found["findings"], navbake.check(named)["findings"])
        for keys in [{"no_such_key": 1}, {"severity": {"no-such-rule": "error"}}]:
            with self.assertRaisesRegex(navbake.NavbakeError, "no.such"):
                navbake.check(courtyard(), {"check": keys})


class Queries(unittest.TestCase):
    def setUp(self):
        self.level = navbake.open(courtyard())
        self.mesh = self.level.mesh()

    def test_every_planner_finds_the_gallery(self):
        for planner in navbake.PLANNERS:
            path = self.mesh.find_path(START, GOAL, planner)
            self.assertEqual(path.status, "reached", planner)
            self.assertTrue(25 < path.length < 35, planner)
            self.assertEqual(path.points[0].tolist(), list(START))
            self.assertEqual(path.points.shape[1], 3)
        self.assertTrue(self.mesh.find_path(START, GOAL, "optimal").certified)

    def test_bulk_paths_are_single_paths(self):
        places = self.mesh.random(400, seed=5).positions
        for planner in navbake.PLANNERS:
            paths = self.mesh.find_paths(places[:200], places[200:], planner)
            self.assertEqual(len(paths), 200)
            self.assertEqual(paths.offsets[-1], len(paths.points))
            for k in range(200):
                path = self.mesh.find_path(places[k], places[200 + k], planner)
                self.assertEqual(navbake.STATUSES[paths.status[k]], path.status)
                self.assertEqual(paths.length[k], path.length)
                self.assertEqual(paths.cost[k], path.cost)
                np.testing.assert_array_equal(paths[k], path.points)
            np.testing.assert_array_equal(paths[-1], paths[199])
            with self.assertRaises(IndexError):
                paths[200]
        lengths = self.mesh.find_paths(places[:200], places[200:], points=False)
        self.assertEqual(lengths.points.shape, (0, 3))
        np.testing.assert_array_equal(
            lengths.length, self.mesh.find_paths(places[:200], places[200:]).length
        )

    def test_one_point_is_paired_with_many(self):
        places = self.mesh.random(50, seed=9).positions
        many = self.mesh.find_paths(START, places)
        np.testing.assert_array_equal(
            many.length, self.mesh.find_paths(np.tile(START, (50, 1)), places).length
        )
        with self.assertRaisesRegex(ValueError, "50 rows and goals 49"):
            self.mesh.find_paths(places, places[:49])
        self.assertEqual(len(self.mesh.find_paths(np.zeros((0, 3)), np.zeros((0, 3)))), 0)

    def test_views_and_other_types_are_read_as_they_are(self):
        places = self.mesh.random(60, seed=1).positions
        expected = self.mesh.nearest(places[::2])
        self.assertTrue(expected.found.all())
        turned = np.asfortranarray(places[::2])
        np.testing.assert_array_equal(self.mesh.nearest(turned).positions, expected.positions)
        listed = [tuple(row) for row in places[::2]]
        np.testing.assert_array_equal(self.mesh.nearest(listed).polygons, expected.polygons)

    def test_places_off_the_ground_are_not_found(self):
        places = self.mesh.nearest([[1e6, 0, 1e6], START])
        self.assertEqual(places.found.tolist(), [False, True])
        self.assertEqual(places.polygons[0], navbake.NO_POLYGON)
        self.assertTrue(np.isnan(places.positions[0]).all())
        path = self.mesh.find_path(START, (1e6, 0, 1e6))
        self.assertEqual(path.status, "off_mesh")
        self.assertEqual(self.mesh.reachable(START, [GOAL, (1e6, 0, 1e6)]).tolist(), [True, False])
        self.assertTrue(np.isnan(self.mesh.wall_distance([1e6, 0, 1e6], 3.0)[0]))

    def test_rays_and_motion_end_on_the_ground(self):
        places = self.mesh.random(200, seed=3).positions
        rays = self.mesh.raycast(places[:100], places[100:])
        self.assertTrue(rays.found.all())
        np.testing.assert_array_equal(rays.hit, (rays.normals != 0).any(axis=1))
        self.assertTrue(rays.hit.any() and not rays.hit.all())
        ends, walked = self.mesh.move_along(places[:100], places[100:])
        self.assertTrue(self.mesh.locate(ends.positions, 0.5).found.all())
        self.assertTrue((walked > 0).all())
        walls = self.mesh.wall_distance(places, 2.0)
        self.assertTrue(((walls >= 0) & (walls <= 2)).all())

    def test_a_matrix_has_the_costs_of_single_paths(self):
        points = self.mesh.random(60, seed=5).positions
        starts, goals = points[:25], points[25:]
        costs, gap = self.mesh.distances(starts, goals)
        self.assertEqual((costs.shape, gap), ((25, 35), 0.0))
        pairs = self.mesh.find_paths(
            np.repeat(starts, 35, axis=0), np.tile(goals, (25, 1)), "optimal", points=False
        )
        reached = (pairs.status == 0).reshape(25, 35)
        self.assertTrue(reached.any())
        np.testing.assert_array_equal(np.isinf(costs), ~reached)
        wanted = pairs.cost.reshape(25, 35)[reached]
        np.testing.assert_allclose(costs[reached], wanted, rtol=1e-12)

        starts[3], goals[7] = (1e4, 0, 0), (np.nan, 0, 0)
        bare, _ = self.mesh.distances(starts, goals)
        self.assertTrue(np.isnan(bare[3]).all() and np.isnan(bare[:, 7]).all())
        rest = np.delete(np.delete(bare, 3, 0), 7, 1)
        np.testing.assert_array_equal(rest, np.delete(np.delete(costs, 3, 0), 7, 1))
        empty, _ = self.mesh.distances(np.empty((0, 3)), goals)
        self.assertEqual(empty.shape, (0, 35))
        empty, _ = self.mesh.distances(starts, np.empty((0, 3)))
        self.assertEqual(empty.shape, (25, 0))

    def test_a_matrix_that_memory_has_no_room_for_is_refused(self):
        points = np.zeros((5_000_000, 3))
        with self.assertRaisesRegex(MemoryError, "fewer starts"):
            self.mesh.distances(points, points)

    def test_names_that_are_not_there_are_refused_with_the_known_ones(self):
        for call, known in [
            (lambda: self.level.mesh("dog"), "default"),
            (lambda: self.mesh.find_path(START, GOAL, "astar"), "corridor"),
            (lambda: self.mesh.set_closed(["gate"]), "none"),
            (lambda: self.mesh.set_cost("lava", 2.0), "known:"),
            (lambda: self.mesh.find_path(START, GOAL, gap=-1.0), "0.02"),
        ]:
            with self.assertRaisesRegex(ValueError, known):
                call()

    def test_a_trace_leads_along_its_path(self):
        trace = self.mesh.trace(START, GOAL, "corridor")
        path = self.mesh.find_path(START, GOAL, "corridor")
        self.assertEqual(trace.path.length, path.length)
        self.assertTrue(set(path.polygons[:-1]) <= set(trace.polygons))
        self.assertEqual(len(trace.entries), len(trace))
        self.assertTrue(trace.closed.any())


class Settings(unittest.TestCase):
    def test_costs_and_switches_change_one_mesh_alone(self):
        config = {
            "agent": [{"name": "a", "radius": 0.5}],
            "area": [{"name": "mud", "switch": "gate"}],
            "volume": [{"box": [[4, -1, -1], [6, 1, 11]], "area": "mud"}],
        }
        level = navbake.bake_triangles(QUAD, TWO, config).open()
        self.assertEqual([switch.name for switch in level.switches], ["gate"])
        self.assertIn("mud", [area.name for area in level.areas])
        plain, costly, closed = level.mesh(), level.mesh(), level.mesh()
        costly.set_cost("mud", 5.0)
        closed.set_closed(["gate"])
        ends = ([1, 0, 5], [9, 0, 5])
        self.assertEqual(plain.find_path(*ends).cost, 8.0)
        self.assertAlmostEqual(costly.find_path(*ends, "weighted").cost, 16.0, places=6)
        self.assertEqual(closed.find_path(*ends).status, "unreachable")
        with self.assertRaisesRegex(navbake.NavbakeError, "[Ww]eighted"):
            costly.find_path(*ends, "optimal")
        closed.set_closed([])
        self.assertEqual(closed.find_path(*ends).cost, 8.0)
        costly.set_cost("mud", float("inf"))
        self.assertEqual(costly.find_path(*ends, "weighted").status, "unreachable")


class Geometry(unittest.TestCase):
    def test_polygons_rooms_and_doors_fit_together(self):
        mesh = navbake.open(courtyard()).mesh()
        polygons = mesh.polygons()
        self.assertEqual(len(polygons), mesh.polygon_count)
        rooms, doors = mesh.rooms(), mesh.doors()
        self.assertTrue(rooms and doors)
        self.assertEqual(set(polygons.rooms), set(range(len(rooms))))
        self.assertTrue(all(max(door.rooms) < len(rooms) for door in doors))
        ground = 0.0
        for first, end in zip(polygons.offsets, polygons.offsets[1:]):
            x, z = polygons.corners[first:end, [0, 2]].T
            area = (np.roll(x, -1) * z - x * np.roll(z, -1)).sum() / 2
            self.assertGreater(area, 0)
            ground += area
        self.assertAlmostEqual(ground, sum(room.area for room in rooms), delta=0.01 * ground)
        walls = (polygons.beyond == navbake.NO_POLYGON).sum()
        self.assertEqual(mesh.walls().shape, (walls, 2, 3))

    def test_paths_over_links_name_them(self):
        level = navbake.bake(FIXTURES / "terraces/terraces.obj", FIXTURES / "terraces/bake.toml").open()
        cat, dog = level.mesh("cat"), level.mesh("dog")
        links = cat.links()
        self.assertTrue({"drop", "jump"} >= {link.kind for link in links} != set())
        places = cat.random(400, seed=2).positions
        over = 0
        for start, goal in zip(places[:200], places[200:]):
            path = cat.find_path(start, goal)
            for number, point in path.links:
                over += 1
                np.testing.assert_allclose(path.points[point], links[number].start, atol=2e-3)
                np.testing.assert_allclose(path.points[point + 1], links[number].end, atol=2e-3)
        self.assertGreater(over, 0)
        self.assertFalse(any(dog.find_path(a, b).links for a, b in zip(places[:50], places[200:])))


class Threads(unittest.TestCase):
    def test_a_bulk_query_leaves_the_interpreter_to_other_threads(self):
        mesh = navbake.open(courtyard()).mesh()
        places = mesh.random(200_000, seed=4).positions
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        watcher = threading.Thread(target=tick)
        watcher.start()
        begin = time.perf_counter()
        mesh.find_paths(places[:100_000], places[100_000:], "corridor")
        end = time.perf_counter()
        done.set()
        watcher.join()
        during = [at for at in ticks if begin + 0.02 < at < end - 0.02]
        self.assertGreater(len(during), 5, f"{end - begin:.3f} s")

    def test_threads_share_a_mesh_and_get_the_same_answers(self):
        mesh = navbake.open(courtyard()).mesh()
        places = mesh.random(4000, seed=6).positions
        expected = mesh.find_paths(places[:2000], places[2000:]).points
        found = [None] * 4

        def ask(k):
            found[k] = mesh.find_paths(places[:2000], places[2000:]).points

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for points in found:
            np.testing.assert_array_equal(points, expected)

    def test_ctrl_c_ends_a_bulk_query(self):
        # A job in the background of a shell ignores the signal, and so do its children.
        code = (
            "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
            "import sys, navbake; mesh = navbake.open(sys.argv[1]).mesh();"
            "places = mesh.random(6_000_000).positions; print('asked', flush=True);"
            "mesh.find_paths(places[:3_000_000], places[3_000_000:], 'midpoints')"
        )
        with tempfile.NamedTemporaryFile(suffix=".nav") as file:
            file.write(courtyard())
            file.flush()
            command = [sys.executable, "-c", code, file.name]
            asked = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with asked:
                asked.stdout.readline()
                time.sleep(0.3)
                asked.send_signal(2)
                _, error = asked.communicate(timeout=20)
        self.assertIn(b"KeyboardInterrupt", error)


@unittest.skipUnless("NAVBAKE_ANSWERS" in os.environ, "NAVBAKE_ANSWERS is not set")
class Sameness(unittest.TestCase):
    """The answers of crates/c/examples/same_answers.rs to the bit: FILE.nav COUNT SEED."""

    def test_answers_are_those_of_rust(self):
        folder = pathlib.Path(os.environ["NAVBAKE_ANSWERS"])
        for file in sorted(folder.glob("*.answers")):
            mesh = navbake.open(file.with_suffix(".nav")).mesh()
            ours = self.answers(mesh, 10_000, 7)
            theirs = np.fromfile(file)
            self.assertEqual(len(ours), len(theirs), file.name)
            differ = np.flatnonzero(ours.view(np.uint64) != theirs.view(np.uint64))
            self.assertEqual(differ.tolist()[:5], [], file.name)

    def answers(self, mesh, count, seed):
        places = mesh.random(2 * count, seed).positions
        starts, goals = places[::2], places[1::2]
        near = mesh.nearest(starts + [0.7, 0, -0.4])
        rays = mesh.raycast(starts, goals)
        ends, walked = mesh.move_along(starts, goals)
        walls = mesh.wall_distance(starts, 5.0)
        reached = mesh.reachable(starts, goals)
        has_rooms = bool(mesh.rooms())
        out = []
        for k in range(count):
            out += [starts[k], goals[k]]
            out.append(near.positions[k] if near.found[k] else [-1.0])
            out += [rays.points[k], [rays.fractions[k]], ends.positions[k], [walked[k]]]
            out.append([walls[k], reached[k]])
            if k % 6 == 5 and not has_rooms:
                out.append([-1.0])
                continue
            path = mesh.find_path(starts[k], goals[k], navbake.PLANNERS[k % 6])
            out.append([path.status == "reached", path.length, path.length_3d, path.cost])
            out.append([path.bound, path.expanded])
            out.append(path.points.ravel())
        return np.concatenate(out).astype(float)


if __name__ == "__main__":
    unittest.main()
