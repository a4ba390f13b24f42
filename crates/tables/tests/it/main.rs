//! Tests of the tables: paths, damage, memory.

#[path = "../../../search/tests/it/common/mod.rs"]
mod common;
mod damage;
mod graph;
mod landmarks;
mod no_allocation;
mod paths;
#[path = "../../../search/tests/it/scene/mod.rs"]
mod scene;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
