//! Tests of paths over the cells of grid maps.

mod common;
mod fitted;
mod no_allocation;
mod obstacles;
mod paths;
mod requests;
mod scenarios;
mod worked;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
