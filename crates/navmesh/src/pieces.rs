//! Polygons that changed after the bake, and the pieces that replace them.
//!
//! A changed mesh has all baked polygons under their numbers, and pieces after them. A baked
//! polygon that lost ground is [`GONE`]: it has no edges, and its `detail` is the number of its
//! first piece.
//! Location lists, islands, blocks and tables still name baked polygons; the functions here lead
//! from those to what is there now, and back.

use crate::record::Records;
use crate::{Border, Edge, GONE, NONE, PolyMesh, Polygon};

/// What replaces polygons that changed. Nothing on a mesh as baked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pieces<'a> {
    /// Another number after each change, 0 as baked.
    pub generation: u32,
    /// The number of baked polygons: the number of the first piece.
    pub polygons: u32,
    /// The number of edges of baked polygons: the number of the first edge of a piece.
    pub edges: u32,
    /// The number of baked pivots: pivots of corners that changed have numbers from there on.
    pub pivots: u32,
    /// The polygons and the edges as baked.
    pub baked: (Records<'a, Polygon>, Records<'a, Edge>),
    /// The baked polygons that are in pieces or wholly gone.
    pub cut: Records<'a, u32>,
    /// The baked polygon that each piece is of; [`NONE`] where there is no piece.
    pub origins: Records<'a, u32>,
    /// The next piece of the same baked polygon, [`NONE`] after the last.
    pub next: Records<'a, u32>,
    /// The number, in its baked polygon, of the edge that each edge of a piece is on; [`NONE`]
    /// within.
    pub sides: Records<'a, u32>,
    /// For each block another one that paths may have to cross as well, round in a ring. Paths
    /// that leave a changed polygon may come back to it.
    pub rings: Records<'a, u32>,
    /// The polygons on which each link begins and ends now; [`NONE`] where the ground is gone.
    pub links: Records<'a, [u32; 2]>,
    /// Areas that volumes give to pieces, bit k for area k. Others are as baked.
    pub areas: u64,
}

impl Pieces<'_> {
    /// The baked polygon that a polygon is or that it is a piece of.
    #[inline]
    pub fn origin(&self, polygon: u32) -> u32 {
        match polygon.checked_sub(self.polygons) {
            Some(piece) if !self.origins.is_empty() => {
                self.origins.get(piece as usize).unwrap_or(NONE)
            }
            _ => polygon,
        }
    }
}

impl<'a> PolyMesh<'a> {
    /// May polygons have changed since the bake?
    #[inline]
    pub fn is_changed(&self) -> bool {
        !self.pieces.origins.is_empty()
    }

    /// The number of polygons as baked. Pieces have numbers from there on.
    #[inline]
    pub fn baked_len(&self) -> u32 {
        if self.is_changed() { self.pieces.polygons } else { self.len() }
    }

    /// The number of pivots as baked. Pivots of corners that changed have numbers from there on.
    #[inline]
    pub fn baked_pivots(&self) -> u32 {
        if self.is_changed() { self.pieces.pivots } else { self.pivots }
    }

    /// The baked polygon that a polygon is or that it is a piece of.
    #[inline]
    pub fn origin(&self, polygon: u32) -> u32 {
        self.pieces.origin(polygon)
    }

    /// The border of a baked polygon as baked, also where it is in pieces.
    pub fn baked_border(&self, polygon: u32) -> Border<'a> {
        if !self.is_changed() {
            return self.border(polygon);
        }
        let (polygons, edges) = self.pieces.baked;
        PolyMesh { polygons, edges, ..PolyMesh::default() }.border(polygon)
    }

    /// Is a polygon not there now? Pieces may replace it.
    #[inline]
    pub fn is_gone(&self, polygon: u32) -> bool {
        self.polygons.get(polygon as usize).is_some_and(|own| own.area & GONE != 0)
    }

    /// Calls `found` for what is there of a baked polygon: itself, or its pieces.
    #[inline]
    pub fn each_piece(&self, polygon: u32, mut found: impl FnMut(u32)) {
        if self.is_changed() && self.is_gone(polygon) {
            self.pieces_of(polygon).for_each(found);
        } else {
            found(polygon);
        }
    }

    /// The pieces of a baked polygon that is gone.
    pub fn pieces_of(&self, polygon: u32) -> impl Iterator<Item = u32> {
        let gone = self.polygons.get(polygon as usize).filter(|own| own.area & GONE != 0);
        let mut at = gone.filter(|_| polygon < self.pieces.polygons).map_or(NONE, |g| g.detail);
        let place = |piece: u32| piece.checked_sub(self.pieces.polygons);
        // A ring of pieces would be an error of the writer; it must not hang a reader.
        (0..self.pieces.next.len()).map_while(move |_| {
            let piece = at;
            at = self.pieces.next.get(place(piece)? as usize)?;
            Some(piece)
        })
    }

    /// Calls `found` for what is there of a baked polygon's edge, by polygon and number of the
    /// edge.
    pub fn each_part(&self, (polygon, edge): (u32, u32), mut found: impl FnMut(u32, u32)) {
        if !(self.is_changed() && self.is_gone(polygon)) {
            found(polygon, edge);
            return;
        }
        for piece in self.pieces_of(polygon) {
            let border = self.border(piece);
            for k in 0..border.len() {
                if self.side(border.number(k)) == edge {
                    found(piece, k as u32);
                }
            }
        }
    }

    /// The number of the baked edge that an edge of a piece is on, by its number among all.
    #[inline]
    pub fn side(&self, edge: u32) -> u32 {
        let place = edge.checked_sub(self.pieces.edges);
        place.and_then(|place| self.pieces.sides.get(place as usize)).unwrap_or(NONE)
    }

    /// Is the ground at an end of a link gone?
    #[inline]
    pub fn is_link_gone(&self, link: u32) -> bool {
        self.pieces.links.get(link as usize).is_some_and(|ends| ends.contains(&NONE))
    }
}
