//! An index of boxes by place: nested grids over the ground plane.
//!
//! Each level of the index has cells four times as wide as the level before. A box is stored at the
//! first level whose cells are at least as wide as the box (at most level 12), so that even large
//! boxes are in few cells.

/// Least x, least z, greatest x, greatest z.
pub(crate) type Box2 = [f64; 4];

/// Side of the smallest cells, in grid units.
const LEAST: f64 = 512.0;
/// Ratio of the cell widths of two successive levels.
const STEP: f64 = 4.0;

/// A cell of a level: level, column, row.
type Cell = (u8, i32, i32);

/// An index of boxes by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    boxes: Vec<Box2>,
    /// Pairs of a cell and a box in it, sorted.
    entries: Vec<(Cell, u32)>,
    /// One more than the highest level that has boxes.
    levels: u8,
}

/// Do two boxes meet?
pub(crate) fn meet(a: &Box2, b: &Box2) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

fn side(level: u8) -> f64 {
    (0..level).fold(LEAST, |side, _| side * STEP)
}

fn cells(level: u8, b: &Box2) -> [std::ops::RangeInclusive<i32>; 2] {
    let side = side(level);
    // The cast saturates for absurdly distant coordinates; no geometry is there.
    let at = |v: f64| (v / side).floor() as i32;
    [at(b[0])..=at(b[2]), at(b[1])..=at(b[3])]
}

impl Bins {
    pub(crate) fn new(boxes: Vec<Box2>) -> Bins {
        let mut entries = Vec::with_capacity(2 * boxes.len());
        let mut levels = 0;
        for (b, number) in boxes.iter().zip(0u32..) {
            let wide = (b[2] - b[0]).max(b[3] - b[1]);
            let mut level = 0;
            while side(level) < wide && level < 12 {
                level += 1;
            }
            levels = levels.max(level + 1);
            let [columns, rows] = cells(level, b);
            for column in columns {
                for row in rows.clone() {
                    entries.push(((level, column, row), number));
                }
            }
        }
        entries.sort_unstable();
        Bins { boxes, entries, levels }
    }

    /// The numbers of the boxes that meet `wanted`, ascending.
    pub(crate) fn near(&self, wanted: &Box2, out: &mut Vec<u32>) {
        out.clear();
        for level in 0..self.levels {
            let [columns, rows] = cells(level, wanted);
            for column in columns {
                let first = (level, column, *rows.start());
                let last = (level, column, *rows.end());
                let from = self.entries.partition_point(|e| e.0 < first);
                let found = self.entries[from..].iter().take_while(|e| e.0 <= last);
                out.extend(found.map(|e| e.1).filter(|&n| meet(&self.boxes[n as usize], wanted)));
            }
        }
        out.sort_unstable();
        out.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_every_size_are_found_where_they_are_and_nowhere_else() {
        let mut boxes = vec![];
        for k in 0..400 {
            let k = f64::from(k);
            let wide = 1.5f64.powf(k / 20.0);
            let (x, z) = ((k * 37.0) % 5000.0 - 2500.0, (k * 91.0) % 7000.0 - 3500.0);
            boxes.push([x, z, x + wide, z + wide / 2.0]);
        }
        let bins = Bins::new(boxes.clone());
        let mut found = vec![];
        for k in 0..200 {
            let k = f64::from(k);
            let (x, z) = ((k * 53.0) % 6000.0 - 3000.0, (k * 29.0) % 8000.0 - 4000.0);
            let wanted = [x, z, x + k, z + 3.0 * k];
            bins.near(&wanted, &mut found);
            let all = boxes.iter().zip(0u32..);
            let right: Vec<u32> = all.filter(|(b, _)| meet(b, &wanted)).map(|(_, n)| n).collect();
            assert_eq!(found, right);
        }
    }
}
