//! A small set of boxes that is filled and searched again and again.
//!
//! [`crate::Bvh`] is for many boxes and many searches. Here a set may be searched twice or a
//! thousand times. The first searches look at every box; when there are more, the boxes are sorted
//! into the squares of a grid of at most 8 by 8.

use crate::PackedBox as Entry;
use crate::packed_box::BITS;

/// A uniform grid over an area.
#[derive(Debug, Default)]
struct Squares {
    /// Least packed X and Y.
    least: [u32; 2],
    /// Side, as a power of two.
    shift: u32,
    /// The last square along each axis.
    last: [u32; 2],
}

impl Squares {
    /// The square along an axis at a packed coordinate.
    fn at(&self, v: u32, axis: usize) -> u32 {
        let from = v.saturating_sub(self.least[axis]);
        (from >> self.shift).min(self.last[axis])
    }

    /// First and last square along an axis.
    fn span(&self, entry: &Entry, axis: usize) -> [u32; 2] {
        entry.along(axis as u32).map(|v| self.at(v, axis))
    }
}

/// For each square copies of the boxes that meet it.
#[derive(Debug, Default)]
struct Bins {
    squares: Squares,
    /// Where each bin's entries begin, row by row; one more entry than bins.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

impl Bins {
    fn fill(&mut self, own: &[Entry]) {
        if own.is_empty() {
            return;
        }
        let (mut first, mut entries) =
            (std::mem::take(&mut self.first), std::mem::take(&mut self.entries));
        let across = self.squares.last[0] as usize + 1;
        let rows = |e: &Entry| {
            let ([i0, i1], [j0, j1]) = (self.squares.span(e, 0), self.squares.span(e, 1));
            (j0..=j1).map(move |j| {
                let row = j as usize * across;
                row + i0 as usize..row + i1 as usize + 1
            })
        };
        first.clear();
        first.resize(across * (self.squares.last[1] as usize + 1) + 1, 0);
        for bins in own.iter().flat_map(rows) {
            first[bins].iter_mut().for_each(|n| *n += 1);
        }
        let mut sum = 0;
        for n in &mut first {
            sum += *n;
            *n = sum;
        }
        // From the ends of the bins down to their beginnings.
        entries.clear();
        entries.resize(sum as usize, Entry::default());
        for e in own.iter().rev() {
            for at in rows(e).flatten() {
                first[at] -= 1;
                entries[first[at] as usize] = *e;
            }
        }
        (self.first, self.entries) = (first, entries);
    }

    fn near(&self, wanted: &Entry, f: &mut impl FnMut(&Entry)) {
        if self.entries.is_empty() {
            return;
        }
        let ([i0, i1], [j0, j1]) = (self.squares.span(wanted, 0), self.squares.span(wanted, 1));
        for j in j0..=j1 {
            for i in i0..=i1 {
                for entry in self.bin_at(i, j) {
                    // Each box in one bin only: the first that it shares with what is wanted.
                    if entry.meets(wanted)
                        && (i == i0 || self.squares.at(entry.along(0)[0], 0) == i)
                        && (j == j0 || self.squares.at(entry.along(1)[0], 1) == j)
                    {
                        f(entry);
                    }
                }
            }
        }
    }

    fn bin_at(&self, i: u32, j: u32) -> &[Entry] {
        let bin = (j * (self.squares.last[0] + 1) + i) as usize;
        &self.entries[self.first[bin] as usize..self.first[bin + 1] as usize]
    }
}

/// A small set of boxes that is filled and searched again and again.
///
/// It keeps its memory. A search takes O(n) before the boxes are sorted, and time in proportion to
/// the boxes in the squares it meets after.
#[derive(Debug, Default)]
pub struct BoxBins {
    area: Entry,
    all: Vec<Entry>,
    /// Searches without bins until now.
    spent: usize,
    has_bins: bool,
    bins: Bins,
}

/// Bins pay when there are more searches than these.
const SPENT: usize = 12;
/// Bins along the longer side, as a power of two.
const ALONG: u32 = 3;

impl BoxBins {
    /// Forgets all boxes. `area` is where most of the next ones are.
    pub fn empty(&mut self, area: &Entry) {
        self.all.clear();
        self.area = *area;
        self.spent = 0;
        self.has_bins = false;
    }

    /// Adds a box. All are added before the first search.
    pub fn take(&mut self, entry: Entry) {
        self.all.push(entry);
    }

    fn fill_bins(&mut self) {
        let sides = [0, 1].map(|axis| self.area.along(axis));
        let least = sides.map(|[low, _]| low);
        let extent = sides.map(|[low, high]| high.saturating_sub(low));
        let most = extent[0].max(extent[1]);
        let shift = (0..BITS).find(|s| most >> s < 1 << ALONG).unwrap_or(BITS);
        self.bins.squares = Squares { least, shift, last: extent.map(|e| e >> shift) };
        self.bins.fill(&self.all);
        self.has_bins = true;
    }

    /// Are there no boxes?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of boxes.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Calls `f` once with each box that meets `wanted`.
    pub fn near(&mut self, wanted: &Entry, mut f: impl FnMut(&Entry)) {
        if !self.has_bins && self.spent > SPENT {
            self.fill_bins();
        }
        if self.has_bins {
            self.bins.near(wanted, &mut f);
        } else {
            self.spent += usize::from(self.all.len() > 16);
            self.all.iter().filter(|e| e.meets(wanted)).for_each(f);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::packed_box::tests::{bounds, plainly_met};
    use crate::{BoxBounds, BoxFrame};

    /// Boxes of all sizes, packed; some reach beyond the area.
    fn boxes(seed: &mut u32, count: usize) -> (BoxFrame, Vec<BoxBounds>, Vec<Entry>) {
        let all: Vec<BoxBounds> =
            (0..count).map(|k| bounds(seed, if k % 9 == 0 { 400 } else { 20 })).collect();
        let frame = BoxFrame::new(all.iter().copied(), AREA);
        let entries = (0u32..).zip(&all).map(|(k, b)| frame.entry(b, k, k % 2));
        let entries = entries.collect();
        (frame, all, entries)
    }

    const AREA: [i32; 4] = [-500, -500, 500, 500];

    #[test]
    fn a_search_among_few_gives_exactly_the_boxes_that_meet() {
        let mut seed = 1u32;
        let mut bins = BoxBins::default();
        for count in [0, 1, 7, 8, 9, 64, 65, 700] {
            let (frame, all, entries) = boxes(&mut seed, count);
            let [x0, y0, x1, y1] = AREA;
            let whole = BoxBounds { low: [x0, y0, 0], high: [x1, y1, 100] };
            bins.empty(&frame.entry(&whole, 0, 0));
            entries.iter().for_each(|e| bins.take(*e));
            for _ in 0..50 {
                let wanted = bounds(&mut seed, 90);
                let mut found = vec![];
                bins.near(&frame.entry(&wanted, 0, 0), |e| {
                    assert_eq!(e.mark(), e.index() % 2);
                    found.push(e.index());
                });
                found.sort_unstable();
                assert_eq!(found, plainly_met(&all, &wanted));
            }
        }
    }
}
