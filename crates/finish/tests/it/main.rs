//! Tests of finished paths.

mod no_allocation;
mod paths;
mod shapes;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
