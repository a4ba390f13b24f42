//! Fewer triangles for a height map, near enough to its samples.
//!
//! The map is cut into blocks of 64 x 64 cells, and each block into two right-angled triangles.
//! A triangle is split at the middle of its longest side while it is too far from the ground, or
//! too steep, or has a steep cell or a hole in it:
//!
//! ```text
//! o-------o      o-------o      o---o---o
//! | \     |      | \   / |      | \ | / |      A middle belongs to the triangles on both sides
//! |   \   |  ->  |   o   |  ->  o---o---o      of it. Both are split there, so that no corner
//! |     \ |      | /   \ |      | / | \ |      is within a side of another triangle.
//! o-------o      o-------o      o---o---o
//! ```
//!
//! Middles are decided from the smallest triangles to the largest: a middle needs the middles of
//! the triangles that it leads to. Steep cells are split to the end, and keep the triangles that
//! they have without simplification. So do cells with holes.
//!
//! The scheme is that of Evans, Kirkpatrick and Townsend, "Right-Triangulated Irregular Networks"
//! (2001). Time: O(n log(block)) for n samples.

#[cfg(test)]
mod tests;

use rayon::prelude::*;

/// How the ground of a height map may be simplified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplify {
    /// How far it may be above or below the triangles between the samples, m.
    pub error: f64,
    /// Ground with a smaller squared cosine of its slope is kept as it is.
    pub least_up: f64,
}

/// Cells along a block: a power of two.
const BLOCK: usize = 64;

/// Room for rounding: cells this little gentler than the limit count as steep.
const ROUNDING: f64 = 1e-6;

/// Column and row of a sample, or of a place on the grid outside of the map.
type At = [usize; 2];

/// The samples of a map.
pub(super) struct Field<'a> {
    /// Row by row.
    pub(super) vertices: &'a [[f64; 3]],
    pub(super) size: [usize; 2],
    /// Metres from sample to sample.
    pub(super) spacing: f64,
    /// Which samples have no ground, if any may have none.
    pub(super) is_hole: Option<&'a (dyn Fn(usize, usize) -> bool + Sync)>,
}

/// The triangles of a map, as indices of its samples, with their fronts up.
pub(super) fn triangles(field: &Field, simplify: &Simplify) -> Vec<[u32; 3]> {
    let splits = Splits::new(field, simplify);
    let [columns, rows] = field.size.map(|n| (n - 1).div_ceil(BLOCK));
    let block_rows = (0..rows).into_par_iter();
    block_rows
        .flat_map_iter(|j| {
            let mut out = vec![];
            for i in 0..columns {
                splits.square([i * BLOCK, j * BLOCK], BLOCK, &mut out);
            }
            out
        })
        .collect()
}

impl Field<'_> {
    fn has(&self, [x, z]: At) -> bool {
        x < self.size[0] && z < self.size[1]
    }

    fn index(&self, [x, z]: At) -> usize {
        z * self.size[0] + x
    }

    fn height(&self, at: At) -> f64 {
        self.vertices[self.index(at)][1]
    }

    fn is_hole(&self, [x, z]: At) -> bool {
        self.is_hole.is_some_and(|is_hole| is_hole(x, z))
    }

    /// Is there a cell with this least corner?
    fn has_cell(&self, [x, z]: At) -> bool {
        self.has([x + 1, z + 1])
    }

    /// All triangles as the samples give them.
    pub(super) fn triangles(&self) -> Vec<[u32; 3]> {
        let [columns, rows] = self.size;
        let mut out = Vec::with_capacity((columns - 1) * (rows - 1) * 2);
        for z in 0..rows - 1 {
            (0..columns - 1).for_each(|x| self.cell([x, z], &mut out));
        }
        out
    }

    /// The triangles of a cell as the samples give them; without those at holes.
    pub(super) fn cell(&self, [x, z]: At, out: &mut Vec<[u32; 3]>) {
        let a = self.index([x, z]) as u32;
        let b = a + self.size[0] as u32;
        let [least, most] = [[x, z], [x + 1, z + 1]];
        let has_hole = |corners: [At; 3]| corners.iter().any(|&at| self.is_hole(at));
        for (triangle, other) in [([a, b, b + 1], [x, z + 1]), ([a, b + 1, a + 1], [x + 1, z])] {
            if !has_hole([least, most, other]) {
                out.push(triangle);
            }
        }
    }

    /// Must a cell keep its own triangles: is one of them steep, or is there a hole, or may it not
    /// be cut along its other diagonal where blocks cut it so?
    fn is_kept(&self, [x, z]: At, simplify: &Simplify) -> bool {
        let corners = [[x, z], [x, z + 1], [x + 1, z + 1], [x + 1, z]];
        let [a, b, c, d] = corners.map(|at| self.height(at));
        let least_up = simplify.least_up + ROUNDING;
        let is_steep = |across: f64, along: f64| up(across, along, self.spacing) < least_up;
        let is_cut_so = x % 2 == z % 2;
        let may_be_cut_so = || {
            let off = ((a + c) - (b + d)) / 2.0;
            off.abs() <= simplify.error && !is_steep(d - a, b - a) && !is_steep(c - b, c - d)
        };
        is_steep(c - b, b - a)
            || is_steep(d - a, c - d)
            || !(is_cut_so || may_be_cut_so())
            || corners.iter().any(|&at| self.is_hole(at))
    }

    /// Is the middle of a side too far from the side? Most that do not fit have one.
    fn bends(&self, ends: [At; 2], middle: At, simplify: &Simplify) -> bool {
        let [a, b] = ends.map(|at| self.height(at));
        ((a + b) / 2.0 - self.height(middle)).abs() > simplify.error
    }

    /// Is a triangle nowhere more than the error from the ground, and not steep? Its sides are
    /// along the grid or at 45 degrees to it, all of it is on the map, and its longest side does
    /// not bend.
    fn fits(&self, corners: [At; 3], simplify: &Simplify) -> bool {
        let [a, b, c] = corners.map(|at| at.map(|v| v as i64));
        let [ha, hb, hc] = corners.map(|at| self.height(at));
        let [u, v] = [[b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]];
        let area = (u[0] * v[1] - u[1] * v[0]) as f64;
        let rise = |k: usize| {
            let [other_u, other_v] = [u[1 - k] as f64, v[1 - k] as f64];
            let rise = ((hb - ha) * other_v - (hc - ha) * other_u) / area;
            if k == 0 { rise } else { -rise }
        };
        let rises = [rise(0), rise(1)];
        if up(rises[0], rises[1], self.spacing) < simplify.least_up + ROUNDING {
            return false;
        }
        if area.abs() <= 2.0 {
            // Two halves of cells that are not kept, and their only middle is known not to bend.
            return true;
        }
        let plane =
            |x: f64, z: f64| ha + rises[0] * (x - a[0] as f64) + rises[1] * (z - a[1] as f64);
        let mut rows = [a, b, c];
        rows.sort_unstable_by_key(|p| p[1]);
        let [first, second, last] = rows;
        let step = |p: [i64; 2], q: [i64; 2]| (q[0] - p[0]).signum();
        // The samples of halves of 2 x 2 cells are middles that are known not to bend.
        let all_rows = if area.abs() <= 4.0 { 0..0 } else { first[1]..last[1] + 1 };
        for z in all_rows {
            // Two sides are in this row: from the first corner to the last, and another.
            let (from, to) = if z < second[1] { (first, second) } else { (second, last) };
            let ends = [(first, step(first, last)), (from, step(from, to))]
                .map(|(p, step)| p[0] + (z - p[1]) * step);
            let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let row = self.index([low as usize, z as usize]);
            let along = &self.vertices[row..=row + (high - low) as usize];
            let begin = plane(low as f64, z as f64);
            let is_near = |(x, v): (i32, &[f64; 3])| {
                (begin + rises[0] * f64::from(x) - v[1]).abs() <= simplify.error
            };
            if !(0..).zip(along).all(is_near) {
                return false;
            }
        }
        // Where a side crosses the cuts of cells, the ground may bend between samples.
        [[a, b], [b, c], [c, a]].iter().all(|[p, q]| {
            let step = [0, 1].map(|k| (q[k] - p[k]).signum());
            if step[0] * step[1] >= 0 {
                return true;
            }
            (0..(q[0] - p[0]).abs()).all(|k| {
                let [x, z] = [0, 1].map(|i| p[i] + k * step[i] + step[i].min(0));
                let least = [x as usize, z as usize];
                let height = (self.height(least) + self.height(least.map(|v| v + 1))) / 2.0;
                let above = plane(x as f64 + 0.5, z as f64 + 0.5) - height;
                above.abs() <= simplify.error
            })
        })
    }
}

/// The squared cosine of a slope, from its rises between samples along both axes.
fn up(across: f64, along: f64, spacing: f64) -> f64 {
    let square = spacing * spacing;
    square / (square + across * across + along * along)
}

/// Which samples are middles at which triangles are split.
struct Splits<'a> {
    field: &'a Field<'a>,
    is_split: Vec<bool>,
}

/// Steps from the middle of a side to the ends of the sides around it: along X, along Z.
const ALONG: [[[i64; 2]; 2]; 2] = [[[-1, 0], [1, 0]], [[0, -1], [0, 1]]];
const AROUND: [[i64; 2]; 4] = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
const BESIDE: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

impl<'a> Splits<'a> {
    fn new(field: &'a Field<'a>, simplify: &Simplify) -> Splits<'a> {
        let [columns, rows] = field.size;
        let mut splits = Splits { field, is_split: vec![false; columns * rows] };
        // Both halves of a cell are there if the middles at its corners are split.
        let kept: Vec<At> = (0..rows - 1)
            .into_par_iter()
            .flat_map_iter(|z| (0..columns - 1).map(move |x| [x, z]))
            .filter(|&cell| field.is_kept(cell, simplify))
            .collect();
        for [x, z] in kept {
            for (at, other) in [([x, z], [x + 1, z + 1]), ([x + 1, z], [x, z + 1])] {
                if (at[0] + at[1]) % 2 == 1 {
                    splits.is_split[field.index(at)] = true;
                    splits.is_split[field.index(other)] = true;
                }
            }
        }
        let mut step = 1;
        while step < BLOCK {
            // Middles of sides are between columns or between rows, those of squares between both.
            let (sides, squares) = ([Some(step), Some(0)], [None, Some(step)]);
            splits.level(step, sides, |splits, at| splits.splits_side(at, step, simplify));
            splits.level(step, squares, |splits, at| splits.splits_square(at, step, simplify));
            step *= 2;
        }
        splits
    }

    /// Decides on middles in rows and columns `step` apart: every second one of a row, from a
    /// first column on that even rows have, or odd rows.
    fn level(
        &mut self,
        step: usize,
        first: [Option<usize>; 2],
        is_new: impl Fn(&Self, At) -> bool + Sync,
    ) {
        let [columns, rows] = self.field.size;
        let own: &Self = self;
        let along = |j: usize| {
            let columns = first[j % 2].map(|first| (first..columns).step_by(2 * step));
            columns.into_iter().flatten().map(move |x| [x, j * step])
        };
        let found: Vec<usize> = (0..rows.div_ceil(step))
            .into_par_iter()
            .flat_map_iter(along)
            .filter(|&at| !own.is_split[own.field.index(at)] && is_new(own, at))
            .map(|at| own.field.index(at))
            .collect();
        for sample in found {
            self.is_split[sample] = true;
        }
    }

    /// A place beside a sample; `None` outside of the map.
    fn beside(&self, at: At, by: [i64; 2], step: usize) -> Option<At> {
        let mut place = at;
        for k in 0..2 {
            place[k] = at[k].checked_add_signed((by[k] * step as i64) as isize)?;
        }
        self.field.has(place).then_some(place)
    }

    /// Whether a place is a middle at which triangles are split. Those that reach out of the map
    /// always are.
    fn at(&self, at: At) -> bool {
        !self.field.has(at) || self.is_split[self.field.index(at)]
    }

    /// Must the triangles on both sides of a side of two steps be split at its middle?
    fn splits_side(&self, at: At, step: usize, simplify: &Simplify) -> bool {
        let along = usize::from(is_odd(at[1], step));
        let ends = ALONG[along].map(|by| self.beside(at, by, step));
        let [Some(a), Some(b)] = ends else { return true };
        if step > 1 && AROUND.iter().any(|&by| self.is_split_beside(at, by, step / 2)) {
            return true;
        }
        if self.field.bends([a, b], at, simplify) {
            return true;
        }
        ALONG[1 - along].iter().any(|&by| match self.beside(at, by, step) {
            Some(apex) => !self.field.fits([a, b, apex], simplify),
            // Along the map's border there is nothing to split beyond it.
            None => {
                let k = 1 - along;
                let is_border =
                    at[k] == 0 && by[k] < 0 || at[k] + 1 == self.field.size[k] && by[k] > 0;
                !is_border
            }
        })
    }

    /// Must the two triangles of a square be split at its middle?
    fn splits_square(&self, at: At, step: usize, simplify: &Simplify) -> bool {
        let corners = AROUND.map(|by| self.beside(at, by, step));
        let [Some(a), Some(b), Some(c), Some(d)] = corners else { return true };
        if BESIDE.iter().any(|&by| self.is_split_beside(at, by, step)) {
            return true;
        }
        let halves = halves([a, b, c, d], 2 * step);
        let [_, from, to] = halves[0];
        self.field.bends([from, to], at, simplify)
            || halves.iter().any(|&half| !self.field.fits(half, simplify))
    }

    fn is_split_beside(&self, at: At, by: [i64; 2], step: usize) -> bool {
        self.beside(at, by, step).is_some_and(|place| self.is_split[self.field.index(place)])
    }

    /// The triangles of a square.
    fn square(&self, [x, z]: At, side: usize, out: &mut Vec<[u32; 3]>) {
        if !self.field.has_cell([x, z]) {
            return;
        }
        if side == 1 {
            self.field.cell([x, z], out);
            return;
        }
        let half = side / 2;
        let middle = [x + half, z + half];
        let corners = [[x, z], [x + side, z], [x + side, z + side], [x, z + side]];
        if !self.at(middle) {
            halves(corners, side).iter().for_each(|&t| self.push(t, out));
            return;
        }
        let sides = [[x + half, z], [x + side, z + half], [x + half, z + side], [x, z + half]];
        for k in 0..4 {
            if !self.at(sides[k]) {
                self.push([corners[k], corners[(k + 1) % 4], middle], out);
            }
            // The quarter at this corner: two triangles between the middle and the corner.
            let beside = [sides[k], sides[(k + 3) % 4]];
            let least = [0, 1].map(|axis| corners[k][axis].min(middle[axis]));
            let are_split = beside.map(|at| self.at(at));
            let is_split = match half {
                1 => are_split == [true; 2],
                _ => self.at(least.map(|v| v + half / 2)),
            };
            if is_split {
                self.square(least, half, out);
                continue;
            }
            for (at, _) in beside.into_iter().zip(are_split).filter(|b| b.1) {
                self.push([middle, at, corners[k]], out);
            }
        }
    }

    /// Adds a triangle with its front up.
    fn push(&self, corners: [At; 3], out: &mut Vec<[u32; 3]>) {
        let [a, b, c] = corners.map(|at| at.map(|v| v as i64));
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let [a, b, c] = corners.map(|at| self.field.index(at) as u32);
        out.push(if turn < 0 { [a, b, c] } else { [a, c, b] });
    }
}

/// The two triangles of a square, given its corners around it from the least on.
///
/// They meet in the diagonal through the middle of the next larger square. In both triangles it is
/// between the last two corners.
fn halves([a, b, c, d]: [At; 4], side: usize) -> [[At; 3]; 2] {
    match is_odd(a[0], side) == is_odd(a[1], side) {
        true => [[b, a, c], [d, a, c]],
        false => [[a, b, d], [c, b, d]],
    }
}

/// Is a coordinate an odd multiple of a step?
fn is_odd(v: usize, step: usize) -> bool {
    (v / step) % 2 == 1
}
