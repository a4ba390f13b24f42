//! `navbake query random`: random points, uniform by area.

use std::fmt::Write;

use clap::Args;
use navbake_search::around::Random;
use navbake_search::blob::IslandId;
use navbake_search::{NavPoint, Scratch};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::args::{between, distance};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{Place, PointOrMarker, show};

/// Options of `query random`.
#[derive(Debug, Args)]
pub(crate) struct RandomQuestion {
    #[command(flatten)]
    common: Common,
    /// Number of points
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = between::<1, 10_000_000>)]
    count: u32,
    /// Seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only on this island
    #[arg(long, value_name = "ID", conflicts_with = "near")]
    island: Option<u32>,
    /// Only points that can be reached from here, a point or a marker
    #[arg(long, value_name = "x,y,z", requires = "within", allow_hyphen_values = true)]
    near: Option<PointOrMarker>,
    /// Longest path from there
    #[arg(long, value_name = "M", requires = "near", value_parser = distance)]
    within: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `found`, `off_mesh` (of --near) or `empty` (no ground, or no such island).
    status: &'static str,
    places: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct Found {
    point: [f64; 3],
    polygon: u32,
    island: u32,
}

/// Runs it.
pub(crate) fn run(question: &RandomQuestion, output: Output) -> Result<Exit, Failure> {
    if question.common.extents.is_some() && question.near.is_none() {
        return Err(Failure::usage("--extents only applies to `query random` with --near"));
    }
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let near = question.near.as_ref().map(|near| ground.place(near)).transpose()?;
    let (status, places) = draw(&ground, question, near);
    let answer = Answer {
        status,
        places: (places.iter())
            .map(|place| Found {
                point: ground.outward(place.position()),
                polygon: place.polygon().0,
                island: ground.island(place.polygon()),
            })
            .collect(),
    };
    output.result(&answer, |answer| match answer.status {
        "found" => answer.places.iter().fold(String::new(), |mut out, place| {
            let _ = writeln!(out, "{}", show(place.point));
            out
        }),
        "off_mesh" => match near {
            Some(near) => format!("off_mesh: {}\n", ground.missing("point", near)),
            None => "off_mesh\n".into(),
        },
        _ => "empty: no ground there\n".into(),
    })?;
    Ok(Exit::Done)
}

fn draw(
    ground: &Ground<'_>,
    question: &RandomQuestion,
    near: Option<Place>,
) -> (&'static str, Vec<NavPoint>) {
    let mut random = Random::new(question.seed);
    let count = question.count as usize;
    let query = &ground.query();
    if let (Some(near), Some(within)) = (near, question.within) {
        let Some(place) = ground.locate(near) else {
            return ("off_mesh", vec![]);
        };
        let mut scratch = Scratch::new();
        let most = ground.metres(within);
        let places =
            (0..count).map(|_| query.random_within(&place, most, &mut random, &mut scratch));
        return ("found", places.collect());
    }
    let mut sums = vec![0; ground.mesh().polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return ("empty", vec![]);
    };
    let mut one = || match question.island {
        Some(island) => query.random_on_island(&areas, IslandId(island), &mut random),
        None => query.random_place(&areas, &mut random),
    };
    match (0..count).map(|_| one()).collect() {
        Some(places) => ("found", places),
        None => ("empty", vec![]),
    }
}
