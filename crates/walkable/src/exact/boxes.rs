//! Boxes as they are compared with each other.
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
pub(super) const BITS: u32 = 20;
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

    /// The least box around both, without an index or a mark.
    pub(super) fn hull(&self, other: &Entry) -> Entry {
        Entry {
            low: pick(greater(self.low, other.low), other.low, self.low),
            high: pick(greater(self.high, other.high), self.high, other.high) | SPARE,
            index: 0,
            mark: 0,
        }
    }

    /// Least and greatest packed coordinate along an axis.
    pub(super) fn along(&self, axis: u32) -> [u32; 2] {
        [self.low, self.high].map(|corner| unpack(corner, axis))
    }

    /// Index of the box.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// What the box was marked with.
    pub(crate) fn mark(&self) -> u32 {
        self.mark
    }

    /// The same box with another index and mark.
    pub(super) fn named(&self, index: u32, mark: u32) -> Entry {
        Entry {
            index,
            mark,
            ..*self
        }
    }

    /// The same box with another mark.
    pub(crate) fn marked(&self, mark: u32) -> Entry {
        Entry { mark, ..*self }
    }
}

/// All bits of those coordinates that are no less in the first corner than in the second.
fn greater(a: u64, b: u64) -> u64 {
    let kept = ((a | SPARE) - (b & !SPARE)) & SPARE;
    kept - (kept >> BITS)
}

/// Some bits of one number and the others of another one.
fn pick(bits: u64, a: u64, b: u64) -> u64 {
    (a & bits) | (b & !bits)
}

/// A packed coordinate.
fn unpack(corner: u64, axis: u32) -> u32 {
    (corner >> (axis * (BITS + 1))) as u32 & MOST as u32
}

/// How coordinates are packed. What lies far outside is as if it lay at the end; so more boxes may seem to meet there, but none fewer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    least: [i32; 3],
    /// Coordinates are divided by these powers of two.
    shift: [u32; 3],
}

impl Frame {
    /// For boxes about an area (least X, least Y, greatest X, greatest Y).
    pub(super) fn new(boxes: impl Iterator<Item = Bounds>, area: [i32; 4]) -> Frame {
        let none = [i32::MAX, i32::MIN];
        let heights = boxes.fold(none, |[low, high], b| {
            [low.min(b.low[2]), high.max(b.high[2])]
        });
        let [x0, y0, x1, y1] = area;
        Frame::between([x0, y0, heights[0]], [x1, y1, heights[1]])
    }

    fn between(low: [i32; 3], high: [i32; 3]) -> Frame {
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

    /// A box, packed.
    pub(super) fn entry(&self, b: &Bounds, index: u32, mark: u32) -> Entry {
        Entry {
            low: self.pack(b.low),
            high: self.pack(b.high) | SPARE,
            index,
            mark,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A box of at most this size about a place within 500 of the origin.
    pub(crate) fn bounds(seed: &mut u32, size: i32) -> Bounds {
        let mut next = |most: i32| {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*seed >> 8) as i32 % most
        };
        let low = [next(1000) - 500, next(1000) - 500, next(100)];
        Bounds {
            low,
            high: low.map(|l| l + next(size)),
        }
    }

    /// The numbers of those boxes that meet one, ascending.
    pub(crate) fn plainly_met(boxes: &[Bounds], wanted: &Bounds) -> Vec<u32> {
        let meets =
            |b: &Bounds| (0..3).all(|k| b.low[k] <= wanted.high[k] && b.high[k] >= wanted.low[k]);
        let numbers = (0u32..).zip(boxes).filter(|(_, b)| meets(b));
        numbers.map(|(k, _)| k).collect()
    }

    #[test]
    fn a_hull_is_the_least_box_around_two() {
        let mut seed = 5u32;
        for _ in 0..1000 {
            let (a, b) = (bounds(&mut seed, 90), bounds(&mut seed, 400));
            let frame = Frame::new([a, b].into_iter(), [-500, -500, 500, 500]);
            let both = Bounds {
                low: [0, 1, 2].map(|k| a.low[k].min(b.low[k])),
                high: [0, 1, 2].map(|k| a.high[k].max(b.high[k])),
            };
            let hull = frame.entry(&a, 1, 1).hull(&frame.entry(&b, 2, 2));
            let wanted = frame.entry(&both, 0, 0);
            assert_eq!((hull.low, hull.high), (wanted.low, wanted.high));
        }
    }
}
