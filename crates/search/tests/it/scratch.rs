//! Scratch: nothing until it is used, as much as searches need, and no more than its bound.

use navbake_search::around::{Random as Seeded, Shape};
use navbake_search::blob::Blob;
use navbake_search::{
    Algorithm, FixedScratch, Memory, NavMesh, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;
use navbake_testkit::squares::walk::{check, random_point, worlds};

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

/// More than 20,000 polygons on one storey.
fn large() -> (World, Vec<u8>) {
    let world = World::random_flat(&mut Random(7), 170, 170, 25);
    let bytes = world.bake(false, true);
    (world, bytes)
}

fn mesh_of(bytes: &[u8]) -> NavMesh<'_> {
    Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()
}

/// Height costs something, so that searches over weighted ground have work to do.
fn uphill() -> QueryFilter {
    let mut filter = QueryFilter::new();
    filter.set_slopes(2.0, 0.5).unwrap();
    filter
}

fn point(random: &mut Random, side: usize) -> [f64; 3] {
    [random.below(side) as f64 + 0.5, 0.0, random.below(side) as f64 + 0.5]
}

/// Every algorithm that needs no tables.
fn algorithms() -> [Algorithm; 5] {
    [CORRIDOR, MIDPOINTS, Algorithm::Optimal, Algorithm::weighted(0.1), Algorithm::Auto]
}

#[test]
fn scratch_and_queries_take_nothing_until_the_first_search() {
    let (_, bytes) = large();
    let mesh = mesh_of(&bytes);
    assert!(mesh.polygon_count() > 20_000);
    let before = allocations();
    let query = NavQuery::new(mesh);
    let filter = QueryFilter::new();
    let query = query.with_filter(&filter);
    let scratches = [Scratch::new(), Scratch::bounded(1000), Scratch::default()];
    assert_eq!(allocations(), before);
    assert!(scratches.iter().all(|s| s.size() == 0));
    assert!(size_of_val(&query) + size_of::<Scratch>() + size_of_val(&filter) < 64 << 10);
}

#[test]
fn after_one_of_a_kind_queries_allocate_nothing() {
    let (_, bytes) = large();
    let open = NavQuery::new(mesh_of(&bytes));
    let filter = uphill();
    let weighed = open.with_filter(&filter);
    let mut scratch = Scratch::new();
    for turn in 0..2 {
        let before = allocations();
        let mut random = Random(1);
        let mut seeded = Seeded::new(1);
        let print = |name: &str, scratch: &Scratch| {
            if turn == 0 {
                println!("{name}: {} KiB", scratch.size() >> 10);
            }
        };
        for _ in 0..4 {
            let Some(at) = open.nearest(point(&mut random, 170), [2.0; 3]) else {
                continue;
            };
            open.wall_distance(&at, 20.0, &mut scratch);
            open.around(&at, Shape::Walk(40.0), &mut scratch);
            open.random_within(&at, 20.0, &mut seeded, &mut scratch);
            open.fits(&at, 1.0, &mut scratch);
        }
        print("around", &scratch);
        for algorithm in algorithms() {
            for _ in 0..4 {
                let request = PathRequest::new(point(&mut random, 170), point(&mut random, 170))
                    .extents([2.0; 3])
                    .algorithm(algorithm);
                let query = match algorithm {
                    Algorithm::Weighted { .. } => weighed,
                    _ => open,
                };
                query.find_path(&request, &mut scratch).unwrap();
            }
            print(algorithm.name(), &scratch);
        }
        assert!(turn == 0 || allocations() == before);
    }
}

#[test]
fn used_scratch_and_steps_give_the_paths_of_fresh_scratch() {
    let (_, bytes) = large();
    let open = NavQuery::new(mesh_of(&bytes));
    let filter = uphill();
    let mut used = Scratch::new();
    let mut random = Random(3);
    let mut most = 0;
    for turn in 0..12 {
        let [from, to] = [0; 2].map(|_| point(&mut random, 170));
        for algorithm in algorithms() {
            let query = match algorithm {
                Algorithm::Weighted { .. } => open.with_filter(&filter),
                _ => open,
            };
            let request = PathRequest::new(from, to)
                .extents([2.0; 3])
                .algorithm(algorithm)
                .a_star(|a| a.reverse = turn % 3 == 1)
                .partial(true);
            let mut fresh = Scratch::new();
            let expected = query.find_path(&request, &mut fresh).unwrap();
            most = most.max(expected.expanded);
            assert_eq!(query.find_path(&request, &mut used).unwrap(), expected);
            for budget in [1, 7] {
                let mut stepped = Scratch::new();
                let mut search = query.start_path(&request, &mut stepped).unwrap();
                while search.step(&query, &mut stepped, budget) == Status::Looking {}
                assert_eq!(search.path(&query, &mut stepped), expected);
            }
        }
    }
    assert!(most > 10_000, "{most} entries do not make scratch grow");
}

#[test]
fn bounded_scratch_ends_without_nodes_and_with_no_more_than_its_bound() {
    let (_, bytes) = large();
    let open = NavQuery::new(mesh_of(&bytes));
    let mut random = Random(4);
    let mut short = 0;
    for bound in [0, 1, 40, 3000] {
        let mut scratch = Scratch::bounded(bound);
        for algorithm in [CORRIDOR, MIDPOINTS, Algorithm::Optimal] {
            for _ in 0..8 {
                let request = PathRequest::new(point(&mut random, 170), point(&mut random, 170))
                    .extents([2.0; 3])
                    .algorithm(algorithm);
                let path = open.find_path(&request, &mut scratch).unwrap();
                short += u32::from(path.status == Status::OutOfNodes);
                assert!(path.polygons.len() <= bound + 1);
                if algorithm != Algorithm::Optimal {
                    assert!(path.closed as usize <= bound && path.max_open as usize <= bound);
                }
                assert!(!path.certified_optimal || path.status == Status::Reached);
            }
        }
    }
    assert!(short > 40, "{short}");
}

/// Searches of random worlds in memory of a fixed size: the paths of a scratch, or too few nodes.
fn compare(fixed: &mut dyn Memory, enough: bool) -> [u32; 2] {
    let (mut same, mut short) = (0, 0);
    let filter = uphill();
    worlds(0..30, |world, open, random| {
        let mut scratch = Scratch::new();
        for _ in 0..3 {
            let (from, to) = (random_point(world, open, random), random_point(world, open, random));
            for algorithm in algorithms() {
                let query = match algorithm {
                    Algorithm::Weighted { .. } => open.with_filter(&filter),
                    _ => *open,
                };
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm);
                let request = request.a_star(|a| a.reverse = random.chance(30));
                let partial = request.partial(random.chance(30));
                let expected = query
                    .find_path_between(&from.place, &to.place, &partial, &mut scratch)
                    .unwrap();
                let path =
                    query.find_path_between(&from.place, &to.place, &partial, fixed).unwrap();
                if path == expected {
                    same += 1;
                } else if path.status == Status::OutOfNodes {
                    assert!(!path.certified_optimal);
                    short += 1;
                    if !path.points.is_empty() {
                        check(world, &query, &from, &path);
                    }
                } else {
                    // Fewer pieces give looser bounds, fewer nodes another path that is as good.
                    assert!(!enough || matches!(algorithm, Algorithm::Weighted { .. }));
                    assert_eq!(path.status, expected.status);
                }
                query.wall_distance(&from.place, 3.0, fixed);
                query.around(&from.place, Shape::Walk(3.0), fixed);
            }
        }
    });
    [same, short]
}

#[test]
fn fixed_scratch_gives_the_same_paths_or_says_that_it_is_too_small() {
    assert_eq!(compare(&mut *Box::new(FixedScratch::<512>::new()), true)[1], 0);
    let small = [
        compare(&mut FixedScratch::<1>::new(), false),
        compare(&mut FixedScratch::<2>::new(), false),
        compare(&mut FixedScratch::<3>::new(), false),
        compare(&mut FixedScratch::<8>::new(), false),
        compare(&mut FixedScratch::<32>::new(), false),
    ];
    println!("{small:?} the same, and short");
    assert!(small.windows(2).all(|w| w[0][0] <= w[1][0]), "{small:?}");
    assert!(small[0][1] > 100 && small[3][0] > 100, "{small:?}");
}
