//! The shapes of a grid map's cells, and where cells are.

/// The square root of 3.
const ROOT_3: f64 = 1.732_050_807_568_877_2;

/// The shape of the cells of a grid map. Columns count along x, rows along z.
///
/// ```text
///   Square               Hexagon
///   +---+---+---+         / \ / \ / \
///   |0,0|1,0|2,0|        |0,0|1,0|2,0|
///   +---+---+---+         \ / \ / \ / \
///   |0,1|1,1|2,1|          |0,1|1,1|2,1|
///   +---+---+---+           \ / \ / \ /
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CellShape {
    /// Squares in rows and columns.
    #[default]
    Square,
    /// Hexagons with a corner at the least z; odd rows are half a cell further along x.
    Hexagon,
}

impl CellShape {
    /// The number that files use.
    pub fn number(self) -> u16 {
        match self {
            CellShape::Square => 0,
            CellShape::Hexagon => 1,
        }
    }

    /// The shape with a number.
    pub fn of_number(number: u16) -> Option<CellShape> {
        [CellShape::Square, CellShape::Hexagon].into_iter().find(|s| s.number() == number)
    }

    /// From one row to the next, in cells.
    fn row_step(self) -> f64 {
        match self {
            CellShape::Square => 1.0,
            CellShape::Hexagon => ROOT_3 / 2.0,
        }
    }

    /// The middle of a cell, `[x, z]`, in cells from the corner of the map.
    ///
    /// A cell is as wide as middles of one row are apart.
    pub fn middle(self, [column, row]: [i64; 2]) -> [f64; 2] {
        match self {
            CellShape::Square => [column as f64 + 0.5, row as f64 + 0.5],
            CellShape::Hexagon => {
                let shift = if row & 1 == 0 { 0.5 } else { 1.0 };
                [column as f64 + shift, ROOT_3 / 3.0 + row as f64 * self.row_step()]
            }
        }
    }

    /// The size of a map, `[x, z]`, in cells.
    pub fn extent(self, width: u32, height: u32) -> [f64; 2] {
        let [width, height] = [width, height].map(f64::from);
        match self {
            CellShape::Square => [width, height],
            CellShape::Hexagon => {
                let shift = if height > 1.0 { 0.5 } else { 0.0 };
                [width + shift, (height - 1.0) * self.row_step() + 2.0 * ROOT_3 / 3.0]
            }
        }
    }

    /// The number of corners, and of neighbours over a side.
    pub fn sides(self) -> usize {
        match self {
            CellShape::Square => 4,
            CellShape::Hexagon => 6,
        }
    }

    /// A corner of a cell by whole numbers, which are the same for all cells that meet there.
    ///
    /// Corners are counter-clockwise seen from above; `k` counts modulo [`CellShape::sides`]. Side
    /// k leads from corner k to the next one.
    pub fn corner_number(self, [column, row]: [i64; 2], k: usize) -> [i64; 2] {
        let [dx, dz] = match self {
            CellShape::Square => [[0, 0], [0, 1], [1, 1], [1, 0]][k % 4],
            CellShape::Hexagon => [[1, 0], [0, 1], [0, 2], [1, 3], [2, 2], [2, 1]][k % 6],
        };
        match self {
            CellShape::Square => [column + dx, row + dz],
            // Half columns, and two lines of corners a row.
            CellShape::Hexagon => [2 * column + (row & 1) + dx, 2 * row + dz],
        }
    }

    /// Where a corner is, `[x, z]`, in cells from the corner of the map.
    pub fn corner_at(self, [x, z]: [i64; 2]) -> [f64; 2] {
        match self {
            CellShape::Square => [x as f64, z as f64],
            CellShape::Hexagon => {
                let line = z.div_euclid(2) as f64 * self.row_step();
                let half = if z & 1 == 1 { ROOT_3 / 6.0 } else { 0.0 };
                [x as f64 / 2.0, line + half]
            }
        }
    }

    /// A corner of a cell, `[x, z]`, in cells from the corner of the map.
    pub fn corner(self, cell: [i64; 2], k: usize) -> [f64; 2] {
        self.corner_at(self.corner_number(cell, k))
    }

    /// The cell beyond side `k`.
    pub fn neighbour(self, [column, row]: [i64; 2], k: usize) -> [i64; 2] {
        let [dx, dz] = match self {
            CellShape::Square => [[-1, 0], [0, 1], [1, 0], [0, -1]][k % 4],
            CellShape::Hexagon => {
                let right = row & 1;
                [[right - 1, -1], [-1, 0], [right - 1, 1], [right, 1], [1, 0], [right, -1]][k % 6]
            }
        };
        [column + dx, row + dz]
    }

    /// The square of the distance of a place from a cell, both in cells from the corner of the map;
    /// 0 for a place in the cell.
    pub fn square_apart(self, [x, z]: [f64; 2], cell: [i64; 2]) -> f64 {
        let (mut least, mut is_inside) = (f64::INFINITY, true);
        for k in 0..self.sides() {
            let [a, b] = [self.corner(cell, k), self.corner(cell, k + 1)];
            let d = [b[0] - a[0], b[1] - a[1]];
            let from = [x - a[0], z - a[1]];
            is_inside &= d[0] * from[1] <= d[1] * from[0];
            let along = from[0] * d[0] + from[1] * d[1];
            let t = (along / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
            let (dx, dz) = (t * d[0] - from[0], t * d[1] - from[1]);
            least = least.min(dx * dx + dz * dz);
        }
        if is_inside { 0.0 } else { least }
    }

    /// The cell at a place, in cells from the corner of the map; of several, the one with the
    /// greatest row and column. `None` where it is too far out for whole numbers.
    pub fn cell_at(self, [x, z]: [f64; 2]) -> Option<[i64; 2]> {
        const MOST: f64 = (1u64 << 32) as f64;
        if !(x.abs() < MOST && z.abs() < MOST) {
            return None;
        }
        let floor = |v: f64| v as i64 - i64::from(v < (v as i64) as f64);
        if self == CellShape::Square {
            return Some([floor(x), floor(z)]);
        }
        // The nearest middle: a hexagon is what is nearer to its middle than to any other.
        let row = floor((z - ROOT_3 / 3.0) / self.row_step());
        let mut best = ([0; 2], f64::INFINITY);
        for row in row..=row + 1 {
            let first = floor(x - self.middle([0, row])[0]);
            for cell in [[first, row], [first + 1, row]] {
                let [mx, mz] = self.middle(cell);
                let apart = (x - mx) * (x - mx) + (z - mz) * (z - mz);
                if apart <= best.1 {
                    best = (cell, apart);
                }
            }
        }
        Some(best.0)
    }

    /// The least number of steps between two cells of hexagons, or of squares without diagonal
    /// steps.
    pub fn steps(self, a: [i64; 2], b: [i64; 2]) -> u64 {
        match self {
            CellShape::Square => a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]),
            CellShape::Hexagon => {
                // Along the axes of x and of the diagonal that leans right.
                let axial = |[c, r]: [i64; 2]| [c - (r - (r & 1)) / 2, r];
                let (a, b) = (axial(a), axial(b));
                let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
                (dx.unsigned_abs() + dz.unsigned_abs() + (dx + dz).unsigned_abs()) / 2
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [CellShape; 2] = [CellShape::Square, CellShape::Hexagon];

    fn cells() -> impl Iterator<Item = [i64; 2]> {
        (-3..5).flat_map(|r| (-3..5).map(move |c| [c, r]))
    }

    #[test]
    fn a_side_is_between_a_cell_and_its_neighbour() {
        for shape in BOTH {
            for cell in cells() {
                for k in 0..shape.sides() {
                    let other = shape.neighbour(cell, k);
                    let [a, b] = [k, k + 1].map(|k| shape.corner(cell, k));
                    let [m, n] = [cell, other].map(|c| shape.middle(c));
                    for axis in 0..2 {
                        assert!((a[axis] + b[axis] - m[axis] - n[axis]).abs() < 1e-12);
                    }
                    // The neighbour has the same side the other way round.
                    let back = (0..shape.sides()).find(|&j| shape.neighbour(other, j) == cell);
                    let back = back.expect("neighbours are mutual");
                    let ends = [shape.corner_number(other, back), shape.corner_number(cell, k + 1)];
                    assert_eq!(ends[0], ends[1]);
                    assert_eq!(shape.steps(cell, other), 1);
                }
            }
        }
    }

    #[test]
    fn corners_are_counter_clockwise_and_middles_in_their_cells() {
        for shape in BOTH {
            for cell in cells() {
                assert_eq!(shape.cell_at(shape.middle(cell)), Some(cell));
                let corners = (0..=shape.sides()).map(|k| shape.corner(cell, k));
                let mut all = corners.collect::<std::vec::Vec<_>>();
                let area: f64 = all.windows(2).map(|w| w[0][1] * w[1][0] - w[0][0] * w[1][1]).sum();
                assert!(area > 0.0, "y points up, so x before z is clockwise");
                all.pop();
                for [x, z] in all {
                    // A little inside of each corner.
                    let [mx, mz] = shape.middle(cell);
                    let near = [x + (mx - x) * 1e-6, z + (mz - z) * 1e-6];
                    assert_eq!(shape.cell_at(near), Some(cell));
                }
            }
        }
    }

    #[test]
    fn steps_are_those_of_a_search() {
        for shape in BOTH {
            let start = [1, 2];
            let mut known = std::collections::BTreeMap::from([(start, 0u64)]);
            let mut line = std::vec![start];
            while let Some(cell) = line.first().copied() {
                line.remove(0);
                let steps = known[&cell];
                if steps == 6 {
                    continue;
                }
                for k in 0..shape.sides() {
                    let next = shape.neighbour(cell, k);
                    if let std::collections::btree_map::Entry::Vacant(slot) = known.entry(next) {
                        slot.insert(steps + 1);
                        line.push(next);
                    }
                }
            }
            for (cell, steps) in known {
                assert_eq!(shape.steps(start, cell), steps, "{shape:?} {cell:?}");
            }
        }
    }
}
