//! Triangles above and below the points of the sampling grid, row by row, and the ground among
//! them.

mod active;

use std::cmp::Ordering;
use std::ops::Range;

use super::gaps::Patch;
use crate::exact::input::Triangles;
use crate::exact::math::V2;
use crate::exact::measures::Measures;
use crate::groups::Groups;
use active::{Active, Span, ceil, floor};

/// A triangle above or below a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    /// Height.
    pub(crate) y: f64,
    /// Twice the triangle's number, plus one for ground.
    number: u32,
}

impl Surface {
    /// Ground at a height.
    pub(crate) fn ground(y: f64, triangle: u32) -> Surface {
        let number = triangle << 1 | 1;
        Surface { y, number }
    }

    fn is_ground(&self) -> bool {
        self.number & 1 == 1
    }

    fn is_above(&self, other: &Surface) -> bool {
        self.y > other.y || (self.y == other.y && self.number > other.number)
    }
}

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

/// A triangle over some points of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strip {
    /// As in [`Surface`].
    number: u32,
    /// The last point, and another strip that begins at the same point.
    last: u32,
    next: u32,
    /// Side of a square, X of the row's first point from the plane's origin, rise of the plane
    /// along X, and what Y and the plane add.
    cell: f64,
    x: f64,
    rise: f64,
    off: f64,
    base: f64,
}

impl Strip {
    /// Height above or below a point of the row.
    #[inline]
    pub(crate) fn at(&self, point: usize) -> f64 {
        // Whole numbers, so that the sum is exact.
        let x = self.x + point as f64 * self.cell;
        self.rise * x + self.off + self.base
    }

    #[inline]
    pub(crate) fn triangle(&self) -> u32 {
        self.number >> 1
    }

    #[inline]
    fn is_ground(&self) -> bool {
        self.number & 1 == 1
    }
}

/// No strip.
const NONE: u32 = u32::MAX;

/// The rows of a sampling grid, in ascending order. A row is divided into runs of points that have
/// the same triangles above and below them.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    triangles: &'a Triangles,
    corner: V2,
    cell: f64,
    across: usize,
    row: i32,
    /// Triangles that meet any point, by their first row.
    order: Groups<(u32, Span)>,
    active: Vec<Active>,
    /// The strips of the row; for each point the first that begins there; a bit for each point
    /// where strips begin or have ended.
    strips: Vec<Strip>,
    begin: Vec<u32>,
    bounds: Vec<u64>,
    /// The strips above and below the points from `from` to `until`.
    live: Vec<Strip>,
    from: usize,
    until: usize,
    /// Additional surfaces by row, those of rows to come.
    patches: &'a [Patch],
    /// What is above and below a point, the lowest first, and which of it is walkable.
    column: Vec<(Surface, u32)>,
    standing: Vec<Strip>,
}

impl<'a> Rows<'a> {
    /// Rows of points from `corner` on, with additional surfaces at some points. The size is points
    /// along X and Y.
    pub(crate) fn new(
        triangles: &'a Triangles,
        corner: V2,
        cell: f64,
        [across, rows]: [i32; 2],
        patches: &'a [Patch],
    ) -> Rows<'a> {
        let mut found: Vec<(u32, Span)> = Vec::with_capacity(triangles.all.len());
        let last = [across, rows].map(|n| f64::from(n - 1));
        let inverse = 1.0 / cell;
        for (i, triangle) in triangles.all.iter().enumerate() {
            if triangle.upright {
                continue;
            }
            // Whole numbers are far from the limits unless they are the limits.
            let span = |axis: usize| {
                let low = (triangle.bounds[axis] - corner[axis]) * inverse - 1e-6;
                let high = (triangle.bounds[axis + 2] - corner[axis]) * inverse + 1e-6;
                (ceil(low.clamp(0.0, last[axis] + 1.0)), floor(high.min(last[axis])))
            };
            let ((i0, i1), (j0, j1)) = (span(0), span(1));
            if i0 <= i1 && j0 <= j1 {
                found.push((i as u32, [i0, i1, j0, j1].map(|k| k as i16)));
            }
        }
        let by_row = found.iter().map(|item| (item.1[2] as u32, *item));
        let order = Groups::new(rows as usize, by_row);
        let across = across as usize;
        Rows {
            triangles,
            corner,
            cell,
            across,
            row: 0,
            order,
            active: vec![],
            strips: vec![],
            begin: vec![NONE; across],
            bounds: vec![0; across / 64 + 1],
            live: vec![],
            from: 0,
            until: 0,
            patches,
            column: vec![],
            standing: vec![],
        }
    }

    /// Takes in the next row.
    pub(crate) fn advance(&mut self) {
        let row = self.row;
        self.row += 1;
        self.strips.clear();
        self.live.clear();
        self.begin.fill(NONE);
        self.bounds.fill(0);
        (self.from, self.until) = (0, 0);
        self.activate(row);
        let y = self.corner[1] + f64::from(row) * self.cell;
        let mut k = 0;
        while k < self.active.len() {
            let a = &self.active[k];
            if a.last < row {
                self.active.swap_remove(k);
                continue;
            }
            k += 1;
            let Some([from, last]) = a.points(y) else {
                continue;
            };
            let strip = Strip {
                number: a.number,
                last,
                next: NONE,
                cell: self.cell,
                x: self.corner[0] - a.origin[0],
                rise: a.plane[0],
                off: a.plane[1] * (y - a.origin[1]),
                base: a.plane[2],
            };
            self.lay(from as usize, strip);
        }
        while let [(of, point, surface), rest @ ..] = self.patches
            && *of == row as usize
        {
            self.patches = rest;
            let strip = Strip {
                number: surface.number,
                last: *point as u32,
                next: NONE,
                cell: self.cell,
                x: 0.0,
                rise: 0.0,
                off: 0.0,
                base: surface.y,
            };
            self.lay(*point, strip);
        }
    }

    /// Passes over the next row, which has no patches.
    pub(crate) fn skip(&mut self) {
        self.activate(self.row);
        self.row += 1;
    }

    /// Triangles whose first row this is.
    fn activate(&mut self, row: i32) {
        for &(i, span) in self.order.of(row as usize) {
            let triangle = &self.triangles.all[i as usize];
            self.active.push(Active::new(i, triangle, span, self.corner[0], self.cell));
        }
    }

    fn lay(&mut self, from: usize, mut strip: Strip) {
        let end = strip.last as usize + 1;
        self.bounds[from / 64] |= 1 << (from % 64);
        self.bounds[end / 64] |= 1 << (end % 64);
        strip.next = self.begin[from];
        self.begin[from] = self.strips.len() as u32;
        self.strips.push(strip);
    }

    /// Where the next strip begins or has ended, from a point on; else the end of the row.
    #[inline]
    fn bound(&self, from: usize) -> usize {
        let mut word = from / 64;
        let Some(bits) = self.bounds.get(word) else {
            return self.across;
        };
        let mut bits = bits & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            match self.bounds.get(word) {
                Some(more) => bits = *more,
                None => return self.across,
            }
        }
        (word * 64 + bits.trailing_zeros() as usize).min(self.across)
    }

    /// The next points of the row with walkable ground, all on the same triangles; see
    /// [`Rows::standing`].
    #[inline]
    pub(crate) fn next(&mut self, measures: &Measures) -> Option<Range<usize>> {
        loop {
            if self.from == self.until {
                let from = self.bound(self.until);
                if from == self.across {
                    return None;
                }
                let (live, strips) = (&mut self.live, &self.strips);
                live.retain(|s| s.last as usize >= from);
                let mut next = self.begin[from];
                while let Some(strip) = strips.get(next as usize) {
                    live.push(*strip);
                    next = strip.next;
                }
                self.from = from;
                self.until = self.bound(from + 1);
            }
            let (from, mut end) = (self.from, self.until);
            while !self.settle(from, end, measures) {
                end = from + (end - from) / 2;
            }
            self.from = end;
            if !self.standing.is_empty() {
                return Some(from..end);
            }
        }
    }

    /// The walkable ground at the points that [`Rows::next`] gave, the lowest first.
    #[inline]
    pub(crate) fn standing(&self) -> &[Strip] {
        &self.standing
    }

    /// Finds the walkable ground at a point. Gives false if it may differ at a point before `end`.
    #[inline]
    fn settle(&mut self, from: usize, end: usize, measures: &Measures) -> bool {
        match &self.live[..] {
            [] => self.standing.clear(),
            [only] => {
                self.standing.clear();
                if only.is_ground() {
                    self.standing.push(*only);
                }
            }
            _ => return self.settle_many(from, end, measures),
        }
        true
    }

    fn settle_many(&mut self, from: usize, end: usize, measures: &Measures) -> bool {
        if let [a, b] = &self.live[..] {
            let [p, q] = [a, b].map(|strip| strip.at(from));
            if end - from > 1 {
                let last = [a, b].map(|strip| strip.at(end - 1));
                if zone(q - p, measures) != zone(last[1] - last[0], measures) {
                    return false;
                }
            }
            let turned = p > q || (p == q && a.number > b.number);
            let (low, high, lower, higher) = match turned {
                true => (q, p, b, a),
                false => (p, q, a, b),
            };
            let on_step = higher.is_ground() && high - low <= measures.climb;
            self.standing.clear();
            if lower.is_ground() && !on_step && !is_lid(high, low, measures) {
                self.standing.push(*lower);
            }
            if higher.is_ground() {
                self.standing.push(*higher);
            }
            return true;
        }
        let live = &self.live;
        if end - from > 1 {
            if live.len() > MANY {
                return false;
            }
            // The order and the distances of all surfaces, at both ends: they are linear in
            // between.
            let mut heights = [[0.0; 2]; MANY];
            for (strip, heights) in live.iter().zip(&mut heights) {
                *heights = [strip.at(from), strip.at(end - 1)];
            }
            for (k, a) in heights[..live.len()].iter().enumerate() {
                let zones = |end: usize, b: &[f64; 2]| zone(b[end] - a[end], measures);
                if (heights[..k].iter()).any(|b| zones(0, b) != zones(1, b)) {
                    return false;
                }
            }
        }
        let column = &mut self.column;
        column.clear();
        let surfaces = live.iter().map(|s| Surface { y: s.at(from), number: s.number });
        column.extend(surfaces.zip(0..));
        if column.len() > FEW {
            column.sort_unstable_by(|(a, _), (b, _)| match a.is_above(b) {
                true => Ordering::Greater,
                false => Ordering::Less,
            });
        } else {
            for mut at in 1..column.len() {
                while at > 0 && column[at - 1].0.is_above(&column[at].0) {
                    column.swap(at, at - 1);
                    at -= 1;
                }
            }
        }
        let all = &mut self.standing;
        all.clear();
        standing(column, measures, |k| all.push(live[k as usize]));
        all.reverse();
        true
    }
}

/// If there are more triangles than these, each point is processed by itself.
const MANY: usize = 6;
/// Up to this many surfaces are sorted by insertion, which takes less time for few.
const FEW: usize = 32;
/// Heights of one plane may differ by as much for rounding.
const SAME: f64 = 1e-6;

/// Which limits a difference of heights has passed.
#[inline]
fn zone(rise: f64, measures: &Measures) -> i32 {
    let far = rise.abs();
    let passed = i32::from(far > measures.climb)
        + i32::from(far > measures.climb + TOUCH)
        + i32::from(far >= measures.height - TOUCH);
    match far > SAME {
        true if rise < 0.0 => -1 - passed,
        true => 1 + passed,
        false => 0,
    }
}

/// Does a surface take the head room of another one?
fn is_lid(y: f64, floor: f64, measures: &Measures) -> bool {
    y > floor + measures.climb + TOUCH && y < floor + measures.height - TOUCH
}

/// Calls `f` with each walkable surface of a column, from the highest down: ground with head room
/// that is not within a step below other such ground.
fn standing(column: &[(Surface, u32)], measures: &Measures, mut f: impl FnMut(u32)) {
    let mut last = f64::INFINITY;
    for (k, (surface, number)) in column.iter().enumerate().rev() {
        let y = surface.y;
        if !surface.is_ground() || last - y <= measures.climb {
            continue;
        }
        let head = y + measures.height - TOUCH;
        let mut above = column[k + 1..].iter().take_while(|s| s.0.y < head);
        if above.any(|s| is_lid(s.0.y, y, measures)) {
            continue;
        }
        last = y;
        f(*number);
    }
}

#[cfg(test)]
pub(crate) mod tests;
