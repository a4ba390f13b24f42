//! Options of the planner for units that turn.

use clap::Args;
use navbake_format::CheckedBlob;
use navbake_search::NavQuery;
use navbake_vehicle::{Ground, RoadRules, Roads, Vehicle};

use crate::failure::{Exit, Failure};

/// Roads, smoothing, and the directions that a unit is drawn in.
#[derive(Debug, Args)]
pub(crate) struct VehicleOptions {
    /// Planner turning: do not smooth the path
    #[arg(long)]
    pub(crate) unsmoothed: bool,
    /// Planner turning: areas that are road, and that vehicles keep to
    #[arg(long, value_name = "AREA,..", value_delimiter = ',')]
    road: Vec<String>,
    /// Planner turning: cost factor of moves off the road, 1 or more, or inf [default: inf; with
    /// --cones 1]
    #[arg(long, value_name = "FACTOR", value_parser = factor, requires = "road")]
    off_road: Option<f64>,
    /// Planner turning: reach of moves on a road, in tiles, or turn for the least that is a turn
    #[arg(long, value_name = "N|turn", value_parser = Rings::parse, requires = "road")]
    road_rings: Option<Rings>,
    /// Planner turning: block the tiles beside the road, away from its bends
    #[arg(long, requires = "road")]
    cones: bool,
    /// Planner turning: lines in this many directions in place of arcs
    #[arg(long, value_name = "8|16", value_parser = directions)]
    pub(crate) directions: Option<u32>,
}

/// The reach of moves on a road.
#[derive(Clone, Copy, Debug)]
enum Rings {
    Many(u32),
    /// As many as a turn needs.
    Turn,
}

impl Rings {
    fn parse(text: &str) -> Result<Rings, String> {
        match text {
            "turn" => Ok(Rings::Turn),
            _ => match text.parse() {
                Ok(many @ 1..) => Ok(Rings::Many(many)),
                _ => Err("expected a number of tiles, 1 or more, or `turn`".into()),
            },
        }
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&n| n >= 1.0);
    number.ok_or_else(|| "expected a number that is 1 or more, or inf".into())
}

fn directions(text: &str) -> Result<u32, String> {
    match text {
        "8" => Ok(8),
        "16" => Ok(16),
        _ => Err("expected 8 or 16".into()),
    }
}

impl VehicleOptions {
    /// Which of the options are given, for [`refuse_unused`](crate::search_args::refuse_unused).
    pub(crate) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--unsmoothed", self.unsmoothed),
            ("--road", !self.road.is_empty()),
            ("--off-road", self.off_road.is_some()),
            ("--road-rings", self.road_rings.is_some()),
            ("--cones", self.cones),
            ("--directions", self.directions.is_some()),
        ]
    }

    /// Marks the roads in memory that it makes, and places the cones, which stay: the roads where
    /// searches are to keep their rules.
    ///
    /// # Errors
    /// If the blob, named `file`, has no such area, or the vehicle cannot turn.
    pub(crate) fn roads<'r>(
        &self,
        (blob, query, file): (&CheckedBlob<'_>, &NavQuery<'_>, &str),
        vehicle: &Vehicle<'_>,
        ground: &mut Ground<'_>,
        bits: &'r mut Vec<u64>,
    ) -> Result<Option<Roads<'r>>, Failure> {
        if self.road.is_empty() {
            return Ok(None);
        }
        let mut areas = 0u64;
        for wanted in &self.road {
            let Some(number) = blob.areas().position(|area| area.name == wanted) else {
                let hint = match navbake_bake::nearest_name(wanted, blob.areas().map(|a| a.name)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`navbake info` lists them".into(),
                };
                return Err(Failure::usage(format_args!(
                    "{file}: --road: no area `{wanted}`; {hint}"
                )));
            };
            areas |= 1 << (number & 63);
        }
        let turn = || {
            vehicle.rings_for_turn().ok_or_else(|| {
                Failure::usage(format_args!(
                    "{file}: vehicle `{}` has no move that is a turn; bake it with more `rings`",
                    vehicle.name()
                ))
            })
        };
        let rings = match self.road_rings {
            None => None,
            Some(Rings::Many(many)) => Some(many),
            Some(Rings::Turn) => Some(turn()?),
        };
        let usual = if self.cones { 1.0 } else { f64::INFINITY };
        let off_road_cost = self.off_road.unwrap_or(usual);
        bits.resize(Roads::words(ground), 0);
        let rules = RoadRules { rings, off_road_cost };
        let lacks = || Failure::new(Exit::Internal as u8, "the memory of roads is too small");
        let mut roads = Roads::new(ground, bits, rules).ok_or_else(lacks)?;
        let mesh = query.mesh();
        roads.mark(ground, |middle| {
            let at = query.locate(middle, f64::INFINITY);
            at.is_some_and(|at| areas >> (mesh.area(at.polygon()).0 & 63) & 1 == 1)
        });
        if self.cones {
            let tiles = ground.width() as usize * ground.height() as usize;
            let mut cones = vec![[0; 2]; tiles];
            roads.place_cones(ground, turn()?, &mut cones).ok_or_else(lacks)?;
        }
        // With cones alone searches are as without roads.
        let has_rules = !self.cones || self.off_road.is_some() || rings.is_some();
        Ok(has_rules.then_some(roads))
    }
}
