//! Moving the cuts between faces.

use navbake_geom::{Point3, convex_corner, orient};

use super::Faces;
use crate::NONE;
use crate::slab::Slab;

/// What [`Faces::part`] needs to take [`Faces::unite`] back.
pub(crate) struct United {
    lost: u32,
    edges: [u32; 2],
    corners: u32,
    slab: Slab,
}

impl Faces<'_> {
    /// Cuts a face from the corner where `h` begins to the corner where `g` begins.
    ///
    /// The new face holds the edges from `h` up to `g`. Gives the slab of the whole.
    pub(crate) fn split(&mut self, h: u32, g: u32) -> Slab {
        let old = self.face[h as usize];
        let new = self.edge_of.len() as u32;
        let (there, back) = (self.next.len() as u32, self.next.len() as u32 + 1);
        let (before_h, before_g) = (self.prev[h as usize], self.prev[g as usize]);
        self.next.extend([NONE; 2]);
        self.prev.extend([NONE; 2]);
        self.twin.extend([back, there]);
        self.origin.extend([self.origin[h as usize], self.origin[g as usize]]);
        self.face.extend([old, new]);
        self.chain(before_h, there);
        self.chain(there, g);
        self.chain(before_g, back);
        self.chain(back, h);
        self.edge_of[old as usize] = there;
        self.edge_of.push(back);
        if !self.areas.is_empty() {
            self.areas.push(self.areas[old as usize]);
        }
        // The cut crosses ground whose height the corners do not give.
        let whole = self.slabs[old as usize].clone();
        self.slabs[old as usize].forget_corner();
        self.slabs.push(self.slabs[old as usize].clone());
        let (mut e, mut count) = (h, 1);
        while e != back {
            self.face[e as usize] = new;
            count += 1;
            e = self.next[e as usize];
        }
        self.corners.push(count);
        self.corners[old as usize] += 2;
        self.corners[old as usize] -= count;
        whole
    }

    /// Takes the last [`Faces::split`] back, which gave `whole`.
    pub(crate) fn unsplit(&mut self, whole: Slab) {
        let there = self.next.len() as u32 - 2;
        let back = there + 1;
        let old = self.face[there as usize];
        let (h, g) = (self.next[back as usize], self.next[there as usize]);
        let mut e = h;
        while e != back {
            self.face[e as usize] = old;
            e = self.next[e as usize];
        }
        let (before_h, before_g) = (self.prev[there as usize], self.prev[back as usize]);
        self.chain(before_h, h);
        self.chain(before_g, g);
        self.edge_of[old as usize] = h;
        let gone = self.corners.pop().unwrap_or(2);
        self.corners[old as usize] += gone;
        self.corners[old as usize] -= 2;
        self.edge_of.pop();
        self.areas.truncate(self.edge_of.len());
        self.slabs.pop();
        self.slabs[old as usize] = whole;
        for list in
            [&mut self.next, &mut self.prev, &mut self.twin, &mut self.origin, &mut self.face]
        {
            list.truncate(there as usize);
        }
    }

    /// Puts a vertex at `place` into the edge `h`, which has nothing beyond; gives the edge from
    /// there on.
    pub(crate) fn divide(&mut self, h: u32, place: Point3) -> u32 {
        let (added, after) = (self.next.len() as u32, self.next[h as usize]);
        let face = self.face[h as usize];
        self.next.push(NONE);
        self.prev.push(NONE);
        self.twin.push(NONE);
        self.origin.push(self.vertices.len() as u32);
        self.face.push(face);
        self.vertices.push(place);
        if self.is_open(h) {
            self.open.resize(added as usize, false);
            self.open.push(true);
        }
        self.chain(h, added);
        self.chain(added, after);
        self.corners[face as usize] += 1;
        added
    }

    /// Gives the vertex that came last a height.
    pub(crate) fn raise_last(&mut self, y: i32) {
        if let Some(vertex) = self.vertices.last_mut() {
            vertex.y = y;
        }
    }

    /// Takes the last [`Faces::divide`] back, which gave `added`.
    pub(crate) fn undivide(&mut self, added: u32) {
        let (before, after) = (self.prev[added as usize], self.next[added as usize]);
        let face = self.face[added as usize] as usize;
        self.chain(before, after);
        self.edge_of[face] = before;
        self.corners[face] -= 1;
        self.vertices.pop();
        self.open.truncate(added as usize);
        for list in
            [&mut self.next, &mut self.prev, &mut self.twin, &mut self.origin, &mut self.face]
        {
            list.truncate(added as usize);
        }
    }

    /// Numbers vertices by place again, after some were added; those at one place become one.
    pub(crate) fn sort_vertices(&mut self) {
        let mut order: Vec<u32> = (0..self.vertices.len() as u32).collect();
        order.sort_by_key(|&v| self.vertices[v as usize].rank_from_above());
        let mut sorted: Vec<Point3> = Vec::with_capacity(order.len());
        let mut number = vec![NONE; order.len()];
        for v in order {
            let place = self.vertices[v as usize];
            if sorted.last() != Some(&place) {
                sorted.push(place);
            }
            number[v as usize] = sorted.len() as u32 - 1;
        }
        self.vertices = sorted;
        for v in &mut self.origin {
            *v = number[*v as usize];
        }
    }

    /// Does the path along `p` and then `q` turn counter-clockwise, or go straight on?
    pub(crate) fn turns_left(&self, p: u32, q: u32) -> bool {
        convex_corner(self.from(p), self.from(q), self.to(q))
    }

    /// Would a cut of the ground inside a ring of edges, from where the first begins to where edge
    /// `j` begins, leave corners on both sides of it that turn counter-clockwise, and not too many
    /// of them?
    pub(crate) fn cuts(&self, ring: &[u32], j: usize) -> bool {
        let (a, b) = (self.from(ring[0]), self.from(ring[j]));
        let most = j.max(ring.len() - j) + 1;
        most <= self.max_corners as usize
            && orient(self.from(ring[ring.len() - 1]), a, b) > 0
            && orient(b, a, self.to(ring[0])) > 0
            && orient(self.from(ring[j - 1]), b, a) > 0
            && orient(a, b, self.to(ring[j])) > 0
    }

    /// Makes one face of the two beside `h`, whatever its shape, as long as its ground fits into a
    /// thin enough slab. It has the number of the face of `h`.
    pub(crate) fn unite(&mut self, h: u32) -> Option<United> {
        let t = self.twin[h as usize];
        let (keep, lose) = (self.face[h as usize], self.face[t as usize]);
        if keep == lose || self.is_fixed(keep) || self.is_fixed(lose) {
            return None;
        }
        let slab = self.common_slab(keep, lose)?;
        let undo = United {
            lost: lose,
            edges: [self.edge_of[keep as usize], self.edge_of[lose as usize]],
            corners: self.corners[keep as usize],
            slab: std::mem::replace(&mut self.slabs[keep as usize], slab),
        };
        let mut e = self.next[t as usize];
        while e != t {
            self.face[e as usize] = keep;
            e = self.next[e as usize];
        }
        self.chain(self.prev[h as usize], self.next[t as usize]);
        self.chain(self.prev[t as usize], self.next[h as usize]);
        self.edge_of[keep as usize] = self.next[t as usize];
        self.edge_of[lose as usize] = NONE;
        self.corners[keep as usize] += self.corners[lose as usize] - 2;
        Some(undo)
    }

    /// Takes back [`Faces::unite`].
    pub(crate) fn part(&mut self, h: u32, undo: United) {
        let t = self.twin[h as usize];
        for h in [h, t] {
            let (before, after) = (self.prev[h as usize], self.next[h as usize]);
            self.chain(before, h);
            self.chain(h, after);
        }
        let (keep, lose) = (self.face[h as usize], undo.lost);
        let mut e = self.next[t as usize];
        while e != t {
            self.face[e as usize] = lose;
            e = self.next[e as usize];
        }
        [self.edge_of[keep as usize], self.edge_of[lose as usize]] = undo.edges;
        self.corners[keep as usize] = undo.corners;
        self.slabs[keep as usize] = undo.slab;
    }

    /// Makes [`Faces::unite`] last.
    pub(crate) fn forget(&mut self, h: u32) {
        let t = self.twin[h as usize];
        self.next[h as usize] = NONE;
        self.next[t as usize] = NONE;
    }

    /// Twice the area of a face.
    pub(crate) fn has_area(&self, face: u32) -> bool {
        let first = self.from(self.edge_of[face as usize]);
        self.around(face).any(|h| orient(first, self.from(h), self.to(h)) > 0)
    }
}
