//! Visibility lists: the part of each polygon from which a corner is visible.
//!
//! A look from a corner crosses portals. Behind each portal it sees a piece of a polygon between
//! two rays:
//!
//! ```text
//!             \  piece  /
//!       -------\-------/-------   portal
//!               \     /
//!                \   /
//!               corner
//! ```
//!
//! Adjacent pieces are joined. The bounds of the joined piece are then the obstacles, which are
//! corners.

use navbake_navmesh::Corner;

use navbake_search::parts::{along, reversed, towards, turn};

use crate::corners::{CornerLook, Corners};

/// The part of a polygon from which a shortest path may turn at a visible corner.
/// It may be larger than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct View {
    /// The polygon.
    pub polygon: u32,
    /// The visible corner.
    pub corner: u32,
    /// Two corners that bound the part by rays from the visible one.
    /// The part is to the left of the ray through the first, and to the right of the ray through
    /// the second. The visible corner itself where that side has no bound.
    pub between: [u32; 2],
    /// The corner is visible from all of the part.
    /// Otherwise an obstacle without a corner hides it somewhere.
    pub is_exact: bool,
}

/// A piece that is visible through one portal or several.
#[derive(Clone, Copy)]
struct Piece {
    polygon: u32,
    rays: [[i32; 2]; 2],
}

impl Corners {
    /// Adds all parts of polygons from which a corner is visible, by polygon.
    /// Returns false when there was no room to look around.
    pub fn views(&self, corner: u32, look: &mut CornerLook, views: &mut Vec<View>) -> bool {
        let own = self.records().at(corner as usize);
        let polys = &self.polys();
        let near = self.around(corner);
        for &(_, polygon) in near {
            let border = polys.border(polygon);
            let directions = border.iter().map(|e| towards(own.at, e.at));
            if own.may_turn(directions) {
                views.push(View { polygon, corner, between: [corner; 2], is_exact: true });
            }
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut around = look.from(polys, self.records(), own.at);
        around.start(self.polygon(corner));
        while let Some(window) = around.next_window() {
            let rays = [window.right, window.left];
            if own.may_turn_within(rays) {
                let polygon = window.polygon;
                pieces.push(Piece { polygon, rays });
                around.through(&window);
            }
        }
        if around.full {
            return false;
        }
        // By polygon; pieces that touch are joined.
        pieces.sort_by_key(|p| (p.polygon, p.rays));
        for pieces in pieces.chunk_by_mut(|a, b| a.polygon == b.polygon) {
            let polygon = pieces[0].polygon;
            if near.binary_search(&(corner, polygon)).is_ok() && own.is_wedge() {
                continue;
            }
            let border = polys.border(polygon);
            let directions = || border.iter().map(|e| towards(own.at, e.at));
            if !own.may_turn(directions()) {
                continue;
            }
            for &Piece { rays, .. } in joined(pieces) {
                let bound = |k: usize| {
                    let cuts = directions().any(|d| match k {
                        0 => turn(rays[0], d) < 0,
                        _ => turn(d, rays[1]) < 0,
                    });
                    let at = [0, 1].map(|i| own.at[i] + rays[k][i]);
                    cuts.then(|| self.at(at))
                };
                let bounds = [bound(0), bound(1)];
                views.push(View {
                    polygon,
                    corner,
                    between: bounds.map(|b| b.flatten().unwrap_or(corner)),
                    is_exact: bounds.iter().all(|b| *b != Some(None)),
                });
            }
        }
        true
    }
}

impl Corners {
    /// The part of a view that remains for the places in a rectangle.
    /// The rectangle goes from its least corner to its greatest. Bounds that all of its places keep
    /// are dropped. `None` where no place keeps one of the bounds, or no shortest path from there
    /// turns at the corner.
    pub fn narrowed(&self, view: &View, [least, greatest]: [[i32; 2]; 2]) -> Option<View> {
        let own = self.records().at(view.corner as usize);
        let back = own.directions([least, greatest]);
        // A place at the corner itself is within every bound.
        if !own.may_turn(back.into_iter()) {
            return None;
        }
        let mut narrowed = *view;
        for (k, bound) in narrowed.between.iter_mut().enumerate() {
            if *bound == view.corner {
                continue;
            }
            let ray = towards(own.at, self.records().at(*bound as usize).at);
            let keeps = |d: [i32; 2]| match k {
                0 => turn(ray, d) >= 0,
                _ => turn(d, ray) >= 0,
            };
            let kept = back.into_iter().filter(|&d| keeps(d)).count();
            match kept {
                0 => return None,
                4 => *bound = view.corner,
                _ => {}
            }
        }
        Some(narrowed)
    }

    /// May a shortest path from a rectangle go around a corner on a side?
    /// The rectangle goes from its least corner to its greatest. `None` where no path does;
    /// otherwise whether all do.
    pub fn sets_out(
        &self,
        corner: u32,
        side: u8,
        [least, greatest]: [[i32; 2]; 2],
    ) -> Option<bool> {
        let own = self.records().at(corner as usize);
        let back = own.directions([least, greatest]);
        let is_inside = (0..2).all(|k| least[k] <= own.at[k] && own.at[k] <= greatest[k]);
        let Some(sectors) = own.sectors() else {
            return (side == 0).then_some(true);
        };
        if is_inside {
            return Some(false);
        }
        // Relative to the corner: a path arrives from the opposite of its direction.
        let mut back = back.into_iter();
        let may = may_meet(sectors[usize::from(side)], back.clone());
        may.then(|| back.all(|d| own.side(reversed(d)) == Some(side)))
    }
}

/// Joins pieces where one ends and another begins.
fn joined(pieces: &mut [Piece]) -> &[Piece] {
    let mut count = pieces.len();
    while let Some((first, second)) = touching(&pieces[..count]) {
        pieces[first].rays[1] = pieces[second].rays[1];
        count -= 1;
        pieces[second] = pieces[count];
    }
    &pieces[..count]
}

/// Two pieces, the first of which ends where the second begins.
fn touching(pieces: &[Piece]) -> Option<(usize, usize)> {
    let touch = |a: [i32; 2], b: [i32; 2]| turn(a, b) == 0 && along(a, b) > 0;
    let pairs = (0..pieces.len()).flat_map(|i| (0..pieces.len()).map(move |j| (i, j)));
    let mut apart = pairs.filter(|(i, j)| i != j);
    apart.find(|&(i, j)| touch(pieces[i].rays[1], pieces[j].rays[0]))
}

/// The directions in which paths turn at a corner.
trait Turns {
    fn directions(&self, rectangle: [[i32; 2]; 2]) -> [[i32; 2]; 4];
    fn sectors(&self) -> Option<[[[i32; 2]; 2]; 2]>;
    fn may_turn_within(&self, rays: [[i32; 2]; 2]) -> bool;
    fn may_turn(&self, directions: impl Iterator<Item = [i32; 2]> + Clone) -> bool;
}

impl Turns for Corner {
    /// The directions of a rectangle's corners, counter-clockwise from its least one.
    fn directions(&self, [least, greatest]: [[i32; 2]; 2]) -> [[i32; 2]; 4] {
        let places = [least, [greatest[0], least[1]], greatest, [least[0], greatest[1]]];
        places.map(|p| towards(self.at, p))
    }

    /// The directions from the corner to places whose paths may turn at it.
    /// Two sectors, each from one direction counter-clockwise to another. `None` where all
    /// directions qualify.
    fn sectors(&self) -> Option<[[[i32; 2]; 2]; 2]> {
        let (first, last) = (self.first, self.last);
        self.is_wedge().then(|| [[reversed(first), last], [first, reversed(last)]])
    }

    /// May a path from between two rays turn there?
    fn may_turn_within(&self, [right, left]: [[i32; 2]; 2]) -> bool {
        let within = |d: [i32; 2], [a, b]: [[i32; 2]; 2]| turn(a, d) >= 0 && turn(d, b) >= 0;
        self.sectors().is_none_or(|sectors| {
            sectors
                .into_iter()
                .any(|s| within(right, s) || within(left, s) || within(s[0], [right, left]))
        })
    }

    /// May a path from a convex area with corners in these directions turn there?
    /// The test may return true where no path can.
    fn may_turn(&self, directions: impl Iterator<Item = [i32; 2]> + Clone) -> bool {
        let directions = directions.filter(|d| *d != [0; 2]);
        self.sectors().is_none_or(|sectors| {
            sectors.into_iter().any(|sector| may_meet(sector, directions.clone()))
        })
    }
}

/// May a sector hold a direction between some of these directions?
/// The sector goes from one direction counter-clockwise to another. The test may return true where
/// it holds none.
fn may_meet([a, b]: [[i32; 2]; 2], directions: impl Iterator<Item = [i32; 2]> + Clone) -> bool {
    directions.clone().any(|d| turn(a, d) >= 0)
        && directions.clone().any(|d| turn(d, b) >= 0)
        && (directions.clone()).any(|d| along(a, d) > 0 || along(d, b) > 0)
}
