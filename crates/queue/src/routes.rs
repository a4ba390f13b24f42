//! Queues over a route network.

use alloc::vec::Vec;

use navbake_gridpath::{
    Network, NetworkAnswer, NetworkBuffer, NetworkJoining, NetworkRequest, NetworkSearch,
};
use navbake_search::{Error, NavPoint, NavQuery};

use crate::share::near_goal;
use crate::{PathQueue, Space};

/// Points of a search over a network that take as long as an entry over polygons: one takes about
/// 1,300 instructions.
const POINTS: u32 = 2;

/// Queues over a route network; answers are [`NetworkAnswer`]s.
#[derive(Clone, Copy, Debug)]
pub struct Routes;

/// A route network, and the query on its navmesh that it was made with.
#[derive(Clone, Copy)]
pub struct RoutesQuery<'q> {
    /// The network.
    pub network: &'q Network,
    /// The query.
    pub ground: &'q NavQuery<'q>,
}

/// A search over a network, and before it the joining of its ends.
#[derive(Clone, Debug)]
pub struct RoutesSearch {
    joining: NetworkJoining,
    /// Once the ends are joined.
    search: Option<NetworkSearch>,
}

/// A request for a path over a route network, with goals of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutesRequest {
    settings: NetworkRequest<'static>,
    to: Vec<NavPoint>,
}

impl From<&NetworkRequest<'_>> for RoutesRequest {
    fn from(request: &NetworkRequest<'_>) -> RoutesRequest {
        RoutesRequest { settings: request.settings(), to: request.to.to_vec() }
    }
}

impl PathQueue<Routes> {
    /// Makes a queue over a route network for `units` units and `lanes` searches at once.
    pub fn over_routes(units: usize, lanes: usize) -> PathQueue<Routes> {
        PathQueue::with_memory(units, lanes, NetworkBuffer::default())
    }
}

impl Space for Routes {
    type Query<'q> = RoutesQuery<'q>;
    type Request = RoutesRequest;
    type Search = RoutesSearch;
    type Memory = NetworkBuffer;
    type Place = NavPoint;
    type Path<'s> = NetworkAnswer<'s>;

    fn begin(
        query: &RoutesQuery<'_>,
        request: &RoutesRequest,
        memory: &mut NetworkBuffer,
    ) -> Result<(RoutesSearch, u32), Error> {
        let RoutesRequest { settings, to } = request;
        let request = NetworkRequest { to, ..*settings };
        let joining = query.network.start_joining(query.ground, &request, memory)?;
        Ok((RoutesSearch { joining, search: None }, 0))
    }

    fn step(
        query: &RoutesQuery<'_>,
        search: &mut RoutesSearch,
        memory: &mut NetworkBuffer,
        work: u32,
    ) -> (u32, bool) {
        let RoutesSearch { joining, search } = search;
        let Some(search) = search else {
            // A line takes about as long as an entry over polygons.
            let (tried, done) = joining.step(query.network, query.ground, memory, work);
            if done {
                *search = Some(joining.clone().search(query.network, query.ground, memory));
            }
            return (tried, false);
        };
        let before = search.expanded();
        let status = search.step(query.network, memory, work.saturating_mul(POINTS));
        (search.expanded().saturating_sub(before).div_ceil(POINTS), status.is_over())
    }

    fn path<'s>(
        query: &RoutesQuery<'_>,
        search: &RoutesSearch,
        memory: &'s mut NetworkBuffer,
    ) -> (NetworkAnswer<'s>, u32) {
        let path = match &search.search {
            Some(search) => search.path(query.network, memory),
            // The queue reads paths of searches that are over.
            None => {
                let joining = search.joining.clone();
                joining.search(query.network, query.ground, memory).path(query.network, memory)
            }
        };
        (path, path.points.len() as u32 / POINTS)
    }

    fn fitted<'s>(
        query: &RoutesQuery<'_>,
        search: &RoutesSearch,
        request: &RoutesRequest,
        end: Option<NavPoint>,
        memory: &'s mut NetworkBuffer,
    ) -> Option<(NetworkAnswer<'s>, u32)> {
        let RoutesQuery { network, ground } = query;
        let from = &request.settings.from;
        let path = search.search.as_ref()?.fitted(network, ground, from, end.as_ref(), memory)?;
        Some((path, path.points.len() as u32 / POINTS))
    }

    fn place_near_goal(
        query: &RoutesQuery<'_>,
        search: &RoutesSearch,
        next: &mut u32,
        spacing: f64,
        memory: &mut NetworkBuffer,
    ) -> Option<NavPoint> {
        let goal = search.search.as_ref()?.goal(query.network, memory)?;
        near_goal(query.ground, &goal, next, spacing)
    }

    fn aim_like(request: &mut RoutesRequest, other: &RoutesRequest) {
        request.to.clone_from(&other.to);
    }

    fn aim_at(_: &RoutesQuery<'_>, request: &mut RoutesRequest, place: NavPoint) {
        request.to.clear();
        request.to.push(place);
    }

    fn ends(request: &RoutesRequest) -> [[f64; 3]; 2] {
        let from = &request.settings.from;
        [from, request.to.first().unwrap_or(from)].map(NavPoint::position)
    }

    fn direction(
        query: &RoutesQuery<'_>,
        search: &RoutesSearch,
        memory: &mut NetworkBuffer,
    ) -> Option<[f64; 2]> {
        search.search.as_ref()?.direction(query.network, memory)
    }
}
