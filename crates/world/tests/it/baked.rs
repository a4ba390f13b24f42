//! Worlds beside bakes of the same level with the obstacles as geometry.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use navbake_bake::{Config, Options, bake_file};
use navbake_search::around::{Areas, Random};
use navbake_search::{NavMesh, NavMeshBuf, NavQuery};
use navbake_testkit::data::{data_in, fixture};
use navbake_world::{Obstacle, World};

/// Corners `[x, z]` and heights of an upright prism.
type Prism = (Vec<[f64; 2]>, [f64; 2]);

/// Prisms on the yard, at its walls, across the ramp, on the deck, close together. At most 1.2 m
/// wide, so no ground is on top.
fn prisms() -> Vec<Prism> {
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

/// 200 prisms of 2 to 12 corners at random places of a navmesh, at most 1.2 m wide, and higher than
/// agents climb from any ground beside them.
fn scattered(nav: &NavMeshBuf) -> Vec<Prism> {
    let mut random = Random::new(11);
    let query = NavQuery::new(nav.mesh());
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("room for all");
    let prism = |k: usize| {
        let at = query.random_place(&areas, &mut random).expect("ground");
        let [x, y, z] = at.position();
        let mut corner = || {
            let mut near = || 0.84 * random.unit() - 0.42;
            [x + near(), z + near()]
        };
        ((0..2 + k % 11).map(|_| corner()).collect(), [y - 0.2, y + 2.5])
    };
    (0..200).map(prism).collect()
}

/// A level, and prisms as its geometry: walls, tops and bottoms.
fn with_geometry(plain: &str, prisms: &[Prism]) -> String {
    let mut with = plain.to_owned();
    let mut vertices = plain.lines().filter(|line| line.starts_with("v ")).count();
    for (corners, heights) in prisms {
        let corners = hull(corners);
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
        if n > 2 {
            with.push_str(&face((n..2 * n).collect()));
            with.push_str(&face((0..n).rev().collect()));
        }
        for k in 0..n {
            let next = (k + 1) % n;
            with.push_str(&face(vec![k, next, next + n, k + n]));
        }
        vertices += 2 * n;
    }
    with
}

/// The convex hull of points, clockwise seen from above as the prisms of the yard are.
fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let left = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let first = points.iter().copied().min_by(|a, b| a[0].total_cmp(&b[0])).expect("a point");
    let mut ring = vec![first];
    // Gift wrapping: from each corner to the point that has no other on its one side.
    loop {
        let last = ring[ring.len() - 1];
        let others = points.iter().copied().filter(|&p| p != last);
        let next = others.reduce(|a, b| if left(last, a, b) > 0.0 { b } else { a });
        match next {
            Some(next) if next != first => ring.push(next),
            _ => return ring,
        }
    }
}

fn config(more: &str) -> Config {
    // Borders that the baker simplifies little, so that the difference is the world's.
    Config::parse(&format!("border_error = 0.005\n{more}")).expect("a config")
}

fn baked(obj: &str, config: &Config) -> NavMeshBuf {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("level.obj");
    std::fs::write(&file, obj).expect("a file");
    let baked = bake_file(&file, config, &Options::default()).expect("a level");
    NavMeshBuf::open(&baked.bytes).expect("a sound file")
}

fn area(mesh: NavMesh<'_>) -> f64 {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let query = NavQuery::new(mesh);
    query.areas(&mut sums).as_ref().map(Areas::total).expect("room for all")
}

/// A world with prisms as obstacles.
fn world(nav: NavMeshBuf, prisms: &[Prism]) -> World {
    let mut world = World::new(nav);
    for (corners, heights) in prisms {
        world.add(Obstacle::prism(corners, *heights).expect("a prism")).expect("on the grid");
    }
    world.commit();
    world
}

/// Checks that the area of a world is that of a bake within a thousandth; both have less than
/// without obstacles by at least `taken`, m2.
fn check_area(world: &World, full: &NavMeshBuf, taken: f64) {
    let [before, after, wanted] = [area(world.baked()), area(world.nav_mesh()), area(full.mesh())];
    assert!(before - wanted > taken, "the obstacles take {} m2", before - wanted);
    eprintln!("{before:.1} m2 of ground; with obstacles {after:.1}, baked {wanted:.1}");
    assert!(
        (after - wanted).abs() <= 0.001 * wanted,
        "{after} m2 of ground, but {wanted} in a bake; {before} without obstacles"
    );
}

/// Counts the places that are on both navmeshes, and gives the greatest distance from a border of a
/// place that is on one alone. Where a bake has no ground although no prism is within the agent's
/// radius, it lost a pocket between them, and the world is right.
fn compare(
    [world, full]: [NavMesh<'_>; 2],
    prisms: &[Prism],
    places: impl Iterator<Item = [f64; 3]>,
) -> (usize, f64) {
    let [radius, _] = full.agent_size();
    let [now, full] = [world, full].map(NavQuery::new);
    let (mut inside, mut worst) = (0, 0.0f64);
    for p in places {
        let mut found = [now, full].map(|query| query.locate(p, 0.5));
        // On a ramp, heights that differ a little may be on both sides of the limit: where the one
        // has ground, the other may have it at that height.
        match found {
            [Some(own), None] => found[1] = full.locate(own.position(), 0.5),
            [None, Some(own)] => found[0] = now.locate(own.position(), 0.5),
            _ => {}
        }
        let off = match found {
            [Some(_), Some(_)] => {
                inside += 1;
                continue;
            }
            [None, None] => continue,
            [Some(at), None] if is_free(at.position(), prisms, radius) => continue,
            [Some(at), None] => to_wall(&now, &at),
            [None, Some(at)] => to_wall(&full, &at),
        };
        if off > worst {
            let one = if found[0].is_some() { "the world" } else { "the bake" };
            eprintln!("{p:?} is on {one} alone, {off} m from its border");
            worst = off;
        }
    }
    (inside, worst)
}

/// Is no prism within a radius, seen from above? By each of its lines.
fn is_free([x, y, z]: [f64; 3], prisms: &[Prism], radius: f64) -> bool {
    prisms.iter().filter(|(_, [low, high])| *low - 2.5 < y && y < *high).all(|(corners, _)| {
        let ring = hull(corners);
        let lines = || (0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]);
        let side = |[a, b]: [[f64; 2]; 2]| (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]);
        let sides: Vec<f64> = lines().map(side).collect();
        let is_inside = sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0);
        let away = |[a, b]: [[f64; 2]; 2]| {
            let d = [b[0] - a[0], b[1] - a[1]];
            let along = (x - a[0]) * d[0] + (z - a[1]) * d[1];
            let t = (along / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
            (x - a[0] - t * d[0]).hypot(z - a[1] - t * d[1])
        };
        !is_inside && lines().all(|line| away(line) >= radius)
    })
}

fn to_wall(query: &NavQuery<'_>, at: &navbake_search::NavPoint) -> f64 {
    let mut scratch = navbake_search::Scratch::new();
    query.wall_distance(at, 1.0, &mut scratch).distance
}

#[test]
fn ground_is_that_of_a_bake_with_the_obstacles_as_geometry() {
    let plain = std::fs::read_to_string(fixture("courtyard").join("courtyard.obj")).expect("obj");
    let config = config("");
    let prisms = prisms();
    let world = world(baked(&plain, &config), &prisms);
    let full = baked(&with_geometry(&plain, &prisms), &config);
    check_area(&world, &full, 15.0);
    let along = |n: u32| (0..n).map(|i| f64::from(i) / 15.0);
    let places = [0.0, 4.0]
        .into_iter()
        .flat_map(|y| along(600).flat_map(move |x| along(450).map(move |z| [x, y, z])));
    let (inside, worst) = compare([world.nav_mesh(), full.mesh()], &prisms, places);
    assert!(inside > 200_000, "{inside}");
    assert!(worst <= 0.05, "a border {worst} m off");
}

#[test]
fn ground_between_an_obstacle_and_a_wall_at_an_acute_angle_is_kept_to_its_tip() {
    let plain = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    let config = config("min_region = 0.0");
    let nav = baked(plain, &config);
    for degrees in [1.0f64, 2.0, 5.0, 10.0, 18.0, 30.0, 60.0] {
        let turned = [degrees.to_radians().cos(), degrees.to_radians().sin()];
        // The ground that each takes crosses the border of the ground, or that of the other.
        let wall = |z: f64, way: f64| {
            let end = |t: f64| [10.0 + t * turned[0], z + way * t * turned[1]];
            (vec![end(-4.0), end(4.0)], [-0.2, 2.5])
        };
        for prisms in [vec![wall(0.81, 1.0)], vec![wall(10.0, 1.0), wall(10.81, -1.0)]] {
            let full = baked(&with_geometry(plain, &prisms), &config);
            let world = world(nav.clone(), &prisms);
            let along = || (0..500).map(|i| f64::from(i) / 25.0);
            let places = along().flat_map(|x| along().map(move |z| [x, 0.0, z]));
            let (inside, worst) = compare([world.nav_mesh(), full.mesh()], &prisms, places);
            assert!(inside > 200_000, "{degrees}: {inside}");
            assert!(worst <= 0.05, "{degrees}: a border {worst} m off");
        }
    }
}

/// The same on a level of 10,000 polygons and more, which a script makes.
fn large_level_keeps_it(test: &str, script: &[&str]) {
    let Some(data) = data_in(test, "meshes") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("level.obj");
    let part = |part: &str| match part {
        "OUT" => file.clone(),
        _ if part.ends_with(".obj") => data.join(part),
        _ if part.ends_with(".py") => data.join("../../tools").join(part),
        _ => Path::new(part).into(),
    };
    let made = Command::new("python3").args(script.iter().map(|p| part(p))).output();
    if !made.is_ok_and(|made| made.status.success()) {
        eprintln!("{test}: skipped, {} made no level", script[0]);
        return;
    }
    let plain = std::fs::read_to_string(&file).expect("obj");
    let config = config(
        "min_region = 0.0\n[[agent]]\nradius = 0.6\nheight = 2.0\nclimb = 0.9\nslope = 45.0\n",
    );
    let nav = baked(&plain, &config);
    let prisms = scattered(&nav);
    let full = baked(&with_geometry(&plain, &prisms), &config);
    let world = world(nav, &prisms);
    check_area(&world, &full, 200.0);
    let along = || (-30..=30).map(|i| 0.083 * f64::from(i));
    let places = prisms.iter().flat_map(|(corners, [low, _])| {
        let [x, z] = corners[0];
        along().flat_map(move |dx| along().map(move |dz| [x + dx, low + 0.2, z + dz]))
    });
    let (inside, worst) = compare([world.nav_mesh(), full.mesh()], &prisms, places);
    assert!(inside > 200_000, "{inside}");
    assert!(worst <= 0.05, "a border {worst} m off");
}

#[test]
fn ground_of_64_dungeons_is_that_of_a_bake_with_200_obstacles_as_geometry() {
    let script = ["replicate_obj.py", "recast_dungeon.obj", "OUT", "8", "2"];
    large_level_keeps_it("ground_of_64_dungeons", &script);
}

#[test]
fn ground_of_an_arena_is_that_of_a_bake_with_200_obstacles_as_geometry() {
    large_level_keeps_it("ground_of_an_arena", &["arena_obj.py", "OUT", "512", "6000", "100"]);
}
