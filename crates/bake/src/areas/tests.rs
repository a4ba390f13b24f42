//! Areas of ground, on fixtures and on small scenes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_geom::orient;
use navbake_level::{Area, Given, Level, LinkKind, Part, Role, Scene, Source, Switch, Tag};

use crate::config::{Config, Terrain};
use crate::input::BakeInput;

fn fixture(name: &str) -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"));
    root.join(name)
}

fn level(job: &BakeInput) -> &Level {
    &job.level
}

/// The areas of a job's ground at a place, in metres.
fn areas_at(job: &BakeInput, x: f64, z: f64) -> Vec<&Area> {
    let level = level(job);
    let p = level.grid.snap_point([x, level.grid.origin[1], z]).expect("on the grid");
    let holds = |q: [navbake_geom::Point3; 3]| {
        (0..3).all(|k| orient(q[k].flat(), q[(k + 1) % 3].flat(), p.flat()) > 0)
    };
    let ground = |t: &&navbake_level::Triangle| t.up > 0 && holds(level.corners(t));
    let found = level.triangles.iter().filter(ground);
    found.map(|t| &level.areas[usize::from(t.area)]).collect()
}

#[test]
fn the_battlefield_is_the_same_as_digits_as_a_picture_and_as_polygons() {
    let pictured = Config::load(&fixture("battlefield/bake.toml")).unwrap();
    let mut digits_only = pictured.clone();
    digits_only.terrain = Terrain { names: pictured.terrain.names.clone(), ..Terrain::default() };
    let mut drawn = digits_only.clone();
    drawn.surface = crate::config::Surface::Floor;
    drawn.rules = (pictured.terrain.names.iter())
        .map(|name| crate::config::Rule {
            material: Some(name.clone()),
            area: Some(name.clone()),
            ..Default::default()
        })
        .collect();
    let digits = BakeInput::open(&fixture("battlefield/battlefield.txt"), &digits_only).unwrap();
    let picture = BakeInput::open(&fixture("battlefield/blank.txt"), &pictured).unwrap();
    let polygons = BakeInput::open(&fixture("battlefield/battlefield.obj"), &drawn).unwrap();
    assert_eq!(digits.level.areas, picture.level.areas);
    assert_eq!(digits.level.areas, polygons.level.areas);
    assert_eq!(digits.level.areas.len(), 11);
    assert!(picture.files()[1].ends_with("battlefield.png"));
    assert!(polygons.warnings().is_empty(), "{:?}", polygons.warnings());

    let cells = |job: &BakeInput| -> Vec<Option<u8>> {
        let Some(crate::map_input::MapCells { map, areas, .. }) = &job.map else {
            panic!("a grid map");
        };
        (map.free.iter().zip(areas)).map(|(free, area)| free.then_some(*area)).collect()
    };
    let map = cells(&digits);
    assert_eq!(map, cells(&picture));
    assert!(map.contains(&None));
    // As many square units of each area, and the right ones in the middle of each triangle.
    let mut sizes: BTreeMap<u8, i64> = BTreeMap::new();
    let drawn = level(&polygons);
    for t in &drawn.triangles {
        let corners = drawn.corners(t);
        let [a, b, c] = corners.map(|p| p.flat());
        *sizes.entry(t.area).or_default() += orient(a, b, c);
        let middle: [f64; 2] = [0, 2].map(|k| {
            let sum: f64 = corners.iter().map(|&p| drawn.grid.metres(p)[k]).sum();
            (sum / 3.0 / 10.0).floor()
        });
        let cell = middle[1] as usize * 64 + middle[0] as usize;
        assert_eq!(map[cell], Some(t.area), "{middle:?}");
    }
    let unit = drawn.grid.length(10.0);
    let doubled = 2 * i64::from(unit) * i64::from(unit);
    for area in 1..=10 {
        let count = map.iter().filter(|&&c| c == Some(area)).count() as i64;
        assert!(count > 0, "area {area} is on the map");
        assert_eq!(sizes.get(&area), Some(&(count * doubled)), "area {area}");
    }
}

/// The published table: a row a unit, with 100 where the unit cannot go.
const TABLE: [(&str, [f64; 10]); 7] = [
    ("Light Infantry", [3.0, 1.5, 1.2, 1.8, 1.5, 3.0, 1.0, 1.0, 1.5, 100.0]),
    ("Heavy Infantry", [100.0, 2.0, 1.3, 2.0, 2.0, 100.0, 1.0, 1.0, 100.0, 100.0]),
    ("Jeep", [100.0, 1.5, 1.1, 1.2, 1.5, 100.0, 1.0, 1.0, 100.0, 100.0]),
    ("APC", [100.0, 1.8, 1.1, 1.2, 100.0, 100.0, 1.0, 100.0, 100.0, 100.0]),
    ("Tank", [100.0, 2.0, 1.0, 1.1, 1.3, 100.0, 1.0, 100.0, 100.0, 100.0]),
    ("Mobile Base", [100.0, 100.0, 1.2, 1.2, 100.0, 100.0, 1.0, 100.0, 100.0, 100.0]),
    ("Hovercraft", [100.0, 100.0, 1.3, 1.3, 100.0, 100.0, 1.0, 100.0, 1.2, 1.1]),
];

#[test]
fn the_table_of_seven_units_and_ten_terrains_is_read_to_the_last_number() {
    let config = Config::load(&fixture("battlefield/bake.toml")).unwrap();
    let job = BakeInput::open(&fixture("battlefield/blank.txt"), &config).unwrap();
    let rows: Vec<_> = job.weights().rows.iter().filter(|r| r.name.is_empty()).collect();
    assert_eq!(rows.len(), TABLE.len());
    for (number, (row, (unit, numbers))) in rows.iter().zip(TABLE).enumerate() {
        assert_eq!(job.config().agents[number].name, unit);
        assert_eq!(usize::from(row.agent), number);
        assert_eq!(row.by_area[0], Some(1.0), "plain ground");
        let blocked = |w: f64| (w < 100.0).then_some(w);
        assert_eq!(row.by_area[1..], numbers.map(blocked), "{unit}");
    }
    // One task, which leaves the weights that it does not set as they are.
    let tasks: Vec<_> = job.weights().rows.iter().filter(|r| !r.name.is_empty()).collect();
    let [stealth] = tasks[..] else { panic!("{tasks:?}") };
    assert_eq!((stealth.name.as_str(), stealth.agent), ("stealth", 0));
    assert_eq!(stealth.by_area[7], Some(6.0), "Roadway");
    assert_eq!(stealth.by_area[10], None, "Water");
    // All seven are of one class: nothing about them differs but their weights.
    assert_eq!(navbake_level::classes(&job.config.agent_list()).0.len(), 1);
}

#[test]
fn the_crossing_has_what_its_file_and_its_config_say() {
    let config = Config::load(&fixture("crossing/bake.toml")).unwrap();
    let job = BakeInput::open(&fixture("crossing/crossing.glb"), &config).unwrap();
    let codes: Vec<&str> = job.warnings().iter().map(|w| w.code).collect();
    assert!(codes.is_empty(), "{codes:?}");
    let area =
        |name: &str, switch, tags| Area { name: name.into(), switch, tags, ..Area::default() };
    let areas = [
        area("ground", None, 0),
        area("water", None, 0),
        area("planks", None, 0),
        area("yard", None, 0),
        area("planks", None, 1),
        area("planks", Some(0), 1),
    ];
    assert_eq!(job.level.areas, areas);
    for (x, z, expected) in [
        (4.0, 4.1, 0),
        (5.0, 9.3, 1),
        (20.0, 11.9, 1),
        (12.0, 9.9, 4),
        (12.0, 10.1, 5),
        (15.1, 14.0, 3),
        (15.1, 13.0, 0),
        (15.2, 19.3, 0),
        (16.4, 18.5, 3),
    ] {
        let found = areas_at(&job, x, z);
        assert_eq!(found, [&areas[expected]], "({x}, {z})");
    }
    // On top of the tower the yard is far below.
    let tower = areas_at(&job, 20.1, 16.2);
    assert!(tower.contains(&&areas[0]) && tower.contains(&&areas[3]), "{tower:?}");

    let switch = |name: &str, closed| Switch { name: name.into(), closed };
    assert_eq!(job.level.switches, [switch("gate", false), switch("rope", true)]);
    let links: Vec<_> = job
        .level
        .links
        .iter()
        .map(|l| (l.name.as_str(), l.from, l.to, l.kind, l.cost, l.switch))
        .collect();
    let (foot, top) = ([16.0, 0.0, 16.0], [18.0, 4.0, 16.0]);
    let (edge, landing) = ([22.0, 4.0, 14.0], [22.0, 0.0, 12.5]);
    let (here, there) = ([2.0, 0.0, 7.5], [2.0, 0.0, 12.5]);
    let drop = (16.0f64 + 2.25).sqrt();
    assert_eq!(
        links,
        [
            ("ferry", here, there, LinkKind::Ride, 5.0, None),
            ("ferry", there, here, LinkKind::Ride, 5.0, None),
            ("ladder", foot, top, LinkKind::Climb, 12.0, Some(1)),
            ("ladder", top, foot, LinkKind::Climb, 12.0, Some(1)),
            ("leap", edge, landing, LinkKind::Drop, drop, None),
        ]
    );
    assert_eq!(job.level.links[0].agents, 1);
    assert_eq!(job.level.links[2].agents, u32::MAX);
    // Ends of links are no markers; where the leap lands is a place by itself.
    let markers: Vec<&str> = job.level.markers.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(markers, ["camp", "landing", "lookout"]);
}

/// A floor of three strips of 2 x 6 m with names `a`, `b`, `c`, and a wall between.
fn strips(given: &[(&str, Given)]) -> Scene {
    let mut scene = Scene::default();
    for (i, name) in ["a", "b", "c", "wall"].into_iter().enumerate() {
        let own = given.iter().find(|(n, _)| *n == name);
        scene.parts.push(Part {
            node: format!("root/{name}"),
            given: own.map_or_else(Given::default, |(_, given)| given.clone()),
            ..Part::default()
        });
        let (first, x) = (scene.vertices.len() as u32, 2.0 * i as f64);
        let corners = match name {
            "wall" => [[2.0, 0.0, 0.0], [2.0, 0.0, 6.0], [2.0, 3.0, 6.0], [2.0, 3.0, 0.0]],
            _ => [[x, 0.0, 0.0], [x, 0.0, 6.0], [x + 2.0, 0.0, 6.0], [x + 2.0, 0.0, 0.0]],
        };
        scene.vertices.extend(corners);
        for t in [[0, 1, 2], [0, 2, 3]] {
            scene.triangles.push(t.map(|k| first + k));
            scene.triangle_parts.push(i as u32);
        }
    }
    scene
}

fn job(scene: Scene, text: &str) -> BakeInput {
    let config = Config::parse(text).unwrap();
    BakeInput::new(Source::Scene(scene), &config).unwrap()
}

const NAMES: &str =
    "[[area]]\nname = \"mud\"\n[[area]]\nname = \"gate\"\nswitch = \"own\"\ntags = [1]\n";

#[test]
fn the_last_that_tells_a_key_decides_it_and_tags_add_up() {
    let given = Given { area: Some("mud".into()), tags: vec![Tag::Bit(0)], ..Given::default() };
    let rules = "[[rule]]\nnode = \"*\"\ntags = [4]\n[[rule]]\nnode = \"b\"\narea = \"mud\"\n[[rule]]\nnode = \"b\"\narea = \"gate\"\n";
    let volumes = "[[volume]]\nbox = [[-1, -1, 0], [7, 1, 3]]\nswitch = \"other\"\n[[volume]]\nbox = [[-1, -1, 2], [7, 1, 4]]\narea = \"ground\"\n";
    let job = job(strips(&[("a", given)]), &format!("{NAMES}{rules}{volumes}"));
    let said = |x: f64, z: f64| {
        let found = areas_at(&job, x, z);
        let [area] = found[..] else { panic!("{found:?}") };
        let switch = area.switch.map(|s| job.level.switches[usize::from(s)].name.as_str());
        (area.name.as_str(), switch, area.tags)
    };
    assert_eq!(said(1.1, 5.0), ("mud", None, 0b1_0001));
    assert_eq!(said(1.1, 1.0), ("mud", Some("other"), 0b1_0001));
    assert_eq!(said(1.1, 2.5), ("ground", Some("other"), 0b1_0001));
    assert_eq!(said(1.1, 3.5), ("ground", None, 0b1_0001));
    // An area's own switch yields to another; its tags come on top.
    assert_eq!(said(3.1, 5.0), ("gate", Some("own"), 0b1_0010));
    assert_eq!(said(3.1, 1.0), ("gate", Some("other"), 0b1_0010));
    assert_eq!(said(3.1, 3.5), ("ground", None, 0b1_0000));
    assert_eq!(said(5.1, 5.0), ("ground", None, 0b1_0000));
    // Walls are of the first area: no agent stands on them.
    let level = level(&job);
    let walls = level.triangles.iter().filter(|t| t.up == 0);
    assert!(walls.clone().count() > 0);
    assert!(walls.clone().all(|t| t.area == 0));
    // Names of the config come first, in its order.
    let first: Vec<&str> = job.level.areas[..3].iter().map(|a| a.name.as_str()).collect();
    assert_eq!(first, ["ground", "mud", "gate"]);
}

#[test]
fn a_level_that_says_nothing_has_one_area() {
    let plain = job(strips(&[]), "");
    assert_eq!(plain.level.areas, [Area::default()]);
    assert!(plain.level.switches.is_empty() && plain.level.links.is_empty());
    assert!(plain.weights().rows.is_empty());
    // Names alone change no triangle.
    let named = job(strips(&[]), NAMES);
    assert_eq!(level(&plain).triangles, level(&named).triangles);
    assert_eq!(named.level.areas.len(), 3);
}

#[test]
fn names_that_the_config_does_not_have_are_taken_with_a_warning() {
    let given = |area: &str, switch: Option<&str>| Given {
        area: Some(area.into()),
        switch: switch.map(String::from),
        ..Given::default()
    };
    let scene = strips(&[("a", given("mdu", Some("lever"))), ("b", given("ice", None))]);
    let config = format!("{NAMES}[[switch]]\nname = \"own\"\n");
    let job_input = job(scene.clone(), &config);
    let names: Vec<&str> = job_input.level.areas.iter().map(|a| a.name.as_str()).collect();
    // The variant with a switch comes after the names.
    assert_eq!(names, ["ground", "mud", "gate", "ice", "mdu", "mdu"]);
    let codes: Vec<&str> = job_input.warnings().iter().map(|w| w.code).collect();
    assert_eq!(codes, ["unknown-area", "unknown-area", "unknown-switch"]);
    assert!(job_input.warnings()[1].message.contains("did you mean `mud`?"));
    // A config without names takes the level's as they are.
    let silent = job(scene, "");
    assert!(silent.warnings().is_empty());
    assert_eq!(silent.level.switches.len(), 1);
}

#[test]
fn a_volume_without_ground_and_a_rule_without_parts_are_warned_of() {
    let text = format!(
        "{NAMES}[[rule]]\nnode = \"nowhere\"\narea = \"mud\"\n[[volume]]\nname = \"sky\"\nbox = [[0, 5, 0], [6, 9, 6]]\narea = \"mud\"\n"
    );
    let job = job(strips(&[]), &text);
    let codes: Vec<(&str, String)> =
        (job.warnings().iter()).map(|w| (w.code, w.place.to_string())).collect();
    assert_eq!(
        codes,
        [
            ("rule-matches-nothing", "[[rule]] 1".into()),
            ("volume-holds-no-ground", "[[volume]] 1".into())
        ]
    );
    assert!(job.warnings()[1].message.contains("`sky`"));
}

#[test]
fn more_kinds_of_ground_than_can_be_distinguished_are_refused() {
    let mut text = String::new();
    for bit in 0..32 {
        let x = f64::from(bit) * 0.18;
        for (z, switch) in [(0.0, ""), (3.0, "switch = \"s\"\n")] {
            text += &format!(
                "[[volume]]\nbox = [[{x}, -1, {z}], [{}, 1, {}]]\ntags = [{bit}]\n{switch}",
                x + 0.18,
                z + 3.0
            );
        }
    }
    let config = Config::parse(&text).unwrap();
    let error = BakeInput::new(Source::Scene(strips(&[])), &config).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("at most 64"), "{error}");
}

#[test]
fn what_a_level_says_wrongly_is_bad_input() {
    let tagged = Given { tags: vec![Tag::Name("wod".into())], ..Given::default() };
    let config = Config::parse("tags = [\"wood\"]").unwrap();
    let error = BakeInput::new(Source::Scene(strips(&[("a", tagged)])), &config).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(text.contains("no tag `wod`; did you mean `wood`?"), "{text}");
}

#[test]
fn a_level_decides_roles_where_no_rule_does() {
    let given = Given { role: Some(Role::Ignored), ..Given::default() };
    let one = job(strips(&[("a", given)]), "");
    assert!(areas_at(&one, 1.1, 5.0).is_empty());
    assert_eq!(areas_at(&one, 3.1, 5.0).len(), 1);
}
