//! Room subdivision: rooms above a greatest area are cut along a square grid.
//!
//! Open land has no walls to divide it by. Squares are at fixed coordinates, so a change elsewhere
//! moves none. A corner of a square that is too small to be a field goes to the neighbour with the
//! longest divide. A divide is a door like others, but as wide as it is, and where fields are
//! joined it has bends.

use std::collections::BTreeMap;

use navbake_geom::Point;
use navbake_mesh::{NONE, PolygonMesh};

use super::canonical::ReferenceIndex;
use super::cut::{Cut, Cutter};
use super::parts;

/// A field has at least this share of the greatest area.
const LEAST: f64 = 1.0 / 16.0;

/// Fields of a navmesh: which room and which square each polygon is in by now.
pub(super) struct Fields {
    pub(super) cut: Cut,
    /// The field of each polygon, numbered by first polygons; other rooms are one.
    pub(super) of: Vec<u32>,
    pub(super) count: usize,
    /// The room that each field is of, by the numbers before.
    pub(super) room: Vec<u32>,
}

/// What separates the parts once polygons are cut along the grid.
pub(super) enum Squares<'a> {
    /// Its squares.
    Fixed,
    /// The parts of a smaller agent's rooms, and squares where it has none.
    ///
    /// Rooms in several of these are cut, however large they are.
    Canonical(&'a ReferenceIndex<'a>),
}

/// Cuts rooms with more ground than `most`, grid units squared, along lines `side` apart; `of` is
/// the room of each polygon.
pub(super) fn subdivide(
    cut: &Cut,
    of: &[u32],
    count: usize,
    most: f64,
    squares: &Squares<'_>,
) -> Option<Fields> {
    let mesh = &cut.mesh;
    let mut area = vec![0i128; count];
    for p in 0..mesh.len() {
        area[of[p] as usize] += mesh.polygon_area_doubled(p);
    }
    let mut is_large: Vec<bool> = area.iter().map(|&a| a as f64 / 2.0 > most).collect();
    if let Squares::Canonical(known) = squares {
        known.mark_several(mesh, of, &mut is_large);
    }
    if !is_large.contains(&true) {
        return None;
    }
    let side = (most.sqrt() as i32).max(16);
    let mut cutter = Cutter::with_doors(mesh, &cut.door_of);
    for p in (0..mesh.len()).filter(|&p| is_large[of[p] as usize]) {
        cutter.slice(p as u32, side);
    }
    let sliced = cutter.finish();
    if sliced.mesh.check().is_err() {
        return None;
    }
    let room: Vec<u32> = sliced.source.iter().map(|&p| of[p as usize]).collect();
    let square = |p: usize| {
        let at = middle(&sliced.mesh, p);
        let like = match squares {
            Squares::Fixed => NONE,
            Squares::Canonical(known) => known.room_of(&sliced.mesh, p),
        };
        match is_large[room[p] as usize] {
            true if like != NONE => (like, (0, 0)),
            true => (NONE, (at.x.div_euclid(side), at.z.div_euclid(side))),
            false => (NONE, (0, 0)),
        }
    };
    let own: Vec<(u32, (i32, i32))> = (0..sliced.mesh.len()).map(square).collect();
    let (mut field, mut fields) = parts(&sliced, |p, q| own[p] == own[q]);
    let least = match squares {
        Squares::Fixed => most * LEAST,
        Squares::Canonical(known) => known.least(),
    };
    join_small(&sliced, &mut field, fields, &is_large, &room, least);
    // Numbered by first polygons again.
    let mut number = vec![NONE; fields];
    let mut rooms = vec![];
    for (p, own) in field.iter_mut().enumerate() {
        let slot = &mut number[*own as usize];
        if *slot == NONE {
            *slot = rooms.len() as u32;
            rooms.push(room[p]);
        }
        *own = *slot;
    }
    fields = rooms.len();
    Some(Fields { cut: sliced, of: field, count: fields, room: rooms })
}

/// Gives fields that are too small to the neighbour in their room with the longest divide, the
/// smallest first.
fn join_small(
    cut: &Cut,
    field: &mut [u32],
    count: usize,
    is_large: &[bool],
    room: &[u32],
    least: f64,
) {
    let mesh = &cut.mesh;
    let mut area = vec![0.0; count];
    let mut divides: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); count];
    let mut of_large = vec![false; count];
    for p in 0..mesh.len() {
        let own = field[p] as usize;
        area[own] += mesh.polygon_area_doubled(p) as f64 / 2.0;
        of_large[own] = is_large[room[p] as usize];
        for e in mesh.edges(p) {
            let q = mesh.neighbours[e];
            if q != NONE && cut.door_of[e] == NONE && field[q as usize] as usize != own {
                *divides[own].entry(field[q as usize]).or_default() += length(mesh, p, e);
            }
        }
    }
    let mut to: Vec<u32> = (0..count as u32).collect();
    let mut order: Vec<usize> = (0..count).filter(|&f| of_large[f] && area[f] < least).collect();
    order.sort_by(|&a, &b| area[a].total_cmp(&area[b]).then(a.cmp(&b)));
    for f in order {
        if to[f] as usize != f || area[f] >= least {
            continue;
        }
        let own = std::mem::take(&mut divides[f]);
        let longest = own.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        let Some((&other, _)) = longest else { continue };
        to[f] = other;
        area[other as usize] += area[f];
        // Its other neighbours are those of the field that it is a part of now.
        for (n, long) in own {
            if n != other {
                *divides[other as usize].entry(n).or_default() += long;
                let back = divides[n as usize].remove(&(f as u32)).unwrap_or(0.0);
                *divides[n as usize].entry(other).or_default() += back;
            }
        }
        divides[other as usize].remove(&(f as u32));
    }
    for own in field {
        // Joined fields are joined on: chains end, as each goes to one that was there after it.
        for _ in 0..count {
            let next = to[*own as usize];
            if next == *own {
                break;
            }
            *own = next;
        }
    }
}

fn length(mesh: &PolygonMesh, p: usize, e: usize) -> f64 {
    let [a, b] = [e, mesh.edge_after(p, e)].map(|e| mesh.vertices[mesh.corners[e] as usize].flat());
    (super::flat::square(a, b) as f64).sqrt()
}

/// The mean of a polygon's corners: in it, as it is convex.
fn middle(mesh: &PolygonMesh, p: usize) -> Point {
    let ring = mesh.polygon(p);
    let mean = |of: fn(Point) -> i32| {
        let sum: i64 = ring.iter().map(|&v| i64::from(of(mesh.vertices[v as usize].flat()))).sum();
        sum.div_euclid(ring.len() as i64) as i32
    };
    Point::new(mean(|p| p.x), mean(|p| p.z))
}
