//! Boxes in space, packed so that two subtractions compare them along all three axes.
//!
//! A corner is one `u64`: three coordinates of 20 bits, each with a spare bit above it.
//!
//! ```text
//!   bit 63 62 ........ 42 41 ........ 21 20 .........0
//!       s  axis 2          s axis 1      s  axis 0
//! ```
//!
//! The spare bits of a greatest corner are set. Where a coordinate of `high - low` is below zero
//! the subtraction borrows from its spare bit, and all spare bits are left exactly when no
//! coordinate is. Two boxes meet when that holds of `a.high - b.low` and of `b.high - a.low`.

use navbake_grid::Point3;

/// A box in space, in grid units; both corners are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxBounds {
    /// Least coordinate along each axis.
    pub low: [i32; 3],
    /// Greatest coordinate along each axis.
    pub high: [i32; 3],
}

impl BoxBounds {
    /// The box around some points as `[x, z, y]`, `margin` wider in the plane, `rise` in height.
    #[inline]
    pub fn around(points: &[Point3], margin: i32, rise: i32) -> BoxBounds {
        let mut bounds = BoxBounds { low: [i32::MAX; 3], high: [i32::MIN; 3] };
        for p in points {
            for (k, c) in [p.x, p.z, p.y].into_iter().enumerate() {
                let by = if k == 2 { rise } else { margin };
                bounds.low[k] = bounds.low[k].min(c - by);
                bounds.high[k] = bounds.high[k].max(c + by);
            }
        }
        bounds
    }

    /// Do two boxes have a point in common?
    #[inline]
    pub fn touches(&self, other: &BoxBounds) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// Bits of a coordinate; each has one more above it.
pub(crate) const BITS: u32 = 20;
/// The greatest packed coordinate.
const MOST: i64 = (1 << BITS) - 1;
/// The bits above coordinates.
const SPARE: u64 = (1 << BITS) | (1 << (2 * BITS + 1)) | (1 << (3 * BITS + 2));

/// A packed box, with an index and a mark of the caller's.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedBox {
    low: u64,
    high: u64,
    index: u32,
    mark: u32,
}

impl PackedBox {
    /// Do two boxes meet? Touching counts.
    #[inline]
    pub fn meets(&self, other: &PackedBox) -> bool {
        (other.high - self.low) & (self.high - other.low) & SPARE == SPARE
    }

    /// The least box around both, without an index or a mark.
    #[inline]
    pub fn hull(&self, other: &PackedBox) -> PackedBox {
        PackedBox {
            low: pick(greater(self.low, other.low), other.low, self.low),
            high: pick(greater(self.high, other.high), self.high, other.high) | SPARE,
            index: 0,
            mark: 0,
        }
    }

    /// Least and greatest packed coordinate along an axis.
    #[inline]
    pub fn along(&self, axis: u32) -> [u32; 2] {
        [self.low, self.high].map(|corner| unpack(corner, axis))
    }

    /// The caller's index.
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The caller's mark.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.mark
    }

    /// The same box with another index and mark.
    #[inline]
    pub fn named(&self, index: u32, mark: u32) -> PackedBox {
        PackedBox { index, mark, ..*self }
    }

    /// The same box with another mark.
    #[inline]
    pub fn marked(&self, mark: u32) -> PackedBox {
        PackedBox { mark, ..*self }
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

/// How coordinates are packed: an origin, and a power of two to divide by along each axis.
///
/// Coordinates outside the frame are clamped to its ends, and division loses bits. So boxes that
/// do not meet may seem to, but all that meet are found. Up to 2^20 units along an axis nothing is
/// lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxFrame {
    least: [i32; 3],
    /// Coordinates are divided by these powers of two.
    shift: [u32; 3],
}

impl BoxFrame {
    /// A frame for an area (least x and y, greatest x and y) and for the heights of some boxes.
    ///
    /// Axis 2 is up.
    pub fn new(boxes: impl Iterator<Item = BoxBounds>, area: [i32; 4]) -> BoxFrame {
        let none = [i32::MAX, i32::MIN];
        let heights = boxes.fold(none, |[low, high], b| [low.min(b.low[2]), high.max(b.high[2])]);
        let [x0, y0, x1, y1] = area;
        BoxFrame::between([x0, y0, heights[0]], [x1, y1, heights[1]])
    }

    fn between(low: [i32; 3], high: [i32; 3]) -> BoxFrame {
        let shift = [0, 1, 2].map(|axis| {
            let extent = i64::from(high[axis]) - i64::from(low[axis]);
            (0..32).find(|s| extent >> s < MOST).unwrap_or(0)
        });
        BoxFrame { least: low, shift }
    }

    #[inline]
    fn pack(&self, corner: [i32; 3]) -> u64 {
        let mut packed = 0;
        for axis in (0..3).rev() {
            let from = i64::from(corner[axis]) - i64::from(self.least[axis]);
            let v = (from >> self.shift[axis]).clamp(0, MOST);
            packed = packed << (BITS + 1) | v as u64;
        }
        packed
    }

    /// Packs a box. `mark` is not `u32::MAX` for boxes of a [`crate::Bvh`].
    #[inline]
    pub fn entry(&self, b: &BoxBounds, index: u32, mark: u32) -> PackedBox {
        PackedBox { low: self.pack(b.low), high: self.pack(b.high) | SPARE, index, mark }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A box of at most this size about a place within 500 of the origin.
    pub(crate) fn bounds(seed: &mut u32, size: i32) -> BoxBounds {
        let mut next = |most: i32| {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*seed >> 8) as i32 % most
        };
        let low = [next(1000) - 500, next(1000) - 500, next(100)];
        BoxBounds { low, high: low.map(|l| l + next(size)) }
    }

    /// The numbers of those boxes that meet one, ascending.
    pub(crate) fn plainly_met(boxes: &[BoxBounds], wanted: &BoxBounds) -> Vec<u32> {
        let meets = |b: &BoxBounds| {
            (0..3).all(|k| b.low[k] <= wanted.high[k] && b.high[k] >= wanted.low[k])
        };
        let numbers = (0u32..).zip(boxes).filter(|(_, b)| meets(b));
        numbers.map(|(k, _)| k).collect()
    }

    #[test]
    fn a_hull_is_the_least_box_around_two() {
        let mut seed = 5u32;
        for _ in 0..1000 {
            let (a, b) = (bounds(&mut seed, 90), bounds(&mut seed, 400));
            let frame = BoxFrame::new([a, b].into_iter(), [-500, -500, 500, 500]);
            let both = BoxBounds {
                low: [0, 1, 2].map(|k| a.low[k].min(b.low[k])),
                high: [0, 1, 2].map(|k| a.high[k].max(b.high[k])),
            };
            let hull = frame.entry(&a, 1, 1).hull(&frame.entry(&b, 2, 2));
            let wanted = frame.entry(&both, 0, 0);
            assert_eq!((hull.low, hull.high), (wanted.low, wanted.high));
        }
    }
}
