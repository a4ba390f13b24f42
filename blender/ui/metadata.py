"""Areas, roles, switches, tags, links, doors and markers, chosen from lists."""

import bpy
from bpy.props import EnumProperty, StringProperty
from mathutils import Vector

from ..core import config, properties
from ..core.problem import Problem
from . import job, scene
from .registry import functions

KEYS = [(key, key.removeprefix("navbake_"), "") for key in properties.OF_GROUND]


def known(context, table, key):
    """Names for a list: those of the config, then others that the scene uses."""
    names = []
    path = context.scene.navbake.config
    if path:
        try:
            tables = config.load(job.file_path(path))
        except Problem:
            tables = {}
        names = config.names(tables, table) if table != "tags" else list(tables.get("tags", []))
    return names + [n for n in scene.values_of(context.scene, key) if n not in names]


def targets(context, on):
    """What properties are set on: objects, their data, or their active materials."""
    found = context.selected_objects
    if on == "DATA":
        found = [thing.data for thing in found]
    elif on == "MATERIAL":
        found = [thing.active_material for thing in found]
    unique = list(dict.fromkeys(thing for thing in found if thing))
    if not unique:
        what = {"OBJECT": "object", "DATA": "object with data", "MATERIAL": "material"}[on]
        raise Problem(f"no {what} is selected")
    linked = next((thing for thing in unique if thing.library), None)
    if linked:
        raise Problem(f"{linked.name} is linked from another file: set it there")
    return unique


def _two_empties(context, what):
    """The two selected empties, the active one last."""
    ends = [t for t in context.selected_objects if t.type == "EMPTY" and not t.children]
    goal = context.view_layer.objects.active
    if len(ends) != 2 or goal not in ends:
        raise Problem(f"select {what}")
    return next(end for end in ends if end != goal), goal


class _Problems:
    """Reports problems as errors of the operator."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        """Does the work; a problem is an error."""
        try:
            self.report({"INFO"}, self.work(context))
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class NAVBAKE_OT_set(_Problems, bpy.types.Operator):
    """Set the property that navbake reads on what is selected"""

    bl_idname = "navbake.set"
    bl_label = "Set"

    key: EnumProperty(items=KEYS)
    value: StringProperty()
    on: EnumProperty(items=[("OBJECT",) * 3, ("DATA",) * 3, ("MATERIAL",) * 3])

    def work(self, context):
        """Sets it."""
        value = properties.cleaned(self.key, self.value)
        things = targets(context, self.on)
        for thing in things:
            thing[self.key] = value
        return f"{self.key} = {value} on {len(things)}"


class NAVBAKE_OT_unset(_Problems, bpy.types.Operator):
    """Remove the property from what is selected"""

    bl_idname = "navbake.unset"
    bl_label = "Remove"

    key: EnumProperty(items=KEYS)
    on: EnumProperty(items=[("OBJECT",) * 3, ("DATA",) * 3, ("MATERIAL",) * 3])

    def work(self, context):
        """Removes it."""
        things = [thing for thing in targets(context, self.on) if self.key in thing]
        for thing in things:
            del thing[self.key]
        return f"{self.key} removed from {len(things)}"


class NAVBAKE_OT_marker(_Problems, bpy.types.Operator):
    """Add a marker at the 3D cursor: an empty, which navbake knows by its name"""

    bl_idname = "navbake.marker"
    bl_label = "Marker"

    name: StringProperty(name="Name", default="marker")

    def invoke(self, context, _event):
        """Asks for the name."""
        return context.window_manager.invoke_props_dialog(self)

    def work(self, context):
        """Adds it, and selects it alone."""
        name = self.name.strip()
        if not name:
            raise Problem("give the marker a name")
        if name in bpy.data.objects:
            raise Problem(f"there is an object {name} already: navbake needs another name")
        made = bpy.data.objects.new(name, None)
        made.empty_display_type = "SINGLE_ARROW"
        made.location = context.scene.cursor.location
        context.collection.objects.link(made)
        for thing in context.selected_objects:
            thing.select_set(False)
        made.select_set(True)
        context.view_layer.objects.active = made
        return f"marker {name}"


class NAVBAKE_OT_link(_Problems, bpy.types.Operator):
    """Link two selected empties, such as both ends of a ladder; the active one is the end"""

    bl_idname = "navbake.link"
    bl_label = "Link"

    kind: EnumProperty(name="Kind", items=[(kind,) * 2 + ("",) for kind in properties.KINDS])
    two_way: bpy.props.BoolProperty(name="Both ways")

    def work(self, context):
        """Writes the link on the empty where it starts."""
        start, goal = _two_empties(context, "two empties without children: the start, then the end")
        start[properties.LINK] = goal.name
        start[properties.KIND] = self.kind
        start[properties.TWO_WAY] = self.two_way
        return f"link from {start.name} to {goal.name}"


class NAVBAKE_OT_door(_Problems, bpy.types.Operator):
    """Make doors of the selected meshes, which fill a doorway: a switch of its name closes each"""

    bl_idname = "navbake.door"
    bl_label = "Door"

    switch: StringProperty(name="Switch", description="Empty: the name of the object")

    def work(self, context):
        """The leaf no longer blocks; ground below it, as wide, has the switch."""
        leaves = [thing for thing in targets(context, "OBJECT") if thing.type == "MESH"]
        if not leaves:
            raise Problem("select the meshes that fill the doorways")
        for leaf in leaves:
            switch = self.switch.strip() or leaf.name
            leaf[properties.ROLE] = "ignored"
            threshold = self._threshold(leaf)
            threshold[properties.SWITCH] = switch
            # Children inherit the leaf's role.
            threshold[properties.ROLE] = "ground"
        return f"{len(leaves)} doors"

    @staticmethod
    def _threshold(leaf):
        name = f"{leaf.name}.threshold"
        old = next((t for t in leaf.children if t.name == name), None)
        if old:
            return old
        box = [Vector(corner) for corner in leaf.bound_box]
        bottom = min(c.z for c in box)
        (x0, x1), (y0, y1) = [(min(c[k] for c in box), max(c[k] for c in box)) for k in (0, 1)]
        corners = [(x0, y0, bottom), (x1, y0, bottom), (x1, y1, bottom), (x0, y1, bottom)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
        made = bpy.data.objects.new(name, mesh)
        made.display_type = "WIRE"
        made.hide_render = True
        for collection in leaf.users_collection:
            collection.objects.link(made)
        made.parent = leaf
        return made


class NAVBAKE_OT_pair(_Problems, bpy.types.Operator):
    """Of two selected markers, the active one must be reached from the other"""

    bl_idname = "navbake.pair"
    bl_label = "Must reach"

    def work(self, context):
        """Adds the pair to the list."""
        start, goal = _two_empties(context, "two markers: the start, then the goal")
        settings = context.scene.navbake
        pair = settings.pairs.add()
        pair.start, pair.goal = start, goal
        settings.pair_index = len(settings.pairs) - 1
        return f"{pair.goal.name} must be reached from {pair.start.name}"


class NAVBAKE_OT_unpair(_Problems, bpy.types.Operator):
    """Take the chosen pair from the list"""

    bl_idname = "navbake.unpair"
    bl_label = "Remove pair"

    def work(self, context):
        """Removes it."""
        settings = context.scene.navbake
        if not 0 <= settings.pair_index < len(settings.pairs):
            raise Problem("no pair is chosen")
        settings.pairs.remove(settings.pair_index)
        settings.pair_index = min(settings.pair_index, len(settings.pairs) - 1)
        return "pair removed"


class NAVBAKE_UL_pairs(bpy.types.UIList):
    """Markers that must reach each other."""

    bl_idname = "NAVBAKE_UL_pairs"

    def draw_item(self, _context, layout, _data, item, _icon, _active, _property, *_more):
        """Draws both markers."""
        row = layout.row()
        row.prop(item, "start", text="")
        row.prop(item, "goal", text="")


register, unregister = functions(
    NAVBAKE_OT_set,
    NAVBAKE_OT_unset,
    NAVBAKE_OT_marker,
    NAVBAKE_OT_link,
    NAVBAKE_OT_door,
    NAVBAKE_OT_pair,
    NAVBAKE_OT_unpair,
    NAVBAKE_UL_pairs,
)
