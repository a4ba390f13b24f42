//! Triangles above and below the points of a lattice, one row of points at a time, and where one can stand among them.

use super::Measures;
use super::blocks::{least, most};
use super::facet::{Facet, Facets, V2};

/// A facet above or below a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    /// Height.
    pub(crate) y: f64,
    /// Twice the facet's number, plus one for ground.
    number: u32,
}

impl Surface {
    pub(crate) fn facet(&self) -> u32 {
        self.number >> 1
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

/// Surfaces kept beside each point of a row; those of fuller columns are kept apart.
const SLOTS: usize = 4;

/// A facet in the rows that it meets.
#[derive(Clone, Copy, Debug)]
struct Active {
    /// As in [`Surface`].
    number: u32,
    /// The last row.
    last: i32,
    /// The first point of a row in its bounds, and how many more there are.
    column: i32,
    more: f64,
    /// Edges that points lie to the greater side of along X, and to the lesser side.
    low: [Edge; 2],
    high: [Edge; 2],
    origin: V2,
    plane: [f64; 3],
}

/// Twice the area of an edge and a point: positive where the point lies to the left of the edge.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// X of the edge.
    along: f64,
    /// Y of its begin.
    begin: f64,
    /// What is taken off at the first column.
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

/// The rows of a lattice, from the least up. Only what meets a row is looked at in it.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    facets: &'a Facets,
    corner: V2,
    cell: f64,
    row: i32,
    /// Facets that meet any point, by their first row, and where each row's begin.
    order: Vec<(u32, Span)>,
    first: Vec<u32>,
    active: Vec<Active>,
    /// One bit a point of the row: has it surfaces?
    filled: Vec<u64>,
    counts: Vec<u8>,
    slots: Vec<[Surface; SLOTS]>,
    /// What found no slot, by its point.
    spill: Vec<(i32, Surface)>,
    /// Scratch.
    full: Vec<Surface>,
    standing: Vec<Surface>,
}

/// First column, last column, first row, last row.
type Span = [i16; 4];

impl<'a> Rows<'a> {
    /// Rows of `across` points each, as many as points; the least point is at `corner`.
    pub(crate) fn new(facets: &'a Facets, corner: V2, cell: f64, across: i32) -> Rows<'a> {
        let mut first = vec![0u32; across as usize + 1];
        let mut found: Vec<(u32, Span)> = Vec::with_capacity(facets.all.len());
        let last = f64::from(across - 1);
        let inverse = 1.0 / cell;
        for (i, facet) in facets.all.iter().enumerate() {
            if facet.upright {
                continue;
            }
            // Whole numbers are far from the limits unless they are the limits.
            let span = |axis: usize| {
                let low = (facet.bounds[axis] - corner[axis]) * inverse - 1e-6;
                let high = (facet.bounds[axis + 2] - corner[axis]) * inverse + 1e-6;
                (ceil(low.clamp(0.0, last + 1.0)), floor(high.min(last)))
            };
            let ((i0, i1), (j0, j1)) = (span(0), span(1));
            if i0 <= i1 && j0 <= j1 {
                first[j0 as usize + 1] += 1;
                found.push((i as u32, [i0, i1, j0, j1].map(|k| k as i16)));
            }
        }
        for k in 1..first.len() {
            first[k] += first[k - 1];
        }
        let mut order = vec![(0, [0; 4]); found.len()];
        let mut next = first.clone();
        for item in found {
            let at = &mut next[item.1[2] as usize];
            order[*at as usize] = item;
            *at += 1;
        }
        let points = across as usize;
        Rows {
            facets,
            corner,
            cell,
            row: 0,
            order,
            first,
            active: vec![],
            filled: vec![0; points.div_ceil(64)],
            counts: vec![0; points],
            slots: vec![[Surface::default(); SLOTS]; points],
            spill: vec![],
            full: vec![],
            standing: vec![],
        }
    }

    /// Takes in the next row.
    pub(crate) fn advance(&mut self) {
        let row = self.row;
        self.row += 1;
        self.counts.fill(0);
        self.filled.fill(0);
        self.spill.clear();
        let begin = self.first[row as usize] as usize..self.first[row as usize + 1] as usize;
        for &(i, span) in &self.order[begin] {
            let facet = &self.facets.all[i as usize];
            self.active
                .push(Active::new(i, facet, span, self.corner[0], self.cell));
        }
        let y = self.corner[1] + f64::from(row) * self.cell;
        let mut k = 0;
        while k < self.active.len() {
            let a = &self.active[k];
            if a.last < row {
                self.active.swap_remove(k);
                continue;
            }
            k += 1;
            // Border included.
            let low = a.low.map(|e| e.crossing(y));
            let high = a.high.map(|e| e.crossing(y));
            // Lines of edges that hardly rise are crossed anywhere: no farther off than the facet.
            let from = least(most(most(low[0], low[1]), 0.0), a.more + 1.0);
            let to = most(least(least(high[0], high[1]), a.more), -1.0);
            let (from, to) = (ceil(from), floor(to));
            if from > to {
                continue;
            }
            // Whole numbers, so that sums are exact.
            let mut x = self.corner[0] + f64::from(a.column + from) * self.cell - a.origin[0];
            let off = a.plane[1] * (y - a.origin[1]);
            let (begin, end) = ((a.column + from) as usize, (a.column + to) as usize);
            fill(&mut self.filled, begin, end);
            let slots = self.slots[begin..=end].iter_mut();
            let counts = self.counts[begin..=end].iter_mut();
            for (k, (slots, count)) in slots.zip(counts).enumerate() {
                let y = a.plane[0] * x + off + a.plane[2];
                x += self.cell;
                let surface = Surface {
                    y,
                    number: a.number,
                };
                if let Some(slot) = slots.get_mut(usize::from(*count)) {
                    *slot = surface;
                    *count += 1;
                } else {
                    self.spill.push(((begin + k) as i32, surface));
                }
            }
        }
        self.spill.sort_unstable_by_key(|s| s.0);
    }

    /// The points of the row from `from` on that have surfaces: the first of them.
    #[inline]
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = self.filled.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.filled.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Places to stand under a point of the row: how many, and the lowest of them. The rest is to be had from [`Rows::all`].
    #[inline]
    pub(crate) fn standing(&mut self, point: usize, measures: &Measures) -> (usize, Surface) {
        let slots = &self.slots[point];
        match self.counts[point] {
            0 => (0, slots[0]),
            1 => (usize::from(slots[0].is_ground()), slots[0]),
            2 => {
                let turned = slots[0].is_above(&slots[1]);
                let low = slots[usize::from(turned)];
                let high = slots[usize::from(!turned)];
                let rise = high.y - low.y;
                let lower = low.is_ground()
                    && !(high.is_ground() && rise <= measures.climb)
                    && !is_lid(high.y, low.y, measures);
                match (lower, high.is_ground()) {
                    (true, true) => {
                        self.standing.clear();
                        self.standing.extend([low, high]);
                        (2, low)
                    }
                    (true, false) => (1, low),
                    (false, ground) => (usize::from(ground), high),
                }
            }
            _ => self.standing_among(point, measures),
        }
    }

    /// The places to stand under the point asked for last, from the lowest up, if there are several.
    pub(crate) fn all(&self) -> &[Surface] {
        &self.standing
    }

    #[inline(never)]
    fn standing_among(&mut self, point: usize, measures: &Measures) -> (usize, Surface) {
        let count = usize::from(self.counts[point]);
        self.standing.clear();
        if count < SLOTS || self.spill.is_empty() {
            let mut column = self.slots[point];
            let column = &mut column[..count];
            for k in 1..count {
                let mut at = k;
                while at > 0 && column[at - 1].is_above(&column[at]) {
                    column.swap(at, at - 1);
                    at -= 1;
                }
            }
            standing(column, measures, |s| self.standing.push(*s));
        } else {
            self.full.clear();
            self.full.extend_from_slice(&self.slots[point][..count]);
            let begin = self.spill.partition_point(|s| (s.0 as usize) < point);
            let here = self.spill[begin..].iter();
            let here = here.take_while(|s| s.0 as usize == point);
            self.full.extend(here.map(|s| s.1));
            self.full
                .sort_unstable_by(|a, b| a.y.total_cmp(&b.y).then(a.number.cmp(&b.number)));
            standing(&self.full, measures, |s| self.standing.push(*s));
        }
        self.standing.reverse();
        let lowest = self.standing.first().copied().unwrap_or_default();
        (self.standing.len(), lowest)
    }
}

/// Sets the bits from `from` to `to`.
fn fill(bits: &mut [u64], from: usize, to: usize) {
    let (first, last) = (from / 64, to / 64);
    for (word, bits) in bits.iter_mut().enumerate().take(last + 1).skip(first) {
        let mut mask = u64::MAX;
        if word == first {
            mask &= u64::MAX << (from % 64);
        }
        if word == last {
            mask &= u64::MAX >> (63 - to % 64);
        }
        *bits |= mask;
    }
}

/// Does a surface take the head room of another one?
fn is_lid(y: f64, floor: f64, measures: &Measures) -> bool {
    y > floor + measures.climb + TOUCH && y < floor + measures.height - TOUCH
}

/// Calls `f` for each place to stand in a column, from the highest down: ground with head room that is not within a step below other
/// such ground.
fn standing(column: &[Surface], measures: &Measures, mut f: impl FnMut(&Surface)) {
    let mut last = f64::INFINITY;
    for (k, surface) in column.iter().enumerate().rev() {
        let y = surface.y;
        if !surface.is_ground() || last - y <= measures.climb {
            continue;
        }
        let head = y + measures.height - TOUCH;
        let mut above = column[k + 1..].iter().take_while(|s| s.y < head);
        if above.any(|s| is_lid(s.y, y, measures)) {
            continue;
        }
        last = y;
        f(surface);
    }
}

impl Active {
    fn new(number: u32, facet: &Facet, span: Span, corner: f64, cell: f64) -> Active {
        let [i0, i1, _, last] = span.map(i32::from);
        let x = corner + f64::from(i0) * cell;
        // Edges that leave out nothing: far to the lesser side, far to the greater one.
        let far = |step: f64| Edge {
            along: 0.0,
            begin: 0.0,
            off: -1e9,
            step,
        };
        let (mut low, mut high) = ([far(1.0); 2], [far(-1.0); 2]);
        let (mut lows, mut highs) = (0, 0);
        for k in 0..3 {
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
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
            number: number << 1 | u32::from(facet.ground),
            last,
            column: i0,
            more: f64::from(i1 - i0),
            low,
            high,
            origin: facet.flat(0),
            plane: facet.plane(),
        }
    }
}

/// The least whole number from `v` up; of numbers that are not too large.
#[inline]
fn ceil(v: f64) -> i32 {
    let whole = v as i32;
    whole + i32::from(f64::from(whole) < v)
}

/// The greatest whole number up to `v`; of numbers that are not too large.
#[inline]
fn floor(v: f64) -> i32 {
    let whole = v as i32;
    whole - i32::from(f64::from(whole) > v)
}

#[cfg(test)]
mod tests {
    use navbake_level::{Agent, Level, LevelSettings, Part, Role, Scene, Winding};

    use super::*;
    use crate::exact::edge_kinds;
    use crate::params::Params;
    use crate::{Borders, WalkableSettings};

    /// Triangles in all directions, many of them with corners right under points of the lattice; some above each other in numbers.
    fn level() -> Level {
        let mut seed = 7u32;
        let mut next = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((seed >> 8) % most)
        };
        let mut scene = Scene {
            parts: vec![Part::default()],
            ..Scene::default()
        };
        for k in 0..160 {
            let step = if k % 2 == 0 { 0.25 } else { 0.013 };
            let side = [9.0, 3.0, 1.0][k % 3];
            let corner = [next(36) * 0.25, next(9) * 0.8, next(36) * 0.25];
            for _ in 0..3 {
                let [x, z] = [0, 1].map(|_| (next(1000) * side / 1000.0 / step).round() * step);
                let y = if k % 4 == 0 { 0.0 } else { next(100) * 0.02 };
                let vertex = [corner[0] + x, corner[1] + y, corner[2] + z];
                scene.vertices.push(vertex);
            }
            let at = 3 * k as u32;
            scene.triangles.push([at, at + 1, at + 2]);
            scene.triangle_parts.push(0);
        }
        // One with an edge that hardly rises over most of the grid.
        let far = [
            [-3e4, 50.0, -3e4],
            [3e4, 50.0, -29999.999],
            [4.5, 50.0, 3.0],
        ];
        scene.vertices.extend(far);
        scene.triangles.push([480, 481, 482]);
        scene.triangle_parts.push(0);
        let settings = LevelSettings {
            bits: 10,
            origin: Some([0.0; 3]),
            winding: Winding::Both,
            bounds: None,
        };
        Level::new(&scene, &[Role::Ground], &settings).unwrap().0
    }

    #[test]
    fn rows_give_the_places_to_stand_that_all_triangles_tried_at_each_point_give() {
        let level = level();
        let agent = Agent {
            radius: 0.5,
            height: 1.0,
            climb: 0.3,
            ..Agent::default()
        };
        let settings = WalkableSettings {
            cell: None,
            borders: Borders::Exact,
        };
        let params = Params::new(&level.grid, &agent, &settings).unwrap();
        let kinds = edge_kinds(&level, &params);
        let measures = Measures::new(&level, &params, [0, 0]);
        let triangles: Vec<u32> = (0..level.triangles.len() as u32).collect();
        let facets = Facets::new(&level, &kinds, &triangles, &params, &measures);
        let (across, corner) = (50, [-512.0, -12.0 * 1024.0]);
        let mut rows = Rows::new(&facets, corner, measures.cell, across);
        let (mut places, mut deepest) = (0, 0);
        for row in 0..across {
            rows.advance();
            let mut after = 0;
            for point in 0..across {
                let p = [point, row].map(|k| f64::from(k) * measures.cell);
                let p = [corner[0] + p[0], corner[1] + p[1]];
                let mut column: Vec<(f64, bool, u32)> = vec![];
                for (i, facet) in facets.all.iter().enumerate() {
                    if !facet.upright && (0..3).all(|k| facet.inside_of(k, p) >= 0.0) {
                        column.push((facet.at(p), facet.ground, i as u32));
                    }
                }
                let point = point as usize;
                if rows.next(after) == Some(point) {
                    after = point + 1;
                } else {
                    assert_eq!(column, [], "{p:?}");
                    continue;
                }
                assert_ne!(column, [], "{p:?}");
                deepest = deepest.max(column.len());
                column.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
                let mut wanted: Vec<(f64, u32)> = vec![];
                for &(y, ground, facet) in column.iter().rev() {
                    let lid = |c: &&(f64, bool, u32)| is_lid(c.0, y, &measures);
                    let on_step = wanted.last().is_some_and(|w| w.0 - y <= measures.climb);
                    if ground && !on_step && column.iter().find(lid).is_none() {
                        wanted.push((y, facet));
                    }
                }
                wanted.reverse();
                let (count, lowest) = rows.standing(point, &measures);
                let found: Vec<_> = match count {
                    0 => vec![],
                    1 => vec![lowest],
                    _ => rows.all().to_vec(),
                };
                let found: Vec<_> = found.iter().map(|s| (s.y, s.facet())).collect();
                assert_eq!(found, wanted, "{p:?}");
                places += wanted.len();
            }
        }
        assert!(places > 1000 && deepest > 2 * SLOTS, "{places}, {deepest}");
    }
}
