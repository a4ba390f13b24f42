//! Queues over a navmesh.

use navbake_rooms::{RoomMemory, RoomScratch, RoomSearch};
use navbake_search::{Algorithm, Error, NavPath, NavPoint, NavQuery, PathRequest, Scratch};

use crate::share::{place_near_goal, shared};
use crate::{PathQueue, Space};

/// Polygons of a path that take as long as an entry of an open list to make points of.
const FUNNEL: u32 = 8;

/// The cost of an entry of a search over weighted ground.
const WEIGHTED: u32 = 4;

/// Entries of labels that are read in the time of an entry of an open list.
const READ: u32 = 64;

/// Queues over the polygons of a navmesh; answers are [`NavPath`]s.
#[derive(Clone, Copy, Debug)]
pub struct Mesh;

/// A request for a path over a navmesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshRequest {
    request: PathRequest,
    /// Is it searched over rooms?
    by_rooms: bool,
}

impl From<&PathRequest> for MeshRequest {
    fn from(request: &PathRequest) -> MeshRequest {
        MeshRequest { request: *request, by_rooms: false }
    }
}

impl PathQueue<Mesh> {
    /// Makes a queue over a navmesh for `units` units and `lanes` searches at once.
    ///
    /// Each search has a [`Scratch`] of its own.
    pub fn new(units: usize, lanes: usize) -> PathQueue {
        PathQueue::with_scratch(units, lanes, &Scratch::new())
    }

    /// The same with copies of a scratch, which may be bounded.
    pub fn with_scratch(units: usize, lanes: usize, scratch: &Scratch) -> PathQueue {
        PathQueue::with_memory(units, lanes, RoomScratch::with(scratch.clone()))
    }

    /// [`PathQueue::ask`] for a path over rooms: see [`RoomSearch`].
    pub fn ask_over_rooms(&mut self, unit: u64, request: &PathRequest) -> bool {
        self.ask(unit, MeshRequest { request: *request, by_rooms: true })
    }
}

/// The cost of an entry of a search.
fn price(search: &RoomSearch) -> u32 {
    match search.algorithm() {
        Algorithm::Weighted { .. } => WEIGHTED,
        _ => 1,
    }
}

/// The work of an answer besides its search.
///
/// The way along the corners of labels is walked from polygon to polygon; reading them was counted
/// before. Where ground has costs, lines past the polygons of a search are tried.
fn work(path: &NavPath<'_>, searched: bool) -> u32 {
    let polygons = path.polygons.len() as u32;
    let costs = (path.cost - path.length_xz).abs() > 1e-9 * path.length_xz;
    match path.by_tables {
        true => polygons,
        false if searched && costs => polygons,
        false => polygons / FUNNEL,
    }
}

impl Space for Mesh {
    type Query<'q> = NavQuery<'q>;
    type Request = MeshRequest;
    type Search = RoomSearch;
    type Memory = RoomScratch;
    type Place = NavPoint;
    type Path<'s> = NavPath<'s>;

    fn begin(
        query: &NavQuery<'_>,
        request: &MeshRequest,
        memory: &mut RoomScratch,
    ) -> Result<(RoomSearch, u32), Error> {
        let search = match request.by_rooms {
            true => RoomSearch::new(query, &request.request, memory)?,
            false => query.start_path(&request.request, memory.ground()).map(RoomSearch::from)?,
        };
        let looked = search.looked().div_ceil(READ);
        Ok((search, looked))
    }

    fn step(
        query: &NavQuery<'_>,
        search: &mut RoomSearch,
        memory: &mut RoomScratch,
        work: u32,
    ) -> (u32, bool) {
        let (before, price) = (search.expanded(), price(search));
        let status = search.step(query, memory, (work / price).max(1));
        let taken = search.expanded().saturating_sub(before);
        (taken.saturating_mul(price), status.is_over())
    }

    fn path<'s>(
        query: &NavQuery<'_>,
        search: &RoomSearch,
        memory: &'s mut RoomScratch,
    ) -> (NavPath<'s>, u32) {
        let path = search.path(query, memory);
        (path, work(&path, search.expanded() > 0))
    }

    fn fitted<'s>(
        query: &NavQuery<'_>,
        search: &RoomSearch,
        request: &MeshRequest,
        end: Option<NavPoint>,
        memory: &'s mut RoomScratch,
    ) -> Option<(NavPath<'s>, u32)> {
        let path = shared(search, query, request.request.from, end.as_ref(), memory.ground())?;
        Some((path, work(&path, search.expanded() > 0)))
    }

    fn place_near_goal(
        query: &NavQuery<'_>,
        search: &RoomSearch,
        next: &mut u32,
        spacing: f64,
        memory: &mut RoomScratch,
    ) -> Option<NavPoint> {
        place_near_goal(search, query, next, spacing, memory.ground())
    }

    fn aim_like(request: &mut MeshRequest, other: &MeshRequest) {
        request.request.to = other.request.to;
        request.by_rooms = other.by_rooms;
    }

    fn aim_at(_: &NavQuery<'_>, request: &mut MeshRequest, place: NavPoint) {
        request.request.to = place.position();
    }

    fn ends(request: &MeshRequest) -> [[f64; 3]; 2] {
        [request.request.from, request.request.to]
    }

    fn direction(
        query: &NavQuery<'_>,
        search: &RoomSearch,
        memory: &mut RoomScratch,
    ) -> Option<[f64; 2]> {
        search.direction(query, memory)
    }
}
