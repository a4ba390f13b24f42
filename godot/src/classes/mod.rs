//! The classes that Godot sees.

mod debug;
mod level;
mod loader;
mod mesh;
mod path;
mod query;

use godot::global::{Error, godot_error};
use godot::prelude::{Vector2i, Vector3};

pub use debug::NavbakeDebug3D;
pub use level::NavbakeLevel;
pub use loader::NavbakeLoader;
pub use mesh::NavbakeMesh;
pub use path::{NavbakePath, PathStatus};
pub use query::{NavbakeQuery, Planner};

/// A point of Godot as navbake has it.
fn point(at: Vector3) -> [f64; 3] {
    at.to_array().map(f64::from)
}

/// A point of navbake as Godot has it: rounded to single precision.
fn vector(at: [f64; 3]) -> Vector3 {
    Vector3::from_array(at.map(|c| c as f32))
}

/// The column and row of a chunk as Godot has them.
fn key([column, row]: [i32; 2]) -> Vector2i {
    Vector2i::new(column, row)
}

/// The result of a change: an error goes to the output as well.
fn done(call: &str, result: Result<(), String>) -> Error {
    match result {
        Ok(()) => Error::OK,
        Err(reason) => {
            godot_error!("{call}: {reason}");
            Error::ERR_INVALID_PARAMETER
        }
    }
}
