//! Options of the planner for units that turn.

use clap::Args;
use navbake_format::{CheckedBlob, VehicleRules};
use navbake_search::NavMesh;
use navbake_vehicle::{Ground, Roads, Vehicle};

use crate::failure::{Exit, Failure};

/// The options that need a road.
const ROAD_OPTIONS: &[&str] = &["--off-road", "--road-rings", "--cones"];

/// Roads, smoothing, and the directions that a unit is drawn in.
#[derive(Debug, Args)]
pub(crate) struct VehicleOptions {
    /// Planner turning: do not smooth the path
    #[arg(long)]
    pub(crate) unsmoothed: bool,
    /// Planner turning: areas that are road, in place of the vehicle's own roads and their rules
    #[arg(long, value_name = "AREA,..", value_delimiter = ',')]
    road: Vec<String>,
    /// Planner turning: do not keep to the vehicle's own roads
    #[arg(long, conflicts_with_all = ["road", "off_road", "road_rings", "cones"])]
    no_road: bool,
    /// Planner turning: cost factor of moves off the road, 1 or more, or inf [default: that of the
    /// vehicle's roads; with --road inf, with --road and --cones 1]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    off_road: Option<f64>,
    /// Planner turning: reach of moves on a road, in tiles, or turn for the least that is a turn
    #[arg(long, value_name = "N|turn", value_parser = Rings::parse)]
    road_rings: Option<Rings>,
    /// Planner turning: block the tiles beside the road, away from its bends
    #[arg(long)]
    cones: bool,
    /// Planner turning: lines in this many directions in place of arcs, or any for arcs [default:
    /// the vehicle's own]
    #[arg(long, value_name = "8|16|any", value_parser = Directions::parse)]
    directions: Option<Directions>,
}

/// The reach of moves on a road.
#[derive(Clone, Copy, Debug)]
enum Rings {
    Many(u16),
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

/// The directions of lines.
#[derive(Clone, Copy, Debug)]
enum Directions {
    Many(u32),
    /// Arcs.
    Any,
}

impl Directions {
    fn parse(text: &str) -> Result<Directions, String> {
        match text {
            "8" => Ok(Directions::Many(8)),
            "16" => Ok(Directions::Many(16)),
            "any" => Ok(Directions::Any),
            _ => Err("expected 8 or 16, or any".into()),
        }
    }
}

impl VehicleOptions {
    /// Which of the options are given, for [`refuse_unused`](crate::search_args::refuse_unused).
    pub(crate) fn given(&self) -> [(&'static str, bool); 7] {
        [
            ("--unsmoothed", self.unsmoothed),
            ("--road", !self.road.is_empty()),
            ("--no-road", self.no_road),
            ("--off-road", self.off_road.is_some()),
            ("--road-rings", self.road_rings.is_some()),
            ("--cones", self.cones),
            ("--directions", self.directions.is_some()),
        ]
    }

    /// The directions in place of arcs, by default those of the vehicle.
    pub(crate) fn directions(&self, vehicle: &Vehicle<'_>) -> Option<u32> {
        match self.directions {
            Some(Directions::Any) => None,
            Some(Directions::Many(many)) => Some(many),
            None => vehicle.rules().directions.map(u32::from),
        }
    }

    /// The vehicle's own roads, or those of the options.
    fn rules(
        &self,
        blob: &CheckedBlob<'_>,
        vehicle: &Vehicle<'_>,
        file: &str,
    ) -> Result<VehicleRules, Failure> {
        let mut rules = if self.road.is_empty() { vehicle.rules() } else { VehicleRules::NONE };
        if self.no_road {
            return Ok(VehicleRules::NONE);
        }
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
            rules.areas |= 1 << (number & 63);
        }
        let given = self.given().into_iter().find(|&(name, is)| is && ROAD_OPTIONS.contains(&name));
        if let (0, Some((option, _))) = (rules.areas, given) {
            return Err(Failure::usage(format_args!(
                "{file}: {option}: vehicle `{}` has no roads; name their areas with --road",
                vehicle.name()
            )));
        }
        let turn = || {
            let rings = vehicle.rings_for_turn().and_then(|rings| u16::try_from(rings).ok());
            rings.ok_or_else(|| {
                Failure::usage(format_args!(
                    "{file}: vehicle `{}` has no move that is a turn; bake it with more `rings`",
                    vehicle.name()
                ))
            })
        };
        match self.road_rings {
            None => {}
            Some(Rings::Many(many)) => rules.rings = Some(many),
            Some(Rings::Turn) => rules.rings = Some(turn()?),
        }
        if self.cones {
            rules.cones = Some(turn()?);
        }
        if !self.road.is_empty() && !self.cones {
            rules.off_road_cost = f64::INFINITY;
        }
        rules.off_road_cost = self.off_road.unwrap_or(rules.off_road_cost);
        Ok(rules)
    }

    /// Marks the roads in memory that it makes, and places the cones, which stay.
    ///
    /// # Errors
    /// If the blob, named `file`, has no such area, or the vehicle cannot turn.
    pub(crate) fn roads<'r>(
        &self,
        (blob, mesh, file): (&CheckedBlob<'_>, &NavMesh<'_>, &str),
        vehicle: &Vehicle<'_>,
        ground: &mut Ground<'_>,
        bits: &'r mut Vec<u64>,
    ) -> Result<Option<Roads<'r>>, Failure> {
        let rules = self.rules(blob, vehicle, file)?;
        if rules.areas == 0 {
            return Ok(None);
        }
        bits.resize(Roads::words(ground), 0);
        let lacks = || Failure::new(Exit::Internal as u8, "the memory of roads is too small");
        let mut roads = Roads::new(ground, bits, rules.into()).ok_or_else(lacks)?;
        roads.mark_areas(ground, mesh, rules.areas);
        if let Some(after) = rules.cones {
            let tiles = ground.width() as usize * ground.height() as usize;
            let mut cones = vec![[0; 2]; tiles];
            roads.place_cones(ground, after.into(), &mut cones).ok_or_else(lacks)?;
        }
        Ok(Some(roads))
    }
}
