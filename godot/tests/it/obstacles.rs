//! Obstacles, and queries that share their ground.

use navbake_godot::search::Search;
use navbake_search::{Algorithm, NavMeshBuf};
use navbake_world::{Obstacle, Solid, World};

use crate::support::{courtyard, ground, office, settings};

const STRAIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FROM: [f64; 3] = [2.0, 0.0, 20.0];
const TO: [f64; 3] = [6.0, 0.0, 20.0];

/// A barrel 2 m high.
pub(crate) fn barrel(at: [f64; 3]) -> Solid {
    Solid { half: [0.4, 1.0, 0.4], is_round: true, axes: STRAIGHT, middle: at }
}

/// The corners of the polygons of a courtyard without the ground of an obstacle.
fn corners(obstacle: Obstacle) -> Vec<Vec<[i32; 3]>> {
    let mut world = World::new(NavMeshBuf::open(courtyard()).unwrap());
    world.add(obstacle).unwrap();
    world.commit();
    all_corners(&world)
}

fn all_corners(world: &World) -> Vec<Vec<[i32; 3]>> {
    let mesh = world.nav_mesh();
    let polygons = mesh.polygons();
    polygons.map(|p| (0..p.len()).map(|k| p.point(k)).collect()).collect()
}

#[test]
fn queries_that_share_a_ground_see_its_obstacles_after_a_commit() {
    let shared = ground(courtyard(), "");
    let mut queries = [(); 2].map(|()| Search::new(shared.clone()).unwrap());
    let mut lengths =
        || queries.each_mut().map(|q| q.path(FROM, TO, &settings(Algorithm::Optimal)).unwrap());
    let free = lengths();
    assert!(free.iter().all(|path| path.length == 4.0 && path.points.len() == 2), "{free:?}");
    let number = shared.write().add(&barrel([4.0, 0.5, 20.0])).unwrap();
    assert_eq!(lengths(), free, "not before the commit");
    assert_eq!(shared.write().commit(0).changed, 1);
    let around = lengths();
    assert!(around[0].length > 4.2 && around[0] == around[1], "{around:?}");
    shared.write().move_to(number, &barrel([4.0, 0.5, 30.0])).unwrap();
    shared.write().commit(0);
    assert_eq!(lengths(), free);
    shared.write().remove(number).unwrap();
    shared.write().commit(0);
    assert_eq!(lengths(), free);
    assert!(shared.write().remove(number).is_err(), "it is gone");
}

#[test]
fn switches_stay_closed_when_obstacles_change_the_ground() {
    let [from, to] = [[2.5, 0.0, 11.5], [13.5, 0.0, 11.5]];
    let shared = ground(office(), "");
    let mut search = Search::new(shared.clone()).unwrap();
    let length = |s: &mut Search| s.path(from, to, &settings(Algorithm::Optimal)).unwrap();
    let before = length(&mut search);
    let [a, b] = [before.points[0], before.points[1]];
    let middle = std::array::from_fn(|k| (a[k] + b[k]) / 2.0);
    let small = Solid { half: [0.1, 0.5, 0.1], ..barrel(middle) };
    let number = shared.write().add(&small).unwrap();
    shared.write().commit(0);
    let around = length(&mut search);
    assert!(around.length > before.length && around.length < before.length + 2.0, "{around:?}");
    search.set_closed("g", false).unwrap();
    assert!(length(&mut search).length < before.length, "the door is open");
    search.set_closed("g", true).unwrap();
    shared.write().remove(number).unwrap();
    shared.write().commit(0);
    assert_eq!(length(&mut search), before);
}

#[test]
fn an_upright_cylinder_is_one_in_any_rotation_about_its_axis() {
    let (sin, cos) = 0.7f64.sin_cos();
    let turned = [[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]];
    let doubled = STRAIGHT.map(|axis| axis.map(|c| 2.0 * c));
    for (axes, size) in [(STRAIGHT, 1.0), (turned, 1.0), (doubled, 2.0)] {
        let shared = ground(courtyard(), "");
        shared.write().add(&Solid { axes, ..barrel([4.0, 0.5, 20.0]) }).unwrap();
        shared.write().commit(0);
        let heights = [0.5 - size, 0.5 + size];
        let expected = corners(Obstacle::cylinder([4.0, 20.0], 0.4 * size, heights).unwrap());
        // Turning leaves rounding of the radius, far below a unit of the grid.
        assert_eq!(all_corners(shared.read().world()), expected);
    }
}

#[test]
fn a_box_takes_its_outline_seen_from_above() {
    let half = [0.5, 0.25, 1.0];
    // A quarter turn about its long axis: its height and its width change places.
    let tipped = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    for (axes, [x, y]) in [(STRAIGHT, [0.5, 0.25]), (tipped, [0.25, 0.5])] {
        let shared = ground(courtyard(), "");
        let cube = Solid { half, is_round: false, axes, middle: [4.0, 0.5, 20.0] };
        shared.write().add(&cube).unwrap();
        shared.write().commit(0);
        let outline = [[4.0 - x, 19.0], [4.0 + x, 19.0], [4.0 + x, 21.0], [4.0 - x, 21.0]];
        let expected = corners(Obstacle::prism(&outline, [0.5 - y, 0.5 + y]).unwrap());
        assert_eq!(all_corners(shared.read().world()), expected);
    }
}

#[test]
fn shapes_that_cannot_be_are_errors() {
    let shared = ground(courtyard(), "");
    for spoil in [f64::NAN, f64::INFINITY, 1e12] {
        assert!(shared.write().add(&barrel([spoil, 0.5, 20.0])).is_err(), "{spoil}");
    }
    let negative = Solid { half: [-0.4, 1.0, -0.4], ..barrel([4.0, 0.5, 20.0]) };
    assert!(shared.write().add(&negative).is_err());
    assert!(shared.write().move_to(u64::MAX, &barrel([4.0, 0.5, 20.0])).is_err());
    assert_eq!(shared.write().commit(0).changed, 0);
}
