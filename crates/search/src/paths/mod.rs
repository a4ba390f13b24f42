//! Paths: the request, the answer, and the order of the work.
//!
//! The order is: ends, islands, the straight ray, and only then a search. [`search`] holds that
//! order as a value that can be stepped. [`astar`] is the search itself, in the spaces of
//! [`corridor`] and [`midpoints`]. [`finish`] makes the points of the path.
//!
//! ```text
//!    request -> ends -> islands -> straight ray -> search -> corridor -> points
//! ```

mod ahead;
mod answer;
mod astar;
mod begin;
mod bends;
mod beyond;
mod cheap;
mod climb;
mod corridor;
mod course;
mod find;
mod finish;
mod funnel;
mod heuristic;
mod landmarks;
mod legs;
mod midpoints;
mod nodes;
mod one_by_one;
mod open_list;
mod optimal;
mod portal;
mod request;
mod slices;
mod state;
mod steps;
mod tables;
mod turns;
mod visit;
mod way;
mod weighted;

pub use ahead::Ahead;
pub use answer::{NavPath, Status};
pub use corridor::through;
pub use course::Course;
pub use finish::Bend;
use funnel::FunnelNode;
pub use heuristic::Heuristic;
pub use legs::{Leg, Legs};
pub use nodes::{Corridor, Step};
pub use optimal::{Outcome, Region, State, along, bends, reversed, towards, trace, turn};
pub use portal::Portal;
pub use request::{AStar, Algorithm, Order, PathRequest};
pub(crate) use slices::Arrays;
pub use slices::Slices;
#[cfg(feature = "alloc")]
pub(crate) use slices::Vectors;
pub use steps::Search;
#[cfg(feature = "alloc")]
pub use tables::{Goals, windows};
pub use tables::{Look, Seen as SeenCorner, Window};
pub use visit::{Seen, Visit};
