//! Every kind of question on meshes made to be awkward: acute corners, corners where walls meet
//! from all sides, slivers, storeys that wind above themselves.

use navbake_ask::{Fuzzer, KINDS};
use navbake_format::Blob;
use navbake_format::write::{BlobParts, MeshParts, encode};
use navbake_search::around::Random;

/// Triangles over vertices; those on a side that two share are neighbours.
fn blob(vertices: &[[i32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let n = triangles.len();
    let side = |t: usize, k: usize| (triangles[t][k], triangles[t][(k + 1) % 3]);
    let mut neighbours = vec![u32::MAX; 3 * n];
    for t in 0..n {
        for k in 0..3 {
            let (a, b) = side(t, k);
            let other = (0..n).find(|&u| u != t && (0..3).any(|j| side(u, j) == (b, a)));
            neighbours[3 * t + k] = other.map_or(u32::MAX, |u| u as u32);
        }
    }
    let mut islands = vec![u32::MAX; n];
    for t in 0..n {
        let mut open = vec![t];
        while let Some(u) = open.pop() {
            if islands[u] == u32::MAX {
                islands[u] = t as u32;
                let next = neighbours[3 * u..3 * u + 3].iter();
                open.extend(next.filter(|&&v| v != u32::MAX).map(|&v| v as usize));
            }
        }
    }
    let first_edge: Vec<u32> = (0..=n as u32).map(|t| 3 * t).collect();
    let corners: Vec<u32> = triangles.iter().flatten().copied().collect();
    encode(&BlobParts {
        meshes: &[MeshParts {
            vertices,
            first_edge: &first_edge,
            corners: &corners,
            neighbours: &neighbours,
            islands: &islands,
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap()
}

/// Is it counter-clockwise seen from above, with an area?
fn upward(vertices: &[[i32; 3]], [a, b, c]: [u32; 3]) -> bool {
    let at = |v: u32| [0, 2].map(|k| i64::from(vertices[v as usize][k]));
    let (a, b, c) = (at(a), at(b), at(c));
    (b[1] - a[1]) * (c[0] - a[0]) > (b[0] - a[0]) * (c[1] - a[1])
}

/// A lattice of moved vertices, some triangles left out.
fn scatter(random: &mut Random, side: u32, cell: i32, missing: u64) -> Vec<u8> {
    let mut vertices = vec![];
    for row in 0..=side as i32 {
        for column in 0..=side as i32 {
            let mut off = || random.below(2 * cell as u64) as i32 - cell;
            let (x, y, z) = (off() * 9 / 20, off() / 8, off() * 9 / 20);
            vertices.push([column * cell + x, y, row * cell + z]);
        }
    }
    let mut triangles = vec![];
    for row in 0..side {
        for column in 0..side {
            let at = |c: u32, r: u32| (row + r) * (side + 1) + column + c;
            let [a, b, c, d] = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
            let halves = match random.below(2) {
                0 => [[a, b, c], [a, c, d]],
                _ => [[a, b, d], [b, c, d]],
            };
            for half in halves {
                if random.below(100) >= missing && upward(&vertices, half) {
                    triangles.push(half);
                }
            }
        }
    }
    blob(&vertices, &triangles)
}

/// A strip that winds upwards around an axis, wide and narrow, several storeys high.
fn spiral(random: &mut Random, turns: u32, steps: u32, scale: f64) -> Vec<u8> {
    let mut vertices = vec![];
    let (count, rise) = (turns * steps, (scale * 0.7) as i32);
    for i in 0..=count {
        let angle = f64::from(i % steps) / f64::from(steps) * std::f64::consts::TAU;
        let inner = scale * (0.2 + 0.5 * random.unit());
        let outer = inner + scale * random.unit().powi(3).max(0.002);
        for radius in [inner, outer] {
            let [x, z] = [angle.cos(), -angle.sin()].map(|c| (radius * c) as i32);
            vertices.push([x, rise * i as i32 / steps as i32, z]);
        }
    }
    let triangles: Vec<[u32; 3]> = (0..count)
        .flat_map(|i| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| 2 * i + k);
            [[a, b, d], [a, d, c]]
        })
        .filter(|&t| upward(&vertices, t))
        .collect();
    blob(&vertices, &triangles)
}

/// Asks questions of every kind, this many of each; returns the number of conclusive answers.
fn ask(bytes: &[u8], radius: f64, seed: u64, cheap: u32, moves: u32, paths: u32) -> u64 {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut fuzzer = Fuzzer::new(mesh, radius, seed).unwrap();
    for &(kind, searches, question) in KINDS {
        let count = match kind {
            "move" => moves,
            _ if searches => paths,
            _ => cheap,
        };
        (0..count).for_each(|_| question(&mut fuzzer));
        assert_eq!(fuzzer.faults, [], "{kind}, seed {seed}");
    }
    fuzzer.conclusive
}

#[test]
fn answers_on_scattered_triangles_are_right() {
    let mut conclusive = 0;
    for seed in 0..25 {
        let mut random = Random::new(seed);
        let cell = [1 << 12, 1 << 9, 40, 7][seed as usize % 4];
        let bytes = scatter(&mut random, 7, cell, 8 * (seed % 6));
        let radius = f64::from(cell) / 1024.0 / 3.0;
        conclusive += ask(&bytes, radius, seed, 400, 2400, 40);
    }
    assert!(conclusive > 50_000, "{conclusive}");
}

#[test]
fn answers_on_winding_storeys_are_right() {
    let mut conclusive = 0;
    for seed in 0..20 {
        let mut random = Random::new(100 + seed);
        let scale = [20_000.0, 2000.0, 300.0, 60.0][seed as usize % 4];
        let bytes = spiral(&mut random, 3, 5 + seed as u32 % 20, scale);
        conclusive += ask(&bytes, scale / 1024.0 / 8.0, seed, 400, 2400, 40);
    }
    assert!(conclusive > 40_000, "{conclusive}");
}
