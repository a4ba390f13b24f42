//! Reachability for one profile: a graph of polygons to ranks and ranges of ranks.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::NONE;

use super::LIMIT;

/// The polygons of a mesh, their neighbours, usable links, and polygons that are not entered.
pub(super) struct Steps<'a> {
    /// Where each polygon's edges begin in `neighbours`, and their end.
    pub(super) first_edge: &'a [u32],
    /// Vertex and neighbour of each edge.
    pub(super) edges: &'a [(u32, u32)],
    /// From polygon to polygon.
    pub(super) links: &'a [(u32, u32)],
    pub(super) forbidden: &'a [bool],
}

/// First and last rank.
pub(super) type Range = (u16, u16);

/// The data that [`super::Table`] reads, with a rank for each polygon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranks {
    pub(super) of: Vec<u16>,
    /// The ranks that each rank leads to.
    pub(super) ranges: Vec<Vec<Range>>,
    /// Ranks from here on are not entered.
    pub(super) entered: u16,
}

impl Steps<'_> {
    /// Does a step lead no farther onto forbidden ground than it came from?
    fn enters(&self, from: u32, to: u32) -> bool {
        !self.forbidden[to as usize] || self.forbidden[from as usize]
    }

    fn neighbours(&self, p: u32) -> impl Iterator<Item = u32> {
        let edges = self.first_edge[p as usize] as usize..self.first_edge[p as usize + 1] as usize;
        let beyond = self.edges[edges].iter().map(|e| e.1);
        beyond.filter(move |&q| q != NONE && self.enters(p, q))
    }

    /// All ranks; `None` where 16 bits or [`LIMIT`] ranges a rank are not enough.
    pub(super) fn ranks(&self) -> Option<Ranks> {
        let (ground, [allowed, grounds]) = self.grounds();
        // Over links, and over portals off forbidden ground; then from component to component.
        let polygons = 0..ground.len() as u32;
        let leaves = polygons.filter(|&p| self.forbidden[p as usize]);
        let leaves = leaves.flat_map(|p| self.neighbours(p).map(move |q| (p, q)));
        let links = self.links.iter().copied().filter(|&(from, to)| self.enters(from, to));
        let mut steps: Vec<(u32, u32)> = (links.chain(leaves))
            .map(|(from, to)| (ground[from as usize], ground[to as usize]))
            .filter(|(from, to)| from != to)
            .collect();
        steps.sort_unstable();
        steps.dedup();
        // No allowed ground leads to forbidden ground, so its components come first.
        let component = components(grounds as usize, &steps);
        let count = |grounds: &[u32]| grounds.iter().max().map_or(0, |k| k + 1);
        let entered = count(&component[..allowed as usize]);
        let mut steps: Vec<(u32, u32)> = (steps.iter())
            .map(|&(from, to)| (component[from as usize], component[to as usize]))
            .filter(|(from, to)| from != to)
            .collect();
        steps.sort_unstable();
        steps.dedup();
        let off = steps.partition_point(|step| step.0 < entered);
        let (mut rank, mut ranges) = cover(entered as usize, &steps[..off])?;
        // A component of forbidden ground leads to what the lesser ones do that it is left to.
        let mut known: BTreeMap<Vec<Range>, u16> = BTreeMap::new();
        for own in entered..count(&component) {
            let to = from(&steps, own).iter().map(|&(_, to)| usize::from(rank[to as usize]));
            let all = joined(to.flat_map(|r| ranges[r].iter().copied()).collect())?;
            let own = match known.get(&all) {
                Some(&own) => own,
                None => {
                    let own = u16::try_from(ranges.len()).ok()?;
                    ranges.push(all.clone());
                    known.insert(all, own);
                    own
                }
            };
            rank.push(own);
        }
        let of = ground.iter().map(|&g| rank[component[g as usize] as usize]).collect();
        let total: usize = ranges.iter().map(Vec::len).sum();
        let most = usize::from(u16::MAX);
        let entered = u16::try_from(entered).ok()?;
        (ranges.len() <= most && total <= most).then_some(Ranks { of, ranges, entered })
    }

    /// Polygons connected over portals, allowed and forbidden ones apart, numbered by their least.
    ///
    /// The allowed ones come first; their number, and that of all.
    fn grounds(&self) -> (Vec<u32>, [u32; 2]) {
        let mut ground = vec![NONE; self.forbidden.len()];
        let mut open = vec![];
        let (mut count, mut counts) = (0, [0; 2]);
        for forbidden in [false, true] {
            let is_new = |ground: &[u32], p: u32| {
                ground[p as usize] == NONE && self.forbidden[p as usize] == forbidden
            };
            for p in 0..ground.len() as u32 {
                if !is_new(&ground, p) {
                    continue;
                }
                ground[p as usize] = count;
                open.push(p);
                while let Some(p) = open.pop() {
                    for q in self.neighbours(p) {
                        if is_new(&ground, q) {
                            ground[q as usize] = count;
                            open.push(q);
                        }
                    }
                }
                count += 1;
            }
            counts[usize::from(forbidden)] = count;
        }
        (ground, counts)
    }
}

/// The steps that begin at a node, of sorted ones.
fn from(steps: &[(u32, u32)], node: u32) -> &[(u32, u32)] {
    let begin = steps.partition_point(|s| s.0 < node);
    let end = steps.partition_point(|s| s.0 <= node);
    &steps[begin..end]
}

/// Strongly connected components (Tarjan 1972). No step leads to one of a greater number.
fn components(nodes: usize, steps: &[(u32, u32)]) -> Vec<u32> {
    let mut component = vec![NONE; nodes];
    // When a node was met, and the earliest one met that it leads back to.
    let (mut met, mut back) = (vec![NONE; nodes], vec![NONE; nodes]);
    let (mut clock, mut count) = (0, 0);
    let mut waiting = vec![];
    // The path to the current node, each with the number of its steps taken.
    let mut path: Vec<(u32, usize)> = vec![];
    for root in 0..nodes as u32 {
        if met[root as usize] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut gone)) = path.last_mut() {
            let n = node as usize;
            if *gone == 0 && met[n] == NONE {
                (met[n], back[n]) = (clock, clock);
                clock += 1;
                waiting.push(node);
            }
            if let Some(&(_, next)) = from(steps, node).get(*gone) {
                *gone += 1;
                let m = next as usize;
                if met[m] == NONE {
                    path.push((next, 0));
                } else if component[m] == NONE {
                    back[n] = back[n].min(met[m]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                back[before as usize] = back[before as usize].min(back[n]);
            }
            if back[n] == met[n] {
                while let Some(member) = waiting.pop() {
                    component[member as usize] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}

/// Ranks of the nodes of a graph whose steps lead to lesser numbers only, and the ranges of ranks
/// that each rank leads to, itself among them.
///
/// Each node is put under the last one before it that leads to it; the nodes under a node have the
/// ranks after its own.
fn cover(nodes: usize, steps: &[(u32, u32)]) -> Option<(Vec<u16>, Vec<Vec<Range>>)> {
    let mut above = vec![NONE; nodes];
    for &(from, to) in steps {
        above[to as usize] = above[to as usize].min(from);
    }
    let mut size = vec![1u32; nodes];
    for n in 0..nodes {
        if above[n] != NONE {
            size[above[n] as usize] += size[n];
        }
    }
    // The next free rank below each node.
    let mut rank = vec![0u32; nodes];
    let mut free = vec![0u32; nodes];
    let mut roots = 0;
    for n in (0..nodes).rev() {
        let next = match above[n] {
            NONE => &mut roots,
            up => &mut free[up as usize],
        };
        rank[n] = *next;
        *next += size[n];
        free[n] = rank[n] + 1;
    }
    let mut ranges: Vec<Vec<Range>> = vec![vec![]; nodes];
    for n in 0..nodes {
        let last = rank[n] + size[n] - 1;
        let mut all = vec![(u16::try_from(rank[n]).ok()?, u16::try_from(last).ok()?)];
        for &(_, to) in from(steps, n as u32) {
            all.extend_from_slice(&ranges[rank[to as usize] as usize]);
        }
        ranges[rank[n] as usize] = joined(all)?;
    }
    let rank = rank.iter().map(|&r| u16::try_from(r).ok());
    Some((rank.collect::<Option<_>>()?, ranges))
}

/// Sorted, with a gap between them; `None` when there are too many.
fn joined(mut all: Vec<Range>) -> Option<Vec<Range>> {
    all.sort_unstable();
    let mut out: Vec<Range> = vec![];
    for (first, last) in all {
        match out.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => out.push((first, last)),
        }
    }
    (out.len() <= LIMIT).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes that every node reaches, by plain traversal.
    fn plain(nodes: usize, steps: &[(u32, u32)]) -> Vec<Vec<bool>> {
        (0..nodes)
            .map(|n| {
                let mut seen = vec![false; nodes];
                let mut open = vec![n as u32];
                while let Some(p) = open.pop() {
                    if !seen[p as usize] {
                        seen[p as usize] = true;
                        open.extend(steps.iter().filter(|s| s.0 == p).map(|s| s.1));
                    }
                }
                seen
            })
            .collect()
    }

    /// Numbers that look random (splitmix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ z >> 31) % u64::from(n)) as u32
        }
    }

    #[test]
    fn ranks_lead_where_walks_do_and_ground_that_is_forbidden_is_only_left() {
        for seed in 0..400 {
            let mut random = Random(seed);
            let polygons = 1 + random.below(24) as usize;
            let n = polygons as u32;
            let mut beyond = vec![vec![]; polygons];
            for _ in 0..random.below(n) {
                let (a, b) = (random.below(n), random.below(n));
                beyond[a as usize].push((0, b));
                beyond[b as usize].push((0, a));
                beyond[b as usize].push((0, NONE));
            }
            let links = random.below(2 * n);
            let links: Vec<_> = (0..links).map(|_| (random.below(n), random.below(n))).collect();
            let share = random.below(60);
            let forbidden: Vec<bool> = (0..n).map(|_| random.below(100) < share).collect();
            let mut first_edge = vec![0];
            for all in &beyond {
                first_edge.push(first_edge[first_edge.len() - 1] + all.len() as u32);
            }
            let edges: Vec<_> = beyond.concat();
            let steps = Steps {
                first_edge: &first_edge,
                edges: &edges,
                links: &links,
                forbidden: &forbidden,
            };
            let ranks = steps.ranks().unwrap();
            let over = (0..n).flat_map(|p| beyond[p as usize].iter().map(move |e| (p, e.1)));
            let all = over.filter(|s| s.1 != NONE).chain(links.iter().copied());
            let enters = |s: &(u32, u32)| !forbidden[s.1 as usize] || forbidden[s.0 as usize];
            let all: Vec<_> = all.filter(enters).collect();
            let known = plain(polygons, &all);
            for p in 0..polygons {
                for q in (0..polygons).filter(|&q| q != p) {
                    let [a, b] = [p, q].map(|i| ranks.of[i]);
                    let holds = ranks.ranges[usize::from(a)].iter().any(|r| r.0 <= b && b <= r.1);
                    let leads = known[p][q] && !forbidden[q];
                    assert_eq!(b < ranks.entered && holds, leads, "seed {seed}: {p} to {q}");
                }
                assert_eq!(ranks.of[p] >= ranks.entered, forbidden[p]);
            }
        }
    }

    #[test]
    fn ledges_above_one_ground_take_two_ranges_each_at_most() {
        // 1000 ledges above the same ground, and a tower above some of them.
        let polygons = 1002;
        let mut links: Vec<(u32, u32)> = (1..=1000).map(|ledge| (ledge, 0)).collect();
        links.extend((1..=1000).step_by(2).map(|ledge| (1001, ledge)));
        let steps =
            |links| Steps { first_edge: &[0; 1003], edges: &[], links, forbidden: &[false; 1002] };
        let ranks = steps(&links[..1000]).ranks().unwrap();
        assert_eq!(ranks.ranges.len(), polygons);
        assert!(ranks.ranges.iter().all(|r| r.len() <= 2));
        // The tower leads to half of them, which are adjacent.
        let ranks = steps(&links).ranks().unwrap();
        let tower = &ranks.ranges[usize::from(ranks.of[1001])];
        assert!(tower.len() <= 2, "{tower:?}");
    }
}
