//! Promises about pieces that stand in a level more than once.

use crate::scene::Build;
use navbake_level::{Agent, Level, LevelSettings, Part, Placed, Role, Scene, Winding};
use navbake_walkable::{Borders, Layer, Plan, Reuse, WalkableSettings};

/// Numbers without a pattern.
struct Random(u32);

impl Random {
    fn below(&mut self, most: i32) -> i32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as i32 % most
    }
}

/// Triangles of a piece, in metres.
type Piece = Vec<[[f64; 3]; 3]>;

fn triangles(build: Build) -> Piece {
    let scene = build.scene;
    let corners = |t: &[u32; 3]| t.map(|v| scene.vertices[v as usize]);
    scene.triangles.iter().map(corners).collect()
}

/// Puts a piece into a scene: turned by quarters, mirrored or not, and moved.
fn put(build: &mut Build, number: u32, piece: &Piece, quarters: i32, mirrored: bool, to: [f64; 3]) {
    let scene = &mut build.scene;
    let end = |n: usize| n as u32;
    let from = [end(scene.triangles.len()), end(scene.vertices.len())];
    for corners in piece {
        let at = end(scene.vertices.len());
        for &[x, y, z] in corners {
            let mut x = if mirrored { -x } else { x };
            let mut z = z;
            for _ in 0..quarters {
                (x, z) = (z, -x);
            }
            scene.vertices.push([x + to[0], y + to[1], z + to[2]]);
        }
        let [b, c] = if mirrored { [2, 1] } else { [1, 2] };
        scene.triangles.push([at, at + b, at + c]);
        scene.triangle_parts.push(0);
    }
    scene.placed.push(Placed {
        piece: number,
        triangles: from[0]..end(scene.triangles.len()),
        vertices: from[1]..end(scene.vertices.len()),
    });
}

fn layers(level: &Level, reuse: bool) -> (Vec<Layer>, Reuse) {
    let settings = WalkableSettings {
        borders: Borders::Exact,
        ..WalkableSettings::default()
    };
    let agent = Agent {
        radius: 0.4,
        ..Agent::default()
    };
    let mut plan = Plan::new(level, &agent, &settings).unwrap();
    if !reuse {
        plan = plan.without_reuse();
    }
    let tiles = 0..plan.tile_count();
    let layers = tiles.flat_map(|t| plan.tile(t, 0).unwrap().layers);
    (layers.collect(), plan.reuse())
}

/// Rings with and without reuse are the same, point by point; gives what was reused.
fn reused(level: &Level) -> Reuse {
    let ((with, reuse), (without, nothing)) = (layers(level, true), layers(level, false));
    assert_eq!(nothing, Reuse::default());
    assert_eq!(with.len(), without.len());
    for (a, b) in with.iter().zip(&without) {
        assert_eq!(a.rings.len(), b.rings.len());
        for (a, b) in a.rings.iter().zip(&b.rings) {
            assert_eq!((&a.points, &a.open), (&b.points, &b.open));
        }
    }
    reuse
}

/// A wall with courses that stand out, each over the tops of those below it.
fn wall() -> Piece {
    let mut build = Build::default().solid([-2.0, 2.0], [0.0, 3.0], [-0.2, 0.2]);
    for course in 0..9 {
        let y = 0.3 * f64::from(course) + 0.1;
        let shift = if course % 2 == 0 { 0.0 } else { 0.35 };
        for brick in 0..5 {
            let x = -1.9 + 0.7 * f64::from(brick) + shift;
            let out = 0.25 + 0.01 * f64::from((course * 5 + brick) % 4);
            build = build.solid([x, x + 0.6], [y, y + 0.2], [-out, out]);
        }
    }
    triangles(build)
}

/// A quarter of a turn of a spiral stair: four steps, and a wall of bricks outside.
fn quarter() -> Piece {
    let mut build = Build::default();
    for step in 0..4 {
        let y = 0.25 * f64::from(step);
        let z = -2.0 + f64::from(step);
        build = build.solid([1.0, 3.0], [y - 0.2, y], [z, z + 1.0]);
    }
    let mut piece = triangles(build);
    let outside = wall().into_iter();
    piece.extend(outside.map(|corners| corners.map(|[x, y, z]| [3.3 - z, y - 0.2, x])));
    piece
}

#[test]
fn copies_in_any_pose_among_anything_give_the_same_ground_as_without_reuse() {
    let (wall, quarter) = (wall(), quarter());
    let mut total = Reuse::default();
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut build = Build::default().floor([-20.0, 20.0], [-20.0, 20.0], 0.0);
        for _ in 0..16 {
            let mut place =
                |step: i32| f64::from(random.below(12 * step) - 6 * step) / f64::from(step);
            // Some off the grid of whole metres, some on the same place, some in the floor.
            let step = if seed % 2 == 0 { 1 } else { 1024 };
            let to = [place(step) * 2.5, f64::from(random.below(5) - 1) * 0.5, 0.0];
            let to = [to[0], to[1], f64::from(random.below(12) - 6) * 2.0];
            let (quarters, mirrored) = (random.below(4), random.below(2) == 1);
            match random.below(3) {
                0 => put(&mut build, 0, &wall, quarters, mirrored, to),
                1 => put(&mut build, 1, &quarter, quarters, mirrored, to),
                _ => {
                    let [x, y, z] = to;
                    build = build.solid([x, x + 1.3], [y, y + 0.7], [z, z + 0.4]);
                }
            }
        }
        total += reused(&build.level());
    }
    assert!(
        total.known > 5_000 && total.known > total.looked_at,
        "{total:?}"
    );
}

#[test]
fn a_spiral_stair_of_forty_quarter_turns_looks_at_its_piece_once() {
    let piece = quarter();
    let stair = |count: i32| {
        let mut build = Build::default();
        for k in 0..count {
            // A turn rises by four metres.
            put(
                &mut build,
                0,
                &piece,
                k % 4,
                false,
                [0.0, f64::from(k), 0.0],
            );
        }
        build.level()
    };
    let (two, forty) = (reused(&stair(2)), reused(&stair(40)));
    let level = stair(40);
    assert_eq!((level.copies.placed, level.copies.all.len()), ([1, 40], 40));
    assert!(level.copies.all.iter().all(|copy| copy.of == 0));
    // No more for forty than for two.
    assert!(two.looked_at > 100, "{two:?}");
    assert_eq!(forty.looked_at, two.looked_at, "{two:?} {forty:?}");
    assert!(
        forty.known > 12 * two.known && forty.known > 4 * forty.looked_at,
        "{two:?} {forty:?}"
    );
}

#[test]
fn a_copy_that_is_not_whole_or_not_the_same_on_the_grid_is_none() {
    let piece = wall();
    let copies = |bounds: Option<[[f64; 3]; 2]>, change: &dyn Fn(&mut Scene)| {
        let mut build = Build::default();
        put(&mut build, 0, &piece, 0, false, [0.0; 3]);
        put(&mut build, 0, &piece, 1, true, [9.0, 0.5, -3.0]);
        build.scene.parts = vec![Part::default()];
        change(&mut build.scene);
        let settings = LevelSettings {
            bits: 10,
            origin: None,
            winding: Winding::Ccw,
            bounds,
        };
        let (level, _) = Level::new(&build.scene, &[Role::Ground], &settings).unwrap();
        (level.copies.all.len(), level.copies.seats.is_empty())
    };
    assert_eq!(copies(None, &|_| {}), (2, false));
    // Which corner comes first, and which side is up, is all the same.
    assert_eq!(
        copies(None, &|scene| scene.triangles[3].swap(0, 1)),
        (2, false)
    );
    assert_eq!(
        copies(None, &|scene| scene.vertices[7][1] += 0.01),
        (0, true)
    );
    assert_eq!(
        copies(None, &|scene| scene.triangles[3] = scene.triangles[4]),
        (0, true)
    );
    assert_eq!(copies(None, &|scene| scene.triangles.reverse()), (0, true));
    let half = [[-50.0; 3], [50.0, 1.0, 50.0]];
    assert_eq!(copies(Some(half), &|_| {}), (0, true));
}
