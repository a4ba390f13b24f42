//! Corners of a mesh and what they see, for those who make labels.

use alloc::vec::Vec;

use navbake_format::NavMeshView;

use super::super::optimal::{ChartBuffer, reversed};
use super::corners::{Corner, of_chart};
use super::memory::windows;
use super::visible::{Look, Seen, Window};

/// The corners of a mesh that shortest paths turn at, by the numbers that labels know them by.
#[derive(Debug)]
pub struct Corners {
    chart: ChartBuffer,
    corners: Vec<Corner>,
    /// A polygon that each is a corner of.
    polygons: Vec<u32>,
}

/// Memory for looking around from corners. One a thread.
#[derive(Clone, Debug)]
pub struct CornerLook {
    stamps: Vec<u32>,
    stamp: u32,
    windows: Vec<Window>,
    seen: Vec<Seen>,
}

impl Corners {
    /// Finds them.
    pub fn new(mesh: &NavMeshView<'_>) -> Corners {
        let buffer = ChartBuffer::new(mesh);
        let chart = buffer.chart();
        let corners = of_chart(&chart);
        let mut polygons = alloc::vec![0; corners.len()];
        for polygon in (0..chart.polygon_count()).rev() {
            for corner in chart.border(polygon).iter().filter_map(|e| e.corner()) {
                polygons[corner as usize] = polygon;
            }
        }
        Corners {
            corners,
            polygons,
            chart: buffer,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.corners.len()
    }

    /// Where one is, grid units.
    pub fn point(&self, corner: u32) -> [i32; 2] {
        self.corners[corner as usize].at
    }

    /// A polygon that it is a corner of.
    pub fn polygon(&self, corner: u32) -> u32 {
        self.polygons[corner as usize]
    }

    /// The part of a corner's label that ways in a direction from there belong to: 0 or 1, by the side on which they go around it. `None`
    /// where no shortest path that turns there goes.
    pub fn side(&self, corner: u32, direction: [i32; 2]) -> Option<u8> {
        self.corners[corner as usize].side(direction)
    }

    /// Memory for looking around.
    pub fn look(&self) -> CornerLook {
        CornerLook {
            stamps: alloc::vec![0; self.count()],
            stamp: 0,
            windows: alloc::vec![Window::default(); windows(&self.chart.chart())],
            seen: alloc::vec![Seen::default(); self.count()],
        }
    }

    /// Calls `f` with every corner that is seen from one, so that a shortest path may turn at both: the edges of the taut visibility graph. Each
    /// is told once, in an order that depends on the mesh alone. False when there was no room for all of them.
    pub fn neighbours(&self, corner: u32, look: &mut CornerLook, mut f: impl FnMut(u32)) -> bool {
        let own = &self.corners[corner as usize];
        look.stamp += 1;
        let chart = self.chart.chart();
        let count = Look {
            chart: &chart,
            corners: &self.corners,
            stamps: &mut look.stamps,
            stamp: look.stamp,
            windows: &mut look.windows,
            seen: &mut look.seen,
            origin: own.at,
            goal: None,
            count: 0,
            open: 0,
            full: false,
        }
        .run(self.polygons[corner as usize]);
        let Some(count) = count else {
            return false;
        };
        for seen in &look.seen[..count] {
            // Whoever comes from there must be able to turn here.
            if own.side(reversed(seen.direction)).is_some() {
                f(seen.corner);
            }
        }
        true
    }
}
