//! Places in a polygon where the ground may bend: its breaklines.
//!
//! A polygon is flat or nearly so, and the ground below it is made of triangles. Their planes meet
//! in edges, so heights can only change slope at an edge, and the largest deviation from any
//! surface stretched over the polygon is at a corner of a triangle, or where an edge leaves the
//! polygon. To compare such a surface with the ground it is enough to sample those places:
//!
//! ```text
//!    polygon                    C corner of a triangle inside the polygon
//!   .--------B--------.         B where an edge crosses the border of the polygon
//!   |       /         |         A further places on long edges
//!   |      C---A---A--B         s both sides of an edge that may be a step, since the ground
//!   |   ssss\ssss     |           has two heights there
//!   |        \        |
//!   '---------B-------'
//! ```
//!
//! An edge with ground on both sides belongs to two triangles and is sampled by one of them. An
//! edge with ground on one side may be a step: a place exactly on it would get either height, so
//! places a little to the right and to the left are sampled, and around its ends as well.
//!
//! The caller gets the samples triangle by triangle, and compares them with the plane of the
//! triangle ([`Ground::plane_height`]); triangles in a slab around a plane are skipped on request.

use navbake_geom::{Point, Whole};

use super::Ground;
use crate::exact::input::Triangle;
use crate::exact::math::{V2, length, lerp, min};

/// A place where heights may sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreaklineSample {
    /// Where, grid units.
    pub place: Point,
    /// What the place is of the triangle.
    pub kind: BreaklineKind,
    /// Is everything within the requested distance along x and z inside the polygon? False if
    /// unknown.
    pub deep: bool,
    /// Beside a step along an axis: the direction from it along x and z, -1, 0 or 1.
    pub away: [i8; 2],
}

/// What a place is where the ground may bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BreaklineKind {
    /// A corner of the triangle.
    Corner,
    /// Beside an edge that may be a step: to its right and to its left in turns, from its beginning
    /// on.
    Beside,
    /// Diagonally beyond a corner of the triangle, off an edge that may be a step.
    Beyond,
    /// On an edge of the triangle, where it meets the edge of the polygon from this corner on.
    Border(u32),
    /// Further on an edge of the triangle.
    Along,
    /// A corner of the triangle outside of the polygon.
    Outside,
}

/// Which triangles are sampled, and where beside them.
#[derive(Clone, Copy, Debug)]
pub struct BreaklineSettings {
    /// Triangles with all corners in this slab, and ground beyond all their edges, are skipped:
    /// `height = plane[0] x + plane[1] z + plane[2]`, at most `plane[3]` away.
    pub plane: Option<[f64; 4]>,
    /// Triangles without any of these heights are passed over.
    pub heights: [f64; 2],
    /// Distance of samples from a step that does not follow an axis, grid units.
    pub beside: f64,
    /// How far [`BreaklineSample::deep`] looks, grid units.
    pub deep: f64,
    /// Distance between samples on steps, grid units, above 0; it is doubled on other edges.
    pub apart: f64,
}

/// An edge follows an axis if it leaves it by no more than this share of its length.
const SLANT: f64 = 0.001;

/// Room to work in for [`Ground::breaklines`], to be used again.
#[derive(Debug, Default)]
pub struct BreaklineScratch {
    sides: Vec<Side>,
    /// For each side of the polygon: how far inside it a triangle's corners are, times its length.
    inside: Vec<[f64; 3]>,
    breaklines: Vec<BreaklineSample>,
}

/// A side of a polygon.
#[derive(Clone, Copy, Debug)]
struct Side {
    from: V2,
    along: V2,
    /// The measure inside the side at the distance of deep places.
    deep: f64,
}

impl Ground {
    /// Appends ground triangles near a convex polygon, in no order, for [`Ground::breaklines`].
    ///
    /// The order of their indices depends on the level alone.
    pub fn near(&self, corners: &[Point], near: &mut Vec<u32>) {
        let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for &corner in corners {
            for (axis, c) in flat(corner).into_iter().enumerate() {
                bounds[axis] = bounds[axis].min(c);
                bounds[axis + 2] = bounds[axis + 2].max(c);
            }
        }
        let wanted = self.triangles.wanted(bounds, f64::MIN, f64::MAX);
        self.triangles.ground_near(&wanted, |e| near.push(e.index()));
    }

    /// Edges of a triangle of [`Ground::near`] with ground on one side only: where steps may be.
    pub fn loose_edges(&self, triangle: u32) -> impl Iterator<Item = [Point; 2]> {
        let triangle = &self.triangles.all[triangle as usize];
        let corner = |k: usize| {
            let [x, z] = triangle.flat(k).map(Whole::to_nearest);
            Point::new(x, -z)
        };
        let loose = (0..3).filter(|&k| !triangle.kinds[k].ground_on_both);
        loose.map(move |k| [corner(k), corner(k + 1)])
    }

    /// Samples the breaklines in a convex polygon, triangle by triangle.
    ///
    /// `corners` are counter-clockwise seen from above; `near` are the triangles of
    /// [`Ground::near`]. `f` gets a triangle and its samples: its corners, its edges and where
    /// these cross the polygon's border, both sides of steps, and corners outside, if the triangle
    /// reaches into the polygon. It ends the search by returning false.
    pub fn breaklines(
        &self,
        near: &[u32],
        corners: &[Point],
        settings: &BreaklineSettings,
        room: &mut BreaklineScratch,
        mut f: impl FnMut(u32, &[BreaklineSample]) -> bool,
    ) {
        let BreaklineScratch { sides, inside, breaklines } = room;
        let ring = |k: usize| flat(corners[k % corners.len()]);
        sides.clear();
        sides.extend((0..corners.len()).map(|k| {
            let (p, q) = (ring(k), ring(k + 1));
            let along = [q[0] - p[0], q[1] - p[1]];
            Side { from: p, along, deep: settings.deep * (along[0].abs() + along[1].abs()) }
        }));
        for &i in near {
            let triangle = &self.triangles.all[i as usize];
            if triangle.low > settings.heights[1] || triangle.high < settings.heights[0] {
                continue;
            }
            // Other ground may begin at its edges, and have none of its own in the polygon.
            let may_end = triangle.kinds.iter().any(|kind| !kind.ground_on_both);
            if !may_end && settings.plane.is_some_and(|plane| lies_in(triangle, plane)) {
                continue;
            }
            let Some(held) = measure(triangle, sides, inside) else {
                continue;
            };
            breaklines.clear();
            of_triangle(triangle, inside, held, settings, breaklines);
            if !breaklines.is_empty() && !f(i, breaklines) {
                return;
            }
        }
    }
}

/// The breaklines of one triangle in a polygon.
fn of_triangle(
    triangle: &Triangle,
    inside: &[[f64; 3]],
    Held { held, deep }: Held,
    settings: &BreaklineSettings,
    out: &mut Vec<BreaklineSample>,
) {
    let apart = settings.apart;
    let mut reaches_in = false;
    for k in 0..3 {
        let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
        // The edge after this one begins with its end.
        if held[k] {
            push(a, BreaklineKind::Corner, deep[k], out);
            reaches_in = true;
        } else {
            push(a, BreaklineKind::Outside, false, out);
        }
        let both = triangle.kinds[k].ground_on_both;
        if both && b < a {
            // The triangle on the other side samples this edge.
            continue;
        }
        let part = match held[k] && held[(k + 1) % 3] {
            true => Some([(0.0, None), (1.0, None)]),
            false => clip(inside, k),
        };
        let Some([(from, leaves), (to, enters)]) = part else {
            continue;
        };
        reaches_in = true;
        if !both {
            step(a, b, [from, to], settings, out);
        }
        for (t, side) in [(from, leaves), (to, enters)] {
            if let Some(side) = side {
                push(lerp(a, b, t), BreaklineKind::Border(side), false, out);
            }
        }
        let long = length([b[0] - a[0], b[1] - a[1]]) * (to - from);
        if long > apart / 2.0 {
            let pieces = (long / (2.0 * apart)).ceil().max(2.0);
            // Places between deep places are deep.
            let deep = deep[k] && deep[(k + 1) % 3];
            let mut n = 1.0;
            while n < pieces {
                let t = from + (to - from) * n / pieces;
                push(lerp(a, b, t), BreaklineKind::Along, deep, out);
                n += 1.0;
            }
        }
    }
    if !reaches_in {
        out.clear();
    }
}

/// Places on both sides of an edge that may be a step, and beyond its ends.
fn step(
    a: V2,
    b: V2,
    [from, to]: [f64; 2],
    settings: &BreaklineSettings,
    out: &mut Vec<BreaklineSample>,
) {
    let BreaklineSettings { beside, apart, .. } = *settings;
    let along = [b[0] - a[0], b[1] - a[1]];
    let long = length(along);
    if long < 1.0 {
        return;
    }
    let normal = [along[1] / long, -along[0] / long];
    // On an axis, the next places of the grid on both sides are one unit away. Beside other edges
    // the distances vary, and places so near would not be on one line.
    let follows = normal[0].abs().min(normal[1].abs()) <= SLANT;
    let distance = if follows { 1.0 } else { beside };
    let sign = |v: f64| (v.signum() as i8) * i8::from(follows && v.abs() > SLANT);
    let away = [sign(normal[0]), sign(-normal[1])];
    let normal = normal.map(|v| v * distance);
    // Around the ends as well: else heights are sampled on both sides of an end, and a line of them
    // leads out between.
    let ahead = [-normal[1], normal[0]];
    for (end, ahead) in [(from, ahead.map(|v| -v)), (to, ahead)] {
        if end == 0.0 || end == 1.0 {
            let p = lerp(a, b, end);
            let p = [0, 1].map(|k| p[k] + normal[k] + ahead[k]);
            push(p, BreaklineKind::Beyond, false, out);
            if let Some(sample) = out.last_mut() {
                let [x, z] = [sign(ahead[0]), sign(-ahead[1])];
                sample.away = [away[0] + x, away[1] + z];
            }
        }
    }
    // The ends are sampled on this edge, not beyond it, if it is long enough.
    let inset = (beside / long).min((to - from) / 4.0);
    let (from, to) = (from + inset, to - inset);
    let pieces = ((to - from) * long / apart).ceil().max(1.0);
    let mut k = 0.0;
    while k <= pieces {
        let p = lerp(a, b, from + (to - from) * k / pieces);
        let (right, left) =
            ([p[0] + normal[0], p[1] + normal[1]], [p[0] - normal[0], p[1] - normal[1]]);
        for (p, away) in [(right, away), (left, away.map(|a| -a))] {
            push(p, BreaklineKind::Beside, false, out);
            if let Some(sample) = out.last_mut() {
                sample.away = away;
            }
        }
        k += 1.0;
    }
}

fn flat(p: Point) -> V2 {
    [f64::from(p.x), f64::from(-p.z)]
}

fn push(p: V2, kind: BreaklineKind, deep: bool, out: &mut Vec<BreaklineSample>) {
    let [x, z] = p.map(Whole::to_nearest);
    out.push(BreaklineSample { place: Point::new(x, -z), kind, deep, away: [0; 2] });
}

fn lies_in(triangle: &Triangle, plane: [f64; 4]) -> bool {
    triangle
        .corners
        .iter()
        .all(|c| (plane[0] * c[0] - plane[1] * c[1] + plane[2] - c[2]).abs() <= plane[3])
}

/// Which corners of a triangle are in a polygon, and which are deep in it.
#[derive(Clone, Copy, Debug)]
struct Held {
    held: [bool; 3],
    deep: [bool; 3],
}

/// How far inside each side the corners of a triangle are; `None` if all are outside one side.
fn measure(triangle: &Triangle, sides: &[Side], inside: &mut Vec<[f64; 3]>) -> Option<Held> {
    inside.clear();
    let corners = [0, 1, 2].map(|k| triangle.flat(k));
    // The minimum over all sides, and the minimum of what exceeds the deep distance.
    let (mut least, mut deep) = ([f64::INFINITY; 3], [f64::INFINITY; 3]);
    for side in sides {
        let off =
            |v: V2| side.along[0] * (v[1] - side.from[1]) - side.along[1] * (v[0] - side.from[0]);
        let d = corners.map(off);
        if (d[0] < 0.0) & (d[1] < 0.0) & (d[2] < 0.0) {
            return None;
        }
        for k in 0..3 {
            least[k] = min(least[k], d[k]);
            deep[k] = min(deep[k], d[k] - side.deep);
        }
        inside.push(d);
    }
    let (held, deep) = (least.map(|d| d >= 0.0), deep.map(|d| d >= 0.0));
    Some(Held { held, deep })
}

/// The part of edge `k` of a triangle in a convex ring: its ends, and the sides of the ring that
/// cut it there.
fn clip(inside: &[[f64; 3]], k: usize) -> Option<[(f64, Option<u32>); 2]> {
    let (mut from, mut to) = ((0.0f64, None), (1.0f64, None));
    for (s, d) in (0u32..).zip(inside) {
        let (d0, d1) = (d[k], d[(k + 1) % 3]);
        if (d0 >= 0.0) & (d1 >= 0.0) {
            continue;
        }
        if (d0 < 0.0) & (d1 < 0.0) {
            return None;
        }
        let t = d0 / (d0 - d1);
        if d0 < 0.0 && t > from.0 {
            from = (t, Some(s));
        } else if d1 < 0.0 && t < to.0 {
            to = (t, Some(s));
        }
    }
    (to.0 >= from.0).then_some([from, to])
}
