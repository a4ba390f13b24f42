//! Points that lie on a line are taken out.

use navbake_format::exact::{cross, direction, dot};

use super::{Line, walk_on};
use crate::ray::same_ground;

/// As far from the line, in grid units, as rounding puts a point of it.
const WIDTH: i128 = 1;

/// At most so many points in a row are taken out, so that long straight runs cost no more than their length.
const RUN: usize = 64;

impl Line<'_, '_> {
    /// Takes out points that lie, up to a step of the grid, on the straight line between the points that stay, where that line can be
    /// walked and leads to the same ground. In place, in one go from the start.
    pub(super) fn prune(&mut self) {
        let query = self.query;
        let mut kept = 1; // points[..kept] stay
        let mut next = 1;
        while next < self.used {
            let from = self.points[kept - 1];
            let mut end = next;
            // Reach for farther points as long as all between lie on the line.
            while end + 1 < self.used && end - next < RUN {
                let to = self.points[end + 1];
                let between = &self.points[next..=end];
                if !between
                    .iter()
                    .all(|p| on_line(from.point(), to.point(), p.point()))
                {
                    break;
                }
                let walked = walk_on(&query, from.polygon(), from.point(), to.point());
                let same = |id| same_ground(&query, id, to.polygon(), to.point(), |_, _| {});
                if !walked.is_some_and(same) {
                    break;
                }
                end += 1;
            }
            self.points[kept] = self.points[end];
            kept += 1;
            next = end + 1;
        }
        self.used = self.used.min(kept);
    }
}

/// Does `p` lie between `a` and `b`, no farther from the line than [`WIDTH`]? Exact.
fn on_line(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> bool {
    let (d, e) = (direction(a, b), direction(a, p));
    let (off, along) = (i128::from(cross(d, e)), dot(d, e));
    let square = dot(d, d);
    if square == 0 {
        return e == [0, 0];
    }
    (0..=square).contains(&along) && off * off <= WIDTH * WIDTH * i128::from(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_the_grid_beside_the_line_counts_as_on_it_and_two_do_not() {
        assert!(on_line([0, 0], [100, 0], [50, 1]));
        assert!(!on_line([0, 0], [100, 0], [50, 2]));
        assert!(on_line([0, 0], [100, 100], [50, 51]));
        assert!(!on_line([0, 0], [100, 100], [50, 52]));
    }

    #[test]
    fn points_before_the_start_and_beyond_the_end_are_not_on_the_line() {
        assert!(!on_line([0, 0], [100, 0], [-1, 0]));
        assert!(!on_line([0, 0], [100, 0], [101, 0]));
        assert!(on_line([0, 0], [100, 0], [100, 0]));
        assert!(on_line([7, 7], [7, 7], [7, 7]));
        assert!(!on_line([7, 7], [7, 7], [7, 8]));
    }
}
