//! Tests of whole bakes: config, stages, cache, rooms and links.

mod air;
mod areas;
mod auto_links;
mod bad_configs;
mod bakes;
mod bands;
mod battlefield;
mod battlefield_costs;
mod cache;
mod cells;
mod classes;
mod clearance;
mod config;
mod hierarchical;
mod hierarchical_links;
mod laid_height_meshes;
mod readme;
mod real_levels;
mod room_classes;
mod rooms;
mod scenes;
mod sources;
mod storeys;
mod truth;
mod unpacked;
mod vehicles;
