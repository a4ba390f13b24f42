//! A mesh in the order in which it is stored.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::array;

use navbake_grid::NONE;

use super::height_mesh::HeightMeshes;
use super::mesh_parts::{MeshParts, Places};
use super::order;
use crate::index;
use crate::records::GROUP;

/// A mesh in the order in which it is stored.
pub(crate) struct Stored {
    pub(super) vertices: Vec<[i32; 3]>,
    pub(crate) first_edge: Vec<u32>,
    /// Vertex and neighbour of each.
    pub(crate) edges: Vec<(u32, u32)>,
    /// The first polygon of each.
    pub(super) islands: Vec<u32>,
    pub(super) height_meshes: HeightMeshes,
    pub(super) least: [i32; 3],
    pub(super) greatest: [i32; 3],
}

/// Puts polygons and vertices into the order of the file.
pub(super) fn reorder(parts: &MeshParts<'_>) -> (Stored, Places) {
    let polygons = parts.islands.len();
    let used = || parts.corners.iter().map(|&v| parts.vertices[v as usize]);
    let least: [i32; 3] = array::from_fn(|k| used().map(|p| p[k]).min().unwrap_or(0));
    let greatest: [i32; 3] = array::from_fn(|k| used().map(|p| p[k]).max().unwrap_or(0));
    // Height points do not count here. One scale for all three axes, so that a flat level keeps
    // its storeys together in the plane.
    let shift = (0..3).map(|k| index::shift(least[k], greatest[k])).max().unwrap_or(0);

    // Each polygon as the ring of its positions, from the least (x, z) on.
    let edges_of = |p: usize| parts.first_edge[p] as usize..parts.first_edge[p + 1] as usize;
    let position = |e: usize| parts.vertices[parts.corners[e] as usize];
    let ring = |p: usize| {
        let edges = edges_of(p);
        let start = edges
            .clone()
            .min_by_key(|&e| {
                let [x, y, z] = position(e);
                (x, z, y)
            })
            .unwrap_or(edges.start);
        (start..edges.end).chain(edges.start..start)
    };
    let mut order: Vec<(u64, u32)> = (0..polygons)
        .map(|p| {
            let cell = array::from_fn(|k| {
                let low = edges_of(p).map(|e| position(e)[k]).min().unwrap_or(0);
                let high = edges_of(p).map(|e| position(e)[k]).max().unwrap_or(0);
                let centre = (i64::from(low) + i64::from(high)) / 2 - i64::from(least[k]);
                (centre >> shift).clamp(0, 0xFFFF) as u16
            });
            (order::hilbert(cell), p as u32)
        })
        .collect();
    order.sort_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| {
            let (a, b) = (ring(a.1 as usize), ring(b.1 as usize));
            a.map(position).cmp(b.map(position))
        })
    });
    // Islands in the order of their first polygons, each in one piece.
    let island = renumber(order.iter().map(|&(_, old)| parts.islands[old as usize]));
    let mut places: Vec<(u32, u32)> = (0u32..).zip(island).map(|(i, n)| (n, i)).collect();
    places.sort_unstable();
    let islands: Vec<u32> = (0u32..)
        .zip(&places)
        .filter(|&(i, &(n, _))| i == 0 || places[i as usize - 1].0 != n)
        .map(|(i, _)| i)
        .collect();
    let mut order: Vec<u32> = places.iter().map(|&(_, i)| order[i as usize].1).collect();
    together(&mut order, parts);
    let mut new_polygon = vec![0u32; polygons];
    for (new, &old) in order.iter().enumerate() {
        new_polygon[old as usize] = new as u32;
    }

    // One vertex for all at one place.
    let mut places: Vec<u32> = (0..parts.vertices.len() as u32).collect();
    places.sort_unstable_by_key(|&v| (parts.vertices[v as usize], v));
    let mut same: Vec<u32> = vec![0; places.len()];
    for all in places.chunk_by(|&a, &b| parts.vertices[a as usize] == parts.vertices[b as usize]) {
        all.iter().for_each(|&v| same[v as usize] = all[0]);
    }
    let mut new_vertex = vec![NONE; parts.vertices.len()];
    let mut stored = Stored {
        vertices: vec![],
        first_edge: vec![0],
        edges: Vec::with_capacity(parts.corners.len()),
        islands,
        height_meshes: HeightMeshes::default(),
        least,
        greatest,
    };
    let mut edges = vec![(0, 0); parts.corners.len()];
    for (new, &old) in (0u32..).zip(&order) {
        for (k, e) in (0u32..).zip(ring(old as usize)) {
            edges[e] = (new, k);
            let v = &mut new_vertex[same[parts.corners[e] as usize] as usize];
            if *v == NONE {
                *v = stored.vertices.len() as u32;
                stored.vertices.push(position(e));
            }
            let n = parts.neighbours[e];
            let n = if n == NONE { NONE } else { new_polygon[n as usize] };
            stored.edges.push((*v, n));
        }
        stored.first_edge.push(stored.edges.len() as u32);
        let height_mesh = parts.height_mesh_of.get(old as usize);
        let polygon = stored.first_edge.len() - 2;
        stored.height_meshes.push(height_mesh.copied().unwrap_or(NONE), parts.height_meshes);
        if let Some([low, high]) = stored.height_meshes.heights(polygon) {
            stored.least[1] = stored.least[1].min(low);
            stored.greatest[1] = stored.greatest[1].max(high);
        }
    }
    let places = Places { polygons: new_polygon, edges };
    (stored, places)
}

/// Puts polygons with the same height mesh next to each other.
///
/// Only those of one island and not far apart: fewer runs then say which polygon has which.
fn together(order: &mut [u32], parts: &MeshParts<'_>) {
    if parts.height_mesh_of.is_empty() {
        return;
    }
    let height_mesh = |&p: &u32| parts.height_mesh_of[p as usize];
    let island = |&p: &u32| parts.islands[p as usize];
    let mut last = NONE;
    for own in order.chunk_by_mut(|a, b| island(a) == island(b)) {
        for near in own.chunks_mut(GROUP) {
            // In order of first appearance, but the height mesh of the polygon before comes first.
            let mut seen = vec![last];
            for r in near.iter().map(height_mesh) {
                if !seen.contains(&r) {
                    seen.push(r);
                }
            }
            near.sort_by_key(|p| seen.iter().position(|&r| r == height_mesh(p)));
            last = near.last().map_or(last, height_mesh);
        }
    }
}

/// Numbers by first appearance.
pub(crate) fn renumber(old: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut new = BTreeMap::new();
    old.map(|island| {
        let next = new.len() as u32;
        *new.entry(island).or_insert(next)
    })
    .collect()
}
