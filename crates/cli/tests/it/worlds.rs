//! Verbs on the index of a world in chunks: they answer as on one blob of the same level.

use std::collections::BTreeSet;
use std::fs;

use navbake_format::{Blob, Chunk, crc32c};
use navbake_testkit::Random;
use serde_json::Value;

use crate::common::Place;

/// A yard of 90 m with a block, a hill whose ground is not plane, and an islet that only a link
/// from another chunk leads to.
fn level() -> String {
    let mut text = String::from(
        "o yard\nv 0 0 0\nv 0 0 90\nv 90 0 90\nv 90 0 0\nf 1 2 3 4\n\
         o islet\nv 120 0 40\nv 120 0 50\nv 130 0 50\nv 130 0 40\nf 5 6 7 8\n\
         o block\nv 10 0 10\nv 10 0 14\nv 14 0 14\nv 14 0 10\nv 10 3 10\nv 10 3 14\nv 14 3 14\n\
         v 14 3 10\nf 9 12 11 10\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\n\
         f 12 9 13 16\no hill\n",
    );
    // Behind the yard: 30 squares of 3 m along x, 4 along z.
    for row in 0..5i32 {
        for column in 0..31i32 {
            let rise = if row == 0 { 0 } else { (column * 7 + row * 11) % 5 };
            text += &format!("v {} {} {}\n", 3 * column, f64::from(rise) * 0.2, 90 + 3 * row);
        }
    }
    for row in 0..4 {
        for column in 0..30 {
            let a = 17 + 31 * row + column;
            text += &format!("f {a} {} {} {}\n", a + 31, a + 32, a + 1);
        }
    }
    text
}

/// Two agents, a gate of mud across the yard, a link to the islet, markers.
const CONFIG: &str = "cell = 0.05\n\
    [[agent]]\nname = \"slim\"\nradius = 0.4\n[[agent]]\nname = \"broad\"\nradius = 0.9\n\
    [[area]]\nname = \"mud\"\nswitch = \"gate\"\n\
    [[volume]]\nbox = [[40, -1, -1], [44, 5, 120]]\narea = \"mud\"\n\
    [weights.units]\nslim = { mud = 3.0 }\n[weights.tasks.haul]\nslim = { mud = 9.0 }\n\
    [[marker]]\nname = \"spawn\"\nposition = [5, 0, 5]\n\
    [[marker]]\nname = \"islet\"\nposition = [125, 0, 45]\n\
    [[link]]\nname = \"jump\"\nfrom = [88, 0, 45]\nto = [121, 0, 45]\n";

/// The level as one blob, `one.nav`, and as a world in chunks, `all.navw`.
fn baked() -> Place {
    let place = baked_with(&level(), CONFIG, "30");
    assert!(chunks(&place).len() >= 9);
    place
}

fn baked_with(level: &str, config: &str, side: &str) -> Place {
    let place = Place::new();
    place.write("level.obj", level);
    place.write("bake.toml", config);
    let bake = ["bake", "level.obj", "--config", "bake.toml", "-o"];
    for output in [&["one.nav"][..], &["all.navw", "--chunk", side]] {
        let ran = place.run(&[&bake[..], output, &["--table-budget", "none"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    assert!(chunks(&place).len() >= 5);
    place
}

/// The files of chunks, sorted.
fn chunks(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.path("all.chunks")).unwrap();
    let mut all: Vec<String> = entries
        .map(|entry| format!("all.chunks/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    all.sort();
    all
}

/// The answers to a question about the blob and about the world; `BLOB` is the file.
fn both(place: &Place, line: &str) -> [Value; 2] {
    ["one.nav", "all.navw"].map(|file| {
        let line = format!("{line} --format json").replace("BLOB", file);
        place.run(&line.split(' ').collect::<Vec<_>>()).json()
    })
}

/// Are two answers equal, their numbers to a millionth?
fn is_near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|n| n.as_f64().unwrap());
            (a - b).abs() <= 1e-6 * a.abs().max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_near(a, b)))
        }
        _ => a == b,
    }
}

fn assert_equal(place: &Place, line: &str, keys: &[&str]) {
    let [one, all] = both(place, line);
    for key in keys {
        assert!(!one[key].is_null() || one["status"] != "reached", "{line}: no {key}");
        assert!(is_near(&one[key], &all[key]), "{line}: {key}: {} {}", one[key], all[key]);
    }
}

#[test]
fn paths_of_a_world_are_those_of_one_blob() {
    let place = baked();
    let ends = [
        ("spawn", "80,0,80"),
        ("9,0,12", "15,0,12"),
        ("5,0,95", "85,0,98"),
        ("3,0,50", "86.5,0,99.5"),
        ("spawn", "islet"),
        ("islet", "spawn"),
        ("30,0,30", "12,0,12"),
        ("30,0,30", "-9,0,0"),
    ];
    let mut statuses = BTreeSet::new();
    for (from, to) in ends {
        let line = format!("query path BLOB --from {from} --to {to}");
        for other in ["", " --closed gate", " --closed="] {
            let line = format!("{line} --agent broad{other}");
            // Paths of other planners depend on the polygons; the shortest does not.
            let keys = ["status", "length_xz", "length_3d", "cost", "certified_optimal"];
            assert_equal(&place, &format!("{line} --planner optimal"), &keys);
            assert_equal(&place, &format!("{line} --planner corridor --partial"), &["status"]);
            assert_equal(&place, &line.replace("query path", "query reachable"), &["status"]);
            let [one, all] = both(&place, &line);
            assert_eq!(one["status"], all["status"], "{line}");
            statuses.insert(all["status"].as_str().unwrap().to_owned());
        }
        // Mud costs this agent more; each answer says what the cheapest path costs at least.
        for task in ["", " --task haul"] {
            let line = format!("{line} --agent slim{task} --planner weighted --epsilon 0.01");
            let [one, all] = both(&place, &line);
            assert_eq!(one["status"], all["status"], "{line}");
            let cost = |answer: &Value, key: &str| answer[key].as_f64().unwrap_or(0.0);
            for (a, b) in [(&one, &all), (&all, &one)] {
                assert!(cost(a, "bound") <= cost(b, "cost") + 1e-6, "{line}: {one} {all}");
            }
        }
    }
    assert!(["reached", "unreachable", "off_mesh"].iter().all(|s| statuses.contains(*s)));
}

#[test]
fn places_of_a_world_are_those_of_one_blob() {
    let place = baked();
    for agent in ["slim", "broad"] {
        for at in ["12.8,0,12.8", "38.4,0.1,96.3", "12,0,12", "70,1,101.7", "125,0,45", "-9,0,0"] {
            let ask = |question: &str, keys: &[&str]| {
                assert_equal(&place, &format!("{question} --agent {agent}"), keys);
            };
            ask(&format!("query nearest BLOB --at {at}"), &["status", "point", "distance"]);
            ask(&format!("query distance BLOB --at {at}"), &["status", "distance"]);
            ask(&format!("query fits BLOB --at {at}"), &["status", "agents"]);
            ask(&format!("query fits BLOB --at {at} --closed gate"), &["status", "agents"]);
            for to in ["80,0,60", "12,0,20", "5,0,99"] {
                let rays = ["status", "point", "fraction", "distance", "normal"];
                ask(&format!("query raycast BLOB --from {at} --to {to}"), &rays);
                ask(&format!("query raycast BLOB --from {at} --to {to} --closed gate"), &rays);
                let moves = ["status", "point", "walked", "contacts"];
                ask(&format!("query move BLOB --from {at} --to {to}"), &moves);
                let ends = ["status", "over"];
                ask(&format!("query gradient BLOB --from {at} --to {to}"), &ends);
            }
        }
    }
    let random = "query random BLOB --count 50 --agent broad";
    for line in [random.to_owned(), format!("{random} --near spawn --within 30")] {
        let [one, all] = both(&place, &line);
        assert_eq!(one["status"], all["status"]);
        for found in all["places"].as_array().unwrap() {
            let [x, y, z] = [0, 1, 2].map(|k| found["point"][k].as_f64().unwrap());
            let near = format!("query nearest BLOB --agent broad --at {x},{y},{z}");
            let near = &both(&place, &near)[0];
            assert!(near["distance"].as_f64().unwrap() < 1e-6, "{found} {near}");
        }
    }
}

#[test]
fn a_world_has_the_ground_of_one_blob_and_its_checks() {
    let place = baked();
    let diff = place.run(&["diff", "one.nav", "all.navw", "--fail-on", "note"]);
    assert_eq!((diff.code, diff.out.contains("no changes")), (0, true), "{}", diff.out);
    let diff = place.run(&["diff", "all.navw", "one.nav", "--fail-on", "note"]);
    assert_eq!(diff.code, 0, "{}", diff.out);
    let keys = ["islands", "area_m2", "agents", "weights", "markers", "switches", "config"];
    assert_equal(&place, "info BLOB", &keys);
    let [one, all] = both(&place, "info BLOB");
    assert_eq!(one["chunks"], Value::Null);
    let files: u64 =
        chunks(&place).iter().map(|f| fs::metadata(place.path(f)).unwrap().len()).sum();
    assert_eq!(all["chunks"]["count"].as_u64(), Some(chunks(&place).len() as u64));
    assert_eq!(all["chunks"]["bytes"].as_u64(), Some(files));
    assert!(all["chunks"]["side"].as_f64() >= Some(30.0));
    assert_eq!(all["chunks"]["faults"].as_array().unwrap().len(), 0);
    for key in ["links", "area_m2"] {
        assert!(all[key].as_f64() > Some(0.0), "{key}");
    }
    assert_equal(&place, "check BLOB", &["counts", "findings"]);
    assert_equal(&place, "explain BLOB --at spawn", &["at", "agents"]);
    let text = place.run(&["info", "all.navw"]).out;
    assert!(text.contains(&format!("{} chunks of ", chunks(&place).len())), "{text}");
}

/// A castle with rooms, the same way.
fn baked_rooms() -> Place {
    let castle =
        fs::read_to_string(navbake_testkit::data::fixture("rooms").join("castle.obj")).unwrap();
    let config = "cell = 0.06\nseeds = [[5, 0, 5]]\n\
        [rooms]\nenabled = true\n[rooms.names]\nyard = [5, 0, 5]\n\
        [rooms.doors]\ngate = [13, 0, 18]\nhall = [9, 0, -0.4]\n\
        [[agent]]\nname = \"slim\"\nradius = 0.3\nclimb = 0.4\n\
        [[agent]]\nname = \"broad\"\nradius = 0.4\nclimb = 0.4\n";
    baked_with(&castle, config, "1")
}

#[test]
fn a_world_has_the_rooms_and_doors_of_one_blob() {
    let place = baked_rooms();
    assert_equal(&place, "info BLOB", &["rooms", "room_doors", "islands", "area_m2"]);
    let [mut one, mut all] = both(&place, "info BLOB");
    for rooms in [&mut one, &mut all].map(|info| info["named_rooms"].as_array_mut().unwrap()) {
        // Its number is one of the blob.
        rooms.iter_mut().for_each(|room| room["room"] = Value::Null);
    }
    assert!(is_near(&one["named_rooms"], &all["named_rooms"]), "{all}");
    assert!(one["rooms"].as_u64() > Some(20) && one["named_rooms"][0]["name"] == "yard", "{one}");
    let by_class = |info: &Value| {
        let all = info["classes"].as_array().unwrap().iter();
        let counts = all.map(|c| (c["rooms"].clone(), c["missing_doors"].clone()));
        counts.collect::<Vec<_>>()
    };
    assert_eq!(by_class(&one), by_class(&all));
    let [one, all] = both(&place, "query nearest BLOB --at 6,0,6");
    assert!(!one["room"].is_null() && !all["room"].is_null(), "{one} {all}");
    for closed in ["", " --closed gate", " --closed hall", " --closed gate,hall"] {
        for to in ["13,0,25", "9,0,-4", "26,0,9"] {
            let line = format!("query path BLOB --from 5,0,5 --to {to} --planner optimal{closed}");
            assert_equal(&place, &line, &["status", "length_xz"]);
        }
    }
    let diff = place.run(&["diff", "one.nav", "all.navw", "--fail-on", "note"]);
    assert_eq!(diff.code, 0, "{}", diff.out);
}

#[test]
fn a_world_is_exported_viewed_and_measured_as_one_blob() {
    let place = baked();
    for format in ["obj", "glb", "svg", "mesh", "detour", "godot", "unpacked"] {
        let ran =
            place.run(&["export", "all.navw", "--to", format, "-o", "out", "--format", "json"]);
        assert!(ran.json()["polygons"].as_u64() > Some(9), "{format}");
    }
    // What was unpacked is one blob.
    let ran = place.run(&["diff", "one.nav", "out", "--fail-on", "note"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let view = place.run(&["view", "all.navw", "--no-open", "-o", "page.html"]);
    assert_eq!(view.code, 0, "{}", view.err);
    let size = |name: &str| fs::metadata(place.path(name)).unwrap().len();
    assert_eq!(place.run(&["view", "one.nav", "--no-open", "-o", "one.html"]).code, 0);
    assert!(size("page.html") + 100_000 > size("one.html"));
    let bench = place.run(&["bench", "all.navw", "--random", "20", "--format", "json"]).json();
    assert_eq!(bench["queries"].as_u64(), Some(20));
    assert_eq!(place.run(&["tune", "all.navw", "--random", "5"]).code, 0);
}

#[test]
fn what_a_world_does_not_have_is_refused_as_of_a_blob() {
    let place = baked();
    let path = "query path BLOB --from spawn --to 80,0,80";
    for line in [
        format!("{path} --planner rooms"),
        format!("{path} --planner network"),
        format!("{path} --planner turning"),
        format!("{path} --planner grid8"),
        format!("{path} --planner corridor --heuristic landmarks"),
        format!("{path} --agent nobody"),
        format!("{path} --closed door"),
        format!("{path} --task nothing"),
        "query nearest BLOB --at nowhere".into(),
        "export BLOB --to network".into(),
        "export BLOB --to geojson".into(),
        "query gradient BLOB --from spawn --over cells".into(),
    ] {
        let [one, all] = ["one.nav", "all.navw"].map(|file| {
            let line = line.replace("BLOB", file);
            let ran = place.run(&line.split(' ').collect::<Vec<_>>());
            (ran.code, ran.out + &ran.err.replace(file, "BLOB"))
        });
        assert_eq!(one, all, "{line}");
    }
}

#[test]
fn missing_and_changed_chunks_are_named_with_the_cure() {
    let place = baked();
    let files = chunks(&place);
    let ask = |file: &str| place.run(&["query", "nearest", file, "--at", "5,0,5"]);
    let (gone, changed) = (&files[0], &files[2]);
    let bytes = fs::read(place.path(gone)).unwrap();
    fs::remove_file(place.path(gone)).unwrap();
    let ran = ask("all.navw");
    let found = ran.failed_with(3);
    let cure = "copy the whole folder all.chunks beside the index, or bake again";
    assert!(found.contains(gone) && found.contains("missing") && found.contains(cure), "{found}");
    let mut other = fs::read(place.path(changed)).unwrap();
    *other.last_mut().unwrap() ^= 1;
    fs::write(place.path(changed), other).unwrap();
    // The ground of the others is counted, and the exit code is that of findings.
    let ran = place.run(&["info", "all.navw", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let info: Value = serde_json::from_str(&ran.out).unwrap();
    let faults: Vec<&str> =
        info["chunks"]["faults"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    let is_listed = |file: &str, what: &str| {
        faults.iter().any(|fault| fault.contains(file) && fault.contains(what))
    };
    assert!(is_listed(gone, "missing") && is_listed(changed, "changed"), "{faults:?}");
    assert!(info["polygons"].as_u64() > Some(0));
    fs::write(place.path(gone), bytes).unwrap();
    let ran = ask("all.navw");
    let found = ran.failed_with(3);
    assert!(
        found.contains(changed) && found.contains("changed") && found.contains(cure),
        "{found}"
    );
    // A chunk of its own is still read.
    assert_eq!(place.run(&["info", gone]).code, 0);
}

#[test]
fn an_index_is_known_by_its_bytes_and_its_chunks_by_its_path() {
    let place = baked();
    let line = ["query", "nearest", "all.navw", "--at", "5,0,5", "--mmap"];
    assert_eq!(place.run(&line).code, 0);
    fs::copy(place.path("all.navw"), place.path("all.bin")).unwrap();
    assert_eq!(place.run(&["query", "nearest", "all.bin", "--at", "5,0,5"]).code, 0);
    fs::copy(place.path("all.navw"), place.path("other")).unwrap();
    let ran = place.run(&["query", "nearest", "other", "--at", "5,0,5"]);
    assert!(ran.failed_with(3).contains("other.chunks"), "{}", ran.err);
    // Of stdin there is no path.
    let index = fs::read(place.path("all.navw")).unwrap();
    for line in [&["query", "nearest", "-", "--at", "5,0,5"][..], &["info", "-"], &["check", "-"]] {
        let ran = place.run_with(line, &index);
        assert!(ran.failed_with(2).contains("name the file of the index"), "{}", ran.err);
    }
}

#[test]
fn no_export_overwrites_a_chunk_of_its_world() {
    let place = baked();
    let file = &chunks(&place)[0];
    let before = fs::read(place.path(file)).unwrap();
    let ran = place.run(&["export", "all.navw", "--to", "obj", "-o", file]);
    assert!(ran.failed_with(2).contains("overwrite"), "{}", ran.err);
    assert_eq!(fs::read(place.path(file)).unwrap(), before);
}

/// Bytes with a sound checksum, whatever else they are.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32c(&[&bytes[..32], &bytes[36..]]);
    bytes[32..36].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_forged_world_is_refused_or_answers_and_never_fails_as_a_bug() {
    for (place, to) in [(baked(), "80,0,80"), (baked_rooms(), "13,0,25")] {
        let codes = codes_of_forged(&place, to);
        assert!(codes.is_superset(&BTreeSet::from([0, 1, 3])), "{codes:?}");
    }
}

/// The exit codes of 300 questions about a world with changed bytes and sound checksums.
fn codes_of_forged(place: &Place, to: &str) -> BTreeSet<i32> {
    let index = fs::read(place.path("all.navw")).unwrap();
    let table: Vec<Chunk> = Blob::open_checked(&index).unwrap().chunks().iter().collect();
    let mut random = Random(1);
    let mut draw = |below: usize| random.below(below);
    let mut codes = BTreeSet::new();
    for turn in 0..300 {
        let mut forged = index.clone();
        let mut written = None;
        if turn % 3 == 0 {
            let at = 36 + draw(index.len() - 36);
            forged[at] ^= 1 << draw(8);
        } else {
            // A chunk that was changed, of which the index has the hash.
            let mut chunk = table[draw(table.len())];
            let file = format!("all.chunks/{}", chunk.file_name());
            let mut bytes = fs::read(place.path(&file)).unwrap();
            for _ in 0..=draw(3) {
                let at = 36 + draw(bytes.len() - 36);
                bytes[at] = draw(256) as u8;
            }
            let bytes = sealed(bytes);
            let at = forged.windows(32).position(|w| w == chunk.hash).unwrap();
            chunk.hash = blake3::hash(&bytes).into();
            forged[at..at + 32].copy_from_slice(&chunk.hash);
            let path = place.path(&format!("all.chunks/{}", chunk.file_name()));
            fs::write(&path, bytes).unwrap();
            written = Some(path).filter(|path| *path != place.path(&file));
        }
        fs::write(place.path("all.navw"), sealed(forged)).unwrap();
        let path = ["query", "path", "all.navw", "--from", "5,0,5", "--to", to];
        let ran = place.run(if turn % 2 == 0 { &path } else { &["info", "all.navw"] });
        assert!((0..=4).contains(&ran.code), "{turn}: {} {}", ran.code, ran.err);
        codes.insert(ran.code);
        // What is no chunk of the world before was added.
        if let Some(path) = written {
            fs::remove_file(path).unwrap();
        }
    }
    codes
}
