//! Reachability between polygons, given the links and areas that a unit may use.
//!
//! Polygons that are equal for every profile are a *zone*. Each profile (agents and the areas that
//! are forbidden) has a table: zones that reach each other have the same *rank*, ranks are numbered
//! along trees of the remaining graph, and each rank reaches a few ranges of ranks: a tree cover.
//! (R. Agrawal, A. Borgida and H. Jagadish, Efficient management of transitive relationships in
//! large data and knowledge bases, 1989.) The sections are `zones`, `reach` and `reach-lists`.

pub(crate) mod check;
#[cfg(feature = "write")]
pub(crate) mod encode;
#[cfg(feature = "write")]
mod ranks;

use navbake_grid::PolyId;
use navbake_navmesh::record::Records;

use crate::height_mesh_of::HeightMeshOf;
use crate::{Blob, Section};

/// The limit of profiles of a mesh, and of ranges of a rank.
const LIMIT: usize = 255;

navbake_navmesh::record! {
    /// Section `reach`: a profile, and where the numbers of its table begin.
    struct ReachRecord: 20 { agents: u32, areas: u64, first: u32, ranks: u16, entered: u16 }
}

/// The reachability of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct Reach<'a> {
    /// Of each polygon 1 + its zone.
    zones: HeightMeshOf<'a>,
    profiles: Records<'a, ReachRecord>,
    /// The number of zones, then the tables.
    numbers: Records<'a, u16>,
}

/// The table of a profile.
#[derive(Clone, Copy)]
struct Table<'a> {
    /// Of each zone.
    ranks: Records<'a, u16>,
    /// Where the ranges of each rank end.
    ends: Records<'a, u16>,
    /// First and last rank of each range.
    ranges: Records<'a, [u16; 2]>,
    /// Ranks from here on are not entered.
    entered: u16,
}

impl<'a> Reach<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Reach<'a> {
        Reach {
            zones: HeightMeshOf::of(blob, Section::ZONES, class),
            profiles: blob.records(Section::REACH, class),
            numbers: blob.records(Section::REACH_LISTS, class),
        }
    }

    fn zone_count(&self) -> usize {
        self.numbers.first().map_or(0, usize::from)
    }

    #[inline]
    fn table(&self, profile: u32) -> Option<Table<'a>> {
        let record = self.profiles.get(profile as usize)?;
        let rest = self.numbers.slice(record.first as usize..self.numbers.len())?;
        let (ranks, rest) = rest.split_at(self.zone_count())?;
        let (ends, rest) = rest.split_at(record.ranks.into())?;
        let ranges = ends.last().map_or(0, usize::from);
        let (ranges, _) = rest.split_at(2 * ranges)?;
        Some(Table { ranks, ends, ranges: Records::new(ranges.bytes())?, entered: record.entered })
    }
}

impl<'a> Table<'a> {
    #[inline]
    fn rank(&self, zone: u32) -> Option<u16> {
        self.ranks.get(zone as usize)
    }

    /// The ranks that a rank leads to, itself included if it is entered.
    #[inline]
    fn ranges_of(&self, rank: u16) -> Option<Records<'a, [u16; 2]>> {
        let end = |i: usize| self.ends.get(i).map(usize::from);
        let i = usize::from(rank);
        let begin = i.checked_sub(1).map_or(Some(0), end)?;
        self.ranges.slice(begin..end(i)?)
    }

    /// Whether a path leads from a zone to another, or from polygon to polygon within one.
    #[inline]
    fn leads(&self, from: u32, to: u32) -> Option<bool> {
        let (from, to) = (self.rank(from)?, self.rank(to)?);
        Some(to < self.entered && self.holds(from, to))
    }

    /// Whether a zone leads everywhere that another does.
    fn includes(&self, from: u32, to: u32) -> Option<bool> {
        let (from, to) = (self.rank(from)?, self.rank(to)?);
        let [all, some] = [self.ranges_of(from)?, self.ranges_of(to)?];
        Some(from == to || some.iter().all(|own| covers(all, own)))
    }

    /// Whether a rank leads to another that is entered.
    #[inline]
    fn holds(&self, from: u16, to: u16) -> bool {
        covers(self.ranges_of(from).unwrap_or_default(), [to; 2])
    }
}

/// Is a range within one of some that ascend?
#[inline]
fn covers(ranges: Records<'_, [u16; 2]>, own: [u16; 2]) -> bool {
    let before = ranges.partition_point(|r| r[0] <= own[0]);
    let last = before.checked_sub(1).and_then(|i| ranges.get(i));
    last.is_some_and(|r| own[1] <= r[1])
}

/// A row of the reachability tables; see [`NavMesh::reach_profile`](crate::NavMesh::reach_profile).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachProfile {
    /// Its number.
    pub number: u32,
    /// Whether it is the requested profile. If not, it reaches everything that the requested one
    /// reaches, and perhaps more.
    pub exact: bool,
}

impl Reach<'_> {
    /// See [`NavMesh::reach_profile_count`](crate::NavMesh::reach_profile_count).
    pub(crate) fn profile_count(&self) -> u32 {
        self.profiles.len() as u32 // checked when the blob was opened
    }

    /// See [`NavMesh::reach_profile`](crate::NavMesh::reach_profile). O(profiles), at most 255.
    pub(crate) fn profile(&self, agents: u32, areas: u64) -> Option<ReachProfile> {
        let used = self.profiles.iter().fold(0, |all, a| all | a.agents);
        let agents = agents & used;
        let wider = (0..)
            .zip(self.profiles.iter())
            .filter(|(_, a)| agents & !a.agents == 0 && a.areas & !areas == 0);
        // The narrowest: the most areas, the fewest agents.
        let (number, found) = wider.max_by_key(|(number, a)| {
            let (areas, agents) = (a.areas.count_ones(), a.agents.count_ones());
            (areas, u32::MAX - agents, u32::MAX - number)
        })?;
        let exact = found.agents == agents && found.areas == areas;
        Some(ReachProfile { number, exact })
    }

    /// See [`NavMesh::leads`](crate::NavMesh::leads).
    #[inline]
    pub(crate) fn leads(&self, profile: u32, from: PolyId, to: PolyId) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        let (from, to) = (self.zones.get(from)?, self.zones.get(to)?);
        self.table(profile)?.leads(from, to)
    }
}
