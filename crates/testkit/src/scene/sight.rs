//! What a straight line over a scene meets, in exact fractions.

use std::collections::BTreeSet;

use super::{Scene, orient};

impl Scene {
    /// Does a face hold the point at fraction `t[0] / t[1]` of the line `ab`?
    fn holds(&self, f: usize, ab: [[i32; 2]; 2], t: [i128; 2]) -> bool {
        (0..self.faces[f].corners.len()).all(|k| self.side(f, k, ab, t) >= 0)
    }

    /// Does a face hold a point?
    pub fn touches(&self, f: usize, p: [i32; 2]) -> bool {
        self.holds(f, [p, p], [0, 1])
    }

    /// Positive where that point is left of an edge.
    fn side(&self, f: usize, k: usize, [a, b]: [[i32; 2]; 2], t: [i128; 2]) -> i128 {
        let (u, v) = (self.corner(f, k), self.corner(f, k + 1));
        let (sa, sb) = (orient(u, v, a), orient(u, v, b));
        sa * t[1] + (sb - sa) * t[0]
    }

    /// Is that point on an edge, its ends included?
    fn is_on(&self, f: usize, k: usize, ab: [[i32; 2]; 2], t: [i128; 2]) -> bool {
        let (u, v) = (self.corner(f, k), self.corner(f, k + 1));
        let between = |i: usize| {
            let at = i128::from(ab[0][i]) * t[1] + i128::from(ab[1][i] - ab[0][i]) * t[0];
            let (low, high) = (u[i].min(v[i]), u[i].max(v[i]));
            i128::from(low) * t[1] <= at && at <= i128::from(high) * t[1]
        };
        self.side(f, k, ab, t) == 0 && between(0) && between(1)
    }

    /// All faces that are the same ground at that point as those of a set.
    pub fn spread(
        &self,
        set: &BTreeSet<usize>,
        ab: [[i32; 2]; 2],
        t: [i128; 2],
    ) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut stack: Vec<usize> = set.iter().copied().filter(|&f| self.holds(f, ab, t)).collect();
        while let Some(f) = stack.pop() {
            if !all.insert(f) {
                continue;
            }
            for k in 0..self.faces[f].corners.len() {
                if let Some(beyond) = self.open(f, k)
                    && self.is_on(f, k, ab, t)
                {
                    stack.push(beyond);
                }
            }
        }
        all
    }

    /// Faces that a straight line from `a` to `b` can end in.
    ///
    /// `set` holds the faces where it can begin. All choices are followed.
    pub fn walk(&self, set: &BTreeSet<usize>, a: [i32; 2], b: [i32; 2]) -> BTreeSet<usize> {
        let ab = [a, b];
        let mut times = vec![[0, 1], [1, 1]];
        for f in 0..self.faces.len() {
            for k in 0..self.faces[f].corners.len() {
                let (u, v) = (self.corner(f, k), self.corner(f, k + 1));
                let (sa, sb) = (orient(u, v, a), orient(u, v, b));
                if (sa < 0 && sb > 0) || (sa > 0 && sb < 0) {
                    times.push([sa.abs(), (sa - sb).abs()]);
                }
            }
        }
        times.sort_by(|s, t| (s[0] * t[1]).cmp(&(t[0] * s[1])));
        times.dedup_by(|s, t| s[0] * t[1] == t[0] * s[1]);
        let mut set = self.spread(set, ab, [0, 1]);
        for w in times.windows(2) {
            let middle = [w[0][0] * w[1][1] + w[1][0] * w[0][1], 2 * w[0][1] * w[1][1]];
            set.retain(|&f| self.holds(f, ab, middle));
            if set.is_empty() {
                break;
            }
            set = self.spread(&set, ab, middle);
            set = self.spread(&set, ab, w[1]);
        }
        set
    }

    /// Is the straight line from one point to another free?
    ///
    /// It may touch walls and run along them.
    pub fn sees(&self, from: usize, a: [i32; 2], to: usize, b: [i32; 2]) -> bool {
        let ends = self.spread(&BTreeSet::from([to]), [b, b], [0, 1]);
        !self.walk(&BTreeSet::from([from]), a, b).is_disjoint(&ends)
    }
}
