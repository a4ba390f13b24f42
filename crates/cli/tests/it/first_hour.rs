//! What the first hour promises beyond messages: markers as points, rooms without a config, pages
//! that others cannot read, numbers for people.

use crate::common::{FLOOR, MAP, Place};

const MARKERS: &str = "\
[[marker]]
name = \"spawn_red\"
position = [-9, 0, 0]
[[marker]]
name = \"flag_blue\"
position = [9, 0, 2]
";

fn marked() -> Place {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("markers.toml", MARKERS);
    let ran = place.run(&["bake", "floor.obj", "--config", "markers.toml", "-o", "floor.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    place
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn the_name_of_a_marker_is_a_point_wherever_a_point_is() {
    let place = marked();
    for (by_name, by_point) in [
        (
            "query path floor.nav --from spawn_red --to flag_blue",
            "query path floor.nav --from -9,0,0 --to 9,0,2",
        ),
        ("query nearest floor.nav --at spawn_red", "query nearest floor.nav --at -9,0,0"),
        (
            "query raycast floor.nav --from spawn_red --to flag_blue",
            "query raycast floor.nav --from -9,0,0 --to 9,0,2",
        ),
        (
            "query move floor.nav --from spawn_red --to flag_blue",
            "query move floor.nav --from -9,0,0 --to 9,0,2",
        ),
        (
            "query reachable floor.nav --from spawn_red --to flag_blue",
            "query reachable floor.nav --from -9,0,0 --to 9,0,2",
        ),
        ("query distance floor.nav --at spawn_red", "query distance floor.nav --at -9,0,0"),
        ("query fits floor.nav --at spawn_red", "query fits floor.nav --at -9,0,0"),
        (
            "query random floor.nav --near spawn_red --within 3",
            "query random floor.nav --near -9,0,0 --within 3",
        ),
        ("explain floor.nav --at spawn_red", "explain floor.nav --at -9,0,0"),
        ("explain floor.obj --config markers.toml --at spawn_red", "explain floor.obj --at -9,0,0"),
    ] {
        let [by_name, by_point] = [by_name, by_point].map(|line| place.run(&words(line)));
        assert_eq!((by_name.code, by_name.out), (0, by_point.out), "{}", by_name.err);
    }
    let unknown = place.run(&words("query nearest floor.nav --at spawn_rad"));
    assert!(unknown.failed_with(2).contains("did you mean `spawn_red`?"), "{}", unknown.err);
    // Units of the file: the marker's position is in them as well.
    let ran = place.run(&words("query nearest floor.nav --at spawn_red --coords input"));
    assert!(ran.out.starts_with("-9,0,0: 0.000 away"), "{}", ran.out);
}

#[test]
fn obj_levels_and_grid_maps_have_the_markers_of_the_config() {
    let place = marked();
    let info = place.run(&words("info floor.nav --format json")).json();
    assert_eq!(info["markers"][1]["name"], "spawn_red", "{info}");
    place.write("small.map", MAP);
    place.write("map.toml", "[[marker]]\nname = \"goal\"\nposition = [5.5, 0, 1.5]\n");
    let ran = place.run(&words("bake small.map --config map.toml -o map.nav"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.run(&words("query path map.nav --from 1.5,0,1.5 --to goal --planner grid8"));
    assert!(ran.out.starts_with("reached"), "{}{}", ran.out, ran.err);
    place.write("bad.toml", "[[marker]]\nname = \"goal\"\nposition = [1, 2]\n");
    let ran = place.run(&words("bake floor.obj --config bad.toml -o x.nav"));
    assert!(ran.failed_with(2).contains("`marker[0].position`"), "{}", ran.err);
}

#[test]
fn rooms_are_found_without_a_config() {
    let place = Place::new();
    place.write("small.map", MAP);
    place.write("rooms.toml", "[rooms]\nenabled = true\n");
    let own = place.run(&words("bake small.map -o own.nav --rooms --format json")).json();
    let by_config = "bake small.map -o config.nav --config rooms.toml --format json";
    let by_config = place.run(&words(by_config)).json();
    assert_eq!((&own["rooms"], &own["doors"]), (&3.into(), &1.into()), "{own}");
    assert_eq!(own["hash"], by_config["hash"]);
}

#[test]
fn tags_of_a_gltf_level_without_a_config_are_a_warning() {
    let place = Place::new();
    let positions: Vec<u8> = [[0f32, 0., 0.], [0., 0., 9.], [9., 0., 9.], [9., 0., 0.]]
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .chain([0u8, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0])
        .collect();
    std::fs::write(place.path("floor.bin"), positions).unwrap();
    place.write(
        "floor.gltf",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"name":"floor","mesh":0,"extras":{"navbake_tags":"wood"}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"uri":"floor.bin","byteLength":60}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[9,0,9]},
{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}]}"#,
    );
    let ran = place.run(&words("bake floor.gltf -o floor.nav"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("`wood`") && ran.err.contains("[tags-without-bits]"), "{}", ran.err);
    // A config that lists tags has all of them.
    place.write("tags.toml", "tags = [\"trap\"]\n");
    let ran = place.run(&words("bake floor.gltf -o floor.nav --config tags.toml"));
    assert!(ran.failed_with(3).contains("no tag `wood`"), "{}", ran.err);
    place.write("tags.toml", "tags = [\"wood\"]\n");
    let ran = place.run(&words("bake floor.gltf -o floor.nav --config tags.toml"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_page_without_a_name_is_in_a_private_folder_of_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let place = marked();
    let pages = [0; 2].map(|_| {
        let ran = place.run(&words("view floor.nav --no-open"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        std::path::PathBuf::from(ran.out.trim_end())
    });
    assert_ne!(pages[0], pages[1]);
    for page in pages {
        assert!(page.ends_with("floor.html") && page.is_file(), "{}", page.display());
        let folder = page.parent().unwrap();
        let mode = std::fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn text_is_rounded_and_counts_have_their_plural_and_a_bake_says_how_to_look() {
    let place = marked();
    let line = "bake floor.obj -o again/floor.nav --config markers.toml --radius 0.4";
    let ran = place.run(&words(line));
    assert_eq!(ran.out.lines().last(), Some("look at it: navbake view again/floor.nav"));
    assert!(!ran.out.contains(" 1 islands") && !ran.out.contains(" 1 polygons"), "{}", ran.out);
    let path = "query path again/floor.nav --from spawn_red --to flag_blue";
    let text = place.run(&words(path)).out;
    let decimals = |word: &str| word.split_once('.').map_or(0, |(_, digits)| digits.len());
    let numbers = text.lines().skip(1).flat_map(|line| line.trim().split(','));
    assert!(numbers.clone().count() >= 9, "{text}");
    assert!(numbers.clone().all(|number| decimals(number) <= 3), "{text}");
    // JSON keeps all digits: it reads back as the points of the path.
    let json = place.run(&words(&format!("{path} --format json"))).json();
    let exact = json["points"].as_array().unwrap().iter().flat_map(|p| p.as_array().unwrap());
    let exact: Vec<f64> = exact.map(|v| v.as_f64().unwrap()).collect();
    let rounded: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
    assert_eq!(exact.len(), rounded.len());
    assert!(exact.iter().zip(&rounded).all(|(a, b)| (a - b).abs() <= 0.0005 + 1e-9));
    assert_ne!(exact, rounded);
}

#[test]
fn a_task_of_other_agents_names_them() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write(
        "tasks.toml",
        "[[agent]]\nname = \"cart\"\n[[agent]]\nname = \"scout\"\n[[area]]\nname = \"mud\"\n[weights.tasks.stealth]\nscout = { mud = 2.0 }\n",
    );
    let ran = place.run(&words("bake floor.obj --config tasks.toml -o floor.nav"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let path = "query path floor.nav --from -9,0,0 --to 9,0,0 --task stealth --agent";
    let ran = place.run(&words(&format!("{path} cart")));
    let said = ran.failed_with(2);
    assert!(said.contains("task `stealth` has no weights for this agent"), "{said}");
    assert!(said.trim_end().ends_with("--agent: scout"), "{said}");
    assert_eq!(place.run(&words(&format!("{path} scout"))).code, 0);
}

#[test]
fn ground_that_is_closed_is_not_called_missing() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write(
        "mud.toml",
        "[[area]]\nname = \"mud\"\n[[volume]]\nbox = [[-10, -1, -5], [-4, 2, 5]]\narea = \"mud\"\n[weights.units]\ndefault = { mud = \"x\" }\n[check]\non_ground = [\"post\"]\n[[marker]]\nname = \"post\"\nposition = [-8, 0, 0]\n",
    );
    let ran = place.run(&words("bake floor.obj --config mud.toml -o floor.nav"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.run(&words("check floor.nav"));
    let said = "`post` is on ground of the area `mud`, which is forbidden for the agent";
    assert!(ran.out.contains(said), "{}", ran.out);
    let ran = place.run(&words("query path floor.nav --from post --to 9,0,0"));
    assert!(!ran.out.contains("0.000 away"), "{}", ran.out);
}

#[test]
fn levels_on_their_side_or_in_millimetres_are_noticed_and_others_are_not() {
    let place = Place::new();
    // Ten rows of walls 2.5 m high on a floor.
    let level = |unit: f64, z_is_up: bool| {
        let mut text = String::new();
        let mut quad = |corners: [[f64; 3]; 4]| {
            for [x, y, z] in corners.map(|c| c.map(|c| c * unit)) {
                let [y, z] = if z_is_up { [-z, y] } else { [y, z] };
                text.push_str(&format!("v {x} {y} {z}\n"));
            }
            text.push_str("f -4 -3 -2 -1\n");
        };
        for k in 0..10 {
            let x = 2.0 * f64::from(k);
            quad([[x, 0.0, 0.0], [x, 0.0, 14.0], [x + 2.0, 0.0, 14.0], [x + 2.0, 0.0, 0.0]]);
            quad([[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x + 1.0, 2.5, 0.0], [x, 2.5, 0.0]]);
        }
        text
    };
    for (unit, z_is_up, option, said) in [
        (1.0, false, "--up y", None),
        (1.0, true, "--up z", None),
        (1.0, true, "--up y", Some("give --up z [likely-units]")),
        (1.0, false, "--up z", Some("give --up y [likely-units]")),
        (
            1000.0,
            false,
            "--radius 600 --height 2000 --climb 400",
            Some("--scale 0.001 makes that 2.50 m [likely-units]"),
        ),
        (1000.0, false, "--scale 0.001", None),
    ] {
        place.write("hall.obj", &level(unit, z_is_up));
        let line = format!("bake hall.obj {option} -o hall.nav");
        let ran = place.run(&words(&line));
        match said {
            Some(said) => assert!(ran.err.contains(said), "{line}: {}", ran.err),
            None => assert!(!ran.err.contains("likely-units"), "{line}: {}", ran.err),
        }
    }
}

#[test]
fn warnings_say_what_is_so() {
    let place = Place::new();
    place.floor();
    place.write("rooms.toml", "min_region = 0.0\n[rooms]\nenabled = true\n");
    place.write("one.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n");
    let ran = place.run(&words("bake one.obj --config rooms.toml -o one.nav"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "a room without doors has not too many");

    // Two faces without area, and one that has none at the grid's step of a millimetre.
    let fine = "v 1 0 1\nv 1.0001 0 1\nv 1 0 1.0001\nf 5 6 7\nf 1 2 2\nf 3 3 3\n";
    let floor = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
    place.write("fine.obj", &format!("{floor}{fine}"));
    let ran = place.run(&words("bake fine.obj -o fine.nav"));
    let said = "left out 2 triangles without area, and 1 more that have none on the grid";
    assert!(ran.err.contains(said), "{}", ran.err);

    let gltf = r#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": "no.bin", "byteLength": 36}]}"#;
    place.write("no.gltf", gltf);
    let ran = place.run(&words("bake no.gltf -o no.nav"));
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("`no.bin` cannot be read: no such file or folder;"), "{}", ran.err);

    let ran = place.run(&words("bake one.obj --height 1.8 -o one.nav"));
    assert!(ran.err.contains("give a lower climb (--climb)"), "{}", ran.err);

    // Another storey, which only a link leads to.
    place.write("two.map", "type octile\nheight 3\nwidth 7\nmap\n...@...\n...@...\n...@...\n");
    place.write("link.toml", "[[link]]\nfrom = [2.5, 0, 1.5]\nto = [4.5, 0, 1.5]\n");
    place.run(&words("bake two.map --config link.toml -o two.nav"));
    let question = words("query path two.nav --from 0.5,0,0.5 --to 6.5,0,0.5");
    assert!(place.run(&question).out.starts_with("reached"));
    let ran = place.run(&[&question[..], &["--planner", "grid8"]].concat());
    assert!(ran.out.starts_with("reached: 4.828 long, cost 6.828, 4 steps, "), "{}", ran.out);
    assert!(ran.out.contains(", 1 link, optimal\n"), "{}", ran.out);

    let vehicle = "[[vehicle]]\nname = \"truck\"\nturn_radius = 2.0\nfootprint = { disc = 0.4 }\n";
    place.write("truck.toml", vehicle);
    let ran = place.run(&words("bake two.map --config truck.toml -o truck.nav"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let question = words("query path truck.nav --from 0.5,0,0.5 --to 2.5,0,0.5 --agent truck");
    let ran = place.run(&question);
    assert!(ran.failed_with(2).contains("`truck` is a vehicle; ask `query path` with --planner"));
}
