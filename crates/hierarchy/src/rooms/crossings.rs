//! Finds where a line crosses ground, from wall to wall.

use navbake_geom::{Point, along, orient};
use navbake_mesh::{NONE, PolygonMesh};

use super::flat::square;
use super::polygon_index::PolygonIndex;
use super::sample::inwards;
use super::walls::{End, edge_ends};

/// A straight line over ground, with heights.
pub(super) struct Line {
    pub(super) ends: [Point; 2],
    /// Points on it: how far along, as a share of its length, and how high.
    pub(super) heights: Vec<(f64, f64)>,
}

impl Line {
    /// How high it is at a share of its length.
    fn height(&self, t: f64) -> f64 {
        let after = self.heights.partition_point(|h| h.0 < t);
        match (self.heights.get(after.wrapping_sub(1)), self.heights.get(after)) {
            (Some(a), Some(b)) => a.1 + (b.1 - a.1) * ((t - a.0) / (b.0 - a.0)),
            (Some(one), None) | (None, Some(one)) => one.1,
            (None, None) => 0.0,
        }
    }

    /// Where an edge crosses it: the share of its length, and the edge's height there.
    fn crossed_by(&self, mesh: &PolygonMesh, e: u32) -> Option<(f64, f64)> {
        let [from, to] = self.ends;
        let [u, v] = mesh.edge_ends(e)?;
        let [su, sv] = [u, v].map(|p| orient(from, to, p.flat()) as f64);
        let part = if su == sv { 0.0 } else { su / (su - sv) };
        let at = |a: i32, b: i32| f64::from(a) + part * (f64::from(b) - f64::from(a));
        let d = [to.x - from.x, to.z - from.z].map(f64::from);
        let p = [at(u.x, v.x) - f64::from(from.x), at(u.z, v.z) - f64::from(from.z)];
        let long = (square(from, to) as f64).max(1.0);
        Some(((p[0] * d[0] + p[1] * d[1]) / long, at(u.y, v.y)))
    }

    /// The edges of a polygon at which the line comes in and goes out.
    ///
    /// A corner on it counts as on its left.
    fn through(&self, mesh: &PolygonMesh, p: u32) -> Option<[u32; 2]> {
        let [from, to] = self.ends;
        let edges = mesh.edges(p as usize);
        let left = |e: usize| {
            let v = mesh.vertices[mesh.corners[e] as usize].flat();
            orient(from, to, v) >= 0
        };
        let turns = |e: &usize, begins_left: bool| {
            let next = mesh.edge_after(p as usize, *e);
            left(*e) == begins_left && left(next) != begins_left
        };
        let comes_in = edges.clone().find(|e| turns(e, true))?;
        let goes_out = edges.clone().find(|e| turns(e, false))?;
        Some([comes_in as u32, goes_out as u32])
    }

    /// From a polygon on to a wall, along the line (1) or back (0).
    fn wall(&self, mesh: &PolygonMesh, p: u32, way: usize, passed: &mut Vec<u32>) -> Option<u32> {
        let mut at = p;
        for _ in 0..mesh.len() {
            passed.push(at);
            let e = self.through(mesh, at)?[way];
            match mesh.neighbours[e as usize] {
                NONE => return Some(e),
                next => at = next,
            }
        }
        None
    }

    /// The stretches of ground on it, from wall to wall, in the order of polygons.
    ///
    /// Ground farther than `storey` above or below it is none.
    pub(super) fn crossings(
        &self,
        mesh: &PolygonMesh,
        places: &PolygonIndex<'_>,
        storey: f64,
    ) -> Vec<[End; 2]> {
        let mut passed: Vec<u32> = vec![];
        let mut found = vec![];
        for p in places.near(&self.ends) {
            if passed.contains(&p) || !self.is_on(mesh, p, storey) {
                continue;
            }
            let walls = [0, 1].map(|way| self.wall(mesh, p, way, &mut passed));
            let ends = walls.map(|e| self.end(mesh, e?));
            if let [Some(a), Some(b)] = ends
                && a.at != b.at
            {
                found.push([a, b]);
            }
        }
        found
    }

    /// Does the line lead over a polygon between its ends?
    fn is_on(&self, mesh: &PolygonMesh, p: u32, storey: f64) -> bool {
        let through = self.through(mesh, p);
        let crossed = through.map(|edges| edges.map(|e| self.crossed_by(mesh, e)));
        let Some([Some(a), Some(b)]) = crossed else {
            return false;
        };
        let (low, high) = (a.0.max(0.0), b.0.min(1.0));
        let (t, share) = ((low + high) / 2.0, (b.0 - a.0).max(f64::MIN_POSITIVE));
        let height = a.1 + (b.1 - a.1) * ((t - a.0) / share);
        low < high && (height - self.height(t)).abs() < storey
    }

    /// The grid point on a wall where the line crosses it.
    fn end(&self, mesh: &PolygonMesh, wall: u32) -> Option<End> {
        let [from, to] = self.ends;
        let [u, v] = edge_ends(mesh, wall)?;
        let (t, _) = self.crossed_by(mesh, wall)?;
        // The line's own ends where they are at this wall: no rounding moves them.
        let own = self.ends.into_iter().find(|&p| {
            let off = i128::from(orient(u, v, p));
            off >= 0 && off * off <= i128::from(square(u, v)) && is_beside(u, v, p)
        });
        let on = |a: i32, b: i32| (f64::from(a) + t * (f64::from(b) - f64::from(a))).round() as i32;
        let near = Point::new(on(from.x, to.x), on(from.z, to.z));
        let at = own.unwrap_or_else(|| inwards(u, v, near));
        let at = [u, v].into_iter().find(|&c| square(c, at) <= 2).unwrap_or(at);
        Some(End { at, wall })
    }
}

/// Is a place between the ends of an edge, along it?
fn is_beside(u: Point, v: Point, p: Point) -> bool {
    let along = along(u, v, p);
    along >= 0 && along <= square(u, v)
}
