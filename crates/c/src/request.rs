//! Requests for paths: the planner and its options.

use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic, PathRequest};

use crate::pointers::{Output, triple};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOk};
use crate::status::{Fault, guard};

/// A planner: A* over polygons, near the optimum, not always at it.
pub const NAVBAKE_PLANNER_CORRIDOR: u32 = 0;
/// A planner: the shortest path in the ground plane. Refuses a mesh with costs (NAVBAKE_COSTS) and
/// a start on blocked ground (NAVBAKE_START_BLOCKED).
pub const NAVBAKE_PLANNER_OPTIMAL: u32 = 1;
/// A planner: A* over the middles of portals, away from walls.
pub const NAVBAKE_PLANNER_MIDPOINTS: u32 = 2;
/// A planner: the cheapest path over ground with costs, within a proved gap; see navbake_set_cost.
pub const NAVBAKE_PLANNER_WEIGHTED: u32 = 3;
/// A planner: over rooms from door to door, at most a tenth longer than the shortest. Refuses a
/// mesh without rooms (NAVBAKE_NO_ROOMS), and all requests that NAVBAKE_PLANNER_OPTIMAL refuses.
pub const NAVBAKE_PLANNER_HIERARCHICAL: u32 = 4;
/// A planner: the one that the file was baked for. NAVBAKE_PLANNER_OPTIMAL where the mesh has
/// labels, nothing has a cost and the options of CORRIDOR are the usual ones, else
/// NAVBAKE_PLANNER_CORRIDOR.
pub const NAVBAKE_PLANNER_AUTO: u32 = 5;

/// An order of the open list: the least sum of path behind and estimate ahead.
pub const NAVBAKE_ORDER_A_STAR: u32 = 0;
/// An order of the open list: the least estimate ahead.
pub const NAVBAKE_ORDER_GREEDY: u32 = 1;
/// An order of the open list: the least path behind.
pub const NAVBAKE_ORDER_DIJKSTRA: u32 = 2;

/// An estimate of the remaining distance: the straight line.
pub const NAVBAKE_HEURISTIC_EUCLIDEAN: u32 = 0;
/// An estimate of the remaining distance: zero.
pub const NAVBAKE_HEURISTIC_ZERO: u32 = 1;
/// An estimate of the remaining distance: |dx| + |dz|.
pub const NAVBAKE_HEURISTIC_MANHATTAN: u32 = 2;
/// An estimate of the remaining distance: steps along axes and diagonals.
pub const NAVBAKE_HEURISTIC_OCTILE: u32 = 3;
/// An estimate of the remaining distance: the greater of |dx| and |dz|.
pub const NAVBAKE_HEURISTIC_LONGEST_AXIS: u32 = 4;
/// An estimate of the remaining distance: by landmarks. Refused where the mesh has none
/// (NAVBAKE_NO_LANDMARKS).
pub const NAVBAKE_HEURISTIC_TABLE: u32 = 5;

/// The assumed cost of a metre ahead: that of the cheapest ground.
pub const NAVBAKE_AHEAD_LEAST: u32 = 0;
/// The assumed cost of a metre ahead: `ahead_cost` of the request.
pub const NAVBAKE_AHEAD_TYPICAL: u32 = 1;
/// The assumed cost of a metre ahead: the mean under the straight line to the goal.
pub const NAVBAKE_AHEAD_SAMPLED: u32 = 2;
/// The assumed cost of a metre ahead: that of the ground at the node.
pub const NAVBAKE_AHEAD_OWN: u32 = 3;

/// A request for a path. Let navbake_path_request fill it in, then change individual fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePathRequest {
    /// From here, y-up metres.
    pub from: [f64; 3],
    /// To here, y-up metres.
    pub to: [f64; 3],
    /// How far from both the ground may be, m along each axis.
    pub extents: [f64; 3],
    /// One of NAVBAKE_PLANNER_*.
    pub planner: u32,
    /// Not 0: where the goal cannot be reached, go as near as possible.
    pub partial: u32,
    /// Not 0: the path needs no polygons, which saves time where the mesh has labels.
    pub points_only: u32,
    /// WEIGHTED: not 0 to search with landmarks, which the mesh must have.
    pub landmarks: u32,
    /// WEIGHTED: the accepted gap to the cheapest path, as a share: 0.02 for 2 %.
    pub gap: f64,
    /// CORRIDOR and MIDPOINTS: the order of the open list, one of NAVBAKE_ORDER_*.
    pub order: u32,
    /// CORRIDOR and MIDPOINTS: the estimate of the remaining distance, one of NAVBAKE_HEURISTIC_*.
    pub heuristic: u32,
    /// CORRIDOR and MIDPOINTS: the factor of that estimate, 1 usually.
    pub weight: f64,
    /// CORRIDOR and MIDPOINTS: the assumed cost of a metre ahead, one of NAVBAKE_AHEAD_*.
    pub ahead: u32,
    /// CORRIDOR and MIDPOINTS: not 0 to search from the goal.
    pub reverse: u32,
    /// The cost of NAVBAKE_AHEAD_TYPICAL.
    pub ahead_cost: f64,
    /// CORRIDOR and MIDPOINTS: the longest open list; 0 for no limit but the nodes of the search.
    pub max_open: u32,
}

impl NavbakePathRequest {
    pub(crate) fn request(&self) -> Result<PathRequest, Fault> {
        Ok(PathRequest::new(self.from, self.to)
            .extents(self.extents)
            .algorithm(self.algorithm()?)
            .partial(self.partial != 0)
            .polygons(self.points_only == 0))
    }

    fn algorithm(&self) -> Result<Algorithm, Fault> {
        Ok(match self.planner {
            NAVBAKE_PLANNER_CORRIDOR => Algorithm::Corridor(self.a_star()?),
            NAVBAKE_PLANNER_OPTIMAL => Algorithm::Optimal,
            NAVBAKE_PLANNER_MIDPOINTS => Algorithm::Midpoints(self.a_star()?),
            NAVBAKE_PLANNER_WEIGHTED => {
                Algorithm::Weighted { gap: self.gap, landmarks: self.landmarks != 0 }
            }
            // Searches over rooms ignore the algorithm.
            NAVBAKE_PLANNER_HIERARCHICAL => Algorithm::Auto,
            // Another algorithm would ignore the options.
            NAVBAKE_PLANNER_AUTO => match self.a_star()? {
                usual if usual == AStar::default() => Algorithm::Auto,
                a_star => Algorithm::Corridor(a_star),
            },
            _ => return Err(NavbakeBadArgument),
        })
    }

    fn a_star(&self) -> Result<AStar, Fault> {
        Ok(AStar {
            order: match self.order {
                NAVBAKE_ORDER_A_STAR => Order::AStar,
                NAVBAKE_ORDER_GREEDY => Order::Greedy,
                NAVBAKE_ORDER_DIJKSTRA => Order::Dijkstra,
                _ => return Err(NavbakeBadArgument),
            },
            heuristic: match self.heuristic {
                NAVBAKE_HEURISTIC_EUCLIDEAN => Heuristic::Euclidean,
                NAVBAKE_HEURISTIC_ZERO => Heuristic::Zero,
                NAVBAKE_HEURISTIC_MANHATTAN => Heuristic::Manhattan,
                NAVBAKE_HEURISTIC_OCTILE => Heuristic::Octile,
                NAVBAKE_HEURISTIC_LONGEST_AXIS => Heuristic::LongestAxis,
                NAVBAKE_HEURISTIC_TABLE => Heuristic::Table,
                _ => return Err(NavbakeBadArgument),
            },
            weight: self.weight,
            ahead: match self.ahead {
                NAVBAKE_AHEAD_LEAST => Ahead::Least,
                NAVBAKE_AHEAD_TYPICAL => Ahead::Typical(self.ahead_cost),
                NAVBAKE_AHEAD_SAMPLED => Ahead::Sampled,
                NAVBAKE_AHEAD_OWN => Ahead::Own,
                _ => return Err(NavbakeBadArgument),
            },
            reverse: self.reverse != 0,
            max_open: (self.max_open != 0).then_some(self.max_open),
        })
    }
}

/// The number of the planner that found a path.
pub(crate) fn number(algorithm: Algorithm) -> u32 {
    match algorithm {
        Algorithm::Corridor(_) => NAVBAKE_PLANNER_CORRIDOR,
        Algorithm::Optimal => NAVBAKE_PLANNER_OPTIMAL,
        Algorithm::Midpoints(_) => NAVBAKE_PLANNER_MIDPOINTS,
        Algorithm::Weighted { .. } => NAVBAKE_PLANNER_WEIGHTED,
        _ => NAVBAKE_PLANNER_AUTO,
    }
}

/// Fills in a request between two points with the usual values: ground up to 2 m above or below
/// them, the planner that uses the baked tables (NAVBAKE_PLANNER_AUTO) with the usual options,
/// nothing partial, a gap of 2 %.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// `from` and `to` are NULL or three doubles each; `request` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_request(
    from: *const f64,
    to: *const f64,
    request: *mut NavbakePathRequest,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (from, to, out) = unsafe { (triple(from)?, triple(to)?, Output::new(request)?) };
        let usual = PathRequest::new(from, to);
        out.put(NavbakePathRequest {
            from: usual.from,
            to: usual.to,
            extents: usual.extents,
            planner: NAVBAKE_PLANNER_AUTO,
            partial: 0,
            points_only: 0,
            landmarks: 0,
            gap: Algorithm::GAP,
            order: NAVBAKE_ORDER_A_STAR,
            heuristic: NAVBAKE_HEURISTIC_EUCLIDEAN,
            weight: 1.0,
            ahead: NAVBAKE_AHEAD_LEAST,
            reverse: 0,
            ahead_cost: 1.0,
            max_open: 0,
        });
        Ok(NavbakeOk)
    })
}
