//! Answers of the runtime to random queries on a blob, as bytes: to be compared with those of the
//! same runtime in WebAssembly (`npm/compare/same.mjs`).
//!
//! `same_answers BLOB COUNT SEED > FILE` writes 64-bit numbers, the least byte first. BLOB may be
//! the index of a world (`.navw`): it answers with all chunks, then without every second one.
#![allow(missing_docs)]

use std::error::Error;
use std::io::Write;
use std::path::Path;

use navbake_rooms::{RoomMemory, RoomScratch, find_path};
use navbake_search::around::{MoveLog, Random};
use navbake_search::blob::Blob;
use navbake_search::{
    AStar, Algorithm, MoveRequest, NavMeshBuf, NavPath, NavQuery, PathRequest, QueryFilter,
    Scratch, Status,
};
use navbake_world::{Chunk, ChunkMesh, World};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [blob, count, seed] = words.as_slice() else {
        return Err("usage: same_answers BLOB COUNT SEED".into());
    };
    let bytes = std::fs::read(blob)?;
    let nav = Blob::open_checked(&bytes)?.decode(0)?;
    let mut world = World::new(nav.clone());
    let chunks = opened(&nav, &Path::new(blob).with_extension("chunks"))?;
    for chunk in &chunks {
        world.insert_chunk(chunk.clone())?;
    }
    world.commit();
    let mesh = world.nav_mesh();
    let mut filter = QueryFilter::new();
    filter.set_agents(1);
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no ground")?;
    let mut random = Random::new(seed.parse()?);
    let mut scratch = RoomScratch::new();
    let mut out = Out(vec![]);
    let mut pairs = vec![];
    let planners = [
        Algorithm::Auto,
        Algorithm::Corridor(AStar::default()),
        Algorithm::Optimal,
        Algorithm::Midpoints(AStar::default()),
        Algorithm::weighted(Algorithm::GAP),
    ];
    for k in 0..count.parse::<usize>()? {
        let mut place = || query.random_place(&areas, &mut random).ok_or("no ground");
        let (from, to) = (place()?, place()?);
        let ends = [from.position(), to.position()];
        out.all(&ends.concat());
        pairs.push(ends);
        let beside = [ends[0][0] + 0.7, ends[0][1], ends[0][2] - 0.4];
        match query.nearest(beside, [2.0; 3]) {
            Some(near) => out.all(&near.position()),
            None => out.one(-1.0),
        }
        let hit = query.raycast(&from, ends[1]);
        out.all(&hit.point);
        out.one(hit.fraction);
        let request = MoveRequest::new(ends[1]).kept(0.9);
        let moved = query.move_along(&from, &request, MoveLog { entered: &mut [], hit: &mut [] });
        out.all(&query.place(moved.end).ok_or("no place")?.position());
        out.one(moved.walked);
        out.one(query.wall_distance(&from, 5.0, scratch.ground()).distance);
        out.one(f64::from(u8::from(query.reachable(&from, &to))));
        let request = PathRequest::new(ends[0], ends[1]);
        match planners.get(k % 6) {
            Some(&planner) => {
                let request = request.algorithm(planner);
                out.path(&query.find_path(&request, scratch.ground())?, &query);
            }
            None if mesh.rooms().is_some_and(|rooms| rooms.has_ways()) => {
                out.path(&find_path(&query, &request, &mut scratch)?.path, &query);
            }
            None => out.one(-1.0),
        }
    }
    if !chunks.is_empty() {
        out.part_of_world(world, &chunks, &pairs, &filter)?;
    }
    std::io::stdout().write_all(&out.0)?;
    Ok(())
}

/// The chunks that an index lists.
fn opened(index: &NavMeshBuf, folder: &Path) -> Result<Vec<ChunkMesh>, Box<dyn Error>> {
    let open = |chunk: Chunk| {
        let bytes = std::fs::read(folder.join(chunk.file_name()))?;
        Ok(ChunkMesh::new(Blob::open_checked(&bytes)?.decode(0)?)?)
    };
    index.mesh().file().chunks().iter().map(open).collect()
}

struct Out(Vec<u8>);

impl Out {
    fn one(&mut self, value: f64) {
        self.0.extend(value.to_le_bytes());
    }

    fn all(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.one(value));
    }

    /// Statuses, chunks that are not loaded and routes without every second chunk, and the save.
    fn part_of_world(
        &mut self,
        mut world: World,
        chunks: &[ChunkMesh],
        pairs: &[[[f64; 3]; 2]],
        filter: &QueryFilter,
    ) -> Result<(), Box<dyn Error>> {
        for chunk in chunks.iter().skip(1).step_by(2) {
            world.remove_chunk(chunk.key())?;
        }
        world.commit();
        let mut filter = filter.clone();
        filter.refresh(&world.nav_mesh())?;
        let query = NavQuery::new(world.nav_mesh()).with_filter(&filter);
        let mut scratch = Scratch::new();
        for &[from, to] in pairs {
            let path = query.find_path(&PathRequest::new(from, to), &mut scratch)?;
            self.one(f64::from(u8::from(path.status == Status::NotLoaded)));
            self.path(&path, &query);
            let Some(start) = query.locate(from, 2.0) else { continue };
            for key in world.not_loaded(start.polygon()) {
                self.all(&key.map(f64::from));
            }
            let route = query.route(&start, to, 2.0, &mut scratch);
            self.one(route.as_ref().map_or(-1.0, |route| route.length));
            for passage in route.iter().flat_map(|route| &route.passages) {
                self.all(&passage.position);
                self.all(&passage.into.map(f64::from));
            }
        }
        world.save().iter().for_each(|&byte| self.one(f64::from(byte)));
        Ok(())
    }

    fn path(&mut self, path: &NavPath<'_>, query: &NavQuery<'_>) {
        self.one(f64::from(u8::from(path.status == Status::Reached)));
        self.all(&[path.length_xz, path.length_3d(query), path.cost, path.bound]);
        self.one(f64::from(path.expanded));
        self.all(path.points.as_flattened());
    }
}
