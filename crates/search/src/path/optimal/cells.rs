//! Which polygons lie where, and the place of a point: location on the chart.
//!
//! Squares of the ground plane, about as many as there are polygons; each lists the polygons whose boxes meet it. A point's square names
//! the few that can hold it. The index in the blob takes far less room and is read by decoding.

use navbake_format::{NavMeshView, PolyId, fan};

use super::chart::{Chart, ChartEdge, ChartPolygon, NONE};
use super::cone::{towards, turn};
use crate::math::float;
use crate::{Location, Query};

/// Squares of the ground plane, and the polygons there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cells<'a> {
    /// Least corner of the first square.
    least: [i32; 2],
    /// Sides of squares are powers of two.
    shift: u32,
    /// Squares along x and z.
    across: [u32; 2],
    /// Where the list of each square begins, and where the last one ends.
    starts: &'a [u32],
    /// Lists of polygons, ids rising in each.
    items: &'a [Item],
}

/// A polygon in a square's list, and what of the square its box meets, in 256 steps along x and z: a list of some hardly takes more than a line of a cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    polygon: u32,
    least: [u8; 2],
    greatest: [u8; 2],
}

/// In which step of its square, with a side of 2^shift, a coordinate lies that is so far from the first one.
#[inline]
fn step(offset: i64, shift: u32) -> u8 {
    let within = offset & ((1 << shift) - 1);
    match shift.checked_sub(8) {
        Some(shift) => (within >> shift) as u8,
        None => within as u8,
    }
}

impl<'a> Cells<'a> {
    /// The polygons that may hold a point.
    #[inline]
    fn at(&self, p: [i32; 2]) -> impl Iterator<Item = u32> + use<'a> {
        let offset = [0, 1].map(|k| i64::from(p[k]) - i64::from(self.least[k]));
        let steps = offset.map(|o| step(o, self.shift));
        let near = move |item: &Item| {
            let inside = |k: usize| item.least[k] <= steps[k] && steps[k] <= item.greatest[k];
            (inside(0) && inside(1)).then_some(item.polygon)
        };
        let items = self.square(offset.map(|o| o >> self.shift));
        items.unwrap_or(&[]).iter().filter_map(near)
    }

    /// The list of a square.
    #[inline]
    fn square(&self, [column, row]: [i64; 2]) -> Option<&'a [Item]> {
        let [columns, rows] = self.across.map(i64::from);
        if column < 0 || column >= columns || row < 0 || row >= rows {
            return None;
        }
        let i = row as usize * columns as usize + column as usize;
        let &[start, end] = self.starts.get(i..)?.first_chunk()?;
        self.items.get(start as usize..end as usize)
    }
}

impl Chart<'_> {
    /// Calls `found` for each polygon that holds a point in the ground plane and may have a height from `low` to `high` there, in order of
    /// their ids, with that height in grid units. The same heights as [`navbake_format::Polygon::height`] gives.
    #[inline]
    pub(crate) fn above_or_below(
        &self,
        mesh: &NavMeshView<'_>,
        p: [i32; 2],
        [low, high]: [f64; 2],
        mut found: impl FnMut(PolyId, f64),
    ) {
        for number in self.cells.at(p) {
            let border = self.border(number);
            if !holds(border, p) {
                continue;
            }
            let Some(polygon) = self.polygons.get(number as usize) else {
                continue;
            };
            if polygon.relief != NONE {
                let heights = self.relief_heights(mesh, polygon.relief);
                let [least, greatest] = heights.map(f64::from);
                if greatest < low || high < least {
                    continue;
                }
            }
            found(PolyId(number), self.height(mesh, polygon, border, p));
        }
    }

    /// Height of a polygon, whose border is told, at a point that it holds.
    #[inline]
    fn height(
        &self,
        mesh: &NavMeshView<'_>,
        polygon: &ChartPolygon,
        border: &[ChartEdge],
        p: [i32; 2],
    ) -> f64 {
        if polygon.relief != NONE {
            return self.relief_height(mesh, polygon.relief, float(p));
        }
        let heights = self.heights.get(polygon.first as usize..).unwrap_or(&[]);
        let corner = |k: usize| {
            let [x, z] = border.get(k).map_or([0; 2], |e| e.at);
            [x, heights.get(k).copied().unwrap_or(0), z]
        };
        fan::height(border.len(), corner, float(p))
    }

    /// The place on a polygon at a point, if it holds that.
    pub(in super::super) fn place_on(
        &self,
        query: &Query<'_>,
        polygon: PolyId,
        p: [i32; 2],
    ) -> Option<Location> {
        let border = self.border(polygon.0);
        if !holds(border, p) {
            return None;
        }
        let own = self.polygons.get(polygon.index())?;
        let height = self.height(query.mesh(), own, border, p);
        Some(query.location(polygon, p, height))
    }
}

impl Chart<'_> {
    /// Does the polygon, which holds the point, still hold it when it is moved a tiny bit? As [`crate::surface::holds_moved`] tells.
    pub(crate) fn holds_moved(&self, polygon: PolyId, p: [i32; 2]) -> bool {
        let border = self.border(polygon.0);
        border.iter().enumerate().all(|(k, edge)| {
            let (a, b) = (edge.at, border.get(k + 1).unwrap_or(&border[0]).at);
            let stays = b[1] > a[1] || (b[1] == a[1] && b[0] < a[0]);
            stays || turn(towards(a, b), towards(a, p)) > 0
        })
    }

    /// Does a point that the polygon holds lie on its border? Only then may others hold it. True where there is no such polygon.
    pub(super) fn is_on_border(&self, polygon: PolyId, p: [i32; 2]) -> bool {
        let border = self.border(polygon.0);
        let Some(mut a) = border.last().map(|e| e.at) else {
            return true;
        };
        border.iter().any(|edge| {
            let on = turn(towards(a, edge.at), towards(a, p)) == 0;
            a = edge.at;
            on
        })
    }
}

/// Does the closed polygon hold the point? Exact.
#[inline]
fn holds(border: &[ChartEdge], p: [i32; 2]) -> bool {
    let Some(mut a) = border.last().map(|e| e.at) else {
        return false;
    };
    let mut inside = true;
    for edge in border {
        inside &= turn(towards(a, edge.at), towards(a, p)) >= 0;
        a = edge.at;
    }
    inside
}

/// Squares that own their memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub(super) struct CellsBuffer {
    least: [i32; 2],
    shift: u32,
    across: [u32; 2],
    starts: alloc::vec::Vec<u32>,
    items: alloc::vec::Vec<Item>,
}

/// A polygon and its box.
#[cfg(feature = "alloc")]
struct Around<'e> {
    polygon: u32,
    border: &'e [ChartEdge],
    least: [i32; 2],
    greatest: [i32; 2],
}

#[cfg(feature = "alloc")]
impl Around<'_> {
    /// May it hold a place in a rectangle? No edge has all of that beyond it.
    fn meets(&self, place: [[i32; 2]; 2]) -> bool {
        let ends = self.border.iter().zip(self.border.iter().cycle().skip(1));
        !ends
            .into_iter()
            .any(|(a, b)| navbake_format::exact::is_right_of(a.at, b.at, place))
    }
}

/// At most so many squares a polygon, and so many places in lists.
#[cfg(feature = "alloc")]
const MOST: [u64; 2] = [8, 16];

#[cfg(feature = "alloc")]
impl CellsBuffer {
    /// Over polygons (one more than there are) and their edges.
    pub(super) fn new(polygons: &[super::chart::ChartPolygon], edges: &[ChartEdge]) -> CellsBuffer {
        use alloc::vec;
        let around = |edges: &[ChartEdge]| {
            let none = [[i32::MAX; 2], [i32::MIN; 2]];
            edges.iter().fold(none, |[low, high], e| {
                [
                    [0, 1].map(|k| low[k].min(e.at[k])),
                    [0, 1].map(|k| high[k].max(e.at[k])),
                ]
            })
        };
        let whole = around(edges);
        let items: alloc::vec::Vec<Around<'_>> = (0..)
            .zip(polygons.windows(2))
            .map(|(polygon, pair)| {
                let border = edges.get(pair[0].first as usize..pair[1].first as usize);
                let border = border.unwrap_or(&[]);
                let [least, greatest] = around(border);
                Around {
                    polygon,
                    border,
                    least,
                    greatest,
                }
            })
            .filter(|item| item.least[0] <= item.greatest[0])
            .collect();
        let count = items.len() as u64;
        let mut buffer = CellsBuffer {
            least: whole[0],
            shift: 0,
            across: [0; 2],
            starts: vec![0],
            items: vec![],
        };
        if items.is_empty() {
            return buffer;
        }
        // The least squares of which there are not too many, nor too many places in their lists.
        loop {
            let side = [0, 1].map(|k| buffer.cell(whole[1][k], k) + 1);
            let meets = |item: &Around<'_>| {
                let along =
                    |k: usize| buffer.cell(item.greatest[k], k) - buffer.cell(item.least[k], k) + 1;
                along(0) * along(1)
            };
            let few = side[0] * side[1] <= MOST[0] * count
                && items.iter().map(meets).sum::<u64>() <= MOST[1] * count;
            if few || side == [1, 1] {
                buffer.across = side.map(|n| n as u32);
                break;
            }
            buffer.shift += 1;
        }
        buffer.fill(&items);
        buffer
    }

    /// Which square along an axis.
    fn cell(&self, at: i32, k: usize) -> u64 {
        ((i64::from(at) - i64::from(self.least[k])) >> self.shift) as u64
    }

    /// The squares that a polygon meets, and what stands for it there.
    fn squares<'i>(&'i self, item: &'i Around<'i>) -> impl Iterator<Item = (usize, Item)> + 'i {
        let [x, z] = [0, 1].map(|k| self.cell(item.least[k], k)..=self.cell(item.greatest[k], k));
        let all = z.flat_map(move |z| x.clone().map(move |x| [x, z]));
        all.filter_map(|square| {
            let number = square[1] as usize * self.across[0] as usize + square[0] as usize;
            Some((number, self.part(item, square)?))
        })
    }

    /// Sorts polygons into lists.
    fn fill(&mut self, items: &[Around<'_>]) {
        use alloc::vec;
        let across = self.across.map(|n| n as usize);
        let mut starts = vec![0u32; across[0] * across[1] + 1];
        for (square, _) in items.iter().flat_map(|item| self.squares(item)) {
            starts[square + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let nothing = Item {
            polygon: NONE,
            least: [0; 2],
            greatest: [0; 2],
        };
        let mut lists = vec![nothing; starts.last().map_or(0, |&n| n as usize)];
        for (square, item) in items.iter().flat_map(|item| self.squares(item)) {
            lists[next[square] as usize] = item;
            next[square] += 1;
        }
        (self.starts, self.items) = (starts, lists);
    }

    /// A polygon in the list of a square that its box meets; `None` if it does not meet it itself.
    fn part(&self, item: &Around<'_>, square: [u64; 2]) -> Option<Item> {
        let first = [0, 1].map(|k| i64::from(self.least[k]) + ((square[k] as i64) << self.shift));
        let last = first.map(|c| c + (1 << self.shift) - 1);
        // Between two such.
        let within = |at: i64, k: usize| at.clamp(item.least[k].into(), item.greatest[k].into());
        let least = [0, 1].map(|k| within(first[k], k) as i32);
        let greatest = [0, 1].map(|k| within(last[k], k) as i32);
        let of = |place: [i32; 2]| {
            [0, 1].map(|k| step(i64::from(place[k]) - i64::from(self.least[k]), self.shift))
        };
        item.meets([least, greatest]).then(|| Item {
            polygon: item.polygon,
            least: of(least),
            greatest: of(greatest),
        })
    }

    pub(super) fn cells(&self) -> Cells<'_> {
        Cells {
            least: self.least,
            shift: self.shift,
            across: self.across,
            starts: &self.starts,
            items: &self.items,
        }
    }
}
