//! Cuts the polygons anew that a change touches, and repairs what is derived around them.

use alloc::vec::Vec;

use navbake_format::NavMesh;
use navbake_navmesh::math::{float, round};
use navbake_navmesh::{Edge, GONE, NONE, PolyMesh, fan, pivots};

use crate::cut;
use crate::ground::Ground;
use crate::shape::{Shapes, wrap};

impl Ground {
    /// Cuts the dirty polygons anew: their obstacles have been noted.
    pub(crate) fn rebuild(&mut self, mesh: &NavMesh<'_>) {
        self.find_around(mesh.polys());
        self.clear(mesh.polys());
        self.cut_dirty(mesh);
    }

    /// Finds the baked polygons around the dirty ones.
    pub(crate) fn find_around(&mut self, polys: &PolyMesh<'_>) {
        find_around(polys, &self.dirty, &mut self.around);
    }

    /// Puts the dirty polygons back as baked, and frees the numbers of their pieces and pivots.
    pub(crate) fn clear(&mut self, polys: &PolyMesh<'_>) {
        self.free_pivots_around(polys);
        for i in 0..self.dirty.len() {
            self.restore(polys, self.dirty[i]);
        }
        for i in 0..self.around.len() {
            let polygon = self.around[i];
            if self.cut_of[polygon as usize] == NONE {
                self.restore_edges(polys, polygon);
            }
        }
    }

    /// Cuts the dirty polygons that obstacles touch. Call [`Ground::clear`] before.
    pub(crate) fn cut_dirty(&mut self, mesh: &NavMesh<'_>) {
        let polys = mesh.polys();
        for i in 0..self.dirty.len() {
            let polygon = self.dirty[i];
            if self.cut_of[polygon as usize] != NONE {
                self.cut_polygon(polys, polygon);
            }
        }
        for i in 0..self.around.len() {
            self.link(polys, self.around[i]);
        }
        self.number_pivots(polys);
        for i in 0..self.dirty.len() {
            self.place_links(mesh, self.dirty[i]);
        }
    }

    /// Gives each dirty polygon and its pieces a new generation.
    pub(crate) fn renew_dirty(&mut self) {
        for i in 0..self.dirty.len() {
            let fresh = self.next_generation();
            self.set_generation(self.dirty[i], fresh);
        }
    }

    /// Sets the generation of a baked polygon and its pieces.
    pub(crate) fn set_generation(&mut self, polygon: u32, generation: u32) {
        self.generations[polygon as usize] = generation;
        let mut generations = core::mem::take(&mut self.generations);
        self.each_now(polygon, |now| generations[now as usize] = generation);
        self.generations = generations;
    }

    /// Calls `f` for the polygons of now of a baked one.
    pub(crate) fn each_now(&self, polygon: u32, mut f: impl FnMut(u32)) {
        match self.cuts.get(self.cut_of[polygon as usize] as usize) {
            None => f(polygon),
            Some(cut) => cut.slots.iter().for_each(|&slot| f(self.piece(slot))),
        }
    }

    /// The edges of a polygon of now.
    pub(crate) fn edges_of(&self, polygon: u32) -> core::ops::Range<usize> {
        let first = |p: u32| self.polygons.at(p as usize).first as usize;
        first(polygon)..first(polygon + 1)
    }

    /// Takes back the numbers of pivots that are not baked ones.
    fn free_pivots_around(&mut self, polys: &PolyMesh<'_>) {
        self.merged.clear();
        for i in 0..self.around.len() {
            let mut found = core::mem::take(&mut self.merged);
            self.each_now(self.around[i], |polygon| {
                for e in self.edges_of(polygon) {
                    let number = self.edges.at(e).pivot_number();
                    if number >= polys.pivots && number < self.pivots {
                        found.push(number);
                    }
                }
            });
            self.merged = found;
        }
        self.merged.sort_unstable();
        self.merged.dedup();
        // The least is taken first.
        self.free_pivots.extend(self.merged.iter().rev());
    }

    /// Puts a baked polygon back, without the links of its edges to others, and frees its pieces.
    fn restore(&mut self, polys: &PolyMesh<'_>, polygon: u32) {
        let p = polygon as usize;
        let number = self.cut_of[p];
        let cut = &mut self.cuts[number as usize];
        let slots = core::mem::take(&mut cut.slots);
        let over = cut.obstacles.is_empty();
        self.cut += usize::from(!over);
        if self.polygons.at(p).area & GONE != 0 {
            self.cut -= 1;
        }
        for &slot in slots.iter().rev() {
            let piece = self.piece(slot) as usize;
            self.polygons.change(piece, |own| own.area |= GONE);
            let at = 2 * slot as usize;
            self.origins.set(at, NONE);
            self.next.set(at, NONE);
            for e in self.edges_of(piece as u32) {
                self.edges.change(e, |edge| (edge.neighbour, edge.pivot) = (NONE, NONE));
                let place = e - polys.edges.len();
                self.sides.set(place, NONE);
            }
            self.free_slots.push(slot);
        }
        let mut slots = slots;
        slots.clear();
        self.cuts[number as usize].slots = slots;
        self.polygons.set(p, polys.polygons.at(p));
        if over {
            self.rings_due = true;
            self.cut_of[p] = NONE;
            self.free_cuts.push(number);
        }
    }

    fn restore_edges(&mut self, polys: &PolyMesh<'_>, polygon: u32) {
        for e in self.edges_of(polygon) {
            self.edges.set(e, polys.edges.at(e));
        }
    }

    /// Replaces a baked polygon by its pieces.
    fn cut_polygon(&mut self, polys: &PolyMesh<'_>, polygon: u32) {
        let border = polys.border(polygon);
        let mut cutter = core::mem::take(&mut self.cutter);
        cutter.nodes.clear();
        cutter.ends.clear();
        let mut takers = core::mem::take(&mut cutter.takers);
        for k in 0..border.len() {
            self.nodes_of_edge(polys, (polygon, k), &mut takers, &mut cutter.nodes);
            cutter.ends.push(cutter.nodes.len());
        }
        takers.clear();
        takers.extend(self.takers(polygon));
        let mut ring = core::mem::take(&mut cutter.polygon);
        ring.clear();
        ring.extend(border.iter().map(|edge| edge.at));
        let sound = cutter.cut(&ring, Shapes { all: &self.shapes, numbers: &takers });
        self.lost += usize::from(!sound);
        (cutter.polygon, cutter.takers) = (ring, takers);
        let blocks = || border.iter().filter(|edge| edge.neighbour != NONE).map(|edge| edge.block);
        let block = blocks().next().unwrap_or(self.alone);
        let baked = polys.polygons.at(polygon as usize);
        let (mut before, mut begin) = (None, 0);
        let mut heights = core::mem::take(&mut self.heights);
        heights.clear();
        heights.resize(cutter.points(), None);
        let mut slots =
            core::mem::take(&mut self.cuts[self.cut_of[polygon as usize] as usize].slots);
        for _ in &cutter.pieces {
            if self.free_slots.is_empty() {
                self.grow();
            }
            slots.extend(self.free_slots.pop());
        }
        // Ties between pieces of a polygon must not depend on what was there before.
        slots.sort_unstable();
        for (&(end, area), &slot) in cutter.pieces.iter().zip(&slots) {
            let piece = self.piece(slot);
            let first = polys.edges.len() + slot as usize * cut::MOST;
            let corners = &cutter.corners[begin..end];
            for (k, corner) in corners.iter().enumerate() {
                let before = corners[wrap(k + corners.len() - 1, corners.len())].side;
                let side = border.get(corner.side as usize);
                let own = cutter.corner_of(corner).map(|k| border.at(k));
                let known = &mut heights[corner.point as usize];
                let height = match (own, [before, corner.side]) {
                    (Some(own), _) => own.height,
                    (None, [NONE, NONE]) => {
                        *known.get_or_insert_with(|| round(polys.height(polygon, float(corner.at))))
                    }
                    (None, sides) => height_on_side(polys, polygon, corner.at, sides),
                };
                let edge = Edge {
                    at: corner.at,
                    height,
                    vertex: own.map_or(NONE, |own| own.vertex),
                    neighbour: NONE,
                    twin: 0,
                    pivot: NONE,
                    block: side.map_or(block, |side| side.block),
                };
                self.edges.set(first + k, edge);
                self.sides.set(first + k - polys.edges.len(), corner.side);
            }
            let area = area.map_or(baked.area, |area| area.0.into());
            let own = navbake_navmesh::Polygon { first: first as u32, area, ..baked };
            self.polygons.set(piece as usize, own);
            let rest = navbake_navmesh::Polygon {
                area: GONE,
                ..navbake_navmesh::Polygon::new((first + corners.len()) as u32)
            };
            self.polygons.set(piece as usize + 1, rest);
            self.origins.set(2 * slot as usize, polygon);
            self.next.set(2 * slot as usize, NONE);
            match before {
                None => {}
                Some(before) => self.next.set(2 * before as usize, piece),
            }
            before = Some(slot);
            begin = end;
        }
        // A border of an obstacle within the polygon has one side.
        for pair in cutter.portals.windows(2) {
            if pair[0].0 == pair[1].0 {
                let [a, b] = [pair[0], pair[1]]
                    .map(|(_, piece, k)| (self.piece(slots[piece as usize]), k as usize));
                self.join(a, b);
            }
        }
        let first = slots.first().map_or(NONE, |&slot| self.piece(slot));
        self.polygons.change(polygon as usize, |own| {
            own.area |= GONE;
            own.detail = first;
        });
        self.cuts[self.cut_of[polygon as usize] as usize].slots = slots;
        (self.cutter, self.heights) = (cutter, heights);
    }

    /// The ends of an edge of a polygon of now.
    fn line(&self, polygon: u32, k: usize) -> [[i32; 2]; 2] {
        let edges = self.edges_of(polygon);
        let next = if k + 1 < edges.len() { k + 1 } else { 0 };
        [k, next].map(|k| self.edges.at(edges.start + k).at)
    }

    /// The edge of a piece that runs along a line, on an edge of its baked polygon.
    fn find(
        &self,
        piece: u32,
        line: [[i32; 2]; 2],
        side: u32,
        polys: &PolyMesh<'_>,
    ) -> Option<usize> {
        let edges = self.edges_of(piece);
        (0..edges.len()).find(|&k| {
            self.sides.at(edges.start + k - polys.edges.len()) == side
                && self.edges.at(edges.start + k).at == line[0]
                && self.line(piece, k) == line
        })
    }

    /// Makes two edges a portal.
    fn join(&mut self, a: (u32, usize), b: (u32, usize)) {
        for ((polygon, k), (beyond, twin)) in [(a, b), (b, a)] {
            let e = self.edges_of(polygon).start + k;
            self.edges.change(e, |edge| {
                (edge.neighbour, edge.twin) = (beyond, twin as u32);
            });
        }
    }

    /// Connects what is there of a baked polygon with what is there beyond its edges.
    fn link(&mut self, polys: &PolyMesh<'_>, polygon: u32) {
        let border = polys.border(polygon);
        let own = self.cut_of[polygon as usize] != NONE;
        let mut all = core::mem::take(&mut self.merged);
        all.clear();
        self.each_now(polygon, |now| all.push(now));
        for &now in &all {
            for (k, e) in self.edges_of(now).enumerate() {
                let side = match own {
                    true => self.sides.at(e - polys.edges.len()),
                    false => k as u32,
                };
                let Some(baked) = border.get(side as usize).filter(|b| b.neighbour != NONE) else {
                    continue;
                };
                let beyond = baked.neighbour;
                let line = self.line(now, k);
                let back = [line[1], line[0]];
                let found = match self.cuts.get(self.cut_of[beyond as usize] as usize) {
                    None => {
                        let twin = baked.twin as usize;
                        (self.line(beyond, twin) == back).then_some((beyond, twin))
                    }
                    Some(cut) => cut.slots.iter().find_map(|&slot| {
                        let piece = self.piece(slot);
                        Some((piece, self.find(piece, back, baked.twin, polys)?))
                    }),
                };
                match found {
                    Some(found) => self.join((now, k), found),
                    None => self.edges.change(e, |edge| edge.neighbour = NONE),
                }
            }
        }
        self.merged = all;
    }

    /// Numbers the pivots of all corners around the change.
    fn number_pivots(&mut self, polys: &PolyMesh<'_>) {
        let mut now = core::mem::take(&mut self.merged);
        now.clear();
        for &polygon in &self.around {
            self.each_now(polygon, |polygon| now.push(polygon));
        }
        let (mut passed, mut turns) =
            (core::mem::take(&mut self.passed), core::mem::take(&mut self.turns));
        let mut seen = core::mem::take(&mut self.seen);
        passed.clear();
        turns.clear();
        let mesh = self.polys(polys);
        for &polygon in &now {
            for (k, e) in self.edges_of(polygon).enumerate() {
                if seen[e / 64] >> (e % 64) & 1 == 1 {
                    continue;
                }
                let mut start = (polygon, k);
                for _ in 0..mesh.polygons.len() {
                    match mesh.step_around(start, false, |_| true) {
                        Some((_, next)) if next != (polygon, k) => start = next,
                        _ => break,
                    }
                }
                let bits = pivots::turn(&mesh, (start.0, start.1 as u32), |e| {
                    passed.push(e);
                    seen[e as usize / 64] |= 1 << (e % 64);
                });
                turns.push((passed.len(), bits));
            }
        }
        let mut begin = 0;
        for &(end, bits) in &turns {
            let corners = &passed[begin..end];
            begin = end;
            let number = match self.are_as_baked(polys, corners) {
                true => polys.edges.at(corners[0] as usize).pivot_number(),
                false => self.free_pivots.pop().unwrap_or_else(|| {
                    self.pivots += 1;
                    self.pivots - 1
                }),
            };
            for &e in corners {
                seen[e as usize / 64] = 0;
                self.edges.change(e as usize, |edge| edge.pivot = number | bits);
            }
            self.widest = self.widest.max(corners.len() as u32);
        }
        (self.merged, self.passed, self.turns, self.seen) = (now, passed, turns, seen);
    }

    /// Have the corners around a pivot, counter-clockwise, the same neighbours as in the bake?
    fn are_as_baked(&self, polys: &PolyMesh<'_>, corners: &[u32]) -> bool {
        let same = |e: usize| {
            e < polys.edges.len() && self.edges.at(e).neighbour == polys.edges.at(e).neighbour
        };
        let Some(last) = corners.last().map(|&e| e as usize) else {
            return true;
        };
        // Between two of them is one edge, behind the last another one.
        corners.iter().all(|&e| same(e as usize)) && {
            let after = polys.polygons.partition_point(|p| p.first as usize <= last);
            let border = polys.border(after as u32 - 1);
            let first = border.number(0) as usize;
            same(first + border.previous(last - first))
        }
    }

    /// Lists the cut polygons, and joins the blocks that meet in them: all anew, once in a commit
    /// in which other polygons are cut than before.
    pub(crate) fn join_blocks(&mut self) {
        if !core::mem::take(&mut self.rings_due) {
            return;
        }
        for &block in &self.joined {
            self.rings.set(block as usize, block);
            self.unions[block as usize] = block;
        }
        self.joined.clear();
        self.cut_polygons.shorten(0);
        let cuts = core::mem::take(&mut self.cuts);
        for cut in cuts.iter().filter(|cut| !cut.obstacles.is_empty()) {
            self.cut_polygons.push(cut.polygon);
            for pair in cut.blocks.windows(2) {
                self.join_rings(pair[0], pair[1]);
            }
        }
        self.cuts = cuts;
    }

    /// Makes one ring of those of two blocks, unless it is one already.
    fn join_rings(&mut self, a: u32, b: u32) {
        let [root_a, root_b] = [a, b].map(|mut block| {
            while self.unions[block as usize] != block {
                let above = self.unions[self.unions[block as usize] as usize];
                self.unions[block as usize] = above;
                block = above;
            }
            block
        });
        if root_a == root_b {
            return;
        }
        self.joined.extend([a, b, root_a, root_b]);
        self.unions[root_b as usize] = root_a;
        let [to_a, to_b] = [a, b].map(|block| self.rings.at(block as usize));
        self.rings.set(a as usize, to_b);
        self.rings.set(b as usize, to_a);
    }

    /// Finds the polygons of now at the ends of links on a baked polygon.
    pub(crate) fn place_links(&mut self, mesh: &navbake_format::NavMesh<'_>, polygon: u32) {
        let begin = self.link_ends.partition_point(|end| end.0 < polygon);
        for j in begin..self.link_ends.len() {
            let (own, number, end) = self.link_ends[j];
            let Some(link) = mesh.link(number).filter(|_| own == polygon) else {
                break;
            };
            let place = if end == 0 { link.from } else { link.to };
            let mut found = NONE;
            let now = self.polys(mesh.polys());
            self.each_now(polygon, |piece| {
                if found == NONE && now.holds(piece, place) {
                    found = piece;
                }
            });
            self.links.change(number as usize, |ends| ends[usize::from(end)] = found);
        }
    }
}

/// Finds the baked polygons that have a corner's ground in common with dirty ones, sorted.
pub(crate) fn find_around(polys: &PolyMesh<'_>, dirty: &[u32], around: &mut Vec<u32>) {
    around.clear();
    for &polygon in dirty {
        around.push(polygon);
        for k in 0..polys.border(polygon).len() {
            for counter_clockwise in [true, false] {
                let start = (polygon, k);
                let mut at = start;
                for _ in 0..polys.polygons.len() {
                    let next = polys.step_around(at, counter_clockwise, |_| true);
                    let Some((_, next)) = next.filter(|(_, next)| *next != start) else {
                        break;
                    };
                    at = next;
                    around.push(at.0);
                }
            }
        }
    }
    around.sort_unstable();
    around.dedup();
}

/// The height of a corner of a piece on a baked edge, grid units. `sides` are the baked edges before
/// and behind it.
fn height_on_side(
    polys: &PolyMesh<'_>,
    polygon: u32,
    at: [i32; 2],
    [before, behind]: [u32; 2],
) -> i32 {
    let border = polys.border(polygon);
    let detailed = polys.polygon(polygon).is_some_and(|own| own.detail != NONE);
    let side = if behind != NONE { behind } else { before };
    let height = match border.get(side as usize) {
        Some(edge) if !detailed => {
            let end = border.after(side as usize);
            fan::height_on_segment(edge.point(), end.point(), float(at))
        }
        _ => polys.height(polygon, float(at)),
    };
    round(height)
}
