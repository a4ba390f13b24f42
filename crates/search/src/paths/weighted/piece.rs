//! Pieces of portals, each with an affine lower bound of the cost of reaching it.

use navbake_format::{NavMesh, PolyId};

use super::super::nodes::Step;
use super::super::open_list::{NEW, Queued};
use super::ways::{Ground, Span, Ways};
use crate::NavQuery;
use navbake_navmesh::math::float;

/// No piece.
pub(super) const NONE: u32 = u32::MAX;
/// The start, in place of a piece.
pub(super) const START: u32 = u32::MAX - 1;
/// A piece of a portal as it is crossed in one direction, or a link.
///
/// Places are relative to the start, in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The number of the edge that is crossed; links follow after all edges.
    pub(super) key: u32,
    /// The polygon that is left.
    pub(super) polygon: u32,
    /// The number of its edge, as in [`Step::edge`].
    pub(super) edge: u32,
    /// The polygon that is entered.
    pub(super) beyond: u32,
    /// The next piece of the same portal.
    pub(super) next: u32,
    /// The next piece that leads into the same polygon.
    pub(super) peer: u32,
    /// Number of times that it was taken off the open list in this round.
    pub(super) takes: u32,
    /// Has a cheaper path to it been found since `value` was computed?
    pub(super) stale: bool,
    /// The piece that lowered its bound last.
    pub(super) from: u32,
    /// The target whose path was traced back over it last.
    pub(super) traced: u32,
    /// Its position in the open list.
    pub(super) place: u32,
    /// Its part of the portal, from 0 to 1.
    pub(super) share: [f64; 2],
    /// Its ends, where paths arrive. For a link both are one place.
    pub(super) ends: [[f64; 2]; 2],
    /// The heights there, where heights cost something.
    pub(super) heights: [f64; 2],
    /// The ends from which paths leave beyond it: the same, or the end of a link.
    pub(super) exit: [f64; 2],
    /// The height there.
    pub(super) exit_height: f64,
    /// The cost of taking it: that of a link.
    pub(super) toll: f64,
    /// The bound at both ends.
    ///
    /// No path to a place between them costs less than the line between these values.
    pub(super) value: [f64; 2],
    /// How far the line is below the known values of the ends and the middle.
    pub(super) loss: f64,
    /// The lower bound of all paths over it.
    pub(super) f: f64,
}

impl Queued for Piece {
    const NOWHERE: &'static Piece = &Piece::NOWHERE;

    fn place(&self) -> u32 {
        self.place
    }

    fn stand(&mut self, place: u32) {
        self.place = place;
    }

    /// Of equals the older one comes first.
    #[inline]
    fn is_better(&self, number: u32, other: &Piece, others: u32) -> bool {
        self.f < other.f || (self.f == other.f && number < others)
    }
}

impl Piece {
    /// A piece that no portal has.
    pub(super) const NOWHERE: Piece = Piece {
        key: NONE,
        polygon: 0,
        edge: 0,
        beyond: 0,
        next: NONE,
        peer: NONE,
        takes: 0,
        stale: true,
        from: NONE,
        traced: NONE,
        place: NEW,
        share: [0.0, 1.0],
        ends: [[0.0; 2]; 2],
        heights: [0.0; 2],
        exit: [0.0; 2],
        exit_height: 0.0,
        toll: 0.0,
        value: [f64::INFINITY; 2],
        loss: 0.0,
        f: f64::INFINITY,
    };
}

impl Default for Piece {
    fn default() -> Piece {
        Piece::NOWHERE
    }
}

impl Piece {
    /// Forgets the cost of reaching it.
    pub(super) fn clear(&mut self) {
        let Piece { takes, stale, from, traced, place, value, loss, f, .. } = Piece::NOWHERE;
        *self = Piece { takes, stale, from, traced, place, value, loss, f, ..*self };
    }

    pub(super) fn step(&self) -> Step {
        Step { polygon: self.polygon, edge: self.edge }
    }

    pub(super) fn is_link(&self) -> bool {
        self.step().link().is_some()
    }

    /// Is it a whole portal?
    pub(super) fn is_whole(&self) -> bool {
        self.share == [0.0, 1.0] && !self.is_link()
    }

    /// The span on which paths arrive.
    pub(super) fn span(&self) -> Span {
        Span { ends: self.ends, heights: self.heights }
    }

    /// The paths that leave it over the ground beyond.
    pub(super) fn ways(&self, ground: Ground) -> Ways {
        if self.is_link() {
            let exit = Span { ends: [self.exit; 2], heights: [self.exit_height; 2] };
            Ways::new(&exit, self.value.map(|v| v + self.toll), ground)
        } else {
            Ways::new(&self.span(), self.value, ground)
        }
    }
}

/// A portal or link of a polygon, as a search reaches it.
pub(super) struct Exit {
    pub(super) key: u32,
    pub(super) edge: u32,
    pub(super) beyond: PolyId,
    pub(super) ends: [[i32; 2]; 2],
}

/// Calls `f` with every portal of a polygon that may be crossed.
pub(super) fn exits(query: &NavQuery<'_>, polygon: u32, mut f: impl FnMut(Exit)) {
    let border = query.mesh().polys().border(polygon);
    for k in 0..border.len() {
        let edge = border.at(k);
        let beyond = query.closings().beyond(&edge).map(PolyId);
        if let Some(beyond) = beyond.filter(|&b| query.enters(PolyId(polygon), b)) {
            f(Exit {
                key: edge.number(),
                edge: k as u32,
                beyond,
                ends: [edge.at, border.after(k).at],
            });
        }
    }
}

/// The key of the list of pieces that lead into a polygon.
pub(super) fn polygon_key(mesh: &NavMesh<'_>, polygon: u32) -> u32 {
    link_key(mesh, mesh.link_count()).saturating_add(polygon)
}

/// The key of a link.
pub(super) fn link_key(mesh: &NavMesh<'_>, number: u32) -> u32 {
    mesh.edge_count().saturating_add(number)
}

/// A place relative to another one.
pub(super) fn relative(p: [i32; 2], start: [i32; 2]) -> [f64; 2] {
    let (p, s) = (float(p), float(start));
    [p[0] - s[0], p[1] - s[1]]
}
