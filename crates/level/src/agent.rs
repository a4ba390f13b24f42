//! Agents and the ground that they walk on.

/// What rounding may add to the width of a passage, in grid units: its walls move by at most
/// 0.71 each, and the radius by 0.5. A passage of two radii and this is closed.
pub const PASSAGE_ROUNDING: f64 = 2.5;

/// Passages narrower than two radii by at most this are reported, in grid units.
pub const PASSAGE_REPORTED: f64 = 10.0;

/// A kind of unit: an upright cylinder that climbs steps and needs head room.
///
/// Lengths are metres, angles degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// The name that queries use.
    pub name: String,
    /// Radius of the cylinder, m.
    pub radius: f64,
    /// Height of the cylinder, m: the head room it needs.
    pub height: f64,
    /// The highest step it takes, m.
    pub climb: f64,
    /// The steepest ground it walks on, degrees from horizontal.
    pub slope: f64,
    /// The deepest drop it takes from a ledge, m; 0 if it takes none.
    pub drop: f64,
    /// The widest gap it jumps over, m; 0 if it does not jump.
    pub jump: f64,
}

impl Default for Agent {
    fn default() -> Self {
        Agent {
            name: "default".into(),
            radius: 0.6,
            height: 2.0,
            climb: 0.9,
            slope: 45.0,
            drop: 0.0,
            jump: 0.0,
        }
    }
}

/// Tolerance of an agent's slope, degrees.
///
/// A triangle that is steeper by at most this is still walkable, because many levels have ramps of
/// exactly the limit.
pub const SLOPE_TOLERANCE: f64 = 0.05;

impl Agent {
    /// The least [`crate::Triangle::up`] of a triangle that the agent can walk on.
    pub fn least_up(&self) -> i32 {
        cos_squared(self.slope + SLOPE_TOLERANCE)
    }

    /// Why no navmesh can be baked for the agent, in words; `None` if it is valid.
    pub fn fault(&self) -> Option<String> {
        self.fault_at().map(|(_, message)| message)
    }

    /// The same as [`Agent::fault`], with the name of the invalid field.
    pub fn fault_at(&self) -> Option<(&'static str, String)> {
        let said =
            |key: &'static str, what: String| Some((key, format!("agent `{}`: {what}", self.name)));
        let numbers = [
            ("radius", self.radius),
            ("height", self.height),
            ("climb", self.climb),
            ("slope", self.slope),
            ("drop", self.drop),
            ("jump", self.jump),
        ];
        if let Some((key, value)) = numbers.iter().find(|(_, v)| !v.is_finite()) {
            return said(
                key,
                format!(
                    "{key} is {value}; radius, height, climb, slope, drop and jump must be finite numbers"
                ),
            );
        }
        if self.radius < 0.0 || self.radius > 1000.0 {
            return said("radius", format!("radius {} m is not between 0 and 1000", self.radius));
        }
        // Ten times this would exceed the range of grid units at the finest grid.
        if self.height <= 0.0 || self.height > 100_000.0 {
            return said(
                "height",
                format!("height {} m is not above 0 and at most 100000", self.height),
            );
        }
        if self.climb < 0.0 {
            return said("climb", format!("climb {} m is below 0", self.climb));
        }
        if !(0.0..90.0).contains(&self.slope) {
            return said(
                "slope",
                format!("slope {} degrees is not at least 0 and below 90", self.slope),
            );
        }
        if 2.0 * self.climb >= self.height {
            return said(
                "climb",
                format!(
                    "climb {} m must be less than half its height {} m, or floors one step apart could \
                     not be distinguished from one; give a lower climb (--climb)",
                    self.climb, self.height
                ),
            );
        }
        for (key, reach) in [("drop", self.drop), ("jump", self.jump)] {
            if !(0.0..=1000.0).contains(&reach) {
                return said(key, format!("{key} {reach} m is not between 0 and 1000"));
            }
        }
        None
    }
}

/// The value of 1 in the units of [`cos_squared`] and [`crate::Triangle::up`].
pub const UP_ONE: i32 = 1 << 30;

/// The squared cosine of an angle in degrees (0 to 90), in units of `1 / UP_ONE`.
///
/// The computation uses integers only, so that it is the same on every machine. The error is at
/// most a few units.
pub fn cos_squared(degrees: f64) -> i32 {
    // cos^2 a = (1 + cos 2a) / 2, cos by its Taylor series in 2^-60 fixed point.
    const ONE: i128 = 1 << 60;
    const PI: i128 = 3_622_009_729_038_561_421; // pi * 2^60
    let degrees = degrees.clamp(0.0, 90.0);
    let fixed = (degrees * (1u64 << 40) as f64) as i128; // exact: degrees has at most 53 bits
    let angle = (2 * fixed * PI / 180) >> 40; // 2a in radians, 2^-60, up to pi
    let square = (angle * angle) >> 60;
    let (mut term, mut sum, mut n) = (ONE, ONE, 0i128);
    while term != 0 && n < 60 {
        n += 2;
        term = -(((term * square) >> 60) / (n * (n - 1)));
        sum += term;
    }
    (((ONE + sum) / 2) >> 30) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squared_cosines_are_right() {
        for k in 0..=9000 {
            let degrees = f64::from(k) / 100.0;
            let truth = degrees.to_radians().cos().powi(2) * f64::from(UP_ONE);
            assert!((f64::from(cos_squared(degrees)) - truth).abs() <= 4.0, "{degrees}");
        }
    }

    #[test]
    fn sizes_that_no_grid_can_hold_are_refused() {
        for (height, climb) in [(0.0, 0.0), (1e6, 0.9), (1e300, 1e299), (f64::NAN, 0.9)] {
            let agent = Agent { height, climb, ..Agent::default() };
            assert!(agent.fault().is_some(), "{height}");
        }
        let tallest = Agent { height: 100_000.0, ..Agent::default() };
        assert_eq!(tallest.fault(), None);
    }

    #[test]
    fn an_agent_whose_climb_is_half_its_height_is_refused() {
        let agent = Agent { climb: 1.0, ..Agent::default() };
        assert!(agent.fault().unwrap().contains("less than half"));
        assert_eq!(Agent::default().fault(), None);
    }
}
