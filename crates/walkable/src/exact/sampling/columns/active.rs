//! A triangle in the rows of the sampling grid that it meets.

use crate::exact::input::Triangle;
use crate::exact::math::{V2, max, min};

/// First column, last column, first row, last row.
pub(crate) type Span = [i16; 4];

/// A triangle in the rows that it meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    /// As in [`super::Surface`].
    pub(crate) number: u32,
    /// The last row.
    pub(crate) last: i32,
    /// The first point of a row in its bounds, and how many more there are.
    column: i32,
    more: f64,
    /// Edges with the points on the greater side along X, and on the lesser side.
    low: [Edge; 2],
    high: [Edge; 2],
    pub(crate) origin: V2,
    pub(crate) plane: [f64; 3],
}

/// Twice the area of an edge and a point: positive if the point is to the left of the edge.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// X of the edge.
    along: f64,
    /// Y of its begin.
    begin: f64,
    /// The part for the first column, to be subtracted.
    off: f64,
    /// How much there is more at each next point.
    step: f64,
}

impl Edge {
    /// How many points from the first column on the edge is crossed.
    fn crossing(&self, y: f64) -> f64 {
        -(self.along * (y - self.begin) - self.off) / self.step
    }
}

impl Active {
    pub(crate) fn new(
        number: u32,
        triangle: &Triangle,
        span: Span,
        corner: f64,
        cell: f64,
    ) -> Active {
        let [i0, i1, _, last] = span.map(i32::from);
        let x = corner + f64::from(i0) * cell;
        // Edges that leave out nothing: far to the lesser side, far to the greater one.
        let far = |step: f64| Edge { along: 0.0, begin: 0.0, off: -1e9, step };
        let (mut low, mut high) = ([far(1.0); 2], [far(-1.0); 2]);
        let (mut lows, mut highs) = (0, 0);
        for k in 0..3 {
            let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
            let edge = Edge {
                along: b[0] - a[0],
                begin: a[1],
                off: (b[1] - a[1]) * (x - a[0]),
                step: (a[1] - b[1]) * cell,
            };
            // An edge along X leaves out no row of those in the bounds.
            if edge.step > 0.0 {
                low[lows.min(1)] = edge;
                lows += 1;
            } else if edge.step < 0.0 {
                high[highs.min(1)] = edge;
                highs += 1;
            }
        }
        Active {
            number: number << 1 | u32::from(triangle.ground),
            last,
            column: i0,
            more: f64::from(i1 - i0),
            low,
            high,
            origin: triangle.flat(0),
            plane: triangle.plane(),
        }
    }

    /// The first and the last point of a row at `y` above or below the triangle, borders included.
    pub(crate) fn points(&self, y: f64) -> Option<[u32; 2]> {
        let low = self.low.map(|e| e.crossing(y));
        let high = self.high.map(|e| e.crossing(y));
        // Lines of edges that hardly rise are crossed anywhere: no farther off than the triangle.
        let from = min(max(max(low[0], low[1]), 0.0), self.more + 1.0);
        let to = max(min(min(high[0], high[1]), self.more), -1.0);
        let (from, to) = (ceil(from), floor(to));
        (from <= to).then(|| [from, to].map(|k| (self.column + k) as u32))
    }
}

/// The least whole number from `v` up; of numbers that are not too large.
#[inline]
pub(crate) fn ceil(v: f64) -> i32 {
    let whole = v as i32;
    whole + i32::from(f64::from(whole) < v)
}

/// The greatest whole number up to `v`; of numbers that are not too large.
#[inline]
pub(crate) fn floor(v: f64) -> i32 {
    let whole = v as i32;
    whole - i32::from(f64::from(whole) > v)
}
