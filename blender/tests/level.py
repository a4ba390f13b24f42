"""A level made by script: two halls, a door too narrow, a ramp, a platform, two markers."""

import json
import os
import struct
import subprocess

import bpy

ADDON = "bl_ext.user_default.navbake"
# Set by extension.py: the command, and a folder for files.
COMMAND = ""
FOLDER = ""
# 1.1 m are too narrow for a radius of 0.6 m.
DOOR = 1.1


def module(name):
    """A module of the installed add-on."""
    import importlib

    return importlib.import_module(f"{ADDON}.{name}")


def box(name, low, high):
    """A box between two corners."""
    corners = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1])
               for x in (low[0], high[0])]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return mesh(name, corners, faces)


def mesh(name, corners, faces):
    """A mesh object of the scene."""
    data = bpy.data.meshes.new(name)
    data.from_pydata(corners, [], faces)
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    return made


def marker(name, place):
    """An empty."""
    made = bpy.data.objects.new(name, None)
    made.location = place
    bpy.context.scene.collection.objects.link(made)
    return made


def make(unit=1.0):
    """Empties the scene and builds the level; a unit of the scene is `unit` metres."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.unit_settings.scale_length = unit
    m = 1.0 / unit

    def at(*point):
        return [c * m for c in point]

    x, y = 12.0, 8.0
    mesh("floor", [at(-x, -y, 0), at(x, -y, 0), at(x, y, 0), at(-x, y, 0)], [(0, 1, 2, 3)])
    box("wall_south", at(-0.1, -y, 0), at(0.1, -3 - DOOR / 2, 3))
    # The name that Blender gives to a copy.
    box("Cube.017", at(-0.1, -3 + DOOR / 2, 0), at(0.1, y, 3))
    box("platform", at(6, 4, 0), at(x, y, 2))
    mesh("ramp", [at(6, 4, 2), at(6, 8, 2), at(1, 8, 0), at(1, 4, 0)], [(0, 1, 2, 3)])
    marker("spawn_red", at(-8, 3, 0))
    marker("flag_blue", at(9, 6, 2))
    settings = scene.navbake
    settings.pairs.clear()
    pair = settings.pairs.add()
    pair.start, pair.goal = bpy.data.objects["spawn_red"], bpy.data.objects["flag_blue"]
    preferences().command = COMMAND
    bpy.context.view_layer.update()
    return settings


def preferences():
    """Those of the add-on."""
    return bpy.context.preferences.addons[ADDON].preferences


def navbake(*arguments):
    """What the command prints as JSON."""
    done = subprocess.run([COMMAND, *arguments, "--format", "json"], capture_output=True,
                          check=True, text=True)
    return json.loads(done.stdout)


def path(name):
    """A file of the scratch folder."""
    return os.path.join(FOLDER, name)


def glb_json(file):
    """The JSON of a GLB."""
    return glb_parts(file)[0]


def glb_parts(file):
    """The JSON of a GLB without the extras of scenes, and its buffer."""
    with open(file, "rb") as source:
        data = source.read()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    for scene in document["scenes"]:
        scene.pop("extras", None)
    return document, data[20 + length :]


def overlay(kind):
    """Objects of the overlay with a property: island, links or finding."""
    collection = bpy.context.scene.navbake.overlay
    return [t for t in collection.objects if kind in t] if collection else []
