use navbake_bake::config::Config;
use navbake_bake::{BakeInput, Options};
use navbake_format::Blob;
use navbake_level::{Marker, Part, Scene, Source};

use super::*;
use crate::Meshes;

/// A level made of quads, a part each.
#[derive(Default)]
pub(crate) struct Quads(Scene);

impl Quads {
    /// A quad by its corners, counter-clockwise seen from its front.
    pub(crate) fn quad(mut self, name: &str, corners: [[f64; 3]; 4]) -> Quads {
        let scene = &mut self.0;
        let first = scene.vertices.len() as u32;
        scene.vertices.extend(corners);
        for t in [[0, 1, 2], [0, 2, 3]] {
            scene.triangles.push(t.map(|k| first + k));
            scene.triangle_parts.push(scene.parts.len() as u32);
        }
        scene.parts.push(Part { node: name.into(), ..Part::default() });
        self
    }

    /// Level ground over x and z from `low` to `high`.
    pub(crate) fn floor(self, name: &str, low: [f64; 2], high: [f64; 2], y: f64) -> Quads {
        let ([x0, z0], [x1, z1]) = (low, high);
        self.quad(name, [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]])
    }

    /// A box between two corners.
    pub(crate) fn block(self, name: &str, low: [f64; 3], high: [f64; 3]) -> Quads {
        let ([x0, y0, z0], [x1, y1, z1]) = (low, high);
        self.floor(name, [x0, z0], [x1, z1], y1)
            .quad(name, [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]])
            .quad(name, [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]])
            .quad(name, [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]])
            .quad(name, [[x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [x1, y0, z0]])
            .quad(name, [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]])
    }

    pub(crate) fn marker(mut self, name: &str, position: [f64; 3]) -> Quads {
        self.0.markers.push(Marker { name: name.into(), position });
        self
    }

    pub(crate) fn job(self, config: &str) -> BakeInput {
        BakeInput::new(Source::Scene(self.0), &Config::parse(config).unwrap()).unwrap()
    }
}

fn hall() -> Quads {
    Quads::default().floor("hall", [-10.0, -10.0], [10.0, 10.0], 0.0)
}

fn ask(level: Quads, at: [f64; 3]) -> Answer {
    Explainer::new(&level.job("")).unwrap().explain(at, 0, None).unwrap()
}

fn figure(answer: &Answer, name: &str) -> f64 {
    let figures = answer.reasons.iter().flat_map(|r| &r.figures);
    let found = figures.clone().find(|f| f.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {answer:?}")).value
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.005
}

#[test]
fn open_ground_is_walkable_and_says_so() {
    let answer = ask(hall(), [1.0, 0.5, 2.0]);
    assert!(answer.walkable && answer.reasons.is_empty(), "{answer:?}");
    assert_eq!(answer.ground, Some([1.0, 0.0, 2.0]));
    assert_eq!((answer.slope_degrees, answer.room_m), (Some(0.0), None));
    assert_eq!(answer.part.as_deref(), Some("hall"));
    let text = answer.text();
    assert!(text.starts_with("default: walkable\n  ground at 0.00, slope 0.0 degrees"), "{text}");
}

#[test]
fn a_slope_is_reported_in_degrees() {
    let rise = 47.2f64.to_radians().tan() * 4.0;
    let ramp = Quads::default()
        .quad("ramp", [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [4.0, rise, 9.0], [4.0, rise, 0.0]]);
    let answer = ask(ramp, [2.0, rise / 2.0, 4.0]);
    assert_eq!(answer.reasons[0].cause, Cause::TooSteep);
    assert_eq!(answer.reasons[0].message, "slope 47.2 of 45 degrees");
    assert!(is_near(figure(&answer, "slope_degrees"), 47.2));
}

#[test]
fn head_room_is_reported_with_what_takes_it() {
    let level = hall().block("duct", [-2.0, 1.84, -2.0], [2.0, 2.4, 2.0]);
    let answer = ask(level, [0.0, 0.0, 0.0]);
    assert_eq!(answer.reasons[0].cause, Cause::LowCeiling);
    assert_eq!(answer.reasons[0].message, "head room 1.84 of 2.00 m under `duct`");
    assert!(is_near(answer.reasons[0].place.unwrap()[1], 1.84));
}

#[test]
fn a_wall_is_reported_with_its_place_and_how_much_is_missing() {
    let level = hall().block("wall", [2.0, 0.0, -10.0], [2.2, 3.0, 10.0]);
    let answer = ask(level, [1.52, 0.0, 4.0]);
    assert_eq!(answer.reasons[0].cause, Cause::NearWall);
    assert_eq!(
        answer.reasons[0].message,
        "0.12 m too close to a wall at (2.00, 0.00, 4.00): 0.48 of 0.60 m (`wall`)"
    );
    assert!(is_near(answer.room_m.unwrap(), 0.48));
}

#[test]
fn a_pole_as_thin_as_a_wire_is_found_from_every_side() {
    let job = hall().block("pole", [-0.002, 0.0, -0.002], [0.002, 3.0, 0.002]).job("");
    let explainer = Explainer::new(&job).unwrap();
    for k in 0..100 {
        let angle = f64::from(k) * 0.0628;
        let at = [0.59 * angle.cos(), 0.0, 0.59 * angle.sin()];
        let answer = explainer.explain(at, 0, None).unwrap();
        assert_eq!(answer.reasons[0].cause, Cause::NearWall, "{at:?}");
        assert!((figure(&answer, "distance_m") - 0.589).abs() < 0.004, "{answer:?}");
        assert!(explainer.explain(at.map(|c| c * 1.05), 0, None).unwrap().walkable);
    }
}

#[test]
fn a_step_above_the_climb_is_reported_from_both_sides() {
    let stage = || hall().block("stage", [2.0, 0.0, -10.0], [10.0, 0.95, 10.0]);
    let below = ask(stage(), [1.7, 0.0, 0.0]);
    assert_eq!(below.reasons[0].cause, Cause::NearStep);
    assert!(
        below.reasons[0].message.ends_with("step of 0.95 above climb 0.90"),
        "{}",
        below.reasons[0].message
    );
    let above = ask(stage(), [2.3, 0.95, 0.0]);
    assert_eq!(above.reasons[0].cause, Cause::NearLedge);
    assert!(is_near(figure(&above, "drop_m"), 0.95));
    // A stage that the agent can climb ends nothing.
    let low = hall().block("stage", [2.0, 0.0, -10.0], [10.0, 0.85, 10.0]);
    assert!(ask(low, [1.7, 0.0, 0.0]).walkable);
}

#[test]
fn a_low_ceiling_a_steep_slope_and_the_end_of_the_level_are_reported_from_beside() {
    let level = || {
        hall().block("duct", [2.0, 1.5, -10.0], [10.0, 2.5, -3.0]).quad(
            "bank",
            [[10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [12.0, 4.0, 10.0], [12.0, 4.0, 0.0]],
        )
    };
    let duct = ask(level(), [1.7, 0.0, -6.0]);
    assert_eq!(duct.reasons[0].cause, Cause::NearWall, "{duct:?}");
    let bank = ask(level(), [9.7, 0.0, 5.0]);
    assert_eq!(bank.reasons[0].cause, Cause::NearSlope);
    assert!((figure(&bank, "slope_degrees") - 63.4).abs() < 0.1);
    let ledge = ask(level(), [0.0, 0.0, -9.5]);
    assert_eq!(ledge.reasons[0].cause, Cause::NearLedge);
    assert!(is_near(figure(&ledge, "distance_m"), 0.5));
    let roof = hall().quad(
        "roof",
        [[-10.0, 1.0, -10.0], [10.0, 1.0, -10.0], [10.0, 5.0, 10.0], [-10.0, 5.0, 10.0]],
    );
    // Head room is 2 m at z = -5.
    let roofed = ask(roof, [0.0, 0.0, -4.8]);
    assert_eq!(roofed.reasons[0].cause, Cause::NearLowCeiling);
    assert!((figure(&roofed, "distance_m") - 0.2).abs() < 0.01, "{roofed:?}");
}

#[test]
fn a_bank_that_rises_to_the_head_is_reported_as_a_slope_and_not_as_a_ceiling() {
    let strip = |from: [f64; 2], to: [f64; 2]| {
        let ([x, y], [u, v]) = (from, to);
        [[x, y, -10.0], [x, y, 10.0], [u, v, 10.0], [u, v, -10.0]]
    };
    // The foot is almost upright; above the climb of 0.9 m it is less steep.
    let level = hall()
        .quad("foot", strip([10.0, 0.0], [10.06, 0.88]))
        .quad("bank", strip([10.06, 0.88], [12.0, 3.8]));
    let answer = ask(level, [9.7, 0.0, 5.0]);
    assert_eq!(answer.reasons[0].cause, Cause::NearSlope, "{answer:?}");
    assert!((figure(&answer, "slope_degrees") - 86.1).abs() < 0.2);
}

#[test]
fn what_is_in_the_air_has_no_ground() {
    let answer = ask(hall(), [0.0, 3.2, 0.0]);
    assert_eq!(answer.reasons[0].cause, Cause::NoGround);
    assert_eq!(
        answer.reasons[0].message,
        "no ground within 2.00 m below and 0.90 m above; the nearest surface below is 3.20 m away"
    );
    let beside = ask(hall(), [99.0, 0.0, 0.0]);
    assert!(beside.reasons[0].message.ends_with("no surface below or above"));
}

#[test]
fn small_islands_are_measured_and_markers_keep_them() {
    let crate_ = |side: f64| hall().block("crate", [0.0, 0.0, 0.0], [side, 1.5, side]);
    let small = ask(crate_(2.2), [1.1, 1.5, 1.1]);
    assert_eq!(small.reasons[0].cause, Cause::SmallIsland, "{small:?}");
    assert!((figure(&small, "area_m2") - 1.0).abs() < 0.3, "{small:?}");
    assert!(ask(crate_(3.2), [1.1, 1.5, 1.1]).walkable);
    let kept = crate_(2.2).marker("flag", [1.2, 1.5, 1.0]);
    assert!(ask(kept, [1.1, 1.5, 1.1]).walkable);
}

#[test]
fn without_a_seed_an_island_is_not_reached() {
    let config = "seeds = [[-5.0, 0.0, 0.0]]";
    let level = || hall().block("wall", [0.0, 0.0, -10.0], [0.2, 3.0, 10.0]);
    let job = level().job(config);
    let baked = job.bake(&Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let explainer = Explainer::new(&job).unwrap();
    let meshes = Meshes::of(&blob);
    let ask = |at| explainer.explain(at, 0, meshes.get(0)).unwrap();
    assert!(explainer.needs_mesh());
    assert!(ask([-3.0, 0.0, 3.0]).walkable);
    let beyond = ask([3.0, 0.0, 3.0]);
    assert_eq!(beyond.reasons[0].cause, Cause::NotReached);
    assert_eq!(beyond.reasons[0].place, Some([-5.0, 0.0, 0.0]));
}

#[test]
fn an_area_that_an_agent_keeps_off_is_named_for_that_agent_alone() {
    let config = "[[agent]]\nname = \"cat\"\n[[agent]]\nname = \"duck\"\n[[area]]\nname = \"pond\"\n\
        [[rule]]\nnode = \"pond\"\narea = \"pond\"\n[weights.units]\ncat = { pond = \"x\" }\n";
    let job = hall().floor("pond", [20.0, 20.0], [30.0, 30.0], 0.0).job(config);
    let explainer = Explainer::new(&job).unwrap();
    let [cat, duck] = [0, 1].map(|k| explainer.explain([25.0, 0.0, 25.0], k, None).unwrap());
    assert_eq!(cat.reasons[0].cause, Cause::AreaBlocked);
    assert_eq!(cat.reasons[0].message, "the agent does not walk on the area `pond`");
    assert!(duck.walkable && duck.area.as_deref() == Some("pond"));
    assert!(explainer.explain([0.0; 3], 2, None).is_none());
}

#[test]
fn obstacles_and_ceilings_are_no_ground() {
    let job = hall()
        .floor("rug", [-1.0, -1.0], [1.0, 1.0], 5.0)
        .quad("lid", [[3.0, 5.0, 3.0], [5.0, 5.0, 3.0], [5.0, 5.0, 5.0], [3.0, 5.0, 5.0]])
        .job("[[rule]]\nnode = \"rug\"\nrole = \"obstacle\"\n");
    let explainer = Explainer::new(&job).unwrap();
    let cause = |at| explainer.explain(at, 0, None).unwrap().reasons[0].cause;
    assert_eq!(cause([0.0, 5.0, 0.0]), Cause::Obstacle);
    assert_eq!(cause([4.0, 5.0, 4.0]), Cause::FacesDown);
}

#[test]
fn a_crack_is_stepped_over_and_a_gap_is_not() {
    let boards = |gap: f64| {
        Quads::default().floor("left", [-9.0, -9.0], [0.0, 9.0], 0.0).floor(
            "right",
            [gap, -9.0],
            [9.0, 9.0],
            0.0,
        )
    };
    let crack = ask(boards(0.08), [0.04, 0.0, 0.0]);
    assert!(crack.walkable && crack.notes[0].contains("crack"), "{crack:?}");
    assert!(ask(boards(0.08), [-0.3, 0.0, 0.0]).walkable);
    assert!(!ask(boards(0.2), [0.1, 0.0, 0.0]).walkable);
    assert!(!ask(boards(0.2), [-0.3, 0.0, 0.0]).walkable);
}

/// Two boards along z with a gap between them.
///
/// The gap has these `widths` at its ends, 8 m apart.
fn boards(widths: [f64; 2]) -> Quads {
    let [near, far] = widths;
    let floor = Quads::default().floor("left", [-9.0, -4.0], [0.0, 4.0], 0.0);
    let corners = [[near, 0.0, -4.0], [far, 0.0, 4.0], [9.0, 0.0, 4.0], [9.0, 0.0, -4.0]];
    floor.quad("right", corners)
}

#[test]
fn a_crack_is_crossed_in_every_direction_where_it_is_narrow_straight_across() {
    // A lintel over the crack stops an agent that walks along the crack, 0.7 m away, and no other.
    let lintel = |z: f64| {
        let low = [0.02, 1.0, z];
        boards([0.05; 2]).block("lintel", low, [0.03, 3.0, z + 0.1])
    };
    assert!(ask(lintel(0.7), [-0.01, 0.0, 0.0]).walkable);
    let answer = ask(lintel(0.5), [-0.01, 0.0, 0.0]);
    assert!(is_near(figure(&answer, "distance_m"), 0.501), "{answer:?}");
}

#[test]
fn a_crack_that_becomes_wider_ends_ground_where_it_is_too_wide() {
    // The gap is 0.1 m wide at z = 0.
    let ground = || boards([0.0, 0.2]);
    assert!(ask(ground(), [-0.1, 0.0, -0.65]).walkable);
    let answer = ask(ground(), [-0.1, 0.0, -0.4]);
    assert!(!answer.walkable, "{answer:?}");
    let far = figure(&answer, "distance_m");
    assert!((far - 0.1f64.hypot(0.4)).abs() < 0.02, "{answer:?}");
}

#[test]
fn the_corner_of_a_hole_is_no_crack() {
    for (x, z) in [(-0.5, -0.2), (-0.2, -0.5), (-0.3, -0.3), (-0.1, -0.58)] {
        let ground = Quads::default().floor("west", [-9.0, -9.0], [0.0, 9.0], 0.0).floor(
            "north",
            [0.0, -9.0],
            [9.0, 0.0],
            0.0,
        );
        let answer = ask(ground, [x, 0.0, z]);
        let far = figure(&answer, "distance_m");
        assert!(is_near(far, f64::hypot(x, z)), "{far} at {x}, {z}");
    }
}

#[test]
fn a_floor_of_the_designers_own_is_taken_as_it_is() {
    let job = hall()
        .block("wall", [2.0, 0.0, -10.0], [2.2, 3.0, 10.0])
        .job("surface = \"floor\"\n[[rule]]\nnode = \"hall\"\nrole = \"floor\"\n");
    let explainer = Explainer::new(&job).unwrap();
    assert!(explainer.explain([1.9, 0.0, 0.0], 0, None).unwrap().walkable);
    let off = explainer.explain([15.0, 0.0, 0.0], 0, None).unwrap();
    assert_eq!(off.reasons[0].cause, Cause::OffFloor);
}

#[test]
fn the_order_of_triangles_changes_no_answer() {
    let level = |turned: bool| {
        let mut all = hall().block("a", [1.0, 0.0, 1.0], [2.0, 0.7, 3.0]).block(
            "b",
            [-4.0, 1.7, -4.0],
            [0.0, 3.0, 0.0],
        );
        if turned {
            all.0.triangles.reverse();
            all.0.triangle_parts.reverse();
        }
        all.job("")
    };
    let (one, other) = (level(false), level(true));
    let [one, other] = [&one, &other].map(|job| Explainer::new(job).unwrap());
    for k in 0..200 {
        let k = f64::from(k);
        let at = [(k * 0.37) % 8.0 - 4.0, (k * 0.11) % 1.0, (k * 0.73) % 8.0 - 4.0];
        assert_eq!(one.explain(at, 0, None), other.explain(at, 0, None));
    }
}

#[test]
fn places_that_are_no_numbers_have_no_answer() {
    let job = hall().job("");
    let explainer = Explainer::new(&job).unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(explainer.explain([0.0, bad, 0.0], 0, None), None);
    }
    let far = explainer.explain([1e300, 0.0, -1e300], 0, None).unwrap();
    assert_eq!(far.reasons[0].cause, Cause::NoGround);
}

#[test]
fn a_doorway_a_centimetre_wider_than_the_agent_is_ground() {
    for k in 0..48 {
        let n = f64::from(k);
        let (sin, cos) = (7.3 * n).to_radians().sin_cos();
        let half = 0.6 + [0.005, 0.01, 0.02, 0.03][k as usize % 4] / 2.0;
        let thick = [0.1, 0.3, 0.8][k as usize / 4 % 3] / 2.0;
        let at = |u: f64, y: f64, v: f64| {
            let (u, v) = (u + 0.037 * n, v + 0.053 * n);
            [u * cos + v * sin, y, v * cos - u * sin]
        };
        let wall = |level: Quads, [u, v]: [f64; 2], [to_u, to_v]: [f64; 2]| {
            let corners = [at(u, 0.0, v), at(u, 3.0, v), at(to_u, 3.0, to_v), at(to_u, 0.0, to_v)];
            level.quad("wall", corners)
        };
        let corners = [at(-6.0, 0.0, -6.0), at(-6.0, 0.0, 6.0), at(6.0, 0.0, 6.0)];
        let mut level = Quads::default()
            .quad("floor", [corners[0], corners[1], corners[2], at(6.0, 0.0, -6.0)]);
        for side in [-1.0, 1.0] {
            level = wall(level, [-thick, side * half], [thick, side * half]);
            for end in [-thick, thick] {
                level = wall(level, [end, side * half], [end, side * 6.0]);
            }
        }
        let job = level.job("");
        let explainer = Explainer::new(&job).unwrap();
        for far in [0.0, 0.5 * thick, -0.9 * thick] {
            let answer = explainer.explain(at(far, 0.0, 0.0), 0, None).unwrap();
            assert!(answer.walkable, "{k} {far}: {answer:?}");
        }
    }
}

#[test]
fn a_niche_a_centimetre_wider_than_the_agent_is_a_small_island() {
    let mut level = hall();
    for z in [-0.61f64, 0.61] {
        level = level.block("wall", [-2.0, 0.0, z.min(z * 2.0)], [2.0, 3.0, z.max(z * 2.0)]);
    }
    for x in [-2.0, 2.0] {
        level = level.block("end", [x - 0.1, 0.0, -0.61], [x + 0.1, 3.0, 0.61]);
    }
    let answer = ask(level, [0.0, 0.0, 0.0]);
    assert_eq!(answer.reasons[0].cause, Cause::SmallIsland, "{answer:?}");
}
