//! Why a request cannot be served.

use core::fmt;

/// Why a request to a crowd is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A size, limit or offset that is not finite, or negative where it must not be.
    Number {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A unit whose time step is not that of the crowd, s.
    Step {
        /// The unit's.
        unit: f64,
        /// The crowd's.
        crowd: f64,
    },
    /// There is no such unit, or not any more.
    NoUnit,
    /// A path without a place.
    NoPath,
    /// A unit that would follow itself.
    OwnLeader,
    /// A field on ground that paths cannot be certified on, as it has costs.
    Search(navbake_search::Error),
    /// A field on a mesh with links that the query allows.
    Links,
    /// A goal of a field, by its number, that is no place of the mesh, or not any more.
    NoGoal(usize),
    /// A field on a mesh whose corners see too much of it: more cones than this.
    TooManyCones(usize),
    /// A field of a mesh that has changed since.
    StaleField,
}

impl From<navbake_search::Error> for Error {
    fn from(error: navbake_search::Error) -> Error {
        Error::Search(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Number { name, value } => {
                write!(f, "{name} of a unit is {value}: give a finite number within its range")
            }
            Error::Step { unit, crowd } => write!(
                f,
                "a unit with steps of {unit} s in a crowd of {crowd} s: give both the same step"
            ),
            Error::NoUnit => {
                f.write_str("no such unit: it was removed, or belongs to another crowd")
            }
            Error::NoPath => f.write_str("a path without a place: give at least its goal"),
            Error::OwnLeader => f.write_str("a unit as its own leader: name another unit"),
            Error::Search(error) => error.fmt(f),
            Error::Links => f.write_str(
                "a field leads over no links, which may be shorter: \
                 forbid them with QueryFilter::set_agents",
            ),
            Error::NoGoal(number) => {
                write!(f, "goal {number} is no place of this mesh: find it again with this query")
            }
            Error::TooManyCones(most) => write!(
                f,
                "a field needs more than {most} cones of sight on this mesh: find paths instead"
            ),
            Error::StaleField => {
                f.write_str("the mesh has changed since the field was made: make it again")
            }
        }
    }
}

impl core::error::Error for Error {}
