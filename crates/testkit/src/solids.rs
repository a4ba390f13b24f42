//! Obstacles in plain vectors, and slow, plain computations on them.

use crate::Random;

/// An upright prism over the convex hull of some points, or a cylinder around one. Points are
/// `[x, z]`, in metres.
#[derive(Clone, Debug)]
pub struct Solid {
    pub corners: Vec<[f64; 2]>,
    pub radius: f64,
    pub heights: [f64; 2],
}

/// A number from 0 to `most`, a multiple of an eighth: contact with cells of one metre is exact,
/// and an overlap is no sliver.
fn eighth(random: &mut Random, most: f64) -> f64 {
    (random.unit() * most * 8.0).round() / 8.0
}

impl Solid {
    /// One somewhere on a map of a size, or beside it: a cylinder, a box in line with cells of one
    /// metre, or a prism with up to 12 corners. Some are above or below the ground at 0.
    pub fn new(random: &mut Random, [wide, deep]: [f64; 2]) -> Solid {
        let at = [eighth(random, wide + 4.0) - 2.0, eighth(random, deep + 4.0) - 2.0];
        let low = [-3.0, -0.5, 1.0, 1.75, 2.5][random.below(5)];
        let heights = [low, low + [0.5, 2.0][random.below(2)]];
        if random.chance(25) {
            let radius = 0.25 + eighth(random, 1.5);
            return Solid { corners: vec![at], radius, heights };
        }
        let mut corners: Vec<[f64; 2]> = (0..3 + random.below(10))
            .map(|_| [at[0] + eighth(random, 3.0) - 1.5, at[1] + eighth(random, 3.0) - 1.5])
            .collect();
        if random.chance(40) {
            let [x, z] = at.map(f64::floor);
            let [far_x, far_z] = [x + 1.0 + random.below(3) as f64, z + 1.0];
            corners = vec![[x, z], [far_x, z], [far_x, far_z], [x, far_z]];
        }
        match area(&hull(&corners)) == 0.0 {
            true => Solid::new(random, [wide, deep]),
            false => Solid { corners, radius: 0.0, heights },
        }
    }

    /// Has it an inner point in common with a convex ring? By clipping, or by the distance.
    pub fn overlaps(&self, ring: &[[f64; 2]]) -> bool {
        if self.radius > 0.0 {
            return gap(&self.corners, ring) < self.radius - 1e-9;
        }
        let sense = area(ring).signum();
        let mut part = hull(&self.corners);
        for (k, &a) in ring.iter().enumerate() {
            part = beside(&part, a, ring[(k + 1) % ring.len()], sense);
        }
        area(&part).abs() > 1e-9
    }

    /// How far it is from a convex ring, or from a point; below 0 by how much they overlap.
    pub fn gap(&self, ring: &[[f64; 2]]) -> f64 {
        gap(&hull(&self.corners), ring) - self.radius
    }
}

fn cross(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// The convex hull by wrapping.
pub fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut first = points[0];
    for &p in points {
        if p < first {
            first = p;
        }
    }
    let mut ring = vec![first];
    loop {
        let at = ring[ring.len() - 1];
        let mut next = at;
        for &p in points.iter().filter(|&&p| p != at) {
            let side = cross(at, next, p);
            let far = |q: [f64; 2]| (q[0] - at[0]).hypot(q[1] - at[1]);
            if next == at || side < 0.0 || (side == 0.0 && far(p) > far(next)) {
                next = p;
            }
        }
        if next == first || next == at || ring.len() > points.len() {
            return ring;
        }
        ring.push(next);
    }
}

/// The part of a ring on one side of a line.
fn beside(ring: &[[f64; 2]], a: [f64; 2], b: [f64; 2], sense: f64) -> Vec<[f64; 2]> {
    let mut part = vec![];
    for (k, &p) in ring.iter().enumerate() {
        let q = ring[(k + 1) % ring.len()];
        let (s, t) = (sense * cross(a, b, p), sense * cross(a, b, q));
        if s >= 0.0 {
            part.push(p);
        }
        if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
            let at = s / (s - t);
            part.push([p[0] + at * (q[0] - p[0]), p[1] + at * (q[1] - p[1])]);
        }
    }
    part
}

fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

/// The distance of two convex rings, segments or points; below 0 by how much they overlap.
fn gap(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let mut apart = f64::INFINITY;
    for (points, ring) in [(a, b), (b, a)] {
        for p in points {
            for (k, &from) in ring.iter().enumerate() {
                let to = ring[(k + 1) % ring.len()];
                let d = [to[0] - from[0], to[1] - from[1]];
                let off = [p[0] - from[0], p[1] - from[1]];
                let all = d[0] * d[0] + d[1] * d[1];
                let t = if all > 0.0 { (off[0] * d[0] + off[1] * d[1]) / all } else { 0.0 };
                let t = t.clamp(0.0, 1.0);
                apart = apart.min((off[0] - t * d[0]).hypot(off[1] - t * d[1]));
            }
        }
    }
    if a.len() < 3 && b.len() < 3 {
        return apart;
    }
    let mut depth = f64::INFINITY;
    for ring in [a, b] {
        for (k, &from) in ring.iter().enumerate() {
            let to = ring[(k + 1) % ring.len()];
            let n = [to[1] - from[1], from[0] - to[0]];
            let long = n[0].hypot(n[1]);
            if long > 0.0 {
                let range = |points: &[[f64; 2]]| {
                    let all = points.iter().map(|p| (p[0] * n[0] + p[1] * n[1]) / long);
                    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
                };
                let ((l0, h0), (l1, h1)) = (range(a), range(b));
                depth = depth.min((h0 - l1).min(h1 - l0));
            }
        }
    }
    if depth > 0.0 { -depth } else { apart }
}
