"""Which room each face of the overlay is in, and where links start and end."""

from .axes import plan_area
from .problem import Problem

# Shares and square metres that rounding can take from an area.
TOLERANCE = 1e-9


def polygons_of_faces(islands, ground, scale):
    """The polygon of each face, island by island.

    The OBJ has the polygons of an island in their order: one face for a flat polygon, for others
    as many as cover it.
    """
    of_island = {}
    for polygon, island in enumerate(ground.islands):
        of_island.setdefault(island, []).append(polygon)
    return [_of_island(island, of_island.get(island.number, []), ground, scale)
            for island in islands]


def _of_island(island, polygons, ground, scale):
    areas = [_area(island, face, scale) for face in range(island.face_count())]
    faces = []
    for polygon in polygons:
        begin = len(faces)
        whole = plan_area(ground.rings[polygon])
        if not ground.relief[polygon]:
            faces.append(polygon)
        else:
            most = whole * (1.0 + TOLERANCE) + TOLERANCE
            covered = 0.0
            while len(faces) < len(areas) and covered + areas[len(faces)] <= most:
                covered += areas[len(faces)]
                faces.append(polygon)
        covered = sum(areas[begin : len(faces)])
        if abs(covered - whole) > 1e-6 * whole + 1e-6:
            raise Problem(f"polygon {polygon} of the navmesh has {whole} m2, its faces {covered}: "
                          "is the command as new as the add-on?")
    if len(faces) != len(areas):
        raise Problem(f"island {island.number} has {len(areas)} faces, its polygons {len(faces)}: "
                      "is the command as new as the add-on?")
    return faces


def _area(island, face, scale):
    return plan_area([(x * scale, z * scale) for x, _, z in island.face(face)])


def colours(count, neighbours, palette):
    """A colour for each of `count` things: where it can, another one than its neighbours have."""
    chosen = []
    for thing in range(count):
        taken = {chosen[n] for n in neighbours.get(thing, ()) if n < thing}
        free = [c for c in range(palette) if c not in taken]
        order = free or range(palette)
        chosen.append(min(order, key=lambda c: ((c - thing) % palette)))
    return chosen


def neighbours(ground):
    """The rooms that border on each room."""
    beside = {}
    for polygon, others in enumerate(ground.neighbours):
        here = ground.rooms[polygon]
        beside.setdefault(here, set()).update(ground.rooms[o] for o in others)
    return {room: others - {room} for room, others in beside.items()}


def ends_of_links(ground, islands, polygons, scale):
    """For each link its kind, name, whether it leads back as well, and its ends.

    Ends are y-up places of the level's file. Two opposite links of a kind are one.
    """
    faces = {}
    for island, own in zip(islands, polygons):
        for face, polygon in enumerate(own):
            faces.setdefault(polygon, []).append((island, face))
    drawn = {}
    for link in ground.links:
        back = (link.kind, link.end, link.start, link.polygons[::-1])
        if back in drawn:
            drawn[back][2] = True
            continue
        places = zip((link.start, link.end), link.polygons)
        ends = [_raised(x / scale, z / scale, faces[polygon]) for (x, z), polygon in places]
        key = (link.kind, link.start, link.end, link.polygons)
        drawn[key] = [link.kind, link.name, False, ends]
    return list(drawn.values())


def _raised(x, z, faces):
    """The place on the one of the faces that contains it, or else is the nearest."""
    best = None
    for island, number in faces:
        corners = island.face(number)
        outside = _outside(x, z, corners)
        if best is None or outside < best[0]:
            best = (outside, corners)
        if outside <= 0.0:
            break
    return (x, _height(x, z, best[1]), z)


def _outside(x, z, corners):
    """How far a place is beyond the worst side of a convex face; 0 or less inside."""
    worst = float("-inf")
    for (ax, _, az), (bx, _, bz) in zip(corners, corners[1:] + corners[:1]):
        length = ((bx - ax) ** 2 + (bz - az) ** 2) ** 0.5
        if length > 0.0:
            side = (bz - az) * (x - ax) - (bx - ax) * (z - az)
            worst = max(worst, -side / length)
    return worst


def _height(x, z, corners):
    """The height of a face at a place: of the plane through its largest corner triangle."""
    ox, oy, oz = corners[0]
    best = (0.0, None)
    for a, b in zip(corners[1:], corners[2:]):
        doubled = (a[2] - oz) * (b[0] - ox) - (a[0] - ox) * (b[2] - oz)
        if abs(doubled) > abs(best[0]):
            best = (doubled, (a, b))
    doubled, pair = best
    if pair is None:
        return oy
    (ax, ay, az), (bx, by, bz) = pair
    px, pz = x - ox, z - oz
    s = (pz * (bx - ox) - px * (bz - oz)) / doubled
    t = ((az - oz) * px - (ax - ox) * pz) / doubled
    return oy + s * (ay - oy) + t * (by - oy)


def arc(start, end, kind, points=17):
    """A curve from start to end, in axes with z up: a jump rises, a drop goes out and down."""
    (ax, ay, az), (bx, by, bz) = start, end
    length = ((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2) ** 0.5
    rise = 0.0 if kind in ("walk", "ride", "climb") else 0.25 * length
    line = []
    for k in range(points):
        t = k / (points - 1)
        z = az + t * (bz - az) + 4.0 * t * (1.0 - t) * rise
        line.append((ax + t * (bx - ax), ay + t * (by - ay), z))
    return line
