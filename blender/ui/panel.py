"""The panels in the sidebar of the 3D view, tab navbake."""

import textwrap

import bpy

from . import findings, job, metadata, operators, settings
from .registry import functions


class _Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "navbake"


class NAVBAKE_PT_main(_Panel, bpy.types.Panel):
    """What is baked, and the buttons."""

    bl_idname = "NAVBAKE_PT_main"
    bl_label = "navbake"

    def draw(self, context):
        """Draws settings, buttons and the last message."""
        layout, chosen = self.layout, context.scene.navbake
        layout.use_property_split = True
        layout.prop(chosen, "source")
        if chosen.source == "COLLECTION":
            layout.prop(chosen, "collection")
        layout.prop(chosen, "config")
        column = layout.column()
        if chosen.config:
            column.prop(chosen, "agent")
        else:
            for name in settings.AGENT:
                column.prop(chosen, name)
        layout.prop(chosen, "rooms")
        layout.prop(chosen, "rules")
        layout.prop(chosen, "output")
        if job.current:
            row = layout.row()
            row.label(text=f"{job.current.stage} ..")
            row.operator(operators.NAVBAKE_OT_cancel.bl_idname, text="Cancel (Esc)")
            return
        row = layout.row(align=True)
        for operator in (operators.NAVBAKE_OT_bake, operators.NAVBAKE_OT_check,
                         operators.NAVBAKE_OT_clear):
            row.operator(operator.bl_idname)
        _text(layout, context, context.window_manager.navbake.status)


class NAVBAKE_PT_overlay(_Panel, bpy.types.Panel):
    """How the navmesh is shown."""

    bl_idname = "NAVBAKE_PT_overlay"
    bl_parent_id = "NAVBAKE_PT_main"
    bl_label = "Overlay"

    def draw(self, context):
        """Draws colour and height."""
        chosen = context.scene.navbake
        self.layout.row().prop(chosen, "colour", expand=True)
        self.layout.prop(chosen, "lift")


class NAVBAKE_PT_findings(_Panel, bpy.types.Panel):
    """What the check found."""

    bl_idname = "NAVBAKE_PT_findings"
    bl_parent_id = "NAVBAKE_PT_main"
    bl_label = "Findings"

    def draw(self, context):
        """Draws the list, and the text of the chosen finding."""
        chosen = context.window_manager.navbake
        self.layout.template_list(findings.NAVBAKE_UL_findings.bl_idname, "", chosen, "findings",
                                  chosen, "finding_index", rows=6)
        if 0 <= chosen.finding_index < len(chosen.findings):
            finding = chosen.findings[chosen.finding_index]
            _text(self.layout, context, f"{finding.severity}: {finding.message}")


class NAVBAKE_PT_marks(_Panel, bpy.types.Panel):
    """Properties, markers, links and doors."""

    bl_idname = "NAVBAKE_PT_marks"
    bl_parent_id = "NAVBAKE_PT_main"
    bl_label = "Mark the selection"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        """Draws a line for each property, and the buttons."""
        layout, marks = self.layout, context.scene.navbake.marks
        layout.row().prop(marks, "on", expand=True)
        for key, name, _ in metadata.KEYS:
            row = layout.row(align=True)
            row.prop(marks, name)
            button = row.operator(metadata.NAVBAKE_OT_set.bl_idname, text="", icon="CHECKMARK")
            button.key, button.value, button.on = key, getattr(marks, name), marks.on
            button = row.operator(metadata.NAVBAKE_OT_unset.bl_idname, text="", icon="X")
            button.key, button.on = key, marks.on
        row = layout.row(align=True)
        row.operator(metadata.NAVBAKE_OT_door.bl_idname)
        row.operator_context = "INVOKE_DEFAULT"
        row.operator(metadata.NAVBAKE_OT_marker.bl_idname)
        row.operator_menu_enum(metadata.NAVBAKE_OT_link.bl_idname, "kind")


class NAVBAKE_PT_pairs(_Panel, bpy.types.Panel):
    """Markers that must reach each other."""

    bl_idname = "NAVBAKE_PT_pairs"
    bl_parent_id = "NAVBAKE_PT_main"
    bl_label = "Must be reached"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        """Draws the list of pairs."""
        chosen = context.scene.navbake
        self.layout.template_list(metadata.NAVBAKE_UL_pairs.bl_idname, "", chosen, "pairs",
                                  chosen, "pair_index", rows=2)
        row = self.layout.row(align=True)
        row.operator(metadata.NAVBAKE_OT_pair.bl_idname)
        row.operator(metadata.NAVBAKE_OT_unpair.bl_idname)


def _text(layout, context, text):
    """Draws a text in lines as wide as the sidebar."""
    width = max(24, int(getattr(context.region, "width", 300) / 8))
    column = layout.column(align=True)
    for line in textwrap.wrap(text, width):
        column.label(text=line)


register, unregister = functions(
    NAVBAKE_PT_main, NAVBAKE_PT_overlay, NAVBAKE_PT_findings, NAVBAKE_PT_marks, NAVBAKE_PT_pairs
)
