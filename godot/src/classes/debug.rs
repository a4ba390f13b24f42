//! A node that draws a level.

use godot::classes::base_material_3d::{CullMode, Flags, ShadingMode, Transparency};
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, GeometryInstance3D, IGeometryInstance3D, StandardMaterial3D};
use godot::obj::WithBaseField;
use godot::prelude::*;

use super::{NavbakeLevel, NavbakeMesh, vector};
use crate::drawing::{Corner, Drawing, Parts, draw};

/// Draws the navmesh of a level, in games and in the editor.
///
/// Levels are in world space: leave the node at the origin.
#[derive(GodotClass, Debug)]
#[class(tool, init, base = GeometryInstance3D)]
pub struct NavbakeDebug3D {
    /// The level.
    #[export]
    #[var(set)]
    level: Option<Gd<NavbakeLevel>>,
    /// The agent whose navmesh is drawn; empty for the only one.
    #[export]
    #[var(set)]
    agent: GString,
    /// The parts to draw. Polygons are coloured by room, or by area where there are no rooms.
    #[export(flags = (Polygons = 1, Edges = 2, Doors = 4, Links = 8))]
    #[var(set)]
    #[init(val = 15)]
    parts: u32,
    /// How far above the ground, metres.
    #[export]
    #[var(set)]
    #[init(val = 0.05)]
    lift: f64,
    #[init(val = ArrayMesh::new_gd())]
    mesh: Gd<ArrayMesh>,
    base: Base<GeometryInstance3D>,
}

#[godot_api]
impl IGeometryInstance3D for NavbakeDebug3D {
    fn ready(&mut self) {
        self.redraw();
    }

    fn get_aabb(&self) -> Aabb {
        self.mesh.get_aabb()
    }
}

#[godot_api]
impl NavbakeDebug3D {
    #[func]
    fn set_level(&mut self, mut level: Option<Gd<NavbakeLevel>>) {
        let redraw = self.to_gd().callable("redraw");
        // When Godot loads this library again, the connection is there already.
        if let Some(old) = self.level.as_mut().filter(|l| l.is_connected("changed", &redraw)) {
            old.disconnect("changed", &redraw);
        }
        if let Some(new) = level.as_mut().filter(|l| !l.is_connected("changed", &redraw)) {
            new.connect("changed", &redraw);
        }
        self.level = level;
        self.redraw();
    }

    #[func]
    fn set_agent(&mut self, agent: GString) {
        self.agent = agent;
        self.redraw();
    }

    #[func]
    fn set_parts(&mut self, parts: u32) {
        self.parts = parts;
        self.redraw();
    }

    #[func]
    fn set_lift(&mut self, lift: f64) {
        self.lift = lift;
        self.redraw();
    }

    /// Draws the level as it was baked.
    #[func]
    fn redraw(&mut self) {
        // Scenes set one property after another, and a level takes time to draw.
        if !self.base().is_node_ready() {
            return;
        }
        let agent = self.agent.to_string();
        let ground = self.level.as_ref().map(|level| level.bind().level().ground(&agent));
        let drawing = match ground {
            None => Drawing::default(),
            Some(Ok(ground)) => draw(ground.world(), &self.wanted()),
            Some(Err(reason)) => {
                godot_warn!("NavbakeDebug3D: {reason}");
                Drawing::default()
            }
        };
        self.show(&drawing);
    }

    /// Draws a mesh as it is now, with its obstacles. `redraw` goes back to the level.
    #[func]
    fn draw_mesh(&mut self, mesh: Gd<NavbakeMesh>) {
        let drawing = draw(mesh.bind().shared().read().world(), &self.wanted());
        self.show(&drawing);
    }

    fn wanted(&self) -> Parts {
        let [polygons, edges, doors, links] = [1, 2, 4, 8].map(|bit| self.parts & bit != 0);
        Parts { polygons, edges, doors, links, lift: self.lift }
    }

    fn show(&mut self, drawing: &Drawing) {
        let mut material = StandardMaterial3D::new_gd();
        material.set_shading_mode(ShadingMode::UNSHADED);
        material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
        material.set_transparency(Transparency::ALPHA);
        material.set_cull_mode(CullMode::DISABLED);
        self.mesh.clear_surfaces();
        let surfaces = [
            (PrimitiveType::TRIANGLES, &drawing.triangles),
            (PrimitiveType::LINES, &drawing.lines),
        ];
        for (kind, corners) in surfaces.into_iter().filter(|(_, corners)| !corners.is_empty()) {
            self.mesh.add_surface_from_arrays(kind, &arrays(corners));
            let surface = self.mesh.get_surface_count() - 1;
            self.mesh.surface_set_material(surface, &material);
        }
        let base = self.mesh.get_rid();
        self.base_mut().set_base(base);
    }
}

/// Corners as the renderer takes them.
fn arrays(corners: &[Corner]) -> VarArray {
    let places: PackedVector3Array = corners.iter().map(|corner| vector(corner.at)).collect();
    let colours = corners.iter().map(|corner| {
        let [r, g, b, a] = corner.colour;
        Color::from_rgba(r, g, b, a)
    });
    let colours: PackedColorArray = colours.collect();
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &places.to_variant());
    arrays.set(ArrayType::COLOR.ord() as usize, &colours.to_variant());
    arrays
}
