//! What ground is, on small scenes, for agents with a radius and without.

use crate::scene::Build;
use navbake_geom::{Point, ring_area};
use navbake_level::{Agent, Level, LevelSettings, Part, Role, Winding};
use navbake_walkable::{Layer, Plan, Tile, WalkableSettings};

fn agent(radius: f64) -> Agent {
    Agent { radius, ..Agent::default() }
}

fn bake(level: &Level, agent: &Agent) -> Vec<Tile> {
    let plan = Plan::new(level, agent, &WalkableSettings::default()).unwrap();
    (0..plan.tile_count()).map(|t| plan.tile(t, 0)).collect()
}

/// Square metres.
fn area(tiles: &[Tile]) -> f64 {
    layers(tiles)
        .flat_map(|l| &l.rings)
        .map(|r| ring_area(&r.points) as f64 / 2.0 / (1024.0 * 1024.0))
        .sum()
}

fn layers(tiles: &[Tile]) -> impl Iterator<Item = &Layer> {
    tiles.iter().flat_map(|t| &t.layers)
}

#[test]
fn slopes_are_measured_before_the_grid_and_to_a_twentieth_of_a_degree() {
    for (degrees, ground) in [(44.9f64, true), (45.0, true), (45.04, true), (45.1, false)] {
        let rise = 10.0 * degrees.to_radians().tan();
        let level = Build::default()
            .quad([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, rise, 10.0], [10.0, rise, 0.0]])
            .level();
        assert_eq!(area(&bake(&level, &agent(0.6))) > 50.0, ground, "{degrees}");
    }
}

#[test]
fn ground_too_wide_for_the_cell_is_an_error_that_says_so() {
    let level = Build::default().floor([-15e3, 15e3], [-15e3, 15e3], 0.0).level();
    let fault =
        Plan::new(&level, &agent(0.6), &WalkableSettings::default()).unwrap_err().to_string();
    assert!(fault.contains("scale") && fault.contains("tiles"), "{fault}");
}

#[test]
fn a_cliff_beside_a_ramp_closes_its_ring_for_an_agent_without_radius() {
    // Ground at 0 and at 1.5 m, parted by a cliff along x or z, joined by a ramp at one end.
    for turned in [false, true] {
        let put = |p: [f64; 3]| if turned { [p[2], p[1], -p[0]] } else { p };
        let quad = |b: Build, q: [[f64; 3]; 4]| b.quad(q.map(put));
        let mut build = quad(
            Build::default(),
            [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]],
        );
        build = quad(build, [[0.0, 1.5, -9.0], [0.0, 1.5, 0.0], [9.0, 1.5, 0.0], [9.0, 1.5, -9.0]]);
        build = quad(build, [[9.0, 0.0, 0.0], [9.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]]);
        build =
            quad(build, [[9.0, 1.5, -6.0], [9.0, 0.0, 0.0], [12.0, 0.0, 0.0], [12.0, 1.5, -6.0]]);
        build =
            quad(build, [[9.0, 1.5, -9.0], [9.0, 1.5, -6.0], [12.0, 1.5, -6.0], [12.0, 1.5, -9.0]]);
        let level = build.level();
        let area = area(&bake(&level, &agent(0.0)));
        // Two floors of 81 m2, the ramp of 18, and floors of 27 and 9 beside it, without less than
        // a cell along 60 m of borders.
        assert!(area <= 216.0 && area > 216.0 - 60.0 * 0.15, "{turned}: {area}");
    }
}

#[test]
fn a_sliver_that_the_grid_tilts_makes_no_hole() {
    // In f64 it is flatter than 45 degrees; on the grid one corner meets the line of the others, a
    // unit higher.
    const N: f64 = 5000.0;
    let units = [
        [1088.0, 1.0, 1088.0],
        [1088.0 + N + 0.45, 1.51, 1088.0 + N - 1.45],
        [1088.0 + N + 1.0, 1.0, 1088.0 + N],
    ];
    let floor = || Build::default().floor([0.0, 10.0], [0.0, 10.0], 0.0);
    for order in [[0, 1, 2], [0, 2, 1]] {
        let mut build = floor();
        let at = build.scene.vertices.len() as u32;
        let metres = |p: [f64; 3]| p.map(|c| c / 1024.0);
        build.scene.vertices.extend(units.map(metres));
        build.scene.triangles.push(order.map(|k| at + k));
        build.scene.triangle_parts.push(0);
        let areas = [build.level(), floor().level()].map(|l| area(&bake(&l, &agent(0.5))));
        assert!((areas[0] - areas[1]).abs() < 1e-3, "{order:?}: {areas:?}");
    }
}

#[test]
fn cells_of_any_size_asked_for_stay_on_the_grid_and_in_reason() {
    let level = Build::default().floor([0.0, 30.0], [0.0, 30.0], 0.0).level();
    for cell in [1e-300, 1e-6, 1.0, 32768.0, 65536.0, 1e6, 1e300] {
        for radius in [0.0, 0.001, 0.6, 1000.0] {
            let settings = WalkableSettings { cell: Some(cell) };
            let Ok(plan) = Plan::new(&level, &agent(radius), &settings) else {
                continue;
            };
            assert!((2..=navbake_level::RIM).contains(&plan.cell(0)), "{cell} {radius}");
            assert!(radius / (f64::from(plan.cell(0)) / 1024.0) <= 260.0, "{cell} {radius}");
        }
    }
}

#[test]
fn ground_at_the_end_of_the_grid_keeps_its_cells_on_it() {
    let end = f64::from(navbake_geom::LIMIT - navbake_level::RIM) / 1024.0;
    let inside = end - 1.0 / 1024.0;
    let scene = |least: f64, greatest: f64| {
        let mut scene = Build::default().floor([least, greatest], [least, greatest], 0.0).scene;
        scene.parts = vec![Part::default()];
        scene
    };
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
    let error = Level::new(&scene(0.0, end), &[Role::Ground], &settings).unwrap_err();
    assert!(error.to_string().contains("32704 m"), "{error}");
    for cell in [0.3, 64.0, 1000.0] {
        for (least, greatest) in [(-inside, 200.0 - inside), (inside - 200.0, inside)] {
            let (level, _) =
                Level::new(&scene(least, greatest), &[Role::Ground], &settings).unwrap();
            let walk = WalkableSettings { cell: Some(cell) };
            let plan = Plan::new(&level, &agent(0.0), &walk).unwrap();
            let tiles: Vec<Tile> = (0..plan.tile_count()).map(|t| plan.tile(t, 0)).collect();
            assert!(area(&tiles) > 30_000.0, "{cell}");
            let on_grid =
                |p: &Point| p.x.abs() < navbake_geom::LIMIT && p.z.abs() < navbake_geom::LIMIT;
            assert!(layers(&tiles).flat_map(|l| &l.rings).flat_map(|r| &r.points).all(on_grid));
        }
    }
}

#[test]
fn an_agent_without_radius_never_stands_beyond_the_ground() {
    for cell in [None, Some(0.07), Some(1000.0)] {
        let level = Build::default().floor([0.03, 30.04], [0.02, 30.01], 0.0).level();
        let settings = WalkableSettings { cell };
        let plan = Plan::new(&level, &agent(0.0), &settings).unwrap();
        let tiles: Vec<Tile> = (0..plan.tile_count()).map(|t| plan.tile(t, 0)).collect();
        let inside = |p: &Point| {
            let (x, z) = (f64::from(p.x) / 1024.0, f64::from(p.z) / 1024.0);
            (0.03..=30.04).contains(&x) && (0.02..=30.01).contains(&z)
        };
        let points = || layers(&tiles).flat_map(|l| &l.rings).flat_map(|r| &r.points);
        assert!(points().all(inside), "{cell:?}");
        assert!(area(&tiles) > 29.7 * 29.7, "{cell:?}: {}", area(&tiles));
    }
}

#[test]
fn a_thousand_storeys_are_one_more_thing_to_stand_on() {
    let mut build = Build::default();
    for k in 0..1000 {
        build = build.floor([0.0, 6.0], [0.0, 6.0], f64::from(k) * 0.01);
    }
    let tiles = bake(&build.level(), &agent(0.6));
    // Only the topmost has head room.
    let heights = layers(&tiles).map(|l| l.ground.as_ref().unwrap().any_cell().unwrap()[4]);
    assert_eq!(heights.collect::<Vec<_>>(), [10_230]);
    assert!((area(&tiles) - 4.8 * 4.8).abs() < 0.01, "{}", area(&tiles));
}

#[test]
fn a_triangle_in_many_parts_is_ground_once_for_each_role_and_area() {
    let one = Build::default().floor([0.0, 10.0], [0.0, 10.0], 0.0).level();
    let mut many = Build::default();
    for _ in 0..40 {
        many = many.floor([0.0, 10.0], [0.0, 10.0], 0.0);
    }
    let parts = many.scene.triangles.len() / 2;
    many.scene.parts =
        (0..parts).map(|k| Part { node: format!("copy {k}"), ..Part::default() }).collect();
    many.scene.triangle_parts = (0..2 * parts as u32).map(|t| t / 2).collect();
    let settings = LevelSettings { bits: 10, origin: None, winding: Winding::Ccw, bounds: None };
    let mut many = Level::new(&many.scene, &vec![Role::Ground; parts], &settings).unwrap().0;
    let settings = WalkableSettings::default();
    let count = |level: &Level| {
        let plan = Plan::new(level, &Agent::default(), &settings).unwrap();
        (0..plan.tile_count()).map(|t| plan.triangles(t).len()).sum::<usize>()
    };
    assert_eq!(many.triangles.len(), 80);
    assert_eq!(count(&many), count(&one));
    // Another area counts on its own.
    many.triangles[3].area = 1;
    assert!(count(&many) > count(&one));
}
