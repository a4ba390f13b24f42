//! Worlds that are saved and restored, beside those that were not.

use navbake_search::{Algorithm, NavMesh, NavMeshBuf, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_testkit::scene::Scene;
use navbake_world::{AreaId, ChunkMesh, Error, Obstacle, ObstacleId, World};

use crate::chunks::{Baked, SMALL, baked};
use crate::kit::{Extras, check, furnished, level, solid};

/// What two worlds must have in common, bit for bit: polygons, corners, neighbours, pivots.
pub(crate) fn assert_same_ground(a: &World, b: &World) {
    let [one, other] = [a.nav_mesh(), b.nav_mesh()];
    assert_eq!(one.polygon_count(), other.polygon_count());
    assert_eq!(one.bounds(), other.bounds());
    let [p, q] = [one.polys(), other.polys()];
    assert_eq!((p.pivots, p.widest), (q.pivots, q.widest));
    assert_eq!(p.pieces.generation, q.pieces.generation);
    assert_eq!(p.pieces.rings.bytes(), q.pieces.rings.bytes());
    assert_eq!(p.pieces.links.bytes(), q.pieces.links.bytes());
    for polygon in 0..p.len() {
        let id = navbake_search::PolyId(polygon);
        assert_eq!(a.polygon_ref(id), b.polygon_ref(id));
        let (m, n) = (p.border(polygon), q.border(polygon));
        assert_eq!(m.len(), n.len(), "polygon {polygon}");
        if m.is_empty() {
            continue;
        }
        assert_eq!(p.polygon(polygon), q.polygon(polygon));
        for k in 0..m.len() {
            let edge = |edge: navbake_navmesh::Edge| navbake_navmesh::Edge {
                // Of a wall it says nothing.
                twin: if edge.neighbour == navbake_navmesh::NONE { 0 } else { edge.twin },
                ..edge
            };
            assert_eq!(edge(*m.at(k)), edge(*n.at(k)), "polygon {polygon} edge {k}");
        }
    }
}

/// Answers of all kinds between random places, as bits.
pub(crate) fn answers(mesh: NavMesh<'_>, seed: u64) -> Vec<String> {
    let query = NavQuery::new(mesh);
    let mut scratch = Scratch::new();
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return vec![];
    };
    let mut draw = navbake_search::around::Random::new(seed);
    let mut found = vec![];
    for _ in 0..6 {
        let place = |draw: &mut _| query.random_place(&areas, draw);
        let (Some(from), Some(to)) = (place(&mut draw), place(&mut draw)) else {
            return vec![];
        };
        for algorithm in [Algorithm::Optimal, Algorithm::Auto, Algorithm::weighted(0.1)] {
            let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm).partial(true);
            let path = query.find_path_between(&from, &to, &request, &mut scratch);
            found.push(format!("{path:?}"));
        }
        found.push(format!("{:?}", query.raycast(&from, to.position())));
        found.push(format!("{:?} {:?}", from.polygon(), to.polygon()));
    }
    found
}

/// Adds (0), moves (1) or removes (2) an obstacle, adds a volume (5), or commits; gives the answer.
fn change_obstacles(
    world: &mut World,
    ids: &mut Vec<ObstacleId>,
    obstacle: Obstacle,
    (kind, pick, most): (usize, usize, usize),
) -> String {
    match kind {
        0 if ids.len() < most => {
            let id = world.add(obstacle);
            ids.extend(id);
            format!("{id:?}")
        }
        1 if !ids.is_empty() => format!("{:?}", world.move_to(ids[pick % ids.len()], obstacle)),
        2 if !ids.is_empty() => {
            let id = ids.swap_remove(pick % ids.len());
            format!("{:?} {:?}", world.remove(id), world.remove(id))
        }
        5 if ids.len() < most => {
            let id = world.add_volume(obstacle, AreaId(pick as u8));
            ids.extend(id);
            format!("{id:?}")
        }
        3 => format!("{:?}", world.commit()),
        _ => format!("{:?}", world.commit_some(pick)),
    }
}

/// A change of obstacles, the same in both worlds; gives its answer.
pub(crate) fn change(
    random: &mut Random,
    scene: &Scene,
    world: &mut World,
    ids: &mut Vec<ObstacleId>,
) -> String {
    let obstacle = solid(random, scene, 600).obstacle;
    let pick = random.below(8);
    let kind = [0, 0, 5, 1, 2, 3, 4][random.below(7)];
    change_obstacles(world, ids, obstacle, (kind, pick, 8))
}

#[test]
fn a_restored_world_goes_on_bit_for_bit_as_the_one_that_was_saved() {
    let mut random = Random(21);
    let (mut pieces, mut waiting) = (0, 0);
    for round in 0..150 {
        let (scene, file) = furnished(&mut random, round);
        let open = || NavMeshBuf::open(&file).expect("a sound file");
        let mut own = World::new(open());
        if scene.faces.is_empty() {
            continue;
        }
        let mut ids = vec![];
        for _ in 0..random.below(30) {
            change(&mut random, &scene, &mut own, &mut ids);
        }
        let saved = own.save();
        let mut restored = World::restore(open(), &saved, |_| None).expect("a sound save");
        assert_eq!(restored.save(), saved, "round {round}");
        assert_same_ground(&own, &restored);
        pieces += usize::from(own.nav_mesh().polys().is_changed());
        let mut others = ids.clone();
        for step in 0..20 {
            let mut again = Random(random.0);
            let [a, b] = [
                change(&mut random, &scene, &mut own, &mut ids),
                change(&mut again, &scene, &mut restored, &mut others),
            ];
            assert_eq!(a, b, "round {round} step {step}");
            waiting += usize::from(a.contains("left: ") && !a.contains("left: 0"));
            assert_same_ground(&own, &restored);
            let [a, b] = [&own, &restored].map(|world| answers(world.nav_mesh(), step));
            assert_eq!(a, b, "round {round} step {step}");
        }
        assert_eq!(own.save(), restored.save());
    }
    assert!(pieces > 50 && waiting > 50, "{pieces} {waiting}");
}

/// A change of chunks or obstacles; gives its answer.
pub(crate) fn change_chunks(
    random: &mut Random,
    (baked, places): (&Baked, &[[f64; 3]]),
    world: &mut World,
    ids: &mut Vec<ObstacleId>,
) -> String {
    let chunk = &baked.chunks[random.below(baked.chunks.len())];
    let [x, y, z] = places[random.below(places.len())];
    let disc = Obstacle::cylinder([x, z], 0.4, [y - 0.5, y + 1.5]).expect("a cylinder");
    let pick = random.below(80);
    match random.below(9) {
        0..=2 => format!("{:?}", world.insert_chunk(chunk.clone())),
        3 => format!("{:?}", world.remove_chunk(chunk.key())),
        other => change_obstacles(world, ids, disc, ([0, 1, 2, 4, 3][other - 4], pick, 12)),
    }
}

/// The chunk of a key.
pub(crate) fn of(baked: &Baked, key: [i32; 2]) -> Option<ChunkMesh> {
    baked.chunks.iter().find(|chunk| chunk.key() == key).cloned()
}

#[test]
fn a_restored_world_in_chunks_goes_on_bit_for_bit_as_the_one_that_was_saved() {
    let baked = baked(15, SMALL, 1.0);
    let places = baked.places(100);
    let level = (&baked, &places[..]);
    let mut random = Random(22);
    let (mut with_pieces, mut loaded) = (0, 0);
    for round in 0..60 {
        let (mut own, mut ids) = (baked.world(), vec![]);
        for _ in 0..random.below(100) {
            change_chunks(&mut random, level, &mut own, &mut ids);
        }
        let saved = own.save();
        let mut asked = vec![];
        let chunk = |key| {
            asked.push(key);
            of(&baked, key)
        };
        let mut restored =
            World::restore(baked.index.clone(), &saved, chunk).expect("a sound save");
        assert_eq!(World::saved_chunks(&saved), Ok(asked));
        assert_eq!(restored.save(), saved, "round {round}");
        assert_same_ground(&own, &restored);
        with_pieces += usize::from(own.nav_mesh().polys().is_changed());
        loaded += baked.chunks.iter().filter(|chunk| own.is_loaded(chunk.key())).count();
        let mut others = ids.clone();
        for step in 0..30 {
            let mut again = Random(random.0);
            let [a, b] = [
                change_chunks(&mut random, level, &mut own, &mut ids),
                change_chunks(&mut again, level, &mut restored, &mut others),
            ];
            assert_eq!(a, b, "round {round} step {step}");
            assert_same_ground(&own, &restored);
            if step % 5 == 0 {
                check(&restored.nav_mesh());
                let [a, b] = [&own, &restored].map(|world| answers(world.nav_mesh(), step));
                assert_eq!(a, b, "round {round} step {step}");
            }
        }
        assert_eq!(own.save(), restored.save());
    }
    assert!(with_pieces > 15 && loaded > 100, "{with_pieces} {loaded}");
}

#[test]
fn two_worlds_with_the_same_changes_have_the_same_ids_answers_and_bytes() {
    let baked = baked(6, SMALL, 15.0);
    let places = baked.places(50);
    let [a, b] = [(); 2].map(|()| {
        let (mut random, mut world, mut ids) = (Random(23), baked.world(), vec![]);
        let told: Vec<String> = (0..300)
            .map(|_| change_chunks(&mut random, (&baked, &places), &mut world, &mut ids))
            .collect();
        (told, answers(world.nav_mesh(), 1), world.save())
    });
    assert_eq!(a, b);
}

/// A saved world with obstacles, some of them staged; its file.
fn saved() -> (Vec<u8>, Vec<u8>) {
    let mut random = Random(24);
    loop {
        let (scene, file) = level(&mut random, 16, Extras { links: 2, ..Extras::default() });
        let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
        let mut ids = vec![];
        (0..30).for_each(|_| drop(change(&mut random, &scene, &mut world, &mut ids)));
        if ids.len() > 3 && world.nav_mesh().polys().is_changed() && world.commit_some(0).left > 0 {
            return (file, world.save());
        }
    }
}

/// Bytes with the checksum that belongs to them.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some((head, content)) = bytes.split_at_mut_checked(16) {
        head[12..].copy_from_slice(&navbake_format::crc32c(&[content]).to_le_bytes());
    }
    bytes
}

#[test]
fn a_saved_world_with_a_damaged_byte_is_refused() {
    let (file, saved) = saved();
    let nav = NavMeshBuf::open(&file).expect("a sound file");
    let refused = |bytes: &[u8]| World::restore(nav.clone(), bytes, |_| None).expect_err("damage");
    for at in 0..saved.len() {
        for bit in 0..8 {
            let mut damaged = saved.clone();
            damaged[at] ^= 1 << bit;
            let wanted = match at {
                0..8 => Error::NotSaved,
                8..12 => Error::SavedVersion(u32::from_le_bytes([
                    damaged[8],
                    damaged[9],
                    damaged[10],
                    damaged[11],
                ])),
                _ => Error::Damaged,
            };
            assert_eq!(refused(&damaged), wanted, "byte {at}");
        }
        assert!(matches!(refused(&saved[..at]), Error::NotSaved | Error::Damaged));
    }
    assert_eq!(refused(&[]), Error::NotSaved);
}

#[test]
fn any_bytes_are_refused_or_make_a_world_that_works() {
    let (file, saved) = saved();
    let nav = NavMeshBuf::open(&file).expect("a sound file");
    let baked = baked(6, SMALL, 15.0);
    let (places, mut ids) = (baked.places(50), vec![]);
    let (mut random, mut world) = (Random(25), baked.world());
    for _ in 0..60 {
        change_chunks(&mut random, (&baked, &places), &mut world, &mut ids);
    }
    let in_chunks = world.save();
    let (mut made, mut refused) = (0, 0);
    for (saved, every) in [(&saved, 1), (&in_chunks, 3)] {
        for at in (16..saved.len()).step_by(every) {
            for value in [0, 1, 255, saved[at] ^ 1, saved[at].wrapping_add(1)] {
                let mut forged = saved.clone();
                forged[at] = value;
                let forged = sealed(forged);
                let restored = match std::ptr::eq(saved, &in_chunks) {
                    true => World::restore(baked.index.clone(), &forged, |key| of(&baked, key)),
                    false => World::restore(nav.clone(), &forged, |_| None),
                };
                let Ok(mut world) = restored else {
                    refused += 1;
                    continue;
                };
                made += 1;
                check(&world.nav_mesh());
                world.commit();
                check(&world.nav_mesh());
                assert!(!world.save().is_empty());
            }
        }
    }
    assert!(made > 100 && refused > 1000, "{made} {refused}");
}

#[test]
fn a_saved_world_of_another_mesh_or_of_other_chunks_is_refused() {
    let (file, saved) = saved();
    let [one, other] = [baked(3, SMALL, 15.0), baked(6, SMALL, 15.0)];
    let nav = || NavMeshBuf::open(&file).expect("a sound file");
    let refused = |nav, saved: &[u8]| World::restore(nav, saved, |_| None).expect_err("another");
    assert_eq!(refused(one.index.clone(), &saved), Error::OtherNavMesh);
    let mut world = one.world();
    for chunk in &one.chunks {
        world.insert_chunk(chunk.clone()).expect("a chunk");
    }
    world.commit();
    let saved = world.save();
    assert_eq!(refused(nav(), &saved), Error::OtherNavMesh);
    assert_eq!(refused(other.index.clone(), &saved), Error::OtherNavMesh);
    let key = one.chunks[0].key();
    assert_eq!(refused(one.index.clone(), &saved), Error::NoSavedChunk(key));
    let with = |other: &Baked| {
        let given = other.chunks[0].clone();
        let key = given.key();
        let restored = World::restore(one.index.clone(), &saved, |_| Some(given.clone()));
        (restored.expect_err("another chunk"), key)
    };
    let (error, key) = with(&other);
    assert!(error == Error::OtherWorld(key) || error == Error::OtherChunk(one.chunks[0].key()));
    let rest = World::restore(one.index.clone(), &saved, |_| Some(one.chunks[1].clone()));
    assert_eq!(rest.err(), Some(Error::OtherChunk(one.chunks[0].key())));
}

#[test]
fn what_is_staged_is_there_after_the_commit() {
    let baked = baked(15, SMALL, 20.0);
    let mut random = Random(8);
    let (mut world, mut ids, mut differ) = (baked.world(), vec![], [0; 2]);
    for _ in 0..60 {
        for chunk in &baked.chunks {
            match (random.chance(80), world.is_wanted(chunk.key())) {
                (true, _) => {}
                (_, true) => world.remove_chunk(chunk.key()).expect("a chunk"),
                (_, false) => world.insert_chunk(chunk.clone()).expect("a chunk"),
            }
        }
        let places = baked.places(1 + random.below(30));
        let [x, y, z] = places[places.len() - 1];
        let crate_there = Obstacle::cylinder([x, z], 0.4, [y, y + 1.0]).expect("an obstacle");
        match random.below(3) {
            0 => ids.push(world.add(crate_there).expect("room")),
            1 if !ids.is_empty() => {
                world.move_to(ids[random.below(ids.len())], crate_there).expect("an obstacle");
            }
            _ if !ids.is_empty() => {
                let id = ids.swap_remove(random.below(ids.len()));
                world.remove(id).expect("an obstacle");
            }
            _ => {}
        }
        // A restored world knows what is staged too.
        let chunk = |key| baked.chunks.iter().find(|chunk| chunk.key() == key).cloned();
        let restored = World::restore(baked.index.clone(), &world.save(), chunk).expect("a world");
        let staged = |world: &World| -> Vec<(ObstacleId, Obstacle)> {
            world.staged_obstacles().map(|(id, own)| (id, *own)).collect()
        };
        let wanted = |world: &World| -> Vec<bool> {
            baked.chunks.iter().map(|chunk| world.is_wanted(chunk.key())).collect()
        };
        let expected = (staged(&world), wanted(&world));
        assert_eq!((staged(&restored), wanted(&restored)), expected);
        let there = |world: &World| -> (Vec<(ObstacleId, Obstacle)>, Vec<bool>) {
            let is_loaded = |chunk: &ChunkMesh| world.is_loaded(chunk.key());
            let obstacles = world.obstacles().map(|(id, own)| (id, *own)).collect();
            (obstacles, baked.chunks.iter().map(is_loaded).collect())
        };
        let before = there(&world);
        differ[0] += usize::from(before.0 != expected.0);
        differ[1] += usize::from(before.1 != expected.1);
        world.commit();
        assert_eq!(there(&world), expected);
    }
    assert!(differ.iter().all(|&count| count > 20), "{differ:?} commits changed something");
}
