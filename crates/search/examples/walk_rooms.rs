//! How hierarchical paths compare with optimal ones: random pairs of places of one island each, in one process.
//!
//! ```text
//! walk_rooms FILE.nav [PAIRS] [FARTHER]
//! ```
//! Only pairs at least so many metres apart are taken. Prints times in microseconds: `optimal` without tables, the whole path of `hierarchical`, the first leg of a
//! walk, and a further leg; the most entries that a leg took off open lists; and how much longer whole paths and walks are than the shortest.

use std::time::Instant;

use navbake_search::{
    Blob, Hop, PathRequest, Planner, Query, Random, Scratch, SearchBuffer, Status, Tables,
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |k: usize, usual: f64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(usual);
    let bytes = std::fs::read(&args[1]).expect("a blob");
    let blob = Blob::open_checked(&bytes).expect("a sound blob");
    let query = Query::new(blob.mesh(0).expect("a mesh"));
    let rooms = query.mesh().rooms().expect("baked with rooms");
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut route = vec![Hop::default(); rooms.door_count() as usize + 1];
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("memory for areas");
    let mut random = Random::new(1);
    let mut t = Totals::default();
    let mut tries = 0;
    while t.pairs < number(2, 1000.0) && tries < 1_000_000 {
        tries += 1;
        let ends = [(); 2].map(|()| query.random_place(&areas, &mut random));
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        let (a, b) = (from.position(), to.position());
        let away = ((a[0] - b[0]).powi(2) + (a[2] - b[2]).powi(2)).sqrt();
        if away < number(3, 0.0) || query.connected(&from, &to) == Some(false) {
            continue;
        }
        let request = PathRequest::new(a, b);
        // The least of three rounds each: other programs run too.
        let mut least = [f64::INFINITY; 4];
        let (mut best, mut legs, mut length) = (0.0, 0, 0.0);
        for round in 0..3 {
            let start = Instant::now();
            let mut scratch: Scratch<'_> = buffer.scratch();
            scratch.tables = Tables::default();
            let optimal = query.path(&request.planner(Planner::Optimal), &mut scratch);
            least[0] = least[0].min(start.elapsed().as_secs_f64());
            if optimal.status != Status::Reached || optimal.length_xz == 0.0 {
                break;
            }
            best = optimal.length_xz;
            let cones = optimal.expanded;
            let start = Instant::now();
            let whole = query.path(&request.planner(Planner::Hierarchical), &mut buffer);
            least[1] = least[1].min(start.elapsed().as_secs_f64());
            if round == 0 {
                let share = whole.length_xz / best;
                t.certified += f64::from(u8::from(whole.certified_optimal));
                t.proved += whole.length_xz / whole.bound;
                t.excess[0] += share;
                t.worst[0] = t.worst[0].max(share);
                t.cones[0] += f64::from(cones);
                t.cones[1] += f64::from(whole.expanded);
            }
            let start = Instant::now();
            let mut walk = query.hierarchical(&request, &mut route, &mut buffer);
            let first = walk
                .next_leg(&query, &mut buffer)
                .map(|leg| (leg.path.length_xz, leg.expanded));
            least[2] = least[2].min(start.elapsed().as_secs_f64());
            let (first, work) = first.unwrap_or_default();
            (length, legs) = (first, 0);
            let start = Instant::now();
            let mut most = 0;
            while let Some(leg) = walk.next_leg(&query, &mut buffer) {
                length += leg.path.length_xz;
                legs += 1;
                most = most.max(leg.expanded);
            }
            least[3] = least[3].min(start.elapsed().as_secs_f64());
            if round == 0 {
                t.first_work += f64::from(work);
                t.first_most = t.first_most.max(work);
                t.most = t.most.max(most);
            }
            if walk.status() != Status::Reached {
                println!("{a:?} {b:?}: {:?}", walk.status());
                return;
            }
        }
        if best == 0.0 {
            continue;
        }
        t.optimal += least[0];
        t.whole += least[1];
        t.first += least[2];
        t.further += least[3];
        t.legs += f64::from(legs);
        t.excess[1] += length / best;
        t.worst[1] = t.worst[1].max(length / best);
        t.pairs += 1.0;
    }
    let us = 1e6 / t.pairs;
    println!(
        "{} polygons {} rooms {} doors {} districts; {} pairs, {:.1} further legs each",
        query.mesh().polygon_count(),
        rooms.count(),
        rooms.door_count(),
        rooms.district_count(),
        t.pairs,
        t.legs / t.pairs
    );
    println!(
        "us: optimal {:.1} whole {:.1} first leg {:.1} (a share of {:.3}) further leg {:.1}",
        t.optimal * us,
        t.whole * us,
        t.first * us,
        t.first / t.optimal,
        t.further * 1e6 / t.legs
    );
    println!(
        "entries: optimal {:.0} whole {:.0} first leg {:.0}, at most {}; further leg at most {}",
        t.cones[0] / t.pairs,
        t.cones[1] / t.pairs,
        t.first_work / t.pairs,
        t.first_most,
        t.most
    );
    println!(
        "length over optimal: whole mean {:.5} worst {:.4} (proved {:.4}, certified {:.2}); walked mean {:.5} worst {:.4}",
        t.excess[0] / t.pairs,
        t.worst[0],
        t.proved / t.pairs,
        t.certified / t.pairs,
        t.excess[1] / t.pairs,
        t.worst[1]
    );
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
