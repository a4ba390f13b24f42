"""Reads what `navbake export --to obj` writes: one group an island."""

from array import array
from dataclasses import dataclass, field

from .axes import plan_area
from .problem import Problem

# Lines read between two breaths of the interface.
SLICE = 50_000


@dataclass
class Island:
    """An island: corners of its own, numbered from 0, and faces as `Mesh.foreach_set` takes them.

    Coordinates are those of the file, y up.
    """

    number: int
    corners: array = field(default_factory=lambda: array("d"))
    face_starts: array = field(default_factory=lambda: array("i"))
    loops: array = field(default_factory=lambda: array("i"))
    known: dict = field(default_factory=dict)

    def face_count(self):
        """The number of faces."""
        return len(self.face_starts)

    def face(self, k):
        """The corners of a face: (x, y, z) each."""
        starts = self.face_starts
        end = starts[k + 1] if k + 1 < len(starts) else len(self.loops)
        c = self.corners
        return [tuple(c[3 * v : 3 * v + 3]) for v in self.loops[starts[k] : end]]

    def z_up(self):
        """The corners in Blender's axes, single precision: x, y, z of one after another."""
        turned = array("f", bytes(4 * len(self.corners)))
        turned[0::3] = array("f", self.corners[0::3])
        turned[1::3] = array("f", [-z for z in self.corners[2::3]])
        turned[2::3] = array("f", self.corners[1::3])
        return turned

    def plan_area(self):
        """The area seen from above."""
        faces = (self.face(k) for k in range(self.face_count()))
        return sum(plan_area([(x, z) for x, _, z in face]) for face in faces)


def slices(lines):
    """Reads lines of OBJ text; yields None now and then, and the list of islands at the end."""
    vertices = array("d")
    islands = []
    for n, line in enumerate(lines, 1):
        if n % SLICE == 0:
            yield None
        try:
            kind, *rest = line.split() or [""]
            if kind == "v":
                vertices.extend((float(rest[0]), float(rest[1]), float(rest[2])))
            elif kind == "g":
                islands.append(Island(int(rest[0].removeprefix("island_"))))
            elif kind == "f":
                _face(islands[-1], vertices, rest)
        except (IndexError, ValueError) as error:
            raise Problem(f"line {n} of the exported OBJ is not understood: {line!r}") from error
    yield islands


def read(text):
    """The islands of an OBJ text."""
    islands = None
    for islands in slices(text.splitlines()):
        pass
    return islands


def _face(island, vertices, words):
    if len(words) < 3:
        raise ValueError("a face of fewer than three corners")
    island.face_starts.append(len(island.loops))
    known = island.known
    for word in words:
        vertex = int(word) - 1
        own = known.get(vertex)
        if own is None:
            corner = vertices[3 * vertex : 3 * vertex + 3]
            if vertex < 0 or len(corner) < 3:
                raise ValueError("a face names a vertex that is not there")
            own = known[vertex] = len(known)
            island.corners.extend(corner)
        island.loops.append(own)
