//! Height points as they are stored: in steps of the polygon's extent.

use zerocopy::little_endian::U32;

use crate::exact::LIMIT;
use crate::relief::MOST_POINTS;

/// Bits of a point's x and z.
const FLAT_BITS: u32 = 12;
/// Bits of a point's height.
const UP_BITS: u32 = 8;
/// Bits of the base of heights, in the head.
const BASE_BITS: u32 = 27;
/// The greatest shift of heights that anything needs: heights differ by less than 2^26.
const MOST_UP: u32 = 18;

/// The places that height points of a polygon can have, and how they are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    least: [i32; 2],
    greatest: [i32; 2],
    shift: [u32; 2],
    base: i32,
    up: u32,
}

/// The least shift that makes a length fit.
fn shift(least: i32, greatest: i32, bits: u32) -> u32 {
    let extent = (i64::from(greatest) - i64::from(least)).max(0);
    let mut s = 0;
    while extent >> s >= 1 << bits {
        s += 1;
    }
    s
}

impl Steps {
    /// The steps of a polygon with these corners (`[x, z]`, each at least once), for points with heights from `low` to `high`.
    pub fn new(corners: impl Iterator<Item = [i32; 2]>, low: i32, high: i32) -> Steps {
        Steps::flat(corners).up(low, shift(low, high, UP_BITS))
    }

    fn flat(corners: impl Iterator<Item = [i32; 2]>) -> Steps {
        let (mut least, mut greatest) = ([i32::MAX; 2], [i32::MIN; 2]);
        for c in corners {
            for k in 0..2 {
                least[k] = least[k].min(c[k]);
                greatest[k] = greatest[k].max(c[k]);
            }
        }
        Steps {
            least,
            greatest,
            shift: [0, 1].map(|k| shift(least[k], greatest[k], FLAT_BITS)),
            base: 0,
            up: 0,
        }
    }

    fn up(self, base: i32, up: u32) -> Steps {
        Steps { base, up, ..self }
    }

    /// How far neighbouring places lie apart along x, y and z, grid units.
    pub fn step(&self) -> [i32; 3] {
        [1 << self.shift[0], 1 << self.up, 1 << self.shift[1]]
    }

    /// The place nearest to a point that can be stored and that `holds` says the polygon holds, up to two steps away in the plane; `None` when
    /// there is none. What can be stored already stays where it is. Ties go to the lesser x, then z; heights are rounded up from a half.
    pub fn round(&self, p: [i32; 3], holds: impl Fn([i32; 2]) -> bool) -> Option<[i32; 3]> {
        let at = [p[0], p[2]];
        let value = |k: usize, by: i64| {
            let v = ((i64::from(at[k]) - i64::from(self.least[k])) >> self.shift[k]) + by;
            let c = i64::from(self.least[k]) + (v << self.shift[k]);
            let fits = (0..1 << FLAT_BITS).contains(&v) && c <= i64::from(self.greatest[k]);
            fits.then_some(c as i32) // between two coordinates
        };
        let far = |q: [i32; 2]| {
            let d = [0, 1].map(|k| i64::from(q[k]) - i64::from(at[k]));
            (d[0] * d[0] + d[1] * d[1], q)
        };
        let near = (-1..=2).flat_map(|dx| (-1..=2).map(move |dz| [dx, dz]));
        let [x, z] = near
            .filter_map(|[dx, dz]| Some([value(0, dx)?, value(1, dz)?]))
            .filter(|&q| holds(q))
            .min_by_key(|&q| far(q))?;
        Some([x, self.round_height(p[1]), z])
    }

    /// The nearest height that can be stored, the higher of two.
    pub fn round_height(&self, y: i32) -> i32 {
        let above = i64::from(y) - i64::from(self.base);
        let half = (1 << self.up) >> 1;
        let v = ((above + half) >> self.up).clamp(0, (1 << UP_BITS) - 1);
        (i64::from(self.base) + (v << self.up)) as i32 // at most half a step above a coordinate
    }

    /// The head before the points of a polygon.
    #[cfg(feature = "write")]
    pub(crate) fn head(&self, least: i32) -> u32 {
        // Bases and least heights are coordinates, not a whole 2^27 apart.
        self.base.wrapping_sub(least) as u32 & ((1 << BASE_BITS) - 1) | self.up << BASE_BITS
    }

    /// A point that [`Steps::round`] gave, as it is stored.
    #[cfg(feature = "write")]
    pub(crate) fn code(&self, [x, y, z]: [i32; 3]) -> u32 {
        let value = |c: i32, least: i32, shift: u32| (c.wrapping_sub(least) as u32) >> shift;
        value(x, self.least[0], self.shift[0])
            | value(z, self.least[1], self.shift[1]) << FLAT_BITS
            | value(y, self.base, self.up) << (2 * FLAT_BITS)
    }

    fn point(&self, code: u32) -> [i32; 3] {
        let mask = (1 << FLAT_BITS) - 1;
        let value =
            |v: u32, base: i32, shift: u32| base.wrapping_add((v as i32).wrapping_shl(shift));
        [
            value(code & mask, self.least[0], self.shift[0]),
            value(code >> (2 * FLAT_BITS), self.base, self.up),
            value(code >> FLAT_BITS & mask, self.least[1], self.shift[1]),
        ]
    }
}

/// The height points of one polygon, read in place.
#[derive(Clone, Copy)]
pub struct HeightPoints<'a> {
    codes: &'a [U32],
    steps: Steps,
}

impl<'a> HeightPoints<'a> {
    /// Those of a polygon with these corners, from the elements that are its own: a head, then points. `least` is the mesh's least height.
    #[inline]
    pub(crate) fn read(
        elements: &'a [U32],
        least: i32,
        corners: impl Iterator<Item = [i32; 2]>,
    ) -> HeightPoints<'a> {
        let Some((head, codes)) = elements.split_first() else {
            return HeightPoints::NONE;
        };
        let base = least.wrapping_add((head.get() & ((1 << BASE_BITS) - 1)) as i32);
        HeightPoints {
            codes,
            steps: Steps::flat(corners).up(base, head.get() >> BASE_BITS),
        }
    }

    const NONE: HeightPoints<'static> = HeightPoints {
        codes: &[],
        steps: Steps {
            least: [0; 2],
            greatest: [0; 2],
            shift: [0; 2],
            base: 0,
            up: 0,
        },
    };

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Point i in space, grid units; zeros when there is none.
    #[inline]
    pub fn get(&self, i: usize) -> [i32; 3] {
        self.codes
            .get(i)
            .map_or([0; 3], |code| self.steps.point(code.get()))
    }

    /// All of them.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = [i32; 3]> + use<'a> {
        let steps = self.steps;
        self.codes.iter().map(move |code| steps.point(code.get()))
    }

    /// What is wrong with them: the number of the element (0 is the head), what is found, what is expected.
    pub(crate) fn fault(&self) -> Option<(u32, i64, &'static str)> {
        if self.codes.len() > MOST_POINTS {
            let found = self.codes.len() as i64;
            return Some((0, found, "at most 255 points a polygon"));
        }
        if self.steps.up > MOST_UP {
            return Some((0, self.steps.up.into(), "a shift of at most 18"));
        }
        let limit = i64::from(LIMIT);
        if i64::from(self.steps.base).abs() >= limit {
            let base = self.steps.base.into();
            return Some((0, base, "a base between -2^25 and 2^25"));
        }
        for (i, code) in (1..).zip(self.codes) {
            let code = code.get();
            let y =
                i64::from(self.steps.base) + (i64::from(code >> (2 * FLAT_BITS)) << self.steps.up);
            if y >= limit {
                return Some((i, y, "coordinates between -2^25 and 2^25"));
            }
            let [x, _, z] = self.steps.point(code);
            for (c, k) in [(x, 0), (z, 1)] {
                if c > self.steps.greatest[k] {
                    return Some((i, c.into(), "a place within the polygon's extent"));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_least_that_fit() {
        let steps = |x: i32, z: i32, high: i32| {
            Steps::new([[-5, 7], [x - 5, z + 7]].into_iter(), -3, high).step()
        };
        assert_eq!(steps(4095, 4096, 252), [1, 1, 2]);
        assert_eq!(steps(8192, 0, 253), [4, 2, 1]);
        let m = LIMIT - 1;
        let widest = Steps::new([[-m, -m], [m, m]].into_iter(), -m, m);
        assert_eq!(widest.step(), [1 << 14, 1 << MOST_UP, 1 << 14]);
    }

    #[test]
    fn rounding_goes_to_the_nearest_place_inside_and_stays_there() {
        let corners = [[10, 20], [10, 20_020], [9010, 20]];
        let steps = Steps::new(corners.into_iter(), -40, 1000);
        assert_eq!(steps.step(), [4, 8, 8]);
        let inside = |q: [i32; 2]| {
            (0..3).all(|k| crate::exact::orient(corners[k], corners[(k + 1) % 3], q) >= 0)
        };
        let round = |p| steps.round(p, inside);
        assert_eq!(round([10, -40, 20]), Some([10, -40, 20]));
        assert_eq!(round([23, -33, 33]), Some([22, -32, 36]));
        // Half a way: towards lesser x and z, and up.
        assert_eq!(round([12, -36, 24]), Some([10, -32, 20]));
        assert_eq!(round([9010, 0, 20]), Some([9010, 0, 20]));
        for x in (10..9010).step_by(37) {
            let z = 20 + (9010 - x) * 20 / 9;
            let p = round([x, 17, z]).unwrap();
            assert!(inside([p[0], p[2]]));
            assert!((p[0] - x).abs() <= 8 && (p[2] - z).abs() <= 16);
            assert_eq!(round(p), Some(p));
        }
        assert_eq!(steps.round([23, 0, 33], |_| false), None);
    }
}
