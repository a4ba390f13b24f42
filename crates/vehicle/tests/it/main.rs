//! Tests of tables and searches for units that turn.

mod damage;
mod distances;
mod edges;
mod lattice;
mod no_allocation;
mod poses;
mod search;
mod speeds;
mod support;
mod ways;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
