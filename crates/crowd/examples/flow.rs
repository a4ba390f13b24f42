//! A flow field for many units: what it costs to make, its memory, and a look-up.
//!
//! ```text
//! cargo run --release -p navbake-crowd --example flow -- LEVEL.nav [GOALS] [UNITS]
//! ```
//!
//! Goals and units are at random places. A hundred of the lengths are compared with the shortest
//! paths to each goal. Under callgrind, 0 units leave the instructions of making a field.

use std::error::Error;
use std::time::Instant;

use navbake_crowd::Field;
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMeshBuf, NavPoint, NavQuery, PathRequest, Scratch, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let bytes = std::fs::read(args.next().ok_or("usage: flow LEVEL.nav [GOALS] [UNITS]")?)?;
    let mut number = |usual: usize| args.next().map_or(Ok(usual), |arg| arg.parse());
    let (goals, units) = (number(4)?, number(10_000)?);
    let nav = NavMeshBuf::open(&bytes)?;
    let query = NavQuery::new(nav.mesh());
    let polygons = nav.mesh().polygon_count();
    let mut sums = vec![0; polygons as usize];
    let areas = query.areas(&mut sums).ok_or("a level without ground")?;
    let mut random = Random::new(7);
    let mut places = |count: usize| -> Vec<NavPoint> {
        (0..count).filter_map(|_| query.random_place(&areas, &mut random)).collect()
    };
    let goals = places(goals);

    let begin = Instant::now();
    let field = Field::new(&query, &goals)?;
    let made = begin.elapsed().as_secs_f64() * 1e3;
    let each = field.size() as f64 / f64::from(polygons);
    println!("{polygons} polygons, {} goals: made in {made:.1} ms", goals.len());
    println!("{} bytes, {each:.0} a polygon", field.size());

    let units = places(units);
    if units.is_empty() {
        return Ok(());
    }
    let (mut times, mut ways) = (vec![], 0);
    for _ in 0..50 {
        let begin = Instant::now();
        ways = 0;
        for unit in &units {
            ways += usize::from(field.next(&query, unit)?.is_some());
        }
        times.push(begin.elapsed().as_secs_f64() * 1e9 / units.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    let (half, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{} units, {ways} with a way: {half:.0} ns a look-up, at most {most:.0}", units.len());

    let (mut scratch, mut off) = (Scratch::new(), 0.0f64);
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    for unit in units.iter().take(100) {
        let mut length = f64::INFINITY;
        for goal in &goals {
            let path = query.find_path_between(unit, goal, &request, &mut scratch)?;
            if path.status == Status::Reached {
                length = length.min(path.length_xz);
            }
        }
        let found = field.next(&query, unit)?.map_or(f64::INFINITY, |next| next.remaining);
        if found != length {
            off = off.max((found - length).abs() / length);
        }
    }
    println!("lengths of 100 differ from the shortest paths by a share of at most {off:.1e}");
    Ok(())
}
