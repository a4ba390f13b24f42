"""Tests of worlds in chunks, as installed. NAVBAKE is the command, which bakes them."""

import os
import pathlib
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import navbake

# Tiles of 12.8 m.
ROOMS = "[rooms]\nenabled = true\nmax_room_area = 900\n"
CONFIG = "cell = 0.05\n" + ROOMS + "[[agent]]\nname = 'cat'\nradius = 0.4\n"
DOG = "[[agent]]\nname = 'dog'\nradius = 0.8\n"
START, GOAL, ISLE = (4, 0, 4), (80, 0, 85), (115, 0, 5)


def obj():
    """A floor of 90 m with blocks on it, and another one that nothing leads to."""
    lines, count = [], 0

    def add(points, faces):
        nonlocal count
        lines.extend(f"v {x} {y} {z}" for x, y, z in points)
        lines.extend("f " + " ".join(str(count + k) for k in face) for face in faces)
        count += len(points)

    def ring(x, z, width, depth, y):
        return [(x, y, z), (x, y, z + depth), (x + width, y, z + depth), (x + width, y, z)]

    add(ring(0, 0, 90, 90, 0), [(1, 2, 3, 4)])
    add(ring(110, 0, 10, 10, 0), [(1, 2, 3, 4)])
    sides = [(1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8)]
    for block in [(10, 10, 20, 4), (36, 20, 5, 50), (60, 5, 4, 33), (50, 60, 25, 3)]:
        add(ring(*block, 0) + ring(*block, 3), sides)
    return "\n".join(lines) + "\n"


class World:
    """A level as one blob, and as an index with chunks, baked once."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.scratch.name)
        (folder / "yard.obj").write_text(obj())
        for name, config in [("yard", CONFIG), ("pets", CONFIG + DOG)]:
            (folder / "bake.toml").write_text(config)
            ran = [os.environ["NAVBAKE"], "-q", "bake", folder / "yard.obj", "--config"]
            ran += [folder / "bake.toml", "--chunk", "25", "-o", folder / f"{name}.navw"]
            subprocess.run(ran, check=True, capture_output=True)
        (folder / "bake.toml").write_text(CONFIG)
        self.whole = navbake.bake(folder / "yard.obj", folder / "bake.toml").open()
        self.folder, self.index = folder, folder / "yard.navw"
        self.level = navbake.open(self.index)
        self.chunks = {file.key: self.open(file) for file in self.level.chunks}

    def open(self, file):
        return self.level.open_chunk(self.folder / "yard.chunks" / file.name)

    def loaded(self, keys):
        """A mesh with these chunks."""
        mesh = self.level.mesh()
        for key in keys:
            mesh.insert(self.chunks[key])
        mesh.commit()
        return mesh


def world():
    if not hasattr(world, "made"):
        world.made = World()
    return world.made


class Chunks(unittest.TestCase):
    def setUp(self):
        self.world = world()
        self.level, self.keys = self.world.level, list(self.world.chunks)
        self.places = self.world.whole.mesh().random(400, seed=8).positions

    def file_at(self, point):
        """The file of the chunk that has this point."""
        within = lambda file: ((file.least <= point) & (point <= file.greatest)).all()
        (found,) = [file for file in self.level.chunks if within(file)]
        return found

    def lengths(self, mesh):
        """Status and length of shortest paths; lengths to a micrometre."""
        found = mesh.find_paths(self.places[:200], self.places[200:], "optimal", points=False)
        return found.status.tolist(), np.round(found.length, 6).tolist()

    def test_the_index_describes_the_files_of_its_chunks(self):
        files = self.level.chunks
        self.assertGreaterEqual(len(files), 9)
        self.assertEqual(self.world.whole.chunks, [])
        self.assertEqual(sorted(file.key[::-1] for file in files), [f.key[::-1] for f in files])
        for file in files:
            path = self.world.folder / "yard.chunks" / file.name
            self.assertEqual(path.stat().st_size, file.size)
            self.assertEqual((len(file.hash), file.name.count(file.hash[:8].hex())), (32, 1))
            mesh = self.world.loaded([file.key])
            corners = mesh.polygons().corners
            self.assertGreater(len(corners), 0)
            self.assertTrue((corners >= file.least - 2e-3).all(), file.name)
            self.assertTrue((corners <= file.greatest + 2e-3).all(), file.name)
            self.assertEqual(file.polygons, (np.diff(mesh.polygons().offsets) > 0).sum())
            self.assertEqual(navbake.open(path).chunks, [])

    def test_paths_over_all_chunks_are_those_of_one_blob(self):
        mesh, whole = self.world.loaded(self.keys), self.world.whole.mesh()
        ours, theirs = (
            own.find_paths(self.places[:200], self.places[200:], "optimal") for own in (mesh, whole)
        )
        np.testing.assert_array_equal(ours.status, theirs.status)
        self.assertEqual({"reached", "unreachable"}, {navbake.STATUSES[s] for s in ours.status})
        np.testing.assert_allclose(ours.length, theirs.length, rtol=1e-6)
        costs, _ = mesh.distances(self.places[:30], self.places[30:60])
        wanted, _ = whole.distances(self.places[:30], self.places[30:60])
        np.testing.assert_allclose(costs, wanted, rtol=1e-6)
        self.assertTrue(mesh.nearest(self.places).found.all())
        np.testing.assert_array_equal(
            mesh.reachable(self.places[:200], self.places[200:]), ours.status == 0
        )
        self.assertEqual(mesh.not_loaded(START), [])

    def test_answers_do_not_depend_on_the_order_of_loading(self):
        some = self.keys[:6] + self.keys[8:]
        expected = self.lengths(self.world.loaded(some))
        self.assertIn(navbake.STATUSES.index("not_loaded"), expected[0])
        mesh = self.level.mesh()
        for key in reversed(self.keys):
            mesh.insert(self.world.chunks[key])
            self.assertFalse(mesh.is_loaded(key), "before the commit")
            self.assertEqual(mesh.commit().chunks, 1)
            self.assertTrue(mesh.is_loaded(key))
        self.assertEqual(self.lengths(mesh), self.lengths(self.world.loaded(self.keys)))
        self.assertNotEqual(self.lengths(mesh), expected)
        for key in self.keys[6:8]:
            mesh.remove(key)
        mesh.commit()
        self.assertEqual(self.lengths(mesh), expected)

    def test_without_chunks_there_is_no_ground(self):
        mesh = self.level.mesh()
        self.assertEqual(len(mesh.polygons().corners), 0)
        self.assertFalse(mesh.random(3).found.any())
        self.assertEqual(mesh.find_path(START, GOAL).status, "not_loaded")
        # As NAVBAKE_NOT_LOADED of C.
        self.assertEqual(navbake.STATUSES[6], "not_loaded")
        self.assertEqual(mesh.find_paths(START, [GOAL, ISLE]).status.tolist(), [6, 6])
        self.assertFalse(mesh.reachable(START, GOAL)[0])
        for call in (lambda: mesh.not_loaded(START), lambda: mesh.find_route(START, GOAL)):
            with self.assertRaisesRegex(navbake.NavbakeError, "ground that is loaded"):
                call()

    def test_a_route_names_chunks_until_the_path_is_found(self):
        mesh, asked = self.world.loaded([self.file_at(START).key]), 0
        self.assertEqual(mesh.find_path(START, GOAL, partial=True).status, "not_loaded")
        while (path := mesh.find_path(START, GOAL, "optimal")).status != "reached":
            self.assertEqual(path.status, "not_loaded")
            route = mesh.find_route(START, GOAL)
            new = [own.into for own in route.passages if not mesh.is_loaded(own.into)]
            self.assertIn(new[0], mesh.not_loaded(START))
            self.assertTrue(np.isfinite(route.passages[0].position).all())
            mesh.insert(self.world.chunks[new[0]])
            mesh.commit()
            asked += 1
        self.assertGreater(asked, 2)
        self.assertLess(asked + 1, len(self.keys))
        shortest = self.world.loaded(self.keys).find_path(START, GOAL, "optimal").length
        self.assertTrue(shortest <= path.length <= 1.05 * shortest, (shortest, path.length))
        self.assertIsNone(mesh.find_route(START, ISLE))
        mesh.insert(self.world.chunks[self.file_at(ISLE).key])
        mesh.commit()
        self.assertEqual(mesh.find_path(START, ISLE).status, "unreachable")

    def test_obstacles_reach_over_seams_and_wait_for_chunks(self):
        side = float(self.file_at(START).greatest[0])
        mesh, whole = self.world.loaded(self.keys), self.world.whole.mesh()
        for own in (mesh, whole):
            own.add_obstacle((side, 6), 0, 2, radius=3.0)
            own.commit()
        expected, ends = self.lengths(whole), ((side - 5, 0, 6), (side + 5, 0, 6))
        np.testing.assert_allclose(self.lengths(mesh)[1], expected[1], rtol=1e-6)
        length = mesh.find_path(*ends, "optimal").length
        self.assertGreater(length, 11.0)
        for key in self.keys[:2]:
            mesh.remove(key)
        mesh.commit()
        for key in self.keys[:2]:
            mesh.insert(self.world.chunks[key])
        mesh.commit()
        self.assertAlmostEqual(mesh.find_path(*ends, "optimal").length, length, places=6)

    def test_rooms_and_doors_have_the_same_numbers_whichever_chunks_are_loaded(self):
        all_chunks = world().loaded(world().chunks)
        rooms = [(room.name, room.area, tuple(room.middle)) for room in all_chunks.rooms()]
        doors = [(door.width, door.rooms) for door in all_chunks.doors()]
        self.assertTrue(len(rooms) > 5 and doors)
        places = all_chunks.random(300, seed=4).positions
        wanted = all_chunks.polygons().rooms[all_chunks.locate(places).polygons]
        keys = list(world().chunks)
        for own in ([], keys[::2], keys[1:], keys[5:6]):
            mesh = world().loaded(own)
            self.assertEqual([(r.name, r.area, tuple(r.middle)) for r in mesh.rooms()], rooms)
            self.assertEqual([(door.width, door.rooms) for door in mesh.doors()], doors)
            found = mesh.locate(places)
            there = found.found
            self.assertEqual(there.any(), bool(own))
            if own:
                room = mesh.polygons().rooms[found.polygons[there]]
                np.testing.assert_array_equal(room, wanted[there])

    def test_threads_open_chunks(self):
        with ThreadPoolExecutor(4) as pool:
            opened = list(pool.map(self.world.open, self.level.chunks))
        self.assertEqual([chunk.key for chunk in opened], self.keys)
        mesh = self.level.mesh()
        for chunk in opened:
            mesh.insert(chunk)
        mesh.commit()
        self.assertEqual(self.lengths(mesh), self.lengths(self.world.loaded(self.keys)))

    def test_wrong_chunks_are_refused_with_the_cure(self):
        file = self.level.chunks[0]
        path = self.world.folder / "yard.chunks" / file.name
        data, mesh = path.read_bytes(), self.world.loaded([file.key])
        pets = navbake.open(self.world.folder / "pets.navw")
        dog = pets.open_chunk(self.world.folder / "pets.chunks" / pets.chunks[0].name, "dog")
        chunk = self.level.open_chunk(data)
        # A byte of a hash, which no other check reads.
        changed = data[:100] + bytes([data[100] ^ 1]) + data[101:]
        for call, kind, text in [
            (lambda: self.level.open_chunk(self.world.index), navbake.NavbakeError,
             "yard.navw: not a chunk of a world: open a file that the index"),
            (lambda: self.level.open_chunk(data[:-9]), navbake.NavbakeError, "chunk: "),
            (lambda: self.level.open_chunk(changed), navbake.NavbakeError, "checksum"),
            (lambda: self.level.open_chunk("no.nav"), FileNotFoundError, "no.nav"),
            (lambda: self.level.open_chunk(7), TypeError, "bytes"),
            (lambda: self.level.open_chunk(data, "dog"), ValueError, "known: cat"),
            (lambda: pets.open_chunk(data, "dog"), navbake.NavbakeError, "chunk: "),
            (lambda: pets.mesh().insert(chunk), navbake.NavbakeError,
             "load index and chunks of one bake"),
            (lambda: pets.mesh("cat").insert(dog), navbake.NavbakeError, "for one agent"),
            (lambda: self.world.whole.mesh().insert(chunk), navbake.NavbakeError, "one bake"),
            (lambda: mesh.insert(chunk), navbake.NavbakeError, "remove it first"),
            (lambda: mesh.remove(self.keys[1]), navbake.NavbakeError, "insert it first"),
            (lambda: mesh.remove((99, 99)), navbake.NavbakeError, "chunk 99, 99 is not there"),
        ]:
            with self.assertRaisesRegex(kind, text):
                call()
        self.assertEqual(mesh.commit().chunks, 0)

    def test_a_world_baked_here_has_the_bytes_of_the_command(self):
        folder = self.world.folder
        index = folder / "here" / "yard.navw"
        baked = navbake.bake_world(folder / "yard.obj", index, folder / "bake.toml", chunk=25)
        self.assertEqual(index.read_bytes(), self.world.index.read_bytes())
        self.assertEqual(baked.blob, index.read_bytes())
        self.assertEqual(len(baked.open().chunks), len(self.level.chunks))
        for file in self.level.chunks:
            own = folder / "here" / "yard.chunks" / file.name
            self.assertEqual(own.read_bytes(), (folder / "yard.chunks" / file.name).read_bytes())
        self.assertEqual(
            navbake.check(index)["findings"], navbake.check(index.read_bytes())["findings"]
        )

    def test_a_world_that_cannot_be_baked_is_refused_and_nothing_is_written(self):
        folder = self.world.folder
        for index, more, kind, text in [
            ("new.navbake", {}, ValueError, "does not end in .navw"),
            ("new.navw", {"chunk": 0}, ValueError, "length above 0"),
            ("new.navw", {"chunk": float("nan")}, ValueError, "length above 0"),
            ("new.navw", {"chunk": 1e9}, navbake.NavbakeError, "wider than the grid"),
            ("new.navw", {"config": {"no_key": 1}}, navbake.NavbakeError, "no_key"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                navbake.bake_world(folder / "yard.obj", folder / index, **more)
        with self.assertRaisesRegex(navbake.NavbakeError, "missing.obj"):
            navbake.bake_world(folder / "missing.obj", folder / "new.navw")
        self.assertEqual(sorted(folder.glob("new*")), [])

    def test_a_saved_world_needs_its_chunks(self):
        mesh = self.world.loaded(self.keys[:5])
        barrel = mesh.add_obstacle((7, 7), 0, 2, radius=1.0)
        mesh.commit()
        mesh.insert(self.world.chunks[self.keys[5]])
        saved = mesh.save()
        needed = navbake.saved_chunks(saved)
        self.assertEqual(needed, self.keys[:6])
        chunks = [self.world.chunks[key] for key in needed]
        restored = self.level.restore(saved, chunks=chunks)
        self.assertFalse(restored.is_loaded(self.keys[5]))
        for own in (mesh, restored):
            own.remove_obstacle(own.obstacle(barrel.id))
            self.assertEqual(own.commit().chunks, 1)
        self.assertEqual(restored.save(), mesh.save())
        self.assertEqual(self.lengths(restored), self.lengths(mesh))
        column, row = needed[2]
        with self.assertRaisesRegex(navbake.NavbakeError, f"needs chunk {column}, {row}"):
            self.level.restore(saved, chunks=chunks[:2] + chunks[3:])


if __name__ == "__main__":
    unittest.main()
