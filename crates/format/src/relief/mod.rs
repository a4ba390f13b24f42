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
mod circle;
mod head;
#[cfg(feature = "alloc")]
mod laying;
mod place;
mod triangles;
#[cfg(feature = "alloc")]
mod wrap;

use core::ops::Range;

use zerocopy::IntoBytes;
use zerocopy::little_endian::U32;

use crate::packed::word;
use around::Around;
use circle::{Best, Circle, left_of, replace};
#[cfg(feature = "write")]
pub(crate) use head::LEAST_BUCKET;
pub(crate) use head::{HEAD, Head, MANY, MOST_SHIFT};
#[cfg(feature = "alloc")]
pub use laying::TrianglesBuffer;
use place::{Place, in_order};
pub use triangles::{LaidRelief, Triangles};

/// The most steps along a side of a relief's box.
pub const MOST_STEPS: i32 = (1 << 14) - 1;

/// `[t, u]` of the second lifting, u x² + t x z. Points of one circle tie again when the axes of the conics through them lie where
/// tan(2 angle) = t / u. As t² + u² is a prime, that takes a side longer than u steps.
pub const SECOND: [i32; 2] = [40_501, 65_536];

/// A query looks this often for a lower triangle by the nearest point inside of the circle. Few points get it into double figures; where all points lie
/// far away, as on the sides of the box, it is the deepest one of all from then on, for which some more do.
const NEAR_PIVOTS: u32 = 200;
/// No query pivots more often: this is for reliefs made to do harm.
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
        self.head.heights()
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
        self.nodes().map(|n| self.place(n))
    }

    /// The corners of the box, then the height points in the order of buckets.
    fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let corners = (0..4).map(|k| self.corner(k));
        let inner = (0..self.head.bucket_count()).flat_map(move |b| {
            let origin = self.origin(b);
            self.bucket(b).map(move |i| self.node(origin, self.code(i)))
        });
        corners.chain(inner)
    }

    /// Height at a place `[x, z]`, grid units; places outside the box have the height of the nearest one in it. Allocates nothing, and ends
    /// whatever the points are.
    pub fn height(&self, place: [f64; 2]) -> f64 {
        let place = Place::new(&self.head, place);
        place.height(&self.head, in_order(self.triangle(place.fine)))
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
        for _ in 0..NEAR_PIVOTS {
            let circle = Circle::new(triangle);
            let mut best = Best::new(near);
            around.look(&circle, &mut best);
            if !best.found() {
                corners.iter().for_each(|&c| best.look(&circle, c));
                self.look_around(home, around.rings(), &circle, &mut best);
            }
            if !best.found() && best.tie <= 0 {
                return triangle;
            }
            match replace(triangle, best.node, p) {
                Some(lower) => triangle = lower,
                None => return triangle,
            }
        }
        self.lowest(triangle, p)
    }

    /// The same from a triangle on that holds the place, by the point that is deepest inside of the circle.
    #[cold]
    fn lowest(&self, mut triangle: [Node; 3], p: [i64; 2]) -> [Node; 3] {
        for _ in NEAR_PIVOTS..MOST_PIVOTS {
            let circle = Circle::new(triangle);
            let (mut depth, mut deepest) = ((0, 0), None);
            for node in self.nodes().filter(|n| !triangle.contains(n)) {
                let found = match circle.inside(node) {
                    0 => (0, circle.inside_tie(node)),
                    inside => (inside, 0),
                };
                if found > depth {
                    (depth, deepest) = (found, Some(node));
                }
            }
            match deepest.and_then(|node| replace(triangle, node, p)) {
                Some(lower) => triangle = lower,
                None => break,
            }
        }
        triangle
    }

    /// Looks into the buckets around one that a circle may meet, ring after ring from one on, until something is found inside.
    fn look_around(&self, home: [i64; 2], ring: i64, circle: &Circle, best: &mut Best) {
        let range = self.reach(circle);
        let mut distance = ring;
        while !best.found() && distance <= rings(home, range) {
            each_in_ring(home, distance, range, |bucket| {
                self.look(bucket, circle, best)
            });
            distance += 1;
        }
    }

    /// First and last bucket along x and z that a circle may meet.
    #[inline]
    fn reach(&self, circle: &Circle) -> Reach {
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

/// First and last bucket along x and z.
type Reach = [(i64, i64); 2];

/// How far the farthest bucket of a range is from one, in rings.
#[inline]
fn rings(home: [i64; 2], range: Reach) -> i64 {
    let far = |k: usize| (home[k] - range[k].0).max(range[k].1 - home[k]);
    far(0).max(far(1))
}

/// The buckets of a range that lie in the ring so far from one.
#[inline]
fn each_in_ring(home: [i64; 2], distance: i64, range: Reach, mut found: impl FnMut([i64; 2])) {
    let side = |k: usize| {
        let (low, high) = (home[k] - distance, home[k] + distance);
        low.max(range[k].0)..=high.min(range[k].1)
    };
    for row in side(1) {
        if (row - home[1]).abs() == distance {
            side(0).for_each(|column| found([column, row]));
            continue;
        }
        for column in [home[0] - distance, home[0] + distance] {
            if column >= range[0].0 && column <= range[0].1 {
                found([column, row]);
            }
        }
    }
}
