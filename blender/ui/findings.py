"""The list of findings: a click selects the guilty object and brings it into view."""

import json

import bpy

from ..core.findings import guilty
from . import job, overlay
from .registry import functions

ICONS = {"error": "CANCEL", "warning": "ERROR", "note": "INFO"}
# Larger objects, such as a level in one mesh, are not brought into view; the place is. Metres.
LARGEST = 20.0
# Distance of the view from a place, m.
DISTANCE = 10.0


class NAVBAKE_UL_findings(bpy.types.UIList):
    """Findings, the worst first."""

    bl_idname = "NAVBAKE_UL_findings"

    def draw_item(self, _context, layout, _data, item, _icon, _active, _property, *_more):
        """Draws a line: severity, rule, text."""
        row = layout.split(factor=0.35)
        row.label(text=item.rule, icon=ICONS[item.severity])
        row.label(text=item.message)


def show(context, results):
    """Selects the object of the chosen finding, or none, and brings object or place into view."""
    shown = context.scene
    if shown.name != results.scene or not 0 <= results.finding_index < len(results.findings):
        return
    finding = results.findings[results.finding_index]
    overlay.name_pin(shown, results.finding_index)
    scale = job.scale_of(shown)
    found = _object(context, shown.navbake, json.loads(finding.names))
    _select(context, found)
    is_small = found and max(found.dimensions) * scale <= LARGEST
    if found and (is_small or not finding.has_place):
        _each_view(context, lambda _: bpy.ops.view3d.view_selected())
    elif finding.has_place:

        def to_place(region):
            region.view_location = finding.place
            region.view_distance = DISTANCE / scale

        _each_view(context, to_place)


def _object(context, settings, names):
    """The object of the view layer that a finding names, or None."""
    drawn = set(settings.overlay.objects) if settings.overlay else set()
    things = [t for t in context.view_layer.objects if t not in drawn and not t.hide_select]
    objects = {t.name: t.parent.name if t.parent else None for t in things}
    by_mesh = {t.data.name: t.name for t in reversed(things) if t.data}
    return context.view_layer.objects.get(guilty(names, objects, by_mesh) or "\0")


def _select(context, found):
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for thing in context.selected_objects:
        thing.select_set(False)
    if found:
        found.hide_set(False)
        found.select_set(True)
        context.view_layer.objects.active = found


def _each_view(context, change):
    """Calls `change` with the 3D region of each view, in its context."""
    for window in context.window_manager.windows:
        if window.scene != context.scene:
            continue
        for area in window.screen.areas:
            if area.type != "VIEW_3D":
                continue
            region = next(r for r in area.regions if r.type == "WINDOW")
            with context.temp_override(window=window, area=area, region=region):
                change(area.spaces.active.region_3d)


register, unregister = functions(NAVBAKE_UL_findings)
