"""Tests of obstacles, volumes and saved meshes, as installed. NAVBAKE_FIXTURES is the folder of
levels."""

import math
import os
import pathlib
import threading
import unittest

import numpy as np

import navbake

FIXTURES = pathlib.Path(os.environ["NAVBAKE_FIXTURES"])
COURTYARD = FIXTURES / "courtyard/courtyard.obj"
SIDE = 20.0
FLOOR = np.array([[0, 0, 0], [0, 0, SIDE], [SIDE, 0, SIDE], [SIDE, 0, 0]])
TWO = np.array([[0, 1, 2], [0, 2, 3]])
RADIUS = 0.5
# Borders that the baker simplifies little.
CONFIG = {"agent": [{"name": "a", "radius": RADIUS}], "border_error": 0.005}
BARREL = ((10, 10), -0.5, 2.0)
ENDS = ([2, 0, 10], [18, 0, 10])
HEIGHTS = (-0.2, 2.5)
BOXES = [(3, 4, 1.2, 2.1), (9, 8, 1.5, 1.0), (9.2, 12, 2.0, 0.8), (15, 3, 0.6, 4.0)]


def floor(config=CONFIG):
    """A floor of 20 by 20 m."""
    return navbake.bake_triangles(FLOOR, TWO, config).open()


def corners(x, z, width, depth):
    return np.array([[x, z], [x, z + depth], [x + width, z + depth], [x + width, z]])


def with_walls(boxes):
    """The floor, baked with the walls and tops of boxes on it."""
    vertices, triangles = [FLOOR], [TWO]
    for box in boxes:
        ring, first = corners(*box), sum(map(len, vertices))
        for y in HEIGHTS:
            vertices.append(np.insert(ring, 1, y, axis=1))
        sides = [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
        for a, b, c, d in [*sides, [4, 5, 6, 7]]:
            triangles.append(np.array([[a, b, c], [a, c, d]]) + first)
    level = np.vstack(vertices), np.vstack(triangles)
    # Ground inside of the boxes and on top is not reached from the seed.
    config = {**CONFIG, "seeds": [[1.0, 0.0, 1.0]]}
    return navbake.bake_triangles(*level, config).open().mesh()


def ground(mesh):
    """Square metres."""
    polygons, total = mesh.polygons(), 0.0
    for first, end in zip(polygons.offsets, polygons.offsets[1:]):
        x, z = polygons.corners[first:end, [0, 2]].T
        total += (np.roll(x, -1) * z - x * np.roll(z, -1)).sum() / 2
    return total


def around(radius, apart):
    """The length of the shortest path around a disc between two points on opposite sides, each
    `apart` from its middle."""
    free = math.sqrt(apart**2 - radius**2)
    return 2 * free + radius * (math.pi - 2 * math.acos(radius / apart))


class Obstacles(unittest.TestCase):
    def setUp(self):
        self.mesh = floor().mesh()

    def test_a_path_leads_around_a_barrel_as_geometry_says(self):
        self.assertEqual(self.mesh.find_path(*ENDS).length, 16.0)
        barrel = self.mesh.add_obstacle(*BARREL, radius=1.5)
        self.assertEqual(self.mesh.find_path(*ENDS).length, 16.0, "before the commit")
        commit = self.mesh.commit()
        self.assertEqual((commit.changed, commit.chunks, commit.left), (1, 0, 0))
        self.assertGreater(commit.polygons, 0)
        # Rings reach at most 2.5 cm beyond the arc.
        least, most = around(1.5 + RADIUS, 8), around(1.5 + RADIUS + 0.025, 8)
        for planner in ["auto", "optimal"]:
            path = self.mesh.find_path(*ENDS, planner)
            self.assertTrue(least - 1e-3 <= path.length <= most + 1e-3, (least, path.length, most))
        self.mesh.move_obstacle(barrel, (10, 3), 0.0, 2.0, radius=1.5)
        self.mesh.commit()
        self.assertEqual(self.mesh.find_path(*ENDS).length, 16.0)

    def test_every_query_sees_the_ground_of_now(self):
        self.mesh.add_obstacle(*BARREL, radius=1.5)
        self.mesh.commit()
        middle, taken = np.array([10, 10]), 1.5 + RADIUS
        places = self.mesh.random(3000, seed=2)
        self.assertTrue(places.found.all())
        away = np.hypot(*(places.positions[:, [0, 2]] - middle).T)
        self.assertGreaterEqual(away.min(), taken - 2e-3)
        self.assertLess(away.min(), taken + 0.1)

        self.assertFalse(self.mesh.locate([10, 0, 10]).found[0])
        near = self.mesh.nearest([10, 0, 10.1], [3, 1, 3])
        self.assertAlmostEqual(near.positions[0, 2], 10 + taken, delta=0.026)
        ray = self.mesh.raycast(*ENDS)
        self.assertTrue(ray.hit[0])
        self.assertAlmostEqual(ray.points[0, 0], 10 - taken, delta=0.026)
        end, _ = self.mesh.move_along([7, 0, 10], [9, 0, 10])
        self.assertAlmostEqual(end.positions[0, 0], 10 - taken, delta=0.026)
        wall = self.mesh.wall_distance([10, 0, 7], 5.0)[0]
        self.assertAlmostEqual(wall, 3 - taken, delta=0.026)

        starts, goals = places.positions[:20], places.positions[20:40]
        costs, gap = self.mesh.distances(starts, goals)
        single = self.mesh.find_paths(
            np.repeat(starts, 20, axis=0), np.tile(goals, (20, 1)), "optimal", points=False
        )
        self.assertEqual(gap, 0.0)
        np.testing.assert_allclose(costs.ravel(), single.cost, rtol=1e-12)
        trace = self.mesh.trace(*ENDS)
        self.assertEqual(trace.path.length, self.mesh.find_path(*ENDS, "corridor").length)
        self.assertGreater(trace.path.length, 16.4)

        least, most = (math.pi * r**2 for r in (taken, taken + 0.025))
        lost = (SIDE - 2 * RADIUS) ** 2 - ground(self.mesh)
        self.assertTrue(least <= lost <= most, (least, lost, most))
        polygons = self.mesh.polygons()
        self.assertEqual(len(polygons), self.mesh.polygon_count)
        walls = (polygons.beyond == navbake.NO_POLYGON).sum()
        self.assertEqual(self.mesh.walls().shape, (walls, 2, 3))
        self.assertGreater(walls, 12)

    def test_moved_boxes_take_the_ground_that_they_take_as_geometry(self):
        boxes = [self.mesh.add_obstacle(corners(k, k, 1, 1), *HEIGHTS) for k in range(2, 6)]
        self.mesh.commit()
        for obstacle, box in zip(boxes, BOXES):
            self.mesh.move_obstacle(obstacle, corners(*box), *HEIGHTS)
        self.assertEqual(self.mesh.commit().changed, 4)
        baked = with_walls(BOXES)
        self.assertAlmostEqual(ground(self.mesh), ground(baked), delta=1e-3 * ground(baked))
        places = self.mesh.random(800, seed=5).positions
        found = baked.nearest(places, [0.03, 0.1, 0.03]).found
        self.assertTrue(found.all(), places[~found])
        starts, goals = places[:400], places[400:]
        extents = (0.03, 0.1, 0.03)
        ours = self.mesh.find_paths(starts, goals, "optimal", extents=extents)
        theirs = baked.find_paths(starts, goals, "optimal", extents=extents)
        self.assertTrue((ours.status == 0).all() and (theirs.status == 0).all())
        around_boxes = (np.diff(ours.offsets) > 2).sum()
        self.assertGreater(around_boxes, 50)
        np.testing.assert_allclose(ours.length, theirs.length, atol=0.1)

    def test_a_wall_of_obstacles_divides_the_ground(self):
        wall = self.mesh.add_obstacle([[10, -1], [10, 21]], -1, 1)
        self.mesh.commit()
        paths = self.mesh.find_paths([ENDS[0]] * 2, [ENDS[1], [2, 0, 2]])
        statuses = [navbake.STATUSES[status] for status in paths.status]
        self.assertEqual(statuses, ["unreachable", "reached"])
        partial = self.mesh.find_path(*ENDS, partial=True)
        self.assertEqual(partial.status, "partial")
        self.assertAlmostEqual(partial.points[-1, 0], 10 - RADIUS, delta=0.01)
        self.assertTrue(np.isinf(self.mesh.distances(*ENDS)[0]).all())
        self.mesh.remove_obstacle(wall)
        self.mesh.commit()
        self.assertEqual(self.mesh.find_path(*ENDS).length, 16.0)

    def test_a_commit_of_some_leaves_the_rest(self):
        for k in range(3):
            self.mesh.add_obstacle((4 + 4 * k, 10), 0, 1, radius=0.5)
        self.assertEqual(self.mesh.commit(1).left, 2)
        self.assertTrue(self.mesh.locate([8, 0, 10]).found[0])
        self.assertEqual(self.mesh.commit().left, 0)
        self.assertFalse(self.mesh.locate([[8, 0, 10], [12, 0, 10]]).found.any())
        nothing = self.mesh.commit()
        self.assertEqual((nothing.changed, nothing.polygons), (0, 0))

    def test_bad_shapes_and_stale_obstacles_are_refused(self):
        mesh, other = self.mesh, floor().mesh()
        barrel, foreign = (own.add_obstacle(*BARREL, radius=1) for own in (mesh, other))
        self.assertEqual(barrel.id, foreign.id)
        self.assertNotEqual(barrel, foreign)
        self.assertEqual(mesh.obstacle(barrel.id), barrel)
        gone = mesh.add_obstacle((5, 5), 0, 1, radius=1)
        mesh.remove_obstacle(gone)
        again = mesh.add_obstacle((5, 5), 0, 1, radius=1)
        for stale in (gone, foreign):
            for call in (
                lambda: mesh.remove_obstacle(stale),
                lambda: mesh.move_obstacle(stale, *BARREL),
                lambda: mesh.set_aside([again, stale]),
            ):
                with self.assertRaisesRegex(navbake.NavbakeError, "removed, or belongs to another"):
                    call()
        with self.assertRaisesRegex(navbake.NavbakeError, "no such obstacle"):
            mesh.obstacle(gone.id)
        for points, heights, radius, text in [
            ((5, 5), (0, 1), -1.0, "0 or more"),
            ((5, 5), (1, 0), 1.0, "lower height first"),
            ((5, math.nan), (0, 1), 1.0, "finite"),
            (np.zeros((13, 2)), (0, 1), 0.0, "2 to 12"),
            (np.zeros((0, 2)), (0, 1), 0.0, "2 to 12"),
            (np.zeros((3, 2)), (0, 1), 1.0, "one point for a cylinder"),
            ((5, 0, 5), (0, 1), 1.0, r"\(n, 2\)"),
        ]:
            with self.assertRaisesRegex(ValueError, text):
                mesh.add_obstacle(points, *heights, radius=radius)
        with self.assertRaisesRegex(navbake.NavbakeError, "nearer to the level"):
            mesh.add_obstacle((1e9, 0), 0, 1, radius=1)
        self.assertEqual(mesh.commit().left, 0)
        found = mesh.locate([[5, 0, 5], [10, 0, 10], [2, 0, 2]]).found
        self.assertEqual(found.tolist(), [False, False, True])

    def test_a_mesh_is_not_changed_while_a_query_runs(self):
        places = self.mesh.random(200_000, seed=4).positions
        asked = threading.Thread(
            target=lambda: self.mesh.find_paths(places[:100_000], places[100_000:], "corridor")
        )
        asked.start()
        refused = 0
        while asked.is_alive():
            try:
                self.mesh.commit()
            except RuntimeError as error:
                self.assertIn("borrowed", str(error))
                refused += 1
        asked.join()
        self.assertGreater(refused, 0)
        self.mesh.add_obstacle(*BARREL, radius=1)
        self.assertEqual(self.mesh.commit().changed, 1)

    def test_a_commit_leaves_the_interpreter_to_threads_which_ask_the_mesh_later(self):
        for x, _, z in self.mesh.random(1500, seed=6).positions:
            self.mesh.add_obstacle((x, z), 0, 1, radius=0.1)
        change = threading.Thread(target=self.mesh.commit)
        change.start()
        refused = 0
        while change.is_alive():
            try:
                self.mesh.locate(ENDS[0])
            except RuntimeError as error:
                self.assertIn("borrowed", str(error))
                refused += 1
        change.join()
        self.assertGreater(refused, 0)
        self.assertEqual(self.mesh.commit().changed, 0)
        self.assertGreater(len(self.mesh.locate(ENDS[0])), 0)


class Units(unittest.TestCase):
    def test_a_unit_finds_its_way_without_its_own_obstacle(self):
        mesh = floor().mesh()
        unit = mesh.add_obstacle((2, 10), 0, 2, radius=0.4)
        crate = mesh.add_obstacle(*BARREL, radius=1.5)
        mesh.commit()
        before = mesh.polygons()
        self.assertEqual(mesh.find_path(*ENDS).status, "off_mesh")
        mesh.set_aside([unit])
        self.assertGreater(mesh.find_path(*ENDS).length, 16.4)
        mesh.set_aside([unit, crate])
        self.assertEqual(mesh.find_path(*ENDS).length, 16.0)
        mesh.put_back()
        self.assertEqual(mesh.find_path(*ENDS).status, "off_mesh")
        np.testing.assert_array_equal(mesh.polygons().corners, before.corners)


class Volumes(unittest.TestCase):
    def test_a_volume_costs_what_one_of_the_config_costs(self):
        mud = {"area": [{"name": "mud"}]}
        box = [{"box": [[4, -1, -1], [6, 1, 21]], "area": "mud"}]
        baked = floor({**CONFIG, **mud, "volume": box}).mesh()
        mesh = floor({**CONFIG, **mud}).mesh()
        fire = mesh.add_volume("mud", corners(4, -1, 2, 22), -1, 1)
        for own in (baked, mesh):
            own.set_cost("mud", 5.0)
        mesh.commit()
        wanted = baked.find_path(*ENDS, "weighted").cost
        self.assertAlmostEqual(wanted, 24.0, places=6)
        # Its border is exact to 2 mm on each side.
        self.assertAlmostEqual(mesh.find_path(*ENDS, "weighted").cost, wanted, delta=4 * 0.004)
        mesh.set_cost("mud", float("inf"))
        self.assertEqual(mesh.find_path(*ENDS, "weighted").status, "unreachable")
        mesh.move_obstacle(fire, corners(4, -1, 2, 12), -1, 1)
        mesh.commit()
        # Forbidden ground stays so after a commit, and the path leads around it.
        length = mesh.find_path(*ENDS, "weighted").length
        corner = math.hypot(2, 1) + 2 + math.hypot(12, 1)
        self.assertAlmostEqual(length, corner, delta=0.05 * corner)
        mesh.remove_obstacle(fire)
        mesh.commit()
        self.assertAlmostEqual(mesh.find_path(*ENDS, "weighted").cost, 16.0, places=6)
        with self.assertRaisesRegex(ValueError, "known: .*mud"):
            mesh.add_volume("lava", corners(4, 4, 1, 1), 0, 1)


class Levels(unittest.TestCase):
    def setUp(self):
        config = {"rooms": {"enabled": True}}
        self.level = navbake.bake(COURTYARD, config).open()
        self.mesh = self.level.mesh()
        self.places = self.mesh.random(400, seed=3).positions

    def answers(self, mesh):
        """What queries give, to the bit."""
        paths = mesh.find_paths(self.places[:200], self.places[200:])
        rays = mesh.raycast(self.places[:200], self.places[200:])
        polygons = mesh.polygons()
        return [
            paths.points, paths.status, rays.points, mesh.random(50, 1).positions,
            polygons.corners, polygons.beyond,
        ]

    def assert_same(self, mesh, expected):
        for own, wanted in zip(self.answers(mesh), expected):
            np.testing.assert_array_equal(own, wanted)

    def scattered(self, mesh, count):
        own = [
            mesh.add_obstacle([x, z], y - 0.2, y + 1.5, radius=0.3)
            for x, y, z in self.places[:count]
        ]
        mesh.commit()
        return own

    def test_removal_restores_every_answer_and_rooms_to_the_bit(self):
        before, rooms = self.answers(self.mesh), len(self.mesh.rooms())
        of_places = self.mesh.polygons().rooms[self.mesh.locate(self.places).polygons]
        untouched = self.level.mesh()
        own = self.scattered(self.mesh, 40)
        self.assertFalse(np.array_equal(self.answers(self.mesh)[0], before[0]))
        # A place is in its room whatever obstacles take, and paths over rooms go around them.
        self.assertEqual(len(self.mesh.rooms()), rooms)
        found = self.mesh.locate(self.places)
        own_rooms = self.mesh.polygons().rooms[found.polygons[found.found]]
        np.testing.assert_array_equal(own_rooms, of_places[found.found])
        for start, goal in zip(self.places[:20], self.places[20:40]):
            over_rooms = self.mesh.find_path(start, goal, "hierarchical")
            shortest = self.mesh.find_path(start, goal, "optimal")
            self.assertEqual(over_rooms.status, shortest.status)
            self.assertLessEqual(over_rooms.length, 1.1 * shortest.length + 1e-9)
        self.assert_same(untouched, before)
        for obstacle in own:
            self.mesh.remove_obstacle(obstacle)
        self.mesh.commit()
        self.assert_same(self.mesh, before)
        self.assertEqual(len(self.mesh.rooms()), rooms)

    def test_closed_switches_stay_closed_after_a_commit(self):
        config = {
            "agent": [{"name": "a", "radius": 0.5}],
            "area": [{"name": "bridge", "switch": "gate"}],
            "volume": [{"box": [[9, -1, -1], [11, 1, 21]], "area": "bridge"}],
        }
        mesh = floor(config).mesh()
        mesh.set_closed(["gate"])
        barrel = mesh.add_obstacle((10, 10), 0, 1, radius=1.0)
        for change in (mesh.commit, lambda: mesh.set_aside([barrel]), mesh.put_back):
            change()
            self.assertEqual(mesh.find_path(*ENDS).status, "unreachable")
        mesh.set_closed([])
        self.assertEqual(mesh.find_path(*ENDS).status, "reached")

    def test_a_link_whose_end_is_taken_is_closed(self):
        folder = FIXTURES / "terraces"
        mesh = navbake.bake(folder / "terraces.obj", folder / "bake.toml").open().mesh("cat")
        links = mesh.links()
        x, y, z = links[0].start
        mesh.add_obstacle((x, z), y - 0.1, y + 1, radius=0.2)
        mesh.commit()
        now = mesh.links()
        self.assertEqual(len(now), len(links))
        self.assertEqual(now[0].polygon, navbake.NO_POLYGON)
        self.assertEqual([link.name for link in now], [link.name for link in links])

    def test_a_saved_mesh_answers_as_before_with_the_same_obstacles(self):
        own = self.scattered(self.mesh, 30)
        self.mesh.remove_obstacle(own.pop())
        staged = self.mesh.add_obstacle(self.places[50][[0, 2]], -1, 9, radius=0.5)
        saved = self.mesh.save()
        self.assertEqual(navbake.saved_chunks(saved), [])
        restored = self.level.restore(saved)
        self.assert_same(restored, self.answers(self.mesh))
        self.assertEqual(restored.save(), saved)
        with self.assertRaisesRegex(navbake.NavbakeError, "belongs to another"):
            restored.remove_obstacle(own[0])
        self.assertEqual(restored.obstacle(staged.id).id, staged.id)
        restored.set_aside([restored.obstacle(handle.id) for handle in own[:4]])
        self.assertEqual(restored.save(), saved)
        self.assert_same(restored, self.answers(self.mesh))
        for mesh, handles in [
            (self.mesh, own), (restored, [restored.obstacle(handle.id) for handle in own])
        ]:
            mesh.move_obstacle(handles[0], self.places[60][[0, 2]], -1, 9, radius=0.5)
            mesh.remove_obstacle(handles[1])
            mesh.commit()
        self.assert_same(restored, self.answers(self.mesh))
        self.assertEqual(restored.save(), self.mesh.save())
        fresh = self.level.mesh()
        self.assert_same(self.level.restore(fresh.save()), self.answers(fresh))
        for call, text in [
            (lambda: self.level.restore(saved[:-1]), "damaged"),
            (lambda: self.level.restore(b"nonsense"), "not a saved world"),
            (lambda: floor().restore(saved), "another navmesh"),
            (lambda: navbake.saved_chunks(b""), "not a saved world"),
        ]:
            with self.assertRaisesRegex(navbake.NavbakeError, text):
                call()


if __name__ == "__main__":
    unittest.main()
