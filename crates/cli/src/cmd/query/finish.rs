//! `query path --finish`: paths smoothed by a spline or rounded by arcs.

use std::str::FromStr;

use navbake_finish::{FinishError, Rounding, round, spline, spline_room};
use navbake_search::NavPath;
use serde::Serialize;

use super::ground::Ground;

/// How a path is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Finish {
    /// A Catmull-Rom spline through its corners.
    Spline,
    /// Arcs of this radius at its corners.
    Round(f64),
}

impl FromStr for Finish {
    type Err = String;

    fn from_str(text: &str) -> Result<Finish, String> {
        let radius = match text.split_once('=') {
            None if text == "spline" => return Ok(Finish::Spline),
            Some(("round", radius)) => radius.parse::<f64>().ok(),
            _ => None,
        };
        match radius {
            Some(radius) if radius > 0.0 && radius.is_finite() => Ok(Finish::Round(radius)),
            _ => Err("expected spline, or round=RADIUS with a radius above 0".into()),
        }
    }
}

/// The finished path in JSON.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finished {
    form: &'static str,
    pub(crate) points: Vec<[f64; 3]>,
    pub(crate) length_xz: f64,
    /// Corners that stay sharp for lack of clearance.
    pub(crate) kept: usize,
}

/// Finishes the walks of a path; `None` where there is no path.
pub(super) fn finish(ground: &Ground<'_>, form: Finish, path: &NavPath<'_>) -> Option<Finished> {
    let mut whole: Option<Finished> = None;
    for leg in path.legs().filter(|leg| leg.link.is_none()) {
        let walk = finish_walk(ground, form, &path.walk(&leg))?;
        match &mut whole {
            None => whole = Some(walk),
            Some(whole) => {
                whole.points.extend(walk.points);
                whole.length_xz += walk.length_xz;
                whole.kept += walk.kept;
            }
        }
    }
    whole
}

fn finish_walk(ground: &Ground<'_>, form: Finish, path: &NavPath<'_>) -> Option<Finished> {
    let (&start, &polygon) = (path.points.first()?, path.polygons.first()?);
    let any = ground.query().on_polygon(polygon, start)?;
    let n = path.points.len();
    let (name, finished): (_, Result<_, FinishError>);
    let mut out;
    match form {
        Finish::Spline => {
            out = vec![any; spline_room(n)];
            (name, finished) = ("spline", spline(&ground.query(), path, &mut out));
        }
        Finish::Round(radius) => {
            let rounding = Rounding::new(radius * ground.axes.scale);
            out = vec![any; rounding.room(n)];
            (name, finished) = ("round", round(&ground.query(), path, rounding, &mut out));
        }
    }
    let finished = finished.ok()?;
    Some(Finished {
        form: name,
        points: (finished.points.iter()).map(|p| ground.outward(p.position())).collect(),
        length_xz: ground.length(finished.length_xz),
        kept: finished.kept,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finishes_are_a_spline_or_a_radius_above_zero() {
        assert_eq!("spline".parse(), Ok(Finish::Spline));
        assert_eq!("round=1.5".parse(), Ok(Finish::Round(1.5)));
        for wrong in
            ["", "round", "round=", "round=0", "round=-1", "round=nan", "round=inf", "spline=1"]
        {
            assert!(wrong.parse::<Finish>().is_err(), "{wrong}");
        }
    }
}
