//! Tests of finished paths.

#[path = "../../../search/tests/it/common/mod.rs"]
#[allow(dead_code, unreachable_pub)] // worlds of the tests of navbake-search, which use the rest
mod common;
mod no_allocation;
mod paths;
mod plain;
mod shapes;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
