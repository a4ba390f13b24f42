//! Tests of queries on baked navmeshes.

mod a_star;
mod ahead;
mod algorithms;
mod around;
mod blocked;
mod clearance;

mod connected;
mod corruption;
mod costs;
mod errors;
mod filter;
mod forbidden;
mod links;
mod motion;
mod no_allocation;
mod optimal;
mod optimal_scratch;
mod paths;
mod points;
mod queries;
mod scratch;
mod slides;
mod stepping;
mod unpacked;
mod versions;
mod weighted;
mod worst;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
