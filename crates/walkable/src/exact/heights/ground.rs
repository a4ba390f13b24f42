//! The true heights of a tile: its triangles, and the heights above or below a place.

use std::sync::Arc;

use navbake_geom::Point;

use super::vertical_rays::VerticalRays;
use crate::exact::input::Triangles;
use crate::exact::math::max;
use crate::exact::measures::Measures;

/// The ground of a tile as its triangles have it.
#[derive(Debug)]
pub struct Ground {
    pub(crate) triangles: Arc<Triangles>,
    rays: Arc<VerticalRays>,
    climb: f64,
    height: f64,
    radius: f64,
}

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

impl Ground {
    pub(crate) fn new(
        triangles: Arc<Triangles>,
        rays: Arc<VerticalRays>,
        measures: &Measures,
    ) -> Ground {
        Ground {
            triangles,
            rays,
            climb: measures.climb,
            height: measures.height,
            radius: measures.radius.max(64.0),
        }
    }

    /// Height of the standable surface above or below `p` nearest to `about()`, in grid units.
    ///
    /// At most a climb away. Of several within a climb of each other it is the highest with head
    /// room. `about` is called only if there are several.
    #[inline]
    pub fn height(&self, p: Point, about: impl FnOnce() -> f64) -> Option<f64> {
        let mut places = Column::<FEW>::default();
        self.standing(p, &mut places);
        match places.only() {
            Some(y) => Some(y),
            None => self.nearest(p, &places, about()),
        }
    }

    /// Height of the only standable surface above or below `p`; `None` if there are more, or none.
    pub fn only_height(&self, p: Point) -> Option<f64> {
        let mut places = Column::<FEW>::default();
        self.standing(p, &mut places);
        places.only()
    }

    /// Height of the surface above or below `p` nearest to `about`, steep ones included, at most a
    /// climb away: that of a riser between two treads.
    pub fn riser_height(&self, p: Point, about: f64) -> Option<f64> {
        let (at, reach) = (flat(p), self.climb + TOUCH);
        let mut best: Option<f64> = None;
        self.triangles.at(at, about - reach, about + reach, |triangle| {
            let y = triangle.at(at);
            let away = |y: f64| ((y - about).abs(), -y);
            if away(y).0 <= reach && best.is_none_or(|b| away(y) < away(b)) {
                best = Some(y);
            }
        });
        best
    }

    /// Height of the highest triangle above or below a place of the tile.
    pub(crate) fn top(&self, p: Point) -> f64 {
        let (at, mut top) = (flat(p), f64::NEG_INFINITY);
        self.rays.at(&self.triangles, at, |triangle| top = max(top, triangle.at(at)));
        top
    }

    /// All standable surfaces above or below a place.
    #[inline]
    fn standing(&self, p: Point, column: &mut Column<FEW>) {
        let at = flat(p);
        let met = (self.rays).at(&self.triangles, at, |f| column.take(f.at(at), f.ground));
        column.is_cut |= !met;
        column.keep_standing(self.climb, self.height);
    }

    fn nearest(&self, p: Point, places: &Column<FEW>, about: f64) -> Option<f64> {
        if places.is_cut {
            let at = flat(p);
            // The surface above may be the step that this is the foot of, and so on up.
            let low = about - self.climb - TOUCH;
            let mut column: Vec<(f64, bool)> = vec![];
            self.triangles.at(at, low, f64::MAX, |triangle| {
                let y = triangle.at(at);
                if y >= low {
                    column.push((y, triangle.ground));
                }
            });
            column.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            let count = keep_standing(&mut column, self.climb, self.height);
            return nearest(&column[..count], about, self.climb);
        }
        nearest(&places.all[..places.count], about, self.climb)
    }

    /// Height of a triangle's plane at a place, in grid units. [`Ground::breaklines`] gives
    /// triangles.
    #[inline]
    pub fn plane_height(&self, triangle: u32, p: Point) -> Option<f64> {
        let triangle = self.triangles.all.get(triangle as usize)?;
        Some(triangle.at(flat(p)))
    }

    /// Least and greatest height of a triangle that [`Ground::breaklines`] named.
    pub fn heights_of(&self, triangle: u32) -> Option<[f64; 2]> {
        let triangle = self.triangles.all.get(triangle as usize)?;
        Some([triangle.low, triangle.high])
    }

    /// The radius of the agents that the ground is for, grid units; 64 where it is less.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How far a triangle of [`Ground::breaklines`] may be above or below the ground and still
    /// belong to it: room for places nearby and steep planes.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.climb + 64.0
    }
}

#[inline]
fn flat(p: Point) -> [f64; 2] {
    [f64::from(p.x), f64::from(-p.z)]
}

/// Of more surfaces above each other than these, the requested height decides which are tested.
const FEW: usize = 32;

/// The surfaces above or below a place: heights, the highest first, and whether they are ground.
struct Column<const N: usize> {
    all: [(f64, bool); N],
    count: usize,
    /// Are there more than `all` holds?
    is_cut: bool,
}

impl<const N: usize> Default for Column<N> {
    #[inline]
    fn default() -> Column<N> {
        Column { all: [(0.0, false); N], count: 0, is_cut: false }
    }
}

impl<const N: usize> Column<N> {
    #[inline]
    fn take(&mut self, y: f64, ground: bool) {
        if self.count == N {
            self.is_cut = true;
            return;
        }
        let mut k = self.count;
        while k > 0 && self.all[k - 1] < (y, ground) {
            self.all[k] = self.all[k - 1];
            k -= 1;
        }
        self.all[k] = (y, ground);
        self.count += 1;
    }

    /// Keeps ground with head room, the highest within a climb.
    #[inline]
    fn keep_standing(&mut self, climb: f64, height: f64) {
        if self.count < 2 {
            self.count = usize::from(self.count == 1 && self.all[0].1);
            return;
        }
        let found = &self.all[..self.count];
        if let [top, .., last] = found
            && top.0 - last.0 <= climb
            && found.iter().all(|c| c.1)
        {
            self.count = 1;
            return;
        }
        self.count = keep_standing(&mut self.all[..self.count], climb, height);
    }

    #[inline]
    fn only(&self) -> Option<f64> {
        (self.count == 1 && !self.is_cut).then_some(self.all[0].0)
    }
}

/// Moves ground with head room to the front, the highest within a climb, and gives how many these
/// are. `all` is sorted from the highest down.
fn keep_standing(all: &mut [(f64, bool)], climb: f64, height: f64) -> usize {
    let mut last = f64::INFINITY;
    for k in 0..all.len() {
        let (y, ground) = all[k];
        let (knee, head) = (y + climb + TOUCH, y + height - TOUCH);
        let mut above = all[..k].iter().rev().take_while(|c| c.0 < head);
        all[k].1 = ground && last - y > climb && !above.any(|c| c.0 > knee);
        if all[k].1 {
            last = y;
        }
    }
    let mut kept = 0;
    for k in 0..all.len() {
        if all[k].1 {
            all[kept] = all[k];
            kept += 1;
        }
    }
    kept
}

/// The one nearest to a height, the higher one of two, if it is no more than a climb away.
fn nearest(places: &[(f64, bool)], about: f64, climb: f64) -> Option<f64> {
    let away = |y: f64| (y - about).abs();
    let mut best: Option<f64> = None;
    for &(y, _) in places {
        if away(y) <= climb + TOUCH && best.is_none_or(|b| away(y) < away(b)) {
            best = Some(y);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use navbake_level::Level;

    use super::*;
    use crate::exact::test_levels::{self, random};

    /// Triangles at all places and heights of a tile, wide and narrow ones.
    fn level(mut next: impl FnMut(u32) -> f64) -> Level {
        test_levels::level((0..2400).map(|k| {
            let side = [20.0, 3.0, 0.6][k % 3];
            let corner = [next(320) * 0.1, next(6) * 0.9, next(320) * 0.1];
            let up = if k % 4 == 0 { 0.0 } else { 1.0 };
            test_levels::triangle(&mut next, corner, side, up)
        }))
    }

    #[test]
    fn heights_are_those_that_all_triangles_tried_at_each_place_give() {
        let mut next = random(7);
        let level = level(&mut next);
        let (measures, triangles) = test_levels::tile(&level);
        let triangles = Arc::new(triangles);
        let rays = Arc::new(VerticalRays::new(&triangles, &measures));
        let ground = Ground::new(triangles, rays, &measures);
        let (mut found, mut single, mut deepest) = (0, 0, 0);
        for turn in 0..6000 {
            let near = &ground.triangles.all[turn % ground.triangles.all.len()];
            // On corners, and anywhere, beyond the tile as well.
            let p = match turn % 3 {
                0 => Point::new(near.corners[0][0] as i32, -near.corners[0][1] as i32),
                _ => Point::new(next(40_000) as i32 - 2000, next(40_000) as i32 - 2000),
            };
            let about = next(7000);
            let at = flat(p);
            let mut column: Vec<(f64, bool)> = (ground.triangles.all.iter())
                .filter(|f| !f.upright && (0..3).all(|k| f.inside_of(k, at) >= 0.0))
                .map(|f| (f.at(at), f.ground))
                .collect();
            column.sort_by(|a, b| b.0.total_cmp(&a.0));
            deepest = deepest.max(column.len());
            let mut standing: Vec<f64> = vec![];
            for &(y, is_ground) in &column {
                let lid = |c: &&(f64, bool)| {
                    c.0 > y + measures.climb + TOUCH && c.0 < y + measures.height - TOUCH
                };
                let on_step = standing.last().is_some_and(|s| s - y <= measures.climb);
                if is_ground && !on_step && column.iter().find(lid).is_none() {
                    standing.push(y);
                }
            }
            let away = |y: &f64| (y - about).abs();
            let nearest = (standing.iter().copied())
                .filter(|y| away(y) <= measures.climb + TOUCH)
                .min_by(|a, b| away(a).total_cmp(&away(b)));
            if let Some(y) = ground.only_height(p) {
                assert_eq!(standing, [y], "{p:?}");
                assert_eq!(ground.height(p, || unreachable!()), Some(y), "{p:?}");
                single += 1;
            } else {
                assert_eq!(ground.height(p, || about), nearest, "{p:?} {about}");
                found += usize::from(nearest.is_some());
            }
        }
        assert!(found > 100 && single > 100 && deepest > FEW, "{found}, {single}, {deepest}");
    }
}
