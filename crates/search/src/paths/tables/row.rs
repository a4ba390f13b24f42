//! The shortest paths from one place to many, by labels: all at once.
//!
//! Each hub has a bucket: the goals that reach it, with the lengths of the paths there (Knopp,
//! Sanders, Schultes, Schulz and Wagner, *Computing many-to-many shortest paths using highway
//! hierarchies*, 2007; Delling, Goldberg and Werneck, *Faster batched shortest paths in road
//! networks*, 2011). A row looks around from its start once and goes through the buckets of the
//! hubs that the start reaches. It finds the paths that a look-up between two places compares, so
//! it measures the same length.

use super::super::nodes::Goal;
use super::hubs::Spread;
use super::join::unfold;
use super::label_mesh::{LabelMesh, Way};
use super::memory::Tables;
use super::merge::{BAND, FEW};
use crate::NavQuery;

/// An entry of a bucket: a goal that reaches the hub, and over which corner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(super) goal: u32,
    pub(super) corner: u32,
    /// Length of the path to the hub, label units.
    pub(super) length: u32,
}

/// How a goal reaches its hubs. Two places use grid-cell labels only if both have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Labels do not tell.
    #[default]
    None,
    Square,
    Corners,
}

impl Kind {
    pub(super) fn of(spread: Option<Spread>) -> Kind {
        match spread {
            None => Kind::None,
            Some(Spread::Square) => Kind::Square,
            Some(Spread::Corners(_)) => Kind::Corners,
        }
    }
}

/// The buckets of goals.
#[derive(Clone, Copy)]
pub(crate) struct Buckets<'g> {
    /// For each hub its first entry; one more at the end. Empty without labels.
    pub(super) starts: &'g [u32],
    pub(super) entries: &'g [Entry],
    pub(super) kinds: &'g [Kind],
    /// Where the goals are.
    pub(super) points: &'g [[i32; 2]],
    /// The number of the last change of the mesh that the goals are places of.
    pub(super) generation: u32,
}

impl<'g> Buckets<'g> {
    #[inline]
    fn of(&self, hub: usize) -> &'g [Entry] {
        let (begin, end) = (self.starts.get(hub), self.starts.get(hub + 1));
        let range = begin.zip(end).map(|(&begin, &end)| begin as usize..end as usize);
        range.and_then(|range| self.entries.get(range)).unwrap_or(&[])
    }
}

/// The shortest path by labels to a goal of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// Its length, grid units.
    length: f64,
    /// The first corner, the hub, and the last corner.
    over: [u32; 3],
    /// The number of paths that are equally short up to rounding; 0 where there is none.
    count: u32,
}

impl Far {
    pub(super) const NONE: Far = Far { length: f64::INFINITY, over: [0; 3], count: 0 };

    /// Are these paths all that a look-up between the two places compares?
    fn is_known(&self) -> bool {
        (1..=FEW as u32).contains(&self.count)
    }
}

impl Default for Far {
    fn default() -> Far {
        Far::NONE
    }
}

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
        let kind = Kind::of(Some(spread));
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
    fn add(
        &mut self,
        own: &LabelMesh<'_>,
        spare: &mut [u32],
        over: [u32; 3],
        ends: [[i32; 2]; 2],
    ) {
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

/// Puts found entries into buckets by their hubs: a counting sort, which keeps their order.
#[cfg(feature = "alloc")]
pub(super) fn fill(
    hubs: usize,
    found: &[(u32, Entry)],
    starts: &mut alloc::vec::Vec<u32>,
    entries: &mut alloc::vec::Vec<Entry>,
) {
    starts.clear();
    starts.resize(hubs + 1, 0);
    for (hub, _) in found {
        starts[*hub as usize + 1] += 1;
    }
    for hub in 0..hubs {
        starts[hub + 1] += starts[hub];
    }
    entries.clear();
    entries.resize(found.len(), Entry::default());
    for (hub, entry) in found {
        // Begins become ends, which are the begins of the next hubs.
        let at = &mut starts[*hub as usize];
        entries[*at as usize] = *entry;
        *at += 1;
    }
    starts.copy_within(..hubs, 1);
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
}
