//! Pieces that stand in a level more than once.

use std::collections::BTreeMap;
use std::ops::Range;

use navbake_geom::{Grid, Point3};

use crate::Scene;

/// One of the places that a piece stands at in a scene, by the word of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Pieces have numbers of their own.
    pub piece: u32,
    /// Its triangles in the scene, in the same order at all places.
    pub triangles: Range<u32>,
    /// Their vertices, the same.
    pub vertices: Range<u32>,
}

/// A copy on the grid: the same corners as another place of its piece, the first, but for a shift,
/// quarter turns and mirroring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Number of the first place, among those of all pieces.
    pub of: u32,
    /// From the first place to this one.
    pub pose: Pose,
    /// Numbers of its triangles in the scene.
    pub seats: Range<u32>,
}

/// Takes whole numbers to whole numbers: a shift, x and z exchanged or not, their signs, another
/// shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pose {
    from: Point3,
    exchanged: bool,
    signs: [i32; 2],
    to: Point3,
}

impl Pose {
    /// A point of the first place, at this one.
    fn outwards(&self, p: Point3) -> Point3 {
        let (x, z) = (p.x - self.from.x, p.z - self.from.z);
        let (x, z) = if self.exchanged { (z, x) } else { (x, z) };
        let [sx, sz] = self.signs;
        Point3 {
            x: x * sx + self.to.x,
            y: p.y - self.from.y + self.to.y,
            z: z * sz + self.to.z,
        }
    }

    /// Where a point of this place (x and z) is at the first one.
    pub fn inwards(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [sx, sz] = self.signs.map(f64::from);
        let (x, z) = (
            (x - f64::from(self.to.x)) * sx,
            (z - f64::from(self.to.z)) * sz,
        );
        let (x, z) = if self.exchanged { (z, x) } else { (x, z) };
        [x + f64::from(self.from.x), z + f64::from(self.from.z)]
    }
}

/// Which triangles of a level belong to pieces that stand there more than once. They decide nothing
/// about a navmesh: what is known of one place is only used where it holds for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Places of pieces that are the same on the grid as at least one other, ascending by their
    /// triangles; the level has all of those.
    pub all: Vec<Copy>,
    /// For each triangle of the level its number in the scene, its seat; empty where there are no
    /// copies.
    pub seats: Vec<u32>,
    /// Pieces that the scene says it has more than once, and how often all together.
    pub placed: [u32; 2],
}

/// A piece may lie in so many ways that are not the same on the grid; what comes later is no copy.
const MOST_WAYS: usize = 16;

impl Copies {
    /// The copies of a scene on a grid. `has_all` says whether the level has all of some triangles.
    pub(crate) fn new(
        scene: &Scene,
        grid: &Grid,
        has_all: impl Fn(Range<usize>) -> bool,
    ) -> Copies {
        // By piece: the first place of each way that it lies in, and its corners.
        let mut ways: BTreeMap<u32, Vec<Way>> = BTreeMap::new();
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let mut all: Vec<Copy> = vec![];
        for placed in &scene.placed {
            *counts.entry(placed.piece).or_default() += 1;
            let range = |r: &Range<u32>| r.start as usize..r.end as usize;
            let vertices = scene
                .vertices
                .get(range(&placed.vertices))
                .unwrap_or_default();
            let corners: Option<Vec<Point3>> =
                vertices.iter().map(|&v| grid.snap_point(v)).collect();
            let Some(corners) = corners.filter(|c| !c.is_empty()) else {
                continue;
            };
            if !has_all(range(&placed.triangles)) {
                continue;
            }
            let known = ways.entry(placed.piece).or_default();
            let same = |way: &Way| {
                let pose = pose(&way.corners, &corners)?;
                same_triangles(scene, way.placed, placed).then_some((way.of, pose))
            };
            let (of, pose) = match known.iter().find_map(same) {
                Some(found) => found,
                None if known.len() < MOST_WAYS => {
                    let of = all.len() as u32;
                    let pose = Pose {
                        from: corners[0],
                        exchanged: false,
                        signs: [1; 2],
                        to: corners[0],
                    };
                    known.push(Way {
                        of,
                        placed,
                        corners,
                    });
                    (of, pose)
                }
                None => continue,
            };
            let seats = placed.triangles.clone();
            all.push(Copy { of, pose, seats });
        }
        Copies {
            all: not_alone(all),
            seats: vec![],
            placed: [counts.len() as u32, counts.values().sum()],
        }
    }

    /// The copy that a triangle of the level belongs to, and the triangle's number there.
    pub fn at(&self, triangle: usize) -> Option<(&Copy, u32)> {
        let seat = *self.seats.get(triangle)?;
        let after = self.all.partition_point(|copy| copy.seats.start <= seat);
        let copy = self.all[..after].last()?;
        copy.seats
            .contains(&seat)
            .then(|| (copy, seat - copy.seats.start))
    }
}

/// The first place of a piece that lies in a way.
struct Way<'a> {
    of: u32,
    placed: &'a Placed,
    corners: Vec<Point3>,
}

/// Have two places the same triangles over their vertices, whichever side is up?
fn same_triangles(scene: &Scene, first: &Placed, other: &Placed) -> bool {
    let all = |placed: &Placed| {
        let (range, from) = (placed.triangles.clone(), placed.vertices.start);
        let count = placed.vertices.len() as u32;
        range.map(move |t| {
            let mut corners = scene
                .triangles
                .get(t as usize)?
                .map(|v| v.wrapping_sub(from));
            corners.sort_unstable();
            (corners[2] < count).then_some(corners)
        })
    };
    first.triangles.len() == other.triangles.len()
        && all(first)
            .zip(all(other))
            .all(|(a, b)| a.is_some() && a == b)
}

/// Those of some places that are not the only one of their kind.
fn not_alone(all: Vec<Copy>) -> Vec<Copy> {
    let mut counts = vec![0_u32; all.len()];
    for copy in &all {
        counts[copy.of as usize] += 1;
    }
    // The new number of each place.
    let mut next = 0;
    let mut number = |copy: &Copy| {
        let own = next;
        next += u32::from(counts[copy.of as usize] > 1);
        own
    };
    let numbers: Vec<u32> = all.iter().map(&mut number).collect();
    let mut kept = all;
    kept.retain(|copy| counts[copy.of as usize] > 1);
    for copy in &mut kept {
        copy.of = numbers[copy.of as usize];
    }
    kept
}

/// The pose that takes some corners to others, one by one, if there is one.
fn pose(first: &[Point3], other: &[Point3]) -> Option<Pose> {
    let signs = [[1, 1], [-1, -1], [-1, 1], [1, -1]];
    let maps = [false, true]
        .into_iter()
        .flat_map(|e| signs.map(|s| (e, s)));
    let mut poses = maps.map(|(exchanged, signs)| Pose {
        from: first[0],
        exchanged,
        signs,
        to: other[0],
    });
    let leads = |pose: &Pose| {
        first
            .iter()
            .zip(other)
            .all(|(&a, &b)| pose.outwards(a) == b)
    };
    poses.find(|pose| first.len() == other.len() && leads(pose))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_known_again_in_all_eight_poses_and_in_no_other() {
        let first = [[3, 4, 5], [103, 9, 14], [43, 5, 90], [3, 77, 6]];
        let points = |corners: [[i32; 3]; 4]| corners.map(|[x, y, z]| Point3::new(x, y, z));
        for exchanged in [false, true] {
            for signs in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
                let other = points(first).map(|p| {
                    let (x, z) = if exchanged { (p.z, p.x) } else { (p.x, p.z) };
                    Point3::new(x * signs[0] - 9000, p.y + 17, z * signs[1] + 123_456)
                });
                let pose = pose(&points(first), &other).unwrap();
                for (a, b) in points(first).into_iter().zip(other) {
                    assert_eq!(pose.outwards(a), b);
                    let back = pose.inwards([b.x, b.z].map(f64::from));
                    assert_eq!(back, [a.x, a.z].map(f64::from));
                }
            }
        }
        let mut other = points(first);
        other[3].y += 1;
        assert_eq!(pose(&points(first), &other), None);
    }
}
