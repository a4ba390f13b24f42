//! Why a request cannot be served.

use core::fmt;

/// Why a request to a crowd is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        }
    }
}

impl core::error::Error for Error {}
