//! The path of a search over a network that is done, and what the search has seen.

use alloc::vec::Vec;

use navbake_navmesh::math;
use navbake_search::path::{Ahead, Order};
use navbake_search::{NavPoint, Status};

use crate::GridLeg;
use crate::network::{Edge, NO_LINK, Network};
use crate::network_search::{NetworkAnswer, NetworkBuffer, NetworkSearch, NetworkVisit};
use crate::scratch::GridNode;
use crate::space::Space;

impl NetworkSearch<'_> {
    /// The path, when the search is done; before, it has none.
    pub fn path<'s>(&self, network: &Network, buffer: &'s mut NetworkBuffer) -> NetworkAnswer<'s> {
        let progress = &self.progress;
        let status = self.status();
        let nothing = NetworkAnswer {
            status,
            length_xz: 0.0,
            cost: 0.0,
            bound: 0.0,
            points: &[],
            links: &[],
            goal: None,
            expanded: progress.expanded,
            max_open: progress.max_open,
            closed: progress.closed,
            dropped: progress.dropped,
            certified_optimal: false,
        };
        if matches!(status, Status::Looking | Status::Unreachable | Status::OffMesh) {
            return nothing;
        }
        let (mut points, mut links) =
            (core::mem::take(&mut buffer.points), core::mem::take(&mut buffer.links));
        let found = self.walked(network, buffer, &mut points, &mut links);
        (buffer.points, buffer.links) = (points, links);
        let Some((cost, goal)) = found else {
            return nothing;
        };
        let (points, links) = (&buffer.points[..], &buffer.links[..]);
        let is_link = |at: usize| links.iter().any(|leg| leg.at as usize == at);
        let lines = points.windows(2).enumerate().filter(|(at, _)| !is_link(*at));
        let length_xz =
            lines.map(|(_, p)| math::length(p[1][0] - p[0][0], p[1][2] - p[0][2])).sum();
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

    /// Writes the points and links of the path, and gives its cost and the number of its goal.
    fn walked(
        &self,
        network: &Network,
        buffer: &NetworkBuffer,
        points: &mut Vec<[f64; 3]>,
        links: &mut Vec<GridLeg>,
    ) -> Option<(u64, Option<usize>)> {
        points.clear();
        links.clear();
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
                self.request.to.iter().map(square).min()
            };
            let nearest = closed.min_by_key(|(_, node)| (apart(node), node.g, node.state));
            nearest.map(|(n, _)| n)
        };
        let end = self.progress.reached.or_else(nearest)?;
        let node = nodes.get(end as usize)?;
        let (cost, mut goal) = (node.g, node.state);
        let back = core::iter::successors(Some(node), |node| nodes.get(node.parent as usize));
        let mut states: Vec<u32> = back.map(|node| node.state).collect();
        if self.reverse {
            goal = *states.last()?;
        } else {
            states.reverse();
        }
        points.extend(states.iter().map(|&state| space.place(state).position()));
        for (at, pair) in (0u32..).zip(states.windows(2)) {
            let own = network.edges(pair[0], false).iter().filter(|edge| edge.other == pair[1]);
            let cheapest = own.min_by_key(|edge| (edge.cost, edge.link));
            let link = cheapest.map_or(NO_LINK, |edge: &Edge| edge.link);
            if link != NO_LINK {
                links.push(GridLeg { at, link });
            }
        }
        Some((cost, goal.checked_sub(space.goal(0)).map(|goal| goal as usize)))
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
