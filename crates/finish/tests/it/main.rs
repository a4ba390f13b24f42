//! Tests of finished paths, and of steering along them.

mod no_allocation;
mod paths;
mod shapes;
mod steer;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
