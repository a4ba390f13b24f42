//! Culls triangles that are neither ground nor near it: far above all ground around, or below it.

use navbake_geom::Whole;
use navbake_level::Level;

use crate::params::Params;
use navbake_geom::BoxBounds;

/// Squares along the longer side of an area, at the most, as a power of two.
const ALONG: u32 = 6;
/// Triangles farther away from ground than this have no effect on it, in grid units.
const ROOM: i32 = 16;

/// Lowest and highest ground of square after square.
struct Heights {
    least: [i32; 2],
    /// Side of a square, as a power of two.
    shift: u32,
    /// The last square along each axis.
    last: [i32; 2],
    spans: Vec<[i32; 2]>,
}

/// No ground.
const NONE: [i32; 2] = [i32::MAX, i32::MIN];

impl Heights {
    /// Squares without ground over an area.
    fn new(least: [i32; 2], most: [i32; 2]) -> Heights {
        let extent = [0, 1].map(|axis| most[axis] - least[axis]);
        let longer = extent[0].max(extent[1]);
        let shift = (0..31).find(|s| longer >> s < 1 << ALONG).unwrap_or(31);
        let last = extent.map(|e| e >> shift);
        Heights { least, shift, last, spans: vec![NONE; ((last[0] + 1) * (last[1] + 1)) as usize] }
    }

    /// The first and the last square that a box meets, each as column and row.
    fn squares(&self, b: &BoxBounds, room: i32) -> [[usize; 2]; 2] {
        let square = |v: i32, axis: usize| {
            let from = v.saturating_sub(self.least[axis]) >> self.shift;
            from.max(0).min(self.last[axis]) as usize
        };
        let corner =
            |c: &[i32; 3], by: i32| [0, 1].map(|axis| square(c[axis].saturating_add(by), axis));
        [corner(&b.low, -room), corner(&b.high, room)]
    }

    /// The squares of a row from one column to another.
    fn part(&self, row: usize, from: usize, to: usize) -> std::ops::Range<usize> {
        let first = row * (self.last[0] as usize + 1);
        first + from..first + to + 1
    }

    /// Takes in the box of ground.
    fn take(&mut self, b: &BoxBounds) {
        let [[i0, j0], [i1, j1]] = self.squares(b, ROOM);
        for row in j0..j1 + 1 {
            let part = self.part(row, i0, i1);
            for [low, high] in &mut self.spans[part] {
                (*low, *high) = ((*low).min(b.low[2]), (*high).max(b.high[2]));
            }
        }
    }

    /// Is there ground near a box, with heights from `below` its bottom to `above` its top?
    fn is_near(&self, b: &BoxBounds, below: i32, above: i32) -> bool {
        let [[i0, j0], [i1, j1]] = self.squares(b, 0);
        let least = b.low[2].saturating_sub(below + ROOM);
        let most = b.high[2].saturating_sub(above - ROOM);
        (j0..j1 + 1).any(|row| {
            let mut spans = self.spans[self.part(row, i0, i1)].iter();
            spans.any(|[low, high]| *high >= least && *low <= most)
        })
    }
}

/// The triangles that meet an area and may matter to its ground, with their boxes and whether they
/// are ground.
///
/// These are ground itself, and what is near ground at heights where it may bound it or limit its
/// head room. If most triangles are ground, all are kept: culling would spare little. `area` is
/// least X, least Y, greatest X, greatest Y.
pub(crate) fn cull(
    level: &Level,
    triangles: &[u32],
    params: &Params,
    area: [f64; 4],
) -> Vec<(u32, BoxBounds, bool)> {
    let least = [area[0], area[1]].map(|v| v.to_floor());
    let most = [area[2], area[3]].map(|v| v.to_ceil());
    let meets = |b: &BoxBounds| (0..2).all(|k| b.low[k] <= most[k] && b.high[k] >= least[k]);
    let mut all: Vec<(u32, BoxBounds, bool)> = Vec::with_capacity(triangles.len());
    for &t in triangles {
        let bounds = bounds(level, t);
        if meets(&bounds) {
            all.push((t, bounds, params.is_ground(level, t as usize)));
        }
    }
    let grounds = || all.iter().filter(|k| k.2);
    if grounds().count() > all.len() / 4 * 3 {
        return all;
    }
    let mut ground = Heights::new(least, most);
    grounds().for_each(|(_, b, _)| ground.take(b));
    let is_needed = |(_, b, is_ground): &(u32, BoxBounds, bool)| {
        *is_ground || ground.is_near(b, params.height, params.climb)
    };
    all.retain(is_needed);
    all
}

/// X, Y and height of a triangle.
fn bounds(level: &Level, t: u32) -> BoxBounds {
    let corners = level.corners(&level.triangles[t as usize]);
    let [a, b, c] = corners.map(|p| [p.x, -p.z, p.y]);
    BoxBounds {
        low: [0, 1, 2].map(|k| a[k].min(b[k]).min(c[k])),
        high: [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k])),
    }
}

#[cfg(test)]
mod tests {
    use navbake_level::Agent;

    use super::*;
    use crate::exact::test_levels::{self, random};

    /// Triangles at all places and heights, flat, steep and upright ones.
    fn level() -> Level {
        let mut next = random(5);
        test_levels::level((0..500).map(|k| {
            let side = [4.0, 1.0, 0.3][k % 3];
            let corner = [next(250) * 0.1, next(40) * 0.2, next(250) * 0.1];
            let up = if k % 5 == 0 { 0.0 } else { 4.0 };
            test_levels::triangle(&mut next, corner, side, up)
        }))
    }

    #[test]
    fn what_is_left_out_is_no_ground_and_may_bound_or_cover_none() {
        let level = level();
        let agent = Agent { height: 1.5, climb: 0.4, ..Agent::default() };
        let params = test_levels::params(&level, &agent);
        let triangles: Vec<u32> = (0..level.triangles.len() as u32).collect();
        let area = [-2000.5, -24_000.0, 20_000.0, -3000.0];
        let kept = cull(&level, &triangles, &params, area);
        let numbers: Vec<u32> = kept.iter().map(|k| k.0).collect();
        assert!(numbers.is_sorted());
        let meets = |b: &BoxBounds, room: f64, [x0, y0, x1, y1]: [f64; 4]| {
            let [[bx0, by0, _], [bx1, by1, _]] = [b.low, b.high].map(|c| c.map(f64::from));
            bx0 <= x1 + room && bx1 >= x0 - room && by0 <= y1 + room && by1 >= y0 - room
        };
        let near: Vec<u32> =
            triangles.into_iter().filter(|&t| meets(&bounds(&level, t), 0.0, area)).collect();
        let is_ground = |t: u32| params.is_ground(&level, t as usize);
        let mut left_out = 0;
        for &t in &near {
            let b = bounds(&level, t);
            if let Ok(k) = numbers.binary_search(&t) {
                assert_eq!(kept[k], (t, b, is_ground(t)));
                continue;
            }
            left_out += 1;
            assert!(!is_ground(t));
            for ground in near.iter().filter(|&&g| is_ground(g)) {
                let g = bounds(&level, *ground);
                let flat = [g.low[0], g.low[1], g.high[0], g.high[1]].map(f64::from);
                let is_in_the_way = meets(&b, 8.0, flat)
                    && b.high[2] >= g.low[2] + params.climb
                    && b.low[2] <= g.high[2] + params.height;
                assert!(!is_in_the_way, "{t} {ground}");
            }
        }
        let others = near.len() - near.iter().filter(|&&t| is_ground(t)).count();
        assert!(kept.iter().all(|k| near.binary_search(&k.0).is_ok()));
        assert!(left_out > 20 && left_out + 20 < others, "{left_out} of {others}");
    }
}
