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

/// An index of boxes by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    boxes: Vec<Box2>,
    /// Pairs of a row and a box in it, sorted within each column of each level.
    entries: Vec<(i32, u32)>,
    levels: Vec<Level>,
}

/// The columns of a level, from the first that has boxes to the last.
#[derive(Clone, Debug)]
struct Level {
    number: u8,
    first: i32,
    /// Where the entries of each column begin, and where the last ends.
    starts: Vec<u32>,
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
        let mut cells_of = Vec::with_capacity(2 * boxes.len());
        for (b, number) in boxes.iter().zip(0u32..) {
            let wide = (b[2] - b[0]).max(b[3] - b[1]);
            let mut level = 0;
            while side(level) < wide && level < 12 {
                level += 1;
            }
            let [columns, rows] = cells(level, b);
            for column in columns {
                for row in rows.clone() {
                    cells_of.push(((level, column, row), number));
                }
            }
        }
        cells_of.sort_unstable();
        let mut levels: Vec<Level> = vec![];
        for (&((number, column, _), _), at) in cells_of.iter().zip(0u32..) {
            if levels.last().is_none_or(|last| last.number != number) {
                levels.push(Level { number, first: column, starts: vec![] });
            }
            if let Some(level) = levels.last_mut() {
                // Columns without entries begin where the next one does.
                level.starts.resize((column - level.first) as usize + 1, at);
            }
        }
        let ends = levels.iter().skip(1).map(|l| l.starts[0]).chain([cells_of.len() as u32]);
        let ends: Vec<u32> = ends.collect();
        for (level, end) in levels.iter_mut().zip(ends) {
            level.starts.push(end);
        }
        let entries = cells_of.into_iter().map(|((_, _, row), number)| (row, number)).collect();
        Bins { boxes, entries, levels }
    }

    /// The numbers of the boxes that meet `wanted`, ascending.
    pub(crate) fn near(&self, wanted: &Box2, out: &mut Vec<u32>) {
        out.clear();
        for level in &self.levels {
            let [columns, rows] = cells(level.number, wanted);
            let last = level.first.saturating_add(level.starts.len() as i32 - 2);
            for column in (*columns.start()).max(level.first)..=(*columns.end()).min(last) {
                let at = (column - level.first) as usize;
                let [start, end] = [at, at + 1].map(|k| level.starts[k] as usize);
                let own = &self.entries[start..end];
                let from = own.partition_point(|e| e.0 < *rows.start());
                let found = own[from..].iter().take_while(|e| e.0 <= *rows.end());
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
