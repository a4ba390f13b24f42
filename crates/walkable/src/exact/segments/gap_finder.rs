//! Gaps in the ground that agents step over.

use crate::exact::input::{Triangle, Triangles};
use crate::exact::math::{V2, length, lerp};

/// Looks for gap_finder; keeps room to work in.
#[derive(Debug, Default)]
pub(crate) struct GapFinder {
    near: Vec<u32>,
}

impl GapFinder {
    /// Is a place without ground in a gap: straight beside an edge of ground, with other ground
    /// straight across, no further apart than `gap`? Across the corner of a hole ground may be as
    /// near: that is no gap. `y` is the height to look at.
    pub(crate) fn hold(
        &mut self,
        triangles: &Triangles,
        p: V2,
        y: f64,
        climb: f64,
        gap: f64,
    ) -> bool {
        let bounds = [p[0] - gap, p[1] - gap, p[0] + gap, p[1] + gap];
        let (low, high) = (y - climb - 1.0, y + climb + 1.0);
        triangles.collect(bounds, low, high, &mut self.near);
        let is_near = |triangle: &Triangle, q: V2| (low..=high).contains(&triangle.at(q));
        let all = || self.near.iter().map(|&i| (i, &triangles.all[i as usize]));
        let mut edges = all().flat_map(|(i, triangle)| (0..3).map(move |k| (i, triangle, k)));
        edges.any(|(i, triangle, k)| {
            if triangle.kinds[k].ground_on_both {
                return false;
            }
            let Some(foot) = foot(triangle, k, p, gap).filter(|&foot| is_near(triangle, foot))
            else {
                return false;
            };
            let far = length([p[0] - foot[0], p[1] - foot[1]]);
            let end = lerp(foot, p, gap / far);
            let mut others = all().filter(|&(j, _)| j != i);
            others.any(|(_, other)| {
                let on = other.cut(p, end, 0.0, 1.0, &[0.0; 3]);
                on.is_some_and(|(t, _)| is_near(other, lerp(p, end, t)))
            })
        })
    }
}

/// The place on an edge that another is straight beside, outside of it and nearer than `limit`.
fn foot(triangle: &Triangle, k: usize, p: V2, limit: f64) -> Option<V2> {
    let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
    let along = [b[0] - a[0], b[1] - a[1]];
    let long = length(along);
    let outside = -triangle.inside_of(k, p) / long;
    let t = ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / (long * long);
    let is_beside = outside > 0.0 && outside < limit && (0.0..=1.0).contains(&t);
    is_beside.then(|| lerp(a, b, t))
}
