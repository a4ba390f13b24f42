//! Requests for paths: the planner and its options.

use navbake_gridpath::{GridPlanner, GridRequest, NetworkRequest};
use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic, NavPoint, PathRequest};

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
/// A planner: over square cells along x and z. This and the next three need navbake_use_cells or
/// navbake_use_network before (NAVBAKE_NO_CELLS).
pub const NAVBAKE_PLANNER_GRID4: u32 = 6;
/// A planner: over square cells, diagonally too.
pub const NAVBAKE_PLANNER_GRID8: u32 = 7;
/// A planner: over hexagons.
pub const NAVBAKE_PLANNER_HEX: u32 = 8;
/// A planner: over a route network, which start and goal join by sight.
pub const NAVBAKE_PLANNER_NETWORK: u32 = 9;

/// No unit: cells that any unit stands on are blocked.
pub const NAVBAKE_NO_UNIT: u32 = u32::MAX;

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
/// An estimate of the remaining distance: by landmarks. Refused where the mesh has none, or none
/// over cells or network were made for the planner (NAVBAKE_NO_LANDMARKS): navbake_use_landmarks.
pub const NAVBAKE_HEURISTIC_TABLE: u32 = 5;
/// The usual estimate of the planner: OCTILE of GRID8, MANHATTAN of GRID4 and of HEX, where it
/// counts steps, else EUCLIDEAN.
pub const NAVBAKE_HEURISTIC_USUAL: u32 = 6;

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
    /// This and the fields up to `max_open` are for CORRIDOR, MIDPOINTS, the planners over cells
    /// and NETWORK. The order of the open list, one of NAVBAKE_ORDER_*.
    pub order: u32,
    /// The estimate of the remaining distance, one of NAVBAKE_HEURISTIC_*.
    pub heuristic: u32,
    /// The factor of that estimate, 1 usually.
    pub weight: f64,
    /// The assumed cost of a metre ahead, one of NAVBAKE_AHEAD_*.
    pub ahead: u32,
    /// Not 0 to search from the goal.
    pub reverse: u32,
    /// The cost of NAVBAKE_AHEAD_TYPICAL.
    pub ahead_cost: f64,
    /// The longest open list; 0 for no limit but the nodes of the search.
    pub max_open: u32,
    /// GRID4 and GRID8: not 0 for diagonal steps past one blocked cell.
    pub corner_cutting: u32,
    /// GRID8: the cost of a diagonal step in straight ones, usually the square root of 2.
    pub diagonal_cost: f64,
    /// Planners over cells: added for a step that does not go straight on, in straight steps of
    /// cost 1.
    pub turn_penalty: f64,
    /// Planners over cells and NETWORK: the unit that asks; the cells that it stands on itself are
    /// free for it. See navbake_stand. NAVBAKE_NO_UNIT for none.
    pub unit: u32,
}

/// What a planner searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Over {
    Polygons,
    Cells(GridPlanner),
    Routes,
}

/// What a planner searches.
pub(crate) fn over(planner: u32) -> Result<Over, Fault> {
    Ok(match planner {
        NAVBAKE_PLANNER_GRID4 => Over::Cells(GridPlanner::Grid4),
        NAVBAKE_PLANNER_GRID8 => Over::Cells(GridPlanner::Grid8),
        NAVBAKE_PLANNER_HEX => Over::Cells(GridPlanner::Hex),
        NAVBAKE_PLANNER_NETWORK => Over::Routes,
        NAVBAKE_PLANNER_CORRIDOR..=NAVBAKE_PLANNER_AUTO => Over::Polygons,
        _ => return Err(NavbakeBadArgument),
    })
}

impl NavbakePathRequest {
    /// A request over cells, without its goals.
    pub(crate) fn over_cells(&self, planner: GridPlanner) -> Result<GridRequest<'static>, Fault> {
        Ok(GridRequest {
            a_star: self.a_star(planner.usual_heuristic())?,
            corner_cutting: self.corner_cutting != 0,
            diagonal_cost: self.diagonal_cost,
            turn_penalty: self.turn_penalty,
            partial: self.partial != 0,
            unit: self.unit(),
            ..GridRequest::new(self.from, &[], planner)
        })
    }

    /// A request over a network, without its goals.
    pub(crate) fn over_routes(&self, from: NavPoint) -> Result<NetworkRequest<'static>, Fault> {
        let a_star = self.a_star(Heuristic::Euclidean)?;
        let partial = self.partial != 0;
        Ok(NetworkRequest { a_star, partial, unit: self.unit(), ..NetworkRequest::new(from, &[]) })
    }

    fn unit(&self) -> Option<u32> {
        (self.unit != NAVBAKE_NO_UNIT).then_some(self.unit)
    }

    pub(crate) fn request(&self) -> Result<PathRequest, Fault> {
        Ok(PathRequest::new(self.from, self.to)
            .extents(self.extents)
            .algorithm(self.algorithm()?)
            .partial(self.partial != 0)
            .polygons(self.points_only == 0))
    }

    fn algorithm(&self) -> Result<Algorithm, Fault> {
        let usual = Heuristic::Euclidean;
        Ok(match self.planner {
            NAVBAKE_PLANNER_CORRIDOR => Algorithm::Corridor(self.a_star(usual)?),
            NAVBAKE_PLANNER_OPTIMAL => Algorithm::Optimal,
            NAVBAKE_PLANNER_MIDPOINTS => Algorithm::Midpoints(self.a_star(usual)?),
            NAVBAKE_PLANNER_WEIGHTED => {
                Algorithm::Weighted { gap: self.gap, landmarks: self.landmarks != 0 }
            }
            // Searches over rooms ignore the algorithm.
            NAVBAKE_PLANNER_HIERARCHICAL => Algorithm::Auto,
            // Another algorithm would ignore the options.
            NAVBAKE_PLANNER_AUTO => match self.a_star(usual)? {
                a_star if a_star == AStar::default() => Algorithm::Auto,
                a_star => Algorithm::Corridor(a_star),
            },
            _ => return Err(NavbakeBadArgument),
        })
    }

    fn a_star(&self, usual: Heuristic) -> Result<AStar, Fault> {
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
                NAVBAKE_HEURISTIC_USUAL => usual,
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
            heuristic: NAVBAKE_HEURISTIC_USUAL,
            weight: 1.0,
            ahead: NAVBAKE_AHEAD_LEAST,
            reverse: 0,
            ahead_cost: 1.0,
            max_open: 0,
            corner_cutting: 0,
            diagonal_cost: std::f64::consts::SQRT_2,
            turn_penalty: 0.0,
            unit: NAVBAKE_NO_UNIT,
        });
        Ok(NavbakeOk)
    })
}
