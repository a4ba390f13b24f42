//! The level's triangles in a tree of boxes, for intersection tests with prisms.
//!
//! Triangles are sorted by size, then along a Morton curve through their centres. Each 8 share a
//! box, and each 8 boxes share a box of the next level. Sorting by size keeps a floor as long as
//! the level from enlarging the boxes of small objects on it.

use navbake_geom::{LIMIT, Point3, Whole};
use navbake_level::Level;
use rayon::slice::ParallelSliceMut;

use crate::prism::Prism;

/// Number of items in a box.
const SHARE: usize = 8;

/// A box: least and greatest corner.
type Bounds = [[i32; 3]; 2];

/// All triangles of a level; each blocks from both sides.
pub struct Solids<'l> {
    level: &'l Level,
    /// Triangles in the order of the boxes.
    order: Vec<u32>,
    /// Boxes over triangles, boxes over those boxes, up to a level with few boxes.
    boxes: Vec<Vec<Bounds>>,
}

impl<'l> Solids<'l> {
    /// Sorts the triangles of a level into boxes.
    pub fn new(level: &'l Level) -> Solids<'l> {
        let all = level.triangles.iter().zip(0u32..);
        let mut keys: Vec<(u32, u64, u32)> = all
            .map(|(t, number)| {
                let [least, greatest] = around(level.corners(t));
                let size = (0..3).map(|k| greatest[k] - least[k]).max().unwrap_or(0);
                let class = (u32::BITS - size.unsigned_abs().leading_zeros()) / 2;
                let middle = std::array::from_fn(|k| i64::from(least[k]) + i64::from(greatest[k]));
                (class, morton(middle), number)
            })
            .collect();
        // All keys differ, so the order does not depend on the sort.
        keys.par_sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|(_, _, number)| number).collect();
        let first = order.chunks(SHARE).map(|few| {
            let few = few.iter().map(|&t| &level.triangles[t as usize]);
            joined(few.map(|t| around(level.corners(t))))
        });
        let mut boxes = vec![first.collect::<Vec<Bounds>>()];
        while let Some(top) = boxes.last()
            && top.len() > SHARE
        {
            let next = top.chunks(SHARE).map(|few| joined(few.iter().copied()));
            let next = next.collect();
            boxes.push(next);
        }
        Solids { level, order, boxes }
    }

    /// The height of the lowest corner, grid units; 0 without triangles.
    pub(crate) fn bottom(&self) -> f64 {
        let top = self.boxes.last().into_iter().flatten();
        top.map(|[least, _]| least[1]).min().unwrap_or(0).into()
    }

    /// Is the prism free of triangles?
    pub(crate) fn are_clear_of(&self, prism: &Prism) -> bool {
        let [least, greatest] = prism.bounds();
        let bounds = [least.map(|c| c.to_floor()), greatest.map(|c| c.to_ceil())];
        let top = self.boxes.len() - 1;
        !(0..self.boxes[top].len()).any(|k| self.any(top, k, prism, &bounds))
    }

    fn any(&self, rank: usize, number: usize, prism: &Prism, bounds: &Bounds) -> bool {
        let [least, greatest] = self.boxes[rank][number];
        let meet = (0..3).all(|k| least[k] <= bounds[1][k] && greatest[k] >= bounds[0][k]);
        if !meet {
            return false;
        }
        let below = number * SHARE..(number + 1) * SHARE;
        match rank.checked_sub(1) {
            Some(next) => {
                let end = below.end.min(self.boxes[next].len());
                (below.start..end).any(|k| self.any(next, k, prism, bounds))
            }
            None => {
                let end = below.end.min(self.order.len());
                self.order[below.start..end]
                    .iter()
                    .any(|&t| prism.meets(self.level.corners(&self.level.triangles[t as usize])))
            }
        }
    }
}

fn around(corners: [Point3; 3]) -> Bounds {
    let corners = corners.map(|p| [p.x, p.y, p.z]);
    joined(corners.into_iter().map(|p| [p, p]))
}

fn joined(all: impl Iterator<Item = Bounds>) -> Bounds {
    all.fold([[i32::MAX; 3], [i32::MIN; 3]], |[a, b], [c, d]| {
        [std::array::from_fn(|k| a[k].min(c[k])), std::array::from_fn(|k| b[k].max(d[k]))]
    })
}

/// The position of a point on a Morton curve, 21 bits an axis.
///
/// The coordinates are doubled.
fn morton(doubled: [i64; 3]) -> u64 {
    let spread = |c: i64| {
        // From -2^26..2^26 to 21 bits.
        let cell = (c + 2 * i64::from(LIMIT)).clamp(0, 4 * i64::from(LIMIT) - 1) as u64 >> 6;
        (0..21).fold(0u64, |all, bit| all | (cell >> bit & 1) << (3 * bit))
    };
    let [x, y, z] = doubled.map(spread);
    x | y << 1 | z << 2
}

#[cfg(test)]
mod tests {
    use navbake_level::{LevelSettings, Part, Role, Scene, Winding};

    use super::*;

    #[test]
    fn the_tree_finds_what_looking_at_all_triangles_finds() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 31) as f64 * below as f64
        };
        let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
        for k in 0..3000u32 {
            // Every fiftieth is large.
            let size = if k % 50 == 0 { 80 } else { 2 };
            let at = [random(100), random(20), random(100)];
            for _ in 0..3 {
                scene.vertices.push([
                    at[0] + random(size),
                    at[1] + random(2),
                    at[2] + random(size),
                ]);
            }
            scene.triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
            scene.triangle_parts.push(0);
        }
        let settings =
            LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
        let (level, _) = Level::new(&scene, &[Role::Ground], &settings).unwrap();
        let solids = Solids::new(&level);
        let mut clear = 0;
        for _ in 0..2000 {
            let mut place = || [random(100) * 1024.0, random(100) * 1024.0];
            let from = place();
            let low = random(20) * 1024.0;
            let prism = Prism {
                ends: [from, [from[0] + random(2) * 1024.0, from[1] + random(2) * 1024.0]],
                radius: 400.0,
                low,
                high: low + random(2) * 1024.0,
            };
            let all = level.triangles.iter();
            let plain = !all.clone().any(|t| prism.meets(level.corners(t)));
            assert_eq!(solids.are_clear_of(&prism), plain);
            clear += usize::from(plain);
        }
        assert!((200..1800).contains(&clear), "{clear}");
    }

    #[test]
    fn a_level_of_nothing_is_clear() {
        let level = Level::empty(navbake_geom::Grid { bits: 10, origin: [0.0; 3] });
        let prism = Prism { ends: [[0.0; 2]; 2], radius: 1.0, low: 0.0, high: 1.0 };
        assert!(Solids::new(&level).are_clear_of(&prism));
    }
}
