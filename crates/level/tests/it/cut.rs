//! Ground cut along volumes: every place keeps its ground, no crack opens, and the order of the
//! input does not matter.

use std::collections::BTreeMap;

use navbake_geom::{Point3, orient};
use navbake_level::{Level, LevelSettings, Part, Piece, Role, Scene, Triangle, Volume, Winding};

struct Random(u64);

impl Random {
    fn below(&mut self, most: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as u32 % most
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.below(1 << 20)) / f64::from(1 << 20)
    }
}

/// A hilly sheet of 8 x 8 m with walls around it.
fn hills(random: &mut Random) -> Scene {
    const SIDE: usize = 8;
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    for r in 0..=SIDE {
        for c in 0..=SIDE {
            let y = random.between(0.0, 1.5);
            scene.vertices.push([c as f64, y, r as f64]);
        }
    }
    let at = |c: usize, r: usize| (r * (SIDE + 1) + c) as u32;
    for r in 0..SIDE {
        for c in 0..SIDE {
            let [a, b, d, e] = [at(c, r), at(c, r + 1), at(c + 1, r + 1), at(c + 1, r)];
            scene.triangles.extend([[a, b, d], [a, d, e]]);
        }
    }
    // Walls on two sides share their feet with the ground.
    for r in 0..SIDE {
        let [a, b] = [at(0, r), at(0, r + 1)];
        let top = scene.vertices.len() as u32;
        scene.vertices.extend([[0.0, 4.0, r as f64], [0.0, 4.0, (r + 1) as f64]]);
        scene.triangles.extend([[a, top, top + 1], [a, top + 1, b]]);
    }
    scene.triangle_parts = vec![0; scene.triangles.len()];
    scene
}

fn level(scene: &Scene) -> Level {
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
    Level::new(scene, &[Role::Ground], &settings).unwrap().0
}

fn volumes(random: &mut Random, level: &Level) -> Vec<Volume> {
    (0..1 + random.below(4))
        .filter_map(|_| {
            let low = random.between(-0.5, 1.0);
            let high = low + random.between(0.0, 2.0);
            let mut place = || [random.between(-1.0, 9.0), random.between(-1.0, 9.0)];
            let polygon = [place(), place(), place()];
            Volume::prism(&polygon, [low, high], &level.grid).ok()
        })
        .collect()
}

/// The height of a triangle above a place, doubled area in the ground plane and whether the place
/// is in it.
fn height(level: &Level, t: &Triangle, x: i32, z: i32) -> Option<f64> {
    let [a, b, c] = level.corners(t);
    let p = Point3::new(x, 0, z).flat();
    let whole = orient(a.flat(), b.flat(), c.flat());
    let parts = [(b, c), (c, a), (a, b)].map(|(q, r)| orient(p, q.flat(), r.flat()));
    if whole <= 0 || parts.iter().any(|&w| w < 0) {
        return None;
    }
    let sum: f64 = [a, b, c].iter().zip(parts).map(|(q, w)| f64::from(q.y) * w as f64).sum();
    Some(sum / whole as f64)
}

/// How often each edge is used, in either direction.
fn uses(level: &Level) -> BTreeMap<[Point3; 2], usize> {
    let mut uses = BTreeMap::new();
    for t in &level.triangles {
        let q = level.corners(t);
        for k in 0..3 {
            let (a, b) = (q[k], q[(k + 1) % 3]);
            *uses.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    uses
}

/// The length of all edges that one triangle alone has, in grid units.
fn rim(level: &Level) -> f64 {
    let alone = uses(level).into_iter().filter(|(_, n)| *n == 1);
    alone
        .map(|([a, b], _)| {
            let d = [a.x - b.x, a.y - b.y, a.z - b.z].map(f64::from);
            d.iter().map(|c| c * c).sum::<f64>().sqrt()
        })
        .sum()
}

#[test]
fn every_place_keeps_its_ground_and_is_within_the_volumes_it_lies_in() {
    let (mut looked, mut inside, mut pieces_made) = (0, 0, 0);
    for seed in 1..60 {
        let mut random = Random(seed * 7919);
        let before = level(&hills(&mut random));
        let volumes = volumes(&mut random, &before);
        let mut after = before.clone();
        let pieces = after.cut(&volumes);
        assert_eq!(pieces.len(), after.triangles.len());
        pieces_made += pieces.len() - before.triangles.len();
        for _ in 0..400 {
            let [x, z] = [0; 2].map(|_| 1 + random.below(8 * 1024 - 2) as i32);
            let ground = |t: &&Triangle| t.up > 0;
            let old: Vec<f64> = (before.triangles.iter().filter(ground))
                .filter_map(|t| height(&before, t, x, z))
                .collect();
            let new: Vec<(f64, &Piece)> = (after.triangles.iter().zip(&pieces))
                .filter(|(t, _)| t.up > 0)
                .filter_map(|(t, p)| Some((height(&after, t, x, z)?, p)))
                .collect();
            assert!(!new.is_empty(), "seed {seed}: a hole at {x} {z}");
            for (y, piece) in new {
                // Rounding moves an edge by up to half a unit, and the ground is up to 1.5 steep
                // over a metre.
                assert!(old.iter().any(|o| (o - y).abs() <= 3.0), "seed {seed}");
                for (number, volume) in volumes.iter().enumerate() {
                    // Told apart where a volume's border is farther than rounding reaches.
                    let around = [-2, 0, 2].into_iter().flat_map(|dx| {
                        let z = [-2, 0, 2].into_iter();
                        z.flat_map(move |dz| [-5, 0, 5].map(|dy| [dx, dy, dz]))
                    });
                    let mut held = around.map(|[dx, dy, dz]| {
                        volume.holds(Point3::new(x + dx, y.round() as i32 + dy, z + dz))
                    });
                    let first = held.next().unwrap();
                    if held.all(|h| h == first) {
                        looked += 1;
                        inside += usize::from(first);
                        let is_within = piece.within.contains(&(number as u32));
                        assert_eq!(is_within, first, "seed {seed} at {x} {y} {z}");
                    }
                }
            }
        }
    }
    assert!(looked > 20_000 && inside > 500, "{looked} {inside}");
    assert!(pieces_made > 500, "{pieces_made}");
}

#[test]
fn no_crack_opens() {
    for seed in 1..60 {
        let mut random = Random(seed * 104_729);
        let before = level(&hills(&mut random));
        let volumes = volumes(&mut random, &before);
        let mut after = before.clone();
        after.cut(&volumes);
        // Edges of one triangle alone are the old ones, though perhaps in pieces; an edge between
        // three is none that was there before.
        let (old, new) = (rim(&before), rim(&after));
        assert!((old - new).abs() < 0.01 * old, "seed {seed}: {old} {new}");
        let outside = uses(&after).into_iter().filter(|(_, n)| *n == 1);
        for ([a, b], _) in outside {
            // Rims of the ground are at its four sides; of the walls at their ends and tops.
            let on = |c: i32| c <= 1 || c >= 8 * 1024 - 1;
            assert!((on(a.x) && on(b.x)) || (on(a.z) && on(b.z)), "seed {seed}: {a:?} {b:?}");
        }
        assert!(uses(&after).values().all(|&n| n <= 2), "seed {seed}");
    }
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    for seed in 1..20 {
        let mut random = Random(seed * 15_485_863);
        let mut scene = hills(&mut random);
        let mut one = level(&scene);
        let volumes = volumes(&mut random, &one);
        let pieces = one.cut(&volumes);
        for i in (1..scene.triangles.len()).rev() {
            scene.triangles.swap(i, random.below(i as u32 + 1) as usize);
        }
        for t in &mut scene.triangles {
            t.rotate_left(random.below(3) as usize);
        }
        let mut other = level(&scene);
        assert_eq!(other.cut(&volumes), pieces);
        assert_eq!(one.vertices, other.vertices);
        assert_eq!(one.triangles, other.triangles);
    }
}

#[test]
fn ground_on_the_border_lies_in_the_volume_and_walls_in_none() {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    scene.vertices = vec![[0.0; 3], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]];
    scene.triangles = vec![[0, 1, 2], [0, 1, 3]];
    scene.triangle_parts = vec![0, 0];
    let mut level = level(&scene);
    let whole = Volume::between([0.0; 3], [4.0, 1.0, 4.0], &level.grid).unwrap();
    let apart = Volume::between([0.0, 0.001, 0.0], [4.0, 1.0, 4.0], &level.grid).unwrap();
    let pieces = level.cut(&[whole, apart]);
    for (t, piece) in level.triangles.iter().zip(&pieces) {
        let within: &[u32] = if t.up > 0 { &[0] } else { &[] };
        assert_eq!(piece.within, within);
    }
    assert_eq!(pieces.len(), 2, "nothing had to be cut");
}
