//! The edges of polygons, read in place: a code for the vertex where each begins, a bit for each
//! that is a portal, and codes for the polygons beyond. Walls take no more than that bit, so
//! counting bits gives the index of a portal's code.

use core::array;

use navbake_navmesh::record::Records;

use crate::numbers::Numbers;
use crate::packed::{nibbles_before, word};
use crate::records::{BEFORE, FAR, GROUP, LARGE, LEAST_CORNERS};

/// Bits that a look-up gives at least.
const READ: u32 = 56;

/// Edges of all polygons and where they begin.
#[derive(Clone, Copy)]
pub(crate) struct Edges<'a> {
    /// Records of groups, `size` bytes each.
    groups: &'a [u8],
    size: usize,
    /// Bits of portals, then codes of vertices, then of neighbours.
    bytes: &'a [u8],
    /// Where codes of vertices begin.
    vertices: usize,
    /// Where codes of neighbours begin.
    neighbours: usize,
    /// Do codes take four bytes, and name vertices and polygons themselves?
    wide: bool,
    far: Numbers<'a>,
    count: u32,
}

/// A record of [`GROUP`] polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Corners of each polygon over [`LEAST_CORNERS`], four bits each.
    pub(crate) corners: u64,
    /// Its first edge, the vertex that others are counted from, its first portal, its first element
    /// of `far`.
    pub(crate) firsts: [u32; 4],
}

/// Where the edges of one polygon are stored.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// Of its group: the first edge and portal, the bases of vertex and neighbour codes, and the
    /// first element of `far`.
    edge: u32,
    portal: u32,
    vertex: u32,
    near: u32,
    far: u32,
}

/// A stored reference from an edge to a vertex or a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// No neighbour.
    None,
    /// One byte: an offset from the base of the group.
    Near(u8),
    /// An element of `far`.
    Far(u32),
    Whole(u32),
}

impl Run {
    /// Edges that are not packed.
    pub(crate) fn plain(first: u32, len: u32) -> Run {
        Run { first, len, ..Run::default() }
    }
}

impl<'a> Edges<'a> {
    /// Over the sections' bytes. `None` when they are too short for the polygons.
    pub(crate) fn new(
        groups: &'a [u8],
        size: usize,
        bytes: &'a [u8],
        wide: bool,
        far: Numbers<'a>,
        polygons: u32,
    ) -> Option<Edges<'a>> {
        let mut edges =
            Edges { groups, size, bytes, vertices: 0, neighbours: 0, wide, far, count: 0 };
        if let Some(last) = polygons.checked_sub(1) {
            let group = edges.group(last as usize / GROUP)?;
            let (before, len) = edges.corners(&group, last as usize % GROUP);
            let count = u64::from(group.firsts[0]) + u64::from(before) + u64::from(len);
            edges.count = u32::try_from(count).ok()?;
        }
        let count = edges.count as usize;
        let code = if wide { 4 } else { 1 };
        edges.vertices = count.div_ceil(8).next_multiple_of(code);
        edges.neighbours = edges.vertices + count.checked_mul(code)?;
        (bytes.len() >= edges.neighbours).then_some(edges)
    }

    /// No edges of packed polygons.
    pub(crate) fn none() -> Edges<'a> {
        Edges {
            groups: &[],
            size: 16,
            bytes: &[],
            vertices: 0,
            neighbours: 0,
            wide: false,
            far: Numbers::Four(Records::default()),
            count: 0,
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// Number of edges with a neighbour, as far as there are codes for them.
    pub(crate) fn portal_count(&self) -> usize {
        (self.bytes.len() - self.neighbours) / if self.wide { 4 } else { 1 }
    }

    pub(crate) fn far(&self) -> &Numbers<'a> {
        &self.far
    }

    #[inline]
    pub(crate) fn group(&self, i: usize) -> Option<Group> {
        let record = self.groups.get(i * self.size..)?;
        if self.size == 16 {
            let all = u128::from_le_bytes(*record.first_chunk()?);
            let firsts = array::from_fn(|k| (all >> (64 + 16 * k)) as u32 & 0xFFFF);
            let corners = all as u64;
            return Some(Group { corners, firsts });
        }
        let corners = u64::from_le_bytes(*record.first_chunk()?);
        let (width, rest) = (self.size / 4 - 2, record.get(8..self.size)?);
        let number = |k: usize| {
            let bytes = rest.iter().skip(k * width).take(width).rev();
            bytes.fold(0, |n, &b| n << 8 | u32::from(b))
        };
        let firsts = array::from_fn(number);
        Some(Group { corners, firsts })
    }

    /// Edges of a group before polygon i of it, and that polygon's own.
    #[inline]
    fn corners(&self, group: &Group, i: usize) -> (u32, u32) {
        let own = (group.corners >> (4 * i)) as u32 & 15;
        let before = nibbles_before(group.corners, i) + LEAST_CORNERS * i as u32;
        // Are all four bits set for any polygon up to this one?
        let x = group.corners << (60 - 4 * i);
        if x & x >> 1 & x >> 2 & x >> 3 & (u64::MAX / 15) != 0 {
            return self.many_corners(group, i, before, own);
        }
        (before, own + LEAST_CORNERS)
    }

    /// The same for polygons whose number of corners is in `far`.
    #[cold]
    fn many_corners(&self, group: &Group, i: usize, before: u32, own: u32) -> (u32, u32) {
        let (mut before, mut far) = (before, group.firsts[3]);
        let far_value = |far: u32| self.far.get(far as usize);
        for k in 0..i {
            if (group.corners >> (4 * k)) as u32 & 15 == LARGE {
                let more = far_value(far).wrapping_sub(LARGE + LEAST_CORNERS);
                before = before.wrapping_add(more);
                far = far.wrapping_add(1);
            }
        }
        let own = match own {
            LARGE => far_value(far),
            few => few + LEAST_CORNERS,
        };
        (before, own)
    }

    /// The edges of a polygon; empty if the polygon does not exist.
    #[inline]
    pub(crate) fn find(&self, polygon: usize) -> Run {
        let Some(group) = self.group(polygon / GROUP) else {
            return Run::default();
        };
        let (before, len) = self.corners(&group, polygon % GROUP);
        let [edge, vertex, portal, far] = group.firsts;
        let first = edge.wrapping_add(before);
        Run {
            first,
            len,
            edge,
            portal,
            vertex,
            near: ((polygon / GROUP * GROUP) as u32).wrapping_sub(BEFORE),
            far,
        }
    }

    /// At least [`READ`] bits from edge `at` on. Behind the last edge they mean nothing.
    #[inline]
    fn bits(&self, at: u32) -> u64 {
        word(self.bytes, at as usize / 8) >> (at % 8)
    }

    /// The number of set bits among the first ones.
    #[inline]
    fn ones(&self, at: u32, count: u32) -> u32 {
        let (mut at, mut left, mut sum) = (at, count, 0);
        while left > READ {
            sum += (self.bits(at) & ((1 << READ) - 1)).count_ones();
            at = at.wrapping_add(READ);
            left -= READ;
        }
        sum + (self.bits(at) & ((1 << left) - 1)).count_ones()
    }

    /// Code number `i` of those that begin at a byte.
    #[inline]
    fn code(&self, begin: usize, i: u32, run: &Run) -> Code {
        if self.wide {
            let bytes = self.bytes.get(begin + 4 * i as usize..);
            let bytes = bytes.and_then(|b| b.first_chunk()).copied();
            return Code::Whole(u32::from_le_bytes(bytes.unwrap_or_default()));
        }
        match self.bytes.get(begin + i as usize) {
            Some(&c) if c & FAR != 0 => Code::Far(run.far.wrapping_add((c & !FAR).into())),
            Some(&c) => Code::Near(c),
            None => Code::None,
        }
    }

    /// The code for the vertex at corner k.
    #[inline]
    pub(crate) fn vertex_code(&self, run: &Run, k: u32) -> Code {
        self.code(self.vertices, run.first.wrapping_add(k), run)
    }

    /// The code for the neighbour at edge k.
    #[inline]
    pub(crate) fn neighbour_code(&self, run: &Run, k: u32) -> Code {
        let at = run.first.wrapping_add(k);
        let byte = self.bytes.get(at as usize / 8).copied().unwrap_or(0);
        if byte >> (at % 8) & 1 == 0 {
            return Code::None;
        }
        let before = self.ones(run.edge, at.wrapping_sub(run.edge));
        self.code(self.neighbours, run.portal.wrapping_add(before), run)
    }

    /// The vertex at corner k.
    #[inline]
    pub(crate) fn vertex(&self, run: &Run, k: u32) -> u32 {
        match self.vertex_code(run, k) {
            Code::Near(code) => run.vertex.wrapping_add(code.into()),
            Code::Far(i) => self.far.get(i as usize),
            Code::Whole(v) => v,
            Code::None => 0,
        }
    }

    /// The polygon beyond edge k.
    #[inline]
    pub(crate) fn neighbour(&self, run: &Run, k: u32) -> Option<u32> {
        self.named(self.neighbour_code(run, k), run)
    }

    /// The polygon that a neighbour's code names.
    #[inline]
    fn named(&self, code: Code, run: &Run) -> Option<u32> {
        match code {
            Code::None => None,
            Code::Near(code) => Some(run.near.wrapping_add(code.into())),
            Code::Far(i) => Some(self.far.get(i as usize)),
            Code::Whole(n) => Some(n),
        }
    }

    /// Calls `f` for each edge of a polygon: its number there, its vertex and the polygon beyond.
    #[inline]
    pub(crate) fn each(&self, run: &Run, mut f: impl FnMut(u32, u32, Option<u32>)) {
        // Codes of neighbours follow each other as portals do.
        let before = self.ones(run.edge, run.first.wrapping_sub(run.edge));
        let mut portal = run.portal.wrapping_add(before);
        for k in 0..run.len {
            let at = run.first.wrapping_add(k);
            let byte = self.bytes.get(at as usize / 8).copied().unwrap_or(0);
            let mut neighbour = None;
            if byte >> (at % 8) & 1 != 0 {
                neighbour = self.named(self.code(self.neighbours, portal, run), run);
                portal = portal.wrapping_add(1);
            }
            f(k, self.vertex(run, k), neighbour);
        }
    }

    /// Are the bits behind the last edge's zero?
    pub(crate) fn is_padded(&self) -> bool {
        (self.count..8 * self.vertices as u32).all(|e| {
            let byte = self.bytes.get(e as usize / 8);
            byte.is_none_or(|b| b >> (e % 8) & 1 == 0)
        })
    }
}
