//! What searches read of a filter: slices.

use navbake_format::{CellId, CellShape, GridMapView};

use crate::GridPlanner;
use crate::cells::{Closed, is_set};
use crate::links::CellLink;

/// What is closed on a map and what it costs, for one kind of unit.
#[derive(Clone, Copy, Default)]
pub(crate) struct FilterParts<'a> {
    /// Cells that the unit fits on, closed and forbidden ones too, as the map has its bits.
    pub(crate) free: &'a [u8],
    /// Those that it can enter from open ground.
    pub(crate) open: &'a [u8],
    /// The latter with columns for rows, and the words of a column.
    pub(crate) turned: &'a [u64],
    pub(crate) turned_words: usize,
    /// The area of each cell, row by row, and the costs by area.
    pub(crate) areas: &'a [u8],
    pub(crate) costs: &'a [f64],
    /// The costs of single cells in parts, by id, and the least and greatest of those that can be
    /// entered; none where cells cost what their areas do.
    pub(crate) cell_costs: &'a [u32],
    pub(crate) cell_range: Option<[u32; 2]>,
    /// Cells on the navmesh, and those of them that are neither closed nor forbidden.
    pub(crate) ground: &'a [u64],
    pub(crate) plain: &'a [u64],
    pub(crate) closed: Closed<'a>,
    /// Links by the cells where they begin, and by those where they end.
    pub(crate) links: &'a [CellLink],
    pub(crate) links_back: &'a [CellLink],
    /// Runs end beside ground of another cost too.
    pub(crate) has_borders: bool,
    /// A bit for each of these cells, by rows and by columns; empty where there are none.
    pub(crate) starts: [&'a [u64]; 2],
    pub(crate) ends: [&'a [u64]; 2],
    /// The costs of all links together.
    pub(crate) link_parts: u64,
    /// Cells that units stand on, with the units, in rising order.
    pub(crate) standing: &'a [(CellId, u32)],
    /// Cells that obstacles take.
    #[cfg(feature = "alloc")]
    pub(crate) taken: Option<&'a navbake_navmesh::Taken>,
    /// The cells that the unit covers, by columns and rows from its own, in even and odd rows.
    pub(crate) covers: [&'a [[i32; 2]]; 2],
    pub(crate) landmarks: LandmarkParts<'a>,
}

/// Costs between all cells and a few landmarks, for requests of one planner.
#[derive(Clone, Copy, Default)]
pub(crate) struct LandmarkParts<'a> {
    pub(crate) planner: GridPlanner,
    /// How many there are.
    pub(crate) count: usize,
    /// By cell and landmark: the cost from the landmark, and to it, in [`LandmarkParts::STEP`]
    /// parts of a straight step, rounded down.
    pub(crate) costs: &'a [[u32; 2]],
}

impl<'a> LandmarkParts<'a> {
    /// Parts of a straight step of cost 1.
    const STEP: f64 = 256.0;
    /// There is no path, or its cost is beyond all numbers.
    pub(crate) const UNKNOWN: u32 = u32::MAX;

    /// A cost in straight steps as it is kept.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_steps(steps: f64) -> u32 {
        // Casts end at the greatest number, which is none.
        (steps * LandmarkParts::STEP) as u32
    }

    fn of(&self, cell: CellId) -> &'a [[u32; 2]] {
        let first = (cell.0 as usize).checked_mul(self.count);
        let of = |first: usize| self.costs.get(first..first.checked_add(self.count)?);
        first.and_then(of).unwrap_or_default()
    }

    /// No path between two cells costs less than this, in straight steps.
    pub(crate) fn between(&self, from: CellId, to: CellId) -> f64 {
        let mut most = 0;
        for (from, to) in self.of(from).iter().zip(self.of(to)) {
            let is_known = |cost: u32| cost != LandmarkParts::UNKNOWN;
            if is_known(from[0]) && is_known(to[0]) {
                most = most.max(to[0].saturating_sub(from[0]));
            }
            if is_known(from[1]) && is_known(to[1]) {
                most = most.max(from[1].saturating_sub(to[1]));
            }
        }
        // Both were rounded down: their difference may be too great by less than one.
        f64::from(most.saturating_sub(1)) / LandmarkParts::STEP
    }
}

impl<'a> FilterParts<'a> {
    /// Is a cell on the navmesh?
    pub(crate) fn is_ground(&self, cell: CellId) -> bool {
        is_set(self.ground, cell)
    }

    /// Is it also neither closed nor forbidden?
    pub(crate) fn is_open_ground(&self, cell: CellId) -> bool {
        is_set(self.plain, cell)
    }

    /// The map as a search sees it: with its own terrains, or with areas in their place.
    pub(crate) fn view<'m>(
        &self,
        map: &GridMapView<'m>,
        own_terrains: bool,
        is_open: bool,
    ) -> GridMapView<'m>
    where
        'a: 'm,
    {
        let bits = if is_open { self.open } else { self.free };
        map.with(bits, if own_terrains { &[] } else { self.areas }).unwrap_or(*map)
    }

    /// Finds the cells that are free for a unit only; `None` where it stands nowhere.
    pub(crate) fn own(&self, unit: u32, is_open: bool) -> Option<Own<'a>> {
        let stands = self.standing.iter().any(|&(_, other)| other == unit)
            || !self.taken_by(unit).is_empty();
        let ground = if is_open { self.plain } else { self.ground };
        stands.then_some(Own { filter: *self, ground, unit })
    }
}

impl<'a> FilterParts<'a> {
    /// The cells that the obstacle of a number takes.
    #[cfg(feature = "alloc")]
    fn taken_by(&self, number: u32) -> &'a [u32] {
        self.taken.map_or(&[], |taken| taken.cells_of(number))
    }

    /// Does an obstacle take a cell, but for the one of a number?
    #[cfg(feature = "alloc")]
    fn is_taken(&self, cell: CellId, but_for: u32) -> bool {
        self.taken.is_some_and(|taken| taken.is_taken_by_another(cell.0, but_for))
    }

    /// Without an allocator there are no filters.
    #[cfg(not(feature = "alloc"))]
    fn taken_by(&self, _: u32) -> &'a [u32] {
        &[]
    }

    #[cfg(not(feature = "alloc"))]
    fn is_taken(&self, _: CellId, _: u32) -> bool {
        false
    }
}

/// Finds the cells that are free for a unit only, as nobody else stands there.
#[derive(Clone, Copy)]
pub(crate) struct Own<'a> {
    filter: FilterParts<'a>,
    /// The cells that it may cover.
    ground: &'a [u64],
    unit: u32,
}

impl Own<'_> {
    /// The cells that [`Own::frees`], each at least once.
    pub(crate) fn cells<'m>(
        &'m self,
        map: &'m GridMapView<'_>,
    ) -> impl Iterator<Item = CellId> + 'm {
        let own = self.filter.standing.iter().filter(|&&(_, unit)| unit == self.unit);
        let taken = self.filter.taken_by(self.unit).iter().map(|&cell| CellId(cell));
        // Squares are covered from the other side; hexagons cover each other.
        let sign = if map.shape() == CellShape::Square { -1 } else { 1 };
        let around = own.map(|&(cell, _)| cell).chain(taken).flat_map(move |cell| {
            let [column, row] = map.column_row(cell).map(|c| i64::from(c as i32));
            let covers = self.filter.covers[(row & 1) as usize].iter();
            covers.filter_map(move |by| {
                let [dx, dz] = by.map(|v| sign * i64::from(v));
                map.id([column + dx, row + dz])
            })
        });
        around.filter(|&cell| self.frees(map, cell))
    }

    /// Is a cell, which is not free for all, free for the unit?
    pub(crate) fn frees(&self, map: &GridMapView<'_>, cell: CellId) -> bool {
        let filter = &self.filter;
        fits(map, self.ground, filter.covers, cell, |cell| {
            let first = filter.standing.partition_point(|&(other, _)| other < cell);
            let here = filter.standing[first..].iter().take_while(|&&(other, _)| other == cell);
            here.into_iter().all(|&(_, unit)| unit == self.unit)
                && !filter.is_taken(cell, self.unit)
        })
    }
}

/// Does a unit fit on a cell: are all cells that it covers ground, and empty?
pub(crate) fn fits(
    map: &GridMapView<'_>,
    ground: &[u64],
    covers: [&[[i32; 2]]; 2],
    cell: CellId,
    is_empty: impl Fn(CellId) -> bool,
) -> bool {
    let [column, row] = map.column_row(cell).map(|c| i64::from(c as i32));
    covers[(row & 1) as usize].iter().all(|&[dx, dz]| {
        let beside = map.id([column + i64::from(dx), row + i64::from(dz)]);
        beside.is_some_and(|cell| is_set(ground, cell) && is_empty(cell))
    })
}
