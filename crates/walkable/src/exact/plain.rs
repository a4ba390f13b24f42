//! Where ground is plain: a single surface that goes on everywhere, as most of a terrain does.
//!
//! The surroundings of a tile are divided into blocks. Only at some edges can the number of
//! triangles above each other change: those that do not join two ground triangles, one on either
//! side. In a block that meets no such edge, and no other triangle, it is the same everywhere, and
//! one place says whether it is one.
//!
//! ```text
//!   .-----.-----.-----.-----.
//!   |/ 1 /|/ 1 /|/ x--|--x  |     1 = one triangle above or below a place of the block
//!   |-----|-----|--|--|--|--|     x = edges with ground on one side: what meets them is not plain
//!   |/ 1 /|/ 1 /|/ x--|--x  |
//!   '-----'-----'-----'-----'
//! ```
//!
//! On plain ground no ground ends and nothing is above it, so no segment is on its triangles. A
//! tile that is plain with its margin is one layer, and its border is that of the tile. The general
//! way gives the same, and takes longer.

use navbake_geom::{Point, Whole};

use super::input::{Triangle, Triangles};
use super::math::{V2, boxes_meet, max, min};
use super::measures::Measures;
use super::segments::outlines::BESIDE;
use crate::layers::Ring;

/// Blocks along a side of the area.
const ALONG: usize = 64;
/// Where in a block triangles are counted, as shares of its side: off the lines of a square grid.
const PLACE: V2 = [0.5, 0.4];
/// The count of a block that is not plain, whatever is at its place.
const NEVER: u8 = 2;

/// Where the ground in and around a tile is plain.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    area: [f64; 4],
    /// Blocks per grid unit.
    scale: f64,
    /// For each corner of blocks, row by row: how many of the blocks before it along X and Y are
    /// not plain.
    others: Vec<u32>,
    /// The greatest rise of any ground, along X and Y together.
    steepest: f64,
    /// The greatest [`near`] of any ground.
    near: f64,
    climb: f64,
}

impl Plain {
    pub(crate) fn new(triangles: &Triangles, measures: &Measures) -> Plain {
        // Elsewhere, what little is plain is not worth the search.
        let goes_on = |f: &&Triangle| f.ground && f.kinds.iter().all(|kind| kind.joins_two);
        if triangles.all.iter().filter(goes_on).count() < triangles.all.len() / 2 {
            return Plain::default();
        }
        let area = measures.common_area();
        let side = (area[2] - area[0]) / ALONG as f64;
        let mut plain =
            Plain { area, scale: 1.0 / side, climb: measures.climb, ..Plain::default() };
        let places = [0, 1].map(|axis| -> [f64; ALONG] {
            std::array::from_fn(|k| {
                let place: i32 = (area[axis] + (k as f64 + PLACE[axis]) * side).to_floor();
                f64::from(place)
            })
        });
        let mut counts = vec![0; ALONG * ALONG];
        for triangle in &triangles.all {
            if !triangle.ground {
                plain.spoil(triangle.bounds, &mut counts);
                continue;
            }
            let [x, y] = triangle.rise();
            plain.steepest = max(plain.steepest, x.abs() + y.abs());
            plain.near = max(plain.near, near(triangle));
            for k in (0..3).filter(|&k| !triangle.kinds[k].joins_two) {
                let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
                let [low, high] = [min, max].map(|of| [0, 1].map(|axis| of(a[axis], b[axis])));
                plain.spoil([low[0], low[1], high[0], high[1]], &mut counts);
            }
            plain.count(triangle, &places, &mut counts);
        }
        plain.others = vec![0; (ALONG + 1) * (ALONG + 1)];
        for j in 0..ALONG {
            let mut along = 0;
            for i in 0..ALONG {
                along += u32::from(counts[j * ALONG + i] != 1);
                let before = plain.others[j * (ALONG + 1) + i + 1];
                plain.others[(j + 1) * (ALONG + 1) + i + 1] = before + along;
            }
        }
        plain
    }

    /// Of the blocks along an axis, the first and the last that a range meets.
    #[inline]
    fn blocks(&self, axis: usize, low: f64, high: f64) -> [usize; 2] {
        [low, high].map(|v| (((v - self.area[axis]) * self.scale) as usize).min(ALONG - 1))
    }

    /// Notes that the blocks that a box meets are not plain.
    fn spoil(&self, bounds: [f64; 4], counts: &mut [u8]) {
        if boxes_meet(bounds, self.area) {
            let [i0, i1] = self.blocks(0, bounds[0], bounds[2]);
            let [j0, j1] = self.blocks(1, bounds[1], bounds[3]);
            for j in j0..=j1 {
                counts[j * ALONG + i0..=j * ALONG + i1].fill(NEVER);
            }
        }
    }

    /// Counts a triangle in the blocks that have their places in it.
    #[inline]
    fn count(&self, triangle: &Triangle, places: &[[f64; ALONG]; 2], counts: &mut [u8]) {
        let [columns, rows] = [0, 1].map(|axis| {
            let (low, high) = (triangle.bounds[axis], triangle.bounds[axis + 2]);
            let [from, to] = self.blocks(axis, low, high);
            let is_before = usize::from(places[axis][from] < low);
            from + is_before..to + usize::from(places[axis][to] <= high)
        });
        for j in rows {
            for i in columns.clone() {
                let count = &mut counts[j * ALONG + i];
                if *count >= NEVER {
                    continue;
                }
                // Exact, as all numbers are whole and on the grid.
                let p = [places[0][i], places[1][j]];
                let inside: [f64; 3] = std::array::from_fn(|k| triangle.inside_of(k, p));
                let least = min(min(inside[0], inside[1]), inside[2]);
                if least > 0.0 {
                    *count += 1;
                } else if least == 0.0 {
                    *count = NEVER;
                }
            }
        }
    }

    /// Is all ground in a box plain? False beyond the area around the tile.
    fn is_in(&self, [x0, y0, x1, y1]: [f64; 4]) -> bool {
        let [least_x, least_y, most_x, most_y] = self.area;
        if x0 < least_x || y0 < least_y || x1 > most_x || y1 > most_y {
            return false;
        }
        let ([i0, i1], [j0, j1]) = (self.blocks(0, x0, x1), self.blocks(1, y0, y1));
        let before = |i: usize, j: usize| self.others[j * (ALONG + 1) + i];
        before(i1 + 1, j1 + 1) + before(i0, j0) == before(i0, j1 + 1) + before(i1 + 1, j0)
    }

    /// Is all ground in a box plain, and that this near to it, and is that no wall?
    ///
    /// So near to a place where it is on a plane, the ground is off the plane by no more than twice
    /// the greatest rise.
    fn is_around(&self, [x0, y0, x1, y1]: [f64; 4], near: f64) -> bool {
        2.0 * near * self.steepest <= self.climb
            && self.is_in([x0 - near, y0 - near, x1 + near, y1 + near])
    }

    /// Is a ground triangle on plain ground, so that no segment is on it?
    pub(crate) fn holds(&self, triangle: &Triangle) -> bool {
        self.is_around(triangle.bounds, near(triangle))
    }

    /// Is all of the tile plain, so that it is one layer without segments?
    ///
    /// It must be flat enough for all points of the sampling grid to be linked: half-way between
    /// two points, each of their planes is at most a square times the greatest rise off the ground.
    pub(crate) fn is_whole(&self, measures: &Measures) -> bool {
        // Without a radius, the margin is narrower than the squares beyond the tile.
        measures.radius > 0.0
            && 2.0 * measures.cell * self.steepest <= measures.climb
            && self.is_around(measures.area(), self.near)
    }
}

/// How far from a triangle a wall may be that bounds it: [`BESIDE`] beside its edges, and farthest
/// off at its sharpest corner.
#[inline]
fn near(triangle: &Triangle) -> f64 {
    let [x0, y0, x1, y1] = triangle.bounds;
    let (wide, long) = (x1 - x0, y1 - y0);
    2.0 * BESIDE * (wide * wide + long * long) / triangle.inside_of(0, triangle.flat(2))
}

/// The border of a layer that is all of a tile: its sides, with a corner at each square. The ground
/// goes on beyond.
pub(crate) fn whole_ring(measures: &Measures) -> Ring {
    let Measures { corner, cell, count, .. } = *measures;
    let at = |column: i32, row: i32| {
        let [x, y] = [(column, 0), (row, 1)].map(|(k, axis)| corner[axis] + f64::from(k) * cell);
        Point::new(x as i32, -y as i32)
    };
    // From the least place on.
    let down = (0..count).map(|k| at(0, count - k));
    let ahead = (0..count).map(|k| at(k, 0));
    let up = (0..count).map(|k| at(count, k));
    let back = (0..count).map(|k| at(count - k, count));
    let points: Vec<Point> = down.chain(ahead).chain(up).chain(back).collect();
    Ring { open: vec![true; points.len()], points }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use navbake_level::{Agent, Level};

    use super::*;
    use crate::exact::heights::{Ground, VerticalRays};
    use crate::exact::input::edge_kinds;
    use crate::exact::sampling::SamplingGrid;
    use crate::exact::segments::cache::SegmentCache;
    use crate::exact::segments::segments;
    use crate::exact::{of_class, test_levels};

    /// Terrain under the first tile and beyond, and what makes parts of it not plain.
    fn level(turn: usize) -> Level {
        const ACROSS: usize = 46;
        let mut next = test_levels::random(turn as u32 + 1);
        // Narrow triangles in some turns.
        let (aside, up) = if turn / 10 == 1 { (0.38, 0.00001) } else { (0.0, 0.00005) };
        let mut places: Vec<[f64; 3]> = (0..ACROSS * ACROSS)
            .map(|k| {
                let [x, z] = [k % ACROSS, k / ACROSS].map(|k| k as f64 * 0.5 - 2.0);
                let [dx, dz] = [0, 1].map(|_| (next(1000) - 500.0) * 0.0002);
                let dx = if k % 7 == 0 { aside } else { dx };
                [x + dx, x * 0.2 + next(1000) * up, z + dz]
            })
            .collect();
        let mut triangles = vec![];
        for k in 0..8 {
            let at = &mut places[10 * ACROSS + 12 + k * 137];
            match turn % 10 {
                // Folds, and steep places.
                1 => at[0] += 0.9,
                2 => at[1] += 0.8,
                _ => {}
            }
        }
        for k in (0..ACROSS * (ACROSS - 1)).filter(|k| k % ACROSS + 1 < ACROSS) {
            let square = [k, k + 1, k + ACROSS + 1, k + ACROSS];
            let of = |[a, b, c, d]: [[f64; 3]; 4]| [[a, c, b], [a, d, c]];
            let all = of(square.map(|k| places[k]));
            let moved =
                |[dx, dy]: [f64; 2]| all.map(|t| t.map(|[x, y, z]: [f64; 3]| [x + dx, y + dy, z]));
            match turn % 10 {
                // Holes, and a crack.
                3 if k % 211 == 30 => continue,
                4 if k % ACROSS > 20 => triangles.extend(moved([0.01, 0.0])),
                _ => triangles.extend(all),
            }
            match turn % 10 {
                // Ground above all ground, above a part of it, and a part that goes on in two.
                5 => triangles.extend(moved([0.0, 3.0])),
                6 if k % ACROSS > 20 => triangles.extend(moved([0.0, 0.7])),
                7 if k % ACROSS > 20 => triangles.extend(of(square.map(|k| {
                    let [x, y, z] = places[k];
                    [x, y + (k % ACROSS - 21) as f64 * 0.3, z]
                }))),
                _ => {}
            }
        }
        match turn % 10 {
            // A bridge, and a wall.
            8 => triangles.push([[5.0, 3.0, 5.0], [12.0, 3.0, 6.0], [5.0, 3.0, 6.0]]),
            9 => triangles.push([[5.0, 0.0, 5.0], [12.0, 0.0, 6.0], [12.0, 4.0, 6.0]]),
            _ => {}
        }
        test_levels::level(triangles)
    }

    #[test]
    fn plain_ground_is_what_the_general_way_finds() {
        let (mut wholes, mut held, mut others, mut places) = (0, 0, 0, 0);
        for turn in 0..40 {
            let level = level(turn);
            let climb = [0.3, 0.05, 0.3, 0.0][turn / 10];
            let agents =
                [0.1, 0.13].map(|radius| Agent { radius, height: 1.0, climb, ..Agent::default() });
            let params = agents.map(|agent| test_levels::params(&level, &agent));
            let measures = params.map(|params| Measures::new(&level, &params, [0, 0]));
            let all: Vec<u32> = (0..level.triangles.len() as u32).collect();
            let kinds = edge_kinds(&level, &params[0]);
            let common = &measures[0];
            let area = common.common_area();
            let triangles = Arc::new(Triangles::new(&level, &kinds, &all, &params[0], area));
            let (plain, general) = (Plain::new(&triangles, common), Plain::default());
            let mut next = test_levels::random(turn as u32);
            for _ in 0..1000 {
                let p = [0, 1].map(|k| area[k] + next(1 << 16) * (area[2] - area[0]) / 65536.0);
                if plain.is_in([p[0], p[1], p[0], p[1]]) {
                    let above = triangles.all.iter().filter(|f| !f.upright && f.holds(p));
                    assert!(above.clone().all(|f| f.ground), "{turn} {p:?}");
                    assert_eq!(above.count(), 1, "{turn} {p:?}");
                    places += 1;
                }
            }
            for triangle in triangles.all.iter().filter(|f| f.ground) {
                *(if plain.holds(triangle) { &mut held } else { &mut others }) += 1;
            }
            let mut caches = [0; 2].map(|_| SegmentCache::new(&triangles, 2));
            for (params, measures) in params.iter().zip(&measures) {
                let grid = SamplingGrid::new(&triangles, measures);
                let mut ways = [&plain, &general].into_iter().zip(&mut caches);
                let [found, wanted] = [0; 2].map(|_| ways.next().unwrap()).map(|(way, cache)| {
                    let segments = segments(&triangles, &grid, measures, cache, way);
                    let ground = || {
                        let rays = Arc::new(VerticalRays::new(&triangles, measures));
                        Ground::new(triangles.clone(), rays, measures)
                    };
                    (segments, of_class(&triangles, way, cache, ground, params, measures))
                });
                assert_eq!(found.0, wanted.0, "{turn}");
                let (found, wanted) = (found.1, wanted.1);
                assert_eq!(format!("{:?}", found.1), format!("{:?}", wanted.1), "{turn}");
                assert_eq!(found.0.len(), wanted.0.len(), "{turn}");
                for (found, wanted) in found.0.iter().zip(&wanted.0) {
                    let [found_rings, wanted_rings] =
                        [found, wanted].map(|layer| format!("{:?}", layer.rings));
                    assert_eq!(found_rings, wanted_rings, "{turn}");
                    let [found, wanted] = [found, wanted].map(|l| l.ground.as_ref().unwrap());
                    assert_eq!(found.any_cell(), wanted.any_cell(), "{turn}");
                    let along = -1..=i64::from(measures.count);
                    for (i, j) in along.clone().flat_map(|i| along.clone().map(move |j| (i, j))) {
                        assert_eq!(found.cell(i, j), wanted.cell(i, j), "{turn} {i} {j}");
                    }
                }
                wholes += usize::from(plain.is_whole(measures));
            }
        }
        assert!((4..40).contains(&wholes), "{wholes}");
        assert!(held > 20_000 && others > 20_000, "{held}, {others}");
        assert!(places > 10_000, "{places}");
    }
}
