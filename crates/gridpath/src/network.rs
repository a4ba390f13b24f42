//! Route networks for one kind of unit: points, and what the edges between them cost.
//!
//! An edge of the file is a straight line over the ground. With a filter some of them are shut by
//! doors, some are dearer, and links come in: their ends become points, joined to the points that
//! they see as the ends of a path are.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use navbake_format::{Grid, NetworkPoint, NetworkView};
use navbake_search::around::PolyPoint;
use navbake_search::{NavPoint, NavQuery, PolyId};

use crate::network_landmarks::NetworkLandmarks;

/// Units of cost in a grid unit: costs are whole numbers, so that sums are exact.
const SCALE: f64 = 1024.0;

/// No link.
pub(crate) const NO_LINK: u32 = u32::MAX;

/// An edge from a point, or into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The point on its other side.
    pub(crate) other: u32,
    /// The link that it is, or [`NO_LINK`].
    pub(crate) link: u32,
    pub(crate) cost: u64,
}

/// Steps by point.
#[derive(Clone, Debug, Default)]
struct Edges {
    first: Vec<u32>,
    items: Vec<Edge>,
}

impl Edges {
    /// Sorts steps, each with the point that lists it.
    fn new(count: usize, mut steps: Vec<(u32, Edge)>) -> Edges {
        steps.sort_by_key(|(at, edge)| (*at, edge.other, edge.cost, edge.link));
        let before = |p: usize| steps.partition_point(|(at, _)| (*at as usize) < p) as u32;
        let first = (0..=count).map(before).collect();
        Edges { first, items: steps.into_iter().map(|(_, edge)| edge).collect() }
    }

    fn of(&self, point: u32) -> &[Edge] {
        let start = |p: usize| self.first.get(p).map_or(0, |&first| first as usize);
        let at = point as usize;
        self.items.get(start(at)..start(at + 1)).unwrap_or_default()
    }
}

/// A step from a point of a network to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkStep {
    /// The point that it leads to.
    pub to: u32,
    /// Its cost, in metres of plain ground.
    pub cost: f64,
    /// The number of the link that it is, if it is one.
    pub link: Option<u32>,
}

/// A route network as one kind of unit sees it: with its weights, what is closed, and its links.
///
/// An edge costs what the ground below its straight line costs, times its factor. It is left out
/// where the line is not free, or leads onto forbidden ground from other ground. The ends of links
/// are points too, and joined to the nearest points that they see, as starts and goals are.
/// Costs are rounded up to 1/1024 grid units.
///
/// ```
/// # fn run(
/// #     nav: navbake_search::NavMesh<'_>,
/// # ) -> Result<(), navbake_search::Error> {
/// use navbake_gridpath::{Network, NetworkBuffer, NetworkRequest};
/// use navbake_search::{NavQuery, QueryFilter};
///
/// let filter = QueryFilter::new().weights(&nav, "tank")?;
/// let query = NavQuery::new(nav).with_filter(&filter);
/// let patrol = nav.file().networks(nav.class()).find(|network| network.name == "patrol");
/// let network = Network::new(&patrol.expect("a network of this name"), &query);
///
/// let at = |point: [f64; 3]| query.locate(point, 2.0).expect("a point on the ground");
/// let goals = [at([8.0, 0.0, 5.0])];
/// let request = NetworkRequest::new(at([1.0, 0.0, 1.0]), &goals);
/// let mut buffer = NetworkBuffer::default(); // one a thread
/// let path = network.find_path(&query, &request, &mut buffer)?;
/// # let _ = path.points;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    grid: Grid,
    points: Vec<NavPoint>,
    /// The weight of the ground at each point.
    weights: Vec<f64>,
    /// Steps out of points, and into them.
    edges: [Edges; 2],
    /// Start and goal are joined to this many points; 0 for all.
    joined: usize,
    /// The least cost of a metre.
    pub(crate) least: f64,
    /// Links by their ends, which are points.
    pub(crate) links: Vec<([u32; 2], u64)>,
    buckets: Buckets,
    standing: Vec<(u32, u32)>,
    pub(crate) landmarks: NetworkLandmarks,
}

impl Network {
    /// What a network of the file means to a unit, by the filter of a query on its mesh.
    ///
    /// Follows each edge over the mesh, and rays from the ends of links.
    pub fn new(network: &NetworkView<'_>, query: &NavQuery<'_>) -> Network {
        let place = |point: NetworkPoint| PolyPoint::new(point.polygon, point.at);
        let found = network.points().map(|point| query.place(place(point)));
        // A point that is not on its polygon has no edges.
        let found: Vec<Option<NavPoint>> = found.collect();
        let nowhere = || query.link_end(PolyId(0), [0; 2]);
        let mut points: Vec<NavPoint> =
            found.iter().map(|point| point.unwrap_or_else(nowhere)).collect();
        let mut steps = vec![];
        for (from, own) in (0u32..).zip(&found) {
            let Some(own) = own else {
                continue;
            };
            for edge in network.edges_of(from) {
                let other = found.get(edge.to as usize).copied().flatten();
                if let Some(cost) = other.and_then(|other| query.straight_cost(own, &other)) {
                    steps.push(([from, edge.to], NO_LINK, whole(cost * f64::from(edge.factor))));
                }
            }
        }
        let mut links = vec![];
        for (number, link) in query.links() {
            let ends = query.ends_of_link(&link).map(|end| query.place(end));
            if let [Some(from), Some(to)] = ends {
                let at = points.len() as u32;
                points.extend([from, to]);
                let cost = whole(link.cost * query.mesh().grid().units());
                steps.push(([at, at + 1], number, cost));
                links.push(([at, at + 1], cost));
            }
        }
        let on_ground: Vec<bool> = found
            .iter()
            .map(Option::is_some)
            .chain(core::iter::repeat_n(true, 2 * links.len()))
            .collect();
        let mut own = Network {
            grid: query.mesh().grid(),
            weights: points.iter().map(|point| query.weight(point.polygon())).collect(),
            buckets: Buckets::new(&points, &on_ground),
            points,
            edges: [Edges::default(), Edges::default()],
            joined: network.joined as usize,
            least: query.least_weight(),
            links,
            standing: vec![],
            landmarks: NetworkLandmarks::default(),
        };
        let mut pending = BinaryHeap::new();
        for &([from, to], _) in &own.links {
            own.each_seen(query, own.points[from as usize], false, &mut pending, |point, cost| {
                steps.push(([point, from], NO_LINK, cost));
            });
            own.each_seen(query, own.points[to as usize], true, &mut pending, |point, cost| {
                steps.push(([to, point], NO_LINK, cost));
            });
        }
        steps.retain(|([from, to], ..)| from != to);
        let count = own.points.len();
        own.edges = [0, 1].map(|k| {
            let by = |&(ends, link, cost): &([u32; 2], u32, u64)| {
                (ends[k], Edge { other: ends[1 - k], link, cost })
            };
            Edges::new(count, steps.iter().map(by).collect())
        });
        own
    }

    /// The number of points, ends of links included.
    pub fn point_count(&self) -> u32 {
        self.points.len() as u32
    }

    /// The steps out of points that are open, links included.
    pub fn edge_count(&self) -> usize {
        self.edges[0].items.len()
    }

    /// A point of the network, y-up metres.
    pub fn point(&self, number: u32) -> Option<[f64; 3]> {
        self.points.get(number as usize).map(NavPoint::position)
    }

    /// The number of the point nearest to a place in space, y-up metres; of equally near ones the
    /// lowest. `None` where the network has no points. Looks at all of them.
    pub fn nearest_point(&self, place: [f64; 3]) -> Option<u32> {
        let apart = |point: &NavPoint| -> f64 {
            let at = point.position();
            (0..3).map(|k| (at[k] - place[k]) * (at[k] - place[k])).sum()
        };
        let all = (0u32..).zip(&self.points);
        all.min_by(|a, b| apart(a.1).total_cmp(&apart(b.1))).map(|(number, _)| number)
    }

    /// A unit stands on a point: it is blocked for all others.
    pub fn stand(&mut self, point: u32, unit: u32) {
        if let Err(at) = self.standing.binary_search(&(point, unit)) {
            self.standing.insert(at, (point, unit));
        }
    }

    /// A unit no longer stands on a point.
    pub fn leave(&mut self, point: u32, unit: u32) {
        if let Ok(at) = self.standing.binary_search(&(point, unit)) {
            self.standing.remove(at);
        }
    }

    /// Is a point free for a unit: does no other unit block it?
    pub(crate) fn is_open(&self, point: u32, unit: Option<u32>) -> bool {
        let first = self.standing.partition_point(|&(other, _)| other < point);
        let mut here = self.standing[first..].iter().take_while(|&&(other, _)| other == point);
        here.all(|&(_, other)| Some(other) == unit)
    }

    pub(crate) fn place(&self, point: u32) -> Option<&NavPoint> {
        self.points.get(point as usize)
    }

    pub(crate) fn weight(&self, point: u32) -> f64 {
        self.weights.get(point as usize).copied().unwrap_or(1.0)
    }

    /// The steps out of a point, or into it.
    pub(crate) fn edges(&self, point: u32, reverse: bool) -> &[Edge] {
        self.edges[usize::from(reverse)].of(point)
    }

    /// The steps out of a point that are open, links included.
    pub fn steps(&self, point: u32) -> impl ExactSizeIterator<Item = NetworkStep> + '_ {
        self.edges(point, false).iter().map(|edge| NetworkStep {
            to: edge.other,
            cost: self.metres(edge.cost),
            link: (edge.link != NO_LINK).then_some(edge.link),
        })
    }

    /// A whole number of units as a cost, m.
    pub(crate) fn metres(&self, cost: u64) -> f64 {
        cost as f64 / (SCALE * self.grid.units())
    }

    /// Calls `f` with each point that an end of a path is joined to, and the cost of the straight
    /// line: from the end if it is the path's start, else to it.
    fn each_seen(
        &self,
        query: &NavQuery<'_>,
        end: NavPoint,
        is_start: bool,
        pending: &mut BinaryHeap<Near>,
        mut f: impl FnMut(u32, u64),
    ) {
        let mut nearest = Nearest::default();
        pending.clear();
        while let Some(point) = self.next_near(&mut nearest, &end, pending) {
            if let Some(cost) = self.line(query, &end, is_start, point) {
                nearest.taken += 1;
                f(point, cost);
            }
        }
    }

    /// The next of the points near an end of a path, until it is joined to as many as it may be.
    pub(crate) fn next_near(
        &self,
        nearest: &mut Nearest,
        end: &NavPoint,
        pending: &mut BinaryHeap<Near>,
    ) -> Option<u32> {
        self.buckets.next(nearest, &self.points, end.point(), self.joined, pending)
    }

    /// The cost of the straight line between an end of a path and a point, if it is free.
    pub(crate) fn line(
        &self,
        query: &NavQuery<'_>,
        end: &NavPoint,
        is_start: bool,
        point: u32,
    ) -> Option<u64> {
        let own = self.points.get(point as usize)?;
        let ends = if is_start { [end, own] } else { [own, end] };
        query.straight_cost(ends[0], ends[1]).map(whole)
    }
}

/// Grid units as a whole number of units of cost, rounded up: an estimate that is rounded down
/// then never falls by more than a step costs.
pub(crate) fn whole(cost: f64) -> u64 {
    let units = cost * SCALE;
    let down = units as u64;
    down + u64::from(down as f64 != units)
}

/// An estimate in grid units as a whole number of units of cost, a little less than exact.
pub(crate) fn below(estimate: f64) -> u64 {
    const BELOW: f64 = 1.0 - 1.0 / (1u64 << 48) as f64;
    (estimate * SCALE * BELOW) as u64
}

/// A point whose distance is known: the square of it, and its number.
pub(crate) type Near = Reverse<(i64, u32)>;

/// How far a search for the points near a place is. Points found and not yet given are pending.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    /// Rings of squares looked at.
    ring: i64,
    /// Points given, where all are.
    next: usize,
    /// Points that were of use.
    pub(crate) taken: usize,
}

/// Points by the squares that they are in, to find those near a place.
#[derive(Clone, Debug, Default)]
struct Buckets {
    corner: [i32; 2],
    side: i64,
    /// Columns and rows.
    size: [i64; 2],
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Buckets {
    /// Sorts the points that are on the ground into squares, two in each on average.
    fn new(points: &[NavPoint], on_ground: &[bool]) -> Buckets {
        let own = || (0u32..).zip(points).zip(on_ground).filter(|(_, on)| **on).map(|(p, _)| p);
        let of = |pick: fn(i32, i32) -> i32, k: usize| own().map(|p| p.1.point()[k]).reduce(pick);
        let all = [0, 1].map(|k| Some([of(i32::min, k)?, of(i32::max, k)?]));
        let [Some([left, right]), Some([near, far])] = all else {
            return Buckets { side: 1, size: [0; 2], ..Buckets::default() };
        };
        let [wide, deep] = [[left, right], [near, far]]
            .map(|[least, most]| i64::from(most) - i64::from(least) + 1);
        let mut side = (2 * wide.saturating_mul(deep) / points.len().max(1) as i64).isqrt().max(1);
        // A row of points does not take a square a grid unit.
        side = side.max((wide + deep) / (points.len() as i64 + 1));
        let size = [wide, deep].map(|length| length / side + 1);
        let mut buckets =
            Buckets { corner: [left, near], side, size, first: vec![], items: vec![] };
        let bucket = |p: &NavPoint| {
            let [column, row] = buckets.square(p.point());
            (row * size[0] + column) as u32
        };
        let mut all: Vec<(u32, u32)> = own().map(|(i, p)| (bucket(p), i)).collect();
        all.sort_unstable();
        let count = (size[0] * size[1]) as u32;
        let before = |b: u32| all.partition_point(|&(own, _)| own < b) as u32;
        buckets.first = (0..=count).map(before).collect();
        buckets.items = all.into_iter().map(|(_, i)| i).collect();
        buckets
    }

    /// Column and row of the square at a place, or of the nearest one.
    fn square(&self, at: [i32; 2]) -> [i64; 2] {
        [0, 1].map(|k| {
            let along = (i64::from(at[k]) - i64::from(self.corner[k])).div_euclid(self.side);
            along.clamp(0, (self.size[k] - 1).max(0))
        })
    }

    /// The next point, the nearest first, until `most` were taken; with 0 each of all, in any
    /// order.
    fn next(
        &self,
        nearest: &mut Nearest,
        points: &[NavPoint],
        at: [i32; 2],
        most: usize,
        pending: &mut BinaryHeap<Near>,
    ) -> Option<u32> {
        if most == 0 {
            nearest.next += 1;
            return self.items.get(nearest.next - 1).copied();
        }
        if nearest.taken >= most {
            return None;
        }
        let (own, rings) = (self.square(at), self.size[0].max(self.size[1]));
        loop {
            // Points of further rings are farther away than this.
            let reach = (nearest.ring - 1) * self.side;
            if let Some(&Reverse((apart, point))) = pending.peek()
                && (nearest.ring >= rings || (reach >= 0 && apart <= reach * reach))
            {
                pending.pop();
                return Some(point);
            }
            if nearest.ring >= rings {
                return None;
            }
            self.each_in_ring(own, nearest.ring, |point| {
                let to = points[point as usize].point();
                let d = [0, 1].map(|k| i64::from(to[k]) - i64::from(at[k]));
                pending.push(Reverse((d[0] * d[0] + d[1] * d[1], point)));
            });
            nearest.ring += 1;
        }
    }

    /// Calls `f` with the points of the squares that are `ring` squares away.
    fn each_in_ring(&self, [column, row]: [i64; 2], ring: i64, mut f: impl FnMut(u32)) {
        let rows = (row - ring).max(0)..=(row + ring).min(self.size[1] - 1);
        for z in rows {
            let step = if (z - row).abs() == ring { 1 } else { (2 * ring).max(1) };
            let mut x = column - ring;
            while x <= column + ring {
                if (0..self.size[0]).contains(&x) {
                    let bucket = (z * self.size[0] + x) as usize;
                    let range = self.first[bucket] as usize..self.first[bucket + 1] as usize;
                    self.items[range].iter().for_each(|&point| f(point));
                }
                x += step;
            }
        }
    }
}
