//! A slow, plain answer to whether the course of a link through the air is free. It shares nothing
//! with what finds links but the words of the guide: the agent's cylinder is put at many moments of
//! the course, and each of the level's triangles is cut into ever smaller ones to see whether it
//! reaches in.

use navbake_format::{CheckedBlob, Link, LinkKind, NavMesh};
use navbake_level::Scene;
use navbake_search::NavQuery;

/// Moments are no farther apart than this, m.
const STEP: f64 = 0.02;

/// Pieces of triangles smaller than this, m, that were not seen to reach in do not.
const SMALLEST: f64 = 0.004;

/// An upright cylinder, metres.
#[derive(Clone, Copy, Debug)]
struct Cylinder {
    x: f64,
    z: f64,
    radius: f64,
    low: f64,
    high: f64,
}

/// Who leaps, metres.
#[derive(Clone, Copy)]
struct Leaper {
    radius: f64,
    height: f64,
    climb: f64,
    /// The depth up to which contact is a touch and no hit.
    touch: f64,
}

impl Leaper {
    /// The part of the body that has to be free, with its feet at a height, and what is below
    /// `steps` stepped over.
    fn at(&self, [x, z]: [f64; 2], feet: f64, steps: f64) -> Cylinder {
        Cylinder {
            x,
            z,
            radius: self.radius * 63.0 / 64.0 - self.touch,
            low: feet.max(steps) + self.touch,
            high: feet + self.height - self.touch,
        }
    }
}

/// How often a class's links are in the air and what they run into: one line a link that is not
/// free.
pub(crate) fn blocked_links(blob: &CheckedBlob<'_>, class: u16, scene: &Scene) -> Vec<String> {
    let nav = blob.decode(class).unwrap();
    let mesh = nav.mesh();
    let agent = blob.agents().find(|a| a.class == class).unwrap();
    let leaper = Leaper {
        radius: agent.radius,
        height: agent.height,
        climb: agent.climb,
        touch: 3.0 / mesh.grid().units(),
    };
    let triangles: Vec<[[f64; 3]; 3]> =
        (scene.triangles.iter()).map(|t| t.map(|v| scene.vertices[v as usize])).collect();
    let links = (0..mesh.link_count()).filter_map(|n| mesh.link(n));
    links
        .filter(|link| matches!(link.kind, LinkKind::Drop | LinkKind::Jump))
        .filter_map(|link| blocked(&mesh, &link, &leaper, &triangles))
        .collect()
}

/// Where a link begins and ends in space.
pub(crate) fn ends(mesh: &NavMesh<'_>, link: &Link<'_>) -> [[f64; 3]; 2] {
    let query = NavQuery::new(*mesh);
    [(link.polygon, link.from), (link.beyond, link.to)].map(|(polygon, [x, z])| {
        let place = mesh.grid().metres([f64::from(x), 0.0, f64::from(z)]);
        query.on_polygon(polygon, place).unwrap().position()
    })
}

fn blocked(
    mesh: &NavMesh<'_>,
    link: &Link<'_>,
    leaper: &Leaper,
    triangles: &[[[f64; 3]; 3]],
) -> Option<String> {
    let [from, to] = ends(mesh, link);
    let moments = match link.kind {
        LinkKind::Drop => drop(from, to, leaper),
        _ => jump(from, to, leaper),
    };
    let bound = |pick: fn(&Cylinder) -> f64, best: fn(f64, f64) -> f64| {
        moments.iter().map(pick).reduce(best).unwrap()
    };
    let least = [
        bound(|c| c.x - c.radius, f64::min),
        bound(|c| c.low, f64::min),
        bound(|c| c.z - c.radius, f64::min),
    ];
    let greatest = [
        bound(|c| c.x + c.radius, f64::max),
        bound(|c| c.high, f64::max),
        bound(|c| c.z + c.radius, f64::max),
    ];
    let near = triangles.iter().filter(|t| {
        (0..3).all(|k| t.iter().any(|p| p[k] > least[k]) && t.iter().any(|p| p[k] < greatest[k]))
    });
    for triangle in near {
        if let Some(cylinder) = moments.iter().find(|c| reaches(triangle, c)) {
            return Some(format!(
                "{:?} from {from:?} to {to:?}: {triangle:?} reaches into {cylinder:?}",
                link.kind
            ));
        }
    }
    None
}

/// Out over the ledge, then down.
fn drop(from: [f64; 3], to: [f64; 3], leaper: &Leaper) -> Vec<Cylinder> {
    let length = (to[0] - from[0]).hypot(to[2] - from[2]);
    let out = (length / STEP).ceil() as u32;
    let down = ((from[1] - to[1]) / STEP).ceil() as u32;
    let walked = (0..=out).map(|k| {
        let t = f64::from(k) / f64::from(out);
        let place = [from[0] + t * (to[0] - from[0]), from[2] + t * (to[2] - from[2])];
        leaper.at(place, from[1], from[1] + leaper.climb)
    });
    let fallen = (0..=down).map(|k| {
        let t = f64::from(k) / f64::from(down);
        let feet = from[1] + t * (to[1] - from[1]);
        leaper.at([to[0], to[2]], feet, to[1] + leaper.climb)
    });
    walked.chain(fallen).collect()
}

/// Along the parabola that leaves its higher end at 45 degrees.
fn jump(from: [f64; 3], to: [f64; 3], leaper: &Leaper) -> Vec<Cylinder> {
    let (high, low) = if from[1] >= to[1] { (from, to) } else { (to, from) };
    let length = (low[0] - high[0]).hypot(low[2] - high[2]);
    // high + s - b s^2 ends at the lower height.
    let b = (length + high[1] - low[1]) / (length * length);
    let count = (2.0 * (length + high[1] - low[1]) / STEP).ceil() as u32;
    (0..=count)
        .map(|k| {
            let s = length * f64::from(k) / f64::from(count);
            let t = s / length;
            let place = [high[0] + t * (low[0] - high[0]), high[2] + t * (low[2] - high[2])];
            let mut steps = f64::NEG_INFINITY;
            if s <= leaper.radius {
                steps = steps.max(high[1] + leaper.climb);
            }
            if length - s <= leaper.radius {
                steps = steps.max(low[1] + leaper.climb);
            }
            leaper.at(place, high[1] + s - b * s * s, steps)
        })
        .collect()
}

/// Does a triangle reach into a cylinder?
fn reaches(triangle: &[[f64; 3]; 3], cylinder: &Cylinder) -> bool {
    let span = |k: usize| {
        let values = triangle.iter().map(|p| p[k]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
    };
    let [(x0, x1), (y0, y1), (z0, z1)] = [span(0), span(1), span(2)];
    if y1 <= cylinder.low || y0 >= cylinder.high {
        return false;
    }
    let away = |low: f64, high: f64, c: f64| (low - c).max(c - high).max(0.0);
    if away(x0, x1, cylinder.x).hypot(away(z0, z1, cylinder.z)) >= cylinder.radius {
        return false;
    }
    let inside = |p: &[f64; 3]| {
        p[1] > cylinder.low
            && p[1] < cylinder.high
            && (p[0] - cylinder.x).hypot(p[2] - cylinder.z) < cylinder.radius
    };
    if triangle.iter().any(inside) {
        return true;
    }
    if (x1 - x0).max(y1 - y0).max(z1 - z0) < SMALLEST {
        return false;
    }
    let [a, b, c] = *triangle;
    let middle = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| (p[k] + q[k]) / 2.0);
    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
    let four = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
    four.iter().any(|part| reaches(part, cylinder))
}

#[test]
fn the_plain_test_sees_what_reaches_in_and_not_what_touches() {
    let cylinder = Cylinder { x: 1.0, z: 2.0, radius: 0.5, low: 0.0, high: 2.0 };
    let floor = |y: f64| [[-50.0, y, -50.0], [60.0, y, -50.0], [0.0, y, 90.0]];
    assert!(!reaches(&floor(0.0), &cylinder) && !reaches(&floor(2.0), &cylinder));
    assert!(reaches(&floor(0.01), &cylinder) && reaches(&floor(1.99), &cylinder));
    let wall = |x: f64| [[x, -5.0, -50.0], [x, -5.0, 50.0], [x, 70.0, 0.0]];
    assert!(!reaches(&wall(0.499), &cylinder) && !reaches(&wall(1.501), &cylinder));
    assert!(reaches(&wall(0.52), &cylinder) && reaches(&wall(1.48), &cylinder));
}
