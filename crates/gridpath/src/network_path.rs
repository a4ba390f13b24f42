//! The path of a search over a network that is done, and what the search has seen.

use alloc::vec::Vec;

use navbake_navmesh::math;
use navbake_search::path::{Ahead, Order};
use navbake_search::{NavPoint, NavQuery, Status};

use crate::GridLeg;
use crate::network::{Edge, NO_LINK, Network, whole};
use crate::network_search::{NetworkAnswer, NetworkBuffer, NetworkSearch};
use crate::scratch::GridNode;
use crate::space::Space;

/// A point that a search has seen, for drawings and tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkVisit {
    /// Where it is, y-up metres.
    pub position: [f64; 3],
    /// The point that it was entered from.
    pub parent: Option<[f64; 3]>,
    /// Its place in the order of expansion, from 1 on; `None` while it is open.
    pub closed: Option<u32>,
    /// The cost of the path to it, m.
    pub cost: f64,
    /// The estimate of the rest, times the weight, m.
    pub estimate: f64,
}

impl NetworkSearch {
    /// The path, when the search is done; before, it has none.
    pub fn path<'s>(&self, network: &Network, buffer: &'s mut NetworkBuffer) -> NetworkAnswer<'s> {
        let progress = &self.progress;
        let status = self.status();
        let nothing = NetworkAnswer {
            expanded: progress.expanded,
            max_open: progress.max_open,
            closed: progress.closed,
            dropped: progress.dropped,
            ..NetworkAnswer::none(status)
        };
        if matches!(status, Status::Looking | Status::Unreachable | Status::OffMesh) {
            return nothing;
        }
        let Some((cost, goal)) = self.trace(network, buffer) else {
            return nothing;
        };
        let length_xz = self.write(network, buffer, [None; 2]);
        let (points, links) = (&buffer.points[..], &buffer.links[..]);
        let mut bound = network.metres(self.bound);
        let mut certified = false;
        let total = network.metres(cost);
        if status == Status::Reached {
            let factor = match (self.rules.order, self.request.a_star.ahead) {
                (Order::Dijkstra, _) => 1.0,
                (Order::AStar, Ahead::Least) => {
                    self.rules.weight.max(1.0) * self.heuristic.most().max(1.0)
                }
                _ => f64::INFINITY,
            };
            if !progress.is_full && !progress.is_hasty && progress.dropped == 0 {
                certified = factor == 1.0;
                bound = bound.max(total / factor * (1.0 - 1e-12));
            }
            bound = if certified { total } else { bound.min(total) };
        }
        NetworkAnswer {
            length_xz,
            cost: total,
            bound,
            points,
            links,
            goal: goal.filter(|_| status == Status::Reached),
            certified_optimal: certified,
            ..nothing
        }
    }

    /// The path of a finished search for another unit: from a place of its own to one of its own,
    /// or to the search's goal.
    ///
    /// The unit goes straight to one of the path's first places that it sees, and leaves the path
    /// likewise. `None` where it sees none, or the search did not reach a goal. The cost of the
    /// path is exact; a search might find a cheaper one, so it is not certified.
    ///
    /// The query and the buffer are those of the search. The buffer's memory of the search is kept,
    /// so that several units can be served.
    pub fn fitted<'s>(
        &self,
        network: &Network,
        query: &NavQuery<'_>,
        from: &NavPoint,
        end: Option<&NavPoint>,
        buffer: &'s mut NetworkBuffer,
    ) -> Option<NetworkAnswer<'s>> {
        /// Places at either end of the path that are tried.
        const TRIED: usize = 4;
        if self.status() != Status::Reached {
            return None;
        }
        self.trace(network, buffer)?;
        let space = self.points(network, buffer);
        let route = &buffer.route;
        let place = |at: usize| space.place(route[at].0);
        let (first, joined) = (0..route.len().min(TRIED))
            .rev()
            .find_map(|at| Some((at, query.straight_cost(from, place(at))?)))?;
        let (last, left) = match end {
            None => (route.len() - 1, 0.0),
            Some(end) => (first.max(route.len().saturating_sub(TRIED))..route.len())
                .find_map(|at| Some((at, query.straight_cost(place(at), end)?)))?,
        };
        let along = route[first].1.abs_diff(route[last].1);
        let cost = network.metres(whole(joined) + along + whole(left));
        buffer.route.truncate(last + 1);
        buffer.route.drain(..first);
        let length_xz = self.write(network, buffer, [Some(from), end]);
        Some(NetworkAnswer {
            length_xz,
            cost,
            points: &buffer.points,
            links: &buffer.links,
            ..NetworkAnswer::none(Status::Reached)
        })
    }

    /// The place of the goal that was reached.
    pub fn goal(&self, network: &Network, buffer: &mut NetworkBuffer) -> Option<NavPoint> {
        let goal = self.progress.reached.and_then(|_| self.trace(network, buffer))?.1?;
        buffer.to.get(goal).copied()
    }

    /// The direction of the first line of what the search has found, a unit vector `[x, z]`.
    ///
    /// `None` before the first step, and for a search from the goals.
    pub fn direction(&self, network: &Network, buffer: &NetworkBuffer) -> Option<[f64; 2]> {
        if self.reverse || self.failed.is_some() {
            return None;
        }
        let space = self.points(network, buffer);
        let nodes = buffer.nodes.get(..self.progress.used as usize)?;
        let end = self.progress.reached.unwrap_or(self.progress.last);
        let back =
            core::iter::successors(nodes.get(end as usize), |n| nodes.get(n.parent as usize));
        let first = back.filter(|node| node.parent != u32::MAX).last()?;
        let [from, to] = [self.request.from, *space.place(first.state)].map(|place| {
            let [x, _, z] = place.position();
            [x, z]
        });
        math::towards(from, to)
    }

    /// Finds the states of the path, from its start, and gives its cost and the number of its goal.
    fn trace(&self, network: &Network, buffer: &mut NetworkBuffer) -> Option<(u64, Option<usize>)> {
        let mut route = core::mem::take(&mut buffer.route);
        route.clear();
        let found = self.traced(network, buffer, &mut route);
        buffer.route = route;
        found
    }

    fn traced(
        &self,
        network: &Network,
        buffer: &NetworkBuffer,
        route: &mut Vec<(u32, u64)>,
    ) -> Option<(u64, Option<usize>)> {
        let space = self.points(network, buffer);
        let nodes = buffer.nodes.get(..self.progress.used as usize)?;
        // The closed point that is nearest to a goal in the plane; of those the cheapest.
        let nearest = || {
            let closed = (0u32..).zip(nodes).filter(|(_, node)| node.closed > 0 && !self.reverse);
            let apart = |node: &GridNode| {
                let from = space.place(node.state).point();
                let square = |to: &NavPoint| {
                    let d = [0, 1].map(|k| i64::from(to.point()[k]) - i64::from(from[k]));
                    d[0] * d[0] + d[1] * d[1]
                };
                space.to.iter().map(square).min()
            };
            let nearest = closed.min_by_key(|(_, node)| (apart(node), node.g, node.state));
            nearest.map(|(n, _)| n)
        };
        let end = self.progress.reached.or_else(nearest)?;
        let node = nodes.get(end as usize)?;
        let back = core::iter::successors(Some(node), |node| nodes.get(node.parent as usize));
        route.extend(back.map(|node| (node.state, node.g)));
        if !self.reverse {
            route.reverse();
        }
        let goal = route.last()?.0.checked_sub(space.goal(0));
        Some((node.g, goal.map(|goal| goal as usize)))
    }

    /// Writes the points and links of the path, with ends of its own where there are some, and
    /// gives the length of its straight lines, m.
    fn write(
        &self,
        network: &Network,
        buffer: &mut NetworkBuffer,
        [from, end]: [Option<&NavPoint>; 2],
    ) -> f64 {
        let (mut points, mut links) =
            (core::mem::take(&mut buffer.points), core::mem::take(&mut buffer.links));
        points.clear();
        links.clear();
        let (space, route) = (self.points(network, buffer), &buffer.route);
        points.extend(from.map(NavPoint::position));
        points.extend(route.iter().map(|&(state, _)| space.place(state).position()));
        points.extend(end.map(NavPoint::position));
        let before = u32::from(from.is_some());
        for (at, pair) in (before..).zip(route.windows(2)) {
            let out = network.edges(pair[0].0, false);
            let own = out.iter().filter(|edge| edge.other == pair[1].0);
            let cheapest = own.min_by_key(|edge| (edge.cost, edge.link));
            let link = cheapest.map_or(NO_LINK, |edge: &Edge| edge.link);
            if link != NO_LINK {
                links.push(GridLeg { at, link });
            }
        }
        let is_link = |at: usize| links.iter().any(|leg| leg.at as usize == at);
        let lines = points.windows(2).enumerate().filter(|(at, _)| !is_link(*at));
        let length_xz =
            lines.map(|(_, p)| math::length(p[1][0] - p[0][0], p[1][2] - p[0][2])).sum();
        (buffer.points, buffer.links) = (points, links);
        length_xz
    }

    /// What the search has seen, in the order in which points were found.
    pub fn visits<'s>(
        &'s self,
        network: &'s Network,
        buffer: &'s NetworkBuffer,
    ) -> impl Iterator<Item = NetworkVisit> + 's {
        let space = self.points(network, buffer);
        let used = if self.failed.is_some() { 0 } else { self.progress.used as usize };
        let nodes = buffer.nodes.get(..used).unwrap_or_default();
        let seen = nodes.iter().filter(|node| node.g != GridNode::DROPPED);
        seen.map(move |node| {
            let position = |node: &GridNode| space.place(node.state).position();
            NetworkVisit {
                position: position(node),
                parent: nodes.get(node.parent as usize).map(position),
                closed: (node.closed > 0).then_some(node.closed),
                cost: network.metres(node.g),
                estimate: network.metres(self.rules.weighted(space.estimate(node.state))),
            }
        })
    }
}
