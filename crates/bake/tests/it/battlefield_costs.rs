//! Seven units on ten kinds of terrain: their paths against a fine graph over the cells of the map.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::path::Path;

use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;

const WIDTH: usize = 64;
const DEPTH: usize = 48;
/// Side of a cell, m.
const CELL: f64 = 10.0;
/// Points of the graph on each side of a cell.
const PARTS: usize = 5;
const STEP: f64 = CELL / PARTS as f64;

/// The cost of a metre in each cell, by row.
struct Ground(Vec<f64>);

impl Ground {
    fn at(&self, x: i64, z: i64) -> f64 {
        let inside = (0..WIDTH as i64).contains(&x) && (0..DEPTH as i64).contains(&z);
        if inside { self.0[z as usize * WIDTH + x as usize] } else { f64::INFINITY }
    }

    /// Do two cells that may be walked on touch here at their corners alone? There is no path
    /// through.
    fn is_pinch(&self, i: usize, j: usize) -> bool {
        if !i.is_multiple_of(PARTS) || !j.is_multiple_of(PARTS) {
            return false;
        }
        let (x, z) = ((i / PARTS) as i64, (j / PARTS) as i64);
        let free = |dx: i64, dz: i64| self.at(x + dx, z + dz).is_finite();
        let (a, b, c, d) = (free(-1, -1), free(0, -1), free(0, 0), free(-1, 0));
        a == c && b == d && a != b
    }
}

const COLUMNS: usize = WIDTH * PARTS + 1;

fn place(n: usize) -> [f64; 2] {
    [(n % COLUMNS) as f64 * STEP, (n / COLUMNS) as f64 * STEP]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// The points on the border of a cell.
fn border(ground: &Ground, x: usize, z: usize) -> Vec<usize> {
    let mut all = vec![];
    for j in z * PARTS..=(z + 1) * PARTS {
        for i in x * PARTS..=(x + 1) * PARTS {
            let on_border = i.is_multiple_of(PARTS) || j.is_multiple_of(PARTS);
            if on_border && !ground.is_pinch(i, j) {
                all.push(j * COLUMNS + i);
            }
        }
    }
    all
}

#[derive(PartialEq)]
struct Entry(f64, usize);

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
    }
}

fn cell(p: [f64; 2]) -> (usize, usize) {
    ((p[0] / CELL) as usize, (p[1] / CELL) as usize)
}

/// Dijkstra's method from a point within a cell: the cost of each point of the graph.
/// Its paths can be walked, so none is cheaper than the cheapest path.
fn costs_from(ground: &Ground, from: [f64; 2]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; COLUMNS * (DEPTH * PARTS + 1)];
    let mut open = BinaryHeap::new();
    let (x, z) = cell(from);
    for n in border(ground, x, z) {
        best[n] = ground.at(x as i64, z as i64) * distance(from, place(n));
        open.push(Entry(best[n], n));
    }
    while let Some(Entry(g, n)) = open.pop() {
        if g > best[n] {
            continue;
        }
        let (i, j) = (n % COLUMNS, n / COLUMNS);
        // All cells that have it on their border.
        let around = |c: usize, most: usize| {
            let last = (c / PARTS).min(most - 1);
            let first = if c.is_multiple_of(PARTS) { (c / PARTS).saturating_sub(1) } else { last };
            first..=last
        };
        for z in around(j, DEPTH) {
            for x in around(i, WIDTH) {
                let weight = ground.at(x as i64, z as i64);
                if !weight.is_finite() {
                    continue;
                }
                for m in border(ground, x, z) {
                    let way = g + weight * distance(place(n), place(m));
                    if way < best[m] {
                        best[m] = way;
                        open.push(Entry(way, m));
                    }
                }
            }
        }
    }
    best
}

/// A point within a cell that is no wall, off its border.
fn point(random: &mut Random, rows: &[&[u8]]) -> [f64; 2] {
    loop {
        let (x, z) = (random.below(WIDTH), random.below(DEPTH));
        if rows[z][x] != b'x' {
            let mut within = |c: usize| CELL * c as f64 + (random.below(99) + 1) as f64 / 10.0;
            return [within(x), within(z)];
        }
    }
}

#[test]
fn every_units_paths_cost_what_their_bounds_say_beside_a_fine_graph() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/battlefield");
    let config = Config::load(&Path::new(root).join("bake.toml")).unwrap();
    let level = Path::new(root).join("blank.txt");
    let baked = bake_file(&level, &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let text = std::fs::read_to_string(Path::new(root).join("battlefield.txt")).unwrap();
    let rows: Vec<&[u8]> = text.lines().skip(3).map(str::as_bytes).collect();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut scratch = Scratch::new();
    let mut random = Random(1);
    let (mut pairs, mut gaps, mut blocked) = (0, 0.0, 0);
    for (unit, agent) in blob.agents().enumerate() {
        let row = blob.weights_for("", unit as u16).unwrap();
        let weights: Vec<f64> = row.weights().iter().collect();
        let mut filter = QueryFilter::new();
        filter.set_weights(&row);
        let query = NavQuery::new(mesh).with_filter(&filter);
        let weight = |cell: &u8| match cell {
            // Area 0 is the ground of levels without terrain.
            digit @ b'0'..=b'9' => weights[usize::from(digit - b'0') + 1],
            _ => f64::INFINITY,
        };
        let ground = Ground(rows.iter().flat_map(|row| row.iter().map(weight)).collect());
        let weight_at = |p: [f64; 2]| {
            let (x, z) = cell(p);
            ground.at(x as i64, z as i64)
        };
        let mut reached = 0;
        for _ in 0..8 {
            let mut from = point(&mut random, &rows);
            while !weight_at(from).is_finite() {
                from = point(&mut random, &rows);
            }
            let best = costs_from(&ground, from);
            // Most units reach a part of the map only.
            let mut tries = 0;
            while reached < 150 && tries < 120 {
                tries += 1;
                let to = point(&mut random, &rows);
                let (x, z) = cell(to);
                let direct = if cell(from) == (x, z) { distance(from, to) } else { f64::INFINITY };
                let there = border(&ground, x, z).into_iter();
                let last = there.map(|n| best[n] + weight_at(to) * distance(place(n), to));
                let fine = last.fold(weight_at(to) * direct, f64::min);
                let at = |p: [f64; 2]| [p[0], 0.0, p[1]];
                let request = PathRequest::new(at(from), at(to))
                    .algorithm(Algorithm::weighted(Algorithm::GAP));
                let answer = query.find_path(&request, &mut scratch).unwrap();
                if !fine.is_finite() {
                    assert_eq!(
                        answer.status,
                        Status::Unreachable,
                        "{}: {from:?} {to:?}",
                        agent.name
                    );
                    blocked += usize::from(!weight_at(to).is_finite());
                    continue;
                }
                let context = format!(
                    "{}: {from:?} {to:?}: {} {} {fine}",
                    agent.name, answer.bound, answer.cost
                );
                assert_eq!(answer.status, Status::Reached, "{context}");
                assert!(answer.bound <= fine, "{context}");
                assert!(answer.cost <= fine * (1.0 + answer.gap()), "{context}");
                for &polygon in answer.polygons {
                    assert!(filter.area_cost(mesh.area(polygon)).is_finite(), "{context}");
                }
                gaps += answer.gap();
                reached += 1;
            }
        }
        pairs += reached;
    }
    assert!(pairs >= 1000 && blocked >= 100, "{pairs} {blocked}");
    let mean = gaps / f64::from(pairs);
    println!("{pairs} pairs, mean gap {mean}");
    assert!(mean <= 0.02, "{mean}");
}
