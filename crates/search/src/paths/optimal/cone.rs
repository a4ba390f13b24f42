//! Cones of sight, their roots, and lower bounds on paths through them.

use navbake_format::exact::cross;

use super::super::landmarks::Part;
use navbake_navmesh::math::{distance, float, grid_distance, length};

/// Relative tolerance for equally long paths to a corner.
/// Only rounding distinguishes paths whose lengths differ by less than this factor.
pub(super) const SAME: f64 = 1.0 + 1e-13;

/// A cone of sight into a polygon, through one of its portals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cone {
    /// The polygon that the cone looks into.
    pub(super) polygon: u32,
    /// The polygon's edge that the cone looks through.
    /// [`HERE`] for none, or a link with the bit [`LINK`]. With a link, the cone's root is the
    /// link's end.
    pub(super) edge: u32,
    /// The cone before; a start is its own parent.
    pub(super) parent: u32,
    /// The number of its root.
    pub(super) root: u32,
    /// Directions of the right and the left ray from the root.
    /// Both are zero where the cone looks through no portal: the goal is in the polygon, or a link
    /// begins there.
    pub(super) rays: [[i32; 2]; 2],
}

/// In [`Cone::edge`]: no edge; the cone before is in the same polygon.
pub(super) const HERE: u32 = u32::MAX;

/// In [`Cone::edge`]: the other bits are the number of a link.
pub(super) const LINK: u32 = 1 << 31;

impl Cone {
    /// No cone of any search.
    pub(super) const NONE: Cone =
        Cone { polygon: 0, edge: 0, parent: 0, root: 0, rays: [[0; 2]; 2] };

    /// Is the goal in its polygon? For cones on the open list.
    #[inline]
    pub(super) fn is_end(&self) -> bool {
        self.rays == [[0; 2]; 2] && self.link().is_none()
    }

    /// The link that it takes.
    #[inline]
    pub(super) fn link(&self) -> Option<u32> {
        (self.edge & LINK != 0 && self.edge != HERE).then_some(self.edge & !LINK)
    }
}

/// The origin of cones: the start, or a corner where the path turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Root {
    pub(super) point: [i32; 2],
    /// The number of the corner's pivot; all bits set for the start.
    pub(super) pivot: u32,
    /// The root before it. Searches for all goals mark here that two paths are equally short.
    pub(super) before: u32,
    /// Length of the path up to it, grid units.
    pub(super) g: f64,
}

/// The vector from `a` to `b`.
/// Within the grid's limits no difference has more than 27 bits.
#[inline]
pub fn towards(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [b[0].wrapping_sub(a[0]), b[1].wrapping_sub(a[1])]
}

/// The opposite direction.
#[inline]
pub fn reversed(d: [i32; 2]) -> [i32; 2] {
    d.map(i32::wrapping_neg)
}

/// Positive when `v` is to the left of `u`; exact.
#[inline]
pub fn turn(u: [i32; 2], v: [i32; 2]) -> i64 {
    cross(u.map(i64::from), v.map(i64::from))
}

/// Positive when `u` and `v` point into the same half plane; exact.
#[inline]
pub fn along(u: [i32; 2], v: [i32; 2]) -> i64 {
    navbake_format::exact::dot(u.map(i64::from), v.map(i64::from))
}

/// [`turn`] for floats; exact for whole numbers of 26 bits.
#[inline]
fn float_turn(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[1] * v[0] - u[0] * v[1]
}

/// The least length from a root through part of a portal to the goal.
/// The part is that between two rays; the portal runs from `right` to `left`. A goal on this side
/// of the portal is replaced by its mirror image. All places are relative to the root.
#[inline]
pub(in super::super) fn least_length(
    rays: [[i32; 2]; 2],
    portal: [[i32; 2]; 2],
    goal: [i32; 2],
) -> f64 {
    let [right, left] = portal.map(float);
    let e = [left[0] - right[0], left[1] - right[1]];
    let mut t = float(goal);
    // Twice the areas over the portal. Both are exact. The root's is never negative; the goal's is
    // positive where it is on the same side.
    let here = float_turn(e, [-right[0], -right[1]]);
    let there = float_turn(e, [t[0] - right[0], t[1] - right[1]]);
    if there > 0.0 {
        let scale = 2.0 * there / (e[0] * e[0] + e[1] * e[1]);
        t = [t[0] - e[1] * scale, t[1] + e[0] * scale];
    }
    let [r, l] = rays.map(float);
    let ray = if float_turn(r, t) < 0.0 {
        r
    } else if float_turn(t, l) < 0.0 {
        l
    } else {
        return length(t[0], t[1]);
    };
    // Where this ray meets the portal; the root itself where the ray runs along it.
    let down = float_turn(ray, e);
    let k = if down == 0.0 { 0.0 } else { here / down };
    let at = [ray[0] * k, ray[1] * k];
    length(at[0], at[1]) + distance(at, t)
}

/// The part of a portal between two rays.
/// The portal runs from `right` to `left`. Where a ray does not meet its line, the part extends to
/// that end. All places are relative to the root.
pub(super) fn seen_part(rays: [[i32; 2]; 2], portal: [[i32; 2]; 2]) -> Part {
    let [right, left] = portal.map(float);
    let e = [left[0] - right[0], left[1] - right[1]];
    let long = length(e[0], e[1]);
    let per = 1.0 / long;
    let meets = |ray: [i32; 2], end: f64| {
        let ray = float(ray);
        let down = float_turn(ray, e);
        match down > 0.0 {
            true => (-float_turn(ray, right) / down).clamp(0.0, 1.0),
            false => end,
        }
    };
    Part {
        long,
        shares: [meets(rays[0], 0.0), meets(rays[1], 1.0)],
        foot: -(right[0] * e[0] + right[1] * e[1]) * per,
        off: float_turn(e, [-right[0], -right[1]]) * per,
    }
}

/// Length from a root through a portal to a goal in the polygon beyond.
/// `None` when the goal is hidden and there is no corner to turn at. All places are relative to the
/// root.
pub(super) fn end_length(
    rays: [[i32; 2]; 2],
    portal: [[i32; 2]; 2],
    goal: [i32; 2],
) -> Option<f64> {
    let [right, left] = rays;
    let (end, ray) = if turn(right, goal) < 0 {
        (portal[0], right)
    } else if turn(goal, left) < 0 {
        (portal[1], left)
    } else {
        return Some(grid_distance([0; 2], goal));
    };
    (turn(ray, end) == 0).then(|| grid_distance([0; 2], end) + grid_distance(end, goal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_within_the_cone_is_as_far_as_the_crow_flies() {
        // Left of -z, seen from above with z downwards, is +x of +z: the portal runs from right to
        // left.
        let (rays, portal) = ([[-4, 4], [4, 4]], [[-4, 4], [4, 4]]);
        let (rays, portal) = if turn(rays[0], rays[1]) > 0 {
            (rays, portal)
        } else {
            ([rays[1], rays[0]], [portal[1], portal[0]])
        };
        assert_eq!(least_length(rays, portal, [3, 12]), 153f64.sqrt());
        // A goal on this side is mirrored.
        assert_eq!(least_length(rays, portal, [3, -4]), 153f64.sqrt());
        // The path to a goal beside the cone goes around the portal's end.
        let around = 32f64.sqrt() + 10.0;
        assert!((least_length(rays, portal, [14, 4]) - around).abs() < 1e-12);
    }
}
