//! What is closed on a grid map and what it costs, from the navmesh of the same level.

use alloc::vec;
use alloc::vec::Vec;

use navbake_format::{AreaId, CellId, CellShape, GridMapView};
use navbake_navmesh::Taken;
use navbake_search::{NavMesh, NavQuery, PolyId, QueryFilter};

use crate::GridPlanner;
use crate::cells::{Closed, is_set};
use crate::crossed::{each_cell, each_crossed, each_crossed_hexagon, place};
use crate::filter::{FilterParts, LandmarkParts, fits};
use crate::links::CellLink;
use crate::metric::{MOST, link_parts, parts};
use crate::unit_shape::{UnitShape, covers};

/// Areas of a blob.
const AREAS: usize = 64;

/// What a search over cells considers beside blocked cells, for one kind of unit.
///
/// Weights, closed areas and doors, and links come from the navmesh and a [`QueryFilter`]: a cell
/// has the area of the navmesh at its middle, and a cell whose middle is not on the navmesh is
/// blocked. A closed door stops the steps that cross it. A link leads from the cell where it begins
/// to that where it ends, at its own cost.
///
/// Ground that costs more than 1024 a metre is forbidden, as no cell can cost more.
///
/// Units that stand still block the cells that they stand on, for all but themselves, and
/// [obstacles](CellFilter::set_obstacle) those that they reach into.
///
/// ```
/// # fn run(
/// #     nav: navbake_search::NavMesh<'_>,
/// #     file: navbake_format::CheckedBlob<'_>,
/// # ) -> Result<(), navbake_search::Error> {
/// use navbake_gridpath::{CellFilter, GridQuery, UnitShape};
/// use navbake_search::QueryFilter;
///
/// let map = file.grid_map().expect("baked from a grid map");
/// let weights = QueryFilter::new().weights(&nav, "tank")?;
/// let mut filter = CellFilter::new(&map, &nav, &weights).shape(&map, UnitShape::Block(2));
/// let here = map.free_cell_at([4.5, 0.0, 3.5]).expect("a free cell");
/// filter.stand(&map, here, 7); // unit 7 stops here
/// let query = GridQuery::new(map).with_filter(&filter);
/// # let _ = query;
/// filter.leave(&map, here, 7);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CellFilter {
    free: Vec<u8>,
    open: Vec<u8>,
    /// The latter with columns for rows.
    turned: Vec<u64>,
    pub(crate) turned_words: usize,
    pub(crate) areas: Vec<u8>,
    pub(crate) costs: Vec<f64>,
    /// The factor on the cost of each cell's area, by id, and the cell's cost in parts; empty
    /// without clearance and fields.
    factors: Vec<f32>,
    cell_costs: Vec<u32>,
    /// The least and the greatest of these, where ground is not forbidden.
    cell_range: Option<[u32; 2]>,
    pub(crate) ground: Vec<u64>,
    pub(crate) plain: Vec<u64>,
    closed: Vec<u64>,
    /// Those that a switch closes, whatever their area.
    switched: Vec<u64>,
    walls: Vec<(CellId, u8)>,
    pub(crate) links: Vec<CellLink>,
    pub(crate) links_back: Vec<CellLink>,
    /// A bit for each cell where links begin or end, and for those of `borders.rs`, by rows and by
    /// columns.
    pub(crate) starts: [Vec<u64>; 2],
    pub(crate) ends: [Vec<u64>; 2],
    pub(crate) has_borders: bool,
    link_parts: u64,
    has_lost_links: bool,
    standing: Vec<(CellId, u32)>,
    pub(crate) taken: Taken,
    /// Its radius and height, metres.
    pub(crate) agent: [f64; 2],
    /// By the parity of the unit's row: rows of hexagons are shifted against each other.
    covers: [Vec<[i32; 2]>; 2],
    pub(crate) landmarks: Landmarks,
}

/// The landmarks of a filter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    pub(crate) planner: GridPlanner,
    pub(crate) count: usize,
    /// By cell and landmark: the cost from the landmark, and to it.
    pub(crate) costs: Vec<[u32; 2]>,
}

impl Landmarks {
    pub(crate) fn parts(&self) -> LandmarkParts<'_> {
        LandmarkParts { planner: self.planner, count: self.count, costs: &self.costs }
    }
}

impl CellFilter {
    /// What a filter means on a map. The mesh is that of the same blob.
    ///
    /// A pass over the polygons and cells of the map.
    pub fn new(map: &GridMapView<'_>, mesh: &NavMesh<'_>, filter: &QueryFilter) -> CellFilter {
        let query = NavQuery::new(*mesh).with_filter(filter);
        let words = (map.id_count() as usize).div_ceil(64);
        let mut own = CellFilter {
            areas: vec![0; map.width() as usize * map.height() as usize],
            ground: vec![0; words],
            plain: vec![0; words],
            closed: vec![0; words],
            switched: vec![0; words],
            turned_words: (map.height() as usize + 2).div_ceil(64),
            agent: mesh.agent_size(),
            covers: [vec![[0, 0]], vec![[0, 0]]],
            ..CellFilter::default()
        };
        let mut used = 0u64;
        for polygon in (0..mesh.polygon_count()).map(PolyId) {
            let (area, is_closed) = (mesh.area(polygon), query.closings().is_closed(polygon));
            // Cells cannot cost more.
            let forbidden = query.is_forbidden(polygon) || filter.area_cost(area) > MOST;
            each_cell(map, mesh, polygon, |cell| {
                set(&mut own.ground, cell);
                let [column, row] = map.column_row(cell).map(|c| c as usize);
                own.areas[row * map.width() as usize + column] = area.0;
                if is_closed {
                    set(&mut own.closed, cell);
                    if filter.area_cost(area) < f64::INFINITY {
                        set(&mut own.switched, cell);
                    }
                }
                if !forbidden {
                    set(&mut own.plain, cell);
                }
                used |= 1 << (area.0 & 63);
            });
        }
        let cost = |area: u8| filter.area_cost(AreaId(area));
        // What is not on the map costs what some ground costs, so that one cost is seen as one.
        let any = cost(used.trailing_zeros().min(63) as u8);
        let most = AREAS - used.leading_zeros() as usize;
        own.costs = (0..most as u8)
            .map(|area| if used >> area & 1 == 1 { cost(area) } else { any })
            .collect();
        if !query.closings().is_ground_open() {
            own.add_walls(map, &query);
        }
        own.add_links(map, &query);
        own.add_borders(map);
        if own.closed.iter().all(|&word| word == 0) {
            own.closed.clear();
        }
        own.refresh_all(map);
        own
    }

    /// The same for a unit of another shape.
    ///
    /// A pass over the cells, times the cells that the unit covers.
    #[must_use]
    pub fn shape(mut self, map: &GridMapView<'_>, shape: UnitShape) -> CellFilter {
        self.covers = [0, 1].map(|row| covers(map, shape, row));
        self.landmarks = Landmarks::default();
        self.refresh_all(map);
        self
    }

    /// The same with the cost of each cell by its own distance from walls and from the sources of
    /// cost fields, for the agent of that number whose weights in the file the filter has.
    ///
    /// Without this call cells cost what the bands that they are in do. Costs are rounded to 1/1024
    /// of plain ground. A pass over the cells; none where the file has no such costs.
    ///
    /// ```
    /// # fn run(
    /// #     nav: navbake_search::NavMesh<'_>,
    /// #     file: navbake_format::CheckedBlob<'_>,
    /// # ) -> Result<(), navbake_search::Error> {
    /// use navbake_gridpath::CellFilter;
    /// use navbake_search::QueryFilter;
    ///
    /// let map = file.grid_map().expect("baked from a grid map");
    /// let weights = QueryFilter::new().weights(&nav, "")?; // of the first agent
    /// let filter = CellFilter::new(&map, &nav, &weights).fields(&map, 0);
    /// # let _ = filter;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn fields(mut self, map: &GridMapView<'_>, agent: u16) -> CellFilter {
        if !map.has_factors() {
            return self;
        }
        self.landmarks = Landmarks::default();
        let ids = || (0..map.id_count()).map(CellId);
        self.factors = ids().map(|cell| map.factor(cell, agent) as f32).collect();
        self.cell_costs = vec![0; self.factors.len()];
        for cell in ids() {
            self.price(map, cell);
        }
        self
    }

    /// Finds the cost of a cell anew, where cells have costs of their own.
    fn price(&mut self, map: &GridMapView<'_>, cell: CellId) {
        let factor = self.factors.get(cell.0 as usize).copied();
        let Some(factor) = factor.filter(|_| is_set(&self.ground, cell)) else {
            return;
        };
        let [column, row] = map.column_row(cell).map(|c| c as usize);
        let area = self.areas[row * map.width() as usize + column];
        let cost = self.costs.get(usize::from(area)).copied().unwrap_or(f64::INFINITY);
        if let Some(parts) = parts((cost * f64::from(factor)).min(MOST)).filter(|_| cost <= MOST) {
            self.cell_costs[cell.0 as usize] = parts;
            let [least, most] = self.cell_range.unwrap_or([parts; 2]);
            self.cell_range = Some([least.min(parts), most.max(parts)]);
        }
    }

    /// A unit stands on a cell: it is blocked for all others.
    ///
    /// Takes time by the square of the number of cells that a unit covers.
    pub fn stand(&mut self, map: &GridMapView<'_>, cell: CellId, unit: u32) {
        if let Err(at) = self.standing.binary_search(&(cell, unit)) {
            self.standing.insert(at, (cell, unit));
            self.refresh_around(map, cell);
        }
    }

    /// A unit no longer stands on a cell.
    pub fn leave(&mut self, map: &GridMapView<'_>, cell: CellId, unit: u32) {
        if let Ok(at) = self.standing.binary_search(&(cell, unit)) {
            self.standing.remove(at);
            self.refresh_around(map, cell);
        }
    }

    /// Gives a cell another area, at that area's cost in a filter, to try a change of the level.
    ///
    /// The cell then costs what the area does, without clearance and cost fields. Infinite costs
    /// forbid it. A cell that is not on the navmesh stays blocked, and so do links that the filter
    /// blocks. Takes time as [`CellFilter::stand`] does.
    pub fn paint(
        &mut self,
        map: &GridMapView<'_>,
        filter: &QueryFilter,
        cell: CellId,
        area: AreaId,
    ) {
        if !is_set(&self.ground, cell) {
            return;
        }
        self.landmarks = Landmarks::default();
        let [column, row] = map.column_row(cell).map(|c| c as usize);
        self.areas[row * map.width() as usize + column] = area.0;
        if self.costs.len() <= area.index() {
            // Costs of areas that no cell has are those of one that some cell has.
            let any = self.costs.first().copied().unwrap_or(1.0);
            self.costs.resize(area.index() + 1, any);
        }
        let cost = filter.area_cost(area);
        let is_known = self.costs[area.index()] == cost;
        self.costs[area.index()] = cost;
        if let Some(factor) = self.factors.get_mut(cell.0 as usize) {
            *factor = 1.0;
            self.price(map, cell);
        }
        // Empty where nothing was closed.
        self.closed.resize(self.ground.len(), 0);
        match cost <= MOST && !is_set(&self.switched, cell) {
            true => {
                set(&mut self.plain, cell);
                clear(&mut self.closed, cell);
            }
            false => {
                clear(&mut self.plain, cell);
                set(&mut self.closed, cell);
            }
        }
        match is_known && self.has_borders {
            true => self.refresh_borders(map, cell),
            false => self.add_borders(map),
        }
        self.refresh_around(map, cell);
    }

    /// Does the unit fit on a cell, on open ground and with nobody in its place?
    pub fn is_open(&self, cell: CellId) -> bool {
        bit(&self.open, cell)
    }

    /// Does a link begin or end on no free cell? Searches leave such links out.
    pub fn has_lost_links(&self) -> bool {
        self.has_lost_links
    }

    pub(crate) fn parts(&self) -> FilterParts<'_> {
        FilterParts {
            free: &self.free,
            open: &self.open,
            turned: &self.turned,
            turned_words: self.turned_words,
            areas: &self.areas,
            costs: &self.costs,
            cell_costs: &self.cell_costs,
            cell_range: self.cell_range,
            ground: &self.ground,
            plain: &self.plain,
            closed: Closed { cells: &self.closed, walls: &self.walls },
            links: &self.links,
            links_back: &self.links_back,
            has_borders: self.has_borders && self.factors.is_empty(),
            starts: self.starts.each_ref().map(Vec::as_slice),
            ends: self.ends.each_ref().map(Vec::as_slice),
            link_parts: self.link_parts,
            standing: &self.standing,
            taken: Some(&self.taken),
            covers: self.covers.each_ref().map(Vec::as_slice),
            landmarks: self.landmarks.parts(),
        }
    }

    /// The same without units and obstacles.
    pub(crate) fn without_units(&self, map: &GridMapView<'_>) -> CellFilter {
        let mut own = CellFilter { standing: vec![], taken: Taken::default(), ..self.clone() };
        own.refresh_all(map);
        own
    }

    /// Finds all cells that the unit fits on.
    fn refresh_all(&mut self, map: &GridMapView<'_>) {
        let is_empty = self.standing.is_empty() && self.taken.is_empty();
        if is_empty && self.covers[0].len() == 1 {
            let bytes = |words: &[u64]| words.iter().flat_map(|w| w.to_le_bytes()).collect();
            (self.free, self.open) = (bytes(&self.ground), bytes(&self.plain));
            self.turned = self.turn(map, |cell| is_set(&self.plain, cell));
            return;
        }
        self.turned = self.turn(map, |_| false);
        self.free = vec![0; 8 * self.ground.len()];
        self.open = self.free.clone();
        for cell in (0..map.id_count()).map(CellId) {
            if is_set(&self.ground, cell) {
                self.refresh(map, cell);
            }
        }
    }

    /// Finds out anew for the cells around one.
    pub(crate) fn refresh_around(&mut self, map: &GridMapView<'_>, cell: CellId) {
        let [column, row] = map.column_row(cell).map(|c| i64::from(c as i32));
        // The cells from which a unit covers this one: of hexagons those that it covers from here.
        let sign = if map.shape() == CellShape::Square { -1 } else { 1 };
        for k in 0..self.covers[(row & 1) as usize].len() {
            let [dx, dz] = self.covers[(row & 1) as usize][k].map(i64::from);
            if let Some(cell) = map.id([column + sign * dx, row + sign * dz]) {
                self.refresh(map, cell);
            }
        }
    }

    fn refresh(&mut self, map: &GridMapView<'_>, cell: CellId) {
        let is_empty = |cell: CellId| {
            let at = self.standing.partition_point(|&(other, _)| other < cell);
            self.standing.get(at).is_none_or(|&(other, _)| other != cell)
                && !self.taken.is_taken(cell.0)
        };
        let [free, open] = [&self.ground, &self.plain].map(|ground| {
            fits(map, ground, self.covers.each_ref().map(Vec::as_slice), cell, is_empty)
        });
        for (bits, is_set) in [(&mut self.free, free), (&mut self.open, open)] {
            if let Some(byte) = bits.get_mut(cell.0 as usize / 8) {
                let bit = 1 << (cell.0 % 8);
                *byte = if is_set { *byte | bit } else { *byte & !bit };
            }
        }
        let turned = self.turned_place(map, cell);
        if let Some(word) = self.turned.get_mut(turned / 64) {
            let bit = 1 << (turned % 64);
            *word = if open { *word | bit } else { *word & !bit };
        }
    }

    /// The bit of a cell where columns are lines.
    pub(crate) fn turned_place(&self, map: &GridMapView<'_>, cell: CellId) -> usize {
        let [column, row] = map.column_row(cell).map(|c| c as usize + 1);
        column * self.turned_words * 64 + row
    }

    /// Some cells with columns for rows.
    fn turn(&self, map: &GridMapView<'_>, is_set: impl Fn(CellId) -> bool) -> Vec<u64> {
        let mut bits = vec![0u64; self.turned_words * (map.width() as usize + 2)];
        for cell in (0..map.id_count()).map(CellId).filter(|&cell| is_set(cell)) {
            let at = self.turned_place(map, cell);
            bits[at / 64] |= 1 << (at % 64);
        }
        bits
    }

    /// Closed doors as walls without width between cells.
    fn add_walls(&mut self, map: &GridMapView<'_>, query: &NavQuery<'_>) {
        let (mesh, closings) = (query.mesh(), query.closings());
        let mut walls: Vec<(CellId, u8)> = vec![];
        for id in (0..mesh.polygon_count()).map(PolyId) {
            let polygon = mesh.polygon(id);
            for k in 0..polygon.len() {
                let Some((beyond, _)) = polygon.across(k) else {
                    continue;
                };
                // Edges into closed ground stop no step out of it.
                let enters = closings.is_closed(beyond) && !closings.is_closed(id);
                if closings.is_shut(polygon.edge(k).0) && !enters {
                    let ends = [k, polygon.next(k)].map(|k| place(map, mesh, polygon.corner(k)));
                    let mut stop = |cell, d: u8| walls.push((cell, 1 << d));
                    match map.shape() {
                        CellShape::Square => each_crossed(map, ends, &mut stop),
                        CellShape::Hexagon => each_crossed_hexagon(map, ends, &mut stop),
                    }
                }
            }
        }
        walls.sort_unstable();
        for (cell, directions) in walls {
            match self.walls.last_mut() {
                Some(last) if last.0 == cell => last.1 |= directions,
                _ => self.walls.push((cell, directions)),
            }
        }
    }

    /// The cells where searches enter links, by rows and by columns; empty without links.
    pub(crate) fn ends_of_links(&self, map: &GridMapView<'_>, reverse: bool) -> [Vec<u64>; 2] {
        if self.links.is_empty() {
            return [vec![], vec![]];
        }
        let mut bits = vec![0; self.ground.len()];
        for link in &self.links {
            set(&mut bits, link.start(reverse));
        }
        let turned = self.turn(map, |cell| is_set(&bits, cell));
        [bits, turned]
    }

    fn add_links(&mut self, map: &GridMapView<'_>, query: &NavQuery<'_>) {
        let mesh = query.mesh();
        for (number, link) in query.links() {
            let ends = [link.from, link.to].map(|p| {
                let point = mesh.grid().metres([p[0], 0, p[1]].map(f64::from));
                map.free_cell_at(point).filter(|&cell| is_set(&self.ground, cell))
            });
            self.has_lost_links |= ends.contains(&None);
            if let [Some(from), Some(to)] = ends {
                let cost = link.cost / map.cell();
                self.links.push(CellLink { from, to, cost, number });
                self.link_parts += link_parts(cost);
            }
        }
        self.links.sort_by_key(|link| (link.from, link.to, link.number));
        self.links_back = self.links.clone();
        self.links_back.sort_by_key(|link| (link.to, link.from, link.number));
    }
}

fn set(bits: &mut [u64], cell: CellId) {
    if let Some(word) = bits.get_mut(cell.0 as usize / 64) {
        *word |= 1 << (cell.0 % 64);
    }
}

fn clear(bits: &mut [u64], cell: CellId) {
    if let Some(word) = bits.get_mut(cell.0 as usize / 64) {
        *word &= !(1 << (cell.0 % 64));
    }
}

fn bit(bits: &[u8], cell: CellId) -> bool {
    bits.get(cell.0 as usize / 8).is_some_and(|byte| byte >> (cell.0 % 8) & 1 != 0)
}
