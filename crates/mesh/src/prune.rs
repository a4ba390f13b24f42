//! Drops vertices that the ground does not need, before triangles are merged.
//!
//! These are mostly vertices of seams in the middle of flat ground. A vertex goes when its
//! triangles fit into one thin slab; the hole that they leave is triangulated again:
//!
//! ```text
//!   o---o---o        o-------o
//!   | \ | / |        | \     |
//!   o---v---o   ->   |   \   |
//!   | / | \ |        |     \ |
//!   o---o---o        o-------o
//! ```

use navbake_geom::{Point, Point3, convex_corner, in_circle, orient};

use crate::NONE;
use crate::check::first_half;
use crate::faces::Faces;
use crate::slab::Slab;

/// A vertex with more triangles around it stays.
const MOST_TRIANGLES: usize = 24;
/// Rounds over all vertices; a vertex may become droppable by another's going.
const ROUNDS: usize = 3;

/// Drops each vertex whose triangles all meet at one height, surround it or are on one side of a
/// straight border, and hold ground that is flat enough for one plane; the place is filled with
/// Delaunay ears. All faces are triangles.
pub(crate) fn prune_vertices(faces: &mut Faces) {
    let mut uses = Uses::new(faces);
    let mut star = Star::default();
    for _ in 0..ROUNDS {
        let mut dropped = false;
        for v in 0..faces.vertices.len() as u32 {
            if !star.find(faces, &uses, v) {
                continue;
            }
            if let Some(slab) = star.slab(faces, v)
                && star.plan(faces)
            {
                star.refill(faces, &mut uses, v, &slab);
                dropped = true;
            }
        }
        if !dropped {
            return;
        }
    }
}

/// For each vertex, one of the live half-edges that begin there, and how many do.
struct Uses {
    any: Vec<u32>,
    count: Vec<u32>,
}

impl Uses {
    fn new(faces: &Faces) -> Uses {
        let mut uses =
            Uses { any: vec![NONE; faces.vertices.len()], count: vec![0; faces.vertices.len()] };
        for (h, &v) in faces.origin.iter().enumerate() {
            uses.any[v as usize] = h as u32;
            uses.count[v as usize] += 1;
        }
        uses
    }
}

/// The triangles around a vertex.
#[derive(Default)]
struct Star {
    /// Half-edges out of the vertex, counter-clockwise; on a border the first runs along it.
    spokes: Vec<u32>,
    /// Is the vertex on a border?
    border: bool,
    /// The corners around it; on a border the first and the last are along it.
    link: Vec<u32>,
    /// Corners to clip, as places in what is left of the ring.
    ears: Vec<usize>,
    ring: Vec<Point>,
}

impl Star {
    /// Gathers the triangles around `v`; false when it must stay.
    fn find(&mut self, faces: &Faces, uses: &Uses, v: u32) -> bool {
        self.spokes.clear();
        self.link.clear();
        let count = uses.count[v as usize] as usize;
        if !(2..=MOST_TRIANGLES).contains(&count) {
            return false;
        }
        // Clockwise to the border, or once round.
        let start = uses.any[v as usize];
        let mut first = start;
        self.border = false;
        for _ in 0..count {
            let t = faces.twin[first as usize];
            if t == NONE {
                self.border = true;
                break;
            }
            first = faces.next[t as usize];
            if first == start {
                break;
            }
        }
        let mut h = first;
        loop {
            self.spokes.push(h);
            self.link.push(faces.origin[faces.next[h as usize] as usize]);
            let back = faces.prev[h as usize];
            h = faces.twin[back as usize];
            if h == NONE {
                self.link.push(faces.origin[back as usize]);
                break;
            }
            if h == first {
                break;
            }
            if self.spokes.len() == count {
                return false;
            }
        }
        if self.spokes.len() != count || (h == NONE) != self.border {
            return false; // the vertex is used elsewhere as well
        }
        let inner = &self.spokes[usize::from(self.border)..];
        if !inner.iter().all(|&h| faces.is_level_portal(h)) {
            return false;
        }
        let at = |i: u32| faces.vertices[i as usize];
        let centre = at(v);
        let half = |i: u32| first_half(centre, at(i));
        let mut turns = self.link.windows(2).filter(|w| !half(w[0]) && half(w[1])).count();
        let (begin, end) = (self.link[0], self.link[self.link.len() - 1]);
        if self.border {
            let (a, b, c) = (at(end).flat(), centre.flat(), at(begin).flat());
            // A straight border, and half a turn of ground, not one and a half.
            orient(a, b, c) == 0
                && convex_corner(a, b, c)
                && turns == usize::from(!half(begin))
                && count >= 2
        } else {
            turns += usize::from(!half(end) && half(begin));
            turns == 1 && count >= 3
        }
    }

    /// Plans the ears that fill the star without its centre; false when there are none.
    fn plan(&mut self, faces: &Faces) -> bool {
        self.ears.clear();
        self.ring.clear();
        self.ring.extend(self.link.iter().map(|&i| faces.vertices[i as usize].flat()));
        while self.ring.len() > 3 {
            let Some(ear) = best_ear(&self.ring) else {
                return false;
            };
            self.ears.push(ear);
            self.ring.remove(ear);
        }
        orient(self.ring[0], self.ring[1], self.ring[2]) > 0
    }

    /// The slab of the star's ground, when it is thin enough.
    fn slab(&self, faces: &Faces, v: u32) -> Option<Slab> {
        let at = |i: u32| faces.vertices[i as usize];
        let mut points: Vec<Point3> = vec![at(v), at(self.link[0])];
        let mut slab: Option<Slab> = None;
        for (&h, k) in self.spokes.iter().zip(1..) {
            let face = faces.face[h as usize];
            let own = &faces.slabs[face as usize];
            let next = at(self.link[k % self.link.len()]);
            let corners = [at(v), points[points.len() - 1], next];
            slab = Some(match slab {
                None => own.clone(),
                Some(slab) => slab.union(points.iter().copied(), own, corners.iter().copied()),
            });
            points.push(next);
            if slab.as_ref().is_some_and(|s| s.thickness() > faces.limit) {
                return None;
            }
        }
        slab
    }

    /// Replaces the triangles of the star by the planned ears.
    fn refill(&self, faces: &mut Faces, uses: &mut Uses, v: u32, slab: &Slab) {
        let mut free: Vec<u32> = vec![];
        let mut free_faces: Vec<u32> = vec![];
        let mut ring: Vec<u32> = vec![];
        for &h in &self.spokes {
            let (edge, back) = (faces.next[h as usize], faces.prev[h as usize]);
            free.extend([h, back]);
            free_faces.push(faces.face[h as usize]);
            ring.push(edge);
            uses.count[faces.origin[back as usize] as usize] -= 1;
            uses.any[faces.origin[edge as usize] as usize] = edge;
        }
        uses.count[v as usize] = 0;
        uses.any[v as usize] = NONE;
        let mut edge = |faces: &mut Faces, from: u32, twin: u32| -> u32 {
            // A star of d triangles frees 2d half-edges, and its ears need fewer.
            let h = free.pop().unwrap_or(NONE);
            faces.origin[h as usize] = from;
            faces.twin[h as usize] = twin;
            uses.count[from as usize] += 1;
            uses.any[from as usize] = h;
            h
        };
        if self.border {
            let last = self.link[self.link.len() - 1];
            ring.push(edge(faces, last, NONE));
        }
        let mut triangle = |faces: &mut Faces, [p, q, r]: [u32; 3]| {
            let face = free_faces.pop().unwrap_or(NONE);
            for (from, to) in [(p, q), (q, r), (r, p)] {
                faces.next[from as usize] = to;
                faces.prev[to as usize] = from;
                faces.face[from as usize] = face;
            }
            faces.edge_of[face as usize] = p;
            let corners = [p, q, r].map(|h| faces.vertices[faces.origin[h as usize] as usize]);
            faces.slabs[face as usize] = slab.under(corners);
        };
        for &ear in &self.ears {
            let n = ring.len();
            let before = (ear + n - 1) % n;
            let (p, q) = (ring[before], ring[ear]);
            let after = faces.origin[ring[(ear + 1) % n] as usize];
            let inner = edge(faces, after, NONE);
            let outer = edge(faces, faces.origin[p as usize], inner);
            faces.twin[inner as usize] = outer;
            triangle(faces, [p, q, inner]);
            ring[before] = outer;
            ring.remove(ear);
        }
        triangle(faces, [ring[0], ring[1], ring[2]]);
        for h in free {
            faces.next[h as usize] = NONE;
        }
        for face in free_faces {
            faces.edge_of[face as usize] = NONE;
            faces.corners[face as usize] = 0;
        }
    }
}

/// The corner of a simple ring to clip: one whose triangle is inside and whose circle holds no
/// other corner; else any that is inside.
fn best_ear(ring: &[Point]) -> Option<usize> {
    let n = ring.len();
    let mut any = None;
    for k in 0..n {
        let (a, b, c) = (ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]);
        if orient(a, b, c) <= 0 {
            continue;
        }
        let others = || (2..n - 1).map(|i| ring[(k + i) % n]);
        let inside =
            |p: Point| orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0;
        if others().any(inside) {
            continue;
        }
        if others().all(|p| in_circle(a, b, c, p) <= 0) {
            return Some(k);
        }
        any = any.or(Some(k));
    }
    any
}
