//! Chunks that are loaded, saved and put back where they were.
//!
//! Saved is where each chunk is in the lists, not what it holds. What is free follows from that.

use alloc::vec::Vec;
use core::ops::Range;

use navbake_format::NavMeshBuf;
use navbake_navmesh::MOST_EDGES;

use super::{Loaded, NO_EXIT, Placed, gone};
use crate::Error;
use crate::bytes::{Reader, Writer, sound};
use crate::chunk::{ChunkMesh, NO_EDGE};
use crate::list::{Free, Slot};

/// Lists that chunks have parts of, besides polygons and edges.
const LISTS: usize = 13;

impl Placed {
    /// Its parts of the lists.
    pub(super) fn parts(&self) -> [&Range<u32>; LISTS] {
        [
            &self.vertices,
            &self.tops,
            &self.pivots,
            &self.islands,
            &self.nodes,
            &self.cell_starts,
            &self.cell_items,
            &self.heads,
            &self.points,
            &self.triangles,
            &self.starts,
            &self.lists,
            &self.ways_out,
        ]
    }
}

impl Loaded {
    /// What is free of the lists, in the order of [`Placed::parts`].
    pub(super) fn free(&mut self) -> [&mut Free; LISTS] {
        [
            &mut self.vertices.free,
            &mut self.tops.free,
            &mut self.pivots,
            &mut self.islands.free,
            &mut self.nodes.free,
            &mut self.cell_starts.free,
            &mut self.cell_items.free,
            &mut self.heads.free,
            &mut self.points.free,
            &mut self.triangles.free,
            &mut self.starts.free,
            &mut self.lists.free,
            &mut self.ways_out.free,
        ]
    }

    /// How many polygons, edges and entries of lists there are, with those that are free.
    fn lengths(&self) -> ([u32; 2], [u32; LISTS]) {
        let lists = [
            self.vertices.free.len,
            self.tops.free.len,
            self.pivots.len,
            self.islands.free.len,
            self.nodes.free.len,
            self.cell_starts.free.len,
            self.cell_items.free.len,
            self.heads.free.len,
            self.points.free.len,
            self.triangles.free.len,
            self.starts.free.len,
            self.lists.free.len,
            self.ways_out.free.len,
        ];
        ([self.polygons.len() as u32 - 1, self.edges.len() as u32], lists)
    }

    /// Writes where all is.
    pub(crate) fn save(&self, out: &mut Writer) {
        let (mesh, lists) = self.lengths();
        mesh.into_iter().chain(lists).for_each(|length| out.u32(length));
        out.u32(self.pivot_room);
        out.u32(self.widest);
        for placed in self.placed.iter().flatten() {
            out.u32(placed.polygons.start);
            out.u32(placed.edges.start);
            placed.parts().into_iter().for_each(|part| out.u32(part.start));
        }
    }

    /// Puts chunks where [`Loaded::save`] says: those that are loaded, by number.
    pub(crate) fn restore(
        index: NavMeshBuf,
        input: &mut Reader<'_>,
        chunks: &[(usize, &ChunkMesh)],
    ) -> Result<Loaded, Error> {
        let mut loaded = Loaded::new(index);
        let mesh = [input.u32()?, input.u32()?];
        let mut lists = [0; LISTS];
        for length in &mut lists {
            *length = input.u32()?;
        }
        let (pivot_room, widest) = (input.u32()?, input.u32()?);
        let given = chunks.iter().map(|(_, chunk)| chunk.nav.size() as u64).sum();
        let most = loaded.most_entries(given);
        sound(mesh.iter().chain(&lists).all(|&length| length <= most))?;
        let pivots = lists[2];
        sound((pivots..=pivots + pivots / 2).contains(&pivot_room) && mesh[0] >= 1)?;
        sound(lists[1] >= 2)?;
        loaded.lengthen(mesh, lists);
        loaded.pivot_room = pivot_room;
        for &(number, chunk) in chunks {
            loaded.aim([input.u32()?, input.u32()?], mesh)?;
            for (free, length) in loaded.free().into_iter().zip(lists) {
                let start = input.u32()?;
                sound(start <= length)?;
                free.ranges = core::iter::once(start..length).collect();
            }
            let placed = loaded.copy(chunk);
            loaded.placed[number] = Some(placed);
            // What does not fit there was put behind the end.
            sound(loaded.lengths() == (mesh, lists) && loaded.pivot_room == pivot_room)?;
        }
        loaded.find_free(mesh, lists)?;
        chunks.iter().for_each(|&(number, _)| loaded.join(number));
        loaded.list_parts();
        sound(loaded.widest <= widest && widest <= mesh[1])?;
        loaded.widest = widest;
        loaded.written = (0..0, Vec::new());
        Ok(loaded)
    }

    /// More entries than a list can have, by the lengths of chunks that the index states. It may
    /// state any: more than [`FEW`] entries also need chunks that are loaded, of `given` bytes.
    fn most_entries(&self, given: u64) -> u32 {
        let by_chunks = given.saturating_mul(ENTRIES_PER_BYTE).max(FEW);
        let bytes = self.table().iter().map(|chunk| chunk.bytes);
        let bytes = bytes.fold(0u64, u64::saturating_add);
        bytes
            .saturating_mul(ENTRIES_PER_BYTE)
            .saturating_add(4096)
            .min(by_chunks)
            .min(2 * MOST_EDGES as u64) as u32
    }

    /// Makes all lists as long as they were.
    fn lengthen(&mut self, [polygons, edges]: [u32; 2], lists: [u32; LISTS]) {
        while self.polygons.len() <= polygons as usize {
            self.polygons.push(gone(edges));
        }
        self.polygons.set(polygons as usize, gone(edges));
        (0..edges).for_each(|_| self.edges.push(NO_EDGE));
        let [vertices, tops, _, islands, nodes, cell_starts, cell_items, more @ ..] =
            lists.map(|length| length as usize);
        let [heads, points, triangles, starts, of_squares, ways_out] = more;
        self.vertices.all.lengthen(vertices);
        self.tops.all.lengthen(tops);
        self.islands.all.lengthen(islands);
        self.world_islands.lengthen(islands);
        self.nodes.all.lengthen(nodes);
        self.cell_starts.all.lengthen(cell_starts);
        self.cell_items.all.lengthen(cell_items);
        self.heads.all.lengthen(heads);
        self.points.all.lengthen(points);
        self.triangles.all.lengthen(triangles);
        self.starts.all.lengthen(starts);
        self.lists.all.lengthen(of_squares);
        (0..ways_out).for_each(|_| self.ways_out.all.push(NO_EXIT));
        self.free().into_iter().zip(lists).for_each(|(free, length)| free.len = length);
    }

    /// Makes the next polygons and edges be put from a place on.
    fn aim(&mut self, from: [u32; 2], mesh: [u32; 2]) -> Result<(), Error> {
        sound((0..2).all(|k| from[k] <= mesh[k]))?;
        let [polygons, edges] = [0, 1].map(|k| from[k]..mesh[k]);
        self.slots.all = [Slot { polygons, edges, taken: false }].into();
        Ok(())
    }

    /// Finds what is free between the chunks, which must not have a part in common.
    fn find_free(&mut self, mesh: [u32; 2], lists: [u32; LISTS]) -> Result<(), Error> {
        let placed: Vec<Placed> = self.placed.iter().flatten().cloned().collect();
        for (k, (free, length)) in self.free().into_iter().zip(lists).enumerate() {
            // The blocks of no chunk come first.
            let root = if k == 1 { 0..2 } else { 0..0 };
            let parts = placed.iter().map(|placed| placed.parts()[k].clone());
            free.ranges = between(parts.chain([root]).collect(), length)?;
        }
        let run = |placed: &Placed| [placed.polygons.clone(), placed.edges.clone()];
        let mut taken: Vec<[Range<u32>; 2]> = placed.iter().map(run).collect();
        taken.push([0..1, 0..0]);
        taken.sort_unstable_by_key(|[polygons, _]| polygons.start);
        self.slots.all.clear();
        let mut at = [0; 2];
        for [polygons, edges] in taken.into_iter().chain([mesh.map(|end| end..end)]) {
            sound(at[0] <= polygons.start && at[1] <= edges.start)?;
            if at != [polygons.start, edges.start] {
                for p in at[0]..polygons.start {
                    self.polygons.set(p as usize, gone(edges.start));
                }
                let (polygons, edges) = (at[0]..polygons.start, at[1]..edges.start);
                self.slots.all.push(Slot { polygons, edges, taken: false });
            }
            at = [polygons.end, edges.end];
            if polygons.start < polygons.end {
                self.slots.all.push(Slot { polygons, edges, taken: true });
            }
        }
        Ok(())
    }
}

/// As many entries as a list may have whatever is loaded.
const FEW: u64 = 1 << 22;

/// Entries of a list for each byte of the files of all chunks. There are fewer than one; what is
/// free adds to them.
const ENTRIES_PER_BYTE: u64 = 8;

/// What is free between parts of a list.
fn between(mut parts: Vec<Range<u32>>, length: u32) -> Result<Vec<Range<u32>>, Error> {
    parts.retain(|part| part.start < part.end);
    parts.sort_unstable_by_key(|part| part.start);
    let (mut free, mut at) = (Vec::new(), 0);
    for part in parts.into_iter().chain(core::iter::once(length..length)) {
        sound(at <= part.start)?;
        if at < part.start {
            free.push(at..part.start);
        }
        at = part.end;
    }
    Ok(free)
}
