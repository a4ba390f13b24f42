//! The shapes of finished paths in worlds where they are known, refused paths, and following.

use navbake_finish::{FinishError, Follower, Rounding, places, round, spline, spline_room};
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, Scratch};
use navbake_testkit::squares::{SIDE, World};

/// Asks for a path and finishes it.
fn with_path(
    rows: &[&str],
    ends: [[f64; 2]; 2],
    f: impl FnOnce(&NavQuery<'_>, &navbake_search::NavPath<'_>, NavPoint),
) {
    let bytes = World::flat(rows).bake(true, true);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let [from, to] = ends.map(|[x, z]| [x, 0.0, z]);
    let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
    let answer = query.find_path(&request, &mut scratch).unwrap();
    let any = query.locate(answer.points[0], 1.0).unwrap();
    f(&query, &answer, any);
}

/// A block in the middle of wide ground.
const BLOCK: [&str; 11] = [
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    ".......######.......",
    ".......######.......",
    ".......######.......",
    ".......######.......",
    ".......######.......",
    ".......######.......",
];

fn flat(p: &NavPoint) -> [f64; 2] {
    [p.position()[0], p.position()[2]]
}

/// Sines of the turns of a path, without those that come from rounding to the grid.
fn turns(points: &[NavPoint]) -> Vec<f64> {
    let turn = |w: &[NavPoint]| {
        let [a, b, c] = [0, 1, 2].map(|k| flat(&w[k]));
        let (d, e) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
        (d[0] * e[1] - d[1] * e[0]) / (d[0].hypot(d[1]) * e[0].hypot(e[1]))
    };
    points.windows(3).map(turn).collect()
}

#[test]
fn a_spline_goes_through_the_corners_and_turns_less_at_each_point() {
    with_path(&BLOCK, [[2.0, 10.0], [19.0, 10.0]], |query, answer, any| {
        assert_eq!(answer.points.len(), 4);
        let mut out = vec![any; spline_room(4)];
        let sharpest =
            |points: &[NavPoint]| turns(points).into_iter().map(f64::abs).fold(0.0, f64::max);
        let raw = sharpest(places(query, answer, &mut out).unwrap().points);
        let spline = spline(query, answer, &mut out).unwrap();
        assert_eq!(spline.kept, 0);
        for corner in answer.points {
            assert!(spline.points.iter().any(|p| p.position() == *corner));
        }
        assert!(sharpest(spline.points) < 0.7 * raw);
        assert!(spline.length_xz < 1.1 * answer.length_xz);
    });
}

#[test]
fn where_a_wall_leaves_no_room_the_corner_stays() {
    let rows = ["##########", "#........#", "########.#", "########.#", "########.#", "##########"];
    with_path(&rows, [[1.5, 1.0], [9.0, 5.0]], |query, answer, any| {
        assert_eq!(answer.points.len(), 3);
        let rounding = Rounding::new(3.0);
        let mut out = vec![any; rounding.room(3)];
        let places = |points: &[NavPoint]| points.iter().map(|p| p.position()).collect::<Vec<_>>();
        // The path comes along one wall and leaves along another, so that both curves swing wide
        // into walls.
        let round = round(query, answer, rounding, &mut out).unwrap();
        assert_eq!(round.kept, 1);
        assert_eq!(places(round.points), answer.points);
    });
}

#[test]
fn arcs_have_their_radius_and_turn_one_way() {
    with_path(&BLOCK, [[2.0, 10.0], [19.0, 10.0]], |query, answer, any| {
        let rounding = Rounding { radius: 2.0, chord_error: 0.02 };
        let mut out = vec![any; rounding.room(4)];
        let round = round(query, answer, rounding, &mut out).unwrap();
        assert_eq!(round.kept, 0);
        // Rounding to the grid moves each point by half a step at most, in both directions.
        let step = 1.0 / f64::from(SIDE);
        for w in round.points.windows(3) {
            let [a, b, c] = [0, 1, 2].map(|k| flat(&w[k]));
            let turned = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            let longest = (b[0] - a[0]).hypot(b[1] - a[1]).max((c[0] - b[0]).hypot(c[1] - b[1]));
            assert!(
                turned >= -2.0 * step * longest,
                "to the right around the block: {a:?} {b:?} {c:?}"
            );
        }
        // Both corners of the block are met, and no point of the path is nearer to the inside of
        // the turn than they are.
        for corner in [[7.0, 5.0], [13.0, 5.0]] {
            assert!(round.points.iter().any(|p| flat(p) == corner));
        }
        assert!(round.points.iter().all(|p| flat(p)[1] <= 10.0));
        // Around the circle through each corner, with its centre on the inner bisector: points on
        // it, none within it.
        let raw: Vec<[f64; 2]> = answer.points.iter().map(|p| [p[0], p[2]]).collect();
        for w in raw.windows(3) {
            let unit = |p: [f64; 2]| {
                let d = [p[0] - w[1][0], p[1] - w[1][1]];
                d.map(|c| c / d[0].hypot(d[1]))
            };
            let (u, v) = (unit(w[0]), unit(w[2]));
            let sum = [u[0] + v[0], u[1] + v[1]];
            let centre = [0, 1].map(|k| w[1][k] + 2.0 * sum[k] / sum[0].hypot(sum[1]));
            let away = |p: &NavPoint| (flat(p)[0] - centre[0]).hypot(flat(p)[1] - centre[1]);
            assert!(round.points.iter().all(|p| away(p) >= 2.0 - step));
            assert!(round.points.iter().filter(|p| away(p) <= 2.0 + step).count() >= 4);
        }
    });
}

#[test]
fn a_wide_turn_is_no_sharper_than_its_circle_allows() {
    // The straight pieces of an arc of radius r with sagitta s turn by 2 acos(1 - s/r) at most; the
    // grid adds to it.
    with_path(&BLOCK, [[5.5, 10.0], [19.0, 1.5]], |query, answer, any| {
        let rounding = Rounding { radius: 4.0, chord_error: 0.25 };
        let mut out = vec![any; rounding.room(answer.points.len())];
        let raw = turns(places(query, answer, &mut out).unwrap().points);
        let round = round(query, answer, rounding, &mut out).unwrap();
        assert_eq!(round.kept, 0);
        let most = 2.0 * (1.0f64 - 0.25 / 4.0).acos();
        let sharpest = turns(round.points).iter().map(|t| t.abs().asin()).fold(0.0, f64::max);
        assert!(sharpest <= most + 0.2, "{sharpest} {most}");
        assert!(raw.iter().map(|t| t.abs().asin()).sum::<f64>() > 0.3);
    });
}

#[test]
fn straight_paths_are_left_alone() {
    with_path(&BLOCK, [[1.0, 1.0], [18.0, 3.0]], |query, answer, any| {
        let mut out = vec![any; 2];
        for finished in [
            spline(query, answer, &mut out).unwrap().points.to_vec(),
            round(query, answer, Rounding::new(2.0), &mut out).unwrap().points.to_vec(),
        ] {
            assert_eq!(finished.iter().map(|p| p.position()).collect::<Vec<_>>(), answer.points);
        }
    });
}

#[test]
fn short_slices_and_foreign_paths_are_refused_and_radii_out_of_reason_round_nothing() {
    with_path(&BLOCK, [[2.0, 10.0], [19.0, 10.0]], |query, answer, any| {
        let rounding = Rounding::new(1.0);
        let mut out = vec![any; rounding.room(4)];
        let no_room = |needed| Err(FinishError::NoRoom { needed });
        assert_eq!(spline(query, answer, &mut out[..19]), no_room(20));
        assert_eq!(places(query, answer, &mut out[..3]), no_room(4));
        assert_eq!(round(query, answer, rounding, &mut []), no_room(rounding.room(4)));
        for wrong in [
            navbake_search::NavPath { points: &[], ..*answer },
            navbake_search::NavPath { polygons: &[], ..*answer },
            navbake_search::NavPath { polygons: &answer.polygons[1..], ..*answer },
            navbake_search::NavPath { polygons: &[navbake_search::PolyId(u32::MAX)], ..*answer },
            navbake_search::NavPath { points: &[[f64::NAN; 3]; 3], ..*answer },
        ] {
            assert_eq!(spline(query, &wrong, &mut out), Err(FinishError::NotAPath));
            assert_eq!(round(query, &wrong, rounding, &mut out), Err(FinishError::NotAPath));
        }
        for radius in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 1e-300] {
            for chord_error in [0.01, f64::NAN, -1.0, 0.0] {
                let rounding = Rounding { radius, chord_error };
                let round = round(query, answer, rounding, &mut out).unwrap();
                assert!(round.points.len() <= rounding.room(4));
                assert_eq!(round.points.last().unwrap().position(), answer.points[3]);
            }
        }
    });
}

/// Moves a unit along a path that turns at most by this a tick; gives its places.
fn drive(
    follower: &mut Follower,
    path: &[[f64; 3]],
    start: [f64; 2],
    turn: f64,
    ticks: usize,
) -> Vec<[f64; 2]> {
    let (mut at, mut heading): ([f64; 2], Option<f64>) = (start, None);
    let mut way = vec![at];
    for _ in 0..ticks {
        let advice = follower.advise(path, [at[0], 0.0, at[1]]);
        if advice.arrived {
            return way;
        }
        let wanted = advice.heading[1].atan2(advice.heading[0]);
        let now = heading.unwrap_or(wanted);
        let off = (wanted - now).sin().atan2((wanted - now).cos());
        let angle = now + off.clamp(-turn, turn);
        heading = Some(angle);
        at = [at[0] + 0.1 * angle.cos(), at[1] + 0.1 * angle.sin()];
        way.push(at);
    }
    panic!("never arrives: {at:?}");
}

const BENT: [[f64; 3]; 4] = [[0.0; 3], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [20.0, 0.0, 10.0]];

#[test]
fn a_unit_that_turns_slowly_still_arrives() {
    for (turn, start) in [(3.2, [0.0, 0.0]), (0.2, [0.0, 3.0]), (0.08, [-2.0, -4.0])] {
        let way = drive(&mut Follower::new(0.5), &BENT, start, turn, 2000);
        let end = way.last().unwrap();
        assert!((end[0] - 20.0).hypot(end[1] - 10.0) <= 0.75, "{end:?}");
    }
}

#[test]
fn within_the_band_nothing_is_corrected_and_outside_it_the_unit_is_steered_back() {
    let mut follower = Follower::new(0.5);
    let inside = follower.advise(&BENT, [3.0, 0.0, -0.4]);
    assert_eq!((inside.heading, inside.correcting, inside.next), ([1.0, 0.0], false, 1));
    // From +x, +z is to the right seen from above.
    assert!((inside.lateral - 0.4).abs() < 1e-12);
    assert!((inside.remaining - 27.0).abs() < 1e-12);
    for side in [-2.0, 2.0] {
        let outside = follower.advise(&BENT, [3.0, 0.0, side]);
        assert!(outside.correcting && outside.heading[1] * side < 0.0 && outside.heading[0] > 0.0);
        assert!((outside.lateral + side).abs() < 1e-12);
    }
}

#[test]
fn a_corner_is_passed_beside_it_but_not_far_from_it() {
    let mut follower = Follower::new(0.5);
    follower.reach = 0.1;
    assert_eq!(follower.advise(&BENT, [10.2, 0.0, -0.4]).next, 2);
    let mut follower = Follower::new(0.5);
    follower.reach = 0.1;
    assert_eq!(follower.advise(&BENT, [10.2, 0.0, -3.0]).next, 1);
    // Several in one tick, up to the end.
    let mut follower = Follower::new(0.5);
    follower.reach = 100.0;
    let advice = follower.advise(&BENT, [0.0; 3]);
    assert!(advice.arrived && advice.heading == [0.0; 2] && advice.next == 3);
}

#[test]
fn no_path_is_an_arrival_and_numbers_that_are_none_do_no_harm() {
    let nothing: [[f64; 3]; 0] = [];
    assert!(Follower::new(0.5).advise(&nothing, [1.0; 3]).arrived);
    assert!(Follower::new(0.5).advise(&BENT[..1], [1.0; 3]).arrived);
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        Follower::new(bad).advise(&BENT, [1.0; 3]);
        Follower::new(0.5).advise(&BENT, [bad; 3]);
    }
}
