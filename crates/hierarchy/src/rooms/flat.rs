//! The ground as triangles that know their neighbours, seen from above.
//!
//! It may overlap itself: triangles know each other by their edges alone.
//!
//! Corners of polygons that no wall touches say nothing about how wide the ground is, so they are
//! taken out; then edges are flipped until they are Delaunay (Lawson, Transforming triangulations,
//! 1972), which needs no more than the two triangles of an edge and so goes over storeys too. All
//! predicates are exact.

use navbake_geom::{Point, along, in_circle, orient};
use navbake_mesh::{NONE, PolygonMesh};

/// Triangles as half-edges: triangle `t` has `3 t` to `3 t + 2`, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    /// Where each begins.
    pub(super) at: Vec<Point>,
    /// The same edge seen from beyond; [`NONE`] at walls.
    pub(super) twin: Vec<u32>,
    /// The edge of the navmesh along a wall; [`NONE`] within the ground.
    pub(super) wall: Vec<u32>,
    /// Where changes are watched: how many corners had been put on walls when each triangle
    /// changed, and by now, counted from 1.
    changed: Vec<u32>,
    now: u32,
}

/// The half-edge after this one in its triangle.
pub(super) fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

/// The one before.
pub(super) fn prev(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

impl Flat {
    /// The Delaunay triangles of a navmesh between its walls.
    pub(super) fn new(mesh: &PolygonMesh) -> Flat {
        Flat::among(mesh, |_| true, |_| false)
    }

    /// The same of some polygons, with some more edges as walls.
    pub(super) fn among(
        mesh: &PolygonMesh,
        has: impl Fn(usize) -> bool,
        is_wall: impl Fn(usize) -> bool,
    ) -> Flat {
        let mut flat = Flat::polygons_in_triangles(mesh, has, is_wall);
        flat.take_out_inner();
        let all: Vec<u32> = (0..flat.at.len() as u32).collect();
        flat.legalize(all);
        flat
    }

    /// Starts recording which triangles change.
    pub(super) fn watch(&mut self) {
        self.now = 1;
        self.changed = vec![1; self.triangles()];
    }

    /// How many corners have been put on walls, counted from 1.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// When the triangle of a half-edge, or one beside it, changed last.
    pub(super) fn last_change(&self, h: u32) -> u32 {
        let at = |t: u32| self.changed[t as usize];
        let beside = [next(h), prev(h)].map(|e| self.beyond(e).map_or(0, at));
        at(h / 3).max(beside[0]).max(beside[1])
    }

    fn change(&mut self, t: u32) {
        if let Some(changed) = self.changed.get_mut(t as usize) {
            *changed = self.now;
        }
    }

    pub(super) fn triangles(&self) -> usize {
        self.at.len() / 3
    }

    /// Where the half-edge ends.
    pub(super) fn end(&self, h: u32) -> Point {
        self.at[next(h) as usize]
    }

    /// Its length, squared.
    pub(super) fn square(&self, h: u32) -> i64 {
        square(self.at[h as usize], self.end(h))
    }

    /// The corner of its triangle that it does not touch.
    pub(super) fn apex(&self, h: u32) -> Point {
        self.at[prev(h) as usize]
    }

    /// Twice the area of a triangle.
    pub(super) fn area_doubled(&self, t: u32) -> i64 {
        let h = 3 * t;
        orient(self.at[h as usize], self.end(h), self.apex(h))
    }

    /// The triangle beyond.
    pub(super) fn beyond(&self, h: u32) -> Option<u32> {
        match self.twin[h as usize] {
            NONE => None,
            g => Some(g / 3),
        }
    }

    /// The wall that begins where the half-edge does, on the right of it as one looks along: the
    /// next one around clockwise. `None` for corners that no wall touches.
    pub(super) fn wall_from(&self, h: u32) -> Option<u32> {
        let mut at = h;
        for _ in 0..self.at.len() {
            match self.twin[at as usize] {
                NONE => return Some(at),
                g => at = next(g),
            }
            if at == h {
                return None;
            }
        }
        None
    }

    fn polygons_in_triangles(
        mesh: &PolygonMesh,
        has: impl Fn(usize) -> bool,
        is_wall: impl Fn(usize) -> bool,
    ) -> Flat {
        let mut flat = Flat::default();
        let flat_at = |v: u32| mesh.vertices[v as usize].flat();
        // The half-edge of each edge of the navmesh.
        let mut of_edge = vec![NONE; mesh.corners.len()];
        for p in (0..mesh.len()).filter(|&p| has(p)) {
            let edges = mesh.edges(p);
            let points: Vec<Point> = mesh.polygon(p).iter().map(|&v| flat_at(v)).collect();
            let tags: Vec<u32> = edges.clone().map(|e| e as u32).collect();
            let Some(made) = ears(&points) else { continue };
            let base = flat.at.len() as u32;
            let mut inner: Vec<(usize, usize, u32)> = vec![];
            for (i, t) in made.iter().enumerate() {
                for k in 0..3 {
                    let (a, b) = (t[k], t[(k + 1) % 3]);
                    let h = base + 3 * i as u32 + k as u32;
                    flat.at.push(points[a]);
                    flat.twin.push(NONE);
                    flat.wall.push(NONE);
                    if b == (a + 1) % points.len() {
                        of_edge[tags[a] as usize] = h;
                    } else if let Some(found) = inner.iter().position(|&(c, d, _)| (c, d) == (b, a))
                    {
                        let (.., g) = inner.swap_remove(found);
                        flat.join(h, g);
                    } else {
                        inner.push((a, b, h));
                    }
                }
            }
        }
        for p in 0..mesh.len() {
            for e in mesh.edges(p) {
                let h = of_edge[e];
                if h == NONE {
                    continue;
                }
                let twin = mesh.twin(p, e).filter(|_| !is_wall(e));
                let other = twin.map_or(NONE, |f| of_edge[f]);
                flat.twin[h as usize] = other;
                if other == NONE {
                    flat.wall[h as usize] = e as u32;
                }
            }
        }
        flat
    }

    fn join(&mut self, h: u32, g: u32) {
        self.twin[h as usize] = g;
        self.twin[g as usize] = h;
    }

    /// Takes out the corners that no wall touches: the triangles around one are cut anew without
    /// it.
    fn take_out_inner(&mut self) {
        let mut dead = vec![false; self.triangles()];
        for h in 0..self.at.len() as u32 {
            if !dead[h as usize / 3] {
                self.take_out(h, &mut dead);
            }
        }
        // What is left moves together.
        let mut place = vec![NONE; dead.len()];
        let live = place.iter_mut().zip(&dead).filter(|(_, dead)| !**dead);
        for (number, (slot, _)) in (0u32..).zip(live) {
            *slot = number;
        }
        let mut left = Flat::default();
        for h in (0..self.at.len()).filter(|h| !dead[h / 3]) {
            left.at.push(self.at[h]);
            left.wall.push(self.wall[h]);
            left.twin.push(match self.twin[h] {
                NONE => NONE,
                g => 3 * place[g as usize / 3] + g % 3,
            });
        }
        *self = left;
    }

    fn take_out(&mut self, first: u32, dead: &mut [bool]) {
        let mut around = vec![];
        let mut h = first;
        loop {
            around.push(h);
            h = match self.twin[prev(h) as usize] {
                NONE => return,
                g => g,
            };
            if h == first {
                break;
            }
            if around.len() > MOST_AROUND {
                return;
            }
        }
        let links: Vec<u32> = around.iter().map(|&h| next(h)).collect();
        let points: Vec<Point> = links.iter().map(|&h| self.at[h as usize]).collect();
        // A triangle twice around the corner is beyond what is done here.
        let mut triangles: Vec<u32> = around.iter().map(|h| h / 3).collect();
        triangles.sort_unstable();
        if triangles.windows(2).any(|w| w[0] == w[1]) || points.len() < 3 {
            return;
        }
        let Some(made) = ears(&points) else { return };
        let outer: Vec<(u32, u32)> =
            links.iter().map(|&h| (self.twin[h as usize], self.wall[h as usize])).collect();
        // An edge of the ring that is the ring's own on both sides moves with its triangle.
        let ring_of = |g: u32| links.iter().position(|&l| l == g);
        let outer_ring: Vec<Option<usize>> = outer.iter().map(|&(g, _)| ring_of(g)).collect();
        let mut slot_of = vec![NONE; points.len()];
        let mut inner: Vec<(usize, usize, u32)> = vec![];
        for (i, t) in made.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                let h = 3 * triangles[i] + k as u32;
                self.at[h as usize] = points[a];
                self.wall[h as usize] = NONE;
                self.twin[h as usize] = NONE;
                if b == (a + 1) % points.len() {
                    slot_of[a] = h;
                } else if let Some(found) = inner.iter().position(|&(c, d, _)| (c, d) == (b, a)) {
                    let (.., g) = inner.swap_remove(found);
                    self.join(h, g);
                } else {
                    inner.push((a, b, h));
                }
            }
        }
        for (a, &(g, wall)) in outer.iter().enumerate() {
            let h = slot_of[a];
            self.wall[h as usize] = wall;
            match (g, outer_ring[a]) {
                (NONE, _) => {}
                (_, Some(b)) => self.twin[h as usize] = slot_of[b],
                (g, None) => self.join(h, g),
            }
        }
        for &t in &triangles[made.len()..] {
            dead[t as usize] = true;
        }
    }

    /// Flips edges until all that can be reached from these are Delaunay.
    pub(super) fn legalize(&mut self, mut stack: Vec<u32>) {
        while let Some(h) = stack.pop() {
            let g = self.twin[h as usize];
            if g == NONE || g / 3 == h / 3 {
                continue;
            }
            let [p, q] = [self.at[h as usize], self.at[g as usize]];
            let [r, s] = [self.apex(h), self.apex(g)];
            if in_circle(p, q, r, s) <= 0 || orient(p, s, r) <= 0 || orient(q, r, s) <= 0 {
                continue;
            }
            self.flip(h);
            stack.extend([h, prev(h), g, prev(g)]);
        }
    }

    /// Turns the edge of two triangles that are convex together.
    fn flip(&mut self, h: u32) {
        let g = self.twin[h as usize];
        self.change(h / 3);
        self.change(g / 3);
        let (n1, n2) = (next(h), next(g));
        let (r, s) = (self.apex(h), self.apex(g));
        let (over1, over2) = (self.twin[n1 as usize], self.twin[n2 as usize]);
        let (wall1, wall2) = (self.wall[n1 as usize], self.wall[n2 as usize]);
        self.at[n1 as usize] = s;
        self.at[n2 as usize] = r;
        // The edges that change sides.
        for (slot, over, wall) in [(h, over2, wall2), (g, over1, wall1)] {
            self.wall[slot as usize] = wall;
            self.twin[slot as usize] = over;
            if over != NONE {
                self.twin[over as usize] = slot;
            }
        }
        self.wall[n1 as usize] = NONE;
        self.wall[n2 as usize] = NONE;
        self.join(n1, n2);
    }

    /// Puts a corner on a wall.
    ///
    /// The caller has checked that it is left of both of the wall's ends, seen from the triangle.
    pub(super) fn split_wall(&mut self, h: u32, p: Point) {
        let (n, b) = (next(h), self.end(h));
        let c = self.apex(h);
        let over = self.twin[n as usize];
        let wall = self.wall[n as usize];
        // h becomes a to p, its triangle (a, p, c); the new one is (p, b, c).
        let new = self.at.len() as u32;
        self.now += 1;
        self.change(h / 3);
        self.changed.push(self.now);
        self.at.extend([p, b, c]);
        self.twin.extend([NONE, over, n]);
        self.wall.extend([self.wall[h as usize], wall, NONE]);
        if over != NONE {
            self.twin[over as usize] = new + 1;
        }
        self.at[n as usize] = p;
        self.twin[n as usize] = new + 2;
        self.wall[n as usize] = NONE;
        self.legalize(vec![n, prev(h), new + 1]);
    }
}

/// Corners with more triangles around are left where they are.
const MOST_AROUND: usize = 64;

/// The distance of two points, squared.
pub(super) fn square(a: Point, b: Point) -> i64 {
    along(a, b, b)
}

/// Cuts a simple ring of points, some of which may be on straight lines, into triangles of positive
/// area. `None` where there is none.
pub(super) fn ears(points: &[Point]) -> Option<Vec<[usize; 3]>> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut made = Vec::with_capacity(points.len().saturating_sub(2));
    while left.len() > 3 {
        let n = left.len();
        let at = |i: usize| points[left[i % n]];
        let is_ear = |&i: &usize| {
            let (a, b, c) = (at(i + n - 1), at(i), at(i + 1));
            orient(a, b, c) > 0
                && (2..n - 1).all(|k| {
                    let p = at(i + k);
                    orient(a, b, p) < 0 || orient(b, c, p) < 0 || orient(c, a, p) < 0
                })
        };
        let i = (0..n).find(is_ear)?;
        made.push([left[(i + n - 1) % n], left[i], left[(i + 1) % n]]);
        left.remove(i);
    }
    let [a, b, c] = left[..] else { return None };
    if orient(points[a], points[b], points[c]) <= 0 {
        return None;
    }
    made.push([a, b, c]);
    Some(made)
}
