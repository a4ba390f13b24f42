//! Greedy merge of triangles to convex polygons (Hertel and Mehlhorn, "Fast triangulation of simple
//! polygons", 1983, with an order and a height rule), and the order in which [`crate::improve`]
//! improves on it.

use std::collections::BinaryHeap;

use navbake_geom::Point;

use crate::faces::Faces;
use crate::improve::{share_out, turn_cuts};
use crate::prune::prune_vertices;
use crate::types::{MergeSettings, NONE, Patch, PolygonMesh};
use crate::wall_cuts::cut_to_walls;

/// Merges triangles to convex polygons, over portals at one height only (never over a step).
///
/// First, vertices go whose triangles are flat all around (or along a straight border), those of
/// seams in flat ground above all. Then triangles are merged: dead ends first, then the longest
/// shared edge first; ties by vertices, which come sorted by coordinates from
/// [`crate::join_triangles`]. A union must be convex (exact; straight corners are allowed) and its
/// ground must fit into a slab no thicker than `height_error`, so that dropping corners from its
/// border or its inside never moves the ground further than that. Two convex polygons that meet in
/// one whole edge and turn no corner the wrong direction form a simple convex polygon, whatever is
/// above or below, so spirals cannot wrap.
///
/// Straight corners that are not needed are dropped, so that a chain of collinear portals between
/// two polygons is one portal. Afterwards small polygons are shared out between two neighbours, and
/// cuts turned around a corner, where that leaves one polygon less. Polygons come sorted by their
/// corners, each beginning with its least vertex.
pub fn merge(triangles: &PolygonMesh, settings: &MergeSettings) -> PolygonMesh {
    let mut faces = Faces::new(triangles, settings);
    prune_vertices(&mut faces);
    join_faces(&mut faces, None::<&fn(Point, [i64; 2]) -> i32>);
    polygons(triangles, &faces).mesh
}

/// Merges the triangles of a layer to convex polygons whatever their heights.
///
/// `open` marks edges (three a triangle) that may be joined to other layers'. Where that saves a
/// polygon, walls get further corners, if `height` knows the height of the place.
pub(crate) fn merge_flat(
    mesh: &PolygonMesh,
    open: Vec<bool>,
    max_corners: u32,
    height: Option<&impl Fn(Point, [i64; 2]) -> i32>,
) -> Patch {
    let mut faces = Faces::flat(mesh, max_corners);
    faces.open = open;
    join_faces(&mut faces, height);
    polygons(mesh, &faces)
}

/// As [`merge_flat`], but the ground of a polygon must fit into a slab no thicker than the height
/// error.
pub(crate) fn merge_sloped(mesh: &PolygonMesh, open: Vec<bool>, settings: &MergeSettings) -> Patch {
    let mut faces = Faces::new(mesh, settings);
    faces.open = open;
    join_faces(&mut faces, None::<&fn(Point, [i64; 2]) -> i32>);
    polygons(mesh, &faces)
}

/// Merges polygons that were joined from several patches, over portals at one height, where the
/// union is convex, neither has a height mesh and the ground of both fits into a slab no thicker
/// than `height_error`. Straight corners that are not needed are dropped, and cuts turned where
/// that leaves a polygon less.
///
/// Polygons come sorted by their corners, flat ones from their least vertex on; others keep their
/// first corner, the apex of their height fan.
pub fn merge_polygons(mesh: &PolygonMesh, settings: &MergeSettings) -> PolygonMesh {
    merge_in_chunks(mesh, settings, 0)
}

/// [`merge_polygons`], but no polygon grows over a line at a multiple of `side` grid units along x
/// or z: the sides of chunks. With 0 there are no such lines.
///
/// Portals on these lines lose straight corners that neither side needs, as all do.
pub fn merge_in_chunks(mesh: &PolygonMesh, settings: &MergeSettings, side: i32) -> PolygonMesh {
    let mut faces = Faces::new(mesh, settings);
    faces.chunk = side;
    for (p, fixed) in faces.fixed.iter_mut().enumerate() {
        *fixed = mesh.height_mesh(p).is_some();
    }
    faces.drop_corners();
    let mut queue = BinaryHeap::new();
    longest_first(&mut faces, &mut queue);
    // What can be shared out was so in its patch.
    if turn_cuts(&mut faces) {
        longest_first(&mut faces, &mut queue);
    }
    polygons(mesh, &faces).mesh
}

/// Rounds heights to multiples of the greatest power of two that is at most a sixth of
/// `height_error` (grid units): they move by a twelfth of it at most and take fewer bits. Equal
/// heights stay equal. For meshes whose steps are joined already.
pub fn round_heights(mesh: &mut PolygonMesh, height_error: i32) {
    let bits = (height_error / 6).max(1).ilog2();
    let half = 1 << bits >> 1;
    for v in &mut mesh.vertices {
        v.y = (v.y + half) >> bits << bits;
    }
}

/// Rounds of improvement; a third one hardly ever finds anything.
const ROUNDS: usize = 3;

fn join_faces(faces: &mut Faces, height: Option<&impl Fn(Point, [i64; 2]) -> i32>) {
    let mut queue = BinaryHeap::new();
    dead_ends(faces);
    longest_first(faces, &mut queue);
    let vertices = faces.vertices.len();
    for _ in 0..ROUNDS {
        let shared = share_out(faces);
        let turned = turn_cuts(faces);
        let cut = height.is_some_and(|height| cut_to_walls(faces, height));
        if !shared && !turned && !cut {
            break;
        }
        longest_first(faces, &mut queue);
    }
    if faces.vertices.len() > vertices {
        faces.sort_vertices();
    }
}

type Queue = BinaryHeap<(i64, std::cmp::Reverse<(u32, u32, u32)>)>;

/// Merges triangles with one neighbour into it.
fn dead_ends(faces: &mut Faces) {
    for t in 0..faces.edge_of.len() as u32 {
        if faces.corners[t as usize] != 3 {
            continue;
        }
        let mut portals = faces.around(t).filter(|&h| faces.twin[h as usize] != NONE);
        let (Some(h), None) = (portals.next(), portals.next()) else {
            continue;
        };
        drop(portals);
        if let Some(slab) = faces.union_across(h) {
            faces.dissolve(h, slab, &mut |_, _| {});
        }
    }
}

/// Dissolves the longest edge that may be, until none may.
pub(crate) fn longest_first(faces: &mut Faces, queue: &mut Queue) {
    loop {
        let level = |faces: &Faces, h: u32| {
            let t = faces.twin[h as usize];
            let fixed = |h: u32| faces.is_fixed(faces.face[h as usize]);
            h < t && faces.is_live(h) && faces.is_level_portal(h) && !fixed(h) && !fixed(t)
        };
        let mut all = std::mem::take(queue).into_vec();
        all.clear();
        all.extend(
            (0..faces.next.len() as u32).filter(|&h| level(faces, h)).map(|h| faces.rank(h)),
        );
        *queue = BinaryHeap::from(all);
        let mut merged = false;
        while let Some(entry) = queue.pop() {
            let h = entry.1.0.2;
            if !level(faces, h) || faces.rank(h) != entry {
                continue;
            }
            if let Some(slab) = faces.union_across(h) {
                faces.dissolve(h, slab, &mut |faces, h| queue.push(faces.rank(h)));
                merged = true;
            }
        }
        // Another round only matters where a polygon lost corners and so came below the greatest
        // number of corners, or ground became flatter.
        if !merged || faces.can_all_be_one() {
            return;
        }
    }
}

/// Writes the faces that are left. A face that kept its number keeps its height mesh.
pub(crate) fn polygons(before: &PolygonMesh, faces: &Faces) -> Patch {
    // Each face's half-edges, one face after the other.
    let mut edges: Vec<u32> = vec![];
    // The first two corners, where the half-edges begin, how many they are, face.
    let mut order: Vec<(u64, usize, u32, u32)> = vec![];
    for face in 0..faces.edge_of.len() as u32 {
        let begin = edges.len();
        edges.extend(faces.around(face));
        let ring = &mut edges[begin..];
        if ring.is_empty() {
            continue;
        }
        let first = faces.begin(face);
        let turn = ring.iter().position(|&h| h == first).unwrap_or(0);
        ring.rotate_left(turn);
        let two = ring.iter().take(2);
        let two = two.fold(0, |all, &h| all << 32 | u64::from(faces.origin[h as usize]));
        order.push((two, begin, ring.len() as u32, face));
    }
    let ring = |&(_, begin, n, _): &(u64, usize, u32, u32)| {
        edges[begin..begin + n as usize].iter().map(|&h| faces.origin[h as usize])
    };
    order.sort_unstable_by(|a, b| {
        let rest = || ring(a).cmp(ring(b));
        a.0.cmp(&b.0).then_with(rest).then_with(|| a.3.cmp(&b.3))
    });

    let mut number = vec![NONE; faces.edge_of.len()];
    let mut used = vec![NONE; faces.vertices.len()];
    for (p, entry) in order.iter().enumerate() {
        number[entry.3 as usize] = p as u32;
        ring(entry).for_each(|v| used[v as usize] = 0);
    }
    let mut mesh = PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() };
    for (v, slot) in used.iter_mut().enumerate() {
        if *slot != NONE {
            *slot = mesh.vertices.len() as u32;
            mesh.vertices.push(faces.vertices[v]);
        }
    }
    let mut open = Vec::with_capacity(edges.len());
    for entry in &order {
        mesh.corners.extend(ring(entry).map(|v| used[v as usize]));
        for &h in &edges[entry.1..entry.1 + entry.2 as usize] {
            mesh.neighbours.push(match faces.twin[h as usize] {
                NONE => NONE,
                t => number[faces.face[t as usize] as usize],
            });
            open.push(faces.is_open(h));
        }
        mesh.first_edge.push(mesh.corners.len() as u32);
    }
    if !before.height_meshes.is_empty() {
        let own = |face: u32| match faces.is_fixed(face) {
            true => before.height_mesh_of[face as usize],
            false => NONE,
        };
        let of: Vec<u32> = order.iter().map(|entry| own(entry.3)).collect();
        mesh.set_height_meshes(&of, &before.height_meshes);
    }
    if !before.areas.is_empty() {
        mesh.set_areas(order.iter().map(|entry| faces.area(entry.3)).collect());
    }
    Patch { mesh, open }
}
