//! The questions of a unit.

use navbake_search::around::{Areas, MoveLog, Random};
use navbake_search::path::Route;
use navbake_search::{
    Algorithm, MoveRequest, NavMesh, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};

use crate::ground::{Ground, Shared};
use crate::level::{area_names, switch_names, unknown};

/// A unit on a ground, with closed switches, costs of areas, and memory for its searches.
#[derive(Debug)]
pub struct Search {
    ground: Shared,
    filter: QueryFilter,
    /// The version of the ground that the filter and the areas belong to.
    version: u64,
    scratch: Scratch,
    random: Random,
    /// Prefix sums of areas for random places; empty until these are asked for.
    areas: Vec<u64>,
}

/// How a path is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How far the ground may be from both ends, metres along each axis.
    pub reach: [f64; 3],
    /// The planner.
    pub algorithm: Algorithm,
    /// Go as near as possible where the goal cannot be reached.
    pub partial: bool,
}

/// A path, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The outcome.
    pub status: Status,
    /// Start, corners and end on the ground, y-up metres.
    pub points: Vec<[f64; 3]>,
    /// Length in the ground plane, metres. Links do not count.
    pub length: f64,
    /// The cost that the search minimises.
    pub cost: f64,
    /// No path costs less: the search proved it.
    pub optimal: bool,
    /// The links that it takes, in order.
    pub links: Vec<LinkOnPath>,
}

/// A link that a path takes: a ladder, a jump, a ferry.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOnPath {
    /// The point of [`Path::points`] where it begins. It ends at the next one.
    pub point: usize,
    /// The action of the unit on it: `jump`, `climb`, and so on.
    pub kind: &'static str,
    /// Its name, perhaps empty.
    pub name: String,
}

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its end on the ground, y-up metres.
    pub point: [f64; 3],
    /// From the wall that it hit into the ground, `[x, z]`; `None` where it reached its target.
    pub normal: Option<[f64; 2]>,
}

impl Search {
    /// A unit that takes the links of the ground's agent, with the switches closed that the file
    /// says are closed when the level begins.
    ///
    /// # Errors
    /// None for a ground of a level.
    pub fn new(ground: Shared) -> Result<Search, String> {
        let mut filter = QueryFilter::new();
        let version = {
            let ground = ground.read();
            let mesh = ground.world().nav_mesh();
            if !ground.agent().is_empty() {
                filter = filter.agent(&mesh, ground.agent()).map_err(text)?;
            }
            for switch in mesh.file().switches().filter(|switch| switch.closed) {
                filter = filter.block(&mesh, switch.name).map_err(text)?;
            }
            ground.version()
        };
        let (scratch, random, areas) = (Scratch::new(), Random::new(0), vec![]);
        Ok(Search { ground, filter, version, scratch, random, areas })
    }

    /// Closes or opens a switch.
    ///
    /// # Errors
    /// A name that no switch has; the message lists those that there are.
    pub fn set_closed(&mut self, switch: &str, closed: bool) -> Result<(), String> {
        self.change(|filter, mesh| {
            let known = switch_names(mesh.file());
            if !known.iter().any(|name| name == switch) {
                return Err(unknown("switch", switch, &known));
            }
            let changed = match closed {
                true => filter.block(mesh, switch),
                false => filter.unblock(mesh, switch),
            };
            changed.map_err(text)
        })
    }

    /// Sets the cost of a metre on the areas of a name, from 2^-20 to 2^20; infinity forbids them.
    ///
    /// # Errors
    /// A name that no area has, or a cost out of range.
    pub fn set_cost(&mut self, area: &str, cost: f64) -> Result<(), String> {
        self.change(|filter, mesh| {
            let known = area_names(mesh.file());
            if !known.iter().any(|name| name == area) {
                return Err(unknown("area", area, &known));
            }
            filter.cost(mesh, area, cost).map_err(text)
        })
    }

    /// Puts another filter in place of this one, unless there is an error.
    fn change(
        &mut self,
        to: impl FnOnce(QueryFilter, &NavMesh<'_>) -> Result<QueryFilter, String>,
    ) -> Result<(), String> {
        let ground = self.ground.clone();
        let ground = ground.read();
        self.renew(&ground);
        self.filter = to(self.filter.clone(), &ground.world().nav_mesh())?;
        self.areas.clear();
        Ok(())
    }

    /// Brings the filter to the ground of now.
    fn renew(&mut self, ground: &Ground) {
        if self.version != ground.version() {
            self.version = ground.version();
            self.areas.clear();
            // Its memory grows with the mesh, so nothing is refused here; if it were, searches
            // would answer `StaleFilter`.
            let _ = self.filter.refresh(&ground.world().nav_mesh());
        }
    }

    /// Finds a path between two points, y-up metres.
    ///
    /// # Errors
    /// When the planner does not serve the unit; the message names one that does. That there is no
    /// path is no error.
    pub fn path(
        &mut self,
        from: [f64; 3],
        to: [f64; 3],
        settings: &Settings,
    ) -> Result<Path, String> {
        let request = PathRequest::new(from, to)
            .extents(settings.reach)
            .algorithm(settings.algorithm)
            .partial(settings.partial);
        self.ask(|query, memory| {
            let found = query.find_path(&request, memory.scratch).map_err(text)?;
            let links = found.legs().filter_map(|leg| {
                let link = query.mesh().link(leg.link?)?;
                let (kind, name) = (link.kind.name(), link.name.to_owned());
                Some(LinkOnPath { point: leg.points.start, kind, name })
            });
            Ok(Path {
                status: found.status,
                points: found.points.to_vec(),
                length: found.length_xz,
                cost: found.cost,
                optimal: found.certified_optimal,
                links: links.collect(),
            })
        })
    }

    /// Finds a route to a goal over chunks of a world that are loaded or not, y-up metres. Ground
    /// is at most `vertical` metres above or below both.
    ///
    /// # Errors
    /// [`Status::NotLoaded`] where the start is in a chunk that is not loaded, [`Status::OffMesh`]
    /// where no ground is at the start, and [`Status::Unreachable`] where there is no route.
    pub fn route(&mut self, from: [f64; 3], to: [f64; 3], vertical: f64) -> Result<Route, Status> {
        self.ask(|query, memory| {
            let Some(start) = query.locate(from, vertical) else {
                let (mesh, place) = (query.mesh(), query.mesh().grid().snap(from));
                let is_missing = place.is_some_and(|[x, _, z]| mesh.is_missing([x, z]));
                return Err(if is_missing { Status::NotLoaded } else { Status::OffMesh });
            };
            query.route(&start, to, vertical, memory.scratch).ok_or(Status::Unreachable)
        })
    }

    /// The place on the ground nearest to a point, at most `extents` away along each axis.
    pub fn nearest(&mut self, point: [f64; 3], extents: [f64; 3]) -> Option<[f64; 3]> {
        self.ask(|query, _| Some(query.nearest(point, extents)?.position()))
    }

    /// Looks from a point straight towards another one, up to the first wall. `None` where the
    /// first is not on the ground.
    pub fn raycast(&mut self, from: [f64; 3], to: [f64; 3], reach: [f64; 3]) -> Option<Ray> {
        self.ask(|query, _| {
            let hit = query.raycast(&query.end(from, reach)?, to);
            Some(Ray { point: hit.point, normal: hit.wall.map(|wall| wall.normal) })
        })
    }

    /// Moves from a point towards another one, along the walls in between; gives the end. `None`
    /// where the first is not on the ground.
    pub fn move_along(
        &mut self,
        from: [f64; 3],
        to: [f64; 3],
        reach: [f64; 3],
    ) -> Option<[f64; 3]> {
        self.ask(|query, _| {
            let from = query.end(from, reach)?;
            let motion = query.move_along(&from, &MoveRequest::new(to), MoveLog::default());
            Some(query.place(motion.end)?.position())
        })
    }

    /// Can a path lead from one point to another? False is certain.
    pub fn reachable(&mut self, from: [f64; 3], to: [f64; 3], reach: [f64; 3]) -> bool {
        self.ask(|query, _| {
            let ends: [Option<NavPoint>; 2] = [from, to].map(|point| query.end(point, reach));
            matches!(ends, [Some(from), Some(to)] if query.reachable(&from, &to))
        })
    }

    /// How far the nearest wall is from a point, at most `most` metres. `None` where the point is
    /// not on the ground.
    pub fn wall_distance(&mut self, at: [f64; 3], most: f64, reach: [f64; 3]) -> Option<f64> {
        self.ask(|query, memory| {
            let at = query.end(at, reach)?;
            Some(query.wall_distance(&at, most, memory.scratch).distance)
        })
    }

    /// Begins a sequence of random places: one seed, one sequence.
    pub fn seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// The next random place, uniform by area. `None` without ground.
    pub fn random_place(&mut self) -> Option<[f64; 3]> {
        self.ask(|query, memory| {
            if memory.areas.is_empty() {
                memory.areas.resize(query.mesh().polygon_count() as usize, 0);
                query.areas(memory.areas)?;
            }
            let areas = Areas::from_sums(query, memory.areas);
            Some(query.random_place(&areas, memory.random)?.position())
        })
    }

    /// Asks on the ground of now.
    fn ask<R>(&mut self, question: impl FnOnce(&NavQuery<'_>, &mut Memory<'_>) -> R) -> R {
        let ground = self.ground.clone();
        let ground = ground.read();
        self.renew(&ground);
        let query = NavQuery::new(ground.world().nav_mesh()).with_filter(&self.filter);
        let Search { scratch, random, areas, .. } = self;
        question(&query, &mut Memory { scratch, random, areas })
    }
}

/// The memory that questions change.
struct Memory<'a> {
    scratch: &'a mut Scratch,
    random: &'a mut Random,
    areas: &'a mut Vec<u64>,
}

fn text(error: navbake_search::Error) -> String {
    error.to_string()
}
