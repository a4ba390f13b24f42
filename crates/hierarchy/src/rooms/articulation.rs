//! Articulation rooms and bridge doors of the graph of rooms.

use navbake_mesh::NONE;

/// The doors and rooms whose removal separates others. Links are not considered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joints {
    /// Of each door: without it there is no path between its two rooms.
    pub is_bridge: Vec<bool>,
    /// Of each room: without it there is no path between some of its neighbours.
    pub is_choke: Vec<bool>,
}

/// Bridges and articulation points of the graph of rooms (Hopcroft and Tarjan, Efficient algorithms
/// for graph manipulation, 1973). O(rooms + doors).
pub(super) fn joints(rooms: usize, doors: &[[u32; 2]]) -> Joints {
    let mut first = vec![0u32; rooms + 1];
    for &r in doors.iter().flatten() {
        first[r as usize + 1] += 1;
    }
    for r in 0..rooms {
        first[r + 1] += first[r];
    }
    let mut fill = first.clone();
    let mut ways = vec![(0u32, 0u32); 2 * doors.len()];
    for (d, &[a, b]) in (0u32..).zip(doors) {
        for (from, to) in [(a, b), (b, a)] {
            let slot = &mut fill[from as usize];
            ways[*slot as usize] = (d, to);
            *slot += 1;
        }
    }
    let mut joints = Joints { is_bridge: vec![false; doors.len()], is_choke: vec![false; rooms] };
    // When a room was first seen, and the earliest that it leads back to without the door it was
    // entered by.
    let (mut seen, mut low) = (vec![NONE; rooms], vec![NONE; rooms]);
    let mut clock = 0;
    let mut at = first.clone();
    for root in 0..rooms as u32 {
        if seen[root as usize] != NONE {
            continue;
        }
        let mut stack: Vec<(u32, u32)> = vec![(root, NONE)];
        let mut of_root = 0;
        seen[root as usize] = clock;
        low[root as usize] = clock;
        clock += 1;
        while let Some(&(r, by)) = stack.last() {
            let i = at[r as usize];
            if i < first[r as usize + 1] {
                at[r as usize] += 1;
                let (d, to) = ways[i as usize];
                if d == by {
                    continue;
                }
                if seen[to as usize] == NONE {
                    seen[to as usize] = clock;
                    low[to as usize] = clock;
                    clock += 1;
                    of_root += u32::from(r == root);
                    stack.push((to, d));
                } else {
                    low[r as usize] = low[r as usize].min(seen[to as usize]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(up, _)) = stack.last() {
                low[up as usize] = low[up as usize].min(low[r as usize]);
                if low[r as usize] > seen[up as usize] {
                    joints.is_bridge[by as usize] = true;
                }
                if up != root && low[r as usize] >= seen[up as usize] {
                    joints.is_choke[up as usize] = true;
                }
            }
        }
        joints.is_choke[root as usize] = of_root > 1;
    }
    joints
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How many parts the rooms fall into without one room or one door.
    fn parts(rooms: usize, doors: &[[u32; 2]], without: Option<u32>, shut: Option<usize>) -> usize {
        let mut of: Vec<usize> = (0..rooms).collect();
        for _ in 0..rooms {
            for (d, &[a, b]) in doors.iter().enumerate() {
                if Some(d) != shut && ![a, b].map(Some).contains(&without) {
                    let least = of[a as usize].min(of[b as usize]);
                    of[a as usize] = least;
                    of[b as usize] = least;
                }
            }
        }
        (0..rooms).filter(|&r| of[r] == r && Some(r as u32) != without).count()
    }

    proptest! {
        #[test]
        fn joints_are_what_parts_fall_apart_without(
            rooms in 1usize..9,
            doors in prop::collection::vec((0u32..8, 0u32..8), 0..12),
        ) {
            let n = rooms as u32;
            let doors: Vec<[u32; 2]> = doors.iter().map(|&(a, b)| [a % n, b % n]).filter(|d| d[0] != d[1]).collect();
            let found = joints(rooms, &doors);
            let whole = parts(rooms, &doors, None, None);
            for d in 0..doors.len() {
                prop_assert_eq!(found.is_bridge[d], parts(rooms, &doors, None, Some(d)) > whole);
            }
            for r in 0..n {
                let alone = usize::from(doors.iter().all(|d| !d.contains(&r)));
                prop_assert_eq!(found.is_choke[r as usize], parts(rooms, &doors, Some(r), None) + alone > whole);
            }
        }
    }
}
