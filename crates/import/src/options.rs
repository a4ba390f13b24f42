//! How files are read.

use crate::{HeightMapSettings, Simplify};

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// y is up, as glTF says.
    #[default]
    Y,
    /// z is up: (x, y, z) becomes (x, z, -y).
    Z,
}

/// How vertices that are not finite numbers are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nonfinite {
    /// A triangle that uses one is an error.
    #[default]
    Refuse,
    /// Triangles that use one are left out, with a warning.
    Drop,
}

/// How files are read. The axes and units of grid maps and height maps are their own: only `scale`
/// matters to them.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// The axis that points up.
    pub up: Up,
    /// Metres in an input unit; for a MovingAI map the side of a cell, otherwise a factor on
    /// the lengths that a grid map or a height map has.
    pub scale: f64,
    /// How vertices that are not finite numbers are handled.
    pub nonfinite: Nonfinite,
    /// A file without a single triangle (or cell that can be walked on) is read as an empty level,
    /// with a warning. Otherwise it is an error.
    pub allow_empty: bool,
    /// Bytes that reading the level may take, all instances counted: a small file can ask for more
    /// than any memory holds. `None` is 2 GiB and 32 bytes for each byte of its files.
    pub memory: Option<u64>,
    /// Whether files may be read that the level names and that are outside of its folder.
    pub outside: bool,
    /// The terrains of a MovingAI map that have names: trees (`T`, terrain 2) and water (`W`, 3)
    /// are free where they have one, and blocked otherwise.
    pub terrains: usize,
    /// What the values of height maps mean.
    pub heightmap: HeightMapSettings,
    /// How height maps may be simplified; `None` keeps two triangles between four samples.
    pub simplify: Option<Simplify>,
    /// Cells of a map of ROS of which nothing is known are free; otherwise they are blocked.
    pub unknown_is_free: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        ImportOptions {
            up: Up::Y,
            scale: 1.0,
            nonfinite: Nonfinite::Refuse,
            allow_empty: false,
            memory: None,
            outside: false,
            terrains: 0,
            heightmap: HeightMapSettings::default(),
            simplify: None,
            unknown_is_free: false,
        }
    }
}

impl ImportOptions {
    /// Brings a point of the file to y-up metres.
    pub fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let s = self.scale;
        match self.up {
            Up::Y => [x * s, y * s, z * s],
            Up::Z => [x * s, z * s, -(y * s)],
        }
    }
}
