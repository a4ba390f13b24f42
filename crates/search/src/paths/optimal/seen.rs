//! The cones that a search has seen, for drawings. Nothing here decides anything.

use navbake_format::PolyId;

use super::super::slices::Slices;
use super::super::visit::{Seen, Visit};
use super::cone::{HERE, along, towards, turn};
use super::{Cone, Sight, State};
use crate::NavQuery;
use navbake_navmesh::math::{distance, float};

fn cross(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[1] * v[0] - u[0] * v[1]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// A segment; positions on it are shares of its length.
#[derive(Clone, Copy)]
struct Portal {
    right: [f64; 2],
    along: [f64; 2],
}

impl Portal {
    fn at(&self, share: f64) -> [f64; 2] {
        [0, 1].map(|k| self.right[k] + share * self.along[k])
    }

    /// The share where a ray meets the segment, clamped to `between`.
    fn meets(&self, from: [f64; 2], ray: [f64; 2], between: [f64; 2]) -> f64 {
        let to = minus(self.right, from);
        let down = cross(ray, self.along);
        let share = if down == 0.0 {
            // On one line: the nearest position.
            let square = self.along[0] * self.along[0] + self.along[1] * self.along[1];
            -(to[0] * self.along[0] + to[1] * self.along[1]) / square.max(1.0)
        } else {
            -cross(ray, to) / down
        };
        share.max(between[0]).min(between[1])
    }

    /// A place, mirrored to the far side if it is on the root's side.
    fn mirrored(&self, root: [f64; 2], place: [f64; 2]) -> [f64; 2] {
        let [here, there] = [root, place].map(|p| cross(self.along, minus(p, self.right)));
        if here * there <= 0.0 {
            return place;
        }
        let square = self.along[0] * self.along[0] + self.along[1] * self.along[1];
        let off = 2.0 * there / square;
        [place[0] - off * self.along[1], place[1] + off * self.along[0]]
    }
}

impl State {
    /// All cones seen, in order. Each costs a pass over the open list.
    pub(in super::super) fn visits<'v>(
        self,
        query: &NavQuery<'v>,
        sight: Sight<'v>,
    ) -> impl Iterator<Item = Visit> + 'v {
        let query = *query;
        (0..self.cones).filter_map(move |n| self.visit(&query, &sight, n))
    }

    /// The cone that the last step opened, if it opened exactly one.
    pub fn last_visit(&self, query: &NavQuery<'_>, scratch: &Slices<'_>) -> Option<Visit> {
        self.visit(query, &scratch.sight, self.last.checked_sub(1)?)
    }

    fn visit(&self, query: &NavQuery<'_>, sight: &Sight<'_>, n: u32) -> Option<Visit> {
        let grid = query.mesh().grid();
        let cone = sight.cones.get(n as usize).filter(|_| n < self.cones)?;
        let root = sight.roots.get(cone.root as usize)?;
        let metres = |p: [f64; 2]| {
            let [x, _, z] = grid.metres([p[0], 0.0, p[1]]);
            [x, z]
        };
        let (from, goal) = (float(root.point), float(self.goal));
        // Cones for a place look through no portal; the place may be on the edge that they enter
        // over.
        let look = (query.mesh().polys().ends(cone.polygon, cone.edge))
            .filter(|&ends| cone.rays != [[0; 2]; 2] || !lies_on(root.point, ends))
            .map(|ends| Look::new(cone, from, ends, goal));
        let link = cone.link().and_then(|number| query.mesh().link(number));
        let before = sight.cones.get(cone.parent as usize)?;
        let is_end = cone.is_end() && cone.edge == HERE && cone.parent != n;
        let (entry, goal) = match look {
            Some(look) => (look.entry, look.goal),
            None if is_end && before.link().is_none() => (goal, goal),
            None => (from, goal),
        };
        let open = (sight.opened.iter().take(self.open as usize))
            .chain(self.next.as_ref())
            .any(|o| o.cone == n);
        Some(Visit {
            node: n,
            parent: cone.parent,
            polygon: link.map_or(PolyId(cone.polygon), |link| link.beyond),
            entry: metres(entry),
            behind: (root.g + distance(from, entry)) / grid.units(),
            ahead: distance(entry, goal) / grid.units(),
            closed: !open,
            seen: look.map(|look| Seen {
                from: metres(from),
                right: metres(look.right),
                left: metres(look.left),
            }),
        })
    }
}

/// Is a point on a segment?
fn lies_on(p: [i32; 2], [a, b]: [[i32; 2]; 2]) -> bool {
    let (a, b) = (towards(p, a), towards(p, b));
    turn(a, b) == 0 && along(a, b) <= 0
}

/// The part of its portal that a cone sees.
#[derive(Clone, Copy)]
struct Look {
    right: [f64; 2],
    left: [f64; 2],
    /// Where the shortest path through the portal crosses it.
    entry: [f64; 2],
    /// The goal, mirrored to the far side.
    goal: [f64; 2],
}

impl Look {
    fn new(cone: &Cone, from: [f64; 2], [right, left]: [[i32; 2]; 2], goal: [f64; 2]) -> Look {
        let portal = Portal { right: float(right), along: minus(float(left), float(right)) };
        let goal = portal.mirrored(from, goal);
        // The rays of a cone that ends in the goal are not kept.
        let (right, left) = if cone.rays == [[0; 2]; 2] {
            (0.0, 1.0)
        } else {
            let [r, l] = cone.rays.map(float);
            let right = portal.meets(from, r, [0.0, 1.0]);
            (right, portal.meets(from, l, [right, 1.0]))
        };
        let entry = portal.meets(from, minus(goal, from), [right, left]);
        Look { right: portal.at(right), left: portal.at(left), entry: portal.at(entry), goal }
    }
}
