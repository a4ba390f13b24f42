"""Reads polygons, rooms and links from an unpacked blob: docs/format.md of navbake is the rule.

Only the sections for the overlay are read; the command has validated the file when it wrote it.
"""

import struct
from dataclasses import dataclass, field

from .problem import Problem

MAGIC = b"\x89NAV\r\n\x1a\n"
# The minimum reader version that this module knows.
VERSION = 4
NONE = 0xFFFF_FFFF
KINDS = ("walk", "drop", "jump", "climb", "teleport", "ride", "door", "other")

AGENTS, STRINGS = 0x0001, 0x0003
LINKS, ROOMS, ROOM_OF = 0x010C, 0x0120, 0x0121
POLYGONS, EDGES = 0x0143, 0x0144


@dataclass
class Link:
    """A link in one direction: its kind, and polygon and (x, z) in metres of both ends."""

    kind: str
    name: str
    start: tuple
    end: tuple
    polygons: tuple


@dataclass
class Ground:
    """The polygons of an agent: rings of (x, z) in metres, and what belongs to each."""

    rings: list = field(default_factory=list)
    islands: list = field(default_factory=list)
    # Whether heights come from a height mesh: then the OBJ can have several faces for it.
    relief: list = field(default_factory=list)
    neighbours: list = field(default_factory=list)
    # The room of each polygon; empty without rooms.
    rooms: list = field(default_factory=list)
    room_names: list = field(default_factory=list)
    links: list = field(default_factory=list)


class Blob:
    """The sections of a blob, by kind and agent class."""

    def __init__(self, data):
        if len(data) < 136 or data[:8] != MAGIC:
            raise Problem("the exported navmesh is not a file of navbake")
        least = struct.unpack_from("<I", data, 12)[0]
        if least > VERSION:
            raise Problem(f"the add-on reads navmeshes up to version {VERSION}, the command writes "
                          f"version {least}: install an add-on as new as the command")
        count, length = struct.unpack_from("<IQ", data, 20)
        bits, = struct.unpack_from("<B", data, 36)
        if length != len(data):
            raise Problem("the exported navmesh is cut off")
        self.origin = struct.unpack_from("<3d", data, 40)
        self.unit = 1.0 / (1 << bits)
        self._data = data
        self._sections = {}
        at = 136 + 12 * count
        for row in range(count):
            kind, agents, _, size, elements = struct.unpack_from("<4HI", data, 136 + 12 * row)
            self._sections[kind, agents] = (at, size, elements)
            at += size * elements

    def records(self, kind, agents, form):
        """The elements of a section: the fields that `form` names at the start of each."""
        at, size, elements = self._sections.get((kind, agents), (0, 0, 0))
        read = struct.Struct("<" + form)
        return [read.unpack_from(self._data, at + size * k) for k in range(elements)]

    def numbers(self, kind, agents):
        """The elements of a section of whole numbers of 1, 2 or 4 bytes."""
        size = self._sections.get((kind, agents), (0, 1, 0))[1]
        return [n for n, in self.records(kind, agents, {1: "B", 2: "H", 4: "I"}[size])]

    def name(self, offset, length):
        """A text of the section strings."""
        at = self._sections.get((STRINGS, 0), (0, 1, 0))[0] + offset
        return self._data[at : at + length].decode("utf-8", "replace")

    def metres(self, x, z):
        """A place on the grid in metres, seen from above."""
        return (x * self.unit + self.origin[0], z * self.unit + self.origin[2])

    def agents(self):
        """Names and classes of the agents."""
        rows = self.records(AGENTS, 0, "IHH")
        return [(self.name(offset, length), number) for offset, length, number in rows]

    def ground(self, agent=""):
        """What the overlay shows of an agent, the first if it has no name."""
        agents = self.agents()
        known = [name for name, _ in agents]
        if agent and agent not in known:
            raise Problem(f"there is no agent {agent}: the level has {', '.join(known)}")
        number = dict(reversed(agents))[agent] if agent else agents[0][1]
        mask = 1 << known.index(agent) if agent else 1
        ground = Ground()
        self._polygons(ground, number)
        ground.rooms = self.numbers(ROOM_OF, number)
        rooms = self.records(ROOMS, number, "IH")
        ground.room_names = [self.name(*room) for room in rooms]
        for row in self.records(LINKS, number, "II4idfIHBxIH"):
            start, end, ax, az, bx, bz, _, _, agents_of, _, kind, offset, length = row
            if agents_of & mask:
                ground.links.append(Link(KINDS[kind], self.name(offset, length),
                                         self.metres(ax, az), self.metres(bx, bz), (start, end)))
        return ground

    def _polygons(self, ground, number):
        rows = self.records(POLYGONS, number, "6I")
        edges = self.records(EDGES, number, "2i4xII")
        for (first, _, _, relief, island, _), (last, *_) in zip(rows, rows[1:]):
            own = edges[first:last]
            ground.rings.append([self.metres(x, z) for x, z, _, _ in own])
            ground.neighbours.append({beyond for *_, beyond in own if beyond != NONE})
            ground.islands.append(island)
            ground.relief.append(relief != NONE)
