//! Rooms and doors of worlds in chunks, beside the same level as one blob.

use std::collections::{BTreeMap, BTreeSet};

use navbake_format::{Blob, RoomId, Rooms};
use navbake_rooms::RoomReach;
use navbake_search::{NavMesh, NavQuery, PolyId, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_world::{Obstacle, World};

use crate::chunks::{Baked, SMALL, baked_file, shortest};

/// Doors of the castle that switches close: within chunks, and on their sides.
const DOORS: &str = "gate = [13, 0, 18]\nhall = [9, 0, -0.4]\nchapel = [26.4, 0, 8.8]\n\
    kitchen = [17.3, 0, -5]\nsolar = [24.5, 4, -16.6]\n";

/// A level with rooms as one blob and in chunks of 15 m.
fn with_rooms(name: &str, more: &str) -> Baked {
    let path = navbake_testkit::data::fixture("rooms").join(format!("{name}.obj"));
    let seed = if name == "tower" { "[-5.0, 0.0, 0.0]" } else { "[5.0, 0.0, 5.0]" };
    let config = format!(
        "cell = 0.06\nfindings = false\ntables.budget = \"none\"\nseeds = [{seed}]\n{more}\
         [[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n"
    );
    let baked = baked_file(&path, &config, 1.0);
    assert!(baked.chunks.len() > 3, "{} chunks", baked.chunks.len());
    baked
}

/// All chunks, in a random order, some of them removed and inserted again.
fn loaded(baked: &Baked, random: &mut Random) -> World {
    let mut world = baked.world();
    let mut chunks: Vec<_> = baked.chunks.iter().collect();
    while !chunks.is_empty() {
        let chunk = chunks.swap_remove(random.below(chunks.len()));
        world.insert_chunk(chunk.clone()).expect("a chunk");
        world.commit();
        if random.chance(30) {
            world.remove_chunk(chunk.key()).expect("it is there");
            world.commit();
            chunks.push(chunk);
        }
    }
    world
}

fn rooms<'a>(mesh: &NavMesh<'a>) -> Rooms<'a> {
    *mesh.rooms().expect("baked with rooms")
}

/// Every portal between two rooms belongs to one door, and doors have no other portals.
fn check_portals(mesh: &NavMesh<'_>) -> usize {
    let rooms = rooms(mesh);
    let mut of_portal = BTreeMap::new();
    for number in 0..rooms.door_count() {
        let mut own = rooms.door(number).expect("a door").rooms;
        for (polygon, edge) in rooms.portals(number) {
            assert_eq!(of_portal.insert((polygon, edge), number), None);
            let beyond = mesh.polygon(polygon).neighbour(edge).expect("a portal");
            let mut sides = [polygon, beyond].map(|polygon| rooms.of(polygon));
            sides.sort();
            own.sort();
            assert_eq!(sides, own);
        }
    }
    for id in (0..mesh.polygon_count()).map(PolyId) {
        let polygon = mesh.polygon(id);
        for k in 0..polygon.len() {
            let beyond = polygon.neighbour(k).filter(|&q| q > id && rooms.of(q) != rooms.of(id));
            assert_eq!(beyond.is_some(), of_portal.contains_key(&(id, k)), "{id:?} {k}");
        }
    }
    of_portal.len()
}

#[test]
fn a_world_in_chunks_has_the_rooms_and_doors_of_one_blob() {
    let mut random = Random(3);
    for name in ["office", "dungeon", "castle", "tower"] {
        let baked = with_rooms(name, "[rooms]\nenabled = true\n");
        let world = loaded(&baked, &mut random);
        let (mesh, whole) = (world.nav_mesh(), baked.whole.mesh());
        let (found, wanted) = (rooms(&mesh), rooms(&whole));
        assert_eq!(found.count(), wanted.count(), "{name}");
        assert_eq!(found.door_count(), wanted.door_count(), "{name}");
        assert!(check_portals(&mesh) >= found.door_count() as usize);
        // Which room of the blob each room of the world is.
        let mut same = BTreeMap::new();
        let [here, there] = [mesh, whole].map(NavQuery::new);
        let mut off = 0;
        for place in baked.places(2000) {
            let at = |query: &NavQuery<'_>| query.locate(place, 0.5).expect("ground").polygon();
            let (room, own) = (found.of(at(&here)), wanted.of(at(&there)));
            off += usize::from(*same.entry(room).or_insert(own) != own);
        }
        assert_eq!(off, 0, "{name}: of 2000 places in other rooms");
        assert_eq!(same.values().collect::<BTreeSet<_>>().len(), same.len(), "{name}");
        for (room, own) in &same {
            let [a, b] = [found.get(*room), wanted.get(*own)].map(|room| room.expect("a room"));
            assert!((a.area / b.area - 1.0).abs() < 0.01, "{name}: {} {}", a.area, b.area);
            assert_eq!(a.name, b.name);
        }
        let doors = |rooms: &Rooms<'_>| -> Vec<([[i32; 2]; 2], f32)> {
            let all = (0..rooms.door_count()).filter_map(|door| rooms.door(door));
            let mut all: Vec<_> = all.map(|door| (door.ends, door.width)).collect();
            all.sort_by_key(|door| door.0);
            all
        };
        assert_eq!(doors(&found), doors(&wanted), "{name}");
    }
}

#[test]
fn a_place_of_a_world_in_chunks_is_in_its_room_whatever_obstacles_take() {
    let baked = with_rooms("castle", "[rooms]\nenabled = true\n");
    let mut world = loaded(&baked, &mut Random(21));
    for [x, y, z] in baked.places(60) {
        let barrel = Obstacle::cylinder([x, z], 0.4, [y - 0.2, y + 1.0]).expect("a cylinder");
        world.add(barrel).expect("on the grid");
    }
    world.commit();
    let (now, before) = (world.nav_mesh(), world.baked());
    let [here, there] = [now, before].map(NavQuery::new);
    let (mut on_pieces, mut left) = (0, 0);
    for place in baked.places(2000) {
        let Some(at) = here.locate(place, 0.5) else {
            continue;
        };
        let same = there.locate(place, 0.5).expect("ground");
        assert_eq!(rooms(&now).of(at.polygon()), rooms(&before).of(same.polygon()), "{place:?}");
        on_pieces += usize::from(at.polygon() != same.polygon());
        left += 1;
    }
    assert!(on_pieces > 200 && left < 2000, "{on_pieces} of {left}");
}

#[test]
fn doors_that_switches_close_are_closed_within_chunks_and_on_their_sides() {
    let baked = with_rooms("castle", &format!("[rooms]\nenabled = true\n[rooms.doors]\n{DOORS}"));
    let world = loaded(&baked, &mut Random(5));
    let (mesh, whole) = (world.nav_mesh(), baked.whole.mesh());
    let names = |mesh: &NavMesh<'_>| {
        let mut all: Vec<_> = mesh.doors().map(|d| (d.name.to_owned(), d.switch)).collect();
        all.sort();
        all.dedup();
        all
    };
    assert_eq!(names(&mesh), names(&whole));
    assert_eq!(names(&mesh).len(), 5);
    let mut random = Random(9);
    let [mut here, mut there] = [(); 2].map(|()| QueryFilter::new());
    let (mut scratch, mut parted) = (Scratch::new(), 0);
    for _ in 0..20 {
        let switches = [random.below(32) as u64];
        here.set_blocked(&mesh, &switches, 0).expect("memory");
        there.set_blocked(&whole, &switches, 0).expect("memory");
        for pair in baked.places(40).chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            let found = [(mesh, &here), (whole, &there)].map(|(mesh, filter)| {
                let query = NavQuery::new(mesh).with_filter(filter);
                let path = query.find_path(&shortest(pair), &mut scratch).expect("an answer");
                (path.status, path.cost)
            });
            assert_eq!(found[0].0, found[1].0, "{pair:?} with {switches:?}");
            assert!((found[0].1 - found[1].1).abs() <= 1e-6 * found[1].1, "{found:?}");
            parted += usize::from(found[0].0 == Status::Unreachable);
        }
    }
    assert!(parted > 20, "{parted}");
}

#[test]
fn a_door_on_the_side_of_two_chunks_closes_once_both_are_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("field.obj");
    let ground = "v 0 0 0\nv 0 0 10\nv 30 0 10\nv 30 0 0\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(&path, ground).expect("a file");
    // Fields of 15 m, as chunks are.
    let config = "[rooms]\nenabled = true\nmax_room_area = 225\n[rooms.doors]\ngate = [15, 0, 5]\n";
    let baked = baked_file(&path, &format!("{SMALL}{config}"), 1.0);
    let (ends, mut scratch) = ([[2.0, 0.0, 5.0], [28.0, 0.0, 5.0]], Scratch::new());
    let mut world = baked.world();
    for (chunk, is_open) in baked.chunks.iter().zip([0, 1]) {
        let mesh = chunk.nav_mesh();
        let of_chunk = rooms(&mesh);
        // In the file of either chunk the door is a wall.
        assert_eq!((of_chunk.count(), of_chunk.door_count(), mesh.seams().len()), (1, 0, 1));
        assert_eq!(mesh.world_rooms().expect("rooms").seam(0), Some(0));
        world.insert_chunk(chunk.clone()).expect("a chunk");
        world.commit();
        let mesh = world.nav_mesh();
        let door = rooms(&mesh).door(0).expect("a door");
        assert_eq!((door.name, rooms(&mesh).door_count()), ("gate", 1));
        assert_eq!((rooms(&mesh).portals(0).len(), mesh.doors().len()), (is_open, is_open));
        check_portals(&mesh);
    }
    let mesh = world.nav_mesh();
    let mut filter = QueryFilter::new();
    for (closed, status) in [(0, Status::Reached), (1, Status::Unreachable)] {
        filter.set_blocked(&mesh, &[closed], 0).expect("memory");
        let query = NavQuery::new(mesh).with_filter(&filter);
        let path = query.find_path(&shortest(ends), &mut scratch).expect("an answer");
        assert_eq!(path.status, status);
    }
}

#[test]
fn a_place_has_the_same_room_whichever_chunks_are_loaded() {
    let agents = "[[agent]]\nname = \"wide\"\nradius = 0.5\nheight = 1.8\nclimb = 0.4\n";
    let baked = with_rooms("office", &format!("[rooms]\nenabled = true\n{agents}"));
    let all = baked.loaded();
    let mut random = Random(11);
    let mut open = 0;
    for _ in 0..20 {
        let some = baked.with_some(&mut random, 50);
        let [here, there] = [some.nav_mesh(), all.nav_mesh()].map(NavQuery::new);
        check_portals(&some.nav_mesh());
        let [own, whole] = [*here.mesh(), *there.mesh()].map(|mesh| rooms(&mesh));
        assert_eq!((own.count(), own.door_count()), (whole.count(), whole.door_count()));
        for place in baked.places(200) {
            let Some(at) = here.locate(place, 0.5) else { continue };
            let wanted = there.locate(place, 0.5).expect("ground");
            assert_eq!(own.of(at.polygon()), whole.of(wanted.polygon()), "{place:?}");
        }
        for door in 0..own.door_count() {
            assert!(own.portals(door).len() <= whole.portals(door).len());
            open += own.portals(door).len();
        }
    }
    assert!(open > 0);
}

#[test]
fn rooms_of_a_larger_agent_are_those_of_the_smallest() {
    let agents = "[[agent]]\nname = \"wide\"\nradius = 0.4\nheight = 1.8\nclimb = 0.4\n";
    let baked = with_rooms("office", &format!("[rooms]\nenabled = true\n{agents}"));
    let file = Blob::open_checked(&baked.file).expect("an index");
    assert_eq!(file.smallest_rooms(), Some(1));
    let [wide, small] = [0, 1].map(|class| file.rooms(class).expect("rooms"));
    let mut alike = BTreeSet::new();
    for room in (0..wide.count()).map(RoomId) {
        let canonical = wide.canonical_room(room).expect("a room of the smallest agent");
        let [own, of] = [wide.get(room), small.get(canonical)].map(|room| room.expect("a room"));
        assert!(own.area < of.area && own.area > 0.5 * of.area, "{} of {}", own.area, of.area);
        alike.insert(canonical);
    }
    assert_eq!(alike.len() as u32, small.count());
}

#[test]
fn rooms_of_closed_doors_reach_each_other_as_in_one_blob() {
    let baked = with_rooms("castle", &format!("[rooms]\nenabled = true\n[rooms.doors]\n{DOORS}"));
    let world = loaded(&baked, &mut Random(6));
    let (mesh, whole) = (world.nav_mesh(), baked.whole.mesh());
    let mut filters = [(); 2].map(|()| QueryFilter::new());
    for switches in 0..32u64 {
        let [found, wanted] = [mesh, whole].map(|mesh| {
            let filter = &mut filters[usize::from(mesh.is_in_chunks())];
            filter.set_blocked(&mesh, &[switches], 0).expect("memory");
            let query = NavQuery::new(mesh).with_filter(filter);
            let rooms = rooms(&mesh);
            let mut memory = vec![0; rooms.count() as usize];
            let reach = RoomReach::new(&query, &rooms, &mut memory).expect("doors alone");
            let at = |place| rooms.of(query.locate(place, 0.5).expect("ground").polygon());
            let pairs = baked.places(60);
            let connected = |pair: &[[f64; 3]]| reach.connected(at(pair[0]), at(pair[1]));
            pairs.chunks_exact(2).map(connected).collect::<Vec<_>>()
        });
        assert_eq!(found, wanted, "{switches:#b}");
    }
}
