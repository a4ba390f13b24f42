//! The encoder of labels. They are made for the mesh of a finished blob and added to it.

use alloc::vec::Vec;

use navbake_navmesh::record::Record;

use super::squares::{HEAD, SquareView, VIEW, entry_numbers};
use super::{LabelsRecord, ViewCellsRecord};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::section::ROW_LEN;
use crate::write::{EncodeError, mesh_hash_of_drafts, replaced};

/// Labels of the corners of a mesh; see [`crate::Labels`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LabelParts<'a> {
    /// The agent class of the mesh.
    pub class: u16,
    /// A distance of 1 is 2^-shift grid units; at most 31.
    pub shift: u8,
    /// The hub number of each corner.
    pub ranks: &'a [u32],
    /// Where each part of each corner's label ends: two a corner.
    pub ends: &'a [u32],
    /// The hubs of all parts, rising within each.
    pub hubs: &'a [u32],
    /// Their distances, below 2^30.
    pub distances: &'a [u32],
    /// The first corner on the path there.
    pub hops: &'a [u32],
    /// Where the views of each row end, by kind: four a row; none without views. A polygon is one
    /// row, or one for each of its squares.
    pub view_ends: &'a [u32],
    /// By polygon, where squares have views of their own; else none.
    pub view_cells: &'a [ViewCells],
    /// The side of these squares is 2^this grid units; at most 31, and 0 without.
    pub view_shift: u8,
    /// The numbers of corners of views.
    pub views: &'a [u32],
    /// Labels of these squares, in place of views.
    pub squares: SquareParts<'a>,
}

/// Labels of squares; see [`crate::SquareLabel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SquareParts<'a> {
    /// Where the views and the entries of each square end; fewer than 65,535 of both a square.
    pub ends: &'a [[u32; 2]],
    /// The number of views of each square, the first ones, that are hubs without an entry. The
    /// ranks of their corners do not fall.
    pub own: &'a [u32],
    /// The views of all squares.
    pub views: &'a [SquareView],
    /// The hubs of all entries; they do not fall within a square.
    pub hubs: &'a [u32],
    /// The view of each entry, counted within its square.
    pub vias: &'a [u16],
    /// The distance of the hub of each entry from the corner of that view, below 2^30.
    pub distances: &'a [u32],
}

/// The squares of a polygon's box, each with views of its own, row after row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewCells {
    /// The row of views of the first square; they end where those of the next polygon begin.
    pub first: u32,
    /// Column and row of the first square, counted from the origin of the grid.
    pub least: [i32; 2],
    /// The number of squares in a row.
    pub across: u32,
}

impl LabelParts<'_> {
    /// Bytes that they take in a blob, including their rows of the section table.
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
    /// The numbers of squares, views, views that are hubs, and entries.
    pub fn counts(&self) -> [u64; 4] {
        let own = self.own.iter().map(|&n| u64::from(n)).sum();
        let [squares, views, entries] =
            [self.ends.len(), self.views.len(), self.hubs.len()].map(|n| n as u64);
        [squares, views, own, entries]
    }
}

impl LabelParts<'_> {
    /// Where the label of each square begins, and the numbers of all labels.
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
            for (via, &far) in
                (squares.vias.iter().zip(squares.distances)).take(end[1]).skip(begin[1])
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

/// Bytes that views take in a blob, including their rows of the section table.
///
/// `rows` are polygons, or squares of polygons; `numbers` are those of all views.
pub fn views_bytes(corners: u64, rows: u64, numbers: u64) -> u64 {
    if rows == 0 || numbers == 0 {
        return 0;
    }
    let number = number_size(corners);
    2 * ROW_LEN as u64 + 16 * rows + number * numbers
}

/// Bytes that labels of squares take in a blob, including their rows of the section table.
///
/// Of these numbers of squares, views, views that are hubs, and entries.
pub fn squares_bytes(corners: u64, [squares, views, own, entries]: [u64; 4]) -> u64 {
    if squares == 0 {
        return 0;
    }
    let number = number_size(corners);
    let of_entry = 1 + entry_numbers(is_short(corners)) as u64;
    let numbers = HEAD as u64 * squares + VIEW as u64 * views + own + of_entry * entries;
    2 * ROW_LEN as u64 + 4 * squares + number * numbers
}

/// Bytes of the section `view-cells` for this number of polygons, including its row of the table.
pub fn view_cells_bytes(polygons: u64) -> u64 {
    match polygons {
        0 => 0,
        _ => ROW_LEN as u64 + ViewCellsRecord::SIZE as u64 * polygons,
    }
}

/// Bytes that labels take in a blob, including their rows of the section table.
pub fn labels_bytes(corners: u64, entries: u64) -> u64 {
    if corners == 0 {
        return 0;
    }
    let number = number_size(corners);
    let rows = ROW_LEN as u64 * if entries > 0 { 6 } else { 3 };
    rows + LabelsRecord::SIZE as u64 + corners * (8 + number) + entries * (4 + 2 * number)
}

/// Whether numbers of corners fit into 16 bits.
fn is_short(corners: u64) -> bool {
    corners <= 1 << 16
}

/// Bytes of a number of a corner.
fn number_size(corners: u64) -> u64 {
    if is_short(corners) { 2 } else { 4 }
}

/// The blob with these labels in place of all that it has; with none, without any.
///
/// # Errors
/// When the blob or the labels are unsound.
pub fn replace_labels(bytes: &[u8], labels: &[LabelParts<'_>]) -> Result<Vec<u8>, EncodeError> {
    let ours = |s: Section| (Section::LABELS..=Section::SQUARE_LABELS).contains(&s);
    replaced(bytes, ours, |blob, drafts| {
        encode(labels, blob.header().grid.bits, drafts);
        Ok(())
    })
}

/// Adds labels; the sections of their meshes are among the drafts already.
pub(crate) fn encode(labels: &[LabelParts<'_>], grid_bits: u8, drafts: &mut Drafts<'_>) {
    for parts in labels.iter().filter(|l| !l.ranks.is_empty()) {
        let class = parts.class;
        let head = LabelsRecord {
            mesh: mesh_hash_of_drafts(grid_bits, class, drafts),
            corners: parts.ranks.len() as u32,
            shift: parts.shift,
            view_shift: parts.view_shift,
            reserved: [0; 2],
        };
        drafts.push(Draft::optional(Section::LABELS, class, [head]));
        let cells = parts.view_cells.iter().map(|c| ViewCellsRecord {
            first: c.first,
            column: c.least[0],
            row: c.least[1],
            across: c.across,
        });
        drafts.push(Draft::optional(Section::VIEW_CELLS, class, cells));
        let (starts, squares) = parts.square_numbers();
        let view_ends = match parts.views.is_empty() {
            true => &[],
            false => parts.view_ends,
        };
        let short = number_size(parts.ranks.len() as u64) as usize;
        for (section, size, numbers) in [
            (Section::LABEL_ENDS, 4, parts.ends),
            (Section::LABEL_HUBS, short, parts.hubs),
            (Section::LABEL_DISTANCES, 4, parts.distances),
            (Section::LABEL_HOPS, short, parts.hops),
            (Section::LABEL_RANKS, short, parts.ranks),
            (Section::VIEW_ENDS, 4, view_ends),
            (Section::VIEWS, short, parts.views),
            (Section::SQUARE_STARTS, 4, &starts),
            (Section::SQUARE_LABELS, short, &squares),
        ] {
            let numbers = numbers.iter().copied();
            drafts.push(Draft::numbers(section, class, size, numbers));
        }
    }
}
