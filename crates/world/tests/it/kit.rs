//! What the tests share: worlds from scenes, scenes from worlds, and plain checks.

use std::collections::BTreeSet;

use navbake_format::write::{replace_labels, replace_landmarks};
use navbake_search::blob::Blob;
use navbake_search::{NavMesh, NavMeshBuf, NavPath, NavPoint, NavQuery, PolyId};
use navbake_tables::Landmarks;
use navbake_testkit::Random;
use navbake_testkit::plain_walk::walk;
use navbake_testkit::scene::{Mix, Scene, UNITS, grid};
use navbake_world::{Obstacle, World};

/// A random scene.
pub(crate) fn mix(random: &mut Random) -> Mix {
    Mix {
        columns: 1 + random.below(3),
        rows: 1 + random.below(3),
        storeys: 1 + random.below(2),
        jitter: random.below(5) as i32,
        blocked: random.below(30) as u64,
        cut: random.below(20) as u64,
        exchanged: random.below(40) as u64,
        merged: random.below(100) as u64,
    }
}

/// What a scene has besides ground.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras {
    pub(crate) doors: u64,
    pub(crate) links: usize,
    /// Labels, and landmarks where there are no links.
    pub(crate) labels: bool,
    /// Areas, and a row of weights that forbids one.
    pub(crate) areas: bool,
}

/// A random scene, enlarged, and its world.
pub(crate) fn world(random: &mut Random, scale: i32, extras: Extras) -> (Scene, World) {
    let (scene, bytes) = level(random, scale, extras);
    let world = World::new(NavMeshBuf::open(&bytes).expect("a sound file"));
    (scene, world)
}

/// A random scene, enlarged, and its file.
pub(crate) fn level(random: &mut Random, scale: i32, extras: Extras) -> (Scene, Vec<u8>) {
    let mix = mix(random);
    let mut scene = Scene::random(random, mix);
    for point in &mut scene.points {
        *point = point.map(|c| c * scale);
    }
    if !scene.faces.is_empty() {
        scene.furnish(random, extras.doors, extras.doors / 4);
        scene.join(random, extras.links, 30);
        if extras.areas {
            scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
            scene.weights.push(("", None, [1.0, 2.0, f64::INFINITY]));
        }
    }
    let mut bytes = scene.bake();
    if extras.labels {
        let nav = Blob::open_checked(&bytes).unwrap().decode(0).unwrap();
        if let Some(tables) = navbake_tables::labels_of(&nav.mesh()) {
            bytes = replace_labels(&bytes, &[tables.parts(0)]).unwrap();
        }
        if let Some(landmarks) = Landmarks::new(&nav.mesh()) {
            bytes = replace_landmarks(&bytes, &[landmarks.parts(0)]).unwrap();
        }
    }
    (scene, bytes)
}

/// A random scene with doors, and in some rounds links, labels and areas, and its file.
pub(crate) fn furnished(random: &mut Random, round: usize) -> (Scene, Vec<u8>) {
    let extras = Extras {
        doors: 20,
        links: [0, 3][round % 2],
        labels: round.is_multiple_of(3),
        areas: round % 4 == 1,
    };
    level(random, [1, 16][round / 2 % 2], extras)
}

/// An obstacle, and what it is made of: grid units in the plane, metres in height.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) obstacle: Obstacle,
    corners: Vec<[i32; 2]>,
    radius: f64,
    pub(crate) heights: [f64; 2],
}

/// A random obstacle somewhere on a scene, up to `most` grid units wide.
pub(crate) fn solid(random: &mut Random, scene: &Scene, most: i32) -> Solid {
    let reach = |k: usize| {
        let along = scene.points.iter().map(|p| p[k]);
        (along.clone().min().unwrap_or(0), along.max().unwrap_or(0))
    };
    let ([x0, x1], [z0, z1]) = ([reach(0).0, reach(0).1], [reach(1).0, reach(1).1]);
    let centre = [random.within(x0, x1), random.within(z0, z1)];
    // Storeys are ten metres apart.
    let low = 10.0 * random.below(3) as f64 - 0.5;
    let heights = [low, low + if random.chance(20) { 12.0 } else { 1.0 }];
    let metres = |p: [i32; 2]| p.map(|c| f64::from(c) / UNITS);
    if random.chance(30) {
        let radius = f64::from(random.within(0, most / 2));
        let obstacle = Obstacle::cylinder(metres(centre), radius / UNITS, heights);
        let obstacle = obstacle.expect("a cylinder");
        return Solid { obstacle, corners: vec![centre], radius, heights };
    }
    let corners: Vec<[i32; 2]> = (0..2 + random.below(11))
        .map(|_| centre.map(|c| c + random.within(-most / 2, most / 2)))
        .collect();
    let all: Vec<[f64; 2]> = corners.iter().map(|&p| metres(p)).collect();
    let obstacle = Obstacle::prism(&all, heights).expect("a prism");
    Solid { obstacle, corners, radius: 0.0, heights }
}

impl Solid {
    /// Does it meet an agent, two metres high, on ground of this height, metres?
    pub(crate) fn meets(&self, height: f64) -> bool {
        height <= self.heights[1] && self.heights[0] <= height + 2.0
    }

    /// How far a point of the plane is from it, negative inside; grid units. By all pairs and
    /// triples of corners.
    pub(crate) fn away(&self, p: [i32; 2]) -> f64 {
        let all = &self.corners;
        let mut least = f64::INFINITY;
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate().skip(i) {
                least = least.min(to_segment(a.map(f64::from), b.map(f64::from), p.map(f64::from)));
                for &c in &all[j..] {
                    let turns = [(a, b), (b, c), (c, a)].map(|(u, v)| {
                        let d = |q: [i32; 2]| [0, 1].map(|k| i64::from(q[k]) - i64::from(u[k]));
                        let (d, e) = (d(v), d(p));
                        d[1] * e[0] - d[0] * e[1]
                    });
                    if turns.iter().all(|&t| t > 0) || turns.iter().all(|&t| t < 0) {
                        return -1.0 - self.radius;
                    }
                }
            }
        }
        least - self.radius
    }
}

pub(crate) fn to_segment(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let d = |u: [f64; 2], v: [f64; 2]| [0, 1].map(|k| v[k] - u[k]);
    let (ab, ap) = (d(a, b), d(a, p));
    let square = ab[0] * ab[0] + ab[1] * ab[1];
    let t = if square > 0.0 { (ab[0] * ap[0] + ab[1] * ap[1]) / square } else { 0.0 };
    let t = t.clamp(0.0, 1.0);
    (ap[0] - t * ab[0]).hypot(ap[1] - t * ab[1])
}

/// A path can be walked: every straight piece is on the mesh, by a plain checker.
pub(crate) fn check_walkable(
    query: &NavQuery<'_>,
    start: &NavPoint,
    goal: &NavPoint,
    path: &NavPath<'_>,
) {
    let mesh = query.mesh();
    let mut at = BTreeSet::from([start.polygon()]);
    for leg in path.legs() {
        let points = &path.points[leg.points.clone()];
        if let Some(number) = leg.link {
            let link = mesh.link(number).expect("a link of the mesh");
            let ends = walk(mesh, &at, link.from, link.from);
            assert!(ends.contains(&link.polygon), "the link does not begin there");
            at = BTreeSet::from([link.beyond]);
            continue;
        }
        for pair in points.windows(2) {
            at = walk(mesh, &at, grid(pair[0]), grid(pair[1]));
            assert!(!at.is_empty(), "{pair:?} of {:?} leaves the mesh", path.points);
        }
    }
    let ends = walk(mesh, &at, goal.point(), goal.point());
    assert!(ends.contains(&goal.polygon()), "the path ends elsewhere");
}

/// Polygons are convex, begin with their least corner and have a positive area; portals have the
/// same segment on both sides; all corners that are one ground share a pivot, and no others.
pub(crate) fn check(mesh: &NavMesh<'_>) {
    let orient = navbake_format::exact::orient;
    let mut grounds: Vec<BTreeSet<(PolyId, u32)>> = vec![];
    let mut seen = BTreeSet::new();
    for polygon in mesh.polygons().filter(|p| !p.is_empty()) {
        let n = polygon.len();
        assert!(n >= 3, "{:?} has {n} corners", polygon.id());
        let corners: Vec<[i32; 2]> = (0..n).map(|k| polygon.corner(k)).collect();
        assert_eq!(corners.iter().min(), corners.first(), "{corners:?}");
        assert_eq!(corners.iter().collect::<BTreeSet<_>>().len(), corners.len(), "{corners:?}");
        let at = |k: u32| corners[(k % n) as usize];
        assert!((0..n).all(|k| orient(at(k), at(k + 1), at(k + 2)) >= 0), "{corners:?}");
        let area: i64 = (1..n - 1).map(|k| orient(at(0), at(k), at(k + 1))).sum();
        assert!(area > 0, "{corners:?}");
        for k in 0..n {
            if let Some((beyond, twin)) = polygon.across(k) {
                let other = mesh.polygon(beyond);
                assert_eq!(other.across(twin), Some((polygon.id(), k)));
                let ends = [other.corner(twin), other.corner(other.next(twin))];
                assert_eq!(ends, [at(k + 1), at(k)]);
            }
            if !seen.contains(&(polygon.id(), k)) {
                let ground = ground(mesh, (polygon.id(), k));
                seen.extend(ground.iter().copied());
                grounds.push(ground);
            }
        }
    }
    let mut pivots = BTreeSet::new();
    for ground in grounds {
        let pivot =
            |&(p, k): &(PolyId, u32)| mesh.polys().edge((p.0, k)).expect("an edge").pivot_number();
        let own: BTreeSet<u32> = ground.iter().map(pivot).collect();
        assert_eq!(own.len(), 1, "{ground:?}");
        assert!(own.iter().all(|n| pivots.insert(*n) && *n < mesh.polys().pivots), "{ground:?}");
    }
}

/// The corners around one that are one ground with it.
fn ground(mesh: &NavMesh<'_>, start: (PolyId, u32)) -> BTreeSet<(PolyId, u32)> {
    let mut all = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some((p, k)) = waiting.pop() {
        if !all.insert((p, k)) {
            continue;
        }
        let polygon = mesh.polygon(p);
        if let Some((beyond, twin)) = polygon.across(k) {
            waiting.push((beyond, mesh.polygon(beyond).next(twin)));
        }
        waiting.extend(polygon.across(polygon.previous(k)));
    }
    all
}

/// Without obstacles the mesh has the baked polygons, and no others with a border.
pub(crate) fn check_restored(world: &World) {
    let (now, baked) = (world.changed_mesh(), world.baked());
    let [now, baked] = [now.polys(), baked.polys()];
    for p in 0..baked.len() {
        assert_eq!(now.polygon(p), baked.polygon(p));
        assert!(now.border(p).iter().eq(baked.border(p).iter()));
    }
    assert!((baked.len()..now.len()).all(|p| now.border(p).is_empty()));
    assert!(!world.nav_mesh().polys().is_changed());
}
