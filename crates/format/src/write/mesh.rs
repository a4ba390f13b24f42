//! One navmesh to its sections.

use alloc::vec;
use alloc::vec::Vec;
use core::array;

use navbake_ids::NONE;
use zerocopy::little_endian::{I32, U16, U32};

use super::relief::{ReliefParts, Reliefs};
use super::things::{self, ClosureParts, DoorParts, LinkParts, Places};
use super::{Draft, EncodeError, Strings, order};
use crate::index;
use crate::packed::Split;
use crate::records::{
    BEFORE, BLOCK, BoxRecord, FAR, GROUP, MeshRecord, NarrowEdge, PolygonGroup, ShortEdge,
    VertexBlock, WALL, WideEdge, WideVertex,
};
use crate::{FANOUT, Section};

/// A navmesh as plain slices. Grid units; see [`crate::NavMeshView`] for what must hold of polygons.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshParts<'a> {
    /// x, y, z of each vertex.
    pub vertices: &'a [[i32; 3]],
    /// Where each polygon's edges begin in `corners` and `neighbours`; one more entry than polygons.
    pub first_edge: &'a [u32],
    /// Vertices of the corners, counter-clockwise seen from above.
    pub corners: &'a [u32],
    /// For each edge (corner to the next) the polygon beyond, or `u32::MAX`.
    pub neighbours: &'a [u32],
    /// The island of each polygon. Any numbers: they are numbered anew.
    pub islands: &'a [u32],
    /// The relief of each polygon, an index into `reliefs`, or `u32::MAX` for one whose corners tell its height; empty when all do.
    pub relief_of: &'a [u32],
    /// Reliefs. Those that no polygon names are left out.
    pub reliefs: &'a [ReliefParts<'a>],
    /// Portals with a name, a width or a switch.
    pub doors: &'a [DoorParts<'a>],
    /// Polygons that switches close.
    pub closures: &'a [ClosureParts],
    /// Ways that do not lead over ground.
    pub links: &'a [LinkParts<'a>],
}

/// A mesh in the order in which it is stored.
struct Stored {
    vertices: Vec<[i32; 3]>,
    first_edge: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// The first polygon of each.
    islands: Vec<u32>,
    reliefs: Reliefs,
    least: [i32; 3],
    greatest: [i32; 3],
}

pub(super) fn encode(
    parts: &MeshParts<'_>,
    class: u16,
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    check(parts, class)?;
    let (mesh, places) = reorder(parts);
    things::of_mesh(parts, &places, class, strings, drafts)?;
    drafts.push(Draft::of(
        Section::MESH,
        class,
        &[MeshRecord {
            least: mesh.least.map(I32::new),
            greatest: mesh.greatest.map(I32::new),
            polygons: U32::new(mesh.first_edge.len() as u32 - 1),
            vertices: U32::new(mesh.vertices.len() as u32),
        }],
    ));
    vertices(&mesh.vertices, class, drafts);
    edges(&mesh, class, drafts);
    numbers(Section::ISLANDS, &mesh.islands, class, drafts);
    drafts.push(Draft::of(Section::INDEX, class, &boxes(&mesh)));
    mesh.reliefs.write(class, drafts)
}

/// Slices that belong together, indices in range: all that the rest of this file relies on.
fn check(parts: &MeshParts<'_>, class: u16) -> Result<(), EncodeError> {
    let length = |what, found: usize, expected: usize| {
        if found == expected {
            Ok(())
        } else {
            Err(EncodeError::Length {
                what,
                class,
                found: found as u64,
                expected: expected as u64,
            })
        }
    };
    let polygons = parts.islands.len();
    length("first_edge", parts.first_edge.len(), polygons + 1)?;
    length("neighbours", parts.neighbours.len(), parts.corners.len())?;
    let last = *parts.first_edge.last().unwrap_or(&0);
    length("corners", parts.corners.len(), last as usize)?;
    length("first_edge[0]", parts.first_edge[0] as usize, 0)?;
    let many = parts.vertices.len().max(parts.corners.len());
    if many >= NONE as usize {
        length("vertices or corners", many, NONE as usize - 1)?;
    }
    let index = |what, at: usize, found: u32, limit: usize| {
        if (found as usize) < limit {
            Ok(())
        } else {
            Err(EncodeError::Index {
                what,
                class,
                at: at as u64,
                found,
                limit: limit as u64,
            })
        }
    };
    for (i, w) in parts.first_edge.windows(2).enumerate() {
        index("first_edge", i, w[0], w[1] as usize)?;
    }
    if !parts.relief_of.is_empty() {
        length("relief_of", parts.relief_of.len(), polygons)?;
    }
    for (i, &r) in parts.relief_of.iter().enumerate() {
        if r != NONE {
            index("relief_of", i, r, parts.reliefs.len())?;
        }
    }
    for (i, &v) in parts.corners.iter().enumerate() {
        index("corners", i, v, parts.vertices.len())?;
    }
    for (i, &n) in parts.neighbours.iter().enumerate() {
        if n != NONE {
            index("neighbours", i, n, polygons)?;
        }
    }
    Ok(())
}

fn reorder(parts: &MeshParts<'_>) -> (Stored, Places) {
    let polygons = parts.islands.len();
    let used = || parts.corners.iter().map(|&v| parts.vertices[v as usize]);
    let least: [i32; 3] = array::from_fn(|k| used().map(|p| p[k]).min().unwrap_or(0));
    let greatest: [i32; 3] = array::from_fn(|k| used().map(|p| p[k]).max().unwrap_or(0));
    // The heights of points have no say here. One scale for all three axes, so that a flat level keeps its storeys together in the plane.
    let shift = (0..3)
        .map(|k| index::shift(least[k], greatest[k]))
        .max()
        .unwrap_or(0);

    // Each polygon as the ring of its positions, from the least (x, z) on.
    let edges_of = |p: usize| parts.first_edge[p] as usize..parts.first_edge[p + 1] as usize;
    let position = |e: usize| parts.vertices[parts.corners[e] as usize];
    let ring = |p: usize| {
        let edges = edges_of(p);
        let start = edges
            .clone()
            .min_by_key(|&e| {
                let [x, y, z] = position(e);
                (x, z, y)
            })
            .unwrap_or(edges.start);
        (start..edges.end).chain(edges.start..start)
    };
    let mut order: Vec<(u64, u32)> = (0..polygons)
        .map(|p| {
            let cell = array::from_fn(|k| {
                let low = edges_of(p).map(|e| position(e)[k]).min().unwrap_or(0);
                let high = edges_of(p).map(|e| position(e)[k]).max().unwrap_or(0);
                let centre = (i64::from(low) + i64::from(high)) / 2 - i64::from(least[k]);
                (centre >> shift).clamp(0, 0xFFFF) as u16
            });
            (order::hilbert(cell), p as u32)
        })
        .collect();
    order.sort_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| {
            let (a, b) = (ring(a.1 as usize), ring(b.1 as usize));
            a.map(position).cmp(b.map(position))
        })
    });
    // Islands in the order of their first polygons, each in one piece.
    let island = renumber(order.iter().map(|&(_, old)| parts.islands[old as usize]));
    let mut places: Vec<(u32, u32)> = (0u32..).zip(island).map(|(i, n)| (n, i)).collect();
    places.sort_unstable();
    let islands: Vec<u32> = (0u32..)
        .zip(&places)
        .filter(|&(i, &(n, _))| i == 0 || places[i as usize - 1].0 != n)
        .map(|(i, _)| i)
        .collect();
    let order: Vec<u32> = places.iter().map(|&(_, i)| order[i as usize].1).collect();
    let mut new_polygon = vec![0u32; polygons];
    for (new, &old) in order.iter().enumerate() {
        new_polygon[old as usize] = new as u32;
    }

    let mut new_vertex = vec![NONE; parts.vertices.len()];
    let mut stored = Stored {
        vertices: vec![],
        first_edge: vec![0],
        edges: Vec::with_capacity(parts.corners.len()),
        islands,
        reliefs: Reliefs::default(),
        least,
        greatest,
    };
    let mut edges = vec![(0, 0); parts.corners.len()];
    for (new, &old) in (0u32..).zip(&order) {
        for (k, e) in (0u32..).zip(ring(old as usize)) {
            edges[e] = (new, k);
            let v = &mut new_vertex[parts.corners[e] as usize];
            if *v == NONE {
                *v = stored.vertices.len() as u32;
                stored.vertices.push(position(e));
            }
            let n = parts.neighbours[e];
            let n = if n == NONE {
                NONE
            } else {
                new_polygon[n as usize]
            };
            stored.edges.push((*v, n));
        }
        stored.first_edge.push(stored.edges.len() as u32);
        let relief = parts.relief_of.get(old as usize);
        let polygon = stored.first_edge.len() - 2;
        stored
            .reliefs
            .push(relief.copied().unwrap_or(NONE), parts.reliefs);
        if let Some([low, high]) = stored.reliefs.heights(polygon) {
            stored.least[1] = stored.least[1].min(low);
            stored.greatest[1] = stored.greatest[1].max(high);
        }
    }
    let places = Places {
        polygons: new_polygon,
        edges,
    };
    (stored, places)
}

/// Numbers by first appearance.
fn renumber(old: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut new = alloc::collections::BTreeMap::new();
    old.map(|island| {
        let next = new.len() as u32;
        *new.entry(island).or_insert(next)
    })
    .collect()
}

/// Polygons and edges, in the shortest form that can hold them.
fn edges(mesh: &Stored, class: u16, drafts: &mut Vec<Draft>) {
    if let Some((groups, edges, far)) = short_edges(mesh) {
        drafts.push(Draft::of(Section::POLYGONS, class, &groups));
        drafts.push(Draft::of(Section::EDGES, class, &edges));
        if !far.is_empty() {
            numbers(Section::FAR, &far, class, drafts);
        }
        return;
    }
    numbers(Section::POLYGONS, &mesh.first_edge, class, drafts);
    let none = u32::from(u16::MAX);
    if mesh.vertices.len() <= 1 << 16 && (mesh.first_edge.len() - 1) <= none as usize {
        let narrow = |v: u32| U16::new(v.min(none) as u16); // only NONE is above
        let records: Vec<NarrowEdge> = (mesh.edges.iter())
            .map(|&(v, n)| NarrowEdge {
                vertex: narrow(v),
                neighbour: narrow(n),
            })
            .collect();
        drafts.push(Draft::of(Section::EDGES, class, &records));
    } else {
        let records: Vec<WideEdge> = (mesh.edges.iter())
            .map(|&(v, n)| WideEdge {
                vertex: U32::new(v),
                neighbour: U32::new(n),
            })
            .collect();
        drafts.push(Draft::of(Section::EDGES, class, &records));
    }
}

/// Groups, edges in two bytes, and the far vertices and polygons that these cannot name. `None` when a polygon has too many corners, or a
/// group too many far ones.
fn short_edges(mesh: &Stored) -> Option<(Vec<PolygonGroup>, Vec<ShortEdge>, Vec<u32>)> {
    let polygons = mesh.first_edge.len() - 1;
    let (mut groups, mut edges, mut far) = (vec![], vec![], vec![]);
    for first in (0..polygons).step_by(GROUP) {
        let ends = &mesh.first_edge[first..=polygons.min(first + GROUP)];
        let mut corners = [0; GROUP];
        for (n, w) in corners.iter_mut().zip(ends.windows(2)) {
            *n = u8::try_from(w[1] - w[0]).ok()?;
        }
        let own = &mesh.edges[ends[0] as usize..ends[ends.len() - 1] as usize];
        let mut used: Vec<u32> = own.iter().map(|e| e.0).collect();
        used.sort_unstable();
        used.dedup();
        let near_vertex = best_window(&used, FAR.into());
        let near_polygon = i64::from(first as u32) - i64::from(BEFORE);
        let mut others: Vec<u32> = vec![];
        let mut code = |value: u32, near: i64, room: u8| {
            let offset = i64::from(value) - near;
            if (0..i64::from(room)).contains(&offset) {
                return Some(offset as u8);
            }
            let i = others.iter().position(|&o| o == value).unwrap_or_else(|| {
                others.push(value);
                others.len() - 1
            });
            u8::try_from(i)
                .ok()
                .filter(|i| i & FAR == 0)
                .map(|i| i | FAR)
        };
        for &(vertex, neighbour) in own {
            edges.push(ShortEdge {
                vertex: code(vertex, near_vertex.into(), FAR)?,
                neighbour: match neighbour {
                    NONE => WALL,
                    n => code(n, near_polygon, WALL)?,
                },
            });
        }
        groups.push(PolygonGroup {
            first_edge: U32::new(ends[0]),
            first_vertex: U32::new(near_vertex),
            first_far: U32::new(far.len() as u32),
            corners,
        });
        far.append(&mut others);
    }
    Some((groups, edges, far))
}

/// Where a window of that length holds the most of the sorted values: the first of the best that begin with one of them.
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

/// As few bits a vertex as its block needs, else twelve bytes for each.
fn vertices(all: &[[i32; 3]], class: u16, drafts: &mut Vec<Draft>) {
    let mut blocks = vec![];
    let mut bytes: Vec<u8> = vec![];
    for block in all.chunks(BLOCK) {
        let least: [i32; 3] = array::from_fn(|k| block.iter().map(|p| p[k]).min().unwrap_or(0));
        let offset = |p: &[i32; 3], k: usize| p[k].wrapping_sub(least[k]) as u32;
        // As many low bits are left out as are zero in all offsets: lattices of whole metres need no more.
        let used: [u32; 3] =
            array::from_fn(|k| block.iter().fold(0, |bits, p| bits | offset(p, k)));
        let shift = used.map(|bits| bits.trailing_zeros() % 32);
        let bits: [u32; 3] = array::from_fn(|k| 32 - (used[k] >> shift[k]).leading_zeros());
        let total: u32 = bits.iter().sum();
        let first = u32::try_from(bytes.len());
        let (Ok(first), false) = (first, total > 64 || bits.iter().any(|&b| b > 31)) else {
            let wide: Vec<WideVertex> = (all.iter())
                .map(|p| WideVertex {
                    at: p.map(I32::new),
                })
                .collect();
            drafts.push(Draft::of(Section::VERTICES, class, &wide));
            return;
        };
        let split = Split {
            y: bits[0],
            z: bits[0] + bits[1],
            shift,
            width: VertexBlock::width(total),
        };
        blocks.push(VertexBlock {
            base: least.map(I32::new),
            split: U32::new(VertexBlock::joined(split)),
            first: U32::new(first),
        });
        // Words one after the other, without gaps; the last byte of a block is filled with zeros.
        let (mut held, mut count) = (0u128, 0);
        for p in block {
            let x: [u64; 3] = array::from_fn(|k| u64::from(offset(p, k) >> shift[k]));
            let word = x[0] | x[1] << split.y | x[2].checked_shl(split.z).unwrap_or(0);
            held |= u128::from(word) << count;
            count += split.width;
            while count >= 8 {
                bytes.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        if count > 0 {
            bytes.push(held as u8);
        }
    }
    drafts.push(Draft {
        section: Section::VERTICES,
        class,
        required: true,
        element_size: 1,
        bytes,
    });
    drafts.push(Draft::of(Section::VERTEX_BLOCKS, class, &blocks));
}

/// Whole numbers in two bytes each, or in four.
fn numbers(section: Section, values: &[u32], class: u16, drafts: &mut Vec<Draft>) {
    let greatest = values.iter().copied().max().unwrap_or(0);
    drafts.push(if greatest <= 0xFFFF {
        let n: Vec<U16> = values.iter().map(|&v| U16::new(v as u16)).collect();
        Draft::of(section, class, &n)
    } else {
        let n: Vec<U32> = values.iter().map(|&v| U32::new(v)).collect();
        Draft::of(section, class, &n)
    });
}

/// The index: level by level, each box around the boxes below, rounded outwards.
fn boxes(mesh: &Stored) -> Vec<BoxRecord> {
    let shift: [u32; 3] = array::from_fn(|k| index::shift(mesh.least[k], mesh.greatest[k]));
    let mut below: Vec<[[i32; 3]; 2]> = mesh
        .first_edge
        .windows(2)
        .enumerate()
        .map(|(p, w)| {
            let corners = &mesh.edges[w[0] as usize..w[1] as usize];
            let corners = corners.iter().map(|&(v, _)| [mesh.vertices[v as usize]; 2]);
            let mut all = around(corners);
            if let Some([low, high]) = mesh.reliefs.heights(p) {
                all[0][1] = all[0][1].min(low);
                all[1][1] = all[1][1].max(high);
            }
            all
        })
        .collect();
    let mut records = vec![];
    let (_, levels) = index::levels(below.len() as u32);
    for _ in 0..levels {
        below = below
            .chunks(FANOUT as usize)
            .map(|c| around(c.iter().copied()))
            .collect();
        records.extend(below.iter().map(|[least, greatest]| {
            let offset = |c: i32, k: usize| i64::from(c) - i64::from(mesh.least[k]);
            BoxRecord {
                least: array::from_fn(|k| U16::new((offset(least[k], k) >> shift[k]) as u16)),
                greatest: array::from_fn(|k| {
                    let up = offset(greatest[k], k) + (1 << shift[k]) - 1;
                    U16::new((up >> shift[k]) as u16)
                }),
            }
        }));
    }
    records
}

/// The least box around boxes.
fn around(boxes: impl Iterator<Item = [[i32; 3]; 2]>) -> [[i32; 3]; 2] {
    boxes.fold([[i32::MAX; 3], [i32::MIN; 3]], |all, b| {
        [
            array::from_fn(|k| all[0][k].min(b[0][k])),
            array::from_fn(|k| all[1][k].max(b[1][k])),
        ]
    })
}
