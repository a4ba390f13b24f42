"""What scenes and the window manager store for the add-on."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core import properties
from ..core.findings import SEVERITIES

AGENT = ("radius", "height", "climb", "slope", "drop", "jump")


def _coloured(_self, context):
    from . import overlay

    overlay.colour(context.scene)


def _raised(_self, context):
    from . import overlay

    overlay.raise_all(context.scene)


def _clicked(self, context):
    from . import findings

    findings.show(context, self)


def _is_marker(_self, thing):
    return thing.type == "EMPTY"


def _names(table, key):
    def search(_self, context, _text):
        from . import metadata

        return metadata.known(context, table, key)

    return search


def _listed(name, table, key):
    return StringProperty(name=name, search=_names(table, key), search_options={"SUGGESTION"})


class NavbakeMarks(bpy.types.PropertyGroup):
    """What the buttons of the panel set on objects."""

    on: EnumProperty(
        name="On",
        items=[
            ("OBJECT", "Objects", "The selected objects"),
            ("DATA", "Meshes", "The mesh data of the selected objects"),
            ("MATERIAL", "Materials", "The active materials of the selected objects"),
        ],
    )
    area: _listed("Area", "area", properties.AREA)
    role: EnumProperty(name="Role", items=[(n, n, text) for n, text in properties.ROLES])
    switch: _listed("Switch", "switch", properties.SWITCH)
    tags: _listed("Tags", "tags", properties.TAGS)


class NavbakeFinding(bpy.types.PropertyGroup):
    """A finding of the last check."""

    rule: StringProperty()
    severity: EnumProperty(items=[(s, s, "") for s in SEVERITIES])
    message: StringProperty()
    agent: StringProperty()
    has_place: BoolProperty()
    # In the scene's units and axes.
    place: FloatVectorProperty(size=3, subtype="TRANSLATION")
    # JSON of core.findings.Finding's names, looked up when it is clicked: objects come and go.
    names: StringProperty()


class NavbakePair(bpy.types.PropertyGroup):
    """Two markers: the second must be reached from the first."""

    start: PointerProperty(type=bpy.types.Object, name="From", poll=_is_marker)
    goal: PointerProperty(type=bpy.types.Object, name="To", poll=_is_marker)


class NavbakeSettings(bpy.types.PropertyGroup):
    """Settings of a scene, and its overlay."""

    source: EnumProperty(
        name="Bake",
        items=[
            ("SCENE", "Scene", "All visible objects of the scene"),
            ("SELECTION", "Selection", "The selected objects; markers must be selected as well"),
            ("COLLECTION", "Collection", "The visible objects of a collection"),
        ],
    )
    collection: PointerProperty(type=bpy.types.Collection, name="Collection")
    config: StringProperty(
        name="Config",
        description="A bake.toml with agents, areas and rules; empty: the agent below",
        subtype="FILE_PATH",
    )
    rules: StringProperty(
        name="Rules",
        description="A file with further rules for the check, as of `navbake check --rules`",
        subtype="FILE_PATH",
    )
    output: StringProperty(
        name="Output",
        description="Where the baked navmesh is kept for the game; empty: nowhere",
        subtype="FILE_PATH",
    )
    radius: FloatProperty(name="Radius", default=0.6, min=0.0, soft_max=5.0, precision=3,
                          description="Radius of the agent, m")
    height: FloatProperty(name="Height", default=2.0, min=0.01, soft_max=10.0, precision=3,
                          description="Head room that the agent needs, m")
    climb: FloatProperty(name="Climb", default=0.9, min=0.0, soft_max=3.0, precision=3,
                         description="Highest step, m; less than half of the height")
    slope: FloatProperty(name="Slope", default=45.0, min=0.0, max=89.9, precision=1,
                         description="Steepest ground, degrees")
    drop: FloatProperty(name="Drop", default=0.0, min=0.0, soft_max=20.0, precision=3,
                        description="Deepest drop from a ledge, m; 0: no links down")
    jump: FloatProperty(name="Jump", default=0.0, min=0.0, soft_max=20.0, precision=3,
                        description="Widest gap that is jumped, m; 0: no links across")
    rooms: BoolProperty(name="Rooms", description="Find rooms and doors as well", default=True)
    agent: StringProperty(
        name="Agent",
        description="The agent of the config whose navmesh is shown; empty: the first",
    )
    colour: EnumProperty(
        name="Colour",
        items=[
            ("ISLAND", "Islands", "Ground that is connected has one colour"),
            ("ROOM", "Rooms", "Each room has another colour than its neighbours"),
        ],
        update=_coloured,
    )
    lift: FloatProperty(name="Lift", default=0.03, min=0.0, soft_max=0.5, precision=3,
                        description="How far the overlay is above the ground", update=_raised)
    marks: PointerProperty(type=NavbakeMarks)
    pairs: CollectionProperty(type=NavbakePair)
    pair_index: IntProperty()
    overlay: PointerProperty(type=bpy.types.Collection)


class NavbakeResults(bpy.types.PropertyGroup):
    """What the last job said, kept out of scenes: their properties are exported as extras."""

    scene: StringProperty()
    status: StringProperty()
    findings: CollectionProperty(type=NavbakeFinding)
    finding_index: IntProperty(name="Finding", default=-1, update=_clicked)


CLASSES = (NavbakeMarks, NavbakeFinding, NavbakePair, NavbakeSettings, NavbakeResults)


def register():
    """Adds settings and results."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.navbake = PointerProperty(type=NavbakeSettings)
    bpy.types.WindowManager.navbake = PointerProperty(type=NavbakeResults)


def unregister():
    """Takes them away."""
    del bpy.types.WindowManager.navbake
    del bpy.types.Scene.navbake
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def forget(context):
    """Empties the results."""
    results = context.window_manager.navbake
    results.findings.clear()
    results.finding_index = -1
    results.status = ""
