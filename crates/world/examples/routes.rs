//! Plans routes over a world of which two chunks are loaded, and compares them with the shortest
//! paths.
//!
//! usage: routes WORLD.navw [PAIRS]
//!
//! For random pairs with a path: the route with the chunks of the start and of the goal alone, then
//! the path once all chunks that routes enter are loaded. Prints how they compare with the shortest
//! path over all chunks, and times.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use navbake_search::around::Random;
use navbake_search::path::Route;
use navbake_search::{NavMeshBuf, NavQuery, Scratch};
use navbake_world::{ChunkMesh, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let index = PathBuf::from(arguments.next().ok_or("usage: routes WORLD.navw [PAIRS]")?);
    let pairs: usize = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let nav = NavMeshBuf::open(&fs::read(&index)?)?;
    let mut chunks = vec![];
    for chunk in nav.mesh().file().chunks().iter() {
        let file = index.with_extension("chunks").join(chunk.file_name());
        chunks.push(ChunkMesh::new(NavMeshBuf::open(&fs::read(file)?)?)?);
    }
    let gateways = nav.mesh().gateways().len();
    let distances = nav.mesh().gateway_distances().len();
    println!("{} chunks, {gateways} gateways, {distances} distances", chunks.len());
    let mut all = World::new(nav.clone());
    load(&mut all, &chunks, |_| true)?;
    let mesh = all.nav_mesh();
    let query = NavQuery::new(mesh);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no ground")?;
    let (mut random, mut scratch) = (Random::new(1), Scratch::new());
    let key_at = |p: [f64; 3]| {
        let [x, _, z] = mesh.grid().snap(p)?;
        mesh.chunk_at([x, z]).map(|number| chunks[number].key())
    };
    let (mut first, mut last) = (vec![], vec![]);
    let (mut times, mut loaded) = (vec![], vec![]);
    while first.len() < pairs {
        let Some(from) = query.random_place(&areas, &mut random) else { break };
        let Some(to) = query.random_on_island(&areas, mesh.island(from.polygon()), &mut random)
        else {
            continue;
        };
        let Some(length) = query.distance(&from, &to, &mut scratch) else { continue };
        let ends = [from.position(), to.position()];
        let keys = ends.map(key_at);
        if keys[0] == keys[1] || length <= 0.0 {
            continue;
        }
        let mut world = World::new(nav.clone());
        load(&mut world, &chunks, |key| keys.contains(&Some(key)))?;
        let begin = Instant::now();
        let mut route = plan(&world, ends, &mut scratch)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        first.push(route.length / length);
        let mut more = 2;
        while let Some(next) = route.passages.iter().find(|p| !world.is_loaded(p.into)) {
            load(&mut world, &chunks, |key| key == next.into)?;
            more += 1;
            route = plan(&world, ends, &mut scratch)?;
        }
        let start = NavQuery::new(world.nav_mesh()).locate(ends[0], 0.1).ok_or("no ground")?;
        let goal = NavQuery::new(world.nav_mesh()).locate(ends[1], 0.1).ok_or("no ground")?;
        let path = NavQuery::new(world.nav_mesh()).distance(&start, &goal, &mut scratch);
        last.push(path.ok_or("no path over the chunks of a route")? / length);
        loaded.push(f64::from(more));
    }
    for (what, values) in [
        ("length of the first route, of the shortest path's", &mut first),
        ("length of the path over the chunks of the route, of the shortest path's", &mut last),
        ("chunks that were loaded", &mut loaded),
        ("time of the first route, ms", &mut times),
    ] {
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let at = |share: usize| {
            let last = values.len().saturating_sub(1);
            values.get((values.len() * share / 100).min(last)).copied().unwrap_or(f64::NAN)
        };
        let [least, most, all] = [at(0), at(95), at(100)];
        println!("{what}: mean {mean:.4}, least {least:.4}, 95 % {most:.4}, most {all:.4}");
    }
    Ok(())
}

/// Loads the chunks that are wanted.
fn load(
    world: &mut World,
    chunks: &[ChunkMesh],
    wanted: impl Fn([i32; 2]) -> bool,
) -> Result<(), navbake_world::Error> {
    for chunk in chunks.iter().filter(|chunk| wanted(chunk.key())) {
        world.insert_chunk(chunk.clone())?;
    }
    world.commit();
    Ok(())
}

fn plan(world: &World, [from, to]: [[f64; 3]; 2], scratch: &mut Scratch) -> Result<Route, String> {
    let query = NavQuery::new(world.nav_mesh());
    let start = query.locate(from, 0.1).ok_or("no ground at a start")?;
    query.route(&start, to, 0.1, scratch).ok_or_else(|| format!("no route from {from:?} to {to:?}"))
}
