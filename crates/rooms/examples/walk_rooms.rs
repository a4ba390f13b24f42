//! How hierarchical paths compare with optimal ones: the queries of a MovingAI scenario, or random
//! pairs of places of one island each, in one process.
//!
//! ```text
//! walk_rooms FILE.nav FILE.scen
//! walk_rooms FILE.nav [PAIRS] [FARTHER]
//! ```
//! Only random pairs at least FARTHER metres apart are taken. Prints times in microseconds:
//! `optimal` without tables, the whole path of `hierarchical`, the first leg of a walk, and a
//! further leg; the most entries that a leg took off open lists; and how much longer whole paths
//! and walks are than the shortest.
//!
//! Where other programs run, compare instructions instead of times: those of `optimal` and
//! `first_leg` under `valgrind --tool=callgrind`.

use std::time::Instant;

use navbake_rooms::{Hop, RoomMemory, RoomScratch, Walk, find_path};
use navbake_search::around::Random;
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavPath, NavQuery, PathRequest, Status};

/// Start and goal.
type Pair = [[f64; 3]; 2];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).expect("a blob");
    let blob = Blob::open_checked(&bytes).expect("a sound blob");
    let query = NavQuery::new(blob.decode(0).expect("a mesh").leak());
    let rooms = query.mesh().rooms().expect("baked with rooms");
    let mut scratch = RoomScratch::new();
    let mut route = vec![Hop::default(); rooms.door_count() as usize + 1];
    let mut totals = Totals::default();
    let pairs = match args.get(2) {
        Some(file) if file.ends_with(".scen") => scenario(file, blob.header().scale),
        _ => random_pairs(&query, &args),
    };
    for pair in pairs {
        if let Err(status) = totals.compare(&query, pair, &mut route, &mut scratch) {
            println!("{pair:?}: {status:?}");
            return;
        }
    }
    println!(
        "{} polygons {} rooms {} doors {} clusters; {} pairs, {:.1} further legs each",
        query.mesh().polygon_count(),
        rooms.count(),
        rooms.door_count(),
        rooms.cluster_count(),
        totals.pairs,
        totals.legs / totals.pairs
    );
    totals.print();
}

/// The queries of a scenario, whose points are corners of cells.
fn scenario(file: &str, cell: f64) -> Vec<Pair> {
    let text = std::fs::read_to_string(file).expect("a scenario");
    let query = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let ends = fields.get(fields.len().checked_sub(5)?..fields.len() - 1)?;
        let place = |k: usize| Some(ends[k].parse::<f64>().ok()? * cell);
        Some([[place(0)?, 0.0, place(1)?], [place(2)?, 0.0, place(3)?]])
    };
    text.lines().filter_map(query).collect()
}

/// Random pairs of places, each on one island.
fn random_pairs(query: &NavQuery<'_>, args: &[String]) -> Vec<Pair> {
    let number = |k: usize, usual: f64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(usual);
    let (count, farther) = (number(2, 1000.0) as usize, number(3, 0.0));
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("memory for areas");
    let mut random = Random::new(1);
    let mut pairs = vec![];
    for _ in 0..1_000_000 {
        let ends = [(); 2].map(|()| query.random_place(&areas, &mut random));
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        let (a, b) = (from.position(), to.position());
        let away = (a[0] - b[0]).hypot(a[2] - b[2]);
        if away >= farther && query.connected(&from, &to) != Some(false) {
            pairs.push([a, b]);
        }
        if pairs.len() == count {
            break;
        }
    }
    pairs
}

/// The shortest path.
#[inline(never)]
fn optimal<'s>(
    query: &NavQuery<'_>,
    request: &PathRequest,
    scratch: &'s mut RoomScratch,
) -> NavPath<'s> {
    query
        .find_path(&request.algorithm(Algorithm::Optimal), scratch.ground())
        .expect("an open start")
}

/// Begins a walk: the walk, its first leg's length, and the entries that leg took off open lists.
#[inline(never)]
fn first_leg<'r>(
    query: &NavQuery<'_>,
    request: &PathRequest,
    route: &'r mut [Hop],
    scratch: &mut RoomScratch,
) -> (Walk<'r>, f64, u32) {
    let mut walk = Walk::new(query, request, route).expect("distances between doors");
    let leg = walk.next_leg(query, scratch);
    let (length, work) = leg.map_or((0.0, 0), |leg| (leg.path.length_xz, leg.expanded));
    (walk, length, work)
}

#[derive(Default)]
struct Totals {
    pairs: f64,
    optimal: f64,
    whole: f64,
    first: f64,
    first_work: f64,
    first_most: u32,
    further: f64,
    legs: f64,
    most: u32,
    certified: f64,
    proved: f64,
    cones: [f64; 2],
    excess: [f64; 2],
    worst: [f64; 2],
}

impl Totals {
    /// Asks all planners for one pair; pairs that no path joins, and such of one place, do not
    /// count. The status of a walk that does not arrive is an error.
    fn compare(
        &mut self,
        query: &NavQuery<'_>,
        [a, b]: Pair,
        route: &mut [Hop],
        scratch: &mut RoomScratch,
    ) -> Result<(), Status> {
        let request = PathRequest::new(a, b);
        // The least of three rounds each: other programs run too.
        let mut least = [f64::INFINITY; 4];
        let (mut best, mut legs, mut length) = (0.0, 0, 0.0);
        for round in 0..3 {
            let start = Instant::now();
            let shortest = optimal(query, &request, scratch);
            least[0] = least[0].min(start.elapsed().as_secs_f64());
            if shortest.status != Status::Reached || shortest.length_xz == 0.0 {
                return Ok(());
            }
            best = shortest.length_xz;
            let cones = shortest.expanded;
            let start = Instant::now();
            let whole = find_path(query, &request, &mut *scratch).expect("a blob with rooms").path;
            least[1] = least[1].min(start.elapsed().as_secs_f64());
            if round == 0 {
                let share = whole.length_xz / best;
                self.certified += f64::from(u8::from(whole.certified_optimal));
                self.proved += whole.length_xz / whole.bound;
                self.excess[0] += share;
                self.worst[0] = self.worst[0].max(share);
                self.cones[0] += f64::from(cones);
                self.cones[1] += f64::from(whole.expanded);
            }
            let start = Instant::now();
            let (mut walk, first, work) = first_leg(query, &request, route, scratch);
            least[2] = least[2].min(start.elapsed().as_secs_f64());
            (length, legs) = (first, 0);
            let start = Instant::now();
            let mut most = 0;
            while let Some(leg) = walk.next_leg(query, &mut *scratch) {
                length += leg.path.length_xz;
                legs += 1;
                most = most.max(leg.expanded);
            }
            least[3] = least[3].min(start.elapsed().as_secs_f64());
            if round == 0 {
                self.first_work += f64::from(work);
                self.first_most = self.first_most.max(work);
                self.most = self.most.max(most);
            }
            if walk.status() != Status::Reached {
                return Err(walk.status());
            }
        }
        self.optimal += least[0];
        self.whole += least[1];
        self.first += least[2];
        self.further += least[3];
        self.legs += f64::from(legs);
        self.excess[1] += length / best;
        self.worst[1] = self.worst[1].max(length / best);
        self.pairs += 1.0;
        Ok(())
    }

    fn print(&self) {
        let us = 1e6 / self.pairs;
        println!(
            "us: optimal {:.1} whole {:.1} first leg {:.1} (a share of {:.3}) further leg {:.1}",
            self.optimal * us,
            self.whole * us,
            self.first * us,
            self.first / self.optimal,
            self.further * 1e6 / self.legs
        );
        println!(
            "entries: optimal {:.0} whole {:.0} first leg {:.0}, at most {}; further leg at most {}",
            self.cones[0] / self.pairs,
            self.cones[1] / self.pairs,
            self.first_work / self.pairs,
            self.first_most,
            self.most
        );
        println!(
            "length over optimal: whole mean {:.5} worst {:.4} (proved {:.4}, certified {:.2}); walked mean {:.5} worst {:.4}",
            self.excess[0] / self.pairs,
            self.worst[0],
            self.proved / self.pairs,
            self.certified / self.pairs,
            self.excess[1] / self.pairs,
            self.worst[1]
        );
    }
}
