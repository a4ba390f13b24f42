//! Grid maps of the tests' own making, and a slow, plain search over them.

use navbake_format::write::{BlobParts, GridMapParts, MeshParts, encode};
use navbake_format::{Blob, CellShape, GridMapView};
use navbake_gridpath::{GridPlanner, GridRequest};

/// A map in plain vectors.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) width: usize,
    pub(crate) free: Vec<bool>,
    pub(crate) terrain: Vec<u8>,
}

impl Cells {
    /// From rows: `#` is blocked, a digit is free ground of that terrain, all else free ground of
    /// terrain 0.
    pub(crate) fn rows(rows: &[&str]) -> Cells {
        let letters: Vec<u8> = rows.iter().flat_map(|r| r.bytes()).collect();
        Cells {
            width: rows[0].len(),
            free: letters.iter().map(|&b| b != b'#').collect(),
            terrain: letters
                .iter()
                .map(|b| if b.is_ascii_digit() { b - b'0' } else { 0 })
                .collect(),
        }
    }

    pub(crate) fn height(&self) -> usize {
        self.free.len() / self.width
    }

    pub(crate) fn bake(&self) -> Vec<u8> {
        encode(&BlobParts {
            meshes: &[MeshParts { first_edge: &[0], ..MeshParts::default() }],
            grid_map: Some(GridMapParts {
                shape: CellShape::Square,
                width: self.width as u32,
                height: self.height() as u32,
                cell: 1.0,
                corner: [0.0; 3],
                free: &self.free,
                terrain: &self.terrain,
                factors: &[],
            }),
            ..BlobParts::default()
        })
        .unwrap()
    }

    /// Is it on the map, and free?
    pub(crate) fn is_free(&self, [column, row]: [i64; 2]) -> bool {
        let inside =
            column >= 0 && row >= 0 && column < self.width as i64 && row < self.height() as i64;
        inside && self.free[self.index([column, row])]
    }

    pub(crate) fn index(&self, [column, row]: [i64; 2]) -> usize {
        row as usize * self.width + column as usize
    }

    pub(crate) fn cell(&self, index: usize) -> [i64; 2] {
        [(index % self.width) as i64, (index / self.width) as i64]
    }

    /// The cost of a cell, as the request says; `None` where the ground is forbidden.
    pub(crate) fn cost(&self, cell: [i64; 2], request: &GridRequest<'_>) -> Option<f64> {
        if !self.is_free(cell) {
            return None;
        }
        let terrain = usize::from(self.terrain.get(self.index(cell)).copied().unwrap_or(0));
        match request.costs {
            [] => Some(1.0),
            costs => {
                let cost = *costs.get(terrain)?;
                (0.0..=1024.0).contains(&cost).then(|| rounded(cost))
            }
        }
    }

    /// The cost of entering a cell from another; `None` where it cannot be.
    ///
    /// Forbidden ground is entered from such ground alone, at the least cost of other ground.
    fn entry(&self, from: [i64; 2], to: [i64; 2], request: &GridRequest<'_>) -> Option<f64> {
        let forbidden = [from, to].iter().all(|&c| self.cost(c, request).is_none());
        match self.is_free(to) && forbidden {
            true => Some(self.least(request)),
            false => self.cost(to, request),
        }
    }

    /// The least cost of ground on the map, or where all of it is forbidden of other terrains.
    fn least(&self, request: &GridRequest<'_>) -> f64 {
        let on_map = (0..self.free.len()).filter_map(|i| self.cost(self.cell(i), request));
        let sound = |c: &&f64| (0.0..=1024.0).contains(*c);
        let terrains = self.terrain.iter().max().map_or(1, |&t| usize::from(t) + 1);
        let all = request.costs.iter().take(terrains).filter(sound).map(|&c| rounded(c));
        on_map.reduce(f64::min).or(all.reduce(f64::max)).unwrap_or(1.0)
    }

    /// The cost of a step but for turns; `None` where there is none.
    pub(crate) fn step(
        &self,
        from: [i64; 2],
        by: [i64; 2],
        request: &GridRequest<'_>,
    ) -> Option<f64> {
        let [dx, dz] = by;
        let cost = self.entry(from, [from[0] + dx, from[1] + dz], request)?;
        if dx == 0 || dz == 0 {
            return Some(cost);
        }
        let beside = [[from[0] + dx, from[1]], [from[0], from[1] + dz]];
        let free = beside.iter().filter(|&&c| self.entry(from, c, request).is_some());
        let needed = if request.corner_cutting { 1 } else { 2 };
        let allowed = request.planner == GridPlanner::Grid8 && free.count() >= needed;
        allowed.then_some(cost * 2f64.sqrt())
    }
}

/// Costs are whole multiples of 1/1024.
pub(crate) fn rounded(cost: f64) -> f64 {
    if cost == 0.0 { 0.0 } else { (cost * 1024.0 + 0.5).floor().max(1.0) / 1024.0 }
}

/// A point in a cell.
pub(crate) fn middle([column, row]: [i64; 2]) -> [f64; 3] {
    [column as f64 + 0.5, 0.0, row as f64 + 0.5]
}

pub(crate) fn view(bytes: &[u8]) -> GridMapView<'_> {
    Blob::open_checked(bytes).unwrap().grid_map().unwrap()
}

pub(crate) const AROUND: [[i64; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Dijkstra's algorithm over cells and the direction of the last step, without a heap: the least
/// cost to each cell. Infinity where there is no path.
pub(crate) fn distances(map: &Cells, from: [i64; 2], request: &GridRequest<'_>) -> Vec<f64> {
    let penalty = if request.turn_penalty > 0.0 { rounded(request.turn_penalty) } else { 0.0 };
    // With a penalty the ninth direction is that of the start; without one there is one state a
    // cell.
    let ways = if penalty > 0.0 { 9 } else { 1 };
    let mut least = vec![f64::INFINITY; map.free.len() * ways];
    let mut open = vec![map.index(from) * ways + ways - 1];
    least[open[0]] = 0.0;
    while !open.is_empty() {
        let best =
            (0..open.len()).min_by(|&a, &b| least[open[a]].total_cmp(&least[open[b]])).unwrap();
        let state = open.swap_remove(best);
        let (cell, heading) = (map.cell(state / ways), state % ways);
        for (d, by) in AROUND.into_iter().enumerate() {
            let Some(step) = map.step(cell, by, request) else {
                continue;
            };
            let turned = ways > 1 && heading != 8 && heading != d;
            let total = least[state] + step + if turned { penalty } else { 0.0 };
            let to =
                map.index([cell[0] + by[0], cell[1] + by[1]]) * ways + if ways > 1 { d } else { 0 };
            if total < least[to] {
                if least[to] == f64::INFINITY || !open.contains(&to) {
                    open.push(to);
                }
                least[to] = total;
            }
        }
    }
    let of_cell = least.chunks(ways);
    of_cell.map(|w| w.iter().copied().fold(f64::INFINITY, f64::min)).collect()
}

/// The cost of a path by its cells; `None` when a step of it is not allowed.
pub(crate) fn cost_of(map: &Cells, path: &[[i64; 2]], request: &GridRequest<'_>) -> Option<f64> {
    let (mut total, mut last) = (0.0, None);
    for pair in path.windows(2) {
        let by = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        if !AROUND.contains(&by) {
            return None;
        }
        total += map.step(pair[0], by, request)?;
        if request.turn_penalty > 0.0 && last.is_some_and(|l| l != by) {
            total += rounded(request.turn_penalty);
        }
        last = Some(by);
    }
    Some(total)
}

/// A floor of 12 m by 12 m as a polygon and as cells.
pub(crate) fn floor_of_cells() -> Vec<u8> {
    let at = |x: i32, z: i32| [1024 * x, 0, 1024 * z];
    encode(&BlobParts {
        meshes: &[MeshParts {
            vertices: &[at(0, 0), at(0, 12), at(12, 12), at(12, 0)],
            first_edge: &[0, 4],
            corners: &[0, 1, 2, 3],
            neighbours: &[u32::MAX; 4],
            islands: &[0],
            areas: &[0],
            ..MeshParts::default()
        }],
        grid_map: Some(GridMapParts {
            shape: CellShape::Square,
            width: 12,
            height: 12,
            cell: 1.0,
            corner: [0.0; 3],
            free: &[true; 144],
            terrain: &[],
            factors: &[],
        }),
        ..BlobParts::default()
    })
    .unwrap()
}
