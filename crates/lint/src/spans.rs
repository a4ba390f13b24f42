//! The columns of a lattice that triangles cover, stored as spans, row by row.
//!
//! Most of a level has nothing above its ground, or nothing near. Only columns with two surfaces at
//! a relevant distance are examined one by one.

use std::ops::Range;

use navbake_level::{Level, Role};

/// A triangle at a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Grid units.
    pub(crate) height: f64,
    pub(crate) triangle: u32,
}

/// Column and row of a lattice: along X, and along Z.
pub(crate) type Column = [i32; 2];

/// Consecutive columns along Z that a triangle covers.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: i32,
    last: i32,
    triangle: u32,
}

/// All triangles of a level that are not ignored, as spans.
pub(crate) struct Spans<'a> {
    level: &'a Level,
    /// Distance between columns, grid units.
    step: f64,
    /// The least row, and the index of each row's first span; one more entry than rows.
    least: i32,
    begin: Vec<u32>,
    /// By row, then column.
    all: Vec<Span>,
}

/// Offset of columns as a share of a step.
///
/// It keeps them off the round numbers where levels have their edges.
const OFFSET: f64 = 0.4871;
/// The least share of each corner of a triangle in a column.
///
/// Columns must be well inside, so that neighbours do not both claim their common edge.
const INSIDE: f64 = 1e-6;
/// An upper bound of rounding errors of span ends and plane heights, grid units.
const ROUNDING: f64 = 4.0;
/// Up to this many stacked triangles are compared pair by pair.
const FEW: usize = 32;

impl<'a> Spans<'a> {
    /// Columns are `step` grid units apart.
    pub(crate) fn new(level: &'a Level, step: f64) -> Spans<'a> {
        let mut found: Vec<(i32, Span)> = vec![];
        for (triangle, t) in (0u32..).zip(&level.triangles) {
            if level.roles[t.part as usize] == Role::Ignored {
                continue;
            }
            if let Some(flat) = Flat::new(level, triangle) {
                flat.spans(step, |row, first, last| {
                    let span = Span { first, last, triangle };
                    found.push((row, span));
                });
            }
        }
        let least = found.iter().map(|f| f.0).min().unwrap_or(0);
        let rows = found.iter().map(|f| f.0 - least + 1).max().unwrap_or(0);
        let mut begin = vec![0u32; rows as usize + 1];
        for (row, _) in &found {
            begin[(row - least) as usize] += 1;
        }
        let mut sum = 0;
        for n in &mut begin {
            sum += *n;
            *n = sum;
        }
        // Filled from the end of each row to its beginning.
        let mut all = vec![Span::default(); found.len()];
        for (row, span) in found.iter().rev() {
            let at = &mut begin[(row - least) as usize];
            *at -= 1;
            all[*at as usize] = *span;
        }
        for row in begin.windows(2) {
            all[row[0] as usize..row[1] as usize].sort_unstable_by_key(|s| s.first);
        }
        Spans { level, step, least, begin, all }
    }

    /// The spans of a row; empty if the row is out of range.
    fn row(&self, row: i32) -> &[Span] {
        let at = i64::from(row) - i64::from(self.least);
        let rows = usize::try_from(at).ok().and_then(|at| self.begin.get(at..at + 2));
        rows.map_or(&[], |r| &self.all[r[0] as usize..r[1] as usize])
    }

    /// The middle of a column along X or Z, grid units.
    pub(crate) fn middle(&self, column: i32) -> f64 {
        middle(column, self.step)
    }

    /// Calls `f` with the columns in which two triangles matter to each other.
    ///
    /// `f` is called in column order and gets all samples there, lowest first. It may get other
    /// columns too. `matters` is called with two triangles, one of them ground, and with the least
    /// and the greatest height of the second above the first, grid units.
    pub(crate) fn crowded(
        &self,
        ground: &[bool],
        matters: impl Fn(u32, u32, [f64; 2]) -> bool,
        mut f: impl FnMut(Column, &[Sample]),
    ) {
        let (mut ranges, mut active) = (vec![], vec![]);
        for x in self.least..self.least + self.begin.len() as i32 - 1 {
            ranges.clear();
            active.clear();
            self.meetings(x, ground, &matters, &mut active, &mut ranges);
            ranges.sort_unstable_by_key(|r: &Range<i32>| r.start);
            self.walk(x, &ranges, &mut f);
        }
    }

    /// Calls `f` with the samples of those `columns` that have any.
    ///
    /// `columns` must be sorted and distinct.
    pub(crate) fn at(&self, columns: &[Column], mut f: impl FnMut(Column, &[Sample])) {
        for same in columns.chunk_by(|a, b| a[0] == b[0]) {
            let ranges: Vec<Range<i32>> = same.iter().map(|c| c[1]..c[1] + 1).collect();
            self.walk(same[0][0], &ranges, &mut f);
        }
    }

    /// Adds the columns of a row where triangles matter to each other.
    fn meetings(
        &self,
        x: i32,
        ground: &[bool],
        matters: &impl Fn(u32, u32, [f64; 2]) -> bool,
        active: &mut Vec<(Span, Option<Known>)>,
        ranges: &mut Vec<Range<i32>>,
    ) {
        // The last column of those that are not active.
        let mut crowd = i32::MIN;
        for span in self.row(x) {
            active.retain(|(other, _)| other.last >= span.first);
            if span.first <= crowd {
                ranges.push(span.first..span.last.min(crowd) + 1);
            }
            if active.len() == FEW {
                let most = active.iter().map(|(other, _)| other.last).max();
                ranges.push(span.first..span.last.min(most.unwrap_or(span.last)) + 1);
                crowd = crowd.max(span.last);
                continue;
            }
            let is_ground = ground[span.triangle as usize];
            let mut own = None;
            for (other, below) in active.iter_mut() {
                if !is_ground && !ground[other.triangle as usize] {
                    continue;
                }
                let known = |span: &Span| Known::new(self.level, span.triangle);
                let own = own.get_or_insert_with(|| known(span));
                let below = below.get_or_insert_with(|| known(other));
                let matters = |[least, most]: [f64; 2]| {
                    let gaps = [least - ROUNDING, most + ROUNDING];
                    matters(other.triangle, span.triangle, gaps)
                };
                if !matters([own.low - below.high, own.high - below.low]) {
                    continue;
                }
                let line = *own.line.get_or_insert_with(|| self.line(x, span));
                let below = *below.line.get_or_insert_with(|| self.line(x, other));
                let ends = [span.first, span.last.min(other.last)];
                let gaps = ends.map(|z| line.at(z) - below.at(z));
                if matters([gaps[0].min(gaps[1]), gaps[0].max(gaps[1])]) {
                    ranges.push(ends[0]..ends[1] + 1);
                }
            }
            active.push((*span, own));
        }
    }

    /// Calls `f` with the samples of ranges of columns in a row.
    ///
    /// The ranges are in the order of their starts.
    fn walk(&self, x: i32, ranges: &[Range<i32>], f: &mut impl FnMut(Column, &[Sample])) {
        let row = self.row(x);
        let (mut active, mut samples) = (vec![], vec![]);
        let (mut next, mut done) = (0, i32::MIN);
        for range in ranges {
            for z in range.start.max(done)..range.end {
                let place = [self.middle(x), self.middle(z)];
                while let Some(span) = row.get(next).filter(|s| s.first <= z) {
                    next += 1;
                    if span.last >= z {
                        active.extend(Flat::new(self.level, span.triangle).map(|f| (*span, f)));
                    }
                }
                active.retain(|(span, _): &(Span, Flat)| span.last >= z);
                if active.is_empty() {
                    continue;
                }
                samples.clear();
                samples.extend(active.iter().map(|(span, flat)| Sample {
                    height: flat.height(place),
                    triangle: span.triangle,
                }));
                samples.sort_unstable_by(|a, b| {
                    a.height.total_cmp(&b.height).then_with(|| a.triangle.cmp(&b.triangle))
                });
                f([x, z], &samples);
            }
            done = done.max(range.end);
        }
    }

    /// Approximate heights along a span.
    fn line(&self, x: i32, span: &Span) -> Line {
        let flat = Flat::new(self.level, span.triangle);
        let place = [self.middle(x), self.middle(span.first)];
        let (y, rise) = flat.map_or((0.0, 0.0), |flat| flat.along(place));
        Line { first: span.first, y, rise: rise * self.step }
    }
}

/// Known bounds of the heights of a span.
struct Known {
    /// Bounds of the heights of the whole triangle.
    low: f64,
    high: f64,
    line: Option<Line>,
}

impl Known {
    fn new(level: &Level, triangle: u32) -> Known {
        let [a, b, c] = level.corners(&level.triangles[triangle as usize]).map(|p| p.y);
        Known { low: f64::from(a.min(b).min(c)), high: f64::from(a.max(b).max(c)), line: None }
    }
}

/// Heights along a span.
#[derive(Clone, Copy)]
struct Line {
    first: i32,
    y: f64,
    /// Rise from one column to the next.
    rise: f64,
}

impl Line {
    fn at(&self, column: i32) -> f64 {
        self.y + self.rise * f64::from(column - self.first)
    }
}

/// The column before a place.
fn index(place: f64, step: f64) -> i32 {
    floor(place / step - OFFSET)
}

/// The greatest integer up to `v`.
fn floor(v: f64) -> i32 {
    let whole = v as i32;
    whole - i32::from(f64::from(whole) > v)
}

fn middle(column: i32, step: f64) -> f64 {
    (f64::from(column) + OFFSET) * step
}

/// A triangle with an area seen from above.
struct Flat {
    /// Grid units.
    corners: [[f64; 3]; 3],
    /// Twice the area; its sign is the orientation of the corners.
    doubled: f64,
}

impl Flat {
    /// `None` for an upright triangle.
    fn new(level: &Level, triangle: u32) -> Option<Flat> {
        let corners = level
            .corners(&level.triangles[triangle as usize])
            .map(|c| [c.x, c.y, c.z].map(f64::from));
        let p = &corners;
        let doubled =
            (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) - (p[2][0] - p[0][0]) * (p[1][2] - p[0][2]);
        (doubled != 0.0).then_some(Flat { corners, doubled })
    }

    /// The barycentric share of the corner opposite to edge `k` at a point (X and Z).
    fn share(&self, k: usize, [x, z]: [f64; 2]) -> f64 {
        let (a, b) = self.edge(k);
        ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / self.doubled
    }

    /// The edge opposite to a corner.
    fn edge(&self, k: usize) -> ([f64; 3], [f64; 3]) {
        (self.corners[(k + 1) % 3], self.corners[(k + 2) % 3])
    }

    fn holds(&self, place: [f64; 2]) -> bool {
        (0..3).all(|k| self.share(k, place) >= INSIDE)
    }

    fn height(&self, place: [f64; 2]) -> f64 {
        (0..3).map(|k| self.share(k, place) * self.corners[k][1]).sum()
    }

    /// The approximate height of its plane at a point, and the plane's rise along Z.
    fn along(&self, [x, z]: [f64; 2]) -> (f64, f64) {
        let [a, b, c] = self.corners;
        let (p, q) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
        let inverse = 1.0 / self.doubled;
        let rise = (p[0] * q[1] - q[0] * p[1]) * inverse;
        let slope = (p[1] * q[2] - q[1] * p[2]) * inverse;
        (a[1] + slope * (x - a[0]) + rise * (z - a[2]), rise)
    }

    /// First and last column along an axis that its bounds contain or almost reach.
    fn range(&self, axis: usize, step: f64) -> [i32; 2] {
        let [a, b, c] = self.corners.map(|p| p[axis]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        [index(low - ROUNDING, step) + 1, index(high + ROUNDING, step)]
    }

    /// Calls `f` with the columns that it covers, row by row.
    ///
    /// The arguments are the row, the first and the last column.
    fn spans(&self, step: f64, mut f: impl FnMut(i32, i32, i32)) {
        let ([x0, x1], [z0, z1]) = (self.range(0, step), self.range(2, step));
        if x0 > x1 || z0 > z1 {
            return;
        }
        // For each edge: the column where its line meets row 0, the increment for each row, and
        // whether the inside begins or ends there.
        let edges = [0, 1, 2].map(|k| {
            let (a, b) = self.edge(k);
            let along = b[0] - a[0];
            (along != 0.0).then(|| {
                let slope = (b[2] - a[2]) / along;
                let at = a[2] + INSIDE * self.doubled / along + slope * (OFFSET * step - a[0]);
                (at / step - OFFSET, slope, (along > 0.0) == (self.doubled > 0.0))
            })
        });
        // An edge along Z limits the rows.
        let across = edges.iter().position(Option::is_none);
        // Where rounding may decide, each column is tested on its own.
        let near = ROUNDING / step;
        let is_close = |v: f64| {
            let over = v - f64::from(floor(v));
            over <= near || over >= 1.0 - near
        };
        for row in x0..=x1 {
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            for &(at, slope, begins) in edges.iter().flatten() {
                let z = at + slope * f64::from(row);
                match begins {
                    true => low = if z > low { z } else { low },
                    false => high = if z < high { z } else { high },
                }
            }
            if low > high + 1.0 {
                continue;
            }
            let (mut first, mut last) = (floor(low) + 1, floor(high));
            let x = middle(row, step);
            if across.is_some_and(|k| self.share(k, [x, self.corners[k][2]]) < INSIDE) {
                continue;
            }
            let is_held = |c: &i32| (z0..=z1).contains(c) && self.holds([x, middle(*c, step)]);
            if is_close(low) {
                let about = floor(low + 0.5);
                first = (about - 1..=about + 1).find(is_held).unwrap_or(about + 2);
            }
            if is_close(high) {
                let about = floor(high + 0.5);
                last = (about - 1..=about + 1).rfind(is_held).unwrap_or(about - 2);
            }
            if first <= last {
                f(row, first, last);
            }
        }
    }
}

#[cfg(test)]
mod tests;
