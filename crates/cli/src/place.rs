//! Coordinates on the command line.
//!
//! All coordinates are y-up metres with the level's origin added back, unless `--coords input`
//! selects the axes and units of the level's file.

use std::str::FromStr;

use navbake_level::number::rounded;
use serde::Serialize;

use crate::failure::Failure;

/// A point on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place(pub(crate) [f64; 3]);

/// A point, or the name of a marker of the level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PointOrMarker {
    At(Place),
    Marker(String),
}

impl FromStr for PointOrMarker {
    type Err = String;

    fn from_str(text: &str) -> Result<PointOrMarker, String> {
        // Names have a letter and no comma; `nan` and `1e5` are numbers.
        let name = text.trim();
        let is_name = name.chars().any(char::is_alphabetic)
            && !name.contains([',', ';'])
            && name.parse::<f64>().is_err();
        match is_name {
            true => Ok(PointOrMarker::Marker(name.into())),
            false => text.parse().map(PointOrMarker::At),
        }
    }
}

impl PointOrMarker {
    /// The point, where `markers` have their positions in the same axes and units.
    ///
    /// # Errors
    /// If there is no marker of that name in `file`.
    pub(crate) fn resolve<'a>(
        &self,
        markers: impl Iterator<Item = (&'a str, [f64; 3])>,
        file: &str,
    ) -> Result<Place, Failure> {
        let wanted = match self {
            PointOrMarker::At(place) => return Ok(*place),
            PointOrMarker::Marker(name) => name,
        };
        let markers: Vec<(&str, [f64; 3])> = markers.collect();
        if let Some((_, position)) = markers.iter().find(|(name, _)| name == wanted) {
            return Ok(Place(*position));
        }
        let hint = match navbake_bake::nearest_name(wanted, markers.iter().map(|m| m.0)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if markers.is_empty() => "it has no markers; write a point as x,y,z".into(),
            None => "`navbake info` lists its markers; write a point as x,y,z".into(),
        };
        Err(Failure::usage(format_args!("{file}: no marker `{wanted}`; {hint}")))
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let [x, y, z] = parts[..] else {
            let apart = |c: char| c == ';' || c == ',' || c.is_whitespace();
            let numbers: Vec<&str> = text.split(apart).filter(|part| !part.is_empty()).collect();
            if numbers.len() == 3 {
                return Err(format!("write it with commas: {}", numbers.join(",")));
            }
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aim<P = PointOrMarker> {
    pub(crate) place: P,
    /// Degrees, 0 along +x, counter-clockwise seen from above.
    pub(crate) heading: Option<f64>,
}

impl FromStr for Aim<PointOrMarker> {
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

/// A point for people: `x,y,z` to the millimetre, with a power of ten from 1e9 on.
pub(crate) fn show(p: [f64; 3]) -> String {
    let [x, y, z] = p.map(rounded);
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
        assert_eq!(
            aim,
            Aim { place: PointOrMarker::At(Place([1.0, 2.0, 3.0])), heading: Some(-90.0) }
        );
        assert_eq!("1,2,3".parse::<Aim>().unwrap().heading, None);
        for bad in ["1,2@90", "1,2,3@", "1,2,3@x", "1,2,3@nan", "1,2,3@1@2", "spawn@"] {
            assert!(bad.parse::<Aim>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_shown_place_is_rounded_to_the_millimetre_and_never_hundreds_of_digits() {
        for p in [[1e300, -2.5e9, 0.1], [123_456_789.123, -0.0, f64::MAX]] {
            let text = show(p);
            assert_eq!(text.parse(), Ok(Place(p)), "{text}");
            assert!(text.len() < 80, "{text}");
        }
        assert_eq!(show([1.5, -0.0001, -3.0]), "1.5,0,-3");
        assert_eq!(show([15.3603515625, 4.0, 6.2001953125]), "15.36,4,6.2");
    }

    #[test]
    fn a_spot_is_a_point_or_a_name() {
        assert_eq!("1,2,3".parse(), Ok(PointOrMarker::At(Place([1.0, 2.0, 3.0]))));
        assert_eq!("spawn_red".parse(), Ok(PointOrMarker::Marker("spawn_red".into())));
        for bad in ["", "20", "1e5", "nan", "20 0 25", "20;0;25", "a,b", "nan,0,0"] {
            assert!(bad.parse::<PointOrMarker>().is_err(), "{bad}");
        }
        let hint = "20;0;25".parse::<PointOrMarker>().unwrap_err();
        assert!(hint.ends_with("20,0,25"), "{hint}");
    }
}
