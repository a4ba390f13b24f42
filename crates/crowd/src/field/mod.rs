//! Flow fields: the way from every place to the nearest of several goals, looked up.
//!
//! A field is made once for its goals by a search that spreads from all of them over the navmesh
//! (`spread.rs`). For each polygon it keeps the *roots* that paths lead to from there, goals and
//! corners, each with the part of the polygon that it sees. The shortest path from a place goes
//! straight to the root for which the length to the root and on from it is least.

mod spread;
mod trim;

use alloc::vec::Vec;

use navbake_navmesh::math::{float, grid_distance};
use navbake_search::parts::{towards, turn};
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, PolyId, Scratch};

use crate::Error;

/// The shortest ways from all places of a navmesh to the nearest of several goals.
///
/// One field serves any number of units: [`Field::next`] looks up where each of them goes next, and
/// how far its goal is. Goals are the same for all of them; several groups have a field each.
///
/// ```
/// # let bytes = navbake_testkit::level();
/// use navbake_crowd::Field;
/// use navbake_search::{NavMeshBuf, NavQuery};
///
/// let nav = NavMeshBuf::open_for(&bytes, "default")?; // a floor of 10 m by 9 m
/// let query = NavQuery::new(nav.mesh());
/// let goals = [[1.0, 0.0, 2.0], [8.0, 0.0, 2.0]].map(|p| query.locate(p, 1.0).expect("ground"));
/// let field = Field::new(&query, &goals)?;
/// let unit = query.locate([6.0, 0.0, 2.0], 1.0).expect("ground");
/// let next = field.next(&query, &unit)?.expect("a way");
/// assert_eq!((next.goal, next.remaining, next.towards.position()), (1, 2.0, [8.0, 0.0, 2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    /// For each polygon its first view; one more at the end.
    starts: Vec<u32>,
    views: Vec<View>,
    roots: Vec<Root>,
    /// The number of the last change of the mesh that it is for.
    generation: u32,
    /// Grid units of a metre.
    units: f64,
}

/// Where a unit goes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Next {
    /// The next corner of its path, or its goal: it is in sight.
    ///
    /// At a corner around which the ground takes more than one turn, as at the axis of a ramp that
    /// winds up, it can be the same point on another polygon: the path goes on from there.
    pub towards: NavPoint,
    /// Length of its path to the goal in the ground plane, m.
    pub remaining: f64,
    /// The number of the goal.
    pub goal: usize,
}

/// A goal, or a corner at which paths to one turn.
#[derive(Clone, Copy, Debug)]
struct Root {
    place: NavPoint,
    /// The root after it on the way; a goal its own.
    after: u32,
    goal: u32,
    /// Length of the path from it to the goal, grid units.
    length: f64,
    /// Does the ground there take more than one turn? Then not all of it sees the root after it.
    is_wide: bool,
}

/// A part of a polygon, as a root sees it.
#[derive(Clone, Copy, Debug)]
struct View {
    /// The directions of its right and left side from the root; both zero for the whole polygon.
    sides: [[i32; 2]; 2],
    /// Those of the root.
    at: [i32; 2],
    length: f64,
    root: u32,
}

impl View {
    /// Length of the path from a place over the root; `None` where the root does not see it.
    #[inline]
    fn length_from(&self, place: [i32; 2]) -> Option<f64> {
        let d = towards(self.at, place);
        let [right, left] = self.sides;
        (turn(right, d) >= 0 && turn(d, left) >= 0)
            .then(|| self.length + grid_distance(self.at, place))
    }
}

impl Field {
    /// Finds the ways to the nearest of the goals, over what the query leaves open now.
    ///
    /// Goals on blocked ground are left out. Time: a search over the whole mesh, more than one for
    /// a path needs. It allocates.
    ///
    /// # Errors
    /// [`Error::Search`] where ground has costs, or the filter is that of another mesh.
    /// [`Error::Links`] where the query allows links: a field leads over none, and a path over one
    /// may be shorter. [`Error::NoGoal`] for a place of another mesh, or of this before it changed.
    /// [`Error::TooManyCones`] where more than 128 cones of sight a polygon are needed.
    pub fn new(query: &NavQuery<'_>, goals: &[NavPoint]) -> Result<Field, Error> {
        let there = |goal: &NavPoint| {
            query.on_polygon_grid(goal.polygon(), goal.point()).as_ref() == Some(goal)
        };
        if let Some(number) = goals.iter().position(|goal| !there(goal)) {
            return Err(Error::NoGoal(number));
        }
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
        let open = |goal: &NavPoint| !query.is_forbidden(goal.polygon());
        if let Some(goal) = goals.iter().find(|goal| open(goal)) {
            // What a certified path refuses, a field does as well.
            query.start_path_between(goal, goal, &request, &mut Scratch::new())?;
        }
        if query.links().next().is_some() {
            return Err(Error::Links);
        }
        let goals = (0..).zip(goals).filter(|(_, goal)| open(goal));
        spread::spread(query, goals)
    }

    /// Where a unit goes next from a place; `None` where no way leads to a goal, and on blocked
    /// ground.
    ///
    /// The length is that of the shortest path, up to rounding (a share of 1e-12). Time: linear in
    /// the views of the polygon, a few on most meshes.
    ///
    /// # Errors
    /// [`Error::StaleField`] where the mesh has changed since the field was made. That doors have
    /// opened or closed is not noticed: make another field then.
    pub fn next(&self, query: &NavQuery<'_>, place: &NavPoint) -> Result<Option<Next>, Error> {
        let Some((root, length)) = self.way(query, place)? else {
            return Ok(None);
        };
        let remaining = length / self.units;
        Ok(Some(Next { towards: root.place, remaining, goal: root.goal as usize }))
    }

    /// The whole path of a unit: from its place over each corner to its goal. False, and an empty
    /// list, where no way leads to a goal.
    ///
    /// # Errors
    /// As [`Field::next`].
    pub fn path(
        &self,
        query: &NavQuery<'_>,
        place: &NavPoint,
        path: &mut Vec<NavPoint>,
    ) -> Result<bool, Error> {
        path.clear();
        let Some((mut root, _)) = self.way(query, place)? else {
            return Ok(false);
        };
        path.push(*place);
        path.push(root.place);
        while root.length > 0.0 {
            root = &self.roots[root.after as usize];
            path.push(root.place);
        }
        Ok(true)
    }

    /// The root that a path from a place goes to first, and the length of the path, grid units.
    #[inline]
    fn way(&self, query: &NavQuery<'_>, place: &NavPoint) -> Result<Option<(&Root, f64)>, Error> {
        let polys = query.mesh().polys();
        let count = self.starts.len() as u32 - 1;
        if polys.pieces.generation != self.generation || polys.len() != count {
            return Err(Error::StaleField);
        }
        let point = place.point();
        let Some((root, length)) = self.best(place.polygon(), point) else {
            return Ok(None);
        };
        let mut root = &self.roots[root as usize];
        // At a corner the path goes on from it.
        let is_there = |root: &Root| {
            root.place.point() == point
                && (!root.is_wide || root.place.polygon() == place.polygon())
        };
        while root.length > 0.0 && is_there(root) {
            root = &self.roots[root.after as usize];
        }
        Ok(Some((root, length)))
    }

    /// The root of the shortest path from a place of a polygon, and its length, grid units.
    #[inline]
    fn best(&self, polygon: PolyId, place: [i32; 2]) -> Option<(u32, f64)> {
        let at = polygon.0 as usize;
        let range = *self.starts.get(at)? as usize..*self.starts.get(at + 1)? as usize;
        let mut best: Option<(u32, f64)> = None;
        for view in self.views.get(range)? {
            if let Some(length) = view.length_from(place)
                && best.is_none_or(|best| length < best.1)
            {
                best = Some((view.root, length));
            }
        }
        best
    }

    /// Memory that it takes, bytes.
    pub fn size(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.views) + size_of_val(&*self.roots)
    }
}

/// The part of a portal that a root sees between two sides, as its ends; all relative to the root.
fn seen_part(sides: [[i32; 2]; 2], portal: [[i32; 2]; 2]) -> [[f64; 2]; 2] {
    let [right, left] = portal.map(float);
    let along = [left[0] - right[0], left[1] - right[1]];
    // Positive where `b` is to the left of `a`.
    let turn = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
    let meets = |side: [i32; 2], end: f64| {
        let down = turn(float(side), along);
        let share = if down > 0.0 { -turn(float(side), right) / down } else { end };
        let share = share.clamp(0.0, 1.0);
        [right[0] + share * along[0], right[1] + share * along[1]]
    };
    [meets(sides[0], 0.0), meets(sides[1], 1.0)]
}
