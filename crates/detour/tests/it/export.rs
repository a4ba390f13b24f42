//! What is written, read by Detour's own rules.

use navbake_detour::{ExportError, RefWidth, Settings, write};
use navbake_format::NavMeshBuf;

use crate::plain::World;
use crate::{LEVELS, baked, pairs};

/// One tile and many, whole polygons and pieces, both widths of references.
fn variants(nav: &NavMeshBuf) -> Vec<Settings> {
    let usual = Settings::new(&nav.mesh(), 0);
    vec![
        usual.clone(),
        Settings { piece_size: None, ..usual.clone() },
        Settings { refs: RefWidth::Bits64, piece_size: Some(3.0), ..usual.clone() },
        Settings { tile_size: Some(16.0), ..usual.clone() },
        Settings { tile_size: Some(9.0), refs: RefWidth::Bits64, ..usual },
    ]
}

fn load(nav: &NavMeshBuf, settings: &Settings) -> World {
    let written = write(&nav.mesh(), settings).unwrap();
    let again = write(&nav.mesh(), settings).unwrap();
    assert_eq!(written.bytes, again.bytes);
    // Both readers take it.
    navbake_detour::read(&written.bytes).unwrap();
    World::load(&written.bytes, if settings.refs == RefWidth::Bits32 { 4 } else { 8 })
}

fn doubled([a, b, c]: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| p.map(f64::from));
    (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2])
}

#[test]
fn polygons_have_six_corners_at_most_and_are_convex_with_the_normal_up() {
    for level in LEVELS {
        let nav = baked(level);
        for settings in variants(&nav) {
            let world = load(&nav, &settings);
            for tile in &world.tiles {
                for poly in &tile.polys[..tile.ground] {
                    let n = poly.corners.len();
                    assert!((3..=6).contains(&n), "{level:?}: {n} corners");
                    let at = |k: usize| poly.corners[k % n];
                    let turns = (0..n).map(|k| doubled([at(k), at(k + 1), at(k + 2)]));
                    // Single precision bends a straight side by this.
                    assert!(turns.clone().all(|turn| turn > -1e-3), "{level:?}");
                    let area: f64 = (1..n - 1).map(|k| doubled([at(0), at(k), at(k + 1)])).sum();
                    assert!(area > 0.0, "{level:?}: {area}");
                    let cover: f64 = poly.detail.iter().map(|t| doubled(*t)).sum();
                    assert!((cover - area).abs() < 1e-3 + 0.01 * area, "{level:?}: {cover} {area}");
                }
            }
        }
    }
}

#[test]
fn edges_inside_of_a_tile_are_the_same_from_both_sides() {
    for level in LEVELS {
        let nav = baked(level);
        for settings in variants(&nav) {
            let world = load(&nav, &settings);
            for tile in &world.tiles {
                for (p, poly) in tile.polys[..tile.ground].iter().enumerate() {
                    let mut met = vec![];
                    for (k, &n) in poly.neighbours.iter().enumerate() {
                        if n == 0 || n & 0x8000 != 0 {
                            continue;
                        }
                        let beyond = &tile.polys[usize::from(n) - 1];
                        let flat = |ring: &[[f32; 3]], k: usize| {
                            let [x, _, z] = ring[k % ring.len()];
                            [x, z]
                        };
                        let ends = [k, k + 1].map(|k| flat(&poly.corners, k));
                        let mirrored = (0..beyond.corners.len()).any(|j| {
                            usize::from(beyond.neighbours[j]) == p + 1
                                && [j + 1, j].map(|j| flat(&beyond.corners, j)) == ends
                        });
                        assert!(mirrored, "{level:?}: polygon {p}, edge {k}");
                        // Paths would use the first of two edges to one polygon only.
                        assert!(!met.contains(&n), "{level:?}: polygon {p} leads to {n} twice");
                        met.push(n);
                    }
                }
            }
        }
    }
}

#[test]
fn detour_reaches_what_navbake_reaches_over_tiles_and_links() {
    for level in LEVELS {
        let nav = baked(level);
        let known = pairs(&nav, 400);
        let mut reached = 0;
        for settings in variants(&nav) {
            let world = load(&nav, &settings);
            for (from, to, length) in &known {
                let [a, b] = [from, to].map(|p| world.find(p.position()));
                let (a, b) = (a.expect("a place on ground").0, b.expect("a place on ground").0);
                let reaches = world.reach(a).contains(&b);
                assert_eq!(reaches, length.is_some(), "{level:?}: {from:?} {to:?}");
                reached += usize::from(reaches);
            }
        }
        assert!(reached > 100, "{level:?}: {reached}");
    }
}

#[test]
fn heights_are_those_of_the_navmesh() {
    for level in LEVELS {
        let nav = baked(level);
        for settings in variants(&nav) {
            let world = load(&nav, &settings);
            for (from, to, _) in pairs(&nav, 400) {
                for place in [from, to] {
                    let at = place.position();
                    let (_, y) = world.find(at).expect("a place on ground");
                    assert!((f64::from(y) - at[1]).abs() < 0.11, "{level:?}: {y} at {at:?}");
                }
            }
        }
    }
}

#[test]
fn links_become_connections_and_two_opposite_ones_a_single_one() {
    let nav = baked(LEVELS[4]);
    let mesh = nav.mesh();
    let written = write(&mesh, &Settings::new(&mesh, 0)).unwrap();
    let world = World::load(&written.bytes, 4);
    let all: Vec<_> = world.tiles.iter().flat_map(|t| &t.connections).collect();
    let both = all.iter().filter(|c| c.3).count();
    assert!(both > 0 && both < all.len());
    assert_eq!(all.len() + both, mesh.link_count() as usize);
    assert_eq!(written.connections as usize, all.len());
}

#[test]
fn links_beyond_the_next_tile_are_left_out_and_named() {
    let nav = baked(LEVELS[4]);
    let mesh = nav.mesh();
    let settings = Settings { tile_size: Some(1.0), ..Settings::new(&mesh, 0) };
    let written = write(&mesh, &settings).unwrap();
    assert!(!written.left_out.is_empty());
    assert!(written.left_out.iter().all(|link| link.tiles > 1));
    let lost: usize = written.left_out.len();
    let whole = write(&mesh, &Settings::new(&mesh, 0)).unwrap();
    assert_eq!(written.connections as usize + lost, whole.connections as usize);
}

#[test]
fn areas_and_flags_come_from_the_table() {
    let nav = baked(LEVELS[3]);
    let mesh = nav.mesh();
    let table = navbake_bake::Config::parse(
        "[detour]\nlinks = { number = 7, flags = 4 }\n[detour.areas]\nwater = { number = 1, flags = 2 }",
    );
    let table = table.unwrap().detour;
    let mut settings = Settings::new(&mesh, 0);
    settings.set_kinds(&mesh, &table, |area| area.0 != 3).unwrap();
    let world = World::load(&write(&mesh, &settings).unwrap().bytes, 4);
    let tile = &world.tiles[0];
    let kinds: std::collections::BTreeSet<_> =
        tile.polys.iter().map(|p| (p.area, p.flags)).collect();
    assert!(kinds.contains(&(1, 2)), "water: {kinds:?}");
    assert!(kinds.contains(&(0, 1)), "ground: {kinds:?}");
    assert!(kinds.contains(&(3, 0)), "the yard, which is not walked: {kinds:?}");
    assert!(tile.polys[tile.ground..].iter().all(|p| (p.area, p.flags) == (7, 4)));

    let strange = navbake_bake::Config::parse("[detour.areas]\nwatr = { number = 1 }").unwrap();
    let error = settings.set_kinds(&mesh, &strange.detour, |_| true).unwrap_err();
    assert!(error.contains("watr") && error.contains("water"), "{error}");
}

#[test]
fn sizes_of_agents_that_readers_refuse_are_not_written() {
    let nav = baked(LEVELS[0]);
    let mesh = nav.mesh();
    for size in [-0.1, 1.1e7, 1e300, f64::INFINITY, f64::NAN] {
        let usual = Settings::new(&mesh, 0);
        for settings in [
            Settings { radius: size, ..usual.clone() },
            Settings { height: size, ..usual.clone() },
            Settings { climb: size, ..usual.clone() },
        ] {
            let error = write(&mesh, &settings).unwrap_err();
            assert!(matches!(error, ExportError::AgentSize(_)), "{size}: {error}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_the_cure() {
    let nav = baked(LEVELS[0]);
    let mesh = nav.mesh();
    // 1 m tiles of 46 x 40 m with pieces of several polygons.
    let settings = Settings { tile_size: Some(1.0), ..Settings::new(&mesh, 0) };
    assert!(write(&mesh, &settings).is_ok());
    let error = ExportError::References { tiles: 4096, polygons: 4096 };
    assert!(error.to_string().contains("--refs 64"));
}
