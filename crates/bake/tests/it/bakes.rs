//! Small levels, from triangles to a checked file.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::scenes::{Builder, boxes, bridge, map, storeys};
use navbake_bake::{BakeInput, Baked, Config, EarlierInput, Options, Progress, bake, output};
use navbake_format::{Blob, CheckedBlob};
use navbake_level::Source;

fn threads(threads: usize) -> Options<'static> {
    Options { threads, ..Options::default() }
}

fn baked(source: Source, config: &str) -> Baked {
    let config = Config::parse(config).unwrap();
    bake(source, &config, &threads(2)).unwrap()
}

fn open(baked: &Baked) -> CheckedBlob<'_> {
    let blob = Blob::open(&baked.bytes).unwrap();
    blob.verify_checksum().unwrap();
    blob.validate().unwrap()
}

fn codes(baked: &Baked) -> Vec<&str> {
    let warnings = &baked.summary.warnings;
    warnings.iter().map(|w| w.code.as_str()).collect()
}

#[test]
fn a_lesser_border_error_leaves_less_ground_out() {
    let [coarse, usual, fine] = ["border_error = 0.3", "", "border_error = 0.005"]
        .map(|config| baked(boxes().source(), config).summary);
    let areas = [&coarse, &usual, &fine].map(|s| s.area_m2);
    assert!(areas.is_sorted() && areas[0] < areas[2], "{areas:?}");
    assert!(coarse.polygons < fine.polygons, "{coarse:?} {fine:?}");
}

#[test]
fn a_floor_with_boxes_is_eroded_around_them() {
    let baked = baked(boxes().source(), "");
    let s = &baked.summary;
    // The floor and the top of the largest box; the other tops are too narrow.
    assert_eq!(s.islands, 2, "{s:?}");
    // 18.8 m a side, less each box grown by the radius with round corners.
    let round = 0.6 * 0.6 * (4.0 - std::f64::consts::PI);
    let grown = |w: f64, d: f64| (w + 1.2) * (d + 1.2) - round;
    let floor = 18.8 * 18.8 - grown(3.0, 6.0) - grown(3.5, 1.0) - grown(2.0, 1.0);
    let ideal = floor + 1.8 * 4.8;
    assert!(s.area_m2 > 0.998 * ideal && s.area_m2 < 1.0005 * ideal, "{} of {ideal}", s.area_m2);
    assert_eq!(s.agents, ["default"]);
    assert_eq!((s.rooms, s.doors, s.tiles.cached), (0, 0, 0));
    assert_eq!(s.bytes, baked.bytes.len() as u64);
    assert_eq!(s.hash, blake3::hash(&baked.bytes).to_hex().to_string());
    let mesh_count = open(&baked).decode(0).unwrap().leak().polygon_count();
    assert_eq!(u64::from(mesh_count), s.polygons);
}

#[test]
fn navmeshes_that_a_bake_hands_over_are_those_of_its_file() {
    let agents = "[[agent]]\n[[agent]]\nname = \"wide\"\nradius = 0.9\n";
    let tables = "tables.budget = \"labels\"\n";
    let link = "[[link]]\nname = \"rope\"\nfrom = [1, 0, 1]\nto = [8, 0, 8]\ntwo_way = true\n";
    let rooms = "[rooms]\nenabled = true\n";
    let mut handed_over = 0;
    for config in ["", "findings = false\n", agents, tables, link, rooms] {
        let baked = baked(boxes().source(), config);
        let blob = open(&baked);
        for (class, mesh) in (0..).zip(&baked.meshes) {
            assert!(*mesh == blob.decode(class).unwrap(), "class {class} of {config:?}");
            handed_over += 1;
        }
        let none_or_all = [0, usize::from(blob.class_count())];
        assert!(none_or_all.contains(&baked.meshes.len()));
        // A usual bake has them.
        assert!(!config.is_empty() || baked.meshes.len() == 1);
    }
    assert!(handed_over >= 3, "{handed_over}");
}

#[test]
fn a_ramp_joins_two_storeys_and_without_it_they_are_apart() {
    let with = baked(storeys().source(), "");
    assert_eq!(with.summary.islands, 1, "{:?}", with.summary);
    let rule = "[[rule]]\nnode = \"ramp\"\nrole = \"ignored\"";
    let without = baked(storeys().source(), rule);
    assert_eq!(without.summary.islands, 2, "{:?}", without.summary);
}

#[test]
fn neither_threads_nor_the_order_of_triangles_changes_a_byte() {
    for (name, scene) in [("boxes", boxes()), ("storeys", storeys()), ("bridge", bridge())] {
        let scene = scene.marker("b", [1.0, 0.0, 1.0]).marker("a", [2.0, 0.0, 1.0]);
        // Small tiles, so that there are many.
        let config = Config::parse("cell = 0.05").unwrap();
        let one = bake(scene.clone().source(), &config, &threads(1)).unwrap();
        let two = bake(scene.clone().source(), &config, &threads(2)).unwrap();
        assert!(one.summary.tiles.total > 1, "{name}");
        assert!(one.bytes == two.bytes, "{name}: threads");
        for seed in 1..4 {
            let source = scene.clone().shuffled(seed);
            let other = bake(source, &config, &threads(2)).unwrap();
            assert!(one.bytes == other.bytes, "{name}: order {seed}");
        }
    }
}

#[test]
fn a_grid_map_keeps_its_area_and_its_regions() {
    let rows = ["..#.", "..#.", "##..", "...#"];
    let baked = baked(map(&rows), "");
    // Corner contact joins nothing: the upper left block is alone.
    assert_eq!(baked.summary.area_m2, 11.0);
    assert_eq!(baked.summary.islands, 2);
    let blob = open(&baked);
    assert_eq!(blob.agent("default").unwrap().radius, 0.0);
    assert!(blob.config().contains("radius = 0.0"), "{}", blob.config());
}

#[test]
fn a_grid_map_with_a_radius_is_refused_in_words() {
    let config = Config::parse("[[agent]]\nradius = 0.4").unwrap();
    let error = bake(map(&["..", ".."]), &config, &threads(1)).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("points only"), "{error}");
}

#[test]
fn small_islands_go_unless_a_marker_or_a_seed_stands_on_them() {
    let plain = baked(bridge().source(), "min_region = 3");
    let all = baked(bridge().source(), "min_region = 0");
    assert_eq!(all.summary.islands, plain.summary.islands + 1);
    let report = plain.summary.warnings.iter().find(|w| w.code == "small-islands");
    let report = report.expect("what was left out is reported");
    assert!(report.message.starts_with("1 island "), "{report:?}");
    assert!(report.place.is_some_and(|[x, ..]| (3.0..4.0).contains(&x)), "{report:?}");
    // The marker floats above the slab, as spawn points do.
    let marked = bridge().marker("spawn", [4.0, 5.0, 4.0]);
    let marked = baked(marked.source(), "min_region = 3");
    assert_eq!(marked.summary.islands, all.summary.islands);
    assert_eq!(open(&marked).markers().count(), 1);
}

#[test]
fn seeds_keep_only_what_they_reach() {
    let by_point = baked(bridge().source(), "seeds = [[12, 0, 5]]");
    assert_eq!(by_point.summary.islands, 1);
    assert!(codes(&by_point).contains(&"islands-without-seed"));
    let scene = bridge().marker("start", [12.0, 4.0, 12.0]);
    let by_name = baked(scene.clone().source(), "seeds = [\"start\"]");
    assert_eq!(by_name.summary.islands, 1);
    assert!(by_name.summary.area_m2 < by_point.summary.area_m2);
    let config = Config::parse("seeds = [\"stat\"]").unwrap();
    let error = bake(scene.source(), &config, &threads(1)).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("did you mean `start`?"), "{error}");
    let off = baked(bridge().source(), "seeds = [[12, 0, 5], [500, 0, 0]]");
    assert!(codes(&off).contains(&"seed-off-mesh"));
}

#[test]
fn several_agents_have_a_navmesh_each_and_alike_ones_share() {
    let config = r#"
        [[agent]]
        name = "small"
        radius = 0.3
        [[agent]]
        name = "large"
        radius = 1.2
        [[agent]]
        name = "twin"
        radius = 0.3
    "#;
    let baked = baked(boxes().source(), config);
    assert_eq!(baked.summary.agents, ["small", "large", "twin"]);
    let blob = open(&baked);
    assert_eq!(blob.class_count(), 2);
    let class = |name: &str| blob.agent(name).unwrap().class;
    assert_eq!((class("small"), class("large"), class("twin")), (0, 1, 0));
}

#[test]
fn a_designers_floor_is_taken_as_it_is() {
    let floor = Builder::new()
        .part("level/rock")
        .solid([-5.0, -1.0, -5.0], [25.0, -0.2, 25.0])
        .part("level/nav_floor")
        .quad([[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]])
        .quad([[4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [9.0, 1.0, 4.0], [9.0, 1.0, 0.0]]);
    let config = "surface = \"floor\"\n[[rule]]\nnode = \"nav_*\"\nrole = \"floor\"";
    let baked = baked(floor.source(), config);
    assert_eq!(baked.summary.area_m2, 36.0);
    assert_eq!(baked.summary.islands, 1);
}

#[test]
fn a_level_without_ground_is_bad_input_with_the_likely_reason() {
    let wall =
        Builder::new().quad([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 9.0, 0.0], [0.0, 9.0, 0.0]]);
    let ceiling =
        Builder::new().quad([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.0, 9.0], [0.0, 0.0, 9.0]]);
    for (scene, reason) in
        [(wall, "check `up`"), (ceiling, "check `winding`"), (Builder::new(), "no triangles")]
    {
        let source = scene.clone().source();
        let error = bake(source, &Config::default(), &threads(1)).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(error.to_string().contains(reason), "{error}");
        let empty = baked(scene.source(), "allow_empty = true");
        assert_eq!(empty.summary.polygons, 0);
        assert!(!codes(&empty).is_empty());
        open(&empty);
    }
}

#[test]
fn when_a_setting_removes_every_island_the_refusal_names_it_with_numbers() {
    let map_rows = ["..#.", "..#.", "##..", "...#"];
    for (source, config, parts) in [
        (
            boxes().source(),
            "min_region = 5000",
            ["largest of the 2 islands has 306.", "`min_region` is 5000 m2"],
        ),
        (
            boxes().source(),
            "min_region = 1e12",
            ["largest of the 2 islands has 306.", "`min_region` is 1e12 m2"],
        ),
        (
            boxes().source(),
            "seeds = [[300, 0, 300], [0, 50, 0]]",
            ["none of the 2 seeds is on walkable ground", "move `seeds`"],
        ),
        (
            map(&map_rows),
            "min_region = 50",
            ["largest of the 2 islands has 7.000 m2", "`min_region` is 50 m2"],
        ),
        (
            map(&map_rows),
            "seeds = [[300, 0, 300]]",
            ["the seed is not on walkable ground", "move `seeds`"],
        ),
        (map(&["##", "##"]), "", ["the map has no free cell", ""]),
    ] {
        let config = Config::parse(config).unwrap();
        let error = bake(source, &config, &threads(1)).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(!text.contains("is there room"), "{text}");
    }
}

#[test]
fn an_absurdly_distant_origin_is_refused_without_hundreds_of_digits() {
    let config = Config::parse("origin = [1e300, 0, 0]").unwrap();
    let error = bake(boxes().source(), &config, &threads(1)).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(text.contains("(1e300, 0, 0)"), "{text}");
    assert!(text.len() < 300, "{text}");
}

#[test]
fn what_is_drawn_is_what_is_baked_though_the_file_changes_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("floor.obj");
    let floor = |side: u32| format!("v 0 0 0\nv 0 0 {side}\nv {side} 0 0\nf 1 2 3\n");
    let mut earlier = EarlierInput::default();
    for side in [8, 9] {
        std::fs::write(&path, floor(side)).unwrap();
        let open = |earlier| BakeInput::open_to_draw(&path, &Config::default(), earlier).unwrap();
        let jobs = [open(None), open(Some(&mut earlier))];
        std::fs::write(&path, "broken").unwrap();
        for job in jobs {
            let scene = job.scene().unwrap();
            assert_eq!(scene.vertices[2], [f64::from(side), 0.0, 0.0]);
            let level = job.level();
            let most = level.vertices.iter().map(|p| p.x).max().unwrap();
            assert_eq!(f64::from(most), f64::from(side) * level.grid.units());
        }
    }
}

#[test]
fn an_output_is_up_to_date_until_level_or_config_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.nav");
    let config = Config::default();
    let job = BakeInput::new(boxes().source(), &config).unwrap();
    assert!(!job.up_to_date(&path), "there is none");
    let first = job.bake(&threads(1)).unwrap();
    output::write_whole(&path, &first.bytes).unwrap();
    assert!(job.up_to_date(&path));
    assert!(BakeInput::new(boxes().shuffled(5), &config).unwrap().up_to_date(&path));
    assert!(!BakeInput::new(bridge().source(), &config).unwrap().up_to_date(&path));
    let other = Config::parse("min_region = 1").unwrap();
    assert!(!BakeInput::new(boxes().source(), &other).unwrap().up_to_date(&path));
    let mut damaged = first.bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    output::write_whole(&path, &damaged).unwrap();
    assert!(!job.up_to_date(&path), "a damaged file is baked again");
}

#[test]
fn an_output_that_readers_would_refuse_is_baked_again() {
    // CRC-32C of all bytes but its own four.
    let checksum = |bytes: &[u8]| {
        let mut crc = u32::MAX;
        for byte in bytes[..32].iter().chain(&bytes[36..]) {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = crc >> 1 ^ (0x82f6_3b78 & 0u32.wrapping_sub(crc & 1));
            }
        }
        !crc
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.nav");
    let job = BakeInput::new(boxes().source(), &Config::default()).unwrap();
    let whole = job.bake(&threads(1)).unwrap().bytes;
    let mut refused = 0;
    // With the right hashes and the right checksum, as if another version had written it.
    for at in (whole.len() / 2..whole.len()).step_by(7) {
        let mut other = whole.clone();
        other[at] ^= 0x40;
        let sum = checksum(&other);
        other[32..36].copy_from_slice(&sum.to_le_bytes());
        let sound = navbake_format::Blob::open(&other).is_ok_and(|blob| {
            assert_eq!(blob.verify_checksum(), Ok(()));
            blob.validate().is_ok()
        });
        refused += usize::from(!sound);
        output::write_whole(&path, &other).unwrap();
        assert_eq!(job.up_to_date(&path), sound, "byte {at}");
    }
    assert!(refused > 5);
}

#[test]
fn progress_counts_every_tile_and_names_every_stage() {
    let config = Config::default();
    let job = BakeInput::new(bridge().source(), &config).unwrap();
    let (calls, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let note = |p: Progress| {
        calls.fetch_add(1, Ordering::Relaxed);
        if p.stage == "walkable" {
            most.fetch_max(p.done, Ordering::Relaxed);
        }
        assert!(p.done <= p.total);
    };
    let options = Options { threads: 2, progress: Some(&note), ..Options::default() };
    let forecast = job.forecast(&options).unwrap();
    let baked = job.bake(&options).unwrap();
    assert_eq!(most.into_inner() as u64, baked.summary.tiles.total);
    assert_eq!(forecast.tiles as u64, baked.summary.tiles.total);
    assert!(calls.into_inner() > 8);
    let total: f64 = baked.timings.stages.iter().map(|s| s.wall).sum();
    assert_eq!(baked.summary.seconds.total, total);
    assert!((0.0..=1.0).contains(&baked.timings.serial_share));
    assert_eq!(baked.timings.threads, 2);
}

#[test]
fn the_summary_has_the_keys_of_the_contract() {
    let baked = baked(boxes().source(), "[[rule]]\nnode = \"none\"\nrole = \"ignored\"");
    let json = serde_json::to_value(&baked.summary).unwrap();
    let keys = |v: &serde_json::Value| -> Vec<String> {
        let mut keys: Vec<String> = v.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let mut expected: Vec<&str> = "output bytes hash polygons vertices portals islands rooms doors links tables area_m2 quality agents seconds peak_rss_bytes tiles warnings"
        .split(' ')
        .collect();
    expected.sort_unstable();
    assert_eq!(keys(&json), expected);
    let mut seconds: Vec<&str> =
        "import walkable mesh hierarchy tables encode total".split(' ').collect();
    seconds.sort_unstable();
    assert_eq!(keys(&json["seconds"]), seconds);
    assert_eq!(keys(&json["links"]), ["drawn", "drops", "jumps"]);
    let tables = [
        "bytes",
        "choices",
        "corners",
        "hubs",
        "landmark_bytes",
        "measured_us",
        "predicted_us",
        "search_us",
        "squares",
        "view_bytes",
        "view_share",
    ];
    assert_eq!(keys(&json["tables"]), tables);
    assert_eq!(keys(&json["tiles"]), ["baked", "cached", "total"]);
    assert_eq!(keys(&json["warnings"][0]), ["code", "message", "place", "source"]);
}

#[test]
fn a_bake_encodes_its_meshes_once_and_decodes_them_once_at_most() {
    let runs = |text: &str| {
        let config = Config::parse(text).unwrap();
        let baked = bake(storeys().source(), &config, &threads(1)).unwrap();
        ["encode", "decode"].map(|name| {
            let stage = baked.timings.stages.iter().find(|s| s.stage == name);
            stage.map_or(0, |s| s.runs)
        })
    };
    let no_tables = "[tables]\nbudget = \"none\"\n";
    let rooms = "sources = true\n[rooms]\nenabled = true\n";
    let link = "[[link]]\nfrom = [2.0, 0.0, 2.0]\nto = [3.0, 0.0, 3.0]\n";
    // The meshes, and all other sections. They are decoded for the first stage that searches.
    assert_eq!(runs(no_tables), [2, 0]);
    assert_eq!(runs(""), [2, 1]);
    assert_eq!(runs(rooms), [2, 1]);
    // Once more with the links that are drawn, and with those that are found.
    assert_eq!(runs(&format!("{rooms}{link}")), [3, 2]);
    let found = "[[agent]]\ndrop = 4.0\njump = 2.0\n";
    let both = runs(&format!("{rooms}{link}{found}"));
    assert!(both[0] <= 4 && both[1] <= 3, "{both:?}");
}

/// Four floors in a row, with gaps of 3 m between them.
fn floors_apart() -> Builder {
    let floor = |b: Builder, x: f64, y: f64| b.solid([x, y - 1.0, 0.0], [x + 8.0, y, 8.0]);
    let level = floor(floor(Builder::new(), 0.0, 0.0), 11.0, 0.0);
    floor(floor(level, 22.0, 0.0), 33.0, 0.0)
}

#[test]
fn what_a_seed_reaches_over_links_is_kept_with_the_links() {
    let one_way = "[[link]]\nfrom = [6, 0, 4]\nto = [13, 0, 4]\n";
    let back = "[[link]]\nfrom = [24, 0, 4]\nto = [17, 0, 4]\n";
    let on = "[[link]]\nfrom = [17, 0, 4]\nto = [24, 0, 4]\n";
    for (links, islands, placed) in [
        ("", 1, 0),
        (one_way, 2, 1),
        (&*format!("{one_way}{on}"), 3, 2),
        // The third floor only leads to the second one.
        (&*format!("{one_way}{back}"), 2, 1),
    ] {
        let baked = baked(floors_apart().source(), &format!("seeds = [[4, 0, 4]]\n{links}"));
        let found = (baked.summary.islands, baked.summary.links.drawn);
        assert_eq!(found, (islands, placed), "{links}");
    }
}

#[test]
fn links_reach_on_from_a_seed_for_an_agent_that_may_use_them_all() {
    let agents = "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\n";
    let link = |from: f64, to: f64, agent: &str| {
        format!("[[link]]\nfrom = [{from}, 0, 4]\nto = [{to}, 0, 4]\nagents = [\"{agent}\"]\n")
    };
    for (second, islands) in [("a", 3), ("b", 2)] {
        let links = link(6.0, 13.0, "a") + &link(17.0, 24.0, second);
        let config = format!("seeds = [[4, 0, 4]]\n{agents}{links}");
        let baked = baked(floors_apart().source(), &config);
        assert_eq!(baked.summary.islands, islands, "{second}");
    }
}

#[test]
fn what_a_seed_reaches_by_jumps_is_kept() {
    let jumper = "[[agent]]\nname = \"a\"\njump = 4.5\n";
    let baked = baked(floors_apart().source(), &format!("seeds = [[4, 0, 4]]\n{jumper}"));
    assert_eq!(baked.summary.islands, 4);
    assert!(baked.summary.links.jumps > 0);
}
