//! Ground along borders beyond which a height mesh does not count.

use navbake_geom::{Point, Point3, Whole};

use super::find::{Misfit, Places, Use};
use super::ledges::Ledge;
use super::{Fit, Met};
use crate::cell_heights::Middle;
use crate::snapped::{holds, snap_nearest, snap_within};
use crate::{NONE, PolygonMesh};

/// Where a step meets the border of a polygon, places along it are no farther apart than this many
/// steps of the height mesh.
const NARROW: i32 = 8;

impl Fit<'_> {
    /// Ground along those edges of a polygon beyond which the height mesh does not count: its
    /// triangles may reach in from there, where nothing else holds them.
    pub(super) fn look_along_border(&mut self, mesh: &PolygonMesh, own: &Misfit, of: &[u32]) {
        let (flat, ground) = (&own.flat, self.ground);
        let mut border = Border {
            places: Places {
                ground,
                middle: Middle::new(flat),
                expected: own.expected,
                place_numbers: &mut self.place_numbers,
                found: &mut self.found,
            },
            own,
            shift: self.shift,
            limit: self.limit,
            samples: &mut self.samples,
            ledges: &mut self.ledges,
        };
        let pitch = 4.0 * f64::from(ground.pitch().max(64));
        let ring = mesh.polygon(own.number);
        let edges = mesh.neighbours[mesh.edges(own.number)].iter();
        for (k, &beyond) in edges.enumerate() {
            if of.get(beyond as usize).is_none_or(|&r| r == NONE) {
                let corner = |k: usize| mesh.vertices[ring[k % ring.len()] as usize];
                border.side([corner(k), corner(k + 1)], pitch);
            }
        }
    }
}

/// What is found out along the border of a polygon.
struct Border<'f> {
    own: &'f Misfit,
    shift: u32,
    limit: f64,
    places: Places<'f>,
    samples: &'f mut Vec<Met>,
    ledges: &'f mut Vec<Ledge>,
}

impl Border<'_> {
    /// Ground along a side, at places no farther apart than `pitch`; where it steps up or down no
    /// farther apart than [`NARROW`].
    fn side(&mut self, [a, b]: [Point3; 2], pitch: f64) {
        let [dx, dz] = [b.x - a.x, b.z - a.z].map(f64::from);
        let on = |t: f64| Point::new(a.x + (t * dx).to_nearest(), a.z + (t * dz).to_nearest());
        let long = (dx * dx + dz * dz).sqrt();
        let pieces = (long / pitch).ceil().max(1.0);
        let mut last: Option<(f64, (Point, i32))> = None;
        let mut ahead = vec![];
        for i in 0..=pieces as i32 {
            let t = f64::from(i) / pieces;
            let corner = [a, b].into_iter().find(|c| c.flat() == on(t));
            ahead.push((t, self.place(on(t), corner)));
            while let Some(&(t, to)) = ahead.last() {
                if let Some((before, from)) = last {
                    let middle = f64::midpoint(before, t);
                    if (t - before) * long > f64::from(NARROW << self.shift)
                        && let Some(split) = self.by_step(on(middle), [from.1, to.1])
                    {
                        ahead.push((middle, split));
                        continue;
                    }
                    self.ledges.push(Ledge {
                        ends: [from.0, to.0],
                        heights: [from.1, to.1],
                        wrong: 0.0,
                        inwards: self.places.middle.from(on(t)),
                        expected: self.own.expected,
                    });
                }
                last = Some((t, to));
                ahead.pop();
            }
        }
    }

    /// A place to meet by one on the border, which may be a corner, and the ground's height.
    fn place(&mut self, p: Point, corner: Option<Point3>) -> (Point, i32) {
        let (flat, places) = (&self.own.flat, &mut self.places);
        let within = snap_within(p, self.shift, flat);
        let beside = snap_nearest(p, self.shift);
        if within.is_none() || corner.is_some() && !holds(flat, beside) {
            // Nothing else holds triangles that reach into a sharp corner, which may hold no whole
            // step itself.
            let height = match corner {
                Some(corner) => corner.y,
                None => places.ground.height_near(p, places.middle.from(p), places.expected),
            };
            let (is_likely, taken_from) = (false, NONE);
            self.samples.push(Met { place: beside, height, is_likely, taken_from });
            if within.is_none() {
                return (beside, height);
            }
        }
        let place = within.unwrap_or(beside);
        let at = places.meet(place);
        let found = &mut places.found[at];
        found.use_of = found.use_of.max(Use::Unlikely);
        (place, found.height)
    }

    /// The place and height in the middle of two with these heights, if there is one step between
    /// them, rather than a slope or stairs: the middle is as high as one of them.
    fn by_step(&self, middle: Point, [from, to]: [i32; 2]) -> Option<(Point, i32)> {
        let rise = f64::from(from.abs_diff(to));
        let off = |y: i32| f64::from(y.abs_diff(from).min(y.abs_diff(to)));
        let Places { ground, expected, .. } = self.places;
        let inwards = self.places.middle.from(middle);
        // The exact height takes far longer.
        if rise <= self.limit || off(ground.rough(middle, inwards)) > rise / 4.0 {
            return None;
        }
        let y = ground.height_near(middle, inwards, expected);
        let place = || {
            snap_within(middle, self.shift, &self.own.flat)
                .unwrap_or_else(|| snap_nearest(middle, self.shift))
        };
        (off(y) < rise / 8.0).then(|| (place(), y))
    }
}
