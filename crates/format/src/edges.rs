//! The edges of polygons, read in place: a bit each for a new vertex and for a portal, and a code for what these do not tell.
//!
//! Vertices are numbered in the order in which edges first begin at them, so an edge at a *new* vertex need not name it: counting bits does.
//! The others name an older vertex, portals the polygon beyond, walls nothing.

use core::array;

use crate::packed::{Numbers, nibbles_before, ones_before, word};
use crate::records::{BEFORE, FAR, GROUP, LARGE, LEAST_CORNERS};

/// Bits that a look-up gives at least.
const READ: u32 = 56;
/// Edges of a polygon of which a [`Run`] holds the bits; others are looked up anew.
const HELD: u32 = 16;

/// Edges of all polygons and where they begin.
#[derive(Clone, Copy)]
pub(crate) struct Edges<'a> {
    /// Records of groups, `size` bytes each.
    groups: &'a [u8],
    size: usize,
    /// New vertices, then portals, then codes of vertices, then of neighbours.
    bytes: &'a [u8],
    /// Bytes of one row of bits.
    row: usize,
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
    /// Its first edge, the first vertex that is new in it, its first portal, its first element of `far`.
    pub(crate) firsts: [u32; 4],
}

/// Where the edges of one polygon are told.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// The least new vertex that it may begin.
    pub(crate) vertex: u32,
    /// Bits of its first [`HELD`] edges.
    new: u16,
    portals: u16,
    /// How many of `new` are set before each, in four bits.
    before: u64,
    /// Of its group: the first edge and portal, the polygon that neighbours are counted from, the first element of `far`.
    edge: u32,
    portal: u32,
    near: u32,
    far: u32,
}

/// What an edge names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// That itself: the next new vertex, or no neighbour.
    None,
    /// Told in one byte, from the polygon on.
    Near(u8),
    /// An element of `far`.
    Far(u32),
    Whole(u32),
}

impl<'a> Edges<'a> {
    /// Over the sections' bytes. `None` when they are too short for the polygons and vertices.
    pub(crate) fn new(
        groups: &'a [u8],
        size: usize,
        bytes: &'a [u8],
        wide: bool,
        far: Numbers<'a>,
        polygons: u32,
        vertices: u32,
    ) -> Option<Edges<'a>> {
        let mut edges = Edges {
            groups,
            size,
            bytes,
            row: 0,
            neighbours: 0,
            wide,
            far,
            count: 0,
        };
        if let Some(last) = polygons.checked_sub(1) {
            let group = edges.group(last as usize / GROUP)?;
            let (before, len) = edges.corners(&group, last as usize % GROUP);
            let count = u64::from(group.firsts[0]) + u64::from(before) + u64::from(len);
            edges.count = u32::try_from(count).ok()?;
        }
        let count = edges.count as usize;
        let code = if wide { 4 } else { 1 };
        edges.row = count.div_ceil(8).next_multiple_of(code);
        let old = count.checked_sub(vertices as usize)?;
        edges.neighbours = 2 * edges.row + old.checked_mul(code)?;
        (bytes.len() >= edges.neighbours).then_some(edges)
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
        let corners = u64::from_le_bytes(*record.first_chunk()?);
        let rest = record.get(8..)?;
        let firsts = match self.size {
            16 => {
                let all: &[u8; 8] = rest.first_chunk()?;
                array::from_fn(|k| u16::from_le_bytes([all[2 * k], all[2 * k + 1]]).into())
            }
            20 => {
                let all: &[u8; 12] = rest.first_chunk()?;
                array::from_fn(|k| u32::from_le_bytes([all[3 * k], all[3 * k + 1], all[3 * k + 2], 0]))
            }
            _ => {
                let all: &[u8; 16] = rest.first_chunk()?;
                array::from_fn(|k| {
                    let at = 4 * k;
                    u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]])
                })
            }
        };
        Some(Group { corners, firsts })
    }

    /// Edges of a group before polygon i of it, and that polygon's own.
    #[inline]
    fn corners(&self, group: &Group, i: usize) -> (u32, u32) {
        let own = (group.corners >> (4 * i)) as u32 & 15;
        let before = nibbles_before(group.corners, i) + LEAST_CORNERS * i as u32;
        // All four bits of one that matters.
        let x = group.corners << (60 - 4 * i);
        if x & x >> 1 & x >> 2 & x >> 3 & (u64::MAX / 15) != 0 {
            return self.many_corners(group, i, before, own);
        }
        (before, own + LEAST_CORNERS)
    }

    /// The same where polygons have so many that `far` tells them.
    #[cold]
    fn many_corners(&self, group: &Group, i: usize, before: u32, own: u32) -> (u32, u32) {
        let (mut before, mut far) = (before, group.firsts[3]);
        let told = |far: u32| self.far.get(far as usize);
        for k in 0..i {
            if (group.corners >> (4 * k)) as u32 & 15 == LARGE {
                let more = told(far).wrapping_sub(LARGE + LEAST_CORNERS);
                before = before.wrapping_add(more);
                far = far.wrapping_add(1);
            }
        }
        let own = match own {
            LARGE => told(far),
            few => few + LEAST_CORNERS,
        };
        (before, own)
    }

    /// The edges of a polygon; none of one that is not there.
    #[inline]
    pub(crate) fn find(&self, polygon: usize) -> Run {
        let Some(group) = self.group(polygon / GROUP) else {
            return Run::default();
        };
        let (before, len) = self.corners(&group, polygon % GROUP);
        let [edge, vertex, portal, far] = group.firsts;
        let first = edge.wrapping_add(before);
        let new = self.bits(0, first) as u16;
        Run {
            first,
            len,
            vertex: vertex.wrapping_add(self.ones(0, edge, before)),
            new,
            portals: self.bits(self.row, first) as u16,
            before: ones_before(new),
            edge,
            portal,
            near: ((polygon / GROUP * GROUP) as u32).wrapping_sub(BEFORE),
            far,
        }
    }

    /// At least [`READ`] bits of a row, from edge `at` on. Behind the row's end they mean nothing.
    #[inline]
    fn bits(&self, row: usize, at: u32) -> u64 {
        word(self.bytes, row + at as usize / 8) >> (at % 8)
    }

    /// How many bits of so many are set.
    #[inline]
    fn ones(&self, row: usize, at: u32, count: u32) -> u32 {
        let (mut at, mut left, mut sum) = (at, count, 0);
        while left > READ {
            sum += (self.bits(row, at) & ((1 << READ) - 1)).count_ones();
            at = at.wrapping_add(READ);
            left -= READ;
        }
        sum + (self.bits(row, at) & ((1 << left) - 1)).count_ones()
    }

    /// Is the bit of edge k of a polygon set?
    #[inline]
    fn bit(&self, held: u16, row: usize, run: &Run, k: u32) -> bool {
        if k < HELD {
            held >> k & 1 != 0
        } else {
            self.bits(row, run.first.wrapping_add(k)) & 1 != 0
        }
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

    /// How the vertex at corner k is told, and the new vertex that it is else.
    #[inline]
    pub(crate) fn vertex_code(&self, run: &Run, k: u32) -> (Code, u32) {
        let before = match k < HELD {
            true => (run.before >> (4 * k)) as u32 & 15,
            false => self.ones(0, run.first, k),
        };
        let next = run.vertex.wrapping_add(before);
        if self.bit(run.new, 0, run, k) {
            return (Code::None, next);
        }
        // Of the edges before, those without a new vertex have codes.
        let i = run.first.wrapping_add(k).wrapping_sub(next);
        (self.code(2 * self.row, i, run), next)
    }

    /// How the neighbour at edge k is told.
    #[inline]
    pub(crate) fn neighbour_code(&self, run: &Run, k: u32) -> Code {
        if !self.bit(run.portals, self.row, run, k) {
            return Code::None;
        }
        let before = run.first.wrapping_sub(run.edge).wrapping_add(k);
        let before = self.ones(self.row, run.edge, before);
        self.code(self.neighbours, run.portal.wrapping_add(before), run)
    }

    /// The vertex at corner k.
    #[inline]
    pub(crate) fn vertex(&self, run: &Run, k: u32) -> u32 {
        match self.vertex_code(run, k) {
            (Code::None, next) => next,
            (Code::Near(code), _) => run.vertex.wrapping_sub(1 + u32::from(code)),
            (Code::Far(i), _) => self.far.get(i as usize),
            (Code::Whole(v), _) => v,
        }
    }

    /// The polygon beyond edge k.
    #[inline]
    pub(crate) fn neighbour(&self, run: &Run, k: u32) -> Option<u32> {
        match self.neighbour_code(run, k) {
            Code::None => None,
            Code::Near(code) => Some(run.near.wrapping_add(code.into())),
            Code::Far(i) => Some(self.far.get(i as usize)),
            Code::Whole(n) => Some(n),
        }
    }

    /// Are the bits behind the last edge of both rows zero, and those of codes' last words?
    pub(crate) fn is_padded(&self) -> bool {
        [0, self.row].iter().all(|&row| {
            (self.count..8 * self.row as u32).all(|e| {
                let byte = self.bytes.get(row + e as usize / 8);
                byte.is_none_or(|b| b >> (e % 8) & 1 == 0)
            })
        })
    }
}
