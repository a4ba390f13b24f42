//! Passages about as wide as the agent, which are closed.
//!
//! Levels built on a grid are full of doorways of exactly two radii. Rounding moves their walls by
//! up to a grid unit, and capsules are round only within [`super::capsule`]'s tolerance, so such
//! doorways would be open or closed by chance. Between two segments that are at most two radii and
//! [`PASSAGE_ROUNDING`] apart there is a *plug*: a further segment halfway, with a small radius,
//! that fills whatever their capsules leave between them.

use navbake_geom::Whole;
use navbake_level::{PASSAGE_REPORTED, PASSAGE_ROUNDING};

use crate::exact::math::{V2, boxes_meet, length, lerp, max, min};
use crate::exact::measures::Measures;
use crate::exact::sampling::SamplingGrid;
use crate::exact::segment::Segment;

use super::Clearance;
use super::capsule::NARROWEST;

/// A passage that is closed because it is at most about two radii wide, within rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NarrowPassage {
    /// Where its narrowest part begins and ends, halfway between the walls: x, y, z in grid units.
    pub ends: [[i32; 3]; 2],
    /// From wall to wall, in grid units.
    pub width: i32,
}

/// A passage that is closed, and the segment that closes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plug {
    pub(crate) segment: Segment,
    /// From wall to wall.
    width: f64,
}

impl Plug {
    /// The radius of plugs: it covers half of what capsules may leave between two segments.
    pub(crate) fn radius(measures: &Measures) -> f64 {
        measures.radius * (1.0 - NARROWEST) + PASSAGE_ROUNDING + 2.0
    }

    /// May its axis meet a box?
    fn meets(&self, bounds: [f64; 4]) -> bool {
        let Segment { a, b, .. } = self.segment;
        boxes_meet([min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])], bounds)
    }

    /// The passage, if reports name it.
    pub(crate) fn passage(&self, measures: &Measures) -> Option<NarrowPassage> {
        let Segment { a, b, heights } = self.segment;
        (self.width >= 2.0 * measures.radius - PASSAGE_REPORTED).then(|| NarrowPassage {
            ends: [[a[0], heights[0], -a[1]], [b[0], heights[1], -b[1]]]
                .map(|p| p.map(Whole::to_nearest)),
            width: self.width.to_nearest(),
        })
    }
}

/// The plugs between segments whose capsules share one of some squares.
pub(super) fn plugs<'s>(
    grid: &SamplingGrid,
    clearance: &Clearance,
    squares: &[u32],
    segment: impl Fn(u32) -> &'s Segment,
    measures: &Measures,
) -> Vec<Plug> {
    let most = 2.0 * measures.radius + PASSAGE_ROUNDING;
    let least = 2.0 * measures.radius * NARROWEST - PASSAGE_ROUNDING;
    // A plug that reaches an edge is found in both squares beside it, which may be of two tiles.
    let beside = 1.1 * Plug::radius(measures) + 2.0;
    // The middle of a square is at most as far from the axis of such a plug, and so are the nearest
    // places of both segments from those of the middle.
    let off = 0.7072 * measures.cell + 1.5 * beside;
    let (mut pairs, mut feet) = (vec![], vec![]);
    for &square in squares {
        let middle = grid.place(square).map(|v| v + measures.cell / 2.0);
        feet.clear();
        let to_foot = |&k: &u32| (foot(segment(k), middle), k);
        let is_far = |f: &(V2, u32)| !is_nearer(f.0, middle, least - most / 2.0 - off);
        feet.extend(clearance.around(square).iter().map(to_foot).filter(is_far));
        for (k, &(to, j)) in feet.iter().enumerate() {
            for &(from, i) in &feet[..k] {
                if is_nearer(to, from, least - 2.0 * off) {
                    continue;
                }
                let pair = [i.min(j), i.max(j)];
                let [p, q] = pair.map(&segment);
                let mut ends = [(p.a, q.a), (p.a, q.b), (p.b, q.a), (p.b, q.b)].into_iter();
                if !ends.any(|(a, b)| is_nearer(a, b, least)) {
                    pairs.push((pair, square));
                }
            }
        }
    }
    pairs.sort_unstable();
    let plug_of = |in_squares: &[([u32; 2], u32)]| {
        let [p, q] = in_squares[0].0.map(&segment);
        let plug = plug(p, q, [least, most], measures.climb)?;
        let is_in = |&(_, square): &([u32; 2], u32)| {
            let ([x, y], far) = (grid.place(square), measures.cell + beside);
            plug.meets([x - beside, y - beside, x + far, y + far])
        };
        in_squares.iter().any(is_in).then_some(plug)
    };
    pairs.chunk_by(|a, b| a.0 == b.0).filter_map(plug_of).collect()
}

/// Is the distance of two places less than a length?
fn is_nearer(a: V2, b: V2, than: f64) -> bool {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    than > 0.0 && x * x + y * y < than * than
}

/// The plug between two segments, if their distance is within a range.
fn plug(p: &Segment, q: &Segment, [least, most]: [f64; 2], climb: f64) -> Option<Plug> {
    let ends = [(p.a, q), (p.b, q), (q.a, p), (q.b, p)];
    let ties = ends.map(|(end, other)| {
        let foot = foot(other, end);
        (length([end[0] - foot[0], end[1] - foot[1]]), end, foot)
    });
    let nearest = ties.iter().min_by(|s, t| s.0.total_cmp(&t.0))?;
    if nearest.0 < least || nearest.0 > most || cross(p, q) {
        return None;
    }
    // Between parallel walls, all of the part where they face each other.
    let middles = ties.iter().filter(|t| t.0 <= most).map(|t| lerp(t.1, t.2, 0.5));
    let far = |m: V2, n: V2| length([n[0] - m[0], n[1] - m[1]]);
    let first = lerp(nearest.1, nearest.2, 0.5);
    let ends_from = |from: V2| {
        middles.clone().max_by(|&m, &n| far(from, m).total_cmp(&far(from, n))).unwrap_or(from)
    };
    let mut a = ends_from(first);
    let mut b = ends_from(a);
    if far(a, b) < 1.0 {
        // Across the passage.
        let [x, y] = [nearest.2[0] - nearest.1[0], nearest.2[1] - nearest.1[1]];
        let way = [-y / nearest.0, x / nearest.0];
        [a, b] = [-1.0, 1.0].map(|far| [first[0] + far * way[0], first[1] + far * way[1]]);
    }
    let height = |m: V2| [p, q].map(|s| s.apart(m).1);
    let heights = [a, b].map(height);
    if heights.iter().any(|[u, v]| (u - v).abs() > climb) {
        return None;
    }
    let segment = Segment { a, b, heights: heights.map(|[u, v]| (u + v) / 2.0) };
    Some(Plug { segment: segment.upwards(), width: nearest.0 })
}

/// The point of a segment nearest to a place.
fn foot(s: &Segment, p: V2) -> V2 {
    let along = [s.b[0] - s.a[0], s.b[1] - s.a[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let t = ((p[0] - s.a[0]) * along[0] + (p[1] - s.a[1]) * along[1]) / square;
    lerp(s.a, s.b, t.clamp(0.0, 1.0))
}

/// Do two segments cross?
fn cross(p: &Segment, q: &Segment) -> bool {
    let side = |s: &Segment, v: V2| {
        (s.b[0] - s.a[0]) * (v[1] - s.a[1]) - (s.b[1] - s.a[1]) * (v[0] - s.a[0])
    };
    let parts = |s: &Segment, t: &Segment| side(s, t.a) * side(s, t.b) < 0.0;
    parts(p, q) && parts(q, p)
}
