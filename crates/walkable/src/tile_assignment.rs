//! Assigns triangles to the tiles that they matter to.

use navbake_level::Level;

use crate::WalkableError;
use crate::params::Params;

/// The most tiles a plan may have: about 10^9 cells.
const MOST_TILES: usize = 1 << 16;

/// Tiles with ground in them, sorted, and pairs of tile and triangle, ascending for each tile.
pub(crate) type Assignment = (Vec<[i32; 2]>, Vec<(u32, u32)>);

/// Sorts a level's triangles to tiles.
///
/// # Errors
/// When the ground is too wide for the cell size.
pub(crate) fn assign(level: &Level, params: &Params) -> Result<Assignment, WalkableError> {
    match Cells::new(level, params) {
        Some(cells) => Ok(cells.sort(level, params)),
        None => sort_widely(level, params),
    }
}

/// All tiles that a level may have ground in, by x, then z, if they are few enough to be numbered.
struct Cells {
    low: [i32; 2],
    size: [i32; 2],
}

impl Cells {
    fn new(level: &Level, params: &Params) -> Option<Cells> {
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        for p in &level.vertices {
            low = [low[0].min(p.x), low[1].min(p.z)];
            high = [high[0].max(p.x), high[1].max(p.z)];
        }
        if level.vertices.is_empty() {
            return None;
        }
        let (low, high) = (low.map(|v| params.tile_of(v)), high.map(|v| params.tile_of(v)));
        let size = [high[0] - low[0] + 1, high[1] - low[1] + 1];
        let count = i64::from(size[0]) * i64::from(size[1]);
        (count <= MOST_TILES as i64).then_some(Cells { low, size })
    }

    fn number(&self, [x, z]: [i32; 2]) -> usize {
        (x * self.size[1] + z) as usize
    }

    /// Column and row of a tile, or of the nearest there is, from the least.
    fn clamp(&self, key: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|axis| (key[axis] - self.low[axis]).clamp(0, self.size[axis] - 1))
    }

    fn sort(&self, level: &Level, params: &Params) -> Assignment {
        let whole = params.tile;
        let side = f64::from(whole);
        // A quotient of whole numbers that is not whole differs from whole numbers by more than
        // rounding.
        let tile_of = |v: i32| {
            let at = f64::from(v) / side;
            let tile = at as i32;
            tile - i32::from(f64::from(tile) > at)
        };
        let margin = params.margin();
        let mut has_ground = vec![false; (self.size[0] * self.size[1]) as usize];
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(level.triangles.len() * 5 / 4);
        for (t, triangle) in level.triangles.iter().enumerate() {
            let corners = level.corners(triangle);
            let x = corners.map(|c| c.x);
            let z = corners.map(|c| c.z);
            let from = [x[0].min(x[1]).min(x[2]), z[0].min(z[1]).min(z[2])];
            let to = [x[0].max(x[1]).max(x[2]), z[0].max(z[1]).max(z[2])];
            let range = |margin: i32| {
                let least = from.map(|v| tile_of(v - margin));
                let most = [0, 1].map(|axis| {
                    let end = to[axis] + margin;
                    if end - least[axis] * whole < whole { least[axis] } else { tile_of(end) }
                });
                (self.clamp(least), self.clamp(most))
            };
            let (low, high) = range(margin);
            if low == high {
                // As most do.
                let cell = self.number(low);
                has_ground[cell] |= params.is_ground(level, t);
                pairs.push((cell as u32, t as u32));
                continue;
            }
            if params.is_ground(level, t) {
                let (low, high) = range(0);
                for x in low[0]..=high[0] {
                    for z in low[1]..=high[1] {
                        has_ground[self.number([x, z])] = true;
                    }
                }
            }
            for x in low[0]..=high[0] {
                for z in low[1]..=high[1] {
                    pairs.push((self.number([x, z]) as u32, t as u32));
                }
            }
        }
        let mut keys = vec![];
        let mut tiles = vec![u32::MAX; has_ground.len()];
        for (cell, _) in has_ground.iter().enumerate().filter(|c| *c.1) {
            tiles[cell] = keys.len() as u32;
            let [x, z] = [cell as i32 / self.size[1], cell as i32 % self.size[1]];
            keys.push([self.low[0] + x, self.low[1] + z]);
        }
        pairs.retain_mut(|pair| {
            pair.0 = tiles[pair.0 as usize];
            pair.0 != u32::MAX
        });
        (keys, pairs)
    }
}

/// As [`Cells::sort`], for a level that is wide for its ground.
fn sort_widely(level: &Level, params: &Params) -> Result<Assignment, WalkableError> {
    let mut grounds: Vec<[i32; 2]> = vec![];
    for (t, triangle) in level.triangles.iter().enumerate() {
        if !params.is_ground(level, t) {
            continue;
        }
        let (low, high) = tiles_of(level, triangle, params, 0);
        let count = (i64::from(high[0] - low[0]) + 1) * (i64::from(high[1] - low[1]) + 1);
        if count > MOST_TILES as i64 {
            return Err(too_wide(level, params, count as usize));
        }
        for z in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                if grounds.last() != Some(&[x, z]) {
                    grounds.push([x, z]);
                }
            }
        }
        if grounds.len() > 4 * MOST_TILES {
            grounds.sort_unstable();
            grounds.dedup();
            if grounds.len() > MOST_TILES {
                return Err(too_wide(level, params, grounds.len()));
            }
        }
    }
    grounds.sort_unstable();
    grounds.dedup();
    if grounds.len() > MOST_TILES {
        return Err(too_wide(level, params, grounds.len()));
    }
    let keys = grounds;
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(level.triangles.len());
    for (t, triangle) in level.triangles.iter().enumerate() {
        let (low, high) = tiles_of(level, triangle, params, params.margin());
        // Columns of keys are sorted by x, then z: take each column's run.
        for x in low[0]..=high[0] {
            let from = keys.partition_point(|k| *k < [x, low[1]]);
            for (i, key) in keys.iter().enumerate().skip(from) {
                if key[0] != x || key[1] > high[1] {
                    break;
                }
                pairs.push((i as u32, t as u32));
            }
            if keys.last().is_none_or(|k| k[0] < x) {
                break;
            }
        }
    }
    Ok((keys, pairs))
}

/// The tiles that a triangle with a margin around it touches.
fn tiles_of(
    level: &Level,
    triangle: &navbake_level::Triangle,
    params: &Params,
    margin: i32,
) -> ([i32; 2], [i32; 2]) {
    let corners = level.corners(triangle);
    let range = |v: [i32; 3]| {
        let (low, high) = (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]));
        (params.tile_of(low - margin), params.tile_of(high + margin))
    };
    let (x0, x1) = range(corners.map(|c| c.x));
    let (z0, z1) = range(corners.map(|c| c.z));
    ([x0, z0], [x1, z1])
}

fn too_wide(level: &Level, params: &Params, tiles: usize) -> WalkableError {
    let cell = f64::from(params.cell) / level.grid.units();
    WalkableError::TooWide {
        tiles,
        side: f64::from(params.tile) / level.grid.units(),
        most: MOST_TILES,
        cell,
    }
}

#[cfg(test)]
mod tests {
    use navbake_geom::{Grid, Point3};
    use navbake_level::{Agent, Area, Role, Triangle};

    use super::*;
    use crate::WalkableSettings;

    #[test]
    fn triangles_are_sorted_alike_with_and_without_numbered_tiles() {
        let mut seed = 5u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        let (mut vertices, mut triangles) = (vec![], vec![]);
        for t in 0..600 {
            let (x, z) = (next(600_000) - 300_000, next(600_000) - 300_000);
            // Some as wide as a few tiles; some on their very borders.
            let size = if t % 7 == 0 { 150_000 } else { 3_000 };
            let align = if t % 5 == 0 { 1024 } else { 1 };
            for _ in 0..3 {
                let [x, z] = [x + next(size), z + next(size)].map(|v| v / align * align);
                vertices.push(Point3 { x, y: 0, z });
            }
            triangles.push(Triangle {
                v: [3 * t, 3 * t + 1, 3 * t + 2],
                up: if t % 3 == 0 { 0 } else { navbake_level::UP_ONE },
                part: 0,
                area: 0,
            });
        }
        let level = Level {
            vertices,
            triangles,
            roles: vec![Role::default()],
            areas: vec![Area::default()],
            ..Level::empty(Grid { bits: 10, origin: [0.0; 3] })
        };
        let settings = WalkableSettings::default();
        let params = Params::new(&level.grid, &Agent::default(), &settings).unwrap();
        let cells = Cells::new(&level, &params).unwrap();
        let ((keys, mut pairs), (wanted, mut plain)) =
            (cells.sort(&level, &params), sort_widely(&level, &params).unwrap());
        pairs.sort_unstable();
        plain.sort_unstable();
        assert!(keys.len() > 50);
        assert_eq!((keys, pairs), (wanted, plain));
    }
}
