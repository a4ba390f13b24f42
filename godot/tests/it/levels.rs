//! Files, sound and damaged.

use navbake_godot::level::Level;

use crate::support::{courtyard, office, terraces, two_classes};

#[test]
fn a_level_names_its_agents_switches_areas_and_markers() {
    let level = Level::open(office()).unwrap();
    assert_eq!(level.agents(), ["default"]);
    assert_eq!(level.areas(), ["ground"]);
    assert_eq!(level.switches(), ["a", "b", "c", "d", "e", "f", "g"]);
    assert_eq!(Level::open(terraces()).unwrap().agents(), ["cat", "dog"]);
    let file = navbake_search::NavMeshBuf::open(terraces()).unwrap();
    let markers = Level::open(terraces()).unwrap().markers();
    assert_eq!(markers.len(), file.mesh().file().markers().count());
}

#[test]
fn the_ground_of_an_agent_is_the_one_of_its_name() {
    let level = Level::open(two_classes()).unwrap();
    let area = |agent: &str| {
        let ground = level.ground(agent).unwrap();
        let query = navbake_search::NavQuery::new(ground.world().nav_mesh());
        let mut sums = vec![0; query.mesh().polygon_count() as usize];
        query.areas(&mut sums).unwrap().total()
    };
    assert!(area("thin") > area("wide"));
    let several = level.ground("").unwrap_err();
    assert!(several.contains("name the agent, one of thin, wide"), "{several}");
    let dragon = level.ground("dragon").unwrap_err();
    assert_eq!(dragon, "no agent `dragon` in the file, which has: thin, wide");
    let empty = Level::default().ground("").unwrap_err();
    assert!(empty.contains("load a file"), "{empty}");
}

#[test]
fn no_changed_bytes_make_loading_panic() {
    let bytes = courtyard();
    for length in (0..bytes.len()).step_by(97) {
        assert!(Level::open(&bytes[..length]).is_err());
    }
    // A changed file that is still accepted must have a navmesh.
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(53) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1 << (at % 8);
        match Level::open(&changed) {
            Ok(level) => assert!(level.ground("").is_ok()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > bytes.len() / 53 / 4, "{refused} were refused");
}
