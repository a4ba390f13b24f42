//! NavPoint, rays and reachability.

use std::collections::BTreeSet;

use navbake_format::write::{BlobParts, HeightMeshParts, MeshParts, encode};
use navbake_search::blob::Blob;
use navbake_search::{NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::squares::{SIDE, World};

const NONE: u32 = u32::MAX;

fn metres(p: [i32; 2]) -> [f64; 3] {
    [f64::from(p[0]) / f64::from(SIDE), 0.0, f64::from(p[1]) / f64::from(SIDE)]
}

fn with_query(bytes: &[u8], run: impl FnOnce(NavQuery<'_>)) {
    run(NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()));
}

/// The square of the flat world to which a lattice point belongs, by the rule of `locate`.
fn owner(world: &World, column: i32, row: i32) -> Option<usize> {
    // Moved towards +x and +z it is in the square at (column, row); else any square that touches
    // it.
    let free = |c: i32, r: i32| {
        let inside = c >= 0 && r >= 0 && c < world.width && r < world.depth;
        (inside && world.free[world.id(c, r, 0)]).then(|| world.id(c, r, 0))
    };
    free(column, row)
        .or_else(|| free(column - 1, row))
        .or_else(|| free(column, row - 1))
        .or_else(|| free(column - 1, row - 1))
}

#[test]
fn a_pinch_belongs_to_the_quadrant_beyond_it() {
    let world = World::flat(&[".#", "#."]);
    let bytes = world.bake(false, true);
    with_query(&bytes, |query| {
        let pinch = query.locate([1.0, 0.0, 1.0], 1.0).unwrap();
        let beyond = query.locate([1.5, 0.0, 1.5], 1.0).unwrap();
        let before = query.locate([0.5, 0.0, 0.5], 1.0).unwrap();
        assert_eq!(pinch.polygon(), beyond.polygon());
        assert!(query.reachable(&pinch, &beyond));
        assert!(!query.reachable(&pinch, &before));
        // Two blocked cells that meet diagonally cannot be passed between.
        assert!(query.raycast(&beyond, [0.5, 0.0, 0.5]).wall.is_some());
        let mut scratch = Scratch::new();
        let request = PathRequest::new([0.5, 0.0, 0.5], [1.0, 0.0, 1.0]);
        assert_eq!(query.find_path(&request, &mut scratch).unwrap().status, Status::Unreachable);
    });
}

#[test]
fn lattice_points_are_located_as_the_rule_says() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, 7, 6, 45);
        for join in [false, true] {
            let bytes = world.bake(join, join);
            let islands = world.islands();
            with_query(&bytes, |query| {
                for row in 0..=world.depth {
                    for column in 0..=world.width {
                        let found = query.locate(metres([column * SIDE, row * SIDE]), 1.0);
                        let expected = owner(&world, column, row);
                        assert_eq!(found.is_some(), expected.is_some());
                        let (Some(found), Some(square)) = (found, expected) else {
                            continue;
                        };
                        let (c, r, _) = world.cell(square);
                        let beyond = c == column && r == row;
                        let middle = metres([c * SIDE + SIDE / 2, r * SIDE + SIDE / 2]);
                        let middle = query.locate(middle, 1.0).unwrap();
                        if beyond {
                            assert_eq!(found.polygon(), middle.polygon());
                            assert!(
                                islands[square] != usize::MAX && query.reachable(&found, &middle)
                            );
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn the_storey_nearest_in_height_is_taken() {
    let mut random = Random(1);
    let world = World::random(&mut random, 4, 4, 3, 0, 0, 0);
    let bytes = world.bake(true, true);
    with_query(&bytes, |query| {
        assert_eq!(query.mesh().polygon_count(), 3);
        for (y, storey) in
            [(-0.5, 0.0), (4.0, 0.0), (6.0, 10.0), (11.0, 10.0), (19.0, 20.0), (24.0, 20.0)]
        {
            let at = query.locate([2.5, y, 2.5], 7.0).unwrap();
            assert!((query.height(&at) - storey).abs() < 0.5);
            assert_eq!(query.nearest([2.5, y, 2.5], [0.0, 7.0, 0.0]), Some(at));
        }
        assert_eq!(query.locate([2.5, 5.0, 2.5], 3.0), None);
        assert_eq!(query.locate([9.0, 0.0, 2.5], 3.0), None);
        let beside = query.nearest([9.0, 10.0, 2.5], [5.5, 1.0, 0.5]).unwrap();
        assert_eq!(beside.position()[0], 4.0);
        assert_eq!(beside.position()[2], 2.5);
    });
}

#[test]
fn height_meshes_raise_the_ground_for_places_and_rays_and_paths() {
    // Two squares of 10 m; in the first a hill whose foot is a wall of it, in the second a pit.
    let hill = HeightMeshParts {
        size: [160; 2],
        points: &[[80, 96, 80], [0, 32, 80], [160, 16, 80]],
        ..HeightMeshParts::default()
    };
    let pit = HeightMeshParts {
        least: [160, 0],
        size: [160; 2],
        base: -64,
        corners: [64; 4],
        points: &[[80, 0, 80]],
        ..HeightMeshParts::default()
    };
    let vertices = [[0, 0, 0], [0, 0, 160], [160, 0, 160], [160, 0, 0], [320, 0, 160], [320, 0, 0]];
    let bytes = encode(&BlobParts {
        grid_bits: 4,
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &[0, 4, 8],
            corners: &[0, 1, 2, 3, 3, 2, 4, 5],
            neighbours: &[NONE, NONE, 1, NONE, 0, NONE, NONE, NONE],
            islands: &[0, 0],
            height_mesh_of: &[0, 1],
            height_meshes: &[hill, pit],
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap();
    with_query(&bytes, |query| {
        let top = query.locate([5.0, 6.5, 5.0], 1.0).unwrap();
        assert_eq!(top.position(), [5.0, 6.0, 5.0]);
        assert_eq!(query.locate([5.0, 0.0, 5.0], 2.0), None);
        let pit = query.locate([15.0, -4.0, 5.0], 0.0).unwrap();
        let slope = query.locate([15.0, 0.0, 2.5], 9.0).unwrap();
        assert_eq!(slope.position()[1], -2.0);
        // A wall with a point on it.
        let hit = query.raycast(&top, [-5.0, 0.0, 5.0]);
        assert_eq!(hit.point, [0.0, 2.0, 5.0]);
        // The point is on one side of the portal only: a step, crossed midway.
        let mut scratch = Scratch::new();
        let request = PathRequest::new(top.position(), pit.position());
        let answer = query.find_path_between(&top, &pit, &request, &mut scratch).unwrap();
        let up = |a: f64, b: f64| 5f64.hypot(a - b);
        assert!((answer.length_3d(&query) - (up(6.0, 0.5) + up(0.5, -4.0))).abs() < 1e-12);
        assert_eq!(answer.points, [top.position(), pit.position()]);
    });
}

#[test]
fn every_polygon_is_found_through_the_index() {
    let mut random = Random(7);
    let world = World::random(&mut random, 12, 11, 3, 20, 10, 30);
    let bytes = world.bake(false, true);
    with_query(&bytes, |query| {
        for square in (0..world.free.len()).filter(|&i| world.free[i]) {
            let (c, r, s) = world.cell(square);
            let y = s as f64 * 10.0;
            let at = query.locate([f64::from(c) + 0.5, y, f64::from(r) + 0.5], 1.0).unwrap();
            let polygon = query.mesh().polygon(at.polygon());
            assert!(polygon.corner_at([c * SIDE, r * SIDE]).is_some());
            assert!((at.position()[1] - y).abs() < 0.5);
        }
    });
}

#[test]
fn rays_on_grid_maps_agree_with_the_oracle() {
    let (mut free_ways, mut walls) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, 8, 7, 10 + seed % 40);
        let bytes = world.bake(seed % 2 == 0, seed % 3 == 0);
        let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
        if free.is_empty() {
            continue;
        }
        with_query(&bytes, |query| {
            for _ in 0..60 {
                let square = free[random.below(free.len())];
                let (c, r, _) = world.cell(square);
                let scale = [1, 4, SIDE as usize][random.below(3)];
                let a = [c, r]
                    .map(|v| v * SIDE + (random.below(SIDE as usize / scale + 1) * scale) as i32);
                let b = [world.width, world.depth].map(|n| {
                    (random.below((n + 2) as usize * SIDE as usize / scale) * scale) as i32 - SIDE
                });
                let start = world.place(&query, square, a);
                let hit = query.raycast(&start, metres(b));
                let seen = !world.walk(&BTreeSet::from([square]), a, b).is_empty();
                assert_eq!(hit.wall.is_none(), seen, "{a:?} to {b:?}");
                assert!((0.0..=1.0).contains(&hit.fraction));
                for k in [0, 2] {
                    let way = metres(b)[k] - metres(a)[k];
                    assert!((metres(a)[k] + hit.fraction * way - hit.point[k]).abs() < 1e-9);
                }
                if let Some(wall) = hit.wall {
                    walls += 1;
                    let [nx, nz] = wall.normal;
                    assert!((nx.hypot(nz) - 1.0).abs() < 1e-12);
                    let polygon = query.mesh().polygon(hit.polygon);
                    let k = (0..polygon.len()).find(|&k| polygon.edge(k) == wall.edge);
                    assert_eq!(polygon.neighbour(k.unwrap()), None);
                    let facing = nx * f64::from(b[0] - a[0]) + nz * f64::from(b[1] - a[1]);
                    assert!(facing <= 0.0, "a wall is hit from its front");
                } else {
                    free_ways += 1;
                }
            }
        });
    }
    assert!(free_ways > 500 && walls > 500);
}

#[test]
fn rays_over_many_storeys_never_leave_the_mesh() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let world = World::random(&mut random, 5, 5, 3, 15, 15, 40);
        let bytes = world.bake(seed % 2 == 0, true);
        let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
        with_query(&bytes, |query| {
            for _ in 0..60 {
                let square = free[random.below(free.len())];
                let (c, r, _) = world.cell(square);
                let a = [c, r].map(|v| v * SIDE + random.below(SIDE as usize + 1) as i32);
                let b =
                    [c, r].map(|v| v * SIDE + random.below(6 * SIDE as usize) as i32 - 3 * SIDE);
                let start = world.place(&query, square, a);
                let hit = query.raycast(&start, metres(b));
                if hit.wall.is_none() {
                    assert!(!world.walk(&BTreeSet::from([square]), a, b).is_empty());
                }
            }
        });
    }
}

#[test]
fn targets_beyond_the_grid_and_senseless_numbers_are_harmless() {
    let world = World::flat(&["...", "...", "..."]);
    let bytes = world.bake(true, true);
    with_query(&bytes, |query| {
        let start = query.locate([1.5, 0.0, 1.5], 1.0).unwrap();
        let hit = query.raycast(&start, [1e300, 0.0, 1.5]);
        assert_eq!(hit.point[0], 3.0);
        assert_eq!(hit.point[2], 1.5);
        assert_eq!(query.raycast(&start, [1.5, 0.0, f64::NEG_INFINITY]).point[2], 0.0);
        let mut scratch = Scratch::new();
        for bad in [f64::NAN, f64::INFINITY, -1e300, 1e12] {
            for k in 0..3 {
                let mut p = [1.5, 0.0, 1.5];
                p[k] = bad;
                query.raycast(&start, p);
                assert_eq!(query.locate(p, bad), None);
                assert_eq!(query.nearest(p, [bad; 3]), None);
                let request = PathRequest::new(p, [1.0; 3]).extents([bad; 3]);
                assert_eq!(
                    query.find_path(&request, &mut scratch).unwrap().status,
                    Status::OffMesh
                );
            }
            query.locate([1.5, 0.0, 1.5], bad);
            query.nearest([1.5, 0.0, 1.5], [bad; 3]);
        }
    });
}

#[test]
fn start_and_goal_in_one_place_or_one_polygon_are_answered() {
    let world = World::flat(&["...", ".#.", "..."]);
    let bytes = world.bake(true, true);
    with_query(&bytes, |query| {
        let mut scratch = Scratch::new();
        let here = [0.5, 0.0, 0.5];
        let answer = query.find_path(&PathRequest::new(here, here), &mut scratch).unwrap();
        assert_eq!(
            (answer.status, answer.length_xz, answer.points.len()),
            (Status::Reached, 0.0, 2)
        );
        let answer =
            query.find_path(&PathRequest::new(here, [2.5, 0.0, 0.5]), &mut scratch).unwrap();
        assert_eq!((answer.status, answer.length_xz), (Status::Reached, 2.0));
        assert!(answer.certified_optimal && answer.expanded == 0);
        // Off the mesh, but near enough when asked so.
        let request = PathRequest::new([1.5, 0.0, 1.4], here);
        assert_eq!(query.find_path(&request, &mut scratch).unwrap().status, Status::OffMesh);
        let answer = query.find_path(&request.extents([0.5, 2.0, 0.5]), &mut scratch).unwrap();
        assert_eq!(answer.status, Status::Reached);
        assert_eq!(answer.points[0][2], 1.0);
    });
}

#[test]
fn a_partial_path_ends_as_near_as_the_island_comes() {
    let world = World::flat(&["..#....", "..#....", "..#...."]);
    let bytes = world.bake(false, true);
    with_query(&bytes, |query| {
        let mut scratch = Scratch::new();
        let request = PathRequest::new([0.5, 0.0, 0.5], [6.5, 0.0, 2.5]);
        assert_eq!(query.find_path(&request, &mut scratch).unwrap().status, Status::Unreachable);
        let answer = query.find_path(&request.partial(true), &mut scratch).unwrap();
        assert_eq!(answer.status, Status::Partial);
        let end = answer.points.last().unwrap();
        assert_eq!([end[0], end[2]], [2.0, 2.5]);
    });
}

#[test]
fn too_small_a_scratch_says_so_and_never_panics() {
    let world = World::flat(&[".......", ".#####.", ".#...#.", "...#..."]);
    let bytes = world.bake(false, true);
    with_query(&bytes, |query| {
        let request = PathRequest::new([0.5, 0.0, 0.5], [2.5, 0.0, 2.5]);
        let mut whole = Scratch::new();
        let length = query.find_path(&request, &mut whole).unwrap().length_xz;
        let mut seen = BTreeSet::new();
        for nodes in 0..=query.mesh().polygon_count() as usize {
            let mut scratch = Scratch::bounded(nodes);
            let answer = query.find_path(&request, &mut scratch).unwrap();
            seen.insert(answer.status.name());
            match answer.status {
                Status::Reached => assert_eq!(answer.length_xz, length),
                status => assert_eq!(status, Status::OutOfNodes),
            }
        }
        assert_eq!(seen.len(), 2);
    });
}

#[test]
fn several_blobs_are_searched_on_several_threads() {
    let blobs: Vec<Vec<u8>> =
        (0..4).map(|s| World::random_flat(&mut Random(s), 9, 9, 20).bake(true, true)).collect();
    let views: Vec<NavQuery<'_>> = blobs
        .iter()
        .map(|b| NavQuery::new(Blob::open_checked(b).unwrap().decode(0).unwrap().leak()))
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for query in &views {
                    let mut scratch = Scratch::new();
                    for x in 0..9 {
                        let to = [f64::from(x) + 0.5, 0.0, 8.5];
                        query
                            .find_path(&PathRequest::new([0.5, 0.0, 0.5], to), &mut scratch)
                            .unwrap();
                    }
                }
            });
        }
    });
}
