//! Goals in buckets, by the hubs that they reach, and what a row knows of each goal.

use super::merge::FEW;

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
    /// Labels do not determine the length.
    #[default]
    None,
    Square,
    Corners,
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
    pub(super) fn of(&self, hub: usize) -> &'g [Entry] {
        let (begin, end) = (self.starts.get(hub), self.starts.get(hub + 1));
        let range = begin.zip(end).map(|(&begin, &end)| begin as usize..end as usize);
        range.and_then(|range| self.entries.get(range)).unwrap_or(&[])
    }
}

/// The shortest path by labels to a goal of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// Its length, grid units.
    pub(super) length: f64,
    /// The first corner, the hub, and the last corner.
    pub(super) over: [u32; 3],
    /// The number of paths that are equally short up to rounding; 0 where there is none.
    pub(super) count: u32,
}

impl Far {
    pub(super) const NONE: Far = Far { length: f64::INFINITY, over: [0; 3], count: 0 };

    /// Are these paths all that a look-up between the two places compares?
    pub(super) fn is_known(&self) -> bool {
        (1..=FEW as u32).contains(&self.count)
    }
}

impl Default for Far {
    fn default() -> Far {
        Far::NONE
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
