//! Polygons under merging, as a half-edge structure.
//!
//! ```text
//!         prev     origin(h)
//!   ----------->  o
//!                 | ^
//!      face(h)  h | | twin(h)    face(twin)
//!                 v |
//!                 o  ----------->
//!                     next
//! ```
//!
//! Every edge of a polygon is a half-edge; across a portal it has a twin. Merging two polygons
//! dissolves the edge between them: its two half-edges are unlinked, and one face takes the other's
//! edges. Nothing is moved in memory, so numbers of half-edges and faces stay.

mod cuts;

use navbake_geom::{Point, Point3, convex_corner, orient};

use crate::slab::Slab;
use crate::{MergeSettings, NONE, PolygonMesh};

/// A half-edge structure over convex faces.
///
/// A half-edge that is gone has `next` set to `NONE`, a face that is gone its `edge_of`.
pub(crate) struct Faces<'a> {
    pub(crate) vertices: Vec<Point3>,
    pub(crate) limit: f64,
    max_corners: u32,
    pub(crate) next: Vec<u32>,
    pub(crate) prev: Vec<u32>,
    pub(crate) twin: Vec<u32>,
    pub(crate) origin: Vec<u32>,
    pub(crate) face: Vec<u32>,
    pub(crate) edge_of: Vec<u32>,
    pub(crate) corners: Vec<u32>,
    pub(crate) slabs: Vec<Slab>,
    /// For each half-edge of the beginning: may others be joined to it? Empty for no.
    pub(crate) open: Vec<bool>,
    /// The first edge of each face: heights are a fan from its corner.
    first: &'a [u32],
    /// Faces that stay as they are.
    pub(crate) fixed: Vec<bool>,
    /// The area of each face; empty when all are of one.
    areas: Vec<u8>,
    /// Edges on lines at multiples of this are not dissolved; 0 for none.
    pub(crate) chunk: i32,
}

impl<'a> Faces<'a> {
    /// Every polygon a face.
    pub(crate) fn new(mesh: &'a PolygonMesh, settings: &MergeSettings) -> Faces<'a> {
        let limit = f64::from(settings.height_error.max(1));
        Faces::within(mesh, limit, settings.max_corners, |p| {
            let places = mesh.polygon(p).iter();
            Slab::of_polygon(places.map(|&v| mesh.vertices[v as usize]))
        })
    }

    /// The same where heights do not matter.
    pub(crate) fn flat(mesh: &'a PolygonMesh, max_corners: u32) -> Faces<'a> {
        let any = Slab::of_triangle([Point3::default(); 3]);
        Faces::within(mesh, f64::INFINITY, max_corners, |_| any.clone())
    }

    fn within(
        mesh: &'a PolygonMesh,
        limit: f64,
        max_corners: u32,
        slab: impl Fn(usize) -> Slab,
    ) -> Faces<'a> {
        let (edges, count) = (mesh.corners.len(), mesh.len());
        let mut faces = Faces {
            vertices: mesh.vertices.clone(),
            limit,
            max_corners: max_corners.max(3),
            next: Vec::with_capacity(edges),
            prev: Vec::with_capacity(edges),
            twin: Vec::with_capacity(edges),
            origin: mesh.corners.clone(),
            face: Vec::with_capacity(edges),
            edge_of: Vec::with_capacity(count),
            corners: Vec::with_capacity(count),
            slabs: Vec::with_capacity(count),
            open: vec![],
            first: &mesh.first_edge,
            fixed: vec![false; count],
            areas: mesh.areas.clone(),
            chunk: 0,
        };
        for p in 0..count {
            let range = mesh.edges(p);
            let (first, n) = (range.start as u32, range.len() as u32);
            faces.edge_of.push(first);
            faces.corners.push(n);
            faces.slabs.push(slab(p));
            for k in 0..n {
                faces.next.push(first + (k + 1) % n);
                faces.prev.push(first + (k + n - 1) % n);
                faces.face.push(p as u32);
                let twin = mesh.twin(p, (first + k) as usize);
                faces.twin.push(twin.map_or(NONE, |g| g as u32));
            }
        }
        faces
    }

    /// Would all faces together be allowed as far as heights and the number of corners go?
    pub(crate) fn can_all_be_one(&self) -> bool {
        // A polygon has a vertex once.
        self.limit == f64::INFINITY && self.vertices.len() <= self.max_corners as usize
    }

    /// Is the half-edge marked as one that others may be joined to?
    pub(crate) fn is_open(&self, h: u32) -> bool {
        self.open.get(h as usize) == Some(&true)
    }

    /// Is the face marked as one that stays as it is?
    pub(crate) fn is_fixed(&self, face: u32) -> bool {
        self.fixed.get(face as usize) == Some(&true)
    }

    fn target(&self, h: u32) -> u32 {
        self.origin[self.next[h as usize] as usize]
    }

    pub(crate) fn from(&self, h: u32) -> Point {
        self.vertices[self.origin[h as usize] as usize].flat()
    }

    pub(crate) fn to(&self, h: u32) -> Point {
        self.vertices[self.target(h) as usize].flat()
    }

    pub(crate) fn is_live(&self, h: u32) -> bool {
        self.next[h as usize] != NONE
    }

    /// The area of a face.
    pub(crate) fn area(&self, face: u32) -> u8 {
        self.areas.get(face as usize).copied().unwrap_or(0)
    }

    /// Is the edge on a line between chunks?
    fn is_between_chunks(&self, h: u32) -> bool {
        if self.chunk == 0 {
            return false;
        }
        let (a, b) = (self.from(h), self.to(h));
        let on = |a: i32, b: i32| a == b && a % self.chunk == 0;
        on(a.x, b.x) || on(a.z, b.z)
    }

    /// Does the edge lead to another face of the same area at one height, in the same chunk?
    pub(crate) fn is_level_portal(&self, h: u32) -> bool {
        let t = self.twin[h as usize];
        t != NONE
            && !self.is_between_chunks(h)
            && self.area(self.face[h as usize]) == self.area(self.face[t as usize])
            && self.origin[h as usize] == self.target(t)
            && self.target(h) == self.origin[t as usize]
    }

    /// Squared length seen from above, then the vertices: the order in which edges are dissolved,
    /// the greatest first.
    pub(crate) fn rank(&self, h: u32) -> (i64, std::cmp::Reverse<(u32, u32, u32)>) {
        let (a, b) = (self.from(h), self.to(h));
        let (dx, dz) = (i64::from(a.x) - i64::from(b.x), i64::from(a.z) - i64::from(b.z));
        let (u, v) = (self.origin[h as usize], self.target(h));
        (dx * dx + dz * dz, std::cmp::Reverse((u.min(v), u.max(v), h)))
    }

    /// The half-edges of a face.
    pub(crate) fn around(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.edge_of[face as usize];
        std::iter::successors((first != NONE).then_some(first), move |&h| {
            let next = self.next[h as usize];
            (next != first).then_some(next)
        })
    }

    fn places(&self, face: u32) -> impl Iterator<Item = Point3> + Clone + '_ {
        let first = self.edge_of[face as usize];
        std::iter::successors(Some(first), move |&h| {
            let next = self.next[h as usize];
            (next != first).then_some(next)
        })
        .map(|h| self.vertices[self.origin[h as usize] as usize])
    }

    /// Is the corner between the consecutive edges `p` and `q`, which are on one line, not needed?
    ///
    /// That is so when both are border, or when one other face is along both and can do without it.
    fn is_idle(&self, p: u32, q: u32) -> bool {
        let (tp, tq) = (self.twin[p as usize], self.twin[q as usize]);
        match (tp, tq) {
            // Corners of seams give its slope, and both sides must keep it.
            (NONE, NONE) => !self.is_open(p) && !self.is_open(q),
            (NONE, _) | (_, NONE) => false,
            _ => self.next[tq as usize] == tp && self.can_spare(tp),
        }
    }

    /// Are the heights of its face the same, as far as they have to be, without the straight corner
    /// where `h` begins? A flat one's are. Another's corner must be on the line between the two
    /// beside it, and must not be the fan's apex.
    fn can_spare(&self, h: u32) -> bool {
        let face = self.face[h as usize];
        if self.is_fixed(face) {
            return false;
        }
        if self.slabs[face as usize].thickness() <= self.limit {
            return true;
        }
        let at = |v: u32| self.vertices[v as usize];
        let before = at(self.origin[self.prev[h as usize] as usize]);
        let (corner, after) = (at(self.origin[h as usize]), at(self.target(h)));
        let apart = |a: i32, b: i32| i64::from(b) - i64::from(a);
        let along = |p: Point3, q: Point3| [apart(p.x, q.x), apart(p.z, q.z)];
        let (part, whole) = (along(before, corner), along(before, after));
        let axis = usize::from(whole[0].abs() < whole[1].abs());
        let rise = apart(before.y, after.y) * part[axis];
        let off = apart(before.y, corner.y) * whole[axis] - rise;
        off == 0 && self.first.get(face as usize) != Some(&h)
    }

    /// Drops straight corners that are not needed, so that a chain of portals between two faces is
    /// one portal.
    pub(crate) fn drop_corners(&mut self) {
        for q in 0..self.next.len() as u32 {
            if self.is_live(q) && self.can_spare(q) {
                self.drop_corner(self.prev[q as usize], q, &mut |_, _| {});
            }
        }
    }

    /// The first half-edge of a face: the original one when its heights depend on it, else the one
    /// from its least vertex.
    pub(crate) fn begin(&self, face: u32) -> u32 {
        let first = self.first.get(face as usize).copied().unwrap_or(NONE);
        let own = first != NONE && self.is_live(first) && self.face[first as usize] == face;
        if own && (self.is_fixed(face) || self.slabs[face as usize].thickness() > self.limit) {
            return first;
        }
        self.around(face).min_by_key(|&h| self.origin[h as usize]).unwrap_or(NONE)
    }

    /// The slab of the union across `h`, when that union is allowed: level portal, convex, not too
    /// many corners, flat enough.
    pub(crate) fn union_across(&self, h: u32) -> Option<Slab> {
        let t = self.twin[h as usize];
        if !self.is_level_portal(h) {
            return None;
        }
        let (a, b) = (self.face[h as usize], self.face[t as usize]);
        if a == b || self.is_fixed(a) || self.is_fixed(b) {
            return None;
        }
        let mut count = self.corners[a as usize] + self.corners[b as usize] - 2;
        for (h, t) in [(h, t), (t, h)] {
            // The corner where `h` begins: in along p, out along q.
            let (p, q) = (self.prev[h as usize], self.next[t as usize]);
            let (before, corner, after) = (self.from(p), self.from(h), self.to(q));
            if !convex_corner(before, corner, after) {
                return None;
            }
            if orient(before, corner, after) == 0 && self.is_idle(p, q) {
                count -= 1;
            }
        }
        if count > self.max_corners {
            return None;
        }
        self.common_slab(a, b)
    }

    /// Could the faces on both sides of `h` be one, as far as the corners where it begins and ends
    /// go, if those of its own face had any angle?
    pub(crate) fn may_unite(&self, h: u32) -> [bool; 3] {
        let t = self.twin[h as usize];
        let leads = self.is_level_portal(h)
            && self.face[h as usize] != self.face[t as usize]
            && !self.is_fixed(self.face[t as usize]);
        if !leads {
            return [false; 3];
        }
        let begins = self.turns_left(self.prev[h as usize], self.next[t as usize]);
        let ends = self.turns_left(self.prev[t as usize], self.next[h as usize]);
        [true, begins, ends]
    }

    /// The slab of two faces, when it is thin enough.
    fn common_slab(&self, a: u32, b: u32) -> Option<Slab> {
        let (own, other) = (&self.slabs[a as usize], &self.slabs[b as usize]);
        if self.limit == f64::INFINITY {
            return Some(own.clone());
        }
        let slab = own.union(self.places(a), other, self.places(b));
        (slab.thickness() <= self.limit).then_some(slab)
    }

    /// Dissolves the edge `h`, which [`Faces::union_across`] allowed.
    ///
    /// Calls `grown` for edges that became longer by the loss of a corner.
    pub(crate) fn dissolve(&mut self, h: u32, slab: Slab, grown: &mut impl FnMut(&Self, u32)) {
        let t = self.twin[h as usize];
        let (mut keep, mut lose) = (self.face[h as usize], self.face[t as usize]);
        if self.corners[keep as usize] < self.corners[lose as usize] {
            std::mem::swap(&mut keep, &mut lose);
        }
        let mut e = self.edge_of[lose as usize];
        for _ in 0..self.corners[lose as usize] {
            self.face[e as usize] = keep;
            e = self.next[e as usize];
        }
        self.edge_of[lose as usize] = NONE;
        self.corners[keep as usize] += self.corners[lose as usize] - 2;
        self.slabs[keep as usize] = slab;
        let joints = [
            (self.prev[h as usize], self.next[t as usize]),
            (self.prev[t as usize], self.next[h as usize]),
        ];
        for (p, q) in joints {
            self.chain(p, q);
            self.edge_of[keep as usize] = p;
        }
        self.next[h as usize] = NONE;
        self.next[t as usize] = NONE;
        for (p, q) in joints {
            // The first joint may have swallowed an edge of the second: a triangle is left then,
            // and its corners are no joints.
            if self.is_live(p) && self.is_live(q) && self.next[p as usize] == q {
                self.drop_corner(p, q, grown);
            }
        }
    }

    fn chain(&mut self, p: u32, q: u32) {
        self.next[p as usize] = q;
        self.prev[q as usize] = p;
    }

    /// Drops the corner between `p` and `q` when it is straight and idle.
    fn drop_corner(&mut self, p: u32, q: u32, grown: &mut impl FnMut(&Self, u32)) {
        if orient(self.from(p), self.from(q), self.to(q)) != 0 || !self.is_idle(p, q) {
            return;
        }
        let (tp, tq) = (self.twin[p as usize], self.twin[q as usize]);
        self.swallow(p, q);
        if tp != NONE {
            self.swallow(tq, tp);
            self.twin[p as usize] = tq;
            self.twin[tq as usize] = p;
            grown(self, p.min(tq));
        }
    }

    /// Lets the edge `p` go on over the edge `q` after it.
    fn swallow(&mut self, p: u32, q: u32) {
        let face = self.face[p as usize] as usize;
        let after = self.next[q as usize];
        self.chain(p, after);
        self.next[q as usize] = NONE;
        self.edge_of[face] = p;
        self.corners[face] -= 1;
        self.slabs[face].forget_corner();
    }
}
