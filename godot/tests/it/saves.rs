//! Saves: what comes back, and bytes that are refused.

use navbake_godot::ground::{Ground, Shared};
use navbake_godot::level::Level;
use navbake_godot::search::{Path, Search};
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, Status};
use navbake_world::{ChunkMesh, Error, Solid, World};

use crate::obstacles::barrel;
use crate::searches::places;
use crate::support::{chunk, courtyard, ground, office, settings, whole, world};
use crate::support::{two_classes, world_of_two_classes};

const FROM: [f64; 3] = [2.0, 0.0, 20.0];
const TO: [f64; 3] = [6.0, 0.0, 20.0];
/// The chunks that [`busy_in_chunks`] needs.
const NEEDED: [[i32; 2]; 3] = [[0, 0], [0, 1], [1, 1]];

/// A wall of 4 m across a side of two chunks.
fn wall(at: [f64; 3]) -> Solid {
    Solid { half: [2.0, 1.0, 0.2], is_round: false, ..barrel(at) }
}

/// A ground with obstacles, one that was removed, and changes that wait; with their numbers.
fn busy() -> (Shared, [u64; 3]) {
    let shared = ground(courtyard(), "");
    let numbers = [[4.0, 0.5, 20.0], [20.0, 0.5, 20.0], [12.0, 0.5, 24.0]]
        .map(|at| shared.write().add(&barrel(at)).unwrap());
    shared.write().commit(0);
    shared.write().remove(numbers[2]).unwrap();
    shared.write().commit(0);
    shared.write().move_to(numbers[1], &barrel([20.0, 0.5, 24.0])).unwrap();
    (shared, numbers)
}

/// The same in chunks: three are there, of which one shall go, and another one waits.
fn busy_in_chunks() -> (Shared, u64) {
    let shared = ground(world(), "");
    for key in [[1, 0], [0, 0], [0, 1]] {
        shared.write().insert_chunk(&chunk("world.navw", world(), key)).unwrap();
        shared.write().commit(0);
    }
    let number = shared.write().add(&wall([22.5, 0.5, 26.0])).unwrap();
    shared.write().remove_chunk([1, 0]).unwrap();
    shared.write().commit(0);
    shared.write().insert_chunk(&chunk("world.navw", world(), [1, 1])).unwrap();
    shared.write().remove_chunk([0, 0]).unwrap();
    (shared, number)
}

fn chunks(ground: &Ground, keys: &[[i32; 2]]) -> Vec<ChunkMesh> {
    let own = keys.iter().map(|&key| ground.chunk(&chunk("world.navw", world(), key)));
    own.collect::<Result<_, _>>().unwrap()
}

fn save(shared: &Shared) -> Vec<u8> {
    shared.read().world().save()
}

fn restore(shared: &Shared, saved: &[u8], keys: &[[i32; 2]]) -> Result<(), Error> {
    let own = chunks(&shared.read(), keys);
    shared.write().restore(saved, own)
}

/// Shortest paths between places all over the ground of a file.
fn answers(search: &mut Search, file: &[u8]) -> Vec<Path> {
    let nav = NavMeshBuf::open(file).unwrap();
    let all = places(&NavQuery::new(nav.mesh()), 500);
    let how = settings(Algorithm::Optimal);
    let paths: Vec<Path> =
        all.windows(2).map(|ends| search.path(ends[0], ends[1], &how).unwrap()).collect();
    let found = paths.iter().filter(|path| path.status == Status::Reached).count();
    assert!(found > 10, "{found}");
    paths
}

/// The same changes of both give the same answers and bytes.
fn compare(own: [&Shared; 2], file: &[u8], change: impl Fn(&mut Ground)) {
    let [a, b] = own.map(|shared| {
        change(&mut shared.write());
        let mut search = Search::new(shared.clone()).unwrap();
        (answers(&mut search, file), save(shared))
    });
    assert_eq!(a, b);
}

#[test]
fn a_restored_ground_is_the_one_that_was_saved_and_goes_on_as_it() {
    let (shared, numbers) = busy();
    let saved = save(&shared);
    assert_eq!(World::saved_chunks(&saved), Ok(vec![]));
    let restored = ground(courtyard(), "");
    restore(&restored, &saved, &[]).unwrap();
    assert_eq!(save(&restored), saved);
    let both = [&shared, &restored];
    compare(both, courtyard(), |_| {});
    compare(both, courtyard(), |ground| assert_eq!(ground.commit(0).changed, 1));
    compare(both, courtyard(), |ground| {
        assert_eq!(ground.remove(numbers[2]), Err(Error::NoObstacle));
        ground.move_to(numbers[0], &barrel([10.0, 0.5, 20.0])).unwrap();
        ground.remove(numbers[1]).unwrap();
        ground.add(&barrel([15.0, 0.5, 21.0])).unwrap();
        ground.commit(0);
    });
}

#[test]
fn queries_see_what_is_restored_and_keep_their_switches() {
    let shared = ground(office(), "");
    let mut search = Search::new(shared.clone()).unwrap();
    let path = |s: &mut Search| {
        s.path([2.5, 0.0, 11.5], [13.5, 0.0, 11.5], &settings(Algorithm::Optimal)).unwrap()
    };
    let length = |s: &mut Search| path(s).length;
    let (closed, points) = (length(&mut search), path(&mut search).points);
    search.set_closed("g", false).unwrap();
    assert!(length(&mut search) < closed);
    search.set_closed("g", true).unwrap();
    let empty = save(&shared);
    let middle = std::array::from_fn(|k| (points[0][k] + points[1][k]) / 2.0);
    let small = Solid { half: [0.1, 0.5, 0.1], ..barrel(middle) };
    let number = shared.write().add(&small).unwrap();
    shared.write().commit(0);
    let (around, full) = (length(&mut search), save(&shared));
    assert_ne!(around, closed);
    for (saved, expected) in [(&empty, closed), (&full, around), (&empty, closed)] {
        restore(&shared, saved, &[]).unwrap();
        assert_eq!(length(&mut search), expected);
    }
    assert_eq!(shared.write().remove(number), Err(Error::NoObstacle), "it came after the save");
}

#[test]
fn an_obstacle_of_a_save_is_in_the_way_of_a_query_that_was_made_before() {
    let (from, _) = busy();
    let shared = ground(courtyard(), "");
    let mut search = Search::new(shared.clone()).unwrap();
    let length = |s: &mut Search| s.path(FROM, TO, &settings(Algorithm::Optimal)).unwrap();
    assert_eq!(length(&mut search).length, 4.0);
    restore(&shared, &save(&from), &[]).unwrap();
    assert!(length(&mut search).length > 4.2);
}

#[test]
fn a_world_in_chunks_is_restored_with_its_chunks() {
    let (shared, number) = busy_in_chunks();
    let saved = save(&shared);
    assert_eq!(World::saved_chunks(&saved), Ok(NEEDED.to_vec()));
    // In another order, with one that is not needed, and other ground before.
    let restored = ground(world(), "");
    restored.write().add(&barrel([4.0, 0.5, 20.0])).unwrap();
    restored.write().insert_chunk(&chunk("world.navw", world(), [1, 0])).unwrap();
    restored.write().commit(0);
    restore(&restored, &saved, &[[1, 1], [1, 0], [0, 1], [0, 0]]).unwrap();
    assert_eq!(save(&restored), saved);
    assert!(restored.read().world().is_loaded([0, 0]));
    assert!(!restored.read().world().is_loaded([1, 0]));
    let both = [&shared, &restored];
    compare(both, whole(), |_| {});
    compare(both, whole(), |ground| assert_eq!(ground.commit(0).chunks, 2));
    compare(both, whole(), |ground| {
        ground.move_to(number, &wall([22.5, 0.5, 28.0])).unwrap();
        ground.insert_chunk(&chunk("world.navw", world(), [1, 0])).unwrap();
        ground.commit(0);
    });
    compare(both, whole(), |ground| {
        ground.remove(number).unwrap();
        ground.commit(1);
    });
}

#[test]
fn a_save_that_was_cut_or_changed_at_any_byte_is_refused() {
    let (shared, _) = busy_in_chunks();
    let saved = save(&shared);
    let own = chunks(&shared.read(), &NEEDED);
    let refused = |bytes: &[u8]| {
        let errors = [
            shared.write().restore(bytes, own.clone()).unwrap_err(),
            World::saved_chunks(bytes).unwrap_err(),
        ];
        for error in errors {
            assert!(
                matches!(error, Error::NotSaved | Error::SavedVersion(_) | Error::Damaged),
                "{error}"
            );
        }
    };
    for k in 0..saved.len() {
        let mut changed = saved.clone();
        changed[k] ^= 1 << (k % 8);
        refused(&changed);
        refused(&saved[..k]);
    }
    refused(&[&saved[..], &[0]].concat());
    assert_eq!(save(&shared), saved, "the ground is as before");
}

#[test]
fn a_save_of_another_level_or_without_its_chunks_is_refused_with_the_cure() {
    let (shared, _) = busy_in_chunks();
    let saved = save(&shared);
    let refused = |shared: &Shared, keys: &[[i32; 2]], cure: &str| {
        let before = save(shared);
        let error = restore(shared, &saved, keys).unwrap_err().to_string();
        assert!(error.contains(cure), "{error}");
        assert_eq!(save(shared), before, "the ground is as before");
    };
    refused(&shared, &[], "needs chunk 0, 0: load its file and give it");
    refused(&shared, &[[0, 0], [0, 1]], "needs chunk 1, 1: load its file and give it");
    let cure = "restore it with the file that it was saved with";
    for file in [courtyard(), whole(), office()] {
        refused(&ground(file, ""), &[], cure);
    }
    // The world of another bake, and another agent of one.
    let thin = ground(world_of_two_classes(), "thin");
    let other = Level::open(world_of_two_classes()).unwrap();
    let error = thin.write().restore(&saved, vec![]).unwrap_err().to_string();
    assert!(error.contains(cure), "{error}");
    let wide = other.ground("wide").unwrap().world().save();
    assert_eq!(thin.write().restore(&wide, vec![]), Err(Error::OtherNavMesh));
    let [a, b] = ["thin", "wide"].map(|agent| ground(two_classes(), agent));
    assert_eq!(b.write().restore(&save(&a), vec![]), Err(Error::OtherNavMesh));
    // Chunks of that bake, and files that are none.
    let foreign = NEEDED.map(|key| {
        let file = chunk("two.navw", world_of_two_classes(), key);
        thin.read().chunk(&file).unwrap()
    });
    let error = shared.write().restore(&saved, foreign.to_vec()).unwrap_err().to_string();
    assert!(error.contains("load index and chunks of one bake"), "{error}");
    let none = Level::open(courtyard()).unwrap();
    let error = shared.read().chunk(&none).unwrap_err().to_string();
    assert!(error.contains("open a file that the index (.navw) names"), "{error}");
    assert_eq!(save(&shared), saved, "the ground is as before");
}
