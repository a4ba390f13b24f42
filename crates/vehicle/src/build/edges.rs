//! Edges of the lattice: curves from the middle of a tile at one heading to that of another at
//! another, and the tiles they sweep.

use crate::lattice::{lattice_pose, parts};
use crate::{Between, Curve, Footprint, Pose, Symmetry, Word, near_tiles, touches};
use rayon::prelude::*;

use super::mask::Mask;
use super::spec::{UNITS, VehicleSpec};

/// A curve of the lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it ends, columns and rows from where it begins.
    pub offset: [i32; 2],
    /// Heading at its beginning.
    pub from: u32,
    /// Heading at its end.
    pub to: u32,
    /// Its form.
    pub word: Word,
    /// Length in parts of a tile, rounded up: see [`UNITS`].
    pub length: u32,
    /// Straight ahead: a word and its mirror image are the same.
    pub straight: bool,
    /// Its speed class, 0 for the slowest.
    pub class: u8,
    /// Every tile that the vehicle touches, its first and last pose included.
    pub swept: Mask,
}

/// Edges of a vehicle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    pub(crate) edges: Vec<Edge>,
    /// Curves that leave the largest window.
    pub(crate) left_out: u32,
    /// How much of those a detour is not: the least [`stretch`] of one.
    pub(crate) least_left_out: f64,
}

/// The curve of an edge.
pub fn curve(edge: &Edge, vehicle: &VehicleSpec) -> Option<Curve> {
    let from = lattice_pose([0, 0], edge.from, vehicle.headings);
    let to = lattice_pose(edge.offset, edge.to, vehicle.headings);
    Between::new(from, to, vehicle.radius_of(edge.class)).curve(edge.word)
}

/// Offsets of the rings, inner ones first, each ring row by row.
pub fn offsets(rings: u32) -> impl Iterator<Item = [i32; 2]> {
    let rings = rings as i32; // a few
    (1..=rings).flat_map(|ring| {
        (-ring..=ring)
            .flat_map(move |z| (-ring..=ring).map(move |x| [x, z]))
            .filter(move |o| o[0].abs().max(o[1].abs()) == ring)
    })
}

/// The tiles that a vehicle touches; `None` where one is outside the range of masks.
pub fn swept(footprint: &Footprint, radius: f64, from: Pose, curve: &Curve) -> Option<Mask> {
    let mut mask = Mask::default();
    let left = near_tiles(footprint, radius, from, curve, |segment, at, tile| {
        !mask.has(tile)
            && touches(footprint, radius, at, segment, tile.map(f64::from))
            && !mask.add(tile)
    });
    (!left).then_some(mask)
}

/// How many times as long as the straight line.
pub(crate) fn stretch(edge: &Edge) -> f64 {
    let [x, z] = edge.offset.map(f64::from);
    f64::from(edge.length) / f64::from(UNITS) / (x * x + z * z).sqrt()
}

/// All edges from the headings that are kept: of each pair of tiles and headings the curve of every
/// word that another does not make idle, by length. Of mirror images one.
pub(crate) fn edges(vehicle: &VehicleSpec, footprint: &Footprint) -> Edges {
    let headings = vehicle.headings;
    let pairs: Vec<(u32, [i32; 2])> = (0..vehicle.kept_headings())
        .flat_map(|from| offsets(vehicle.rings).map(move |offset| (from, offset)))
        .collect();
    let found: Vec<Edges> = pairs
        .into_par_iter()
        .map(|(from, offset)| {
            let mut all = Edges { least_left_out: f64::INFINITY, ..Edges::default() };
            for to in 0..headings {
                between(vehicle, footprint, from, offset, to, &mut all);
            }
            all
        })
        .collect();
    let mut all = Edges { least_left_out: f64::INFINITY, ..Edges::default() };
    for mut part in found {
        all.edges.append(&mut part.edges);
        all.left_out += part.left_out;
        all.least_left_out = all.least_left_out.min(part.least_left_out);
    }
    all
}

fn between(
    vehicle: &VehicleSpec,
    footprint: &Footprint,
    from: u32,
    offset: [i32; 2],
    to: u32,
    all: &mut Edges,
) {
    let headings = vehicle.headings;
    let start = lattice_pose([0, 0], from, headings);
    let ways = Between::new(start, lattice_pose(offset, to, headings), vehicle.turn_radius);
    let mut words: Vec<(u32, Word, Curve)> = Word::ALL
        .into_iter()
        .filter_map(|word| {
            let curve = ways.curve(word)?;
            Some((parts(curve.length()).max(1), word, curve))
        })
        .collect();
    words.sort_by_key(|&(length, word, _)| (length, word));
    let mut kept: Vec<Edge> = vec![];
    for (length, word, curve) in words {
        let mut edge = Edge {
            offset,
            from,
            to,
            word,
            length,
            straight: matches!(curve.segments(), [only] if only.turn == 0),
            class: 0,
            swept: Mask::default(),
        };
        match swept(footprint, vehicle.turn_radius, start, &curve) {
            None => {
                all.left_out += 1;
                all.least_left_out = all.least_left_out.min(stretch(&edge));
            }
            // A longer curve that needs all the tiles of a shorter one, and more, is of no use.
            Some(swept) if kept.iter().any(|e| e.swept.is_subset(&swept)) => {}
            Some(swept) => {
                edge.swept = swept;
                kept.push(edge);
            }
        }
    }
    // Of mirror images one.
    kept.retain(|e| {
        let image = mirror_of(vehicle, from, offset, to, e.word);
        image.is_none_or(|image| image >= (offset, to, e.word) || e.straight)
    });
    all.edges.append(&mut kept);
}

/// The image of an edge under the symmetry that keeps its first heading, other than the identity.
fn mirror_of(
    vehicle: &VehicleSpec,
    from: u32,
    offset: [i32; 2],
    to: u32,
    word: Word,
) -> Option<([i32; 2], u32, Word)> {
    let headings = vehicle.headings;
    let all = vehicle.footprint.is_mirrored();
    let keeps = |s: &Symmetry| s.mirror && s.heading(from, headings) == from;
    let symmetry = Symmetry::all().find(|s| all && keeps(s))?;
    let to = symmetry.heading(to, headings);
    Some((symmetry.offset(offset), to, symmetry.word(word)))
}

/// All edges, by the heading that they begin with, each heading's by length and then by where they
/// end: the images of the kept ones, turned and mirrored.
pub fn spread(edges: &[Edge], vehicle: &VehicleSpec) -> Vec<Vec<Edge>> {
    let headings = vehicle.headings;
    let mut all = vec![vec![]; headings as usize];
    let many = if vehicle.footprint.is_mirrored() { 8 } else { 4 };
    for edge in edges {
        let mut seen = vec![];
        for symmetry in Symmetry::all().take(many) {
            let turned = (
                symmetry.heading(edge.from, headings),
                symmetry.offset(edge.offset),
                symmetry.heading(edge.to, headings),
                if edge.straight { edge.word } else { symmetry.word(edge.word) },
            );
            if seen.contains(&turned) {
                continue;
            }
            seen.push(turned);
            let (from, offset, to, word) = turned;
            all[from as usize].push(Edge {
                offset,
                from,
                to,
                word,
                swept: edge.swept.mapped(|t| symmetry.offset(t)),
                ..*edge
            });
        }
    }
    for list in &mut all {
        list.sort_by_key(|e| (e.length, e.offset, e.to, e.word));
    }
    all
}
