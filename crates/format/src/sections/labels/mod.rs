//! Hub labels: distances between the corners of a mesh that shortest paths turn at.
//!
//! I. Abraham, D. Delling, A. Goldberg and R. Werneck, A hub-based labeling algorithm for shortest
//! paths in road networks, 2011. They are made by pruned searches: T. Akiba, Y. Iwata and
//! Y. Yoshida, Fast exact shortest-path distance queries on large networks by pruned landmark
//! labeling, 2013.
//!
//! The label of a corner names hubs, which are corners too, and their distances. Any two corners
//! have a hub in common on a shortest path between them. A label has two parts, by the side on
//! which the path to the hub goes around the corner: a path that arrives at the corner continues
//! around the same side, so that it needs one part only.
//!
//! The sections are `labels`, `label-ends`, `label-hubs`, `label-distances`, `label-hops`,
//! `label-ranks`, `view-ends`, `views`, `view-cells`, `square-starts` and `square-labels`.

pub(crate) mod check;
#[cfg(feature = "write")]
pub(crate) mod encode;
pub(crate) mod squares;

use core::ops::Range;

use navbake_navmesh::record::{Record, Records};

use crate::layout::LayoutRecord;
use crate::numbers::Numbers;
use crate::{Blob, Section};

navbake_navmesh::record! {
    /// Section `labels`: the mesh, its number of corners, the length of a distance of 1, and the
    /// side of squares with views of their own, as powers of two.
    struct LabelsRecord: 16 { mesh: u64, corners: u32, shift: u8, view_shift: u8, reserved: [u8; 2] }
}
navbake_navmesh::record! {
    /// Section `view-cells`: the first row of views of a polygon, and the squares of its box.
    struct ViewCellsRecord: 16 { first: u32, column: i32, row: i32, across: u32 }
}

/// The limit of distances in labels: a sum of four stays within 32 bits.
const FARTHEST: u32 = 1 << 30;

/// The labels of a mesh, read in place.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    head: LabelsRecord,
    /// Two a corner, one for each part.
    ends: Records<'a, u32>,
    hubs: Numbers<'a>,
    distances: Records<'a, u32>,
    hops: Numbers<'a>,
    ranks: Numbers<'a>,
    /// Four a row, one for each kind of view; none where there are no views. Each polygon has a
    /// row, or one for each square of its box.
    view_ends: Records<'a, u32>,
    /// By polygon; none where each polygon is one row.
    view_cells: Records<'a, ViewCellsRecord>,
    views: Numbers<'a>,
    /// A row for each square of each polygon's box; none where squares have no labels.
    square_starts: Records<'a, u32>,
    square_labels: Numbers<'a>,
}

/// How many numbers a view of each kind has: the corner, and a corner that bounds the place on the
/// right, on the left, or both.
pub const VIEW_KINDS: [usize; 4] = [1, 2, 2, 3];

impl<'a> Labels<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Labels<'a>> {
        let numbers = |section| Numbers::read(blob, section, class);
        Some(Labels {
            head: blob.records(Section::LABELS, class).first()?,
            ends: blob.records(Section::LABEL_ENDS, class),
            hubs: numbers(Section::LABEL_HUBS),
            distances: blob.records(Section::LABEL_DISTANCES, class),
            hops: numbers(Section::LABEL_HOPS),
            ranks: numbers(Section::LABEL_RANKS),
            view_ends: blob.records(Section::VIEW_ENDS, class),
            view_cells: blob.records(Section::VIEW_CELLS, class),
            views: numbers(Section::VIEWS),
            square_starts: blob.records(Section::SQUARE_STARTS, class),
            square_labels: numbers(Section::SQUARE_LABELS),
        })
    }

    /// The number of corners, numbered as `docs/format.md` says.
    #[inline]
    pub fn corner_count(&self) -> u32 {
        self.head.corners
    }

    /// The number of entries of all labels.
    pub fn entry_count(&self) -> usize {
        self.distances.len()
    }

    /// A distance of 1 is 2^-shift grid units.
    #[inline]
    pub fn shift(&self) -> u32 {
        self.head.shift.into()
    }

    /// The hub number of a corner.
    #[inline]
    pub fn rank(&self, corner: u32) -> u32 {
        self.ranks.get(corner as usize)
    }

    /// The entries of a part of a corner's label: side 0 or 1, or 2 for both.
    #[inline]
    pub fn part(&self, corner: u32, side: u8) -> Range<usize> {
        let end = |i: usize| match i.checked_sub(1) {
            None => 0,
            Some(i) => self.ends.get(i).map_or(0, |e| e as usize),
        };
        let first = 2 * corner as usize;
        match side {
            0 => end(first)..end(first + 1),
            1 => end(first + 1)..end(first + 2),
            _ => end(first)..end(first + 2),
        }
    }

    /// The row of views, or of labels of squares, of a place (grid units) in a polygon.
    #[inline]
    fn view_row(&self, polygon: u32, place: [i32; 2]) -> Option<usize> {
        if self.view_cells.is_empty() {
            return Some(polygon as usize);
        }
        let cells = self.view_cells.get(polygon as usize)?;
        let [x, z] = place.map(|c| c >> self.head.view_shift.min(31));
        let column = u32::try_from(x.wrapping_sub(cells.column)).ok()?;
        let row = u32::try_from(z.wrapping_sub(cells.row)).ok()?;
        let across = cells.across;
        let number = u64::from(row) * u64::from(across) + u64::from(column);
        (column < across).then_some(cells.first as usize + usize::try_from(number).ok()?)
    }

    /// The views from a place (grid units) in a polygon, by kind; `None` where there are none.
    ///
    /// All other corners are invisible from there. A view is a corner that is visible from the part
    /// of the polygon (or of its square at the place) to the left of the ray from the corner
    /// through another one, or to the right of a ray of that kind, or both; see [`VIEW_KINDS`].
    #[inline]
    pub fn view_parts(&self, polygon: u32, place: [i32; 2]) -> Option<[Range<usize>; 4]> {
        let first = self.view_row(polygon, place)?.checked_mul(4)?;
        let end = |i: usize| self.view_ends.get(i).map(|e| e as usize);
        let begin = match first.checked_sub(1) {
            None => 0,
            Some(before) => end(before)?,
        };
        let ends = [end(first)?, end(first + 1)?, end(first + 2)?, end(first + 3)?];
        (begin < ends[3]).then_some([
            begin..ends[0],
            ends[0]..ends[1],
            ends[1]..ends[2],
            ends[2]..ends[3],
        ])
    }

    /// The numbers of corners of views.
    #[inline]
    pub fn views(&self) -> Numbers<'a> {
        self.views
    }

    /// Bytes that views or labels of squares take in their sections.
    pub fn view_bytes(&self) -> u64 {
        let views = 4 * self.view_ends.len() + self.views.bytes();
        let squares = 4 * self.square_starts.len() + self.square_labels.bytes();
        (views + squares + ViewCellsRecord::SIZE * self.view_cells.len()) as u64
    }

    /// The hubs of entries, rising within a part.
    #[inline]
    pub fn hubs(&self) -> Numbers<'a> {
        self.hubs
    }

    /// The distances of entries, rounded to the nearest.
    #[inline]
    pub fn distances(&self) -> Records<'a, u32> {
        self.distances
    }

    /// The first corner on the path from a label's corner to the hub of an entry.
    #[inline]
    pub fn hop(&self, entry: usize) -> u32 {
        self.hops.get(entry)
    }
}

/// A hash of a mesh's vertices, polygons, edges and of the grid.
pub(crate) fn mesh_hash(blob: &Blob<'_>, class: u16) -> u64 {
    // An unpacked file keeps the hash of the packed file it was made from.
    if let Some(head) = blob.records::<LayoutRecord>(Section::LAYOUT, class).first() {
        return head.ground;
    }
    mesh_hash_of(blob.header().grid.bits, |section| {
        let (info, bytes) = blob.section(section, class)?;
        Some((info.element_size, bytes))
    })
}

/// As [`mesh_hash`], by the record size and the bytes of each section of the mesh.
pub(crate) fn mesh_hash_of<'a>(
    grid_bits: u8,
    section_of: impl Fn(Section) -> Option<(u16, &'a [u8])>,
) -> u64 {
    let sections = [
        Section::MESH,
        Section::VERTICES,
        Section::VERTEX_BLOCKS,
        Section::POLYGONS,
        Section::EDGES,
        Section::FAR,
    ];
    let mut hash = Hash::default();
    hash.add(u64::from(grid_bits));
    for section in sections {
        let Some((element_size, bytes)) = section_of(section) else {
            hash.add(u64::MAX);
            continue;
        };
        hash.add(u64::from(section.0) << 32 | u64::from(element_size));
        hash.bytes(bytes);
    }
    hash.0
}

/// FNV-1a over words of 64 bits, rotated after each step so that high bits matter.
///
/// It detects accidents and is no protection against forgery.
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(29);
    }

    /// Adds bytes and their number.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.add(word.first_chunk().map_or(0, |w| u64::from_le_bytes(*w)));
        }
        let rest = words.remainder().iter().rev();
        self.add(rest.fold(0, |word, &b| word << 8 | u64::from(b)));
    }
}
