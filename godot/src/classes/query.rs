//! The questions of a unit.

use godot::global::Error;
use godot::prelude::*;
use navbake_search::{AStar, Algorithm, Status};

use super::{NavbakePath, PathStatus, done, key, point, vector};
use crate::ground::Shared;
use crate::search::{Search, Settings};

/// How paths are searched for.
#[derive(GodotConvert, Var, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum Planner {
    /// The planner that the file was baked for.
    #[default]
    Auto,
    /// A* over polygons, then the shortest path through them.
    Corridor,
    /// A* over the middles of edges between polygons: away from walls.
    Midpoints,
    /// The shortest path. Refuses areas that cost more than others.
    Optimal,
    /// The cheapest path over areas that cost more than others, within 2 %.
    Weighted,
}

impl From<Planner> for Algorithm {
    fn from(planner: Planner) -> Algorithm {
        match planner {
            Planner::Auto => Algorithm::Auto,
            Planner::Corridor => Algorithm::Corridor(AStar::default()),
            Planner::Midpoints => Algorithm::Midpoints(AStar::default()),
            Planner::Optimal => Algorithm::Optimal,
            Planner::Weighted => Algorithm::weighted(Algorithm::GAP),
        }
    }
}

/// The questions of one kind of units on a mesh. `NavbakeMesh.query` makes it.
///
/// Points are in world space. A query is for one thread at a time, else calls wait; several queries
/// on a mesh search at the same time.
#[derive(GodotClass, Debug)]
#[class(tool, no_init)]
pub struct NavbakeQuery {
    /// The planner of paths: `AUTO`, `CORRIDOR`, `MIDPOINTS`, `OPTIMAL` or `WEIGHTED`.
    #[var]
    planner: Planner,
    /// Do paths go as near as possible where the goal cannot be reached?
    #[var]
    partial: bool,
    /// How far the ground may be from points that are asked about, along each axis: 2 m up and
    /// down, nothing sideways.
    #[var]
    reach: Vector3,
    search: Search,
}

impl NavbakeQuery {
    pub(super) fn of(ground: Shared) -> Result<Gd<NavbakeQuery>, String> {
        let (planner, reach) = (Planner::default(), Vector3::new(0.0, 2.0, 0.0));
        let search = Search::new(ground)?;
        Ok(Gd::from_object(NavbakeQuery { planner, partial: false, reach, search }))
    }
}

#[godot_api]
impl NavbakeQuery {
    /// The planner that the file was baked for.
    #[constant]
    const AUTO: i64 = Planner::Auto as i64;
    /// A* over polygons, then the shortest path through them.
    #[constant]
    const CORRIDOR: i64 = Planner::Corridor as i64;
    /// A* over the middles of edges between polygons: away from walls.
    #[constant]
    const MIDPOINTS: i64 = Planner::Midpoints as i64;
    /// The shortest path. Refuses areas that cost more than others.
    #[constant]
    const OPTIMAL: i64 = Planner::Optimal as i64;
    /// The cheapest path over areas that cost more than others, within 2 %.
    #[constant]
    const WEIGHTED: i64 = Planner::Weighted as i64;

    /// Finds a path.
    #[func]
    fn find_path(&mut self, from: Vector3, to: Vector3) -> Gd<NavbakePath> {
        let settings = Settings {
            reach: point(self.reach),
            algorithm: self.planner.into(),
            partial: self.partial,
        };
        NavbakePath::of(self.search.path(point(from), point(to), &settings))
    }

    /// Finds a route to a goal over chunks of a world that are loaded or not. `status` is
    /// `REACHED`, `UNREACHABLE`, `OFF_MESH` or `NOT_LOADED` of `NavbakePath`; `length` is in the
    /// ground plane, metres. `passages` are those from one chunk to the next: `position`, and
    /// `into`, the column and row of the chunk that the route enters there.
    #[func]
    fn find_route(&mut self, from: Vector3, to: Vector3) -> VarDictionary {
        let found = self.search.route(point(from), point(to), f64::from(self.reach.y));
        let status = found.as_ref().err().copied().unwrap_or(Status::Reached);
        let passages = found.iter().flat_map(|route| &route.passages).map(|passage| {
            vdict! { "position" => vector(passage.position), "into" => key(passage.into) }
        });
        let passages: Array<VarDictionary> = passages.collect();
        vdict! {
            "status" => PathStatus::of(status).unwrap_or(PathStatus::Unreachable) as i64,
            "length" => found.as_ref().map_or(0.0, |route| route.length),
            "passages" => &passages,
        }
    }

    /// The place on the ground nearest to a point, at most `within` away along each axis; `null`
    /// where there is none.
    #[func]
    fn nearest(
        &mut self,
        at: Vector3,
        #[opt(default = Vector3::new(2.0, 2.0, 2.0))] within: Vector3,
    ) -> Variant {
        place(self.search.nearest(point(at), point(within)))
    }

    /// Looks straight along the ground. `hit` says whether a wall is in between, `position` where
    /// the ray ends, `normal` points from the wall into the ground. Empty where `from` is not on
    /// the ground.
    #[func]
    fn raycast(&mut self, from: Vector3, to: Vector3) -> VarDictionary {
        let ray = self.search.raycast(point(from), point(to), point(self.reach));
        let Some(ray) = ray else {
            return VarDictionary::new();
        };
        let [x, z] = ray.normal.unwrap_or_default();
        vdict! {
            "hit" => ray.normal.is_some(),
            "position" => vector(ray.point),
            "normal" => vector([x, 0.0, z]),
        }
    }

    /// Moves along the ground and along walls, and gives the end: for characters each frame.
    /// `null` where `from` is not on the ground.
    #[func]
    fn move_along(&mut self, from: Vector3, to: Vector3) -> Variant {
        place(self.search.move_along(point(from), point(to), point(self.reach)))
    }

    /// Can a path lead from one point to another? False is certain; a look-up, not a search.
    #[func]
    fn reachable(&mut self, from: Vector3, to: Vector3) -> bool {
        self.search.reachable(point(from), point(to), point(self.reach))
    }

    /// How far the nearest wall is from a point, at most `most` metres; -1 where the point is not
    /// on the ground.
    #[func]
    fn wall_distance(&mut self, at: Vector3, most: f64) -> f64 {
        self.search.wall_distance(point(at), most, point(self.reach)).unwrap_or(-1.0)
    }

    /// Begins a sequence of random places: one seed, one sequence.
    #[func]
    fn seed(&mut self, seed: i64) {
        self.search.seed(seed as u64);
    }

    /// The next random place, uniform by area; `null` without ground.
    #[func]
    fn random_place(&mut self) -> Variant {
        place(self.search.random_place())
    }

    /// Closes or opens a switch of the level for this query.
    #[func]
    fn set_closed(&mut self, switch: GString, closed: bool) -> Error {
        done("NavbakeQuery.set_closed", self.search.set_closed(&switch.to_string(), closed))
    }

    /// Sets the cost of a metre on the areas of a name; `INF` forbids them.
    #[func]
    fn set_cost(&mut self, area: GString, cost: f64) -> Error {
        done("NavbakeQuery.set_cost", self.search.set_cost(&area.to_string(), cost))
    }
}

/// A place, or `null`.
fn place(at: Option<[f64; 3]>) -> Variant {
    at.map_or(Variant::nil(), |at| vector(at).to_variant())
}
