//! Loads a world in chunks, and compares it with the same level as one blob.
//!
//! usage: load_chunks WORLD.navw [WHOLE.nav [PAIRS [ORDERS]]]
//!
//! Prints how long chunks take to open, insert and remove, how long saving and restoring all of
//! them with 200 obstacles takes, and how long the first path over four of them takes from memory
//! maps of their files. With a blob of the same level: area, connectivity, shortest lengths and
//! mean times of random pairs with all chunks loaded; and the greatest difference of lengths over
//! random orders of loading.

#![allow(unsafe_code)]

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use memmap2::Mmap;
use navbake_search::around::{Areas, Random};
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavMesh, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use navbake_world::{Chunk, ChunkMesh, Obstacle, World};

type Run = Result<(), Box<dyn Error>>;

fn main() -> Run {
    let mut arguments = std::env::args().skip(1);
    let index = PathBuf::from(arguments.next().ok_or("usage: load_chunks WORLD.navw")?);
    let whole = arguments.next();
    let mut count = |usual: usize| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (pairs, orders) = (count(10_000)?, count(0)?);
    let nav = NavMeshBuf::open(&fs::read(&index)?)?;
    let table: Vec<Chunk> = nav.mesh().file().chunks().iter().collect();
    let mut chunks = vec![];
    let mut opened = vec![];
    for chunk in &table {
        let begin = Instant::now();
        let bytes = fs::read(file(&index, chunk))?;
        chunks.push(ChunkMesh::new(NavMeshBuf::open(&bytes)?)?);
        opened.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    times("open", &mut opened);
    let mut world = World::new(nav.clone());
    change(&mut world, &chunks)?;
    save(&mut world, &nav, &chunks)?;
    if let Some(whole) = whole {
        let whole = NavMeshBuf::open(&fs::read(whole)?)?;
        let places = places(whole.mesh(), 2 * pairs);
        compare(&world, &whole, &places)?;
        load_in_any_order(&nav, &chunks, &places, orders)?;
    }
    cold(&index, &nav, &table)
}

/// The file of a chunk.
fn file(index: &Path, chunk: &Chunk) -> PathBuf {
    index.with_extension("chunks").join(chunk.file_name())
}

/// Least, median and greatest of times, ms.
fn times(what: &str, all: &mut [f64]) {
    all.sort_by(f64::total_cmp);
    if let (Some(least), Some(most)) = (all.first(), all.last()) {
        let median = all[all.len() / 2];
        println!("{what}: {least:.3} ms least, {median:.3} median, {most:.3} most");
    }
}

/// Inserts all, then removes and inserts each.
fn change(world: &mut World, chunks: &[ChunkMesh]) -> Run {
    let begin = Instant::now();
    for chunk in chunks {
        world.insert_chunk(chunk.clone())?;
    }
    world.commit();
    let total = begin.elapsed().as_secs_f64() * 1e3;
    let polygons: u32 = chunks.iter().map(|chunk| chunk.nav_mesh().polygon_count()).sum();
    let most = chunks.iter().map(|chunk| chunk.nav_mesh().polygon_count()).max();
    println!(
        "{} chunks, {polygons} polygons, at most {most:?} in one: {total:.1} ms",
        chunks.len()
    );
    let (mut removed, mut inserted) = (vec![], vec![]);
    for chunk in chunks {
        let (copy, key) = (chunk.clone(), chunk.key());
        let begin = Instant::now();
        world.remove_chunk(key)?;
        world.commit();
        removed.push(begin.elapsed().as_secs_f64() * 1e3);
        let begin = Instant::now();
        world.insert_chunk(copy)?;
        world.commit();
        inserted.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    times("insert", &mut inserted);
    times("remove", &mut removed);
    Ok(())
}

/// Puts 200 cylinders on the world, saves and restores it, and takes them away.
fn save(world: &mut World, nav: &NavMeshBuf, chunks: &[ChunkMesh]) -> Run {
    let mut ids = vec![];
    for [x, y, z] in places(world.nav_mesh(), 200) {
        ids.push(world.add(Obstacle::cylinder([x, z], 0.5, [y, y + 1.0])?)?);
    }
    let begin = Instant::now();
    world.commit();
    println!("200 cylinders: {:.3} ms", begin.elapsed().as_secs_f64() * 1e3);
    let chunk = |key| chunks.iter().find(|chunk| chunk.key() == key).cloned();
    let (mut saved, mut restored, mut bytes) = (vec![], vec![], 0);
    for _ in 0..20 {
        let begin = Instant::now();
        let all = world.save();
        saved.push(begin.elapsed().as_secs_f64() * 1e3);
        let begin = Instant::now();
        let again = World::restore(nav.clone(), &all, chunk)?;
        restored.push(begin.elapsed().as_secs_f64() * 1e3);
        bytes = all.len();
        if again.save() != all {
            return Err("a restored world differs".into());
        }
    }
    println!("a save has {bytes} bytes");
    times("save", &mut saved);
    times("restore", &mut restored);
    ids.into_iter().try_for_each(|id| world.remove(id))?;
    world.commit();
    Ok(())
}

fn area(mesh: NavMesh<'_>) -> f64 {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    NavQuery::new(mesh).areas(&mut sums).as_ref().map_or(0.0, Areas::total)
}

/// Random places on a mesh.
fn places(mesh: NavMesh<'_>, count: usize) -> Vec<[f64; 3]> {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let query = NavQuery::new(mesh);
    let mut random = Random::new(1);
    let Some(areas) = query.areas(&mut sums) else { return vec![] };
    let draw = |_| query.random_place(&areas, &mut random).map(|place| place.position());
    (0..count).filter_map(draw).collect()
}

/// The length of the shortest path; `None` where there is none.
fn length(mesh: NavMesh<'_>, pair: &[[f64; 3]], scratch: &mut Scratch) -> Option<f64> {
    let request = PathRequest::new(*pair.first()?, *pair.last()?);
    let request = request.algorithm(Algorithm::Optimal);
    let path = NavQuery::new(mesh).find_path(&request, scratch).ok()?;
    (path.status == Status::Reached).then_some(path.length_xz)
}

/// Compares a world with all chunks and the same level as one blob.
fn compare(world: &World, whole: &NavMeshBuf, places: &[[f64; 3]]) -> Run {
    let (mesh, whole) = (world.nav_mesh(), whole.mesh());
    let [own, wanted] = [area(mesh), area(whole)];
    println!("area: {own:.3} m2, {:.6} % off", (own / wanted - 1.0).abs() * 100.0);
    let (mut scratch, mut reached, mut other, mut most) = (Scratch::new(), 0, 0, 0.0f64);
    let mut times = [0.0; 2];
    for pair in places.chunks_exact(2) {
        let found = [(mesh, 0), (whole, 1)].map(|(mesh, k)| {
            let begin = Instant::now();
            let found = length(mesh, pair, &mut scratch);
            times[k] += begin.elapsed().as_secs_f64() * 1e6;
            found
        });
        match found {
            [Some(own), Some(wanted)] => {
                most = most.max((own / wanted - 1.0).abs());
                reached += 1;
            }
            [own, wanted] => other += usize::from(own.is_some() != wanted.is_some()),
        }
    }
    let pairs = places.len() / 2;
    println!("{pairs} pairs, {reached} with a path: {other} differ, lengths at most {most:e}");
    let [own, blob] = times.map(|sum| sum / pairs.max(1) as f64);
    println!("a pair takes {own:.1} µs in the mean, of the blob {blob:.1} µs");
    Ok(())
}

/// Loads the chunks in random orders, and compares answers.
fn load_in_any_order(
    index: &NavMeshBuf,
    chunks: &[ChunkMesh],
    places: &[[f64; 3]],
    orders: usize,
) -> Run {
    let mut random = Random::new(2);
    let mut scratch = Scratch::new();
    let pairs = || places.chunks_exact(2).take(50);
    let mut first: Option<Vec<Option<f64>>> = None;
    let (mut differ, mut most) = (0, 0.0f64);
    for _ in 0..orders {
        let mut order: Vec<usize> = (0..chunks.len()).collect();
        for i in 0..order.len() {
            let other = random.below(chunks.len() as u64) as usize;
            order.swap(i, other);
        }
        let mut world = World::new(index.clone());
        for i in order {
            world.insert_chunk(chunks[i].clone())?;
        }
        world.commit();
        let answers: Vec<Option<f64>> =
            pairs().map(|pair| length(world.nav_mesh(), pair, &mut scratch)).collect();
        let wanted = first.get_or_insert_with(|| answers.clone());
        for (own, wanted) in answers.iter().zip(wanted.iter()) {
            match (own, wanted) {
                (Some(own), Some(wanted)) => most = most.max((own / wanted - 1.0).abs()),
                _ => differ += usize::from(own.is_some() != wanted.is_some()),
            }
        }
    }
    if orders > 0 {
        println!("{orders} orders of loading: {differ} differ, lengths at most {most:e}");
    }
    Ok(())
}

/// The first path over four chunks, from memory maps of their files.
fn cold(index: &Path, nav: &NavMeshBuf, table: &[Chunk]) -> Run {
    let at = |key: [i32; 2]| table.iter().find(|chunk| chunk.key == key);
    let square = table.iter().find_map(|chunk| {
        let [x, z] = chunk.key;
        Some([at([x, z])?, at([x + 1, z])?, at([x, z + 1])?, at([x + 1, z + 1])?])
    });
    let Some(square) = square else {
        return Ok(());
    };
    let mut world = World::new(nav.clone());
    for chunk in square {
        let bytes = fs::read(file(index, chunk))?;
        world.insert_chunk(ChunkMesh::new(NavMeshBuf::open(&bytes)?)?)?;
    }
    world.commit();
    let places = places(world.nav_mesh(), 2000);
    let mut scratch = Scratch::new();
    let mut pairs = places.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let mut long = |pair: &[[f64; 3]; 2]| length(world.nav_mesh(), pair, &mut scratch) > Some(50.0);
    let Some(ends) = pairs.find(&mut long) else {
        return Ok(());
    };
    let packed = square.map(|chunk| file(index, chunk));
    first_path("packed", nav, &packed, &ends, 1)?;
    first_path("packed", nav, &packed, &ends, 2)?;
    // The same as searches read them.
    let folder = std::env::temp_dir().join(format!("load_chunks-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut unpacked = packed.clone();
    for (path, from) in unpacked.iter_mut().zip(&packed) {
        let bytes = fs::read(from)?;
        *path = folder.join(from.file_name().ok_or("a file")?);
        fs::write(&*path, Blob::open_checked(&bytes)?.unpack()?)?;
    }
    first_path("unpacked", nav, &unpacked, &ends, 1)?;
    first_path("unpacked", nav, &unpacked, &ends, 2)?;
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Maps and checks files of chunks on some threads.
fn open(files: &[PathBuf], threads: usize) -> Result<Vec<ChunkMesh>, Box<dyn Error>> {
    let one = |path: &PathBuf| -> Result<ChunkMesh, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        // SAFETY: no process changes these files while this one runs.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| error.to_string())?;
        let nav = NavMeshBuf::from_owner(map).map_err(|error| error.to_string())?;
        ChunkMesh::new(nav).map_err(|error| error.to_string())
    };
    let next = AtomicUsize::new(0);
    let part = || -> Result<Vec<ChunkMesh>, String> {
        let more = || files.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(more).map(one).collect()
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(part)).collect();
        let mut chunks = part()?;
        for other in others {
            chunks.extend(other.join().map_err(|_| "a thread has panicked")??);
        }
        Ok(chunks)
    })
}

/// From the files of four chunks to a path over them.
fn first_path(
    what: &str,
    nav: &NavMeshBuf,
    files: &[PathBuf],
    ends: &[[f64; 3]],
    threads: usize,
) -> Run {
    let mut all = [vec![], vec![], vec![]];
    let mut found = None;
    for _ in 0..50 {
        let begin = Instant::now();
        let mut since = |k: usize| all[k].push(begin.elapsed().as_secs_f64() * 1e3);
        let mut world = World::new(nav.clone());
        let chunks = open(files, threads)?;
        since(0);
        chunks.into_iter().try_for_each(|chunk| world.insert_chunk(chunk))?;
        world.commit();
        since(1);
        found = length(world.nav_mesh(), ends, &mut Scratch::new());
        since(2);
    }
    println!("four chunks from {what} files on {threads} threads, a path of {found:?} m");
    for (what, all) in ["opened", "loaded", "first path"].iter().zip(&mut all) {
        times(what, all);
    }
    Ok(())
}
