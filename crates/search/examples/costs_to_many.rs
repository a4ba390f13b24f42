//! Costs from one place to many: `NavQuery::distances` beside one query for each.
//!
//! `costs_to_many BLOB STARTS GOALS COSTS [WEIGHTS]`; costs are an agent's name or the cost of a
//! metre up, weights those of the areas, in order. Run it under callgrind for counts that repeat;
//! the variable `ONLY` leaves out the single queries.
#![allow(missing_docs)]

use std::time::Instant;

use navbake_search::around::Random;
use navbake_search::blob::AreaId;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |k: usize| arguments[k].parse::<f64>().expect("a number");
    let nav = NavMeshBuf::open(&std::fs::read(&arguments[1]).expect("a blob")).expect("a navmesh");
    let mut filter = QueryFilter::new();
    match arguments[4].parse::<f64>() {
        Ok(uphill) => filter.set_slopes(uphill, 0.0).expect("a cost"),
        Err(_) => {
            filter = filter.agent(&nav.mesh(), &arguments[4]).expect("an agent");
            filter = filter.weights(&nav.mesh(), "").expect("weights");
        }
    }
    for k in 5..arguments.len() {
        filter.set_cost(AreaId(k as u8 - 5), number(k)).expect("a weight");
    }
    let query = NavQuery::new(nav.mesh()).with_filter(&filter);
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("areas");
    let mut random = Random::new(7);
    let mut place = || query.random_place(&areas, &mut random).expect("ground");
    let mut scratch = Scratch::new();
    println!("{} polygons", nav.mesh().polygon_count());
    for _ in 0..number(2) as usize {
        let start = place();
        let goals: Vec<_> = (0..number(3) as usize).map(|_| place()).collect();
        let mut costs = vec![None; goals.len()];
        let now = Instant::now();
        let gap = query.distances(&start, &goals, &mut costs, &mut scratch);
        let many = now.elapsed();
        let (mut excess, mut saving, mut worst, mut sums) = (0.0f64, 0.0f64, 0.0f64, [0.0; 2]);
        let (now, mut found) = (Instant::now(), 0);
        for (goal, cost) in goals.iter().zip(&costs).filter(|_| std::env::var("ONLY").is_err()) {
            let request =
                PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::weighted(Algorithm::GAP));
            let path = query.find_path_between(&start, goal, &request, &mut scratch).unwrap();
            assert_eq!(cost.is_some(), path.status == Status::Reached);
            let Some(cost) = *cost else { continue };
            assert!(cost >= path.bound * (1.0 - 1e-9), "below the truth");
            assert!(cost <= path.cost * (1.0 + gap) + 1e-9, "not within the gap");
            found += 1;
            sums = [sums[0] + cost, sums[1] + path.cost];
            excess = excess.max(cost / path.cost - 1.0);
            saving = saving.max(path.cost / cost - 1.0);
            worst = worst.max(path.gap());
        }
        println!(
            "{many:.1?}, gap {:.2} %; one query each: {:.1?}, gap {:.2} %; {found} found, \
             mean {:.3} and {:.3}, at most {:.2} % dearer, {:.2} % cheaper",
            gap * 100.0,
            now.elapsed(),
            worst * 100.0,
            sums[0] / f64::from(found),
            sums[1] / f64::from(found),
            excess * 100.0,
            saving * 100.0
        );
    }
}
