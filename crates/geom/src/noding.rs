//! Rings that cross, as rings that do not.
//!
//! Snap rounding: a corner is put where two edges cross, at the nearest grid point, and every edge
//! is cut at each corner less than half a grid unit from it along both axes. What is left meets in
//! corners only. It is walked anew around the places that the rings wind around at least once: what
//! rings cover twice is one piece of ground, and what they wind around backwards is none.
//!
//! Method: J. D. Hobby, "Practical segment intersection with finite precision output" (1999),
//! repeated until nothing is left to cut, as in D. Halperin and E. Packer, "Iterated snap rounding"
//! (2002): an edge that is moved may come near another corner.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{BoxBounds, Point, cross, direction, dot, orient, touching_pairs};

/// A ring: its corners, each with a mark of the edge from there to the next.
pub type MarkedRing = Vec<(Point, bool)>;

/// The edges between two points, the lesser point first.
#[derive(Clone, Copy, Default)]
struct Between {
    /// How many there are from the lesser point to the greater, and back.
    count: [i32; 2],
    /// Is one of them not marked?
    unmarked: [bool; 2],
}

type Edges = BTreeMap<[Point; 2], Between>;

/// Rings around the same ground that meet each other and themselves in corners only.
///
/// Rings are directed with the inside on the left, seen from above, and may cross and overlap in
/// any way. Inside is what they wind around at least once. An edge moves by at most half a grid unit
/// along each axis, and again by that where rounding brings it near another corner. Where two edges
/// run over each other in opposite directions with the inside on both sides, both stay: a wall
/// without width. An edge is marked where all edges there are.
///
/// The result depends on the edges alone, and not on their order. Takes O(n^1.5) for n edges where
/// few are near each other, and O(n^2) at worst for each round of cutting.
///
/// ```
/// use navbake_geom::{Point, noded};
///
/// // Two squares that overlap are one piece of ground with eight corners.
/// let corners = [(0, 0), (0, 4), (4, 4), (4, 0)];
/// let square = |x, z| corners.map(|(a, b)| (Point::new(x + a, z + b), false));
/// let rings = noded(&[square(0, 0).to_vec(), square(2, 2).to_vec()]);
/// assert_eq!(rings.len(), 1);
/// assert_eq!(rings[0].len(), 8);
/// ```
pub fn noded(rings: &[MarkedRing]) -> Vec<MarkedRing> {
    let mut edges = Edges::new();
    for ring in rings {
        for (k, &(a, mark)) in ring.iter().enumerate() {
            add(&mut edges, a, ring[(k + 1) % ring.len()].0, 1, !mark);
        }
    }
    while let Some(cut) = cut(&edges) {
        edges = cut;
    }
    walk(&around_inside(&edges))
}

/// Adds edges from `a` to `b`.
fn add(edges: &mut Edges, a: Point, b: Point, count: i32, unmarked: bool) {
    if a == b || count == 0 {
        return;
    }
    let back = usize::from(b < a);
    let between = edges.entry([a.min(b), a.max(b)]).or_default();
    between.count[back] += count;
    between.unmarked[back] |= unmarked;
}

/// The edges cut at all corners near them and where they cross; nothing if no edge is to be cut.
fn cut(edges: &Edges) -> Option<Edges> {
    let all: Vec<[Point; 2]> = edges.keys().copied().collect();
    let mut boxes: Vec<BoxBounds> = all.iter().map(bounds).collect();
    let mut cuts: Vec<(usize, Point)> = vec![];
    touching_pairs(&boxes, usize::MAX, |i, j| {
        if let Some(at) = crossing(all[i], all[j]) {
            cuts.extend([(i, at), (j, at)]);
        }
    });
    // All crossings are corners before an edge is moved: an edge that is moved without those of
    // others would cross them again and again.
    let mut corners: Vec<Point> = all.iter().flatten().copied().collect();
    corners.extend(cuts.iter().map(|cut| cut.1));
    corners.sort_unstable();
    corners.dedup();
    cuts.retain(|(edge, at)| !all[*edge].contains(at));
    boxes.extend(corners.iter().map(|&p| bounds(&[p; 2])));
    touching_pairs(&boxes, usize::MAX, |i, j| {
        if let Some(&corner) = j.checked_sub(all.len()).map(|j| &corners[j])
            && i < all.len()
            && is_near(all[i], corner)
        {
            cuts.push((i, corner));
        }
    });
    if cuts.is_empty() {
        return None;
    }
    let order = |(k, p): &(usize, Point)| {
        let [a, b] = all[*k];
        (*k, dot(direction(a, b), direction(a, *p)), *p)
    };
    cuts.sort_unstable_by_key(order);
    cuts.dedup();
    let mut cuts = cuts.into_iter().peekable();
    let mut out = Edges::new();
    for (k, (&[a, b], between)) in edges.iter().enumerate() {
        let mut from = a;
        loop {
            let to = cuts.next_if(|cut| cut.0 == k).map_or(b, |cut| cut.1);
            add(&mut out, from, to, between.count[0], between.unmarked[0]);
            add(&mut out, to, from, between.count[1], between.unmarked[1]);
            from = to;
            if to == b {
                break;
            }
        }
    }
    Some(out)
}

/// The box around an edge.
fn bounds([a, b]: &[Point; 2]) -> BoxBounds {
    BoxBounds { low: [a.x.min(b.x), a.z.min(b.z), 0], high: [a.x.max(b.x), a.z.max(b.z), 0] }
}

/// Does an edge pass a corner of others at less than half a grid unit along both axes?
fn is_near([a, b]: [Point; 2], p: Point) -> bool {
    let [x, z] = direction(a, b);
    let within = |a: i32, b: i32, p: i32| p >= a.min(b) && p <= a.max(b);
    p != a
        && p != b
        && within(a.x, b.x, p.x)
        && within(a.z, b.z, p.z)
        && 2 * orient(a, b, p).abs() < x.abs() + z.abs()
}

/// The grid point nearest to where two edges cross, if they do so between their ends.
fn crossing([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Option<Point> {
    let [from, to] = [orient(c, d, a), orient(c, d, b)];
    if from.signum() * to.signum() >= 0 || orient(a, b, c).signum() * orient(a, b, d).signum() >= 0
    {
        return None;
    }
    // From a to b by from / (from - to), rounded.
    let (part, whole) = if from > to { (from, from - to) } else { (-from, to - from) };
    let (part, whole) = (i128::from(part), i128::from(whole));
    let on_axis = |a: i32, b: i32| {
        let along = i128::from(i64::from(b) - i64::from(a)) * part;
        a + (2 * along + whole).div_euclid(2 * whole) as i32
    };
    Some(Point::new(on_axis(a.x, b.x), on_axis(a.z, b.z)))
}

/// The edges, marked or not, that have the inside on their left and not on their right, and walls
/// without width.
fn around_inside(edges: &Edges) -> Vec<(Point, Point, bool)> {
    let columns = Columns::new(edges);
    let mut found = vec![];
    for (&[a, b], between) in edges {
        let [there, back] = between.count;
        // What the rings wind around beyond the edge, seen along z, or beside it along x.
        let left = columns.winding([a, b]);
        let right = left + back - there;
        let mark = |k: usize| !between.unmarked[k];
        match (left >= 1, right >= 1) {
            (true, false) => found.push((a, b, mark(0))),
            (false, true) => found.push((b, a, mark(1))),
            (true, true) if there > 0 && back > 0 => {
                found.extend([(a, b, mark(0)), (b, a, mark(1))]);
            }
            _ => {}
        }
    }
    found
}

/// Edges by columns along x.
struct Columns {
    least: i64,
    side: i64,
    /// Ends, and how many run backwards more than forwards.
    edges: Vec<Vec<([Point; 2], i32)>>,
}

impl Columns {
    fn new(edges: &Edges) -> Columns {
        let of = |e: &[Point; 2]| e.map(|p| i64::from(p.x));
        let least = edges.keys().map(|e| of(e)[0]).min().unwrap_or(0);
        let most = edges.keys().map(|e| of(e)[1]).max().unwrap_or(0);
        let side = (most - least) / (edges.len().isqrt() as i64 + 1) + 1;
        let count = (most - least) / side + 1;
        let mut columns = Columns { least, side, edges: vec![vec![]; count as usize] };
        for (e, between) in edges.iter().filter(|(e, _)| e[0].x < e[1].x) {
            let [from, to] = of(e).map(|x| ((x - least) / side) as usize);
            for column in &mut columns.edges[from..=to] {
                column.push((*e, between.count[1] - between.count[0]));
            }
        }
        columns
    }

    /// How often the rings wind around the places just to the left of an edge.
    ///
    /// That counts edges on a line from its middle along the axis against z; where the edge is on
    /// that line, from a place beside it at greater x.
    fn winding(&self, [a, b]: [Point; 2]) -> i32 {
        let double = |p: Point| Point::new(2 * p.x, 2 * p.z);
        let middle = Point::new(a.x + b.x, a.z + b.z);
        let column = (i64::from(middle.x).div_euclid(2) - self.least) / self.side;
        let is_beyond = |[c, d]: [Point; 2]| {
            2 * c.x <= middle.x && middle.x < 2 * d.x && orient(double(c), double(d), middle) < 0
        };
        let edges = self.edges[column as usize].iter();
        edges.filter(|(e, _)| is_beyond(*e)).map(|(_, count)| count).sum()
    }
}

/// Edges joined to rings. In each corner a ring turns as far to the left as it can, so that it has
/// one piece of ground on its left.
fn walk(edges: &[(Point, Point, bool)]) -> Vec<MarkedRing> {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_unstable_by_key(|&k| (edges[k].0, edges[k].1));
    let starts_at = |p: Point| {
        let first = order.partition_point(|&k| edges[k].0 < p);
        let count = order[first..].partition_point(|&k| edges[k].0 == p);
        &order[first..first + count]
    };
    let mut used = vec![false; edges.len()];
    let mut rings = vec![];
    for &first in &order {
        let mut ring = vec![];
        let mut at = first;
        while !std::mem::replace(&mut used[at], true) {
            let (from, to, mark) = edges[at];
            ring.push((from, mark));
            let back = direction(to, from);
            let turn = |k: &&usize| direction(to, edges[**k].1);
            let next = starts_at(to).iter().min_by(|i, j| clockwise(back, turn(i), turn(j)));
            at = next.map_or(first, |&k| k);
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
}

/// Compares two directions by their angles clockwise from a third, above 0 and up to a full turn.
fn clockwise(from: [i64; 2], a: [i64; 2], b: [i64; 2]) -> Ordering {
    let part = |v| match cross(from, v) {
        side if side < 0 => 0,
        0 if dot(from, v) < 0 => 1,
        0 => 3,
        _ => 2,
    };
    part(a).cmp(&part(b)).then_with(|| cross(a, b).cmp(&0))
}
