//! Searches allocate nothing once their scratch exists.

use navbake_format::write::{AgentParts, BlobParts, MeshParts, NetworkParts, encode};
use navbake_format::{Blob, CellId, NetworkEdge, NetworkPoint, PolyId};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network,
    NetworkBuffer, NetworkRequest, Obstacle, UnitShape,
};
use navbake_search::{NavMeshBuf, NavQuery, QueryFilter, Status};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;

use crate::common::{Cells, floor_of_cells, middle, view};

#[test]
fn paths_over_cells_allocate_nothing() {
    let mut random = Random(5);
    let map = Cells {
        width: 70,
        free: (0..70 * 40).map(|_| !random.chance(25)).collect(),
        terrain: (0..70 * 40).map(|_| random.below(3) as u8).collect(),
    };
    let bytes = map.bake();
    let view = view(&bytes);
    let query = GridQuery::new(view);
    let mut buffer = GridBuffer::new(GridScratchSize::with_turns(&view));
    let before = allocations();
    let mut reached = 0;
    for _ in 0..500 {
        let mut cell = || [random.below(70) as i64, random.below(40) as i64];
        let (from, to) = (cell(), [middle(cell()), [0.5; 3]]);
        let planner = [GridPlanner::Grid4, GridPlanner::Grid8][random.below(2)];
        let request = GridRequest {
            partial: random.chance(30),
            turn_penalty: [0.0, 0.5][random.below(2)],
            costs: [&[][..], &[1.0, 2.0, f64::INFINITY]][random.below(2)],
            ..GridRequest::new(middle(from), &to, planner)
        };
        let answer = query.find_path(&request, &mut buffer).unwrap();
        reached += usize::from(answer.status == Status::Reached);
    }
    let after = allocations();
    assert_eq!(after, before, "queries");
    assert!(reached > 100);
}

/// A floor of 12 m by 12 m with 121 points, joined to their neighbours along x and z.
fn floor_with_network(joined: u32) -> Vec<u8> {
    let at = |x: i32, z: i32| [1024 * x, 0, 1024 * z];
    let none = u32::MAX;
    let mesh = MeshParts {
        vertices: &[at(0, 0), at(0, 12), at(12, 12), at(12, 0)],
        first_edge: &[0, 4],
        corners: &[0, 1, 2, 3],
        neighbours: &[none; 4],
        islands: &[0],
        areas: &[0],
        ..MeshParts::default()
    };
    let points: Vec<NetworkPoint> = (0..121)
        .map(|k| NetworkPoint { polygon: PolyId(0), at: [k % 11, k / 11].map(|v| 1024 * (v + 1)) })
        .collect();
    let beside = |a: usize, b: usize| {
        let [x, z] = [0, 1].map(|k| (points[a].at[k] - points[b].at[k]).abs());
        x + z == 1024
    };
    let edge = |to: usize| NetworkEdge { to: to as u32, factor: 1.0 };
    let edges: Vec<Vec<NetworkEdge>> =
        (0..121).map(|a| (0..121).filter(|&b| beside(a, b)).map(edge).collect()).collect();
    let agent =
        AgentParts { name: "unit", class: 0, radius: 0.5, height: 2.0, climb: 0.5, slope: 45.0 };
    let network = NetworkParts { joined, points: &points, edges: &edges, ..Default::default() };
    encode(&BlobParts {
        agents: &[agent],
        meshes: &[mesh],
        networks: &[network],
        ..BlobParts::default()
    })
    .unwrap()
}

#[test]
fn paths_over_networks_allocate_nothing_once_their_memory_has_grown() {
    for joined in [0, 4] {
        let bytes = floor_with_network(joined);
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let query = NavQuery::new(nav.mesh());
        let view = nav.mesh().file().networks(0).next().unwrap();
        let network = Network::new(&view, &query);
        let mut buffer = NetworkBuffer::default();
        let mut counts = [0; 2];
        for count in &mut counts {
            let mut random = Random(6);
            let before = allocations();
            for _ in 0..200 {
                let mut place = || [0; 2].map(|_| 0.1 + random.below(118) as f64 / 10.0);
                let [from, to, own] = [place(), place(), place()]
                    .map(|[x, z]| query.locate([x, 0.0, z], 1.0).unwrap());
                let goals = [to];
                let mut request = NetworkRequest::new(from, &goals);
                request.a_star.reverse = random.chance(40);
                let mut search = network.start_path(&query, &request, &mut buffer).unwrap();
                search.step(&network, &mut buffer, u32::MAX);
                assert_eq!(search.path(&network, &mut buffer).status, Status::Reached);
                search.fitted(&network, &query, &own, None, &mut buffer).unwrap();
            }
            *count = allocations() - before;
        }
        assert!(counts[0] > 0, "the memory grows at first");
        assert_eq!(counts[1], 0, "the same searches again");
    }
}

#[test]
fn changes_of_obstacles_allocate_nothing_once_their_memory_has_grown() {
    let bytes = floor_of_cells();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let map = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
    let filter = CellFilter::new(&map, &nav.mesh(), &QueryFilter::new());
    let mut filter = filter.shape(&map, UnitShape::Block(2));
    let open = |filter: &CellFilter| {
        (0..map.id_count()).map(CellId).filter(|&id| filter.is_open(id)).collect::<Vec<_>>()
    };
    let before_all = open(&filter);
    let mut counts = [0; 2];
    for count in &mut counts {
        let mut random = Random(8);
        let before = allocations();
        for k in 0..300 {
            let at = [12.0 * random.unit(), 12.0 * random.unit()];
            let barrel = Obstacle::cylinder(at, 1.5, [0.0, 1.0]).unwrap();
            let put = (k % 3 < 2).then_some(&barrel);
            filter.set_obstacle(&map, random.below(8) as u32, put).unwrap();
        }
        for number in 0..8 {
            filter.set_obstacle(&map, number, None).unwrap();
        }
        *count = allocations() - before;
        assert_eq!(open(&filter), before_all);
    }
    assert!(counts[0] > 0, "the memory grows at first");
    assert_eq!(counts[1], 0, "the same changes again");
}
