"""From navbake's y-up coordinates to Blender's z-up ones."""


def to_blender(point):
    """A y-up point (x, y, z) in Blender's axes."""
    x, y, z = point
    return (x, -z, y)


def metres_to_blender(point, scale):
    """A y-up point in metres as a place of the scene, where a unit is `scale` metres."""
    return to_blender([c / scale for c in point])


def plan_area(ring):
    """The area of a ring of (x, z) corners, above 0 if counter-clockwise seen from above."""
    x0, z0 = ring[0]
    area = 0.0
    for (ax, az), (bx, bz) in zip(ring[1:], ring[2:]):
        area += (az - z0) * (bx - x0) - (ax - x0) * (bz - z0)
    return area / 2.0
