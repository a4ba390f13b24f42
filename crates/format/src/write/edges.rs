//! Encodes the sections of polygons and edges.

use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::NONE;

use super::stored::Stored;
use crate::Section;
use crate::draft::{Draft, Drafts, numbers};
use crate::edges::Group;
use crate::records::{BEFORE, FAR, GROUP, LARGE, LEAST_CORNERS};

/// Bits and codes of all edges, in order.
#[derive(Default)]
struct Rows {
    portals: Vec<bool>,
    vertices: Vec<u32>,
    neighbours: Vec<u32>,
}

/// Polygons and edges, with codes of one byte when these can name all.
pub(super) fn edges(mesh: &Stored, class: u16, drafts: &mut Drafts<'_>) {
    let (groups, rows, far, wide) = match coded(mesh, false) {
        Some((groups, rows, far)) => (groups, rows, far, false),
        None => {
            let (groups, rows, far) = coded(mesh, true).unwrap_or_default();
            (groups, rows, far, true)
        }
    };
    let greatest = groups.iter().flat_map(|g| g.firsts).max().unwrap_or(0);
    let width = match greatest {
        0..=0xFFFF => 2,
        0x1_0000..=0xFF_FFFF => 3,
        _ => 4,
    };
    let mut records = Vec::with_capacity(groups.len() * (8 + 4 * width));
    for group in &groups {
        records.extend(group.corners.to_le_bytes());
        for first in group.firsts {
            records.extend(&first.to_le_bytes()[..width]);
        }
    }
    let groups = Draft::bytes(Section::POLYGONS, class, 8 + 4 * width, records);
    drafts.push(Draft { required: true, ..groups });
    let code = if wide { 4 } else { 1 };
    let mut bytes = vec![];
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |b, &bit| b << 1 | u8::from(bit));
    bytes.extend(rows.portals.chunks(8).map(byte));
    bytes.resize(bytes.len().next_multiple_of(code), 0);
    for value in rows.vertices.iter().chain(&rows.neighbours) {
        bytes.extend(&value.to_le_bytes()[..code]);
    }
    drafts.push(Draft { required: true, ..Draft::bytes(Section::EDGES, class, code, bytes) });
    numbers(Section::FAR, &far, class, drafts);
}

/// Groups, the rows that encode edges, and `far`. `None` when codes take one byte, and a group has
/// too many values that one byte cannot encode.
fn coded(mesh: &Stored, wide: bool) -> Option<(Vec<Group>, Rows, Vec<u32>)> {
    let polygons = mesh.first_edge.len() - 1;
    let (mut groups, mut rows, mut far) = (vec![], Rows::default(), vec![]);
    for first in (0..polygons).step_by(GROUP) {
        let ends = &mesh.first_edge[first..=polygons.min(first + GROUP)];
        let own = &mesh.edges[ends[0] as usize..ends[ends.len() - 1] as usize];
        let mut used: Vec<u32> = own.iter().map(|e| e.0).collect();
        used.sort_unstable();
        used.dedup();
        let near = if wide { 0 } else { best_window(&used, FAR.into()) };
        let mut group = Group {
            corners: 0,
            firsts: [ends[0], near, rows.neighbours.len() as u32, far.len() as u32],
        };
        let mut others = vec![];
        for (i, w) in ends.windows(2).enumerate() {
            let more = w[1] - w[0] - LEAST_CORNERS.min(w[1] - w[0]);
            if more >= LARGE {
                others.push(w[1] - w[0]);
            }
            group.corners |= u64::from(more.min(LARGE)) << (4 * i);
        }
        for &(vertex, neighbour) in own {
            rows.portals.push(neighbour != NONE);
            let on = i64::from(vertex) - i64::from(near);
            rows.vertices.push(match wide {
                true => vertex,
                false => short(on, vertex, &mut others)?,
            });
            if neighbour == NONE {
                continue;
            }
            let on = i64::from(neighbour) + i64::from(BEFORE) - first as i64;
            rows.neighbours.push(match wide {
                true => neighbour,
                false => short(on, neighbour, &mut others)?,
            });
        }
        groups.push(group);
        far.append(&mut others);
    }
    Some((groups, rows, far))
}

/// A code of one byte: an offset, or the number of an element among those that are far.
fn short(offset: i64, value: u32, others: &mut Vec<u32>) -> Option<u32> {
    if (0..i64::from(FAR)).contains(&offset) {
        return Some(offset as u32);
    }
    let i = others.iter().position(|&o| o == value).unwrap_or_else(|| {
        others.push(value);
        others.len() - 1
    });
    (i < usize::from(FAR)).then_some(i as u32 | u32::from(FAR))
}

/// Where a window of that length holds the most of the sorted values: the first of the best that
/// begin with one of them.
fn best_window(values: &[u32], length: u32) -> u32 {
    let (mut best, mut most) = (0, 0);
    for (i, &first) in values.iter().enumerate() {
        let held = values[i..].partition_point(|&v| v - first < length);
        if held > most {
            (best, most) = (first, held);
        }
    }
    best
}
