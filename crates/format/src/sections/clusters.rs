//! Clusters: rooms grouped for hierarchical searches.
//!
//! Places on doors, and clusters: groups of rooms, groups of clusters, and so on. Each cluster has
//! the distances between the doors that lead out of it. (D. Delling, A. Goldberg, T. Pajor and R.
//! Werneck, Customizable route planning in road networks, 2017.) The sections are `door-stops`,
//! `cluster-of`, `clusters`, `doors-of-clusters` and `cluster-ways`.

use navbake_grid::{LIMIT, NONE, PolyId, orient};
use navbake_navmesh::record::Records;

use super::rooms::Rooms;
use crate::blob::Blob;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::section::Section;

navbake_navmesh::record! {
    /// Section `door-stops`.
    struct DoorStopRecord: 12 { polygon: u32, at: [i32; 2] }
}
navbake_navmesh::record! {
    /// Section `clusters`: where its doors begin in `doors-of-clusters`, and its distances in
    /// `cluster-ways`.
    struct ClusterRecord: 16 { parent: u32, level: u32, first_door: u32, first_way: u32 }
}

/// Sections of clusters, read in place.
#[derive(Clone, Copy)]
pub(crate) struct Clusters<'a> {
    stops: Records<'a, DoorStopRecord>,
    cluster_of: Records<'a, u32>,
    clusters: Records<'a, ClusterRecord>,
    doors: Records<'a, u32>,
    distances: Records<'a, f32>,
}

impl<'a> Clusters<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Clusters<'a> {
        Clusters {
            stops: blob.records(Section::DOOR_STOPS, class),
            cluster_of: blob.records(Section::CLUSTER_OF, class),
            clusters: blob.records(Section::CLUSTERS, class),
            doors: blob.records(Section::DOORS_OF_CLUSTERS, class),
            distances: blob.records(Section::CLUSTER_WAYS, class),
        }
    }

    /// Where the doors and the distances of a cluster begin.
    fn begins(&self, cluster: usize) -> (usize, usize) {
        match self.clusters.get(cluster) {
            Some(d) => (d.first_door as usize, d.first_way as usize),
            None => (self.doors.len(), self.distances.len()),
        }
    }
}

/// The doors of a room or cluster, and the distances between them. See [`Rooms::cell`].
#[derive(Clone, Copy, Debug)]
pub struct CellDoors<'a> {
    doors: Records<'a, u32>,
    distances: Records<'a, f32>,
}

/// Where the distances of a door to those before it begin.
#[inline]
fn row(place: usize) -> Option<usize> {
    Some(place.checked_mul(place.saturating_sub(1))? / 2)
}

impl<'a> CellDoors<'a> {
    /// The doors that lead out of it, by their numbers, rising.
    pub fn doors(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.doors.iter()
    }

    /// The place of a door among them.
    #[inline]
    pub fn place(&self, door: u32) -> Option<u32> {
        self.doors.find(door, |d| d).map(|i| i as u32)
    }

    /// The distance within the cell between two of the doors, by their places, everything open, m.
    ///
    /// `None` where it was not measured.
    #[inline]
    pub fn way(&self, a: u32, b: u32) -> Option<f32> {
        if a == b {
            return Some(0.0);
        }
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        self.distances.get(row(high)?.checked_add(low)?)
    }

    /// All other doors, and their distances within the cell from the one at a place, m.
    ///
    /// Those that were measured.
    #[inline]
    pub fn ways_from(&self, place: u32) -> impl Iterator<Item = (u32, f32)> + use<'a> {
        let (own, all) = (place as usize, self.distances);
        let rest = |records: Records<'a, f32>, from| records.slice(from..records.len());
        // A row of distances to those before it, then one of each later row.
        let before = row(own).and_then(|from| rest(all, from)).unwrap_or_default();
        let mut at = row(own + 1).map_or(all.len(), |begin| begin.saturating_add(own));
        let behind = (own + 1..).map_while(move |step| {
            let distance = all.get(at);
            at = at.saturating_add(step);
            distance
        });
        let doors = self.doors;
        let others = doors.slice(own + 1..doors.len()).unwrap_or_default();
        let before = doors.iter().zip(before.iter().take(own));
        before.chain(others.iter().zip(behind))
    }
}

impl<'a> Rooms<'a> {
    /// Whether distances were measured, which hierarchical searches need.
    pub fn has_ways(&self) -> bool {
        self.clusters.stops.len() == self.door_count() as usize
            && self.clusters.cluster_of.len() == self.count() as usize
    }

    /// A place on a door, as near to its middle as there is ground: a polygon, and x and z.
    ///
    /// Grid units. `None` where distances were not measured.
    #[inline]
    pub fn stop(&self, door: u32) -> Option<(PolyId, [i32; 2])> {
        let stop = self.clusters.stops.get(door as usize)?;
        Some((PolyId(stop.polygon), stop.at))
    }

    /// The number of clusters on all levels.
    #[inline]
    pub fn cluster_count(&self) -> u32 {
        self.clusters.clusters.len() as u32 // a section has fewer than 2^32 records
    }

    /// The level of a cell: 0 for rooms, 1 for clusters of rooms, 2 for clusters of these, ...
    #[inline]
    pub fn cell_level(&self, cell: u32) -> u32 {
        let cluster = cell.checked_sub(self.count());
        let found = cluster.and_then(|d| self.clusters.clusters.get(d as usize));
        found.map_or(0, |d| d.level)
    }

    /// The cell of the cluster that a room or cluster is in; `None` for the largest.
    #[inline]
    pub fn parent(&self, cell: u32) -> Option<u32> {
        let parent = match cell.checked_sub(self.count()) {
            None => self.clusters.cluster_of.get(cell as usize)?,
            Some(cluster) => self.clusters.clusters.get(cluster as usize)?.parent,
        };
        (parent != NONE).then(|| parent.wrapping_add(self.count()))
    }

    /// The doors of a room, or those that lead out of a cluster, and their distances.
    ///
    /// The cell of a room is its number, that of a cluster its number plus the number of rooms.
    #[inline]
    pub fn cell(&self, cell: u32) -> CellDoors<'a> {
        let Some(cluster) = cell.checked_sub(self.count()) else {
            return CellDoors {
                doors: self.doors_in(cell as usize),
                distances: self.distances_in(cell as usize),
            };
        };
        let all = &self.clusters;
        let from = all.begins(cluster as usize);
        let to = all.begins((cluster as usize).saturating_add(1));
        CellDoors {
            doors: all.doors.slice(from.0..to.0).unwrap_or_default(),
            distances: all.distances.slice(from.1..to.1).unwrap_or_default(),
        }
    }
}

/// Stops and clusters fit rooms and doors, which have been checked.
pub(crate) fn check(mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let all = &rooms.clusters;
    let (doors, count) = (rooms.door_count() as usize, rooms.count() as usize);
    let section = Section::DOOR_STOPS;
    if !all.stops.is_empty() && all.stops.len() != doors {
        return at.fail(section, 0, all.stops.len(), "one for each door");
    }
    for i in 0..all.stops.len() as u32 {
        check_stop(mesh, rooms, i, at)?;
    }
    let section = Section::CLUSTER_OF;
    let of = all.cluster_of;
    at.refuse(!of.is_empty() && of.len() != count, section, 0, of.len(), "one for each room")?;
    for (it, d) in at.each(section, of.iter()) {
        let cluster = all.clusters.get(d as usize);
        let expected = "a cluster of level 1, or all bits set";
        it.refuse(d != NONE && cluster.is_none_or(|d| d.level != 1), d, expected)?;
    }
    if of.is_empty() && !all.clusters.is_empty() {
        let found = all.clusters.len();
        return at.fail(Section::CLUSTERS, 0, found, "none without cluster-of");
    }
    check_lists(rooms, all, at)
}

/// A stop is in its polygon, which has one of the door's portals.
fn check_stop(mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, door: u32, at: &Place) -> Checked {
    let section = Section::DOOR_STOPS;
    let Some((polygon, point)) = rooms.stop(door) else {
        return Ok(());
    };
    let is_at =
        |(p, k): (PolyId, u32)| p == polygon || mesh.polygon(p).neighbour(k) == Some(polygon);
    at.refuse(!rooms.portals(door).any(is_at), section, door, polygon.0, "a polygon at the door")?;
    let own = mesh.polygon(polygon);
    let outside = |k: &u32| orient(own.corner(*k), own.corner(own.next(*k)), point) < 0;
    let far = (point.iter()).find(|c| c.unsigned_abs() >= LIMIT as u32);
    match far.or_else(|| (0..own.len()).find(outside).and(point.first())) {
        Some(&c) => at.fail(section, door, c, "a point of its polygon"),
        None => Ok(()),
    }
}

/// Doors and distances of clusters follow each other; parents come later, one level higher.
fn check_lists(rooms: &Rooms<'_>, all: &Clusters<'_>, at: &Place) -> Checked {
    let (section, doors) = (Section::CLUSTERS, Section::DOORS_OF_CLUSTERS);
    let (mut door, mut distance) = (0usize, 0usize);
    for (i, d) in (0u32..).zip(all.clusters.iter()) {
        let it = at.element(section, i);
        let expected = "where the doors and ways of the cluster before end";
        it.refuse(all.begins(i as usize) != (door, distance), door, expected)?;
        let parent = all.clusters.get(d.parent as usize);
        let higher = |p: u32| Some(p) == d.level.checked_add(1);
        let rises = d.parent > i && parent.is_some_and(|p| higher(p.level));
        let expected = "a later cluster of the next level, or all bits set";
        it.refuse(d.level == 0 || (d.parent != NONE && !rises), d.parent, expected)?;
        let end = all.begins(i as usize + 1).0;
        let Some(own) = all.doors.slice(door..end) else {
            return it.fail(end, "doors in the section doors-of-clusters");
        };
        let rising = own.iter().zip(own.iter().skip(1)).all(|(a, b)| a < b);
        let last = own.last().map_or(0, |d| d.saturating_add(1));
        at.refuse(!rising || last > rooms.door_count(), doors, i, last, "doors, rising")?;
        distance = (own.len().checked_mul(own.len().saturating_sub(1)))
            .map_or(usize::MAX, |n| distance.saturating_add(n / 2));
        door = end;
    }
    at.refuse(door != all.doors.len(), doors, 0, door, "doors of clusters alone")?;
    let expected = "a way for each two doors of a cluster";
    at.refuse(distance != all.distances.len(), Section::CLUSTER_WAYS, 0, distance, expected)?;
    at.distances(Section::CLUSTER_WAYS, all.distances)
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;
#[cfg(feature = "write")]
pub use encoder::{ClusterParts, PlanParts};

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{ClusterRecord, DoorStopRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};

    /// A cluster: rooms or smaller clusters put together.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ClusterParts {
        /// The cluster that it is in, a later one; `u32::MAX` for none.
        pub parent: u32,
        /// 1 for clusters of rooms, 2 for clusters of these, and so on.
        pub level: u32,
        /// The doors that lead out of it, rising.
        pub doors: Vec<u32>,
        /// Distances within it, m: from its second door to the first, from the third to the first
        /// and the second, and so on.
        pub ways: Vec<f32>,
    }

    /// The hierarchy of rooms and clusters. Numbers are those of the file.
    ///
    /// They were measured on a file that is the same but for this.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PlanParts {
        /// A place on each door: its polygon, and x and z, grid units.
        pub stops: Vec<(u32, [i32; 2])>,
        /// For each room in turn the distances within it between the stops of its doors, m: from
        /// the second to the first, from the third to the first and the second, and so on.
        pub ways: Vec<f32>,
        /// The cluster of each room, `u32::MAX` for none.
        pub cluster_of: Vec<u32>,
        /// Clusters, by level.
        pub clusters: Vec<ClusterParts>,
    }

    /// Everything but distances within rooms.
    pub(crate) fn encode(plan: &PlanParts, class: u16, drafts: &mut Drafts<'_>) {
        let stop = |&(polygon, at): &(u32, [i32; 2])| DoorStopRecord { polygon, at };
        let stops = plan.stops.iter().map(stop);
        drafts.push(Draft::optional(Section::DOOR_STOPS, class, stops));
        let of = plan.cluster_of.iter().copied();
        drafts.push(Draft::optional(Section::CLUSTER_OF, class, of));
        let (mut records, mut doors, mut distances) = (vec![], vec![], vec![]);
        for d in &plan.clusters {
            records.push(ClusterRecord {
                parent: d.parent,
                level: d.level,
                first_door: doors.len() as u32,
                first_way: distances.len() as u32,
            });
            doors.extend_from_slice(&d.doors);
            distances.extend_from_slice(&d.ways);
        }
        drafts.push(Draft::optional(Section::CLUSTERS, class, records));
        drafts.push(Draft::optional(Section::DOORS_OF_CLUSTERS, class, doors));
        drafts.push(Draft::optional(Section::CLUSTER_WAYS, class, distances));
    }
}
