//! What a plumb line through a place meets: facets seen from above, in square cells, each with those facets that lie over a part of it.

use super::Measures;
use super::facet::{Facet, Facets, V2};

/// Facets that are not upright, by place.
#[derive(Debug)]
pub(super) struct Plumb {
    /// Least X and Y of the cells.
    least: [i32; 2],
    /// Side of a cell, as a power of two.
    shift: u32,
    /// Cells along X and Y.
    size: [i32; 2],
    /// Where each cell's entries begin, row by row; one more entry than cells.
    first: Vec<u32>,
    /// Twice a facet's index, and one more where it lies over all of the cell.
    entries: Vec<u32>,
}

/// So many cells for each facet are aimed at, and so many entries at the most.
const CELLS: u64 = 3;
const ENTRIES: u64 = 12;
/// Cells and entries that are no matter however few facets there are.
const FREE: u64 = 256;

/// A facet that is not upright: its index, and least and greatest X and Y from the least of the cells.
struct Flat {
    index: u32,
    bounds: [[i32; 2]; 2],
}

impl Flat {
    fn new(index: u32, facet: &Facet, least: [i32; 2]) -> Flat {
        let bounds = [0, 1].map(|axis| {
            let along = [facet.bounds[axis], facet.bounds[axis + 2]];
            along.map(|v| (v as i32).saturating_sub(least[axis]))
        });
        Flat { index, bounds }
    }
}

impl Plumb {
    /// Cells over the tile.
    pub(super) fn new(facets: &Facets, measures: &Measures) -> Plumb {
        let side = measures.cell * f64::from(measures.count);
        let least = measures.corner.map(|c| c.floor() as i32);
        let extent = side.ceil() as i32 + 1;
        let mut flat = Vec::with_capacity(facets.all.len());
        let all = (0u32..).zip(&facets.all).filter(|(_, f)| !f.upright);
        flat.extend(all.map(|(i, f)| Flat::new(i, f, least)));
        let count = flat.len() as u64;
        let mut plumb = Plumb {
            least,
            shift: 0,
            size: [1; 2],
            first: vec![],
            entries: vec![],
        };
        while (extent >> plumb.shift) as u64 * (extent >> plumb.shift) as u64 > CELLS * count + FREE
        {
            plumb.shift += 1;
        }
        loop {
            plumb.size = [(extent >> plumb.shift) + 1; 2];
            let all = flat.iter().map(|f| plumb.range(f));
            let entries = all.map(|r| {
                let [columns, rows] = r.map(|[from, to]| (to - from + 1).max(0));
                columns as u64 * rows as u64
            });
            if plumb.size == [1; 2] || entries.sum::<u64>() <= ENTRIES * count + FREE {
                break;
            }
            plumb.shift += 1;
        }
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(4 * count as usize);
        for flat in &flat {
            let facet = &facets.all[flat.index as usize];
            plumb.cover(facet, plumb.range(flat), |cell, whole| {
                pairs.push((cell, 2 * flat.index + u32::from(whole)));
            });
        }
        plumb.fill(&pairs);
        plumb
    }

    fn fill(&mut self, pairs: &[(u32, u32)]) {
        let cells = self.size[0] as usize * self.size[1] as usize;
        self.first = vec![0; cells + 1];
        for &(cell, _) in pairs {
            self.first[cell as usize] += 1;
        }
        let mut sum = 0;
        for n in &mut self.first {
            sum += *n;
            *n = sum;
        }
        self.entries = vec![0; pairs.len()];
        // From the ends of the cells down to their beginnings.
        for &(cell, entry) in pairs.iter().rev() {
            let at = &mut self.first[cell as usize];
            *at -= 1;
            self.entries[*at as usize] = entry;
        }
    }

    /// First and last cell along X and along Y that a facet's bounds meet.
    fn range(&self, flat: &Flat) -> [[i32; 2]; 2] {
        [0, 1].map(|axis| {
            let [from, to] = flat.bounds[axis].map(|v| v >> self.shift);
            [from.max(0), to.min(self.size[axis] - 1)]
        })
    }

    /// Calls `f` with each cell of a range that a facet lies over, and whether it lies over all of it.
    fn cover(
        &self,
        facet: &Facet,
        [[i0, i1], [j0, j1]]: [[i32; 2]; 2],
        mut f: impl FnMut(u32, bool),
    ) {
        if i0 > i1 || j0 > j1 {
            return;
        }
        let side = f64::from(1u32 << self.shift);
        let corner = [i0, j0];
        let begin: V2 = [0, 1].map(|k| f64::from(self.least[k]) + f64::from(corner[k]) * side);
        // Of each edge: how far the first cell's least corner is inside of it, and how much more a cell further along X and along Y.
        let edges: [[f64; 3]; 3] = std::array::from_fn(|k| {
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
            let inside = facet.inside_of(k, begin);
            [inside, (a[1] - b[1]) * side, (b[0] - a[0]) * side]
        });
        // What the least corner must be inside of each edge for some of the cell to be, and for all of it.
        let some = edges.map(|[_, dx, dy]| -(dx.max(0.0) + dy.max(0.0)));
        let all = edges.map(|[_, dx, dy]| -(dx.min(0.0) + dy.min(0.0)));
        let mut row = edges.map(|e| e[0]);
        for j in j0..=j1 {
            let mut here = row;
            for i in i0..=i1 {
                let least = |bounds: &[f64; 3]| {
                    (here[0] >= bounds[0]) & (here[1] >= bounds[1]) & (here[2] >= bounds[2])
                };
                if least(&some) {
                    f((j * self.size[0] + i) as u32, least(&all));
                }
                (0..3).for_each(|k| here[k] += edges[k][1]);
            }
            (0..3).for_each(|k| row[k] += edges[k][2]);
        }
    }

    /// Calls `f` for each facet above or below a place on the grid, its border included. False for a place that is in no cell.
    #[inline]
    pub(super) fn at(&self, facets: &Facets, p: V2, mut f: impl FnMut(&Facet)) -> bool {
        let [i, j] = [0, 1].map(|k| (p[k] as i32).wrapping_sub(self.least[k]) >> self.shift);
        if i < 0 || j < 0 || i >= self.size[0] || j >= self.size[1] {
            return false;
        }
        let cell = (j * self.size[0] + i) as usize;
        for &entry in &self.entries[self.first[cell] as usize..self.first[cell + 1] as usize] {
            let facet = &facets.all[(entry >> 1) as usize];
            if entry & 1 == 1 || facet.holds(p) {
                f(facet);
            }
        }
        true
    }
}
