//! The triangles near a tile, as the exact way sees them.

use navbake_geom::{Point3, Whole, orient};
use navbake_level::{Level, Role, Triangle};

use super::blocks::{least, most};
use super::idle;
use crate::params::Params;
use navbake_geom::{BoxBounds, BoxFrame, Bvh, PackedBox, morton_order};

/// A point in the plane: X = x, Y = -z.
pub(crate) type V2 = [f64; 2];

/// The point at parameter `t` from `a` to `b`.
pub(crate) fn lerp(a: V2, b: V2, t: f64) -> V2 {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// What an edge of a triangle is to the triangles that share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EdgeKind {
    /// Seen from above, triangles lie on both of its sides, or one of them is upright: it is no outline.
    pub(crate) inner: bool,
    /// Ground lies on both of its sides.
    pub(crate) ground_on_both: bool,
}

/// Where a triangle lies, seen from above from an edge of it; upright ones lie under theirs.
const LEFT: u8 = 0;
const RIGHT: u8 = 1;
const UNDER: u8 = 2;

/// The kinds of all edges of a level (from corner k to the next).
pub(crate) fn edge_kinds(level: &Level, params: &Params) -> Vec<[EdgeKind; 3]> {
    // All edges by their lesser vertex: the greater one, and the edge.
    let mut first = vec![0u32; level.vertices.len() + 1];
    let ends = |t: &Triangle, k: usize| {
        let (a, b) = (t.v[k], t.v[(k + 1) % 3]);
        (a.min(b), a.max(b))
    };
    for t in &level.triangles {
        for k in 0..3 {
            first[ends(t, k).0 as usize + 1] += 1;
        }
    }
    for k in 1..first.len() {
        first[k] += first[k - 1];
    }
    let mut edges = vec![0u64; level.triangles.len() * 3];
    let mut next = first.clone();
    for (i, t) in level.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = ends(t, k);
            let at = &mut next[a as usize];
            edges[*at as usize] = u64::from(b) << 32 | (3 * i + k) as u64;
            *at += 1;
        }
    }
    // On which side of its edges each triangle lies, seen from above: of those that lead from the lesser vertex to the greater one, and of the others; two bits each. Above
    // these whether it is ground.
    let sides: Vec<u8> = (level.triangles.iter().enumerate())
        .map(|(i, t)| {
            let [a, b, c] = level.corners(t).map(Point3::flat);
            let sides = match orient(a, b, c).signum() {
                1 => LEFT | RIGHT << 2,
                -1 => RIGHT | LEFT << 2,
                _ => UNDER | UNDER << 2,
            };
            sides | u8::from(params.is_ground(level, i)) << 4
        })
        .collect();
    let mut kinds = vec![[EdgeKind::default(); 3]; level.triangles.len()];
    for a in 0..level.vertices.len() {
        let list = &mut edges[first[a] as usize..first[a + 1] as usize];
        sort_few(list);
        for same in list
            .chunk_by(|p, q| p >> 32 == q >> 32)
            .filter(|c| c.len() > 1)
        {
            let (mut has, mut grounds) = (0u8, 0u8);
            for half in same.iter().map(|&half| half as u32 as usize) {
                let (t, k) = (half / 3, half % 3);
                let is_back = u8::from(level.triangles[t].v[k] as usize != a);
                let side = 1 << (sides[t] >> (2 * is_back) & 3);
                has |= side;
                grounds |= side * (sides[t] >> 4);
            }
            let both = 1 << LEFT | 1 << RIGHT;
            let kind = EdgeKind {
                inner: has & both == both || has & 1 << UNDER != 0,
                ground_on_both: grounds & both == both,
            };
            for half in same.iter().map(|&half| half as u32 as usize) {
                kinds[half / 3][half % 3] = kind;
            }
        }
    }
    kinds
}

/// Sorts what are mostly few numbers.
fn sort_few(list: &mut [u64]) {
    if list.len() > 16 {
        list.sort_unstable();
        return;
    }
    for k in 1..list.len() {
        let (value, mut at) = (list[k], k);
        while at > 0 && list[at - 1] > value {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = value;
    }
}

/// Marks a facet that is ground.
pub(crate) const GROUND: u32 = 1;
/// Marks a facet that is upright.
pub(crate) const UPRIGHT: u32 = 2;

/// A triangle near the tile.
#[derive(Clone, Debug)]
pub(crate) struct Facet {
    /// X, Y and height of the corners, counter-clockwise unless upright.
    pub(crate) corners: [[f64; 3]; 3],
    /// Is it upright (no area seen from above)?
    pub(crate) upright: bool,
    /// Can it be stood on, as far as slope and role go?
    pub(crate) ground: bool,
    /// Its number in the level.
    pub(crate) triangle: u32,
    /// Lowest and highest height.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Least X, least Y, greatest X, greatest Y.
    pub(crate) bounds: [f64; 4],
    /// Height = plane[0] X + plane[1] Y + plane[2], with X and Y from the first corner.
    plane: [f64; 3],
    pub(crate) kinds: [EdgeKind; 3],
}

impl Facet {
    /// Of a triangle with these bounds.
    fn new(
        level: &Level,
        kinds: &[[EdgeKind; 3]],
        t: u32,
        bounds: [f64; 4],
        params: &Params,
    ) -> Facet {
        let triangle = &level.triangles[t as usize];
        let place = |p: Point3| [f64::from(p.x), f64::from(-p.z), f64::from(p.y)];
        let heights = level.corners(triangle).map(|p| p.y);
        let mut corners = level.corners(triangle).map(place);
        let role = level.roles[triangle.part as usize];
        let stands = triangle.up >= params.least_up && role != Role::Obstacle;
        let mut kinds = kinds[t as usize];
        let side = |c: &[[f64; 3]; 3], k: usize, axis: usize| c[k][axis] - c[0][axis];
        let area =
            |c: &[[f64; 3]; 3]| side(c, 1, 0) * side(c, 2, 1) - side(c, 1, 1) * side(c, 2, 0);
        if area(&corners) < 0.0 {
            corners.swap(1, 2);
            kinds.swap(0, 2);
        }
        let area = area(&corners);
        let upright = area == 0.0;
        let slope = |axis: usize| {
            let (p, q) = (side(&corners, 1, 2), side(&corners, 2, 2));
            let other = 1 - axis;
            let d = p * side(&corners, 2, other) - q * side(&corners, 1, other);
            if axis == 0 { d / area } else { -d / area }
        };
        let plane = if upright {
            [0.0; 3]
        } else {
            [slope(0), slope(1), corners[0][2]]
        };
        Facet {
            upright,
            ground: !upright && stands,
            triangle: t,
            low: f64::from(heights[0].min(heights[1]).min(heights[2])),
            high: f64::from(heights[0].max(heights[1]).max(heights[2])),
            bounds,
            corners,
            plane,
            kinds,
        }
    }

    fn to_box(&self) -> BoxBounds {
        let [x0, y0, x1, y1] = self.bounds;
        BoxBounds {
            low: [x0, y0, self.low].map(|v| v as i32),
            high: [x1, y1, self.high].map(|v| v as i32),
        }
    }

    /// Whether it is ground, or upright.
    fn mark(&self) -> u32 {
        match (self.ground, self.upright) {
            (true, _) => GROUND,
            (_, true) => UPRIGHT,
            _ => 0,
        }
    }

    /// Height of its plane.
    pub(crate) fn at(&self, p: V2) -> f64 {
        let o = self.corners[0];
        self.plane[0] * (p[0] - o[0]) + self.plane[1] * (p[1] - o[1]) + self.plane[2]
    }

    /// Rise of its plane per unit of X and of Y.
    pub(crate) fn rise(&self) -> V2 {
        [self.plane[0], self.plane[1]]
    }

    /// Height = `plane[0] X + plane[1] Y + plane[2]`, with X and Y from the first corner.
    pub(crate) fn plane(&self) -> [f64; 3] {
        self.plane
    }

    /// A corner seen from above.
    pub(crate) fn flat(&self, k: usize) -> V2 {
        [self.corners[k % 3][0], self.corners[k % 3][1]]
    }

    /// Twice the area of the triangle of edge `k` and `p`: positive where `p` lies inside of the edge.
    pub(crate) fn inside_of(&self, k: usize, p: V2) -> f64 {
        let (a, b) = (self.flat(k), self.flat(k + 1));
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    }

    /// Does it, not upright, hold a place, its border included?
    #[inline]
    pub(crate) fn holds(&self, p: V2) -> bool {
        let [a, b, c] = &self.corners;
        let inside = |a: &[f64; 3], b: &[f64; 3]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0.0
        };
        inside(a, b) && inside(b, c) && inside(c, a)
    }

    /// What [`Facet::inside_of`] each edge comes to at a distance outside.
    pub(crate) fn grown(&self, margin: f64) -> [f64; 3] {
        std::array::from_fn(|k| {
            let (p, q) = (self.flat(k), self.flat(k + 1));
            margin * length([q[0] - p[0], q[1] - p[1]])
        })
    }

    /// Does another facet lie wholly outside of an edge of this one, by more than `margin` along X and along Y?
    pub(crate) fn is_clear_of(&self, other: &Facet, margin: f64) -> bool {
        let flat = [0, 1, 2].map(|k| other.flat(k));
        (0..3).any(|k| {
            let (p, q) = (self.flat(k), self.flat(k + 1));
            let (ex, ey) = (q[0] - p[0], q[1] - p[1]);
            let least = -margin * (ex.abs() + ey.abs());
            let side = |v: V2| ex * (v[1] - p[1]) - ey * (v[0] - p[0]);
            (side(flat[0]) < least) & (side(flat[1]) < least) & (side(flat[2]) < least)
        })
    }

    /// The part of the segment from `a` to `b`, from parameter `from` to `to`, that lies in the triangle grown by what [`Facet::grown`] gives.
    pub(crate) fn cut(
        &self,
        a: V2,
        b: V2,
        from: f64,
        to: f64,
        grown: &[f64; 3],
    ) -> Option<(f64, f64)> {
        let sides: [(f64, f64); 3] = std::array::from_fn(|k| {
            (
                self.inside_of(k, a) + grown[k],
                self.inside_of(k, b) + grown[k],
            )
        });
        // Most lie outside of an edge as a whole: one look for all three.
        let is_outside = |s: &(f64, f64)| (s.0 < 0.0) & (s.1 < 0.0);
        if sides.iter().fold(false, |out, s| out | is_outside(s)) {
            return None;
        }
        let (mut t0, mut t1) = (from, to);
        for (d0, d1) in sides {
            if d0 < 0.0 {
                t0 = most(t0, d0 / (d0 - d1));
            } else if d1 < 0.0 {
                t1 = least(t1, d0 / (d0 - d1));
            }
        }
        (t1 > t0).then_some((t0, t1))
    }
}

/// Length of a vector.
pub(crate) fn length(v: V2) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// Do two boxes meet?
pub(crate) fn meet(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The triangles near a tile that matter to its ground, to be looked up by place; none where there is no ground.
#[derive(Debug, Default)]
pub(crate) struct Facets {
    pub(crate) all: Vec<Facet>,
    has_ground: bool,
    frame: BoxFrame,
    /// By place, with their [`Facet::mark`].
    tree: Bvh,
    /// The same of those that are ground, where these are few of all.
    grounds: Option<Bvh>,
}

impl Facets {
    /// Of those triangles that meet an area (least X, least Y, greatest X, greatest Y) and are ground or may be in its way.
    pub(crate) fn new(
        level: &Level,
        kinds: &[[EdgeKind; 3]],
        triangles: &[u32],
        params: &Params,
        area: [f64; 4],
    ) -> Facets {
        let all = idle::without_idle(level, triangles, params, area);
        let facet = |(t, b, _): (u32, BoxBounds, bool)| {
            let [[x0, y0, _], [x1, y1, _]] = [b.low, b.high].map(|c| c.map(f64::from));
            Facet::new(level, kinds, t, [x0, y0, x1, y1], params)
        };
        Facets::of(all.into_iter().map(facet).collect(), area)
    }

    /// Of all those triangles.
    pub(crate) fn whole(
        level: &Level,
        kinds: &[[EdgeKind; 3]],
        triangles: &[u32],
        params: &Params,
        area: [f64; 4],
    ) -> Facets {
        let facet = |&t: &u32| Facet::new(level, kinds, t, bounds(level, t), params);
        Facets::of(triangles.iter().map(facet).collect(), area)
    }

    /// Of some triangles about an area; none where no ground is among them.
    fn of(all: Vec<Facet>, area: [f64; 4]) -> Facets {
        if !all.iter().any(|f| f.ground) {
            return Facets::default();
        }
        let area = area.map(|v| v.to_floor());
        let boxes: Vec<BoxBounds> = all.iter().map(Facet::to_box).collect();
        let frame = BoxFrame::new(boxes.iter().copied(), area);
        let entries = (0u32..).zip(boxes.iter().zip(&all));
        let entries: Vec<PackedBox> = entries
            .map(|(k, (bounds, f))| frame.entry(bounds, k, f.mark()))
            .collect();
        let mut order = morton_order(&entries);
        let tree = Bvh::new(&entries, &order);
        order.retain(|&key| entries[key as u32 as usize].mark() == GROUND);
        let are_few = order.len() < all.len() / 4 * 3;
        let grounds = are_few.then(|| Bvh::new(&entries, &order));
        Facets {
            all,
            has_ground: true,
            frame,
            tree,
            grounds,
        }
    }

    pub(crate) fn has_ground(&self) -> bool {
        self.has_ground
    }

    /// Calls `f` for each facet that is not upright, lies above or below a place on the grid, its border included, and has heights from `low` to
    /// `high`.
    pub(crate) fn at(&self, p: V2, low: f64, high: f64, mut f: impl FnMut(&Facet)) {
        let wanted = self.wanted([p[0], p[1], p[0], p[1]], low, high);
        self.tree.near(&wanted, |entry| {
            let facet = &self.all[entry.index() as usize];
            if entry.mark() != UPRIGHT && (0..3).all(|k| facet.inside_of(k, p) >= 0.0) {
                f(facet);
            }
        });
    }

    /// Calls `f` once for each facet that meets what is wanted.
    pub(crate) fn near(&self, wanted: &PackedBox, f: impl FnMut(&PackedBox)) {
        self.tree.near(wanted, f);
    }

    /// Collects the numbers of ground facets that meet a box and have heights from `low` to `high`.
    pub(crate) fn collect(&self, bounds: [f64; 4], low: f64, high: f64, out: &mut Vec<u32>) {
        out.clear();
        let wanted = self.wanted(bounds, low, high);
        self.ground_near(&wanted, |e| out.push(e.index()));
    }

    /// Calls `f` once with each ground facet that meets what is wanted.
    pub(crate) fn ground_near(&self, wanted: &PackedBox, mut f: impl FnMut(&PackedBox)) {
        let tree = self.grounds.as_ref().unwrap_or(&self.tree);
        tree.near(wanted, |e| {
            if e.mark() == GROUND {
                f(e);
            }
        });
    }

    /// What facets are compared with to find those that meet a box (with whole numbers in it) and have heights from `low` to `high`.
    pub(crate) fn wanted(&self, bounds: [f64; 4], low: f64, high: f64) -> PackedBox {
        self.frame.entry(&whole(bounds, low, high), 0, 0)
    }
}

/// A box in whole numbers that says the same about whole numbers.
fn whole([x0, y0, x1, y1]: [f64; 4], low: f64, high: f64) -> BoxBounds {
    BoxBounds {
        low: [x0, y0, low].map(Whole::to_ceil),
        high: [x1, y1, high].map(Whole::to_floor),
    }
}

/// Least X, least Y, greatest X, greatest Y of a triangle.
pub(super) fn bounds(level: &Level, t: u32) -> [f64; 4] {
    let corners = level.corners(&level.triangles[t as usize]);
    let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
    for c in corners {
        let flat = [c.x, -c.z];
        for axis in 0..2 {
            low[axis] = low[axis].min(flat[axis]);
            high[axis] = high[axis].max(flat[axis]);
        }
    }
    [low[0], low[1], high[0], high[1]].map(f64::from)
}
