//! Height maps, maps of ROS, and route graphs for Nav2.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use serde_json::Value;

use crate::common::Place;

const SIDE: usize = 48;
const SPACING: f64 = 1.25;
const LOW: f64 = -10.0;
const HIGH: f64 = 30.0;

/// Hills with steep and flat parts, as samples of 16 bits row by row.
fn hills() -> Vec<u16> {
    let height = |x: f64, z: f64| {
        let hill = (x * 0.21).sin() * (z * 0.17).cos() * 9.0 + (x * 0.7).sin() * (z * 0.9).sin();
        if (x * 0.1).sin() > 0.3 { (hill / 4.0).floor() * 4.0 } else { hill }
    };
    let value = |at: usize| {
        let height = height((at % SIDE) as f64, (at / SIDE) as f64);
        ((height - LOW) / (HIGH - LOW) * 65_535.0) as u16
    };
    (0..SIDE * SIDE).map(value).collect()
}

/// The same ground as an OBJ: the triangles that the guide describes.
fn as_obj(values: &[u16]) -> String {
    let mut text = String::from("o hills\n");
    for (at, value) in values.iter().enumerate() {
        let [x, z] = [at % SIDE, at / SIDE].map(|k| k as f64 * SPACING);
        let y = LOW + f64::from(*value) * ((HIGH - LOW) / 65_535.0);
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for row in 0..SIDE - 1 {
        for column in 0..SIDE - 1 {
            let a = row * SIDE + column + 1;
            let b = a + SIDE;
            writeln!(text, "f {a} {b} {}\nf {a} {} {}", b + 1, b + 1, a + 1).unwrap();
        }
    }
    text
}

fn bytes(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

const HEIGHTS: [&str; 4] = ["--heights", "-10,30", "--spacing", "1.25"];

#[test]
fn a_height_map_is_the_ground_of_the_same_triangles_as_obj() {
    let place = Place::new();
    let values = hills();
    fs::write(place.path("hills.r16"), bytes(&values)).unwrap();
    place.write("hills.obj", &as_obj(&values));
    let bake = |line: &[&str]| {
        let ran = place.run(&[&["bake"], line].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    bake(&[&["hills.r16", "-o", "map.nav"], &HEIGHTS[..]].concat());
    bake(&["hills.obj", "-o", "obj.nav"]);
    // In a world it keeps all triangles.
    place.write("world.toml", "[[place]]\nfile = \"hills.r16\"\n");
    bake(&[&["world.toml", "-o", "world.nav"], &HEIGHTS[..]].concat());
    let export = |blob| place.run(&["export", blob, "--to", "obj"]).out;
    let ground = export("world.nav");
    assert!(ground.lines().filter(|line| line.starts_with("f ")).count() > 100);
    assert_eq!(ground, export("obj.nav"));
    let found = |blob| {
        let checked = place.run(&["check", blob, "--format", "json"]).json();
        checked["findings"].as_array().map(Vec::len)
    };
    let area = |blob| {
        let info = place.run(&["info", blob, "--format", "json"]).json();
        info["classes"][0]["area_m2"].as_f64().unwrap()
    };
    assert_eq!(found("map.nav"), found("obj.nav"));
    let [own, wanted] = [area("map.nav"), area("obj.nav")];
    assert!((own / wanted - 1.0).abs() < 1e-4, "{own} {wanted}");
    // The verbs that read levels take it as well.
    let why = place.run(&[&["explain", "hills.r16", "--at", "-5,0,0"], &HEIGHTS[..]].concat());
    assert_eq!(why.code, 0, "{}", why.err);
}

#[test]
fn worlds_place_height_maps() {
    let place = Place::new();
    fs::write(place.path("hills.r16"), bytes(&hills())).unwrap();
    place.write(
        "world.toml",
        "[[place]]\nfile = \"hills.r16\"\n[[place]]\nfile = \"hills.r16\"\ntranslate = [58.75, 0, 0]\n",
    );
    let lone = place.run(&[&["bake", "hills.r16", "--format", "json"], &HEIGHTS[..]].concat());
    let both = place.run(&[&["bake", "world.toml", "--format", "json"], &HEIGHTS[..]].concat());
    let area = |ran: &crate::common::Ran| ran.json()["area_m2"].as_f64().unwrap();
    assert!(area(&both) > 1.9 * area(&lone), "{} {}", area(&both), area(&lone));
}

#[test]
fn mistakes_in_height_maps_name_file_and_cure() {
    let place = Place::new();
    fs::write(place.path("hills.r16"), bytes(&hills()[1..])).unwrap();
    place.write("order.toml", "[heightmap]\nheights = [9.0, 3.0]\n");
    place.write("bits.toml", "[heightmap]\nheights = [0.0, 3.0]\nbits = 12\n");
    for (line, code, message) in [
        (
            "hills.r16",
            3,
            "navbake: hills.r16, the setting `heightmap.heights`: it is not there, and the file does not say how high its values are; give the heights of the least and the greatest value in metres, `--heights 0,600` or `[heightmap]` with `heights = [0.0, 600.0]` in the config",
        ),
        (
            "hills.r16 --heights 0,9",
            3,
            "navbake: hills.r16, the whole file: its 4606 bytes are no square of samples of 16 bits; give columns and rows: `[heightmap]` with `size = [columns, rows]` (and `bits`) in the config",
        ),
        (
            "hills.r16 --heights 9",
            2,
            "navbake: invalid value '9' for '--heights <LOW,HIGH>': expected two numbers with a comma between them, such as 0,600",
        ),
        (
            "hills.r16 --heights 9,3",
            2,
            "navbake: config: `heightmap.heights` is [9, 3]; give two numbers of metres, the lower one first",
        ),
        (
            "hills.r16 --heights 0,3 --spacing 0",
            2,
            "navbake: config: `heightmap.spacing` is 0 m; it must be a finite number above 0",
        ),
        (
            "hills.r16 --config order.toml",
            2,
            "navbake: order.toml:2: `heightmap.heights` is [9, 3]; give two numbers of metres, the lower one first",
        ),
        (
            "hills.r16 --config bits.toml",
            2,
            "navbake: bits.toml:3: `heightmap.bits` is 12; it must be 8 or 16",
        ),
    ] {
        let words: Vec<&str> = ["bake"].into_iter().chain(line.split(' ')).collect();
        let ran = place.run(&words);
        assert_eq!((ran.code, ran.err.lines().next()), (code, Some(message)), "{line}");
    }
}

/// A room of 6 x 4 m with a wall in its middle, in ROS from (-3, 2) on.
const YAML: &str = "image: room.pgm\nresolution: 0.5\norigin: [-3.0, 2.0, 0.0]\nnegate: 0\n\
    occupied_thresh: 0.65\nfree_thresh: 0.196\n";

fn room(place: &Place) {
    place.write("room.yaml", YAML);
    let mut pgm = String::from("P2 12 8 255\n");
    for cell in 0..96 {
        let (column, row) = (cell % 12, cell / 12);
        pgm += if column == 5 && row < 6 { "0 " } else { "254 " };
    }
    place.write("room.pgm", &pgm);
    place.write(
        "room.toml",
        "[[marker]]\nname = \"dock\"\nposition = [-2.75, 0, -2.25]\n\
         [[marker]]\nname = \"door\"\nposition = [-0.25, 0, -2.25]\n\
         [[marker]]\nname = \"shelf\"\nposition = [2.75, 0, -5.75]\n\
         [[network]]\nname = \"tour\"\nkind = \"waypoints\"\nchains = [[\"dock\", \"door\"]]\n\
         [[network.edge]]\nfrom = \"door\"\nto = \"shelf\"\nfactor = 2.0\none_way = true\n\
         [[network]]\nname = \"leaves\"\nkind = \"quadtree\"\n",
    );
    let ran = place.run(&["bake", "room.yaml", "--config", "room.toml", "-o", "room.nav"]);
    assert_eq!((ran.code, ran.err.contains("warning")), (0, false), "{}", ran.err);
}

#[test]
fn a_map_of_ros_is_searched_where_ros_has_it() {
    let place = Place::new();
    room(&place);
    let info = place.run(&["info", "room.nav", "--format", "json"]).json();
    assert_eq!(info["grid_map"]["corner"], serde_json::json!([-3.0, 0.0, -6.0]));
    let path = |planner: &str| {
        let line = ["query", "path", "room.nav", "--from", "-2.75,0,-5.75", "--to", "shelf"];
        place.run(&[&line[..], &["--planner", planner, "--format", "json"]].concat()).json()
    };
    // Around the wall's lower end, at (0, 3) in ROS.
    let [corridor, cells] = ["optimal", "grid8"].map(path);
    for found in [&corridor, &cells] {
        assert_eq!(found["status"], "reached", "{found}");
        let points = found["points"].as_array().unwrap();
        assert!(points.iter().any(|p| p[2].as_f64().unwrap() >= -3.0), "{found}");
    }
    let why = place.run(&["explain", "room.yaml", "--at", "-0.25,0,-5.75", "--format", "json"]);
    assert!(why.out.contains("column 5 and row 0 is blocked"), "{} {}", why.out, why.err);
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn route_graphs_have_the_shape_that_nav2_loads() {
    let place = Place::new();
    room(&place);
    let export = ["export", "room.nav", "--to", "geojson", "--network"];
    let written =
        place.run(&[&export[..], &["tour", "-o", "tour.geojson", "--format", "json"]].concat());
    assert_eq!(written.json()["geojson"], serde_json::json!({ "nodes": 3, "edges": 3 }));
    let graph: Value =
        serde_json::from_str(&fs::read_to_string(place.path("tour.geojson")).unwrap()).unwrap();
    assert_eq!(graph["type"], "FeatureCollection");
    let features = graph["features"].as_array().unwrap();
    let of = |kind: &str| -> Vec<&Value> {
        features.iter().filter(|f| f["geometry"]["type"] == kind).collect()
    };
    let (nodes, edges) = (of("Point"), of("MultiLineString"));
    assert_eq!((nodes.len(), edges.len(), features.len()), (3, 3, 6));
    let ids: BTreeSet<u64> =
        features.iter().map(|f| f["properties"]["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=6).collect());
    let node = |id: &Value| {
        let own = nodes.iter().find(|n| n["properties"]["id"] == *id).unwrap();
        assert_eq!(own["properties"]["frame"], "map");
        [0, 1].map(|k| number(&own["geometry"]["coordinates"][k]))
    };
    let mut found = vec![];
    for edge in edges {
        let properties = &edge["properties"];
        let ends = [&properties["startid"], &properties["endid"]].map(node);
        let line = edge["geometry"]["coordinates"][0].as_array().unwrap();
        for (end, point) in ends.iter().zip(line) {
            assert_eq!(*end, [0, 1].map(|k| number(&point[k])));
        }
        let length = ((ends[1][0] - ends[0][0]).powi(2) + (ends[1][1] - ends[0][1]).powi(2)).sqrt();
        let (cost, penalty) = (&properties["cost"], &properties["metadata"]["penalty"]);
        assert!((number(cost) - length - number(penalty)).abs() < 1e-9, "{edge}");
        found.push((ends, number(cost) / length));
    }
    // In the axes of ROS: y is -z.
    let (dock, door, shelf) = ([-2.75, 2.25], [-0.25, 2.25], [2.75, 5.75]);
    for (ends, factor) in [([dock, door], 1.0), ([door, dock], 1.0), ([door, shelf], 2.0)] {
        let near = |a: [f64; 2], b: [f64; 2]| (0..2).all(|k| (a[k] - b[k]).abs() < 0.001);
        let same = |f: &&([[f64; 2]; 2], f64)| near(f.0[0], ends[0]) && near(f.0[1], ends[1]);
        let edge = found.iter().find(same).unwrap_or_else(|| panic!("{ends:?} {found:?}"));
        assert!((edge.1 - factor).abs() < 1e-3, "{edge:?}");
    }
    // The leaves of the map are where the map is.
    let leaves = place.run(&[&export[..], &["leaves"]].concat());
    let graph: Value = serde_json::from_str(&leaves.out).unwrap();
    let points = graph["features"].as_array().unwrap().iter();
    let points = points.filter(|f| f["geometry"]["type"] == "Point");
    let all: Vec<[f64; 2]> =
        points.map(|f| [0, 1].map(|k| number(&f["geometry"]["coordinates"][k]))).collect();
    let inside = |p: &[f64; 2]| (-3.0..=3.0).contains(&p[0]) && (2.0..=6.0).contains(&p[1]);
    assert!(all.len() > 4 && all.iter().all(inside), "{all:?}");
}

#[test]
fn graphs_that_nav2_would_refuse_are_refused() {
    let place = Place::new();
    let blob = place.map();
    let ran = place.run(&["export", blob, "--to", "geojson"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("bake with a [[network]] in the config"), "{}", ran.err);
    let ran = place.run(&["export", blob, "--to", "geojson", "--coords", "input"]);
    let expected = "navbake: Nav2's files are metres with z up; leave --coords input out, or export another format\n";
    assert_eq!((ran.code, &*ran.err), (2, expected));
    let ran = place.run(&["export", blob, "--to", "obj", "--network", "tour"]);
    let expected = "navbake: --network only applies to --to network and --to geojson\n";
    assert_eq!((ran.code, &*ran.err), (2, expected));
}
