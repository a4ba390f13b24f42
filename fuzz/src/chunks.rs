//! Worlds in chunks: files that are damaged, then chunks and obstacles that come and go.

use std::sync::OnceLock;

use navbake_format::{Blob, NavMeshBuf};
use navbake_world::{ChunkMesh, Error, Obstacle, ObstacleId, World};

use crate::blobs::damage;
use crate::input::Input;
use crate::queries::{Rounds, ask_mesh};
use crate::seeds;
use crate::worlds::kit::check;
use crate::worlds::save_and_restore;

/// Changes of a program.
const MOST_CHANGES: usize = 16;

/// A program: edits of the index and of chunks, then chunks and obstacles that come and go. Each
/// file is refused, or the world is asked everything.
pub fn chunks(data: &[u8]) {
    let mut input = Input(data);
    let sound = seeds::world_in_chunks();
    let mut damaged: Vec<Option<Vec<u8>>> = vec![None; sound.len()];
    let edits = input.below(8).saturating_sub(2);
    for _ in 0..edits {
        let one = input.below(sound.len());
        damage(damaged[one].get_or_insert_with(|| sound[one].clone()), &mut input);
    }
    let (index, chunks) = opened_once();
    let index = match &damaged[0] {
        Some(bytes) => opened(bytes),
        None => Some(index.clone()),
    };
    let Some(index) = index else {
        return;
    };
    let chunks: Vec<Option<ChunkMesh>> = (chunks.iter().zip(&damaged[1..]))
        .map(|(chunk, damaged)| match damaged {
            Some(bytes) => ChunkMesh::new(opened(bytes)?).ok(),
            None => Some(chunk.clone()),
        })
        .collect();
    if input.is_empty() {
        return;
    }
    crate::worked();
    let mut world = World::new(index.clone());
    let mut obstacles: Vec<ObstacleId> = vec![];
    for _ in 0..MOST_CHANGES {
        if input.is_empty() {
            break;
        }
        let (kind, which) = (input.byte(), usize::from(input.byte()));
        match kind % 8 {
            0..3 => {
                if let Some(chunk) = &chunks[which % chunks.len()] {
                    come(&mut world, chunk, edits == 0);
                }
            }
            3 => {
                if let Some(chunk) = &chunks[which % chunks.len()] {
                    // Refused where it is not there.
                    let _ = world.remove_chunk(chunk.key());
                }
            }
            4 => {
                let [x, z, radius] = [(); 3].map(|()| f64::from(input.byte()));
                let obstacle = Obstacle::cylinder([x / 6.0, z / 12.0], radius / 64.0, [-1.0, 2.0]);
                obstacles.extend(world.add(obstacle.expect("a cylinder")));
            }
            5 if !obstacles.is_empty() => {
                let id = obstacles.swap_remove(which % obstacles.len());
                world.remove(id).expect("an obstacle of the world");
            }
            6 if which % 4 == 0 => {
                let of = |key| {
                    let all = chunks.iter().flatten();
                    all.clone().find(|chunk| chunk.key() == key).cloned()
                };
                let restore = |saved: &[u8]| World::restore(index.clone(), saved, of);
                save_and_restore(&mut world, restore, &mut input, edits == 0);
            }
            6 => drop(world.commit_some(which % 5)),
            _ => {
                world.commit();
                asked(&world, which as u64, edits == 0);
            }
        }
    }
    world.commit();
    asked(&world, 0, edits == 0);
}

/// The index and the chunks as they are without damage, opened once in a process.
fn opened_once() -> &'static (NavMeshBuf, Vec<ChunkMesh>) {
    static OPENED: OnceLock<(NavMeshBuf, Vec<ChunkMesh>)> = OnceLock::new();
    OPENED.get_or_init(|| {
        let mut files = seeds::world_in_chunks().iter().map(|f| opened(f).expect("a sound file"));
        let index = files.next().expect("an index");
        (index, files.map(|nav| ChunkMesh::new(nav).expect("a sound chunk")).collect())
    })
}

/// A file that passes validation, decoded. Checksums are not compared.
fn opened(bytes: &[u8]) -> Option<NavMeshBuf> {
    let file = Blob::open(bytes).ok()?.validate().ok()?;
    file.decode(0).ok()
}

fn come(world: &mut World, chunk: &ChunkMesh, is_sound: bool) {
    match world.insert_chunk(chunk.clone()) {
        Ok(()) | Err(Error::Loaded(_)) => {}
        Err(error) => assert!(!is_sound, "a sound chunk is refused: {error}"),
    }
}

fn asked(world: &World, seed: u64, is_sound: bool) {
    let mesh = world.nav_mesh();
    if is_sound {
        check(&mesh);
    }
    ask_mesh(&mesh, Rounds { seed, count: 1 }, &mut |_| {});
    for polygon in mesh.polygons().take(4) {
        world.not_loaded(polygon.id());
        world.way(polygon.id(), navbake_search::PolyId(seed as u32));
    }
}
