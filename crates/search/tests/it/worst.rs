//! The work of searches on meshes that are made to cost much: counted, never timed.
//! `docs/security.md` has the bounds.

use navbake_search::blob::Blob;
use navbake_search::path::Order;
use navbake_search::{
    AStar, Algorithm, Heuristic, NavMesh, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::adverse::{Adverse, cut_up, fan, rings, sieve, spiral};

/// A mesh that is made to cost much, and the ends of a path over it.
struct Case {
    name: &'static str,
    mesh: NavMesh<'static>,
    ends: [NavPoint; 2],
}

impl Case {
    fn new(name: &'static str, (mut scene, ends): Adverse) -> Case {
        scene.areas = (0..scene.faces.len()).map(|face| (face % 3) as u8).collect();
        scene.weights = vec![("mixed", None, [1.0, 3.0, 8.0])];
        let bytes = scene.bake();
        let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
        let query = NavQuery::new(mesh);
        let ends = ends.map(|face| {
            let [a, b, c] = [0, 1, 2].map(|k| scene.corner(face, k));
            let middle = [0, 1].map(|k| f64::from(a[k] + b[k] + c[k]) / 3.0);
            let units = mesh.grid().units();
            let point = [middle[0] / units, 0.0, middle[1] / units];
            query.locate(point, 1.0).expect("the middle of a face")
        });
        Case { name, mesh, ends }
    }

    /// The entries taken off the open list by a search, and how it ended.
    fn work(&self, algorithm: Algorithm, scratch: &mut Scratch) -> (u64, Status) {
        let filter = match algorithm {
            Algorithm::Weighted { .. } => QueryFilter::new().weights(&self.mesh, "mixed").unwrap(),
            _ => QueryFilter::new(),
        };
        let query = NavQuery::new(self.mesh).with_filter(&filter);
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm);
        let path = query.find_path_between(&self.ends[0], &self.ends[1], &request, scratch);
        let path = path.expect("a request that every mesh serves");
        (u64::from(path.expanded), path.status)
    }

    fn polygons(&self) -> u64 {
        u64::from(self.mesh.polygon_count())
    }

    fn edges(&self) -> u64 {
        self.mesh.polygons().map(|polygon| polygon.len() as u64).sum()
    }
}

fn cases() -> Vec<Case> {
    let mut random = Random(1);
    let mut cases = vec![
        Case::new("fan of 10,000", fan(1250)),
        Case::new("spiral", spiral(41, 3)),
        Case::new("rings", rings(12, 2)),
        Case::new("sieve", sieve(1, 100)),
        Case::new("sieve of three rows", sieve(3, 40)),
    ];
    for cut in [2, 6, 12] {
        cases.extend((0..4).map(|_| Case::new("cut up", cut_up(&mut random, 24, cut))));
    }
    cases
}

/// Options of A* in which estimates are right, too high and absent.
fn options() -> impl Iterator<Item = AStar> {
    let weights = [1.0, 5.0, 1000.0];
    let orders = [Order::AStar, Order::Greedy, Order::Dijkstra];
    let heuristics = [Heuristic::Euclidean, Heuristic::Manhattan];
    weights.into_iter().flat_map(move |weight| {
        orders.into_iter().flat_map(move |order| {
            heuristics.into_iter().map(move |heuristic| AStar {
                weight,
                order,
                heuristic,
                ..AStar::default()
            })
        })
    })
}

#[test]
fn a_star_expands_at_most_nine_entries_for_each_place() {
    let mut scratch = Scratch::new();
    for case in cases() {
        let mut most = [0; 2];
        for a_star in options() {
            let (corridor, status) = case.work(Algorithm::Corridor(a_star), &mut scratch);
            assert_ne!(status, Status::OutOfNodes, "{}", case.name);
            let (midpoints, _) = case.work(Algorithm::Midpoints(a_star), &mut scratch);
            most = [most[0].max(corridor), most[1].max(midpoints)];
        }
        let (polygons, edges) = (case.polygons(), case.edges());
        println!("{}: {polygons} polygons, corridor {}, midpoints {}", case.name, most[0], most[1]);
        assert!(most[0] <= 9 * polygons + 1, "{}: {most:?} of {polygons}", case.name);
        assert!(most[1] <= 9 * edges + 1, "{}: {most:?} of {edges}", case.name);
    }
}

/// The most cones of a search, and the most pieces: by the polygons, or by the nodes of bounded
/// scratch.
fn most_cones(polygons: u64) -> u64 {
    16 * polygons + 1024
}

#[test]
fn optimal_searches_open_at_most_sixteen_cones_for_each_polygon() {
    let mut scratch = Scratch::new();
    for case in cases() {
        let (expanded, status) = case.work(Algorithm::Optimal, &mut scratch);
        let most = most_cones(case.polygons());
        println!("{}: {} polygons, optimal {expanded} {status:?}", case.name, case.polygons());
        assert!(expanded <= most, "{}: {expanded} of {most}", case.name);
        // What did not end by itself used them all.
        assert!(status != Status::OutOfNodes || 2 * expanded > most, "{}: {expanded}", case.name);
    }
}

#[test]
fn a_fan_of_a_hundred_thousand_polygons_costs_an_entry_for_each() {
    let case = Case::new("fan of 100,000", fan(12_500));
    let mut scratch = Scratch::new();
    let polygons = case.polygons();
    for a_star in options() {
        let (expanded, status) = case.work(Algorithm::Corridor(a_star), &mut scratch);
        assert_eq!(status, Status::Reached);
        assert!(expanded <= polygons + 1, "{expanded} of {polygons}, {a_star:?}");
        // Ends in seconds, as its lines of sight cross few portals for each of the path's.
        let (_, status) = case.work(Algorithm::Midpoints(a_star), &mut scratch);
        assert_eq!(status, Status::Reached, "{a_star:?}");
    }
    let (expanded, status) = case.work(Algorithm::Optimal, &mut scratch);
    println!("{}: optimal {expanded} {status:?}", case.name);
    assert_eq!(status, Status::Reached);
    assert!(expanded <= polygons + 1, "{expanded} of {polygons}");
}

#[test]
fn a_spiral_of_fine_triangles_ends_an_optimal_search_at_its_bound() {
    let work = |cuts| {
        let case = Case::new("spiral", spiral(13, cuts));
        let (expanded, status) = case.work(Algorithm::Optimal, &mut Scratch::new());
        println!("{cuts} cuts, {} polygons: {expanded} {status:?}", case.polygons());
        assert!(expanded <= most_cones(case.polygons()));
        status
    };
    assert_eq!(work(2), Status::Reached);
    assert_eq!(work(12), Status::OutOfNodes);
}

#[test]
fn answers_do_not_depend_on_the_meshes_that_scratch_served_before() {
    let [small, large] = [12, 16].map(|cuts| Case::new("spiral", spiral(13, cuts)));
    let mut scratch = Scratch::new();
    let fresh = small.work(Algorithm::Optimal, &mut Scratch::new());
    large.work(Algorithm::Optimal, &mut scratch);
    assert_eq!(small.work(Algorithm::Optimal, &mut scratch), fresh);
    assert_eq!(fresh.1, Status::OutOfNodes);
}

#[test]
fn weighted_searches_take_four_entries_for_each_piece_in_each_round_at_most() {
    let mut scratch = Scratch::new();
    for case in cases().into_iter().filter(|case| case.polygons() < 1000).step_by(3) {
        let (expanded, _) = case.work(Algorithm::weighted(0.0), &mut scratch);
        println!("{}: {} polygons, weighted {expanded}", case.name, case.polygons());
        let pieces = (4 * case.edges()).clamp(8192, 1 << 16);
        let most = 24 * (4 * pieces + 512) + 9 * case.polygons() + 1;
        assert!(expanded <= most, "{}: {expanded} of {most}", case.name);
    }
}

#[test]
fn bounded_scratch_bounds_the_work_of_every_algorithm_on_every_mesh() {
    for nodes in [0, 10, 1000] {
        let mut scratch = Scratch::bounded(nodes);
        for case in cases() {
            let nodes = nodes as u64;
            let (optimal, _) = case.work(Algorithm::Optimal, &mut scratch);
            assert!(optimal <= most_cones(nodes), "{}: {optimal} of {nodes}", case.name);
            for a_star in options() {
                let (corridor, _) = case.work(Algorithm::Corridor(a_star), &mut scratch);
                assert!(corridor <= 8 * case.polygons() + nodes + 1, "{}: {corridor}", case.name);
            }
        }
    }
}
