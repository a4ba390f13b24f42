//! Obstacles on a grid map: which cells they take.

use alloc::vec::Vec;

use navbake_format::{CellId, CellShape, GridMapView};
use navbake_navmesh::{Obstacle, Outline};
use navbake_search::Error;

use crate::CellFilter;
use crate::cells::is_set;

/// Overlaps of an obstacle and a cell of no more than this are contact, in sides of a cell.
const CONTACT: f64 = 1e-6;

impl CellFilter {
    /// Puts an obstacle on the map, moves it, or with `None` takes it away, and gives the number of
    /// cells that are closed or free from now on. Searches that were begun before begin anew.
    ///
    /// The caller numbers obstacles. One with the number of a unit does not block that unit:
    /// [`GridRequest::unit`](crate::GridRequest::unit).
    ///
    /// An obstacle takes the cells that it reaches into, by more than a millionth of a cell, where
    /// it is at the height of the map's ground or less than the height of the agent above. So paths
    /// of points keep off it, and wider units keep off its cells as off blocked ones. A wall
    /// without width along the side of cells takes those at the greater x or z. An obstacle beyond
    /// the map takes nothing, and a number without an obstacle has none to take away.
    ///
    /// Answers are those of a map with these cells blocked, except that a unit may leave a cell
    /// that an obstacle takes. Once all obstacles are gone, they are what they were without.
    ///
    /// Takes time by the cells in the box around the obstacle, before and after, and for each cell
    /// that changes by the square of the number of cells that a unit covers. The first obstacle
    /// takes four bytes a cell; later changes allocate nothing once memory has grown.
    ///
    /// # Errors
    /// [`Error::OtherGround`] for a map of another size than that of the filter.
    ///
    /// ```
    /// # fn run(
    /// #     nav: navbake_search::NavMesh<'_>,
    /// #     file: navbake_format::CheckedBlob<'_>,
    /// # ) -> Result<(), Box<dyn std::error::Error>> {
    /// use navbake_gridpath::{CellFilter, GridQuery, Obstacle};
    /// use navbake_search::QueryFilter;
    ///
    /// let map = file.grid_map().expect("baked from a grid map");
    /// let mut filter = CellFilter::new(&map, &nav, &QueryFilter::new());
    /// let barrel = Obstacle::cylinder([3.0, 2.0], 0.5, [0.0, 1.0])?;
    /// filter.set_obstacle(&map, 7, Some(&barrel))?;
    /// filter.set_obstacle(&map, 7, Some(&barrel.moved([0.2, 0.0, 0.0])?))?;
    /// let query = GridQuery::new(map).with_filter(&filter);
    /// # let _ = query;
    /// filter.set_obstacle(&map, 7, None)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_obstacle(
        &mut self,
        map: &GridMapView<'_>,
        number: u32,
        obstacle: Option<&Obstacle>,
    ) -> Result<usize, Error> {
        let words = (map.id_count() as usize).div_ceil(64);
        if words != self.ground.len()
            || self.areas.len() != map.width() as usize * map.height() as usize
        {
            return Err(Error::OtherGround);
        }
        let ([radius, height], ground) = (self.agent, &self.ground);
        let list = obstacle.map(|obstacle| {
            move |cells: &mut Vec<u32>| {
                let [low, high] = obstacle.heights();
                if (low - height..=high).contains(&map.corner()[1]) {
                    let outline = obstacle.outline(radius, CONTACT * map.cell());
                    each_taken(map, &outline, |cell| {
                        if is_set(ground, cell) {
                            cells.push(cell.0);
                        }
                    });
                }
            }
        });
        self.taken.set(number, map.id_count() as usize, list);
        for k in 0..self.taken.changed().len() {
            self.refresh_around(map, CellId(self.taken.changed()[k]));
        }
        Ok(self.taken.changed().len())
    }
}

/// Calls `f` with each cell that an outline takes.
fn each_taken(map: &GridMapView<'_>, outline: &Outline, mut f: impl FnMut(CellId)) {
    let shape = map.shape();
    let [corner_x, _, corner_z] = map.corner();
    let extent = shape.extent(map.width(), map.height());
    let ends = outline.bounds().map(|[x, z]| {
        let [x, z] = map.column_row_at([x, 0.0, z]);
        shape.cell_at([x.clamp(-1.0, extent[0] + 1.0), z.clamp(-1.0, extent[1] + 1.0)])
    });
    let [Some(first), Some(last)] = ends else {
        return;
    };
    // Hexagons of a row reach into the next one.
    let more = i64::from(shape == CellShape::Hexagon);
    for row in first[1] - more..=last[1] + more {
        for column in first[0] - more..=last[0] + more {
            let Some(cell) = map.id([column, row]) else {
                continue;
            };
            let corners: [[f64; 2]; 6] = core::array::from_fn(|k| {
                let [x, z] = shape.corner([column, row], k);
                [corner_x + x * map.cell(), corner_z + z * map.cell()]
            });
            if outline.takes(&corners[..shape.sides()]) {
                f(cell);
            }
        }
    }
}
