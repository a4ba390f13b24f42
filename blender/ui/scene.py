"""Exports what is to be baked as GLB, without the overlay."""

from contextlib import contextmanager

import bpy

from ..core import properties
from ..core.problem import Problem

OPTIONS = {
    "export_format": "GLB",
    "use_active_scene": True,
    "use_visible": True,
    "export_extras": True,
    "export_apply": True,
    # The attribute _AREA marks single faces.
    "export_attributes": True,
    "export_yup": True,
    "export_materials": "EXPORT",
    "export_image_format": "NONE",
    "export_texcoords": False,
    "export_normals": False,
    "export_animations": False,
    "export_cameras": False,
    "export_lights": False,
    # The pose that is seen is baked.
    "export_skins": False,
    "export_morph": False,
    "will_save_settings": False,
}


def export(context, path):
    """Writes the GLB. A problem if there is nothing to bake, or Blender cannot export."""
    settings = context.scene.navbake
    options = dict(OPTIONS)
    if settings.source == "SELECTION":
        if not context.selected_objects:
            raise Problem("nothing is selected: select the level, with its markers")
        options["use_selection"] = True
    if settings.source == "COLLECTION":
        if not settings.collection:
            raise Problem("no collection is chosen: choose one, or bake the scene")
        options["collection"] = settings.collection.name
    with hidden_overlay(context, settings.overlay):
        try:
            bpy.ops.export_scene.gltf(filepath=path, **options)
        except RuntimeError as error:
            raise Problem(f"Blender's glTF export failed: {error}") from error
        except AttributeError as error:
            raise Problem("Blender's add-on glTF 2.0 is disabled: enable it in the preferences") \
                from error


@contextmanager
def hidden_overlay(context, collection):
    """Takes the overlay out of the view layers of the scene for a while."""
    layers = []
    if collection:
        layers = [layer for layer in context.scene.view_layers
                  if any(not found.exclude for found in _in(layer, collection))]
    try:
        _exclude(layers, collection, True)
        yield
    finally:
        _exclude(layers, collection, False)


def _exclude(layers, collection, excluded):
    for layer in layers:
        for found in _in(layer, collection):
            found.exclude = excluded


def _in(layer, collection):
    return [c for c in _all(layer.layer_collection) if c.collection == collection]


def _all(layer_collection):
    yield layer_collection
    for child in layer_collection.children:
        yield from _all(child)


def tag_names(scene):
    """The names of tags on objects of a scene, their data and materials."""
    things = set()
    for thing in scene.objects:
        things.add(thing)
        if thing.data:
            things.add(thing.data)
        things.update(slot.material for slot in thing.material_slots if slot.material)
    values = [thing[properties.TAGS] for thing in things if properties.TAGS in thing]
    return properties.tag_names(values)


def values_of(scene, key):
    """The values that a custom property has in a scene, sorted."""
    found = set()
    for thing in scene.objects:
        for owner in [thing, thing.data, *(slot.material for slot in thing.material_slots)]:
            if owner and key in owner:
                found.add(str(owner[key]))
    return sorted(found)
