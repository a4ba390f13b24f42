//! Finishes paths between random places. An independent walk checks each piece.
//!
//! `cargo run --release -p navbake-finish --example check_finish level.nav [PAIRS] [RADIUS]` exits
//! with 1 if a path leaves the mesh.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use navbake_finish::{Finished, Rounding, round, spline, spline_room};
use navbake_search::blob::Blob;
use navbake_search::{AStar, Algorithm, NavPoint, NavQuery, PathRequest, PolyId, Scratch};
use navbake_testkit::{Random, plain_walk};

/// The results for the paths of one kind.
#[derive(Default)]
struct Tally {
    points: usize,
    kept: usize,
    left: usize,
    length: f64,
    time: Duration,
}

impl Tally {
    fn add(&mut self, query: &NavQuery<'_>, goal: PolyId, first: PolyId, finished: &Finished<'_>) {
        self.points += finished.points.len();
        self.kept += finished.kept;
        self.length += finished.length_xz;
        let mut at = BTreeSet::from([first]);
        for pair in finished.points.windows(2) {
            at = plain_walk::walk(query.mesh(), &at, pair[0].point(), pair[1].point());
        }
        self.left += usize::from(!at.contains(&goal));
    }

    fn print(&self, name: &str, what: &str, paths: usize) {
        println!(
            "{name}: {} paths left the mesh, {:.1} points a path, {} {what} kept, {:.1} m a path, {:.2} us a path",
            self.left,
            self.points as f64 / paths as f64,
            self.kept,
            self.length / paths as f64,
            self.time.as_secs_f64() * 1e6 / paths as f64
        );
    }
}

/// A place in a random polygon: corners weighed at random.
fn place(query: &NavQuery<'_>, random: &mut Random) -> NavPoint {
    loop {
        let id = PolyId((random.next() % u64::from(query.mesh().polygon_count())) as u32);
        let polygon = query.mesh().polygon(id);
        let (mut sum, mut whole) = ([0.0; 3], 0.0);
        for k in 0..polygon.len() {
            let weight = (random.next() % 1024) as f64;
            (0..3).for_each(|c| sum[c] += weight * f64::from(polygon.point(k)[c]));
            whole += weight;
        }
        let point = query.mesh().grid().metres(sum.map(|c| c / f64::max(whole, 1.0)));
        if let Some(place) = query.on_polygon(id, point) {
            return place;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: check_finish BLOB [PAIRS] [RADIUS]")?;
    let pairs: usize = arguments.next().map_or(Ok(10_000), |a| a.parse())?;
    let radius: f64 = arguments.next().map_or(Ok(1.0), |a| a.parse())?;
    let rounding = Rounding::new(radius);

    let bytes = std::fs::read(file)?;
    let blob = Blob::open_checked(&bytes)?;
    let nav = blob.decode(0)?;
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut random = Random(1);
    let mut out = vec![place(&query, &mut random); 1024];
    let (mut paths, mut corners, mut length) = (0, 0, 0.0);
    let (mut splines, mut rounds) = (Tally::default(), Tally::default());
    for k in 0..pairs {
        let (from, to) = (place(&query, &mut random), place(&query, &mut random));
        let planner = [Algorithm::Corridor(AStar::default()), Algorithm::Optimal][k % 2];
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner);
        let answer = query.find_path_between(&from, &to, &request, &mut scratch)?;
        if answer.points.is_empty() {
            continue;
        }
        let n = answer.points.len();
        let room = spline_room(n).max(rounding.room(n));
        if room > out.len() {
            out.resize(room, from);
        }
        paths += 1;
        corners += n - 2;
        length += answer.length_xz;
        let start = Instant::now();
        let spline = spline(&query, &answer, &mut out)?;
        splines.time += start.elapsed();
        splines.add(&query, to.polygon(), from.polygon(), &spline);
        let start = Instant::now();
        let round = round(&query, &answer, rounding, &mut out)?;
        rounds.time += start.elapsed();
        rounds.add(&query, to.polygon(), from.polygon(), &round);
    }
    println!(
        "{paths} paths of {pairs} pairs, {corners} corners, {:.1} m a path",
        length / paths as f64
    );
    splines.print("spline", "stretches", paths);
    rounds.print("round", "corners", paths);
    if splines.left + rounds.left > 0 {
        std::process::exit(1);
    }
    Ok(())
}
