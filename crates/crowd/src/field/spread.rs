//! The search from all goals at once.
//!
//! It opens what is nearest to a goal first, as Dijkstra's algorithm does. There are two kinds of
//! entries: a *cone*, the part of a polygon that a root sees through a portal, and a *corner* that
//! a root sees. A corner whose turn comes is a root itself, for the ground that no straight line
//! from the root before it reaches. Roots look from polygon to polygon (Cui, Harabor and Grastien,
//! *Compromise-free pathfinding on a navigation mesh*, 2017); all decisions about sides are exact.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use navbake_navmesh::math::{distance, float, length, sqrt};
use navbake_navmesh::{Border, HalfEdge, NONE, PolyMesh};
use navbake_search::parts::{along, nearest_on_segment, towards, turn};
use navbake_search::{NavPoint, NavQuery, PolyId};

use super::{Field, Root, View, seen_part, trim};
use crate::Error;

/// The most cones for each polygon, and how many are added for the whole mesh. A long wall needs
/// them if each of its gaps sees the ground behind all others.
const MOST: [usize; 2] = [128, 16_384];

/// What a root sees of a polygon through one of its portals.
#[derive(Clone, Copy)]
struct Cone {
    polygon: u32,
    /// The portal's number in the polygon.
    edge: u32,
    root: u32,
    sides: [[i32; 2]; 2],
}

/// The shortest known way to a corner.
#[derive(Clone, Copy)]
struct Seen {
    length: f64,
    root: u32,
    /// A polygon where the root sees it, and its number there.
    corner: (u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Corner(u32),
    Cone(u32),
}

/// An entry of the open list: the length of the shortest way that leads through it.
#[derive(Clone, Copy)]
struct Open {
    length: f64,
    what: What,
}

impl Ord for Open {
    /// The greatest is the nearest.
    fn cmp(&self, other: &Open) -> Ordering {
        other.length.total_cmp(&self.length).then_with(|| other.what.cmp(&self.what))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

struct Spread<'a> {
    query: &'a NavQuery<'a>,
    polys: &'a PolyMesh<'a>,
    roots: Vec<Root>,
    cones: Vec<Cone>,
    open: BinaryHeap<Open>,
    /// By the numbers that [`Spread::ground_at`] gives.
    seen: Vec<Seen>,
    /// The views, the portal of each, and the view of the same polygon before it.
    views: Vec<(trim::Through, u32)>,
    /// The last view of each polygon.
    last: Vec<u32>,
}

/// Makes the field of goals with their numbers.
pub(super) fn spread<'g>(
    query: &NavQuery<'_>,
    goals: impl Iterator<Item = (u32, &'g NavPoint)>,
) -> Result<Field, Error> {
    let polys = query.mesh().polys();
    let parts = if query.closings().is_ground_open() { 0 } else { polys.edges.len() };
    let none = Seen { length: f64::INFINITY, root: NONE, corner: (NONE, 0) };
    let mut spread = Spread {
        query,
        polys,
        roots: Vec::new(),
        cones: Vec::new(),
        open: BinaryHeap::new(),
        seen: vec![none; polys.pivots as usize + parts],
        views: Vec::new(),
        last: vec![NONE; polys.len() as usize],
    };
    for (goal, place) in goals {
        spread.begin(goal, place);
    }
    let most = MOST[0] * polys.len() as usize + MOST[1];
    while let Some(open) = spread.open.pop() {
        if spread.cones.len() > most {
            return Err(Error::TooManyCones(most));
        }
        match open.what {
            What::Cone(number) => spread.look_on(number),
            What::Corner(ground) if spread.seen[ground as usize].length == open.length => {
                spread.turn_at(ground);
            }
            What::Corner(_) => {}
        }
    }
    Ok(spread.field())
}

impl Spread<'_> {
    fn is_open(&self, edge: u32) -> bool {
        !self.query.closings().is_shut(edge)
    }

    fn root(&mut self, root: Root) -> u32 {
        self.roots.push(root);
        self.roots.len() as u32 - 1
    }

    /// Looks around from a goal.
    fn begin(&mut self, goal: u32, place: &NavPoint) {
        let (polygon, at) = (place.polygon().0, place.point());
        let after = self.roots.len() as u32;
        let root = self.root(Root { place: *place, after, goal, length: 0.0, is_wide: false });
        let mut holders = vec![polygon];
        let polys = self.polys;
        if polys.is_on_border(polygon, at) {
            let open = |edge| self.is_open(edge);
            polys.each_holder(polygon, at, open, |_, _, edge| holders.push(edge.neighbour));
        }
        for polygon in holders {
            self.look(root, polygon, None, [[0; 2]; 2]);
        }
    }

    /// Takes a cone: what it sees of its polygon, and through the polygon's portals.
    fn look_on(&mut self, number: u32) {
        let Cone { polygon, edge, root, sides } = self.cones[number as usize];
        if !self.is_passed(number) {
            self.look(root, polygon, Some(edge), sides);
        }
    }

    /// Is all that a cone sees nearer over an end of its portal?
    ///
    /// Along the portal, away from an end, the way over that end grows by each step, and that to
    /// the root by at most as much. So the far end of what is seen decides (Xin and Wang,
    /// *Improving Chen and Han's algorithm on the discrete geodesic problem*, 2009).
    fn is_passed(&self, number: u32) -> bool {
        let cone = &self.cones[number as usize];
        let root = &self.roots[cone.root as usize];
        let border = self.polys.border(cone.polygon);
        let ends = [border.next(cone.edge as usize), cone.edge as usize];
        let known = ends.map(|k| self.seen[self.ground_at(&border, cone.polygon, k)].length);
        let portal = ends.map(|k| towards(root.place.point(), border.at(k).at));
        let part = seen_part(cone.sides, portal);
        (0..2).any(|k| {
            let far = part[1 - k];
            let over = known[k] + distance(float(portal[k]), far);
            let straight = root.length + length(far[0], far[1]);
            over < straight - straight * 1e-12
        })
    }

    /// Sees a polygon from a root, between two sides, through one of its edges if not from a
    /// corner or from within.
    fn look(&mut self, root: u32, polygon: u32, edge: Option<u32>, sides: [[i32; 2]; 2]) {
        let Root { place, length, .. } = self.roots[root as usize];
        let at = place.point();
        let border = self.polys.border(polygon);
        let view = View { sides, at, length, root };
        let before = core::mem::replace(&mut self.last[polygon as usize], self.views.len() as u32);
        self.views.push((trim::Through { view, edge }, before));
        let [right, left] = sides;
        for k in 0..border.len() {
            let here = border.at(k);
            let [p, q] = [here.at, border.after(k).at].map(|end| towards(at, end));
            if turn(right, p) >= 0 && turn(p, left) >= 0 {
                let far = length + self::length(float(p)[0], float(p)[1]);
                self.see(root, far, polygon, k, &here);
            }
            let beyond = here.neighbour;
            if edge == Some(k as u32) || beyond == NONE || !self.is_open(here.number()) {
                continue;
            }
            let within = [
                if turn(right, p) >= 0 { p } else { right },
                if turn(q, left) >= 0 { q } else { left },
            ];
            if turn(within[0], within[1]) > 0 {
                let cone = Cone { polygon: beyond, edge: here.twin, root, sides: within };
                self.put(cone, [p, q], length);
            }
        }
    }

    fn put(&mut self, cone: Cone, portal: [[i32; 2]; 2], behind: f64) {
        let [a, b] = seen_part(cone.sides, portal);
        let near = sqrt(nearest_on_segment(a, b, [0.0; 2]).1);
        let what = What::Cone(self.cones.len() as u32);
        self.cones.push(cone);
        self.open.push(Open { length: behind + near, what });
    }

    /// Notes that a root sees a corner.
    fn see(&mut self, root: u32, length: f64, polygon: u32, k: usize, edge: &HalfEdge) {
        let border = self.polys.border(polygon);
        let ground = self.ground_at(&border, polygon, k);
        let seen = &mut self.seen[ground];
        if length < seen.length {
            *seen = Seen { length, root, corner: (polygon, k as u32) };
            if self.query.closings().is_corner(edge.number(), edge.is_corner()) {
                self.open.push(Open { length, what: What::Corner(ground as u32) });
            }
        }
    }

    /// The number of the ground at a corner of a polygon: all that a path may change to there.
    ///
    /// Shut edges divide that of the mesh.
    fn ground_at(&self, border: &Border<'_>, polygon: u32, k: usize) -> usize {
        let edge = border.at(k);
        let closings = self.query.closings();
        if closings.is_ground_open() || !closings.is_touched(edge.number()) {
            return edge.pivot_number() as usize;
        }
        let start = (polygon, k);
        let mut at = start;
        while let Some((_, next)) = self.polys.step_around(at, false, |e| self.is_open(e)) {
            if next == start {
                break;
            }
            at = next;
        }
        self.polys.pivots as usize + self.polys.border(at.0).number(at.1) as usize
    }

    /// Makes a corner a root, for the ground that the root before it does not see.
    fn turn_at(&mut self, ground: u32) {
        let Seen { length, root: after, corner: (polygon, k) } = self.seen[ground as usize];
        let edge = self.polys.border(polygon).at(k as usize);
        let before = self.roots[after as usize];
        let straight = towards(before.place.point(), edge.at);
        let place = self.query.on_polygon_grid(PolyId(polygon), edge.at);
        let Some(place) = place.filter(|_| straight != [0; 2]) else {
            return;
        };
        let root = Root { place, after, goal: before.goal, length, is_wide: edge.is_wide() };
        let mut own = None;
        let start = (polygon, k as usize);
        for left in [true, false] {
            // Where the ground takes more than one turn, all of it.
            let (mut at, mut beyond) = (start, edge.is_wide());
            loop {
                let sides = self.turned(at, left, straight, &mut beyond);
                if let Some(sides) = sides.filter(|_| left || !edge.is_wide() || at != start) {
                    let own = *own.get_or_insert_with(|| self.root(root));
                    self.look(own, at.0, None, sides);
                }
                match self.polys.step_around(at, left, |e| self.is_open(e)) {
                    // Once around.
                    Some((_, next)) if next == start => return,
                    Some((_, next)) => at = next,
                    None => break,
                }
            }
        }
    }

    /// The part of a polygon at its corner k that a path turns to, which comes straight on in a
    /// direction and turns to the left or right; all of what is `beyond` the direction.
    fn turned(
        &self,
        (polygon, k): (u32, usize),
        to_left: bool,
        straight: [i32; 2],
        beyond: &mut bool,
    ) -> Option<[[i32; 2]; 2]> {
        let border = self.polys.border(polygon);
        let corner = border.at(k).at;
        let ends = [border.next(k), border.previous(k)];
        let [right, left] = ends.map(|end| towards(corner, border.at(end).at));
        if *beyond {
            return Some([right, left]);
        }
        let (near, far) = if to_left { (right, left) } else { (left, right) };
        let side = |a, b| if to_left { turn(a, b) } else { turn(b, a) };
        let begins = side(near, straight) == 0 && along(near, straight) > 0;
        let within = side(near, straight) > 0 && side(straight, far) > 0;
        *beyond = begins || within;
        beyond.then_some(if to_left { [straight, left] } else { [right, straight] })
    }

    /// The views that matter, by polygon.
    fn field(self) -> Field {
        let mut field = Field {
            starts: Vec::with_capacity(self.last.len() + 1),
            views: Vec::new(),
            roots: self.roots,
            generation: self.polys.pieces.generation,
            units: self.query.mesh().grid().units(),
        };
        let mut own = Vec::new();
        for (polygon, &last) in (0..).zip(&self.last) {
            field.starts.push(field.views.len() as u32);
            let mut at = last;
            while let Some(&(view, before)) = self.views.get(at as usize) {
                own.push(view);
                at = before;
            }
            own.reverse();
            trim::trim(&self.polys.border(polygon), &mut own);
            field.views.extend(own.drain(..).map(|through| through.view));
        }
        field.starts.push(field.views.len() as u32);
        field.views.shrink_to_fit();
        field.roots.shrink_to_fit();
        field
    }
}
