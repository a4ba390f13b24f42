//! Triangles above and below the points of a lattice, one row of points at a time.

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
    fn new(y: f64, facet: u32, ground: bool) -> Surface {
        let number = facet << 1 | u32::from(ground);
        Surface { y, number }
    }

    pub(crate) fn facet(&self) -> u32 {
        self.number >> 1
    }

    pub(crate) fn is_ground(&self) -> bool {
        self.number & 1 == 1
    }

    fn is_before(&self, other: &Surface) -> bool {
        self.y < other.y || (self.y == other.y && self.number < other.number)
    }
}

/// Surfaces kept beside each point of a row; those of fuller columns are kept apart.
const SLOTS: usize = 4;

/// Triangles no wider than this many points are tested point by point.
const NARROW: i32 = 4;

/// A facet in the rows that it meets.
#[derive(Clone, Copy, Debug)]
struct Active {
    facet: u32,
    ground: bool,
    /// The last row.
    last: i32,
    /// The first and last point of a row in its bounds.
    columns: [i32; 2],
    edges: [Edge; 3],
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

/// The rows of a lattice, from the least up. Only what meets a row is looked at in it.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    facets: &'a Facets,
    corner: V2,
    cell: f64,
    across: i32,
    row: i32,
    /// Facets that meet any point, by their first row, and where each row's begin.
    order: Vec<(u32, Span)>,
    first: Vec<u32>,
    active: Vec<Active>,
    counts: Vec<u8>,
    slots: Vec<Surface>,
    /// What found no slot, by its point.
    spill: Vec<(i32, Surface)>,
    full: Vec<Surface>,
}

/// First column, last column, first row, last row.
type Span = [i16; 4];

impl<'a> Rows<'a> {
    /// Rows of `across` points each, as many as points; the least point is at `corner`.
    pub(crate) fn new(facets: &'a Facets, corner: V2, cell: f64, across: i32) -> Rows<'a> {
        let mut first = vec![0u32; across as usize + 1];
        let mut found: Vec<(u32, Span)> = Vec::with_capacity(facets.all.len());
        let most = f64::from(across - 1);
        let inverse = 1.0 / cell;
        for (i, facet) in facets.all.iter().enumerate() {
            if facet.upright {
                continue;
            }
            // A little more than its bounds: edges decide.
            let span = |axis: usize| {
                let low = (facet.bounds[axis] - corner[axis]) * inverse - 1e-6;
                let high = (facet.bounds[axis + 2] - corner[axis]) * inverse + 1e-6;
                [ceil(low, 0.0, most + 1.0), floor(high, -1.0, most)]
            };
            let ([i0, i1], [j0, j1]) = (span(0), span(1));
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
        Rows {
            facets,
            corner,
            cell,
            across,
            row: 0,
            order,
            first,
            active: vec![],
            counts: vec![0; across as usize],
            slots: vec![Surface::default(); across as usize * SLOTS],
            spill: vec![],
            full: vec![],
        }
    }

    /// Takes in the next row.
    pub(crate) fn advance(&mut self) {
        let row = self.row;
        self.row += 1;
        self.counts.fill(0);
        self.spill.clear();
        self.active.retain(|a| a.last >= row);
        let begin = self.first[row as usize] as usize..self.first[row as usize + 1] as usize;
        for &(i, span) in &self.order[begin] {
            let facet = &self.facets.all[i as usize];
            self.active
                .push(Active::new(i, facet, span, self.corner[0], self.cell));
        }
        let y = self.corner[1] + f64::from(row) * self.cell;
        for a in &self.active {
            let x = self.corner[0] + f64::from(a.columns[0]) * self.cell;
            let Some((from, to)) = a.part(y) else {
                continue;
            };
            let off = a.plane[1] * (y - a.origin[1]);
            for k in from..=to {
                let x = x + f64::from(k) * self.cell;
                let y = a.plane[0] * (x - a.origin[0]) + off + a.plane[2];
                let surface = Surface::new(y, a.facet, a.ground);
                let point = a.columns[0] + k;
                let count = &mut self.counts[point as usize];
                if usize::from(*count) < SLOTS {
                    self.slots[point as usize * SLOTS + usize::from(*count)] = surface;
                    *count += 1;
                } else {
                    self.spill.push((point, surface));
                }
            }
        }
        self.spill.sort_unstable_by_key(|s| s.0);
    }

    /// The surfaces above and below a point of the row, from the lowest up.
    pub(crate) fn column(&mut self, point: i32) -> &[Surface] {
        let base = point as usize * SLOTS;
        let count = usize::from(self.counts[point as usize]);
        let column = &mut self.slots[base..base + count];
        if count == SLOTS && !self.spill.is_empty() {
            self.full.clear();
            self.full.extend_from_slice(column);
            let begin = self.spill.partition_point(|s| s.0 < point);
            let here = self.spill[begin..].iter().take_while(|s| s.0 == point);
            self.full.extend(here.map(|s| s.1));
            self.full
                .sort_unstable_by(|a, b| a.y.total_cmp(&b.y).then(a.number.cmp(&b.number)));
            return &self.full;
        }
        for k in 1..count {
            let mut at = k;
            while at > 0 && column[at].is_before(&column[at - 1]) {
                column.swap(at, at - 1);
                at -= 1;
            }
        }
        column
    }
}

impl Active {
    fn new(number: u32, facet: &Facet, span: Span, corner: f64, cell: f64) -> Active {
        let [i0, i1, _, last] = span.map(i32::from);
        let x = corner + f64::from(i0) * cell;
        let edges = std::array::from_fn(|k| {
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
            Edge {
                along: b[0] - a[0],
                begin: a[1],
                off: (b[1] - a[1]) * (x - a[0]),
                step: (a[1] - b[1]) * cell,
            }
        });
        Active {
            facet: number,
            ground: facet.ground,
            last,
            columns: [i0, i1],
            edges,
            origin: facet.flat(0),
            plane: facet.plane(),
        }
    }

    /// The points of a row that lie in the triangle, its border included, counted from the first column.
    fn part(&self, y: f64) -> Option<(i32, i32)> {
        let values = self.edges.map(|e| e.along * (y - e.begin) - e.off);
        let wide = self.columns[1] - self.columns[0];
        let (mut from, mut to) = (0, wide);
        if wide < NARROW {
            let is_in = |k: i32| {
                let k = f64::from(k);
                (0..3).all(|e| values[e] + k * self.edges[e].step >= 0.0)
            };
            while from <= to && !is_in(from) {
                from += 1;
            }
            while to > from && !is_in(to) {
                to -= 1;
            }
        } else {
            let most = f64::from(wide) + 1.0;
            for (value, edge) in values.into_iter().zip(&self.edges) {
                if edge.step > 0.0 {
                    from = ceil(-value / edge.step, f64::from(from), most);
                } else if edge.step < 0.0 {
                    to = floor(-value / edge.step, -1.0, f64::from(to));
                } else if value < 0.0 {
                    to = -1;
                }
            }
        }
        (from <= to).then_some((from, to))
    }
}

/// The least whole number from `v` up, kept between two whole numbers.
fn ceil(v: f64, least: f64, most: f64) -> i32 {
    let v = v.max(least).min(most);
    let whole = v as i32;
    whole + i32::from(f64::from(whole) < v)
}

/// The greatest whole number up to `v`, kept between two whole numbers.
fn floor(v: f64, least: f64, most: f64) -> i32 {
    let v = v.max(least).min(most);
    let whole = v as i32;
    whole - i32::from(f64::from(whole) > v)
}
