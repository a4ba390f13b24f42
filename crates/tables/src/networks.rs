//! Route networks made from a mesh or a grid map: quadtrees, corners in sight, grids over storeys.
//!
//! Every edge is a straight line that is free with everything open; it was walked over the mesh.
//!
//! - [`quadtree`]: H. Samet, *The quadtree and related hierarchical data structures*, 1984. A
//!   square of one terrain is a leaf; all others are cut in four.
//! - [`visibility`]: T. Lozano-Pérez and M. Wesley, *An algorithm for planning collision-free paths
//!   among polyhedral obstacles*, 1979.
//! - [`grid`]: squares over all storeys.

use navbake_format::{NetworkEdge, NetworkPoint, PolyId};
use navbake_search::around::PolyPoint;
use navbake_search::{NavMesh, NavPoint, NavQuery};
use rayon::prelude::*;

use crate::{Corners, Graph};

/// The points and edges of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Its points.
    pub points: Vec<NetworkPoint>,
    /// The edges that begin at each.
    pub edges: Vec<Vec<NetworkEdge>>,
}

/// A grid of squares, to cut into a quadtree.
#[derive(Clone, Copy, Debug)]
pub struct GroundCells<'a> {
    /// Columns and rows.
    pub size: [u32; 2],
    /// The side of a cell, m.
    pub cell: f64,
    /// The least x and z of the map, m.
    pub corner: [f64; 2],
    /// The kind of ground of each cell, row by row; `None` for blocked ones.
    pub ground: &'a [Option<u8>],
}

impl GroundCells<'_> {
    fn at(&self, [column, row]: [u32; 2]) -> Option<u8> {
        let inside = column < self.size[0] && row < self.size[1];
        let cell = row as usize * self.size[0] as usize + column as usize;
        inside.then(|| self.ground.get(cell).copied().flatten()).flatten()
    }
}

/// A square of the quadtree: its least column and row, and its side in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaf {
    /// The least column and row.
    pub at: [u32; 2],
    /// Cells along a side, a power of two.
    pub side: u32,
}

/// The leaves of a grid map that are walkable, `most` cells wide at most.
///
/// `most` is rounded down to a power of two.
pub fn leaves(map: &GroundCells<'_>, most: u32) -> Vec<Leaf> {
    let most = 1 << most.max(1).ilog2().min(20);
    let side = map.size[0].max(map.size[1]).max(1).next_power_of_two();
    let mut found = vec![];
    let mut open = vec![Leaf { at: [0; 2], side }];
    while let Some(leaf) = open.pop() {
        let [x, z] = leaf.at;
        if x >= map.size[0] || z >= map.size[1] {
            continue;
        }
        let first = map.at(leaf.at);
        let mut cells = (z..z + leaf.side).flat_map(|z| (x..x + leaf.side).map(move |x| [x, z]));
        if leaf.side <= most && cells.all(|cell| map.at(cell) == first) {
            if first.is_some() {
                found.push(leaf);
            }
        } else {
            let half = leaf.side / 2;
            let quarter = |[dx, dz]: [u32; 2]| Leaf { at: [x + dx, z + dz], side: half };
            open.extend([[0, 0], [half, 0], [0, half], [half, half]].map(quarter));
        }
    }
    found.sort_unstable();
    found
}

/// Points of a mesh, and straight lines between them that are free.
struct Drawing<'m> {
    query: NavQuery<'m>,
    places: Vec<NavPoint>,
}

impl<'m> Drawing<'m> {
    fn new(mesh: &NavMesh<'m>) -> Drawing<'m> {
        Drawing { query: NavQuery::new(*mesh), places: vec![] }
    }

    /// The network of pairs of points that see each other; each pair is given once.
    fn joined(self, mut pairs: Vec<(u32, u32)>) -> Network {
        pairs.par_sort_unstable();
        pairs.dedup();
        let (query, places) = (self.query, self.places);
        let is_free = |&(a, b): &(u32, u32)| {
            let ends = [a, b].map(|p| places[p as usize]);
            a != b && query.sees(&ends[0], &ends[1]) && query.sees(&ends[1], &ends[0])
        };
        let pairs: Vec<(u32, u32)> = pairs.into_par_iter().filter(is_free).collect();
        let mut edges = vec![vec![]; places.len()];
        for (a, b) in pairs {
            edges[a as usize].push(NetworkEdge { to: b, factor: 1.0 });
            edges[b as usize].push(NetworkEdge { to: a, factor: 1.0 });
        }
        edges.iter_mut().for_each(|own| own.sort_by_key(|edge| edge.to));
        let point = |at: &NavPoint| NetworkPoint { polygon: at.polygon(), at: at.point() };
        Network { points: places.iter().map(point).collect(), edges }
    }
}

/// A quadtree of a grid map on the mesh of the same map: the middles of leaves, joined over shared
/// sides, or with `corners` their corners, joined within each leaf.
///
/// Leaves off the mesh are left out.
pub fn quadtree(mesh: &NavMesh<'_>, map: &GroundCells<'_>, most: u32, corners: bool) -> Network {
    let leaves = leaves(map, most);
    let mut drawing = Drawing::new(mesh);
    let metres = |at: [f64; 2]| {
        let [x, z] = [0, 1].map(|k| map.corner[k] + at[k] * map.cell);
        [x, 0.0, z]
    };
    let locate = |at: [f64; 2]| drawing.query.locate(metres(at), 1.0);
    if !corners {
        let middle = |leaf: &Leaf| leaf.at.map(|v| f64::from(v) + f64::from(leaf.side) / 2.0);
        let found: Vec<(Leaf, NavPoint)> =
            leaves.iter().filter_map(|leaf| Some((*leaf, locate(middle(leaf))?))).collect();
        let leaves: Vec<Leaf> = found.iter().map(|(leaf, _)| *leaf).collect();
        drawing.places = found.into_iter().map(|(_, place)| place).collect();
        return drawing.joined(touching(map, &leaves));
    }
    let mut places: Vec<([u32; 2], NavPoint)> = vec![];
    for leaf in &leaves {
        for by in [[0, 0], [leaf.side, 0], [0, leaf.side], [leaf.side, leaf.side]] {
            let at = [leaf.at[0] + by[0], leaf.at[1] + by[1]];
            places.extend(locate(at.map(f64::from)).map(|place| (at, place)));
        }
    }
    // By rows, so that those on the border of a leaf are found in runs.
    places.sort_by_key(|(at, _)| [at[1], at[0]]);
    places.dedup_by_key(|(at, _)| *at);
    drawing.places = places.iter().map(|(_, place)| *place).collect();
    let mut pairs = vec![];
    for leaf in &leaves {
        let mut border: Vec<u32> = vec![];
        for z in leaf.at[1]..=leaf.at[1] + leaf.side {
            let from = places.partition_point(|(at, _)| [at[1], at[0]] < [z, leaf.at[0]]);
            let row = places[from..]
                .iter()
                .take_while(|(at, _)| at[1] == z && at[0] <= leaf.at[0] + leaf.side);
            border.extend((from as u32..).zip(row).map(|(number, _)| number));
        }
        for (k, &a) in border.iter().enumerate() {
            pairs.extend(border[k + 1..].iter().map(|&b| (a.min(b), a.max(b))));
        }
    }
    drawing.joined(pairs)
}

/// Pairs of leaves that share a part of a side.
fn touching(map: &GroundCells<'_>, leaves: &[Leaf]) -> Vec<(u32, u32)> {
    let size = map.size.map(|v| v as usize);
    let mut of_cell = vec![u32::MAX; size[0] * size[1]];
    for (number, leaf) in (0u32..).zip(leaves) {
        for z in leaf.at[1]..leaf.at[1] + leaf.side {
            let row = z as usize * size[0] + leaf.at[0] as usize;
            of_cell[row..row + leaf.side as usize].fill(number);
        }
    }
    let mut pairs = vec![];
    for (number, leaf) in (0u32..).zip(leaves) {
        let [x, z] = leaf.at.map(|v| v as usize);
        let side = leaf.side as usize;
        // Right of it, and below it: so each pair is found once.
        let right = (z..z + side).filter(|_| x + side < size[0]).map(|z| z * size[0] + x + side);
        let below = (x..x + side).filter(|_| z + side < size[1]).map(|x| (z + side) * size[0] + x);
        let others = right.chain(below).map(|cell| of_cell[cell]).filter(|&o| o != u32::MAX);
        let mut others: Vec<u32> = others.collect();
        others.dedup();
        pairs.extend(others.into_iter().map(|o| (number.min(o), number.max(o))));
    }
    pairs
}

/// The corners of a mesh, joined where a shortest path may turn at both ends of a line of sight.
///
/// `None` where that took too much memory.
pub fn visibility(mesh: &NavMesh<'_>) -> Option<Network> {
    let corners = Corners::new(mesh);
    let graph = Graph::new(&corners)?;
    let points = (0..corners.count() as u32)
        .map(|c| NetworkPoint { polygon: PolyId(corners.polygon(c)), at: corners.point(c) });
    let edges = (0..graph.count() as u32).map(|corner| {
        let own = graph.edges(corner).iter();
        own.map(|edge| NetworkEdge { to: edge.to, factor: 1.0 }).collect()
    });
    Some(Network { points: points.collect(), edges: edges.collect() })
}

/// The middles of squares of a grid over the mesh, one for each storey, joined to neighbours that
/// they see: four, or with `diagonals` eight.
///
/// `cell` is the side of a square, m. Squares begin at the origin of the level's coordinates.
/// `None` if more than [`MOST_SQUARES`] have their middle on the mesh.
pub fn grid(mesh: &NavMesh<'_>, cell: f64, diagonals: bool) -> Option<Network> {
    let mut drawing = Drawing::new(mesh);
    let grid = mesh.grid();
    let middle = |line: i64| (line as f64 + 0.5) * cell;
    let snapped = |[column, row]: [i64; 2]| {
        let at = grid.snap([middle(column), grid.origin[1], middle(row)])?;
        Some([at[0], at[2]])
    };
    let mut found: Vec<([i64; 2], NavPoint)> = vec![];
    for polygon in (0..mesh.polygon_count()).map(PolyId) {
        let own = mesh.polygon(polygon);
        let corner = |k: u32| {
            let [x, z] = own.corner(k).map(f64::from);
            let at = grid.metres([x, 0.0, z]);
            [at[0], at[2]]
        };
        let bounds = |axis: usize| {
            let all = (0..own.len()).map(|k| corner(k)[axis] / cell);
            let (low, high) =
                all.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
            low.floor() as i64 - 1..=high.floor() as i64 + 1
        };
        for row in bounds(1) {
            for column in bounds(0) {
                let at = snapped([column, row]);
                let held = at.filter(|&at| mesh.polys().holds(polygon.0, at));
                let place = held.and_then(|at| drawing.query.place(PolyPoint::new(polygon, at)));
                found.extend(place.map(|place| ([column, row], place)));
            }
            if found.len() > MOST_SQUARES {
                return None;
            }
        }
    }
    found.sort_by_key(|(at, place)| ([at[1], at[0]], place.polygon()));
    // A place on the border of polygons is on all of them.
    let mut kept: Vec<([i64; 2], NavPoint)> = vec![];
    for (at, place) in found {
        let same = kept.iter().rev().take_while(|(other, _)| *other == at);
        if !same.into_iter().any(|(_, other)| drawing.query.sees(other, &place)) {
            kept.push((at, place));
        }
    }
    let mut pairs = vec![];
    for (number, ([column, row], _)) in (0u32..).zip(&kept) {
        let beside: &[[i64; 2]] = match diagonals {
            true => &[[1, 0], [-1, 1], [0, 1], [1, 1]],
            false => &[[1, 0], [0, 1]],
        };
        for [dx, dz] in beside {
            let to = [row + dz, column + dx];
            let from = kept.partition_point(|(at, _)| [at[1], at[0]] < to);
            let own = kept[from..].iter().take_while(|(at, _)| [at[1], at[0]] == to);
            pairs.extend((from as u32..).zip(own).map(|(other, _)| (number, other)));
        }
    }
    drawing.places = kept.into_iter().map(|(_, place)| place).collect();
    Some(drawing.joined(pairs))
}

/// The most squares of a [`grid`].
pub const MOST_SQUARES: usize = 1 << 21;

#[cfg(test)]
mod tests {
    use navbake_testkit::Random;

    use super::*;

    fn ground(random: &mut Random, size: [u32; 2]) -> Vec<Option<u8>> {
        let cells = (size[0] * size[1]) as usize;
        let kind = random.below(3) as u8;
        let odd = random.below(60) as u64;
        (0..cells)
            .map(|_| match random.chance(odd) {
                true => (!random.chance(40)).then(|| random.below(3) as u8),
                false => Some(kind),
            })
            .collect()
    }

    #[test]
    fn leaves_are_the_widest_squares_of_one_kind_and_cover_the_ground_once() {
        let mut random = Random(5);
        for _ in 0..2000 {
            let size = [1 + random.below(24) as u32, 1 + random.below(24) as u32];
            let ground = ground(&mut random, size);
            let map = GroundCells { size, cell: 1.0, corner: [0.0; 2], ground: &ground };
            let most = 1 << random.below(6);
            let mut covered = vec![0; ground.len()];
            for leaf in leaves(&map, most) {
                assert!(leaf.side.is_power_of_two() && leaf.side <= most);
                assert!(leaf.at.iter().all(|v| v % leaf.side == 0));
                let kind = map.at(leaf.at);
                let uniform = |at: [u32; 2], side: u32| {
                    (at[1]..at[1] + side)
                        .all(|z| (at[0]..at[0] + side).all(|x| map.at([x, z]) == kind))
                };
                assert!(kind.is_some() && uniform(leaf.at, leaf.side));
                let wider = 2 * leaf.side;
                assert!(wider > most || !uniform(leaf.at.map(|v| v / wider * wider), wider));
                for z in leaf.at[1]..leaf.at[1] + leaf.side {
                    for x in leaf.at[0]..leaf.at[0] + leaf.side {
                        covered[(z * size[0] + x) as usize] += 1;
                    }
                }
            }
            for (times, ground) in covered.iter().zip(&ground) {
                assert_eq!(*times, i32::from(ground.is_some()), "{size:?} {ground:?}");
            }
        }
    }

    #[test]
    fn neighbours_are_all_pairs_of_leaves_with_a_shared_side() {
        let mut random = Random(6);
        for _ in 0..500 {
            let size = [1 + random.below(20) as u32, 1 + random.below(20) as u32];
            let ground = ground(&mut random, size);
            let map = GroundCells { size, cell: 1.0, corner: [0.0; 2], ground: &ground };
            let leaves = leaves(&map, 1 << random.below(5));
            let mut found = touching(&map, &leaves);
            found.sort_unstable();
            let span = |leaf: &Leaf, k: usize| (leaf.at[k], leaf.at[k] + leaf.side);
            let mut expected = vec![];
            for (i, a) in (0u32..).zip(&leaves) {
                for (j, b) in (0u32..).zip(&leaves).skip(i as usize + 1) {
                    let overlap = |k| {
                        let ((a0, a1), (b0, b1)) = (span(a, k), span(b, k));
                        i64::from(a1.min(b1)) - i64::from(a0.max(b0))
                    };
                    if overlap(0).min(overlap(1)) == 0 && overlap(0).max(overlap(1)) > 0 {
                        expected.push((i, j));
                    }
                }
            }
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn corners_of_single_cells_are_a_quadtree_of_leaves_of_one_cell() {
        let ground = [Some(0); 6];
        let map = GroundCells { size: [3, 2], cell: 1.0, corner: [0.0; 2], ground: &ground };
        let all: Vec<Leaf> = leaves(&map, 1);
        let corners: std::collections::BTreeSet<[u32; 2]> = (all.iter())
            .flat_map(|leaf| {
                [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, z]| [leaf.at[0] + x, leaf.at[1] + z])
            })
            .collect();
        assert_eq!((all.len(), corners.len()), (6, 12));
    }
}
