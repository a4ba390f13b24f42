//! The shortest paths from one place to many, by labels: all at once.
//!
//! Each hub has a bucket: the goals that reach it, with the lengths of the paths there (Knopp,
//! Sanders, Schultes, Schulz and Wagner, *Computing many-to-many shortest paths using highway
//! hierarchies*, 2007; Delling, Goldberg and Werneck, *Faster batched shortest paths in road
//! networks*, 2011). A row looks around from its start once and goes through the buckets of the
//! hubs that the start reaches. It finds the paths that a look-up between two places compares, so
//! it measures the same length.

use super::super::nodes::Goal;
use super::buckets::{Buckets, Far};
use super::hubs::kind;
use super::join::unfold;
use super::label_mesh::{LabelMesh, Way};
use super::memory::Tables;
use super::merge::BAND;
use crate::NavQuery;

/// The lists of a row.
struct Row<'t> {
    far: &'t mut [Far],
    least: &'t mut [u32],
    spare: &'t mut [u32],
}

impl Row<'_> {
    /// Finds the shortest paths from a start to all goals.
    fn run(
        &mut self,
        tables: &mut Tables<'_>,
        own: &LabelMesh<'_>,
        start: &Goal,
        goals: &Buckets<'_>,
    ) -> Option<()> {
        let spread = tables.write_hubs(own, start)?;
        let count = goals.kinds.len();
        let (far, least) = (self.far.get_mut(..count)?, self.least.get_mut(..count)?);
        far.fill(Far::NONE);
        least.fill(u32::MAX >> 1);
        let mut read = 0;
        tables.each_hub(own, start, spread, |hub| {
            let bucket = goals.of(hub.hub);
            read += bucket.len();
            for entry in bucket {
                let length = hub.length + entry.length;
                if let Some(least) = least.get_mut(entry.goal as usize)
                    && length < *least
                {
                    *least = length;
                }
            }
        });
        // Those within the rounding of the least are measured.
        tables.each_hub(own, start, spread, |hub| {
            for entry in goals.of(hub.hub) {
                let goal = entry.goal as usize;
                if hub.length + entry.length <= least.get(goal).map_or(0, |l| l + BAND)
                    && let (Some(far), Some(&point)) = (far.get_mut(goal), goals.points.get(goal))
                {
                    far.count += u32::from(hub.counts);
                    let over = [hub.corner, hub.hub as u32, entry.corner];
                    far.add(own, self.spare, over, [start.point, point]);
                }
            }
        });
        let kind = kind(Some(spread));
        for (far, own) in far.iter_mut().zip(goals.kinds) {
            if *own != kind {
                far.count = 0;
            }
        }
        tables.spend(2 * read);
        Some(())
    }
}

impl Far {
    /// Measures a path over a hub, and keeps it if it is the shortest.
    #[cold]
    fn add(&mut self, own: &LabelMesh<'_>, spare: &mut [u32], over: [u32; 3], ends: [[i32; 2]; 2]) {
        let [from, hub, to] = over;
        let way = unfold(own.labels, own.corners, spare, [from, to], hub, ends);
        if let Some(way) = way.filter(|way| way.length < self.length) {
            (self.length, self.over) = (way.length, over);
        }
    }
}

impl Tables<'_> {
    /// Finds the shortest paths by labels from a start to all goals.
    /// `None` where there are no labels, or they are those of other ground.
    pub(in super::super) fn row(
        &mut self,
        query: &NavQuery<'_>,
        start: &Goal,
        goals: &Buckets<'_>,
    ) -> Option<()> {
        let changed = query.mesh().polys().is_changed();
        let baked = changed.then(|| NavQuery::new(query.mesh().baked()));
        let own = &self.labels(baked.as_ref().unwrap_or(query))?;
        let start = &start.as_baked(query)?;
        let fits = goals.starts.len() == own.corners.len() + 1
            && goals.generation == query.mesh().polys().pieces.generation;
        if !fits {
            return None;
        }
        let mut row = Row {
            far: core::mem::take(&mut self.far),
            least: core::mem::take(&mut self.least),
            spare: core::mem::take(&mut self.spare),
        };
        let done = row.run(self, own, start, goals);
        (self.far, self.least, self.spare) = (row.far, row.least, row.spare);
        done
    }

    /// The length of the path to a goal of the row that was found last, grid units, with its first
    /// and its last corner. `None` where labels do not determine it.
    pub(super) fn length_in_row(&self, goal: usize) -> Option<(f64, [u32; 2])> {
        let far = self.far.get(goal).filter(|far| far.is_known())?;
        let [first, _, last] = far.over;
        (far.length < f64::INFINITY).then_some((far.length, [first, last]))
    }

    /// Writes the corners of the path to a goal of the row that was found last into the chain.
    pub(super) fn way_in_row(
        &mut self,
        query: &NavQuery<'_>,
        goal: usize,
        ends: [[i32; 2]; 2],
    ) -> Option<Way> {
        let own = self.labels(query)?;
        let far = *self.far.get(goal).filter(|far| far.is_known())?;
        let [from, hub, to] = far.over;
        let way = unfold(own.labels, own.corners, self.spare, [from, to], hub, ends)?;
        self.chain.get_mut(..way.count)?.copy_from_slice(self.spare.get(..way.count)?);
        Some(way)
    }
}
