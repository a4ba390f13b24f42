//! The ground of a level by its own triangles.

use std::collections::HashMap;

use navbake_bake::Config;
use navbake_level::{Scene, Winding};

/// Places that are this close to the ground right above or below are right, m.
const NEAR: f64 = 0.05;
/// The distance of places where the side of a crack is looked for, m; a 30th of the radius where
/// that is more.
const PACE: f64 = 0.02;
/// The directions in which other ground is looked for; even.
const WAYS: u32 = 16;

/// All triangles of a scene, by the squares of the plane that they meet.
pub(super) struct Heights {
    pub(super) climb: f64,
    pub(super) radius: f64,
    height: f64,
    /// The rise of the steepest ground in a metre.
    steep: f64,
    /// Which triangles are ground from below too.
    both_sides: Vec<bool>,
    triangles: Vec<[[f64; 3]; 3]>,
    /// The side of a square, m.
    side: f64,
    squares: HashMap<[i64; 2], Vec<u32>>,
}

impl Heights {
    pub(super) fn new(scene: &Scene, config: &Config) -> Heights {
        let agent = &config.agents[0];
        let both = |&part: &u32| {
            config.winding == Winding::Both || scene.parts[part as usize].double_sided
        };
        let both_sides = scene.triangle_parts.iter().map(both).collect();
        let corners = |t: &[u32; 3]| t.map(|v| scene.vertices[v as usize]);
        let triangles: Vec<[[f64; 3]; 3]> = scene.triangles.iter().map(corners).collect();
        // About as wide as a triangle.
        let wide = |t: &[[f64; 3]; 3], k: usize| {
            let all = t.map(|c| c[k]);
            all.into_iter().fold(f64::MIN, f64::max) - all.into_iter().fold(f64::MAX, f64::min)
        };
        let both: f64 = triangles.iter().map(|t| wide(t, 0) + wide(t, 2)).sum();
        let side = (both / (2 * triangles.len().max(1)) as f64).max(1.0);
        let mut squares: HashMap<[i64; 2], Vec<u32>> = HashMap::new();
        for (number, t) in (0u32..).zip(&triangles) {
            let range = |k: usize| {
                let all = t.map(|c| (c[k] / side).floor() as i64);
                all.into_iter().min().unwrap()..=all.into_iter().max().unwrap()
            };
            for x in range(0) {
                for z in range(2) {
                    squares.entry([x, z]).or_default().push(number);
                }
            }
        }
        let steep = agent.slope.to_radians().tan() + 1e-3;
        let radius = agent.radius.unwrap_or(0.6);
        Heights {
            climb: agent.climb,
            radius,
            height: agent.height,
            steep,
            both_sides,
            triangles,
            side,
            squares,
        }
    }

    /// The heights of all triangles above and below a place that are not covered: none is up to a
    /// climb higher, flat enough and with head room.
    pub(super) fn at(&self, [x, z]: [f64; 2], out: &mut Vec<f64>) {
        let mut all: Vec<(f64, bool, bool)> = vec![];
        let square = [x, z].map(|c| (c / self.side).floor() as i64);
        for &t in self.squares.get(&square).into_iter().flatten() {
            let [a, b, c] = self.triangles[t as usize];
            let cross =
                |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
            let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
            let area = u + v + w;
            let is_inside = u >= 0.0 && v >= 0.0 && w >= 0.0 || u <= 0.0 && v <= 0.0 && w <= 0.0;
            if is_inside && area.abs() > 1e-9 {
                let rise = |k: usize| {
                    let [p, q] = [b, c].map(|q| [q[0] - a[0], q[1] - a[1], q[2] - a[2]]);
                    (p[1] * q[k] - q[1] * p[k]) / area
                };
                let is_ground = rise(0).hypot(rise(2)) <= self.steep;
                let is_front = area < 0.0 || self.both_sides[t as usize];
                all.push(((u * a[1] + v * b[1] + w * c[1]) / area, is_front, is_ground));
            }
        }
        all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut last = f64::INFINITY;
        for (k, &(y, is_front, is_ground)) in all.iter().enumerate() {
            let hits_head = |above: f64| above > y + self.climb && above < y + self.height;
            if is_front && last - y > self.climb {
                out.push(y);
                if is_ground && !all[..k].iter().any(|above| hits_head(above.0)) {
                    last = y;
                }
            }
        }
    }

    /// How far a surface is off the heights of the ground no further than `beside` in plan: from
    /// the least to the greatest of them, at each place that of the nearest triangle.
    ///
    /// Where there is no ground within a climb, the surface bridges a crack. Nothing in the level
    /// says how high it is there. An agent that steps over the crack leaves one side and arrives
    /// at the other, so its cost is right if the surface is between the heights of these two: the
    /// sides straight across, where the crack is narrowest. Other sides within the radius do not
    /// count. Ends of cracks and rounded borders have one side, which is the only height allowed.
    pub(super) fn off(&self, [x, y, z]: [f64; 3], beside: f64) -> f64 {
        let mut all = vec![];
        let mut nearest = |x: f64, z: f64| {
            all.clear();
            self.at([x, z], &mut all);
            let off = all.iter().map(|&h| h - y).min_by(|a, b| a.abs().total_cmp(&b.abs()));
            off.filter(|off| off.abs() <= self.climb)
        };
        let here = nearest(x, z);
        if let Some(off) = here.filter(|off| off.abs() <= NEAR) {
            return off.abs();
        }
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let take = |range: &mut [f64; 2], off: f64| *range = [range[0].min(off), range[1].max(off)];
        let ways = (0..WAYS).map(|k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / f64::from(WAYS)).sin_cos();
            move |far: f64| [x + far * cos, z + far * sin]
        });
        if let Some(here) = here {
            take(&mut range, here);
            for at in ways {
                for [x, z] in [beside / 2.0, beside].map(at) {
                    nearest(x, z).into_iter().for_each(|off| take(&mut range, off));
                }
            }
        } else {
            let pace = PACE.max(self.radius / 30.0);
            let paces = (self.radius / pace) as i32;
            let sides = ways.map(|at| {
                (1..=paces).find_map(|k| {
                    let [x, z] = at(f64::from(k) * pace);
                    Some((k, nearest(x, z)?))
                })
            });
            let sides: Vec<Option<(i32, f64)>> = sides.collect();
            let half = sides.len() / 2;
            let across = (0..half).filter_map(|k| Some([sides[k]?, sides[k + half]?]));
            let width = |pair: &[(i32, f64); 2]| pair[0].0 + pair[1].0;
            if let Some(least) = across.clone().map(|pair| width(&pair)).min() {
                // Each side is found to within a pace.
                let narrowest = across.filter(|pair| width(pair) <= least + 2);
                narrowest.flatten().for_each(|side| take(&mut range, side.1));
            } else if let Some(&side) = sides.iter().flatten().min_by_key(|side| side.0) {
                take(&mut range, side.1);
            }
        }
        range[0].max(-range[1]).max(0.0)
    }
}
