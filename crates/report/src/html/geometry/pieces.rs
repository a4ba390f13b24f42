//! A level in pieces: the meshes that it repeats, and blocks of all the rest.
//!
//! A piece is simplified, packed and compressed by itself. The next save reuses it if its triangles
//! are the same. A block has its own triangles and those of its neighbours that reach into it, so
//! it can place the vertices of its cells alone. Vertices in cells of a neighbour take the place
//! that the neighbour computed.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::cells::{Block, Cells};
use super::pack::{Box3, Packer, Quantised, part};
use super::simplify::{Cell, Clusters, doubled_area};
use super::soup::Soup;

/// Which piece it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A mesh that the level repeats, by its number.
    Mesh(usize),
    Block(Block),
}

/// The pieces of a level.
pub(super) type Pieces = BTreeMap<Name, Piece>;

/// The triangles of a piece.
#[derive(Debug)]
pub(super) struct Content {
    soup: Soup,
    /// The first triangles are the piece's own: each is in one piece. The others reach into it.
    own: usize,
}

impl Content {
    pub(super) fn whole(soup: Soup) -> Content {
        Content { own: soup.triangles.len(), soup }
    }

    fn is(&self, other: &Content) -> bool {
        self.own == other.own && self.soup.is(&other.soup)
    }
}

/// A piece, and what was made of it.
#[derive(Debug)]
pub(super) struct Piece {
    content: Content,
    /// Twice the area of its own triangles, m2.
    pub(super) area: f64,
    /// How many of them are left in cells.
    counts: Vec<(Cells, usize)>,
    simple: Option<Simple>,
    packed: Option<Packed>,
}

/// A piece with fewer triangles.
#[derive(Debug)]
struct Simple {
    cells: Option<Cells>,
    mesh: Soup,
    /// Vertices of the mesh in cells of other blocks.
    foreign: Vec<(usize, Cell)>,
    /// Where the vertices of its cells went, by cell.
    places: Vec<(Cell, [f64; 3])>,
    /// How far they are off at most, m.
    error: f64,
}

/// A mesh as pages have it.
#[derive(Debug)]
pub(super) struct Packed {
    mesh: Soup,
    pub(super) frame: Box3,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    /// A part of a deflate stream.
    pub(super) stream: Vec<u8>,
}

/// The pieces with these triangles: those of earlier that are the same, else new ones.
pub(super) fn pieces(
    contents: impl IntoIterator<Item = (Name, Content)>,
    mut earlier: Pieces,
) -> Pieces {
    let piece = |(name, content): (Name, Content)| {
        let same = earlier.remove(&name).filter(|piece| piece.content.is(&content));
        (name, same.unwrap_or_else(|| Piece::new(content)))
    };
    contents.into_iter().map(piece).collect()
}

impl Piece {
    fn new(content: Content) -> Piece {
        let Content { soup, own } = &content;
        let area = doubled_area(&soup.vertices, &soup.triangles[..*own]);
        Piece { content, area, counts: vec![], simple: None, packed: None }
    }

    /// How many of its own triangles are left in cells; without cells all.
    pub(super) fn count(&self, cells: Option<Cells>) -> usize {
        let Some(cells) = cells else { return self.content.own };
        let known = self.counts.iter().find(|count| count.0 == cells);
        known.map_or(0, |count| count.1)
    }

    /// Counts the triangles that are left in cells.
    fn count_in(&mut self, cells: Cells) {
        if self.counts.iter().all(|count| count.0 != cells) {
            self.counts.push((cells, clusters(&self.content, cells).count()));
        }
    }

    pub(super) fn packed(&self) -> Option<&Packed> {
        self.packed.as_ref()
    }

    pub(super) fn error(&self) -> f64 {
        self.simple.as_ref().map_or(0.0, |simple| simple.error)
    }
}

/// Counts the triangles of all pieces that are left in cells.
pub(super) fn count_in(pieces: &mut Pieces, cells: Cells) {
    pieces.par_iter_mut().for_each(|(_, piece)| piece.count_in(cells));
}

/// Merges the vertices of each cell of all pieces, if there are cells, and packs what is left.
pub(super) fn simplify_and_pack(pieces: &mut Pieces, cells: Option<Cells>, effort: u8) {
    pieces.par_iter_mut().for_each(|(name, piece)| {
        if piece.simple.as_ref().is_none_or(|simple| simple.cells != cells) {
            piece.simple = Some(simple(*name, &piece.content, cells));
        }
    });
    let meshes: Vec<Soup> = pieces.par_iter().map(|(_, piece)| whole(piece, pieces)).collect();
    let pairs: Vec<(&mut Piece, Soup)> = pieces.values_mut().zip(meshes).collect();
    pairs.into_par_iter().for_each(|(piece, mesh)| {
        if piece.packed.as_ref().is_none_or(|packed| !packed.mesh.is(&mesh)) {
            piece.packed = Some(Packed::new(mesh, effort));
        }
    });
}

fn clusters(content: &Content, cells: Cells) -> Clusters<'_> {
    let cell = |v: usize| Some(cells.of(&content.soup.vertices[v]));
    Clusters::new(&content.soup, content.own, cell, |_| 0)
}

fn simple(name: Name, content: &Content, cells: Option<Cells>) -> Simple {
    let Some(in_cells) = cells else {
        let own = &content.soup.triangles[..content.own];
        let (mesh, _) = used(&content.soup.vertices, own);
        return Simple { cells, mesh, foreign: vec![], places: vec![], error: 0.0 };
    };
    let made = clusters(content, in_cells).simplified(in_cells.side());
    let is_own = |cell: Cell| match name {
        Name::Mesh(_) => true,
        Name::Block(block) => in_cells.block(cell) == block,
    };
    let (mut places, mut error) = (vec![], 0.0f64);
    for ((cell, place), off) in made.cells.iter().zip(&made.soup.vertices).zip(&made.errors) {
        if let Some(cell) = cell.filter(|cell| is_own(*cell)) {
            places.push((cell, *place));
            error = error.max(*off);
        }
    }
    places.sort_unstable_by_key(|place| place.0);
    let (mesh, of) = used(&made.soup.vertices, &made.soup.triangles);
    let cells_of = of.iter().enumerate().filter_map(|(v, &at)| Some((v, made.cells[at as usize]?)));
    let foreign = cells_of.filter(|(_, cell)| !is_own(*cell)).collect();
    Simple { cells, mesh, foreign, places, error }
}

/// The mesh of a piece with its vertices in cells of other blocks where those say.
fn whole(piece: &Piece, pieces: &Pieces) -> Soup {
    let Some(simple) = &piece.simple else { return Soup::default() };
    let mut mesh = simple.mesh.clone();
    for &(vertex, cell) in &simple.foreign {
        let block = simple.cells.map(|cells| Name::Block(cells.block(cell)));
        let beside = block.and_then(|name| pieces.get(&name)?.simple.as_ref());
        let places = beside.map_or(&[][..], |beside| &beside.places);
        if let Ok(at) = places.binary_search_by_key(&cell, |place| place.0) {
            mesh.vertices[vertex] = places[at].1;
        }
    }
    mesh
}

impl Packed {
    fn new(mesh: Soup, effort: u8) -> Packed {
        let made = Quantised::new(&mesh);
        let mut packer = Packer::default();
        made.write(&mut packer);
        Packed {
            mesh,
            frame: made.frame,
            vertices: made.vertices.len(),
            triangles: made.triangles.len(),
            stream: part(&packer.bytes, effort),
        }
    }
}

/// Triangles with the vertices that they use, in the order of their first use, and the number that
/// each of these had.
fn used(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> (Soup, Vec<u32>) {
    let mut number = vec![u32::MAX; vertices.len()];
    let mut of = vec![];
    let mut new = |i: u32| {
        let own = &mut number[i as usize];
        if *own == u32::MAX {
            *own = of.len() as u32;
            of.push(i);
        }
        *own
    };
    let triangles = triangles.iter().map(|t| t.map(&mut new)).collect();
    let vertices = of.iter().map(|&i| vertices[i as usize]).collect();
    (Soup { vertices, triangles }, of)
}

/// The blocks of a mesh. A triangle is of the least block of its corners, and reaches into the
/// others.
pub(super) fn blocks(soup: &Soup, exponent: i32) -> Vec<(Name, Content)> {
    let of_vertex: Vec<Block> = soup.vertices.iter().map(|p| Block::of(p, exponent)).collect();
    let mut all = of_vertex.clone();
    all.dedup();
    all.sort_unstable();
    all.dedup();
    let mut last = 0;
    let number = |block: &Block| {
        // Vertices of a block follow each other.
        if all[last] != *block {
            last = all.partition_point(|other| other < block);
        }
        last
    };
    let of_vertex: Vec<usize> = of_vertex.iter().map(number).collect();
    let mut lists: Vec<[Vec<u32>; 2]> = vec![Default::default(); all.len()];
    for (t, number) in soup.triangles.iter().zip(0u32..) {
        let [a, b, c] = t.map(|i| of_vertex[i as usize]);
        let own = a.min(b).min(c);
        lists[own][0].push(number);
        if a != own {
            lists[a][1].push(number);
        }
        if b != own && b != a {
            lists[b][1].push(number);
        }
        if c != own && c != a && c != b {
            lists[c][1].push(number);
        }
    }
    // The last block that used a vertex, and its number there.
    let mut known = vec![(usize::MAX, 0u32); soup.vertices.len()];
    let content = |(block, [own, others]): (usize, [Vec<u32>; 2])| {
        let mut part = Soup::default();
        for &t in own.iter().chain(&others) {
            let vertices = &mut part.vertices;
            part.triangles.push(soup.triangles[t as usize].map(|i| {
                let known = &mut known[i as usize];
                if known.0 != block {
                    *known = (block, vertices.len() as u32);
                    vertices.push(soup.vertices[i as usize]);
                }
                known.1
            }));
        }
        (Name::Block(all[block]), Content { soup: part, own: own.len() })
    };
    lists.into_iter().enumerate().map(content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_together_are_the_whole_mesh_with_fewer_triangles() {
        let mut seed = 3u32;
        let mut random = |most: f64| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 24) * most
        };
        let mut soup = Soup::default();
        for k in 0..3000u32 {
            let at = [random(400.0) - 200.0, random(9.0), random(400.0) - 200.0];
            // Few reach over several blocks, and some are there twice.
            let size = if k % 50 == 0 { 300.0 } else { 8.0 };
            let near = |random: &mut dyn FnMut(f64) -> f64| at.map(|c| c + random(size));
            soup.vertices.extend([at, near(&mut random), near(&mut random)]);
            let t = [3 * k, 3 * k + 1, 3 * k + 2];
            soup.triangles.push(t);
            if k % 7 == 0 {
                soup.triangles.push([t[1], t[0], t[2]]);
            }
        }
        let mut cells = Cells::at_least(0.3, 6);
        for _ in 0..12 {
            let whole = Content::whole(soup.clone());
            let whole = pieces([(Name::Mesh(0), whole)], Pieces::new());
            let parts = pieces(blocks(&soup, cells.exponent), Pieces::new());
            let simple = |mut pieces: Pieces| {
                count_in(&mut pieces, cells);
                simplify_and_pack(&mut pieces, Some(cells), 1);
                let all = || pieces.values();
                let mut meshes: Vec<[[f64; 3]; 3]> = vec![];
                for piece in all() {
                    let mesh = whole_mesh(piece);
                    meshes.extend(mesh.triangles.iter().map(|t| {
                        let mut corners = t.map(|i| mesh.vertices[i as usize]);
                        // Where a triangle begins does not matter.
                        corners.sort_by(|a, b| a[0].total_cmp(&b[0]));
                        corners
                    }));
                }
                meshes.sort_by(|a, b| a[0][0].total_cmp(&b[0][0]));
                let count: usize = all().map(|piece| piece.count(Some(cells))).sum();
                let error = all().map(Piece::error).fold(0.0, f64::max);
                (count, error, meshes)
            };
            let (whole, parts) = (simple(whole), simple(parts));
            assert_eq!([whole.0, whole.2.len()], [parts.0, parts.2.len()]);
            assert!((whole.1 - parts.1).abs() < 1e-6, "{} {}", whole.1, parts.1);
            let area = |all: &[[[f64; 3]; 3]]| -> f64 {
                let area = |t: &[[f64; 3]; 3]| doubled_area(t, &[[0, 1, 2]]);
                all.iter().map(area).sum()
            };
            let areas = [area(&whole.2), area(&parts.2)];
            assert!((areas[0] - areas[1]).abs() < 1e-6 * areas[0], "{areas:?}");
            for (a, b) in whole.2.iter().zip(&parts.2) {
                assert!((a[0][0] - b[0][0]).abs() < 1e-6, "{a:?} {b:?}");
            }
            cells = cells.coarser();
        }
    }

    fn whole_mesh(piece: &Piece) -> &Soup {
        &piece.packed.as_ref().unwrap().mesh
    }
}
