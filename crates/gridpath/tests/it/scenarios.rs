//! Octile lengths of real maps, where the maps are present: in the folder that NAVBAKE_DATA names,
//! else in `../shared/data` beside the project. A part of the queries that takes seconds;
//! `tools/measure/octile.py` asks all of them.

use std::path::Path;

use crate::common::{Cells, middle, view};
use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_search::Status;
use navbake_testkit::data::{MapText, data_in};

fn read(path: &Path) -> Cells {
    let map = MapText::read(path);
    Cells { width: map.width, free: map.free(), terrain: vec![] }
}

/// Start, goal and length of each query.
fn scenario(path: &Path) -> Vec<([i64; 2], [i64; 2], String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).filter(|l| !l.trim().is_empty());
    rows.map(|row| {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let [.., sx, sz, tx, tz, length] = fields[..] else { panic!("{row}") };
        let n = |text: &str| text.parse().unwrap();
        ([n(sx), n(sz)], [n(tx), n(tz)], length.to_owned())
    })
    .collect()
}

#[test]
fn octile_lengths_are_those_of_the_scenarios() {
    let Some(maps) = data_in("octile_lengths_are_those_of_the_scenarios", "maps") else {
        return;
    };
    for (name, every) in [
        ("dao/lak110d", 1),
        ("da2/lt_house", 1),
        ("dao/arena2", 3),
        ("da2/ca_caverns2", 5),
        ("bgmaps/AR0013SR", 7),
        ("bgmaps/AR0700SR", 11),
        ("da2/w_sundermount", 13),
        ("dao/orz700d", 41),
        ("sc1/Sandstorm", 17),
        ("sc1/Aurora", 61),
    ] {
        let map = read(&maps.join(format!("{name}.map")));
        let queries = scenario(&maps.join(format!("{name}.map.scen")));
        let bytes = map.bake();
        let view = view(&bytes);
        let query = GridQuery::new(view);
        let mut buffer = GridBuffer::new(GridScratchSize::of(&view));
        for (from, to, length) in queries.iter().step_by(every) {
            let goals = [middle(*to)];
            let request = GridRequest::new(middle(*from), &goals, GridPlanner::Grid8);
            let answer = query.find_path(&request, &mut buffer).unwrap();
            let known: f64 = length.parse().unwrap();
            // Some files have two decimals, the others six digits.
            let printed = if name.starts_with("bgmaps") { 0.00501 } else { 0.0 };
            let slack = (1e-5 * known.max(1.0)).max(printed);
            let place = format!("{name} {from:?} {to:?}");
            assert_eq!(answer.status, Status::Reached, "{place}");
            assert!((answer.cost - known).abs() <= slack, "{place}: {} {known}", answer.cost);
            assert!(answer.certified_optimal, "{place}");
        }
    }
}
