//! Checks of an unpacked file, in addition to those of a packed one.
//!
//! Data derived from polygons is compared with the results of decoding, without storing these:
//! pivots, corners, location squares, links and their lists. Blocks and height triangles are
//! checked as far as searches rely on them; see `docs/format.md`.

use navbake_grid::{NONE, PolyId};
use navbake_navmesh::detail::Fault;
use navbake_navmesh::{Border, PolyMesh, Polygon, blocks, pivots};

use super::polygons::{convex, islands};
use crate::blob::Blob;
use crate::error::BlobError;
use crate::layout::{LayoutRecord, is_packed_only};
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::records::LEAST_CORNERS;
use crate::room_links::RoomLinks;
use crate::section::Section;
use crate::sections::doors_links::DoorsLinks;
use crate::sections::labels::Labels;
use crate::sections::rooms::Rooms;

/// A file is packed, or all of its meshes are laid out.
pub(super) fn sections(blob: &Blob<'_>) -> Checked {
    if !blob.is_unpacked() {
        return Ok(());
    }
    for info in blob.sections() {
        if is_packed_only(info.section) {
            let expected = "nothing of a packed mesh in an unpacked file";
            return Place { class: info.class }.fail(info.section, 0, info.count, expected);
        }
    }
    for class in 0..blob.class_count() {
        if !blob.has(Section::LAYOUT, class) {
            return Err(BlobError::MissingSection { section: Section::LAYOUT, class });
        }
    }
    Ok(())
}

/// Polygons, edges, islands and detail meshes.
pub(super) fn polygons(mesh: &NavMeshView<'_>, plain: &PolyMesh<'_>, at: &Place) -> Checked {
    let section = Section::LAYOUT_POLYGONS;
    let (records, edges) = (plain.polygons, plain.edges.len() as u32);
    let expected = "0 for the first edge of the first polygon";
    at.refuse(records.first().map(|p| p.first) != Some(0), section, 0, 0, expected)?;
    if records.last() != Some(Polygon::new(edges)) {
        let expected = "a last record that begins where the edges end, with all bits set for none";
        return at.fail(section, mesh.polygon_count(), edges, expected);
    }
    for p in 1..records.len() {
        let (before, first) = (records.at(p - 1).first, records.at(p).first);
        // Below 2^29, as the last one is.
        if first < before || first - before < LEAST_CORNERS || first > edges {
            return at.fail(section, p, first, "at least three edges for the polygon before");
        }
    }
    islands(mesh, at)?;
    if let Err(fault) = plain.details.check() {
        let (section, index, expected) = match fault {
            Fault::Head(i, expected) => (Section::LAYOUT_DETAILS, i, expected),
            Fault::Point(i, expected) => (Section::LAYOUT_DETAIL_POINTS, i, expected),
            Fault::Start(i, expected) => (Section::LAYOUT_DETAIL_STARTS, i, expected),
            Fault::Triangle(i, expected) => (Section::LAYOUT_TRIANGLES, i, expected),
            Fault::Listed(i, expected) => (Section::LAYOUT_DETAIL_LISTS, i, expected),
        };
        return at.fail(section, index, 0, expected);
    }
    for (p, polygon) in (0..mesh.polygon_count()).zip(records.iter()) {
        border(mesh, plain, p, at)?;
        let it = at.element(section, p);
        let expected = "the island of the polygon";
        it.refuse(polygon.island != mesh.island(PolyId(p)).0, polygon.island, expected)?;
        it.refuse(polygon.area > u32::from(u8::MAX), polygon.area, "an area of at most 255")?;
        if polygon.detail != NONE {
            let Some(detail) = plain.details.get(polygon.detail) else {
                return it.fail(polygon.detail, "a detail mesh, or all bits set for none");
            };
            let [least, greatest] = detail.bounds();
            let outside = |c: [i32; 2]| (0..2).any(|k| c[k] < least[k] || c[k] > greatest[k]);
            if plain.border(p).iter().any(|edge| outside(edge.at)) {
                return it.fail(polygon.detail, "a detail mesh whose box holds the polygon");
            }
        }
    }
    // Borders are sound from here on.
    for p in 0..mesh.polygon_count() {
        twins(plain, p, at)?;
    }
    Ok(())
}

/// Corners are those of their vertices, and make a convex polygon.
fn border(mesh: &NavMeshView<'_>, plain: &PolyMesh<'_>, p: u32, at: &Place) -> Checked {
    let border = plain.border(p);
    for (k, edge) in border.iter().enumerate() {
        let section = Section::LAYOUT_EDGES;
        let it = at.element(section, border.number(k));
        it.refuse(edge.vertex >= mesh.vertex_count(), edge.vertex, "a vertex")?;
        if edge.point() != mesh.vertex(navbake_grid::VertexId(edge.vertex)) {
            return it.fail(edge.vertex, "a corner where its vertex is");
        }
        let is_wall = edge.neighbour == NONE;
        if !is_wall && (edge.neighbour >= mesh.polygon_count() || edge.neighbour == p) {
            return it.fail(edge.neighbour, "another polygon");
        }
        it.refuse(is_wall && edge.twin != 0, edge.twin, "0 for the twin of a wall")?;
    }
    let sections = [Section::LAYOUT_POLYGONS, Section::LAYOUT_EDGES];
    convex(&mesh.polygon(PolyId(p)), sections, at)
}

/// The twin of each portal of a polygon runs back between the same two points.
fn twins(plain: &PolyMesh<'_>, p: u32, at: &Place) -> Checked {
    let border = plain.border(p);
    let island = |p: u32| plain.polygon(p).map(|polygon| polygon.island);
    for (k, edge) in border.iter().enumerate() {
        if edge.neighbour == NONE {
            continue;
        }
        let beyond: Border<'_> = plain.border(edge.neighbour);
        let there = edge.twin as usize;
        let mirrored = beyond.get(there).is_some_and(|twin| {
            (twin.neighbour, twin.twin) == (p, k as u32)
                && twin.at == border.after(k).at
                && beyond.after(there).at == edge.at
        });
        let expected = "a twin that runs back between the same two points";
        at.refuse(!mirrored, Section::LAYOUT_EDGES, border.number(k), edge.twin, expected)?;
        let (apart, expected) =
            (island(p) != island(edge.neighbour), "the same island on both sides of a portal");
        at.refuse(apart, Section::LAYOUT_POLYGONS, p, edge.neighbour, expected)?;
    }
    Ok(())
}

/// Checks the data that decoding derives from polygons, links, rooms and labels, all known to be
/// sound.
pub(super) fn derived(
    blob: &Blob<'_>,
    mesh: &NavMeshView<'_>,
    plain: &PolyMesh<'_>,
    at: &Place,
) -> Checked {
    let head = blob.records::<LayoutRecord>(Section::LAYOUT, at.class).first().unwrap_or_default();
    if [head.least, head.greatest] != mesh.bounds() || head.reserved != 0 {
        let expected = "the bounds that the section mesh states, and 0 behind the numbers";
        return at.fail(Section::LAYOUT, 0, head.reserved, expected);
    }
    corners(blob, plain, at)?;
    if let Err(p) = blocks::check(plain) {
        let expected = "blocks that are a tree, and portals of the farther polygon's block";
        return at.fail(Section::LAYOUT_POLYGONS, p, p, expected);
    }
    let (len, expected) =
        (plain.cells.items.len(), "each polygon in the lists of exactly the squares that it meets");
    at.refuse(!plain.has_sound_cells(), Section::LAYOUT_CELLS, 0, len, expected)?;
    let (links, units) = (DoorsLinks::read(blob, at.class), mesh.grid().units());
    if !plain.has_sound_links(links.link_count(), |n| links.start(n, units)) {
        let expected = "each link in the lists of exactly the polygons that it can be taken from";
        return at.fail(Section::LAYOUT_LINKS, 0, plain.links.items.len(), expected);
    }
    let rooms = RoomLinks::of(blob, at.class);
    match Rooms::read(blob, at.class).filter(Rooms::has_ways) {
        Some(own) => rooms.are_sound(&own, &links, plain, at),
        None => at.alone(blob, RoomLinks::SECTIONS, "nothing without districts of rooms"),
    }
}

/// Pivots are numbered as decoding numbers them, and the corners of labels are where they are.
fn corners(blob: &Blob<'_>, plain: &PolyMesh<'_>, at: &Place) -> Checked {
    let stored = blob.records::<navbake_navmesh::Corner>(Section::LAYOUT_CORNERS, at.class);
    let labels = Labels::read(blob, at.class);
    let wanted = if labels.is_some() { plain.corners as usize } else { 0 };
    let expected = "the corners that paths turn at, where there are labels";
    at.refuse(stored.len() != wanted, Section::LAYOUT_CORNERS, 0, stored.len(), expected)?;
    let mut wrong = None;
    let found = pivots::check(plain, |number, mut corner| {
        let Some(labels) = &labels else {
            return true;
        };
        corner.rank = labels.rank(number);
        let right = stored.get(number as usize) == Some(corner);
        wrong = if right { wrong } else { Some(number) };
        right
    });
    match (found, wrong) {
        (_, Some(number)) => {
            let expected = "the corner with this number, its walls and its rank";
            at.fail(Section::LAYOUT_CORNERS, number, number, expected)
        }
        (Err(edge), None) => {
            let expected = "pivots numbered from walls on, those that paths turn at first";
            at.fail(Section::LAYOUT_EDGES, edge, edge, expected)
        }
        (Ok(()), None) => Ok(()),
    }
}
