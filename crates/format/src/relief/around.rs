//! The points of the buckets around a place, read once: what a query looks at again and again.

use super::{Best, Circle, Node, Relief};

/// More points than this are not kept. Buckets are made to hold about eight.
const MOST: usize = 64;

/// Points around a place.
pub(super) struct Around {
    /// `x`, `z`, `y`, and how far each is from the place, squared: below 2^31, as `x` and `z` are below 2^14 + 2^13.
    points: [[i32; 4]; MOST],
    count: usize,
    /// How many rings of buckets around that of the place these are of. With `None` there are too many in its own.
    rings: Option<i64>,
}

impl Around {
    /// Those around a place in steps, which lies in a bucket.
    #[inline]
    pub(super) fn new(relief: &Relief<'_>, home: [i64; 2], near: [i64; 2]) -> Around {
        let [columns, rows] = relief.head.buckets();
        let mut around = Around {
            points: [[0; 4]; MOST],
            count: 0,
            rings: Some(1),
        };
        let column = (home[0] - 1).max(0)..=(home[0] + 1).min(columns - 1);
        for row in (home[1] - 1).max(0)..=(home[1] + 1).min(rows - 1) {
            for column in column.clone() {
                if !around.add(relief, [column, row], near) {
                    return Around::at(relief, home, near);
                }
            }
        }
        around
    }

    /// Those of one bucket.
    #[cold]
    fn at(relief: &Relief<'_>, home: [i64; 2], near: [i64; 2]) -> Around {
        let mut around = Around {
            points: [[0; 4]; MOST],
            count: 0,
            rings: Some(0),
        };
        if !around.add(relief, home, near) {
            (around.count, around.rings) = (0, None);
        }
        around
    }

    /// Reads a bucket; false when its points do not fit.
    #[inline]
    fn add(&mut self, relief: &Relief<'_>, bucket: [i64; 2], near: [i64; 2]) -> bool {
        let origin = bucket.map(|c| c << relief.head.shifts[1]);
        let range = relief.bucket(relief.number(bucket));
        let slots = self.points.get_mut(self.count..self.count + range.len());
        let Some(slots) = slots else {
            return false;
        };
        self.count += range.len();
        for (slot, i) in slots.iter_mut().zip(range) {
            let node = relief.node(origin, relief.code(i));
            let (x, z) = (node.x - near[0], node.z - near[1]);
            *slot = [node.x, node.z, node.y, x * x + z * z].map(|v| v as i32);
        }
        true
    }

    /// How many rings of buckets are in it, with that of the place itself.
    pub(super) fn rings(&self) -> i64 {
        self.rings.map_or(0, |rings| rings + 1)
    }

    /// Looks for the nearest inside a circle.
    #[inline]
    pub(super) fn look(&self, circle: &Circle, best: &mut Best) {
        for &[x, z, y, distance] in &self.points[..self.count] {
            let distance = i64::from(distance);
            if distance < best.distance {
                let [x, z, y] = [x, z, y].map(i64::from);
                best.take(circle, Node { x, z, y }, distance);
            }
        }
    }
}
