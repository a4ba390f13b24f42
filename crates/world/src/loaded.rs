//! The chunks that are loaded, as one navmesh.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use navbake_format::{
    Beyond, BoxRecord, Chunk, ChunkGround, Exit, IndexPart, LoadedDoorsLinks, NavMesh, NavMeshBuf,
    Seam,
};
use navbake_navmesh::cells::{Cell, Cells, CellsPart};
use navbake_navmesh::detail::{DetailHead, DetailPoint, Details, Listed, Triangle};
use navbake_navmesh::record::Records;
use navbake_navmesh::{
    Edge, GONE, LinkStart, LinkStarts, MOST_EDGES, NONE, Pieces, PolyMesh, Polygon,
};

use crate::Error;
use crate::arena::Arena;
use crate::chunk::{ChunkMesh, NO_EDGE, THROUGH};
use crate::list::{Free, List, Slots};
use landmarks::LoadedLandmarks;
use links::OwnLinks;
use rooms::{LoadedRooms, OwnDoors};

mod landmarks;
mod links;
mod rooms;
mod saved;

/// A chunk that is loaded: its parts of all lists, and its seams.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) chunk: Chunk,
    /// Of its file.
    pub(crate) fingerprint: u64,
    /// With one more that ends its edges.
    pub(crate) polygons: Range<u32>,
    pub(crate) edges: Range<u32>,
    vertices: Range<u32>,
    tops: Range<u32>,
    pivots: Range<u32>,
    pub(crate) islands: Range<u32>,
    nodes: Range<u32>,
    cell_starts: Range<u32>,
    cell_items: Range<u32>,
    heads: Range<u32>,
    points: Range<u32>,
    triangles: Range<u32>,
    starts: Range<u32>,
    lists: Range<u32>,
    ways_out: Range<u32>,
    cells: CellsPart,
    index: IndexPart,
    /// By the numbers of now.
    pub(crate) seams: Vec<Seam>,
    pub(crate) by_place: Vec<u32>,
    closures: Vec<(u32, u16)>,
    links: OwnLinks,
    doors: OwnDoors,
    /// Islands of now, and chunks that their ground goes on in.
    pub(crate) exits: BTreeSet<(u32, [i32; 2])>,
}

/// All chunks that are loaded.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    index: NavMeshBuf,
    /// Of the chunks that are loaded.
    doors_links: LoadedDoorsLinks,
    /// The columns and rows of its chunks, sorted by row.
    keys: Vec<[i32; 2]>,
    /// By number in the index.
    pub(crate) placed: Vec<Option<Placed>>,
    slots: Slots,
    pub(crate) polygons: Arena<Polygon>,
    pub(crate) edges: Arena<Edge>,
    vertices: List<[i32; 3]>,
    tops: List<u32>,
    pivots: Free,
    /// Numbers of pivots from here on are for pieces.
    pivot_room: u32,
    pub(crate) widest: u32,
    /// For each island of a chunk the island of now, and that of the world.
    pub(crate) islands: List<u32>,
    pub(crate) world_islands: Arena<u32>,
    /// Islands of chunks that are joined.
    pub(crate) joints: BTreeSet<[u32; 2]>,
    nodes: List<BoxRecord>,
    index_parts: Arena<IndexPart>,
    cell_starts: List<u32>,
    cell_items: List<Cell>,
    cells_parts: Arena<CellsPart>,
    heads: List<DetailHead>,
    points: List<DetailPoint>,
    triangles: List<Triangle>,
    starts: List<u32>,
    lists: List<Listed>,
    /// Where the ground of all chunks goes on, for searches that end there.
    ways_out: List<Exit>,
    link_starts: Arena<u32>,
    link_items: Arena<LinkStart>,
    rooms: LoadedRooms,
    landmarks: LoadedLandmarks,
    /// By number in the index: 1 where the chunk is loaded.
    there: Arena<u32>,
    bounds: [[i32; 3]; 2],
    /// The pivots of corners as their chunks have them, where joined chunks gave them others.
    pub(crate) own_pivots: BTreeMap<u32, u32>,
    /// Polygons, and edges of other chunks, that the last change wrote.
    pub(crate) written: (Range<u32>, Vec<u32>),
    pub(crate) memory: crate::seams::Memory,
}

/// In place of an exit.
const NO_EXIT: Exit = Exit { polygon: NONE, edge: NONE, at: [0; 2], beyond: NONE };

/// Records of free polygons and of the ends of chunks.
fn gone(first: u32) -> Polygon {
    Polygon { area: GONE, ..Polygon::new(first) }
}

impl Loaded {
    /// Of an index: nothing is loaded.
    pub(crate) fn new(index: NavMeshBuf) -> Loaded {
        let keys: Vec<[i32; 2]> =
            index.mesh().file().chunks().iter().map(|chunk| chunk.key).collect();
        let count = keys.len();
        let mut loaded = Loaded {
            index,
            doors_links: LoadedDoorsLinks::default(),
            placed: (0..count).map(|_| None).collect(),
            keys,
            slots: Slots::default(),
            polygons: Arena::default(),
            edges: Arena::default(),
            vertices: List::default(),
            tops: List::default(),
            pivots: Free::default(),
            pivot_room: 0,
            widest: 0,
            islands: List::default(),
            world_islands: Arena::default(),
            joints: BTreeSet::new(),
            nodes: List::default(),
            index_parts: Arena::default(),
            cell_starts: List::default(),
            cell_items: List::default(),
            cells_parts: Arena::default(),
            heads: List::default(),
            points: List::default(),
            triangles: List::default(),
            starts: List::default(),
            lists: List::default(),
            ways_out: List::default(),
            link_starts: Arena::default(),
            link_items: Arena::default(),
            rooms: LoadedRooms::default(),
            landmarks: LoadedLandmarks::default(),
            there: Arena::default(),
            bounds: [[0; 3]; 2],
            own_pivots: BTreeMap::new(),
            written: (0..0, Vec::new()),
            memory: Default::default(),
        };
        loaded.there.lengthen(count);
        // The root of all blocks: a polygon that is never there.
        loaded.polygons.push(Polygon { order: 0, island: NONE, ..gone(0) });
        loaded.polygons.push(gone(0));
        loaded.tops.put([0, NONE].into_iter());
        loaded.slots.grow(0..1, 0..0);
        let _ = loaded.slots.take(1, 0);
        loaded
    }

    /// The chunks of the world, by row and column.
    pub(crate) fn table(&self) -> Records<'_, Chunk> {
        self.index.mesh().file().chunks()
    }

    /// The number of a chunk in the index.
    pub(crate) fn number(&self, key: [i32; 2]) -> Option<usize> {
        let by_row = |[column, row]: [i32; 2]| (row, column);
        self.keys.binary_search_by_key(&by_row(key), |&own| by_row(own)).ok()
    }

    /// The number of a chunk in the index that it belongs to.
    pub(crate) fn number_of(&self, chunk: &ChunkMesh) -> Result<usize, Error> {
        let key = chunk.key();
        let number = self.number(key).ok_or(Error::OtherWorld(key))?;
        let listed = self.table().get(number);
        let is_listed = listed.is_some_and(|listed| listed.is_of(&chunk.chunk));
        let (index, own) = (self.index.mesh(), chunk.nav.mesh());
        let fits = is_listed
            && chunk.is_of(&index)
            && rooms::has_rooms_of(&index, &own)
            && landmarks::has_landmarks_of(&index, &own);
        fits.then_some(number).ok_or(Error::OtherWorld(key))
    }

    /// The polygons of a chunk that is loaded.
    pub(crate) fn polygons_of(&self, number: usize) -> Range<u32> {
        let placed = self.placed.get(number).and_then(Option::as_ref);
        placed.map_or(0..0, |placed| placed.polygons.start..placed.polygons.end - 1)
    }

    /// Chunks that are not loaded and that the ground of some islands goes on in, sorted by row.
    pub(crate) fn exits(&self, of: &BTreeSet<u32>) -> Vec<[i32; 2]> {
        let islands = self.islands.records();
        let is_of = |own: u32| islands.get(own as usize).is_some_and(|island| of.contains(&island));
        let all = self.placed.iter().flatten().flat_map(|placed| placed.exits.iter());
        let mut found: Vec<[i32; 2]> = all
            .filter(|(own, _)| is_of(*own))
            .map(|(_, beyond)| *beyond)
            .filter(|&key| self.number(key).is_none_or(|number| self.placed[number].is_none()))
            .collect();
        found.sort_unstable_by_key(|&[column, row]| (row, column));
        found.dedup();
        found
    }

    /// Would a chunk be more edges than a mesh can have?
    pub(crate) fn is_full(&self, more: &ChunkMesh) -> bool {
        self.edges.len() + more.blocks.edges.len() > MOST_EDGES
    }

    /// Polygons and edges of all chunks.
    pub(crate) fn polys(&self, generation: u32) -> PolyMesh<'_> {
        PolyMesh {
            polygons: self.polygons.records(),
            edges: self.edges.records(),
            tops: self.tops.records(),
            cells: Cells {
                least: [0; 2],
                shift: 0,
                across: [0; 2],
                starts: self.cell_starts.records(),
                items: self.cell_items.records(),
                parts: self.cells_parts.records(),
            },
            links: LinkStarts {
                starts: self.link_starts.records(),
                items: self.link_items.records(),
            },
            details: Details {
                heads: self.heads.records(),
                points: self.points.records(),
                triangles: self.triangles.records(),
                starts: self.starts.records(),
                lists: self.lists.records(),
            },
            pieces: Pieces { generation, ..Pieces::default() },
            islands: self.islands.records(),
            pivots: self.pivot_room,
            corners: 0,
            inner: self.pivot_room,
            widest: self.widest,
        }
    }

    /// All chunks as one navmesh.
    pub(crate) fn mesh(&self, generation: u32) -> NavMesh<'_> {
        self.index.mesh().with_chunks(&ChunkGround {
            polys: self.polys(generation),
            vertices: self.vertices.records(),
            nodes: self.nodes.records(),
            parts: self.index_parts.records(),
            bounds: self.bounds,
            beyond: Beyond {
                islands: self.world_islands.records(),
                exits: self.ways_out.records(),
                loaded: self.there.records(),
            },
            room_of: self.rooms.of.records(),
            portals: self.rooms.portals.records(),
            doors_links: self.doors_links.view(),
            landmarks: self.landmarks.rows.records(),
        })
    }

    /// How large the lists are that obstacles have copies of. When these change, the copies are
    /// made anew.
    pub(crate) fn room_of_copies(&self) -> [usize; 3] {
        [self.polygons.len(), self.edges.len(), self.pivot_room as usize]
    }

    /// Adds a chunk, and joins it with those around it.
    pub(crate) fn insert(&mut self, number: usize, chunk: &ChunkMesh) {
        self.written.1.clear();
        let placed = self.copy(chunk);
        self.written.0 = placed.polygons.clone();
        self.placed[number] = Some(placed);
        self.join(number);
        self.list_parts();
    }

    /// Takes a chunk out.
    pub(crate) fn remove(&mut self, number: usize) {
        self.written = (0..0, core::mem::take(&mut self.written.1));
        self.written.1.clear();
        self.part(number);
        let Some(placed) = self.placed[number].take() else {
            return;
        };
        self.written.0 = placed.polygons.clone();
        if let Some(free) = self.slots.give(&placed.polygons) {
            // What is behind was free before, with the same end.
            self.written.0.start = free.polygons.start;
            for p in free.polygons.start..placed.polygons.end {
                self.polygons.set(p as usize, gone(free.edges.end));
            }
        }
        for i in placed.ways_out.clone() {
            self.ways_out.all.set(i as usize, NO_EXIT);
        }
        let parts = placed.parts().into_iter().cloned();
        self.free().into_iter().zip(parts).for_each(|(free, part)| free.give(part));
        self.list_parts();
    }

    /// Copies a chunk into all lists.
    fn copy(&mut self, from: &ChunkMesh) -> Placed {
        let mesh = from.nav.mesh();
        let polys = mesh.polys();
        let (polygons, edges) = self.room(polys.len() + 1, polys.edges.len() as u32);
        let (p0, e0) = (polygons.start, edges.start);
        let vertices = self.vertices.put_all(mesh.vertices());
        let tops = self.tops.put(from.blocks.tops.iter().map(|top| top + p0));
        let pivots = self.pivots.take(polys.pivots);
        if self.pivots.len > self.pivot_room {
            self.pivot_room = self.pivots.len.max(self.pivot_room + self.pivot_room / 2);
        }
        let i0 = self.islands.put((0..mesh.island_count()).map(|_| NONE));
        for (i, island) in (i0.start as usize..).zip(mesh.world_islands().iter()) {
            self.islands.all.set(i, i as u32);
            while self.world_islands.len() <= i {
                self.world_islands.push(NONE);
            }
            self.world_islands.set(i, island);
        }
        let details = polys.details;
        let points = self.points.put_all(details.points);
        let triangles = self.triangles.put_all(details.triangles);
        let lists = self.lists.put_all(details.lists);
        let starts = self.starts.put(details.starts.iter().map(|start| start + lists.start));
        let heads = self.heads.put(details.heads.iter().map(|head| DetailHead {
            first_point: head.first_point + points.start,
            first_triangle: head.first_triangle + triangles.start,
            first_square: head.first_square + starts.start,
            ..head
        }));
        // Blocks of a chunk count from 1, behind those of paths through it.
        let block = |block: u32| match block {
            NONE | THROUGH => block,
            own => own - 1 + tops.start,
        };
        let shifted = |number: u32, by: u32| if number == NONE { NONE } else { number + by };
        let sorted = (p0 as usize..).zip(polys.polygons.iter().zip(&from.blocks.polygons));
        for (p, (own, &[of, order])) in sorted {
            let copy = Polygon {
                first: own.first + e0,
                block: block(of),
                order: order + p0,
                detail: shifted(own.detail, heads.start),
                island: own.island + i0.start,
                area: own.area,
            };
            self.polygons.set(p, copy);
        }
        self.polygons.set(polygons.end as usize - 1, gone(edges.end));
        for (e, (own, &of)) in (e0 as usize..).zip(polys.edges.iter().zip(&from.blocks.edges)) {
            let copy = Edge {
                vertex: own.vertex + vertices.start,
                neighbour: shifted(own.neighbour, p0),
                pivot: own.pivot + pivots.start,
                block: block(of),
                ..own
            };
            self.edges.set(e, copy);
        }
        self.rooms.put(&mesh, p0, self.polygons.len());
        self.landmarks.put(&mesh, pivots.start, self.pivot_room);
        self.widest = self.widest.max(polys.widest);
        let cell_starts = self.cell_starts.put_all(polys.cells.starts);
        let items = polys.cells.items.iter();
        let items = items.map(|cell| Cell { polygon: cell.polygon + p0, ..cell });
        let cell_items = self.cell_items.put(items);
        let nodes = self.nodes.put_all(mesh.index().nodes());
        let [least, greatest] = mesh.bounds();
        let run = |range: &Range<u32>| [range.start, range.end - range.start];
        let cells = CellsPart {
            least: polys.cells.least,
            shift: polys.cells.shift,
            across: polys.cells.across,
            starts: run(&cell_starts),
            items: run(&cell_items),
        };
        let index = IndexPart { polygons: [p0, polys.len()], node: nodes.start, least, greatest };
        let seams = mesh.seams().iter();
        let seams: Vec<Seam> =
            seams.map(|seam| Seam { polygon: seam.polygon + p0, ..seam }).collect();
        let links = OwnLinks::of(&mesh, p0);
        let by_seam = seams.iter().map(|s| (s.polygon, s.edge, [0; 2], s.beyond));
        let by_link = links.exits().map(|(polygon, at, beyond)| (polygon, NONE, at, beyond));
        let all: Vec<_> = by_seam.chain(by_link).collect();
        let exit = |&(polygon, edge, at, key): &(u32, u32, [i32; 2], [i32; 2])| {
            let beyond = self.number(key).map_or(NONE, |number| number as u32);
            Exit { polygon, edge, at, beyond }
        };
        let ways_out: Vec<Exit> = all.iter().map(exit).collect();
        let ways_out = self.ways_out.put(ways_out.into_iter());
        let island = |p: u32| self.polygons.at(p as usize).island;
        Placed {
            chunk: from.chunk,
            fingerprint: from.fingerprint,
            closures: mesh.closures().map(|c| (c.polygon.0 + p0, c.switch)).collect(),
            exits: all.iter().map(|&(polygon, _, _, beyond)| (island(polygon), beyond)).collect(),
            by_place: from.by_place.clone(),
            islands: i0,
            seams,
            links,
            doors: OwnDoors::of(&mesh, p0),
            polygons,
            edges,
            vertices,
            tops,
            pivots,
            nodes,
            cell_starts,
            cell_items,
            heads,
            points,
            triangles,
            starts,
            lists,
            ways_out,
            cells,
            index,
        }
    }

    /// Room for polygons and edges in one run.
    fn room(&mut self, polygons: u32, edges: u32) -> (Range<u32>, Range<u32>) {
        if let Some(slot) = self.slots.take(polygons, edges) {
            return (slot.polygons, slot.edges);
        }
        // Half as many again, so that all of this costs no more than copying once more.
        let (p, e) = (self.polygons.len() as u32 - 1, self.edges.len() as u32);
        let (p_end, e_end) = (p + polygons.max(p / 2), e + edges.max(e / 2));
        let free = self.slots.grow(p..p_end, e..e_end);
        (e..e_end).for_each(|_| self.edges.push(NO_EDGE));
        (p..p_end).for_each(|_| self.polygons.push(gone(e_end)));
        for p in free.polygons.start..=p {
            self.polygons.set(p as usize, gone(e_end));
        }
        match self.slots.take(polygons, edges) {
            Some(slot) => (slot.polygons, slot.edges),
            // There is room for that now.
            None => (p..p_end, e..e_end),
        }
    }

    /// Lists what is there of chunks, in the order of their polygons.
    fn list_parts(&mut self) {
        for (number, placed) in self.placed.iter().enumerate() {
            self.there.set(number, u32::from(placed.is_some()));
        }
        let seams = self.placed.iter().flatten().map(|placed| (&placed.doors, &placed.seams[..]));
        let beyond = |seam: &Seam| {
            let first = self.polygons.at(seam.polygon as usize).first;
            self.edges.at((first + seam.edge) as usize).neighbour
        };
        self.rooms.list(seams, beyond);
        let mut all: Vec<&Placed> = self.placed.iter().flatten().collect();
        all.sort_unstable_by_key(|placed| placed.polygons.start);
        (self.cells_parts, self.index_parts) = Default::default();
        let mut bounds = ([i32::MAX; 3], [i32::MIN; 3]);
        for placed in &all {
            if placed.index.polygons[1] == 0 {
                continue;
            }
            self.cells_parts.push(placed.cells);
            self.index_parts.push(placed.index);
            bounds.0 = core::array::from_fn(|k| bounds.0[k].min(placed.index.least[k]));
            bounds.1 = core::array::from_fn(|k| bounds.1[k].max(placed.index.greatest[k]));
        }
        self.bounds = if bounds.0 > bounds.1 { [[0; 3]; 2] } else { bounds.into() };
        let closures = all.iter().flat_map(|placed| placed.closures.iter().copied());
        let index = self.index.mesh();
        let mut list = core::mem::take(&mut self.doors_links);
        list.set(self.rooms.doors(&index).into_iter(), closures);
        let units = index.grid().units();
        (self.link_starts, self.link_items) = self.list_links(&all, &mut list, units);
        self.doors_links = list;
    }
}
