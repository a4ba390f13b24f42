//! Splits the ground of a tile into layers: connected, and free of overlap seen from above.

use crate::params::Params;
use crate::spans::{NO_SPAN, Spans};

/// No sheet.
pub(crate) const NO_SHEET: u32 = u32::MAX;

/// The sheet of each span of the tile proper, [`NO_SHEET`] for what is not walkable or in the margin, and the number of sheets.
pub(crate) fn sheets(spans: &Spans, fits: &[bool], params: &Params) -> (Vec<u32>, u32) {
    let mut sheet_of = vec![NO_SHEET; spans.spans.len()];
    // The sheet that last took a cell.
    let mut taken = vec![NO_SHEET; (spans.side * spans.side) as usize];
    let (mut count, mut queue) = (0, std::collections::VecDeque::new());
    for seed in 0..spans.spans.len() {
        if sheet_of[seed] != NO_SHEET || !fits[seed] || !in_tile(spans, seed, params) {
            continue;
        }
        let sheet = count;
        count += 1;
        sheet_of[seed] = sheet;
        taken[spans.spans[seed].cell as usize] = sheet;
        queue.push_back(seed);
        while let Some(s) = queue.pop_front() {
            for next in spans.spans[s].links {
                if next == NO_SPAN {
                    continue;
                }
                let n = next as usize;
                let cell = spans.spans[n].cell as usize;
                if sheet_of[n] == NO_SHEET
                    && fits[n]
                    && taken[cell] != sheet
                    && in_tile(spans, n, params)
                {
                    sheet_of[n] = sheet;
                    taken[cell] = sheet;
                    queue.push_back(n);
                }
            }
        }
    }
    (sheet_of, count)
}

/// Does the span lie in the tile itself, not in what surrounds it?
pub(crate) fn in_tile(spans: &Spans, span: usize, params: &Params) -> bool {
    let cell = spans.spans[span].cell as i32;
    let (column, row) = (
        cell % spans.side - params.pad,
        cell / spans.side - params.pad,
    );
    (0..params.tile_cells()).contains(&column) && (0..params.tile_cells()).contains(&row)
}
