//! Tests of queries on baked navmeshes.

mod ahead;
mod around;
mod clearance;
mod closings;
mod connected;
mod corruption;
mod costs;
mod links;
mod motion;
mod no_allocation;
mod optimal;
mod optimal_memory;
mod paths;
mod planners;
mod queries;
mod queue;
mod slides;
mod stepping;
mod unpacked;
mod weighted;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
