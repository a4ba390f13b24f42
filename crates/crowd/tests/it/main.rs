//! Tests of crowds.

mod crowds;
mod fields;
mod kit;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
