//! Joins the ends of a path to a network, in steps.

use navbake_search::{Error, Heuristic, NavQuery};

use crate::network::{Nearest, Network, whole};
use crate::network_search::{NetworkBuffer, NetworkRequest, NetworkSearch};

impl Network {
    /// Begins to join start and goals to the network, in steps: where an end sees many points, or
    /// few of many, that takes longer than the search.
    ///
    /// The buffer belongs to it, and then to the search, until its path is read.
    ///
    /// # Errors
    /// Those of [`Network::find_path`].
    pub fn start_joining(
        &self,
        query: &NavQuery<'_>,
        request: &NetworkRequest<'_>,
        buffer: &mut NetworkBuffer,
    ) -> Result<NetworkJoining, Error> {
        if request.a_star.heuristic == Heuristic::Table && !self.has_landmarks() {
            return Err(Error::NoLandmarks);
        }
        let NetworkBuffer { to, weights, starts, goals, direct, pending, .. } = buffer;
        to.clear();
        to.extend_from_slice(request.to);
        weights.clear();
        let ends = core::iter::once(&request.from).chain(request.to);
        weights.extend(ends.map(|end| query.weight(end.polygon())));
        starts.clear();
        goals.clear();
        direct.clear();
        pending.clear();
        let request = request.settings();
        Ok(NetworkJoining { request, end: 0, nearest: Nearest::default() })
    }
}

/// Start and goals of a search that are being joined to the network.
#[derive(Clone, Debug)]
pub struct NetworkJoining {
    request: NetworkRequest<'static>,
    /// The end that is being joined: the start is 0.
    end: u32,
    nearest: Nearest,
}

impl NetworkJoining {
    /// Tries up to `most` straight lines. Gives their number, and whether that was all.
    ///
    /// Network, query and buffer are those that it began with.
    pub fn step(
        &mut self,
        network: &Network,
        query: &NavQuery<'_>,
        buffer: &mut NetworkBuffer,
        most: u32,
    ) -> (u32, bool) {
        let NetworkBuffer { to, starts, goals, direct, pending, .. } = buffer;
        let mut tried = 0;
        while tried < most {
            let number = self.end.checked_sub(1);
            let end = match number {
                None => &self.request.from,
                Some(number) => match to.get(number as usize) {
                    Some(goal) => goal,
                    None => return (tried, true),
                },
            };
            tried += 1;
            if let Some(point) = network.next_near(&mut self.nearest, end, pending) {
                let Some(cost) = network.line(query, end, number.is_none(), point) else {
                    continue;
                };
                self.nearest.taken += 1;
                match number {
                    None => starts.push((point, cost)),
                    Some(number) => goals.push((point, number, cost)),
                }
                continue;
            }
            if let Some(number) = number {
                let straight = query.straight_cost(&self.request.from, end);
                direct.extend(straight.map(|cost| (number, whole(cost))));
            }
            self.end += 1;
            self.nearest = Nearest::default();
            pending.clear();
        }
        (tried, self.end as usize > to.len())
    }

    /// The search, once all ends are joined.
    pub fn search(
        self,
        network: &Network,
        query: &NavQuery<'_>,
        buffer: &mut NetworkBuffer,
    ) -> NetworkSearch {
        buffer.starts.sort_unstable();
        buffer.goals.sort_unstable();
        buffer.reserve(network.point_count() as usize + 1 + buffer.to.len());
        NetworkSearch::new(network, query, &self.request, buffer)
    }
}
