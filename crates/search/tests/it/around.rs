//! Walls, surroundings and random places.
use navbake_search::around::{Convex, Random as Seeded, Reached, Shape};
use navbake_search::blob::{Blob, IslandId};
use navbake_search::{NavQuery, Scratch};
use navbake_testkit::Random;
use navbake_testkit::squares::{SIDE, World};

fn with_query(bytes: &[u8], run: impl FnOnce(NavQuery<'_>)) {
    run(NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()));
}

fn flat([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}

#[test]
fn the_nearest_wall_is_reported_with_its_point_and_normal() {
    let world = World::flat(&["......", "......", "..##..", "..##..", "......"]);
    for join in [false, true] {
        with_query(&world.bake(join, true), |query| {
            let mut flood = Scratch::new();
            let at = query.locate([3.0, 0.0, 1.25], 1.0).unwrap();
            let found = query.wall_distance(&at, 10.0, &mut flood);
            let nearest = found.nearest.unwrap();
            assert_eq!((found.distance, flat(nearest.point)), (0.75, [3.0, 2.0]));
            assert_eq!(nearest.wall.normal, [0.0, -1.0]);
            // Around the block's corner.
            let at = query.locate([1.25, 0.0, 1.0], 1.0).unwrap();
            let found = query.wall_distance(&at, 10.0, &mut flood);
            assert_eq!(found.distance, 1.0);
            let at = query.locate([1.75, 0.0, 1.75], 1.0).unwrap();
            let found = query.wall_distance(&at, 10.0, &mut flood);
            assert_eq!(flat(found.nearest.unwrap().point), [2.0, 2.0]);
            // None so near.
            let found = query.wall_distance(&at, 0.25, &mut flood);
            assert_eq!((found.distance, found.nearest), (0.25, None));
            // On the wall itself.
            let at = query.locate([3.0, 0.0, 2.0], 1.0).unwrap();
            assert_eq!(query.wall_distance(&at, 1.0, &mut flood).distance, 0.0);
        });
    }
}

#[test]
fn too_little_scratch_tells_less_and_nothing_wrong() {
    let world = World::flat(&["........", "........", "........"]);
    with_query(&world.bake(false, true), |query| {
        let at = query.locate([4.5, 0.0, 1.5], 1.0).unwrap();
        let mut last = 0.0;
        for polygons in 0..24 {
            let mut flood = Scratch::bounded(polygons);
            let found = query.wall_distance(&at, 9.0, &mut flood);
            assert!(found.distance <= 1.5 && found.distance >= last);
            assert_eq!(found.nearest.is_some(), found.distance == 1.5);
            last = found.distance;
            let around = query.around(&at, Shape::Circle(20.0), &mut flood);
            assert_eq!((around.polygons.len(), around.whole), (polygons, false));
        }
        assert_eq!(last, 1.5);
        let mut flood = Scratch::new();
        let around = query.around(&at, Shape::Circle(20.0), &mut flood);
        assert_eq!((around.polygons.len(), around.whole), (24, true));
    });
}

#[test]
fn shapes_tell_polygons_they_touch_in_order_and_not_those_above() {
    // Two storeys: what is above is in the circle and cannot be walked to.
    let mut random = Random(2);
    let world = World::random(&mut random, 5, 5, 2, 0, 0, 0);
    with_query(&world.bake(false, true), |query| {
        let mut flood = Scratch::new();
        let at = query.locate([2.5, 0.0, 2.5], 1.0).unwrap();
        let grid = query.mesh().grid();
        let bar = [[2.5, 2.25], [4.75, 2.25], [4.75, 2.75], [2.5, 2.75]];
        let mut back = bar;
        back.reverse();
        let bars = [bar, back].map(|corners| Convex::new(grid, &corners).unwrap());
        let mut count = |shape| {
            let around = query.around(&at, shape, &mut flood);
            let polygons: Vec<Reached> = around.polygons.to_vec();
            assert_eq!(polygons[0].polygon(), at.polygon());
            assert!(polygons.is_sorted_by(|a, b| a.distance() <= b.distance()));
            polygons.len()
        };
        assert_eq!(count(Shape::Circle(0.4375)), 1);
        assert_eq!(count(Shape::Circle(0.5)), 5);
        // 1.5 m is the distance of the outer squares; corners are farther.
        assert_eq!(count(Shape::Circle(1.5)), 13);
        assert_eq!(count(Shape::Circle(9.0)), 25);
        assert_eq!(count(Shape::Walk(0.5)), 5);
        assert_eq!(count(Shape::Walk(9.0)), 25);
        for bar in &bars {
            assert_eq!(count(Shape::Convex(bar)), 3);
        }
    });
}

#[test]
fn only_convex_shapes_are_taken() {
    let world = World::flat(&["."]);
    with_query(&world.bake(true, true), |query| {
        let grid = query.mesh().grid();
        let is = |corners: &[[f64; 2]]| Convex::new(grid, corners).is_some();
        assert!(is(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]));
        assert!(is(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0]]));
        assert!(!is(&[]));
        assert!(!is(&[[0.0, 0.0], [4.0, 0.0]]));
        assert!(!is(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]));
        // A dart, a bow tie, a star, and what is not on the grid.
        assert!(!is(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]));
        assert!(!is(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]));
        let star = [[0.0, 3.0], [2.0, -3.0], [-3.0, 1.0], [3.0, 1.0], [-2.0, -3.0]];
        assert!(!is(&star));
        assert!(!is(&[[0.0, 0.0], [f64::NAN, 0.0], [4.0, 4.0]]));
        assert!(!is(&[[0.0, 0.0], [1e300, 0.0], [4.0, 4.0]]));
    });
}

#[test]
fn random_places_are_even_by_area_and_the_same_for_the_same_seed() {
    let world = World::flat(&["......#.", "......#.", "......##", "......#."]);
    with_query(&world.bake(true, true), |query| {
        let mut sums = vec![0; query.mesh().polygon_count() as usize];
        assert!(query.areas(&mut []).is_none());
        let areas = query.areas(&mut sums).unwrap();
        assert_eq!(areas.total(), 27.0);
        let draw = |seed| {
            let mut random = Seeded::new(seed);
            let place = |_| query.random_place(&areas, &mut random).unwrap();
            (0..27_000).map(place).collect::<Vec<_>>()
        };
        let places = draw(1);
        assert_eq!(places, draw(1));
        assert_ne!(places, draw(2));
        let mut squares = [[0; 8]; 4];
        for place in &places {
            let [x, _, z] = place.position();
            squares[(z as usize).min(3)][(x as usize).min(7)] += 1;
        }
        for (row, line) in squares.iter().enumerate() {
            for (column, &found) in line.iter().enumerate() {
                let inner = column < 5 && row < 3;
                // A thousand each, with a standard deviation of 31, but for the grid points on
                // borders.
                assert!(!inner || (850..1150).contains(&found), "{squares:?}");
            }
        }
        let mut random = Seeded::new(3);
        for island in 0..3 {
            for _ in 0..200 {
                let place = query.random_on_island(&areas, IslandId(island), &mut random);
                let place = place.unwrap();
                assert_eq!(query.mesh().island(place.polygon()), IslandId(island));
            }
        }
        for none in [3, u32::MAX] {
            let island = IslandId(none);
            assert!(query.random_on_island(&areas, island, &mut random).is_none());
        }
    });
}

#[test]
fn random_places_within_a_walk_are_even_and_no_farther() {
    // A long hall with a wall across that leaves a gap: the far side is near as the crow flies.
    let world = World::flat(&["..........", ".########.", ".........."]);
    for join in [false, true] {
        with_query(&world.bake(join, true), |query| {
            let mut flood = Scratch::new();
            let mut random = Seeded::new(4);
            let at = query.locate([5.0, 0.0, 0.5], 1.0).unwrap();
            let mut right = 0;
            for _ in 0..4000 {
                let place = query.random_within(&at, 3.0, &mut random, &mut flood);
                let [x, _, z] = place.position();
                assert!((x - 5.0).hypot(z - 0.5) <= 3.0 && z <= 1.0, "{x} {z}");
                right += usize::from(x > 5.0);
            }
            // Half, with a standard deviation of 32.
            assert!((1850..2150).contains(&right), "{right}");
            let own = query.random_within(&at, 0.0, &mut random, &mut flood);
            assert_eq!(own.point(), [5 * SIDE, SIDE / 2]);
        });
    }
}
