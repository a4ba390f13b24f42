//! Where heights cost something, no polygon's surface is off the ground by more than `slope_error`:
//! bakes against the level's triangles, place by place.

mod ground;
mod true_costs;

use navbake_bake::config::{AgentConfig, Budget, Up};
use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, NavMesh, PolyId};
use navbake_import::ImportOptions;
use navbake_level::Source;
use navbake_testkit::data::data;

use self::ground::Heights;
use crate::scenes::Builder;

/// How far from a step heights are between its two sides, as a share of the agent's radius.
const BESIDE: f64 = 1.0 / 64.0;
/// About as many places of a level are looked at, besides those at borders of polygons.
const PLACES: usize = 2_000_000;

/// The places of a polygon's surface that are looked at: along lines between places of its border,
/// as paths cross it, about `apart` metres from each other. Of the lines, about `most` places,
/// chosen by chance.
fn places(
    mesh: &NavMesh<'_>,
    polygon: PolyId,
    apart: f64,
    most: usize,
    seed: &mut u32,
) -> Vec<[f64; 3]> {
    let polygon = mesh.polygon(polygon);
    let n = polygon.len();
    let corner = |k: u32| {
        let v = mesh.vertex(polygon.vertex(k % n));
        mesh.grid().metres(v.map(f64::from))
    };
    let mix = |a: [f64; 3], b: [f64; 3], t: f64| [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]));
    let long = |a: [f64; 3], b: [f64; 3]| (b[0] - a[0]).hypot(b[2] - a[2]);
    let mut border = vec![];
    for k in 0..n {
        let (a, b) = (corner(k), corner(k + 1));
        let parts = (long(a, b) / apart).ceil().max(2.0);
        border.extend((0..parts as i32).map(|i| mix(a, b, f64::from(i) / parts)));
    }
    let mut places = border.clone();
    // At most some hundred lines.
    let skip = border.len() / 24 + 1;
    let ends: Vec<[f64; 3]> = border.into_iter().step_by(skip).collect();
    let lines =
        || (ends.iter().enumerate()).flat_map(|(i, &a)| ends[i + 1..].iter().map(move |&b| (a, b)));
    let parts = |a, b| (long(a, b) / apart).ceil().clamp(2.0, 32.0);
    let all: f64 = lines().map(|(a, b)| parts(a, b) - 1.0).sum();
    for (a, b) in lines() {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if f64::from(*seed >> 8) / f64::from(1 << 24) * all <= most as f64 {
            let parts = parts(a, b);
            places.extend((1..parts as i32).map(|i| mix(a, b, f64::from(i) / parts)));
        }
    }
    places
}

/// The greatest distance of a baked surface from the ground, where it is, and how many polygons
/// there are.
fn worst(source: &Source, config: &Config) -> (f64, [f64; 3], u32) {
    let Source::Scene(scene) = source else { panic!("no scene") };
    let heights = Heights::new(scene, config);
    let baked =
        bake(source.clone(), config, &Options { threads: 2, ..Options::default() }).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let beside = BESIDE * heights.radius;
    let apart = f64::max(0.2, heights.radius / 3.0);
    let most = PLACES / mesh.polygon_count().max(1) as usize;
    let mut seed = 1;
    let mut worst = (0.0, [0.0; 3]);
    for polygon in mesh.polygons() {
        for place in places(&mesh, polygon.id(), apart, most, &mut seed) {
            let off = heights.off(place, beside);
            if off > worst.0 {
                worst = (off, place);
            }
        }
    }
    (worst.0, worst.1, mesh.polygon_count())
}

/// Ground of squares a metre wide, its heights by column and row.
fn terrain(side: u32, height: impl Fn(u32, u32) -> f64) -> Source {
    let mut level = Builder::new();
    for z in 0..side {
        for x in 0..side {
            let at = |[i, k]: [u32; 2]| [f64::from(x + i), height(x + i, z + k), f64::from(z + k)];
            level = level.quad([[0, 0], [0, 1], [1, 1], [1, 0]].map(at));
        }
    }
    level.source()
}

fn config(text: &str) -> Config {
    Config::parse(text).unwrap()
}

#[test]
fn a_dike_between_two_borders_is_no_flat_ground_for_who_pays_for_heights() {
    // 3.75 m high from one border of the level to the other.
    let dike = terrain(40, |x, _| {
        let off = (f64::from(x) - 20.5).abs();
        (0.25 + 0.5 * (7.5 - off)).clamp(0.0, 3.75)
    });
    for error in [0.25, 0.1, 0.6] {
        let config =
            config(&format!("slope_error = {error}\n[[agent]]\nradius = 0.3\nuphill = 4.0\n"));
        let (off, at, _) = worst(&dike, &config);
        assert!(off <= error, "{off} at {at:?}, allowed are {error}");
    }
}

#[test]
fn hills_are_met_to_within_the_slope_error_at_borders_and_areas_too() {
    let hills = terrain(30, |x, z| {
        let wave = |c: u32, length: f64| (f64::from(c) / length).sin();
        1.5 * wave(x, 2.0) * wave(z, 3.0) + 2.0 * wave(x + 2 * z, 9.0)
    });
    let areas = "[[area]]\nname = \"mud\"\n[[volume]]\nbox = [[4.3, -9, 5.1], [21, 9, 17]]\narea = \"mud\"\n";
    for (radius, areas) in [(0.4, ""), (0.4, areas), (0.0, "")] {
        let config = config(&format!("{areas}[[agent]]\nradius = {radius}\ndownhill = 2.0\n"));
        let (off, at, count) = worst(&hills, &config);
        assert!(off <= config.slope_error, "{radius}{areas}{off} at {at:?}, {count} polygons");
    }
}

#[test]
fn both_sides_of_a_step_have_their_own_heights() {
    let plate = |level: Builder, corners: [[f64; 2]; 4], y: f64| {
        level.quad(corners.map(|[x, z]| [x, y, z]))
    };
    // A plate on the ground at every angle, with sides and without, and a ramp onto another one.
    for turn in 0..6 {
        let (sin, cos) = (f64::from(turn) * 0.26).sin_cos();
        let at = |x: f64, z: f64| [20.0 + x * cos - z * sin, 20.0 + x * sin + z * cos];
        let ground = [[0.0, 0.0], [0.0, 40.0], [40.0, 40.0], [40.0, 0.0]];
        let mut level = plate(Builder::new(), ground, 0.0);
        level = plate(level, [at(-6.0, -4.0), at(-6.0, 5.0), at(3.0, 5.0), at(3.0, -4.0)], 0.8);
        let ramp = [(-6.0, -8.0, 0.8), (-6.0, -5.0, 0.8), (8.0, -5.0, 0.0), (8.0, -8.0, 0.0)];
        level = level.quad(ramp.map(|(x, z, y)| {
            let [x, z] = at(x, z);
            [x, y, z]
        }));
        for radius in [0.3, 0.6] {
            let config = config(&format!("[[agent]]\nradius = {radius}\nuphill = 1.0\n"));
            let (off, place, count) = worst(&level.clone().source(), &config);
            assert!(off <= config.slope_error, "{turn}: {off} at {place:?}");
            assert!(count < 60, "{count} polygons");
        }
    }
}

/// Numbers from 0 to 1.
fn random(seed: u32) -> impl FnMut() -> f64 {
    let mut seed = seed;
    move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / f64::from(1 << 24)
    }
}

/// Thin sheets at all angles over the ground, 0.2 to 0.45 m high, in a square.
fn sheets(seed: u32, count: u32, side: f64) -> Source {
    let mut next = random(seed);
    let ground = [[0.0, 0.0], [0.0, 12.0], [12.0, 12.0], [12.0, 0.0]];
    let mut level = Builder::new().quad(ground.map(|[x, z]| [x, 0.0, z]));
    for _ in 0..count {
        let middle = [0; 2].map(|_| 6.0 + side * (next() - 0.5));
        let (sin, cos) = (6.3 * next()).sin_cos();
        let (long, wide) = (0.2 + next(), 0.2 + next());
        let (low, high) = (0.2 + 0.2 * next(), 0.2 + 0.25 * next());
        let at = |u: f64, v: f64, y: f64| {
            [middle[0] + u * cos - v * sin, y, middle[1] + u * sin + v * cos]
        };
        let ends =
            [(-long, -wide, low), (-long, wide, low), (long, wide, high), (long, -wide, high)];
        level = level.quad(ends.map(|(u, v, y)| at(u, v, y)));
    }
    level.source()
}

#[test]
fn sheets_on_each_other_have_heights_of_their_own_however_many_steps_cross() {
    // The first has more lines along steps than can be laid out. The others have parts of steps
    // between two other sheets, shorter than the radius.
    for (seed, count, side) in [(4, 20, 5.0), (340, 12, 4.0), (122, 25, 5.0)] {
        let config = config("[[agent]]\nradius = 0.3\nuphill = 2.0\n");
        let (off, place, polygons) = worst(&sheets(seed, count, side), &config);
        assert!(off <= config.slope_error, "{seed}: {off} at {place:?}");
        assert!(polygons < 400, "{seed}: {polygons} polygons");
    }
}

#[test]
fn rough_ground_at_any_angle_is_met_to_within_the_slope_error_along_its_border() {
    // A corner of the ground is next to a border that could not be cut there at first.
    let mut next = random(111);
    let (sin, cos) = (6.3 * next()).sin_cos();
    let heights: Vec<f64> = (0..100).map(|_| 1.2 * next()).collect();
    let moved: Vec<[f64; 2]> = (0..100).map(|_| [0.6 * next(), 0.6 * next()]).collect();
    let at = |[i, k]: [usize; 2]| {
        let n = 10 * i + k;
        let [u, v] = [i as f64 + moved[n][0], k as f64 + moved[n][1]];
        [20.0 + u * cos - v * sin, heights[n], 20.0 + u * sin + v * cos]
    };
    let squares = (0..9).flat_map(|z| (0..9).map(move |x| [x, z]));
    let level = squares.fold(Builder::new(), |level, [x, z]| {
        level.quad([[0, 0], [0, 1], [1, 1], [1, 0]].map(|[i, k]| at([x + i, z + k])))
    });
    let config = config("[[agent]]\nradius = 0.3\nuphill = 2.0\n");
    let (off, place, polygons) = worst(&level.source(), &config);
    assert!(off <= config.slope_error, "{off} at {place:?}");
    // 140 with the corners that are not needed any more.
    assert!(polygons < 120, "{polygons} polygons");
}

/// One entry of `tools/levels.toml`.
#[derive(serde::Deserialize)]
struct Entry {
    file: String,
    #[serde(default)]
    config: String,
}

#[derive(serde::Deserialize)]
struct List {
    level: Vec<Entry>,
}

/// Levels that take seconds: terrain, slivers along tile borders, steps, cracks, storeys, stairs,
/// a tread a little more than a climb below a ramp, and one with nothing to pay for.
const QUICK: [&str; 15] = [
    "recast_nav_test.obj",
    "recast_dungeon.obj",
    "recast_undulating.obj",
    "redeclipse_dutility.obj",
    "godot_navigation_level.obj",
    "navcat_bridges.glb",
    "japanese_bridge_garden_decoded.glb",
    "gazebo_willowgarage.obj",
    "gazebo_parking_garage.obj",
    "castle_engine_castle/castle.gltf",
    "navcat_proto_level.glb",
    "tesseract_steelribs.obj",
    "synthetic_tower.obj",
    "godot_zdm2.glb",
    "librequake_e1m1.obj",
];

/// Levels of the data folder for agents that pay 2 m for a metre up: `quick` ones, or those that
/// `NAVBAKE_LEVEL` names.
fn levels(test: &str, quick: &[&str]) -> Vec<(String, Source, Config)> {
    let Some(data) = data(test) else {
        return vec![];
    };
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/levels.toml");
    let list: List = toml::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    let is_wanted = |entry: &Entry| match std::env::var("NAVBAKE_LEVEL") {
        Ok(part) => entry.file.contains(&part),
        Err(_) => quick.contains(&entry.file.as_str()),
    };
    let wanted = list.level.into_iter().filter(is_wanted);
    let level = wanted.map(|entry| {
        let mut config = config(&entry.config);
        config.tables.budget = Budget::None.into();
        if config.agents.is_empty() {
            config.agents.push(AgentConfig::default());
        }
        let up = match config.up {
            Up::Y => navbake_import::Up::Y,
            Up::Z => navbake_import::Up::Z,
        };
        let options = ImportOptions { scale: config.scale, up, ..ImportOptions::default() };
        let path = data.join("meshes").join(&entry.file);
        let source = navbake_import::read(&path, &options).unwrap().source;
        config.agents[0].uphill = 2.0;
        (entry.file, source, config)
    });
    level.collect()
}

/// Prints what the record has. `NAVBAKE_LEVEL` names other levels.
#[test]
fn real_levels_are_met_to_within_the_slope_error() {
    let mut missed = vec![];
    for (file, source, config) in levels("real_levels_are_met_to_within_the_slope_error", &QUICK) {
        let (off, at, count) = worst(&source, &config);
        println!("| {file} | {count} | {off:.3} | {at:.2?} |");
        if off > config.slope_error {
            missed.push(file);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
