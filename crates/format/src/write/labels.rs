//! Labels of corners to their sections, added to a blob: they are made on the very mesh that it holds.

use alloc::vec::Vec;

use zerocopy::little_endian::{I32, U16, U32, U64};

use super::{Draft, EncodeError, drafts_of, rebuilt};
use crate::labels::ground;
use crate::records::{LabelsRecord, SquareEndsRecord, ViewCellsRecord};
use crate::squares::NUMBERS;
use crate::{Blob, Section, SquareView};

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
    /// Where the views and the entries of each square end.
    pub ends: &'a [[u32; 2]],
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
        let counts = [squares.ends.len(), squares.views.len(), squares.hubs.len()];
        let squares = squares_bytes(corners, counts.map(|n| n as u64));
        labels_bytes(corners, hubs)
            + views
            + squares
            + view_cells_bytes(self.view_cells.len() as u64)
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

/// How many bytes labels of squares take in a blob, their rows in its table included: of so many squares, views and entries.
pub fn squares_bytes(corners: u64, [squares, views, entries]: [u64; 3]) -> u64 {
    if squares == 0 {
        return 0;
    }
    let number = if is_short(corners) { 2 } else { 4 };
    let rows = 5 * crate::section::ROW_LEN as u64 + 8 * squares;
    rows + NUMBERS as u64 * number * views + (number + 6) * entries
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
    let is_label = |s: Section| (Section::LABELS..=Section::SQUARE_DISTANCES).contains(&s);
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let mut drafts = drafts_of(&blob, |s| !is_label(s));
    for parts in labels.iter().filter(|l| !l.ranks.is_empty()) {
        let class = parts.class;
        let head = LabelsRecord {
            mesh: U64::new(ground(&blob, class)),
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
        let squares = &parts.squares;
        let ends = squares
            .ends
            .iter()
            .map(|&[views, entries]| SquareEndsRecord {
                views: U32::new(views),
                entries: U32::new(entries),
            });
        let ends: Vec<_> = ends.collect();
        drafts.push(Draft::of(Section::SQUARE_ENDS, class, &ends));
        let vias: Vec<U16> = squares.vias.iter().map(|&v| U16::new(v)).collect();
        drafts.push(Draft::of(Section::SQUARE_VIAS, class, &vias));
        drafts.push(Draft::of(
            Section::SQUARE_DISTANCES,
            class,
            &four(squares.distances),
        ));
        let told = |v: &SquareView| {
            let how = u32::from(v.side & 1) + 2 * u32::from(!v.is_sure);
            [v.corner, v.between[0], v.between[1], how]
        };
        let views: Vec<u32> = squares.views.iter().flat_map(told).collect();
        for (section, numbers) in [
            (Section::LABEL_HUBS, parts.hubs),
            (Section::LABEL_HOPS, parts.hops),
            (Section::LABEL_RANKS, parts.ranks),
            (Section::VIEWS, parts.views),
            (Section::SQUARE_VIEWS, &views),
            (Section::SQUARE_HUBS, squares.hubs),
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
    for draft in drafts.iter_mut().filter(|d| is_label(d.section)) {
        // Whoever does not know labels finds paths without them.
        draft.required = false;
    }
    rebuilt(&blob, drafts)
}
