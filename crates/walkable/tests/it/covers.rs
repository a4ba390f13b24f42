//! Exact borders where surfaces are above, below and through one another.

use crate::scene::Build;
use navbake_geom::ring_area;
use navbake_level::{Agent, Level};
use navbake_walkable::{Layer, Plan, Ring, WalkableSettings};

const RADIUS: f64 = 0.6;

/// Ground for an agent of radius 0.6 m, height 2 m and climb 0.9 m.
fn layers(level: &Level) -> Vec<Layer> {
    let agent = Agent { radius: RADIUS, ..Agent::default() };
    let settings = WalkableSettings::default();
    let plan = Plan::new(level, &agent, &settings).unwrap();
    let tiles = 0..plan.tile_count();
    tiles.flat_map(|t| plan.tile(t, 0).layers).collect()
}

/// Its square metres.
fn area(level: &Level) -> f64 {
    let rings = layers(level).into_iter().flat_map(|l| l.rings);
    rings.map(|r| ring_area(&r.points) as f64 / 2.0 / 1024.0 / 1024.0).sum()
}

fn assert_area(level: &Level, ideal: f64) {
    let found = area(level);
    assert!((found / ideal - 1.0).abs() < 0.003, "{found} m2 of {ideal} m2");
}

/// Area of a rectangle (x, z, x, z) that passes a test and keeps the radius off all segments, by
/// counting points.
fn free(x: [f64; 2], z: [f64; 2], segments: &[[f64; 4]], test: impl Fn(f64, f64) -> bool) -> f64 {
    const STEP: f64 = 0.02;
    let steps = |r: [f64; 2]| ((r[1] - r[0]) / STEP).round() as i32;
    let far = |px: f64, pz: f64, s: &[f64; 4]| {
        let (dx, dz) = (s[2] - s[0], s[3] - s[1]);
        let t = (((px - s[0]) * dx + (pz - s[1]) * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
        (px - s[0] - t * dx).hypot(pz - s[1] - t * dz)
    };
    let mut count = 0;
    for i in 0..steps(x) {
        for j in 0..steps(z) {
            let (px, pz) = (x[0] + (f64::from(i) + 0.5) * STEP, z[0] + (f64::from(j) + 0.5) * STEP);
            if test(px, pz) && segments.iter().all(|s| far(px, pz, s) >= RADIUS) {
                count += 1;
            }
        }
    }
    f64::from(count) * STEP * STEP
}

fn outline(x: [f64; 2], z: [f64; 2]) -> [[f64; 4]; 4] {
    [
        [x[0], z[0], x[1], z[0]],
        [x[0], z[1], x[1], z[1]],
        [x[0], z[0], x[0], z[1]],
        [x[1], z[0], x[1], z[1]],
    ]
}

/// A ramp through a floor: a slab that rises by one in two, out of the floor at x = 6.
fn sinking(thick: f64) -> Level {
    let y = |x: f64| (x - 6.0) / 2.0;
    let p = |x: f64, down: f64, z: f64| [x, y(x) - down, z];
    let mut build = Build::default().floor([0.0, 20.0], [0.0, 12.0], 0.0).quad([
        p(2.0, 0.0, 4.0),
        p(2.0, 0.0, 8.0),
        p(16.0, 0.0, 8.0),
        p(16.0, 0.0, 4.0),
    ]);
    if thick > 0.0 {
        let t = thick;
        build = build
            .quad([p(2.0, t, 4.0), p(16.0, t, 4.0), p(16.0, t, 8.0), p(2.0, t, 8.0)])
            .quad([p(2.0, t, 8.0), p(16.0, t, 8.0), p(16.0, 0.0, 8.0), p(2.0, 0.0, 8.0)])
            .quad([p(2.0, t, 4.0), p(2.0, 0.0, 4.0), p(16.0, 0.0, 4.0), p(16.0, t, 4.0)])
            .quad([p(16.0, t, 4.0), p(16.0, 0.0, 4.0), p(16.0, 0.0, 8.0), p(16.0, t, 8.0)]);
    }
    build.level()
}

#[test]
fn a_slab_sinking_into_a_floor_parts_them_only_where_it_is_a_step_high() {
    for thick in [0.0, 0.95] {
        // A step high from here; head room below it from there.
        let (step, under) = (7.8, 10.0 + 2.0 * thick);
        let (sides, end) = ([4.0, 8.0], 16.0);
        let mut below = outline([0.0, 20.0], [0.0, 12.0]).to_vec();
        below.extend(sides.map(|z| [step, z, under, z]));
        below.push([under, 4.0, under, 8.0]);
        let mut above = sides.map(|z| [step, z, end, z]).to_vec();
        above.push([end, 4.0, end, 8.0]);
        let slab = |x: f64, z: f64, to: f64| x > 6.0 && x < to && z > 4.0 && z < 8.0;
        let ideal = free([0.0, 20.0], [0.0, 12.0], &below, |x, z| !slab(x, z, under))
            + free([6.0, end], [4.0, 8.0], &above, |_, _| true);
        assert_area(&sinking(thick), ideal);
    }
}

#[test]
fn a_floor_that_ends_a_step_below_another_ends_nothing() {
    let level = Build::default()
        .floor([0.0, 10.0], [0.0, 10.0], 0.0)
        .floor([8.0, 18.0], [0.0, 10.0], 0.5)
        .level();
    assert_area(&level, 16.8 * 8.8);
}

#[test]
fn a_floor_that_ends_lower_than_a_step_below_another_ends_nothing_there() {
    for y in [-0.95, -1.05, -1.3, -1.9] {
        let level = Build::default()
            .floor([0.0, 12.0], [0.0, 12.0], 0.0)
            .floor([3.0, 9.0], [3.0, 9.0], y)
            .level();
        assert_area(&level, 10.8 * 10.8);
    }
}

#[test]
fn floors_doubled_or_a_hair_apart_are_one() {
    for apart in [0.0, 1.0 / 1024.0, 3.0 / 1024.0] {
        let level = Build::default()
            .floor([0.0, 12.0], [0.0, 12.0], 0.0)
            .floor([0.0, 12.0], [0.0, 12.0], apart)
            .floor([2.5, 9.0], [-1.0, 7.3], apart / 3.0)
            .level();
        let ideal = free([-2.0, 14.0], [-2.0, 14.0], &[], |x, z| {
            let keeps =
                |x0: f64, x1: f64, z0: f64, z1: f64| x >= x0 && x <= x1 && z >= z0 && z <= z1;
            keeps(0.6, 11.4, 0.6, 11.4) || keeps(3.1, 8.4, -0.4, 2.0)
        });
        // Round the two inner corners.
        let found = area(&level);
        assert!((found / ideal - 1.0).abs() < 0.006, "{found} of {ideal}");
    }
}

#[test]
fn a_floor_through_a_wall_is_two() {
    let level = Build::default()
        .floor([0.0, 20.0], [0.0, 10.0], 0.0)
        .solid([9.0, 9.5], [-1.0, 3.0], [-1.0, 11.0])
        .level();
    assert_area(&level, (9.0 - 1.2 + 10.5 - 1.2) * 8.8);
}

#[test]
fn a_ramp_ends_where_its_ceiling_is_lower_than_the_agent() {
    let level = Build::default()
        .quad([[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [6.0, 3.0, 8.0], [6.0, 3.0, 0.0]])
        .quad([[-1.0, 4.0, -1.0], [12.0, 4.0, -1.0], [12.0, 4.0, 9.0], [-1.0, 4.0, 9.0]])
        .level();
    assert_area(&level, (4.0 - 1.2) * 6.8);
}

#[test]
fn a_shelf_within_a_step_but_without_head_room_is_a_border() {
    let level = Build::default()
        .floor([0.0, 12.0], [0.0, 6.0], 0.0)
        .solid([0.0, 12.0], [-1.0, 0.8], [6.0, 10.0])
        .solid([0.0, 12.0], [2.2, 2.8], [6.0, 10.0])
        .level();
    let roof = 10.8 * 2.8;
    assert_area(&level, 10.8 * 4.8 + roof);
}

#[test]
fn obstacles_within_a_step_are_walked_over() {
    let level = Build::default()
        .floor([0.0, 12.0], [0.0, 12.0], 0.0)
        .solid([2.0, 3.0], [0.0, 0.85], [4.0, 7.0])
        .solid([8.0, 8.05], [-0.2, 0.4], [2.0, 10.0])
        .level();
    assert_area(&level, 10.8 * 10.8);
}

#[test]
fn open_stairs_are_walked_and_end_where_head_room_below_them_does() {
    // 12 treads, 0.3 m deep and 0.25 m high, without risers, over a floor; 3 m wide.
    let mut build = Build::default().floor([0.0, 10.0], [0.0, 7.0], 0.0);
    for k in 0..12 {
        let x = 3.0 + 0.3 * f64::from(k);
        build = build.floor([x, x + 0.3], [2.0, 5.0], 0.25 * f64::from(k + 1));
    }
    let level = build.level();
    // From the fourth tread on the sides are higher than a step; under the eighth there is head
    // room.
    let (step, under, end) = (3.9, 5.1, 6.6);
    let mut below = outline([0.0, 10.0], [0.0, 7.0]).to_vec();
    below.extend([2.0, 5.0].map(|z| [step, z, under, z]));
    below.push([under, 2.0, under, 5.0]);
    let mut above = [2.0, 5.0].map(|z| [step, z, end, z]).to_vec();
    above.push([end, 2.0, end, 5.0]);
    let tread = |x: f64, z: f64| x > 3.0 && x < under && z > 2.0 && z < 5.0;
    let ideal = free([0.0, 10.0], [0.0, 7.0], &below, |x, z| !tread(x, z))
        + free([3.0, end], [2.0, 5.0], &above, |_, _| true);
    assert_area(&level, ideal);
}

#[test]
fn a_tread_whose_corner_hangs_over_a_crack_does_not_end_there() {
    // A floor, and beside it a lower tread with an oblique edge: the upper tread's corner is over
    // the gap between them.
    let stair = |apart: f64| {
        let edge = |z: f64| 0.01 - apart - 0.364 * (z + 0.06);
        Build::default()
            .floor([0.05, 5.0], [-5.0, 5.0], 0.0)
            .floor([-5.0, 0.0], [-5.0, 0.0], 0.2)
            .quad([
                [-5.0, 0.0, -0.06],
                [-5.0, 0.0, 3.0],
                [edge(3.0), 0.0, 3.0],
                [edge(-0.06), 0.0, -0.06],
            ])
            .level()
    };
    // Nearer to the corner than the radius, and no nearer to where the crack becomes too wide.
    let holds = |level: &Level| holds(level, [-0.05, -0.54]);
    assert!(holds(&stair(0.0)));
    // At this distance it is no gap anywhere.
    assert!(!holds(&stair(0.1)));
}

/// Does ground of that agent hold a place?
fn holds(level: &Level, place: [f64; 2]) -> bool {
    let [ox, _, oz] = level.grid.origin;
    let [x, z] = [place[0] - ox, place[1] - oz].map(|v| v * 1024.0);
    let winds = |ring: &Ring| {
        let n = ring.points.len();
        let ends = (0..n).map(|k| [ring.points[k], ring.points[(k + 1) % n]]);
        let crosses = ends.filter(|&[a, b]| {
            let [ax, az, bx, bz] = [a.x, a.z, b.x, b.z].map(f64::from);
            (az > z) != (bz > z) && x < ax + (z - az) / (bz - az) * (bx - ax)
        });
        crosses.count() % 2
    };
    let layers = layers(level);
    (layers.iter()).any(|l| l.rings.iter().map(winds).sum::<usize>() % 2 == 1)
}
