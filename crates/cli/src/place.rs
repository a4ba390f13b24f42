//! Coordinates on the command line.
//!
//! All coordinates are y-up metres with the level's origin added back, unless `--coords input`
//! selects the axes and units of the level's file.

use std::str::FromStr;

use serde::Serialize;

/// A point on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place(pub(crate) [f64; 3]);

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let [x, y, z] = parts[..] else {
            return Err(format!(
                "expected three numbers x,y,z such as 1.5,0,-3, found {}",
                parts.len()
            ));
        };
        let number = |part: &str| match part.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(format!("`{part}` is not a finite number")),
            Err(_) => Err(format!("`{part}` is not a number")),
        };
        Ok(Place([number(x)?, number(y)?, number(z)?]))
    }
}

/// A point with an optional heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim {
    pub(crate) place: Place,
    /// Degrees, 0 along +x, counter-clockwise seen from above.
    pub(crate) heading: Option<f64>,
}

impl FromStr for Aim {
    type Err = String;

    fn from_str(text: &str) -> Result<Aim, String> {
        let Some((place, heading)) = text.split_once('@') else {
            let place = text.parse()?;
            return Ok(Aim { place, heading: None });
        };
        let place = place.parse()?;
        match heading.trim().parse::<f64>() {
            Ok(degrees) if degrees.abs() <= 1e6 => Ok(Aim { place, heading: Some(degrees) }),
            _ => Err(format!(
                "`{heading}` is not a heading; expected x,y,z@degrees such as 1.5,0,-3@90"
            )),
        }
    }
}

/// A point as text: `x,y,z`, exact when read back, with a power of ten from 1e9 on.
pub(crate) fn show(p: [f64; 3]) -> String {
    let [x, y, z] =
        p.map(|v| if v.is_finite() && v.abs() >= 1e9 { format!("{v:e}") } else { v.to_string() });
    format!("{x},{y},{z}")
}

/// The coordinates of the command line and of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize)]
pub(crate) enum Coords {
    /// y-up metres
    #[default]
    Metres,
    /// axes and units of the level's file
    Input,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_three_finite_numbers() {
        assert_eq!("1,-2.5,3e1".parse(), Ok(Place([1.0, -2.5, 30.0])));
        assert_eq!(" 1, 2 ,3".parse(), Ok(Place([1.0, 2.0, 3.0])));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "nan,0,0", "0,inf,0", "1e999,0,0"] {
            assert!(bad.parse::<Place>().is_err(), "{bad}");
        }
    }

    #[test]
    fn an_aim_is_a_place_with_or_without_degrees() {
        let aim: Aim = "1,2,3@-90".parse().unwrap();
        assert_eq!((aim.place.0, aim.heading), ([1.0, 2.0, 3.0], Some(-90.0)));
        assert_eq!("1,2,3".parse::<Aim>().unwrap().heading, None);
        for bad in ["1,2@90", "1,2,3@", "1,2,3@x", "1,2,3@nan", "1,2,3@1@2"] {
            assert!(bad.parse::<Aim>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_shown_place_reads_back_the_same_and_is_never_hundreds_of_digits() {
        for p in [[1e300, -2.5e9, 0.1], [123_456_789.123, -0.0, f64::MAX]] {
            let text = show(p);
            assert_eq!(text.parse(), Ok(Place(p)), "{text}");
            assert!(text.len() < 80, "{text}");
        }
        assert_eq!(show([1.5, 0.0, -3.0]), "1.5,0,-3");
    }
}
