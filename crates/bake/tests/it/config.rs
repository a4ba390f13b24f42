//! Faults of a config are found and named.

use navbake_bake::BakeInput;
use navbake_bake::config::{Config, Seed, Surface, Up};
use navbake_level::{Marker, Part, Role, Scene, Source, Winding};

fn parse_fault(text: &str) -> String {
    Config::parse(text).unwrap_err().to_string()
}

fn value_fault(text: &str) -> String {
    let config = Config::parse(text).unwrap();
    config.resolved(false).unwrap_err().to_string()
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
    let text = parse_fault("up = \"z\"\nscale = 2\n\n[[agent]]\nname = \"a\"\nheigth = 2.0\n");
    assert!(text.contains("line 6"), "{text}");
    assert!(text.contains("`heigth`") && text.contains("did you mean `height`?"), "{text}");
    let text = parse_fault("min_regoin = 1.0\n");
    assert!(text.contains("line 1") && text.contains("`min_region`"), "{text}");
    let text = parse_fault("[[rule]]\nnode = \"a\"\nroles = \"ground\"\n");
    assert!(text.contains("line 3") && text.contains("`role`"), "{text}");
    let text = parse_fault("[tables]\nbudgte = \"none\"\n");
    assert!(text.contains("line 2") && text.contains("`budget`"), "{text}");
}

#[test]
fn an_unknown_value_is_named_with_the_nearest_known_one() {
    let text = parse_fault("surface = \"flor\"\n");
    assert!(text.contains("line 1") && text.contains("did you mean `floor`?"), "{text}");
    let text = parse_fault("[[rule]]\nnode = \"a\"\nrole = \"obstcale\"\n");
    assert!(text.contains("`obstacle`"), "{text}");
}

#[test]
fn a_value_of_the_wrong_kind_is_an_error_with_its_line() {
    let text = parse_fault("up = \"y\"\ncell = \"small\"\n");
    assert!(text.contains("line 2"), "{text}");
    assert!(parse_fault("up = \n").contains("line 1"));
}

#[test]
fn an_error_in_a_file_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.toml");
    std::fs::write(&path, "scael = 1.0\n").unwrap();
    let error = Config::load(&path).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("bake.toml:1: "), "{error}");
    std::fs::write(&path, "scale = -1.0\n").unwrap();
    let error = Config::load(&path).unwrap().resolved(false).unwrap_err();
    assert!(error.to_string().contains("bake.toml:1: `scale`"), "{error}");
    let error = Config::load(&folder.path().join("none.toml")).unwrap_err();
    assert_eq!(error.exit_code(), 4);
}

#[test]
fn a_seed_without_a_marker_names_the_file_and_the_markers_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.toml");
    let level = folder.path().join("level.map");
    std::fs::write(&level, "type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
    std::fs::write(&path, "seeds = [\"spawn\"]\n").unwrap();
    let config = Config::load(&path).unwrap();
    let error = BakeInput::open(&level, &config).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let text = error.to_string();
    assert!(text.contains("bake.toml:1: `seeds[0]`"), "{text}");
    assert!(text.contains("no markers at all"), "{text}");
    let marked = |names: &[&str]| {
        let markers = names.iter().map(|name| Marker { name: (*name).into(), position: [0.0; 3] });
        let scene = Scene {
            vertices: vec![[0.0; 3], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2]],
            triangle_parts: vec![0],
            parts: vec![Part::default()],
            markers: markers.collect(),
            ..Scene::default()
        };
        let error = BakeInput::new(Source::Scene(scene), &config).unwrap_err();
        error.to_string()
    };
    let text = marked(&["exit", "spwan"]);
    assert!(text.contains("did you mean `spwan`?"), "{text}");
    let text = marked(&["exit", "treasure"]);
    assert!(
        text.contains("its markers are `exit`, `treasure`") && !text.contains("did you mean"),
        "{text}"
    );
}

#[test]
fn a_seed_of_the_wrong_kind_is_refused_with_what_a_seed_is() {
    for seeds in ["[[1, 2]]", "[5]", "[[1, 2, 3, 4]]", "[[1, 2, \"x\"]]"] {
        let text = parse_fault(&format!("up = \"y\"\nseeds = {seeds}\n"));
        assert!(
            text.contains("line 2") && text.contains("three numbers") && text.contains("marker"),
            "{text}"
        );
    }
}

#[test]
fn a_hint_is_given_only_for_a_slip_or_a_key_of_an_agent() {
    let text = parse_fault("gravity = 9.81\n");
    assert!(text.contains("`gravity`; known: ") && !text.contains("did you mean"), "{text}");
    for key in ["radius", "height", "climb", "slope"] {
        let text = parse_fault(&format!("{key} = 1.0\n"));
        assert!(
            text.contains("it is a key of [[agent]]") && !text.contains("did you mean"),
            "{text}"
        );
    }
}

#[test]
fn a_config_that_is_not_utf8_is_a_fault_of_the_config() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.toml");
    std::fs::write(&path, b"up = \"y\"\n# \xff\n").unwrap();
    let error = Config::load(&path).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("bake.toml:2: "), "{error}");
    assert!(error.to_string().contains("UTF-8"), "{error}");
}

#[test]
fn values_out_of_range_are_refused() {
    for (text, expected) in [
        ("[[agent]]\nradius = -0.1", "radius -0.1"),
        ("[[agent]]\nradius = nan", "finite"),
        ("[[agent]]\nheight = inf", "finite"),
        ("[[agent]]\nclimb = 1.0\nheight = 2.0", "less than half"),
        ("[[agent]]\nslope = 90", "slope 90"),
        ("[[agent]]\nname = \"\"", "empty `name`"),
        ("[[agent]]\nname = \"a\"\n[[agent]]\nname = \"a\"", "two agents are called `a`"),
        ("scale = 0", "`scale`"),
        ("scale = nan", "`scale`"),
        ("cell = 0.0", "`cell`"),
        ("cell = inf", "`cell`"),
        ("height_error = -1", "`height_error`"),
        ("min_region = -2", "`min_region`"),
        ("min_region = nan", "`min_region`"),
        ("bounds = [[0, 0, 0], [1, 0, 1]]", "`bounds`: along y"),
        ("bounds = [[nan, 0, 0], [1, 1, 1]]", "`bounds`: along x"),
        ("origin = [inf, 0, 0]", "`origin`"),
        ("seeds = [[0, 0, nan]]", "`seeds[0]`"),
        ("[[rule]]\nrole = \"ignored\"", "no pattern"),
    ] {
        let fault = value_fault(text);
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn a_huge_number_is_shown_as_a_power_of_ten() {
    for (text, expected) in [
        ("min_region = -1e200", "-1e200 m2"),
        ("height_error = -1e300", "-1e300 m"),
        ("bounds = [[2e250, 0, 0], [1e250, 1, 1]]", "from 2e250 to 1e250"),
        ("[[agent]]\nradius = 1e300", "radius 1e300"),
        ("[[agent]]\nclimb = -1e300", "climb -1e300"),
    ] {
        let fault = value_fault(text);
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn what_is_asked_of_a_level_is_judged() {
    for (text, line, expected) in [
        ("[check]\nmust_reech = []\n", "line 2", "did you mean `must_reach`?"),
        ("[check]\n\nmust_reach = [[\"a\"]]\n", "line 3", "[\"from\", \"to\"]"),
        ("[check.severity]\nsliver = \"of\"\n", "line 2", "did you mean `off`?"),
        ("[[check.ignore]]\nrul = \"sliver\"\n", "line 2", "did you mean `rule`?"),
    ] {
        let fault = parse_fault(text);
        assert!(fault.contains(line) && fault.contains(expected), "{text}: {fault}");
    }
    for (text, line, expected) in [
        ("[check]\nmin_island = -1\n", "line 2", "`check.min_island` is -1 m2"),
        ("[check]\nwidths = [1.0,\n inf]\n", "line 3", "`check.widths[1]`"),
        (
            "[check]\nmust_reach = [{ from = \"a\", to = \"b\", most = nan }]\n",
            "line 2",
            "`check.must_reach[0].most`",
        ),
        ("[check]\nstarts = [[0, 0, inf]]\n", "line 2", "`check.starts[0]`"),
    ] {
        let fault = value_fault(text);
        assert!(fault.contains(line) && fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn budgets_that_are_none_are_refused() {
    for budget in ["much", "8 miles", "-1"] {
        let fault = value_fault(&format!("[tables]\nbudget = \"{budget}\""));
        assert!(fault.contains(budget) && fault.contains("\"labels\""), "{fault}");
    }
    let fault = value_fault("[tables]\nbudget = \"none\"\nrequire = \"labels\"");
    assert!(fault.contains("give them room"), "{fault}");
    let usual = Config::parse("[tables]\nrequire = \"labels\"").unwrap();
    assert!(usual.resolved(false).is_ok());
}

#[test]
fn every_key_is_read() {
    let config = Config::parse(
        r#"
        up = "z"
        scale = 2
        cell = 0.25
        surface = "floor"
        height_error = 0.2
        min_region = 5
        seeds = [[1, 2, 3], "spawn"]
        winding = "both"
        bounds = [[-1, -2, -3], [1, 2, 3]]
        origin = [1, 0, 0]
        nonfinite = "drop"
        allow_empty = true
        [tables]
        budget = "none"
        [[agent]]
        name = "big"
        radius = 2
        height = 4
        climb = 1
        slope = 30
        [[rule]]
        material = "sky*"
        ignore_case = true
        role = "ignored"
        "#,
    )
    .unwrap();
    assert_eq!((config.up, config.scale), (Up::Z, 2.0));
    assert_eq!((config.cell, config.surface), (Some(0.25), Surface::Floor));
    assert_eq!((config.height_error, config.min_region), (0.2, Some(5.0)));
    let seeds = [Seed::Point([1.0, 2.0, 3.0]), Seed::Marker("spawn".into())];
    assert_eq!(config.seeds, seeds);
    assert_eq!(config.winding, Winding::Both);
    assert_eq!(config.bounds, Some([[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]]));
    assert_eq!(config.origin, Some([1.0, 0.0, 0.0]));
    assert!(config.allow_empty);
    assert_eq!(config.agents[0].radius, Some(2.0));
    assert_eq!(config.rules[0].role, Some(Role::Ignored));
    // The config in the file can be read back and has the same meaning.
    let resolved = config.resolved(false).unwrap();
    assert_eq!(Config::parse(&resolved.effective()).unwrap(), resolved);
    assert_eq!(Config::from_brief(&resolved.brief()).unwrap(), resolved);
}

#[test]
fn the_file_holds_what_differs_from_the_defaults_and_the_whole_comes_back() {
    let resolved = |text: &str, map: bool| Config::parse(text).unwrap().resolved(map).unwrap();
    assert_eq!(resolved("", false).brief(), "");
    let given = resolved("height_error = 0.25\nup = \"y\"", false);
    assert_eq!(given.brief(), "height_error = 0.25\n");
    let agents = "[[agent]]\nname = \"elf\"\n[[agent]]\nname = \"orc\"\nradius = 1.0";
    for config in [given, resolved("", true), resolved(agents, true), resolved(agents, false)] {
        assert_eq!(Config::from_brief(&config.brief()).unwrap(), config);
    }
}

#[test]
fn old_names_of_keys_are_read_in_files_and_voxel_everywhere() {
    let old = "surface = \"voxel\"\n[rooms]\nfind = true\nmax_field = 20.0\n[auto_links]\nmost = 7\nmost_in_cube = 2\n[check]\nshort_by = 0.2\nlonger_by = 0.1\n";
    let new = "surface = \"generate\"\n[rooms]\nenabled = true\nmax_room_area = 20.0\n[auto_links]\nmax_links = 7\nmax_links_per_cube = 2\n[check]\nwidth_tolerance = 0.2\nlength_tolerance = 0.1\n";
    let new = Config::parse(new).unwrap().resolved(false).unwrap();
    assert_eq!(Config::from_brief(old).unwrap(), new);
    assert!(Config::parse(old).is_err());
    let voxel = Config::parse("surface = \"voxel\"").unwrap();
    assert_eq!(voxel, Config::parse("surface = \"generate\"").unwrap());
}

#[test]
fn areas_volumes_links_weights_and_terrain_come_back_from_the_file() {
    for name in ["battlefield", "crossing"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/");
        let config = Config::load(format!("{root}{name}/bake.toml").as_ref()).unwrap();
        let resolved = config.resolved(true).unwrap();
        assert_ne!(resolved.effective(), "");
        let mut back = Config::from_brief(&resolved.brief()).unwrap();
        back.file.clone_from(&resolved.file);
        assert_eq!(back, resolved, "{name}");
        let mut whole = Config::parse(&resolved.effective()).unwrap();
        whole.file.clone_from(&resolved.file);
        assert_eq!(whole, resolved, "{name}");
    }
}

#[test]
fn defaults_follow_the_kind_of_input() {
    let config = Config::default();
    let level = config.resolved(false).unwrap();
    let map = config.resolved(true).unwrap();
    assert_eq!(level.agent_list()[0].radius, 0.6);
    assert_eq!(level.min_region, Some(2.0));
    assert_eq!(map.agent_list()[0].radius, 0.0);
    assert_eq!(map.min_region, Some(0.0));
    assert_eq!(map.agent_list()[0].name, "default");
    let given = Config::parse("min_region = 7\n[[agent]]\nname = \"a\"\nradius = 0.3").unwrap();
    assert_eq!(given.resolved(true).unwrap().agent_list()[0].radius, 0.3);
    assert_eq!(given.resolved(true).unwrap().min_region, Some(7.0));
}
