//! Small scenes with known ground.

use crate::scene::Build;
use navbake_geom::{Point, ring_area};
use navbake_level::{Agent, Level, LevelSettings, Part, Role, Winding};
use navbake_walkable::{Heights, Layer, Plan, Tile, WalkableSettings};

fn agent(radius: f64) -> Agent {
    Agent { radius, ..Agent::default() }
}

fn bake(level: &Level, agent: &Agent) -> Vec<Tile> {
    let plan = Plan::new(level, agent, &WalkableSettings::default()).unwrap();
    (0..plan.tile_count()).map(|t| plan.coarse_tile(t, 0)).collect()
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

fn heights(tiles: &[Tile]) -> Vec<i32> {
    let mut ys: Vec<i32> = layers(tiles)
        .flat_map(|l| l.heights.cells.iter())
        .filter(|c| c[4] != Heights::NONE)
        .map(|c| c[4])
        .collect();
    ys.sort_unstable();
    ys.dedup();
    ys
}

/// Area of the layer's cells, to compare with its rings.
fn cell_area(layer: &Layer) -> i64 {
    let cells = layer.heights.cells.iter().filter(|c| c[4] != Heights::NONE).count() as i64;
    cells * i64::from(layer.heights.cell) * i64::from(layer.heights.cell)
}

#[test]
fn a_floor_loses_the_radius_all_around() {
    let level = Build::default().floor([0.0, 60.0], [0.0, 60.0], 1.0).level();
    let tiles = bake(&level, &agent(0.6));
    assert!((area(&tiles) - 58.8 * 58.8).abs() < 58.8 * 4.0 * 0.15, "{}", area(&tiles));
    assert_eq!(heights(&tiles), [1024]);
    assert!(tiles.len() == 4, "the floor lies on four tiles");
}

#[test]
fn rings_enclose_exactly_the_cells() {
    let level = Build::default()
        .floor([0.0, 30.0], [0.0, 30.0], 0.0)
        .solid([5.0, 6.0], [0.0, 3.0], [5.0, 9.0])
        .solid([12.0, 13.0], [0.0, 3.0], [3.0, 4.0])
        .solid([14.5, 15.0], [0.0, 3.0], [5.5, 6.0])
        .level();
    for layer in layers(&bake(&level, &agent(0.3))) {
        let rings: i64 = layer.rings.iter().map(|r| ring_area(&r.points)).sum();
        assert_eq!(rings, 2 * cell_area(layer));
        for ring in &layer.rings {
            assert_eq!(ring.points.len(), ring.open.len());
            assert!(ring.points.len() >= 4);
        }
    }
}

#[test]
fn a_wall_five_centimetres_thin_parts_the_ground() {
    for x in [9.93, 10.0, 10.11] {
        let level = Build::default()
            .floor([0.0, 20.0], [0.0, 10.0], 0.0)
            .solid([x, x + 0.05], [0.0, 3.0], [-1.0, 11.0])
            .level();
        let tiles = bake(&level, &agent(0.3));
        for layer in layers(&tiles) {
            for ring in &layer.rings {
                let side = |p: &Point| f64::from(p.x) / 1024.0 < x;
                let first = side(&ring.points[0]);
                assert!(
                    ring.points.iter().all(|p| side(p) == first),
                    "a ring crosses the wall at {x}"
                );
            }
        }
    }
}

#[test]
fn steps_within_the_climb_are_joined_and_higher_ones_are_not() {
    for (rise, joined) in [(0.85, true), (0.95, false)] {
        let level = Build::default()
            .floor([0.0, 8.0], [0.0, 8.0], 0.0)
            .solid([4.0, 8.0], [0.0, rise], [0.0, 8.0])
            .level();
        let tiles = bake(&level, &agent(0.6));
        let layers = layers(&tiles).count();
        assert_eq!(layers == 1, joined, "{layers} layers at a rise of {rise}");
    }
}

#[test]
fn head_room_decides_what_lies_under_a_bridge() {
    for (clear, two) in [(2.05, true), (1.95, false)] {
        let level = Build::default()
            .floor([0.0, 12.0], [0.0, 12.0], 0.0)
            .solid([0.0, 12.0], [clear, clear + 0.5], [4.0, 8.0])
            .level();
        let tiles = bake(&level, &agent(0.6));
        let under = layers(&tiles)
            .filter(|l| l.heights.cells.iter().any(|c| c[4] == 0))
            .map(cell_area)
            .sum::<i64>() as f64
            / 1024.0
            / 1024.0;
        let whole = 10.8 * 10.8;
        assert_eq!(
            (under - whole).abs() < 5.0,
            two,
            "{under} m2 of {whole} at a clearance of {clear}"
        );
    }
}

#[test]
fn a_spiral_stair_is_cut_into_layers_without_overlap() {
    // 40 steps of 0.25 m around a newel: three and a third turns, 10 m up.
    let mut build = Build::default();
    for k in 0..40 {
        let (a, b) = (f64::from(k) / 12.0, f64::from(k + 1) / 12.0);
        let at = |t: f64, r: f64| {
            let angle = t * std::f64::consts::TAU;
            [5.0 + r * angle.cos(), f64::from(k) * 0.25, 5.0 - r * angle.sin()]
        };
        build = build.quad([at(a, 0.5), at(a, 3.0), at(b, 3.0), at(b, 0.5)]);
    }
    let level = build.level();
    let tiles = bake(&level, &Agent { radius: 0.3, ..Agent::default() });
    assert!(heights(&tiles).len() >= 38, "{:?}", heights(&tiles));
    let mut open = 0;
    for layer in layers(&tiles) {
        let rings: i64 = layer.rings.iter().map(|r| ring_area(&r.points)).sum();
        assert_eq!(rings, 2 * cell_area(layer));
        open += layer.rings.iter().flat_map(|r| &r.open).filter(|o| **o).count();
    }
    assert!(open > 0, "the turns are joined");
    assert!(
        (area(&tiles) - 40.0 / 12.0 * std::f64::consts::PI * (2.7 * 2.7 - 0.8 * 0.8)).abs() < 12.0
    );
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
        let tiles = bake(&level, &agent(0.0));
        for layer in layers(&tiles) {
            let rings: i64 = layer.rings.iter().map(|r| ring_area(&r.points)).sum();
            assert_eq!(rings, 2 * cell_area(layer));
            for ring in &layer.rings {
                for (k, p) in ring.points.iter().enumerate() {
                    let q = ring.points[(k + 1) % ring.points.len()];
                    assert!(p.x == q.x || p.z == q.z, "a ring of lattice sides has a slanted edge");
                }
            }
        }
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
        // A cell of 128 units has its centre on the first corner.
        let agent = agent(0.5);
        assert_eq!(
            area(&bake(&build.level(), &agent)),
            area(&bake(&floor().level(), &agent)),
            "{order:?}"
        );
    }
}

#[test]
fn cells_of_any_size_asked_for_stay_on_the_grid_and_in_reason() {
    let level = Build::default().floor([0.0, 30.0], [0.0, 30.0], 0.0).level();
    for cell in [1e-300, 1e-6, 1.0, 32768.0, 65536.0, 1e6, 1e300] {
        for radius in [0.0, 0.001, 0.6, 1000.0] {
            let settings = WalkableSettings { cell: Some(cell), ..WalkableSettings::default() };
            let Ok(plan) = Plan::new(&level, &agent(radius), &settings) else {
                continue;
            };
            assert!((4..=navbake_level::RIM).contains(&plan.cell(0)), "{cell} {radius}");
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
            let walk = WalkableSettings { cell: Some(cell), ..WalkableSettings::default() };
            let plan = Plan::new(&level, &agent(0.0), &walk).unwrap();
            let tiles: Vec<Tile> = (0..plan.tile_count()).map(|t| plan.coarse_tile(t, 0)).collect();
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
        let settings = WalkableSettings { cell, ..WalkableSettings::default() };
        let plan = Plan::new(&level, &agent(0.0), &settings).unwrap();
        let tiles: Vec<Tile> = (0..plan.tile_count()).map(|t| plan.coarse_tile(t, 0)).collect();
        let inside = |p: &Point| {
            let (x, z) = (f64::from(p.x) / 1024.0, f64::from(p.z) / 1024.0);
            (0.03..=30.04).contains(&x) && (0.02..=30.01).contains(&z)
        };
        let points = || layers(&tiles).flat_map(|l| &l.rings).flat_map(|r| &r.points);
        assert!(points().all(inside), "{cell:?}");
        assert!(area(&tiles) > 29.0 * 29.0, "{cell:?}: {}", area(&tiles));
    }
}

#[test]
fn a_thousand_storeys_are_one_more_thing_to_stand_on() {
    let mut build = Build::default();
    for k in 0..1000 {
        build = build.floor([0.0, 6.0], [0.0, 6.0], f64::from(k) * 0.01);
    }
    let tiles = bake(&build.level(), &agent(0.6));
    assert_eq!(heights(&tiles), [10_230], "only the topmost has head room");
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
