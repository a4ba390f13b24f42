//! Questions without a search: places, rays, walls, surroundings.

use std::collections::BTreeSet;

use navbake_search::around::{Convex, Reached, Shape};
use navbake_search::{NavPoint, PolyId};

use crate::fuzzer::{Fuzzer, index, show};
use crate::plain::Point;

/// Random places are on their polygons, and on the requested island.
pub(crate) fn random(ask: &mut Fuzzer<'_>) {
    let first = ask.place(None);
    let island = ask.island(&first);
    let second = ask.place(Some(island));
    ask.demand("random", ask.holds(&first) && ask.holds(&second), || {
        format!("not on its polygon: {} or {}", show(&first), show(&second))
    });
    ask.demand("random", ask.island(&second) == island, || {
        format!("not on island {}: {}", island.0, show(&second))
    });
    ask.conclusive += 1;
}

/// A point above or below a place is located at its place or nearer in height.
pub(crate) fn locate(ask: &mut Fuzzer<'_>) {
    let place = ask.place(None);
    let up = 0.5 * ask.stride;
    let p = ask.beside(&place, [0.0, up, 0.0]);
    let away = (p[1] - place.position()[1]).abs();
    let unit = 1.0 / ask.query.mesh().grid().units();
    let found = ask.query.locate(p, up + unit);
    ask.demand("locate", found.is_some(), || {
        format!("nothing at {p:?}, above or below {}", show(&place))
    });
    let Some(found) = found else {
        return;
    };
    let nearer = (found.position()[1] - p[1]).abs() <= away + unit;
    let same = found.point() == place.point();
    ask.demand("locate", nearer && same && ask.holds(&found), || {
        format!("{p:?} is not at {}, {}", show(&found), show(&place))
    });
    ask.conclusive += 1;
}

/// The place nearest to a point is on its polygon and no farther than the nearest one of a polygon
/// that is known.
pub(crate) fn nearest(ask: &mut Fuzzer<'_>) {
    let place = ask.place(None);
    let stride = ask.stride;
    let p = ask.beside(&place, [0.7 * stride, 0.3 * stride, 0.7 * stride]);
    let reach = [stride, 3.0 * stride, stride];
    let found = ask.query.nearest(p, reach);
    ask.demand("nearest", found.is_some(), || {
        format!("nothing near {p:?}, though there is {}", show(&place))
    });
    let Some(found) = found else {
        return;
    };
    let grid = ask.query.mesh().grid();
    // Points are put on the grid first.
    let p = grid.snap(p).map_or(p, |p| grid.metres(p.map(f64::from)));
    let away = |q: [f64; 3]| (0..3).map(|k| (q[k] - p[k]).powi(2)).sum::<f64>().sqrt();
    // Of the polygon that is known, the grid points beside the place nearest in the ground plane.
    let polygon = place.polygon();
    let flat = [0, 2].map(|k| (p[k] - grid.origin[k]) * grid.units());
    let middle = ask.plain.nearest(index(polygon), flat).map(f64::round);
    let beside =
        (0..25).map(|i| [middle[0] + f64::from(i % 5 - 2), middle[1] + f64::from(i / 5 - 2)]);
    let held = beside.filter(|q| ask.plain.holds(index(polygon), q.map(|c| c as i32)));
    let known: Vec<[f64; 3]> = held
        .map(|[x, z]| {
            let height = ask.query.mesh().polygon(polygon).height([x, z]);
            grid.metres([x, height, z])
        })
        .collect();
    // One of them counts, if it is near enough; which one is the runtime's to choose.
    let inside = |q: &[f64; 3]| (0..3).all(|k| (q[k] - p[k]).abs() < reach[k] - 1.0 / grid.units());
    let far = known.iter().map(|&q| away(q)).reduce(f64::max);
    let known = far.filter(|_| known.iter().all(inside));
    let known = known.unwrap_or(f64::INFINITY);
    let sound = away(found.position()) <= known + 1e-9;
    ask.demand("nearest", sound && ask.holds(&found), || {
        format!("{} for {p:?}, though polygon {} is nearer", show(&found), polygon.0)
    });
    ask.conclusive += 1;
}

/// A ray gets as far as the plain walk does, over polygons that are connected, and ends at a wall
/// or at its target.
pub(crate) fn raycast(ask: &mut Fuzzer<'_>) {
    let from = ask.place(None);
    let by = ask.stride * [0.5, 2.0, 8.0][ask.random.below(3) as usize];
    let to = ask.beside(&from, [by, 0.0, by]);
    let (a, b) = (from.point(), ask.flat(to));
    let mut entered = vec![PolyId(0); 64];
    let mut hit = ask.query.raycast_through(&from, to, &mut entered);
    if hit.crossed as usize > entered.len() {
        entered.resize(hit.crossed as usize, PolyId(0));
        hit = ask.query.raycast_through(&from, to, &mut entered);
    }
    entered.truncate(hit.crossed as usize);
    let start = index(from.polygon());
    let chain = ask.plain.chain(start, entered.iter().copied().map(index));
    let last = entered.last().map_or(start, |&p| index(p));
    let over = ask.plain.along(&BTreeSet::from([start]), a, b);
    let clear = over.iter().any(|&p| ask.plain.holds(p, b));
    let farthest = ask.plain.farthest(&over, a, b);
    let asked = || format!("from {} to {b:?}: {hit:?}", show(&from));
    ask.demand("raycast", clear == hit.wall.is_none(), || {
        format!("{}; the plain walk says clear = {clear}", asked())
    });
    ask.demand("raycast", chain, || format!("{}: not joined: {entered:?}", asked()));
    // A wall may belong to another polygon at the corner where the ray ends.
    let ends = last == index(hit.polygon) || hit.wall.is_some();
    ask.demand("raycast", ends, || format!("{}: ends in polygon {last}", asked()));
    if let Some(wall) = hit.wall {
        let polygon = ask.query.mesh().polygon(hit.polygon);
        let solid = (0..polygon.len())
            .any(|k| polygon.edge(k) == wall.edge && polygon.neighbour(k).is_none());
        ask.demand("raycast", solid, || format!("{}: no wall", asked()));
        ask.demand("raycast", (hit.fraction - farthest).abs() < 1e-9, || {
            format!("{}; the plain walk ends at {farthest}", asked())
        });
    }
    ask.conclusive += 1;
}

/// No wall is met nearer than the nearest wall, and that one is met where it is said to be.
pub(crate) fn wall_distance(ask: &mut Fuzzer<'_>) {
    let from = ask.place(None);
    let most = ask.stride * [0.2, 2.0, 20.0][ask.random.below(3) as usize];
    let found = ask.query.wall_distance(&from, most, &mut ask.flood);
    let unit = 1.0 / ask.query.mesh().grid().units();
    let asked = |found| format!("from {}, up to {most}: {found:?}", show(&from));
    let far = found.distance <= most && found.nearest.is_some() == (found.distance < most);
    let exact = (found.distance - most).abs() < unit;
    ask.demand("wall distance", far || exact, || asked(found));
    for _ in 0..8 {
        let to = ask.beside(&from, [2.0 * most, 0.0, 2.0 * most]);
        let hit = ask.query.raycast(&from, to);
        let [dx, dz] = [0, 2].map(|k| hit.point[k] - from.position()[k]);
        let near = hit.wall.is_some() && dx.hypot(dz) < found.distance - 1e-9;
        ask.demand("wall distance", !near, || format!("{}: a ray hits {hit:?}", asked(found)));
    }
    if let Some(nearest) = found.nearest {
        let p = from.position();
        let [dx, dz] = [0, 2].map(|k| nearest.point[k] - p[k]);
        let right = (dx.hypot(dz) - found.distance).abs() < 1e-9;
        ask.demand("wall distance", right, || asked(found));
        // A ray through the wall, towards the point and a few units beyond, ends there.
        let on = 3.0 * unit;
        let n = nearest.wall.normal;
        let beyond = [nearest.point[0] - on * n[0], p[1], nearest.point[2] - on * n[1]];
        let hit = ask.query.raycast(&from, beyond);
        let [x, z] = [0, 2].map(|k| hit.point[k] - nearest.point[k]);
        let met = hit.wall.is_some() && x.hypot(z) <= 4.0 * unit;
        // Near corners, a ray to a few units beyond may pass beside the wall.
        let corner = (0..2).any(|end| {
            let polygon = ask.query.mesh().polygon(nearest.polygon);
            let edge = (0..polygon.len()).find(|&k| polygon.edge(k) == nearest.wall.edge);
            edge.is_none_or(|k| {
                let c = polygon.corner(if end == 0 { k } else { polygon.next(k) });
                let q = ask.flat(nearest.point);
                (c[0] - q[0]).abs() <= 4 && (c[1] - q[1]).abs() <= 4
            })
        });
        ask.demand("wall distance", met || corner, || {
            format!("{}: a ray to it ends at {hit:?}", asked(found))
        });
        ask.conclusive += 1;
    }
}

/// Circles and convex shapes reach the same polygons as the plain flood; walks are connected and
/// get longer.
pub(crate) fn around(ask: &mut Fuzzer<'_>) {
    let from = ask.place(None);
    let start = index(from.polygon());
    let units = ask.query.mesh().grid().units();
    let radius = ask.stride * ask.random.unit() * 2.0;
    let ids = |polygons: &[Reached]| -> BTreeSet<usize> {
        polygons.iter().map(|r| index(r.polygon())).collect()
    };
    let circle = ask.query.around(&from, Shape::Circle(radius), &mut ask.flood);
    let (found, whole) = (ids(circle.polygons), circle.whole);
    let expected = ask.plain.in_circle(start, from.point(), (radius * units).round() as i64);
    ask.demand("around", whole && found == expected, || {
        format!("circle of {radius} at {}: {found:?}, not {expected:?}", show(&from))
    });
    let (shape, corners) = convex(ask, &from, radius);
    if let Some(shape) = shape {
        let around = ask.query.around(&from, Shape::Convex(&shape), &mut ask.flood);
        let found = ids(around.polygons);
        let expected = ask.plain.in_convex(start, &corners);
        ask.demand("around", found == expected, || {
            format!("{corners:?} from {}: {found:?}, not {expected:?}", show(&from))
        });
    }
    let walk = ask.query.around(&from, Shape::Walk(radius), &mut ask.flood);
    let mut known = BTreeSet::from([start]);
    let mut last = 0.0;
    let mut sound = walk.polygons[0].polygon() == from.polygon();
    for reached in &walk.polygons[1..] {
        let Some(before) = reached.from().map(index) else {
            sound = false;
            continue;
        };
        let next = index(reached.polygon());
        sound &= ask.plain.joined(before, next) && known.contains(&before) && known.insert(next);
        sound &= reached.distance() >= last && reached.distance() <= radius + 1.0 / units;
        last = reached.distance();
    }
    let conclusive = walk.polygons.len() > 1;
    // A walk as long as the radius never comes farther than the circle.
    let circle = (radius * units).ceil() as i64;
    sound &= known.is_subset(&ask.plain.in_circle(start, from.point(), circle));
    ask.demand("around", sound, || format!("walk of {radius} from {}", show(&from)));
    ask.conclusive += u64::from(conclusive);
}

/// A triangle or square near a place, as the runtime takes it and as plain corners,
/// counter-clockwise.
fn convex(ask: &mut Fuzzer<'_>, from: &NavPoint, size: f64) -> (Option<Convex>, Vec<Point>) {
    let grid = ask.query.mesh().grid();
    let middle = ask.beside(from, [size, 0.0, size]);
    let [s, t] = [0, 1].map(|_| size * (0.1 + ask.random.unit()));
    let square = [[-s, -t], [-t, s], [s, t], [t, -s]];
    let corners = &square[..3 + ask.random.below(2) as usize];
    let metres: Vec<[f64; 2]> =
        corners.iter().map(|c| [middle[0] + c[0], middle[2] + c[1]]).collect();
    let plain = metres.iter().map(|c| ask.flat([c[0], 0.0, c[1]])).collect();
    (Convex::new(grid, &metres), plain)
}
