//! Navbake for [Godot](https://godotengine.org) 4: baked navmeshes as resources, paths, obstacles
//! and drawings.
//!
//! | class | what it is |
//! |---|---|
//! | `NavbakeLevel` | a resource: a file that `navbake bake` wrote, or a chunk of a world |
//! | `NavbakeMesh` | the navmesh of one agent of a level, its obstacles and loaded chunks |
//! | `NavbakeQuery` | the questions of a unit on a mesh, with its switches, costs and planner |
//! | `NavbakePath` | the answer: points, status, length, links |
//! | `NavbakeDebug3D` | a node that draws a level, also in the editor |
//!
//! The classes are in [`classes`] and are thin. [`level`], [`ground`], [`search`] and [`drawing`]
//! do the work in plain Rust, without an engine, and have tests.
//!
//! # Coordinates
//!
//! Navbake's are Godot's: metres, y up, right-handed. Nothing is turned or scaled. Godot's numbers
//! have single precision, navbake's double.

#[allow(missing_docs)] // of the accessors that Godot's macros write
pub mod classes;
pub mod drawing;
mod extension;
pub mod ground;
pub mod level;
pub mod search;
