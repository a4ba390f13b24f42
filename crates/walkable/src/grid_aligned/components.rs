//! Splits the ground of a tile into layers: connected, and free of overlap seen from above.

use super::spans::{NO_SPAN, Spans};
use crate::params::Params;

/// No component.
pub(crate) const NO_COMPONENT: u32 = u32::MAX;

/// The component of each span and the number of components. It is [`NO_COMPONENT`] for spans that
/// are not walkable or not in the tile proper.
pub(crate) fn components(spans: &Spans, fits: &[bool], params: &Params) -> (Vec<u32>, u32) {
    let mut component_of = vec![NO_COMPONENT; spans.spans.len()];
    // The component that last took a cell.
    let mut taken = vec![NO_COMPONENT; (spans.side * spans.side) as usize];
    let (mut count, mut queue) = (0, std::collections::VecDeque::new());
    for seed in 0..spans.spans.len() {
        if component_of[seed] != NO_COMPONENT || !fits[seed] || !in_tile(spans, seed, params) {
            continue;
        }
        let component = count;
        count += 1;
        component_of[seed] = component;
        taken[spans.spans[seed].cell as usize] = component;
        queue.push_back(seed);
        while let Some(s) = queue.pop_front() {
            for next in spans.spans[s].links {
                if next == NO_SPAN {
                    continue;
                }
                let n = next as usize;
                let cell = spans.spans[n].cell as usize;
                if component_of[n] == NO_COMPONENT
                    && fits[n]
                    && taken[cell] != component
                    && in_tile(spans, n, params)
                {
                    component_of[n] = component;
                    taken[cell] = component;
                    queue.push_back(n);
                }
            }
        }
    }
    (component_of, count)
}

/// Is the span in the tile itself, not in the margin around it?
pub(crate) fn in_tile(spans: &Spans, span: usize, params: &Params) -> bool {
    let cell = spans.spans[span].cell as i32;
    let (column, row) = (cell % spans.side - params.pad, cell / spans.side - params.pad);
    (0..params.tile_cells()).contains(&column) && (0..params.tile_cells()).contains(&row)
}
