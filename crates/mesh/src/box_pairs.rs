//! Finds pairs of boxes that touch, seen from above.
//!
//! This is the search behind T-junctions, overlaps and gaps of a designer's floor. The plane is cut
//! into strips along x; in each strip boxes are sorted by their least x and swept. A pair that
//! shares several strips is reported in the first. Near linear time where few boxes touch; the
//! search gives up where too many do.

use navbake_geom::Point3;

/// A closed rectangle seen from above, with its heights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) least: Point3,
    pub(crate) greatest: Point3,
}

impl Bounds {
    /// The bounds of some points, `margin` wider to all sides seen from above and `rise` higher and
    /// lower.
    pub(crate) fn of(points: &[Point3], margin: i32, rise: i32) -> Bounds {
        let (mut least, mut greatest) = (points[0], points[0]);
        for p in points {
            least = Point3::new(least.x.min(p.x), least.y.min(p.y), least.z.min(p.z));
            greatest = Point3::new(greatest.x.max(p.x), greatest.y.max(p.y), greatest.z.max(p.z));
        }
        Bounds {
            least: Point3::new(least.x - margin, least.y - rise, least.z - margin),
            greatest: Point3::new(greatest.x + margin, greatest.y + rise, greatest.z + margin),
        }
    }

    fn touches(&self, other: &Bounds) -> bool {
        self.least.x <= other.greatest.x
            && other.least.x <= self.greatest.x
            && self.least.z <= other.greatest.z
            && other.least.z <= self.greatest.z
            && self.least.y <= other.greatest.y
            && other.least.y <= self.greatest.y
    }
}

/// Pairs looked at for each box, on average, before the search gives up.
const EFFORT: usize = 256;
/// The same for few boxes.
const LEAST_EFFORT: usize = 1 << 22;

/// Calls `pair(i, j)` once for each pair `i < j` of boxes that touch, in an order that depends on
/// the boxes alone: strips along x, swept in x. Gives `false` when the search gave up because there
/// were too many.
pub(crate) fn touching_pairs(boxes: &[Bounds], mut pair: impl FnMut(usize, usize)) -> bool {
    let Some((low, high)) =
        boxes.iter().map(|b| (b.least.z, b.greatest.z)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    else {
        return true;
    };
    let reach = (i64::from(high) - i64::from(low) + 1).max(1);
    // As many strips as keep the boxes' entries few.
    let mut strips = (boxes.len() as f64).sqrt().ceil().max(1.0) as i64;
    let strip = |z: i32, strips: i64| (i64::from(z) - i64::from(low)) * strips / reach;
    let rows = |b: &Bounds, strips| strip(b.least.z, strips)..=strip(b.greatest.z, strips);
    let entries = |strips| -> usize {
        boxes.iter().map(|b| (rows(b, strips).end() - rows(b, strips).start() + 1) as usize).sum()
    };
    while strips > 1 && entries(strips) > 4 * boxes.len() {
        strips /= 2;
    }
    let mut members: Vec<(u32, i32, u32)> = Vec::with_capacity(entries(strips));
    for (i, b) in boxes.iter().enumerate() {
        members.extend(rows(b, strips).map(|row| (row as u32, b.least.x, i as u32)));
    }
    members.sort_unstable();
    let mut effort = LEAST_EFFORT.max(EFFORT * boxes.len());
    let mut active: Vec<u32> = vec![];
    for row in members.chunk_by(|a, b| a.0 == b.0) {
        active.clear();
        for &(number, x, i) in row {
            active.retain(|&j| boxes[j as usize].greatest.x >= x);
            if active.len() > effort {
                return false;
            }
            effort -= active.len();
            let own = &boxes[i as usize];
            for &j in &active {
                let other = &boxes[j as usize];
                // In the first strip that both are in.
                let first = strip(own.least.z.max(other.least.z), strips);
                if first == i64::from(number) && own.touches(other) {
                    pair(i.min(j) as usize, i.max(j) as usize);
                }
            }
            active.push(i);
        }
    }
    true
}
