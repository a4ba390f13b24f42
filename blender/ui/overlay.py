"""The overlay: islands, links and pins of findings in a collection of its own."""

import bpy

from ..core import rooms
from ..core.axes import to_blender

NAME = "navbake overlay"
ROOM = "room colour"
# Marks the overlay's materials.
OWN = "overlay of navbake"
# Okabe and Ito's colours for the colour-blind, without black; sRGB.
PALETTE = ("0072b2", "e69f00", "009e73", "cc79a7", "56b4e9", "d55e00", "f0e442")
SEVERITY = {"error": "d55e00", "warning": "f0e442", "note": "56b4e9"}
LINKS = "f7f7f7"
ALPHA = 0.55
# Half of the height of a pin, m; pins of errors are larger.
PIN = {"error": 0.4, "warning": 0.3, "note": 0.2}


def draw(scene, islands, ground, polygons, scale):
    """Shows a navmesh; the one before goes. `polygons` has the polygon of each face."""
    clear(scene)
    collection = _collection(scene)
    of_rooms = []
    if ground.rooms:
        count = max(ground.rooms) + 1
        of_rooms = rooms.colours(count, rooms.neighbours(ground), len(PALETTE))
    materials = [_material(f"navbake {k + 1}", colour, ALPHA) for k, colour in enumerate(PALETTE)]
    for island, of_faces in zip(islands, polygons):
        name = f"island {island.number}"
        mesh = _mesh(name, island)
        for material in materials:
            mesh.materials.append(material)
        if of_rooms:
            values = [of_rooms[ground.rooms[polygon]] for polygon in of_faces]
            mesh.attributes.new(ROOM, "INT", "FACE").data.foreach_set("value", values)
        made = _object(collection, name, mesh)
        made["island"] = island.number
    links = rooms.ends_of_links(ground, islands, polygons, scale)
    _links(collection, links, 0.03 / scale)
    colour(scene)
    raise_all(scene)


def pins(scene, findings, scale):
    """Shows a pin at each finding's place; those before go."""
    collection = _collection(scene)
    for thing in [t for t in collection.objects if "finding" in t]:
        _remove(thing)
    meshes = {}
    for number, finding in enumerate(findings):
        if not finding.has_place:
            continue
        if finding.severity not in meshes:
            meshes[finding.severity] = _pin(finding.severity, scale)
        made = _object(collection, f"finding {finding.rule}", meshes[finding.severity])
        made["finding"] = number
        made.location = finding.place
        made.show_in_front = True


def name_pin(scene, number):
    """Shows the name of one finding in the view, and no others."""
    if scene.navbake.overlay:
        for thing in scene.navbake.overlay.objects:
            if "finding" in thing:
                thing.show_name = thing["finding"] == number


def colour(scene):
    """Colours the islands as the settings say."""
    settings = scene.navbake
    for thing in settings.overlay.objects if settings.overlay else ():
        if "island" not in thing:
            continue
        mesh = thing.data
        values = [thing["island"] % len(PALETTE)] * len(mesh.polygons)
        if settings.colour == "ROOM" and ROOM in mesh.attributes:
            mesh.attributes[ROOM].data.foreach_get("value", values)
        mesh.polygons.foreach_set("material_index", values)
        mesh.update()


def raise_all(scene):
    """Moves islands and links to their height above the ground."""
    settings = scene.navbake
    for thing in settings.overlay.objects if settings.overlay else ():
        if "finding" not in thing:
            thing.location = (0.0, 0.0, settings.lift)


def clear(scene):
    """Removes the overlay with all that is only in it."""
    collection = scene.navbake.overlay
    if not collection:
        return
    for thing in list(collection.objects):
        _remove(thing)
    bpy.data.collections.remove(collection)
    for material in [m for m in bpy.data.materials if OWN in m and not m.users]:
        bpy.data.materials.remove(material)


def clear_all():
    """Removes the overlays of all scenes."""
    # While Blender starts and ends, data is out of reach.
    for scene in getattr(bpy.data, "scenes", ()):
        clear(scene)


def _remove(thing):
    data = thing.data
    bpy.data.objects.remove(thing)
    if data and not data.users:
        bpy.data.batch_remove([data])


def _collection(scene):
    settings = scene.navbake
    if not settings.overlay:
        settings.overlay = bpy.data.collections.new(NAME)
        settings.overlay.color_tag = "COLOR_05"
    if settings.overlay.name not in scene.collection.children:
        scene.collection.children.link(settings.overlay)
    return settings.overlay


def _object(collection, name, data):
    made = bpy.data.objects.new(name, data)
    made.hide_select = True
    collection.objects.link(made)
    return made


def _mesh(name, island):
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(island.corners) // 3)
    mesh.vertices.foreach_set("co", island.z_up())
    mesh.loops.add(len(island.loops))
    mesh.loops.foreach_set("vertex_index", island.loops)
    mesh.polygons.add(island.face_count())
    mesh.polygons.foreach_set("loop_start", island.face_starts)
    mesh.update(calc_edges=True)
    return mesh


def _pin(severity, scale):
    """A pin: two pyramids, its lower end at the place."""
    mesh = bpy.data.meshes.new(f"finding {severity}")
    size = PIN[severity] / scale
    ring = [(0.35, 0.0), (0.0, 0.35), (-0.35, 0.0), (0.0, -0.35)]
    corners = [(x * size, y * size, 1.3 * size) for x, y in ring]
    corners += [(0.0, 0.0, 0.0), (0.0, 0.0, 2.0 * size)]
    faces = [(b, a, 4) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    faces += [(a, b, 5) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    mesh.from_pydata(corners, [], faces)
    mesh.materials.append(_material(f"navbake {severity}", SEVERITY[severity], 1.0))
    return mesh


def _links(collection, links, thickness):
    """One curve object a kind of link; a curve gets thinner in the direction of the link."""
    of_kind = {}
    for kind, _, both_ways, ends in links:
        of_kind.setdefault(kind, []).append((both_ways, ends))
    for kind, lines in of_kind.items():
        curve = bpy.data.curves.new(f"links {kind}", "CURVE")
        curve.dimensions = "3D"
        curve.bevel_depth = thickness
        curve.bevel_resolution = 1
        curve.materials.append(_material("navbake links", LINKS, 1.0))
        for both_ways, ends in lines:
            points = rooms.arc(*(to_blender(end) for end in ends), kind)
            spline = curve.splines.new("POLY")
            spline.points.add(len(points) - 1)
            spline.points.foreach_set("co", [c for p in points for c in (*p, 1.0)])
            last = len(points) - 1
            thin = [1.0 if both_ways else 1.6 - 1.3 * k / last for k in range(len(points))]
            spline.points.foreach_set("radius", thin)
        made = _object(collection, f"links {kind}", curve)
        made["links"] = kind


def _material(name, colour_text, alpha):
    """A material of the overlay, in the viewport and in renders."""
    found = bpy.data.materials.get(name)
    if found and OWN in found:
        return found
    material = bpy.data.materials.new(name)
    material[OWN] = True
    srgb = [int(colour_text[k : k + 2], 16) / 255.0 for k in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb]
    material.diffuse_color = (*linear, alpha)
    material.roughness = 1.0
    if not material.node_tree:
        material.use_nodes = True
    shader = next((n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if shader:
        shader.inputs["Base Color"].default_value = (*linear, 1.0)
        shader.inputs["Alpha"].default_value = alpha
        shader.inputs["Roughness"].default_value = 1.0
    if alpha < 1.0:
        material.surface_render_method = "BLENDED"
    return material
