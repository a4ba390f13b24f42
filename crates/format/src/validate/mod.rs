//! Checks of every record of a blob.
//!
//! After these checks no query can panic, loop for ever, read out of bounds or contradict another.
//! The order matters: each check relies on those before it. Sections of the blob come first,
//! beginning with names. Then, for each mesh: lengths of sections against each other, vertices,
//! groups and codes of edges, corners and neighbours, convexity, height meshes and bounds, and only
//! then portals (their search relies on convexity), islands and boxes. Sections that refer to
//! polygons and portals come last.

mod edges;
mod height_meshes;
mod layout;
mod places;
mod polygons;

use navbake_grid::PolyId;

use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::sections::{BLOB_CHECKS, CLASS_CHECKS};
use crate::{Blob, Section, Value};
use edges::groups;
use places::{bounds, boxes, vertices};
use polygons::{islands, polygon, portals};

pub(crate) fn validate(blob: &Blob<'_>) -> Checked {
    for section in [Section::STRINGS, Section::CONFIG, Section::SUMMARY] {
        blob.text(section)?;
    }
    for check in BLOB_CHECKS {
        check(blob)?;
    }
    layout::sections(blob)?;
    for class in 0..blob.class_count() {
        let mesh = NavMeshView::read(blob, class)?;
        let at = Place { class };
        vertices(&mesh, &at)?;
        match mesh.plain() {
            Some(plain) => layout::polygons(&mesh, plain, &at)?,
            None => packed(&mesh, &at)?,
        }
        bounds(blob, &mesh, &at)?;
        if mesh.plain().is_none() {
            portals(&mesh, &at)?;
        }
        boxes(&mesh, &at)?;
        for check in CLASS_CHECKS {
            check(blob, &mesh, &at)?;
        }
        if let Some(plain) = mesh.plain() {
            layout::derived(blob, &mesh, plain, &at)?;
        }
    }
    Ok(())
}

/// Polygons of a packed mesh, each for itself.
fn packed(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    groups(mesh, at)?;
    islands(mesh, at)?;
    for p in 0..mesh.polygon_count() {
        polygon(mesh, at, PolyId(p))?;
    }
    height_meshes::height_meshes(mesh).or_else(|(section, index, found, expected)| {
        at.fail(section, index, Value::Int(found), expected)
    })
}
