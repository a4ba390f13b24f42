//! Reliefs: the height of ground that polygons' corners do not tell, by the Delaunay triangles of *height points*, whatever the polygons are.
//!
//! No triangle is stored. The Delaunay triangle over a place is where the vertical line through the place meets the lower convex hull of the
//! points lifted to the paraboloid x² + z² (Brown, Voronoi diagrams from convex hulls, 1979). That is a linear program of three
//! variables, and [`Relief::height`] solves it by the simplex method: from a triangle that holds the place, a point inside its circumcircle
//! replaces one corner, such that the triangle holds the place again; the lifted triangle is lower there each time. Where more than three
//! points lie on one circle, a second lifting decides, so that all places agree on one triangulation.
//!
//! Points lie on whole steps of the relief's box, at most [`MOST_STEPS`] a side, so that all of that is exact in 64 bits. They are sorted
//! into buckets, squares of the box: few of them lie where a circle does.

mod around;
mod head;

use core::ops::Range;

use zerocopy::IntoBytes;
use zerocopy::little_endian::U32;

use crate::packed::word;
use around::Around;
#[cfg(feature = "write")]
pub(crate) use head::LEAST_BUCKET;
pub(crate) use head::{HEAD, Head, MANY, MOST_SHIFT};

/// The most steps along a side of a relief's box.
pub const MOST_STEPS: i32 = (1 << 14) - 1;

/// `[t, u]` of the second lifting, u x² + t x z. Points of one circle tie again when the axes of the conics through them lie where
/// tan(2 angle) = t / u. As t² + u² is a prime, that takes a side longer than u steps.
pub const SECOND: [i32; 2] = [40_501, 65_536];

/// A query looks for a lower triangle this often. Few points get it into double figures; this is for reliefs made to do harm.
const MOST_PIVOTS: u32 = 1000;
/// A place is told to 1 / 2^FINE steps, in units of 1 / 2^UNIT steps.
const FINE: u32 = 8;
const UNIT: u32 = 24;

/// Heights over a box of the ground plane, read in place.
#[derive(Clone, Copy)]
pub struct Relief<'a> {
    head: Head,
    /// Words of it.
    len: usize,
    /// Number of points before the end of each bucket, one or two bytes each.
    ends: &'a [u8],
    /// Points of so many bits, and what is behind them.
    points: &'a [u8],
    width: usize,
}

/// A point in steps from the box's least corner, and its height in steps from the base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Node {
    x: i64,
    z: i64,
    y: i64,
}

impl<'a> Relief<'a> {
    /// From its words, a head, where buckets end, points; what is behind them may follow. What is not there reads as zero.
    #[inline]
    pub(crate) fn read(words: &'a [U32], len: usize) -> Relief<'a> {
        let head = Head::read(words);
        let rest = words.get(HEAD..).unwrap_or(&[]);
        let (ends, points) = rest.split_at(head.end_words().min(rest.len()));
        Relief {
            head,
            len,
            ends: ends.as_bytes(),
            points: points.as_bytes(),
            width: head.width(),
        }
    }

    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// Words of a relief with this head and so many points.
    pub(crate) fn words(&self) -> usize {
        HEAD + self.head.end_words() + (self.len() * self.width).div_ceil(32)
    }

    /// Are the bits behind the last end and behind the last point of a word zero?
    pub(crate) fn is_padded(&self) -> bool {
        let ends = self.ends.get(self.head.end_bytes()..).unwrap_or(&[]);
        let bits = self.len() * self.width;
        let rest = bits.next_multiple_of(32) - bits;
        let behind = word(self.points, bits / 8) >> (bits % 8) & ((1 << rest) - 1);
        ends.iter().all(|&b| b == 0) && behind == 0
    }

    /// The words that it was given.
    pub(crate) fn given(&self) -> usize {
        self.len
    }

    /// Place of point i, which is in a bucket, and its height: steps.
    pub(crate) fn in_steps(&self, bucket: usize, i: usize) -> ([i32; 2], u32) {
        let node = self.node(self.origin(bucket), self.code(i));
        // Below 2^14 + 2^13, and 20 bits.
        ([node.x as i32, node.z as i32], node.y as u32)
    }

    /// The points of a bucket.
    #[inline]
    pub(crate) fn bucket(&self, i: usize) -> Range<usize> {
        self.end(i)..self.end(i + 1)
    }

    /// Number of points before bucket i.
    #[inline]
    fn end(&self, i: usize) -> usize {
        let byte = |k: usize| self.ends.get(k).map_or(0, |&b| usize::from(b));
        match (i, self.head.wide) {
            (0, _) => 0,
            (_, true) => byte(2 * i - 2) | byte(2 * i - 1) << 8,
            (_, false) => byte(i - 1),
        }
    }

    /// A point's bits.
    #[inline]
    fn code(&self, i: usize) -> u32 {
        let at = i * self.width;
        let code = word(self.points, at / 8) >> (at % 8);
        (code & ((1 << self.width) - 1)) as u32
    }

    /// The code of point i without its height: rises within a bucket.
    pub(crate) fn place_code(&self, i: usize) -> u32 {
        self.code(i) & ((1 << (2 * self.head.shifts[1])) - 1)
    }

    #[inline]
    fn node(&self, origin: [i64; 2], code: u32) -> Node {
        let bits = self.head.shifts[1];
        let mask = (1 << bits) - 1;
        Node {
            x: origin[0] + i64::from(code & mask),
            z: origin[1] + i64::from(code >> bits & mask),
            y: i64::from(code >> (2 * bits)),
        }
    }

    /// Where bucket i begins, in steps.
    #[inline]
    fn origin(&self, i: usize) -> [i64; 2] {
        let across = self.head.buckets()[0];
        let i = i as i64;
        [i % across, i / across].map(|c| c << self.head.shifts[1])
    }

    /// Which bucket one is, by its column and row.
    #[inline]
    fn number(&self, [column, row]: [i64; 2]) -> usize {
        (row * self.head.buckets()[0] + column) as usize
    }

    /// The corners of the box, counter-clockwise seen from above from the least one on.
    fn corner(&self, k: usize) -> Node {
        let [x, z] = self.head.size.map(i64::from);
        let [x, z] = [[0, 0], [0, z], [x, z], [x, 0]][k];
        Node {
            x,
            z,
            y: self.head.corners[k].into(),
        }
    }

    /// Number of height points.
    pub fn len(&self) -> usize {
        self.end(self.head.bucket_count())
    }

    /// Are there none, but for the corners of the box?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Least and greatest corner of the box `[x, z]`, grid units.
    pub fn bounds(&self) -> [[i32; 2]; 2] {
        let far = |k: usize| {
            self.head.least[k].wrapping_add(self.head.size[k].wrapping_shl(self.head.shifts[0]))
        };
        [self.head.least, [far(0), far(1)]]
    }

    /// Least and greatest height of all its points, grid units.
    #[inline]
    pub fn heights(&self) -> [i32; 2] {
        let top = i32::from(self.head.top).wrapping_shl(self.head.shifts[2]);
        [self.head.base, self.head.base.wrapping_add(top)]
    }

    fn place(&self, node: Node) -> [i32; 3] {
        let value =
            |v: i64, base: i32, shift: u32| base.wrapping_add((v as i32).wrapping_shl(shift));
        let [flat, _, up] = self.head.shifts;
        [
            value(node.x, self.head.least[0], flat),
            value(node.y, self.head.base, up),
            value(node.z, self.head.least[1], flat),
        ]
    }

    /// All that the triangles go through, `[x, y, z]` in grid units: the four corners of the box, then the height points.
    pub fn points(&self) -> impl Iterator<Item = [i32; 3]> + '_ {
        let corners = (0..4).map(|k| self.corner(k));
        let inner = (0..self.head.bucket_count()).flat_map(move |b| {
            let origin = self.origin(b);
            self.bucket(b).map(move |i| self.node(origin, self.code(i)))
        });
        corners.chain(inner).map(|n| self.place(n))
    }

    /// Height at a place `[x, z]`, grid units; places outside the box have the height of the nearest one in it. Allocates nothing, and ends
    /// whatever the points are.
    pub fn height(&self, place: [f64; 2]) -> f64 {
        let step = f64::from(1u32.wrapping_shl(self.head.shifts[0]));
        let at = [0, 1].map(|k| {
            let offset = (place[k] - f64::from(self.head.least[k])) / step;
            offset.max(0.0).min(f64::from(self.head.size[k]))
        });
        // In the middle of a fine step along x and a trace past its beginning along z: no line through two points goes there, for
        // its slope would need more bits than points have. Which triangle it is, is never a tie.
        let fine = [0, 1].map(|k| {
            let most = (i64::from(self.head.size[k]) << FINE) - 1;
            ((at[k] * f64::from(1u32 << FINE)) as i64).min(most)
        });
        let rest = UNIT - FINE;
        let p = [(fine[0] << rest) + (1 << (rest - 1)), (fine[1] << rest) + 1];
        let [a, b, c] = self.triangle(p);
        let to = |n: Node| [n.x as f64 - at[0], n.z as f64 - at[1]];
        let cross = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
        let (fa, fb, fc) = (to(a), to(b), to(c));
        let weight = [cross(fb, fc), cross(fc, fa), cross(fa, fb)];
        let area = weight[0] + weight[1] + weight[2];
        let sum = weight[0] * a.y as f64 + weight[1] * b.y as f64 + weight[2] * c.y as f64;
        let up = (sum / area).max(0.0).min(f64::from(self.head.top));
        f64::from(self.head.base) + up * f64::from(1u32.wrapping_shl(self.head.shifts[2]))
    }

    /// The Delaunay triangle that holds a place, in units of 1 / 2^UNIT steps, through which no line of points goes.
    fn triangle(&self, p: [i64; 2]) -> [Node; 3] {
        let corners = [0, 1, 2, 3].map(|k| self.corner(k));
        let [c0, c1, c2, c3] = corners;
        let mut triangle = if left_of(c0, c2, p) {
            [c0, c2, c3]
        } else {
            [c0, c1, c2]
        };
        let home = p.map(|c| c >> (UNIT + self.head.shifts[1]));
        let near = p.map(|c| c >> UNIT);
        let around = Around::new(self, home, near);
        for _ in 0..MOST_PIVOTS {
            let circle = Circle::new(triangle);
            let mut best = Best::new(near);
            around.look(&circle, &mut best);
            if !best.found() {
                corners.iter().for_each(|&c| best.look(&circle, c));
                self.look_around(home, around.rings(), &circle, &mut best);
            }
            if !best.found() && best.tie <= 0 {
                break;
            }
            match replace(triangle, best.node, p) {
                Some(lower) => triangle = lower,
                None => break,
            }
        }
        triangle
    }

    /// Looks into the buckets around one that a circle may meet, ring after ring from one on, until something is found inside.
    fn look_around(&self, home: [i64; 2], ring: i64, circle: &Circle, best: &mut Best) {
        let range = self.reach(circle);
        let far = |k: usize| (home[k] - range[k].0).max(range[k].1 - home[k]);
        let mut distance = ring;
        while !best.found() && distance <= far(0).max(far(1)) {
            let side = |k: usize| {
                let (low, high) = (home[k] - distance, home[k] + distance);
                low.max(range[k].0)..=high.min(range[k].1)
            };
            for row in side(1) {
                if (row - home[1]).abs() == distance {
                    side(0).for_each(|column| self.look([column, row], circle, best));
                    continue;
                }
                for column in [home[0] - distance, home[0] + distance] {
                    if column >= range[0].0 && column <= range[0].1 {
                        self.look([column, row], circle, best);
                    }
                }
            }
            distance += 1;
        }
    }

    /// First and last bucket along x and z that a circle may meet.
    #[inline]
    fn reach(&self, circle: &Circle) -> [(i64, i64); 2] {
        let [x, z, radius] = circle.round();
        let range = |centre: f64, size: i32| {
            let side = |c: f64| (c as i64).clamp(0, size.into()) >> self.head.shifts[1];
            (side(centre - radius), side(centre + radius))
        };
        [range(x, self.head.size[0]), range(z, self.head.size[1])]
    }

    #[inline]
    fn look(&self, bucket: [i64; 2], circle: &Circle, best: &mut Best) {
        let origin = bucket.map(|c| c << self.head.shifts[1]);
        let Range { start, end } = self.bucket(self.number(bucket));
        let bits = self.head.shifts[1];
        let mask = (1 << bits) - 1;
        let heights = (1 << (self.width - 2 * bits as usize)) - 1;
        let [near_x, near_z] = best.near;
        let (from_x, from_z) = (origin[0] - near_x, origin[1] - near_z);
        let mut at = start * self.width;
        for _ in start..end {
            let code = word(self.points, at / 8) >> (at % 8);
            at += self.width;
            let (x, z) = (code & mask, code >> bits & mask);
            let (x, z) = (from_x + x as i64, from_z + z as i64);
            let distance = x * x + z * z;
            if distance < best.distance {
                let y = (code >> (2 * bits) & heights) as i64;
                let (x, z) = (x + near_x, z + near_z);
                best.take(circle, Node { x, z, y }, distance);
            }
        }
    }
}

/// Does a place (in units of 1 / 2^UNIT steps) lie to the left of the way from `a` to `b`? It never lies on it. Exact: 14 bits times 38.
#[inline]
fn left_of(a: Node, b: Node, p: [i64; 2]) -> bool {
    (b.z - a.z) * (p[0] - (a.x << UNIT)) > (b.x - a.x) * (p[1] - (a.z << UNIT))
}

/// The triangle that holds the place, of a triangle that does and a point inside of its circumcircle that replaces one corner.
#[inline]
fn replace(t: [Node; 3], q: Node, p: [i64; 2]) -> Option<[Node; 3]> {
    let left = t.map(|c| left_of(q, c, p));
    (0..3)
        .map(|k| (k, (k + 1) % 3))
        .find(|&(k, next)| left[k] && !left[next])
        .map(|(k, next)| [q, t[k], t[next]])
}

/// The plane through a lifted triangle, relative to its first corner. With sides of 14 bits all sums stay below 2^61.
struct Circle {
    corners: [Node; 3],
    /// Twice the triangle's area, and that times the plane's slopes.
    area: i64,
    slopes: [i64; 2],
}

impl Circle {
    #[inline]
    fn new([a, b, c]: [Node; 3]) -> Circle {
        let ([bx, bz], [cx, cz]) = ([b.x - a.x, b.z - a.z], [c.x - a.x, c.z - a.z]);
        let (lift_b, lift_c) = (bx * bx + bz * bz, cx * cx + cz * cz);
        Circle {
            corners: [a, b, c],
            area: bz * cx - bx * cz,
            slopes: [lift_c * bz - lift_b * cz, lift_b * cx - lift_c * bx],
        }
    }

    /// How far a point is inside, times the area.
    #[inline]
    fn inside(&self, q: Node) -> i64 {
        let (x, z) = (q.x - self.corners[0].x, q.z - self.corners[0].z);
        self.slopes[0] * x + self.slopes[1] * z - self.area * (x * x + z * z)
    }

    /// The same in the second lifting.
    #[cold]
    fn inside_tie(&self, q: Node) -> i128 {
        let [a, b, c] = self.corners;
        let wide = |n: Node| [i128::from(n.x - a.x), i128::from(n.z - a.z)];
        let [t, u] = SECOND.map(i128::from);
        let lift = |[x, z]: [i128; 2]| x * (u * x + t * z);
        let (b, c, q) = (wide(b), wide(c), wide(q));
        let slope_x = lift(c) * b[1] - lift(b) * c[1];
        let slope_z = lift(b) * c[0] - lift(c) * b[0];
        slope_x * q[0] + slope_z * q[1] - i128::from(self.area) * lift(q)
    }

    /// Centre x and z in steps, and a radius that is not too small.
    #[inline]
    fn round(&self) -> [f64; 3] {
        let half = 0.5 / self.area as f64;
        let [x, z] = self.slopes.map(|s| s as f64 * half);
        let radius = root_above(x * x + z * z) + 2.0;
        [
            self.corners[0].x as f64 + x,
            self.corners[0].z as f64 + z,
            radius,
        ]
    }
}

/// The square root or up to 0.2 % more: by Newton's method, which comes from above, from a guess by the exponent.
#[inline]
fn root_above(v: f64) -> f64 {
    let guess = f64::from_bits((v.to_bits() >> 1) + (0x3FF << 51));
    0.5 * (guess + v / guess) * (1.0 + 1e-9)
}

/// The point inside of a circle that lies nearest to a place, and of those on it the lowest in the second lifting.
struct Best {
    near: [i64; 2],
    /// Its distance squared; the greatest number as long as there is none inside.
    distance: i64,
    tie: i128,
    node: Node,
}

impl Best {
    fn new(near: [i64; 2]) -> Best {
        Best {
            near,
            distance: i64::MAX,
            tie: 0,
            node: Node::default(),
        }
    }

    fn found(&self) -> bool {
        self.distance < i64::MAX
    }

    #[inline]
    fn look(&mut self, circle: &Circle, q: Node) {
        let (x, z) = (q.x - self.near[0], q.z - self.near[1]);
        let distance = x * x + z * z;
        if distance < self.distance {
            self.take(circle, q, distance);
        }
    }

    /// The same for one that is known to be nearer.
    #[inline]
    fn take(&mut self, circle: &Circle, q: Node, distance: i64) {
        let inside = circle.inside(q);
        if inside > 0 {
            (self.distance, self.node) = (distance, q);
        } else if inside == 0 && !self.found() && !circle.corners.contains(&q) {
            let tie = circle.inside_tie(q);
            if tie > self.tie {
                (self.tie, self.node) = (tie, q);
            }
        }
    }
}
