//! The polygons of now: those of the bake, and pieces of those that obstacles touch.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use navbake_format::{NavMesh, PolyId};
use navbake_navmesh::cells::Cells;
use navbake_navmesh::{Edge, GONE, NONE, Pieces, PolyMesh, Polygon};

use crate::arena::Arena;
use crate::base::Base;
use crate::chunk::{ALONE, NO_EDGE};
use crate::cut::{Cutter, MOST};
use crate::heights::{self, Clip};
use crate::loaded::Loaded;
use crate::nodes;
use crate::shape::{Shape, Shapes, Taken};

mod aside;
mod saved;

/// A baked polygon that obstacles touch.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    pub(crate) polygon: u32,
    /// Obstacles, and whether each takes ground of the polygon. Else it only crosses an edge, and
    /// takes ground beyond.
    pub(crate) obstacles: Vec<(u32, bool)>,
    /// Its pieces.
    pub(crate) slots: Vec<u32>,
    /// The blocks of its portals.
    pub(crate) blocks: Vec<u32>,
}

/// The memory of the polygons, and of their changes.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) nav: Arc<Base>,
    pub(crate) shapes: Vec<Taken>,
    /// By baked polygon, its number in `cuts`.
    pub(crate) cut_of: Vec<u32>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) free_cuts: Vec<u32>,
    /// Another number after each change.
    pub(crate) generation: u32,
    /// How many polygons were lost to rounding, in all.
    pub(crate) lost: usize,
    /// How many polygons are cut.
    pub(crate) cut: usize,
    /// These polygons.
    pub(crate) cut_polygons: Arena<u32>,
    /// Areas that volumes give to ground, bit k for area k.
    areas: u64,
    pub(crate) polygons: Arena<Polygon>,
    pub(crate) edges: Arena<Edge>,
    pub(crate) tops: Arena<u32>,
    /// The block of pieces that no portal leads to.
    pub(crate) alone: u32,
    pub(crate) origins: Arena<u32>,
    pub(crate) next: Arena<u32>,
    pub(crate) sides: Arena<u32>,
    pub(crate) rings: Arena<u32>,
    /// By block a block above it, of those that are one ring; and the blocks in rings.
    pub(crate) unions: Vec<u32>,
    pub(crate) joined: Vec<u32>,
    /// Must the rings be made anew, because other polygons are cut?
    pub(crate) rings_due: bool,
    pub(crate) links: Arena<[u32; 2]>,
    pub(crate) generations: Vec<u32>,
    /// The greatest of them.
    newest: u32,
    pub(crate) free_slots: Vec<u32>,
    pub(crate) free_pivots: Vec<u32>,
    pub(crate) pivots: u32,
    pub(crate) widest: u32,
    /// Ends of links by baked polygon: the link, and 0 for its start, 1 for its end.
    pub(crate) link_ends: Vec<(u32, u32, u8)>,
    pub(crate) cutter: Cutter,
    /// Heights of the points of a polygon that is cut.
    pub(crate) heights: Vec<Option<i32>>,
    /// A triangle, cut.
    clip: Clip,
    /// Baked polygons to be cut anew, and these with all around them.
    pub(crate) dirty: Vec<u32>,
    pub(crate) around: Vec<u32>,
    /// Corners around pivots, one after another; where each ends, with its bits; and which corners
    /// were passed, one bit each.
    pub(crate) passed: Vec<u32>,
    pub(crate) turns: Vec<(usize, u32)>,
    pub(crate) seen: Vec<u64>,
    pub(crate) merged: Vec<u32>,
    aside: aside::Aside,
}

impl Ground {
    /// Ground without obstacles.
    pub(crate) fn new(base: Base) -> Ground {
        let is_whole = matches!(base, Base::Blob(_));
        let mut ground = Ground {
            nav: Arc::new(base),
            shapes: Vec::new(),
            cut_of: Vec::new(),
            cuts: Vec::new(),
            free_cuts: Vec::new(),
            generation: 0,
            lost: 0,
            cut: 0,
            cut_polygons: Arena::default(),
            areas: 0,
            polygons: Arena::default(),
            edges: Arena::default(),
            tops: Arena::default(),
            alone: 0,
            origins: Arena::default(),
            next: Arena::default(),
            sides: Arena::default(),
            unions: Vec::new(),
            joined: Vec::new(),
            rings_due: false,
            rings: Arena::default(),
            links: Arena::default(),
            generations: Vec::new(),
            newest: 0,
            free_slots: Vec::new(),
            free_pivots: Vec::new(),
            pivots: 0,
            widest: 0,
            link_ends: Vec::new(),
            cutter: Cutter::default(),
            heights: Vec::new(),
            clip: Default::default(),
            dirty: Vec::new(),
            around: Vec::new(),
            passed: Vec::new(),
            turns: Vec::new(),
            seen: Vec::new(),
            merged: Vec::new(),
            aside: aside::Aside::default(),
        };
        if is_whole {
            ground.build();
        }
        ground
    }

    /// Copies the polygons that obstacles may cut, and makes room for pieces.
    pub(crate) fn build(&mut self) {
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        let polys = mesh.polys();
        self.tops = Arena::of(polys.tops);
        // A block for pieces of polygons without a portal.
        self.alone = match self.loaded() {
            Some(_) => ALONE,
            None => {
                self.tops.push(NONE);
                self.tops.len() as u32 - 1
            }
        };
        self.rings = Arena::default();
        (0..self.tops.len()).for_each(|block| self.rings.push(block as u32));
        self.unions = (0..self.tops.len() as u32).collect();
        self.joined.clear();
        self.rings_due = true;
        self.list_links(&mesh);
        self.cut_of = alloc::vec![NONE; polys.len() as usize];
        self.cuts.clear();
        self.free_cuts.clear();
        (self.polygons, self.edges) = (Arena::of(polys.polygons), Arena::of(polys.edges));
        (self.pivots, self.widest) = (polys.pivots, polys.widest);
        (self.origins, self.next, self.sides) = Default::default();
        self.free_slots.clear();
        self.free_pivots.clear();
        // No reference to a piece of before may be one to what has its number now.
        let newest = self.next_generation();
        self.generations.truncate(polys.len() as usize);
        self.generations.resize(polys.len() as usize, newest);
        self.grow();
    }

    /// Lists the links, each on its baked polygons.
    pub(crate) fn list_links(&mut self, mesh: &NavMesh<'_>) {
        (self.links, self.link_ends) = Default::default();
        for number in 0..mesh.link_count() {
            let ends = mesh.link(number).map_or([NONE; 2], |l| [l.polygon.0, l.beyond.0]);
            self.links.push(ends);
            self.link_ends.extend([(ends[0], number, 0), (ends[1], number, 1)]);
        }
        self.link_ends.sort_unstable();
    }

    /// The islands of now that links lead to from a polygon's, with its own. Links for all agents
    /// count, whatever is closed or taken. O(links) for each round that finds an island.
    pub(crate) fn reached(&self, from: PolyId) -> BTreeSet<u32> {
        let (mesh, now) = (self.baked(), self.nav_mesh());
        let islands: Vec<[u32; 2]> = (0..mesh.link_count())
            .filter_map(|number| mesh.link(number))
            .map(|link| [link.polygon, link.beyond].map(|polygon| mesh.island(polygon).0))
            .collect();
        let mut found = BTreeSet::from([now.island(from).0]);
        loop {
            let before = found.len();
            for [here, there] in &islands {
                if found.contains(here) {
                    found.insert(*there);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// A generation that no polygon had.
    pub(crate) fn next_generation(&mut self) -> u32 {
        self.newest = self.newest.wrapping_add(1);
        self.newest
    }

    /// Is there no room for obstacles yet?
    pub(crate) fn is_bare(&self) -> bool {
        self.polygons.len() == 0
    }

    /// The chunks that are loaded; `None` in a world of one blob.
    pub(crate) fn loaded(&self) -> Option<&Loaded> {
        match &*self.nav {
            Base::Chunks(loaded) => Some(loaded),
            Base::Blob(_) => None,
        }
    }

    /// Makes room for pieces: as many again, and 64.
    ///
    /// A piece has two records of polygons: its own, and a gone one for the rest of its edges.
    pub(crate) fn grow(&mut self) {
        let more = self.next.len() / 2 + 64;
        let first = self.next.len() as u32 / 2;
        let gone = |edge: usize| Polygon { area: GONE, ..Polygon::new(edge as u32) };
        self.polygons.pop();
        for _ in 0..more {
            self.polygons.push(gone(self.edges.len()));
            self.polygons.push(gone(self.edges.len()));
            for _ in 0..MOST {
                self.edges.push(NO_EDGE);
                self.sides.push(NONE);
            }
            for _ in 0..2 {
                self.origins.push(NONE);
                self.next.push(NONE);
                self.generations.push(self.newest);
            }
        }
        self.polygons.push(Polygon::new(self.edges.len() as u32));
        self.seen.resize(self.edges.len().div_ceil(64), 0);
        self.free_slots.extend((first..first + more as u32).rev());
    }

    pub(crate) fn baked(&self) -> NavMesh<'_> {
        self.nav.mesh()
    }

    pub(crate) fn generation(&self, polygon: u32) -> u32 {
        self.generations.get(polygon as usize).copied().unwrap_or(0)
    }

    pub(crate) fn baked_len(&self) -> u32 {
        self.cut_of.len() as u32
    }

    /// The polygon of a slot.
    pub(crate) fn piece(&self, slot: u32) -> u32 {
        self.baked_len() + 2 * slot
    }

    /// Polygons and edges of now.
    pub(crate) fn polys<'a>(&'a self, baked: &PolyMesh<'a>) -> PolyMesh<'a> {
        PolyMesh {
            polygons: self.polygons.records(),
            edges: self.edges.records(),
            tops: self.tops.records(),
            cells: Cells { ..baked.cells },
            pieces: Pieces {
                generation: self.stamp(),
                polygons: self.baked_len(),
                edges: baked.edges.len() as u32,
                pivots: baked.pivots,
                baked: (baked.polygons, baked.edges),
                cut: self.cut_polygons.records(),
                origins: self.origins.records(),
                next: self.next.records(),
                sides: self.sides.records(),
                rings: self.rings.records(),
                links: self.links.records(),
                areas: self.areas,
            },
            pivots: self.pivots,
            inner: self.pivots,
            widest: self.widest,
            ..*baked
        }
    }

    pub(crate) fn nav_mesh(&self) -> NavMesh<'_> {
        match &*self.nav {
            _ if self.cut > 0 => self.changed_mesh(),
            Base::Blob(nav) => nav.mesh(),
            Base::Chunks(loaded) => loaded.mesh(self.stamp()),
        }
    }

    pub(crate) fn changed_mesh(&self) -> NavMesh<'_> {
        let baked = self.baked();
        let polys = self.polys(baked.polys());
        baked.with_polys(polys)
    }

    /// Replaces the ground that obstacles take; returns how many baked polygons changed.
    ///
    /// `next` yields the number and the new shape of an obstacle, or `None` at the end. Its
    /// argument is the number of polygons that changed so far. Each polygon is cut once.
    pub(crate) fn replace(
        &mut self,
        mesh: &NavMesh<'_>,
        mut next: impl FnMut(usize) -> Option<(u32, Option<Shape>)>,
    ) -> usize {
        self.dirty.clear();
        while let Some((number, shape)) = next(self.dirty.len()) {
            self.note(mesh, number, shape);
        }
        self.note_areas();
        if !self.dirty.is_empty() {
            self.generation = self.generation.wrapping_add(1).max(1);
            self.renew_dirty();
            self.rebuild(mesh);
        }
        self.dirty.len()
    }

    /// Records the new shape of an obstacle, and marks the polygons that it touches or touched
    /// before as dirty.
    fn note(&mut self, mesh: &NavMesh<'_>, number: u32, next: Option<Shape>) {
        let at = number as usize;
        while self.shapes.len() <= at {
            self.shapes.push(Default::default());
        }
        if self.is_bare() && next.is_some() {
            self.build();
        }
        let (shape, mut touched) = core::mem::take(&mut self.shapes[at]);
        if next.as_ref().is_some_and(|next| *next == shape) {
            self.shapes[at] = (shape, touched);
            return;
        }
        for &polygon in &touched {
            let cut = &mut self.cuts[self.cut_of[polygon as usize] as usize];
            cut.obstacles.retain(|(o, _)| *o != number);
            self.add_dirty(polygon);
        }
        touched.clear();
        if let Some(next) = &next {
            self.touch(mesh, number, next, &mut touched);
            touched.iter().for_each(|&polygon| self.add_dirty(polygon));
        }
        self.shapes[at] = (next.unwrap_or_default(), touched);
    }

    /// Marks a polygon as dirty. The list is sorted.
    fn add_dirty(&mut self, polygon: u32) {
        if let Err(at) = self.dirty.binary_search(&polygon) {
            self.dirty.insert(at, polygon);
        }
    }

    /// Notes which areas volumes give.
    fn note_areas(&mut self) {
        let areas = self.shapes.iter().filter_map(|(shape, _)| shape.area);
        self.areas = areas.fold(0, |set, area| set | 1 << area.0);
    }

    /// Finds the baked polygons that an obstacle touches, and notes it with each.
    fn touch(&mut self, mesh: &NavMesh<'_>, number: u32, shape: &Shape, touched: &mut Vec<u32>) {
        let polys = mesh.polys();
        let clip = &mut self.clip;
        let [low, high] = [(shape.low, 0), (shape.high, 1)]
            .map(|(p, k)| [p[0], shape.heights[k], p[1]].map(i64::from));
        // A corner of a border may be lower or higher than the box of the polygon's heights.
        mesh.index().for_each_in(low, high, |id| {
            let ring = polys.border(id.0).iter().map(|edge| edge.at);
            if shape.touches(ring) && heights::meet(polys, id.0, shape, clip) {
                touched.push(id.0);
            }
        });
        let own = touched.len();
        for i in 0..own {
            let border = polys.border(touched[i]);
            for (k, edge) in border.iter().enumerate() {
                let line = [edge.at, border.after(k).at];
                if edge.neighbour != NONE
                    && !touched.contains(&edge.neighbour)
                    && shape.touches(line.into_iter())
                {
                    touched.push(edge.neighbour);
                }
            }
        }
        for (i, &polygon) in touched.iter().enumerate() {
            let slot = &mut self.cut_of[polygon as usize];
            if *slot == NONE {
                self.rings_due = true;
                *slot = self.free_cuts.pop().unwrap_or_else(|| {
                    self.cuts.push(Cut::default());
                    self.cuts.len() as u32 - 1
                });
            }
            let cut = &mut self.cuts[*slot as usize];
            if cut.obstacles.is_empty() {
                let portals = polys.border(polygon).iter().filter(|edge| edge.neighbour != NONE);
                cut.polygon = polygon;
                cut.blocks.clear();
                cut.blocks.extend(portals.map(|edge| edge.block));
                cut.blocks.sort_unstable();
                cut.blocks.dedup();
            }
            let obstacles = &mut cut.obstacles;
            let place = obstacles.partition_point(|(o, _)| *o < number);
            obstacles.insert(place, (number, i < own));
        }
    }

    /// The obstacles that take ground of a baked polygon.
    pub(crate) fn takers(&self, polygon: u32) -> impl Iterator<Item = u32> {
        let cut = self.cut_of.get(polygon as usize).and_then(|&c| self.cuts.get(c as usize));
        cut.into_iter().flat_map(|cut| cut.obstacles.iter().filter(|o| o.1).map(|o| o.0))
    }

    /// Writes the crossings of a baked edge with obstacles, in its direction: the same from both of
    /// its sides. `takers` is memory.
    pub(crate) fn nodes_of_edge(
        &self,
        polys: &PolyMesh<'_>,
        (polygon, k): (u32, usize),
        takers: &mut Vec<u32>,
        nodes: &mut Vec<nodes::Node>,
    ) {
        let border = polys.border(polygon);
        let edge = border.at(k);
        let (a, b) = (edge.at, border.after(k).at);
        let beyond = (edge.neighbour != NONE).then_some(edge.neighbour);
        let forwards = beyond.is_none_or(|beyond| polygon < beyond);
        let line = if forwards { [a, b] } else { [b, a] };
        takers.clear();
        takers.extend(self.takers(polygon));
        takers.extend(beyond.into_iter().flat_map(|beyond| self.takers(beyond)));
        takers.retain(|&o| self.shapes[o as usize].0.touches(line.into_iter()));
        takers.sort_unstable();
        takers.dedup();
        if takers.is_empty() {
            return;
        }
        let shapes = Shapes { all: &self.shapes, numbers: takers };
        let ground = |p| polys.holds(polygon, p) || beyond.is_some_and(|b| polys.holds(b, p));
        let begin = nodes.len();
        nodes::of_edge(line, shapes, ground, nodes);
        if !forwards {
            nodes[begin..].reverse();
        }
    }
}
