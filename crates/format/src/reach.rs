//! Which polygons lead to which, for who takes which links and keeps off which areas.
//!
//! Polygons that nobody tells apart are a *zone*. For each asker there is a table: zones that can come to each other have the same *rank*, ranks
//! are numbered along trees of the graph that is left, and what a rank leads to is a few ranges of ranks: a tree cover (Agrawal, Borgida
//! and Jagadish, Efficient management of transitive relationships in large data and knowledge bases, 1989).

use navbake_grid::PolyId;
use zerocopy::FromBytes;
use zerocopy::little_endian::U16;

use crate::records::ReachRecord;
use crate::relief_of::ReliefOf;
use crate::{Blob, NavMeshView, Section};

/// A blob has no more askers a mesh, and a rank no more ranges.
pub(crate) const LIMIT: usize = 255;

/// What a mesh knows about who comes where.
#[derive(Clone, Copy)]
pub(crate) struct Reach<'a> {
    /// Of each polygon 1 + its zone.
    pub(crate) zones: ReliefOf<'a>,
    pub(crate) askers: &'a [ReachRecord],
    /// How many zones there are, then the tables.
    pub(crate) numbers: &'a [U16],
}

/// The table of one asker.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    /// Of each zone.
    pub(crate) ranks: &'a [U16],
    /// Where the ranges of each rank end.
    pub(crate) ends: &'a [U16],
    /// First and last rank of each range.
    pub(crate) ranges: &'a [[U16; 2]],
    /// Ranks from here on are not entered.
    pub(crate) entered: u16,
}

impl<'a> Reach<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Reach<'a> {
        Reach {
            zones: ReliefOf::of(blob, Section::ZONES, class),
            askers: blob.records(Section::REACH, class),
            numbers: blob.records(Section::REACH_LISTS, class),
        }
    }

    pub(crate) fn zone_count(&self) -> usize {
        self.numbers.first().map_or(0, |n| n.get().into())
    }

    #[inline]
    pub(crate) fn table(&self, asker: u32) -> Option<Table<'a>> {
        let record = self.askers.get(asker as usize)?;
        let rest = self.numbers.get(record.first.get() as usize..)?;
        let (ranks, rest) = rest.split_at_checked(self.zone_count())?;
        let (ends, rest) = rest.split_at_checked(record.ranks.get().into())?;
        let ranges = ends.last().map_or(0, |e| usize::from(e.get()));
        let bytes = zerocopy::IntoBytes::as_bytes(rest.get(..2 * ranges)?);
        Some(Table {
            ranks,
            ends,
            ranges: <[[U16; 2]]>::ref_from_bytes(bytes).ok()?,
            entered: record.entered.get(),
        })
    }
}

impl<'a> Table<'a> {
    #[inline]
    pub(crate) fn rank(&self, zone: u32) -> Option<u16> {
        self.ranks.get(zone as usize).map(|r| r.get())
    }

    /// What a rank leads to, itself included if it is one that is entered.
    #[inline]
    pub(crate) fn ranges_of(&self, rank: u16) -> Option<&'a [[U16; 2]]> {
        let end = |i: usize| self.ends.get(i).map(|e| usize::from(e.get()));
        let i = usize::from(rank);
        let begin = i.checked_sub(1).map_or(Some(0), end)?;
        self.ranges.get(begin..end(i)?)
    }

    /// Is there a way from a zone to another, or from polygon to polygon within one?
    #[inline]
    pub(crate) fn leads(&self, from: u32, to: u32) -> Option<bool> {
        let (from, to) = (self.rank(from)?, self.rank(to)?);
        Some(to < self.entered && self.holds(from, to))
    }

    /// Does a rank lead to another that is entered?
    #[inline]
    pub(crate) fn holds(&self, from: u16, to: u16) -> bool {
        let ranges = self.ranges_of(from).unwrap_or(&[]);
        let before = ranges.partition_point(|r| r[0].get() <= to);
        let last = before.checked_sub(1).and_then(|i| ranges.get(i));
        last.is_some_and(|r| to <= r[1].get())
    }
}

/// Whom a mesh knows the ways of; see [`NavMeshView::asker`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Its number.
    pub number: u32,
    /// Is it the very one that was looked for? If not, it comes wherever that one does, and perhaps farther.
    pub exact: bool,
}

impl NavMeshView<'_> {
    /// How many askers the mesh knows the ways of. Without any, its islands say all, or it has too many ways to tell them.
    pub fn asker_count(&self) -> u32 {
        self.reach().askers.len() as u32 // checked when the blob was opened
    }

    /// Who takes the links for these agents (a bit each) and enters no polygon of these areas (the same): that asker, or else one that comes
    /// wherever it does. A look at each asker, of which there are 255 at most.
    pub fn asker(&self, agents: u32, areas: u64) -> Option<Asker> {
        let askers = self.reach().askers;
        let used = askers.iter().fold(0, |all, a| all | a.agents.get());
        let agents = agents & used;
        let wider = (0..)
            .zip(askers)
            .filter(|(_, a)| agents & !a.agents.get() == 0 && a.areas.get() & !areas == 0);
        // The narrowest: every area more, and every agent less.
        let (number, found) = wider.max_by_key(|(number, a)| {
            let kept = a.areas.get().count_ones();
            (
                kept,
                u32::MAX - a.agents.get().count_ones(),
                u32::MAX - number,
            )
        })?;
        let exact = found.agents.get() == agents && found.areas.get() == areas;
        Some(Asker { number, exact })
    }

    /// Can an asker come from a polygon to another one? Who stands where it must not walk can leave. `None` when there is no such asker.
    #[inline]
    pub fn leads(&self, asker: u32, from: PolyId, to: PolyId) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        let reach = self.reach();
        let (from, to) = (reach.zones.get(from)?, reach.zones.get(to)?);
        reach.table(asker)?.leads(from, to)
    }
}
