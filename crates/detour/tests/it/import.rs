//! What is read: files of the crate's own writer, and files like Recast's.

use navbake_bake::Config;
use navbake_bake::config::AgentConfig;
use navbake_detour::{Settings, read, write};
use navbake_format::NavMeshBuf;
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};

use crate::{LEVELS, baked, filter, imported, pairs};

/// A config with the agent of a navmesh.
fn config(nav: &NavMeshBuf) -> Config {
    let mesh = nav.mesh();
    let agent = mesh.file().agents().next().unwrap();
    let own = AgentConfig {
        name: agent.name.into(),
        radius: Some(agent.radius),
        height: agent.height,
        climb: agent.climb,
        ..AgentConfig::default()
    };
    Config { agents: vec![own], ..Config::default() }
}

fn area(nav: &NavMeshBuf) -> f64 {
    let mesh = nav.mesh();
    let doubled: f64 = mesh
        .polygons()
        .map(|p| {
            let at = |k: u32| p.corner(k % p.len()).map(f64::from);
            (1..p.len() - 1)
                .map(|k| {
                    let [a, b, c] = [at(0), at(k), at(k + 1)];
                    (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1])
                })
                .sum::<f64>()
        })
        .sum();
    doubled / 2.0 / mesh.grid().units().powi(2)
}

#[test]
fn out_and_in_again_has_the_same_ground_and_shortest_paths() {
    for level in LEVELS {
        let nav = baked(level);
        let usual = Settings::new(&nav.mesh(), 0);
        let known = pairs(&nav, 300);
        for settings in [
            usual.clone(),
            Settings { piece_size: None, ..usual.clone() },
            Settings { tile_size: Some(16.0), ..usual },
        ] {
            let file = write(&nav.mesh(), &settings).unwrap();
            let back = imported(&file.bytes, &config(&nav));
            let [was, is] = [&nav, &back].map(area);
            assert!((was - is).abs() < 1e-3 * was, "{level:?}: {was} m2, {is} m2");
            let filter = filter(&back);
            let query = NavQuery::new(back.mesh()).with_filter(&filter);
            let mut scratch = Scratch::new();
            let mut reached = 0;
            for (from, to, length) in &known {
                let request =
                    PathRequest::new(from.position(), to.position()).algorithm(Algorithm::Optimal);
                let path = query.find_path(&request, &mut scratch).unwrap();
                assert_eq!(
                    path.status == Status::Reached,
                    length.is_some(),
                    "{level:?}: {from:?} {to:?}"
                );
                // Detour's connections have no cost of their own, so other links pay off there.
                let has_link_costs = level == LEVELS[3] || level == LEVELS[4];
                if let Some(length) = length.filter(|_| !has_link_costs) {
                    reached += 1;
                    let off = (path.length_xz - length).abs();
                    assert!(off < 0.01 + 1e-3 * length, "{level:?}: {length} {}", path.length_xz);
                }
            }
            assert!(
                reached > 50 || level == LEVELS[3] || level == LEVELS[4],
                "{level:?}: {reached}"
            );
        }
    }
}

#[test]
fn both_widths_of_references_read_the_same() {
    let nav = baked(LEVELS[2]);
    let usual = Settings { tile_size: Some(16.0), ..Settings::new(&nav.mesh(), 0) };
    let wide = Settings { refs: navbake_detour::RefWidth::Bits64, ..usual.clone() };
    let [one, other] =
        [usual, wide].map(|s| read(&write(&nav.mesh(), &s).unwrap().bytes).unwrap().ground());
    assert_eq!(one, other);
}

#[test]
fn areas_get_the_names_of_the_table() {
    let nav = baked(LEVELS[3]);
    let file = write(&nav.mesh(), &Settings::new(&nav.mesh(), 0)).unwrap();
    let mut config = config(&nav);
    config.detour = Config::parse("[detour.areas]\nriver = { number = 1 }").unwrap().detour;
    let back = imported(&file.bytes, &config);
    let names: Vec<String> = back.mesh().file().areas().map(|a| a.name.into()).collect();
    assert!(names.contains(&"river".into()), "{names:?}");
    assert!(names.contains(&"area3".into()), "{names:?}");
    let river = back.mesh().file().areas_named("river");
    assert!(back.mesh().polygons().any(|p| river >> back.mesh().area(p.id()).0 & 1 == 1));
}

#[test]
fn rooms_work_on_what_was_read() {
    let nav = baked(("rooms/castle.obj", ""));
    let file = write(&nav.mesh(), &Settings::new(&nav.mesh(), 0)).unwrap();
    let mut config = config(&nav);
    config.rooms.enabled = true;
    let back = imported(&file.bytes, &config);
    assert!(back.mesh().rooms().unwrap().count() > 1);
}

#[test]
fn volumes_and_clearance_are_refused_for_given_polygons() {
    let nav = baked(LEVELS[0]);
    let file = write(&nav.mesh(), &Settings::new(&nav.mesh(), 0)).unwrap();
    let ground = read(&file.bytes).unwrap().ground();
    for (text, key) in [
        (
            "[[area]]\nname = \"mud\"\n[[volume]]\nbox = [[0, 0, 0], [1, 1, 1]]\narea = \"mud\"",
            "volume",
        ),
        ("[[field]]\npoints = [[0, 0, 0]]\nrange = 1.0", "field"),
        ("[clearance]\nrange = 1.0", "clearance"),
    ] {
        let config = Config::parse(text).unwrap();
        let level = navbake_detour::level(ground.clone(), &config.detour, "level.bin".as_ref());
        let error = navbake_bake::BakeInput::given(level, &config).unwrap_err().to_string();
        assert!(error.contains(key), "{error}");
    }
}
