//! What the tests share: worlds from scenes, scenes from worlds, and plain checks.

use std::collections::BTreeSet;

use navbake_search::{NavMesh, NavMeshBuf, PolyId};
use navbake_testkit::Random;
use navbake_testkit::scene::{Face, Mix, Scene, UNITS};
use navbake_world::{Obstacle, World};

/// A random scene, enlarged, and its world.
pub(crate) fn world(random: &mut Random, mix: Mix, scale: i32) -> (Scene, World) {
    let mut scene = Scene::random(random, mix);
    for point in &mut scene.points {
        *point = point.map(|c| c * scale);
    }
    let world = World::new(NavMeshBuf::open(&scene.bake()).expect("a sound file"));
    (scene, world)
}

/// A random obstacle somewhere on a scene, up to `most` grid units wide.
pub(crate) fn obstacle(random: &mut Random, scene: &Scene, most: i32) -> Obstacle {
    let reach = |k: usize| {
        let along = scene.points.iter().map(|p| p[k]);
        (along.clone().min().unwrap_or(0), along.max().unwrap_or(0))
    };
    let ([x0, x1], [z0, z1]) = ([reach(0).0, reach(0).1], [reach(1).0, reach(1).1]);
    let centre = [random.within(x0, x1), random.within(z0, z1)];
    // Storeys are ten metres apart.
    let low = 10.0 * random.below(3) as f64 - 0.5;
    let heights = [low, low + if random.chance(20) { 12.0 } else { 1.0 }];
    let metres = |c: i32| f64::from(c) / UNITS;
    if random.chance(30) {
        let radius = metres(random.within(0, most / 2));
        return Obstacle::cylinder(centre.map(metres), radius, heights).expect("a cylinder");
    }
    let corners: Vec<[f64; 2]> = (0..2 + random.below(11))
        .map(|_| centre.map(|c| metres(c + random.within(-most / 2, most / 2))))
        .collect();
    Obstacle::prism(&corners, heights).expect("a prism")
}

/// The polygons of now, as a scene for its oracles, and the polygon of each face.
pub(crate) fn scene_of(mesh: &NavMesh<'_>) -> (Scene, Vec<PolyId>) {
    let there: Vec<PolyId> = mesh.polygons().filter(|p| !p.is_empty()).map(|p| p.id()).collect();
    let face = |id: PolyId| there.binary_search(&id).ok();
    let (mut points, mut faces) = (vec![], vec![]);
    for &id in &there {
        let polygon = mesh.polygon(id);
        let first = points.len();
        points.extend((0..polygon.len()).map(|k| polygon.corner(k)));
        faces.push(Face {
            corners: (first..points.len()).collect(),
            beyond: (0..polygon.len())
                .map(|k| polygon.neighbour(k).map(|n| face(n).expect("a neighbour that is there")))
                .collect(),
            storey: 0,
        });
    }
    let mut scene = Scene::random(&mut Random(1), EMPTY);
    (scene.points, scene.faces) = (points, faces);
    (scene, there)
}

const EMPTY: Mix =
    Mix { columns: 0, rows: 0, storeys: 0, jitter: 0, blocked: 0, cut: 0, exchanged: 0, merged: 0 };

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
                assert_eq!(
                    [other.corner(twin), other.corner(other.next(twin))],
                    [at(k + 1), at(k)]
                );
            }
            if seen.insert((polygon.id(), k)) {
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
