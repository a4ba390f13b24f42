//! A uniform grid of squares over the ground plane, as an index of boxes.

use navbake_grid::Point;

/// The least and the greatest corner of a box in the ground plane, both included.
pub type Box2 = [Point; 2];

/// The box around some points; the origin without any.
pub fn box_around(points: impl IntoIterator<Item = Point>) -> Box2 {
    let mut points = points.into_iter();
    let first = points.next().unwrap_or_default();
    points.fold([first; 2], |[low, high], p| {
        [Point::new(low.x.min(p.x), low.z.min(p.z)), Point::new(high.x.max(p.x), high.z.max(p.z))]
    })
}

/// Boxes, each listed in all squares of a uniform grid that it meets.
///
/// ```text
///   +----+----+----+
///   |  0 | 1  | 2  |      a box that meets squares 1, 2, 4 and 5
///   |    |  #####  |      is an item of these four
///   +----+--#####--+
///   |  3 |  #####  |
///   |    | 4  | 5  |
///   +----+----+----+
/// ```
///
/// Squares are numbered row by row: along x, then z. What is outside the grid counts to the nearest
/// square of its border. The lists are one array (compressed rows), built by counting in
/// O(squares + entries). A search takes time in proportion to the entries of the squares that it
/// meets, so a side near the size of most boxes is best.
#[derive(Clone, Debug, Default)]
pub struct SquareGrid {
    least: Point,
    side: i64,
    /// Squares along x and z.
    size: [i64; 2],
    /// Where the list of each square begins, and where the last one ends.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl SquareGrid {
    /// Squares with sides of `side` grid units (at least 1) over `area`, with `boxes` as items.
    ///
    /// Items are numbered in the order of the boxes.
    pub fn new(area: Box2, side: i64, boxes: impl Iterator<Item = Box2> + Clone) -> SquareGrid {
        let [low, high] = area;
        let side = side.max(1);
        let squares = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0) / side + 1;
        let size = [squares(low.x, high.x), squares(low.z, high.z)];
        let mut grid = SquareGrid { least: low, side, size, first: vec![], items: vec![] };
        let mut first = vec![0u32; (size[0] * size[1]) as usize + 1];
        for square in boxes.clone().flat_map(|b| grid.squares(b)) {
            first[square] += 1;
        }
        let mut sum = 0;
        for n in &mut first {
            sum += *n;
            *n = sum;
        }
        // From the end of each list down to its beginning, so the last box comes first.
        let mut items = vec![0; sum as usize];
        let all: Vec<Box2> = boxes.collect();
        for (number, &b) in (0..all.len() as u32).zip(&all).rev() {
            for square in grid.squares(b) {
                first[square] -= 1;
                items[first[square] as usize] = number;
            }
        }
        (grid.first, grid.items) = (first, items);
        grid
    }

    /// The number of squares.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Has the grid no squares? Only a default one has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The squares that a box meets, ascending.
    #[inline]
    pub fn squares(&self, [low, high]: Box2) -> impl Iterator<Item = usize> + use<> {
        let (low, high) = (self.column_and_row(low), self.column_and_row(high));
        let width = self.size[0];
        (low[1]..=high[1])
            .flat_map(move |row| (low[0]..=high[0]).map(move |c| (row * width + c) as usize))
    }

    /// The items of a square, ascending.
    pub fn items(&self, square: usize) -> &[u32] {
        &self.items[self.first[square] as usize..self.first[square + 1] as usize]
    }

    /// The items of the square at a place, ascending: all boxes that hold it are among them.
    pub fn at(&self, place: Point) -> &[u32] {
        let [column, row] = self.column_and_row(place);
        self.items((row * self.size[0] + column) as usize)
    }

    /// The items of all squares that a box meets, ascending, each once.
    pub fn near(&self, wanted: Box2) -> Vec<u32> {
        let squares = self.squares(wanted);
        let mut found: Vec<u32> = squares.flat_map(|s| self.items(s)).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[inline]
    fn column_and_row(&self, p: Point) -> [i64; 2] {
        [(p.x, self.least.x, self.size[0]), (p.z, self.least.z, self.size[1])].map(
            |(at, least, size)| {
                let from = i64::from(at) - i64::from(least);
                from.div_euclid(self.side).clamp(0, size - 1)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn boxes() -> impl Strategy<Value = Vec<Box2>> {
        let corner = || (-60i32..60, -60i32..60);
        let one = (corner(), 0i32..40, 0i32..40);
        let one = one.prop_map(|((x, z), w, d)| [Point::new(x, z), Point::new(x + w, z + d)]);
        prop::collection::vec(one, 0..40)
    }

    fn meet([a, b]: &Box2, [c, d]: &Box2) -> bool {
        a.x <= d.x && c.x <= b.x && a.z <= d.z && c.z <= b.z
    }

    proptest! {
        #[test]
        fn searches_miss_no_box_and_give_only_those_of_the_same_squares(
            all in boxes(),
            wanted in boxes(),
            side in 1i64..50,
        ) {
            let area = [Point::new(-50, -40), Point::new(45, 50)];
            let grid = SquareGrid::new(area, side, all.iter().copied());
            for wanted in &wanted {
                let found = grid.near(*wanted);
                prop_assert!(found.is_sorted_by(|a, b| a < b));
                let squares: Vec<usize> = grid.squares(*wanted).collect();
                for (number, b) in (0u32..).zip(&all) {
                    let shares = grid.squares(*b).any(|s| squares.contains(&s));
                    prop_assert_eq!(found.contains(&number), shares);
                    prop_assert!(shares || !meet(b, wanted));
                }
                prop_assert_eq!(grid.at(wanted[0]), &grid.near([wanted[0]; 2])[..]);
            }
        }
    }
}
