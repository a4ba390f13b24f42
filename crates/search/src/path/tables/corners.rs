//! The walls at the corners that paths turn at, and on which side of a corner a path goes around it.

#[cfg(feature = "alloc")]
use super::super::Chart;
#[cfg(feature = "alloc")]
use super::super::optimal::towards;
use super::super::optimal::turn;

/// Where a corner is, and the two walls there: the first one with the ground on its left, the last one, seen from the corner. Between
/// them, clockwise from the first to the last, is the wedge that paths turn around. Twice zero where there is no such wedge: where the ground
/// takes more than one turn, and at the end of a wall without thickness.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))] // one line of a cache, not two
pub(super) struct Corner {
    pub(super) at: [i32; 2],
    /// How high it is, in the first of the polygons that have it.
    pub(super) up: i32,
    /// Which hub it is; 0 without labels.
    pub(super) rank: u32,
    pub(super) walls: [[i32; 2]; 2],
}

impl Corner {
    /// Is there a wedge, so that a direction tells where a straight way leads?
    #[inline]
    pub(super) fn is_wedge(&self) -> bool {
        self.walls != [[0; 2]; 2]
    }

    /// The side on which a straight way in this direction goes around the corner: 0 where the wedge is on its right, 1 where it is on its
    /// left. `None` where it runs into the wedge or comes out of it: no shortest path that turns at the corner does. Where there is no wedge it
    /// is always 0.
    #[inline]
    pub(super) fn side(&self, direction: [i32; 2]) -> Option<u8> {
        let [first, last] = self.walls;
        let (a, b) = (turn(first, direction), turn(direction, last));
        // Along the first wall up to where the last one would go on straight; or from where the first one would up to the last one.
        match (a >= 0 && b <= 0, a <= 0 && b >= 0) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

/// The corners of a chart.
#[cfg(feature = "alloc")]
pub(super) fn of_chart(chart: &Chart<'_>) -> alloc::vec::Vec<Corner> {
    let mut corners = alloc::vec![Corner::default(); chart.corners as usize];
    for polygon in (0..chart.polygon_count()).rev() {
        let border = chart.border(polygon);
        for (k, edge) in border.iter().enumerate() {
            let next = border.get(k + 1).unwrap_or(&border[0]);
            if let Some(corner) = edge.corner().and_then(|c| corners.get_mut(c as usize)) {
                corner.at = edge.at;
                corner.up = chart.up(polygon, k).unwrap_or(0);
            }
            if edge.beyond != super::super::optimal::NONE {
                continue;
            }
            for (i, end, other) in [(0, edge, next), (1, next, edge)] {
                if let Some(corner) = end.corner().and_then(|c| corners.get_mut(c as usize))
                    && !end.is_wide()
                {
                    corner.walls[i] = towards(end.at, other.at);
                }
            }
        }
    }
    for corner in &mut corners {
        let [first, last] = corner.walls;
        if turn(first, last) == 0 {
            corner.walls = [[0; 2]; 2];
        }
    }
    corners
}
