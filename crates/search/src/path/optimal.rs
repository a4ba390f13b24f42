//! Shortest any-angle paths: Polyanya (Cui, Harabor and Grastien, Compromise-free pathfinding on a navigation mesh, 2017), walked over
//! adjacency, so that storeys may lie above one another.
//!
//! A node of the search is a cone of sight: from its *root*, the last corner of the path, through a portal into a polygon. It is told by the two
//! rays that bound it, each from the root through a grid point, so that every decision about sides is an exact integer; lengths alone are
//! rounded. Where a ray passes through an end of the portal and the ground behind it can be seen from there only, the path may turn: that end
//! becomes a root.
//!
//! Nodes are opened in order of the least length that a path through them can have (to the goal, or to its mirror image on the portal's far side).
//! Of all nodes with one root those with a longer way to it are dropped; a node with a single successor is replaced by it at once.

use navbake_format::exact::{cross, direction, dot};
use navbake_format::{NavMeshView, PolyId, Polygon, VertexId};

use super::one_by_one::Found;
use super::scratch::{Corridor, Scratch, Step};
use crate::Location;
use crate::math::{distance, float, grid_distance, length};
use crate::ray::{holders, same_ground};

/// No vertex: the start of the path.
const START: u32 = u32::MAX;

/// A cone of sight into a polygon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cone {
    /// The polygon that is looked into.
    polygon: u32,
    /// The node before, and the edge of its polygon that leads here.
    parent: u32,
    edge: u32,
    /// The vertex that the root is, or [`START`].
    vertex: u32,
    root: [i32; 2],
    /// Right and left end of the portal, seen from the root.
    ends: [[i32; 2]; 2],
    /// Directions of the right and the left ray; twice zero at the goal.
    rays: [[i64; 2]; 2],
    /// Length of the path up to the root.
    g: f64,
    /// No path through the cone is shorter.
    f: f64,
}

impl Cone {
    fn is_end(&self) -> bool {
        self.rays == [[0; 2]; 2]
    }
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
    f: f64,
    cone: u32,
}

/// A heap of cones, the shortest first; of equals the one whose way is surer, then the older one.
struct Heap<'a> {
    items: &'a mut [Open],
    len: usize,
    max: usize,
}

impl Heap<'_> {
    fn less(cones: &[Cone], a: Open, b: Open) -> bool {
        if a.f != b.f {
            return a.f < b.f;
        }
        let (g, h) = (cones[a.cone as usize].g, cones[b.cone as usize].g);
        if g != h { g > h } else { a.cone < b.cone }
    }

    /// False when there is no room.
    fn push(&mut self, cones: &[Cone], item: Open) -> bool {
        if self.len >= self.items.len() {
            return false;
        }
        let mut at = self.len;
        self.len += 1;
        self.max = self.max.max(self.len);
        while at > 0 {
            let above = (at - 1) / 2;
            if !Heap::less(cones, item, self.items[above]) {
                break;
            }
            self.items[at] = self.items[above];
            at = above;
        }
        self.items[at] = item;
        true
    }

    fn pop(&mut self, cones: &[Cone]) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let best = self.items[0];
        self.len -= 1;
        let item = self.items[self.len];
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.len {
                break;
            }
            if child + 1 < self.len && Heap::less(cones, self.items[child + 1], self.items[child]) {
                child += 1;
            }
            if !Heap::less(cones, self.items[child], item) {
                break;
            }
            self.items[at] = self.items[child];
            at = child;
        }
        self.items[at] = item;
        Some(best.cone)
    }
}

/// Roots whose way differs by less than this share are as good as each other.
const SAME: f64 = 1.0 + 1e-12;

struct Search<'m, 'a, 's> {
    mesh: &'m NavMeshView<'a>,
    cones: &'s mut [Cone],
    used: usize,
    /// For each vertex the cone with the shortest way to it as its root; believed only when that cone says so.
    roots: &'s mut [u32],
    corners: &'s [u64],
    goal: [i32; 2],
    ends: Ends<'s>,
    full: bool,
}

impl Search<'_, '_, '_> {
    /// The shortest way known to a root.
    fn best(&self, vertex: u32) -> f64 {
        let Some(&slot) = self.roots.get(vertex as usize) else {
            return f64::INFINITY;
        };
        match self.cones.get(slot as usize) {
            Some(c) if (slot as usize) < self.used && c.vertex == vertex => c.g,
            _ => f64::INFINITY,
        }
    }

    fn is_corner(&self, vertex: VertexId) -> bool {
        let v = vertex.0 as usize;
        (self.corners.get(v / 64)).is_none_or(|bits| bits >> (v % 64) & 1 == 1)
    }

    /// Adds what is seen through an edge, if it may be part of a shortest path.
    #[inline]
    fn add(
        &mut self,
        polygon: &Polygon<'_, '_>,
        edge: u32,
        ends: [[i32; 2]; 2],
        rays: [[i64; 2]; 2],
        from: &Root,
    ) {
        let Some(beyond) = polygon.neighbour(edge) else {
            return;
        };
        if from.vertex != START && from.g > self.best(from.vertex) * SAME {
            return;
        }
        let mut cone = Cone {
            polygon: beyond.0,
            parent: from.parent,
            edge,
            vertex: from.vertex,
            root: from.point,
            ends,
            rays,
            g: from.g,
            f: 0.0,
        };
        if self.ends.holds(beyond) {
            let Some(rest) = end_length(&cone, self.goal) else {
                return;
            };
            cone.f = cone.g + rest;
            cone.rays = [[0; 2]; 2];
        } else {
            cone.f = cone.g + least_length(&cone, self.goal);
        }
        // Rounding must not make a way shorter than the one it goes on from.
        if let Some(parent) = self.cones.get(from.parent as usize)
            && (from.parent as usize) < self.used
        {
            cone.f = cone.f.max(parent.f);
        }
        let Some(slot) = self.cones.get_mut(self.used) else {
            self.full = true;
            return;
        };
        *slot = cone;
        if from.vertex != START
            && from.g < self.best(from.vertex)
            && let Some(root) = self.roots.get_mut(from.vertex as usize)
        {
            *root = self.used as u32;
        }
        self.used += 1;
    }

    /// Adds what is seen through an edge from its nearer end, which lies on a line with it and the root.
    fn add_along(
        &mut self,
        polygon: &Polygon<'_, '_>,
        edge: u32,
        ends: [[i32; 2]; 2],
        from: &Root,
    ) {
        let [p, q] = ends;
        let (dp, dq) = (direction(from.point, p), direction(from.point, q));
        let reverse = |d: [i64; 2]| [-d[0], -d[1]];
        let (end, corner, rays) = if dot(dp, dp) < dot(dq, dq) {
            (p, edge, [reverse(dp), dp])
        } else {
            (q, polygon.next(edge), [dq, reverse(dq)])
        };
        let vertex = polygon.vertex(corner);
        if dot(dp, dq) > 0 && self.is_corner(vertex) {
            self.add(polygon, edge, ends, rays, &from.moved(end, vertex.0));
        }
    }

    /// Adds all successors of a cone.
    fn expand(&mut self, number: u32) {
        let cone = self.cones[number as usize];
        let mesh = self.mesh;
        let polygon = mesh.polygon(PolyId(cone.polygon));
        let n = polygon.len();
        let [b, a] = cone.ends;
        let root = cone.root;
        let [right, left] = cone.rays;
        // Corners from the portal's right end on, counter-clockwise.
        let Some(first) = (0..n).find(|&k| polygon.corner(k) == b) else {
            return;
        };
        let own = Root {
            point: root,
            vertex: cone.vertex,
            g: cone.g,
            parent: number,
        };
        let turn = |end: [i32; 2], ray: [i64; 2], k: u32| {
            let d = direction(root, end);
            (d != [0, 0] && cross(ray, d) == 0).then(|| (d, polygon.vertex(k)))
        };
        let at_right = turn(b, right, first)
            .filter(|t| self.is_corner(t.1))
            .map(|(d, v)| (d, own.moved(b, v.0)));
        let last = polygon.previous(first);
        let at_left = (polygon.corner(last) == a)
            .then(|| turn(a, left, last))
            .flatten()
            .filter(|t| self.is_corner(t.1))
            .map(|(d, v)| (d, own.moved(a, v.0)));
        let side = |v: [i32; 2]| {
            let d = direction(root, v);
            // Cones may be as wide as half a turn: what lies straight behind a ray is on the other one.
            let behind = |side: i64, ray| {
                if side == 0 && dot(ray, d) < 0 {
                    1
                } else {
                    side
                }
            };
            (behind(cross(right, d), right), behind(cross(d, left), left))
        };
        let mut k = first;
        let mut p = b;
        let (mut rp, mut lp) = side(p);
        for _ in 1..n {
            let next = polygon.next(k);
            let q = polygon.corner(next);
            let (rq, lq) = side(q);
            let ends = [p, q];
            // An edge on a line with the root is met where it begins.
            let inside = rp >= 0 && lp >= 0 && rq >= 0 && lq >= 0 && p != root && q != root;
            if inside && cross(direction(root, p), direction(root, q)) == 0 {
                self.add_along(&polygon, k, ends, &own);
                (k, p, rp, lp) = (next, q, rq, lq);
                continue;
            }
            // What lies to the right of the cone is seen from the portal's right end.
            if let Some((d, from)) = &at_right
                && rp <= 0
                && p != root
                && (rq <= 0 || rp < 0)
            {
                let r = if p == b {
                    [-d[0], -d[1]]
                } else {
                    direction(b, p)
                };
                let l = if rq <= 0 { direction(b, q) } else { *d };
                if p != b && cross(direction(b, p), direction(b, q)) == 0 {
                    self.add_along(&polygon, k, ends, from);
                } else {
                    self.add(&polygon, k, ends, [r, l], from);
                }
            }
            let seen = if p == root {
                (rq > 0).then(|| {
                    let l = if lq >= 0 { direction(root, q) } else { left };
                    [right, l]
                })
            } else if q == root {
                (lp > 0).then(|| {
                    let r = if rp >= 0 { direction(root, p) } else { right };
                    [r, left]
                })
            } else if rq > 0 && lp > 0 {
                let r = if rp >= 0 { direction(root, p) } else { right };
                let l = if lq >= 0 { direction(root, q) } else { left };
                Some([r, l])
            } else {
                None
            };
            if let Some(rays) = seen {
                self.add(&polygon, k, ends, rays, &own);
            }
            if let Some((d, from)) = &at_left
                && lq <= 0
                && q != root
                && (lp <= 0 || lq < 0)
            {
                let r = if lp <= 0 { direction(a, p) } else { *d };
                let l = if q == a {
                    [-d[0], -d[1]]
                } else {
                    direction(a, q)
                };
                if q != a && cross(direction(a, p), direction(a, q)) == 0 {
                    self.add_along(&polygon, k, ends, from);
                } else {
                    self.add(&polygon, k, ends, [r, l], from);
                }
            }
            (k, p, rp, lp) = (next, q, rq, lq);
        }
    }
}

/// Where successors are seen from.
struct Root {
    point: [i32; 2],
    vertex: u32,
    g: f64,
    parent: u32,
}

impl Root {
    fn moved(&self, point: [i32; 2], vertex: u32) -> Root {
        Root {
            point,
            vertex,
            g: self.g + grid_distance(self.point, point),
            parent: self.parent,
        }
    }
}

/// The least length from the root through the cone's part of its portal to the goal, or to its mirror image.
fn least_length(cone: &Cone, goal: [i32; 2]) -> f64 {
    let [b, a] = cone.ends.map(float);
    let root = float(cone.root);
    let e = [a[0] - b[0], a[1] - b[1]];
    let along = |p: [f64; 2]| (p[0] - b[0]) * e[1] - (p[1] - b[1]) * e[0];
    let mut t = float(goal);
    let (here, there) = (along(root), along(t));
    if here * there > 0.0 {
        let scale = 2.0 * there / (e[0] * e[0] + e[1] * e[1]);
        t = [t[0] - e[1] * scale, t[1] + e[0] * scale];
    }
    let d = [t[0] - root[0], t[1] - root[1]];
    let rays = cone.rays.map(|r| [r[0] as f64, r[1] as f64]);
    let turned = |u: [f64; 2], v: [f64; 2]| sign() * (u[0] * v[1] - u[1] * v[0]);
    for (ray, s) in [(rays[0], 1.0), (rays[1], -1.0)] {
        if s * turned(ray, d) < 0.0 {
            // Where this ray meets the portal.
            let down = ray[0] * e[1] - ray[1] * e[0];
            let k = -here / down;
            let at = if k.is_finite() {
                [root[0] + ray[0] * k, root[1] + ray[1] * k]
            } else {
                root
            };
            return distance(root, at) + distance(at, t);
        }
    }
    length(d[0], d[1])
}

/// The sign that makes a turn to the left positive, as [`cross`] does.
fn sign() -> f64 {
    if cross([1, 0], [0, 1]) > 0 { 1.0 } else { -1.0 }
}

/// Length from the root to a goal in the polygon that the cone looks into; `None` when it cannot be seen and there is no corner to turn at.
fn end_length(cone: &Cone, goal: [i32; 2]) -> Option<f64> {
    let d = direction(cone.root, goal);
    let [right, left] = cone.rays;
    let end = if cross(right, d) < 0 {
        Some((cone.ends[0], right))
    } else if cross(d, left) < 0 {
        Some((cone.ends[1], left))
    } else {
        None
    };
    match end {
        None => Some(grid_distance(cone.root, goal)),
        Some((end, ray)) => {
            let to = direction(cone.root, end);
            (cross(ray, to) == 0).then(|| grid_distance(cone.root, end) + grid_distance(end, goal))
        }
    }
}

/// The shortest way; the node of the answer is a number of [`Scratch::cones`].
pub(super) fn search(
    mesh: &NavMeshView<'_>,
    from: &Location,
    to: &Location,
    scratch: &mut Scratch<'_>,
) -> Found {
    let mut ends = Ends::new(scratch.slots, scratch.corridor);
    ends.add(to.polygon());
    holders(mesh, to.polygon(), to.point(), |_, _, beyond| {
        ends.add(beyond)
    });
    let mut search = Search {
        mesh,
        cones: scratch.cones,
        used: 0,
        roots: scratch.roots,
        corners: scratch.corners,
        goal: to.point(),
        ends,
        full: false,
    };
    let mut heap = Heap {
        items: scratch.opened,
        len: 0,
        max: 0,
    };
    let mut expanded = 0u32;
    let mut reached = None;
    search.start(from);
    let begun = search.used;
    for number in 0..begun {
        search.look_around(number as u32);
    }
    search.offer(begun, &mut heap);
    while let Some(number) = heap.pop(search.cones) {
        let mut number = number;
        // A cone with one successor is replaced by it.
        loop {
            let cone = &search.cones[number as usize];
            if cone.is_end() {
                reached = Some(number as usize);
                break;
            }
            if cone.vertex != START && cone.g > search.best(cone.vertex) * SAME {
                break;
            }
            expanded = expanded.saturating_add(1);
            let before = search.used;
            search.expand(number);
            if search.used == before + 1 && !search.cones[before].is_end() {
                number = before as u32;
                continue;
            }
            search.offer(before, &mut heap);
            break;
        }
        if reached.is_some() || search.full {
            break;
        }
    }
    Found {
        node: reached,
        expanded,
        max_open: heap.max as u32,
    }
}

impl Search<'_, '_, '_> {
    /// Puts a node for each polygon that holds the start.
    fn start(&mut self, from: &Location) {
        let (cones, used) = (&mut *self.cones, &mut self.used);
        let mut put = |polygon: PolyId, parent: u32, edge: u32| {
            if let Some(slot) = cones.get_mut(*used) {
                *slot = Cone {
                    polygon: polygon.0,
                    parent,
                    edge,
                    vertex: START,
                    root: from.point(),
                    ..Cone::default()
                };
                *used += 1;
            }
        };
        put(from.polygon(), 0, 0);
        let mut last = (from.polygon(), 0);
        let mut count = 1;
        holders(
            self.mesh,
            from.polygon(),
            from.point(),
            |before, edge, beyond| {
                let parent = if before == from.polygon() { 0 } else { last.1 };
                put(beyond, parent, edge);
                last = (beyond, count);
                count += 1;
            },
        );
    }

    /// Adds what is seen from the start through the edges of a polygon that do not hold it.
    fn look_around(&mut self, number: u32) {
        let Cone { polygon, root, .. } = self.cones[number as usize];
        let polygon = self.mesh.polygon(PolyId(polygon));
        let from = Root {
            point: root,
            vertex: START,
            g: 0.0,
            parent: number,
        };
        for k in 0..polygon.len() {
            let (p, q) = (polygon.corner(k), polygon.corner(polygon.next(k)));
            let rays = [direction(root, p), direction(root, q)];
            if cross(rays[0], rays[1]) > 0 {
                self.add(&polygon, k, [p, q], rays, &from);
            } else {
                self.add_along(&polygon, k, [p, q], &from);
            }
        }
    }

    /// Puts all cones from a number on into the open list.
    fn offer(&mut self, first: usize, heap: &mut Heap<'_>) {
        for cone in first..self.used {
            let f = self.cones[cone].f;
            let cone = cone as u32;
            self.full |= !heap.push(self.cones, Open { f, cone });
        }
    }
}

/// The polygons that hold the goal.
struct Ends<'s> {
    slots: &'s mut [u32],
    list: &'s mut [Step],
    count: usize,
}

impl<'s> Ends<'s> {
    fn new(slots: &'s mut [u32], list: &'s mut [Step]) -> Ends<'s> {
        Ends {
            slots,
            list,
            count: 0,
        }
    }

    fn add(&mut self, polygon: PolyId) {
        let (Some(slot), Some(step)) = (
            self.slots.get_mut(polygon.index()),
            self.list.get_mut(self.count),
        ) else {
            return;
        };
        *slot = self.count as u32;
        *step = Step {
            polygon: polygon.0,
            edge: 0,
        };
        self.count += 1;
    }

    fn holds(&self, polygon: PolyId) -> bool {
        let Some(&slot) = self.slots.get(polygon.index()) else {
            return false;
        };
        (slot as usize) < self.count && self.list[slot as usize].polygon == polygon.0
    }
}

/// Writes the way to a cone, and on to the goal's own polygon, into [`Scratch::corridor`].
pub(super) fn trace(
    mesh: &NavMeshView<'_>,
    node: usize,
    to: &Location,
    scratch: &mut Scratch<'_>,
) -> Corridor {
    let mut corridor = Corridor::new(to.polygon());
    let mut n = node;
    for _ in 0..scratch.cones.len() {
        let Some(cone) = scratch.cones.get(n) else {
            break;
        };
        let parent = cone.parent as usize;
        if parent == n {
            break;
        }
        let Some(before) = scratch.cones.get(parent) else {
            break;
        };
        corridor.push(scratch.corridor, PolyId(before.polygon), cone.edge);
        n = parent;
    }
    if let Some(steps) = scratch.corridor.get_mut(..corridor.len) {
        steps.reverse();
    }
    let end = scratch
        .cones
        .get(node)
        .map_or(to.polygon(), |c| PolyId(c.polygon));
    same_ground(mesh, end, to.polygon(), to.point(), |p, k| {
        corridor.push(scratch.corridor, p, k);
    });
    corridor
}
