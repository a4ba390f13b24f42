//! Finds the partners of open edges, for joining patches.
//!
//! Edges are grouped by the line they are on, exactly: by reduced direction and offset. Each line
//! is swept from stop to stop (ends of edges). Between two stops the edges of both directions are
//! paired, those nearest in height first:
//!
//! ```text
//!   forward    a ------------------>  b --------------->
//!   backward        <------- c   <------------- d
//!   stops      |    |        |   |    |         |       |
//!   parts of a      [   c    ]   [ d  ]
//! ```
//!
//! Storeys above one another have edges on the same line, so a stretch may have several candidates
//! on each side. O(n log n) for n edges, as each looks at a few candidates only.

use std::cmp::Ordering;

use navbake_geom::Point3;

use crate::NONE;

/// An edge that may be joined to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenEdge {
    /// Reduced direction, positive in x, or along +z; with the offset it names the line.
    direction: (i32, i32),
    offset: i64,
    /// Place along the line (x, or z on a line along z) and height of the end with the lesser
    /// place.
    start: i32,
    low: i32,
    /// The same of the other end.
    end: i32,
    high: i32,
    /// Does the edge run in the line's direction?
    pub(crate) forward: bool,
    /// The triangle's third corner, a tie-break for equal edges.
    apex: Point3,
    /// Whose edge it is.
    pub(crate) half_edge: u32,
}

/// A stretch of an open edge with one partner, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Where it begins and ends along the line.
    pub(crate) start: i32,
    pub(crate) end: i32,
    /// Index of the open edge on the other side, or `NONE`.
    pub(crate) partner: u32,
}

/// Candidates an edge looks at on either side in height.
const WINDOW: usize = 8;

impl OpenEdge {
    /// The edge from `a` to `b`, apart from each other seen from above.
    pub(crate) fn new(a: Point3, b: Point3, apex: Point3, half_edge: u32) -> OpenEdge {
        let forward = (a.x, a.z) < (b.x, b.z);
        let (p, q) = if forward { (a, b) } else { (b, a) };
        let (dx, dz) = (q.x - p.x, q.z - p.z);
        let g = gcd(dx.unsigned_abs(), dz.unsigned_abs()).max(1) as i32;
        let direction = (dx / g, dz / g);
        let offset =
            i64::from(direction.0) * i64::from(p.z) - i64::from(direction.1) * i64::from(p.x);
        let along = |c: Point3| if dx != 0 { c.x } else { c.z };
        OpenEdge {
            direction,
            offset,
            start: along(p),
            low: p.y,
            end: along(q),
            high: q.y,
            forward,
            apex,
            half_edge,
        }
    }

    /// The height at a place along the line, rounded to the grid (halves up).
    fn height(&self, t: i32) -> i32 {
        let span = i64::from(self.end) - i64::from(self.start);
        if span <= 0 {
            return self.low;
        }
        let rise =
            (i64::from(self.high) - i64::from(self.low)) * (i64::from(t) - i64::from(self.start));
        (i64::from(self.low) + (2 * rise + span).div_euclid(2 * span)) as i32
    }

    /// The point where the edge is cut between two of its parts.
    ///
    /// Another edge begins or ends there, so it is a point of the grid. Its height is that of the
    /// partner where they differ by the rounding alone: that is no step.
    pub(crate) fn cut(&self, open: &[OpenEdge], before: Part, after: Part) -> Point3 {
        let t = after.start;
        let own = self.height(t);
        let near = [before.partner, after.partner]
            .into_iter()
            .filter(|&p| p != NONE)
            .map(|p| {
                let other = &open[p as usize];
                match t {
                    t if t == other.start => other.low,
                    t if t == other.end => other.high,
                    t => other.height(t).min(own),
                }
            })
            .find(|y| y.abs_diff(own) <= 1);
        self.at(t, near.unwrap_or(own))
    }

    fn at(&self, t: i32, y: i32) -> Point3 {
        let (dx, dz) = self.direction;
        if dx == 0 {
            // The offset is -dz * x and dz is 1.
            return Point3::new(-self.offset as i32, y, t);
        }
        let z = (self.offset + i64::from(dz) * i64::from(t)) / i64::from(dx);
        Point3::new(t, y, z as i32)
    }

    fn line(&self) -> ((i32, i32), i64) {
        (self.direction, self.offset)
    }

    fn order(&self, other: &OpenEdge) -> Ordering {
        let key = |e: &OpenEdge| (e.line(), e.start, e.end, e.forward, e.low, e.high, e.apex);
        key(self).cmp(&key(other))
    }

    /// May the two be joined? They are on one line, in opposite directions.
    fn fits(&self, other: &OpenEdge, climb: i32) -> bool {
        let (start, end) = (self.start.max(other.start), self.end.min(other.end));
        let apart = |t| self.height(t).abs_diff(other.height(t));
        start < end && apart(start).max(apart(end)) <= climb.max(0) as u32
    }
}

/// The parts of each open edge, from its start to its end along the line; none at all for an edge
/// that is not joined anywhere. The partner's part has the same start and end.
pub(crate) fn pair_up(open: &[OpenEdge], climb: i32) -> Vec<Vec<Part>> {
    let mut parts = vec![vec![]; open.len()];
    let mut order: Vec<u32> = (0..open.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        open[a as usize].order(&open[b as usize]).then_with(|| a.cmp(&b))
    });
    let edge = |i: u32| &open[i as usize];
    let mut rest = &order[..];
    while let Some(&first) = rest.first() {
        // A cluster: edges of one line whose intervals overlap in a chain.
        let (line, mut end) = (edge(first).line(), edge(first).end);
        let mut n = 1;
        while n < rest.len() && edge(rest[n]).line() == line && edge(rest[n]).start < end {
            end = end.max(edge(rest[n]).end);
            n += 1;
        }
        let (cluster, after) = rest.split_at(n);
        rest = after;
        match *cluster {
            [_] => {}
            [a, b] => {
                let (p, q) = (edge(a), edge(b));
                if p.forward != q.forward && p.fits(q, climb) {
                    let (start, end) = (p.start.max(q.start), p.end.min(q.end));
                    for (own, other) in [(a, b), (b, a)] {
                        parts[own as usize].push(Part { start, end, partner: other });
                    }
                }
            }
            _ => sweep(open, cluster, climb, &mut parts),
        }
    }
    for (e, parts) in open.iter().zip(&mut parts) {
        fill_gaps(e, parts);
    }
    parts
}

/// Pairs the edges of one cluster, interval between ends by interval.
fn sweep(open: &[OpenEdge], cluster: &[u32], climb: i32, parts: &mut [Vec<Part>]) {
    let edge = |i: u32| &open[i as usize];
    let mut stops: Vec<i32> = cluster.iter().flat_map(|&i| [edge(i).start, edge(i).end]).collect();
    stops.sort_unstable();
    stops.dedup();
    let mut active: [Vec<u32>; 2] = [vec![], vec![]];
    let mut next = 0;
    let mut candidates: Vec<(u64, u32, u32)> = vec![];
    for stop in stops.windows(2) {
        let (start, end) = (stop[0], stop[1]);
        for side in &mut active {
            side.retain(|&i| edge(i).end > start);
        }
        while next < cluster.len() && edge(cluster[next]).start <= start {
            active[usize::from(edge(cluster[next]).forward)].push(cluster[next]);
            next += 1;
        }
        let [back, forth] = &mut active;
        if back.is_empty() || forth.is_empty() {
            continue;
        }
        let middle = |i: u32| i64::from(edge(i).height(start)) + i64::from(edge(i).height(end));
        for side in [&mut *back, &mut *forth] {
            side.sort_by(|&a, &b| {
                let key = |i: u32| (middle(i), edge(i).height(start));
                key(a).cmp(&key(b)).then_with(|| edge(a).order(edge(b))).then(a.cmp(&b))
            });
        }
        candidates.clear();
        for (rank, &b) in back.iter().enumerate() {
            let at = forth.partition_point(|&f| middle(f) < middle(b));
            let near = at.saturating_sub(WINDOW)..(at + WINDOW).min(forth.len());
            for (other, &f) in near.clone().zip(&forth[near]) {
                if edge(b).fits(edge(f), climb) {
                    let apart = |t| u64::from(edge(b).height(t).abs_diff(edge(f).height(t)));
                    candidates.push((apart(start) + apart(end), rank as u32, other as u32));
                }
            }
        }
        candidates.sort_unstable();
        let mut taken = [vec![false; back.len()], vec![false; forth.len()]];
        for &(_, b, f) in &candidates {
            let (b, f) = (b as usize, f as usize);
            if taken[0][b] || taken[1][f] {
                continue;
            }
            taken[0][b] = true;
            taken[1][f] = true;
            for (own, partner) in [(back[b], forth[f]), (forth[f], back[b])] {
                match parts[own as usize].last_mut() {
                    Some(last) if last.partner == partner && last.end == start => last.end = end,
                    _ => parts[own as usize].push(Part { start, end, partner }),
                }
            }
        }
    }
}

/// Adds parts without a partner, so that the parts cover the whole edge.
fn fill_gaps(edge: &OpenEdge, parts: &mut Vec<Part>) {
    if parts.is_empty() {
        return;
    }
    let gap = |start, end| Part { start, end, partner: NONE };
    let mut whole = Vec::with_capacity(parts.len());
    let mut at = edge.start;
    for &part in parts.iter() {
        if part.start > at {
            whole.push(gap(at, part.start));
        }
        whole.push(part);
        at = part.end;
    }
    if at < edge.end {
        whole.push(gap(at, edge.end));
    }
    if whole.len() > parts.len() {
        *parts = whole;
    }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
