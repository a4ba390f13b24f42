//! Worlds beside bakes of the same level with the obstacles as geometry.

use std::fmt::Write;

use navbake_bake::{Config, Options, bake_file};
use navbake_search::around::Areas;
use navbake_search::{NavMesh, NavMeshBuf, NavQuery};
use navbake_testkit::data::fixture;
use navbake_world::{Obstacle, World};

/// Corners `[x, z]` and heights of upright prisms: on the yard, at its walls, across the ramp, on
/// the deck, close together. At most 1.2 m wide, so no ground is on top.
fn prisms() -> Vec<(Vec<[f64; 2]>, [f64; 2])> {
    let polygon = |[x, z]: [f64; 2], radius: f64, corners: usize, turned: f64| {
        let corner = |k: usize| {
            let angle = turned - std::f64::consts::TAU * k as f64 / corners as f64;
            [x + radius * angle.cos(), z + radius * angle.sin()]
        };
        (0..corners).map(corner).collect::<Vec<_>>()
    };
    let yard = [-0.2, 2.5];
    vec![
        (polygon([20.0, 20.0], 0.8, 4, 0.3), yard),
        (polygon([22.5, 20.4], 0.6, 12, 0.1), yard),
        (polygon([25.6, 21.0], 0.7, 3, 1.0), yard),
        (polygon([1.0, 20.0], 0.6, 5, 0.0), yard),
        (polygon([12.0, 25.0], 0.55, 7, 0.5), yard),
        (polygon([13.3, 25.3], 0.5, 6, 0.2), yard),
        (polygon([30.0, 20.0], 0.3, 9, 0.7), yard),
        (polygon([32.0, 8.0], 0.6, 8, 0.4), [3.8, 6.0]),
    ]
}

fn baked(obj: &str) -> NavMeshBuf {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("level.obj");
    std::fs::write(&file, obj).expect("a file");
    // Borders that the baker simplifies little, so that the difference is the world's.
    let config = Config::parse("border_error = 0.005").expect("a config");
    let baked = bake_file(&file, &config, &Options::default()).expect("a level");
    NavMeshBuf::open(&baked.bytes).expect("a sound file")
}

fn area(mesh: NavMesh<'_>) -> f64 {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let query = NavQuery::new(mesh);
    query.areas(&mut sums).as_ref().map(Areas::total).expect("room for all")
}

#[test]
fn ground_is_that_of_a_bake_with_the_obstacles_as_geometry() {
    let plain = std::fs::read_to_string(fixture("courtyard").join("courtyard.obj")).expect("obj");
    let mut world = World::new(baked(&plain));
    let mut with = plain.clone();
    let mut vertices = plain.lines().filter(|line| line.starts_with("v ")).count();
    for (corners, heights) in prisms() {
        world.add(Obstacle::prism(&corners, heights).expect("a prism")).expect("on the grid");
        let n = corners.len();
        for y in heights {
            for [x, z] in &corners {
                writeln!(with, "v {x} {y} {z}").expect("text");
            }
        }
        let face = |numbers: Vec<usize>| {
            let all: Vec<String> = numbers.iter().map(|k| (vertices + 1 + k).to_string()).collect();
            format!("f {}\n", all.join(" "))
        };
        with.push_str(&face((n..2 * n).collect()));
        with.push_str(&face((0..n).rev().collect()));
        for k in 0..n {
            let next = (k + 1) % n;
            with.push_str(&face(vec![k, next, next + n, k + n]));
        }
        vertices += 2 * n;
    }
    let full = baked(&with);
    world.commit();
    let [before, after, wanted] = [area(world.baked()), area(world.nav_mesh()), area(full.mesh())];
    assert!(before - wanted > 15.0, "the obstacles take {} m2", before - wanted);
    assert!(
        (after - wanted).abs() <= 0.001 * wanted,
        "{after} m2 of ground, but {wanted} in a bake; {before} without obstacles"
    );

    // Every place farther than 5 cm from a border of the one is on the other.
    let [now, full] = [world.nav_mesh(), full.mesh()].map(NavQuery::new);
    let (mut inside, mut worst) = (0, 0.0f64);
    for storey in [0.0, 4.0] {
        for i in 0..600 {
            for j in 0..450 {
                let p = [i as f64 / 15.0, storey, j as f64 / 15.0];
                let mut places = [now, full].map(|query| query.locate(p, 0.5));
                // On the ramp, heights that differ a little may be on both sides of the limit.
                if places[0].is_some() != places[1].is_some() {
                    places = [now, full].map(|query| query.locate(p, 0.6));
                }
                match places {
                    [Some(_), Some(_)] => inside += 1,
                    [None, None] => {}
                    [Some(at), None] => worst = worst.max(to_wall(&now, &at)),
                    [None, Some(at)] => worst = worst.max(to_wall(&full, &at)),
                }
            }
        }
    }
    assert!(inside > 200_000, "{inside}");
    assert!(worst <= 0.05, "a border {worst} m off");
}

fn to_wall(query: &NavQuery<'_>, at: &navbake_search::NavPoint) -> f64 {
    let mut scratch = navbake_search::Scratch::new();
    query.wall_distance(at, 1.0, &mut scratch).distance
}
