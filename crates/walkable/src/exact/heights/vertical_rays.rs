//! Which triangles a vertical ray meets: a grid of square cells, each with the triangles over it.
//!
//! A cell is divided into columns and rows. Each of its triangles has one bit for every column and
//! every row that the triangle's bounds meet, so most triangles that do not contain a place are
//! rejected by two bits.

use navbake_geom::Whole;

use crate::exact::input::{Triangle, Triangles};
use crate::exact::math::V2;
use crate::exact::measures::Measures;

/// Triangles that are not upright, by place.
#[derive(Debug)]
pub(crate) struct VerticalRays {
    /// Least X and Y of the cells.
    least: [i32; 2],
    /// Side of a cell, as a power of two.
    shift: u32,
    /// Side of a column and of a row, as a power of two.
    part: u32,
    /// Cells along X and Y.
    size: [i32; 2],
    /// The last entry of each cell, row by row, or [`NONE`].
    last: Vec<u32>,
    entries: Vec<Entry>,
}

/// A triangle over a cell.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Twice the triangle's index, plus one if it covers the whole cell.
    triangle: u32,
    /// A bit for each column that the triangle's bounds meet, and above these one for each row.
    parts: u32,
    /// Another entry of the cell, or [`NONE`].
    before: u32,
}

const NONE: u32 = u32::MAX;

/// Columns of a cell, and rows, as a power of two.
const PARTS: u32 = 4;
/// The grid has about one cell for each triangle, and at most this many entries for each.
const ENTRIES: usize = 12;
/// Cells and entries that are no matter however few triangles there are.
const FREE: usize = 256;

impl VerticalRays {
    /// Bytes a triangle takes here: one cell, and about four entries.
    pub(crate) const BYTES: usize = size_of::<u32>() + 4 * size_of::<Entry>();

    /// Cells over the tile.
    pub(crate) fn new(triangles: &Triangles, measures: &Measures) -> VerticalRays {
        let side = measures.cell * f64::from(measures.count);
        let least = measures.corner.map(|c| c.to_floor());
        let extent = side.to_ceil() + 1;
        let count = triangles.all.iter().filter(|f| !f.upright).count();
        let cells = |shift: u32| ((extent >> shift) as u64).pow(2);
        let mut shift = 0;
        while cells(shift) > (count + FREE) as u64 {
            shift += 1;
        }
        let mut entries = Vec::with_capacity(2 * count);
        loop {
            let mut rays = VerticalRays::empty(least, extent, shift, entries);
            let most = match rays.size {
                [1, 1] => usize::MAX,
                _ => ENTRIES * count + FREE,
            };
            if rays.fill(triangles, most) {
                return rays;
            }
            entries = rays.entries;
            shift += 1;
        }
    }

    /// A grid of square cells from one corner.
    fn empty(least: [i32; 2], extent: i32, shift: u32, mut entries: Vec<Entry>) -> VerticalRays {
        let across = (extent >> shift) + 1;
        entries.clear();
        VerticalRays {
            least,
            shift,
            part: shift.saturating_sub(PARTS),
            size: [across; 2],
            last: vec![NONE; across as usize * across as usize],
            entries,
        }
    }

    /// Puts the triangles into the cells; false where that takes more entries than these.
    fn fill(&mut self, triangles: &Triangles, most: usize) -> bool {
        let (mut last, mut entries) =
            (std::mem::take(&mut self.last), std::mem::take(&mut self.entries));
        for (i, triangle) in (0u32..).zip(&triangles.all).filter(|(_, f)| !f.upright) {
            self.cover(triangle, |cell, parts, whole| {
                let before = std::mem::replace(&mut last[cell], entries.len() as u32);
                entries.push(Entry { triangle: 2 * i + u32::from(whole), parts, before });
            });
            if entries.len() > most {
                break;
            }
        }
        let fits = entries.len() <= most;
        (self.last, self.entries) = (last, entries);
        fits
    }

    /// First and last column along X and row along Y that a triangle's bounds meet, counted from
    /// the first cell's.
    fn parts(&self, triangle: &Triangle) -> [[i32; 2]; 2] {
        [0, 1].map(|axis| {
            let part = |v: f64| (v as i32).saturating_sub(self.least[axis]) >> self.part;
            let end = (self.size[axis] << (self.shift - self.part)) - 1;
            let (from, to) = (triangle.bounds[axis], triangle.bounds[axis + 2]);
            [part(from).max(0), part(to).min(end)]
        })
    }

    /// Calls `f` with each cell that a triangle meets, the columns and rows there that its bounds
    /// meet, and whether it covers the whole cell.
    fn cover(&self, triangle: &Triangle, mut f: impl FnMut(usize, u32, bool)) {
        let deep = self.shift - self.part;
        let parts = self.parts(triangle);
        let [[i0, i1], [j0, j1]] = parts.map(|ends| ends.map(|v| v >> deep));
        // Bits of the parts of a cell along an axis.
        let bits = |axis: usize, k: i32| {
            let [from, to] = parts[axis].map(|v| v - (k << deep));
            (2u32 << to.min((1 << deep) - 1)) - (1 << from.max(0))
        };
        let cell = |i: i32, j: i32| (j * self.size[0] + i) as usize;
        if i0 == i1 && j0 == j1 {
            f(cell(i0, j0), bits(0, i0) | bits(1, j0) << (1 << PARTS), false);
            return;
        }
        let side = f64::from(1u32 << self.shift);
        let corner = [i0, j0];
        let begin: V2 = [0, 1].map(|k| f64::from(self.least[k]) + f64::from(corner[k]) * side);
        // Of each edge: how far the first cell's least corner is inside, and how much that changes
        // from cell to cell along X and along Y.
        let edges: [[f64; 3]; 3] = std::array::from_fn(|k| {
            let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
            let inside = triangle.inside_of(k, begin);
            [inside, (a[1] - b[1]) * side, (b[0] - a[0]) * side]
        });
        // How far the least corner must be inside each edge for a part of the cell to be inside,
        // and for the whole cell.
        let some = edges.map(|[_, dx, dy]| -(dx.max(0.0) + dy.max(0.0)));
        let all = edges.map(|[_, dx, dy]| -(dx.min(0.0) + dy.min(0.0)));
        let mut row = edges.map(|e| e[0]);
        for j in j0..=j1 {
            let mut here = row;
            let rows = bits(1, j) << (1 << PARTS);
            for i in i0..=i1 {
                let least = |bounds: &[f64; 3]| {
                    (here[0] >= bounds[0]) & (here[1] >= bounds[1]) & (here[2] >= bounds[2])
                };
                if least(&some) {
                    f(cell(i, j), bits(0, i) | rows, least(&all));
                }
                (0..3).for_each(|k| here[k] += edges[k][1]);
            }
            (0..3).for_each(|k| row[k] += edges[k][2]);
        }
    }

    /// Calls `f` for each triangle above or below a place of the grid, borders included, in no
    /// order. False if the place is in no cell.
    #[inline]
    pub(crate) fn at(&self, triangles: &Triangles, p: V2, mut f: impl FnMut(&Triangle)) -> bool {
        let [x, y] = [0, 1].map(|k| (p[k] as i32).wrapping_sub(self.least[k]));
        let [i, j] = [x >> self.shift, y >> self.shift];
        if i < 0 || j < 0 || i >= self.size[0] || j >= self.size[1] {
            return false;
        }
        let deep = (1 << (self.shift - self.part)) - 1;
        let [column, row] = [x, y].map(|v| (v >> self.part) & deep);
        let parts = 1u32 << column | 1 << (row + (1 << PARTS));
        let mut last = self.last[(j * self.size[0] + i) as usize];
        while let Some(entry) = self.entries.get(last as usize) {
            last = entry.before;
            if entry.parts & parts == parts {
                let triangle = &triangles.all[(entry.triangle >> 1) as usize];
                if entry.triangle & 1 == 1 || triangle.holds(p) {
                    f(triangle);
                }
            }
        }
        true
    }
}
