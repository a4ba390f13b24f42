//! Boxes to be looked up by place and height: square bins of three sizes, each with copies of the boxes that meet it.
//!
//! A corner of a box is packed into one number, so that two subtractions compare two boxes along all axes: each coordinate has a spare bit
//! above it that a difference below zero takes away.

/// A box in whole grid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Least X, Y and height.
    pub(crate) low: [i32; 3],
    /// Greatest X, Y and height.
    pub(crate) high: [i32; 3],
}

/// Bits of a coordinate; each has one more above it.
const BITS: u32 = 20;
/// The greatest packed coordinate.
const MOST: i64 = (1 << BITS) - 1;
/// The bits above coordinates.
const SPARE: u64 = (1 << BITS) | (1 << (2 * BITS + 1)) | (1 << (3 * BITS + 2));

/// A box, packed; with the spare bits set in its greatest corner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    low: u64,
    high: u64,
    index: u32,
    mark: u32,
}

impl Entry {
    pub(crate) fn meets(&self, other: &Entry) -> bool {
        (other.high - self.low) & (self.high - other.low) & SPARE == SPARE
    }

    /// Index of the box.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// What the box was marked with.
    pub(crate) fn mark(&self) -> u32 {
        self.mark
    }

    /// The same box with another mark.
    pub(crate) fn marked(&self, mark: u32) -> Entry {
        Entry { mark, ..*self }
    }
}

/// A packed coordinate.
fn unpack(corner: u64, axis: u32) -> u32 {
    (corner >> (axis * (BITS + 1))) as u32 & MOST as u32
}

/// How coordinates are packed. What lies far outside is as if it lay at the end; so more boxes may seem to meet there, but none fewer.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    least: [i32; 3],
    /// Coordinates are divided by these powers of two.
    shift: [u32; 3],
}

impl Frame {
    fn new(low: [i32; 3], high: [i32; 3]) -> Frame {
        let shift = [0, 1, 2].map(|axis| {
            let extent = i64::from(high[axis]) - i64::from(low[axis]);
            (0..32).find(|s| extent >> s < MOST).unwrap_or(0)
        });
        Frame { least: low, shift }
    }

    fn pack(&self, corner: [i32; 3]) -> u64 {
        let mut packed = 0;
        for axis in (0..3).rev() {
            let from = i64::from(corner[axis]) - i64::from(self.least[axis]);
            let v = (from >> self.shift[axis]).clamp(0, MOST);
            packed = packed << (BITS + 1) | v as u64;
        }
        packed
    }

    fn entry(&self, b: &Bounds, index: u32, mark: u32) -> Entry {
        Entry {
            low: self.pack(b.low),
            high: self.pack(b.high) | SPARE,
            index,
            mark,
        }
    }
}

/// Sizes of bins.
const SIZES: usize = 3;
/// Bins of one size are so many times as wide as those of the next smaller, as a power of two.
const COARSER: u32 = 2;
/// A box lies in at most so many bins along an axis, if it does not in the largest ones.
const SPAN: u32 = 2;
/// Bins along a side, at the most, as a power of two.
const MOST_BINS: u32 = 7;

/// Bins of one size.
#[derive(Debug, Default)]
struct Level {
    /// Least packed X and Y of the bins.
    least: [u32; 2],
    /// Side of a bin, as a power of two.
    shift: u32,
    /// The last bin along each axis.
    last: [u32; 2],
    /// Where each bin's entries begin, row by row; one more entry than bins.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

impl Level {
    /// The bin along an axis that a corner lies in.
    fn bin(&self, corner: u64, axis: usize) -> u32 {
        let from = unpack(corner, axis as u32).saturating_sub(self.least[axis]);
        (from >> self.shift).min(self.last[axis])
    }

    /// First and last bin along an axis.
    fn span(&self, entry: &Entry, axis: usize) -> [u32; 2] {
        [entry.low, entry.high].map(|corner| self.bin(corner, axis))
    }

    fn fill(&mut self, own: &[Entry]) {
        if own.is_empty() {
            return;
        }
        let (mut first, mut entries) = (
            std::mem::take(&mut self.first),
            std::mem::take(&mut self.entries),
        );
        let across = self.last[0] as usize + 1;
        let rows = |e: &Entry| {
            let ([i0, i1], [j0, j1]) = (self.span(e, 0), self.span(e, 1));
            (j0..=j1).map(move |j| {
                let row = j as usize * across;
                row + i0 as usize..row + i1 as usize + 1
            })
        };
        first.clear();
        first.resize(across * (self.last[1] as usize + 1) + 1, 0);
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
        let ([i0, i1], [j0, j1]) = (self.span(wanted, 0), self.span(wanted, 1));
        for j in j0..=j1 {
            for i in i0..=i1 {
                for entry in self.bin_at(i, j) {
                    // Each box in one bin only: the first that it shares with what is wanted.
                    if entry.meets(wanted)
                        && (i == i0 || self.bin(entry.low, 0) == i)
                        && (j == j0 || self.bin(entry.low, 1) == j)
                    {
                        f(entry);
                    }
                }
            }
        }
    }

    fn bin_at(&self, i: u32, j: u32) -> &[Entry] {
        let bin = (j * (self.last[0] + 1) + i) as usize;
        &self.entries[self.first[bin] as usize..self.first[bin + 1] as usize]
    }
}

/// Few boxes by place, filled again and again.
#[derive(Debug, Default)]
pub(crate) struct Few {
    area: Entry,
    all: Vec<Entry>,
    /// Searches without bins so far.
    spent: usize,
    has_bins: bool,
    bins: Level,
}

/// Bins pay when there are more searches than these.
const SPENT: usize = 12;
/// Bins along the longer side, as a power of two.
const ALONG: u32 = 3;

impl Few {
    /// Takes boxes that lie about an area.
    pub(crate) fn fill(&mut self, area: &Entry, boxes: impl Iterator<Item = Entry>) {
        self.all.clear();
        self.all.extend(boxes);
        self.area = *area;
        self.spent = 0;
        self.has_bins = false;
    }

    fn fill_bins(&mut self) {
        let least = [0, 1].map(|axis| unpack(self.area.low, axis));
        let extent = [0, 1].map(|k| unpack(self.area.high, k as u32).saturating_sub(least[k]));
        let most = extent[0].max(extent[1]);
        let shift = (0..BITS).find(|s| most >> s < 1 << ALONG).unwrap_or(BITS);
        (self.bins.least, self.bins.shift) = (least, shift);
        self.bins.last = extent.map(|e| e >> shift);
        self.bins.fill(&self.all);
        self.has_bins = true;
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Calls `f` once with each box that meets one.
    pub(crate) fn near(&mut self, wanted: &Entry, mut f: impl FnMut(&Entry)) {
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

/// Boxes by place.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    frame: Frame,
    levels: [Level; SIZES],
}

impl Bins {
    /// Bins over an area (least X, least Y, greatest X, greatest Y), small ones where there are many boxes. Each box has a mark.
    pub(crate) fn new(
        boxes: impl ExactSizeIterator<Item = (Bounds, u32)> + Clone,
        area: [i32; 4],
    ) -> Bins {
        let heights = boxes
            .clone()
            .fold([i32::MAX, i32::MIN], |[low, high], (b, _)| {
                [low.min(b.low[2]), high.max(b.high[2])]
            });
        let frame = Frame::new(
            [area[0], area[1], heights[0]],
            [area[2], area[3], heights[1]],
        );
        let end = frame.pack([area[2], area[3], heights[0]]);
        let extent = [0, 1].map(|axis| unpack(end, axis));
        let most = ((usize::BITS - boxes.len().leading_zeros()) / 2 + 1).min(MOST_BINS);
        let mut shift = 0;
        while extent.iter().any(|e| e >> shift >= 1 << most) {
            shift += 1;
        }
        let mut levels: [Level; SIZES] = std::array::from_fn(|k| {
            let shift = shift + k as u32 * COARSER;
            Level {
                shift,
                last: extent.map(|e| e >> shift),
                ..Level::default()
            }
        });
        let mut own: [Vec<Entry>; SIZES] = Default::default();
        for (k, (bounds, mark)) in boxes.enumerate() {
            let entry = frame.entry(&bounds, k as u32, mark);
            let fits = |level: &Level| {
                (0..2).all(|axis| {
                    let [begin, end] = level.span(&entry, axis);
                    end - begin < SPAN
                })
            };
            own[levels.iter().position(fits).unwrap_or(SIZES - 1)].push(entry);
        }
        for (level, own) in levels.iter_mut().zip(&own) {
            level.fill(own);
        }
        Bins { frame, levels }
    }

    /// What entries are to be compared with to find those that meet a box.
    pub(crate) fn wanted(&self, b: &Bounds) -> Entry {
        self.frame.entry(b, 0, 0)
    }

    /// Calls `f` once with each box that meets one.
    pub(crate) fn near(&self, wanted: &Entry, mut f: impl FnMut(&Entry)) {
        for level in &self.levels {
            level.near(wanted, &mut f);
        }
    }

    /// Calls `f` with each box that meets an upright line.
    pub(crate) fn at(&self, [x, y]: [i32; 2], [low, high]: [i32; 2], mut f: impl FnMut(&Entry)) {
        let wanted = self.wanted(&Bounds {
            low: [x, y, low],
            high: [x, y, high],
        });
        for level in self.levels.iter().filter(|l| !l.entries.is_empty()) {
            let bin = level.bin_at(level.bin(wanted.low, 0), level.bin(wanted.low, 1));
            bin.iter().filter(|e| e.meets(&wanted)).for_each(&mut f);
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
            // What reaches beyond the area is found as well.
            let bins = Bins::new(
                boxes.iter().enumerate().map(|(k, b)| (*b, k as u32 % 2)),
                [-500, -500, 500, 500],
            );
            for turn in 0..50 {
                let mut wanted = make(90);
                let mut found = vec![];
                let mut take = |e: &Entry| {
                    assert_eq!(e.mark(), e.index() % 2);
                    found.push(e.index() as usize);
                };
                if turn % 2 == 0 {
                    bins.near(&bins.wanted(&wanted), &mut take);
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

    #[test]
    fn no_box_is_missed_however_wide_and_far_everything_is() {
        let far = 1 << 25;
        let boxes = [
            ([-far, -far, -far], [far, far, far]),
            ([-far, -far, -far], [-far + 1, -far + 1, -far]),
            ([5, 5, 5], [6, 6, 6]),
            ([far, far, far], [far, far, far]),
        ]
        .map(|(low, high)| Bounds { low, high });
        let all = boxes.iter().map(|b| (*b, 0));
        for area in [[-far, -far, far, far], [0, 0, 10, 10]] {
            let bins = Bins::new(all.clone(), area);
            for (k, b) in boxes.iter().enumerate() {
                let mut found = vec![];
                bins.near(&bins.wanted(b), |e| found.push(e.index()));
                assert!(found.contains(&0) && found.contains(&(k as u32)));
                found.sort_unstable();
                found.dedup();
                assert!(found.len() <= boxes.len());
            }
        }
    }
}
