//! Solid things of engines, as obstacles.

use navbake_navmesh::math::sqrt;
use navbake_navmesh::{Obstacle, ObstacleError};

/// A box or a cylinder as engines have them: anywhere, in any rotation and scaled.
///
/// Seen from above, a box takes its outline, and an upright cylinder takes its circle exactly. A
/// cylinder that is tilted, or whose scales along x and z differ, takes the outline of the box
/// around it.
///
/// ```
/// use navbake_world::{Obstacle, Solid};
///
/// let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let barrel = Solid { half: [0.4, 1.0, 0.4], is_round: true, axes, middle: [4.0, 1.5, 20.0] };
/// assert_eq!(barrel.obstacle()?, Obstacle::cylinder([4.0, 20.0], 0.4, [0.5, 2.5])?);
/// # Ok::<(), navbake_world::ObstacleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Half its size along its own axes, metres. A cylinder's radius is the first and the last.
    pub half: [f64; 3],
    /// Is it a cylinder along its own y axis? Else a box.
    pub is_round: bool,
    /// Its own x, y and z axes: unit vectors times the scales.
    pub axes: [[f64; 3]; 3],
    /// Its middle, y-up metres.
    pub middle: [f64; 3],
}

impl Solid {
    /// The ground that it takes, without the agent's radius.
    ///
    /// # Errors
    /// When a number is not finite, or the radius of a cylinder is negative.
    pub fn obstacle(&self) -> Result<Obstacle, ObstacleError> {
        if self.is_round && self.half[0] < 0.0 {
            return Err(ObstacleError::Radius(self.half[0]));
        }
        let corners: [[f64; 3]; 8] = core::array::from_fn(|k| self.corner(k));
        let heights = corners.map(|[_, y, _]| y);
        let heights = [
            heights.into_iter().fold(f64::INFINITY, f64::min),
            heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ];
        let [x, y, z] = self.axes;
        let upright = y[0] == 0.0 && y[2] == 0.0 && x[1] == 0.0 && z[1] == 0.0;
        let [right, ahead] = [x, z].map(|axis| sqrt(axis[0] * axis[0] + axis[2] * axis[2]));
        if self.is_round && upright && (right - ahead).abs() <= 1e-5 * right.max(ahead) {
            let [x, _, z] = self.middle;
            return Obstacle::cylinder([x, z], self.half[0] * right.max(ahead), heights);
        }
        Obstacle::prism(&corners.map(|[x, _, z]| [x, z]), heights)
    }

    /// A corner of the box around it, by the bits of a number.
    fn corner(&self, number: usize) -> [f64; 3] {
        let mut corner = self.middle;
        for (k, axis) in self.axes.iter().enumerate() {
            let half = if number >> k & 1 == 1 { self.half[k] } else { -self.half[k] };
            for (to, along) in corner.iter_mut().zip(axis) {
                *to += half * along;
            }
        }
        corner
    }
}
