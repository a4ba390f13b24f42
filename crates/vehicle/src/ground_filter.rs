//! What is closed on a ground and what it costs, from the navmesh of the same level.

use alloc::vec;
use alloc::vec::Vec;

use navbake_format::{AreaId, VehicleView};
use navbake_search::{NavMesh, NavQuery, PolyId, QueryFilter};

use crate::dubins::{Between, Word};
use crate::filter::{AREAS, Crossed, FilterParts, ONE, TileLink};
use crate::ground::Ground;
use crate::lattice::lattice_pose;
use crate::query::TurningQuery;
use crate::shares::each_share;
use crate::tables::Vehicle;

/// Overlaps of polygons and tiles of no more than this, tiles, are contact.
const CONTACT: f64 = 1e-6;

/// What a vehicle's searches consider beside blocked tiles: terrain weights, closed and forbidden
/// ground, closed doors, and links.
///
/// All come from the navmesh of the same level and a [`QueryFilter`]:
///
/// - A tile has the area of the navmesh at its middle, and a metre on it costs what the filter
///   says. A curve costs the sum, over the tiles that its middle line passes, of the length in the
///   tile times the tile's weight. A length along the border of two tiles counts half for each.
/// - Tiles that closed or forbidden ground reaches into are blocked for the whole footprint.
/// - A closed door blocks the tiles that it crosses; of two tiles on either side of it that at
///   greater x or z.
/// - A link leads from the tile where it begins to that where it ends, at its own cost. The vehicle
///   keeps its heading and its gear on it, as on a lift or a ferry.
///
/// Weights are rounded to 2⁻²⁰. The cost of height has no effect.
///
/// ```
/// # fn run(
/// #     vehicle: navbake_vehicle::Vehicle<'_>,
/// #     mut ground: navbake_vehicle::Ground<'_>,
/// #     nav: navbake_search::NavMesh<'_>,
/// # ) -> Result<(), navbake_search::Error> {
/// use navbake_search::QueryFilter;
/// use navbake_vehicle::{GroundFilter, TurningQuery};
///
/// let weights = QueryFilter::new().weights(&nav, "truck")?;
/// let filter = GroundFilter::new(&vehicle, &mut ground, &nav, &weights);
/// let query = TurningQuery::new(&vehicle, &ground).and_then(|q| q.with_filter(&filter));
/// # let _ = query;
/// filter.lift(&mut ground); // before another one is made, as when a door opens
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GroundFilter {
    areas: Vec<u8>,
    weights: [u64; AREAS],
    least: u64,
    starts: Vec<u32>,
    crossed: Vec<Crossed>,
    links: Vec<TileLink>,
    links_back: Vec<TileLink>,
    closed: Vec<[i32; 2]>,
    has_lost_links: bool,
    slots: usize,
}

impl GroundFilter {
    /// What a filter means for a vehicle on a ground, whose closed tiles are blocked from now on.
    ///
    /// The mesh is that of the vehicle's agent. Make the filter before tiles are blocked for other
    /// reasons than obstacles: one that is blocked already, and is freed later, counts as open. A
    /// pass over the tiles and over the vehicle's moves.
    pub fn new(
        vehicle: &Vehicle<'_>,
        ground: &mut Ground<'_>,
        mesh: &NavMesh<'_>,
        filter: &QueryFilter,
    ) -> GroundFilter {
        let query = NavQuery::new(*mesh).with_filter(filter);
        let weights: [u64; AREAS] = core::array::from_fn(|area| {
            let cost = filter.area_cost(AreaId(area as u8)); // below 64
            if cost.is_finite() { ((cost * ONE as f64 + 0.5) as u64).max(1) } else { u64::MAX }
        });
        let mut own = GroundFilter {
            areas: vec![],
            weights,
            least: u64::MAX,
            starts: vec![],
            crossed: vec![],
            links: vec![],
            links_back: vec![],
            closed: vec![],
            has_lost_links: false,
            slots: ground.slots(),
        };
        own.add_links(ground, &query);
        own.add_tiles(ground, &query);
        if !own.areas.is_empty() {
            own.add_moves(vehicle);
        }
        for &tile in &own.closed {
            ground.set_blocked(tile, true);
        }
        own
    }

    /// Frees the tiles that the filter has blocked.
    pub fn lift(&self, ground: &mut Ground<'_>) {
        for &tile in &self.closed {
            ground.set_blocked(tile, false);
        }
    }

    /// Does a link begin or end on no free tile? Searches leave such links out.
    pub fn has_lost_links(&self) -> bool {
        self.has_lost_links
    }

    /// Are there links that searches may take?
    pub fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// Finds the areas of tiles, and those that are closed.
    fn add_tiles(&mut self, ground: &Ground<'_>, query: &NavQuery<'_>) {
        let mesh = query.mesh();
        let polygons = || (0..mesh.polygon_count()).map(PolyId);
        // Tiles beside the navmesh are as area 0.
        let areas = polygons().fold(1u64, |all, p| all | 1 << (mesh.area(p).0 & 63));
        let used = |area: &usize| areas >> area & 1 == 1;
        let finite = || (0..AREAS).filter(used).map(|a| self.weights[a]).filter(|&w| w < u64::MAX);
        self.least = finite().min().unwrap_or(ONE);
        let differ = finite().any(|w| w != self.least);
        let closes =
            !query.closings().is_ground_open() || polygons().any(|p| query.is_forbidden(p));
        if !differ && !closes {
            return;
        }
        if differ {
            self.areas = vec![0; self.slots];
        }
        let mut stack = vec![];
        for row in 0..ground.height() as i32 {
            for column in 0..ground.width() as i32 {
                let tile = [column, row];
                let middle = ground.point(ground.plan_place(tile.map(f64::from)));
                let height = ground.layer_height(tile);
                if ground.layers().is_some() && height.is_none() {
                    continue;
                }
                let middle = [middle[0], height.unwrap_or(middle[1]), middle[2]];
                let side = ground.tile();
                let at = query.locate(middle, f64::INFINITY);
                let beside = || query.nearest(middle, [side, f64::INFINITY, side]);
                let Some(polygon) = at.or_else(beside).map(|at| at.polygon()) else {
                    continue;
                };
                let slot = ground.slot(ground.id(tile)) as usize;
                if let Some(area) = self.areas.get_mut(slot) {
                    *area = mesh.area(polygon).0;
                }
                if closes && !ground.is_blocked_but_for_obstacles(tile) {
                    let plan = ground.plan_tile(ground.id(tile));
                    if is_closed(ground, query, polygon, plan, &mut stack) {
                        self.closed.push(tile);
                    }
                }
            }
        }
    }

    /// Finds the tiles that moves pass.
    fn add_moves(&mut self, vehicle: &Vehicle<'_>) {
        let headings = vehicle.headings();
        let first = |gear| vehicle.moves(gear, 0).0;
        let gears = if vehicle.gears() > 1 && first(1) != first(0) { 2 } else { 1 };
        // In the order of their numbers.
        let lists = (0..gears).map(|gear| (gear, 0));
        for (gear, class) in lists.chain((1..vehicle.classes()).map(|class| (0, class))) {
            let radius = vehicle.radius_of(class);
            for travel in 0..headings {
                let from = lattice_pose([0; 2], travel, headings);
                let (_, moves, _) = match class {
                    0 => vehicle.moves(gear, travel),
                    _ => vehicle.fast_moves(class, travel),
                };
                for step in moves {
                    self.starts.push(self.crossed.len() as u32); // some millions
                    let to = lattice_pose(step.offset.map(i32::from), step.to.into(), headings);
                    let word = Word::ALL.get(usize::from(step.word)).copied();
                    let curve = word.and_then(|w| Between::new(from, to, radius).curve(w));
                    let own = self.crossed.len();
                    let curve = curve.unwrap_or_default();
                    each_share(from, &curve, radius, step.length, |[x, z], share| {
                        let offset = [x as i8, z as i8]; // within the window
                        let known = self.crossed[own..].iter_mut().find(|c| c.offset == offset);
                        match known {
                            Some(known) => known.quarters += share as u32, // 4 lengths at most
                            None => self.crossed.push(Crossed { offset, quarters: share as u32 }),
                        }
                    });
                }
            }
        }
        self.starts.push(self.crossed.len() as u32);
    }

    fn add_links(&mut self, ground: &Ground<'_>, query: &NavQuery<'_>) {
        for (number, link) in query.links() {
            let ends =
                [(link.polygon, link.from), (link.beyond, link.to)].map(|(polygon, point)| {
                    let tile = ground.tile_at(query.link_end(polygon, point).position());
                    tile.filter(|&tile| !ground.is_blocked_but_for_obstacles(tile))
                        .map(|t| ground.home(ground.id(t)))
                });
            self.has_lost_links |= ends.contains(&None);
            if let [Some(from), Some(to)] = ends {
                let exact = link.cost / ground.tile() * f64::from(VehicleView::UNITS);
                let cost = (exact - 1e-6).max(0.0) as u64; // saturates
                let cost = cost + u64::from((cost as f64) < exact - 1e-6);
                self.links.push(TileLink { from, to, cost, number });
            }
        }
        self.links.sort_by_key(|link| (link.from, link.to, link.number));
        self.links_back = self.links.clone();
        self.links_back.sort_by_key(|link| (link.to, link.from, link.number));
    }
}

impl<'q> TurningQuery<'q> {
    /// The same with terrain weights, closed ground and links. `None` when the filter was made for
    /// another vehicle or ground.
    pub fn with_filter(mut self, filter: &'q GroundFilter) -> Option<TurningQuery<'q>> {
        let fits = filter.starts.is_empty() || filter.starts.len() == self.vehicle.move_count() + 1;
        if filter.slots != self.ground.slots() || !fits {
            return None;
        }
        self.filter = FilterParts {
            areas: &filter.areas,
            weights: filter.weights,
            least: filter.least,
            starts: &filter.starts,
            crossed: &filter.crossed,
            links: &filter.links,
            links_back: &filter.links_back,
        };
        Some(self)
    }
}

/// Does closed ground reach into a tile of the plan, or a closed door cross it? Looks at the ground
/// in the tile that is connected with a polygon there.
fn is_closed(
    ground: &Ground<'_>,
    query: &NavQuery<'_>,
    first: PolyId,
    tile: [i32; 2],
    stack: &mut Vec<PolyId>,
) -> bool {
    let (mesh, closings) = (query.mesh(), query.closings());
    let place = |p: [i32; 2]| {
        let [x, z] = ground.place(mesh.grid().metres([p[0], 0, p[1]].map(f64::from)));
        [x - f64::from(tile[0]), z - f64::from(tile[1])]
    };
    stack.clear();
    stack.push(first);
    let mut next = 0;
    while let Some(&id) = stack.get(next) {
        next += 1;
        if query.is_forbidden(id) {
            return true;
        }
        let polygon = mesh.polygon(id);
        for k in 0..polygon.len() {
            let Some((beyond, _)) = polygon.across(k) else {
                continue;
            };
            let ends = [k, polygon.next(k)].map(|k| place(polygon.corner(k)));
            // Edges into closed ground stop nothing more than that ground does.
            let is_door = closings.is_shut(polygon.edge(k).0) && !closings.is_closed(beyond);
            if is_door && crosses(ends) {
                return true;
            }
            if !stack.contains(&beyond) {
                let other = mesh.polygon(beyond);
                if overlaps(other.len(), |k| place(other.corner(k))) {
                    stack.push(beyond);
                }
            }
        }
    }
    false
}

/// Does a line cross the tile around 0, or lead along its side at less x or z?
fn crosses([a, b]: [[f64; 2]; 2]) -> bool {
    let d = [b[0] - a[0], b[1] - a[1]];
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for k in 0..2 {
        if d[k].abs() < 1e-12 {
            if a[k].abs() > 0.5 + 1e-9 {
                return false;
            }
            continue;
        }
        let (p, q) = ((-0.5 - a[k]) / d[k], (0.5 - a[k]) / d[k]);
        (low, high) = (low.max(p.min(q)), high.min(p.max(q)));
    }
    let middle = [0, 1].map(|k| a[k] + d[k] * (low + high) / 2.0);
    let length = (high - low) * d[0].abs().max(d[1].abs());
    length > CONTACT && middle.iter().all(|&v| v < 0.5 - 1e-9)
}

/// Does a convex polygon reach into the tile around 0?
fn overlaps(len: u32, corner: impl Fn(u32) -> [f64; 2]) -> bool {
    let all = || (0..len).map(&corner);
    for k in 0..2 {
        let low = all().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let high = all().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        if low >= 0.5 - CONTACT || high <= CONTACT - 0.5 {
            return false;
        }
    }
    (0..len).all(|k| {
        let (a, b) = (corner(k), corner(if k + 1 == len { 0 } else { k + 1 }));
        let n = [b[1] - a[1], a[0] - b[0]];
        let long = n[0].abs() + n[1].abs();
        let side = |p: [f64; 2]| (p[0] - a[0]) * n[0] + (p[1] - a[1]) * n[1];
        let inner =
            all().map(side).fold(0.0, |most: f64, v| if v.abs() > most.abs() { v } else { most });
        let square = [[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]].map(side);
        let toward = if inner < 0.0 { -1.0 } else { 1.0 };
        square.iter().any(|v| v * toward > CONTACT * long)
    })
}
