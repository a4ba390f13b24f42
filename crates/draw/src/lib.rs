//! Pictures and exports of a baked navmesh.
//!
//! - [`Surface`]: the navmesh of an agent in metres, which the writers draw;
//! - [`plan`]: an SVG plan from above with walls, portals, rooms, doors and links;
//! - [`trace`]: a plan of one search: what it expanded, its open list and its path;
//! - [`cells`]: a picture of a search over cells;
//! - [`field`]: a picture of what ground costs, with a path over it;
//! - [`vehicle`]: an SVG picture of a path of arcs and lines with the ground it sweeps;
//! - [`changes`]: an SVG picture of the ground that a level gained and lost;
//! - [`plot`]: an SVG chart of points;
//! - [`obj`], [`glb`], [`polyanya`], [`godot`]: the navmesh for other programs;
//! - [`storeys`]: the heights that separate floors above each other.
//!
//! The same input gives the same bytes on every machine.
#![forbid(unsafe_code)]

mod axes;
pub mod cells;
pub mod changes;
pub mod field;
pub mod glb;
pub mod godot;
mod height_triangles;
mod links;
pub mod obj;
mod parts;
pub mod plan;
pub mod plot;
pub mod polyanya;
mod rooms;
pub mod storeys;
mod surface;
mod svg;
pub mod trace;
pub mod vehicle;

pub use axes::Axes;
pub use parts::EarlierSurface;
pub use surface::{Door, Link, Polygon, Rooms, Surface};
pub use svg::{escape, printable};
