//! Packed height points: a box of the ground plane, and points in it, sorted into buckets.
//!
//! Triangles are not stored: [`DetailsBuffer`] computes them from the points when the mesh is
//! decoded. See [`navbake_navmesh::detail`].
//!
//! [`DetailsBuffer`]: navbake_navmesh::detail::DetailsBuffer

mod head;

use core::ops::Range;

#[cfg(feature = "alloc")]
use navbake_navmesh::detail::{DetailHead, DetailPoint};
use navbake_navmesh::record::Records;

use crate::packed::word;
#[cfg(feature = "write")]
pub(crate) use head::LEAST_BUCKET;
pub(crate) use head::{HEAD, Head, MANY, MOST_SHIFT};

/// Heights over a box of the ground plane, read in place.
#[derive(Clone, Copy)]
pub(crate) struct HeightMesh<'a> {
    head: Head,
    /// Words of it.
    len: usize,
    /// Number of points before the end of each bucket, one or two bytes each.
    ends: &'a [u8],
    /// Points of this many bits, and the bytes after them.
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

impl<'a> HeightMesh<'a> {
    /// From its words: a head, the ends of buckets, and points. Other words may follow. Missing
    /// words read as zero.
    #[inline]
    pub(crate) fn read(words: Records<'a, u32>, len: usize) -> HeightMesh<'a> {
        let head = Head::read(words);
        let rest = words.slice(HEAD..words.len()).unwrap_or_default();
        let (ends, points) = rest.split_at(head.end_words()).unwrap_or((rest, Records::default()));
        HeightMesh { head, len, ends: ends.bytes(), points: points.bytes(), width: head.width() }
    }

    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// Words of a height mesh with this head and number of points.
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

    /// The corners of the box, counter-clockwise seen from above from the least one on.
    #[cfg(feature = "alloc")]
    fn corner(&self, k: usize) -> Node {
        let [x, z] = self.head.size.map(i64::from);
        let [x, z] = [[0, 0], [0, z], [x, z], [x, 0]][k];
        Node { x, z, y: self.head.corners[k].into() }
    }

    /// Number of height points.
    pub(crate) fn len(&self) -> usize {
        self.end(self.head.bucket_count())
    }

    /// Least and greatest corner of the box `[x, z]`, grid units.
    pub(crate) fn bounds(&self) -> [[i32; 2]; 2] {
        let far = |k: usize| {
            self.head.least[k].wrapping_add(self.head.size[k].wrapping_shl(self.head.shifts[0]))
        };
        [self.head.least, [far(0), far(1)]]
    }

    /// Least and greatest height of all its points, grid units.
    #[inline]
    pub(crate) fn heights(&self) -> [i32; 2] {
        self.head.heights()
    }

    /// The box and its steps.
    #[cfg(feature = "alloc")]
    pub(crate) fn detail(&self) -> DetailHead {
        let head = &self.head;
        DetailHead {
            least: head.least,
            base: head.base,
            size: head.size,
            top: head.top.into(),
            flat: head.shifts[0] as u8,
            up: head.shifts[2] as u8,
            square: 0,
            reserved: 0,
            first_point: 0,
            points: 0,
            first_triangle: 0,
            triangles: 0,
            first_square: 0,
            columns: 0,
        }
    }

    /// All points: the corners of the box, then the height points by bucket.
    #[cfg(feature = "alloc")]
    pub(crate) fn points(&self) -> impl Iterator<Item = DetailPoint> + '_ {
        let point =
            |node: Node| DetailPoint { x: node.x as u16, z: node.z as u16, y: node.y as u32 };
        self.nodes().map(point)
    }

    /// The corners of the box, then the height points in the order of buckets.
    #[cfg(feature = "alloc")]
    fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let corners = (0..4).map(|k| self.corner(k));
        let inner = (0..self.head.bucket_count()).flat_map(move |b| {
            let origin = self.origin(b);
            self.bucket(b).map(move |i| self.node(origin, self.code(i)))
        });
        corners.chain(inner)
    }
}
