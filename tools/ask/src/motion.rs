//! A point that is pushed about: it never leaves the ground, and never sticks to it.

use std::collections::BTreeSet;

use navbake_search::around::MoveLog;
use navbake_search::blob::EdgeId;
use navbake_search::{MoveRequest, NavPoint, PolyId};

use crate::fuzzer::{Fuzzer, index, show};
use crate::plain::Point;

/// After this many moves, the point starts again elsewhere.
const LIFE: u64 = 200;

/// How far from where a motion ends its place on the grid may be, grid units, where the ground has
/// one as near.
const BESIDE: f64 = 2.0;

/// One move of a random walk.
pub(crate) fn step(ask: &mut Fuzzer<'_>) {
    let from = match ask.walker {
        Some(at) if ask.random.below(LIFE) > 0 => at,
        _ => {
            ask.stalls = 0;
            ask.place(None)
        }
    };
    let by = ask.stride * [0.02, 0.3, 3.0][ask.random.below(3) as usize];
    let mut to = ask.beside(&from, [by, 0.0, by]);
    // Straight along an axis, as walls like to be.
    match ask.random.below(8) {
        0 => to[0] = from.position()[0],
        1 => to[2] = from.position()[2],
        _ => {}
    }
    let kept = [0.9, 0.9, 1.0, 0.0][ask.random.below(4) as usize];
    ask.walker = Some(check(ask, &from, to, kept));
}

/// Moves a point and checks everything about the answer.
fn check(ask: &mut Fuzzer<'_>, from: &NavPoint, to: [f64; 3], kept: f64) -> NavPoint {
    const KIND: &str = "move";
    let request = MoveRequest::new(to).kept(kept);
    let (mut entered, mut hit) = (vec![PolyId(0); 256], vec![EdgeId(0); 256]);
    let go = |entered: &mut [PolyId], hit: &mut [EdgeId]| {
        ask.query.move_along(from, &request, MoveLog { entered, hit })
    };
    let mut motion = go(&mut entered, &mut hit);
    if motion.entered > entered.len() || motion.hit > hit.len() {
        entered.resize(motion.entered, PolyId(0));
        hit.resize(motion.hit, EdgeId(0));
        motion = go(&mut entered, &mut hit);
    }
    entered.truncate(motion.entered);
    hit.truncate(motion.hit);
    let Some(end) = ask.query.place(motion.end) else {
        ask.demand(KIND, false, || format!("off its polygon: {motion:?}"));
        return *from;
    };
    let b = ask.flat(to);
    let asked = || format!("{} towards {b:?}, kept {kept}: {motion:?}", show(from));
    ask.demand(KIND, ask.holds(&end), || format!("off its polygon: {}", asked()));
    let start = index(from.polygon());
    let chain = ask.plain.chain(start, entered.iter().copied().map(index));
    let last = entered.last().map_or(start, |&p| index(p));
    ask.demand(KIND, chain && last == index(end.polygon()), || {
        format!("polygons do not hang together, {entered:?}: {}", asked())
    });
    let solid = hit.iter().all(|edge| ask.plain.solid(edge.0 as usize));
    let clear = !ask.plain.walk(&BTreeSet::from([start]), from.point(), b).is_empty();
    ask.demand(KIND, solid, || format!("not walls, {hit:?}: {}", asked()));
    // On open ground the point arrives; at a wall it hits something.
    let arrived = end.point() == b && hit.is_empty();
    ask.demand(KIND, clear == arrived, || format!("clear = {clear}, {hit:?}: {}", asked()));
    let units = ask.query.mesh().grid().units();
    let length = |a: [i32; 2], b: [i32; 2]| f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1]));
    let wanted = length(from.point(), b);
    let came = length(from.point(), end.point());
    let walked = motion.walked * units;
    ask.demand(KIND, walked <= wanted + 1.0 && came <= walked + 3.0, || {
        format!("farther than wanted: {}", asked())
    });
    // After one contact the motion is straight again: along the wall, by the part of its component
    // in that direction that friction leaves.
    if let ([_], 1) = (&hit[..], motion.contacts) {
        let ray = ask.query.raycast(from, to);
        let grid = ask.query.mesh().grid();
        let at = [0, 2].map(|k| (ray.point[k] - grid.origin[k]) * units);
        if let Some(wall) = ray.wall.filter(|_| !ends_in_corner(ask, &ray)) {
            let [nx, nz] = wall.normal;
            let rest = [0, 1].map(|k| f64::from(b[k]) - at[k]);
            let along = kept * (rest[0] * nz - rest[1] * nx);
            let aim = [at[0] + along * nz, at[1] - along * nx];
            let near = away(end.point(), aim) <= BESIDE + 1e-6;
            let over = || entered.iter().copied().chain([from.polygon()]).map(index);
            let room = near || over().any(|polygon| has_room(ask, polygon, aim));
            ask.demand(KIND, near || !room, || format!("not near {aim:?}: {}", asked()));
        }
    }
    stall(ask, from, &end, wanted);
    ask.conclusive += u64::from(!clear);
    end
}

fn ends_in_corner(ask: &Fuzzer<'_>, ray: &navbake_search::RayHit) -> bool {
    let polygon = ask.query.mesh().polygon(ray.polygon);
    polygon.corner_at(ask.flat(ray.point)).is_some()
}

fn away(point: Point, place: [f64; 2]) -> f64 {
    (f64::from(point[0]) - place[0]).hypot(f64::from(point[1]) - place[1])
}

/// Does a polygon have a grid point beside a place, or the ground that comes over portals there?
fn has_room(ask: &Fuzzer<'_>, polygon: usize, place: [f64; 2]) -> bool {
    let middle = place.map(|c| c.round() as i32);
    let ground = ask.plain.in_circle(polygon, middle, 1);
    let beside = (-2..=2).flat_map(|x| (-2..=2).map(move |z| [middle[0] + x, middle[1] + z]));
    let mut beside = beside.filter(|&point| away(point, place) <= BESIDE - 1e-6);
    beside.any(|point| ground.iter().any(|&polygon| ask.plain.holds(polygon, point)))
}

/// A point that stays where it is in move after move, though a ray could go somewhere, sticks.
fn stall(ask: &mut Fuzzer<'_>, from: &NavPoint, end: &NavPoint, wanted: f64) {
    if end.point() != from.point() || wanted < 4.0 {
        ask.stalls = 0;
        return;
    }
    ask.stalls += 1;
    if ask.stalls < 24 {
        return;
    }
    let mut free = false;
    for _ in 0..64 {
        let stride = ask.stride;
        let to = ask.beside(end, [stride, 0.0, stride]);
        let hit = ask.query.raycast(end, to);
        let units = ask.query.mesh().grid().units();
        let [dx, dz] = [0, 2].map(|k| (hit.point[k] - end.position()[k]) * units);
        free |= dx.hypot(dz) > 4.0;
    }
    let moves = ask.stalls;
    ask.demand("move", !free, || format!("stuck for {moves} moves at {}", show(end)));
    ask.stalls = 0;
}
