//! A navmesh: the triangles of each polygon, and its edges on the ground.

use navbake_draw::{EarlierSurface, Surface};
use navbake_format::Polygon;
use serde::Serialize;

use super::pack::{Box3, Packer, Quantised};
use super::simplify::{Clusters, Simplified};
use super::soup::Soup;
use crate::Walker;
use crate::cell_map::CellMap;
use crate::html::storeys::cuts;

/// Triangles of all navmeshes of a page at most. Those of height meshes become fewer; polygons
/// stay.
pub(super) const BUDGET: usize = 120_000;
/// Edges follow the ground in steps of this length, m.
const STEP: f64 = 2.0;
/// Ground within this height of a floor is part of it, m.
const NEAR: f64 = 0.5;
/// Points along an edge at most.
const MOST: usize = 24;

#[derive(Serialize)]
pub(super) struct GroundHeader {
    #[serde(flatten)]
    frame: Box3,
    vertices: usize,
    triangles: usize,
    polygons: usize,
    /// The box of the edges, and their points.
    edges: Box3,
    points: usize,
    /// The height of the floor of each storey, m.
    floors: Vec<f64>,
    /// The storey with the most ground.
    storey: usize,
}

/// Writes a navmesh. `earlier` is what was made of an earlier one.
pub(super) fn write(
    walker: &Walker<'_>,
    budget: usize,
    earlier: &mut EarlierSurface,
    packer: &mut Packer,
) -> GroundHeader {
    let mesh = &walker.mesh;
    let draw = || {
        let surface = Surface::again(mesh, earlier);
        let (soup, of) = triangles(&surface, budget);
        (surface, Quantised::new(&soup), of)
    };
    let beside = || (edges(walker), cuts(walker));
    let ((surface, made, of), ((points, kinds), cuts)) = rayon::join(draw, beside);
    made.write(packer);
    let mut counts = vec![0u32; surface.polygons.len()];
    for &t in &made.kept {
        counts[of[t as usize] as usize] += 1;
    }
    packer.planes(&counts, 3);
    let edges = Box3::around(points.iter());
    let steps: Vec<[u16; 3]> = points.iter().map(|&p| edges.steps(p)).collect();
    packer.positions(&steps);
    packer.planes(&kinds, 1);
    let (floors, storey) = storeys(walker, &surface, cuts);
    GroundHeader {
        frame: made.frame,
        vertices: made.vertices.len(),
        triangles: made.triangles.len(),
        polygons: counts.len(),
        edges,
        points: points.len(),
        floors,
        storey,
    }
}

/// The triangles with the polygon of each, in the order of polygons.
fn triangles(surface: &Surface, budget: usize) -> (Soup, Vec<u32>) {
    let mut soup = Soup::default();
    let mut of = vec![];
    let places = surface.vertices.len() + surface.points.len();
    let mut known: CellMap<[u64; 3], u32> = CellMap::default();
    // Of each vertex and point of the surface. Many points are at one place.
    let mut numbers = vec![u32::MAX; places];
    let mut is_corner = vec![];
    for p in 0..surface.polygons.len() {
        let ring = surface.ring(p);
        for t in surface.triangle_indices(p) {
            let vertices = &mut soup.vertices;
            soup.triangles.push(t.map(|i| {
                let number = &mut numbers[i as usize];
                if *number == u32::MAX {
                    let at = surface.position(i);
                    *number = *known.entry(at.map(f64::to_bits)).or_insert_with(|| {
                        vertices.push(at);
                        is_corner.push(ring.contains(&at));
                        vertices.len() as u32 - 1
                    });
                }
                *number
            }));
            of.push(p as u32);
        }
    }
    if soup.triangles.len() <= budget {
        return (soup, of);
    }
    // Fans of polygons are the least that there can be.
    let fans: usize = surface.polygons.iter().map(|p| p.corners.len() - 2).sum();
    let mut side = 0.25;
    loop {
        let numbers = |v: usize| soup.vertices[v].map(|c| (c / side).floor() as i64);
        let cell = |v: usize| (!is_corner[v]).then(|| numbers(v));
        let clusters = Clusters::new(&soup, soup.triangles.len(), cell, |t| of[t]);
        if clusters.count() <= budget.max(fans + fans / 2) || side > 1e4 {
            let Simplified { soup, kept, .. } = clusters.simplified(side);
            return (soup, kept.iter().map(|&t| of[t as usize]).collect());
        }
        side *= 1.4;
    }
}

/// Points along the edges of polygons, each edge once, and the kind of each point: 0 begins a wall,
/// 1 a portal, 2 goes on.
fn edges(walker: &Walker<'_>) -> (Vec<[f64; 3]>, Vec<u32>) {
    let (mut points, mut kinds) = (vec![], vec![]);
    for polygon in walker.mesh.polygons() {
        for k in 0..polygon.len() {
            let beyond = polygon.neighbour(k);
            if beyond.is_some_and(|other| other.0 < polygon.id().0) {
                continue;
            }
            let along = along(walker, &polygon, k);
            kinds.push(u32::from(beyond.is_some()));
            kinds.extend(vec![2; along.len() - 1]);
            points.extend(along);
        }
    }
    (points, kinds)
}

/// Points along an edge, on the ground.
fn along(walker: &Walker<'_>, polygon: &Polygon<'_, '_>, k: u32) -> Vec<[f64; 3]> {
    let grid = walker.mesh.grid();
    let [a, b] = [k, polygon.next(k)].map(|k| polygon.corner(k).map(f64::from));
    let length = (b[0] - a[0]).hypot(b[1] - a[1]) / grid.units();
    // A polygon without a height mesh is a fan, whose edges are straight.
    let is_straight = walker.mesh.detail_number(polygon.id()).is_none();
    let parts = if is_straight { 1 } else { ((length / STEP).ceil() as usize).clamp(1, MOST) };
    let point = |i: usize| {
        let t = i as f64 / parts as f64;
        let [x, z] = [0, 1].map(|c| a[c] + t * (b[c] - a[c]));
        grid.metres([x, polygon.height([x, z]), z])
    };
    (0..=parts).map(point).collect()
}

/// The floor of each storey, m, and the storey with the most ground.
fn storeys(walker: &Walker<'_>, surface: &Surface, cuts: &[f64]) -> (Vec<f64>, usize) {
    let mut of_storey: Vec<Vec<(f64, f64)>> = vec![vec![]; cuts.len() + 1];
    for p in 0..surface.polygons.len() {
        let height = surface.height(p);
        let storey = cuts.partition_point(|&cut| cut <= height);
        of_storey[storey].push((height, surface.area(p)));
    }
    let areas: Vec<f64> = of_storey.iter().map(|s| s.iter().map(|p| p.1).sum()).collect();
    let [least, _] = walker.mesh.bounds();
    let [_, mut below, _] = walker.mesh.grid().metres(least.map(f64::from));
    let floors = of_storey.iter_mut().zip(&areas).map(|(ground, &area)| {
        // Of a storey without ground of this agent the one below.
        below = floor(ground, area).unwrap_or(below);
        below
    });
    let floors = floors.collect();
    let most = areas.iter().enumerate().fold(
        0,
        |best, (s, &area)| {
            if area > areas[best] { s } else { best }
        },
    );
    (floors, most)
}

/// The height of a storey's floor: the middle one, by area, where half of the ground is near it,
/// and the highest of a slope.
fn floor(ground: &mut [(f64, f64)], area: f64) -> Option<f64> {
    ground.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut left = area / 2.0;
    let middle = ground.iter().find(|p| {
        left -= p.1;
        left <= 0.0
    })?;
    let near = ground.iter().filter(|p| (p.0 - middle.0).abs() <= NEAR);
    let is_flat = near.map(|p| p.1).sum::<f64>() >= area / 2.0;
    Some(if is_flat { middle.0 } else { ground.last()?.0 })
}
