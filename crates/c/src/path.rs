//! Paths as programs in C see them.

use std::ptr;

use navbake_gridpath::{GridAnswer, GridLeg, GridPlanner, GridQuery, NetworkAnswer};
use navbake_search::path::Leg;
use navbake_search::{NavPath, NavQuery, Status};

use crate::blob::NavbakeMesh;
use crate::request::{
    NAVBAKE_PLANNER_GRID4, NAVBAKE_PLANNER_GRID8, NAVBAKE_PLANNER_HEX,
    NAVBAKE_PLANNER_HIERARCHICAL, NAVBAKE_PLANNER_NETWORK, number,
};

/// A piece of a path that is no link.
pub const NAVBAKE_NO_LINK: u32 = u32::MAX;

/// A part of a path: over ground, or over a link. They alternate, ground first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeLeg {
    /// The link that is taken; NAVBAKE_NO_LINK on ground.
    pub link: u32,
    /// The number of its first point in the path.
    pub first_point: u32,
    /// How many points; a link has two, the last of the leg before and the first of the leg after.
    pub point_count: u32,
    /// The number of its first polygon or cell in the path.
    pub first_polygon: u32,
    /// How many polygons or cells.
    pub polygon_count: u32,
}

impl NavbakeLeg {
    fn of(leg: &Leg) -> NavbakeLeg {
        NavbakeLeg {
            link: leg.link.unwrap_or(NAVBAKE_NO_LINK),
            first_point: leg.points.start as u32,
            point_count: leg.points.len() as u32,
            first_polygon: leg.polygons.start as u32,
            polygon_count: leg.polygons.len() as u32,
        }
    }
}

/// A path. Points, polygons and legs are in the search, until it is used again or freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePath {
    /// Start, corners, end: y-up metres at the height of the surface. Of planners over cells the
    /// middles of all cells. NULL where there are none.
    pub points: *const [f64; 3],
    /// How many points.
    pub point_count: usize,
    /// The polygons that the path leads through, in order; of planners over cells the cells. NULL
    /// where there are none, and over networks.
    pub polygons: *const u32,
    /// How many polygons.
    pub polygon_count: usize,
    /// Length in the ground plane, m.
    pub length_xz: f64,
    /// Length along the surface, m; over cells and networks in straight lines between the points.
    pub length_3d: f64,
    /// The cost that the planner minimises.
    pub cost: f64,
    /// No path from start to goal costs less than this.
    pub bound: f64,
    /// Polygons, cells or points taken off the open list.
    pub expanded: u32,
    /// 1 when no shorter path exists, over cells and networks none over them; else 0.
    pub certified_optimal: u32,
    /// How much more it may cost than the cheapest path, as a share; infinite where nothing is
    /// known.
    pub gap: f64,
    /// The planner that found it: this differs from the requested planner after
    /// NAVBAKE_PLANNER_AUTO, after NAVBAKE_PLANNER_WEIGHTED where all ground costs 1, and after
    /// NAVBAKE_PLANNER_HIERARCHICAL where doors do not decide.
    pub planner: u32,
    /// The number of the goal that the path leads to, of those of navbake_path_to_any.
    pub goal: u32,
    /// Its parts over ground and over links. NULL where there are none.
    pub legs: *const NavbakeLeg,
    /// How many parts.
    pub leg_count: usize,
}

/// What a path points at and its planner's memory does not hold.
#[derive(Default)]
pub(crate) struct Written {
    points: Vec<[f64; 3]>,
    legs: Vec<NavbakeLeg>,
}

impl Written {
    /// A path without points.
    pub(crate) fn nothing(&mut self, planner: u32) -> NavbakePath {
        self.legs.clear();
        NavbakePath {
            points: ptr::null(),
            point_count: 0,
            polygons: ptr::null(),
            polygon_count: 0,
            length_xz: 0.0,
            length_3d: 0.0,
            cost: 0.0,
            bound: 0.0,
            expanded: 0,
            certified_optimal: 0,
            gap: f64::INFINITY,
            planner,
            goal: 0,
            legs: ptr::null(),
            leg_count: 0,
        }
    }

    /// A path over polygons, found over rooms or not.
    pub(crate) fn polygons(
        &mut self,
        path: &NavPath<'_>,
        by_rooms: bool,
        query: &NavQuery<'_>,
    ) -> NavbakePath {
        let planner = match by_rooms {
            true => NAVBAKE_PLANNER_HIERARCHICAL,
            false => number(path.algorithm),
        };
        let nothing = self.nothing(planner);
        self.legs.extend(path.legs().map(|leg| NavbakeLeg::of(&leg)));
        self.with_legs(NavbakePath {
            points: start(path.points),
            point_count: path.points.len(),
            polygons: start(path.polygons).cast(),
            polygon_count: path.polygons.len(),
            length_xz: path.length_xz,
            length_3d: path.length_3d(query),
            cost: path.cost,
            bound: path.bound,
            expanded: path.expanded,
            certified_optimal: u32::from(path.certified_optimal),
            gap: path.gap(),
            goal: path.goal,
            ..nothing
        })
    }

    /// A path over cells.
    pub(crate) fn cells(
        &mut self,
        path: &GridAnswer<'_>,
        query: &GridQuery<'_>,
        mesh: &NavbakeMesh,
    ) -> NavbakePath {
        let planner = match path.planner {
            GridPlanner::Grid4 => NAVBAKE_PLANNER_GRID4,
            GridPlanner::Grid8 => NAVBAKE_PLANNER_GRID8,
            GridPlanner::Hex => NAVBAKE_PLANNER_HEX,
        };
        let nothing = self.nothing(planner);
        let ground = mesh.query();
        let map = query.map();
        self.points.clear();
        self.points.extend(path.cells.iter().map(|&cell| {
            let middle = map.centre(cell);
            ground.locate(middle, map.cell()).map_or(middle, |place| place.position())
        }));
        self.parts(path.links, path.cells.len());
        self.with_legs(NavbakePath {
            points: start(&self.points),
            point_count: self.points.len(),
            polygons: start(path.cells).cast(),
            polygon_count: path.cells.len(),
            length_xz: path.length_xz,
            length_3d: length(&self.points, &self.legs),
            cost: path.cost,
            bound: path.bound,
            expanded: path.expanded,
            certified_optimal: u32::from(path.certified_optimal),
            gap: gap(path.status, path.cost, path.bound),
            goal: path.goal.map_or(0, |goal| goal as u32),
            ..nothing
        })
    }

    /// A path over a network.
    pub(crate) fn routes(&mut self, path: &NetworkAnswer<'_>) -> NavbakePath {
        let nothing = self.nothing(NAVBAKE_PLANNER_NETWORK);
        self.parts(path.links, path.points.len());
        for leg in &mut self.legs {
            (leg.first_polygon, leg.polygon_count) = (0, 0);
        }
        self.with_legs(NavbakePath {
            points: start(path.points),
            point_count: path.points.len(),
            length_xz: path.length_xz,
            length_3d: length(path.points, &self.legs),
            cost: path.cost,
            bound: path.bound,
            expanded: path.expanded,
            certified_optimal: u32::from(path.certified_optimal),
            gap: gap(path.status, path.cost, path.bound),
            goal: path.goal.map_or(0, |goal| goal as u32),
            ..nothing
        })
    }

    /// The parts of a path of this many points, by its links.
    fn parts(&mut self, links: &[GridLeg], points: usize) {
        let mut first = 0;
        let mut add = |link: u32, end: u32, from: u32| {
            let count = end + 1 - from;
            self.legs.push(NavbakeLeg {
                link,
                first_point: from,
                point_count: count,
                first_polygon: from,
                polygon_count: count,
            });
        };
        for leg in links {
            add(NAVBAKE_NO_LINK, leg.at, first);
            add(leg.link, leg.at + 1, leg.at);
            first = leg.at + 1;
        }
        if points > 0 {
            add(NAVBAKE_NO_LINK, points as u32 - 1, first);
        }
    }

    fn with_legs(&self, path: NavbakePath) -> NavbakePath {
        NavbakePath { legs: start(&self.legs), leg_count: self.legs.len(), ..path }
    }
}

/// The first of some values, NULL for none.
fn start<T>(values: &[T]) -> *const T {
    if values.is_empty() { ptr::null() } else { values.as_ptr() }
}

/// How much more a path may cost than the cheapest, as a share.
fn gap(status: Status, cost: f64, bound: f64) -> f64 {
    match status {
        Status::Reached if cost <= bound => 0.0,
        Status::Reached => cost / bound - 1.0,
        _ => f64::INFINITY,
    }
}

/// The length of the straight lines between points, without links.
fn length(points: &[[f64; 3]], legs: &[NavbakeLeg]) -> f64 {
    let ground = legs.iter().filter(|leg| leg.link == NAVBAKE_NO_LINK);
    let lines = ground.flat_map(|leg| {
        let first = leg.first_point as usize;
        points[first..first + leg.point_count as usize].windows(2)
    });
    lines.map(|line| (0..3).map(|k| (line[1][k] - line[0][k]).powi(2)).sum::<f64>().sqrt()).sum()
}
