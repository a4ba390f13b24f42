//! Boxes to be looked up by place and height: square bins with copies of the boxes that meet them.

/// A box in whole grid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Least X, Y and height.
    pub(crate) low: [i32; 3],
    /// Greatest X, Y and height.
    pub(crate) high: [i32; 3],
}

/// No coordinate is as great: differences of what is kept within stay in range.
const FAR: i32 = 1 << 29;

/// A box in a bin: four numbers a corner, so that one operation does for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    /// Least X, Y and height, and which box it is.
    low: [i32; 4],
    /// Greatest X, Y and height, and the mark it was given.
    high: [i32; 4],
}

impl Entry {
    fn new(b: &Bounds, index: i32, mark: i32) -> Entry {
        let four = |[x, y, z]: [i32; 3], last| {
            let [x, y, z] = [x, y, z].map(|v| v.clamp(-FAR, FAR));
            [x, y, z, last]
        };
        Entry {
            low: four(b.low, index),
            high: four(b.high, mark),
        }
    }

    /// What meets all boxes in these bounds, whichever and however marked they are.
    fn wanted(b: &Bounds) -> Entry {
        Entry {
            low: Entry::new(b, 0, 0).low,
            high: Entry::new(b, 0, FAR).high,
        }
    }

    fn meets(&self, wanted: &Entry) -> bool {
        // Below zero where a difference is.
        let mut signs = 0;
        for k in 0..4 {
            signs |= (wanted.high[k] - self.low[k]) | (self.high[k] - wanted.low[k]);
        }
        signs >= 0
    }

    /// Index of the box.
    pub(crate) fn index(&self) -> u32 {
        self.low[3] as u32
    }

    /// Was the box marked?
    pub(crate) fn is_marked(&self) -> bool {
        self.high[3] != 0
    }
}

/// Bins along a side, at the most, as a power of two.
const MOST: u32 = 7;
/// A box in more bins than this is kept apart: each search looks at it.
const WIDE: u32 = 64;

/// Boxes by place.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    /// Least X and Y; what lies farther out belongs to the outermost bins.
    least: [i32; 2],
    /// Side of a bin, as a power of two.
    shift: u32,
    /// The last bin along each axis.
    last: [i32; 2],
    /// Where each bin's entries begin, row by row; one more entry than bins.
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// Boxes in many bins.
    wide: Vec<Entry>,
}

impl Bins {
    /// Bins over an area (least X, least Y, greatest X, greatest Y), small ones where there are many boxes. Each box has a mark.
    pub(crate) fn new(
        boxes: impl ExactSizeIterator<Item = (Bounds, bool)> + Clone,
        area: [i32; 4],
    ) -> Bins {
        let extent = [0, 1].map(|k| (i64::from(area[k + 2]) - i64::from(area[k])).clamp(1, 1 << 30));
        let most = ((usize::BITS - boxes.len().leading_zeros()) / 2).clamp(1, MOST);
        let mut shift = 0;
        while extent.iter().any(|e| e >> shift >= 1 << most) {
            shift += 1;
        }
        let mut bins = Bins {
            least: [area[0], area[1]],
            shift,
            last: extent.map(|e| (e >> shift) as i32),
            ..Bins::default()
        };
        let across = (bins.last[0] + 1) as usize;
        let mut first = vec![0u32; across * (bins.last[1] + 1) as usize + 1];
        let mut spans: Vec<[u8; 4]> = Vec::with_capacity(boxes.len());
        for (k, (b, mark)) in boxes.clone().enumerate() {
            let [i0, i1, j0, j1] = bins.span(&b);
            spans.push([i0, i1, j0, j1].map(|v| v as u8));
            if ((i1 - i0 + 1) * (j1 - j0 + 1)) as u32 > WIDE {
                bins.wide.push(Entry::new(&b, k as i32, i32::from(mark)));
                continue;
            }
            for j in j0..=j1 {
                let row = j as usize * across + 1;
                for n in &mut first[row + i0 as usize..=row + i1 as usize] {
                    *n += 1;
                }
            }
        }
        let mut sum = 0;
        for n in &mut first {
            sum += *n;
            *n = sum;
        }
        let mut next = first.clone();
        bins.entries = vec![Entry::default(); sum as usize];
        for (k, ((b, mark), span)) in boxes.zip(&spans).enumerate() {
            let [i0, i1, j0, j1] = span.map(usize::from);
            if (i1 - i0 + 1) * (j1 - j0 + 1) > WIDE as usize {
                continue;
            }
            let entry = Entry::new(&b, k as i32, i32::from(mark));
            for j in j0..=j1 {
                for at in &mut next[j * across + i0..=j * across + i1] {
                    bins.entries[*at as usize] = entry;
                    *at += 1;
                }
            }
        }
        bins.first = first;
        bins
    }

    /// The bin along an axis.
    fn bin(&self, v: i32, axis: usize) -> i32 {
        (v.clamp(-FAR, FAR).saturating_sub(self.least[axis]) >> self.shift)
            .clamp(0, self.last[axis])
    }

    /// First and last bin along both axes.
    fn span(&self, b: &Bounds) -> [i32; 4] {
        [
            self.bin(b.low[0], 0),
            self.bin(b.high[0], 0),
            self.bin(b.low[1], 1),
            self.bin(b.high[1], 1),
        ]
    }

    /// Calls `f` once with each box that meets one.
    pub(crate) fn near(&self, bounds: &Bounds, mut f: impl FnMut(&Entry)) {
        if self.first.is_empty() || (0..3).any(|k| bounds.low[k] > bounds.high[k]) {
            return;
        }
        let wanted = Entry::wanted(bounds);
        for entry in self.wide.iter().filter(|e| e.meets(&wanted)) {
            f(entry);
        }
        let [i0, i1, j0, j1] = self.span(bounds);
        let across = self.last[0] + 1;
        for j in j0..=j1 {
            for i in i0..=i1 {
                let bin = (j * across + i) as usize;
                let range = self.first[bin] as usize..self.first[bin + 1] as usize;
                for entry in &self.entries[range] {
                    // Each box in one bin only: the first that it shares with what is wanted.
                    if entry.meets(&wanted)
                        && (i == i0 || self.bin(entry.low[0], 0) == i)
                        && (j == j0 || self.bin(entry.low[1], 1) == j)
                    {
                        f(entry);
                    }
                }
            }
        }
    }

    /// Calls `f` with each box that meets an upright line.
    pub(crate) fn at(&self, [x, y]: [i32; 2], [low, high]: [i32; 2], mut f: impl FnMut(&Entry)) {
        let bounds = Bounds {
            low: [x, y, low],
            high: [x, y, high],
        };
        if self.first.is_empty() || low > high {
            return;
        }
        let wanted = Entry::wanted(&bounds);
        let bin = (self.bin(y, 1) * (self.last[0] + 1) + self.bin(x, 0)) as usize;
        let range = self.first[bin] as usize..self.first[bin + 1] as usize;
        for entry in self.wide.iter().chain(&self.entries[range]) {
            if entry.meets(&wanted) {
                f(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_gives_exactly_the_boxes_that_meet() {
        let mut seed = 1u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        for count in [0, 1, 7, 8, 9, 64, 65, 700] {
            let mut make = |size: i32| {
                let low = [next(1000) - 500, next(1000) - 500, next(100)];
                Bounds {
                    low,
                    high: low.map(|l| l + next(size)),
                }
            };
            let boxes: Vec<Bounds> = (0..count)
                .map(|k| make(if k % 9 == 0 { 400 } else { 20 }))
                .collect();
            // What lies beyond the area is found as well.
            let bins = Bins::new(
                boxes.iter().enumerate().map(|(k, b)| (*b, k % 2 == 1)),
                [-300, -300, 400, 400],
            );
            for turn in 0..50 {
                let mut wanted = make(90);
                let mut found = vec![];
                let mut take = |e: &Entry| {
                    assert_eq!(e.is_marked(), e.index() % 2 == 1);
                    found.push(e.index() as usize);
                };
                if turn % 2 == 0 {
                    bins.near(&wanted, &mut take);
                } else {
                    wanted.high[0] = wanted.low[0];
                    wanted.high[1] = wanted.low[1];
                    let heights = [wanted.low[2], wanted.high[2]];
                    bins.at([wanted.low[0], wanted.low[1]], heights, &mut take);
                }
                found.sort_unstable();
                let meets = |b: &Bounds| {
                    (0..3).all(|k| b.low[k] <= wanted.high[k] && b.high[k] >= wanted.low[k])
                };
                let plain: Vec<usize> = (0..count).filter(|&k| meets(&boxes[k])).collect();
                assert_eq!(found, plain);
            }
        }
    }
}
