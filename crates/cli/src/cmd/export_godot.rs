//! `navbake export --to godot`: the navmesh as Godot 4 loads it.

use navbake_draw::Surface;
use navbake_draw::godot::{self, Resource, Unit};
use navbake_format::CheckedBlob;
use serde::Serialize;

use crate::blob_file::AgentMesh;
use crate::output::Output;

/// What an export for Godot has of its own.
#[derive(Debug, Serialize)]
pub(super) struct GodotCounts {
    /// Side and height of the map's cells, m.
    pub(super) cell_size: f64,
    /// Upright polygons at steps.
    steps: u32,
    /// Edges that Godot joins otherwise than the navmesh.
    misjoined: usize,
    /// How far Godot's polygons are above or below the ground, m.
    height_error: f64,
}

/// The navmesh of an agent as a text resource: the text, the number of polygons, and more.
pub(super) fn write(
    blob: &CheckedBlob<'_>,
    agent: &AgentMesh,
    name: &str,
    output: Output,
) -> (String, u32, GodotCounts) {
    let mesh = agent.mesh();
    let sizes = blob.agents().nth(agent.number.into());
    let unit = sizes.map_or(Unit::default(), |agent| Unit {
        radius: agent.radius,
        height: agent.height,
        climb: agent.climb,
        slope: agent.slope,
    });
    let Resource { text, cell, polygons, steps, misjoined, height_error } =
        godot::write(&Surface::new(&mesh), unit);
    if let Some([x, y, z]) = misjoined.first() {
        output.warn(format_args!(
            "{name}: Godot joins {} edges otherwise than the navmesh does, the first at \
             {x:.2},{y:.2},{z:.2}: ground is too near to other ground there",
            misjoined.len()
        ));
    }
    if height_error > unit.climb {
        output.warn(format_args!(
            "{name}: Godot's polygons are up to {height_error:.2} m above or below the ground, as \
             their heights are straight between corners"
        ));
    }
    if mesh.link_count() > 0 {
        output.warn(format_args!(
            "{name}: links are not in the file; place a NavigationLink3D for each"
        ));
    }
    if mesh.doors().any(|door| door.switch.is_some()) || mesh.closures().len() > 0 {
        output.warn(format_args!(
            "{name}: switches are not in the file; what they close is open in it"
        ));
    }
    let counts = GodotCounts { cell_size: cell, steps, misjoined: misjoined.len(), height_error };
    (text, polygons, counts)
}
