//! How far it is between the corners of a mesh that shortest paths turn at: hub labels (Abraham, Delling, Goldberg and Werneck, A
//! hub-based labeling algorithm for shortest paths in road networks, 2011), made by pruned searches (Akiba, Iwata and Yoshida, Fast exact
//! shortest-path distance queries on large networks by pruned landmark labeling, 2013).
//!
//! The label of a corner names hubs, which are corners too, and how far they are. Any two corners have a hub in common that lies on a shortest
//! path between them. A label is told in two parts, by the side on which the way to the hub goes around the corner: a path that comes to
//! the corner goes on around the same side, so that it needs one part only.

use zerocopy::little_endian::{U16, U32};

use crate::packed::Numbers;
use crate::records::{LabelsRecord, ViewCellsRecord};
use crate::{Blob, Section};

/// The greatest distance that a label may tell, so that a sum of four stays within 32 bits.
pub(crate) const FARTHEST: u32 = 1 << 30;

/// The labels of a mesh, read in place.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    pub(crate) head: LabelsRecord,
    /// Two a corner, one for each part.
    pub(crate) ends: &'a [U32],
    pub(crate) hubs: Numbers<'a>,
    pub(crate) distances: &'a [U32],
    pub(crate) hops: Numbers<'a>,
    pub(crate) ranks: Numbers<'a>,
    /// Four a row, one for each kind of view; none where there are no views. Each polygon has a row, or one for each square of its box.
    pub(crate) view_ends: &'a [U32],
    /// By polygon; none where each polygon is one row.
    pub(crate) view_cells: &'a [ViewCellsRecord],
    pub(crate) views: Numbers<'a>,
    /// A row for each square of each polygon's box; none where squares have no labels.
    pub(crate) square_starts: &'a [U32],
    pub(crate) square_labels: Numbers<'a>,
}

/// How many numbers a view of each kind takes: the corner; and one that bounds the place on the right, on the left, or both.
pub const VIEW_KINDS: [usize; 4] = [1, 2, 2, 3];

/// Numbers of labels, in as many bytes as they need.
#[derive(Clone, Copy, Debug)]
pub enum LabelNumbers<'a> {
    /// Of 16 bits.
    Two(&'a [U16]),
    /// Of 32 bits.
    Four(&'a [U32]),
}

impl<'a> Labels<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Labels<'a>> {
        let head = *blob
            .records::<LabelsRecord>(Section::LABELS, class)
            .first()?;
        let numbers = |section| match blob.section(section, class) {
            Some((info, _)) if info.element_size == 2 => Numbers::Two(blob.records(section, class)),
            _ => Numbers::Four(blob.records(section, class)),
        };
        Some(Labels {
            head,
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

    /// How many corners there are, numbered as `docs/format.md` says.
    #[inline]
    pub fn corner_count(&self) -> u32 {
        self.head.corners.get()
    }

    /// How many hubs all labels name together.
    pub fn entry_count(&self) -> usize {
        self.distances.len()
    }

    /// A distance of 1 is 2^-shift grid units.
    #[inline]
    pub fn shift(&self) -> u32 {
        self.head.shift.into()
    }

    /// Which hub a corner is.
    #[inline]
    pub fn rank(&self, corner: u32) -> u32 {
        self.ranks.get(corner as usize)
    }

    /// Where a part of a corner's label stands among the entries: side 0 or 1, or 2 for both.
    #[inline]
    pub fn part(&self, corner: u32, side: u8) -> core::ops::Range<usize> {
        let end = |i: usize| match i.checked_sub(1) {
            None => 0,
            Some(i) => self.ends.get(i).map_or(0, |e| e.get() as usize),
        };
        let first = 2 * corner as usize;
        match side {
            0 => end(first)..end(first + 1),
            1 => end(first + 1)..end(first + 2),
            _ => end(first)..end(first + 2),
        }
    }

    /// Which row of views, or of labels of squares, serves a place (grid units) that a polygon holds.
    #[inline]
    pub(crate) fn view_row(&self, polygon: u32, place: [i32; 2]) -> Option<usize> {
        if self.view_cells.is_empty() {
            return Some(polygon as usize);
        }
        let cells = self.view_cells.get(polygon as usize)?;
        let [x, z] = place.map(|c| c >> self.head.view_shift.min(31));
        let column = u32::try_from(x.wrapping_sub(cells.column.get())).ok()?;
        let row = u32::try_from(z.wrapping_sub(cells.row.get())).ok()?;
        let across = cells.across.get();
        let number = u64::from(row) * u64::from(across) + u64::from(column);
        (column < across).then_some(cells.first.get() as usize + usize::try_from(number).ok()?)
    }

    /// Where the views from a place (grid units) that a polygon holds stand, by kind; `None` where there are none. What is not among them is not seen from there.
    ///
    /// A view is a corner that is seen from the part of the polygon, or of the square of it that the place lies in, that is to the left of the ray from the corner through another one, or to
    /// the right of such a ray, or both; see [`VIEW_KINDS`].
    #[inline]
    pub fn view_parts(
        &self,
        polygon: u32,
        place: [i32; 2],
    ) -> Option<[core::ops::Range<usize>; 4]> {
        let first = self.view_row(polygon, place)?.checked_mul(4)?;
        let end = |i: usize| self.view_ends.get(i).map(|e| e.get() as usize);
        let begin = match first.checked_sub(1) {
            None => 0,
            Some(before) => end(before)?,
        };
        let ends = [
            end(first)?,
            end(first + 1)?,
            end(first + 2)?,
            end(first + 3)?,
        ];
        (begin < ends[3]).then_some([
            begin..ends[0],
            ends[0]..ends[1],
            ends[1]..ends[2],
            ends[2]..ends[3],
        ])
    }

    /// The numbers of corners that views are told in.
    #[inline]
    pub fn views(&self) -> LabelNumbers<'a> {
        match self.views {
            Numbers::Two(n) => LabelNumbers::Two(n),
            Numbers::Four(n) => LabelNumbers::Four(n),
        }
    }

    /// How many bytes the views take of the sections that hold them, or the labels of squares.
    pub fn view_bytes(&self) -> u64 {
        let size = |numbers: Numbers<'_>| match numbers {
            Numbers::Two(n) => size_of_val(n) as u64,
            Numbers::Four(n) => size_of_val(n) as u64,
        };
        let views = size_of_val(self.view_ends) as u64 + size(self.views);
        let squares = size_of_val(self.square_starts) as u64 + size(self.square_labels);
        views + squares + size_of_val(self.view_cells) as u64
    }

    /// The hubs that entries name; within a part they rise.
    #[inline]
    pub fn hubs(&self) -> LabelNumbers<'a> {
        match self.hubs {
            Numbers::Two(n) => LabelNumbers::Two(n),
            Numbers::Four(n) => LabelNumbers::Four(n),
        }
    }

    /// How far they are, each rounded to the nearest.
    #[inline]
    pub fn distances(&self) -> &'a [U32] {
        self.distances
    }

    /// The first corner on the way from a label's corner to the hub of an entry.
    #[inline]
    pub fn hop(&self, entry: usize) -> u32 {
        self.hops.get(entry)
    }
}

/// What a mesh's ground is known by: a hash of its vertices, polygons, edges and of the grid.
pub(crate) fn ground(blob: &Blob<'_>, class: u16) -> u64 {
    let section = |section| {
        let (info, bytes) = blob.section(section, class)?;
        Some((info.element_size, bytes))
    };
    ground_of(blob.header().grid.bits, section)
}

/// The same of sections that are no blob yet: their record sizes and bytes, by kind.
pub(crate) fn ground_of<'a>(
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
        hash.add(bytes.len() as u64);
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            hash.add(word.first_chunk().map_or(0, |w| u64::from_le_bytes(*w)));
        }
        let rest = words.remainder().iter().rev();
        hash.add(rest.fold(0, |word, &b| word << 8 | u64::from(b)));
    }
    hash.0
}

/// FNV-1a over words of 64 bits, turned after each step so that high bits come down: finds what does not belong together, and is no defence
/// against who means to deceive.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word)
            .wrapping_mul(0x0000_0100_0000_01B3)
            .rotate_left(29);
    }
}
