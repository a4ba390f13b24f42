//! Tests of the tables: paths, damage, memory.

mod batch;
mod damage;
mod graph;
mod landmarks;
mod no_allocation;
mod paths;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
