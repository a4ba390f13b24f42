//! The index: boxes over polygons.

use alloc::vec;
use alloc::vec::Vec;
use core::array;

use super::stored::Stored;
use crate::index::{self, Bounds, FANOUT};
use crate::records::BoxRecord;

/// The index: level by level, each box around the boxes below, as tight as the encoding allows.
pub(super) fn boxes(mesh: &Stored) -> Vec<BoxRecord> {
    let mut below: Vec<Bounds> = mesh
        .first_edge
        .windows(2)
        .enumerate()
        .map(|(p, w)| {
            let corners = &mesh.edges[w[0] as usize..w[1] as usize];
            let corners =
                corners.iter().map(|&(v, _)| [mesh.vertices[v as usize].map(i64::from); 2]);
            let mut all = around(corners);
            if let Some([low, high]) = mesh.height_meshes.heights(p).map(|h| h.map(i64::from)) {
                all[0][1] = all[0][1].min(low);
                all[1][1] = all[1][1].max(high);
            }
            all
        })
        .collect();
    let (_, count) = index::levels(below.len() as u32);
    let mut levels: Vec<Vec<Bounds>> = vec![];
    for _ in 0..count {
        below = below.chunks(FANOUT as usize).map(|c| around(c.iter().copied())).collect();
        levels.push(below.clone());
    }
    // From the top down, each relative to the decoded box above.
    let whole = [mesh.least, mesh.greatest].map(|p| p.map(i64::from));
    let mut above = vec![whole];
    let mut records: Vec<Vec<BoxRecord>> = vec![];
    for level in levels.iter().rev() {
        let quantized =
            (0..).zip(level).map(|(i, b)| index::quantized(b, &above[i / FANOUT as usize]));
        let (own, read) = quantized.unzip();
        records.push(own);
        above = read;
    }
    records.into_iter().rev().flatten().collect()
}

/// The least box around boxes.
fn around(boxes: impl Iterator<Item = Bounds>) -> Bounds {
    boxes.fold([[i64::MAX; 3], [i64::MIN; 3]], |all, b| {
        [array::from_fn(|k| all[0][k].min(b[0][k])), array::from_fn(|k| all[1][k].max(b[1][k]))]
    })
}
