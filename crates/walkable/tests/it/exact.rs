//! Exact borders, on scenes whose ground is known.

use crate::scene::Build;
use navbake_geom::{orient, ring_area};
use navbake_level::{Agent, Level};
use navbake_walkable::{Layer, Plan, WalkableSettings};

const UNITS: f64 = 1024.0;

fn agent(radius: f64) -> Agent {
    Agent { radius, ..Agent::default() }
}

fn layers(level: &Level, agent: &Agent) -> Vec<Layer> {
    let settings = WalkableSettings::default();
    let plan = Plan::new(level, agent, &settings).unwrap();
    (0..plan.tile_count()).flat_map(|t| plan.tile(t, 0).layers).collect()
}

/// Square metres.
fn area(layers: &[Layer]) -> f64 {
    let rings = layers.iter().flat_map(|l| &l.rings);
    rings.map(|r| ring_area(&r.points) as f64 / 2.0 / UNITS / UNITS).sum()
}

/// Connected pieces of ground: outer rings, joined over open edges that coincide.
fn pieces(layers: &[Layer]) -> usize {
    let mut open = vec![];
    let rings = layers.iter().flat_map(|l| &l.rings);
    let outer: Vec<_> = rings.filter(|r| ring_area(&r.points) > 0).collect();
    for (l, ring) in outer.iter().enumerate() {
        for (k, p) in ring.points.iter().enumerate().filter(|(k, _)| ring.open[*k]) {
            open.push((l, *p, ring.points[(k + 1) % ring.points.len()]));
        }
    }
    let mut group: Vec<usize> = (0..outer.len()).collect();
    for &(l, a, b) in &open {
        for &(m, c, d) in &open {
            if (a, b) == (d, c) {
                let (from, to) = (group[l].max(group[m]), group[l].min(group[m]));
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
    }
    group.sort_unstable();
    group.dedup();
    group.len()
}

/// A floor of 20 by 20 m with a wall of two boxes across that leaves a gap of the given width, all
/// turned by an angle.
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
        assert!((found / ideal - 1.0).abs() < 0.0005, "{found} m2 of {ideal} at {degrees} degrees");
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

/// Numbers in `0.0..1.0`, always the same.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// Two rooms and a doorway between them of the given width and depth, turned and moved.
fn doorway(width: f64, depth: f64, degrees: f64, at: [f64; 2]) -> Level {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let half = [-depth / 2.0, depth / 2.0];
    let mut build = Build::default().floor([-5.0, 5.0], [-4.0, 4.0], 0.0);
    for x in [[-6.0, -width / 2.0], [width / 2.0, 6.0]] {
        let top = build.scene.triangles.len();
        build = build.solid(x, [-1.0, 1.5], half);
        // Nobody walks on top, and inside there is no head room.
        build.scene.triangles[top..top + 2].iter_mut().for_each(|t| t.swap(0, 1));
    }
    for v in &mut build.scene.vertices {
        *v = [v[0] * cos - v[2] * sin + at[0], v[1], v[0] * sin + v[2] * cos + at[1]];
    }
    build.level()
}

#[test]
fn a_doorway_of_two_radii_is_closed_and_one_eight_grid_units_wider_is_open() {
    let (mut seed, mut wrong) = (11, vec![]);
    for k in 0..400 {
        let degrees = if k % 2 == 0 { 90.0 * f64::from(k % 8) } else { 360.0 * random(&mut seed) };
        let radius = [0.6, 0.4, 0.35, 0.3 + 0.5 * random(&mut seed)][k as usize / 2 % 4];
        let depth = [0.0, 0.01, 0.03, 0.1, 0.25, 1.0, 3.0][k as usize % 7];
        let at = [20.0 * random(&mut seed), 20.0 * random(&mut seed)];
        for (more, expected) in [(0.0, 2), (8.0 / UNITS, 1)] {
            let level = doorway(2.0 * radius + more, depth, degrees, at);
            let found = pieces(&layers(&level, &agent(radius)));
            if found != expected {
                wrong.push(format!(
                    "{radius} + {more}, {depth} m deep, {degrees} degrees, {at:?}: {found}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
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
                    let (dx, dz) =
                        ((5.1 - x).max(x - 6.3).max(0.0), (4.7 - z).max(z - 7.9).max(0.0));
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
        assert!((area(&found) / ideal - 1.0).abs() < 0.001, "{} of {ideal}", area(&found));
    }
}

#[test]
fn a_wall_along_the_rim_of_a_floor_bounds_it_however_it_leans() {
    // By how much, in grid units, towards the floor.
    for lean in [-500.0, -3.0, 0.0, 1.0, 1.5, 2.0, 2.5, 4.0, 9.0, 300.0] {
        let top = 10.0 - lean / UNITS;
        let level = Build::default()
            .floor([0.0, 10.0], [0.0, 10.0], 0.0)
            .quad([[10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [top, 2.0, 10.0], [top, 2.0, 0.0]])
            .level();
        let found = area(&layers(&level, &agent(0.6)));
        let ideal = (top.min(10.0) - 1.2) * 8.8;
        assert!((found / ideal - 1.0).abs() < 0.001, "{found} of {ideal} m2, leaning by {lean}");
    }
}

#[test]
fn a_wall_along_the_rim_of_floors_that_go_on_in_each_other_parts_them() {
    // The floors meet along a line, with a corner of one of them on a side of the other.
    for (wall, number) in [([-1.0, 11.0], 2), ([3.0, 7.0], 1), ([0.0, 0.0], 1)] {
        let mut build = Build::default()
            .floor([0.0, 10.0], [0.0, 10.0], 0.0)
            .floor([10.0, 20.0], [0.0, 4.0], 0.0)
            .floor([10.0, 20.0], [4.0, 10.0], 0.0);
        let [from, to] = wall;
        if from < to {
            build = build.quad([
                [10.0, 0.0, from],
                [10.0, 0.0, to],
                [10.0, 3.0, to],
                [10.0, 3.0, from],
            ]);
        }
        let found = layers(&build.level(), &agent(0.6));
        assert_eq!(pieces(&found), number, "a wall from {from} to {to}");
        let blocked = match number {
            2 => 1.2 * 8.8,
            _ if from < to => 4.0 * 1.2 + std::f64::consts::PI * 0.36,
            _ => 0.0,
        };
        let ideal = 18.8 * 8.8 - blocked;
        let found = area(&found);
        assert!((found / ideal - 1.0).abs() < 0.001, "{found} of {ideal} m2");
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
        assert!((found / ideal - 1.0).abs() < 0.002, "{found} m2 of {ideal} at a rise of {rise}");
    }
}

#[test]
fn ground_goes_on_under_a_bridge_exactly_when_there_is_head_room() {
    let bridge = 10.8 * 2.8;
    for (clear, ideal) in [(2.01, 10.8 * 10.8 + bridge), (1.99, 2.0 * 10.8 * 2.8 + bridge)] {
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
    // Upper floor over the middle of the lower one; a wall is on the upper floor only.
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
            [5.0 + r * angle.cos(), f64::from(k) * 0.25, 5.0 - r * angle.sin()]
        };
        let (a, b) = (f64::from(k), f64::from(k + 1));
        build = build.quad([at(a, 0.5), at(a, 3.0), at(b, 3.0), at(b, 0.5)]);
    }
    let found = area(&layers(&build.level(), &agent(0.3)));
    // A step is a quad: its outer side is a chord, nearer to the newel than the arc.
    let (outer, inner) = (3.0 * (std::f64::consts::PI / 12.0).cos() - 0.3, 0.8);
    let turn = 12.0 * (std::f64::consts::PI / 12.0).tan();
    let least = (40.0 / 12.0) * turn * (outer * outer - inner * inner) - 2.0 * 0.3 * 2.2;
    assert!(found > least * 0.99 && found < least * 1.06, "{found} m2 of {least}");
}

#[test]
fn stairs_as_steep_as_the_climb_hang_together_at_every_angle() {
    // 8 steps of 0.9 m, each as deep as said, between two floors.
    let found = |depth: f64, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut build = Build::default().floor([-6.0, 0.0], [-3.0, 3.0], 0.0);
        for k in 0..8 {
            let x = f64::from(k) * depth;
            build = build.floor([x, x + depth], [-3.0, 3.0], 0.9 * f64::from(k + 1));
        }
        let end = 8.0 * depth;
        build = build.floor([end, end + 6.0], [-3.0, 3.0], 8.1);
        for v in &mut build.scene.vertices {
            *v = [v[0] * cos - v[2] * sin, v[1], v[0] * sin + v[2] * cos];
        }
        let layers = layers(&build.level(), &agent(0.6));
        let ideal = (12.0 + end - 1.2) * (6.0 - 1.2);
        (area(&layers) - ideal).abs() / ideal
    };
    for depth in [0.15, 0.2, 0.3] {
        for degrees in [0.0, 17.0, 45.0] {
            let off = found(depth, degrees);
            assert!(off < 0.002, "{off} off at steps of {depth} m, {degrees} degrees");
        }
    }
}

#[test]
fn a_cell_much_smaller_than_the_radius_changes_no_border() {
    let level = Build::default()
        .floor([0.0, 9.0], [0.0, 9.0], 0.0)
        .solid([4.0, 4.4], [0.0, 3.0], [2.0, 7.0])
        .level();
    let of = |cell: Option<f64>| {
        let settings = WalkableSettings { cell };
        let plan = Plan::new(&level, &agent(0.6), &settings).unwrap();
        let tiles = (0..plan.tile_count()).map(|t| plan.tile(t, 0));
        area(&tiles.flat_map(|t| t.layers).collect::<Vec<_>>())
    };
    let (wide, narrow) = (of(None), of(Some(0.02)));
    assert!((wide - narrow).abs() < 0.01, "{wide} m2 and {narrow} m2");
}

#[test]
fn a_corridor_of_exactly_twice_the_radius_closes_cleanly() {
    // Two rooms joined by a corridor of 1 m, everything on the lines of the grid.
    let level = Build::default()
        .floor([0.0, 30.0], [0.0, 10.0], 0.0)
        .solid([10.0, 20.0], [0.0, 3.0], [0.0, 6.0])
        .solid([10.0, 20.0], [0.0, 3.0], [7.0, 10.0])
        .level();
    let layers = layers(&level, &agent(0.5));
    // Two rooms; the boxes' tops and insides.
    assert_eq!(pieces(&layers), 2 + 4);
    // Between the round corners at the corridor's ends the rooms reach into it up to a point.
    let nook = 0.5 * 1.0 - 0.5 * 0.5 * std::f64::consts::PI / 2.0;
    let ideal = 2.0 * (9.0 * 9.0 + nook) + 2.0 * 9.0 * (5.0 + 2.0);
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

/// Adds a box 3 m high above four places, as (x, z).
fn turned(build: Build, corners: [[f64; 2]; 4]) -> Build {
    let p = |k: usize, y: f64| [corners[k % 4][0], y, corners[k % 4][1]];
    let top = build.quad([p(0, 3.0), p(3, 3.0), p(2, 3.0), p(1, 3.0)]);
    (0..4).fold(top, |build, k| build.quad([p(k, 0.0), p(k + 1, 0.0), p(k + 1, 3.0), p(k, 3.0)]))
}

/// Do two edges of the rings cross?
fn has_crossing(layer: &Layer) -> bool {
    let mut edges = vec![];
    for ring in &layer.rings {
        let next = ring.points.iter().cycle().skip(1);
        edges.extend(ring.points.iter().copied().zip(next.copied()));
    }
    let crosses = |(a, b), (p, q)| {
        orient(a, b, p).signum() * orient(a, b, q).signum() < 0
            && orient(p, q, a).signum() * orient(p, q, b).signum() < 0
    };
    (0..edges.len()).any(|i| (0..i).any(|j| crosses(edges[i], edges[j])))
}

#[test]
fn borders_close_where_sides_of_clearances_lie_on_one_line_and_begin_at_a_side_of_a_square() {
    let build = Build::default().floor([25.0, 38.0], [346.0, 359.0], 0.0);
    let level = turned(
        build,
        [
            [30.97022, 352.56874],
            [28.12767, 353.12627],
            [27.93693, 352.15377],
            [30.77948, 351.59623],
        ],
    )
    .level();
    let found = area(&layers(&level, &agent(0.6)));
    // The floor without its rim, and without the box of 2.90 by 0.99 m and what is around it.
    assert!((found - 130.57).abs() < 0.1, "{found}");
}

#[test]
fn borders_do_not_cross_where_a_corner_of_a_clearance_just_reaches_over_a_side_of_a_square() {
    let first = turned(
        Build::default().floor([230.0, 243.0], [403.0, 416.0], 0.0),
        [
            [237.99887, 404.2152],
            [237.40345, 410.02166],
            [231.83016, 409.45015],
            [232.42558, 403.64369],
        ],
    );
    let second = turned(
        Build::default().floor([323.0, 336.0], [332.0, 345.0], 0.0),
        [[329.067, 338.445], [328.859, 342.328], [322.873, 342.008], [323.08, 338.125]],
    );
    let second = turned(
        second,
        [[332.97, 339.696], [332.559, 342.968], [326.994, 342.269], [327.405, 338.997]],
    );
    for level in [first.level(), second.level()] {
        for layer in layers(&level, &agent(0.6)) {
            assert!(!has_crossing(&layer), "{:?}", layer.rings);
        }
    }
}

#[test]
fn a_slot_around_a_right_angle_bounds_the_same_ground_at_every_angle_and_place() {
    let found = |degrees: f64, by: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        // A floor around a hole, and a plate in it that leaves 5 cm on all sides.
        let mut build = Build::default()
            .floor([-5.0, 5.0], [-5.0, -0.4], 0.0)
            .floor([-5.0, 5.0], [0.4, 5.0], 0.0)
            .floor([-5.0, -0.4], [-0.4, 0.4], 0.0)
            .floor([0.4, 5.0], [-0.4, 0.4], 0.0)
            .floor([-0.35, 0.35], [-0.35, 0.35], 0.6);
        for v in &mut build.scene.vertices {
            *v = [v[0] * cos - v[2] * sin + by, v[1], v[0] * sin + v[2] * cos + by];
        }
        area(&layers(&build.level(), &agent(0.6)))
    };
    let first = found(0.0, 0.0);
    for degrees in [0.0, 7.0, 30.0, 45.0, 71.0] {
        for by in [0.0, 0.1, 2.1] {
            let area = found(degrees, by);
            assert!(
                (area / first - 1.0).abs() < 0.001,
                "{area} m2, not {first}, at {degrees} degrees and {by} m"
            );
        }
    }
}

#[test]
fn ground_goes_on_over_a_crack_wherever_it_lies() {
    // A step of the grid is 308 units: some of the gaps are along a row of its points, where
    // nothing is ground.
    for k in 0..8 {
        let x = f64::from(308 * 4 + 44 * k) / UNITS;
        let level = Build::default()
            .floor([-5.0, x - 0.02], [-5.0, 5.0], 0.0)
            .floor([x + 0.02, 5.0], [-5.0, 1.0], 0.1)
            .floor([x + 0.02, 5.0], [1.04, 5.0], 0.1)
            .level();
        let found = layers(&level, &agent(0.6));
        let (area, ideal) = (area(&found), 8.8 * 8.8);
        assert!((area / ideal - 1.0).abs() < 0.001, "{area} m2 of {ideal} with a crack at {x} m");
        assert_eq!(pieces(&found), 1, "a crack at {x} m");
    }
}
