//! What a mesh says of greater radii, against the mesh that is baked for them.

use std::path::Path;

use crate::scenes::Builder;
use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;
use navbake_search::around::Random;
use navbake_search::{NavQuery, Scratch};

const AGENTS: &str = "[[agent]]\nname = \"slim\"\nradius = 0.3\n[[agent]]\nname = \"middle\"\nradius = 0.6\n[[agent]]\nname = \"broad\"\nradius = 0.9\n";
/// Borders are drawn into the ground by at most this, m: the slim agent's mesh may show less
/// room by that.
const NEAR: f64 = 0.098;

#[test]
fn a_slim_agents_mesh_knows_where_broader_ones_fit() {
    let level =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/courtyard/courtyard.obj");
    let config = Config::parse(AGENTS).unwrap();
    let baked = bake_file(&level, &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let agents: Vec<_> = blob.agents().collect();
    let meshes: Vec<_> = agents.iter().map(|a| blob.decode(a.class).unwrap()).collect();
    let queries: Vec<_> = meshes.iter().map(|nav| NavQuery::new(nav.mesh())).collect();
    let slim = queries[0];
    assert_eq!(agents[0].name, "slim");
    let mut flood = Scratch::new();
    let mut sums = vec![0; slim.mesh().polygon_count() as usize];
    let areas = slim.areas(&mut sums).unwrap();
    let mut random = Random::new(5);
    let (mut fits, mut not) = (0, 0);
    for _ in 0..4000 {
        let at = slim.random_place(&areas, &mut random).unwrap();
        let p = at.position();
        let room = slim.wall_distance(&at, 2.0, &mut flood).distance + 0.3;
        // On the same storey: half a metre up and down.
        for (agent, query) in agents.iter().zip(&queries) {
            let found = query.end(p, [0.0, 0.5, 0.0]);
            if (room - agent.radius).abs() < NEAR {
                continue;
            }
            let wide = slim.fits(&at, agent.radius - 0.3, &mut flood);
            assert_eq!(wide, room > agent.radius);
            assert_eq!(found.is_some(), wide, "{} at {p:?}: room for {room}", agent.name);
            fits += usize::from(wide);
            not += usize::from(!wide);
        }
    }
    assert!(fits > 4000 && not > 300, "{fits}, {not}");
}

#[test]
fn a_doorway_of_exactly_two_radii_is_closed_wherever_it_is_on_the_grid() {
    let islands = |off: f64, width: f64| {
        let (left, right) = (off + 4.9, off + 5.1);
        let level = Builder::new()
            .solid([off, -0.2, 0.0], [off + 10.0, 0.0, 10.0])
            .solid([left, 0.0, 0.0], [right, 3.0, 4.0 + off])
            .solid([left, 0.0, 4.0 + off + width], [right, 3.0, 10.0]);
        let config = Config::parse("[[agent]]\nradius = 0.6\n").unwrap();
        let baked = navbake_bake::bake(level.source(), &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        blob.decode(0).unwrap().mesh().island_count()
    };
    for off in [0.0, 0.1, 0.13, 0.2003, 0.3337, 0.4441, 0.5, 0.7777, 0.9999] {
        assert_eq!((islands(off, 1.2), islands(off, 1.21)), (2, 1), "{off}");
    }
}
