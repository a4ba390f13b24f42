//! Path queries: `navbake-search` beside Detour and the crate `polyanya`, the same pairs of places
//! in one process.

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use navbake_bake::config::Budget;
use navbake_peer_bench::clock::cpu_seconds;
use navbake_peer_bench::levels::{Folders, list};
use navbake_peer_bench::walker::Walker;
use navbake_peer_bench::{fans, mesh::Mesh, ours, peer};
use navbake_search::{AStar, Algorithm, Error, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};

/// Asks for paths between random places of the ground that navbake and Detour both know, and prints
/// mean times of whole queries: both ends located, the path, its points. The least of the rounds
/// counts. Lengths are compared on navbake's mesh with the optimal ones, and Detour's with those,
/// though its mesh is another one.
#[derive(Debug, Parser)]
struct Options {
    /// Levels of the list (levels.toml) whose name holds this; may be given several times.
    #[arg(long, default_values = ["nav_test", "recast_dungeon", "dungeon_8x8", "arena512"])]
    only: Vec<String>,
    /// Pairs of places.
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Nodes of Detour's searches, and of navbake's where they count nodes.
    #[arg(long, default_value_t = 65_535)]
    nodes: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Size of tables beside the navmesh: none, labels, or a size.
    #[arg(long, default_value = "none")]
    table_budget: Budget,
}

fn main() -> ExitCode {
    match work(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

/// Numbers that look random (Steele, Lea and Flood, Fast splittable pseudorandom number generators,
/// 2014).
struct Random(u64);

impl Random {
    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Triangles of a mesh, to draw places from by area.
struct Places {
    triangles: Vec<[[f64; 3]; 3]>,
    sums: Vec<f64>,
}

impl Places {
    fn new(mesh: &Mesh) -> Places {
        let (mut triangles, mut sums, mut sum) = (vec![], vec![], 0.0);
        for polygon in &mesh.polygons {
            let at = |k: usize| mesh.vertices[polygon[k] as usize];
            for k in 1..polygon.len() - 1 {
                let [a, b, c] = [at(0), at(k), at(k + 1)];
                sum += ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])).abs();
                triangles.push([a, b, c]);
                sums.push(sum);
            }
        }
        Places { triangles, sums }
    }

    fn draw(&self, random: &mut Random) -> [f64; 3] {
        let at = random.next() * self.sums.last().copied().unwrap_or(0.0);
        let k = self.sums.partition_point(|&s| s <= at).min(self.triangles.len() - 1);
        let [a, b, c] = self.triangles[k];
        let (mut u, mut v) = (random.next(), random.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        [0, 1, 2].map(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]))
    }
}

type Pair = [[f64; 3]; 2];

fn single(p: [f64; 3]) -> [f32; 3] {
    p.map(|c| c as f32)
}

/// Mean CPU time of a query in µs: the least of the rounds.
fn mean(rounds: usize, pairs: &[Pair], mut ask: impl FnMut(&Pair)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let begin = cpu_seconds();
        pairs.iter().for_each(&mut ask);
        best = best.min(cpu_seconds() - begin);
    }
    best * 1e6 / pairs.len().max(1) as f64
}

fn work(options: &Options) -> Result<(), String> {
    let entries = list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("levels.toml"))?;
    let folders = Folders::find();
    println!(
        "| level | pairs | Detour µs | corridor | optimal | optimal / Detour | points alone | points / Detour | polyanya | unreachable: two ends | whole | Detour's length | corridor's |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for entry in &entries {
        let title = entry.title();
        if !options.only.iter().any(|o| title.contains(o.as_str())) {
            continue;
        }
        let loaded = entry.load(&folders)?;
        let baked = peer::Input::new(&loaded.scene, &loaded.agent, entry.cells())?.bake()?;
        let mut walker = Walker::new(&baked, &loaded.agent, options.nodes)?;
        let mut config = ours::config(&loaded.agent, entry.border_error);
        config.tables.budget = options.table_budget.into();
        let baked_ours = ours::bake(&ours::job(loaded.scene.clone(), &config)?, 2)?;
        let (bytes, tables) = (baked_ours.bytes, baked_ours.summary.tables.bytes);
        let title = format!("{title} ({:.2} MB of tables)", tables as f64 / 1e6);
        let nav = NavMeshBuf::open(&bytes).map_err(|e| e.to_string())?;
        let query = NavQuery::new(nav.mesh());
        println!("{}", compare(&title, options, &mut walker, &query)?);
    }
    Ok(())
}

/// A row of the table.
fn compare(
    title: &str,
    options: &Options,
    walker: &mut Walker,
    query: &NavQuery<'_>,
) -> Result<String, String> {
    let mesh = Mesh::of(query.mesh());
    let places = Places::new(&mesh);
    let mut random = Random(options.seed);
    let mut scratch = Scratch::new();
    let request = |p: &Pair, algorithm| PathRequest::new(p[0], p[1]).algorithm(algorithm);
    let a_star = Algorithm::Corridor(AStar::default());
    let refused = |e: Error| format!("{title}: {e}");
    let (mut pairs, mut apart, mut tries) = (vec![], vec![], 0);
    let (mut theirs, mut best, mut corridors) = (0.0, 0.0, 0.0);
    let mut lost = 0;
    while pairs.len() < options.pairs && tries < 200 * options.pairs {
        tries += 1;
        let pair = [places.draw(&mut random), places.draw(&mut random)];
        let optimal = request(&pair, Algorithm::Optimal);
        let optimal = query.find_path(&optimal, &mut scratch).map_err(refused)?;
        let (status, length) = (optimal.status, optimal.length_xz);
        if status == Status::Unreachable && apart.len() < options.pairs {
            apart.push(pair);
        }
        if status == Status::OutOfNodes {
            return Err(format!("{title}: out of nodes between {pair:?}"));
        }
        if status != Status::Reached {
            continue;
        }
        let Some(detour) = walker.path(single(pair[0]), single(pair[1])) else {
            lost += 1;
            continue;
        };
        let corridor = query.find_path(&request(&pair, a_star), &mut scratch).map_err(refused)?;
        corridors += corridor.length_xz;
        theirs += detour;
        best += length;
        pairs.push(pair);
    }
    let rounds = options.rounds;
    let detour = mean(rounds, &pairs, |p| {
        std::hint::black_box(walker.path(single(p[0]), single(p[1])));
    });
    let mut ask = |algorithm, polygons| {
        mean(rounds, &pairs, |p| {
            let request = request(p, algorithm).polygons(polygons);
            std::hint::black_box(query.find_path(&request, &mut scratch).is_ok());
        })
    };
    let corridor = ask(a_star, true);
    let (optimal, points) = (ask(Algorithm::Optimal, true), ask(Algorithm::Optimal, false));
    let ends = mean(rounds, &apart, |p| {
        for point in p {
            std::hint::black_box(query.end(*point, [0.0, 2.0, 0.0]));
        }
    });
    let whole = mean(rounds, &apart, |p| {
        let request = request(p, Algorithm::Optimal);
        std::hint::black_box(query.find_path(&request, &mut scratch).is_ok());
    });
    let peer = fans::mesh(query.mesh()).map(|peer| {
        let some = &pairs[..pairs.len().min(2000)];
        let mut found = 0;
        let time = mean(rounds, some, |p| {
            let path = std::hint::black_box(peer.path(fans::place(p[0]), fans::place(p[1])));
            found += usize::from(path.is_some());
        });
        let share = 100 * found / (rounds * some.len()).max(1);
        format!("{time:.1} ({share} % found)")
    });
    let unreachable = match apart.is_empty() {
        true => "- | -".into(),
        false => format!("{ends:.2} | {whole:.2}"),
    };
    Ok(format!(
        "| {title} | {} ({lost} not in Detour) | {detour:.2} | {corridor:.2} | {optimal:.2} | {:.2} | {points:.2} | {:.2} | {} | {unreachable} | {:.4} | {:.4} |",
        pairs.len(),
        optimal / detour,
        points / detour,
        peer.unwrap_or("-".into()),
        theirs / best,
        corridors / best,
    ))
}
