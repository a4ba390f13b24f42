//! Smoothed and rounded paths: on the mesh, on their own storey, and of the shape that they
//! promise.

use std::collections::BTreeSet;

use navbake_finish::{Finished, Rounding, places, round, spline, spline_room};
use navbake_search::blob::Blob;
use navbake_search::{AStar, Algorithm, NavPath, NavQuery, PathRequest, PolyId, Scratch, Status};
use navbake_testkit::cases::cases;
use navbake_testkit::squares::{SIDE, World};
use navbake_testkit::{Random, plain_walk};
use proptest::prelude::*;

/// A finished path leads on the mesh from square to square, by both checkers, and ends on the
/// goal's ground.
fn check(
    world: &World,
    query: &NavQuery<'_>,
    finished: &Finished<'_>,
    [from, to]: [usize; 2],
    answer: &NavPath<'_>,
) {
    let (first, last) = (finished.points[0], *finished.points.last().unwrap());
    assert_eq!(first.position(), answer.points[0]);
    assert_eq!(last.position(), *answer.points.last().unwrap());
    let mut squares = BTreeSet::from([from]);
    let mut polygons = BTreeSet::from([answer.polygons[0]]);
    let mut length = 0.0;
    for pair in finished.points.windows(2) {
        let (a, b) = (pair[0].point(), pair[1].point());
        squares = world.walk(&squares, a, b);
        polygons = plain_walk::walk(query.mesh(), &polygons, a, b);
        assert!(!squares.is_empty(), "{a:?} to {b:?} leaves the mesh");
        assert!(polygons.contains(&pair[1].polygon()), "{a:?} to {b:?} is on other ground");
        let place = query.on_polygon(pair[1].polygon(), pair[1].position());
        assert_eq!(place, Some(pair[1]), "points stand on their polygons");
        length += f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1])) / f64::from(SIDE);
    }
    assert!((finished.length_xz - length).abs() <= 1e-9 * length.max(1.0));
    let goal = world.spread(&BTreeSet::from([to]), last.point().map(i128::from), 1);
    assert!(!squares.is_disjoint(&goal), "the path ends on other ground");
}

/// A spline turns nowhere sharper than its path, and is at most 2 % longer, both up to the rounding
/// of points to the coarse grid of these worlds.
fn check_gentle(spline: &Finished<'_>, answer: &NavPath<'_>) {
    let sharpest = |points: &[[f64; 3]]| {
        let turn = |w: &[[f64; 3]]| {
            let [u, v] = [0, 1].map(|k| [w[k + 1][0] - w[k][0], w[k + 1][2] - w[k][2]]);
            (u[0] * v[1] - u[1] * v[0]).atan2(u[0] * v[0] + u[1] * v[1]).abs()
        };
        points.windows(3).map(turn).fold(0.0, f64::max)
    };
    let points: Vec<[f64; 3]> = spline.points.iter().map(|p| p.position()).collect();
    let (raw, smooth) = (sharpest(answer.points), sharpest(&points));
    let step = 4.0 / f64::from(SIDE);
    assert!(smooth <= raw + step, "sharpest turn {raw} became {smooth}");
    assert!(spline.length_xz <= 1.02 * answer.length_xz + step, "{}", spline.length_xz);
}

/// The results for many paths: points before and after, stretches and corners kept.
#[derive(Default)]
struct Counts {
    paths: usize,
    corners: usize,
    splined: usize,
    kept: usize,
    sharp: usize,
}

fn random_paths(
    world: &World,
    random: &mut Random,
    join: bool,
    sparse: bool,
    pairs: usize,
) -> Counts {
    let bytes = world.bake(join, sparse);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
    let mut counts = Counts::default();
    for _ in 0..pairs * usize::from(!free.is_empty()) {
        let ends = [0; 2].map(|_| free[random.below(free.len())]);
        let [from, to] = ends.map(|square| {
            let (c, r, _) = world.cell(square);
            let point = [c, r].map(|c| c * SIDE + random.below(SIDE as usize + 1) as i32);
            world.place(&query, square, point)
        });
        let planner = [Algorithm::Corridor(AStar::default()), Algorithm::Optimal][random.below(2)];
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner);
        let answer = query.find_path_between(&from, &to, &request, &mut scratch).unwrap();
        if answer.status != Status::Reached {
            continue;
        }
        let rounding =
            Rounding { radius: (1 + random.below(48)) as f64 / 16.0, chord_error: 1.0 / 16.0 };
        let room = spline_room(answer.points.len()).max(rounding.room(answer.points.len()));
        let mut out = vec![from; room];
        check(world, &query, &places(&query, &answer, &mut out).unwrap(), ends, &answer);
        let spline = spline(&query, &answer, &mut out).unwrap();
        check(world, &query, &spline, ends, &answer);
        check_gentle(&spline, &answer);
        if answer.points.len() > 2 {
            counts.corners += answer.points.len() - 2;
            counts.splined += spline.points.len() - 2;
            counts.kept += spline.kept;
        } else {
            assert_eq!(spline.points.len(), 2, "paths of two points are left alone");
        }
        let round = round(&query, &answer, rounding, &mut out).unwrap();
        check(world, &query, &round, ends, &answer);
        counts.sharp += round.kept;
        counts.paths += 1;
    }
    counts
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn finished_paths_stay_on_grid_maps(
        seed in any::<u64>(), width in 1..14i32, depth in 1..14i32, blocked in 0..50u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, width, depth, blocked);
        random_paths(&world, &mut random, join, sparse, 8);
    }

    #[test]
    fn finished_paths_stay_on_their_storeys(
        seed in any::<u64>(), width in 1..7i32, depth in 1..7i32, storeys in 2..4usize, blocked in 0..40u64, cut in 0..30u64,
        exchanged in 0..60u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random(&mut random, width, depth, storeys, blocked, cut, exchanged);
        random_paths(&world, &mut random, join, sparse, 6);
    }

    #[test]
    fn the_plain_checker_agrees_with_one_that_knows_squares_only(
        seed in any::<u64>(), width in 1..6i32, depth in 1..6i32, storeys in 1..4usize, blocked in 0..40u64, cut in 0..30u64,
        exchanged in 0..60u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random(&mut random, width, depth, storeys, blocked, cut, exchanged);
        let bytes = world.bake(join, sparse);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
        for _ in 0..8 * usize::from(!free.is_empty()) {
            let square = free[random.below(free.len())];
            let (c, r, _) = world.cell(square);
            let a = [c, r].map(|c| c * SIDE + random.below(SIDE as usize + 1) as i32);
            let b = [width, depth].map(|n| random.below((n * SIDE) as usize + 1) as i32);
            let start = world.place(&query, square, a);
            let squares = world.walk(&BTreeSet::from([square]), a, b);
            let polygons = plain_walk::walk(query.mesh(), &BTreeSet::from([start.polygon()]), a, b);
            let reached: BTreeSet<PolyId> = squares.iter().map(|&s| world.place(&query, s, b).polygon()).collect();
            prop_assert_eq!(reached, polygons);
        }
    }
}

#[test]
fn most_corners_are_smoothed_and_most_corners_rounded() {
    let mut sum = Counts::default();
    for seed in 0..40 {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, 24, 24, 8);
        let counts = random_paths(&world, &mut random, true, true, 20);
        sum.paths += counts.paths;
        sum.corners += counts.corners;
        sum.splined += counts.splined;
        sum.kept += counts.kept;
        sum.sharp += counts.sharp;
    }
    println!(
        "{} paths, {} corners: {} points between the splines' ends, {} corners kept, {} corners sharp",
        sum.paths, sum.corners, sum.splined, sum.kept, sum.sharp
    );
    assert!(sum.corners > 500);
    // On this coarse grid most points of a curve are on a line and pruned; its middle stays.
    assert!(sum.splined > sum.corners);
    assert!(sum.kept < sum.corners / 4);
    assert!(sum.sharp < sum.corners / 2);
}

#[test]
fn finishing_on_damaged_blobs_that_pass_validate_ends_in_points_or_a_refusal() {
    let (mut finished, mut passed) = (0, 0);
    for seed in 0..6 {
        let mut random = Random(seed);
        let bytes = World::random(&mut random, 5, 5, 2, 20, 10, 30).bake(seed % 2 == 0, true);
        for _ in 0..1500 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len());
            damaged[at] = random.next() as u8;
            let Ok(checked) = Blob::open_checked(&damaged) else {
                continue;
            };
            passed += usize::from(damaged != bytes);
            let nav = checked.decode(0).unwrap();
            let query = NavQuery::new(nav.mesh());
            let mut scratch = Scratch::new();
            for _ in 0..4 {
                let mut c = || random.below(100) as f64 / 10.0 - 1.0;
                let request = PathRequest::new([c(), 0.0, c()], [c(), 10.0, c()])
                    .extents([3.0, 30.0, 3.0])
                    .partial(true);
                let answer = query.find_path(&request, &mut scratch).unwrap();
                let Some(any) = query.nearest(request.from, [9.0, 90.0, 9.0]) else {
                    continue;
                };
                let mut out = vec![any; Rounding::new(0.5).room(answer.points.len()).max(200)];
                let spline = spline(&query, &answer, &mut out).map(|f| f.length_xz);
                let round = round(&query, &answer, Rounding::new(0.5), &mut out);
                for length in [spline, round.map(|f| f.length_xz)].into_iter().flatten() {
                    assert!(length.is_finite());
                    finished += 1;
                }
            }
        }
    }
    println!("{passed} damaged blobs passed, {finished} paths were finished on them");
    assert!(passed > 300 && finished > 1000);
}
