"""Bakes, checks and queries navmeshes.

Coordinates are y-up metres. Points are arrays of shape (n, 3); a single point of shape (3,) is
taken as one row, and paired with every row of the other array. Queries copy their input, run
without the lock of the interpreter and end at Ctrl-C.
"""

from collections.abc import Mapping
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
    "reached", "partial", "unreachable", "off_mesh", "out_of_nodes", "start_blocked"
]
_Config: TypeAlias = str | PathLike[str] | Mapping[str, Any]
"""A TOML file, or its keys: {"agent": [{"name": "default", "radius": 0.4}]}."""
_Triple: TypeAlias = tuple[float, float, float] | list[float] | NDArray[np.float64]

class NavbakeError(Exception):
    """A level, a config or a blob that is refused, or a request that a planner does not serve."""

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
class Level:
    """A baked level."""

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

        Each call gives one with costs and closed switches of its own.
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
        """Polygon k has the corners offsets[k] to offsets[k + 1]."""
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
class Mesh:
    """The navmesh of an agent: everything open at first, and all ground of cost 1.

    Threads may ask one mesh at a time. While a query runs, the mesh cannot be changed: then its
    `set_` functions raise RuntimeError.
    """

    @property
    def agent(self) -> str: ...
    @property
    def polygon_count(self) -> int: ...
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
    def nearest(self, points: ArrayLike, extents: _Triple = ...) -> Places:
        """The place nearest to each point, at most `extents` metres away along each axis."""
    def locate(self, points: ArrayLike, vertical: float = 2.0) -> Places:
        """The place above or below each point, at most `vertical` metres away."""
    def random(self, count: int, seed: int = 0) -> Places:
        """Random places, uniform by area, the same for the same seed."""
    def reachable(
        self, starts: ArrayLike, goals: ArrayLike, extents: _Triple = ...
    ) -> NDArray[np.bool_]:
        """Can a path lead from each start to its goal? False is certain."""
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
