//! Dirty regions: when each square of a box changed last, so that the rest is not checked again.

use std::ops::Range;

use navbake_geom::Point;

/// Squares along a side of the box.
const SQUARES: i32 = 64;

/// For each square of a box when something in it changed last.
pub(crate) struct DirtyRegions {
    low: Point,
    /// Sides of squares are `2^shift` long.
    shift: u32,
    now: u32,
    changed: Vec<u32>,
}

impl DirtyRegions {
    /// Of a box with these corners.
    pub(crate) fn new(low: Point, high: Point) -> DirtyRegions {
        let across = (high.x - low.x).max(high.z - low.z).max(1);
        let mut shift = 0;
        while across >> shift >= SQUARES {
            shift += 1;
        }
        DirtyRegions { low, shift, now: 1, changed: vec![1; (SQUARES * SQUARES) as usize] }
    }

    /// A time after all changes until now, and before those to come.
    pub(crate) fn now(&mut self) -> u32 {
        self.now += 1;
        self.now - 1
    }

    /// Something changed in the bounds of these places.
    pub(crate) fn change(&mut self, places: impl Iterator<Item = Point>) {
        let now = self.now;
        if now == 1 {
            // Before the first call of `now` everything counts as changed.
            return;
        }
        for row in self.rows(places) {
            self.changed[row].fill(now);
        }
    }

    /// Did nothing change in the bounds of these places after a time?
    pub(crate) fn is_as_before(&self, places: impl Iterator<Item = Point>, time: u32) -> bool {
        self.rows(places).all(|row| self.changed[row].iter().all(|&at| at <= time))
    }

    /// The squares of the bounds of places, row by row.
    fn rows<I: Iterator<Item = Point>>(
        &self,
        places: I,
    ) -> impl Iterator<Item = Range<usize>> + use<I> {
        let (mut least, mut most) = ([SQUARES - 1; 2], [0; 2]);
        for p in places {
            for (k, c) in [p.x - self.low.x, p.z - self.low.z].into_iter().enumerate() {
                let square = (c >> self.shift).clamp(0, SQUARES - 1);
                least[k] = least[k].min(square);
                most[k] = most[k].max(square);
            }
        }
        let row = |i: i32| (i * SQUARES) as usize;
        (least[0]..=most[0]).map(move |i| row(i) + least[1] as usize..row(i) + most[1] as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_where_bounds_meet_and_not_far_away() {
        let point = |[x, z]: [i32; 2]| Point::new(x, z);
        let mut dirty = DirtyRegions::new(point([-100, 50]), point([900, 1050]));
        let here = [[100, 200], [180, 210]].map(point);
        let before = dirty.now();
        assert!(dirty.is_as_before(here.into_iter(), before));
        dirty.change([[150, 100], [160, 900], [155, 120]].map(point).into_iter());
        assert!(!dirty.is_as_before(here.into_iter(), before));
        assert!(dirty.is_as_before([[400, 200], [420, 300]].map(point).into_iter(), before));
        let after = dirty.now();
        assert!(dirty.is_as_before(here.into_iter(), after));
    }
}
