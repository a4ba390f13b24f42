//! Units that steer: a group through a door, the limits, the order of the others.

use navbake_finish::{Follower, Moving, Steering};
use navbake_format::write::{BlobParts, MeshParts, encode};
use navbake_search::around::MoveLog;
use navbake_search::blob::Blob;
use navbake_search::{MoveRequest, NavPoint, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_testkit::scene::point_agent;

/// A leader and its followers.
pub(crate) const COUNT: usize = 9;

/// Two halls of 12 m by 12 m, and a door of 2 m by 1 m between them.
pub(crate) fn halls() -> Vec<u8> {
    let none = u32::MAX;
    let at = |x: i32, z: i32| [1024 * x, 0, 1024 * z];
    let [a, b, c, d] = [at(12, 5), at(12, 7), at(13, 5), at(13, 7)];
    let west = [at(0, 0), at(0, 12), at(12, 12), at(12, 0)];
    let east = [at(13, 0), at(13, 12), at(25, 12), at(25, 0)];
    let mesh = MeshParts {
        vertices: &[[a, b, c, d], west, east].concat(),
        first_edge: &[0, 6, 10, 16],
        corners: &[4, 5, 6, 1, 0, 7, 0, 1, 3, 2, 8, 2, 3, 9, 10, 11],
        neighbours: &[
            none, none, none, 1, none, none, 0, none, 2, none, none, 1, none, none, none, none,
        ],
        islands: &[0; 3],
        areas: &[0; 3],
        ..MeshParts::default()
    };
    let parts =
        BlobParts { agents: &[point_agent("unit")], meshes: &[mesh], ..BlobParts::default() };
    encode(&parts).unwrap()
}

/// Is a point on the ground of [`halls`], by the plan alone?
fn on_ground([x, y, z]: [f64; 3]) -> bool {
    let hall = (0.0..=12.0).contains(&x) || (13.0..=25.0).contains(&x);
    let door = (12.0..=13.0).contains(&x) && (5.0..=7.0).contains(&z);
    y == 0.0 && (door || hall && (0.0..=12.0).contains(&z))
}

/// A leader with eight followers behind it, each with its own path to one goal.
pub(crate) struct Group {
    pub(crate) units: [Moving; COUNT],
    places: [NavPoint; COUNT],
    routes: [Route; COUNT],
    /// Did the last step end at a wall?
    touched: [bool; COUNT],
    scratch: Scratch,
}

/// A unit's path to the goal, and how far it is along it.
#[derive(Clone, Copy)]
struct Route {
    points: [[f64; 3]; 8],
    len: usize,
    follower: Follower,
}

impl Route {
    fn new(query: &NavQuery<'_>, from: [f64; 3], scratch: &mut Scratch) -> Route {
        let path = query.find_path(&PathRequest::new(from, GOAL), scratch).unwrap();
        let mut points = [[0.0; 3]; 8];
        points[..path.points.len()].copy_from_slice(path.points);
        let mut follower = Follower::new(0.2);
        // Near a corner of a wall is not yet around it.
        follower.reach = 0.0;
        Route { points, len: path.points.len(), follower }
    }
}

impl Group {
    pub(crate) fn new(query: &NavQuery<'_>) -> Group {
        Group::at(
            query,
            core::array::from_fn(|k| match k {
                0 => [5.0, 3.0],
                k => [1.0 + (k % 3) as f64, 1.5 + 1.5 * (k / 3) as f64],
            }),
        )
    }

    fn at(query: &NavQuery<'_>, starts: [[f64; 2]; COUNT]) -> Group {
        let mut scratch = Scratch::new();
        let places = starts.map(|[x, z]| query.locate([x, 0.0, z], 0.1).unwrap());
        Group {
            units: places.map(|p| Moving { position: p.position(), velocity: [0.0; 2] }),
            places,
            routes: places.map(|p| Route::new(query, p.position(), &mut scratch)),
            touched: [false; COUNT],
            scratch,
        }
    }

    /// One time step. `order` is that of the units and of the others of each.
    pub(crate) fn step(
        &mut self,
        query: &NavQuery<'_>,
        steering: &Steering,
        order: &[usize; COUNT],
    ) {
        let units = self.units;
        let mut leader = 0.0;
        let aims: [_; COUNT] = core::array::from_fn(|k| {
            let (at, route) = (units[k].position, &mut self.routes[k]);
            let mut advice = route.follower.advise(&route.points[..route.len], at);
            if advice.correcting || self.touched[k] {
                // Pushed off its path: another one leads on from here.
                *route = Route::new(query, at, &mut self.scratch);
                advice = route.follower.advise(&route.points[..route.len], at);
            }
            if k == 0 {
                leader = advice.remaining;
            }
            advice.aim(at, if k == 0 { 0.0 } else { leader + SPACING })
        });
        for &k in order {
            // The leader does not make room.
            let others = order.iter().filter(|&&j| j != k && k != 0).map(|&j| units[j]);
            let mut unit = units[k];
            unit.velocity = steering.steer(&unit, aims[k], others);
            let request = MoveRequest::new(steering.target(&unit));
            let motion = query.move_along(&self.places[k], &request, MoveLog::default());
            self.places[k] = query.place(motion.end).unwrap();
            unit.position = self.places[k].position();
            self.touched[k] = motion.contacts > 0;
            self.units[k] = unit;
        }
    }
}

const GOAL: [f64; 3] = [20.0, 0.0, 9.0];
pub(crate) const IN_ORDER: [usize; COUNT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Length of path between the leader and its followers, m.
const SPACING: f64 = 1.0;
/// Range of keeping apart, m.
const RANGE: f64 = 1.2;

pub(crate) fn steering() -> Steering {
    Steering::new(1.5, 6.0, RANGE)
}

pub(crate) fn with_halls(f: impl FnOnce(&NavQuery<'_>)) {
    let bytes = halls();
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    f(&NavQuery::new(nav.mesh()));
}

fn resting([x, z]: [f64; 2]) -> Moving {
    Moving { position: [x, 0.0, z], velocity: [0.0; 2] }
}

fn apart(a: &Moving, b: &Moving) -> f64 {
    (a.position[0] - b.position[0]).hypot(a.position[2] - b.position[2])
}

fn least_distance(units: &[Moving]) -> f64 {
    let pairs = units.iter().enumerate().flat_map(|(k, a)| units[..k].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| apart(a, b)).fold(f64::INFINITY, f64::min)
}

fn speed(v: [f64; 2]) -> f64 {
    v[0].hypot(v[1])
}

fn bits(unit: &Moving) -> [u64; 5] {
    let ([x, y, z], [u, v]) = (unit.position, unit.velocity);
    [x, y, z, u, v].map(f64::to_bits)
}

fn shuffle<T>(random: &mut Random, list: &mut [T]) {
    (1..list.len()).for_each(|k| list.swap(k, random.below(k + 1)));
}

/// A unit in a square of 4 m, at any speed up to 2 m/s along each axis.
fn anywhere(random: &mut Random) -> Moving {
    let mut within = |most: f64| most * (2.0 * random.unit() - 1.0);
    let position = [within(2.0), within(0.5), within(2.0)];
    Moving { position, velocity: [within(2.0), within(2.0)] }
}

/// Walks a group to the goal: on the ground, apart, to rest near the goal.
fn walk_to_goal(query: &NavQuery<'_>, mut group: Group, distance: f64, name: usize) {
    assert!(least_distance(&group.units) > 0.9);
    for step in 0..400 {
        group.step(query, &steering(), &IN_ORDER);
        let least = least_distance(&group.units);
        assert!(least >= distance, "group {name}, step {step}: {least} m apart");
        for unit in &group.units {
            assert!(on_ground(unit.position), "group {name}, step {step}: {unit:?}");
            assert_eq!(query.locate(unit.position, 0.0).unwrap().position(), unit.position);
        }
    }
    let goal = resting([GOAL[0], GOAL[2]]);
    assert!(apart(&group.units[0], &goal) <= 0.01, "group {name}: the leader arrives");
    for unit in &group.units {
        assert!(apart(unit, &goal) <= 1.5 * SPACING, "group {name}: {unit:?}");
        assert!(speed(unit.velocity) <= 0.1, "group {name} comes to rest: {unit:?}");
    }
}

#[test]
fn followers_keep_apart_through_a_door_and_arrive_near_the_goal() {
    with_halls(|query| walk_to_goal(query, Group::new(query), RANGE / 2.0, 0));
}

#[test]
fn the_order_of_units_and_of_others_changes_no_bit() {
    with_halls(|query| {
        let mut random = Random(1);
        let mut group = Group::new(query);
        let mut shuffled = Group::new(query);
        let mut order = IN_ORDER;
        for step in 0..200 {
            shuffle(&mut random, &mut order);
            group.step(query, &steering(), &IN_ORDER);
            shuffled.step(query, &steering(), &order);
            assert_eq!(group.units.map(|u| bits(&u)), shuffled.units.map(|u| bits(&u)), "{step}");
        }
    });
}

#[test]
fn the_order_of_a_crowd_changes_no_bit() {
    let mut random = Random(2);
    for _ in 0..200 {
        let unit = anywhere(&mut random);
        let mut others: Vec<Moving> = (0..60).map(|_| anywhere(&mut random)).collect();
        // Some as near as can be, whose weights are the greatest.
        (0..3).for_each(|k| others[k].position = unit.position.map(|c| c + 1e-6 * random.unit()));
        // Loose limits, so that they hide nothing.
        let loose = Steering::new(1e6, 1e9, RANGE);
        let mut answer = || {
            shuffle(&mut random, &mut others);
            loose.steer(&unit, Some([1.0, 2.0]), others.iter().copied()).map(f64::to_bits)
        };
        let first = answer();
        assert!((0..5).all(|_| answer() == first));
    }
}

#[test]
fn speed_and_acceleration_stay_within_their_limits() {
    let mut random = Random(3);
    let steering = steering();
    for _ in 0..2000 {
        let mut unit = anywhere(&mut random);
        let others: Vec<Moving> = (0..random.below(10)).map(|_| anywhere(&mut random)).collect();
        let aim = random.chance(80).then(|| [random.unit(), random.unit()]);
        let fast = speed(unit.velocity);
        if fast > steering.max_speed {
            unit.velocity = unit.velocity.map(|c| c / fast * steering.max_speed);
        }
        let new = steering.steer(&unit, aim, others.into_iter());
        let change = [0, 1].map(|k| new[k] - unit.velocity[k]);
        assert!(speed(new) <= steering.max_speed + 1e-9, "{new:?}");
        assert!(speed(change) <= steering.max_acceleration * steering.step + 1e-9, "{change:?}");
    }
}

#[test]
fn a_unit_slows_down_at_its_aim_and_stops_there() {
    let steering = steering();
    let mut unit = resting([0.0; 2]);
    let (mut fastest, mut last) = (0.0_f64, 0.0);
    for _ in 0..100 {
        unit.velocity = steering.steer(&unit, Some([5.0, 0.0]), [].into_iter());
        unit.position = steering.target(&unit);
        let [x, _, z] = unit.position;
        assert!(x >= last && x <= 5.0 && z == 0.0, "{x}: forwards, not past the aim");
        let slowed = 5.0 - last < 0.5 * steering.slowing;
        assert!(!slowed || unit.velocity[0] < 0.9 * steering.max_speed, "{unit:?}");
        fastest = fastest.max(unit.velocity[0]);
        last = x;
    }
    assert_eq!(fastest, steering.max_speed);
    assert!(last >= 5.0 - 1e-6, "{last}");
    assert!(unit.velocity[0] <= 1e-6, "{unit:?}");
}

#[test]
fn only_others_within_range_are_kept_away_from() {
    let steering = steering();
    let unit = resting([0.0; 2]);
    let push = |position: [f64; 3]| {
        let other = Moving { position, velocity: [0.0; 2] };
        steering.steer(&unit, None, [other].into_iter())
    };
    assert!(push([1.1, 0.0, 0.0])[0] < 0.0);
    assert_eq!(push([1.3, 0.0, 0.0]), [0.0; 2]);
    assert_eq!(push([0.1, 3.0, 0.0]), [0.0; 2], "another storey");
    assert_eq!(push([0.0; 3]), [0.0; 2], "the same place: no direction");
    let near = |x: f64| push([0.0, 0.0, x])[1];
    assert!(near(0.9) < near(1.1), "nearer others push more");
}

#[test]
fn a_follower_on_open_ground_keeps_its_spacing() {
    let steering = steering();
    let leader = resting([4.0, 3.0]);
    let mut unit = resting([0.0; 2]);
    assert_eq!(unit.near(&leader, 2.5), [2.0, 1.5]);
    assert_eq!(leader.near(&leader, 2.5), [4.0, 3.0]);
    for _ in 0..100 {
        let aim = unit.near(&leader, 2.5);
        unit.velocity = steering.steer(&unit, Some(aim), [leader].into_iter());
        unit.position = steering.target(&unit);
    }
    assert!((apart(&unit, &leader) - 2.5).abs() <= 0.01, "{unit:?}");
}

#[test]
fn numbers_that_are_not_finite_stop_a_unit_and_hide_another() {
    let steering = steering();
    let unit = Moving { position: [0.0; 3], velocity: [1.0, 0.0] };
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(steering.steer(&unit, Some([odd, 0.0]), [].into_iter()), [0.0; 2]);
        let lost = Moving { position: [odd, 0.0, 0.0], ..unit };
        assert_eq!(steering.steer(&lost, Some([1.0; 2]), [].into_iter()), [0.0; 2]);
        let mad = Moving { velocity: [odd, 0.0], ..unit };
        assert_eq!(steering.steer(&mad, Some([1.0; 2]), [].into_iter()), [0.0; 2]);
        let with = steering.steer(&unit, Some([1.0; 2]), [lost].into_iter());
        assert_eq!(with, steering.steer(&unit, Some([1.0; 2]), [].into_iter()));
    }
}

#[test]
fn followers_arrive_from_anywhere_in_the_hall() {
    with_halls(|query| {
        let mut random = Random(4);
        for group in 0..300 {
            let mut starts = [[5.0, 3.0]; COUNT];
            for k in 1..COUNT {
                starts[k] = loop {
                    let at = [10.0 * random.unit(), 12.0 * random.unit()];
                    if starts[..k].iter().all(|&s| apart(&resting(s), &resting(at)) >= 1.0) {
                        break at;
                    }
                };
            }
            walk_to_goal(query, Group::at(query, starts), RANGE / 3.0, group);
        }
    });
}
