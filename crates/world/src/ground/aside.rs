//! Obstacles that are set aside for some queries, and put back as they were.
//!
//! The shapes of pieces depend on the obstacles alone, but their numbers depend on earlier changes.
//! These numbers are saved, so that putting the obstacles back restores the ground exactly.

use alloc::vec::Vec;
use core::mem;

use navbake_navmesh::{NONE, Polygon};

use super::Ground;
use crate::cut::MOST;

/// The obstacles that are set aside, and the numbers of their ground, to restore it.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// A baked polygon, its number in `cuts`, an obstacle on it, and whether that takes ground.
    takers: Vec<(u32, u32, u32, bool)>,
    /// Pieces of these polygons, by polygon.
    slots: Vec<u32>,
    /// Pivots around them.
    pivots: Vec<u32>,
    /// Generations of polygons and pieces, as they were before they changed.
    generations: Vec<(u32, u32)>,
    free_cuts: Vec<u32>,
    free_slots: Vec<u32>,
    free_pivots: Vec<u32>,
    /// Counts before: pivots, slots for pieces, the widest turn, and lost polygons.
    pivots_end: u32,
    slots_end: usize,
    widest: u32,
    lost: usize,
    /// How often obstacles were set aside. It is not saved with a world.
    times: u32,
    seen: Vec<bool>,
}

impl Ground {
    /// The number of the last change; while obstacles are set aside, a number of its own.
    pub(super) fn stamp(&self) -> u32 {
        match self.aside.takers.is_empty() {
            true => self.generation,
            false => self.aside.stamp(),
        }
    }

    /// Frees the ground of some obstacles until [`Ground::put_back`]. Call it only while no other
    /// is set aside.
    pub(crate) fn set_aside(&mut self, obstacles: &[u32]) {
        let mut aside = mem::take(&mut self.aside);
        for &number in obstacles {
            let touched = self.shapes.get(number as usize).map_or(&[][..], |(_, touched)| touched);
            for &polygon in touched {
                let cut = self.cut_of[polygon as usize];
                let all = &mut self.cuts[cut as usize].obstacles;
                // An obstacle that is listed twice was removed the first time.
                if let Ok(at) = all.binary_search_by_key(&number, |own| own.0) {
                    aside.takers.push((polygon, cut, number, all.remove(at).1));
                }
            }
        }
        if aside.takers.is_empty() {
            self.aside = aside;
            return;
        }
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        let polys = mesh.polys();
        self.find_dirty(&aside);
        self.find_around(polys);
        self.pivots_around(polys, &self.around, &mut aside.seen, &mut aside.pivots);
        aside.slots.clear();
        aside.generations.clear();
        for &polygon in &self.dirty {
            let cut = &self.cuts[self.cut_of[polygon as usize] as usize];
            aside.slots.extend(&cut.slots);
            let pieces = cut.slots.iter().map(|&slot| self.piece(slot));
            let all = pieces.chain([polygon]).map(|p| (p, self.generation(p)));
            aside.generations.extend(all);
        }
        aside.free_cuts.clone_from(&self.free_cuts);
        aside.free_slots.clone_from(&self.free_slots);
        aside.free_pivots.clone_from(&self.free_pivots);
        (aside.pivots_end, aside.slots_end) = (self.pivots, self.next.len() / 2);
        (aside.widest, aside.lost) = (self.widest, self.lost);
        self.clear(polys);
        self.cut_dirty(&mesh);
        self.join_blocks();
        aside.times = aside.times.wrapping_add(1);
        for i in 0..self.dirty.len() {
            let polygon = self.dirty[i];
            self.each_now(polygon, |p| aside.generations.push((p, self.generation(p))));
            self.set_generation(polygon, aside.stamp());
        }
        self.aside = aside;
    }

    /// Puts back the obstacles that are set aside, and restores the ground exactly.
    pub(crate) fn put_back(&mut self) {
        let mut aside = mem::take(&mut self.aside);
        if !aside.takers.is_empty() {
            self.put_all_back(&mut aside);
        }
        self.aside = aside;
    }

    fn put_all_back(&mut self, aside: &mut Aside) {
        let nav = self.nav.clone();
        let mesh = nav.mesh();
        self.find_dirty(aside);
        for (polygon, cut, number, takes) in aside.takers.drain(..) {
            let own = &mut self.cut_of[polygon as usize];
            self.rings_due |= *own == NONE;
            *own = cut;
            let all = &mut self.cuts[cut as usize].obstacles;
            let at = all.partition_point(|other| other.0 < number);
            all.insert(at, (number, takes));
        }
        self.find_around(mesh.polys());
        self.clear(mesh.polys());
        // Pieces and pivots take their numbers from the ends of these lists.
        aside.slots.reverse();
        aside.pivots.reverse();
        mem::swap(&mut self.free_slots, &mut aside.slots);
        mem::swap(&mut self.free_pivots, &mut aside.pivots);
        self.cut_dirty(&mesh);
        self.join_blocks();
        debug_assert!(self.free_slots.is_empty() && self.free_pivots.is_empty());
        for &(polygon, generation) in aside.generations.iter().rev() {
            self.generations[polygon as usize] = generation;
        }
        mem::swap(&mut self.free_cuts, &mut aside.free_cuts);
        mem::swap(&mut self.free_slots, &mut aside.free_slots);
        mem::swap(&mut self.free_pivots, &mut aside.free_pivots);
        (self.pivots, self.widest, self.lost) = (aside.pivots_end, aside.widest, aside.lost);
        self.shrink(aside.slots_end);
    }

    /// Marks the polygons that these obstacles touch as dirty.
    fn find_dirty(&mut self, aside: &Aside) {
        self.dirty.clear();
        self.dirty.extend(aside.takers.iter().map(|taker| taker.0));
        self.dirty.sort_unstable();
        self.dirty.dedup();
    }

    /// Undoes [`Ground::grow`]: drops the unused slots for pieces from this number on.
    fn shrink(&mut self, slots: usize) {
        if self.next.len() == 2 * slots {
            return;
        }
        let polygons = self.baked_len() as usize + 2 * slots;
        self.sides.shorten(slots * MOST);
        self.edges.shorten(self.baked().polys().edges.len() + slots * MOST);
        self.polygons.shorten(polygons);
        self.polygons.push(Polygon::new(self.edges.len() as u32));
        self.origins.shorten(2 * slots);
        self.next.shorten(2 * slots);
        self.generations.truncate(polygons);
        self.seen.truncate(self.edges.len().div_ceil(64));
    }
}

impl Aside {
    /// Counts down from the greatest number. Changes count up, so the two do not meet.
    fn stamp(&self) -> u32 {
        !self.times
    }
}
