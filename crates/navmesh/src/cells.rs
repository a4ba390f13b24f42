//! Which polygons are where: squares of the ground plane for location.
//!
//! There are about as many squares as polygons; each lists the polygons that meet it. The square of
//! a point names the few that can contain it.

use crate::record::Records;
use crate::{Border, NONE, PolyMesh};
use navbake_grid::{cross, is_right_of};

/// Squares of the ground plane, and the polygons there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells<'a> {
    /// Least corner of the first square.
    pub least: [i32; 2],
    /// The side of a square is `2^shift` grid units.
    pub shift: u32,
    /// Squares along x and z.
    pub across: [u32; 2],
    /// Where the list of each square begins, and where the last one ends.
    pub starts: Records<'a, u32>,
    /// Lists of polygons, ids rising in each.
    pub items: Records<'a, Cell>,
    /// Of a mesh of several parts: the squares of each, in the order of their polygons. Then there
    /// are no others.
    pub parts: Records<'a, CellsPart>,
}

crate::record! {
    /// The squares of a part of a mesh.
    #[derive(Debug, PartialEq, Eq)]
    pub struct CellsPart: 36 {
        /// See [`Cells::least`].
        pub least: [i32; 2],
        /// See [`Cells::shift`].
        pub shift: u32,
        /// See [`Cells::across`].
        pub across: [u32; 2],
        /// Its first element of [`Cells::starts`], and how many there are. They count from its
        /// first item.
        pub starts: [u32; 2],
        /// Its first element of [`Cells::items`], and how many there are.
        pub items: [u32; 2],
    }
}

crate::record! {
    /// A polygon in a square's list, and which part of the square its box meets, in 256 steps along
    /// x and z: a list hardly takes more than a cache line.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Cell: 8 {
        /// The polygon.
        pub polygon: u32,
        /// First step along x.
        pub least_x: u8,
        /// First step along z.
        pub least_z: u8,
        /// Last step along x.
        pub greatest_x: u8,
        /// Last step along z.
        pub greatest_z: u8,
    }
}

/// The step of its square, with a side of `2^shift`, that a coordinate is in; the coordinate counts
/// from the first square.
#[inline]
fn step(offset: i64, shift: u32) -> u8 {
    let within = offset & ((1 << shift) - 1);
    match shift.checked_sub(8) {
        Some(shift) => (within >> shift) as u8,
        None => within as u8,
    }
}

impl<'a> Cells<'a> {
    /// The polygons that may contain a point.
    #[inline]
    pub fn at(&self, p: [i32; 2]) -> impl Iterator<Item = u32> + use<'a> {
        let offset = [0, 1].map(|k| i64::from(p[k]) - i64::from(self.least[k]));
        let [x, z] = offset.map(|o| step(o, self.shift));
        let near = move |item: Cell| {
            let inside = (item.least_x <= x && x <= item.greatest_x)
                && (item.least_z <= z && z <= item.greatest_z);
            inside.then_some(item.polygon)
        };
        let items = self.square(offset.map(|o| o >> self.shift));
        items.unwrap_or_default().iter().filter_map(near)
    }

    /// The squares of a part.
    fn part(&self, part: &CellsPart) -> Cells<'a> {
        let range = |[first, count]: [u32; 2]| first as usize..first as usize + count as usize;
        Cells {
            least: part.least,
            shift: part.shift,
            across: part.across,
            starts: self.starts.slice(range(part.starts)).unwrap_or_default(),
            items: self.items.slice(range(part.items)).unwrap_or_default(),
            parts: Records::default(),
        }
    }

    /// The list of a square.
    #[inline]
    fn square(&self, [column, row]: [i64; 2]) -> Option<Records<'a, Cell>> {
        let [columns, rows] = self.across.map(i64::from);
        if column < 0 || column >= columns || row < 0 || row >= rows {
            return None;
        }
        let i = row as usize * columns as usize + column as usize;
        let (start, end) = (self.starts.get(i)?, self.starts.get(i + 1)?);
        self.items.slice(start as usize..end as usize)
    }
}

/// Positive when the point is to the left of the line from `a` to `b`; exact.
#[inline]
fn side(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> i64 {
    let towards = |to: [i32; 2]| [0, 1].map(|k| i64::from(to[k].wrapping_sub(a[k])));
    cross(towards(b), towards(p))
}

impl PolyMesh<'_> {
    /// Calls `found` for each polygon that contains a point in the ground plane and may have a
    /// height from `low` to `high` there, ids rising, with that height in grid units.
    #[inline]
    pub fn above_or_below(
        &self,
        p: [i32; 2],
        [low, high]: [f64; 2],
        mut found: impl FnMut(u32, f64),
    ) {
        let mut one = |number: u32, border: Border<'_>| {
            if !holds(border, p) {
                return;
            }
            let Some(polygon) = self.polygon(number) else {
                return;
            };
            if polygon.detail != NONE {
                let [least, greatest] = self.details.heights(polygon.detail).map(f64::from);
                if greatest < low || high < least {
                    return;
                }
            }
            found(number, self.height(number, p.map(f64::from)));
        };
        let mut all = |cells: &Cells<'_>| {
            for number in cells.at(p) {
                let border = self.border(number);
                if border.is_empty() {
                    self.pieces_of(number).for_each(|piece| one(piece, self.border(piece)));
                } else {
                    one(number, border);
                }
            }
        };
        match self.cells.parts.is_empty() {
            true => all(&self.cells),
            false => self.cells.parts.iter().for_each(|part| all(&self.cells.part(&part))),
        }
    }

    /// Does a closed polygon contain a point? Exact; false for a polygon that does not exist.
    #[inline]
    pub fn holds(&self, polygon: u32, p: [i32; 2]) -> bool {
        holds(self.border(polygon), p)
    }

    /// Does a polygon that contains the point still contain it when it moves a tiny bit towards +x
    /// and, by a yet tinier bit, towards +z? Of polygons that share an edge or a corner at the
    /// point without overlap, exactly one or none does.
    pub fn holds_moved(&self, polygon: u32, p: [i32; 2]) -> bool {
        let border = self.border(polygon);
        border.iter().enumerate().all(|(k, edge)| {
            let (a, b) = (edge.at, border.after(k).at);
            let stays = b[1] > a[1] || (b[1] == a[1] && b[0] < a[0]);
            stays || side(a, b, p) > 0
        })
    }

    /// Is a point that the polygon contains on its border? Only then may others contain it. True
    /// where there is no such polygon.
    pub fn is_on_border(&self, polygon: u32, p: [i32; 2]) -> bool {
        let border = self.border(polygon);
        let Some(last) = border.last() else {
            return true;
        };
        let mut a = last.at;
        border.iter().any(|edge| {
            let on = side(a, edge.at, p) == 0;
            a = edge.at;
            on
        })
    }
}

/// Does the closed polygon contain the point? Exact.
#[inline]
fn holds(border: Border<'_>, p: [i32; 2]) -> bool {
    let Some(last) = border.last() else {
        return false;
    };
    let mut a = last.at;
    let mut inside = true;
    for edge in border.iter() {
        inside &= side(a, edge.at, p) >= 0;
        a = edge.at;
    }
    inside
}

/// The plane parted into squares.
#[derive(Clone, Copy)]
struct Squares {
    /// See [`Cells::least`].
    least: [i32; 2],
    /// See [`Cells::shift`].
    shift: u32,
    /// See [`Cells::across`].
    across: [u32; 2],
}

/// A polygon and its box.
struct Boxed<I> {
    polygon: u32,
    /// Its corners, counter-clockwise.
    corners: I,
    least: [i32; 2],
    greatest: [i32; 2],
}

/// At most this many squares a polygon, and this many list entries a polygon.
const MOST: [u64; 2] = [8, 16];

/// Least and greatest coordinates; the least are greater where there is nothing.
#[inline]
fn bounds(corners: impl Iterator<Item = [i32; 2]>) -> [[i32; 2]; 2] {
    corners.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], at| {
        [[0, 1].map(|k| low[k].min(at[k])), [0, 1].map(|k| high[k].max(at[k]))]
    })
}

impl<I: Iterator<Item = [i32; 2]> + Clone> Boxed<I> {
    #[inline]
    fn new(polygon: u32, corners: I) -> Boxed<I> {
        let [least, greatest] = bounds(corners.clone());
        Boxed { polygon, corners, least, greatest }
    }

    /// May it contain a place in a rectangle? No edge has all of that beyond it.
    fn meets(&self, place: [[i32; 2]; 2]) -> bool {
        let mut corners = self.corners.clone();
        let Some(first) = corners.next() else {
            return false;
        };
        let mut from = first;
        for to in corners {
            if is_right_of(from, to, place) {
                return false;
            }
            from = to;
        }
        !is_right_of(from, first, place)
    }
}

impl Squares {
    /// Which square along an axis.
    #[inline]
    fn cell(&self, at: i32, k: usize) -> u64 {
        ((i64::from(at) - i64::from(self.least[k])) >> self.shift) as u64
    }

    /// How many squares a polygon's box meets.
    #[inline]
    fn count<I>(&self, item: &Boxed<I>) -> u64 {
        let along = |k: usize| self.cell(item.greatest[k], k) - self.cell(item.least[k], k) + 1;
        along(0) * along(1)
    }

    /// How many squares there are along both axes, up to a greatest place.
    #[inline]
    fn side(&self, greatest: [i32; 2]) -> [u64; 2] {
        [0, 1].map(|k| self.cell(greatest[k], k) + 1)
    }

    /// Calls `found` for the squares that a polygon meets, with its entry in each.
    #[inline]
    fn each<I: Iterator<Item = [i32; 2]> + Clone>(
        &self,
        item: &Boxed<I>,
        mut found: impl FnMut(usize, Cell),
    ) {
        let [x, z] = [0, 1].map(|k| [self.cell(item.least[k], k), self.cell(item.greatest[k], k)]);
        // Squares in a row have the polygon within the row, so each of them meets it.
        let in_a_row = x[0] == x[1] || z[0] == z[1];
        for row in z[0]..=z[1] {
            for column in x[0]..=x[1] {
                let square = row as usize * self.across[0] as usize + column as usize;
                if let Some(cell) = self.part(item, [column, row], in_a_row) {
                    found(square, cell);
                }
            }
        }
    }

    /// A polygon in the list of a square that its box meets; `None` if it does not meet it itself.
    #[inline]
    fn part<I: Iterator<Item = [i32; 2]> + Clone>(
        &self,
        item: &Boxed<I>,
        square: [u64; 2],
        is_met: bool,
    ) -> Option<Cell> {
        let first = [0, 1].map(|k| i64::from(self.least[k]) + ((square[k] as i64) << self.shift));
        let last = first.map(|c| c + (1 << self.shift) - 1);
        // Between two such.
        let within = |at: i64, k: usize| at.clamp(item.least[k].into(), item.greatest[k].into());
        let least = [0, 1].map(|k| within(first[k], k) as i32);
        let greatest = [0, 1].map(|k| within(last[k], k) as i32);
        if !is_met && !item.meets([least, greatest]) {
            return None;
        }
        let of = |place: [i32; 2]| {
            [0, 1].map(|k| step(i64::from(place[k]) - i64::from(self.least[k]), self.shift))
        };
        let ([least_x, least_z], [greatest_x, greatest_z]) = (of(least), of(greatest));
        Some(Cell { polygon: item.polygon, least_x, least_z, greatest_x, greatest_z })
    }
}

impl PolyMesh<'_> {
    /// Does each square list exactly the polygons that meet it? Borders are known to be sound.
    /// O(n log n).
    pub fn has_sound_cells(&self) -> bool {
        let cells = &self.cells;
        let (starts, items) = (cells.starts, cells.items);
        let across = cells.across.map(u64::from);
        let count = usize::try_from(across[0] * across[1]);
        let sorted = (0..starts.len()).all(|i| i == 0 || starts.get(i - 1) <= starts.get(i));
        let ends = [starts.first(), starts.last()];
        if count.ok().and_then(|c| c.checked_add(1)) != Some(starts.len())
            || !sorted
            || ends != [Some(0), u32::try_from(items.len()).ok()]
            || cells.shift > 31
        {
            return false;
        }
        let [least, greatest] = bounds(self.edges.iter().map(|edge| edge.at));
        if self.is_empty() {
            return across == [0; 2];
        }
        let squares = Squares { least, shift: cells.shift, across: cells.across };
        if cells.least != least || squares.side(greatest) != across {
            return false;
        }
        let most = if across == [1, 1] { u64::MAX } else { MOST[1] * u64::from(self.len()) };
        let (mut right, mut listed, mut looks) = (true, 0, 0u64);
        for item in (0..self.len()).map(|p| Boxed::new(p, self.border(p).corners())) {
            looks = looks.saturating_add(squares.count(&item));
            if looks > most {
                return false;
            }
            squares.each(&item, |square, cell| {
                listed += 1;
                let list = || {
                    let (start, end) = (starts.get(square)?, starts.get(square + 1)?);
                    items.slice(start as usize..end as usize)
                };
                let own = list().and_then(|list| {
                    // Lists are as short as there are few polygons at a place.
                    list.get(list.find(item.polygon, |c: Cell| c.polygon)?)
                });
                right &= own == Some(cell);
            });
        }
        right && listed == items.len() && self.cells_rise()
    }

    /// Do the ids in each list rise?
    fn cells_rise(&self) -> bool {
        let starts = self.cells.starts;
        (1..starts.len()).all(|i| {
            let (start, end) = (starts.at(i - 1) as usize, starts.at(i) as usize);
            let list = self.cells.items.slice(start..end).unwrap_or_default();
            (1..list.len()).all(|k| list.at(k - 1).polygon < list.at(k).polygon)
        })
    }
}

/// Squares that own their memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct CellsBuffer {
    /// See [`Cells::least`].
    pub least: [i32; 2],
    /// See [`Cells::shift`].
    pub shift: u32,
    /// See [`Cells::across`].
    pub across: [u32; 2],
    /// See [`Cells::starts`].
    pub starts: alloc::vec::Vec<u32>,
    /// See [`Cells::items`].
    pub items: alloc::vec::Vec<Cell>,
}

#[cfg(feature = "alloc")]
impl CellsBuffer {
    /// Of polygons (one more than there are) and their edges.
    pub fn new(polygons: &[crate::Polygon], edges: &[crate::Edge]) -> CellsBuffer {
        use alloc::vec;
        let items: alloc::vec::Vec<_> = (0..)
            .zip(polygons.windows(2))
            .filter_map(|(polygon, pair)| {
                let border = edges.get(pair[0].first as usize..pair[1].first as usize)?;
                let item = Boxed::new(polygon, border.iter().map(|edge| edge.at));
                (!border.is_empty()).then_some(item)
            })
            .collect();
        let ends = items.iter().flat_map(|item| [item.least, item.greatest]);
        let [least, greatest] = bounds(ends);
        let mut squares = Squares { least, shift: 0, across: [0; 2] };
        let count = items.len() as u64;
        if items.is_empty() {
            let starts = vec![0];
            return CellsBuffer { least, shift: 0, across: [0; 2], starts, items: vec![] };
        }
        // The least squares of which there are not too many, nor too many places in their lists.
        loop {
            let side = squares.side(greatest);
            let few = side[0] * side[1] <= MOST[0] * count
                && items.iter().map(|item| squares.count(item)).sum::<u64>() <= MOST[1] * count;
            if few || side == [1, 1] {
                squares.across = side.map(|n| n as u32);
                break;
            }
            squares.shift += 1;
        }
        // Polygons by their squares, in two passes: how many each has, and which.
        let across = squares.across.map(|n| n as usize);
        let mut places = vec![];
        let mut starts = vec![0u32; across[0] * across[1] + 1];
        for item in &items {
            squares.each(item, |square, cell| {
                starts[square + 1] += 1;
                places.push((square as u32, cell));
            });
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let nothing = Cell { polygon: NONE, least_x: 0, least_z: 0, greatest_x: 0, greatest_z: 0 };
        let mut lists = vec![nothing; places.len()];
        for (square, cell) in places {
            lists[next[square as usize] as usize] = cell;
            next[square as usize] += 1;
        }
        let Squares { least, shift, across } = squares;
        CellsBuffer { least, shift, across, starts, items: lists }
    }
}
