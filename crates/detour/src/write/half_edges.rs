//! Convex polygons that share edges, as half-edges: they are cut without T-junctions.
//!
//! A vertex that a cut puts on an edge is put on both polygons at once, so the polygons on both
//! sides of an edge always have the same two ends.

use navbake_draw::Surface;
use navbake_format::{NavMesh, PolyId};

/// No half-edge beyond: a wall.
pub(crate) const NONE: u32 = u32::MAX;

/// The edge of a polygon, from its origin to the origin of the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    pub(crate) origin: u32,
    pub(crate) next: u32,
    pub(crate) before: u32,
    /// The same edge of the polygon beyond, or [`NONE`].
    pub(crate) twin: u32,
    pub(crate) face: u32,
}

/// A convex polygon, part of one of the navmesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// One of its half-edges.
    pub(crate) first: u32,
    /// The polygon of the navmesh that it is part of.
    pub(crate) source: u32,
    /// Was it changed since it was looked at?
    pub(crate) changed: bool,
}

/// The polygons of a navmesh while they are cut; y-up metres.
#[derive(Clone)]
pub(crate) struct HalfEdges<'a> {
    mesh: NavMesh<'a>,
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) halves: Vec<Half>,
    pub(crate) faces: Vec<Face>,
}

/// Twice the area of a triangle in the ground plane, above zero where its normal points up.
pub(crate) fn doubled([a, b, c]: [[f64; 3]; 3]) -> f64 {
    (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2])
}

impl<'a> HalfEdges<'a> {
    /// The polygons of a navmesh.
    pub(crate) fn new(mesh: &NavMesh<'a>, surface: &Surface) -> HalfEdges<'a> {
        let vertices = surface.vertices.clone();
        let mut out = HalfEdges { mesh: *mesh, vertices, halves: vec![], faces: vec![] };
        for polygon in mesh.polygons() {
            let (first, n) = (out.halves.len() as u32, polygon.len());
            for k in 0..n {
                let twin = polygon.across(k).map(|(beyond, edge)| mesh.polygon(beyond).edge(edge));
                out.halves.push(Half {
                    origin: polygon.vertex(k).0,
                    next: first + (k + 1) % n,
                    before: first + (k + n - 1) % n,
                    twin: twin.map_or(NONE, |edge| edge.0),
                    face: polygon.id().0,
                });
            }
            out.faces.push(Face { first, source: polygon.id().0, changed: true });
        }
        out
    }

    pub(crate) fn half(&self, h: u32) -> Half {
        self.halves[h as usize]
    }

    /// Where a half-edge begins.
    pub(crate) fn at(&self, h: u32) -> [f64; 3] {
        self.vertices[self.half(h).origin as usize]
    }

    /// The half-edges of a polygon in order, from its first one on.
    pub(crate) fn border(&self, face: u32) -> Vec<u32> {
        let first = self.faces[face as usize].first;
        let mut all = vec![first];
        let mut h = self.half(first).next;
        while h != first {
            all.push(h);
            h = self.half(h).next;
        }
        all
    }

    /// The corners of a polygon.
    pub(crate) fn ring(&self, face: u32) -> Vec<[f64; 3]> {
        self.border(face).into_iter().map(|h| self.at(h)).collect()
    }

    /// Puts a vertex on an edge, in the polygons on both sides.
    ///
    /// `place` is in the ground plane, `share` how far along the edge it is. Where the ground of
    /// both sides has two heights, each gets a vertex of its own.
    fn split_edge(&mut self, h: u32, place: [f64; 2], share: f64) {
        let y = self.height_on(h, place, share);
        let vertex = self.push_vertex([place[0], y, place[1]]);
        let twin = self.half(h).twin;
        let y_beyond = if twin == NONE { y } else { self.height_on(twin, place, 1.0 - share) };
        let after = self.insert(h, vertex);
        if twin == NONE {
            return;
        }
        let own = match y == y_beyond {
            true => vertex,
            false => self.push_vertex([place[0], y_beyond, place[1]]),
        };
        let after_twin = self.insert(twin, own);
        self.pair(h, after_twin);
        self.pair(after, twin);
    }

    /// The height of a polygon's ground on one of its edges, m.
    fn height_on(&self, h: u32, place: [f64; 2], share: f64) -> f64 {
        let half = self.half(h);
        let polygon = self.mesh.polygon(PolyId(self.faces[half.face as usize].source));
        let Some(detail) = polygon.detail() else {
            let [a, b] =
                [half.origin, self.half(half.next).origin].map(|v| self.vertices[v as usize][1]);
            return a + (b - a) * share;
        };
        let grid = self.mesh.grid();
        let [x, z] = [0, 1].map(|k| (place[k] - grid.origin[2 * k]) * grid.units());
        grid.metres([x, detail.height([x, z]), z])[1]
    }

    fn push_vertex(&mut self, at: [f64; 3]) -> u32 {
        self.vertices.push(at);
        self.vertices.len() as u32 - 1
    }

    /// A new half-edge from a vertex, after `h` in its polygon.
    fn insert(&mut self, h: u32, origin: u32) -> u32 {
        let (new, half) = (self.halves.len() as u32, self.half(h));
        self.halves.push(Half { origin, next: half.next, before: h, twin: NONE, face: half.face });
        self.halves[half.next as usize].before = new;
        self.halves[h as usize].next = new;
        self.faces[half.face as usize].changed = true;
        new
    }

    fn pair(&mut self, a: u32, b: u32) {
        self.halves[a as usize].twin = b;
        self.halves[b as usize].twin = a;
    }

    /// Cuts a polygon in two from the origin of one of its half-edges to that of another.
    pub(crate) fn split_face(&mut self, one: u32, other: u32) {
        let face = self.half(one).face;
        let new_face = self.faces.len() as u32;
        let (ends, there) = (self.half(other).before, self.half(one).before);
        let across = self.halves.len() as u32;
        let back = across + 1;
        let origins = [one, other].map(|h| self.half(h).origin);
        self.halves.push(Half { origin: origins[0], next: other, before: there, twin: back, face });
        self.halves.push(Half {
            origin: origins[1],
            next: one,
            before: ends,
            twin: across,
            face: new_face,
        });
        self.halves[other as usize].before = across;
        self.halves[there as usize].next = across;
        self.halves[one as usize].before = back;
        self.halves[ends as usize].next = back;
        let source = self.faces[face as usize].source;
        self.faces[face as usize] = Face { first: across, source, changed: true };
        self.faces.push(Face { first: back, source, changed: true });
        for h in self.border(new_face) {
            self.halves[h as usize].face = new_face;
        }
    }

    /// Cuts a polygon along the line where coordinate `axis` (0 or 2) is `c`. Was there a cut?
    ///
    /// Vertices within `near` of the line are on it, so that no part is thinner.
    pub(crate) fn cut(&mut self, face: u32, axis: usize, c: f64, near: f64) -> bool {
        let beside = |at: [f64; 3]| {
            let d = at[axis] - c;
            if d.abs() < near { 0 } else { d.signum() as i32 }
        };
        let border = self.border(face);
        let sides: Vec<i32> = border.iter().map(|&h| beside(self.at(h))).collect();
        if !(sides.contains(&1) && sides.contains(&-1)) {
            return false;
        }
        for (k, &h) in border.iter().enumerate() {
            let next = (k + 1) % border.len();
            if sides[k] * sides[next] < 0 {
                // From the lesser end on, so that both polygons would get the same place.
                let (a, b) = (self.at(h), self.at(border[next]));
                let (lo, hi) = if a[axis] < b[axis] { (a, b) } else { (b, a) };
                let share = (c - lo[axis]) / (hi[axis] - lo[axis]);
                let other = 2 - axis;
                let mut place = [0.0; 2];
                place[axis / 2] = c;
                place[other / 2] = lo[other] + (hi[other] - lo[other]) * share;
                let share = if a[axis] < b[axis] { share } else { 1.0 - share };
                self.split_edge(h, place, share);
            }
        }
        let mut on: Vec<u32> = self.border(face);
        on.retain(|&h| beside(self.at(h)) == 0);
        let along = |h: u32| self.at(h)[2 - axis];
        let least = on.iter().copied().min_by(|&a, &b| along(a).total_cmp(&along(b)));
        let greatest = on.iter().copied().max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let (Some(one), Some(other)) = (least, greatest) else { return false };
        if one == other || self.half(one).next == other || self.half(other).next == one {
            return false;
        }
        self.split_face(one, other);
        true
    }

    /// Removes corners that no polygon needs: those between the same two polygons, of which Detour
    /// would cross the first edge only, and those on straight walls.
    pub(crate) fn remove_needless_corners(&mut self) {
        for face in 0..self.faces.len() as u32 {
            let mut border = self.border(face);
            let mut k = 0;
            while border.len() > 3 && k < border.len() {
                let (h, after) = (border[k], border[(k + 1) % border.len()]);
                if self.is_needless(h, after) {
                    self.remove(h, after);
                    border = self.border(face);
                    k = 0;
                } else {
                    k += 1;
                }
            }
        }
    }

    /// Is the corner between two half-edges of a polygon needless?
    fn is_needless(&self, h: u32, after: u32) -> bool {
        let [one, two] = [h, after].map(|h| self.half(h));
        if one.twin == NONE || two.twin == NONE {
            let corners = [self.at(h), self.at(after), self.at(two.next)];
            return one.twin == two.twin && doubled(corners) == 0.0;
        }
        // A triangle beyond keeps its corners.
        let beyond = self.half(two.twin);
        let third = self.half(self.half(beyond.next).next);
        beyond.next == one.twin && third.next != two.twin
    }

    fn remove(&mut self, h: u32, after: u32) {
        let [one, two] = [h, after].map(|h| self.half(h));
        self.halves[h as usize].next = two.next;
        self.halves[two.next as usize].before = h;
        self.faces[one.face as usize].first = h;
        if one.twin != NONE {
            // Beyond, the twin of the second edge comes first.
            let last = self.half(one.twin);
            self.halves[two.twin as usize].next = last.next;
            self.halves[last.next as usize].before = two.twin;
            self.faces[last.face as usize].first = two.twin;
            self.pair(h, two.twin);
        }
    }
}
