//! Promises of `floor`: welding, T-junctions, reports.

use crate::support::{Rng, walls};
use navbake_level::{Level, LevelSettings, Part, Role, Scene, Warning, Winding};
use navbake_mesh::{
    FloorSettings, JoinSettings, NONE, PolygonMesh, floor, floor_gaps, join_triangles,
};

const SETTINGS: FloorSettings = FloorSettings { climb: 300, height: 2000 };

fn level(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Level {
    let scene = Scene {
        triangle_parts: vec![0; triangles.len()],
        vertices,
        triangles,
        parts: vec![Part::default()],
        ..Scene::default()
    };
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
    Level::new(&scene, &[Role::Floor], &settings).unwrap().0
}

/// A quad from four corners, counter-clockwise seen from above.
fn quads(corners: &[[[f64; 3]; 4]]) -> Level {
    let mut triangles = vec![];
    for q in 0..corners.len() as u32 {
        triangles.push([4 * q, 4 * q + 1, 4 * q + 2]);
        triangles.push([4 * q, 4 * q + 2, 4 * q + 3]);
    }
    level(corners.iter().flatten().copied().collect(), triangles)
}

fn square(x0: f64, z0: f64, x1: f64, z1: f64, y: f64) -> [[f64; 3]; 4] {
    [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]
}

fn baked(level: &Level) -> (PolygonMesh, Vec<Warning>) {
    let marks = vec![true; level.triangles.len()];
    let (patch, mut warnings) = floor(level, &marks, &SETTINGS);
    let mesh = join_triangles(&[patch], &JoinSettings { climb: SETTINGS.climb });
    mesh.check().unwrap();
    warnings.extend(floor_gaps(level, &mesh, &SETTINGS));
    (mesh, warnings)
}

fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(|w| w.code).collect()
}

fn border_length(mesh: &PolygonMesh) -> f64 {
    walls(mesh)
        .iter()
        .map(|[a, b]| f64::hypot(f64::from(a.x - b.x), f64::from(a.z - b.z)) / 1024.0)
        .sum()
}

#[test]
fn tiles_that_share_an_edge_are_joined() {
    let (mesh, warnings) = baked(&quads(&[
        square(0.0, 0.0, 4.0, 4.0, 0.0),
        square(4.0, 0.0, 8.0, 4.0, 0.2),
        square(0.0, 4.0, 8.0, 8.0, 0.0),
    ]));
    assert_eq!(codes(&warnings), [""; 0]);
    assert_eq!(border_length(&mesh), 32.0);
}

#[test]
fn corners_that_miss_by_the_rounding_are_welded() {
    let e = 1.5 / 1024.0;
    let (mesh, warnings) =
        baked(&quads(&[square(0.0, 0.0, 4.0, 4.0, 0.0), square(4.0 + e, e, 8.0, 4.0 - e, e)]));
    assert_eq!(codes(&warnings), [""; 0]);
    assert!((border_length(&mesh) - 24.0).abs() < 0.02);
    assert_eq!(mesh.vertices.len(), 6);
}

#[test]
fn t_junctions_on_slanted_edges_are_joined() {
    // Turned mosaics: no T-junction is on its edge exactly.
    for seed in 1..60u64 {
        let mut rng = Rng(seed);
        let (sin, cos) = (f64::from(rng.below(1000)) / 250.0).sin_cos();
        let turn = |p: [f64; 3]| {
            let (x, z) = (p[0] * cos - p[2] * sin, p[0] * sin + p[2] * cos);
            [x, 0.1 * x, z]
        };
        let mut cells = vec![[0.0, 0.0, 20.0, 20.0]];
        for _ in 0..30 {
            let i = rng.below(cells.len() as u32) as usize;
            let [x0, z0, x1, z1]: [f64; 4] = cells[i];
            let t = 0.3 + f64::from(rng.below(400)) / 1000.0;
            let along_x = x1 - x0 > z1 - z0;
            if (x1 - x0).max(z1 - z0) < 1.0 {
                continue;
            }
            let (x, z) = (x0 + t * (x1 - x0), z0 + t * (z1 - z0));
            let (first, second) = if along_x {
                ([x0, z0, x, z1], [x, z0, x1, z1])
            } else {
                ([x0, z0, x1, z], [x0, z, x1, z1])
            };
            cells[i] = first;
            cells.push(second);
        }
        let corners: Vec<[[f64; 3]; 4]> =
            cells.iter().map(|&[x0, z0, x1, z1]| square(x0, z0, x1, z1, 0.0).map(turn)).collect();
        let (mesh, warnings) = baked(&quads(&corners));
        assert_eq!(codes(&warnings), [""; 0], "seed {seed}: {warnings:?}");
        assert!((border_length(&mesh) - 80.0).abs() < 0.1, "seed {seed}: {}", border_length(&mesh));
        // No step either: neighbours share both vertices.
        for (t, n) in mesh.neighbours.chunks(3).enumerate() {
            for k in (0..3).filter(|&k| n[k] != NONE) {
                let (u, v) = (mesh.polygon(t)[k], mesh.polygon(t)[(k + 1) % 3]);
                let back = mesh.polygon(n[k] as usize);
                assert!((0..3).any(|j| back[j] == v && back[(j + 1) % 3] == u));
            }
        }
    }
}

#[test]
fn gaps_are_reported_and_not_joined() {
    let (mesh, warnings) =
        baked(&quads(&[square(0.0, 0.0, 4.0, 4.0, 0.0), square(4.03, 0.0, 8.0, 4.0, 0.0)]));
    assert_eq!(codes(&warnings), ["floor-gaps"]);
    assert!(warnings[0].message.starts_with("2 border edges"), "{}", warnings[0].message);
    assert_eq!(warnings[0].place, [4.0, 0.0, 0.0].into());
    assert_eq!(walls(&mesh).len(), 8);
    let apart = quads(&[square(0.0, 0.0, 4.0, 4.0, 0.0), square(4.2, 0.0, 8.0, 4.0, 0.0)]);
    assert_eq!(codes(&baked(&apart).1), [""; 0]);
}

#[test]
fn overlaps_are_reported_and_kept() {
    for (y, found) in [(0.0, true), (0.1, true), (1.5, true), (2.5, false)] {
        let level = quads(&[square(0.0, 0.0, 4.0, 4.0, 0.0), square(1.0, 1.0, 3.0, 3.0, y)]);
        let (mesh, warnings) = baked(&level);
        assert_eq!(codes(&warnings), vec!["floor-overlaps"; usize::from(found)], "{y}");
        assert_eq!(mesh.area_doubled(), 2 * 20 * 1024 * 1024);
    }
}

#[test]
fn faces_that_do_not_look_up_are_reported_and_left_out() {
    let mut corners = vec![square(0.0, 0.0, 4.0, 4.0, 0.0)];
    let mut down = square(10.0, 0.0, 14.0, 4.0, 1.0);
    down.reverse();
    corners.push(down);
    corners.push([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 2.0, 4.0], [0.0, 0.0, 4.0]]);
    let (mesh, warnings) = baked(&quads(&corners));
    assert_eq!(codes(&warnings), ["floor-faces-not-up"]);
    assert!(warnings[0].message.starts_with("4 "));
    assert_eq!(mesh.len(), 2);
}

#[test]
fn an_edge_of_three_joins_the_nearest_and_is_reported() {
    let level = level(
        vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [-4.0, 0.0, 0.0], [4.0, 0.0, 2.0], [4.0, 2.5, 2.0]],
        vec![[0, 2, 1], [0, 1, 3], [0, 1, 4]],
    );
    let (mesh, warnings) = baked(&level);
    assert!(codes(&warnings).contains(&"floor-shared-edges"));
    let joined: usize = mesh.neighbours.iter().filter(|&&n| n != NONE).count();
    assert_eq!(joined, 2);
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let mut rng = Rng(77);
    let mut vertices = vec![];
    let mut triangles = vec![];
    for i in 0..120 {
        let r = |rng: &mut Rng| f64::from(rng.below(12_000)) / 1000.0;
        let (x, y, z) = (r(&mut rng), r(&mut rng) / 8.0, r(&mut rng));
        vertices.extend([
            [x, y, z],
            [x + r(&mut rng), y, z + 3.0],
            [x + 3.0 + r(&mut rng), y, z + r(&mut rng) / 10.0],
        ]);
        triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
    }
    let (mesh, warnings) = baked(&level(vertices.clone(), triangles.clone()));
    assert!(codes(&warnings).contains(&"floor-overlaps"));
    rng.shuffle(&mut triangles);
    let (other, said) = baked(&level(vertices, triangles));
    assert_eq!((other, said), (mesh, warnings));
}

#[test]
fn soup_of_slivers_is_safe() {
    for seed in 1..60u64 {
        let mut rng = Rng(seed);
        let vertices: Vec<[f64; 3]> =
            (0..40).map(|_| [0, 1, 2].map(|_| f64::from(rng.below(24)) / 1024.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..120).map(|_| [0; 3].map(|_| rng.below(40))).collect();
        let level = level(vertices, triangles);
        // `baked` checks every invariant.
        let (mesh, _) = baked(&level);
        assert!(mesh.len() <= 4 * level.triangles.len());
    }
}
