//! What the page can ask of searches: units with their costs, switches, cells.

use std::collections::BTreeSet;

use navbake_format::CellShape;
use serde::Serialize;

use crate::Subject;

/// What searches can be asked with.
#[derive(Serialize)]
pub(super) struct Search<'a> {
    units: Vec<Unit<'a>>,
    /// Of each area, what its weights were multiplied by.
    factors: Vec<f32>,
    /// The switch that closes each area, by its number.
    area_switches: Vec<Option<u16>>,
    switches: Vec<SwitchData<'a>>,
    /// The shape of the grid map's cells, if there is one, and their side, m.
    cells: Option<&'static str>,
    side: Option<f64>,
}

#[derive(Serialize)]
struct Unit<'a> {
    rows: Vec<Row<'a>>,
}

/// Costs of a metre by area; null where it is forbidden.
#[derive(Serialize)]
struct Row<'a> {
    task: &'a str,
    costs: Vec<f64>,
}

#[derive(Serialize)]
struct SwitchData<'a> {
    name: &'a str,
    closed: bool,
}

pub(super) fn search<'a>(subject: &Subject<'a>) -> Search<'a> {
    let blob = &subject.blob;
    let tasks: BTreeSet<&str> = blob.weights().map(|row| row.name).collect();
    let units = (0u16..).zip(blob.agents()).map(|(agent, _)| Unit {
        rows: tasks
            .iter()
            .filter_map(|task| {
                let row = blob.weights_for(task, agent)?;
                Some(Row { task, costs: row.weights().iter().collect() })
            })
            .collect(),
    });
    let map = blob.grid_map();
    Search {
        units: units.collect(),
        factors: blob.areas().map(|area| area.factor).collect(),
        area_switches: blob.areas().map(|area| area.switch).collect(),
        switches: blob.switches().map(|s| SwitchData { name: s.name, closed: s.closed }).collect(),
        cells: map.map(|map| match map.shape() {
            CellShape::Square => "squares",
            CellShape::Hexagon => "hexagons",
        }),
        side: map.map(|map| map.cell()),
    }
}
