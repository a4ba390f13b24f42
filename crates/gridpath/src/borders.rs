//! Cells beside ground of another cost. Paths bend there as costs say, not as walls do, so runs end
//! there, and costs say which steps are tried (`worth.rs`); elsewhere, among cells of one cost,
//! tables do (`moves.rs`).

use navbake_format::{CellId, CellShape, GridMapView};

use crate::CellFilter;
use crate::cells::is_set;

impl CellFilter {
    /// Finds the cells beside ground of another cost, in a pass over the map: none over hexagons,
    /// where all steps are tried, or where all ground costs the same.
    pub(crate) fn add_borders(&mut self, map: &GridMapView<'_>) {
        for reverse in [false, true] {
            let bits = self.ends_of_links(map, reverse);
            *(if reverse { &mut self.ends } else { &mut self.starts }) = bits;
        }
        let mut costs = self.costs.iter().filter(|cost| cost.is_finite());
        let is_one = costs.next().is_none_or(|first| costs.all(|cost| cost == first));
        self.has_borders = map.shape() == CellShape::Square && !is_one;
        if !self.has_borders {
            return;
        }
        let turned = self.turned_words * (map.width() as usize + 2);
        for bits in [&mut self.starts, &mut self.ends] {
            bits[0].resize(self.ground.len(), 0);
            bits[1].resize(turned, 0);
        }
        let (width, height) = (map.width() as usize, map.height() as usize);
        for row in 0..height {
            for column in 0..width {
                // Areas alone settle most cells.
                let own = self.areas[row * width + column];
                let columns = column.saturating_sub(1)..(column + 2).min(width);
                let mut rows = row.saturating_sub(1)..(row + 2).min(height);
                let is_alike = rows.all(|row| {
                    let beside =
                        &self.areas[row * width + columns.start..row * width + columns.end];
                    beside.iter().all(|&area| area == own)
                });
                if !is_alike && let Some(cell) = map.id([column as i64, row as i64]) {
                    self.refresh_border(map, cell);
                }
            }
        }
    }

    /// Finds them anew around a cell that was painted.
    pub(crate) fn refresh_borders(&mut self, map: &GridMapView<'_>, cell: CellId) {
        let [column, row] = map.column_row(cell).map(i64::from);
        for z in row - 1..=row + 1 {
            for x in column - 1..=column + 1 {
                if let Some(cell) = map.id([x, z]) {
                    self.refresh_border(map, cell);
                }
            }
        }
    }

    fn refresh_border(&mut self, map: &GridMapView<'_>, cell: CellId) {
        let is_border = self.is_border(map, cell);
        let places = [cell.0 as usize, self.turned_place(map, cell)];
        for reverse in [false, true] {
            let links = if reverse { &self.links_back } else { &self.links };
            let is_end = links.binary_search_by_key(&cell, |link| link.start(reverse)).is_ok();
            let is_stop = is_border || is_end;
            let bits = if reverse { &mut self.ends } else { &mut self.starts };
            for (bits, at) in bits.iter_mut().zip(places) {
                if let Some(word) = bits.get_mut(at / 64) {
                    *word = *word & !(1 << (at % 64)) | u64::from(is_stop) << (at % 64);
                }
            }
        }
    }

    /// Is there ground that costs something else on a cell or beside it?
    fn is_border(&self, map: &GridMapView<'_>, cell: CellId) -> bool {
        let width = map.width() as usize;
        let cost = |cell: CellId| {
            let [column, row] = map.column_row(cell).map(|c| c as usize);
            let area = self.areas.get(row * width + column).copied().unwrap_or(0);
            self.costs.get(usize::from(area)).copied().unwrap_or(f64::INFINITY)
        };
        let (own, [column, row]) = (cost(cell), map.column_row(cell).map(i64::from));
        let around = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| [column + dx, row + dz]));
        let mut plain = around.filter_map(|at| map.id(at)).filter(|&at| is_set(&self.plain, at));
        plain.any(|at| cost(at) != own)
    }
}
