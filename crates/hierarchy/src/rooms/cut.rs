//! Cuts polygons along doors.
//!
//! A door is a segment between two walls. Where it crosses a portal both sides get a corner at the
//! grid point nearest to the crossing, and every polygon between is cut in two: a chain of portals
//! that leaves the straight line by less than a grid unit. The ends are on the walls or, where no
//! grid point is, within the ground beside them, so that ground is never added.

use std::collections::BTreeMap;

use navbake_geom::{Point, Point3, along, convex_corner, orient};
use navbake_mesh::{NONE, PolygonMesh};

use super::flat::square;
use super::walls::End;

/// A corner of a piece and the edge that begins there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: Point3,
    /// The piece beyond, or [`NONE`].
    beyond: u32,
    /// The edge of the navmesh that it is a part of, or [`NONE`].
    edge: u32,
    /// The door that it is a part of, or [`NONE`].
    door: u32,
}

/// A polygon or what was cut off it. The first pieces are the polygons.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) source: u32,
    pub(super) corners: Vec<Corner>,
}

/// A navmesh that is being cut.
pub(super) struct Cutter<'a> {
    pub(super) mesh: &'a PolygonMesh,
    pub(super) pieces: Vec<Piece>,
    /// Polygons that are more than one piece by now, and the others of these.
    more: BTreeMap<u32, Vec<u32>>,
}

/// The cut navmesh and the door of each of its edges.
pub(super) struct Cut {
    pub(super) mesh: PolygonMesh,
    pub(super) door_of: Vec<u32>,
    /// The polygon that each was cut from.
    pub(super) source: Vec<u32>,
}

/// A corner of a piece by its number.
pub(super) type Place = (u32, usize);

impl<'a> Cutter<'a> {
    pub(super) fn new(mesh: &'a PolygonMesh) -> Cutter<'a> {
        let piece = |p: usize| Piece {
            source: p as u32,
            corners: (mesh.edges(p))
                .map(|e| Corner {
                    at: mesh.vertices[mesh.corners[e] as usize],
                    beyond: mesh.neighbours[e],
                    edge: e as u32,
                    door: NONE,
                })
                .collect(),
        };
        Cutter { mesh, pieces: (0..mesh.len()).map(piece).collect(), more: BTreeMap::new() }
    }

    /// The same with edges that are parts of doors.
    pub(super) fn with_doors(mesh: &'a PolygonMesh, door_of: &[u32]) -> Cutter<'a> {
        let mut cutter = Cutter::new(mesh);
        let corners = cutter.pieces.iter_mut().flat_map(|p| &mut p.corners);
        corners.zip(door_of).for_each(|(c, &door)| c.door = door);
        cutter
    }

    /// How many pieces there are.
    pub(super) fn count(&self) -> u32 {
        self.pieces.len() as u32
    }

    /// The corners of a piece seen from above.
    pub(super) fn corners_of(&self, p: u32) -> impl Iterator<Item = Point> {
        self.pieces[p as usize].corners.iter().map(|c| c.at.flat())
    }

    pub(super) fn is_wall(&self, (p, k): Place) -> bool {
        self.pieces[p as usize].corners[k].beyond == NONE
    }

    /// Cuts from one wall to the other.
    ///
    /// Gives up at an obstacle and returns false; polygons cut before stay cut.
    fn cut(&mut self, ends: [End; 2], door: u32) -> bool {
        let [from, to] = ends;
        // The second corner may move the first one.
        let place = self.corner_at(from);
        let place = place.and_then(|_| self.corner_at(to));
        let Some(mut place) = place.and_then(|_| self.corner_at(from)) else {
            return false;
        };
        let v = to.at;
        for _ in 0..MOST_CROSSED {
            let Some(entered) = self.enter(place, v) else {
                return false;
            };
            place = entered;
            if self.is_bent(place.0) {
                let u = self.flat(place);
                self.unfold(place.0);
                let pieces = self.pieces_of(self.pieces[place.0 as usize].source);
                let corner = |p: u32| Some((p, self.find(p, u)?));
                let candidates: Vec<Place> = pieces.into_iter().filter_map(corner).collect();
                let Some(&found) = candidates.iter().find(|&&c| self.is_towards(c, v)) else {
                    return false;
                };
                place = found;
            }
            match self.step(place, v, door) {
                Step::Arrived => return true,
                Step::On(next) => place = next,
                Step::Blocked => return false,
            }
        }
        false
    }

    /// Cuts at the first of several places where that can be done.
    pub(super) fn cut_first(
        &mut self,
        places: impl IntoIterator<Item = [End; 2]>,
        door: u32,
    ) -> bool {
        places.into_iter().any(|ends| {
            let made = self.cut(ends, door);
            if !made {
                self.unmark(door);
            }
            made
        })
    }

    /// Takes back what a cut that failed said of its edges.
    fn unmark(&mut self, door: u32) {
        let corners = self.pieces.iter_mut().flat_map(|p| &mut p.corners);
        for corner in corners.filter(|c| c.door == door) {
            corner.door = NONE;
        }
    }

    /// The pieces as a navmesh, those that are not convex cut further.
    pub(super) fn finish(mut self) -> Cut {
        let mut p = 0;
        while p < self.pieces.len() {
            self.mend(p as u32);
            p += 1;
        }
        let mut vertices: Vec<Point3> =
            (self.pieces.iter()).flat_map(|p| p.corners.iter().map(|c| c.at)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut mesh = PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() };
        let mut door_of = vec![];
        for piece in &self.pieces {
            for corner in &piece.corners {
                mesh.corners.push(vertices.partition_point(|v| *v < corner.at) as u32);
                mesh.neighbours.push(corner.beyond);
                door_of.push(corner.door);
            }
            mesh.first_edge.push(mesh.corners.len() as u32);
        }
        mesh.vertices = vertices;
        let sources: Vec<u32> = self.pieces.iter().map(|p| p.source).collect();
        if !self.mesh.height_mesh_of.is_empty() {
            let of = sources.iter().map(|&s| self.mesh.height_mesh_of[s as usize]);
            mesh.set_height_meshes(&of.collect::<Vec<u32>>(), &self.mesh.height_meshes);
        }
        mesh.set_areas(sources.iter().map(|&s| self.mesh.area(s as usize)).collect());
        Cut { mesh, door_of, source: sources }
    }

    pub(super) fn flat(&self, (p, i): Place) -> Point {
        let corners = &self.pieces[p as usize].corners;
        corners[i % corners.len()].at.flat()
    }

    pub(super) fn len(&self, p: u32) -> usize {
        self.pieces[p as usize].corners.len()
    }

    /// The corner of a piece at a place.
    pub(super) fn find(&self, p: u32, at: Point) -> Option<usize> {
        let corners = &self.pieces[p as usize].corners;
        corners.iter().position(|c| c.at.flat() == at)
    }

    pub(super) fn pieces_of(&self, source: u32) -> Vec<u32> {
        let more = self.more.get(&source).map_or(&[][..], |m| m);
        std::iter::once(source).chain(more.iter().copied()).collect()
    }

    /// The corner at an end of a door, put there if need be.
    fn corner_at(&mut self, end: End) -> Option<Place> {
        let e = end.wall;
        let p = self.mesh.first_edge.partition_point(|&f| f <= e).checked_sub(1)?;
        let mut within = None;
        for q in self.pieces_of(p as u32) {
            for k in 0..self.len(q) {
                let corner = self.pieces[q as usize].corners[k];
                if corner.edge != e || corner.beyond != NONE {
                    continue;
                }
                let (a, b) = (self.flat((q, k)), self.flat((q, k + 1)));
                if a == end.at {
                    return Some((q, k));
                }
                if b == end.at {
                    return Some((q, (k + 1) % self.len(q)));
                }
                let along = along(a, b, end.at);
                if along > 0 && along < square(a, b) {
                    within = Some((q, k));
                }
            }
        }
        let (q, k) = within?;
        self.insert((q, k), end.at);
        Some((q, k + 1))
    }

    /// Puts a corner on an edge, on this side only.
    pub(super) fn insert(&mut self, (p, k): Place, at: Point) {
        let corners = &mut self.pieces[p as usize].corners;
        let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
        let (from, to) = (a.at.flat(), b.at.flat());
        let (part, whole) = (i128::from(along(from, to, at)), i128::from(square(from, to)).max(1));
        let rise = i128::from(b.at.y) - i128::from(a.at.y);
        let up = (2 * rise * part + whole).div_euclid(2 * whole) as i32;
        let y = (a.at.y + up).clamp(a.at.y.min(b.at.y), a.at.y.max(b.at.y));
        corners.insert(k + 1, Corner { at: at.at(y), ..a });
    }

    /// The same edge as the piece beyond has it.
    pub(super) fn twin(&self, (p, k): Place) -> Option<Place> {
        let q = self.pieces[p as usize].corners[k].beyond;
        if q == NONE {
            return None;
        }
        let (a, b) = (self.flat((p, k)), self.flat((p, k + 1)));
        let is_it = |&j: &usize| {
            self.pieces[q as usize].corners[j].beyond == p
                && self.flat((q, j)) == b
                && self.flat((q, j + 1)) == a
        };
        (0..self.len(q)).find(is_it).map(|j| (q, j))
    }

    /// Does the segment from a corner to a place begin in this piece?
    fn is_towards(&self, (p, i): Place, v: Point) -> bool {
        let n = self.len(p);
        let [w, u, o] = [i + n - 1, i, i + 1].map(|k| self.flat((p, k)));
        let (right, left) = (orient(u, o, v) >= 0, orient(w, u, v) >= 0);
        if orient(w, u, o) < 0 {
            right || left
        } else if orient(w, u, o) == 0 {
            right
        } else {
            right && left
        }
    }

    /// The piece around a corner that the segment to a place enters.
    fn enter(&self, start: Place, v: Point) -> Option<Place> {
        if self.is_towards(start, v) {
            return Some(start);
        }
        // Counter-clockwise over the edge that ends in the corner, then clockwise over the one that
        // begins there.
        for back in [true, false] {
            let mut place = start;
            for _ in 0..MOST_CROSSED {
                let (p, i) = place;
                let k = if back { (i + self.len(p) - 1) % self.len(p) } else { i };
                let Some((q, j)) = self.twin((p, k)) else {
                    break;
                };
                place = (q, if back { j } else { (j + 1) % self.len(q) });
                if place == start {
                    break;
                }
                if self.is_towards(place, v) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// Cuts one piece, from its corner towards a place.
    fn step(&mut self, (p, i): Place, v: Point, door: u32) -> Step {
        let u = self.flat((p, i));
        let n = self.len(p);
        // Corners straight ahead, the goal among them.
        let ahead = |&k: &usize| {
            let c = self.flat((p, k));
            k != i
                && (c == v
                    || orient(u, v, c) == 0 && along(u, v, c) > 0 && along(u, v, c) < square(u, v))
        };
        let nearest = (0..n).filter(ahead).min_by_key(|&k| square(u, self.flat((p, k))));
        if let Some(j) = nearest {
            let at = self.flat((p, j));
            let along = if j == (i + 1) % n {
                Some(i)
            } else if i == (j + 1) % n {
                Some(j)
            } else {
                None
            };
            match along {
                Some(k) if self.mark((p, k), door) => {}
                Some(_) => return Step::Blocked,
                None if !self.split(p, i, j, door) => return Step::Blocked,
                None => {}
            }
            if at == v {
                return Step::Arrived;
            }
            return match self.find(p, at) {
                Some(j) => Step::On((p, j)),
                None => Step::Blocked,
            };
        }
        let side = |k: usize| orient(u, v, self.flat((p, k)));
        let is_exit = |&k: &usize| k != i && (k + 1) % n != i && side(k) < 0 && side(k + 1) > 0;
        let Some(k) = (0..n).find(is_exit) else {
            return Step::Blocked;
        };
        let Some((q, j)) = self.twin((p, k)) else {
            return Step::Blocked;
        };
        let Some(x) = self.crossing((p, k), (q, j), u, v) else {
            return Step::Blocked;
        };
        self.insert((p, k), x);
        self.insert((q, j), x);
        let i = if i > k { i + 1 } else { i };
        if !self.split(p, i, k + 1, door) {
            return Step::Blocked;
        }
        Step::On((q, j + 1))
    }

    /// The grid point near the crossing of an edge at which both of its sides stay convex.
    fn crossing(&self, (p, k): Place, (q, j): Place, u: Point, v: Point) -> Option<Point> {
        let (a, b) = (self.flat((p, k)), self.flat((p, k + 1)));
        let (sa, sb) = (i128::from(orient(u, v, a)), i128::from(orient(u, v, b)));
        let whole = sb - sa;
        let part = |from: i32, to: i32| {
            let d = i128::from(to) - i128::from(from);
            from + (2 * d * -sa + whole).div_euclid(2 * whole) as i32
        };
        let near = Point::new(part(a.x, b.x), part(a.z, b.z));
        let mut around: Vec<Point> = (-1..=1)
            .flat_map(|x| (-1..=1).map(move |z| Point::new(near.x + x, near.z + z)))
            .collect();
        // The nearest first; then those that leave the edge least.
        around.sort_by_key(|&x| (square(near, x), orient(a, b, x).abs(), x));
        let before = |(p, k): Place| self.flat((p, k + self.len(p) - 1));
        let after = |(p, k): Place| self.flat((p, k + 2));
        around.into_iter().find(|&x| {
            // The goal, too, may be that near to the edge.
            self.find(p, x).is_none()
                && self.find(q, x).is_none()
                && along(a, b, x) > 0
                && along(a, b, x) < square(a, b)
                && orient(u, a, x) > 0
                && orient(u, x, b) > 0
                && convex_corner(before((p, k)), a, x)
                && convex_corner(x, b, after((p, k)))
                && convex_corner(before((q, j)), b, x)
                && convex_corner(x, a, after((q, j)))
        })
    }

    /// Makes an edge a part of a door; walls are none.
    fn mark(&mut self, (p, k): Place, door: u32) -> bool {
        let Some((q, j)) = self.twin((p, k)) else {
            return false;
        };
        self.pieces[p as usize].corners[k].door = door;
        self.pieces[q as usize].corners[j].door = door;
        true
    }

    /// Cuts a piece between two of its corners, if both parts have an area.
    ///
    /// The part with its first corner stays.
    pub(super) fn split(&mut self, p: u32, i: usize, j: usize, door: u32) -> bool {
        let (i, j) = (i.min(j), i.max(j));
        let n = self.len(p);
        let corners = &self.pieces[p as usize].corners;
        let off: Vec<Corner> = corners[i..=j].to_vec();
        let rest: Vec<Corner> = corners[..=i].iter().chain(&corners[j..]).copied().collect();
        if j - i < 2 || n - (j - i) < 2 || area(&off) <= 0 || area(&rest) <= 0 {
            return false;
        }
        let new = self.pieces.len() as u32;
        let twins: Vec<Option<Place>> = (i..j).map(|k| self.twin((p, k))).collect();
        for (q, k) in twins.into_iter().flatten() {
            self.pieces[q as usize].corners[k].beyond = new;
        }
        let (mut off, mut rest) = (off, rest);
        let cut = |corner: &mut Corner, beyond: u32| {
            *corner = Corner { beyond, edge: NONE, door, ..*corner };
        };
        cut(&mut off[j - i], p);
        cut(&mut rest[i], new);
        let source = self.pieces[p as usize].source;
        self.pieces[p as usize].corners = rest;
        self.pieces.push(Piece { source, corners: off });
        self.more.entry(source).or_default().push(new);
        true
    }
}

/// Where the cut of a piece leads.
enum Step {
    Arrived,
    On(Place),
    Blocked,
}

/// A bound for walks that end by themselves.
const MOST_CROSSED: usize = 100_000;

/// Twice the area of a ring.
fn area(ring: &[Corner]) -> i128 {
    let flat = |k: usize| ring[k].at.flat();
    (1..ring.len().saturating_sub(1))
        .map(|k| i128::from(orient(flat(0), flat(k), flat(k + 1))))
        .sum()
}
