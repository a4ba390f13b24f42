//! Visibility lists of polygons, so that a look-up need not compute visibility.
//!
//! They take memory and save time whenever a path ends on their polygon: about the same time per
//! byte on every polygon. So polygons are served by how likely a path ends there, which is by area.
//! Where there is room for more than all polygons, each polygon is divided into grid cells with
//! lists of their own. Those lists are shorter than the polygon's, and fewer of their views have
//! bounds.
//!
//! ```text
//!   polygon, cut by a grid of 2^shift units        lists
//!   +------+------+----+
//!   | 0    | 1    | 2  |                            row 0: corners seen from cell 0
//!   +------+------+---/                             row 1: corners seen from cell 1
//!   | 3    | 4    | 5/                              ...
//!   +------+------+-+
//! ```

use std::cmp::Reverse;

use crate::{Corners, View};
use navbake_format::exact;
use navbake_format::write::{ViewCells, squares_bytes, view_cells_bytes, views_bytes};
use navbake_search::NavMesh;
use rayon::prelude::*;

use crate::Packed;
use crate::packed::Squares;
use crate::trim::{Board, Trim, Trimmed};

/// The least and greatest side of grid cells with visibility lists, log2 of metres.
const SIDES: [i32; 2] = [3, 6];
/// The same for grid cells with labels.
///
/// Coarser ones are worse than visibility lists, and take more memory.
const LABEL_SIDES: [i32; 2] = [1, 3];
/// Size limit for labels of cells with less than the greatest side, bytes.
///
/// Reading from memory instead of caches costs more than smaller cells save.
const CACHED: u64 = 20 << 20;
/// A grid cell has fewer views and entries than this.
const MOST: usize = 0xFFFF;
/// The size of labels of grid cells is estimated from this many polygons.
const SAMPLE: usize = 512;

/// The visibility lists of all polygons of a mesh, in the order of service.
#[derive(Debug)]
pub struct Views {
    corners: Corners,
    /// Bits of a grid unit: 2^-bits m.
    bits: i32,
    polygons: Vec<OfPolygon>,
}

/// A rectangle: its least corner and its greatest, grid units.
type Place = [[i32; 2]; 2];

/// The number of polygons between two checks of the room.
const AT_ONCE: usize = 256;

/// The visibility list of a polygon.
#[derive(Clone, Debug)]
struct OfPolygon {
    polygon: u32,
    /// Twice its area seen from above, square grid units.
    area: i64,
    /// Its corners, counter-clockwise.
    border: Vec<[i32; 2]>,
    views: Vec<View>,
}

impl OfPolygon {
    /// Least and greatest corner of its bounding box.
    fn around(&self) -> [[i32; 2]; 2] {
        let none = [[i32::MAX; 2], [i32::MIN; 2]];
        self.border.iter().fold(none, |[low, high], p| {
            [[0, 1].map(|k| low[k].min(p[k])), [0, 1].map(|k| high[k].max(p[k]))]
        })
    }

    /// The grid cells with side 2^shift grid units that its box touches.
    ///
    /// Clipped to the box, row after row.
    fn squares(&self, shift: u8) -> (ViewCells, impl Iterator<Item = Place>) {
        let around = self.around();
        let [least, greatest] = around.map(|p| p.map(|c| c >> shift));
        let cells = ViewCells { first: 0, least, across: (greatest[0] - least[0] + 1) as u32 };
        let row = move |row| (least[0]..=greatest[0]).map(move |column| [column, row]);
        let places = (least[1]..=greatest[1]).flat_map(row).map(move |square| {
            [0, 1].map(|end| {
                [0, 1].map(|k| {
                    let at = ((i64::from(square[k]) + end) << shift) - end;
                    at.clamp(around[0][k].into(), around[1][k].into()) as i32 // between two such
                })
            })
        });
        (cells, places)
    }

    /// Is a rectangle beyond one of its edges?
    fn is_off(&self, place: Place) -> bool {
        let ends = self.border.iter().zip(self.border.iter().cycle().skip(1));
        ends.into_iter().any(|(&a, &b)| exact::is_right_of(a, b, place))
    }
}

/// The kind of a view, and the numbers that encode it.
fn numbers(view: &View) -> (usize, impl Iterator<Item = u32>) {
    let [right, left] = view.between.map(|c| Some(c).filter(|&c| c != view.corner));
    let kind = usize::from(right.is_some()) + 2 * usize::from(left.is_some());
    let numbers = [Some(view.corner), right, left];
    (kind, numbers.into_iter().flatten())
}

/// Rows of visibility lists, in the form that a blob stores.
#[derive(Default)]
struct Rows {
    ends: Vec<u32>,
    views: Vec<u32>,
}

impl Rows {
    /// Adds a row.
    fn add<'v>(&mut self, views: impl Iterator<Item = &'v View> + Clone) {
        for kind in 0..4 {
            let own = views.clone().map(numbers).filter(|n| n.0 == kind);
            self.views.extend(own.flat_map(|n| n.1));
            self.ends.push(self.views.len() as u32);
        }
    }
}

impl Views {
    /// Computes visibility from every corner. `None` when that took too much memory.
    pub fn new(mesh: &NavMesh<'_>) -> Option<Views> {
        let corners = Corners::new(mesh);
        let count = corners.count() as u32;
        let of = |look: &mut _, corner| {
            let mut views = vec![];
            corners.views(corner, look, &mut views).then_some(views)
        };
        let views: Option<Vec<Vec<View>>> =
            (0..count).into_par_iter().map_init(|| corners.look(), of).collect();
        let mut polygons: Vec<OfPolygon> = (mesh.polygons())
            .map(|p| OfPolygon {
                polygon: p.id().0,
                area: doubled_area((0..p.len()).map(|k| p.corner(k))),
                border: (0..p.len()).map(|k| p.corner(k)).collect(),
                views: vec![],
            })
            .collect();
        for view in views?.into_iter().flatten() {
            polygons[view.polygon as usize].views.push(view);
        }
        polygons.sort_by_key(|p| (Reverse(p.area), p.polygon));
        Some(Views { corners, bits: i32::from(mesh.grid().bits), polygons })
    }

    /// Their size in a blob, bytes: the lists of all polygons, each with one row.
    pub fn bytes(&self) -> u64 {
        let views = self.polygons.iter().flat_map(|of| &of.views);
        let all = views.map(|view| numbers(view).1.count() as u64).sum();
        self.bytes_of(self.polygons.len() as u64, all)
    }

    fn bytes_of(&self, rows: u64, numbers: u64) -> u64 {
        views_bytes(self.corners.count() as u64, rows, numbers)
    }

    /// Adds as much as fits into `room` bytes to the labels of the mesh.
    ///
    /// The visibility lists of as many polygons as fit. Where there is room for more: those of all
    /// grid cells, as small as fit, or labels of grid cells. Returns the bytes used, and the share
    /// of the ground served, from 0 to 1.
    pub fn fill(&self, packed: &mut Packed, room: u64) -> (u64, f64) {
        packed.forget_views();
        if self.polygons.iter().all(|of| of.views.is_empty()) {
            return (0, 0.0);
        }
        if self.bytes() > room {
            return self.fill_some(packed, room);
        }
        if let Some(bytes) = self.fill_best_labels(packed, room) {
            return (bytes, 1.0);
        }
        let mut kept = None;
        for metres in (SIDES[0]..=SIDES[1]).rev() {
            let shift = (self.bits + metres).clamp(0, 31) as u8;
            let Some(bytes) = self.fill_squares(packed, shift, room) else {
                break;
            };
            kept = Some((bytes, 1.0));
        }
        kept.unwrap_or_else(|| self.fill_some(packed, room))
    }

    /// Adds the visibility lists of all grid cells with side 2^shift grid units.
    ///
    /// `shift` is at most 31. Returns the bytes used. `None`, with nothing changed, where they
    /// exceed `room`.
    pub fn fill_squares(&self, packed: &mut Packed, shift: u8, room: u64) -> Option<u64> {
        let (rows, cells) = self.in_squares(shift, room)?;
        let bytes = self.bytes_of(rows.ends.len() as u64 / 4, rows.views.len() as u64)
            + view_cells_bytes(cells.len() as u64);
        packed.forget_views();
        (packed.view_ends, packed.views) = (rows.ends, rows.views);
        (packed.view_cells, packed.view_shift) = (cells, shift);
        Some(bytes)
    }

    /// Adds the visibility lists of whole polygons.
    fn fill_some(&self, packed: &mut Packed, room: u64) -> (u64, f64) {
        let polygons = self.polygons.len();
        let mut served: Vec<&[View]> = vec![&[]; polygons];
        let (mut all, mut area) = (0, 0.0);
        for of in &self.polygons {
            let own: usize = of.views.iter().map(|view| numbers(view).1.count()).sum();
            let more = all + own as u64;
            if self.bytes_of(polygons as u64, more) <= room {
                all = more;
                area += of.area as f64;
                served[of.polygon as usize] = &of.views;
            }
        }
        if all == 0 {
            return (0, 0.0);
        }
        let mut rows = Rows::default();
        for views in served {
            rows.add(views.iter());
        }
        (packed.view_ends, packed.views) = (rows.ends, rows.views);
        let whole: f64 = self.polygons.iter().map(|p| p.area as f64).sum();
        (self.bytes_of(polygons as u64, all), area / whole.max(1.0))
    }

    /// Polygons by their numbers.
    fn by_number(&self) -> Vec<&OfPolygon> {
        let mut order: Vec<&OfPolygon> = self.polygons.iter().collect();
        order.sort_by_key(|of| of.polygon);
        order
    }

    /// The views from a grid cell of a polygon's box.
    fn seen_from(&self, of: &OfPolygon, place: Place) -> Vec<View> {
        let views: &[View] = if of.is_off(place) { &[] } else { &of.views };
        let own = views.iter();
        own.filter_map(|view| self.corners.narrowed(view, place)).collect()
    }

    /// Adds labels to grid cells as small as fit.
    ///
    /// `None`, with nothing changed, where none fit.
    fn fill_best_labels(&self, packed: &mut Packed, room: u64) -> Option<u64> {
        let mut sides = LABEL_SIDES[0]..=LABEL_SIDES[1];
        sides.find_map(|side| {
            let room = match side < LABEL_SIDES[1] {
                true => room.min(CACHED),
                false => room,
            };
            let shift = (self.bits + side).clamp(0, 31) as u8;
            let step = self.polygons.len().div_ceil(SAMPLE);
            let some = self.labels_of_squares(packed, shift, step, u64::MAX)?;
            // An estimate slightly above the room is tried.
            let estimate = self.bytes_of_squares(&some).saturating_mul(step as u64);
            if estimate / 5 * 4 > room {
                return None;
            }
            self.fill_labels(packed, shift, room)
        })
    }

    /// Adds labels instead of visibility lists to grid cells with side 2^shift units.
    ///
    /// `shift` is at most 31. Returns the bytes used. `None`, with nothing changed, where they
    /// exceed `room`.
    pub fn fill_labels(&self, packed: &mut Packed, shift: u8, room: u64) -> Option<u64> {
        let made = self.labels_of_squares(packed, shift, 1, room)?;
        let bytes = self.bytes_of_squares(&made);
        packed.forget_views();
        (packed.squares, packed.view_cells) = made;
        packed.view_shift = shift;
        Some(bytes)
    }

    /// The labels of all grid cells of every `step`-th polygon.
    ///
    /// `None` where they exceed `room` bytes.
    fn labels_of_squares(
        &self,
        packed: &Packed,
        shift: u8,
        step: usize,
        room: u64,
    ) -> Option<(Squares, Vec<ViewCells>)> {
        let trim = Trim::new(&self.corners, packed);
        let of = |board: &mut Board, of: &&OfPolygon| {
            let (cells, places) = of.squares(shift);
            let labels = places.map(|place| trim.square(&self.seen_from(of, place), place, board));
            (cells, labels.collect())
        };
        let mut all = (Squares::default(), vec![]);
        let order: Vec<_> = self.by_number().into_iter().step_by(step).collect();
        for some in order.chunks(AT_ONCE) {
            let of_some = some.par_iter().map_init(|| trim.board(), of);
            let made: Vec<(ViewCells, Vec<Trimmed>)> = of_some.collect();
            for (mut cells, labels) in made {
                cells.first = all.0.ends.len() as u32;
                all.1.push(cells);
                if labels.iter().any(|l| l.views.len() + l.entries.len() >= MOST) {
                    return None;
                }
                labels.iter().for_each(|label| all.0.add(label));
            }
            if self.bytes_of_squares(&all) > room.min(u32::MAX.into()) {
                return None;
            }
        }
        Some(all)
    }

    fn bytes_of_squares(&self, (squares, cells): &(Squares, Vec<ViewCells>)) -> u64 {
        let corners = self.corners.count() as u64;
        let squares = squares_bytes(corners, squares.parts().counts());
        squares + view_cells_bytes(cells.len() as u64)
    }

    /// The visibility lists of all grid cells with side 2^shift grid units.
    ///
    /// `None` where they exceed `room` bytes.
    fn in_squares(&self, shift: u8, room: u64) -> Option<(Rows, Vec<ViewCells>)> {
        let order = self.by_number();
        let (mut rows, mut cells) = (Rows::default(), Vec::with_capacity(order.len()));
        let room = room.checked_sub(view_cells_bytes(order.len() as u64))?;
        for of in order {
            let (mut own, places) = of.squares(shift);
            own.first = (rows.ends.len() / 4) as u32;
            cells.push(own);
            for place in places {
                rows.add(self.seen_from(of, place).iter());
            }
            if self.bytes_of(rows.ends.len() as u64 / 4, rows.views.len() as u64) > room {
                return None;
            }
        }
        (!rows.views.is_empty()).then_some((rows, cells))
    }
}

fn doubled_area(border: impl Iterator<Item = [i32; 2]> + Clone) -> i64 {
    let mut next = border.clone().cycle();
    next.next();
    let cross = |[a, b]: [[i32; 2]; 2]| {
        i128::from(a[0]) * i128::from(b[1]) - i128::from(a[1]) * i128::from(b[0])
    };
    let sum: i128 = border.zip(next).map(|(a, b)| cross([a, b])).sum();
    i64::try_from(sum.abs()).unwrap_or(i64::MAX)
}
