//! Asks a blob everything that the runtime can be asked.

use std::fmt::{Debug, Write};

use navbake_format::{Blob, CheckedBlob, GridMapView, NavMesh};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network,
    NetworkBuffer, NetworkRequest,
};
use navbake_search::{DescentRequest, Heuristic, NavPoint, NavQuery, QueryFilter, Scratch};
use navbake_testkit::Random;
use navbake_testkit::asking::Asking;
use navbake_vehicle::{
    Ground, GroundFilter, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    VehicleBuffer,
};

use crate::moving::moving;

/// Nodes of a search.
const NODES: usize = 3000;

/// How much is asked, and of what: the same for the same numbers.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    pub seed: u64,
    pub count: usize,
}

/// Where answers go.
pub type Answers<'a> = dyn FnMut(&dyn Debug) + 'a;

/// Asks a blob that passed validation. The answers do not depend on whether it is packed.
///
/// # Panics
/// Where a promise of the runtime is broken.
pub fn ask(file: &CheckedBlob<'_>, rounds: Rounds, answer: &mut Answers<'_>) {
    names(file, answer);
    for class in 0..file.class_count().min(4) {
        let Ok(nav) = file.decode(class) else {
            continue;
        };
        let mesh = nav.mesh();
        ask_mesh(&mesh, rounds, answer);
        for network in file.networks(class).take(4) {
            over_network(&mesh, &network, rounds, answer);
        }
        if let Some(map) = file.grid_map() {
            over_cells(&map, &mesh, rounds, answer);
        }
        turning(file, &mesh, rounds, answer);
    }
}

/// Records that are read as they are.
fn names(file: &CheckedBlob<'_>, answer: &mut Answers<'_>) {
    file.agents().for_each(|a| answer(&(a.name, a.class, a.radius, a.height)));
    file.areas().for_each(|a| answer(&(a.name, a.tags)));
    file.switches().for_each(|s| answer(&(s.name, s.closed)));
    file.markers().for_each(|m| answer(&(m.name, m.position)));
    file.weights().for_each(|w| answer(&(w.name, w.agent)));
    answer(&(file.config(), file.summary(), file.header().level_hash));
}

/// Asks one navmesh, with and without a filter.
pub fn ask_mesh(mesh: &NavMesh<'_>, rounds: Rounds, answer: &mut Answers<'_>) {
    let mut random = Random(rounds.seed);
    let mut asking = Asking::bounded(NODES);
    let mut draws = navbake_search::around::Random::new(rounds.seed);
    asking.all(&NavQuery::new(*mesh), rounds.count, &mut draws, answer);
    let Some(filter) = filter(mesh, &mut random) else {
        return;
    };
    let query = NavQuery::new(*mesh).with_filter(&filter);
    asking.all(&query, rounds.count, &mut draws, answer);
    let Some([from, to]) = ends(&query, &mut random) else {
        return;
    };
    let request = DescentRequest { goal: Some(to.position()), pull: 0.5, step: 0.5 };
    let mut places = [from; 64];
    let descent = query.descend(&from, &request, &mut places);
    answer(&(descent.end, descent.places));
    let mut scratch = Scratch::bounded(NODES);
    for _ in 0..rounds.count {
        let plain = NavQuery::new(*mesh);
        for query in [&plain, &query] {
            let Some(ends) = ends(query, &mut random) else {
                return;
            };
            moving(query, ends, &mut random, &mut scratch, answer);
        }
    }
}

/// A filter with weights, closed switches and areas.
fn filter(mesh: &NavMesh<'_>, random: &mut Random) -> Option<QueryFilter> {
    let file = mesh.file();
    let own = file.agents().filter(|a| a.class == mesh.class()).count();
    let mut filter = QueryFilter::new();
    if own > 0 {
        let agent = file.agents().filter(|a| a.class == mesh.class()).nth(random.below(own))?;
        filter = filter.agent(mesh, agent.name).ok()?;
    }
    let rows = file.weights().count();
    if rows > 0 {
        let name = file.weights().nth(random.below(rows))?.name;
        filter = filter.clone().weights(mesh, name).unwrap_or(filter);
    }
    filter.set_blocked(mesh, &[random.next()], random.next() & random.next() & 6).ok()?;
    Some(filter)
}

/// Two places on the mesh.
fn ends(query: &NavQuery<'_>, random: &mut Random) -> Option<[NavPoint; 2]> {
    let mesh = query.mesh();
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums)?;
    let mut draws = navbake_search::around::Random::new(random.next());
    let mut place = || query.random_place(&areas, &mut draws);
    Some([place()?, place()?])
}

/// Paths over a route network, and the same search backwards.
fn over_network(
    mesh: &NavMesh<'_>,
    view: &navbake_format::NetworkView<'_>,
    rounds: Rounds,
    answer: &mut Answers<'_>,
) {
    let mut random = Random(rounds.seed);
    let Some(filter) = filter(mesh, &mut random) else {
        return;
    };
    let query = NavQuery::new(*mesh).with_filter(&filter);
    let network = Network::new(view, &query);
    let mut buffer = NetworkBuffer::default();
    for round in 0..rounds.count {
        let Some([from, to]) = ends(&query, &mut random) else {
            return;
        };
        let goals = [to];
        let mut request = NetworkRequest::new(from, &goals);
        request.partial = round % 3 == 1;
        let path = network.find_path(&query, &request, &mut buffer);
        let cost = path.as_ref().ok().map(|path| (path.status, path.cost));
        answer(&path);
        request.a_star.reverse = true;
        let path = network.find_path(&query, &request, &mut buffer);
        if let (Some((status, cost)), Ok(back), false) = (cost, &path, request.partial) {
            assert_eq!(status, back.status, "{request:?}");
            let same = (cost - back.cost).abs() <= 1e-9 * cost.abs().max(1.0);
            assert!(same || cost.is_nan(), "{cost} forwards, {} backwards", back.cost);
        }
    }
}

/// Paths over cells, with and without the filter of the navmesh.
fn over_cells(map: &GridMapView<'_>, mesh: &NavMesh<'_>, rounds: Rounds, answer: &mut Answers<'_>) {
    let mut random = Random(rounds.seed);
    let Some(own) = filter(mesh, &mut random) else {
        return;
    };
    let mut filter = CellFilter::new(map, mesh, &own);
    let mut buffer = GridBuffer::new(GridScratchSize::with_turns(map));
    let mut cells = vec![navbake_format::CellId(0); map.free_count() as usize];
    for round in 0..rounds.count {
        let mut place = || {
            let [columns, rows] = [map.width(), map.height()].map(|n| f64::from(n) + 1.0);
            let at = map.corner();
            let along = map.cell();
            [
                at[0] + along * (columns * random.unit() - 0.5),
                0.0,
                at[2] + along * (rows * random.unit() - 0.5),
            ]
        };
        let (from, goals) = (place(), [place(), place()]);
        if let Some(cell) = map.free_cell_at(goals[1]) {
            filter.stand(map, cell, round as u32);
        }
        let plain = GridQuery::new(*map);
        for planner in GridPlanner::ALL {
            let mut request = GridRequest::new(from, &goals, planner);
            request.partial = round % 2 == 0;
            answer(&plain.find_path(&request, &mut buffer));
            request.corner_cutting = round % 3 == 0;
            request.turn_penalty = 0.25 * (round % 4) as f64;
            let query = plain.with_filter(&filter);
            answer(&query.find_path(&request, &mut buffer));
            request.a_star.reverse = true;
            request.a_star.heuristic = Heuristic::Zero;
            answer(&query.find_path(&request, &mut buffer));
            if let Ok(potential) = query.potential(&request, 0.5) {
                answer(&potential.descend(&mut cells));
            }
        }
        if let Some(cell) = map.free_cell_at(goals[1]) {
            filter.leave(map, cell, round as u32);
        }
    }
}

/// Paths of units that turn, on cells and on the tiles of the navmesh.
fn turning(file: &CheckedBlob<'_>, mesh: &NavMesh<'_>, rounds: Rounds, answer: &mut Answers<'_>) {
    for view in file.vehicles().take(2) {
        let mut own = VehicleBuffer::new(&view);
        let name = view.name();
        let Some(vehicle) = own.vehicle(view) else {
            continue;
        };
        let (mut bits, mut twins) = (vec![], vec![]);
        let ground = match (file.grid_map(), file.tile_ground(name)) {
            (Some(map), _) => {
                bits.resize(Ground::words(&map), 0);
                Ground::new(&map, &mut bits)
            }
            (None, Some(sheets)) => {
                let [words, numbers] = Ground::layer_words(&sheets);
                bits.resize(words, 0);
                twins.resize(numbers, 0);
                Ground::of_layers(sheets, &mut bits, &mut twins)
            }
            (None, None) => None,
        };
        let Some(mut ground) = ground else {
            continue;
        };
        let mut random = Random(rounds.seed);
        let weights = filter(mesh, &mut random).unwrap_or_default();
        let filter = GroundFilter::new(&vehicle, &mut ground, mesh, &weights);
        let Some(query) = TurningQuery::new(&vehicle, &ground) else {
            continue;
        };
        let Some(query) = query.with_filter(&filter) else {
            continue;
        };
        let size = TurningScratchSize::with_nodes(&vehicle, &ground, NODES);
        let mut buffer = TurningBuffer::new(size);
        let mut scratch = buffer.scratch();
        let on_mesh = NavQuery::new(*mesh);
        for round in 0..rounds.count.min(2) {
            let Some([from, to]) = ends(&on_mesh, &mut random) else {
                break;
            };
            let heading = random.unit() * 6.0;
            let goal = (round % 2 == 0).then_some(1.0);
            let request = TurningRequest::new(from.position(), heading, to.position(), goal);
            let request = TurningRequest { smooth: round == 0, ..request };
            answer(&query.path(&request, &mut scratch));
        }
    }
}

/// A hash of everything that it is given, as text: FNV-1a of 64 bits.
#[derive(Debug)]
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub fn add(&mut self, answer: &dyn Debug) {
        write!(self, "{answer:?}").expect("hashing does not fail");
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// The hash of all answers of a blob; `None` where it is refused.
pub fn hash(bytes: &[u8], rounds: Rounds) -> Option<Hash> {
    let file = Blob::open_checked(bytes).ok()?;
    let mut hash = Hash::default();
    ask(&file, rounds, &mut |answer| hash.add(answer));
    Some(hash)
}
