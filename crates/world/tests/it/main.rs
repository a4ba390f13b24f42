//! Worlds with obstacles, against plain oracles.

mod aside;
mod baked;
mod batch;
mod beyond;
mod changes;
mod chunks;
mod kit;
mod landmarks;
mod links;
mod queries;
mod rooms;
mod routes;
mod saves;
mod volumes;

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;
