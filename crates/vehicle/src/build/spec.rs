//! The description of a vehicle for the tables, and the values that are refused.

use navbake_format::{VehicleSpeeds, VehicleView};

use crate::Footprint;

use super::mask::HALF;

/// Parts of a tile that lengths are counted in.
pub const UNITS: u32 = VehicleView::UNITS;
/// The most rings of tiles around one that edges lead to.
pub const MOST_RINGS: u32 = 6;

/// A unit that turns. Lengths are tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleSpec {
    /// The least radius of its curves.
    pub turn_radius: f64,
    /// The area that it covers.
    pub footprint: Footprint,
    /// How many headings it can have at the middle of a tile: 8, 16 or 32.
    pub headings: u32,
    /// Edges lead to tiles within this many columns and rows: 1 for 8 tiles, 2 for 24, 3 for 48.
    pub rings: u32,
    /// Side of the square of tiles that hit checks look at; `None` for the least that holds all
    /// useful edges.
    pub window: Option<u32>,
    /// Edges between two poses, shortest lengths first: 1 to 6 lengths.
    pub words: u32,
    /// Curves longer than this many times the straight line are no edges.
    pub detour: Option<f64>,
    /// May it be driven backwards?
    pub reverse: Option<Reverse>,
    /// Speed classes, if paths are to take the least time; the radius of the first is
    /// `turn_radius`.
    pub speeds: Option<VehicleSpeeds>,
}

/// The cost of driving backwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reverse {
    /// Cost of a tile backwards, in tiles forwards, at least 1.
    pub penalty: f64,
    /// Cost of a gear change, tiles.
    pub change: f64,
}

/// Why no tables can be built for a vehicle. The message gives the values that are accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// The radius is no number that tables can be made for.
    #[error("a turn radius of {found} tiles: expected 0.1 to {HALF}")]
    Radius {
        /// Tiles.
        found: f64,
    },
    /// Not 8, 16 or 32.
    #[error("{found} headings: expected 8, 16 or 32")]
    Headings {
        /// How many.
        found: u32,
    },
    /// Too few or too many.
    #[error("{found} rings: expected 1 to {MOST_RINGS}")]
    Rings {
        /// How many.
        found: u32,
    },
    /// Edges are too short to turn on.
    #[error(
        "a turn radius of {radius} tiles needs more than {found} rings of tiles: `rings = {needed}` would do"
    )]
    RingsForRadius {
        /// Tiles.
        radius: f64,
        /// Rings.
        found: u32,
        /// Rings that would do.
        needed: u32,
    },
    /// No number of rings is enough.
    #[error(
        "a turn radius of {radius} tiles needs more than the {MOST_RINGS} rings there can be: tiles of {times} times the side would do"
    )]
    RadiusForTiles {
        /// Tiles.
        radius: f64,
        /// How much larger tiles must be.
        times: f64,
    },
    /// An even window, or one too large for masks.
    #[error("a window of {found}: expected an odd number of tiles, 3 to {}", 2 * HALF + 1)]
    Window {
        /// Columns and rows.
        found: u32,
    },
    /// Curves that are needed leave the window.
    #[error(
        "curves of this turn radius and footprint leave a window of {found} tiles: `window = {needed}` would do"
    )]
    WindowForCurves {
        /// Columns and rows.
        found: u32,
        /// Columns and rows that would do.
        needed: u32,
    },
    /// They leave the largest window there is.
    #[error("curves of this turn radius and footprint leave the largest window, {} tiles: fewer rings, or tiles of {times} times the side would do", 2 * HALF + 1)]
    TooLarge {
        /// How much larger tiles must be.
        times: f64,
    },
    /// A footprint that is hardly there.
    #[error("a footprint that reaches {found} tiles: expected 0.01 at least")]
    Footprint {
        /// Tiles.
        found: f64,
    },
    /// A number out of range.
    #[error("{what} of {found}: expected {expected}")]
    Number {
        /// Which.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The values that are accepted.
        expected: &'static str,
    },
}

impl VehicleSpec {
    /// With 8 headings and edges to 48 tiles, forwards only.
    pub fn new(turn_radius: f64, footprint: Footprint) -> VehicleSpec {
        VehicleSpec {
            turn_radius,
            footprint,
            headings: 8,
            rings: 3,
            window: None,
            words: 1,
            detour: None,
            reverse: None,
            speeds: None,
        }
    }

    /// The least radius of curves in a speed class.
    pub(crate) fn radius_of(&self, class: u8) -> f64 {
        let radius = |speeds: VehicleSpeeds| speeds.turn_radii.get(usize::from(class)).copied();
        self.speeds.and_then(radius).unwrap_or(self.turn_radius)
    }

    /// The vehicle as it is in each speed class.
    pub(crate) fn in_classes(&self) -> impl Iterator<Item = (u8, VehicleSpec)> + use<'_> {
        let count = self.speeds.map_or(1, |speeds| speeds.classes.min(4) as u8);
        (0..count).map(|class| (class, VehicleSpec { turn_radius: self.radius_of(class), ..*self }))
    }

    /// Refuses values for which no tables can be built; faults that depend on the curves are found
    /// later.
    pub(crate) fn validate(&self) -> Result<(), SpecError> {
        if let Some((found, expected)) = self.speeds.and_then(|speeds| speeds.fault()) {
            return Err(SpecError::Number { what: "speed classes with a value", found, expected });
        }
        self.in_classes().try_for_each(|(_, vehicle)| vehicle.validate_class())
    }

    fn validate_class(&self) -> Result<(), SpecError> {
        let radius = self.turn_radius;
        if !(0.1..=f64::from(HALF)).contains(&radius) {
            return Err(SpecError::Radius { found: radius });
        }
        if ![8, 16, 32].contains(&self.headings) {
            return Err(SpecError::Headings { found: self.headings });
        }
        if !(1..=MOST_RINGS).contains(&self.rings) {
            return Err(SpecError::Rings { found: self.rings });
        }
        let needed = (radius - 1e-9).ceil() as u32; // at most HALF
        if needed > MOST_RINGS {
            return Err(SpecError::RadiusForTiles {
                radius,
                times: radius / f64::from(MOST_RINGS),
            });
        }
        if needed > self.rings {
            return Err(SpecError::RingsForRadius { radius, found: self.rings, needed });
        }
        if let Some(window) = self.window
            && !(window % 2 == 1 && (3..=2 * HALF as u32 + 1).contains(&window))
        {
            return Err(SpecError::Window { found: window });
        }
        let reach = self.footprint.reach();
        if !(0.01..=f64::INFINITY).contains(&reach) {
            return Err(SpecError::Footprint { found: reach });
        }
        if reach > f64::from(HALF) - 1.0 {
            return Err(SpecError::TooLarge { times: reach / f64::from(HALF - 1) });
        }
        if !(1..=6).contains(&self.words) {
            return Err(SpecError::Number {
                what: "words",
                found: f64::from(self.words),
                expected: "1 to 6",
            });
        }
        if let Some(detour) = self.detour
            && !(1.6..=f64::INFINITY).contains(&detour)
        {
            return Err(SpecError::Number {
                what: "a longest detour",
                found: detour,
                expected: "1.6 at least",
            });
        }
        if let Some(Reverse { penalty, change }) = self.reverse {
            if !(1.0..=1000.0).contains(&penalty) {
                return Err(SpecError::Number {
                    what: "a penalty for reverse",
                    found: penalty,
                    expected: "1 to 1000",
                });
            }
            if !(0.0..=1000.0).contains(&change) {
                return Err(SpecError::Number {
                    what: "a cost of changing gear",
                    found: change,
                    expected: "0 to 1000 tiles",
                });
            }
        }
        Ok(())
    }

    /// Headings whose edges are kept; those of the others are turned or mirrored ones.
    pub(crate) fn kept_headings(&self) -> u32 {
        if self.footprint.is_mirrored() { self.headings / 8 + 1 } else { self.headings / 4 }
    }
}
