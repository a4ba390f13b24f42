//! The squares beside a segment at its own height: it keeps the agent off these, and off what its
//! capsule reaches from there over links.
//!
//! Near a seam between tiles both have the same squares, so both agree whether a segment is needed.

use std::ops::{Range, RangeInclusive};

use super::grid::{BESIDE, SamplingGrid};
use crate::exact::math::{V2, lerp, max, min};
use crate::exact::measures::Measures;
use crate::exact::segment::Segment;

impl SamplingGrid {
    /// Does a segment keep the agent off any square?
    pub(crate) fn is_bounded(&self, segment: &Segment, measures: &Measures) -> bool {
        let from = Distance::new(segment, self.cell);
        self.rows_beside(&from).any(|row| {
            self.row_beside(row, &from)
                .any(|s| self.is_square(s) && self.beside(s, &from, measures).is_some())
        })
    }

    /// The rows with squares that may be beside a segment.
    pub(crate) fn rows_beside(&self, from: &Distance) -> RangeInclusive<i32> {
        let beside = BESIDE * self.cell;
        self.squares_along(1, from.low[1] - beside, from.high[1] + beside)
    }

    /// The nodes of a row whose squares may be beside a segment.
    pub(crate) fn row_beside(&self, row: i32, from: &Distance) -> Range<u32> {
        let [x0, x1] = from.within(self.row(row), BESIDE * self.cell);
        let columns = self.squares_along(0, x0, x1);
        if columns.is_empty() { 0..0 } else { self.under_row(row, columns) }
    }

    /// The place of a square and the squared distance of its centre from a segment, if the square is
    /// beside the segment and at its height.
    #[inline]
    pub(crate) fn beside(
        &self,
        square: u32,
        from: &Distance,
        measures: &Measures,
    ) -> Option<(V2, f64)> {
        let (beside, step) = (BESIDE * self.cell, measures.climb + 1.0);
        // The height of its node rules out most squares of other storeys.
        let ([ya, yb], y, far) = (from.heights, self.height(square), self.far(step));
        if y + far + step < min(ya, yb) || y - far - step > max(ya, yb) {
            return None;
        }
        let place = self.place(square);
        let (far, t, height) = from.apart(place);
        if far > beside * beside {
            return None;
        }
        let ground = self.height_near(square, lerp(from.ends[0], from.ends[1], t));
        ((ground - height).abs() <= step).then_some((place, far))
    }
}

/// How far squares are from a segment.
pub(crate) struct Distance {
    ends: [V2; 2],
    /// The beginning of the segment, moved by half a square: a square's least corner then has the
    /// distance of its centre.
    begin: V2,
    along: V2,
    /// One through the length squared.
    inverse: f64,
    heights: [f64; 2],
    low: V2,
    high: V2,
    /// X per Y along the segment.
    slope: f64,
    half: f64,
}

impl Distance {
    pub(crate) fn new(segment: &Segment, cell: f64) -> Distance {
        let (a, b) = (segment.a, segment.b);
        let along = [b[0] - a[0], b[1] - a[1]];
        Distance {
            ends: [a, b],
            begin: a.map(|v| v - cell / 2.0),
            along,
            inverse: 1.0 / (along[0] * along[0] + along[1] * along[1]),
            heights: segment.heights,
            low: [min(a[0], b[0]), min(a[1], b[1])],
            high: [max(a[0], b[0]), max(a[1], b[1])],
            slope: along[0] / along[1],
            half: cell / 2.0,
        }
    }

    /// Squared distance of a square's centre, the parameter of the nearest place of the segment,
    /// and the segment's height there.
    #[inline]
    pub(crate) fn apart(&self, corner: V2) -> (f64, f64, f64) {
        let (px, py) = (corner[0] - self.begin[0], corner[1] - self.begin[1]);
        let [dx, dy] = self.along;
        let t = ((px * dx + py * dy) * self.inverse).clamp(0.0, 1.0);
        let (qx, qy) = (px - t * dx, py - t * dy);
        let [ya, yb] = self.heights;
        (qx * qx + qy * qy, t, ya + t * (yb - ya))
    }

    /// The range of X in which centres of a row of squares may be nearer than `far`. The row begins
    /// at `y`.
    fn within(&self, y: f64, far: f64) -> [f64; 2] {
        if self.slope.abs() < 1e6 {
            // The part of the segment at most that far below or above.
            let y = y + self.half;
            let at =
                |y: f64| self.begin[0] + self.half + (y - self.begin[1] - self.half) * self.slope;
            let (p, q) = (at(y - far), at(y + far));
            let low = max(min(p, q), self.low[0]);
            let high = min(max(p, q), self.high[0]);
            [low - far, high + far]
        } else {
            [self.low[0] - far, self.high[0] + far]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::sampling::columns::tests::level;
    use crate::exact::test_levels;

    #[test]
    fn a_segment_bounds_ground_if_any_square_of_the_grid_is_beside_it_at_its_height() {
        let level = level();
        let (measures, triangles) = test_levels::tile(&level);
        let grid = SamplingGrid::new(&triangles, &measures);
        let squares: Vec<u32> = (0..grid.len() as u32).filter(|s| grid.is_square(*s)).collect();
        let mut next = test_levels::random(11);
        let mut counts = [0; 2];
        for _ in 0..4000 {
            // Near a square, seldom far above or below it.
            let near = squares[next(squares.len() as u32) as usize];
            let [x, y] = grid.place(near);
            let mut end = |side: u32| {
                let mut off = |most: u32| next(2 * most) - f64::from(most);
                let high = grid.height(near) + off(2000);
                ([x + off(side), y + off(side)], high)
            };
            let ((a, low), (b, high)) = (end(1500), end(1500));
            let segment = Segment { a, b, heights: [low, high] };
            let wanted = squares.iter().any(|&s| {
                let middle = grid.place(s).map(|v| v + grid.cell / 2.0);
                let (far, height) = segment.apart(middle);
                let (along, p) = ([b[0] - a[0], b[1] - a[1]], [middle[0] - a[0], middle[1] - a[1]]);
                let square = along[0] * along[0] + along[1] * along[1];
                let t = ((p[0] * along[0] + p[1] * along[1]) / square).clamp(0.0, 1.0);
                far <= (1.5 * grid.cell).powi(2)
                    && (grid.height_near(s, lerp(a, b, t)) - height).abs() <= measures.climb + 1.0
            });
            assert_eq!(grid.is_bounded(&segment, &measures), wanted, "{segment:?}");
            counts[usize::from(wanted)] += 1;
        }
        assert!(counts.iter().all(|&c| c > 400), "{counts:?}");
    }
}
