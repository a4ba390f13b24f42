//! What a bake will take, before it is done.

use navbake_walkable::{Plan, WalkableSettings};

use crate::Forecast;
use crate::error::BakeError;
use crate::job::{Ground, Job};
use crate::progress::Options;

pub(crate) fn forecast(job: &Job, options: &Options) -> Result<Forecast, BakeError> {
    let settings = WalkableSettings {
        cell: job.config.cell,
    };
    let _ = options;
    let mut forecast = Forecast {
        tiles: 0,
        triangles: 0,
        peak_bytes: 0,
    };
    if let Ground::Level(level) = &job.ground {
        forecast.triangles = level.triangles.len();
        for class in job.classes().0 {
            let plan = Plan::new(level, &class.agent, &settings)
                .map_err(|e| BakeError::input(&job.place, e.to_string()))?;
            forecast.tiles += plan.tile_count();
        }
    } else {
        forecast.tiles = 1;
    }
    Ok(forecast)
}
