//! Conversion between y-up metres and the axes and units of the level's file.

use navbake_format::{CheckedBlob, UpAxis};

/// The up axis and the scale of a level's file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// The axis that points up; with z up, (x, y, z) becomes (x, z, -y) in y-up metres.
    pub up: UpAxis,
    /// Metres in a unit of the file.
    pub scale: f64,
}

impl Axes {
    /// y-up metres, unchanged.
    pub const METRES: Axes = Axes { up: UpAxis::Y, scale: 1.0 };

    /// The axes of the level that a blob was baked from.
    pub fn of_level(blob: &CheckedBlob<'_>) -> Axes {
        Axes { up: blob.header().up, scale: blob.header().scale }
    }

    /// File coordinates to y-up metres.
    pub fn inward(self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = p.map(|c| c * self.scale);
        match self.up {
            UpAxis::Y => [x, y, z],
            UpAxis::Z => [x, z, 0.0 - y],
        }
    }

    /// y-up metres to file coordinates.
    pub fn outward(self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = match self.up {
            UpAxis::Y => p,
            UpAxis::Z => [p[0], 0.0 - p[2], p[1]],
        };
        [x, y, z].map(|c| c / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_up_inches_round_trip() {
        let axes = Axes { up: UpAxis::Z, scale: 0.5 };
        assert_eq!(axes.inward([2.0, 4.0, 6.0]), [1.0, 3.0, -2.0]);
        assert_eq!(axes.outward([1.0, 3.0, -2.0]), [2.0, 4.0, 6.0]);
        assert_eq!(Axes::METRES.inward([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }
}
