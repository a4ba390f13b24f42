//! Hostile files, names and paths: nothing is overwritten, waited for or sent raw to a terminal.

use std::fs;

use crate::common::{FLOOR, Place};

/// Runs that must be refused and leave every file as it was.
fn keeps_files(place: &Place, calls: &[&[&str]]) {
    let contents = |name: &String| fs::read(place.path(name)).unwrap();
    let names: Vec<String> =
        place.names().into_iter().filter(|name| place.path(name).is_file()).collect();
    let before: Vec<Vec<u8>> = names.iter().map(contents).collect();
    for call in calls {
        let ran = place.run(call);
        assert!(ran.failed_with(2).contains("would overwrite"), "{call:?}: {}", ran.err);
        let after: Vec<Vec<u8>> = names.iter().map(contents).collect();
        assert!(before == after, "{call:?}");
    }
}

#[test]
fn no_output_overwrites_an_input_or_another_output() {
    let place = Place::new();
    place.floor();
    place.write("c.toml", "min_region = 1.0\n");
    place.write("known.json", "{\"findings\": []}\n");
    place.write("rules.toml", "on_ground = []\n");
    let level = ["bake", "floor.obj", "--force"];
    let with = |more: &[&'static str]| [&level[..], more].concat();
    keeps_files(
        &place,
        &[
            &with(&["-o", "floor.obj"]),
            &with(&["-o", "./floor.obj"]),
            &with(&["--depfile", "floor.obj"]),
            &with(&["-o", "x", "--depfile", "x"]),
            &with(&["--depfile", "floor.navbake"]),
            &with(&["--config", "c.toml", "-o", "c.toml"]),
            &with(&["--config", "c.toml", "--depfile", "c.toml"]),
            &["bake", "floor.obj", "./floor.obj", "--out-dir", "out"],
            &["check", "floor.obj", "--html", "floor.obj"],
            &["check", "floor.nav", "--sarif", "floor.nav"],
            &["check", "floor.obj", "--config", "c.toml", "--junit", "c.toml"],
            &["check", "floor.obj", "--rules", "rules.toml", "--html", "rules.toml"],
            &["check", "floor.obj", "--baseline", "known.json", "--sarif", "known.json"],
            &["check", "floor.obj", "--html", "page", "--sarif", "./page"],
            &["view", "floor.obj", "--no-open", "-o", "floor.obj"],
            &["export", "floor.nav", "--to", "obj", "-o", "floor.nav"],
            &["diff", "floor.nav", "floor.nav", "--svg", "floor.nav"],
            &["tune", "floor.nav", "--random", "5", "--plot", "floor.nav"],
            &["bench", "floor.nav", "--random", "5", "--dump", "floor.nav"],
            &[
                "query",
                "path",
                "floor.nav",
                "--from",
                "1,0,1",
                "--to",
                "2,0,2",
                "--trace",
                "floor.nav",
            ],
        ],
    );
    assert!(!place.path("x").exists() && !place.path("page").exists());
}

#[cfg(unix)]
#[test]
fn no_output_overwrites_an_input_through_links() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    std::os::unix::fs::symlink("floor.obj", place.path("soft.nav")).unwrap();
    fs::hard_link(place.path("floor.obj"), place.path("hard.nav")).unwrap();
    fs::create_dir(place.path("sub")).unwrap();
    std::os::unix::fs::symlink("..", place.path("sub/up")).unwrap();
    keeps_files(
        &place,
        &[
            &["bake", "floor.obj", "-o", "soft.nav"],
            &["bake", "floor.obj", "-o", "hard.nav"],
            &["bake", "floor.obj", "-o", "sub/up/floor.obj"],
            &["bake", "floor.obj", "-o", "a.nav", "--depfile", "sub/up/a.nav"],
        ],
    );
}

#[test]
fn no_output_overwrites_a_file_that_the_level_names() {
    let place = Place::new();
    place.write("room.obj", &format!("mtllib room.mtl lib.mtl\nmtllib other name.mtl\n{FLOOR}"));
    place.write("room.mtl", "newmtl a\n");
    place.write("other name.mtl", "newmtl b\n");
    let corners: [f32; 9] = [0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 9.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|c| c.to_le_bytes()).collect();
    fs::write(place.path("level data.bin"), bytes).unwrap();
    let json = serde_json::json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "level%20data.bin"}],
        "images": [{"uri": "wall.png"}],
    });
    place.write("level.gltf", &json.to_string());
    place.write("wall.png", "not read");
    keeps_files(
        &place,
        &[
            &["bake", "room.obj", "-o", "room.mtl"],
            &["bake", "room.obj", "-o", "a.nav", "--depfile", "other name.mtl"],
            &["bake", "level.gltf", "-o", "level data.bin"],
            &["check", "level.gltf", "--html", "wall.png"],
        ],
    );
}

#[test]
fn names_never_command_the_terminal() {
    let place = Place::new();
    let evil = "\u{1b}[31mRED\u{1b}]0;t\u{7}\u{9b}\u{202e}\u{7f}";
    place.write("evil.obj", &format!("o {evil}\n{FLOOR}foo{evil} 1\n"));
    place.write("bad.obj", &format!("v 0 0 {evil}\n"));
    place.write("bad.map", &format!("type oct{evil}\n"));
    let escaped = evil.escape_default().to_string();
    let toml = format!(
        "[[agent]]\nname = \"{}\"\n",
        escaped
            .replace("\\u{1b}", "\\u001b")
            .replace("\\u{7}", "\\u0007")
            .replace("\\u{9b}", "\\u009b")
            .replace("\\u{202e}", "\\u202e")
            .replace("\\u{7f}", "\\u007f")
    );
    place.write("evil.toml", &toml);
    place.write("bad.toml", &format!("\"{}\" = 1\n", "\\u001b[31m\\u202e"));
    let evil_name = format!("{evil}.obj");
    let calls: [&[&str]; 9] = [
        &["bake", "evil.obj", "--config", "evil.toml", "-o", "evil.nav"],
        &["info", "evil.nav"],
        &["check", "evil.obj", "--config", "evil.toml", "-v"],
        &["explain", "evil.obj", "--config", "evil.toml", "--at", "1,0,1"],
        &["bake", "bad.obj"],
        &["bake", "bad.map"],
        &["bake", &evil_name],
        &["bake", "evil.obj", "--config", "bad.toml"],
        &["bake", "evil.obj", &format!("--{evil}")],
    ];
    for call in calls {
        let ran = place.run(call);
        let shown = format!("{}{}", ran.out, ran.err);
        let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.is_empty() && !shown.contains(raw), "{call:?}: {shown:?}");
    }
    assert!(place.run(&["info", "evil.nav"]).out.contains("\\u{1b}[31mRED"));
    // A line break begins no line of its own.
    let ran = place.run(&["bake", "a\nnavbake: b.obj"]);
    assert_eq!(ran.failed_with(4).lines().count(), 1);
    #[cfg(unix)]
    {
        place.write("a\nall: x.obj", FLOOR);
        let ran = place.run(&["bake", "a\nall: x.obj", "-o", "a.nav", "--depfile", "a.d"]);
        assert!(ran.failed_with(2).contains("control character"), "{}", ran.err);
        assert!(!place.path("a.nav").exists() && !place.path("a.d").exists());
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_and_never_waited_for() {
    let place = Place::new();
    place.floor();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe.obj")).status().unwrap();
    assert!(made.success());
    place.write("zero.toml", "[terrain]\nnames = [\"a\"]\nimage = \"/dev/zero\"\n[terrain.colours]\n\"#000000\" = \"a\"\n");
    let map = place.map().replace("map.nav", "small.map");
    let calls: [(&[&str], i32); 10] = [
        (&["bake", "pipe.obj"], 4),
        (&["bake", "floor.obj", "--config", "pipe.obj"], 4),
        (&["bake", "floor.obj", "--config", "/dev/zero"], 4),
        (&["check", "floor.nav", "--rules", "pipe.obj"], 4),
        (&["check", "floor.nav", "--baseline", "/dev/zero"], 4),
        (&["info", "pipe.obj"], 4),
        (&["info", "/dev/zero", "--mmap"], 4),
        (&["bench", "floor.nav", "--scen", "pipe.obj"], 4),
        (&["query", "nearest", "/dev/zero", "--at", "1,0,1"], 4),
        (&["bake", &map, "--config", "zero.toml", "-o", "x.nav"], 3),
    ];
    for (call, code) in calls {
        let ran = place.run(call);
        ran.failed_with(code);
    }
    // What the shell hands over is the caller's to end.
    let blob = fs::read(place.path("floor.nav")).unwrap();
    let ran = place.run_with(&["info", "/dev/stdin", "--format", "json"], &blob);
    assert_eq!(ran.json()["file"], "/dev/stdin");
    let full = place.run(&["export", "floor.nav", "--to", "obj", "-o", "/dev/full"]);
    assert!(full.failed_with(4).contains("/dev/full"), "{}", full.err);
    let out = place.run(&["export", "floor.nav", "--to", "obj", "-q", "-o", "/dev/stdout"]);
    assert!(out.code == 0 && out.out.contains("\nf "), "{}", out.err);
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_folder_are_read_only_where_the_call_allows_it() {
    let place = Place::new();
    for folder in ["in", "out", "farm"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("in/floor.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    // A texel of black.
    fs::write(place.path("out/black.png"), black()).unwrap();
    std::os::unix::fs::symlink("../out/black.png", place.path("in/link.png")).unwrap();
    let config = |image: &str| {
        format!(
            "[terrain]\nnames = [\"a\"]\nimage = \"{image}\"\n[terrain.colours]\n\"#000000\" = \"a\"\n"
        )
    };
    let whole = place.path("out/black.png").display().to_string();
    for image in ["link.png", "../out/black.png", &whole] {
        place.write("in/c.toml", &config(image));
        let bake = ["bake", "in/floor.map", "--config", "in/c.toml", "-o", "a.nav", "--force"];
        let ran = place.run(&bake);
        assert!(ran.failed_with(3).contains("--allow-outside"), "{}", ran.err);
        let ran = place.run(&[&bake[..], &["--allow-outside"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    // A config that is a link itself names files beside where it is.
    fs::write(place.path("out/c.toml"), config("black.png")).unwrap();
    for name in ["c.toml", "black.png"] {
        std::os::unix::fs::symlink(format!("../out/{name}"), place.path(&format!("farm/{name}")))
            .unwrap();
    }
    let ran = place.run(&["bake", "in/floor.map", "--config", "farm/c.toml", "-o", "a.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// A PNG of one black texel.
fn black() -> Vec<u8> {
    let hex = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49\
         444154789c63606060000000040001f61738550000000049454e44ae426082";
    let byte = |k| u8::from_str_radix(&hex[k..k + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// A flat floor of some metres a side, in triangles of 8 m.
fn wide_floor(side: u32) -> String {
    let across = side / 8;
    let mut text = String::new();
    for k in 0..(across + 1).pow(2) {
        text += &format!("v {} 0 {}\n", 8 * (k / (across + 1)), 8 * (k % (across + 1)));
    }
    for k in 0..across.pow(2) {
        let a = k / across * (across + 1) + k % across + 1;
        text += &format!("f {a} {} {} {}\n", a + 1, a + across + 2, a + across + 1);
    }
    text
}

#[test]
fn a_limit_of_memory_leaves_fewer_threads_and_changes_no_byte() {
    let place = Place::new();
    place.write("wide.obj", &wide_floor(304));
    let bake = ["bake", "wide.obj", "-o", "a.nav", "--radius", "0.3", "--threads", "4"];
    let bake = |more: &[&str]| place.run(&[&bake[..], &["--format", "json"], more].concat());
    let plan = bake(&["--dry-run"]).json();
    let [least, most] =
        ["predicted_least_bytes", "predicted_peak_bytes"].map(|key| plan[key].as_u64().unwrap());
    assert!(most > least + (20 << 20), "{plan}");
    let codes = |report: &serde_json::Value| -> Vec<String> {
        let all = report["warnings"].as_array().unwrap().iter();
        all.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
    };
    let free = bake(&[]).json();
    let limit = ((least + most) / 2).to_string();
    let limited = bake(&["--force", "--memory", &limit]).json();
    assert_eq!(free["hash"], limited["hash"]);
    let used = |report: &serde_json::Value| report["peak_rss_bytes"].as_u64().unwrap();
    assert!(used(&limited) < used(&free), "{free} {limited}");
    assert_eq!(codes(&free), [""; 0]);
    assert_eq!(codes(&limited), ["fewer-threads"]);

    // Less than one tile takes is refused, with the cell that would help.
    let limit = (least - (4 << 20)).to_string();
    let refused = bake(&["--force", "--memory", &limit]);
    let message = refused.failed_with(5);
    let parts: Vec<&str> = message.split("--cell ").collect();
    let [_, rest] = parts[..] else { panic!("{message}") };
    let cell = rest.split(':').next().unwrap();
    let finer = bake(&["--force", "--memory", &limit, "--cell", cell]);
    assert_eq!(finer.code, 0, "{}", finer.err);
}

#[test]
fn a_limit_of_memory_is_kept_to_before_the_bake_begins() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "-o", "a.nav", "--memory", "1kB"]);
    assert!(ran.failed_with(5).contains("--memory"), "{}", ran.err);
    let ran = place.run(&["bake", "floor.obj", "-o", "a.nav", "--memory", "1MB"]);
    assert!(ran.failed_with(5).contains("--memory"), "{}", ran.err);
    assert_eq!(place.names(), ["floor.obj"]);
    let ran = place.run(&["bake", "floor.obj", "-o", "a.nav", "--memory", "1GiB"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.run(&["bake", "floor.obj", "--memory", "0"]).code, 2);
}

#[test]
fn a_limit_of_time_ends_a_long_bake_and_leaves_no_file() {
    let place = Place::new();
    // Two triangles of 19 km: 64,516 tiles, which take a minute on one core.
    let far = 19_000;
    let wide = format!("v 0 0 0\nv 0 0 {far}\nv {far} 0 {far}\nv {far} 0 0\nf 1 2 3 4\n");
    place.write("wide.obj", &wide);
    let bake = ["bake", "wide.obj", "-j", "1", "-o", "wide.nav", "--time", "0.5"];
    let ran = place.run(&bake);
    assert!(ran.failed_with(5).contains("--time"), "{}", ran.err);
    assert_eq!(place.names(), ["wide.obj"]);
    let ran = place.run(&[&bake[..], &["--cache", "tiles", "--format", "json"]].concat());
    ran.failed_with(5);
    assert_eq!(place.names(), ["tiles", "wide.obj"]);
    let kept = fs::read_dir(place.path("tiles")).unwrap().map(|entry| entry.unwrap().file_name());
    let half = kept.filter(|name| name.to_str().is_some_and(|name| name.ends_with(".tmp")));
    assert_eq!(half.count(), 0);
    let ran = place.run(&["check", "wide.obj", "-j", "1", "--time", "0.5"]);
    assert!(ran.failed_with(5).contains("--time"), "{}", ran.err);

    // A limit that is kept to changes nothing.
    place.write("floor.obj", FLOOR);
    let bake = |more: &[&str]| {
        let json = ["bake", "floor.obj", "--force", "--format", "json"];
        place.run(&[&json[..], more].concat()).json()["hash"].clone()
    };
    assert_eq!(bake(&[]), bake(&["--time", "1e300"]));
    assert_eq!(bake(&[]), bake(&["--time", "86400"]));
    assert_eq!(place.run(&["bake", "floor.obj", "--time", "0"]).code, 2);
}

#[test]
fn text_that_is_not_unicode_is_refused_or_shown_without_harm() {
    let place = Place::new();
    place.floor();
    let bytes = |name: &str, parts: &[&[u8]]| fs::write(place.path(name), parts.concat()).unwrap();
    // Bytes that no UTF-8 has, an overlong slash, half a character, a surrogate as bytes.
    let wrong: [&[u8]; 4] = [b"\xff\xfe", b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0\x80"];
    for wrong in wrong {
        bytes("name.obj", &[b"o ", wrong, b"\n", FLOOR.as_bytes()]);
        let ran = place.run(&["bake", "name.obj", "-o", "a.nav", "--force", "--format", "json"]);
        ran.json();
        place.run(&["info", "a.nav", "--format", "json"]).json();
        bytes("number.obj", &[b"v 0 0 ", wrong, b"\n"]);
        place.run(&["bake", "number.obj"]).failed_with(3);
        bytes("bad.map", &[b"type octile\nheight 1\nwidth 1\nmap\n", wrong, b"\n"]);
        place.run(&["bake", "bad.map"]).failed_with(3);
        bytes(
            "bad.gltf",
            &[b"{\"asset\": {\"version\": \"2.0\", \"generator\": \"", wrong, b"\"}}"],
        );
        place.run(&["bake", "bad.gltf"]).failed_with(3);
        bytes("bad.toml", &[b"[[agent]]\nname = \"", wrong, b"\"\n"]);
        place.run(&["bake", "floor.obj", "--config", "bad.toml"]).failed_with(2);
    }
    // Lone surrogates: what JSON can write and no text can have.
    for wrong in ["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800\\u0041"] {
        let named = format!(
            "{{\"asset\": {{\"version\": \"2.0\"}}, \"nodes\": [{{\"name\": \"{wrong}\"}}]}}"
        );
        place.write("bad.gltf", &named);
        place.run(&["bake", "bad.gltf"]).failed_with(3);
        place.write("bad.toml", &format!("[[agent]]\nname = \"{wrong}\"\n"));
        place.run(&["bake", "floor.obj", "--config", "bad.toml"]).failed_with(2);
        place.write("known.json", &format!("{{\"findings\": [{{\"code\": \"{wrong}\"}}]}}"));
        let ran = place.run(&["check", "floor.nav", "--baseline", "known.json"]);
        ran.failed_with(2);
    }
    // A file name of any bytes.
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"\xffroom.obj");
        fs::write(place.folder.path().join(name), FLOOR).unwrap();
        let ran = super::common::navbake(&["bake", "-o", "b.nav", "--format", "json"])
            .arg(name)
            .current_dir(place.folder.path())
            .output()
            .unwrap();
        super::common::Ran::of(ran).json();
    }
}
