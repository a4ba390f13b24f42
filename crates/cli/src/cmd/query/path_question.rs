//! Options of `query path`, which all planners share.

use std::path::PathBuf;

use clap::Args;

use super::finish::Finish;
use super::ground::{Common, Ends};
use crate::failure::Failure;
use crate::grid_args::GridOptions;
use crate::search_args::{PlannerChoice, SearchOptions, refuse_unused};
use crate::vehicle_args::VehicleOptions;

/// Options of `query path`.
#[derive(Debug, Args)]
pub(crate) struct PathQuestion {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten)]
    pub(super) ends: Ends,
    #[command(flatten)]
    pub(super) planner: PlannerChoice,
    /// Planner network: the network's name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(super) network: Option<String>,
    #[command(flatten)]
    pub(super) search: SearchOptions,
    /// Find a path to the nearest reachable point if the goal is unreachable
    #[arg(long)]
    pub(super) partial: bool,
    /// Draw the search: order of expansion, open list and path
    #[arg(long, value_name = "FILE.svg")]
    pub(super) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(super) vehicle: VehicleOptions,
    /// Smooth the path by a spline, or round its corners by arcs, where there is clearance
    #[arg(long, value_name = "spline|round=RADIUS")]
    pub(super) finish: Option<Finish>,
    #[command(flatten)]
    pub(super) grid: GridOptions,
}

impl PathQuestion {
    /// Refuses options that the planner does not use.
    pub(super) fn refuse_unused(&self) -> Result<(), Failure> {
        let common = &self.common;
        let own = [
            ("a heading (@degrees)", self.ends.have_heading()),
            ("--partial", self.partial),
            ("--finish", self.finish.is_some()),
            ("--network", self.network.is_some()),
            ("--trace", self.trace.is_some()),
            ("--extents", common.extents.is_some()),
        ];
        let given = self.search.given().into_iter().chain(self.grid.given()).chain(own);
        let given = given.chain(self.vehicle.given());
        refuse_unused(self.planner.planner, given)
    }
}
