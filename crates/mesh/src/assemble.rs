//! From loose triangles with links between their edges to a triangulation in canonical order.

use navbake_geom::Point3;

use crate::{NONE, Triangulation};

/// The corners of a triangle.
pub(crate) type Corners = [Point3; 3];

/// Welds vertices at one place, sorts vertices and triangles by coordinates and turns half-edge links (`3 * triangle + edge`) into neighbours.
/// Triangles that stand in the same place twice are told apart by their neighbours.
pub(crate) fn assemble(corners: &[Corners], links: &[[u32; 3]]) -> Triangulation {
    let mut vertices: Vec<Point3> = Vec::with_capacity(corners.len() * 3);
    vertices.extend(corners.iter().flatten());
    let mut order: Vec<(Point3, u32)> = vertices
        .iter()
        .enumerate()
        .map(|(i, &p)| (p, i as u32))
        .collect();
    order.sort_unstable();
    vertices.clear();
    let mut index = vec![[0u32; 3]; corners.len()];
    for &(p, i) in &order {
        if vertices.last() != Some(&p) {
            vertices.push(p);
        }
        index[i as usize / 3][i as usize % 3] = vertices.len() as u32 - 1;
    }
    drop(order);
    vertices.shrink_to_fit();

    // Each triangle begins with its least corner.
    let mut triangles: Vec<([u32; 3], u32)> = Vec::with_capacity(corners.len());
    let mut turns = vec![0u8; corners.len()];
    for (t, v) in index.iter().enumerate() {
        let turn = (0..3).min_by_key(|&k| v[k]).unwrap_or(0);
        turns[t] = turn as u8;
        triangles.push(([v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]], t as u32));
    }
    let beyond = |t: u32, k: usize| {
        let edge = (k + turns[t as usize] as usize) % 3;
        match links[t as usize][edge] {
            NONE => NONE,
            h => h / 3,
        }
    };
    let around = |t: u32| {
        [0, 1, 2].map(|k| match beyond(t, k) {
            NONE => [NONE; 3],
            u => {
                let (v, turn) = (index[u as usize], turns[u as usize] as usize);
                [v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]]
            }
        })
    };
    triangles.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0)
            .then_with(|| around(a.1).cmp(&around(b.1)))
            .then(a.1.cmp(&b.1))
    });

    let mut place = vec![NONE; triangles.len()];
    for (new, &(_, old)) in triangles.iter().enumerate() {
        place[old as usize] = new as u32;
    }
    let neighbours = triangles
        .iter()
        .map(|&(_, old)| {
            [0, 1, 2].map(|k| match beyond(old, k) {
                NONE => NONE,
                u => place[u as usize],
            })
        })
        .collect();
    Triangulation {
        vertices,
        triangles: triangles.into_iter().map(|(v, _)| v).collect(),
        neighbours,
        areas: vec![],
    }
}
