//! Unpacked files on the command line: every verb says the same of them as of the packed ones.

use serde_json::Value;

use crate::common::Place;

/// Two rooms of cells and a door of one between them, and a place that only a link leads to.
const MAP: &str = "\
type octile
height 8
width 21
map
@@@@@@@@@@@@@@@@@@@@@
@......@......@@....@
@......@......@@....@
@.............@@....@
@......@......@@....@
@......@......@@....@
@......@......@@....@
@@@@@@@@@@@@@@@@@@@@@
";

const CONFIG: &str = "\
[rooms]
enabled = true
[rooms.names]
kitchen = [3, 0, 3]
[[link]]
name = \"ferry\"
from = [12.5, 0, 4.5]
to = [17.5, 0, 4.5]
switch = \"tide\"
";

/// Bakes the map as `two.nav`, and unpacks it as `plain.nav`.
fn baked() -> Place {
    let place = Place::new();
    place.write("two.map", MAP);
    place.write("c.toml", CONFIG);
    for line in
        ["bake two.map --config c.toml -o two.nav", "export two.nav --to unpacked -o plain.nav"]
    {
        let ran = run(&place, line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
    place
}

fn run(place: &Place, line: &str) -> crate::common::Ran {
    place.run(&line.split(' ').collect::<Vec<_>>())
}

/// Takes away what differs between the two files: sizes, checksum, sections; and times.
fn without_sizes(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let own = ["checksum", "sections", "micros"];
            map.retain(|key, _| !key.contains("bytes") && !own.contains(&key.as_str()));
            map.values_mut().for_each(without_sizes);
        }
        Value::Array(list) => list.iter_mut().for_each(without_sizes),
        _ => {}
    }
}

/// The output, without sizes and times.
fn said(line: &str, out: &str) -> String {
    if !line.ends_with("json") {
        return out.to_owned();
    }
    let mut value: Value = serde_json::from_str(out).unwrap();
    without_sizes(&mut value);
    value.to_string()
}

#[test]
fn every_verb_says_the_same_of_an_unpacked_file_as_of_the_packed_one() {
    let place = baked();
    let lines = [
        "query path two.nav --from 3,0,5 --to 12,0,2",
        "query path two.nav --from 3,0,5 --to 18,0,2 --format json",
        "query path two.nav --from 3,0,5 --to 18,0,2 --closed tide",
        "query path two.nav --from 3,0,5 --to 12,0,2 --planner hierarchical --format json",
        "query path two.nav --from 3,0,5 --to 12,0,2 --planner midpoints --format json",
        "query nearest two.nav --at 3,0,5 --format json",
        "query nearest two.nav --at 3,0,5",
        "query raycast two.nav --from 3,0,5 --to 12,0,5 --format json",
        "query raycast two.nav --from 3,0,5 --to 5,0,6",
        "check two.nav --format json",
        "check two.nav",
        "explain two.nav --at 3,0,5 --format json",
        "explain two.nav --at 0.5,0,0.5",
        "export two.nav --to svg",
        "export two.nav --to obj",
        "export two.nav --to mesh",
        "diff two.nav other.nav",
        "diff other.nav two.nav --format json",
    ];
    // Another level, to find differences to.
    place.write("other.map", &MAP.replace("@.............@@", "@......@......@@"));
    let ran = run(&place, "bake other.map --config c.toml -o other.nav");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = "info two.nav --verify --format json";
    let answers = || lines.map(|line| run(&place, line));
    let (packed, mut packed_info) = (answers(), run(&place, info).json());
    assert_eq!(packed[0].code, 0, "{}", packed[0].err);
    assert!(packed[1].out.contains("ferry") || packed[1].json()["status"] == "reached");

    // By the same name, which answers contain.
    std::fs::copy(place.path("two.nav"), place.path("packed.nav")).unwrap();
    std::fs::copy(place.path("plain.nav"), place.path("two.nav")).unwrap();
    for ((line, packed), plain) in lines.iter().zip(&packed).zip(answers()) {
        assert_eq!(plain.code, packed.code, "{line}: {}", plain.err);
        assert_eq!(said(line, &plain.out), said(line, &packed.out), "{line}: {}", plain.err);
    }
    let mut plain_info = run(&place, info).json();
    assert_ne!(plain_info["bytes"], packed_info["bytes"]);
    without_sizes(&mut plain_info);
    without_sizes(&mut packed_info);
    assert_eq!(plain_info, packed_info);
    let text = run(&place, "info two.nav").out;
    assert!(text.contains("2 rooms, 1 doors") || text.contains("kitchen"), "{text}");
    let same = run(&place, "diff packed.nav two.nav");
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);
    // An unpacked file is copied.
    let again = run(&place, "export two.nav --to unpacked -o again.nav");
    assert_eq!(again.code, 0, "{}", again.err);
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert!(read("again.nav") == read("plain.nav"));
}

#[test]
fn a_bake_over_an_unpacked_file_writes_the_packed_one() {
    let place = baked();
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    let packed = read("two.nav");
    for force in ["", " --force"] {
        std::fs::copy(place.path("plain.nav"), place.path("two.nav")).unwrap();
        let ran = run(&place, &format!("bake two.map --config c.toml -o two.nav{force}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(!ran.out.contains("up to date"), "{}", ran.out);
        assert!(read("two.nav") == packed);
    }
}
