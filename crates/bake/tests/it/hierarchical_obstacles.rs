//! Rooms, and paths from room to room, while obstacles take ground.

use navbake_format::RoomId;
use navbake_rooms::{Hop, RoomMemory, RoomReach, RoomScratch, Walk, find_path};
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_world::{Obstacle, ObstacleId, World};

use crate::hierarchical::{DOORS, baked, compare, two_places};
use crate::hierarchical_links::{check_legs, links};

const LEVELS: [&str; 4] = ["office", "dungeon", "castle", "tower"];

fn world(bytes: &[u8]) -> World {
    World::new(NavMeshBuf::open(bytes).expect("a sound file"))
}

/// An obstacle around a place, from 0.2 to 1 m wide.
fn crate_at([x, y, z]: [f64; 3], random: &mut Random) -> Obstacle {
    let half = 0.1 + 0.4 * random.unit();
    let heights = [y - 0.3, y + 1.0];
    let obstacle = match random.unit() < 0.5 {
        true => Obstacle::cylinder([x, z], half, heights),
        false => {
            let turned = |turn: f64| [x + half * turn.cos(), z + half * turn.sin()];
            let first = random.unit() * std::f64::consts::TAU;
            let ring = [0.0, 1.3, 2.9, 4.6].map(|angle| turned(first + angle));
            Obstacle::prism(&ring, heights)
        }
    };
    obstacle.expect("an obstacle")
}

/// Adds obstacles, some of them in doors.
fn furnish(world: &mut World, count: usize, random: &mut Random) -> Vec<ObstacleId> {
    let mut added = vec![];
    for number in 0..count {
        let baked = world.baked();
        let query = NavQuery::new(baked);
        let rooms = baked.rooms().expect("rooms");
        let door = (random.unit() * f64::from(rooms.door_count())) as u32;
        let at = match number % 6 {
            0 => navbake_rooms::middle_of_door(&query, rooms, door),
            _ => None,
        };
        let place = at.and_then(|at| query.place(at));
        let place = place.unwrap_or_else(|| two_places(&query, random)[0]);
        let obstacle = crate_at(place.position(), random);
        added.push(world.add(obstacle).expect("on the grid"));
    }
    world.commit();
    added
}

#[test]
fn a_place_is_in_its_room_whatever_obstacles_take() {
    for name in LEVELS {
        let mut world = world(&baked(name, "", ""));
        let mut random = Random::new(41);
        furnish(&mut world, 40, &mut random);
        let (before, now) = (world.baked(), world.nav_mesh());
        let (rooms, changed) = (before.rooms().unwrap(), now.rooms().unwrap());
        assert_eq!(rooms.count(), changed.count());
        let [query, changed_query] = [before, now].map(NavQuery::new);
        let mut on_pieces = 0;
        for _ in 0..1000 {
            let [place, _] = two_places(&changed_query, &mut random);
            let same = query.locate(place.position(), 0.1).expect("ground as baked");
            assert_eq!(changed.of(place.polygon()), rooms.of(same.polygon()), "{place:?}");
            on_pieces += usize::from(place.polygon() != same.polygon());
        }
        assert!(on_pieces > 100, "{name}: {on_pieces}");
        let mut memory = vec![0; rooms.count() as usize];
        assert!(RoomReach::new(&changed_query, changed, &mut memory).is_none());
        assert!(RoomReach::new(&query, rooms, &mut memory).is_some());
    }
}

#[test]
fn paths_over_rooms_around_obstacles_are_at_most_a_tenth_longer_than_the_shortest() {
    let (mut all, mut reached, mut by_rooms) = (0, 0, 0);
    for name in LEVELS {
        for budget in ["", "[tables]\nbudget = \"none\"\n"] {
            let bytes = baked(name, "", budget);
            let mut random = Random::new(43);
            let mut scratch = RoomScratch::new();
            for round in 0..10 {
                let mut world = world(&bytes);
                furnish(&mut world, 2 + 4 * round, &mut random);
                let query = NavQuery::new(world.nav_mesh());
                reached += compare(&query, 25, &mut random).0;
                all += 25;
                let [from, to] = two_places(&query, &mut random);
                let request = PathRequest::new(from.position(), to.position());
                let found = find_path(&query, &request, &mut scratch).unwrap();
                by_rooms += usize::from(found.by_rooms && found.path.status == Status::Reached);
            }
        }
    }
    println!("{reached} of {all} reached, {by_rooms} of 80 by rooms");
    assert!(reached > all / 3 && reached < all && by_rooms > 25, "{reached} of {all}, {by_rooms}");
}

#[test]
fn closed_doors_and_obstacles_bind_paths_over_rooms_at_once() {
    let bytes = baked("castle", "", DOORS);
    let mut random = Random::new(47);
    let (mut all, mut reached) = (0, 0);
    for closed in 0..32 {
        let mut world = world(&bytes);
        furnish(&mut world, 20, &mut random);
        let mesh = world.nav_mesh();
        let mut filter = QueryFilter::new();
        filter.set_blocked(&mesh, &[closed], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        reached += compare(&query, 25, &mut random).0;
        all += 25;
    }
    assert!(reached > all / 5 && reached < all, "{reached} of {all}");
}

#[test]
fn paths_over_rooms_and_links_go_around_obstacles() {
    let mut random = Random::new(51);
    let (mut optimal, mut own) = (Scratch::new(), RoomScratch::new());
    let (mut reached, mut linked, mut all) = (0, 0, 0);
    for cheap in [false, true] {
        let bytes = baked("castle", "", &links("castle", 20, cheap, &mut random));
        for _ in 0..10 {
            let mut world = world(&bytes);
            furnish(&mut world, 20, &mut random);
            let query = NavQuery::new(world.nav_mesh());
            for _ in 0..25 {
                let [from, to] = two_places(&query, &mut random).map(|place| place.position());
                let request = PathRequest::new(from, to);
                let asked = request.algorithm(Algorithm::Optimal);
                let best = query.find_path(&asked, &mut optimal).unwrap();
                let found = find_path(&query, &request, &mut own).unwrap().path;
                assert_eq!(found.status, best.status, "{from:?} {to:?}");
                all += 1;
                if best.status != Status::Reached {
                    continue;
                }
                let (cost, least) = (found.cost, best.cost);
                assert!(
                    cost >= least * (1.0 - 1e-9) && cost <= 1.1 * least + 1e-9,
                    "{from:?} {to:?}"
                );
                assert!(found.bound <= least * (1.0 + 1e-9), "{} of {least}", found.bound);
                assert!(!found.certified_optimal || cost <= least * (1.0 + 1e-9));
                linked += u32::from(check_legs(&query, &found) > 0);
                reached += 1;
            }
        }
    }
    assert!(reached > all / 3 && linked > 30, "{reached} of {all}, {linked} over links");
}

/// A whole room is taken, and with it all of its doors.
#[test]
fn a_room_that_obstacles_take_is_gone_around() {
    let bytes = baked("castle", "", "");
    let mut random = Random::new(53);
    let count = world(&bytes).baked().rooms().unwrap().count();
    for room in (0..count).map(RoomId) {
        let mut world = world(&bytes);
        let baked = world.baked();
        let rooms = *baked.rooms().unwrap();
        let grid = baked.grid();
        let of_room: Vec<_> = baked.polygons().filter(|p| rooms.of(p.id()) == room).collect();
        let rings: Vec<(Vec<[f64; 2]>, [f64; 2])> = of_room
            .iter()
            .map(|polygon| {
                let points = (0..polygon.len()).map(|k| polygon.point(k).map(f64::from));
                let points: Vec<[f64; 3]> = points.map(|at| grid.metres(at)).collect();
                let heights = points.iter().map(|at| at[1]);
                let least = heights.clone().fold(f64::INFINITY, f64::min);
                let ring = points.iter().map(|at| [at[0], at[2]]).take(12).collect();
                (ring, [least - 0.3, heights.fold(least, f64::max) + 0.3])
            })
            .collect();
        for (ring, heights) in &rings {
            world.add(Obstacle::prism(ring, *heights).expect("convex")).expect("on the grid");
        }
        world.commit();
        let query = NavQuery::new(world.nav_mesh());
        compare(&query, 20, &mut random);
    }
}

#[test]
fn a_walk_goes_around_obstacles_that_come_and_go_on_the_way() {
    let bytes = baked("castle", "", "");
    let mut scratch = RoomScratch::new();
    let mut random = Random::new(59);
    let (mut around, mut given_up) = (0, 0);
    for _ in 0..600 {
        let mut world = world(&bytes);
        let mut added = furnish(&mut world, 10, &mut random);
        let query = NavQuery::new(world.nav_mesh());
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let mut route = vec![Hop::default(); 1000];
        let mut walk = Walk::new(&query, &request, &mut route).unwrap();
        if walk.next_leg(&query, &mut scratch).is_none() || walk.status() == Status::Reached {
            continue;
        }
        let here = walk.place().position();
        for id in added.drain(..5) {
            world.remove(id).unwrap();
        }
        added.extend(furnish(&mut world, 10, &mut random));
        let query = NavQuery::new(world.nav_mesh());
        let asked = PathRequest::new(here, to.position()).algorithm(Algorithm::Optimal);
        let still = query.find_path(&asked, scratch.ground()).unwrap();
        let (still, least) = (still.status, still.length_xz);
        let mut length = 0.0;
        while let Some(leg) = walk.next_leg(&query, &mut scratch) {
            length += leg.path.length_xz;
        }
        assert_eq!(walk.status(), still, "{here:?} {to:?}");
        if still == Status::Reached {
            assert!(length >= least * (1.0 - 1e-9), "{length} of {least}");
        }
        around += usize::from(still == Status::Reached);
        given_up += usize::from(still != Status::Reached);
    }
    println!("{around} around, {given_up} given up");
    assert!(around > 40 && given_up > 0, "{around} {given_up}");
}
