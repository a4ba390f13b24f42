//! Searches by any planner: the path, and the places that the search opened.

use navbake_format::{AreaId, CellId, GridMapView};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network,
    NetworkBuffer, NetworkRequest, UnitShape,
};
use navbake_rooms::{RoomMemory, RoomScratch, RoomSearch};
use navbake_search::blob::CheckedBlob;
use navbake_search::{
    Algorithm, Error, Heuristic, NavMesh, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Status,
};

use crate::settings::{Planner, Settings};
use crate::{EXTENTS, Level};

/// What the page shows of a path.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) status: Status,
    pub(crate) length_xz: f64,
    /// NaN where the planner does not know it.
    pub(crate) length_3d: f64,
    pub(crate) cost: f64,
    pub(crate) bound: f64,
    pub(crate) is_optimal: bool,
    pub(crate) expanded: u32,
    /// The name of the planner that found it.
    pub(crate) planner: &'static str,
    pub(crate) points: Vec<[f64; 3]>,
}

/// A place that a search opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    /// Of a polygon, a cell or a point of a network.
    pub(crate) number: u32,
    pub(crate) at: [f64; 2],
    /// The cone of sight into it, from a corner to its right end and its left end; of cells and
    /// points the place they were entered from, and twice their own.
    pub(crate) cone: Option<[[f64; 2]; 3]>,
}

/// A navmesh and what an agent may use of it.
pub(crate) struct Ground<'a> {
    blob: CheckedBlob<'static>,
    nav: &'a NavMeshBuf,
    filter: QueryFilter,
}

impl<'a> Ground<'a> {
    /// That of the agent of the settings.
    pub(crate) fn new(level: Option<&'a Level>, settings: &Settings) -> Result<Self, String> {
        let level = level.ok_or("no navmesh")?;
        let agent = level.blob.agents().nth(settings.agent.into()).ok_or("no such agent")?;
        let nav = level.meshes.get(usize::from(agent.class)).ok_or("no navmesh for this agent")?;
        let filter = filter(&nav.mesh(), settings).map_err(|error| error.to_string())?;
        Ok(Ground { blob: level.blob, nav, filter })
    }

    pub(crate) fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.nav.mesh()).with_filter(&self.filter)
    }

    /// Without labels, by which paths are looked up and nothing is opened.
    pub(crate) fn searched(&self) -> NavQuery<'_> {
        NavQuery::new(self.nav.mesh().without_labels()).with_filter(&self.filter)
    }

    fn map(&self) -> Result<GridMapView<'static>, String> {
        self.blob.grid_map().ok_or_else(|| "this level has no grid map".into())
    }
}

/// What the agent may use and what it costs, as on the command line, and the costs that are tried.
fn filter(mesh: &NavMesh<'_>, settings: &Settings) -> Result<QueryFilter, Error> {
    let file = mesh.file();
    let mut filter = QueryFilter::new();
    filter.set_agents(1u32.checked_shl(settings.agent.into()).unwrap_or(0));
    if let Some(row) = file.weights_for(&settings.task, settings.agent) {
        filter.set_weights(&row);
    }
    for (name, cost) in &settings.costs {
        for (k, area) in (0u8..).zip(file.areas()).filter(|(_, area)| area.name == name) {
            // Bands of one area differ by a factor.
            filter.set_cost(AreaId(k), cost * f64::from(area.factor))?;
        }
    }
    let mut switches = vec![0u64; file.switches().len().div_ceil(64)];
    let baked = || file.switches().enumerate().filter(|(_, s)| s.closed).map(|(k, _)| k);
    let closed = settings.closed.clone().unwrap_or_else(|| baked().collect());
    for number in closed {
        if let Some(word) = switches.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }
    let impassable = filter.forbidden();
    if impassable != 0 || switches.iter().any(|&word| word != 0) {
        filter.set_blocked(mesh, &switches, impassable)?;
    }
    Ok(filter)
}

/// A request over polygons.
fn request(settings: &Settings, [from, to]: [[f64; 3]; 2]) -> PathRequest {
    let algorithm = match settings.planner {
        Planner::Polygons(algorithm) => settings.algorithm(algorithm),
        _ => Algorithm::Optimal,
    };
    let request = PathRequest::new(from, to).extents(EXTENTS).algorithm(algorithm);
    request.partial(settings.partial)
}

/// Begins a search over polygons or rooms.
///
/// Where terrain has costs, `weighted` replaces the planners that cannot heed them; from closed
/// ground `corridor` does.
pub(crate) fn start(
    query: &NavQuery<'_>,
    settings: &Settings,
    ends: [[f64; 3]; 2],
    scratch: &mut RoomScratch,
) -> Result<RoomSearch, String> {
    let request = request(settings, ends);
    let is_replaced = |error: &Error| matches!(error, Error::Costs | Error::StartBlocked);
    if settings.planner == Planner::Rooms {
        match RoomSearch::new(query, &request, scratch) {
            Err(error) if is_replaced(&error) => {}
            search => return search.map_err(|error| error.to_string()),
        }
    }
    let search = match query.start_path(&request, scratch.ground()) {
        Err(Error::Costs) => {
            query.start_path(&request.algorithm(settings.weighted()), scratch.ground())
        }
        Err(Error::StartBlocked) => {
            let corridor = Algorithm::Corridor(settings.a_star());
            query.start_path(&request.algorithm(corridor), scratch.ground())
        }
        search => search,
    };
    search.map(RoomSearch::from).map_err(|error| error.to_string())
}

/// The path over polygons or rooms.
pub(crate) fn over_polygons(
    query: &NavQuery<'_>,
    settings: &Settings,
    ends: [[f64; 3]; 2],
    scratch: &mut RoomScratch,
) -> Result<Found, String> {
    let mut search = start(query, settings, ends, scratch)?;
    while search.step(query, scratch, u32::MAX) == Status::Looking {}
    let by_rooms = settings.planner == Planner::Rooms && search.by_rooms();
    let path = search.path(query, scratch);
    Ok(Found {
        status: path.status,
        length_xz: path.length_xz,
        length_3d: path.length_3d(query),
        cost: path.cost,
        bound: path.bound,
        is_optimal: path.status == Status::Reached && path.certified_optimal,
        expanded: path.expanded,
        planner: if by_rooms { navbake_rooms::NAME } else { path.algorithm.name() },
        points: path.points.to_vec(),
    })
}

/// The cell at a column and row, if there is one.
fn cell(map: &GridMapView<'_>, at: [i64; 2]) -> Option<CellId> {
    map.id(at).filter(|&cell| map.is_free(cell))
}

/// The path over cells, and what the search opened, in order.
pub(crate) fn over_cells(
    ground: &Ground<'_>,
    settings: &Settings,
    planner: GridPlanner,
    [from, to]: [[f64; 3]; 2],
) -> Result<(Found, Vec<Opened>), String> {
    let map = ground.map()?;
    let mesh = ground.nav.mesh();
    let mut filter = CellFilter::new(&map, &mesh, &ground.filter);
    filter = filter.fields(&map, settings.agent);
    if settings.unit_cells > 1 {
        filter = filter.shape(&map, UnitShape::Block(settings.unit_cells));
    }
    for paint in &settings.paints {
        let Some(cell) = cell(&map, paint.cell) else {
            continue;
        };
        match paint.area {
            Some(area) => filter.paint(&map, &ground.filter, cell, AreaId(area)),
            None => filter.stand(&map, cell, 0),
        }
    }
    if settings.heuristic == Some(Heuristic::Table) {
        filter = filter.landmarks(&map, planner, CellFilter::LANDMARKS);
    }
    let goals = [to];
    let usual = GridRequest::new(from, &goals, planner);
    let mut a_star = settings.a_star();
    a_star.heuristic = settings.heuristic.unwrap_or(usual.a_star.heuristic);
    let request = GridRequest {
        a_star,
        corner_cutting: settings.corner_cutting,
        turn_penalty: settings.turn_penalty,
        partial: settings.partial,
        ..usual
    };
    let size = match request.turn_penalty > 0.0 {
        true => GridScratchSize::with_turns(&map),
        false => GridScratchSize::of(&map),
    };
    let mut buffer = GridBuffer::new(size);
    let query = GridQuery::new(map).with_filter(&filter);
    let search = query.start_path(&request, &mut buffer);
    let mut search = search.map_err(|error| error.to_string())?;
    search.step(&query, &mut buffer, u32::MAX);
    let flat = |cell: CellId| {
        let [x, _, z] = map.centre(cell);
        [x, z]
    };
    let scratch = buffer.scratch();
    let opened = search.visits(&query, &scratch).filter_map(|visit| {
        let cone = visit.parent.map(|parent| [flat(parent), flat(visit.cell), flat(visit.cell)]);
        Some((visit.closed?, Opened { number: visit.cell.0, at: flat(visit.cell), cone }))
    });
    let opened = in_order(opened.collect());
    let path = search.path(&query, scratch);
    let found = Found {
        status: path.status,
        length_xz: path.length_xz,
        length_3d: path.length_xz,
        cost: path.cost,
        bound: path.bound,
        is_optimal: path.certified_optimal,
        expanded: path.expanded,
        planner: planner.name(),
        points: path.cells.iter().map(|&cell| map.centre(cell)).collect(),
    };
    Ok((found, opened))
}

/// The path over a route network, and what the search opened, in order.
pub(crate) fn over_network(
    ground: &Ground<'_>,
    settings: &Settings,
    [from, to]: [[f64; 3]; 2],
) -> Result<(Found, Vec<Opened>), String> {
    let mesh = ground.nav.mesh();
    let file = mesh.file();
    let view = file
        .networks(mesh.class())
        .find(|network| settings.network.is_empty() || network.name == settings.network);
    let view = view.ok_or("this agent has no such network")?;
    let query = ground.query();
    let network = Network::new(&view, &query);
    let nothing = Found {
        status: Status::OffMesh,
        length_xz: 0.0,
        length_3d: f64::NAN,
        cost: 0.0,
        bound: 0.0,
        is_optimal: false,
        expanded: 0,
        planner: "network",
        points: vec![],
    };
    let [Some(from), Some(to)] = [from, to].map(|end| query.end(end, EXTENTS)) else {
        return Ok((nothing, vec![]));
    };
    let goals = [to];
    let request = NetworkRequest {
        a_star: settings.a_star(),
        partial: settings.partial,
        ..NetworkRequest::new(from, &goals)
    };
    let mut buffer = NetworkBuffer::default();
    let search = network.start_path(&query, &request, &mut buffer);
    let mut search = search.map_err(|error| error.to_string())?;
    search.step(&network, &mut buffer, u32::MAX);
    let flat = |[x, _, z]: [f64; 3]| [x, z];
    let opened = search.visits(&network, &buffer).filter_map(|visit| {
        let at = flat(visit.position);
        let cone = visit.parent.map(|parent| [flat(parent), at, at]);
        Some((visit.closed?, Opened { number: u32::MAX, at, cone }))
    });
    let opened = in_order(opened.collect());
    let path = search.path(&network, &mut buffer);
    let found = Found {
        status: path.status,
        length_xz: path.length_xz,
        cost: path.cost,
        bound: path.bound,
        is_optimal: path.certified_optimal,
        expanded: path.expanded,
        points: path.points.to_vec(),
        ..nothing
    };
    Ok((found, opened))
}

fn in_order(mut opened: Vec<(u32, Opened)>) -> Vec<Opened> {
    opened.sort_by_key(|&(closed, _)| closed);
    opened.into_iter().map(|(_, opened)| opened).collect()
}
