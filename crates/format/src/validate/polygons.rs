//! Corners, neighbours and islands.

use navbake_grid::{PolyId, orient};

use crate::Section;
use crate::packed_mesh::NavMeshView;
use crate::packed_polygon::PackedPolygon;
use crate::place::{Checked, Place};

/// Islands are runs of polygons.
pub(super) fn islands(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let count = mesh.island_count();
    let section = match mesh.plain() {
        Some(_) => Section::LAYOUT_ISLANDS,
        None => Section::ISLANDS,
    };
    for i in 0..count {
        let (first, next) = (mesh.island_first(i), mesh.island_first(i + 1));
        let expected =
            "0 for the first island, then more than before, and less than there are polygons";
        at.refuse((i == 0 && first != 0) || first >= next, section, i, first, expected)?;
    }
    at.refuse(count == 0 && mesh.polygon_count() > 0, section, 0, 0, "an island for the polygons")?;
    Ok(())
}

/// Indices are in range, corners turn left once around.
pub(super) fn polygon(mesh: &NavMeshView<'_>, at: &Place, id: PolyId) -> Checked {
    let polygon = mesh.polygon(id);
    let mut wrong = None;
    mesh.edges().each(polygon.run(), |k, vertex, neighbour| {
        let found = match neighbour {
            _ if vertex >= mesh.vertex_count() => Some((vertex, "a vertex")),
            Some(n) if n >= mesh.polygon_count() || n == id.0 => Some((n, "another polygon")),
            _ => None,
        };
        wrong = wrong.or(found.map(|found| (k, found)));
    });
    match wrong {
        Some((k, (found, expected))) => at.fail(Section::EDGES, polygon.edge(k).0, found, expected),
        None => convex(&polygon, [Section::POLYGONS, Section::EDGES], at),
    }
}

/// A closed chain that rises in (x, z) from its first corner to one other, falls from there, and
/// never turns right, is convex; with one turn to the left it has an area. The sections are those
/// of polygons and of edges, for errors.
pub(super) fn convex(
    polygon: &PackedPolygon<'_, '_>,
    [polygons, edges]: [Section; 2],
    at: &Place,
) -> Checked {
    let n = polygon.len();
    let area = "a polygon with an area, counter-clockwise seen from above";
    let Some(last) = n.checked_sub(1) else {
        return at.fail(polygons, polygon.id().0, 0, area);
    };
    let (mut falling, mut turns) = (false, false);
    let (mut a, mut b) = (polygon.corner(last), polygon.corner(0));
    let first = b;
    for k in 0..n {
        let c = polygon.corner(polygon.next(k));
        let fail = |expected| at.fail(edges, polygon.edge(k).0, polygon.vertex(k).0, expected);
        match (falling, c > b) {
            // The last edge goes back to the first corner and falls.
            _ if b == c => return fail("a corner away from the one before"),
            (false, false) => falling = true,
            (true, true) => {
                return fail(
                    "corners that rise in (x, z) from the first to the greatest and then fall",
                );
            }
            _ => {}
        }
        if b < first {
            return fail("the corner with the least (x, z) first");
        }
        let turn = orient(a, b, c);
        if turn < 0 {
            return fail("a convex polygon, counter-clockwise seen from above");
        }
        turns |= turn > 0;
        (a, b) = (b, c);
    }
    if turns { Ok(()) } else { at.fail(polygons, polygon.id().0, 0, area) }
}

/// Portals have one other side with the same segment, and join polygons of one island.
pub(super) fn portals(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let mut sides = [0u64; 2];
    for p in 0..mesh.polygon_count() {
        portals_of(mesh, at, PolyId(p), false, &mut sides)?;
    }
    if sides[0] != sides[1] {
        // Each portal has an edge on the side of the lesser polygon, so some other has none.
        for p in 0..mesh.polygon_count() {
            portals_of(mesh, at, PolyId(p), true, &mut sides)?;
        }
    }
    Ok(())
}

/// The portals of a polygon: those to polygons with greater numbers, or all. Counts them by side.
fn portals_of(
    mesh: &NavMeshView<'_>,
    at: &Place,
    id: PolyId,
    all: bool,
    sides: &mut [u64; 2],
) -> Checked {
    let polygon = mesh.polygon(id);
    let island = mesh.island(id);
    for k in 0..polygon.len() {
        let Some(neighbour) = polygon.neighbour(k) else {
            continue;
        };
        let lesser = id < neighbour;
        sides[usize::from(lesser)] += 1;
        if !lesser && !all {
            continue;
        }
        let mirrored = polygon.across(k).is_some_and(|(beyond, j)| {
            let beyond = mesh.polygon(beyond);
            beyond.corner(beyond.next(j)) == polygon.corner(k) && beyond.neighbour(j) == Some(id)
        });
        let expected =
            "a neighbour with an edge back between the same two points of the ground plane";
        at.refuse(!mirrored, Section::EDGES, polygon.edge(k).0, neighbour.0, expected)?;
        let expected = "the same island on both sides of a portal";
        at.refuse(mesh.island(neighbour) != island, Section::ISLANDS, id.0, island.0, expected)?;
    }
    Ok(())
}
