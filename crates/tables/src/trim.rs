//! Labels of grid cells: the useful part of the labels of their visible corners.
//!
//! A path from a place over a corner to a hub is useless if a path over another corner, visible
//! from the whole cell, is shorter from everywhere in the cell. The cell's label omits that entry
//! of the corner's label. About a tenth of the entries remain, hardly more than a label of a single
//! place would hold.
//!
//! The test compares with one other path at a time, for the whole cell or for each quarter of it.
//! It may keep too much, but never too little.

use crate::{Corners, View};
use navbake_format::SquareView;

use crate::Packed;

/// Paths whose lengths differ by less than this may be equal, units of labels.
const SAME: f64 = 8.0;
/// The sample places of a cell, with known shortest paths: its middle, its corners.
const SAMPLES: usize = 5;
/// The length of a missing path: longer than any; lengths may be added to it.
const NOWHERE: u64 = u64::MAX >> 1;
/// The cell and its quarters.
const PARTS: usize = 5;

/// The label of a grid cell; see [`navbake_format::SquareLabel`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Trimmed {
    pub(crate) views: Vec<SquareView>,
    /// The number of leading views whose corner is a hub that no entry names.
    pub(crate) own: u32,
    /// Hub, view and distance, in order.
    pub(crate) entries: Vec<(u32, u16, u32)>,
}

/// Computes the labels of grid cells.
pub(crate) struct Trim<'a> {
    corners: &'a Corners,
    packed: &'a Packed,
    /// The corner of each rank.
    ranked: Vec<u32>,
}

/// Memory for that, one per thread.
pub(crate) struct Board {
    /// By hub: the shortest path there from a sample place.
    ///
    /// The length is in the upper half. The lower half is the number of the corner it leads over,
    /// among those visible from the whole cell.
    ways: Vec<u64>,
    written: Vec<u32>,
    /// By hub: its number among the hubs of the cell.
    numbers: Vec<u32>,
}

/// The shortest path to a hub from a place: its length, and its first corner.
#[derive(Clone, Copy)]
struct Way {
    length: f64,
    over: u32,
}

/// A grid cell while its label is computed.
struct Square<'s> {
    samples: [[f64; 2]; SAMPLES],
    /// The cell and its quarters, least and greatest corner.
    parts: [[[f64; 2]; 2]; PARTS],
    /// Corners visible from the whole cell.
    whole: &'s [u32],
    /// Cache of the greatest differences in distance, by part, corner and view.
    ///
    /// How much farther such a corner is than that of a view, at most. NaN where not computed yet.
    more: Vec<f64>,
}

impl<'a> Trim<'a> {
    pub(crate) fn new(corners: &'a Corners, packed: &'a Packed) -> Trim<'a> {
        let mut ranked = vec![0; packed.ranks.len()];
        for (corner, &rank) in (0..).zip(&packed.ranks) {
            ranked[rank as usize] = corner;
        }
        Trim { corners, packed, ranked }
    }

    pub(crate) fn board(&self) -> Board {
        let count = self.ranked.len();
        Board { ways: vec![NOWHERE; count], written: vec![], numbers: vec![u32::MAX; count] }
    }

    /// The label of a rectangle in a polygon, from its least to its greatest corner.
    ///
    /// `views` are the views of the rectangle.
    pub(crate) fn square(
        &self,
        views: &[View],
        [least, greatest]: [[i32; 2]; 2],
        board: &mut Board,
    ) -> Trimmed {
        let mut sided: Vec<SquareView> = vec![];
        for view in views {
            sided.extend([0, 1].into_iter().filter_map(|side| {
                let place = [least, greatest];
                Some(SquareView {
                    corner: view.corner,
                    between: view.between,
                    side,
                    is_sure: self.corners.sets_out(view.corner, side, place)?,
                })
            }));
        }
        let mut whole: Vec<u32> = (views.iter())
            .filter(|v| v.is_exact && v.between == [v.corner; 2])
            .map(|v| v.corner)
            .collect();
        whole.sort_unstable();
        whole.dedup();
        let mut square = Square::new([least, greatest], &whole, sided.len());
        let mut entries = self.all_entries(&sided);
        self.trim(&mut square, &sided, &mut entries, board);
        self.trimmed(&sided, entries)
    }

    /// Builds the label with these entries.
    ///
    /// Hubs that are the corner of a view, and that no other entry names, are stored by the view.
    fn trimmed(&self, views: &[SquareView], mut entries: Vec<(u32, usize, u32)>) -> Trimmed {
        let rank = |via: usize| self.packed.ranks[views[via].corner as usize];
        let others = entries.iter().filter(|e| e.0 != rank(e.1)).map(|e| e.0);
        let mut named: Vec<u32> = others.collect();
        named.sort_unstable();
        let is_named = |hub: u32| named.binary_search(&hub).is_ok();
        let mut kept: Vec<usize> = entries.iter().map(|e| e.1).collect();
        kept.sort_unstable();
        kept.dedup();
        kept.sort_by_key(|&via| (is_named(rank(via)), rank(via)));
        let mut numbers = vec![0; views.len()];
        for (number, &via) in (0..).zip(&kept) {
            numbers[via] = number;
        }
        entries.retain(|&(hub, via, _)| hub != rank(via) || is_named(hub));
        let number = |&(hub, via, far): &(u32, usize, u32)| (hub, numbers[via], far);
        let mut entries: Vec<(u32, u16, u32)> = entries.iter().map(number).collect();
        entries.sort_unstable();
        Trimmed {
            own: kept.iter().filter(|&&via| !is_named(rank(via))).count() as u32,
            views: kept.into_iter().map(|via| views[via]).collect(),
            entries,
        }
    }

    /// The labels of all views: hub, view and distance.
    fn all_entries(&self, views: &[SquareView]) -> Vec<(u32, usize, u32)> {
        let of = |(via, view): (usize, &SquareView)| {
            self.label(view.corner, view.side).map(move |(hub, distance)| (hub, via, distance))
        };
        views.iter().enumerate().flat_map(of).collect()
    }

    /// Removes useless entries.
    fn trim(
        &self,
        square: &mut Square<'_>,
        views: &[SquareView],
        entries: &mut Vec<(u32, usize, u32)>,
        board: &mut Board,
    ) {
        let away: Vec<[f64; SAMPLES]> =
            (views.iter()).map(|v| square.samples.map(|at| self.away(v.corner, at))).collect();
        let hubs = board.number(entries.iter().map(|e| e.0));
        let middle = self.ways(square, 0, &hubs, board);
        // Keep what is shortest from the middle; remove what that path beats everywhere.
        let mut is_kept = vec![];
        entries.retain(|&(hub, via, distance)| {
            let way = middle[board.numbers[hub as usize] as usize];
            let stays = away[via][0] + f64::from(distance) <= way.length + SAME;
            let rest = way.length - self.rest(square, 0, way);
            let gone = !stays && {
                let less = f64::from(distance) - rest - SAME;
                self.more(square, 0, way.over, (via, views)) <= less
            };
            if !gone {
                is_kept.push(stays);
            }
            !gone
        });
        // The rest is tested from the corners, too.
        let number = |hub: u32| board.numbers[hub as usize] as usize;
        let mut known: Vec<(u32, Way)> = (entries.iter().zip(&is_kept))
            .filter(|(_, kept)| !**kept)
            .map(|(&(hub, _, _), _)| (hub, middle[number(hub)]))
            .collect();
        known.sort_unstable_by_key(|k| k.0);
        known.dedup_by_key(|k| k.0);
        board.forget(&hubs);
        let hubs = board.number(known.iter().map(|k| k.0));
        let first: Vec<Way> = known.into_iter().map(|k| k.1).collect();
        let others: [Vec<Way>; SAMPLES - 1] =
            core::array::from_fn(|k| self.ways(square, k + 1, &hubs, board));
        let mut n = 0;
        entries.retain(|&(hub, via, distance)| {
            let stays = is_kept[n];
            n += 1;
            stays || {
                let number = board.numbers[hub as usize] as usize;
                let ways = core::array::from_fn(|k| match k {
                    0 => first[number],
                    _ => others[k - 1][number],
                });
                let known = |k: usize| away[via][k] + f64::from(distance);
                (0..SAMPLES).any(|k| known(k) <= ways[k].length + SAME)
                    || !self.is_useless(square, (via, views), f64::from(distance), ways)
            }
        });
        board.forget(&hubs);
    }

    /// Is a path over a view longer than others from everywhere in a cell?
    fn is_useless(
        &self,
        square: &mut Square<'_>,
        view: (usize, &[SquareView]),
        distance: f64,
        ways: [Way; SAMPLES],
    ) -> bool {
        let less: [f64; SAMPLES] = core::array::from_fn(|k| {
            distance - (ways[k].length - self.rest(square, k, ways[k])) - SAME
        });
        let mut is_beaten = |part: usize| {
            (0..SAMPLES).any(|k| self.more(square, part, ways[k].over, view) <= less[k])
        };
        is_beaten(0) || (1..PARTS).all(is_beaten)
    }

    /// The distance from a sample to the corner that its path leads over.
    fn rest(&self, square: &Square<'_>, sample: usize, way: Way) -> f64 {
        let over = square.whole.get(way.over as usize);
        over.map_or(0.0, |&corner| self.away(corner, square.samples[sample]))
    }

    /// Shortest paths from a sample to hubs, over corners seen from the whole cell.
    fn ways(
        &self,
        square: &Square<'_>,
        sample: usize,
        hubs: &[u32],
        board: &mut Board,
    ) -> Vec<Way> {
        for (number, &corner) in (0u64..).zip(square.whole) {
            let away = self.away(corner, square.samples[sample]) as u64;
            for (hub, distance) in self.label(corner, 2) {
                let slot = &mut board.ways[hub as usize];
                if *slot == NOWHERE {
                    board.written.push(hub);
                }
                let length = away + u64::from(distance);
                *slot = (*slot).min(length << 32 | number);
            }
        }
        let way = |&hub: &u32| {
            let named = self.label(self.ranked[hub as usize], 2);
            let ways = named.map(|(over, far)| board.ways[over as usize] + (u64::from(far) << 32));
            let least = ways.fold(NOWHERE, u64::min);
            Way {
                length: match least < NOWHERE {
                    true => (least >> 32) as f64,
                    false => f64::INFINITY,
                },
                over: least as u32,
            }
        };
        let ways = hubs.iter().map(way).collect();
        for hub in board.written.drain(..) {
            board.ways[hub as usize] = NOWHERE;
        }
        ways
    }

    /// How much farther a corner is than that of a view, at most; units of labels.
    ///
    /// For places in one part of the cell. The first corner, `over`, is visible from the whole
    /// cell.
    fn more(
        &self,
        square: &mut Square<'_>,
        part: usize,
        over: u32,
        (via, views): (usize, &[SquareView]),
    ) -> f64 {
        let Some(&far) = square.whole.get(over as usize) else {
            return f64::INFINITY;
        };
        let at = (part * square.whole.len() + over as usize) * views.len() + via;
        if square.more[at].is_nan() {
            let near = views[via].corner;
            let ends = [far, near].map(|c| self.corners.point(c).map(f64::from));
            square.more[at] = most(ends, square.parts[part]) * self.scale();
        }
        square.more[at]
    }

    fn scale(&self) -> f64 {
        f64::from(1u32 << self.packed.shift)
    }

    fn away(&self, corner: u32, at: [f64; 2]) -> f64 {
        apart(self.corners.point(corner).map(f64::from), at) * self.scale()
    }

    /// A part of a corner's label, and the corner itself.
    fn label(&self, corner: u32, side: u8) -> impl Iterator<Item = (u32, u32)> + '_ {
        let part = self.packed.part(corner, side);
        let hubs = self.packed.hubs[part.clone()].iter().copied();
        let named = hubs.zip(self.packed.distances[part].iter().copied());
        named.chain([(self.packed.ranks[corner as usize], 0)])
    }
}

impl Board {
    /// Numbers the hubs; returns them by number.
    fn number(&mut self, all: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut hubs = vec![];
        for hub in all {
            let number = &mut self.numbers[hub as usize];
            if *number == u32::MAX {
                *number = hubs.len() as u32;
                hubs.push(hub);
            }
        }
        hubs
    }

    fn forget(&mut self, hubs: &[u32]) {
        for &hub in hubs {
            self.numbers[hub as usize] = u32::MAX;
        }
    }
}

impl<'s> Square<'s> {
    fn new(place: [[i32; 2]; 2], whole: &'s [u32], views: usize) -> Square<'s> {
        let [least, greatest] = place.map(|p| p.map(f64::from));
        let middle = [0, 1].map(|k| (least[k] + greatest[k]) / 2.0);
        let corners = [least, [greatest[0], least[1]], greatest, [least[0], greatest[1]]];
        let quarter = |q: [f64; 2]| {
            [[0, 1].map(|k| middle[k].min(q[k])), [0, 1].map(|k| middle[k].max(q[k]))]
        };
        let [a, b, c, d] = corners;
        Square {
            samples: [middle, a, b, c, d],
            parts: [[least, greatest], quarter(a), quarter(b), quarter(c), quarter(d)],
            whole,
            more: vec![f64::NAN; PARTS * whole.len() * views],
        }
    }
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, z] = [a[0] - b[0], a[1] - b[1]];
    (x * x + z * z).sqrt()
}

/// The greatest difference of the distances to two points, over a rectangle.
///
/// It is the distance to the first point minus the distance to the second. The difference is
/// greatest on the border. Inside, it rises in some direction, except on the ray from the first
/// point through the second, along which it is constant up to the border. Along a line it is
/// greatest at an end, or where both points are seen at the same angle, from the same side or from
/// both.
fn most([a, b]: [[f64; 2]; 2], [least, greatest]: [[f64; 2]; 2]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for (along, across) in [(0, 1), (1, 0)] {
        for line in [least[across], greatest[across]] {
            let [da, db] = [a, b].map(|p| (p[across] - line).abs());
            let level = (a[along] * db - b[along] * da) / (db - da);
            let is_inner = level > least[along] && level < greatest[along];
            let inner = is_inner.then_some(level);
            let places = [Some(least[along]), Some(greatest[along]), inner];
            for c in places.into_iter().flatten() {
                let mut p = [line; 2];
                p[along] = c;
                most = most.max(apart(a, p) - apart(b, p));
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers below a bound, from a step of a known generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> f64 {
            self.0 = (self.0)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % bound) as f64
        }
    }

    #[test]
    fn no_place_in_a_rectangle_is_farther_from_one_point_than_from_another_by_more_than_the_bound()
    {
        let mut random = Random(7);
        let mut inner = 0;
        for _ in 0..2000 {
            let mut point = || [random.below(24), random.below(24)];
            let (a, b, p, q) = (point(), point(), point(), point());
            let place = [[0, 1].map(|k| p[k].min(q[k])), [0, 1].map(|k| p[k].max(q[k]))];
            let bound = most([a, b], place);
            let steps = 48;
            let at = |i: i32, k: usize| {
                place[0][k] + (place[1][k] - place[0][k]) * f64::from(i) / f64::from(steps)
            };
            let mut greatest = f64::NEG_INFINITY;
            let mut at_corner = f64::NEG_INFINITY;
            for i in 0..=steps {
                for j in 0..=steps {
                    let p = [at(i, 0), at(j, 1)];
                    let more = apart(a, p) - apart(b, p);
                    greatest = greatest.max(more);
                    if [0, steps].contains(&i) && [0, steps].contains(&j) {
                        at_corner = at_corner.max(more);
                    }
                }
            }
            assert!(greatest <= bound + 1e-9, "{a:?} {b:?} {place:?}: {greatest} > {bound}");
            // Between two samples, each distance changes by at most half a step.
            let step = (0..2).map(|k| at(1, k) - at(0, k)).fold(0.0, f64::max);
            assert!(bound <= greatest + step + 1e-9, "{a:?} {b:?} {place:?}: {bound}");
            inner += usize::from(bound > at_corner + 1e-6);
        }
        assert!(inner > 50, "{inner}");
    }
}
