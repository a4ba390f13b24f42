//! Vertices, bounds and the index's boxes.

use navbake_grid::{LIMIT, PolyId};

use crate::index::Bounds;
use crate::packed_mesh::NavMeshView;
use crate::packed_mesh::Vertices;
use crate::place::{Checked, Place};
use crate::records::{BLOCK, MeshRecord, VertexBlock};
use crate::{Blob, FANOUT, Section};

/// Coordinates within the grid's range, before and after the sum with their block.
pub(super) fn vertices(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let inside = |c: i64| c.abs() < i64::from(LIMIT);
    let section = match mesh.plain() {
        Some(_) => Section::LAYOUT_VERTICES,
        None => Section::VERTICES,
    };
    match mesh.vertices() {
        Vertices::Wide(all) => {
            for (it, v) in at.each(section, all.iter()) {
                for c in v {
                    it.refuse(!inside(c.into()), c, "coordinates between -2^25 and 2^25")?;
                }
            }
        }
        Vertices::Packed(all) => {
            let mut first = 0u64;
            for (i, b) in (0u32..).zip(all.blocks.iter()) {
                let it = at.element(Section::VERTEX_BLOCKS, i);
                for axis in 0..3 {
                    let base = all.bases.base(&b, axis);
                    // Rounded down, so it may be the range's end.
                    let wrong = !(-LIMIT..LIMIT).contains(&base);
                    let expected = "a base from -2^25 to below 2^25";
                    at.refuse(wrong, Section::VERTEX_BLOCKS, i, base, expected)?;
                }
                let expected = "y before z before the width, a width of at most 57 or 64 bits, and shifts of at most 25";
                it.refuse(!b.is_sound(), b.split, expected)?;
                let wrong = u64::from(b.first) != first;
                let expected = "the number of bytes of the blocks before";
                at.refuse(wrong, Section::VERTEX_BLOCKS, i, b.first, expected)?;
                let known = (all.count as usize - i as usize * BLOCK).min(BLOCK);
                first += b.bytes(known) as u64;
            }
            let wrong = first != all.bytes.len() as u64;
            let expected = "as many bytes as the blocks' vertices take";
            at.refuse(wrong, Section::VERTICES, 0, all.bytes.len() as i64, expected)?;
            for i in 0..mesh.vertex_count() {
                let Some((b, word)) = all.get(i as usize) else {
                    return at.fail(Section::VERTEX_BLOCKS, i, i, "one block for each 64 vertices");
                };
                let split = b.split();
                let parts = VertexBlock::parts(word, split);
                for (k, part) in parts.into_iter().enumerate() {
                    // Longer ones would be out of range whatever the base is.
                    let part = part.min(1 << 27) as i64;
                    let c = i64::from(all.bases.base(&b, k)) + (part << split.shift[k]);
                    let expected = "coordinates between -2^25 and 2^25";
                    at.refuse(!inside(c), Section::VERTICES, i, c, expected)?;
                }
            }
        }
    }
    Ok(())
}

/// The stated bounds are those of the vertices and height meshes.
pub(super) fn bounds(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let (mut least, mut greatest) = ([i32::MAX; 3], [i32::MIN; 3]);
    for v in 0..mesh.vertex_count() {
        let p = mesh.vertex(navbake_grid::VertexId(v));
        for k in 0..3 {
            least[k] = least[k].min(p[k]);
            greatest[k] = greatest[k].max(p[k]);
        }
    }
    let mut heights = |[low, high]: [i32; 2]| {
        least[1] = least[1].min(low);
        greatest[1] = greatest[1].max(high);
    };
    let (_, height_meshes) = mesh.height_meshes();
    (0..height_meshes.len()).for_each(|i| heights(height_meshes.get(i).heights()));
    if let Some(plain) = mesh.plain() {
        plain.details.heads.iter().for_each(|head| heights(head.heights()));
    }
    if mesh.vertex_count() == 0 {
        (least, greatest) = ([0; 3], [0; 3]);
    }
    for r in blob.records::<MeshRecord>(Section::MESH, at.class).iter() {
        for (stated, true_bound) in [(r.least, least), (r.greatest, greatest)] {
            for k in 0..3 {
                let expected =
                    "the bounds of vertices and height meshes, zeros when there are none";
                at.refuse(stated[k] != true_bound[k], Section::MESH, 0, stated[k], expected)?;
            }
        }
    }
    Ok(())
}

/// Every box of the index holds the polygons below it.
pub(super) fn boxes(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    // Other boxes contain the boxes below, which are encoded relative to them.
    mesh.index().for_each_leaf(|i, [lo, hi]| {
        let first = i * FANOUT;
        for p in first..first.saturating_add(FANOUT).min(mesh.polygon_count()) {
            let inner = polygon_box(mesh, PolyId(p));
            if (0..3).any(|k| inner[0][k] < lo[k] || inner[1][k] > hi[k]) {
                return at.fail(Section::INDEX, i, p, "a box that holds its polygons");
            }
        }
        Ok(())
    })
}

fn polygon_box(mesh: &NavMeshView<'_>, id: PolyId) -> Bounds {
    let polygon = mesh.polygon(id);
    let mut bounds = [[i64::MAX; 3], [i64::MIN; 3]];
    for k in 0..polygon.len() {
        let p = polygon.point(k).map(i64::from);
        for c in 0..3 {
            bounds[0][c] = bounds[0][c].min(p[c]);
            bounds[1][c] = bounds[1][c].max(p[c]);
        }
    }
    if let Some([low, high]) = mesh.heights(id) {
        bounds[0][1] = bounds[0][1].min(low.into());
        bounds[1][1] = bounds[1][1].max(high.into());
    }
    bounds
}
