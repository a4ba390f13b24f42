//! Where the area of a layer's ground changes.

use navbake_geom::{Point, Point3, Whole, orient};
use navbake_walkable::Ring;

use super::bands::Kinds;
use super::ground_triangles::{AreaMap, GroundTriangle, SAME};
use crate::layer_heights::LayerHeights;

/// How far to both sides of a line the ground is looked at, grid units.
const ASIDE: f64 = 2.0;
/// Shorter parts of lines are not looked at.
const SHORT: f64 = 1.0;

type Line = [Point; 2];

/// Parts of lines between ground of different areas within a layer's rings: none for most layers.
pub(super) fn creases(rings: &[Ring], heights: &LayerHeights<'_>, kinds: &Kinds<'_>) -> Vec<Line> {
    let map = kinds.map;
    let border = Border::new(rings);
    let Some([x, z]) = border.bounds else {
        return vec![];
    };
    let mut lines = edges(map, x, z);
    lines.extend(crossings(map, x, z));
    lines.extend(kinds.bands.iter().flat_map(|bands| bands.lines()));
    lines.sort_unstable();
    lines.dedup();
    let cuts = Cuts::new(&lines, &border);
    let mut found = vec![];
    for (k, &[a, b]) in lines.iter().enumerate() {
        let [dx, dz] = [f64::from(b.x - a.x), f64::from(b.z - a.z)];
        let long = (dx * dx + dz * dz).sqrt();
        let at = |t: f64| [f64::from(a.x) + t * dx, f64::from(a.z) + t * dz];
        let round = |[x, z]: [f64; 2]| Point::new(x.to_nearest(), z.to_nearest());
        let side = |t: f64, aside: f64| {
            let [x, z] = at(t);
            let p = round([x + aside * dz / long, z - aside * dx / long]);
            let way = [aside * dz, -aside * dx].map(|c| c as i64);
            kinds.at(p, || f64::from(heights.height(p, way)))
        };
        let parts = |from: f64, to: f64| {
            let middle = (from + to) / 2.0;
            (to - from) * long >= SHORT.min(long)
                && border.holds(at(middle))
                && match (side(middle, -ASIDE), side(middle, ASIDE)) {
                    (Some(left), Some(right)) => left != right,
                    _ => false,
                }
        };
        // Runs of parts that do, so that a line has no ends where others cross it to no effect.
        let mut begun: Option<f64> = None;
        let mut from = 0.0;
        for &to in cuts.of(k).iter().chain(&[1.0]) {
            if parts(from, to) {
                begun.get_or_insert(from);
            } else if (to - from) * long >= SHORT
                && let Some(begin) = begun.take()
            {
                found.push([round(at(begin)), round(at(from))]);
            }
            from = to;
        }
        if let Some(begin) = begun {
            found.push([round(at(begin)), b]);
        }
    }
    found.retain(|[a, b]| a != b);
    found.sort_unstable();
    found.dedup();
    found
}

/// Edges of triangles that no triangle of the same area goes on from, lesser end first.
fn edges(map: &AreaMap, x: [i32; 2], z: [i32; 2]) -> Vec<Line> {
    // Ends in space, orientation, area.
    let mut all: Vec<([Point3; 2], u8, bool)> = vec![];
    for triangle in map.among(x, z).into_iter().map(|f| &map.triangles[f as usize]) {
        for k in 0..3 {
            let (a, b) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
            let [p, q] = [a.flat(), b.flat()];
            let (ex, ez) = ([p.x.min(q.x), p.x.max(q.x)], [p.z.min(q.z), p.z.max(q.z)]);
            let apart = ex[1] < x[0] || ex[0] > x[1] || ez[1] < z[0] || ez[0] > z[1];
            if !apart && map.is_mixed(ex.grown(), ez.grown()) {
                all.push(([a.min(b), a.max(b)], triangle.area, a < b));
            }
        }
    }
    all.sort_unstable();
    let mut lines = vec![];
    for same in all.chunk_by(|a, b| a.0 == b.0) {
        let [a, b] = same[0].0.map(Point3::flat);
        let goes_on = same.len() == 2 && same[0].1 == same[1].1 && same[0].2 != same[1].2;
        if !goes_on && a != b {
            lines.push([a.min(b), a.max(b)]);
        }
    }
    lines
}

trait Grown {
    fn grown(self) -> Self;
}

impl Grown for [i32; 2] {
    fn grown(self) -> [i32; 2] {
        [self[0] - 64, self[1] + 64]
    }
}

/// Lines along which one triangle comes out of another of a different area: a lake's surface and
/// its shore.
fn crossings(map: &AreaMap, x: [i32; 2], z: [i32; 2]) -> Vec<Line> {
    let mut lines = vec![];
    for i in map.among(x, z) {
        let triangle = &map.triangles[i as usize];
        let [fx, fz, fy] = triangle.bounds();
        if !map.is_mixed(fx, fz) {
            continue;
        }
        for j in map.among(fx, fz).into_iter().filter(|&j| j > i) {
            let other = &map.triangles[j as usize];
            let [ox, oz, oy] = other.bounds();
            let meet =
                |a: [i32; 2], b: [i32; 2], room: i32| a[0] <= b[1] + room && b[0] <= a[1] + room;
            if triangle.area == other.area
                || !(meet(fx, ox, 0) && meet(fz, oz, 0) && meet(fy, oy, 2))
            {
                continue;
            }
            lines.extend(match triangle.area > other.area {
                true => crossing(triangle, other),
                false => crossing(other, triangle),
            });
        }
    }
    lines
}

/// Where a triangle goes under another one of a lesser area, where it is below it by more than the
/// tolerance for equal heights.
fn crossing(greater: &GroundTriangle, lesser: &GroundTriangle) -> Option<Line> {
    let [gx, gz] = greater.slope();
    let [lx, lz] = lesser.slope();
    let slope = [gx - lx, gz - lz];
    let steep = slope[0] * slope[0] + slope[1] * slope[1];
    if steep < 1e-12 {
        return None;
    }
    let o = greater.flat[0];
    let o = [f64::from(o.x), f64::from(o.z)];
    let off = greater.at(o) - lesser.at(o) + SAME;
    let from = [0, 1].map(|k| o[k] - off * slope[k] / steep);
    let way = [-slope[1], slope[0]].map(|c| c / steep.sqrt());
    // The part of the line inside both.
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for t in [greater.flat, lesser.flat] {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            let edge = [f64::from(b.x - a.x), f64::from(b.z - a.z)];
            let away = [from[0] - f64::from(a.x), from[1] - f64::from(a.z)];
            // As `orient`: positive to the left seen from above.
            let inside = edge[1] * away[0] - edge[0] * away[1];
            let gain = edge[1] * way[0] - edge[0] * way[1];
            if gain > 0.0 {
                low = low.max(-inside / gain);
            } else if gain < 0.0 {
                high = high.min(-inside / gain);
            } else if inside < 0.0 {
                return None;
            }
        }
    }
    if !(low < high && low.is_finite() && high.is_finite()) {
        return None;
    }
    let at = |t: f64| {
        let [x, z] = [0, 1].map(|k| (from[k] + t * way[k]).to_nearest());
        Point::new(x, z)
    };
    let (a, b) = (at(low), at(high));
    (a != b).then_some([a.min(b), a.max(b)])
}

/// The rings of a layer, for point-in-ring tests.
pub(super) struct Border {
    edges: Vec<Line>,
    /// Edges by bands of z.
    bands: Vec<Vec<u32>>,
    /// Least and greatest x and z.
    bounds: Option<[[i32; 2]; 2]>,
}

const BANDS: i64 = 128;

impl Border {
    pub(super) fn new(rings: &[Ring]) -> Border {
        let mut edges = vec![];
        for ring in rings {
            let n = ring.points.len();
            edges.extend((0..n).map(|i| [ring.points[i], ring.points[(i + 1) % n]]));
        }
        let span = |of: fn(&Point) -> i32| {
            let all = || rings.iter().flat_map(|r| &r.points).map(of);
            Some([all().min()?, all().max()?])
        };
        let bounds = span(|p| p.x).zip(span(|p| p.z)).map(|(x, z)| [x, z]);
        let mut border = Border { edges, bands: vec![vec![]; BANDS as usize], bounds };
        for (k, &[a, b]) in border.edges.clone().iter().enumerate() {
            let (from, to) = (a.z.min(b.z), a.z.max(b.z));
            for band in border.band(from.into())..=border.band(to.into()) {
                border.bands[band].push(k as u32);
            }
        }
        border
    }

    fn band(&self, z: f64) -> usize {
        let [low, high] = self.bounds.map_or([0; 2], |b| b[1]);
        let part = (z - f64::from(low)) / (f64::from(high) - f64::from(low)).max(1.0);
        ((part * BANDS as f64) as i64).clamp(0, BANDS - 1) as usize
    }

    pub(super) fn holds(&self, [x, z]: [f64; 2]) -> bool {
        let crossed = self.bands[self.band(z)].iter().filter(|&&k| {
            let [a, b] = self.edges[k as usize];
            let ([ax, az], [bx, bz]) =
                ([f64::from(a.x), f64::from(a.z)], [f64::from(b.x), f64::from(b.z)]);
            (az <= z) != (bz <= z) && ax + (z - az) / (bz - az) * (bx - ax) > x
        });
        crossed.count() % 2 == 1
    }
}

/// Where lines meet each other and a border: how far along each, ascending.
struct Cuts {
    first: Vec<u32>,
    all: Vec<f64>,
}

impl Cuts {
    fn new(lines: &[Line], border: &Border) -> Cuts {
        let mut pairs: Vec<(u32, f64)> = vec![];
        // By least x, lines before edges of the border; lines have their lesser end first.
        let mut order: Vec<(Line, u32)> = (lines.iter().copied()).zip(0..).collect();
        let edges = border.edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]);
        order.extend(edges.map(|e| (e, u32::MAX)));
        order.sort_unstable();
        for (k, &(own, number)) in order.iter().enumerate() {
            let later = order[k + 1..].iter().take_while(|o| o.0[0].x <= own[1].x + 2);
            for &(other, its) in later {
                if number == u32::MAX && its == u32::MAX {
                    continue;
                }
                let z = |l: Line| [l[0].z.min(l[1].z), l[0].z.max(l[1].z)];
                let (za, zb) = (z(own), z(other));
                if za[1] + 2 < zb[0] || zb[1] + 2 < za[0] {
                    continue;
                }
                for (line, n, beside) in [(own, number, other), (other, its, own)] {
                    if n != u32::MAX {
                        let mut cut = |t: f64| {
                            if t > 0.0 && t < 1.0 {
                                pairs.push((n, t));
                            }
                        };
                        meetings(line, beside, &mut cut);
                    }
                }
            }
        }
        pairs.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut first = vec![0u32; lines.len() + 1];
        for (line, _) in &pairs {
            first[*line as usize + 1] += 1;
        }
        for k in 0..lines.len() {
            first[k + 1] += first[k];
        }
        Cuts { first, all: pairs.into_iter().map(|p| p.1).collect() }
    }

    fn of(&self, line: usize) -> &[f64] {
        &self.all[self.first[line] as usize..self.first[line + 1] as usize]
    }
}

/// Parts of a line where another one crosses it, or ends near to it.
fn meetings([a, b]: Line, [c, d]: Line, cut: &mut impl FnMut(f64)) {
    let (u, v) = (orient(a, b, c), orient(a, b, d));
    let (s, t) = (orient(c, d, a), orient(c, d, b));
    if (u > 0) != (v > 0) && (s > 0) != (t > 0) && u != v {
        cut(s as f64 / (s as f64 - t as f64));
    }
    let [dx, dz] = [f64::from(b.x - a.x), f64::from(b.z - a.z)];
    let square = dx * dx + dz * dz;
    for (p, off) in [(c, u), (d, v)] {
        if (off as f64) * (off as f64) <= 4.0 * square {
            let along = f64::from(p.x - a.x) * dx + f64::from(p.z - a.z) * dz;
            cut(along / square);
        }
    }
}
