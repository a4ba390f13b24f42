//! Promises of exact borders, on scenes whose ground is known.

mod scene;

use navbake_geom::ring_area;
use navbake_level::{Agent, Level};
use navbake_walkable::{Borders, Layer, Plan, WalkableSettings};
use scene::Build;

const UNITS: f64 = 1024.0;

fn agent(radius: f64) -> Agent {
    Agent {
        radius,
        ..Agent::default()
    }
}

fn layers(level: &Level, agent: &Agent) -> Vec<Layer> {
    let settings = WalkableSettings {
        borders: Borders::Exact,
        ..WalkableSettings::default()
    };
    let plan = Plan::new(level, agent, &settings).unwrap();
    assert!(plan.is_exact());
    (0..plan.tile_count())
        .flat_map(|t| plan.tile(t).unwrap().layers)
        .collect()
}

/// Square metres.
fn area(layers: &[Layer]) -> f64 {
    let rings = layers.iter().flat_map(|l| &l.rings);
    rings
        .map(|r| ring_area(&r.points) as f64 / 2.0 / UNITS / UNITS)
        .sum()
}

/// Pieces of ground that hang together: layers, joined over open edges that lie on one another.
fn pieces(layers: &[Layer]) -> usize {
    let mut open = vec![];
    for (l, layer) in layers.iter().enumerate() {
        for ring in &layer.rings {
            for (k, p) in ring
                .points
                .iter()
                .enumerate()
                .filter(|(k, _)| ring.open[*k])
            {
                open.push((l, *p, ring.points[(k + 1) % ring.points.len()]));
            }
        }
    }
    let mut group: Vec<usize> = (0..layers.len()).collect();
    for &(l, a, b) in &open {
        for &(m, c, d) in &open {
            if (a, b) == (d, c) {
                let (from, to) = (group[l].max(group[m]), group[l].min(group[m]));
                group
                    .iter_mut()
                    .filter(|g| **g == from)
                    .for_each(|g| *g = to);
            }
        }
    }
    group.sort_unstable();
    group.dedup();
    group.len()
}

/// A floor of 20 by 20 m with a wall of two boxes across that leaves a gap of the given width, all turned by an angle.
fn gap(width: f64, degrees: f64) -> Level {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut build = Build::default()
        .floor([-10.0, 10.0], [-10.0, 10.0], 0.0)
        .solid([-12.0, -width / 2.0 + 0.31], [-1.0, 3.0], [-0.25, 0.25])
        .solid([width / 2.0 + 0.31, 12.0], [-1.0, 3.0], [-0.25, 0.25]);
    for v in &mut build.scene.vertices {
        *v = [v[0] * cos - v[2] * sin, v[1], v[0] * sin + v[2] * cos];
    }
    build.level()
}

#[test]
fn a_floor_loses_exactly_the_radius_at_every_angle() {
    for degrees in [0.0f64, 7.0, 30.0, 45.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut build = Build::default().floor([0.0, 30.0], [0.0, 30.0], 1.0);
        for v in &mut build.scene.vertices {
            *v = [v[0] * cos - v[2] * sin, v[1], v[0] * sin + v[2] * cos];
        }
        let found = area(&layers(&build.level(), &agent(0.6)));
        let ideal = 28.8 * 28.8;
        assert!(
            (found / ideal - 1.0).abs() < 0.0005,
            "{found} m2 of {ideal} at {degrees} degrees"
        );
    }
}

#[test]
fn a_gap_five_centimetres_wider_than_the_agent_is_passable_and_a_narrower_one_is_not() {
    for degrees in [0.0, 10.0, 22.5, 37.0, 45.0, 71.0] {
        for (width, pieces_of) in [(1.25, 1), (1.15, 2)] {
            let found = pieces(&layers(&gap(width, degrees), &agent(0.6)));
            assert_eq!(found, pieces_of, "a gap of {width} m at {degrees} degrees");
        }
    }
}

#[test]
fn no_border_comes_nearer_to_a_box_than_a_centimetre_less_than_the_radius() {
    let level = Build::default()
        .floor([0.0, 12.0], [0.0, 12.0], 0.0)
        .solid([5.1, 6.3], [0.0, 3.0], [4.7, 7.9])
        .level();
    let mut corners = 0;
    for layer in layers(&level, &agent(0.6)) {
        for ring in &layer.rings {
            for (k, p) in ring.points.iter().enumerate() {
                let q = ring.points[(k + 1) % ring.points.len()];
                for step in 0..=20 {
                    let t = f64::from(step) / 20.0;
                    let x = (f64::from(p.x) + f64::from(q.x - p.x) * t) / UNITS;
                    let z = (f64::from(p.z) + f64::from(q.z - p.z) * t) / UNITS;
                    let (dx, dz) = (
                        (5.1 - x).max(x - 6.3).max(0.0),
                        (4.7 - z).max(z - 7.9).max(0.0),
                    );
                    assert!((dx * dx + dz * dz).sqrt() > 0.59, "({x}, {z})");
                }
                corners += 1;
            }
        }
    }
    assert!(corners < 60, "{corners} corners");
}

#[test]
fn a_wall_five_centimetres_thin_parts_the_ground_exactly() {
    for x in [9.93, 10.0, 10.11] {
        let level = Build::default()
            .floor([0.0, 20.0], [0.0, 10.0], 0.0)
            .solid([x, x + 0.05], [0.0, 3.0], [-1.0, 11.0])
            .level();
        let found = layers(&level, &agent(0.3));
        let ideal = (x - 0.6) * 9.4 + (20.0 - x - 0.05 - 0.6) * 9.4;
        assert!(
            (area(&found) / ideal - 1.0).abs() < 0.001,
            "{} of {ideal}",
            area(&found)
        );
    }
}

#[test]
fn steps_within_the_climb_are_crossed_and_higher_ones_are_borders() {
    for (rise, ideal) in [(0.85, 6.8 * 6.8), (0.95, 2.0 * 2.8 * 6.8)] {
        let level = Build::default()
            .floor([0.0, 8.0], [0.0, 8.0], 0.0)
            .solid([4.0, 8.0], [0.0, rise], [0.0, 8.0])
            .level();
        let found = area(&layers(&level, &agent(0.6)));
        assert!(
            (found / ideal - 1.0).abs() < 0.002,
            "{found} m2 of {ideal} at a rise of {rise}"
        );
    }
}

#[test]
fn ground_goes_on_under_a_bridge_exactly_when_there_is_head_room() {
    let bridge = 10.8 * 2.8;
    for (clear, ideal) in [
        (2.01, 10.8 * 10.8 + bridge),
        (1.99, 2.0 * 10.8 * 2.8 + bridge),
    ] {
        let level = Build::default()
            .floor([0.0, 12.0], [0.0, 12.0], 0.0)
            .solid([0.0, 12.0], [clear, clear + 0.5], [4.0, 8.0])
            .level();
        let found = area(&layers(&level, &agent(0.6)));
        assert!(
            (found / ideal - 1.0).abs() < 0.002,
            "{found} m2 of {ideal} at a clearance of {clear}"
        );
    }
}

#[test]
fn walls_of_one_storey_do_not_bound_another() {
    // Upper floor over the middle of the lower one; a wall stands on the upper floor only.
    let level = Build::default()
        .floor([0.0, 12.0], [0.0, 12.0], 0.0)
        .solid([2.0, 10.0], [2.5, 3.0], [2.0, 10.0])
        .solid([5.0, 5.2], [3.0, 6.0], [1.0, 11.0])
        .level();
    let found = area(&layers(&level, &agent(0.6)));
    let ideal = 10.8 * 10.8 + (3.0 - 1.2) * 6.8 + (4.8 - 1.2) * 6.8;
    assert!((found / ideal - 1.0).abs() < 0.002, "{found} m2 of {ideal}");
}

#[test]
fn a_spiral_stair_is_walked_from_bottom_to_top() {
    // 40 steps of 0.25 m around a newel: three and a third turns.
    let mut build = Build::default();
    for k in 0..40 {
        let at = |t: f64, r: f64| {
            let angle = t / 12.0 * std::f64::consts::TAU;
            [
                5.0 + r * angle.cos(),
                f64::from(k) * 0.25,
                5.0 - r * angle.sin(),
            ]
        };
        let (a, b) = (f64::from(k), f64::from(k + 1));
        build = build.quad([at(a, 0.5), at(a, 3.0), at(b, 3.0), at(b, 0.5)]);
    }
    let found = area(&layers(&build.level(), &agent(0.3)));
    // A step is a quad: its outer side is a chord, nearer to the newel than the arc.
    let (outer, inner) = (3.0 * (std::f64::consts::PI / 12.0).cos() - 0.3, 0.8);
    let turn = 12.0 * (std::f64::consts::PI / 12.0).tan();
    let least = (40.0 / 12.0) * turn * (outer * outer - inner * inner) - 2.0 * 0.3 * 2.2;
    assert!(
        found > least * 0.99 && found < least * 1.06,
        "{found} m2 of {least}"
    );
}

#[test]
fn a_cell_much_smaller_than_the_radius_changes_no_border() {
    let level = Build::default()
        .floor([0.0, 9.0], [0.0, 9.0], 0.0)
        .solid([4.0, 4.4], [0.0, 3.0], [2.0, 7.0])
        .level();
    let of = |cell: Option<f64>| {
        let settings = WalkableSettings {
            cell,
            borders: Borders::Exact,
        };
        let plan = Plan::new(&level, &agent(0.6), &settings).unwrap();
        let tiles = (0..plan.tile_count()).map(|t| plan.tile(t).unwrap());
        area(&tiles.flat_map(|t| t.layers).collect::<Vec<_>>())
    };
    let (wide, narrow) = (of(None), of(Some(0.02)));
    assert!((wide - narrow).abs() < 0.01, "{wide} m2 and {narrow} m2");
}

#[test]
fn a_corridor_of_exactly_twice_the_radius_closes_cleanly() {
    // Two rooms joined by a corridor of 1 m, everything on the lines of the lattice.
    let level = Build::default()
        .floor([0.0, 30.0], [0.0, 10.0], 0.0)
        .solid([10.0, 20.0], [0.0, 3.0], [0.0, 6.0])
        .solid([10.0, 20.0], [0.0, 3.0], [7.0, 10.0])
        .level();
    let layers = layers(&level, &agent(0.5));
    // Two rooms; the boxes' tops and insides.
    assert_eq!(pieces(&layers), 2 + 4);
    let ideal = 2.0 * 9.0 * 9.0 + 2.0 * 9.0 * (5.0 + 2.0);
    assert!((area(&layers) - ideal).abs() < 0.1, "{}", area(&layers));
    for ring in layers.iter().flat_map(|l| &l.rings) {
        navbake_geom::triangulate(&ring.points, &edges(ring.points.len())).unwrap();
    }
}

/// A closed ring's edges.
fn edges(corners: usize) -> Vec<[u32; 2]> {
    let n = corners as u32;
    (0..n).map(|k| [k, (k + 1) % n]).collect()
}
