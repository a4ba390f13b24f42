//! Clusters of rooms, clusters of clusters, and the distances between their boundary doors.
//!
//! This is the partition of customizable route planning (Delling, Goldberg, Pajor and Werneck,
//! "Customizable route planning in road networks", 2017): rooms are its cells of level 0, clusters
//! those above. A long search crosses a cluster in one step from door to door and looks inside only
//! at its ends.
//!
//! ```text
//!   +-------+-------+
//!   | r   r | r   r |     r: a room; a cluster of level 1 has six to twelve of them, one of level
//!   |   r   d   r   |        2 as many clusters
//!   +---d---+---d---+     d: a boundary door; each cluster keeps the distances between all its
//!   | r   r | r   r |        boundary doors, found by Dijkstra's algorithm within it
//!   +-------+-------+
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// All bits set: no cluster.
pub const NO_CLUSTER: u32 = u32::MAX;

/// A cluster grows to the first number of parts; two are joined up to the second.
const PARTS: [u32; 2] = [6, 12];

/// Fewer parts than these are not put together.
const FEWEST: usize = 12;

/// A cluster: connected rooms, or connected clusters of the level below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The cluster that it is in, a later one, or [`NO_CLUSTER`].
    pub parent: u32,
    /// 1 for clusters of rooms, 2 for clusters of these, and so on.
    pub level: u32,
    /// Its boundary doors, ascending.
    pub doors: Vec<u32>,
    /// Distances within it: from its second door to the first, from the third to the first and the
    /// second, and so on.
    pub ways: Vec<f32>,
}

/// Clusters of rooms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// The cluster of each room, or [`NO_CLUSTER`].
    pub of: Vec<u32>,
    /// All of them, by level.
    pub all: Vec<Cluster>,
}

/// A room or cluster with its boundary doors and the distances between them.
struct Part<'a> {
    doors: &'a [u32],
    ways: &'a [f32],
}

/// Groups rooms to clusters.
///
/// Given are the rooms of each door, and for each room its doors (ascending) and the distances
/// between them in the order of [`Cluster::ways`]. O(n log n) for n doors and distances, but for
/// clusters with very many boundary doors.
pub fn clusters(door_rooms: &[[u32; 2]], rooms: &[(Vec<u32>, Vec<f32>)]) -> Clusters {
    let mut found = Clusters { of: vec![NO_CLUSTER; rooms.len()], all: vec![] };
    // The part that each room is in, on this level.
    let mut part: Vec<u32> = (0..rooms.len() as u32).collect();
    let (mut begin, mut count) = (0, rooms.len());
    for level in 1.. {
        let sides = |door: u32| door_rooms[door as usize].map(|r| part[r as usize]);
        let groups = grouped(count, door_rooms.len() as u32, sides);
        let number = groups.iter().filter(|&&g| g != NO_CLUSTER).max();
        let number = number.map_or(0, |&last| last as usize + 1);
        let parted = groups.iter().filter(|&&g| g != NO_CLUSTER).count();
        if parted < FEWEST || number == parted {
            break;
        }
        let parts: Vec<Part<'_>> = if level == 1 {
            let rooms = rooms.iter();
            rooms.map(|(doors, ways)| Part { doors, ways }).collect()
        } else {
            let last = found.all[begin..].iter();
            last.map(|d| Part { doors: &d.doors, ways: &d.ways }).collect()
        };
        let mut members: Vec<Vec<u32>> = vec![vec![]; number];
        for (p, &g) in (0u32..).zip(&groups).filter(|(_, g)| **g != NO_CLUSTER) {
            members[g as usize].push(p);
        }
        let group = |&p: &u32| groups.get(p as usize).copied().unwrap_or(NO_CLUSTER);
        let group_of_room: Vec<u32> = part.iter().map(group).collect();
        let leads_out = |door: u32| {
            let [a, b] = door_rooms[door as usize].map(|r| group_of_room[r as usize]);
            a != b
        };
        let made: Vec<Cluster> = members
            .iter()
            .map(|members| {
                let own: Vec<&Part<'_>> = members.iter().map(|&p| &parts[p as usize]).collect();
                let (doors, ways) = across(&own, leads_out);
                Cluster { parent: NO_CLUSTER, level, doors, ways }
            })
            .collect();
        let first = found.all.len() as u32;
        if level == 1 {
            found.of = groups.iter().map(|&g| numbered(first, g)).collect();
        } else {
            for (cluster, &group) in found.all[begin..].iter_mut().zip(&groups) {
                cluster.parent = numbered(first, group);
            }
        }
        begin = found.all.len();
        found.all.extend(made);
        (part, count) = (group_of_room, number);
    }
    found
}

/// A group's number among all clusters.
fn numbered(first: u32, group: u32) -> u32 {
    if group == NO_CLUSTER { group } else { first + group }
}

/// Puts parts together that have doors in common: those with the fewest parts first, each to the
/// neighbour that leaves the fewest doors leading out. Gives the group of each, numbered by their
/// first parts; none for what no door leads out of.
fn grouped(count: usize, doors: u32, sides: impl Fn(u32) -> [u32; 2]) -> Vec<u32> {
    // For each group its neighbours and the number of doors in common.
    let mut near: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); count];
    for door in 0..doors {
        let [a, b] = sides(door);
        if a != b {
            *near[a as usize].entry(b).or_default() += 1;
            *near[b as usize].entry(a).or_default() += 1;
        }
    }
    let alone: Vec<bool> = near.iter().map(BTreeMap::is_empty).collect();
    let mut into: Vec<u32> = (0..count as u32).collect();
    let mut size = vec![1u32; count];
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> =
        (0..count as u32).map(|p| Reverse((1, p))).collect();
    while let Some(Reverse((had, p))) = queue.pop() {
        let p_is_group = into[p as usize] == p;
        if !p_is_group || had != size[p as usize] || had >= PARTS[0] {
            continue;
        }
        let out = |g: u32| near[g as usize].values().sum::<u32>();
        let own = out(p);
        let fits = near[p as usize].iter().filter(|(q, _)| had + size[**q as usize] <= PARTS[1]);
        let best = fits.map(|(&q, &common)| (own + out(q) - 2 * common, size[q as usize], q)).min();
        let Some((_, _, q)) = best else {
            continue;
        };
        let (keep, gone) = (p.min(q), p.max(q));
        let moved = std::mem::take(&mut near[gone as usize]);
        for (other, common) in moved {
            near[other as usize].remove(&gone);
            if other != keep {
                *near[keep as usize].entry(other).or_default() += common;
                *near[other as usize].entry(keep).or_default() += common;
            }
        }
        into[gone as usize] = keep;
        size[keep as usize] += size[gone as usize];
        queue.push(Reverse((size[keep as usize], keep)));
    }
    // A group is named by its least part, so each part's comes before it.
    let mut number = vec![0; count];
    let mut next = 0;
    for p in 0..count {
        let mut group = into[p] as usize;
        while into[group] as usize != group {
            group = into[group] as usize;
        }
        if alone[p] {
            number[p] = NO_CLUSTER;
        } else if group == p {
            number[p] = next;
            next += 1;
        } else {
            number[p] = number[group];
        }
    }
    number
}

/// The boundary doors of parts joined, and the distances between them (Dijkstra, from each).
fn across(parts: &[&Part<'_>], leads_out: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<f32>) {
    let mut all: Vec<u32> = parts.iter().flat_map(|p| p.doors.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let place = |door: u32| all.partition_point(|&d| d < door);
    // For each door the parts that it leads to, and its place there.
    let mut at: Vec<Vec<(usize, usize)>> = vec![vec![]; all.len()];
    let mut places: Vec<Vec<usize>> = vec![];
    for (k, part) in parts.iter().enumerate() {
        let own: Vec<usize> = part.doors.iter().map(|&d| place(d)).collect();
        for (i, &door) in own.iter().enumerate() {
            at[door].push((k, i));
        }
        places.push(own);
    }
    let out: Vec<usize> = (0..all.len()).filter(|&d| leads_out(all[d])).collect();
    let mut ways = vec![];
    let mut best = vec![f64::INFINITY; all.len()];
    let mut open = BinaryHeap::new();
    for (high, &from) in out.iter().enumerate() {
        if high == 0 {
            continue;
        }
        best.fill(f64::INFINITY);
        best[from] = 0.0;
        let mut left = high;
        open.clear();
        // Lengths are not negative, so their bits are in their order.
        open.push(Reverse((0u64, from)));
        while let Some(Reverse((bits, door))) = open.pop() {
            let g = f64::from_bits(bits);
            if g > best[door] {
                continue;
            }
            if out[..high].binary_search(&door).is_ok() {
                left -= 1;
                if left == 0 {
                    break;
                }
            }
            for &(k, i) in &at[door] {
                for (j, &to) in places[k].iter().enumerate().filter(|(j, _)| *j != i) {
                    let (low, top) = (i.min(j), i.max(j));
                    let length = g + f64::from(parts[k].ways[top * (top - 1) / 2 + low]);
                    if length < best[to] {
                        best[to] = length;
                        open.push(Reverse((length.to_bits(), to)));
                    }
                }
            }
        }
        ways.extend(out[..high].iter().map(|&to| best[to] as f32));
    }
    (out.iter().map(|&d| all[d]).collect(), ways)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Doors of a room, and the distances between them.
    type Room = (Vec<u32>, Vec<f32>);

    /// Rooms in rows and columns with different distances, and some doors left out.
    fn lattice(side: u32, gone: &[u32], lengths: &[u32]) -> (Vec<[u32; 2]>, Vec<Room>) {
        let mut doors = vec![];
        for r in 0..side * side {
            let (x, z) = (r % side, r / side);
            for (dx, dz) in [(1, 0), (0, 1)] {
                if x + dx < side && z + dz < side {
                    doors.push([r, r + dx + side * dz]);
                }
            }
        }
        let keep = |i: &usize| !gone.contains(&(*i as u32));
        let doors: Vec<[u32; 2]> = (0..doors.len()).filter(keep).map(|i| doors[i]).collect();
        let rooms = (0..side * side)
            .map(|r| {
                let own = (0u32..).zip(&doors).filter(|(_, d)| d.contains(&r));
                let own: Vec<u32> = own.map(|(d, _)| d).collect();
                let length = |k: usize| lengths[(r as usize * 7 + k) % lengths.len()] as f32;
                let pairs = own.len() * own.len().saturating_sub(1) / 2;
                (own, (0..pairs).map(length).collect())
            })
            .collect();
        (doors, rooms)
    }

    /// How far it is from door to door over some rooms, one relaxation after another until nothing
    /// changes.
    fn plain(doors: usize, rooms: &[Room], within: &[bool], from: u32) -> Vec<f64> {
        let mut best = vec![f64::INFINITY; doors];
        best[from as usize] = 0.0;
        loop {
            let before = best.clone();
            for ((own, ways), _) in rooms.iter().zip(within).filter(|(_, w)| **w) {
                let mut way = ways.iter();
                for high in 1..own.len() {
                    for low in 0..high {
                        let length = f64::from(*way.next().unwrap());
                        let (a, b) = (own[low] as usize, own[high] as usize);
                        best[a] = best[a].min(best[b] + length);
                        best[b] = best[b].min(best[a] + length);
                    }
                }
            }
            if before == best {
                return best;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn ways_over_clusters_are_the_shortest_within_them(
            side in 2u32..9,
            gone in prop::collection::vec(0u32..120, 0..30),
            lengths in prop::collection::vec(1u32..50, 1..40),
        ) {
            let (doors, rooms) = lattice(side, &gone, &lengths);
            let found = clusters(&doors, &rooms);
            prop_assert!(gone.len() > 12 || side < 5 || !found.all.is_empty());
            for (number, cluster) in found.all.iter().enumerate() {
                let inside = |room: usize| {
                    let mut at = found.of[room];
                    while at != NO_CLUSTER && at as usize != number {
                        at = found.all[at as usize].parent;
                    }
                    at as usize == number
                };
                let within: Vec<bool> = (0..rooms.len()).map(inside).collect();
                let leads_out = |d: &u32| {
                    let [a, b] = doors[*d as usize].map(|r| within[r as usize]);
                    a != b
                };
                let out: Vec<u32> = (0..doors.len() as u32).filter(leads_out).collect();
                prop_assert_eq!(&out, &cluster.doors);
                let mut ways = cluster.ways.iter();
                for (high, &b) in out.iter().enumerate() {
                    let best = plain(doors.len(), &rooms, &within, b);
                    for &a in &out[..high] {
                        prop_assert_eq!(f64::from(*ways.next().unwrap()), best[a as usize]);
                    }
                }
                prop_assert!(ways.next().is_none());
                if cluster.parent != NO_CLUSTER {
                    prop_assert!(cluster.parent as usize > number);
                    prop_assert_eq!(found.all[cluster.parent as usize].level, cluster.level + 1);
                }
            }
        }
    }
}
