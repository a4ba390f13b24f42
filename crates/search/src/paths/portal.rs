//! A portal of a corridor, with the heights on both of its sides.

use navbake_format::{NavMesh, fan};
use navbake_navmesh::NONE;

use super::nodes::Step;
use navbake_navmesh::math::{distance, float};

/// The height of a bend for costs.
///
/// That of the nearer of the portals before and behind it.
pub(super) fn nearer_height(portals: [Option<Portal>; 2], bend: [f64; 2]) -> Option<f64> {
    let foot = |portal: Portal| (portal.foot(bend), portal.heights());
    let feet = portals.into_iter().flatten().map(foot);
    let ((t, _), ends) = feet.min_by(|(a, _), (b, _)| a.1.total_cmp(&b.1))?;
    Some(between(ends, t))
}

/// The value at a share between two values.
pub(super) fn between(ends: [f64; 2], t: f64) -> f64 {
    ends[0] + t * (ends[1] - ends[0])
}

/// The nearest point on a segment to a place, and the distance to it.
///
/// The point is a share from the first end to the second one.
pub(super) fn foot([a, b]: [[f64; 2]; 2], p: [f64; 2]) -> (f64, f64) {
    let e = [b[0] - a[0], b[1] - a[1]];
    let along = (p[0] - a[0]) * e[0] + (p[1] - a[1]) * e[1];
    let square = e[0] * e[0] + e[1] * e[1];
    let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    (t, distance(p, [a[0] + t * e[0], a[1] + t * e[1]]))
}

/// The crossing of the segment `a b` with a portal.
///
/// Returns the share from the portal's right end to its left one, and the place. `from` is the
/// point of the segment that the path has reached.
pub(super) fn crossing(
    [right, left]: [[f64; 2]; 2],
    [a, b]: [[i32; 2]; 2],
    from: [f64; 2],
) -> (f64, [f64; 2]) {
    let (fa, fb) = (float(a), float(b));
    let d = [fb[0] - fa[0], fb[1] - fa[1]];
    let side = |p: [f64; 2]| (d[1] * (p[0] - fa[0]) - d[0] * (p[1] - fa[1])).abs();
    let (r, l) = (side(right), side(left));
    let e = [left[0] - right[0], left[1] - right[1]];
    let t = if r + l > 0.0 {
        r / (r + l)
    } else {
        // The segment runs along the portal. The crossing is as early as possible.
        let along = (from[0] - right[0]) * e[0] + (from[1] - right[1]) * e[1];
        (along / (e[0] * e[0] + e[1] * e[1])).clamp(0.0, 1.0)
    };
    (t, [right[0] + t * e[0], right[1] + t * e[1]])
}

/// A portal, from its right end to its left one.
///
/// Right and left are as seen by the agent that crosses it.
#[derive(Clone, Copy)]
pub struct Portal {
    /// The ends on the side before it.
    pub(super) here: [[i32; 3]; 2],
    /// The same places on the side behind it.
    pub(super) there: [[i32; 3]; 2],
    /// The height triangles on both sides.
    ///
    /// All bits are set where corners define the height.
    pub(super) details: [u32; 2],
}

impl Portal {
    /// Left and right end in the ground plane.
    pub(super) fn ends(mesh: &NavMesh<'_>, step: Step) -> [[i32; 2]; 2] {
        let ends = mesh.polys().ends(step.polygon, step.edge);
        ends.unwrap_or_default()
    }

    /// The portal at an edge of a polygon.
    ///
    /// At a wall both sides are the same.
    pub fn of(mesh: &NavMesh<'_>, step: Step) -> Portal {
        let polys = mesh.polys();
        let (border, k) = (polys.border(step.polygon), step.edge as usize);
        let detail = |p: u32| polys.polygons.get(p as usize).map_or(NONE, |own| own.detail);
        let Some(edge) = border.get(k) else {
            return Portal { here: [[0; 3]; 2], there: [[0; 3]; 2], details: [NONE; 2] };
        };
        let here = [edge.point(), border.after(k).point()];
        let (there, twin) = (polys.border(edge.neighbour), edge.twin as usize);
        match there.get(twin) {
            Some(end) if edge.neighbour != NONE => Portal {
                here,
                there: [there.after(twin).point(), end.point()],
                details: [step.polygon, edge.neighbour].map(detail),
            },
            _ => Portal { here, there: here, details: [detail(step.polygon); 2] },
        }
    }

    /// The crossing of the segment `a b` with it: see [`crossing`].
    pub fn crossing(&self, a: [i32; 2], b: [i32; 2], from: [f64; 2]) -> (f64, [f64; 2]) {
        let [right, left] = self.here.map(|p| float([p[0], p[2]]));
        crossing([right, left], [a, b], from)
    }

    /// Height of the ground at a place on it: midway between both sides of a step.
    pub(super) fn height(&self, mesh: &NavMesh<'_>, p: [f64; 2]) -> f64 {
        let height = |detail: u32, [right, left]: [[i32; 3]; 2]| match detail {
            u32::MAX if right[1] == left[1] => f64::from(right[1]),
            u32::MAX => fan::height_on_segment(right, left, p),
            detail => mesh.polys().details.height(detail, p),
        };
        let here = height(self.details[0], self.here);
        // One detail mesh has one height there, and so have the same corners.
        let there = if self.details[0] == self.details[1]
            && (self.details[0] != u32::MAX || self.here == self.there)
        {
            here
        } else {
            height(self.details[1], self.there)
        };
        (here + there) / 2.0
    }

    /// The nearest point on it to a place, and the distance to it.
    ///
    /// The point is a share from the right end to the left one.
    pub(super) fn foot(&self, p: [f64; 2]) -> (f64, f64) {
        foot(self.here.map(|p| float([p[0], p[2]])), p)
    }

    /// The heights of its right and left end, midway between both sides of a step.
    ///
    /// Costs of going up and down use these, and the straight line between them.
    pub(super) fn heights(&self) -> [f64; 2] {
        [0, 1].map(|k| (f64::from(self.here[k][1]) + f64::from(self.there[k][1])) / 2.0)
    }

    /// Height of the ground behind it at one of its ends.
    pub(super) fn height_at(&self, end: [i32; 2]) -> f64 {
        let at = self.there.iter().find(|p| [p[0], p[2]] == end);
        f64::from(at.unwrap_or(&self.there[0])[1])
    }
}
