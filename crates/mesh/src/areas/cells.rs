//! Grid maps whose cells are of several areas.

use navbake_geom::{Point, orient};
use navbake_walkable::{Layer, Ring};

use super::{creases::Border, middle};
use crate::patch::patch_cut;
use crate::{Patch, PatchError, PatchSettings};

/// The area of each cell of a grid map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellAreas {
    /// Where columns of cells begin along x, and where the last one ends: one more than columns,
    /// ascending.
    pub columns: Vec<i32>,
    /// The same along z.
    pub rows: Vec<i32>,
    /// Row by row.
    pub areas: Vec<u8>,
}

impl CellAreas {
    fn size(&self) -> [usize; 2] {
        [&self.columns, &self.rows].map(|l| l.len().saturating_sub(1))
    }

    /// The area of a cell; 0 outside of the map.
    fn area(&self, column: usize, row: usize) -> u8 {
        let [width, _] = self.size();
        match column < width {
            true => self.areas.get(row * width + column).copied().unwrap_or(0),
            false => 0,
        }
    }

    /// The area of the cell that holds a place.
    fn at(&self, p: Point) -> u8 {
        let cell = |lines: &[i32], v: i32| lines.partition_point(|&l| l <= v).saturating_sub(1);
        self.area(cell(&self.columns, p.x), cell(&self.rows, p.z))
    }

    /// The cells around the corners of rings: columns, rows.
    fn range(&self, rings: &[Ring]) -> [[usize; 2]; 2] {
        let span = |lines: &[i32], of: fn(&Point) -> i32| {
            let all = || rings.iter().flat_map(|r| &r.points).map(of);
            let from = all().min().unwrap_or(0);
            let to = all().max().unwrap_or(0);
            let begin = lines.partition_point(|&l| l <= from).saturating_sub(1);
            [begin, lines.partition_point(|&l| l < to)]
        };
        let [width, height] = self.size();
        let [[c0, c1], [r0, r1]] = [span(&self.columns, |p| p.x), span(&self.rows, |p| p.z)];
        [[c0, c1.min(width)], [r0, r1.min(height)]]
    }

    /// Sides between cells of different areas within rings, in runs that end where others meet
    /// them.
    fn creases(&self, rings: &[Ring]) -> Vec<[Point; 2]> {
        let border = Border::new(rings);
        let [[c0, c1], [r0, r1]] = self.range(rings);
        let wide = c1.saturating_sub(c0);
        let centre =
            |lines: &[i32], k: usize| (f64::from(lines[k]) + f64::from(lines[k + 1])) / 2.0;
        let mut inside = vec![false; wide * r1.saturating_sub(r0)];
        for r in r0..r1 {
            for c in c0..c1 {
                let middle = [centre(&self.columns, c), centre(&self.rows, r)];
                inside[(r - r0) * wide + c - c0] = border.holds(middle);
            }
        }
        let is_inside = |c: usize, r: usize| {
            (c0..c1).contains(&c) && (r0..r1).contains(&r) && inside[(r - r0) * wide + c - c0]
        };
        let parts = |a: [usize; 2], b: [usize; 2]| {
            let [own, other] = [a, b].map(|[c, r]| is_inside(c, r).then(|| self.area(c, r)));
            own.zip(other).is_some_and(|(own, other)| own != other)
        };
        // The sides left of and above a cell.
        let left = |c: usize, r: usize| c > 0 && parts([c - 1, r], [c, r]);
        let above = |c: usize, r: usize| r > 0 && parts([c, r - 1], [c, r]);
        let mut runs = vec![];
        for c in c0..c1 {
            let mut begun: Option<usize> = None;
            for r in r0..=r1 {
                let met = above(c, r) || (c > 0 && above(c - 1, r));
                let goes_on = r < r1 && left(c, r);
                if let Some(begin) = begun.filter(|_| met || !goes_on) {
                    runs.push([begin, r].map(|r| Point::new(self.columns[c], self.rows[r])));
                    begun = None;
                }
                if goes_on {
                    begun.get_or_insert(r);
                }
            }
        }
        for r in r0..r1 {
            let mut begun: Option<usize> = None;
            for c in c0..=c1 {
                let met = left(c, r) || (r > 0 && left(c, r - 1));
                let goes_on = c < c1 && above(c, r);
                if let Some(begin) = begun.filter(|_| met || !goes_on) {
                    runs.push([begin, c].map(|c| Point::new(self.columns[c], self.rows[r])));
                    begun = None;
                }
                if goes_on {
                    begun.get_or_insert(c);
                }
            }
        }
        runs
    }
}

/// Polygons for a layer of a grid map as [`crate::patch()`] makes them, each of one area.
///
/// # Errors
/// As [`crate::patch()`].
pub fn patch_by_cells(
    layer: &Layer,
    settings: &PatchSettings,
    cells: &CellAreas,
) -> Result<Patch, PatchError> {
    let (mut made, _) = patch_cut(layer, settings, |rings, _| {
        let creases = cells
            .creases(rings)
            .into_iter()
            .map(|[a, b]| Ring { points: vec![a, b], open: vec![true; 2] });
        Some(rings.iter().cloned().chain(creases).collect())
    })?;
    let mesh = &made.mesh;
    let area = |p: usize| {
        let flat = |v: u32| mesh.vertices[v as usize].flat();
        let corners: Vec<Point> = mesh.polygon(p).iter().map(|&v| flat(v)).collect();
        let fan = corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]);
        let widest = fan.max_by_key(|&[a, b, c]| orient(a, b, c));
        widest.map_or(0, |t| cells.at(middle(t)))
    };
    let areas = (0..mesh.len()).map(area).collect();
    made.mesh.set_areas(areas);
    Ok(made)
}
