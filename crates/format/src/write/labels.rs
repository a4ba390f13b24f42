//! Labels of corners to their sections, added to a blob: they are made on the very mesh that it holds.

use alloc::vec::Vec;

use zerocopy::little_endian::{I32, U16, U32, U64};

use super::{Draft, EncodeError, drafts_of, ground_of_drafts, rebuilt};
use crate::records::{LabelsRecord, ViewCellsRecord};
use crate::squares::{HEAD, VIEW, entry_numbers};
use crate::{Blob, Grid, Section, SquareView};

/// How far it is between the corners of a mesh; see [`crate::Labels`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LabelParts<'a> {
    /// The mesh that they are of.
    pub class: u16,
    /// A distance of 1 is 2^-shift grid units; at most 31.
    pub shift: u8,
    /// Which hub each corner is.
    pub ranks: &'a [u32],
    /// Where each part of each corner's label ends: two a corner.
    pub ends: &'a [u32],
    /// The hubs of all parts, rising within each.
    pub hubs: &'a [u32],
    /// How far they are, below 2^30.
    pub distances: &'a [u32],
    /// The first corner on the way there.
    pub hops: &'a [u32],
    /// Where the views of each row end, by kind: four a row; none without views. A polygon is a row, or as many as it has squares.
    pub view_ends: &'a [u32],
    /// By polygon, where squares have views of their own; else none.
    pub view_cells: &'a [ViewCells],
    /// The side of such squares is 2^this grid units; at most 31, and 0 without.
    pub view_shift: u8,
    /// The numbers of corners that they are told in.
    pub views: &'a [u32],
    /// Labels of such squares, in place of views.
    pub squares: SquareParts<'a>,
}

/// Labels of squares; see [`crate::SquareLabel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SquareParts<'a> {
    /// Where the views and the entries of each square end; fewer than 65,535 of both a square.
    pub ends: &'a [[u32; 2]],
    /// How many of the views of each square, the first ones, tell hubs that no entry names: the ranks of their corners, which do not fall.
    pub own: &'a [u32],
    /// The views of all squares.
    pub views: &'a [SquareView],
    /// The hubs of all entries; they do not fall within a square.
    pub hubs: &'a [u32],
    /// The view of each entry, counted within its square.
    pub vias: &'a [u16],
    /// How far the hub of each entry is from the corner of that view, below 2^30.
    pub distances: &'a [u32],
}

/// The squares of a polygon's box, each with views of its own, row after row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewCells {
    /// The row of views of the first square; they end where those of the next polygon begin.
    pub first: u32,
    /// Column and row of the first square, counted from the origin of the grid.
    pub least: [i32; 2],
    /// How many squares stand in a row.
    pub across: u32,
}

impl LabelParts<'_> {
    /// How many bytes they take in a blob, their rows in its table included.
    pub fn bytes(&self) -> u64 {
        let (corners, hubs) = (self.ranks.len() as u64, self.hubs.len() as u64);
        let rows = self.view_ends.len() as u64 / 4;
        let views = views_bytes(corners, rows, self.views.len() as u64);
        let squares = &self.squares;
        let squares = squares_bytes(corners, squares.counts());
        labels_bytes(corners, hubs)
            + views
            + squares
            + view_cells_bytes(self.view_cells.len() as u64)
    }
}

impl SquareParts<'_> {
    /// How many squares, views, views that are hubs, and entries there are.
    pub fn counts(&self) -> [u64; 4] {
        let own = self.own.iter().map(|&n| u64::from(n)).sum();
        let [squares, views, entries] =
            [self.ends.len(), self.views.len(), self.hubs.len()].map(|n| n as u64);
        [squares, views, own, entries]
    }
}

impl LabelParts<'_> {
    /// Where the label of each square begins, and the numbers that tell all.
    fn square_numbers(&self) -> (Vec<u32>, Vec<u32>) {
        let squares = &self.squares;
        let (mut starts, mut numbers) = (Vec::new(), Vec::new());
        let mut begin = [0; 2];
        let ends = squares.ends.iter().map(|e| e.map(|n| n as usize));
        for (end, &own) in ends.zip(squares.own) {
            let views = squares.views.get(begin[0]..end[0]).unwrap_or(&[]);
            let hubs = squares.hubs.get(begin[1]..end[1]).unwrap_or(&[]);
            starts.push(numbers.len() as u32);
            numbers.extend([views.len() as u32, own, hubs.len() as u32]);
            let rank = |v: &SquareView| self.ranks.get(v.corner as usize).copied();
            let ranks = views.iter().map(|v| rank(v).unwrap_or(u32::MAX));
            numbers.extend(ranks.take(own as usize));
            numbers.extend(hubs);
            numbers.extend(views.iter().map(|v| v.corner));
            for (via, &far) in (squares.vias.iter().zip(squares.distances))
                .take(end[1])
                .skip(begin[1])
            {
                numbers.push(u32::from(*via));
                match is_short(self.ranks.len() as u64) {
                    true => numbers.extend([far & 0xFFFF, far >> 16]),
                    false => numbers.push(far),
                }
            }
            numbers.extend(views.iter().flat_map(|v| {
                let how = u32::from(v.side & 1) + 2 * u32::from(!v.is_sure);
                [v.between[0], v.between[1], how]
            }));
            begin = end;
        }
        (starts, numbers)
    }
}

/// How many bytes views take in a blob, their rows in its table included: those of a mesh with so many corners, in so many rows (polygons, or squares of polygons), told in so many
/// numbers.
pub fn views_bytes(corners: u64, rows: u64, numbers: u64) -> u64 {
    if rows == 0 || numbers == 0 {
        return 0;
    }
    let number = if is_short(corners) { 2 } else { 4 };
    2 * crate::section::ROW_LEN as u64 + 16 * rows + number * numbers
}

/// How many bytes labels of squares take in a blob, their rows in its table included: of so many squares, views, views that are hubs, and entries.
pub fn squares_bytes(corners: u64, [squares, views, own, entries]: [u64; 4]) -> u64 {
    if squares == 0 {
        return 0;
    }
    let number = if is_short(corners) { 2 } else { 4 };
    let of_entry = 1 + entry_numbers(is_short(corners)) as u64;
    let numbers = HEAD as u64 * squares + VIEW as u64 * views + own + of_entry * entries;
    2 * crate::section::ROW_LEN as u64 + 4 * squares + number * numbers
}

/// How many bytes it takes to tell the squares of so many polygons.
pub fn view_cells_bytes(polygons: u64) -> u64 {
    match polygons {
        0 => 0,
        _ => crate::section::ROW_LEN as u64 + size_of::<ViewCellsRecord>() as u64 * polygons,
    }
}

/// How many bytes labels of so many corners and so many entries take in a blob, their rows in its table included.
pub fn labels_bytes(corners: u64, entries: u64) -> u64 {
    if corners == 0 {
        return 0;
    }
    let number = match is_short(corners) {
        true => 2,
        false => 4,
    };
    let rows = crate::section::ROW_LEN as u64 * if entries > 0 { 6 } else { 3 };
    rows + size_of::<LabelsRecord>() as u64 + corners * (8 + number) + entries * (4 + 2 * number)
}

/// Do numbers of corners fit into 16 bits?
fn is_short(corners: u64) -> bool {
    corners <= 1 << 16
}

/// The blob with these labels in place of all that it has; with none of them, without any.
///
/// # Errors
/// When the blob or the labels are unsound.
pub fn with_labels(bytes: &[u8], labels: &[LabelParts<'_>]) -> Result<Vec<u8>, EncodeError> {
    let is_label = |s: Section| (Section::LABELS..=Section::SQUARE_LABELS).contains(&s);
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let mut drafts = drafts_of(&blob, |s| !is_label(s));
    encode(&blob.header().grid, labels, &mut drafts);
    rebuilt(&blob, drafts)
}

/// Adds them to the sections of their meshes, which are there already.
pub(super) fn encode(grid: &Grid, labels: &[LabelParts<'_>], drafts: &mut Vec<Draft>) {
    for parts in labels.iter().filter(|l| !l.ranks.is_empty()) {
        let class = parts.class;
        let head = LabelsRecord {
            mesh: U64::new(ground_of_drafts(grid, class, drafts)),
            corners: U32::new(parts.ranks.len() as u32),
            shift: parts.shift,
            view_shift: parts.view_shift,
            reserved: [0; 2],
        };
        let four = |n: &[u32]| n.iter().map(|&n| U32::new(n)).collect::<Vec<_>>();
        drafts.push(Draft::of(Section::LABELS, class, &[head]));
        drafts.push(Draft::of(Section::LABEL_ENDS, class, &four(parts.ends)));
        if !parts.views.is_empty() {
            drafts.push(Draft::of(Section::VIEW_ENDS, class, &four(parts.view_ends)));
        }
        let cells = parts.view_cells.iter().map(|c| ViewCellsRecord {
            first: U32::new(c.first),
            column: I32::new(c.least[0]),
            row: I32::new(c.least[1]),
            across: U32::new(c.across),
        });
        let cells: Vec<_> = cells.collect();
        drafts.push(Draft::of(Section::VIEW_CELLS, class, &cells));
        let distances = Section::LABEL_DISTANCES;
        drafts.push(Draft::of(distances, class, &four(parts.distances)));
        let (starts, squares) = parts.square_numbers();
        drafts.push(Draft::of(Section::SQUARE_STARTS, class, &four(&starts)));
        for (section, numbers) in [
            (Section::LABEL_HUBS, parts.hubs),
            (Section::LABEL_HOPS, parts.hops),
            (Section::LABEL_RANKS, parts.ranks),
            (Section::VIEWS, parts.views),
            (Section::SQUARE_LABELS, &squares),
        ] {
            drafts.push(match is_short(parts.ranks.len() as u64) {
                true => {
                    let two: Vec<U16> = numbers.iter().map(|&n| U16::new(n as u16)).collect();
                    Draft::of(section, class, &two)
                }
                false => Draft::of(section, class, &four(numbers)),
            });
        }
    }
    let is_label = |s: Section| (Section::LABELS..=Section::SQUARE_LABELS).contains(&s);
    for draft in drafts.iter_mut().filter(|d| is_label(d.section)) {
        // Whoever does not know labels finds paths without them.
        draft.required = false;
    }
}
