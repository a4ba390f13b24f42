//! Rooms of worlds in chunks, and meshes that are saved and restored, beside the runtime.
#![allow(unsafe_code)] // the functions are those that C calls

use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};

use navbake_bake::{Config, Options, bake_file};
use navbake_c::blob::*;
use navbake_c::chunks::*;
use navbake_c::closed::navbake_set_closed;
use navbake_c::file::*;
use navbake_c::obstacles::*;
use navbake_c::place::{NavbakeLocation, navbake_locate};
use navbake_c::request::navbake_path_request;
use navbake_c::save::*;
use navbake_c::search::*;
use navbake_c::status::NavbakeStatus::{self, *};
use navbake_search::blob::{EdgeId, RoomId};
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_world::{ObstacleId, World};

use crate::chunks::{Baked, baked};

/// Doors of the castle that switches close: within chunks, and on their sides.
const ROOMS: &str = "seeds = [[5.0, 0.0, 5.0]]\n[rooms]\nenabled = true\n[rooms.doors]\n\
    gate = [13, 0, 18]\nhall = [9, 0, -0.4]\nchapel = [26.4, 0, 8.8]\n\
    kitchen = [17.3, 0, -5]\nsolar = [24.5, 4, -16.6]\n\
    [[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n";

fn castle() -> PathBuf {
    navbake_testkit::data::fixture("rooms").join("castle.obj")
}

/// A structure of numbers and pointers for a function to fill in.
fn blank<T>() -> T {
    // SAFETY: this is called for structures of numbers and pointers alone.
    unsafe { std::mem::zeroed() }
}

/// A file and its mesh, and opened chunks, as a program in C holds them.
struct Held {
    /// What the blob points at.
    _bytes: Vec<u8>,
    blob: *mut NavbakeBlob,
    mesh: *mut NavbakeMesh,
    search: *mut NavbakeSearch,
    chunks: Vec<*mut NavbakeChunk>,
}

impl Held {
    fn of(bytes: Vec<u8>) -> Held {
        let (mut blob, mut mesh, mut search) = (null_mut(), null_mut(), null_mut());
        // SAFETY: the bytes live as long as what is made from them.
        unsafe {
            let opened = navbake_open(bytes.as_ptr(), bytes.len(), null_mut(), 0, &mut blob);
            assert_eq!(opened, NavbakeOk);
            assert_eq!(navbake_mesh(blob, 0, &mut mesh), NavbakeOk);
            assert_eq!(navbake_search_new(mesh, 0, &mut search), NavbakeOk);
        }
        Held { _bytes: bytes, blob, mesh, search, chunks: vec![] }
    }

    /// The index of a world, with all of its chunks opened and none inserted.
    fn world(baked: &Baked) -> Held {
        let mut held = Held::of(std::fs::read(&baked.index).unwrap());
        for file in &baked.files {
            let own = std::fs::read(baked.folder().join(file.file_name())).unwrap();
            let (blob, mut chunk) = (held.blob, null_mut());
            // SAFETY: the chunk is a copy of the bytes.
            let opened = unsafe {
                let (data, size) = (own.as_ptr(), own.len());
                navbake_chunk_open(blob, 0, data, size, null_mut(), 0, &mut chunk)
            };
            assert_eq!(opened, NavbakeOk);
            held.chunks.push(chunk);
        }
        held
    }

    fn insert(&self, number: usize) {
        // SAFETY: both live.
        let inserted = unsafe { navbake_chunk_insert(self.mesh, self.chunks[number]) };
        assert_eq!(inserted, NavbakeOk);
    }

    fn commit(&self) -> [usize; 3] {
        let mut done: NavbakeCommit = blank();
        // SAFETY: the mesh lives.
        assert_eq!(unsafe { navbake_commit(self.mesh, 0, &mut done) }, NavbakeOk);
        [done.changed, done.polygons, done.left]
    }

    fn save(&self) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: the mesh lives, and the bytes have the length that is given.
        unsafe {
            assert_eq!(navbake_save(self.mesh, null_mut(), 0, &mut length), NavbakeOk);
            let mut saved = vec![1; length + 3];
            assert_eq!(navbake_save(self.mesh, saved.as_mut_ptr(), length, &mut length), NavbakeOk);
            assert_eq!(saved.split_off(length), [1; 3], "written beyond the capacity");
            saved
        }
    }

    /// Restores with these of the chunks; gives the message too.
    fn restore(&self, saved: &[u8], chunks: &[*mut NavbakeChunk]) -> (NavbakeStatus, String) {
        let mut message: [c_char; 200] = [0; 200];
        // SAFETY: all live, and lengths are those that are given.
        unsafe {
            let (data, given) = (saved.as_ptr(), chunks.as_ptr().cast());
            let (to, room) = (message.as_mut_ptr(), message.len());
            let status =
                navbake_restore(self.mesh, data, saved.len(), given, chunks.len(), to, room);
            (status, CStr::from_ptr(to).to_str().unwrap().into())
        }
    }

    /// A barrel of 0.5 m.
    fn add(&self, [x, y, z]: [f64; 3]) -> u64 {
        let (corners, mut id) = ([[x, z]], 0);
        let heights = [y, y + 1.0];
        let barrel =
            NavbakeObstacle { corners: corners.as_ptr(), corner_count: 1, radius: 0.5, heights };
        // SAFETY: the mesh and the corners live.
        assert_eq!(unsafe { navbake_obstacle_add(self.mesh, &barrel, &mut id) }, NavbakeOk);
        id
    }

    fn locate(&self, place: [f64; 3]) -> Option<NavbakeLocation> {
        let mut found: NavbakeLocation = blank();
        // SAFETY: the mesh lives.
        let status = unsafe { navbake_locate(self.mesh, place.as_ptr(), 0.5, &mut found) };
        (status == NavbakeOk).then_some(found)
    }

    fn path(&self, [from, to]: [[f64; 3]; 2]) -> (NavbakeStatus, u64) {
        let (mut request, mut path) = (blank(), blank());
        // SAFETY: the mesh and the search live.
        unsafe {
            navbake_path_request(from.as_ptr(), to.as_ptr(), &mut request);
            let status = navbake_path(self.mesh, self.search, &request, &mut path);
            (status, path.length_xz.to_bits())
        }
    }

    fn counts(&self) -> NavbakeCounts {
        let mut counts = blank();
        // SAFETY: the mesh lives.
        assert_eq!(unsafe { navbake_counts(self.mesh, &mut counts) }, NavbakeOk);
        counts
    }

    /// The chunks that a save needs.
    fn saved_chunks(saved: &[u8]) -> Vec<[i32; 2]> {
        let (mut keys, mut count) = ([[0; 2]; 64], 0);
        // SAFETY: lengths are those that are given.
        let status = unsafe {
            let (data, to, room) = (saved.as_ptr(), keys.as_mut_ptr(), keys.len());
            navbake_saved_chunks(data, saved.len(), null_mut(), 0, to, room, &mut count)
        };
        assert_eq!(status, NavbakeOk);
        keys[..count].to_vec()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: each was made once, and is not used again.
        unsafe {
            self.chunks.iter().for_each(|&chunk| navbake_chunk_free(chunk));
            navbake_search_free(self.search);
            navbake_mesh_free(self.mesh);
            navbake_close(self.blob);
        }
    }
}

fn text(name: *const c_char, length: usize) -> String {
    // SAFETY: a name that was given is in the bytes of the file.
    let bytes = unsafe { std::slice::from_raw_parts(name.cast::<u8>(), length) };
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Places on all of the ground.
fn places(level: &Path, config: &str, count: usize) -> Vec<[f64; 3]> {
    let config = Config::parse(&format!("cell = 0.06\nfindings = false\n{config}")).unwrap();
    let whole = bake_file(level, &config, &Options::default()).unwrap().bytes;
    crate::chunks::places(&whole, count)
}

#[test]
fn rooms_and_doors_of_a_world_have_the_numbers_of_its_index_whatever_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let own = baked(&castle(), folder.path(), ROOMS);
    let places = places(&castle(), ROOMS, 300);
    let held = Held::world(&own);
    let mut world = World::new(own.nav.clone());
    let (mut random, mut scratch) = (Random(4), Scratch::new());
    let (mut is_there, mut found, mut parted) = (vec![false; own.chunks.len()], 0, 0);
    for turn in 0..12 {
        for (k, chunk) in own.chunks.iter().enumerate() {
            // At last all of them.
            let wanted = turn == 11 || random.chance(60);
            if std::mem::replace(&mut is_there[k], wanted) == wanted {
                continue;
            }
            let [column, row] = chunk.key();
            if wanted {
                held.insert(k);
                world.insert_chunk(chunk.clone()).unwrap();
            } else {
                // SAFETY: the mesh lives.
                let removed = unsafe { navbake_chunk_remove(held.mesh, column, row) };
                assert_eq!(removed, NavbakeOk);
                world.remove_chunk([column, row]).unwrap();
            }
        }
        // Doors of switches are closed on the chunks that come with the next commit too.
        let closed = [random.below(32) as u64];
        // SAFETY: the mesh lives.
        assert_eq!(unsafe { navbake_set_closed(held.mesh, closed.as_ptr(), 1) }, NavbakeOk);
        held.commit();
        world.commit();
        let mesh = world.nav_mesh();
        let rooms = *mesh.rooms().expect("rooms");
        let counts = held.counts();
        assert_eq!((counts.rooms, counts.room_doors), (rooms.count(), rooms.door_count()));
        for number in 0..rooms.count() {
            let (mut room, own): (NavbakeRoom, _) = (blank(), rooms.get(RoomId(number)).unwrap());
            // SAFETY: the mesh lives.
            assert_eq!(unsafe { navbake_room(held.mesh, number, &mut room) }, NavbakeOk);
            let name = text(room.name, room.name_length);
            assert_eq!((name.as_str(), room.area), (own.name, f64::from(own.area)));
            assert_eq!(room.middle, mesh.grid().metres(own.at.map(f64::from)));
            assert_eq!(room.dead_end, u32::from(own.is_dead_end));
        }
        for number in 0..rooms.door_count() {
            let (mut door, own): (NavbakeRoomDoor, _) = (blank(), rooms.door(number).unwrap());
            // SAFETY: the mesh lives.
            assert_eq!(unsafe { navbake_room_door(held.mesh, number, &mut door) }, NavbakeOk);
            let name = text(door.name, door.name_length);
            assert_eq!((name.as_str(), door.width), (own.name, f64::from(own.width)));
            assert_eq!(door.rooms, own.rooms.map(|room| room.0));
        }
        let query = NavQuery::new(mesh);
        for &place in &places {
            let (here, there) = (held.locate(place), query.locate(place, 0.5));
            assert_eq!(here.map(|at| at.polygon), there.map(|at| at.polygon().0), "{place:?}");
            let Some((here, there)) = here.zip(there) else { continue };
            let mut polygon: NavbakePolygon = blank();
            // SAFETY: the mesh lives, and no room is given.
            let status = unsafe {
                let (number, none) = (here.polygon, null_mut());
                navbake_polygon(held.mesh, number, none, null_mut(), 0, &mut polygon)
            };
            assert_eq!((status, polygon.room), (NavbakeOk, rooms.of(there.polygon()).0));
            assert_eq!(EdgeId(polygon.first_edge), mesh.polygon(there.polygon()).edge(0));
            found += 1;
        }
        let mut filter = QueryFilter::new();
        filter.set_blocked(&mesh, &closed, 0).unwrap();
        let query = query.with_filter(&filter);
        for pair in places.chunks_exact(2) {
            let request = PathRequest::new(pair[0], pair[1]).algorithm(Algorithm::Auto);
            let path = query.find_path(&request, &mut scratch).unwrap();
            let wanted = match path.status {
                Status::Reached => NavbakeOk,
                Status::Unreachable => NavbakeUnreachable,
                Status::NotLoaded => NavbakeNotLoaded,
                other => panic!("{other:?}"),
            };
            let found = held.path([pair[0], pair[1]]);
            assert_eq!(found, (wanted, path.length_xz.to_bits()), "{pair:?} with {closed:?}");
            parted += usize::from(wanted == NavbakeUnreachable);
        }
    }
    assert!(found > 1000 && parted > 20, "{found} places, {parted} pairs");
}

#[test]
fn a_world_with_obstacles_is_saved_and_restored_to_the_bit_as_the_runtime_does() {
    let folder = tempfile::tempdir().unwrap();
    let own = baked(&castle(), folder.path(), ROOMS);
    let places = places(&castle(), ROOMS, 60);
    let (first, second) = (Held::world(&own), Held::world(&own));
    let last = own.chunks.len() - 1;
    (0..last).rev().for_each(|k| first.insert(k));
    first.commit();
    let barrels: Vec<u64> = places[..6].iter().map(|&place| first.add(place)).collect();
    first.commit();
    // Changes that wait are saved with it.
    first.insert(last);
    // SAFETY: the mesh lives.
    assert_eq!(unsafe { navbake_obstacle_remove(first.mesh, barrels[2]) }, NavbakeOk);
    let saved = first.save();
    let mut keys: Vec<[i32; 2]> = own.files.iter().map(|file| file.key).collect();
    keys.sort_by_key(|&[column, row]| (row, column));
    assert_eq!(Held::saved_chunks(&saved), keys);
    // What was there before is gone.
    second.insert(0);
    second.add(places[8]);
    second.commit();
    let mut backwards = second.chunks.clone();
    backwards.reverse();
    assert_eq!(second.restore(&saved, &backwards), (NavbakeOk, String::new()));
    assert_eq!(second.save(), saved);
    let of = |key| own.chunks.iter().find(|chunk| chunk.key() == key).cloned();
    let mut world = World::restore(own.nav.clone(), &saved, of).expect("a save of the runtime");
    assert_eq!(world.save(), saved);
    let alike = |reached: usize| {
        let pairs = || places.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        let [one, other] = [&first, &second].map(|own| pairs().map(|p| own.path(p)));
        let (one, other): (Vec<_>, Vec<_>) = (one.collect(), other.collect());
        assert_eq!(one, other);
        assert!(one.iter().filter(|path| path.0 == NavbakeOk).count() >= reached);
    };
    alike(5);
    let done = world.commit();
    assert_eq!([first.commit(), second.commit()], [[done.changed, done.polygons, done.left]; 2]);
    assert_eq!((first.save(), second.save()), (world.save(), world.save()));
    alike(10);
    // Numbers of obstacles stay valid.
    // SAFETY: the mesh lives.
    let removed = unsafe { [1, 2].map(|k| navbake_obstacle_remove(second.mesh, barrels[k])) };
    assert_eq!(removed, [NavbakeOk, NavbakeBadArgument]);
    assert!(world.obstacle(ObstacleId::from_bits(barrels[1])).is_ok());
}

#[test]
fn a_save_is_refused_with_a_reason_where_it_does_not_fit_and_the_mesh_stays_as_it_was() {
    let [folder, others] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let own = baked(&castle(), folder.path(), ROOMS);
    let other = baked(&castle(), others.path(), &ROOMS.replace("height = 1.8", "height = 1.9"));
    let (held, stranger) = (Held::world(&own), Held::world(&other));
    (0..3).for_each(|k| held.insert(k));
    held.commit();
    let saved = held.save();
    let refused = |(status, message): (NavbakeStatus, String), wanted, part: &str| {
        assert_eq!(status, wanted, "{message}");
        assert!(message.contains(part), "{message}");
        assert_eq!(held.save(), saved);
    };
    refused(held.restore(b"", &held.chunks), NavbakeBadSave, "not a saved world");
    refused(held.restore(&saved[..saved.len() - 1], &held.chunks), NavbakeBadSave, "damaged");
    let mut newer = saved.clone();
    newer[8] = 99;
    refused(held.restore(&newer, &held.chunks), NavbakeBadSave, "version 99");
    refused(held.restore(&saved, &held.chunks[1..]), NavbakeNoChunk, "needs chunk");
    refused(held.restore(&saved, &stranger.chunks), NavbakeOtherWorld, "not one of this world");
    refused(held.restore(&stranger.save(), &held.chunks), NavbakeOtherWorld, "another navmesh");
    let unset = [null_mut()];
    refused(held.restore(&saved, &unset), NavbakeNullPointer, "");
    for at in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 1 << (at % 8);
        let (status, _) = held.restore(&damaged, &held.chunks);
        assert_eq!(status, NavbakeBadSave, "byte {at}");
    }
    let mut count = 7;
    // SAFETY: lengths are those that are given.
    unsafe {
        let (data, none) = (saved.as_ptr(), null_mut());
        let of =
            |data, length, count| navbake_saved_chunks(data, length, null_mut(), 0, none, 0, count);
        assert_eq!(of(data, 4, &mut count), NavbakeBadSave);
        assert_eq!(of(null(), 4, &mut count), NavbakeNullPointer);
        assert_eq!(of(data, usize::MAX, &mut count), NavbakeBadArgument);
        assert_eq!((of(data, saved.len(), null_mut()), count), (NavbakeNullPointer, 7));
        let inside = (&raw mut count).cast::<u8>();
        let overlapping = navbake_save(held.mesh, inside, 4, &mut count);
        assert_eq!((overlapping, count), (NavbakeBadArgument, 7));
    }
    assert_eq!(held.save(), saved);
}

#[test]
fn a_mesh_of_one_blob_is_saved_with_the_obstacles_that_are_set_aside() {
    let config = Config::parse(ROOMS).unwrap();
    let bytes = bake_file(&castle(), &config, &Options::default()).unwrap().bytes;
    let places = crate::chunks::places(&bytes, 20);
    let [first, second] = [(); 2].map(|()| Held::of(bytes.clone()));
    assert_eq!(first.restore(&second.save(), &[]).0, NavbakeOk);
    let rooms = first.counts().rooms;
    assert!(rooms > 0);
    let barrels: Vec<u64> = places[..3].iter().map(|&place| first.add(place)).collect();
    first.commit();
    assert_eq!(first.counts().rooms, rooms);
    let saved = first.save();
    assert!(Held::saved_chunks(&saved).is_empty());
    // SAFETY: the mesh lives.
    assert_eq!(unsafe { navbake_set_aside(first.mesh, barrels.as_ptr(), 2) }, NavbakeOk);
    assert!(first.locate(places[0]).is_some());
    assert_eq!(first.save(), saved);
    assert!(first.locate(places[0]).is_none(), "it was put back");
    assert_eq!(second.restore(&saved, &[]).0, NavbakeOk);
    for pair in places.chunks_exact(2) {
        assert_eq!(first.path([pair[0], pair[1]]), second.path([pair[0], pair[1]]));
    }
    for held in [&first, &second] {
        for &barrel in &barrels {
            // SAFETY: the mesh lives.
            assert_eq!(unsafe { navbake_obstacle_remove(held.mesh, barrel) }, NavbakeOk);
        }
        held.commit();
        assert_eq!(held.counts().rooms, rooms);
    }
    assert_eq!(first.save(), second.save());
}
