//! Ground under lattice points: the scaffold that says which storeys there are and how they hang together.

use super::Measures;
use super::facet::{Facets, V2};

/// No node, no square.
pub(crate) const NONE: u32 = u32::MAX;

/// A place to stand under a lattice point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Column and row of the lattice point.
    spot: [i16; 2],
    /// Height.
    pub(crate) y: f64,
    /// Nodes one step away towards +X, +Y, -X, -Y.
    pub(crate) links: [u32; 4],
}

/// What begins at a node towards greater X and Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// A square of the surroundings.
    Around,
    /// A square of the tile.
    InTile,
}

/// The nodes of a tile.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Sorted by point, then height.
    pub(crate) nodes: Vec<Node>,
    /// Where the nodes of each point begin; one more entry than points.
    first: Vec<u32>,
    /// Points along a side.
    pub(crate) across: i32,
    /// Squares of the surroundings on each side of the tile: border segments beside the tile begin to spread there.
    pad: i32,
    corner: V2,
    cell: f64,
    /// For each node: is it the least corner of a square, four nodes linked in a circle?
    square: Vec<Kind>,
    /// For each node: rise of the ground over half a square along X and Y.
    rises: Vec<V2>,
    /// For each node that is the least corner of a square: lowest and highest that the planes under the square's corners come to near it.
    spans: Vec<[f64; 2]>,
}

/// Segments begin at squares whose centre lies this many squares away or nearer.
pub(crate) const BESIDE: f64 = 1.5;

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

impl Lattice {
    pub(crate) fn new(facets: &Facets, measures: &Measures) -> Lattice {
        let pad = (measures.margin() / measures.cell) as i32 + 2;
        let across = measures.count + 1 + 2 * pad;
        let corner = measures.corner.map(|c| c - f64::from(pad) * measures.cell);
        let columns = columns(facets, corner, measures.cell, across);
        let mut lattice = Lattice {
            nodes: vec![],
            first: Vec::with_capacity((across * across) as usize + 1),
            across,
            pad,
            corner,
            cell: measures.cell,
            square: vec![],
            rises: vec![],
            spans: vec![],
        };
        let mut rises: Vec<V2> = vec![];
        for (point, column) in columns.iter().enumerate() {
            lattice.first.push(lattice.nodes.len() as u32);
            let base = lattice.nodes.len();
            let spot = [point as i32 % across, point as i32 / across].map(|k| k as i16);
            standing(column, measures, |y, facet| {
                let rise = facets.all[facet as usize].rise();
                rises.push(rise.map(|r| r * measures.cell / 2.0));
                lattice.nodes.push(Node {
                    spot,
                    y,
                    links: [NONE; 4],
                });
            });
            lattice.nodes[base..].reverse();
            rises[base..].reverse();
        }
        lattice.first.push(lattice.nodes.len() as u32);
        lattice.link(&rises, measures.climb);
        let kind = |n: u32| match lattice.corners(n) {
            None => Kind::Nothing,
            Some(_) if lattice.spot(n).is_some() => Kind::InTile,
            Some(_) => Kind::Around,
        };
        lattice.square = (0..lattice.nodes.len() as u32).map(kind).collect();
        lattice.rises = rises;
        lattice.spans = (0..lattice.nodes.len() as u32)
            .map(|n| lattice.span(n))
            .collect();
        lattice
    }

    /// The lattice point of a node, row by row.
    pub(crate) fn point(&self, node: u32) -> usize {
        let [i, j] = self.nodes[node as usize].spot.map(|k| k as usize);
        j * self.across as usize + i
    }

    /// Column and row, in the tile, of the square that begins at a node; `None` in the surroundings.
    pub(crate) fn spot(&self, square: u32) -> Option<(i32, i32)> {
        let count = self.across - 1 - 2 * self.pad;
        let [i, j] = self.nodes[square as usize].spot;
        let (i, j) = (i32::from(i) - self.pad, i32::from(j) - self.pad);
        ((0..count).contains(&i) && (0..count).contains(&j)).then_some((i, j))
    }

    /// Columns or rows of squares whose centre may lie from `low` to `high` along an axis.
    pub(crate) fn squares_along(
        &self,
        axis: usize,
        low: f64,
        high: f64,
    ) -> std::ops::RangeInclusive<i32> {
        let at = |v: f64| ((v - self.corner[axis]) / self.cell).floor() as i32;
        at(low).max(0)..=at(high).min(self.across - 2)
    }

    /// Y of a row of points.
    pub(crate) fn row(&self, row: i32) -> f64 {
        self.corner[1] + f64::from(row) * self.cell
    }

    /// The nodes under a lattice point.
    pub(crate) fn under(&self, point: i32) -> std::ops::Range<u32> {
        self.first[point as usize]..self.first[point as usize + 1]
    }

    /// Place of a node.
    pub(crate) fn place(&self, node: u32) -> V2 {
        let [i, j] = self.nodes[node as usize].spot;
        [
            self.corner[0] + f64::from(i) * self.cell,
            self.corner[1] + f64::from(j) * self.cell,
        ]
    }

    /// Is the node the least corner of a square?
    pub(crate) fn is_square(&self, node: u32) -> bool {
        node != NONE && self.square[node as usize] != Kind::Nothing
    }

    /// Is the node the least corner of a square of the tile itself?
    pub(crate) fn is_in_tile(&self, node: u32) -> bool {
        node != NONE && self.square[node as usize] == Kind::InTile
    }

    /// The corners of the square that begins at a node, counter-clockwise: the node, towards +X, +X+Y, +Y.
    pub(crate) fn corners(&self, node: u32) -> Option<[u32; 4]> {
        let [b, d, ..] = self.nodes[node as usize].links;
        if b == NONE || d == NONE {
            return None;
        }
        let c = self.nodes[b as usize].links[1];
        (c != NONE && self.nodes[d as usize].links[0] == c).then_some([node, b, c, d])
    }

    fn span(&self, square: u32) -> [f64; 2] {
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for n in self.corners(square).into_iter().flatten() {
            let ([rx, ry], y) = (self.rises[n as usize], self.nodes[n as usize].y);
            // Planes are asked at most three squares away.
            let slack = 6.0 * (rx.abs() + ry.abs());
            span = [span[0].min(y - slack), span[1].max(y + slack)];
        }
        span
    }

    /// May a segment in these bounds with heights from `low` to `high` begin at any square? See [`super::reach`].
    pub(crate) fn is_met(
        &self,
        bounds: [f64; 4],
        low: f64,
        high: f64,
        measures: &Measures,
    ) -> bool {
        let (beside, step) = (BESIDE * self.cell, measures.climb + 1.0);
        for row in self.squares_along(1, bounds[1] - beside, bounds[3] + beside) {
            for column in self.squares_along(0, bounds[0] - beside, bounds[2] + beside) {
                for s in self.under(row * self.across + column) {
                    let [least, most] = self.spans[s as usize];
                    if least <= high + step && most >= low - step {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Height of the ground of a square at a place near it: of the plane under the nearest corner.
    pub(crate) fn height_near(&self, square: u32, p: V2) -> f64 {
        let corner = self.place(square);
        let away = |axis: usize| p[axis] - corner[axis] > self.cell / 2.0;
        let corners = self.corners(square).unwrap_or([square; 4]);
        let nearest = corners[match (away(0), away(1)) {
            (false, false) => 0,
            (true, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        }];
        let (place, rises) = (self.place(nearest), self.rises[nearest as usize]);
        let rise = |axis: usize| (p[axis] - place[axis]) * rises[axis] * 2.0 / self.cell;
        self.nodes[nearest as usize].y + rise(0) + rise(1)
    }

    /// The square beyond side `k` of a square (towards -Y, +X, +Y, -X), or [`NONE`].
    pub(crate) fn beyond(&self, square: u32, k: usize) -> u32 {
        let next = self.nodes[square as usize].links[[3, 0, 1, 2][k]];
        if self.is_square(next) { next } else { NONE }
    }

    /// The lattice edge of side `k` of a square: twice its lesser node, plus one when it runs along Y.
    pub(crate) fn edge(&self, square: u32, k: usize) -> usize {
        let links = &self.nodes[square as usize].links;
        match k {
            0 => 2 * square as usize,
            1 => 2 * links[0] as usize + 1,
            2 => 2 * links[1] as usize,
            _ => 2 * square as usize + 1,
        }
    }

    /// Links each node with the one under the next point that it meets best half-way, if both agree.
    fn link(&mut self, rises: &[V2], climb: f64) {
        for axis in 0..2 {
            let step = if axis == 0 { 1 } else { self.across };
            let [columns, rows] = if axis == 0 {
                [self.across - 1, self.across]
            } else {
                [self.across, self.across - 1]
            };
            for point in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let point = point.0 * self.across + point.1;
                let (here, there) = (self.under(point), self.under(point + step));
                if there.is_empty() {
                    continue;
                }
                for a in here.clone() {
                    let b = self.best(rises, a, there.clone(), axis, 1.0, climb);
                    // Where there is one only, it is the same the other way around.
                    let only = here.len() == 1 && there.len() == 1;
                    if b != NONE
                        && (only || self.best(rises, b, here.clone(), axis, -1.0, climb) == a)
                    {
                        self.nodes[a as usize].links[axis] = b;
                        self.nodes[b as usize].links[axis + 2] = a;
                    }
                }
            }
        }
    }

    fn best(
        &self,
        rises: &[V2],
        from: u32,
        under: std::ops::Range<u32>,
        axis: usize,
        sign: f64,
        climb: f64,
    ) -> u32 {
        let height = |n: u32, sign: f64| self.nodes[n as usize].y + sign * rises[n as usize][axis];
        let halfway = height(from, sign);
        let mut best = (climb + 1.0, NONE);
        for n in under {
            let jump = (height(n, -sign) - halfway).abs();
            if jump <= best.0 {
                best = (jump, n);
            }
        }
        best.1
    }
}

/// Heights and facets under each point of a lattice, row by row; unsorted.
pub(crate) fn columns(facets: &Facets, corner: V2, cell: f64, across: i32) -> Columns {
    let mut found: Vec<(u32, Surface)> = Vec::with_capacity((across * across) as usize);
    let most = f64::from(across - 1);
    for (i, facet) in facets.all.iter().enumerate() {
        if facet.upright {
            continue;
        }
        let b = facet.bounds;
        let (i0, i1) = (
            ceil((b[0] - corner[0]) / cell, 0.0, most + 1.0),
            floor((b[2] - corner[0]) / cell, -1.0, most),
        );
        let (j0, j1) = (
            ceil((b[1] - corner[1]) / cell, 0.0, most + 1.0),
            floor((b[3] - corner[1]) / cell, -1.0, most),
        );
        if i0 > i1 || j0 > j1 {
            continue;
        }
        let number = (i as u32) << 1 | u32::from(facet.ground);
        for row in j0..=j1 {
            let start = [
                corner[0] + f64::from(i0) * cell,
                corner[1] + f64::from(row) * cell,
            ];
            let (mut from, mut to) = (0, i1 - i0);
            for k in 0..3 {
                let value = facet.inside_of(k, start);
                let step = (facet.flat(k)[1] - facet.flat(k + 1)[1]) * cell;
                if step > 0.0 {
                    from = ceil(-value / step, f64::from(from), most + 1.0);
                } else if step < 0.0 {
                    to = floor(-value / step, -1.0, f64::from(to));
                } else if value < 0.0 {
                    to = -1;
                }
            }
            for k in from..=to {
                let y = facet.at([start[0] + f64::from(k) * cell, start[1]]);
                found.push(((row * across + i0 + k) as u32, Surface { y, number }));
            }
        }
    }
    Columns::new((across * across) as usize, found)
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

/// A facet under or above a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surface {
    /// Height.
    y: f64,
    /// Twice the facet's number, plus one for ground.
    number: u32,
}

impl Surface {
    fn facet(&self) -> u32 {
        self.number >> 1
    }

    fn is_ground(&self) -> bool {
        self.number & 1 == 1
    }
}

/// One list a point.
#[derive(Debug)]
pub(crate) struct Columns {
    first: Vec<u32>,
    items: Vec<Surface>,
}

impl Columns {
    fn new(points: usize, found: Vec<(u32, Surface)>) -> Columns {
        let mut first = vec![0u32; points + 1];
        for f in &found {
            first[f.0 as usize + 1] += 1;
        }
        for k in 0..points {
            first[k + 1] += first[k];
        }
        let mut items = vec![Surface::default(); found.len()];
        let mut next = first.clone();
        for (point, item) in found {
            items[next[point as usize] as usize] = item;
            next[point as usize] += 1;
        }
        for k in 0..points {
            let list = &mut items[first[k] as usize..first[k + 1] as usize];
            if list.len() > 1 {
                list.sort_unstable_by(|a, b| a.y.total_cmp(&b.y).then(a.number.cmp(&b.number)));
            }
        }
        Columns { first, items }
    }

    pub(crate) fn of(&self, point: usize) -> &[Surface] {
        &self.items[self.first[point] as usize..self.first[point + 1] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Surface]> {
        (0..self.first.len() - 1).map(|k| self.of(k))
    }
}

/// Calls `f` for each place to stand in a column, from the highest down: ground with head room that is not within a step below other
/// such ground.
pub(crate) fn standing(column: &[Surface], measures: &Measures, mut f: impl FnMut(f64, u32)) {
    let mut last = f64::INFINITY;
    for (k, surface) in column.iter().enumerate().rev() {
        let y = surface.y;
        if !surface.is_ground() || last - y <= measures.climb {
            continue;
        }
        let (knee, head) = (y + measures.climb + TOUCH, y + measures.height - TOUCH);
        let mut above = column[k + 1..].iter().take_while(|s| s.y < head);
        if above.any(|s| s.y > knee) {
            continue;
        }
        last = y;
        f(y, surface.facet());
    }
}
