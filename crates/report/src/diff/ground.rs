//! Ground gained and lost between two meshes, compared storey by storey.

use std::collections::BTreeMap;

use navbake_format::{NavMesh, PolyId};
use navbake_geom::UnionFind;

use super::convex::{self, Place};
use crate::explain::bins::Bins;

/// A piece of ground that only one of the meshes has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Its corners, y-up metres.
    pub(crate) ring: Vec<[f64; 3]>,
    pub(crate) area: f64,
    /// Its width, m.
    pub(crate) width: f64,
    /// Its island in the mesh that has it.
    pub(crate) island: u32,
}

/// The polygons of a mesh in metres.
pub(crate) struct Side<'a> {
    pub(crate) mesh: NavMesh<'a>,
    pub(crate) rings: Vec<Vec<Place>>,
    pub(crate) islands: Vec<u32>,
    bins: Bins,
}

/// The unit of the bins.
const BIN_UNITS: f64 = 512.0;

fn box_of(ring: &[Place]) -> [f64; 4] {
    let least = |k: usize| ring.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
    let most = |k: usize| ring.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
    [least(0), least(1), most(0), most(1)].map(|v| v * BIN_UNITS)
}

impl<'a> Side<'a> {
    pub(crate) fn new(mesh: NavMesh<'a>) -> Side<'a> {
        let grid = mesh.grid();
        let flat = |c: [i32; 2]| {
            let [x, _, z] = grid.metres([f64::from(c[0]), 0.0, f64::from(c[1])]);
            [x, z]
        };
        let polygons = mesh.polygons();
        let rings: Vec<Vec<Place>> = polygons
            .map(|p| convex::turned((0..p.len()).map(|k| flat(p.corner(k))).collect()))
            .collect();
        let islands = (mesh.polygons()).map(|p| mesh.island(p.id()).0).collect();
        let bins = Bins::new(rings.iter().map(|r| box_of(r)).collect());
        Side { mesh, rings, islands, bins }
    }

    /// Height of a polygon at a place, m.
    pub(crate) fn height(&self, polygon: usize, [x, z]: Place) -> f64 {
        let grid = self.mesh.grid();
        let units = grid.units();
        let place = [(x - grid.origin[0]) * units, (z - grid.origin[2]) * units];
        let y = self.mesh.polygon(PolyId(polygon as u32)).height(place);
        grid.metres([0.0, y, 0.0])[1]
    }

    /// Its ground, m2.
    pub(crate) fn area(&self) -> f64 {
        self.rings.iter().map(|r| convex::area(r)).sum::<f64>() + 0.0
    }
}

/// The area that each island shares with each island of the other mesh, m2.
pub(crate) type Shared = BTreeMap<(u32, u32), f64>;

/// The ground of `one` that `other` lacks, and the areas that islands share.
///
/// `other` has the ground if it has some at most `step` metres above or below.
pub(crate) fn without(one: &Side<'_>, other: &Side<'_>, step: f64) -> (Vec<Piece>, Shared) {
    let (mut pieces, mut shared) = (vec![], Shared::new());
    let mut near = vec![];
    for (p, ring) in one.rings.iter().enumerate() {
        other.bins.near(&box_of(ring), &mut near);
        let mut left = vec![ring.clone()];
        for &q in &near {
            let mut rest = vec![];
            for piece in left {
                // As most that are near.
                if convex::is_beyond(&piece, &other.rings[q as usize]) {
                    rest.push(piece);
                    continue;
                }
                let mut outside = vec![];
                let inside = convex::within(&piece, &other.rings[q as usize], |o| outside.push(o));
                let same = !inside.is_empty() && {
                    let at = convex::middle(&inside);
                    (one.height(p, at) - other.height(q as usize, at)).abs() <= step
                };
                if same {
                    let pair = (one.islands[p], other.islands[q as usize]);
                    *shared.entry(pair).or_insert(0.0) += convex::area(&inside);
                    rest.extend(outside);
                } else {
                    rest.push(piece);
                }
            }
            left = rest;
        }
        pieces.extend(left.into_iter().map(|flat| Piece {
            area: convex::area(&flat),
            width: convex::width(&flat),
            island: one.islands[p],
            ring: flat.iter().map(|&[x, z]| [x, one.height(p, [x, z]), z]).collect(),
        }));
    }
    (pieces, shared)
}

/// Pieces that are close together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patch {
    /// m2.
    pub(crate) area: f64,
    /// The centroid of its largest piece.
    pub(crate) place: [f64; 3],
    /// The outline of that piece.
    pub(crate) shape: Vec<[f64; 3]>,
    /// Its islands in the mesh that has it.
    pub(crate) islands: Vec<u32>,
}

/// Joins pieces into patches, the largest first.
///
/// Pieces wider than `least` metres are joined if they touch or nearly touch and their heights
/// differ by at most `step`.
pub(crate) fn patches(pieces: &[Piece], least: f64, step: f64) -> Vec<Patch> {
    const BESIDE: f64 = 0.01;
    let wide: Vec<&Piece> = pieces.iter().filter(|p| p.width >= least).collect();
    let flat = |p: &Piece| -> Vec<Place> { p.ring.iter().map(|c| [c[0], c[2]]).collect() };
    let boxes: Vec<[f64; 4]> = wide.iter().map(|p| box_of(&flat(p))).collect();
    let bins = Bins::new(boxes.clone());
    let mut sets = UnionFind::new(wide.len());
    let mut near = vec![];
    let grow = BESIDE * BIN_UNITS;
    for (k, [x0, z0, x1, z1]) in boxes.iter().enumerate() {
        bins.near(&[x0 - grow, z0 - grow, x1 + grow, z1 + grow], &mut near);
        for &other in near.iter().filter(|&&n| (n as usize) < k) {
            let other = other as usize;
            if touch(wide[k], wide[other], BESIDE, step) {
                sets.join(k as u32, other as u32);
            }
        }
    }
    let mut together: BTreeMap<u32, Vec<&Piece>> = BTreeMap::new();
    for (k, piece) in wide.iter().enumerate() {
        together.entry(sets.find(k as u32)).or_default().push(piece);
    }
    let mut found: Vec<Patch> = together.into_values().map(|all| patch(&all)).collect();
    found.sort_by(|a, b| {
        let by_place = a.place[0].total_cmp(&b.place[0]);
        let by_place = by_place.then(a.place[2].total_cmp(&b.place[2]));
        b.area.total_cmp(&a.area).then(by_place)
    });
    found
}

fn patch(all: &[&Piece]) -> Patch {
    let largest = all.iter().fold(all[0], |a, b| if b.area > a.area { b } else { a });
    let flat: Vec<Place> = largest.ring.iter().map(|c| [c[0], c[2]]).collect();
    let [x, z] = convex::middle(&flat);
    let count = largest.ring.len() as f64;
    let y = largest.ring.iter().map(|c| c[1]).sum::<f64>() / count;
    let mut islands: Vec<u32> = all.iter().map(|p| p.island).collect();
    islands.sort_unstable();
    islands.dedup();
    Patch {
        area: all.iter().map(|p| p.area).sum(),
        place: [x, y, z],
        shape: largest.ring.clone(),
        islands,
    }
}

/// Are two convex pieces close together?
///
/// They are if they are at most `beside` apart, with heights that differ by at most `step`.
fn touch(a: &Piece, b: &Piece, beside: f64, step: f64) -> bool {
    let pairs = [(a, b), (b, a)];
    pairs.iter().any(|(one, other)| {
        one.ring.iter().any(|p| {
            (0..other.ring.len()).any(|k| {
                let (u, v) = (other.ring[k], other.ring[(k + 1) % other.ring.len()]);
                let (dx, dz) = (v[0] - u[0], v[2] - u[2]);
                let square = dx * dx + dz * dz;
                let along = ((p[0] - u[0]) * dx + (p[2] - u[2]) * dz) / square.max(1e-12);
                let t = along.clamp(0.0, 1.0);
                let (x, z) = (p[0] - u[0] - t * dx, p[2] - u[2] - t * dz);
                let y = u[1] + t * (v[1] - u[1]);
                x * x + z * z <= beside * beside && (p[1] - y).abs() <= step
            })
        })
    })
}
