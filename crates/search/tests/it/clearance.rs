//! How much room there is along a path, against walls looked for from many points of it.
use navbake_search::around::MoveLog;
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, MoveRequest, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene::{Mix, Scene, UNITS};
use proptest::prelude::*;

use crate::a_star::CORRIDOR;

/// Positive where `c` is to the left of the line from `a` to `b`, seen from above.
fn side(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    let d = |p: [i32; 2]| [i64::from(p[0] - a[0]), i64::from(p[1] - a[1])];
    let (u, v) = (d(b), d(c));
    u[1] * v[0] - u[0] * v[1]
}

/// Corners with more than a full turn of ground around them. No level has them, and these scenes,
/// in which portals are exchanged at random, do; what is straight ahead of them is not one piece of
/// the plane.
fn winding(query: &NavQuery<'_>) -> Vec<[i32; 2]> {
    let mesh = query.mesh();
    let mut found = vec![];
    for start in mesh.polygons() {
        for k in 0..start.len() {
            let centre = start.corner(k);
            // Where the turn begins: ground that is there again is above itself.
            let ahead = start.corner(start.next(k));
            let mut at = (start.id(), k);
            loop {
                let polygon = mesh.polygon(at.0);
                let Some(next) = polygon.across(polygon.previous(at.1)) else {
                    break;
                };
                at = next;
                if at == (start.id(), k) {
                    break;
                }
                let polygon = mesh.polygon(at.0);
                let first = polygon.corner(polygon.next(at.1));
                let last = polygon.corner(polygon.previous(at.1));
                let along =
                    |k: usize| i64::from(first[k] - centre[k]) * i64::from(ahead[k] - centre[k]);
                let begins = side(centre, first, ahead);
                if begins == 0 && along(0) + along(1) > 0
                    || begins > 0 && side(last, centre, ahead) > 0
                {
                    found.push(centre);
                    break;
                }
            }
        }
    }
    found
}

/// Does a straight line pass as near to a point as roundings to the grid may take it?
fn touches(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> bool {
    let [a, b, p] = [a, b, p].map(|c| c.map(f64::from));
    let d = [b[0] - a[0], b[1] - a[1]];
    let t = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]).max(1.0);
    let t = t.clamp(0.0, 1.0);
    (a[0] + t * d[0] - p[0]).hypot(a[1] + t * d[1] - p[1]) <= 3.0
}

/// Is one of these corners within this distance of a place, m? From a place beside a path a wall
/// at it may be visible that no place of the path this near sees, or none: visibility jumps
/// there, see `where_ground_winds_around_a_corner_a_step_aside_shows_another_wall`.
fn winds_within(winding: &[[i32; 2]], at: [f64; 2], metres: f64) -> bool {
    let away = |c: &[i32; 2]| (f64::from(c[0]) - at[0]).hypot(f64::from(c[1]) - at[1]);
    winding.iter().any(|c| away(c) <= metres * UNITS + 1e-6)
}

/// A random scene with doors, and its blob; `None` where it has no ground.
fn furnished(random: &mut Random, mix: Mix, doors: u64) -> Option<(Scene, Vec<u8>)> {
    let mut scene = Scene::random(random, mix);
    if scene.faces.is_empty() {
        return None;
    }
    scene.furnish(random, doors, 0);
    let bytes = scene.bake();
    Some((scene, bytes))
}

/// Random paths over a scene: no place along one has a wall nearer than the clearance of the whole
/// path.
fn check_room(seed: u64, mix: Mix, doors: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let Some((scene, bytes)) = furnished(&mut random, mix, doors) else {
        return Err(TestCaseError::reject("a scene without ground"));
    };
    let blob = Blob::open_checked(&bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let mut closings = QueryFilter::new();
    closings.set_blocked(&mesh, &[random.below(8) as u64], 0).unwrap();
    let query = NavQuery::new(mesh).with_filter(&closings);
    let winding = winding(&query);
    let mut search = Scratch::new();
    let mut flood = Scratch::new();
    for _ in 0..8 {
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        let planner = [Algorithm::Optimal, CORRIDOR][random.below(2)];
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner);
        let answer = query.find_path_between(&start, &goal, &request, &mut search).unwrap();
        if answer.status != Status::Reached {
            continue;
        }
        let most = [0.5, 4.0, 100.0][random.below(3)];
        let found = navbake_finish::path_clearance(&query, &answer, most, &mut flood).unwrap();
        prop_assert!(found.distance <= most);
        // Places on the grid beside the path, and how far off it they are.
        let mut sampled = most;
        let places = navbake_finish::path_places(&query, &answer).unwrap();
        let places: Vec<_> = places.map(Result::unwrap).collect();
        let legs = || places.windows(2).map(|w| [w[0].point(), w[1].point()]);
        if winding.iter().any(|&p| start.point() == p || legs().any(|[a, b]| touches(a, b, p))) {
            continue;
        }
        for w in places.windows(2) {
            let [p, q] = [&w[0], &w[1]].map(|l| l.point().map(f64::from));
            let length = (q[0] - p[0]).hypot(q[1] - p[1]);
            let steps = length.ceil() as i32;
            for i in 0..=steps {
                let t = f64::from(i) / f64::from(steps.max(1));
                let at = [0, 1].map(|k| p[k] + t * (q[k] - p[k]));
                let to = query.mesh().grid().metres([at[0].round(), 0.0, at[1].round()]);
                let motion = query.move_along(&w[0], &MoveRequest::new(to), MoveLog::default());
                let beside = query.place(motion.end).unwrap();
                let off = {
                    let c = beside.point().map(f64::from);
                    (c[0] - at[0]).hypot(c[1] - at[1]) / UNITS
                };
                let wall = query.wall_distance(&beside, most + 1.0, &mut flood).distance;
                if off == 0.0 || !winds_within(&winding, at, wall + off) {
                    prop_assert!(
                        found.distance <= wall + off + 1e-9,
                        "{found:?}, {wall} at {at:?}"
                    );
                }
                sampled = sampled.min(wall + off);
            }
        }
        // A grid unit from sample to sample, and as much off the path. Where portals are exchanged,
        // a wall may be seen from less of the path than is between two samples.
        prop_assert!(
            mix.exchanged > 0 || found.distance >= sampled - 3.0 / UNITS,
            "{found:?}, {sampled}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_room_along_a_path_is_the_least_at_its_points(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, jitter in 0..5i32, blocked in 0..40u64,
        cut in 0..20u64, exchanged in 0..50u64, merged in 0..100u64, doors in 0..20u64,
    ) {
        // Half of them with all portals where they belong.
        let exchanged = exchanged.saturating_sub(25) * 2;
        check_room(seed, Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged }, doors)?;
    }
}

const HELIX: (u64, Mix, u64) = (
    9_113_338_447_901_308_307,
    Mix {
        columns: 5,
        rows: 2,
        storeys: 2,
        jitter: 3,
        blocked: 2,
        cut: 2,
        exchanged: 38,
        merged: 39,
    },
    17,
);

#[test]
fn past_a_corner_that_ground_winds_around_no_place_of_a_path_has_less_room() {
    let (seed, mix, doors) = HELIX;
    check_room(seed, mix, doors).unwrap();
}

#[test]
fn where_ground_winds_around_a_corner_a_step_aside_shows_another_wall() {
    let (seed, mix, doors) = HELIX;
    let mut random = Random(seed);
    let (scene, bytes) = furnished(&mut random, mix, doors).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let mut closings = QueryFilter::new();
    closings.set_blocked(&mesh, &[random.below(8) as u64], 0).unwrap();
    let query = NavQuery::new(mesh).with_filter(&closings);
    let mut flood = Scratch::new();
    assert!(winding(&query).contains(&[98, 26]));
    let face = (0..scene.faces.len()).find(|&f| scene.polygon(&query, f).0 == 5);
    let mut away = |p: [i32; 2]| {
        let place = scene.place(&query, face.unwrap(), p);
        query.wall_distance(&place, 4.0, &mut flood).distance * UNITS
    };
    // The wall at the corner leads straight away from the first place, and is behind the corner for
    // the second.
    assert_eq!(away([84, 24]), 14f64.hypot(2.0));
    let aside = away([84, 23]);
    assert!(aside > 14f64.hypot(2.0) + 1.0, "{aside}");
}
