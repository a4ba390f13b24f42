"""Bakes, checks and queries navmeshes.

Coordinates are y-up metres. Points are arrays of shape (n, 3); a single point of shape (3,) is
taken as one row, and paired with every row of the other array. Queries copy their input, run
without the lock of the interpreter and end at Ctrl-C.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: Final[str]
PLANNERS: Final[tuple[str, ...]]
STATUSES: Final[tuple[str, ...]]
"""Names of the numbers in `Paths.status`: STATUSES[0] is "reached"."""
NO_POLYGON: Final[int]
"""The number of the polygon where there is none."""

_Planner: TypeAlias = Literal["auto", "corridor", "optimal", "midpoints", "weighted", "hierarchical"]
_Status: TypeAlias = Literal[
    "reached",
    "partial",
    "unreachable",
    "off_mesh",
    "out_of_nodes",
    "start_blocked",
    "not_loaded",
]
_Config: TypeAlias = str | PathLike[str] | Mapping[str, Any]
"""A TOML file, or its keys: {"agent": [{"name": "default", "radius": 0.4}]}."""
_Triple: TypeAlias = tuple[float, float, float] | list[float] | NDArray[np.float64]
_Key: TypeAlias = tuple[int, int]
"""Column and row of a chunk."""

class NavbakeError(Exception):
    """A level, a config, a blob, a chunk or an obstacle that is refused, or a request that a
    planner does not serve."""

@final
class Baked:
    """A baked level."""

    @property
    def blob(self) -> bytes:
        """The bytes of the blob."""
    @property
    def summary(self) -> dict[str, Any]:
        """The object that `navbake bake --format json` prints."""
    @property
    def warnings(self) -> list[str]:
        """What the bake noticed about the level."""
    def write(self, path: str | PathLike[str]) -> None:
        """Writes the blob to a file, whole or not at all."""
    def open(self) -> Level:
        """Opens the blob."""

def bake(
    level: str | PathLike[str], config: _Config | None = None, *, threads: int = 0
) -> Baked:
    """Reads a level and bakes it; 0 threads are one for each core.

    The bytes do not depend on the threads. Raises NavbakeError with the file, the place and the
    cure.
    """

def bake_world(
    level: str | PathLike[str],
    index: str | PathLike[str],
    config: _Config | None = None,
    *,
    chunk: float | None = None,
    threads: int = 0,
) -> Baked:
    """Reads a level, bakes it as a world in chunks, and writes its files.

    `index` ends in `.navw`; the chunks are in a folder beside it, `world.chunks` for `world.navw`.
    `chunk` is their side, m, rounded up to whole tiles; None is 300. The bytes are those of
    `navbake bake --chunk`. The blob of the result is the index. When it fails, the world that was
    there before is as it was.
    """

def bake_triangles(
    vertices: ArrayLike, triangles: ArrayLike, config: _Config | None = None, *, threads: int = 0
) -> Baked:
    """Bakes triangles: vertices of shape (n, 3) and indices of shape (m, 3).

    Triangles are counter-clockwise seen from their front.
    """

def check(
    level: bytes | bytearray | str | PathLike[str],
    config: _Config | None = None,
    *,
    threads: int = 0,
) -> dict[str, Any]:
    """Checks a blob, or a level that is baked first, against the rules of `[check]`.

    Gives the object that `navbake check --format json` prints: `findings`, `counts` and more.
    """

def open(blob: bytes | bytearray | str | PathLike[str]) -> Level:
    """Opens a blob and checks all of its bytes."""

@final
class Agent:
    """A kind of unit; sizes in metres, the slope in degrees."""

    @property
    def name(self) -> str: ...
    @property
    def radius(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def climb(self) -> float: ...
    @property
    def slope(self) -> float: ...

@final
class Area:
    """A kind of ground."""

    @property
    def name(self) -> str: ...
    @property
    def tags(self) -> int: ...
    @property
    def switch(self) -> int | None:
        """The number of the switch that closes it."""

@final
class Switch:
    """A switch: it closes doors, polygons and links."""

    @property
    def name(self) -> str: ...
    @property
    def closed(self) -> bool:
        """Is it closed as the level begins?"""

@final
class Marker:
    """A named place."""

    @property
    def name(self) -> str: ...
    @property
    def position(self) -> NDArray[np.float64]: ...

@final
class ChunkFile:
    """A chunk of a world and its file, as the index lists it."""

    @property
    def name(self) -> str:
        """The name of its file, in the folder of the chunks."""
    @property
    def key(self) -> _Key:
        """Its column and row."""
    @property
    def least(self) -> NDArray[np.float64]:
        """Least x, y, z of its ground."""
    @property
    def greatest(self) -> NDArray[np.float64]:
        """Greatest x, y, z of its ground."""
    @property
    def size(self) -> int:
        """Length of its file, bytes."""
    @property
    def polygons(self) -> int:
        """Polygons of all agents."""
    @property
    def hash(self) -> bytes:
        """BLAKE3 of its file."""

@final
class Chunk:
    """A chunk of a world, checked and decoded for an agent. Meshes take copies of it."""

    @property
    def key(self) -> _Key:
        """Its column and row."""

def saved_chunks(saved: bytes) -> list[_Key]:
    """The chunks that `Level.restore` needs for the bytes of `Mesh.save`."""

@final
class Level:
    """A baked level, or the index of a world in chunks."""

    @property
    def agents(self) -> list[Agent]: ...
    @property
    def areas(self) -> list[Area]: ...
    @property
    def switches(self) -> list[Switch]: ...
    @property
    def markers(self) -> list[Marker]: ...
    def mesh(self, agent: str | None = None) -> Mesh:
        """The navmesh of an agent, by default of the first.

        Each call gives one with costs, closed switches and obstacles of its own. That of the index
        of a world has no ground until chunks are inserted.
        """
    @property
    def chunks(self) -> list[ChunkFile]:
        """The chunks of a world, by row and column; empty if this is no index."""
    def open_chunk(
        self, chunk: bytes | bytearray | str | PathLike[str], agent: str | None = None
    ) -> Chunk:
        """Opens a chunk from bytes or a file, for an agent (the first by default).

        Takes most of the time of loading, and runs without the lock of the interpreter: call it on
        any thread.
        """
    def restore(
        self, saved: bytes, agent: str | None = None, *, chunks: Sequence[Chunk] = ...
    ) -> Mesh:
        """Restores a mesh from the bytes of `Mesh.save`: the same ground and obstacle ids.

        `chunks` are those that `saved_chunks` names. Closed switches and costs are not saved.
        Raises NavbakeError for bytes of another level, and for a chunk that has changed since.
        """

@final
class Places:
    """Places on the ground, one for each point."""

    @property
    def found(self) -> NDArray[np.bool_]: ...
    @property
    def positions(self) -> NDArray[np.float64]:
        """Shape (n, 3); not a number where there is no ground."""
    @property
    def polygons(self) -> NDArray[np.uint32]:
        """NO_POLYGON where there is no ground."""
    def __len__(self) -> int: ...

@final
class Rays:
    """The ends of rays."""

    @property
    def found(self) -> NDArray[np.bool_]:
        """Was there ground at the start?"""
    @property
    def hit(self) -> NDArray[np.bool_]:
        """Was a wall hit?"""
    @property
    def fractions(self) -> NDArray[np.float64]:
        """The share of the way that is free, 0 to 1."""
    @property
    def points(self) -> NDArray[np.float64]:
        """Shape (n, 3)."""
    @property
    def normals(self) -> NDArray[np.float64]:
        """x and z of unit vectors from the walls into the ground, shape (n, 2)."""
    def __len__(self) -> int: ...

@final
class Path:
    """A path with its details."""

    @property
    def status(self) -> _Status: ...
    @property
    def points(self) -> NDArray[np.float64]:
        """Start, corners and end, shape (n, 3)."""
    @property
    def polygons(self) -> NDArray[np.uint32]: ...
    @property
    def length(self) -> float:
        """In the ground plane, m."""
    @property
    def length_3d(self) -> float:
        """Along the ground, m."""
    @property
    def cost(self) -> float: ...
    @property
    def bound(self) -> float:
        """No path costs less."""
    @property
    def expanded(self) -> int:
        """Polygons taken off the open list."""
    @property
    def certified(self) -> bool:
        """No shorter path exists, and the search proved it."""
    @property
    def planner(self) -> str:
        """The planner that found it."""
    @property
    def links(self) -> list[tuple[int, int]]:
        """The links that it takes: number of the link, number of its first point."""

@final
class Paths:
    """Many paths; paths[k] gives the points of one."""

    @property
    def status(self) -> NDArray[np.uint8]:
        """Numbers in STATUSES; 0 is "reached"."""
    @property
    def length(self) -> NDArray[np.float64]:
        """In the ground plane, m; 0 without a path."""
    @property
    def cost(self) -> NDArray[np.float64]: ...
    @property
    def expanded(self) -> NDArray[np.uint32]: ...
    @property
    def points(self) -> NDArray[np.float64]:
        """The points of all paths, shape (m, 3)."""
    @property
    def offsets(self) -> NDArray[np.int64]:
        """Path k has the points offsets[k] to offsets[k + 1]."""
    def __len__(self) -> int: ...
    def __getitem__(self, path: int, /) -> NDArray[np.float64]: ...

@final
class Trace:
    """The places that a search reached, in order."""

    @property
    def path(self) -> Path: ...
    @property
    def polygons(self) -> NDArray[np.uint32]: ...
    @property
    def entries(self) -> NDArray[np.float64]:
        """x and z of each place, shape (n, 2)."""
    @property
    def behind(self) -> NDArray[np.float64]:
        """Length of the path up to the place, m."""
    @property
    def ahead(self) -> NDArray[np.float64]:
        """The estimate from the place on, m."""
    @property
    def closed(self) -> NDArray[np.bool_]:
        """Was it expanded? Else it was on the open list at the end."""
    def __len__(self) -> int: ...

@final
class Polygons:
    """The polygons of a mesh."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners of all polygons, shape (m, 3); counter-clockwise seen from above."""
    @property
    def beyond(self) -> NDArray[np.uint32]:
        """The polygon behind the edge from each corner to the next; NO_POLYGON for a wall."""
    @property
    def offsets(self) -> NDArray[np.int64]:
        """Polygon k has the corners offsets[k] to offsets[k + 1].

        It has none if obstacles have replaced it by pieces, which have numbers of their own, or if
        its chunk was removed.
        """
    @property
    def areas(self) -> NDArray[np.uint8]: ...
    @property
    def islands(self) -> NDArray[np.uint32]: ...
    @property
    def rooms(self) -> NDArray[np.uint32] | None:
        """None where the level was baked without rooms."""
    def __len__(self) -> int: ...

@final
class Link:
    """A link in one direction: a jump, a ladder, a teleporter."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def start(self) -> NDArray[np.float64]: ...
    @property
    def end(self) -> NDArray[np.float64]: ...
    @property
    def cost(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def polygon(self) -> int: ...
    @property
    def beyond(self) -> int: ...
    @property
    def switch(self) -> int | None: ...

@final
class Room:
    """A room."""

    @property
    def name(self) -> str: ...
    @property
    def middle(self) -> NDArray[np.float64]: ...
    @property
    def area(self) -> float:
        """Square metres, seen from above."""
    @property
    def dead_end(self) -> bool:
        """Has it one door only?"""
    @property
    def choke(self) -> bool:
        """Are some of its neighbours connected over it alone?"""

@final
class Door:
    """A door between two rooms."""

    @property
    def name(self) -> str: ...
    @property
    def ends(self) -> NDArray[np.float64]:
        """x and z of both ends, shape (2, 2)."""
    @property
    def width(self) -> float: ...
    @property
    def rooms(self) -> tuple[int, int]: ...
    @property
    def bridge(self) -> bool:
        """Are its rooms connected over it alone?"""

@final
class Obstacle:
    """An obstacle or a volume of a mesh.

    Mesh functions raise NavbakeError for one that was removed or is of another mesh.
    """

    @property
    def id(self) -> int:
        """Its number. Keep it beside the bytes of `Mesh.save`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Commit:
    """What a commit has done."""

    @property
    def changed(self) -> int:
        """Obstacles and volumes that were added, moved or removed."""
    @property
    def polygons(self) -> int:
        """Baked polygons that were cut anew or came back, and those of chunks."""
    @property
    def lost(self) -> int:
        """Polygons whose ground is taken as a whole, because they are too narrow to be cut."""
    @property
    def chunks(self) -> int:
        """Chunks that came or went."""
    @property
    def left(self) -> int:
        """Changes that wait for the next commit."""

@final
class Passage:
    """A place where a route passes from one chunk to the next."""

    @property
    def position(self) -> NDArray[np.float64]: ...
    @property
    def into(self) -> _Key:
        """The chunk that the route enters there."""

@final
class Route:
    """A route over chunks of a world, loaded or not."""

    @property
    def length(self) -> float:
        """In the ground plane, m. It is not proved to be the shortest."""
    @property
    def passages(self) -> list[Passage]:
        """Where it passes from one chunk to the next, in order."""

@final
class Mesh:
    """The navmesh of an agent: everything open at first, and all ground of cost 1.

    Threads may ask one mesh at a time. While a query runs, the mesh cannot be changed: functions
    that change it raise RuntimeError then, and queries do while `commit` runs.

    Obstacles and chunks come and go at `commit`. All queries see the ground of the last commit.
    A commit may change the numbers of polygons and links.
    """

    @property
    def agent(self) -> str: ...
    @property
    def polygon_count(self) -> int:
        """How many there are, including those that obstacles have replaced by pieces."""
    @property
    def island_count(self) -> int: ...
    def set_closed(self, switches: list[str]) -> None:
        """Closes exactly these switches."""
    def set_cost(self, area: str, cost: float) -> None:
        """Sets the cost of a metre on the areas of a name; infinity forbids them."""
    def set_weights(self, name: str) -> None:
        """Sets the costs of all areas from a row of weights of the blob."""
    def set_slopes(self, uphill: float, downhill: float) -> None:
        """Sets the cost of height, a metre up and a metre down."""
    def add_obstacle(
        self, points: ArrayLike, low: float, high: float, *, radius: float = 0.0
    ) -> Obstacle:
        """Adds an obstacle at the next commit; the first one copies the navmesh.

        It takes the ground within the agent's radius of it, where that is at its height. Points
        are pairs x, z: one for a cylinder with the radius, 2 to 12 for a prism over their convex
        hull. It reaches from height `low` to `high`.
        """
    def add_volume(
        self, area: str, points: ArrayLike, low: float, high: float, *, radius: float = 0.0
    ) -> Obstacle:
        """Adds a volume at the next commit: ground within has the area of this name.

        `set_cost` says what a metre of it costs. It is moved and removed as obstacles are.
        """
    def move_obstacle(
        self,
        obstacle: Obstacle,
        points: ArrayLike,
        low: float,
        high: float,
        *,
        radius: float = 0.0,
    ) -> None:
        """Puts another shape in the place of an obstacle or a volume at the next commit."""
    def remove_obstacle(self, obstacle: Obstacle) -> None:
        """Takes an obstacle or a volume away at the next commit."""
    def obstacle(self, id: int) -> Obstacle:
        """The obstacle or volume with this number, for a mesh that was restored."""
    def set_aside(self, obstacles: Sequence[Obstacle]) -> None:
        """Takes obstacles off the mesh until `put_back` or the next commit.

        For the path of a unit that is an obstacle to others, but not to itself.
        """
    def put_back(self) -> None:
        """Puts the obstacles back that were set aside: the ground is exactly as before."""
    def insert(self, chunk: Chunk) -> None:
        """Puts a copy of a chunk on the mesh of an index at the next commit."""
    def remove(self, key: _Key) -> None:
        """Takes a chunk off at the next commit. Obstacles on it stay, and wait for it."""
    def commit(self, most: int | None = None) -> Commit:
        """Makes the staged changes of obstacles and chunks, the oldest first.

        With `most`, stops once that many polygons were cut; at least one change is made. Closed
        switches and costs stay.
        """
    def is_loaded(self, key: _Key) -> bool:
        """Is a chunk on the mesh? The last commit decides."""
    def not_loaded(self, position: _Triple, vertical: float = 2.0) -> list[_Key]:
        """The chunks that are not loaded and in which the ground of a position goes on.

        It follows all ground that can be reached over loaded chunks, and ignores obstacles and what
        is closed. Raises NavbakeError if no ground is within `vertical` metres above or
        below.
        """
    def find_route(
        self, start: _Triple, goal: _Triple, vertical: float = 2.0
    ) -> Route | None:
        """Finds a route to a goal over chunks that are loaded or not.

        Load the chunks that it enters, and ask again as they come. None if no path exists with any
        chunks loaded. Raises NavbakeError without ground at the start.
        """
    def save(self) -> bytes:
        """Obstacles, chunks and staged changes as bytes, for `Level.restore`.

        The same changes give the same bytes on every machine. The navmesh, the chunks' ground,
        closed switches and costs are not part of them. Puts back what was set aside first.
        """
    def nearest(self, points: ArrayLike, extents: _Triple = ...) -> Places:
        """The place nearest to each point, at most `extents` metres away along each axis."""
    def locate(self, points: ArrayLike, vertical: float = 2.0) -> Places:
        """The place above or below each point, at most `vertical` metres away."""
    def random(self, count: int, seed: int = 0) -> Places:
        """Random places, uniform by area, the same for the same seed."""
    def reachable(
        self, starts: ArrayLike, goals: ArrayLike, extents: _Triple = ...
    ) -> NDArray[np.bool_]:
        """Can a path lead from each start to its goal, over what is loaded? False is certain."""
    def raycast(
        self, starts: ArrayLike, targets: ArrayLike, extents: _Triple = ...
    ) -> Rays:
        """Looks from each start straight towards its target, up to the first wall."""
    def move_along(
        self,
        starts: ArrayLike,
        targets: ArrayLike,
        *,
        kept: float = 0.9,
        extents: _Triple = ...,
    ) -> tuple[Places, NDArray[np.float64]]:
        """Moves each start towards its target, along the walls in between.

        Gives where it ends, and how far it went. `kept` is the part of the remaining motion that
        is left after a contact with a wall.
        """
    def wall_distance(
        self, points: ArrayLike, most: float, extents: _Triple = ...
    ) -> NDArray[np.float64]:
        """The distance from each point to the nearest wall, `most` where none is nearer."""
    def find_path(
        self,
        start: _Triple,
        goal: _Triple,
        planner: _Planner = "auto",
        *,
        partial: bool = False,
        gap: float = ...,
        extents: _Triple = ...,
    ) -> Path:
        """Finds the path between two points.

        With `partial`, goes as near as possible where no path leads to the goal. `gap` is what
        planner weighted may cost more than the cheapest path, as a share; by default 0.02.
        """
    def find_paths(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        planner: _Planner = "auto",
        *,
        partial: bool = False,
        gap: float = ...,
        extents: _Triple = ...,
        points: bool = True,
    ) -> Paths:
        """Finds the path from each start to its goal; `points=False` keeps figures alone."""
    def distances(
        self, starts: ArrayLike, goals: ArrayLike, *, extents: _Triple = ...
    ) -> tuple[NDArray[np.float64], float]:
        """The costs of the shortest paths from each start to each goal, shape (starts, goals).

        A half to a seventh of the work of single paths where the mesh has labels. The cost of a
        path is its length in the ground plane, m, with the extra cost of links and ground; infinity
        where there is no path, and not a number where a point has no ground. The second value is
        the share that no cost is more above that of the cheapest path: 0 where all are exact, as
        on every mesh without costs.
        """
    def trace(
        self,
        start: _Triple,
        goal: _Triple,
        planner: _Planner = "corridor",
        *,
        partial: bool = False,
        gap: float = ...,
        extents: _Triple = ...,
    ) -> Trace:
        """Searches without labels, and keeps what the search looked at."""
    def polygons(self) -> Polygons: ...
    def walls(self) -> NDArray[np.float64]:
        """The edges without ground behind them, shape (n, 2, 3)."""
    def links(self) -> list[Link]: ...
    def rooms(self) -> list[Room]:
        """Empty where the level was baked without rooms."""
    def doors(self) -> list[Door]: ...
