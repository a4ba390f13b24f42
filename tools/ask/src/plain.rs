//! A navmesh as plain lists, and slow, plain answers on it: the answers of the runtime are compared
//! with these. No code of the runtime is used.
//!
//! Coordinates are whole grid units, and decisions are exact in 128 bits.

use std::collections::BTreeSet;

use navbake_format::NavMesh;

/// A point of the ground plane, `[x, z]`, grid units.
pub type Point = [i32; 2];

/// Polygons with their corners and the neighbour beyond each edge.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Corners of each polygon, counter-clockwise seen from above.
    pub corners: Vec<Vec<Point>>,
    /// The polygon beyond each edge.
    pub beyond: Vec<Vec<Option<usize>>>,
    /// Whether there is none beyond an edge, counted over all polygons.
    walls: Vec<bool>,
}

/// Positive when `c` is to the left of the line from `a` to `b`, seen from above (z to x is
/// counter-clockwise).
fn side(a: Point, b: Point, c: Point) -> i128 {
    let [ax, az, bx, bz, cx, cz] = [a[0], a[1], b[0], b[1], c[0], c[1]].map(i128::from);
    (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
}

fn within(a: Point, b: Point, p: Point) -> bool {
    (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
}

/// Do two closed segments meet?
fn meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let s = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)].map(i128::signum);
    if s[0] * s[1] < 0 && s[2] * s[3] < 0 {
        return true;
    }
    s[0] == 0 && within(a, b, c)
        || s[1] == 0 && within(a, b, d)
        || s[2] == 0 && within(c, d, a)
        || s[3] == 0 && within(c, d, b)
}

impl Plain {
    /// Reads a view polygon by polygon.
    pub fn new(mesh: &NavMesh<'_>) -> Plain {
        let polygons = || mesh.polygons();
        let corners = polygons().map(|p| (0..p.len()).map(|k| p.corner(k)).collect());
        let beyond = polygons().map(|p| {
            let beyond = |k| p.neighbour(k).map(|n| n.0 as usize);
            (0..p.len()).map(beyond).collect()
        });
        Plain::of(corners.collect(), beyond.collect())
    }

    fn of(corners: Vec<Vec<Point>>, beyond: Vec<Vec<Option<usize>>>) -> Plain {
        let walls = beyond.iter().flatten().map(Option::is_none).collect();
        Plain { corners, beyond, walls }
    }

    fn edge(&self, polygon: usize, k: usize) -> (Point, Point) {
        let all = &self.corners[polygon];
        (all[k], all[(k + 1) % all.len()])
    }

    /// Does the closed polygon hold the point?
    pub fn holds(&self, polygon: usize, p: Point) -> bool {
        (0..self.corners[polygon].len()).all(|k| {
            let (a, b) = self.edge(polygon, k);
            side(a, b, p) >= 0
        })
    }

    /// Is the edge, counted over all polygons, one with nothing beyond?
    pub fn solid(&self, edge: usize) -> bool {
        self.walls.get(edge) == Some(&true)
    }

    /// The place of a polygon nearest to a point of the ground plane, by floats.
    pub fn nearest(&self, polygon: usize, p: [f64; 2]) -> [f64; 2] {
        let float = |p: Point| p.map(f64::from);
        let n = self.corners[polygon].len();
        let inside = (0..n).all(|k| {
            let (a, b) = self.edge(polygon, k);
            let (a, b) = (float(a), float(b));
            (b[1] - a[1]) * (p[0] - a[0]) >= (b[0] - a[0]) * (p[1] - a[1])
        });
        if inside {
            return p;
        }
        let on_edge = |k: usize| {
            let (a, b) = self.edge(polygon, k);
            let (a, b) = (float(a), float(b));
            let d = [b[0] - a[0], b[1] - a[1]];
            let t = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
            let t = t.clamp(0.0, 1.0);
            [a[0] + t * d[0], a[1] + t * d[1]]
        };
        let away = |q: [f64; 2]| (q[0] - p[0]).hypot(q[1] - p[1]);
        let all = (0..n).map(on_edge);
        let best = all.min_by(|a, b| away(*a).total_cmp(&away(*b)));
        best.unwrap_or(p)
    }

    /// Is there a portal from one polygon to the other, with the same two ends on both sides?
    pub fn joined(&self, from: usize, to: usize) -> bool {
        (0..self.corners[from].len()).any(|k| {
            let (a, b) = self.edge(from, k);
            let mut back = 0..self.corners[to].len();
            self.beyond[from][k] == Some(to)
                && back.any(|j| self.beyond[to][j] == Some(from) && self.edge(to, j) == (b, a))
        })
    }

    /// Is each polygon joined to the one before, the first to `start`?
    pub fn chain(&self, start: usize, entered: impl IntoIterator<Item = usize>) -> bool {
        let mut at = start;
        entered.into_iter().all(|next| {
            let joined = self.joined(at, next);
            at = next;
            joined
        })
    }

    /// All polygons that come out of a set over portals that are let through.
    pub fn spread(
        &self,
        from: impl IntoIterator<Item = usize>,
        through: impl Fn(Point, Point) -> bool,
    ) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = from.into_iter().collect();
        let mut open: Vec<usize> = found.iter().copied().collect();
        while let Some(polygon) = open.pop() {
            for k in 0..self.corners[polygon].len() {
                let (a, b) = self.edge(polygon, k);
                if let Some(next) = self.beyond[polygon][k]
                    && through(a, b)
                    && found.insert(next)
                {
                    open.push(next);
                }
            }
        }
        found
    }

    /// The polygons that the straight line from `a` to `b` crosses, starting in one of a set, up to
    /// `b` or as far as possible: all polygons entered over portals that the line meets. Where two
    /// sheets of ground part, both are followed, so order does not matter.
    pub fn along(&self, set: &BTreeSet<usize>, a: Point, b: Point) -> BTreeSet<usize> {
        let begin = set.iter().copied().filter(|&p| self.holds(p, a));
        self.spread(begin, |c, d| meet(a, b, c, d))
    }

    /// Where one can be after walking straight from `a` to `b`.
    pub fn walk(&self, set: &BTreeSet<usize>, a: Point, b: Point) -> BTreeSet<usize> {
        let mut found = self.along(set, a, b);
        found.retain(|&p| self.holds(p, b));
        found
    }

    /// The fraction of the straight line before the end of the last of those polygons, 0 to 1.
    pub fn farthest(&self, over: &BTreeSet<usize>, a: Point, b: Point) -> f64 {
        let leave = |&polygon: &usize| {
            let mut least = 1f64;
            for k in 0..self.corners[polygon].len() {
                let (c, d) = self.edge(polygon, k);
                let (at, to) = (side(c, d, a), side(c, d, b));
                if to < 0 {
                    least = least.min((at as f64 / (at - to) as f64).max(0.0));
                }
            }
            least
        };
        over.iter().map(leave).fold(0.0, f64::max)
    }

    /// Does a path lead over the ground, from one polygon to another? Each leg is walked straight.
    pub fn walkable(&self, from: usize, to: usize, points: &[Point]) -> bool {
        let mut set = BTreeSet::from([from]);
        for leg in points.windows(2) {
            set = self.walk(&set, leg[0], leg[1]);
        }
        let Some(&end) = points.last() else {
            return false;
        };
        self.walk(&set, end, end).contains(&to)
    }

    /// Distance of a point from a segment, squared, as a fraction of whole numbers.
    fn away(a: Point, b: Point, p: Point) -> (i128, i128) {
        let to = |q: Point| [0, 1].map(|k| i128::from(p[k]) - i128::from(q[k]));
        let square = |v: [i128; 2]| v[0] * v[0] + v[1] * v[1];
        let d = [0, 1].map(|k| i128::from(b[k]) - i128::from(a[k]));
        let along = to(a)[0] * d[0] + to(a)[1] * d[1];
        if along <= 0 {
            (square(to(a)), 1)
        } else if along >= square(d) {
            (square(to(b)), 1)
        } else {
            let s = side(a, b, p);
            (s * s, square(d))
        }
    }

    /// The polygons that come over portals no farther from a point than a radius.
    pub fn in_circle(&self, from: usize, p: Point, radius: i64) -> BTreeSet<usize> {
        let square = i128::from(radius) * i128::from(radius);
        self.spread([from], |a, b| {
            let (above, below) = Plain::away(a, b, p);
            above <= square * below
        })
    }

    /// The polygons that come over portals with a place in a convex shape (counter-clockwise):
    /// those whose part on the inner side of each of its sides does not vanish.
    pub fn in_convex(&self, from: usize, shape: &[Point]) -> BTreeSet<usize> {
        self.spread([from], |a, b| {
            // The part of the portal from `low` to `high`, fractions with positive denominators.
            let (mut low, mut high) = ((0i128, 1i128), (1i128, 1i128));
            for k in 0..shape.len() {
                let (c, d) = (shape[k], shape[(k + 1) % shape.len()]);
                let (sa, sb) = (side(c, d, a), side(c, d, b));
                let less = |u: (i128, i128), v: (i128, i128)| u.0 * v.1 < v.0 * u.1;
                match (sa >= 0, sb >= 0) {
                    (true, true) => {}
                    (false, false) => return false,
                    (true, false) => {
                        let t = (sa, sa - sb);
                        high = if less(t, high) { t } else { high };
                    }
                    (false, true) => {
                        let t = (-sa, sb - sa);
                        low = if less(low, t) { t } else { low };
                    }
                }
            }
            low.0 * high.1 <= high.0 * low.1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares side by side, and a third above the first that nothing leads to.
    fn three() -> Plain {
        let square = |x: i32| vec![[x, 0], [x, 8], [x + 8, 8], [x + 8, 0]];
        let beyond =
            vec![vec![None, None, Some(1), None], vec![Some(0), None, None, None], vec![None; 4]];
        Plain::of(vec![square(0), square(8), square(0)], beyond)
    }

    #[test]
    fn straight_ways_lead_over_portals_only() {
        let plain = three();
        let from = |p: usize| BTreeSet::from([p]);
        assert_eq!(plain.walk(&from(0), [1, 1], [15, 7]), from(1));
        assert!(plain.walk(&from(2), [1, 1], [15, 7]).is_empty());
        assert!(plain.walk(&from(0), [1, 1], [15, 9]).is_empty());
        assert_eq!(plain.farthest(&from(0), [0, 4], [16, 4]), 0.5);
        assert!(plain.walkable(0, 1, &[[1, 1], [8, 8], [15, 7]]));
        assert!(!plain.walkable(0, 2, &[[1, 1], [8, 8], [2, 7]]));
        assert!(plain.joined(0, 1) && plain.joined(1, 0) && !plain.joined(0, 2));
    }

    #[test]
    fn shapes_reach_what_they_touch() {
        let plain = three();
        assert_eq!(plain.in_circle(0, [4, 4], 3).len(), 1);
        assert_eq!(plain.in_circle(0, [4, 4], 4).len(), 2);
        assert_eq!(plain.in_convex(0, &[[1, 1], [1, 7], [7, 7]]).len(), 1);
        assert_eq!(plain.in_convex(0, &[[1, 1], [1, 7], [8, 7]]).len(), 2);
    }
}
