//! Routes over chunks of a world that are not loaded, by the gateways of its index.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use navbake_format::{Gateway, NavMesh};
use navbake_navmesh::record::Records;

use crate::scratch::Memory;
use crate::{AStar, Algorithm, NavPoint, NavQuery, PathRequest, Point, Status};

/// A route to a goal over chunks of a world, loaded or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Its length, seen from above, metres: over the ground that is loaded as it is now, and from
    /// one gateway to the next as baked. In a chunk that is not loaded it ends with a straight line
    /// to the goal. It is not proved to be the shortest.
    pub length: f64,
    /// The gateways that it passes. None where it leads over ground that is loaded alone.
    pub passages: Vec<Passage>,
}

/// A gateway of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Its place, y-up metres.
    pub position: [f64; 3],
    /// The chunk that the route enters there: column and row.
    pub into: [i32; 2],
}

/// The start.
const START: u32 = u32::MAX;

/// How far a step of a route is.
#[derive(Clone, Copy)]
enum Step {
    /// At least as far as a straight line: the path over ground that is loaded is searched for when
    /// nothing else may be nearer.
    AtLeast,
    Known,
}

/// What waits: the least length of a route to the goal over a place, the place, the length up to
/// it, the place before it, and whether that length is known.
type Entry = Reverse<(u64, u32, u64, u32, bool)>;

impl NavQuery<'_> {
    /// A route to a goal in a world of which some chunks are loaded, by the
    /// [gateways](navbake_format::Gateway) of its index. `None` where there is no path, whatever is
    /// loaded; where obstacles or filters shut the ground that is loaded; where it needs a link
    /// whose two ends are not on ground that is loaded; and on a navmesh that is not in chunks.
    ///
    /// The goal is in y-up metres. Where its chunk is loaded, there must be ground at most
    /// `vertical` metres above or below it. In a chunk that is not loaded its ground is not known:
    /// the route ends at the place itself, and is `None` only if no ground of the chunk is
    /// connected with the start.
    ///
    /// Follow it by paths to [`Passage::position`], one after the other, while the chunks that it
    /// enters are loaded; ask anew once more of them are there. Obstacles and filters count on the
    /// ground that is loaded only. Lengths within chunks, and over ground that is loaded, are those
    /// of paths by [`Algorithm::Corridor`].
    ///
    /// Method: A\* over gateways. Paths over the ground that is loaded are searched for only where
    /// no other step may be shorter. O(n log n) in gateways and their distances, and a search over
    /// the ground that is loaded for each gateway at its ends that may be best.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let start = query.locate([1.0, 0.0, 1.0], 2.0).expect("ground");
    /// // This navmesh is not in chunks.
    /// assert_eq!(query.route(&start, [4.0, 0.0, 1.0], 2.0, &mut scratch), None);
    /// ```
    pub fn route(
        &self,
        from: &NavPoint,
        to: impl Into<Point>,
        vertical: f64,
        scratch: &mut dyn Memory,
    ) -> Option<Route> {
        let mesh = self.mesh();
        let to = to.into();
        let [x, _, z] = mesh.grid().snap(to.0)?;
        let chunk = mesh.chunk_at([x, z])?;
        let island = mesh.world_island(from.polygon())?;
        let mut goal = None;
        if mesh.is_chunk_loaded(chunk) {
            let place = self.locate(to, vertical)?;
            if mesh.world_island(place.polygon()) != Some(island) {
                return None;
            }
            goal = Some(place);
        }
        let mut search = RouteSearch {
            graph: Graph::of(mesh),
            query: self,
            start: *from,
            goal,
            target: goal.map_or(to.0, |goal| goal.position()),
            chunk: chunk as u32,
            island,
            open: BinaryHeap::new(),
        };
        let (length, passed) = search.run(scratch)?;
        let passages = search.graph.passages(mesh, &passed, chunk as u32);
        Some(Route { length, passages })
    }

    /// Ground that is loaded at a gateway; where an obstacle is on it, beside that.
    fn beside_gateway(&self, own: &Gateway) -> Option<NavPoint> {
        let mesh = self.mesh();
        let [_, height] = mesh.agent_size();
        let (at, aside) = (place(mesh, own), f64::from(own.reach) / mesh.grid().units());
        self.locate(at, height).or_else(|| self.nearest(at, [aside, height, aside]))
    }
}

/// The place of a gateway, metres.
fn place(mesh: &NavMesh<'_>, own: &Gateway) -> [f64; 3] {
    mesh.grid().metres(own.at.map(f64::from))
}

fn flat_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    navbake_navmesh::math::length(b[0] - a[0], b[2] - a[2])
}

/// A search for a route.
struct RouteSearch<'q, 'm> {
    graph: Graph<'m>,
    query: &'q NavQuery<'m>,
    start: NavPoint,
    /// If it is on ground that is loaded.
    goal: Option<NavPoint>,
    target: [f64; 3],
    /// That of the goal, and the island of the world.
    chunk: u32,
    island: u32,
    open: BinaryHeap<Entry>,
}

impl RouteSearch<'_, '_> {
    fn run(&mut self, scratch: &mut dyn Memory) -> Option<(f64, Vec<u32>)> {
        let goal = self.graph.gateways.len() as u32;
        let mut before = alloc::vec![None; goal as usize + 1];
        let start = self.start.position();
        for (number, own) in (0..).zip(self.graph.gateways.iter()) {
            if own.island == self.island && self.is_end(&own) {
                let least = flat_distance(start, place(self.query.mesh(), &own));
                self.add(number, least, START, Step::AtLeast);
            }
        }
        if self.goal.is_some() {
            self.add(goal, flat_distance(start, self.target), START, Step::AtLeast);
        }
        while let Some(Reverse((_, to, length, from, is_known))) = self.open.pop() {
            if before[to as usize].is_some() {
                continue;
            }
            let length = f64::from_bits(length);
            if !is_known {
                if let Some(length) = self.measured(from, to, length, scratch) {
                    self.add(to, length, from, Step::Known);
                }
                continue;
            }
            before[to as usize] = Some(from);
            if to == goal {
                let back = |&g: &u32| before[g as usize].filter(|&before| before != START);
                let mut passed: Vec<u32> =
                    core::iter::successors(back(&goal), |g| back(g)).collect();
                passed.reverse();
                return Some((length, passed));
            }
            self.leave(to, length);
        }
        None
    }

    /// Adds the steps from a gateway.
    fn leave(&mut self, from: u32, length: f64) {
        let Some(own) = self.graph.gateways.get(from as usize) else { return };
        let goal = self.graph.gateways.len() as u32;
        let at = place(self.query.mesh(), &own);
        let least = length + flat_distance(at, self.target);
        match self.goal {
            None if own.chunks.contains(&self.chunk) => self.add(goal, least, from, Step::Known),
            Some(_) if self.is_end(&own) => self.add(goal, least, from, Step::AtLeast),
            _ => {}
        }
        // Ground that is loaded around the start was searched from there.
        let near = self.query.beside_gateway(&own);
        let mesh = self.query.mesh();
        let is_new =
            near.is_some_and(|near| !mesh.on_one_island(near.polygon(), self.start.polygon()));
        let steps = self.graph.first[from as usize]..self.graph.first[from as usize + 1];
        for i in steps {
            let (to, more) = self.graph.distances[i as usize];
            let Some(other) = self.graph.gateways.get(to as usize) else { continue };
            let mut shared = own.chunks.into_iter().filter(|chunk| other.chunks.contains(chunk));
            if shared.any(|chunk| !mesh.is_chunk_loaded(chunk as usize)) {
                self.add(to, length + more, from, Step::Known);
            } else if is_new {
                let straight = flat_distance(at, place(mesh, &other));
                self.add(to, length + straight, from, Step::AtLeast);
            }
        }
    }

    fn add(&mut self, to: u32, length: f64, from: u32, step: Step) {
        let ahead = (self.graph.gateways.get(to as usize))
            .map_or(0.0, |own| flat_distance(place(self.query.mesh(), &own), self.target));
        // Numbers that are not negative are in the order of their bits.
        let bits = [length + ahead, length].map(f64::to_bits);
        self.open.push(Reverse((bits[0], to, bits[1], from, matches!(step, Step::Known))));
    }

    /// Is ground on one side of a gateway loaded, and on the other not?
    fn is_end(&self, own: &Gateway) -> bool {
        let [a, b] = own.chunks.map(|chunk| self.query.mesh().is_chunk_loaded(chunk as usize));
        a != b
    }

    /// The length up to a place over ground that is loaded, `least` if it were straight.
    fn measured(&self, from: u32, to: u32, least: f64, scratch: &mut dyn Memory) -> Option<f64> {
        let mesh = self.query.mesh();
        let own_place = |own: NavPoint| (own, own.position(), 0.0);
        let side = |gateway: u32| {
            let own = self.graph.gateways.get(gateway as usize)?;
            let near = self.query.beside_gateway(&own)?;
            let at = place(mesh, &own);
            Some((near, at, flat_distance(at, near.position())))
        };
        let (a, at, aside) = match from {
            START => own_place(self.start),
            gateway => side(gateway)?,
        };
        let is_goal = to as usize == self.graph.gateways.len();
        let (b, there, beside) = if is_goal { own_place(self.goal?) } else { side(to)? };
        if !self.query.reachable(&a, &b) {
            return None;
        }
        let up_to = least - flat_distance(at, there);
        let request = PathRequest::new(a.position(), b.position())
            .algorithm(Algorithm::Corridor(AStar::default()))
            .polygons(false);
        let path = self.query.find_path(&request, scratch).ok()?;
        (path.status == Status::Reached).then_some(up_to + aside + path.length_xz + beside)
    }
}

/// Gateways with the distances to others.
struct Graph<'m> {
    gateways: Records<'m, Gateway>,
    /// Where the distances of each begin; one more at the end.
    first: Vec<u32>,
    /// The other gateway, and how far it is.
    distances: Vec<(u32, f64)>,
}

impl<'m> Graph<'m> {
    fn of(mesh: &NavMesh<'m>) -> Graph<'m> {
        let gateways = mesh.gateways();
        let mut first = alloc::vec![0; gateways.len() + 1];
        let all = mesh.gateway_distances();
        all.iter().flat_map(|own| own.gateways).for_each(|g| first[g as usize + 1] += 1);
        for g in 1..first.len() {
            first[g] += first[g - 1];
        }
        let mut next = first.clone();
        let mut distances = alloc::vec![(0, 0.0); 2 * all.len()];
        for own in all.iter() {
            let [a, b] = own.gateways;
            for (from, to) in [(a, b), (b, a)] {
                distances[next[from as usize] as usize] = (to, own.length);
                next[from as usize] += 1;
            }
        }
        Graph { gateways, first, distances }
    }

    /// Gateways with the chunks that are entered there; behind the last is the goal's, or ground
    /// that is loaded.
    fn passages(&self, mesh: &NavMesh<'_>, passed: &[u32], goal: u32) -> Vec<Passage> {
        let table = mesh.file().chunks();
        let all: Vec<Gateway> =
            passed.iter().filter_map(|&g| self.gateways.get(g as usize)).collect();
        let into = |k: usize| {
            let is_loaded = |chunk: u32| mesh.is_chunk_loaded(chunk as usize);
            let next = all.get(k + 1);
            let ways = all[k].chunks.into_iter().filter(|&chunk| match next {
                Some(next) => next.chunks.contains(&chunk),
                None => chunk == goal || is_loaded(chunk),
            });
            // Where both gateways are in two chunks: paths over ground that is loaded were searched
            // for up to the second.
            let best = ways.min_by_key(|&chunk| match next {
                Some(_) => is_loaded(chunk),
                None => chunk != goal,
            });
            let chunk = best.unwrap_or(all[k].chunks[0]);
            table.get(chunk as usize).map_or([0; 2], |chunk| chunk.key)
        };
        let passage = |k: usize| Passage { position: place(mesh, &all[k]), into: into(k) };
        (0..all.len()).map(passage).collect()
    }
}
