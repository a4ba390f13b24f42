//! The pieces of polygons that obstacles touch, saved and made anew.
//!
//! Saved are the numbers that depend on what was there before: those of pieces, of pivots, of lists
//! of both that are free. What pieces are follows from the obstacles, so they are cut anew, and get
//! these numbers.

use alloc::vec::Vec;

use navbake_format::NavMesh;
use navbake_navmesh::{NONE, PolyMesh};

use super::{Cut, Ground};
use crate::Error;
use crate::base::Base;
use crate::bytes::{Reader, Writer, each_once, sound};
use crate::rebuild::find_around;
use crate::shape::Shape;

impl Ground {
    /// Writes the numbers of pieces.
    pub(crate) fn save(&self, out: &mut Writer) {
        out.u32(self.generation);
        out.u32(self.newest);
        out.u8(u8::from(!self.is_bare()));
        if !self.is_bare() {
            self.save_pieces(out);
        }
        let runs: Vec<&[u32]> = self.generations.chunk_by(|a, b| a == b).collect();
        out.u32(runs.len() as u32);
        for run in runs {
            out.u32(run.len() as u32);
            out.u32(run[0]);
        }
    }

    fn save_pieces(&self, out: &mut Writer) {
        out.u32(self.widest);
        out.u32(self.cuts.len() as u32);
        for cut in &self.cuts {
            let is_used = !cut.obstacles.is_empty();
            out.u32(if is_used { cut.polygon } else { NONE });
            out.list(&cut.slots);
        }
        out.list(&self.free_cuts);
        out.list(&self.free_slots);
        out.list(&self.pivots_of_pieces());
        out.list(&self.free_pivots);
    }

    /// The pivots that are not baked ones, in the order in which [`Ground::rebuild`] numbers them
    /// when all polygons are cut that obstacles touch.
    fn pivots_of_pieces(&self) -> Vec<u32> {
        let (mesh, mut around) = (self.baked(), Vec::new());
        find_around(mesh.polys(), &self.touched(), &mut around);
        let (mut seen, mut found) = (Vec::new(), Vec::new());
        self.pivots_around(mesh.polys(), &around, &mut seen, &mut found);
        found
    }

    /// Finds the pivots that are not baked ones around some polygons, in the order in which
    /// [`Ground::rebuild`] numbers them. `seen` is memory.
    pub(super) fn pivots_around(
        &self,
        polys: &PolyMesh<'_>,
        around: &[u32],
        seen: &mut Vec<bool>,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        seen.clear();
        seen.resize((self.pivots - polys.pivots) as usize, false);
        for &polygon in around {
            self.each_now(polygon, |now| {
                for e in self.edges_of(now) {
                    let number = self.edges.at(e).pivot_number();
                    let slot = number.checked_sub(polys.pivots).map(|i| i as usize);
                    if let Some(seen) = slot.and_then(|i| seen.get_mut(i))
                        && !core::mem::replace(seen, true)
                    {
                        found.push(number);
                    }
                }
            });
        }
    }

    /// The baked polygons that obstacles touch, sorted.
    fn touched(&self) -> Vec<u32> {
        let used = self.cuts.iter().filter(|cut| !cut.obstacles.is_empty());
        let mut touched: Vec<u32> = used.map(|cut| cut.polygon).collect();
        touched.sort_unstable();
        touched
    }

    /// The ground of [`Ground::save`], with these obstacles by number.
    pub(crate) fn restored(
        base: Base,
        input: &mut Reader<'_>,
        shapes: Vec<Shape>,
    ) -> Result<Ground, Error> {
        let mut ground = Ground::new(base);
        let (generation, newest) = (input.u32()?, input.u32()?);
        if input.flag()? {
            if ground.is_bare() {
                ground.build();
            }
            ground.pieces(input, shapes)?;
        } else {
            sound(ground.is_bare() && shapes.iter().all(|shape| shape.ring.is_empty()))?;
            ground.shapes = shapes.into_iter().map(|shape| (shape, Vec::new())).collect();
        }
        // Without room for obstacles there is none of a world that never had a chunk.
        let mesh = ground.baked();
        let most =
            if ground.is_bare() { mesh.polys().len() as usize } else { ground.generations.len() };
        ground.generations.clear();
        for _ in 0..input.count(8)? {
            let (run, generation) = (input.u32()? as usize, input.u32()?);
            sound(run <= most - ground.generations.len())?;
            ground.generations.resize(ground.generations.len() + run, generation);
        }
        let count = ground.generations.len();
        sound(count == most || ground.is_bare() && count == 0)?;
        (ground.generation, ground.newest) = (generation, newest);
        ground.lost = 0;
        Ok(ground)
    }

    fn pieces(&mut self, input: &mut Reader<'_>, shapes: Vec<Shape>) -> Result<(), Error> {
        let widest = input.u32()?;
        let mut slots = Vec::new();
        for number in 0..input.count(8)? as u32 {
            let (polygon, own) = (input.u32()?, input.list()?);
            let slot = match polygon {
                NONE => None,
                _ => Some(self.cut_of.get_mut(polygon as usize).ok_or(Error::Damaged)?),
            };
            sound(slot.is_some() || own.is_empty())?;
            if let Some(slot) = slot {
                sound(core::mem::replace(slot, number) == NONE)?;
            }
            self.cuts.push(Cut { polygon, ..Cut::default() });
            slots.push(own);
        }
        let [free_cuts, free_slots] = [input.list()?, input.list()?];
        let [pivots, free_pivots] = [input.list()?, input.list()?];
        let mut seen: Vec<bool> = self.cuts.iter().map(|cut| cut.polygon != NONE).collect();
        each_once(&mut seen, free_cuts.iter().copied())?;
        sound(seen.iter().all(|&seen| seen))?;
        let room = slots.iter().map(Vec::len).sum::<usize>() + free_slots.len();
        each_once(
            &mut alloc::vec![false; room],
            slots.iter().flatten().chain(&free_slots).copied(),
        )?;
        let first = self.pivots;
        let numbers = pivots.iter().chain(&free_pivots).map(|n| n.wrapping_sub(first));
        each_once(&mut alloc::vec![false; pivots.len() + free_pivots.len()], numbers)?;
        while self.next.len() / 2 < room {
            self.grow();
        }
        sound(self.next.len() / 2 == room)?;
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        self.place(&mesh, shapes)?;
        self.note_areas();
        // Pieces and pivots get numbers from the ends of these lists.
        self.dirty = self.touched();
        let in_order =
            self.dirty.iter().map(|&polygon| &slots[self.cut_of[polygon as usize] as usize]);
        self.free_slots = in_order.flatten().rev().copied().collect();
        self.free_pivots = pivots.iter().rev().copied().collect();
        self.pivots += (pivots.len() + free_pivots.len()) as u32;
        let ends = (self.pivots, self.next.len());
        self.rebuild(&mesh);
        let as_before = self.cuts.iter().map(|cut| &cut.slots).eq(&slots);
        sound(as_before && self.free_slots.is_empty() && self.free_pivots.is_empty())?;
        sound(ends == (self.pivots, self.next.len()))?;
        (self.free_cuts, self.free_slots, self.free_pivots) = (free_cuts, free_slots, free_pivots);
        sound(self.widest <= widest && widest as usize <= self.edges.len())?;
        self.widest = widest;
        self.join_blocks();
        Ok(())
    }

    /// Notes the obstacles with the polygons that they touch: those that have a cut.
    fn place(&mut self, mesh: &NavMesh<'_>, shapes: Vec<Shape>) -> Result<(), Error> {
        let count = self.cuts.len();
        for (number, shape) in (0..).zip(shapes) {
            let mut touched = Vec::new();
            if !shape.ring.is_empty() {
                self.touch(mesh, number, &shape, &mut touched);
            }
            self.shapes.push((shape, touched));
        }
        let is_used = |cut: &Cut| (cut.polygon == NONE) == cut.obstacles.is_empty();
        sound(self.cuts.len() == count && self.cuts.iter().all(is_used))
    }
}
