//! The polygons of a navmesh cut into what Detour takes: inside one tile, at most six corners, few
//! enough height triangles.

use navbake_draw::Surface;

use super::detail::DetailMesh;
use super::half_edges::{HalfEdges, doubled};

/// The most corners of a polygon in Detour.
pub(crate) const MOST_CORNERS: usize = 6;

/// Vertices this near to the border of a tile are on it, m: Detour joins edges within 1 cm.
const ON_BORDER: f64 = 0.004;

/// The same for the squares of pieces, where no part needs to end exactly.
const ON_SQUARE: f64 = 0.05;

/// The same for lines through height points.
const ON_LINE: f64 = 0.001;

/// The squares of the ground plane that tiles are made of; y-up metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tiling {
    /// Where the first tile begins, `[x, z]`; whole metres.
    pub(crate) origin: [f64; 2],
    /// The sides of a tile.
    pub(crate) size: [f64; 2],
    /// How many tiles there are along x and z.
    pub(crate) count: [u32; 2],
}

impl Tiling {
    /// The tile that a point is in.
    pub(crate) fn tile(&self, at: [f64; 3]) -> [u32; 2] {
        [0, 1].map(|axis| {
            let k = ((at[2 * axis] - self.origin[axis]) / self.size[axis]).floor();
            (k.max(0.0) as u32).min(self.count[axis] - 1)
        })
    }
}

/// A polygon as Detour takes it.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The tile that it is in.
    pub(crate) tile: [u32; 2],
    /// Its face of the half-edges.
    pub(crate) face: u32,
    pub(crate) detail: DetailMesh,
}

/// Cuts a navmesh: the pieces in order of their tiles and polygons.
///
/// `piece_size` is the side of squares that no piece is larger than, m.
pub(crate) fn cut(
    edges: &mut HalfEdges<'_>,
    surface: &Surface,
    tiling: &Tiling,
    piece_size: Option<f64>,
) -> Vec<Piece> {
    edges.remove_needless_corners();
    cut_by_squares(edges, tiling.origin, tiling.size, ON_BORDER);
    if let Some(size) = piece_size {
        cut_by_squares(edges, tiling.origin, [size; 2], ON_SQUARE);
    }
    let mut details: Vec<DetailMesh> = vec![];
    loop {
        split_to_six(edges);
        details.resize_with(edges.faces.len(), DetailMesh::default);
        let mut too_fine = vec![];
        for (face, detail) in (0..).zip(&mut details) {
            if !std::mem::take(&mut edges.faces[face as usize].changed) {
                continue;
            }
            let ring = edges.ring(face);
            *detail = DetailMesh::new(surface, edges.faces[face as usize].source, &ring);
            if !detail.fits(ring.len()) {
                too_fine.push(face);
            }
        }
        // A cut gives its neighbours a corner more, so all are looked at again.
        let cut = too_fine.iter().filter(|&&face| halve(edges, face, &details[face as usize]));
        if cut.count() == 0 {
            break;
        }
    }
    let mut pieces: Vec<Piece> = (0..)
        .zip(details)
        .map(|(face, mut detail)| {
            let ring = edges.ring(face);
            if !detail.fits(ring.len()) {
                // More than 255 triangles around one point: only its corners' heights are kept.
                detail = DetailMesh::of_corners(&ring);
            }
            Piece { tile: tiling.tile(middle(&ring)), face, detail }
        })
        .collect();
    pieces.sort_by_key(|p| (p.tile[1], p.tile[0], edges.faces[p.face as usize].source, p.face));
    pieces
}

/// Cuts all polygons along the borders of squares.
fn cut_by_squares(edges: &mut HalfEdges<'_>, origin: [f64; 2], size: [f64; 2], near: f64) {
    for axis in [0, 1] {
        // Faces that a cut adds come last, and may be cut by the next border.
        for face in 0.. {
            if face as usize == edges.faces.len() {
                break;
            }
            let reach = edges.ring(face).into_iter().map(|at| at[2 * axis]);
            let (least, greatest) = reach
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), c| (lo.min(c), hi.max(c)));
            let number = |c: f64| ((c - origin[axis]) / size[axis]).floor().max(0.0) as u32;
            for k in number(least)..=number(greatest) {
                edges.cut(face, 2 * axis, origin[axis] + f64::from(k) * size[axis], near);
            }
        }
    }
}

fn middle(ring: &[[f64; 3]]) -> [f64; 3] {
    let n = ring.len() as f64;
    [0, 1, 2].map(|k| ring.iter().map(|p| p[k]).sum::<f64>() / n)
}

/// Cuts a polygon along a line through the middle one of its height points.
fn halve(edges: &mut HalfEdges<'_>, face: u32, detail: &DetailMesh) -> bool {
    let ring = edges.ring(face);
    let reach = |axis: usize| {
        let along = || ring.iter().map(move |p| p[axis]);
        along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
    };
    let axes = if reach(0) >= reach(2) { [0, 2] } else { [2, 0] };
    for axis in axes {
        let mut along: Vec<f64> = detail.points.iter().map(|p| p[axis]).collect();
        along.sort_by(f64::total_cmp);
        let middle = along.get(along.len() / 2).copied();
        // In single precision, so that both sides of an edge keep the place when written.
        if middle.is_some_and(|c| edges.cut(face, axis, f64::from(c as f32), ON_LINE)) {
            return true;
        }
    }
    false
}

/// Cuts polygons by diagonals until none has more than six corners.
fn split_to_six(edges: &mut HalfEdges) {
    for face in 0.. {
        if face as usize == edges.faces.len() {
            return;
        }
        loop {
            let border = edges.border(face);
            if border.len() <= MOST_CORNERS {
                break;
            }
            let ring: Vec<[f64; 3]> = border.iter().map(|&h| edges.at(h)).collect();
            let [i, j] = diagonal(&ring);
            edges.split_face(border[i], border[j]);
        }
    }
}

/// The diagonal that cuts a convex polygon with the fewest pieces to come, then the shortest.
///
/// Corners on straight sides count, so not every diagonal leaves ground on both sides. With at
/// least four corners that are not all on one line, one does.
fn diagonal(ring: &[[f64; 3]]) -> [usize; 2] {
    let n = ring.len();
    let area = |from: usize, to: usize| -> f64 {
        (from + 1..to).map(|k| doubled([ring[from % n], ring[k % n], ring[(k + 1) % n]])).sum()
    };
    let pieces = |corners: usize| (corners - 2).div_ceil(MOST_CORNERS - 2);
    let mut best = ([0, n / 2], (true, usize::MAX, f64::INFINITY));
    for i in 0..n {
        for j in i + 2..n {
            if i == 0 && j == n - 1 {
                continue;
            }
            let thin = area(i, j).min(area(j, i + n)) <= THIN;
            let [dx, dz] = [0, 2].map(|k| ring[j][k] - ring[i][k]);
            let rank = (thin, pieces(j - i + 1) + pieces(n - (j - i) + 1), dx * dx + dz * dz);
            let is_better =
                (rank.0, rank.1).cmp(&(best.1.0, best.1.1)).then(rank.2.total_cmp(&best.1.2));
            if is_better.is_lt() {
                best = ([i, j], rank);
            }
        }
    }
    best.0
}

/// Parts of less than this, m2 doubled, are not cut off: single precision could turn them over.
const THIN: f64 = 1e-5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_leaves_ground_on_both_sides() {
        // Five corners on one straight side.
        let ring: Vec<[f64; 3]> = [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 4.0]]
            .into_iter()
            .chain([[4.0, 4.0], [4.0, 0.0]])
            .map(|[x, z]| [x, 0.0, z])
            .collect();
        let [i, j] = diagonal(&ring);
        for part in [ring[i..=j].to_vec(), [&ring[j..], &ring[..=i]].concat()] {
            let sum: f64 = part.windows(2).map(|w| doubled([part[0], w[0], w[1]])).sum();
            assert!(sum > THIN, "{part:?}");
        }
    }
}
