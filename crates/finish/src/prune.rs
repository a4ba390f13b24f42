//! Points on a straight line are taken out.

use navbake_format::exact::{cross, direction, dot};

use crate::line::{Line, is_same_ground, walk_straight};

/// Distance from the line, in grid units, by which rounding may move a point of it.
const WIDTH: i128 = 1;

/// The most points taken out in a row, so that the time is linear in the length of a run.
const RUN: usize = 64;

impl Line<'_, '_> {
    /// Takes out points that are, up to a step of the grid, on the line between those that stay.
    ///
    /// The line has to be walkable and to lead to the same ground. In place, in one pass.
    pub(crate) fn prune(&mut self) {
        let query = self.query;
        let mut kept = 1; // points[..kept] stay
        let mut next = 1;
        while next < self.used {
            let from = self.points[kept - 1];
            let mut end = next;
            // Reach for farther points while all between are on the line.
            while end + 1 < self.used && end - next < RUN {
                let to = self.points[end + 1];
                let between = &self.points[next..=end];
                if !between.iter().all(|p| on_line(from.point(), to.point(), p.point())) {
                    break;
                }
                let walked = walk_straight(&query, &from, to.point());
                let same = |end| is_same_ground(&query, end, &to);
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

/// Is `p` between `a` and `b`, no farther from the line than [`WIDTH`]? Exact.
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
