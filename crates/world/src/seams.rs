//! Seams between chunks that are loaded: which edges are twins, and what that changes around them.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use navbake_navmesh::{CORNER, NONE, PolyMesh, WIDE, pivots};

use crate::chunk::{THROUGH, place};
use crate::loaded::Loaded;

/// Memory for changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Corners around which ground changed: a polygon and the number of the corner.
    corners: Vec<(u32, u32)>,
    /// Corners that a pivot passes.
    passed: Vec<u32>,
    seen: BTreeSet<u32>,
}

impl Loaded {
    /// The other side of a seam of a chunk, where it is loaded: polygon and edge.
    fn beyond(&self, number: usize, seam: usize) -> Option<(u32, u32)> {
        let own = self.placed[number].as_ref()?;
        let seam = own.seams.get(seam)?;
        let other = self.placed[self.number(seam.beyond)?].as_ref()?;
        let wanted = seam.twin();
        let at = |i: u32| &other.seams[i as usize];
        let first = other.by_place.partition_point(|&i| place(at(i)) < wanted);
        let found = other.by_place[first..].iter().map(|&i| at(i));
        let mut found = found.take_while(|seam| place(seam) == wanted);
        let twin = found.find(|twin| twin.beyond == own.chunk.key)?;
        Some((twin.polygon, twin.edge))
    }

    fn edge_number(&self, (polygon, edge): (u32, u32)) -> usize {
        (self.polygons.at(polygon as usize).first + edge) as usize
    }

    /// The corner where an edge ends.
    fn end(&self, (polygon, edge): (u32, u32)) -> (u32, u32) {
        let first = |p: u32| self.polygons.at(p as usize).first;
        let count = first(polygon + 1) - first(polygon);
        (polygon, if edge + 1 < count { edge + 1 } else { 0 })
    }

    /// Joins a chunk with those around it.
    pub(crate) fn join(&mut self, number: usize) {
        let mut corners = core::mem::take(&mut self.memory.corners);
        corners.clear();
        let count = self.placed[number].as_ref().map_or(0, |placed| placed.seams.len());
        for i in 0..count {
            let Some(twin) = self.beyond(number, i) else { continue };
            let Some(own) = self.placed[number].as_ref().map(|placed| placed.seams[i]) else {
                continue;
            };
            let own = (own.polygon, own.edge);
            // A forged file may state a seam twice.
            let is_wall = |side| self.edges.at(self.edge_number(side)).neighbour == NONE;
            if !is_wall(own) || !is_wall(twin) {
                continue;
            }
            for (from, to) in [(own, twin), (twin, own)] {
                let e = self.edge_number(from);
                self.written.1.push(e as u32);
                self.edges.change(e, |edge| {
                    (edge.neighbour, edge.twin, edge.block) = (to.0, to.1, THROUGH);
                });
            }
            let [a, b] = [own, twin].map(|side| self.polygons.at(side.0 as usize).island);
            self.joints.insert([a.min(b), a.max(b)]);
            corners.extend([own, self.end(own)]);
        }
        self.number_pivots(&corners);
        self.memory.corners = corners;
        self.number_islands();
    }

    /// Makes walls of all seams of a chunk that are joined.
    pub(crate) fn part(&mut self, number: usize) {
        let Some(placed) = self.placed[number].take() else {
            return;
        };
        let mut corners = core::mem::take(&mut self.memory.corners);
        corners.clear();
        for seam in &placed.seams {
            let own = self.edges.at(self.edge_number((seam.polygon, seam.edge)));
            if own.neighbour == NONE {
                continue;
            }
            let twin = (own.neighbour, own.twin);
            let e = self.edge_number(twin);
            self.written.1.push(e as u32);
            self.edges.change(e, |edge| (edge.neighbour, edge.block) = (NONE, NONE));
            corners.extend([twin, self.end(twin)]);
        }
        let behind = self.own_pivots.split_off(&placed.edges.end);
        drop(self.own_pivots.split_off(&placed.edges.start));
        self.own_pivots.extend(behind);
        self.joints.retain(|pair| pair.iter().all(|island| !placed.islands.contains(island)));
        self.placed[number] = Some(placed);
        self.number_pivots(&corners);
        self.memory.corners = corners;
        self.number_islands();
    }

    /// The pivot of a corner as its chunk has it.
    fn own_pivot(&self, edge: u32) -> u32 {
        let own = self.own_pivots.get(&edge).copied();
        own.unwrap_or_else(|| self.edges.at(edge as usize).pivot)
    }

    /// Numbers the pivots around some corners. A pivot over several chunks has the least of the
    /// numbers that it has in these, so what is joined and parted again is as it was.
    fn number_pivots(&mut self, corners: &[(u32, u32)]) {
        let bits = CORNER | WIDE;
        let mut passed = core::mem::take(&mut self.memory.passed);
        let mut seen = core::mem::take(&mut self.memory.seen);
        seen.clear();
        for &corner in corners {
            if seen.contains(&(self.edge_number(corner) as u32)) {
                continue;
            }
            let mesh = PolyMesh {
                polygons: self.polygons.records(),
                edges: self.edges.records(),
                ..PolyMesh::default()
            };
            let first = (corner.0, corner.1 as usize);
            let mut start = first;
            for _ in 0..mesh.edges.len() {
                match mesh.step_around(start, false, |_| true) {
                    Some((_, next)) if next != first => start = next,
                    _ => break,
                }
            }
            passed.clear();
            let turn = pivots::turn(&mesh, (start.0, start.1 as u32), |e| passed.push(e));
            let number = passed.iter().map(|&e| self.own_pivot(e) & !bits).min().unwrap_or(NONE);
            for &e in &passed {
                seen.insert(e);
                let (before, own) = (self.edges.at(e as usize).pivot, self.own_pivot(e));
                let now = number | turn;
                match own == now {
                    true => self.own_pivots.remove(&e),
                    false => self.own_pivots.insert(e, own),
                };
                if before != now {
                    self.written.1.push(e);
                    self.edges.change(e as usize, |edge| edge.pivot = now);
                }
            }
            self.widest = self.widest.max(passed.len() as u32);
        }
        (self.memory.passed, self.memory.seen) = (passed, seen);
    }

    /// Gives islands of chunks that are joined one number, the least of them.
    fn number_islands(&mut self) {
        let islands = &mut self.islands.all;
        for placed in self.placed.iter().flatten() {
            placed.islands.clone().for_each(|i| islands.set(i as usize, i));
        }
        fn root(islands: &crate::arena::Arena<u32>, mut i: u32) -> u32 {
            while islands.at(i as usize) != i {
                i = islands.at(i as usize);
            }
            i
        }
        for pair in &self.joints {
            let [a, b] = pair.map(|i| root(islands, i));
            islands.set(a.max(b) as usize, a.min(b));
        }
        // A root is less than what is below it, so that it has its number first.
        for i in 0..islands.len() {
            let above = islands.at(i);
            if (above as usize) < islands.len() {
                islands.set(i, islands.at(above as usize));
            }
        }
    }
}
