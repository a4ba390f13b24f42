//! Volumes that give ground an area while the game runs.

use std::collections::BTreeSet;

use navbake_search::{
    AStar, Algorithm, Error, NavMesh, NavPath, NavQuery, PathRequest, PolyId, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{Scene, UNITS};
use navbake_world::{AreaId, NavMeshBuf, Obstacle, ObstacleId, World};

use crate::changes::{change, ground, point};
use crate::kit::{Extras, Solid, check, check_restored, check_walkable, level, solid, to_segment};

/// Areas that volumes give: those of the level, and one that it does not have.
const AREAS: usize = 4;

/// A volume: its id, shape and area.
type Volume = (ObstacleId, Solid, AreaId);

/// Adds, moves or removes a volume.
fn change_volumes(
    random: &mut Random,
    scene: &Scene,
    world: &mut World,
    volumes: &mut Vec<Volume>,
    most: i32,
) {
    let new = solid(random, scene, most);
    match random.below(4) {
        0 if !volumes.is_empty() => {
            let one = random.below(volumes.len());
            world.move_to(volumes[one].0, new.obstacle).expect("a volume of the world");
            volumes[one].1 = new;
        }
        1 if !volumes.is_empty() => {
            let (id, ..) = volumes.swap_remove(random.below(volumes.len()));
            world.remove(id).expect("a volume of the world");
        }
        _ if volumes.len() < 5 => {
            let area = AreaId(random.below(AREAS) as u8);
            let id = world.add_volume(new.obstacle, area).expect("within the grid");
            volumes.push((id, new, area));
        }
        _ => {}
    }
}

/// All faces that can be reached from one, itself included.
fn reached(scene: &Scene, from: usize) -> BTreeSet<usize> {
    let (mut found, mut waiting) = (BTreeSet::from([from]), vec![from]);
    while let Some(f) = waiting.pop() {
        let beside = (0..scene.faces[f].corners.len()).filter_map(|k| scene.open(f, k));
        let links = scene.links.iter().filter(|l| l.face == f && scene.can_take(l));
        for next in beside.chain(links.map(|l| l.beyond)) {
            if found.insert(next) {
                waiting.push(next);
            }
        }
    }
    found
}

/// The least and the greatest cost of a path on the ground of a scene, by cutting its lines at all
/// faces; grid units. They differ where it follows a border of two faces.
fn costs(scene: &Scene, path: &NavPath<'_>, weight: impl Fn(u8) -> f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for pair in path.points.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|p| [p[0] * UNITS, p[2] * UNITS]);
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let spans = (0..scene.faces.len()).filter_map(|f| Some((f, span(scene, f, [a, b])?)));
        let spans: Vec<(usize, [f64; 2])> = spans.collect();
        let mut ends: Vec<f64> = spans.iter().flat_map(|(_, span)| *span).collect();
        ends.sort_by(f64::total_cmp);
        for cut in ends.windows(2).filter(|cut| cut[0] < cut[1]) {
            let middle = 0.5 * (cut[0] + cut[1]);
            let holds = spans.iter().filter(|(_, span)| span[0] <= middle && middle <= span[1]);
            let weights = holds.map(|(f, _)| weight(scene.areas[*f])).filter(|w| w.is_finite());
            let least = weights.clone().fold(f64::INFINITY, f64::min);
            let most = weights.fold(0.0, f64::max);
            for (sum, weight) in sums.iter_mut().zip([least, most]) {
                *sum += weight * length * (cut[1] - cut[0]);
            }
        }
    }
    sums
}

/// The part of a line within a face, a millionth of a unit of slack included.
fn span(scene: &Scene, f: usize, [a, b]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0.0f64, 1.0f64);
    let n = scene.faces[f].corners.len();
    for k in 0..n {
        let [p, q] = [k, (k + 1) % n].map(|k| scene.corner(f, k).map(f64::from));
        let d = [q[0] - p[0], q[1] - p[1]];
        let side =
            |r: [f64; 2]| (d[1] * (r[0] - p[0]) - d[0] * (r[1] - p[1])) / d[0].hypot(d[1]) + 1e-6;
        let (s, t) = (side(a), side(b));
        match (s >= 0.0, t >= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (false, true) => first = first.max(s / (s - t)),
            (true, false) => last = last.min(s / (s - t)),
        }
    }
    (first <= last).then_some([first, last])
}

/// Asks for paths between random places, with the costs of a filter.
fn ask(
    random: &mut Random,
    mesh: NavMesh<'_>,
    scratch: &mut Scratch,
    (scene, there, is_flat): (&mut Scene, &[PolyId], bool),
) -> usize {
    let mut filter = QueryFilter::new();
    for area in 0..AREAS {
        let cost = [1.0, 2.0, 0.5, f64::INFINITY][random.below(4)];
        filter.set_cost(AreaId(area as u8), cost).expect("a cost");
    }
    let blocked = if random.chance(50) { filter.forbidden() } else { 0 };
    filter.set_blocked(&mesh, &[0], blocked).expect("memory that grows");
    scene.forbid(0, blocked, filter.forbidden());
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut compared = 0;
    for _ in 0..3 {
        let (from, to) = (random.below(there.len()), random.below(there.len()));
        let (a, b) = (point(random, scene, from), point(random, scene, to));
        let place = |f: usize, p| query.on_polygon_grid(there[f], p).expect("of the face");
        let (start, goal) = (place(from, a), place(to, b));
        let is_reached = reached(scene, from).contains(&to);
        if is_reached {
            assert_ne!(query.connected(&start, &goal), Some(false), "{a:?} to {b:?}: a wrong no");
            assert!(query.reachable(&start, &goal), "{a:?} to {b:?}: a wrong no");
        }
        let request = PathRequest::new([0.0; 3], [0.0; 3]);
        let weighted = request.algorithm(Algorithm::weighted(0.02));
        let path = match query.find_path_between(&start, &goal, &weighted, scratch) {
            Err(Error::StartBlocked) if scene.closed.holds(from) => continue,
            path => path.expect("a request that every mesh serves"),
        };
        let status = if is_reached { Status::Reached } else { Status::Unreachable };
        assert_eq!(path.status, status, "{a:?} to {b:?}");
        if !is_reached {
            continue;
        }
        check_walkable(&query, &start, &goal, &path);
        // Forbidden ground that is left costs the least, and storeys are above each other.
        let is_plain = is_flat && !query.is_forbidden(there[from]);
        let weight = |area: u8| filter.area_cost(AreaId(area));
        if is_plain && path.legs().all(|leg| leg.link.is_none()) {
            let ([least, most], said) = (costs(scene, &path, weight), path.cost * UNITS);
            let slack = 1e-4 * (1.0 + most);
            assert!(least - slack <= said, "{a:?} to {b:?}: {said} below {least}");
            assert!(said <= most + slack, "{a:?} to {b:?}: {said} above {most}");
            compared += 1;
        }
        let bound = path.bound;
        let corridor = request.algorithm(Algorithm::Corridor(AStar::default()));
        let path = query.find_path_between(&start, &goal, &corridor, scratch).expect("a path");
        assert!(bound <= path.cost * (1.0 + 1e-9), "{a:?} to {b:?}: {} below {bound}", path.cost);
    }
    compared
}

#[test]
fn paths_heed_the_areas_that_volumes_give() {
    let mut random = Random(31);
    let mut scratch = Scratch::new();
    let (mut compared, mut lengths) = (0, 0);
    for round in 0..150 {
        let links = [0, 3][round % 2];
        let extras = Extras { links, areas: true, ..Extras::default() };
        let (scene, file) = level(&mut random, [1, 16][round / 2 % 2], extras);
        let is_flat = scene.faces.iter().all(|face| face.storey == 0);
        let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
        let (mut solids, mut volumes) = (vec![], vec![]);
        let most = [40, 640][round / 2 % 2];
        for _ in 0..8 {
            change(&mut random, &scene, &mut world, &mut solids, most / 2);
            change_volumes(&mut random, &scene, &mut world, &mut volumes, 2 * most);
            world.commit();
            let mesh = world.nav_mesh();
            check(&mesh);
            let (mut now, there) = Scene::of(&mesh);
            if there.is_empty() {
                continue;
            }
            compared += ask(&mut random, mesh, &mut scratch, (&mut now, &there, is_flat));
            now.close(0, 0);
            let query = NavQuery::new(mesh);
            let (from, to) = (random.below(there.len()), random.below(there.len()));
            let (a, b) = (point(&mut random, &now, from), point(&mut random, &now, to));
            let place = |f: usize, p| query.on_polygon_grid(there[f], p).expect("of the face");
            let (start, goal) = (place(from, a), place(to, b));
            let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
            let path = query.find_path_between(&start, &goal, &request, &mut scratch);
            let path = path.expect("a request that Optimal serves");
            let optimum = now.shortest(from, a, to, b);
            assert_eq!(path.status == Status::Reached, optimum.is_some(), "{a:?} to {b:?}");
            if let Some(optimum) = optimum {
                assert_shortest(path.cost, optimum, (round, from, a, to, b));
                lengths += 1;
            }
        }
    }
    assert!(compared > 600 && lengths > 600, "{compared} {lengths}");
}

#[test]
fn a_volume_gives_its_area_to_the_ground_within_and_to_no_other() {
    let mut random = Random(32);
    let (mut given, mut kept) = (0, 0);
    for _ in 0..100 {
        let extras = Extras { areas: true, ..Extras::default() };
        let (scene, file) = level(&mut random, 16, extras);
        let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
        let mut volumes = vec![];
        for _ in 0..8 {
            change_volumes(&mut random, &scene, &mut world, &mut volumes, 900);
        }
        world.commit();
        let [baked, now] = [world.baked(), world.nav_mesh()].map(NavQuery::new);
        if scene.faces.is_empty() {
            continue;
        }
        for _ in 0..300 {
            let face = random.below(scene.faces.len());
            let p = point(&mut random, &scene, face);
            let n = scene.faces[face].corners.len();
            let edges = (0..n).map(|k| [k, (k + 1) % n].map(|k| scene.corner(face, k)));
            let mut edges = edges.map(|ends| ends.map(|p| p.map(f64::from)));
            if edges.any(|[a, b]| to_segment(a, b, p.map(f64::from)) < 6.0) {
                continue;
            }
            let Some(at) = ground(&baked, &scene, face, p) else {
                continue;
            };
            let [x, y, z] = at.position();
            let near = now.nearest([x, y, z], [4.0 / UNITS, 0.5, 4.0 / UNITS]);
            let near = near.expect("volumes take no ground");
            let there = volumes.iter().map(|(_, volume, area)| (volume, area));
            let there =
                there.filter(|(volume, _)| volume.heights[0] <= y && y <= volume.heights[1]);
            let away: Vec<(f64, AreaId)> =
                there.map(|(volume, area)| (volume.away(p), *area)).collect();
            if away.iter().any(|(away, _)| away.abs() < 8.0 && !holds(away)) {
                continue;
            }
            let within = away.iter().filter(|(away, _)| *away < 0.0).map(|(_, area)| *area);
            let wanted = within.max();
            given += usize::from(wanted.is_some());
            kept += usize::from(wanted.is_none());
            let wanted = wanted.unwrap_or(baked.mesh().area(at.polygon()));
            assert_eq!(now.mesh().area(near.polygon()), wanted, "{p:?}");
        }
    }
    assert!(given > 1000 && kept > 5000, "{given} {kept}");
}

/// [`Solid::away`] does not say how deep inside of a prism a point is.
fn holds(away: &f64) -> bool {
    *away <= -1.0
}

#[test]
fn ground_is_as_baked_once_volumes_are_gone() {
    let mut random = Random(33);
    for _ in 0..60 {
        let extras = Extras { links: 2, areas: true, ..Extras::default() };
        let (scene, file) = level(&mut random, 8, extras);
        let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
        let (mut solids, mut volumes) = (vec![], vec![]);
        for _ in 0..12 {
            change(&mut random, &scene, &mut world, &mut solids, 160);
            change_volumes(&mut random, &scene, &mut world, &mut volumes, 300);
            world.commit_some(1 + random.below(4));
        }
        let volumes = volumes.into_iter().map(|(id, ..)| id);
        for id in solids.into_iter().map(|(id, _)| id).chain(volumes) {
            world.remove(id).expect("an obstacle of the world");
        }
        world.commit();
        check_restored(&world);
        assert_eq!(world.changed_mesh().polys().pieces.areas, 0);
    }
}

#[test]
fn an_area_that_cannot_be_is_refused_and_volumes_are_no_obstacles() {
    let mut random = Random(34);
    let (_, file) = level(&mut random, 16, Extras::default());
    let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
    let barrel = Obstacle::cylinder([0.0, 0.0], 1.0, [0.0, 1.0]).expect("a cylinder");
    let error = world.add_volume(barrel, AreaId(64)).expect_err("an area beyond the last");
    assert_eq!(error.to_string(), "area 64: give a number below 64");
    let volume = world.add_volume(barrel, AreaId(63)).expect("an area");
    let obstacle = world.add(barrel).expect("within the grid");
    world.commit();
    let listed: Vec<ObstacleId> = world.obstacles().map(|(id, _)| id).collect();
    assert_eq!(listed, [obstacle]);
    // The slot of a volume that is gone makes room for an obstacle.
    world.remove(volume).expect("a volume of the world");
    world.commit();
    world.add(barrel).expect("within the grid");
    world.commit();
    assert_eq!(world.obstacles().count(), 2);
}
