//! Chunks that come and go below obstacles.

use alloc::sync::Arc;
use alloc::vec::Vec;

use navbake_format::Chunk;
use navbake_navmesh::NONE;

use crate::base::Base;
use crate::chunk::ChunkMesh;
use crate::ground::Ground;
use crate::loaded::Loaded;
use crate::shape::Shape;

impl Ground {
    /// Adds a chunk; gives how many polygons it has.
    pub(crate) fn insert(&mut self, number: usize, chunk: &ChunkMesh) -> usize {
        self.change_chunks(&chunk.chunk, |loaded| {
            loaded.insert(number, chunk);
            loaded.polygons_of(number).len()
        })
    }

    /// Takes a chunk out; gives how many polygons it has.
    pub(crate) fn remove(&mut self, number: usize) -> usize {
        let placed = self.loaded().and_then(|own| own.placed.get(number)?.as_ref());
        let Some(chunk) = placed.map(|placed| placed.chunk) else {
            return 0;
        };
        self.change_chunks(&chunk, |loaded| {
            let count = loaded.polygons_of(number).len();
            loaded.remove(number);
            count
        })
    }

    /// Changes a chunk. Obstacles at it are taken out before, and put back afterwards.
    fn change_chunks(&mut self, chunk: &Chunk, change: impl FnOnce(&mut Loaded) -> usize) -> usize {
        if self.loaded().is_none() {
            return 0;
        }
        let mut held = self.take_out(|shape, ground, touched| {
            meets(chunk, [shape.low, shape.high])
                || touched.iter().any(|&polygon| meets(chunk, ground.bounds_of(polygon)))
        });
        let fresh = self.next_generation();
        let room = self.loaded().map(Loaded::room_of_copies);
        // Nothing else holds it now; if it did, it would be copied, and no change lost.
        let Base::Chunks(loaded) = Arc::make_mut(&mut self.nav) else {
            return 0;
        };
        let count = change(loaded);
        let written = loaded.written.0.clone();
        let (polygons, has_room) =
            (loaded.polygons.len() - 1, Some(loaded.room_of_copies()) == room);
        if self.is_bare() {
            self.generations.resize(polygons.max(self.generations.len()), fresh);
        } else if has_room {
            self.copy_changes();
        } else {
            held.extend(self.forget());
            self.build();
        }
        self.generations[written.start as usize..written.end as usize].fill(fresh);
        self.generation = self.generation.wrapping_add(1).max(1);
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        let mut held = held.into_iter().map(|(number, shape)| (number, Some(shape)));
        self.replace(&mesh, |_| held.next());
        count
    }

    /// Takes obstacles out that are `wanted`, by shape and the baked polygons that they touch.
    fn take_out(&mut self, wanted: impl Fn(&Shape, &Ground, &[u32]) -> bool) -> Vec<(u32, Shape)> {
        let all = (0..).zip(&self.shapes);
        let is_there = |(_, (shape, touched)): &(u32, &(Shape, Vec<u32>))| {
            !shape.ring.is_empty() && wanted(shape, self, touched)
        };
        let held: Vec<(u32, Shape)> =
            all.filter(is_there).map(|(number, (shape, _))| (number, shape.clone())).collect();
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        let mut gone = held.iter().map(|(number, _)| (*number, None));
        self.replace(&mesh, |_| gone.next());
        held
    }

    /// Forgets all obstacles, for memory that is made anew.
    fn forget(&mut self) -> Vec<(u32, Shape)> {
        self.cut = 0;
        let all = (0..).zip(&mut self.shapes);
        all.filter(|(_, (shape, _))| !shape.ring.is_empty())
            .map(|(number, taken)| (number, core::mem::take(taken).0))
            .collect()
    }

    /// The bounds of a baked polygon in the ground plane.
    fn bounds_of(&self, polygon: u32) -> [[i32; 2]; 2] {
        let mesh = self.nav.mesh();
        let border = mesh.polys().border(polygon);
        border.iter().fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], edge| {
            [[0, 1].map(|k| low[k].min(edge.at[k])), [0, 1].map(|k| high[k].max(edge.at[k]))]
        })
    }

    /// Copies what a change of chunks wrote. No obstacle touches it.
    fn copy_changes(&mut self) {
        let nav = self.nav.clone();
        let Base::Chunks(loaded) = &*nav else {
            return;
        };
        let (polygons, edges) = &loaded.written;
        for p in polygons.clone() {
            let own = loaded.polygons.at(p as usize);
            self.polygons.set(p as usize, own);
            self.cut_of[p as usize] = NONE;
        }
        let first = |p: u32| loaded.polygons.at(p as usize).first as usize;
        // Its last polygon ends its edges.
        let of_chunk = first(polygons.start)..first(polygons.end.saturating_sub(1));
        for e in of_chunk.chain(edges.iter().map(|&e| e as usize)) {
            self.edges.set(e, loaded.edges.at(e));
        }
        for &block in &self.joined {
            self.rings.set(block as usize, block);
            self.unions[block as usize] = block;
        }
        self.joined.clear();
        self.rings_due = true;
        let tops = loaded.polys(0).tops;
        for (block, top) in tops.iter().enumerate() {
            if block < self.tops.len() {
                self.tops.set(block, top);
            } else {
                self.tops.push(top);
                self.rings.push(block as u32);
                self.unions.push(block as u32);
            }
        }
        self.widest = self.widest.max(loaded.widest);
        let mesh = nav.mesh();
        if mesh.link_count() > 0 || self.links.len() > 0 {
            self.list_links(&mesh);
            let cuts = self.cuts.iter().filter(|cut| !cut.obstacles.is_empty());
            let cuts: Vec<u32> = cuts.map(|cut| cut.polygon).collect();
            cuts.iter().for_each(|&polygon| self.place_links(&mesh, polygon));
        }
    }
}

/// Does a box in the ground plane touch the square of a chunk?
fn meets(chunk: &Chunk, [low, high]: [[i32; 2]; 2]) -> bool {
    let side = i64::from(chunk.side);
    (0..2).all(|k| {
        let start = i64::from(chunk.key[k]) * side;
        i64::from(low[k]) <= start + side && start <= i64::from(high[k])
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use navbake_bake::{BakeInput, Config, Options};
    use navbake_format::NavMeshBuf;

    use crate::{ChunkMesh, Obstacle, World};

    #[test]
    fn chunks_and_obstacles_change_also_while_the_ground_is_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = navbake_testkit::data::world(folder.path(), 8);
        let config = Config::parse("cell = 0.06\nfindings = false\n").expect("a config");
        let input = BakeInput::open_to_bake(&path, &config).expect("a world");
        let mut chunks: Vec<ChunkMesh> = Vec::new();
        let mut take = |file: navbake_bake::ChunkFile| {
            let nav = NavMeshBuf::open(&file.bytes).expect("a sound chunk");
            chunks.push(ChunkMesh::new(nav).expect("a chunk"));
            Ok(())
        };
        let options = Options { chunk: Some(20.0), ..Options::default() };
        let index = input.bake_chunks(&options, &mut take).expect("chunks");
        let index = NavMeshBuf::open(&index.bytes).expect("a sound index");
        let mut worlds = [World::new(index.clone()), World::new(index)];
        // A box over all of the first chunk and beyond it.
        let [low, high] = chunks[0].nav.mesh().bounds();
        let grid = chunks[0].nav.mesh().grid();
        let [low, high] = [low, high].map(|p| grid.metres(p.map(f64::from)));
        let middle = [0, 2].map(|k| 0.5 * (low[k] + high[k]));
        for (k, world) in worlds.iter_mut().enumerate() {
            world.insert_chunk(chunks[0].clone()).expect("a chunk");
            world.commit();
            let heights = [low[1] - 1.0, high[1] + 1.0];
            let disc = Obstacle::cylinder(middle, 2.0, heights).expect("a cylinder");
            world.add(disc).expect("an obstacle");
            world.commit();
            let held = (k == 1).then(|| world.ground.nav.clone());
            for chunk in &chunks[1..] {
                world.insert_chunk(chunk.clone()).expect("a chunk");
            }
            assert_eq!(world.commit().chunks, chunks.len() - 1);
            world.remove_chunk(chunks[0].key()).expect("a chunk");
            assert_eq!(world.commit().chunks, 1);
            world.insert_chunk(chunks[0].clone()).expect("a chunk");
            assert_eq!(world.commit().chunks, 1);
            drop(held);
        }
        let [own, held] = [&worlds[0], &worlds[1]].map(World::nav_mesh);
        assert!(own.polys().is_changed(), "the obstacle takes ground");
        assert_eq!(own.polys().edges.bytes(), held.polys().edges.bytes());
        assert_eq!(own.polys().polygons.bytes(), held.polys().polygons.bytes());
    }
}
