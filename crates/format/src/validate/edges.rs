//! Checks of the encoding of edges: groups, bits and codes.

use navbake_grid::PolyId;

use crate::Section;
use crate::edges::{Code, Group};
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::records::{BEFORE, GROUP, LARGE, LEAST_CORNERS};

/// Edges and portals that were counted.
#[derive(Clone, Copy, Default)]
struct Counted {
    edges: u64,
    portals: u64,
}

/// Checks that groups follow each other, that the numbers of bits and codes are those they state,
/// and that everything codes refer to exists.
pub(super) fn groups(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let edges = mesh.edges();
    let mut counted = Counted::default();
    let groups = (mesh.polygon_count() as usize).div_ceil(GROUP);
    for g in 0..groups {
        let Some(group) = edges.group(g) else {
            return at.fail(Section::POLYGONS, g as u32, 0, "a record of the group");
        };
        let next = match g + 1 < groups {
            true => edges.group(g + 1).map_or(0, |n| n.firsts[3]),
            false => edges.far().len() as u32,
        };
        firsts(g as u32, &group, &counted, next, edges.far().len(), at)?;
        corners(mesh, g, &group, next, &counted, at)?;
        let first = g * GROUP;
        for p in first..(first + GROUP).min(mesh.polygon_count() as usize) {
            codes(mesh, PolyId(p as u32), next, &mut counted, at)?;
        }
    }
    for (found, stated, expected) in [
        (counted.edges, edges.len().into(), "the number of edges of all polygons"),
        (counted.portals, edges.portal_count() as u64, "as many neighbours as there are portals"),
    ] {
        at.refuse(found != stated, Section::EDGES, 0, found, expected)?;
    }
    at.refuse(!edges.is_padded(), Section::EDGES, 0, 0, "zeros behind the last edge's bits")?;
    let expected = "nothing without polygons";
    at.refuse(groups == 0 && !edges.far().is_empty(), Section::FAR, 0, 0, expected)
}

/// Checks the values in a group that depend on the groups before it.
fn firsts(
    g: u32,
    group: &Group,
    counted: &Counted,
    next_far: u32,
    all_far: usize,
    at: &Place,
) -> Checked {
    let it = at.element(Section::POLYGONS, g);
    for (k, counted, expected) in [
        (0, counted.edges, "the number of corners in the groups before"),
        (2, counted.portals, "the number of portals in the groups before"),
    ] {
        it.refuse(u64::from(group.firsts[k]) != counted, group.firsts[k], expected)?;
    }
    let start = group.firsts[3];
    let wrong = start > next_far || next_far as usize > all_far || (g == 0 && start != 0);
    let expected =
        "a first element of far: 0, then no less than before, and no more than there are";
    it.refuse(wrong, start, expected)
}

/// How many corners its polygons have; `end` is the end of its elements of `far`.
fn corners(
    mesh: &NavMeshView<'_>,
    g: usize,
    group: &Group,
    end: u32,
    counted: &Counted,
    at: &Place,
) -> Checked {
    let edges = mesh.edges();
    let known = (mesh.polygon_count() as usize - g * GROUP).min(GROUP);
    let it = at.element(Section::POLYGONS, g);
    let spare = known < GROUP && group.corners >> (4 * known) != 0;
    it.refuse(spare, known, "zeros for corners behind the last polygon")?;
    let (mut count, mut far) = (counted.edges, group.firsts[3]);
    for i in 0..known {
        let mut own = (group.corners >> (4 * i)) as u32 & 15;
        if own == LARGE {
            let stored = edges.far().get(far as usize);
            let wrong = far >= end || stored < LARGE + LEAST_CORNERS;
            let expected = "a number of corners of the group's own, 18 at least";
            at.refuse(wrong, Section::FAR, far, stored, expected)?;
            far += 1;
            own = stored - LEAST_CORNERS;
        }
        count += u64::from(own + LEAST_CORNERS);
    }
    it.refuse(count > edges.len().into(), count, "no more corners than there are edges")
}

/// Checks the references of a polygon's edges, and that there are bits and codes for them; `end` is
/// the end of the group's elements of `far`.
fn codes(
    mesh: &NavMeshView<'_>,
    id: PolyId,
    end: u32,
    counted: &mut Counted,
    at: &Place,
) -> Checked {
    let (edges, polygon) = (mesh.edges(), mesh.polygon(id));
    let run = polygon.run();
    for k in 0..polygon.len() {
        let e = counted.edges;
        counted.edges += 1;
        let it = at.element(Section::EDGES, e);
        let (vertex, neighbour) = (edges.vertex_code(run, k), edges.neighbour_code(run, k));
        for code in [vertex, neighbour] {
            if let Code::Far(i) = code
                && i >= end
            {
                return it.fail(i, "an element of far that is the group's own");
            }
        }
        let beyond = match neighbour {
            Code::None => continue,
            Code::Near(on) => {
                let group = id.0 / GROUP as u32 * GROUP as u32;
                i64::from(group) - i64::from(BEFORE) + i64::from(on)
            }
            _ => edges.neighbour(run, k).map_or(-1, i64::from),
        };
        counted.portals += 1;
        let wrong = counted.portals > edges.portal_count() as u64;
        it.refuse(wrong, beyond, "no more portals than there are neighbours")?;
        let wrong = beyond < 0 || beyond >= mesh.polygon_count().into();
        it.refuse(wrong, beyond, "another polygon")?;
    }
    Ok(())
}
