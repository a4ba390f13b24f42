//! Encodes the sections of one navmesh.

use navbake_grid::NONE;
use navbake_navmesh::detail::MOST_POINTS;

use super::boxes::boxes;

use super::edges::edges;
use super::error::EncodeError;
use super::mesh_parts::MeshParts;
use super::parts::BlobParts;
use super::stored::reorder;
use super::vertices::vertices;
use crate::draft::{Draft, Drafts, numbers};
use crate::packed::Bases;
use crate::records::{LEAST_CORNERS, MeshRecord};
use crate::section::Section;
use crate::sections::rooms::encode::{self as rooms, RoomNumbers};
use crate::sections::{areas, doors_links, far_links, reach};
use crate::strings::Strings;

pub(super) fn encode(
    parts: &MeshParts<'_>,
    whole: &BlobParts<'_>,
    class: u16,
    strings: &mut Strings,
    drafts: &mut Drafts<'_>,
) -> Result<RoomNumbers, EncodeError> {
    check(parts, class)?;
    let (mesh, places) = reorder(parts);
    let closed = areas::closures(whole.areas, parts, &places);
    doors_links::encode(parts, &places, closed, class, strings, drafts)?;
    far_links::encode(parts, &places, class, strings, drafts)?;
    areas::encode_polygons(parts, &places, class, drafts)?;
    let rooms = rooms::encode(parts, &places, class, strings, drafts)?;
    reach::encode::encode(parts, whole, &mesh, &places, class, drafts);
    let head = MeshRecord {
        least: mesh.least,
        greatest: mesh.greatest,
        polygons: mesh.first_edge.len() as u32 - 1,
        vertices: mesh.vertices.len() as u32,
    };
    drafts.push(Draft::required(Section::MESH, class, [head]));
    let bases = Bases::new(mesh.least, mesh.greatest);
    vertices(&mesh.vertices, bases, class, drafts);
    edges(&mesh, class, drafts);
    numbers(Section::ISLANDS, &mesh.islands, class, drafts);
    drafts.push(Draft::required(Section::INDEX, class, boxes(&mesh)));
    mesh.height_meshes.write(class, drafts)?;
    Ok(rooms)
}

/// Slices that belong together, indices in range: all that the rest of this file relies on.
fn check(parts: &MeshParts<'_>, class: u16) -> Result<(), EncodeError> {
    let length = |what, found: usize, expected: usize| {
        if found == expected {
            Ok(())
        } else {
            Err(EncodeError::Length { what, class, found: found as u64, expected: expected as u64 })
        }
    };
    let polygons = parts.islands.len();
    length("first_edge", parts.first_edge.len(), polygons + 1)?;
    length("neighbours", parts.neighbours.len(), parts.corners.len())?;
    let last = *parts.first_edge.last().unwrap_or(&0);
    length("corners", parts.corners.len(), last as usize)?;
    length("first_edge[0]", parts.first_edge[0] as usize, 0)?;
    let many = parts.vertices.len().max(parts.corners.len());
    if many >= NONE as usize {
        length("vertices or corners", many, NONE as usize - 1)?;
    }
    let index = |what, at: usize, found: u32, limit: usize| {
        if (found as usize) < limit {
            Ok(())
        } else {
            Err(EncodeError::Index { what, class, at: at as u64, found, limit: limit as u64 })
        }
    };
    for (i, w) in parts.first_edge.windows(2).enumerate() {
        index("first_edge", i, w[0], w[1] as usize)?;
        if w[1] - w[0] < LEAST_CORNERS {
            length("corners of a polygon", (w[1] - w[0]) as usize, 3)?;
        }
    }
    if !parts.height_mesh_of.is_empty() {
        length("height_mesh_of", parts.height_mesh_of.len(), polygons)?;
    }
    for (i, &r) in parts.height_mesh_of.iter().enumerate() {
        if r != NONE {
            index("height_mesh_of", i, r, parts.height_meshes.len())?;
        }
    }
    for height_mesh in parts.height_meshes {
        if height_mesh.points.len() > MOST_POINTS {
            length("points of a height mesh", height_mesh.points.len(), MOST_POINTS)?;
        }
    }
    for (i, &v) in parts.corners.iter().enumerate() {
        index("corners", i, v, parts.vertices.len())?;
    }
    for (i, &n) in parts.neighbours.iter().enumerate() {
        if n != NONE {
            index("neighbours", i, n, polygons)?;
        }
    }
    Ok(())
}
