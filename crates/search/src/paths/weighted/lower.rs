//! The lower bound: a search over pieces of portals with affine bounds.
//!
//! Each piece has an affine lower bound of the cost of reaching it. The search takes pieces in
//! order of the least cost of a path over them, and hands their bound on across the polygon that
//! they lead into (see [`super::beam`]). A piece that several paths reach keeps the lesser value at
//! each end, which bounds the lesser of two affine functions. A piece whose bound has fallen is
//! taken again.
//!
//! ```text
//!    start -> piece on a portal -> across a polygon -> next pieces -> ... -> goal
//!             [value a, value b]       (beam)         [value a, value b]
//! ```
//!
//! At any moment no path costs less than the least of the open list and the arrivals at a goal. The
//! optimal path, followed from the start, meets a piece on the open list, or the goal.

mod open;
mod worth;

use navbake_format::PolyId;

use super::super::landmarks::Landmarks;
use super::super::nodes::{Goal, Step};
use super::super::open_list::{CLOSED, NEW};
use super::super::portal::foot;
use super::super::state::Pause;
use super::TAKES;
use super::piece::{NONE, Piece, START, exits, link_key, polygon_key, relative};
use super::state::{End, Reach, State};
use super::ways::{Ground, Span, Ways};
use crate::NavQuery;
use navbake_navmesh::math::{distance, length};

/// A search at work in its memory.
pub(super) struct Front<'f, 'a> {
    pub(super) query: &'f NavQuery<'a>,
    pub(super) landmarks: Option<Landmarks<'f>>,
    pub(super) targets: &'f [Goal],
    pub(super) pieces: &'f mut [Piece],
    pub(super) heap: &'f mut [u32],
    pub(super) slots: &'f mut [u32],
    /// What is known of each target, in a search for all of them.
    pub(super) reaches: &'f mut [Reach],
    pub(super) state: &'f mut State,
}

/// New pieces are no longer than this share of their distance from the start.
const SHORT: f64 = 0.5;

impl Front<'_, '_> {
    /// The cost of a metre on the ground that is entered.
    fn weight(&self, polygon: u32) -> f64 {
        self.query.weight(PolyId(polygon))
    }

    /// The same, with the costs of heights.
    pub(super) fn ground(&self, polygon: u32) -> Ground {
        Ground { weight: self.weight(polygon), slopes: self.state.slopes }
    }

    /// The paths that leave the start.
    fn start_ways(&self, ground: Ground) -> Ways {
        let start = Span { ends: [[0.0; 2]; 2], heights: [0.0; 2] };
        Ways::new(&start, [0.0; 2], ground)
    }

    /// Begins a round: all pieces stay, and their bounds are cleared.
    pub(super) fn begin(&mut self) {
        let used = self.used();
        for piece in &mut self.pieces[..used] {
            piece.clear();
        }
        self.state.open.len = 0;
        self.state.taken = 0;
        self.state.goal = None;
        self.state.lost = f64::INFINITY;
        for reach in &mut *self.reaches {
            (reach.value, reach.from, reach.open) = (f64::INFINITY, START, true);
        }
        let ground = self.ground(self.state.polygon).times(self.state.stretch);
        self.cross(&self.start_ways(ground), self.state.polygon, START);
    }

    fn used(&self) -> usize {
        (self.state.used as usize).min(self.pieces.len())
    }

    /// Takes pieces off the open list until the round is over, or the budget is spent.
    ///
    /// It is over when no entry is below the requested bound or below an arrival.
    pub(super) fn run(&mut self, budget: &mut u32) -> Pause {
        loop {
            let Some(f) = self.least() else {
                return Pause::Ended;
            };
            if f >= self.until().min(self.state.lost) || self.state.taken >= self.most() {
                return Pause::Ended;
            }
            if *budget == 0 {
                return Pause::Budget;
            }
            *budget -= 1;
            self.state.taken += 1;
            self.state.expanded = self.state.expanded.saturating_add(1);
            let Some(i) = self.pop() else {
                return Pause::Ended;
            };
            if !self.reaches.is_empty() && self.worth(i) > f {
                // It was worth taking for goals that the search has passed.
                self.put_again(i);
                continue;
            }
            let stale = self.pieces.get_mut(i as usize).is_some_and(|p| {
                p.takes += 1;
                p.stale
            });
            if stale && !self.gather(i) {
                continue;
            }
            let Some(piece) = self.pieces.get(i as usize).copied() else {
                return Pause::Ended;
            };
            let ground = self.ground(piece.beyond).times(self.state.stretch);
            self.cross(&piece.ways(ground), piece.beyond, i);
        }
    }

    /// The least worth of a piece that no path to a goal needs to be better.
    fn until(&self) -> f64 {
        if !self.reaches.is_empty() {
            let open = self.reaches.iter().filter(|r| r.open);
            return open.map(|r| self.state.until(r)).fold(f64::INFINITY, f64::min);
        }
        let goal = self.state.goal.map_or(f64::INFINITY, |g| g.value);
        goal.min(self.state.enough() * self.state.stretch)
    }

    /// The least worth of the pieces to be taken; `None` where the round is over.
    pub(super) fn passed(&self) -> Option<f64> {
        self.least().filter(|&f| f < self.state.lost && self.state.taken < self.most())
    }

    /// The most times that pieces are taken in a round.
    ///
    /// Rounding, or pieces that are far too long, may keep bounds falling. The round then ends with
    /// the bound that it has.
    fn most(&self) -> u32 {
        (self.state.used.saturating_mul(4)).saturating_add(512)
    }

    /// The lower bound of all paths in this round up to now.
    pub(super) fn bound(&self) -> f64 {
        let goal = self.state.goal.map_or(f64::INFINITY, |g| g.value);
        let open = self.least().unwrap_or(f64::INFINITY);
        let found = goal.min(open).min(self.state.lost) / self.state.stretch;
        found.min(self.state.upper)
    }

    /// The lower bound of all paths to one of several goals.
    pub(super) fn bound_to(&self, reach: &Reach) -> f64 {
        let open = self.least().unwrap_or(f64::INFINITY).min(self.state.lost);
        (self.state.until(reach).min(open) / self.state.stretch).min(reach.upper)
    }

    /// Does a piece lose more than a share of what a crossing of a path lacks, or was it taken too
    /// often?
    pub(super) fn is_wide(&self, n: u32, share: f64, lack: f64) -> bool {
        let Some(piece) = self.pieces.get(n as usize) else {
            return false;
        };
        let wide = piece.place == CLOSED
            && match self.reaches.is_empty() {
                true => piece.f < self.state.upper && piece.loss > share * lack,
                false => {
                    let ways = piece.ways(self.state.least());
                    let mut both = self.targets.iter().zip(&*self.reaches);
                    both.any(|(t, r)| {
                        piece.loss > share * r.lack() && self.worth_to(t, &ways) < r.upper
                    })
                }
            };
        wide || piece.takes > TAKES
    }

    /// Hands the bound of the paths on to all exits of their polygon.
    fn cross(&mut self, ways: &Ways, polygon: u32, from: u32) {
        let query = self.query;
        for (t, target) in self.targets.iter().enumerate() {
            if target.polygon != polygon {
                continue;
            }
            let to = relative(target.point, self.state.start);
            let value = ways.at(to, self.state.height_of(target)).0;
            if self.state.goal.is_none_or(|g| value < g.value) {
                self.state.goal = Some(End { value, from, target: t as u32 });
            }
            if let Some(reach) = self.reaches.get_mut(t)
                && value < reach.value
            {
                (reach.value, reach.from) = (value, from);
            }
        }
        let came_from = self.came_from(from, polygon);
        exits(query, polygon, |exit| {
            if exit.beyond.0 == came_from {
                return;
            }
            let head = self.find(exit.key).or_else(|| {
                let ends = exit.ends.map(|p| relative(p, self.state.start));
                let step = Step { polygon, edge: exit.edge };
                self.add(Piece {
                    heights: self.state.heights_of(query, step),
                    key: exit.key,
                    polygon,
                    edge: exit.edge,
                    beyond: exit.beyond.0,
                    ends,
                    ..Piece::default()
                })
            });
            self.offer_all(head, ways, from);
        });
        if query.mesh().link_count() == 0 {
            return;
        }
        let units = query.mesh().grid().units();
        for (number, link) in query.links_from(PolyId(polygon)) {
            if !query.enters(link.polygon, link.beyond) {
                continue;
            }
            let key = link_key(query.mesh(), number);
            let known = self.find(key).or_else(|| {
                let [height, exit_height] = self.state.link_heights(query, &link);
                self.add(Piece {
                    heights: [height; 2],
                    exit_height,
                    key,
                    polygon,
                    edge: Step::by_link(polygon, number).edge,
                    beyond: link.beyond.0,
                    ends: [relative(link.from, self.state.start); 2],
                    exit: relative(link.to, self.state.start),
                    toll: link.cost * units,
                    ..Piece::default()
                })
            });
            self.offer_all(known, ways, from);
        }
    }

    /// The polygon that it cannot pay to go back to over a portal.
    ///
    /// A path that goes back would have done as well to stay there, unless it gained by running
    /// beside the border.
    fn came_from(&self, from: u32, polygon: u32) -> u32 {
        (self.pieces.get(from as usize))
            .filter(|p| !p.is_link() && self.weight(p.polygon) <= self.weight(polygon))
            .map_or(NONE, |p| p.polygon)
    }

    /// Offers all pieces of a portal.
    fn offer_all(&mut self, head: Option<u32>, ways: &Ways, from: u32) {
        let Some(mut n) = head else {
            return self.lose(from);
        };
        // In memory that belongs to another search the pieces of a portal may go round in circles.
        for _ in 0..self.state.used {
            let Some(next) = self.pieces.get(n as usize).map(|p| p.next) else {
                break;
            };
            self.offer(n, ways, from);
            n = next;
        }
    }

    /// Records that there was no room beyond a piece.
    ///
    /// All that is known of it is the lower bound of the paths over it.
    fn lose(&mut self, from: u32) {
        let piece = self.pieces.get(from as usize);
        let f = piece.map_or(0.0, |piece| piece.f);
        self.state.lost = self.state.lost.min(f);
    }

    /// The first piece of a portal, or that of a link.
    fn find(&self, key: u32) -> Option<u32> {
        self.piece_in(key, |piece| piece.key == key)
    }

    /// The piece that a slot names, if it is the right one.
    fn piece_in(&self, slot: u32, is_its: impl Fn(&Piece) -> bool) -> Option<u32> {
        let n = *self.slots.get(slot as usize)?;
        let piece = self.pieces.get(n as usize)?;
        (n < self.state.used && is_its(piece)).then_some(n)
    }

    /// A new portal or link, if there is room.
    fn add(&mut self, piece: Piece) -> Option<u32> {
        let n = self.state.used;
        let room = self.pieces.len().min(self.heap.len());
        let slot = (self.slots.get_mut(piece.key as usize)).filter(|_| (n as usize) < room);
        let slot = slot?;
        let far = |p: [f64; 2]| length(p[0], p[1]);
        let reach = far(piece.ends[0]).max(far(piece.ends[1])).max(far(piece.exit));
        let [a, b] = piece.heights;
        let reach = reach.max(a.abs()).max(b.abs()).max(piece.exit_height.abs());
        self.state.reach = self.state.reach.max(reach);
        *slot = n;
        let list = polygon_key(self.query.mesh(), piece.beyond);
        let peer = self.head(list, piece.beyond).unwrap_or(NONE);
        *self.slots.get_mut(list as usize)? = n;
        self.pieces[n as usize] = Piece { peer, ..piece };
        self.state.used += 1;
        self.shorten(n);
        Some(n)
    }

    /// Cuts a new portal into pieces.
    ///
    /// They are short compared with their distance from the start. The loss of a line against a
    /// distance grows with the square of the one over the other.
    fn shorten(&mut self, first: u32) {
        let mut n = first;
        while let Some(piece) = self.pieces.get(n as usize) {
            let [a, b] = piece.ends;
            let away = foot(piece.ends, [0.0; 2]).1;
            let is_long = distance(a, b) > SHORT * (away + self.state.near) || piece.is_whole();
            if !(is_long && self.split(n)) {
                n = self.pieces[n as usize].next;
            }
        }
    }

    /// Cuts a piece in two. False when there is no room.
    pub(super) fn split(&mut self, n: u32) -> bool {
        let used = self.used();
        if used >= self.pieces.len().min(self.heap.len()) {
            return false;
        }
        let Some(piece) = self.pieces.get_mut(n as usize) else {
            return false;
        };
        let second = *piece;
        let [a, b] = piece.ends;
        let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
        let share = (piece.share[0] + piece.share[1]) / 2.0;
        let height = (piece.heights[0] + piece.heights[1]) / 2.0;
        piece.ends[1] = middle;
        piece.heights[1] = height;
        piece.share[1] = share;
        piece.next = used as u32;
        piece.peer = used as u32;
        let value = (piece.value[0] + piece.value[1]) / 2.0;
        piece.value[1] = value;
        self.pieces[used] = Piece {
            ends: [middle, b],
            heights: [height, second.heights[1]],
            share: [share, second.share[1]],
            value: [value, second.value[1]],
            stale: true,
            place: NEW,
            ..second
        };
        self.state.used += 1;
        true
    }

    /// Lowers the bound of a piece where paths arrive below it.
    ///
    /// The bound is computed again when the piece is taken.
    fn offer(&mut self, n: u32, ways: &Ways, from: u32) {
        let noise = self.state.noise();
        let Some(piece) = self.pieces.get_mut(n as usize) else {
            return;
        };
        let below = ways.below(&piece.span());
        if below[0] >= piece.value[0] && below[1] >= piece.value[1] {
            return;
        }
        if piece.value[0] == f64::INFINITY {
            piece.value = below;
        } else {
            let line = Ways::line(&piece.span(), piece.value, ways.ground());
            let above = ways.above(&line);
            // A gain below rounding is nothing; see [`State::certified`].
            if above.is_nan() || above >= -noise {
                return;
            }
            let shifted = piece.value.map(|v| v + above);
            let least = [0, 1].map(|k| below[k].min(piece.value[k]));
            piece.value =
                if shifted[0] + shifted[1] >= least[0] + least[1] { shifted } else { least };
        }
        (piece.stale, piece.from) = (true, from);
        self.worth(n);
        self.put_again(n);
    }

    /// Computes the bound of a piece from all paths that reach it.
    ///
    /// The bound is a line through the least costs at both ends, lowered until no path to a place
    /// between them costs less. False when the piece goes back to the open list, because it is
    /// worth more than it was taken for or was cut in two.
    fn gather(&mut self, n: u32) -> bool {
        let Some(piece) = self.pieces.get(n as usize).copied() else {
            return true;
        };
        let [a, b] = piece.ends;
        let middle = |a: f64, b: f64| (a + b) / 2.0;
        let places = [a, [middle(a[0], b[0]), middle(a[1], b[1])], b];
        let [low, high] = piece.heights;
        let heights = [low, middle(low, high), high];
        let mut value = [f64::INFINITY; 3];
        self.arrivals(&piece, self.ground(piece.polygon), |ways, _| {
            for k in 0..3 {
                value[k] = value[k].min(ways.at(places[k], heights[k]).0);
            }
        });
        let ends = [value[0], value[2]];
        let mut lowered = ends;
        let fall = if piece.is_link() { 0.0 } else { self.above(&piece, ends) };
        if fall < 0.0 {
            let long = distance(a, b) > self.state.near / 64.0;
            if -fall > self.state.give && long && self.split(n) {
                // Two lines fit better than one. Until they are computed, the old bound holds for
                // both.
                for half in [n, self.state.used - 1] {
                    self.worth(half);
                    self.put_again(half);
                }
                return false;
            }
            // No less than the least of all paths: around a corner paths of no length lead from
            // piece to piece, and their losses would add up without end.
            let least = self.above(&piece, [0.0; 2]);
            lowered = ends.map(|v| v + fall);
            if lowered[0].min(lowered[1]) < least {
                lowered = [least; 2];
            }
        }
        let Some(slot) = self.pieces.get_mut(n as usize) else {
            return true;
        };
        slot.stale = false;
        // The old bound may be higher.
        if lowered[0] + lowered[1] >= slot.value[0] + slot.value[1] {
            slot.value = lowered;
        }
        let middle = value[1] - (slot.value[0] + slot.value[1]) / 2.0;
        slot.loss = (ends[0] - slot.value[0]).max(ends[1] - slot.value[1]).max(middle);
        let before = slot.f;
        if self.worth(n) <= before {
            return true;
        }
        self.put_again(n);
        false
    }

    /// Calls `f` with all paths to a piece over the given ground.
    ///
    /// It also gets the pieces that they leave from.
    pub(super) fn arrivals(&self, piece: &Piece, ground: Ground, mut f: impl FnMut(&Ways, u32)) {
        if piece.polygon == self.state.polygon {
            f(&self.start_ways(ground), START);
        }
        let is_link = piece.is_link();
        let key = polygon_key(self.query.mesh(), piece.polygon);
        let mut n = self.head(key, piece.polygon).unwrap_or(NONE);
        for _ in 0..self.state.used {
            let Some(other) = self.pieces.get(n as usize) else {
                return;
            };
            let back = !is_link && self.came_from(n, piece.polygon) == piece.beyond;
            if other.place == CLOSED && !other.stale && !back {
                f(&other.ways(ground), n);
            }
            n = other.peer;
        }
    }

    /// The first piece that leads into a polygon.
    fn head(&self, key: u32, polygon: u32) -> Option<u32> {
        self.piece_in(key, |piece| piece.beyond == polygon)
    }
}
