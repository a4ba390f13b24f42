//! Tests of the queue.

mod no_allocation;
mod queue;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
