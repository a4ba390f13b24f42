//! A vehicle's tables as searches want them: the moves from every heading, derived from those in
//! the file, in the caller's memory.

use navbake_format::VehicleView;

use crate::curve::Pose;
use crate::dubins::Word;
use crate::flood_steps::Steps;
use crate::footprint::{Footprint, MOST_CORNERS};
use crate::lattice::{lattice_pose, parts, times};
use crate::speeds::Speeds;
use crate::sweep::CONTACT;
use crate::symmetry::Symmetry;

/// Headings in five lists, and one more end: forwards, backwards, and forwards in the speed classes
/// beyond the first.
const STARTS: usize = 161;

/// An edge of the lattice from some heading.
#[derive(Clone, Copy, Debug, Default)]
pub struct Move {
    pub(crate) offset: [i8; 2],
    /// The heading of travel at its end.
    pub(crate) to: u8,
    pub(crate) word: u8,
    /// Parts of a tile, forwards.
    pub(crate) length: u32,
}

/// A unit that turns, ready to be searched for. Make it once; it is `Copy` and needs nothing but
/// the blob and the memory.
#[derive(Clone, Copy)]
pub struct Vehicle<'t> {
    pub(crate) view: VehicleView<'t>,
    moves: &'t [Move],
    masks: &'t [u64],
    starts: [u32; STARTS],
    pub(crate) footprint: Footprint,
    pub(crate) radius: f64,
    pub(crate) headings: u32,
    pub(crate) half: u32,
    /// Words of a mask in memory: 1, 2, 4, 8 or 16.
    pub(crate) words: usize,
    /// The costs of a tile backwards and of a change of gear, if there is a reverse gear.
    pub(crate) reverse: Option<[f64; 2]>,
    /// Cost of a change of gear, parts of a tile.
    pub(crate) change: u32,
    /// Steps of floods.
    pub(crate) steps: Steps,
    /// Gears, for each speed level where there are speeds: see [`TurningQuery::state`].
    ///
    /// [`TurningQuery::state`]: crate::TurningQuery
    pub(crate) lanes: u32,
    /// Speed classes and levels.
    pub(crate) speeds: Option<Speeds<'t>>,
}

/// How long the slices are that a [`Vehicle`] is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VehicleSize {
    /// Moves.
    pub moves: usize,
    /// Words of their masks.
    pub masks: usize,
    /// Times of edges by speed level; 0 without speeds.
    pub times: usize,
}

impl VehicleSize {
    /// The size that the tables of a vehicle need.
    pub fn of(view: &VehicleView<'_>) -> VehicleSize {
        let Some(footprint) = footprint(view) else {
            return VehicleSize { moves: 0, masks: 0, times: 0 };
        };
        let mut moves = 0;
        for number in 0..view.edge_count() {
            each_image(view, &footprint, number, |_, _, _, _| moves += 1);
        }
        VehicleSize { moves, masks: moves * words(view), times: Speeds::times_of(view, moves) }
    }
}

/// Words of a mask in memory.
fn words(view: &VehicleView<'_>) -> usize {
    view.mask_words().next_power_of_two()
}

/// The area that a vehicle covers; `None` when it is not a convex shape around its point.
fn footprint(view: &VehicleView<'_>) -> Option<Footprint> {
    if view.disc() > 0.0 {
        return Some(Footprint::disc(view.disc()));
    }
    let mut corners = [[0.0; 2]; MOST_CORNERS];
    let count = view.corners().len();
    for (to, from) in corners.iter_mut().zip(view.corners()) {
        *to = from;
    }
    Footprint::polygon(corners.get(..count)?)
}

/// Calls `image` once for each distinct image of an edge: symmetry, first heading, offset, move.
fn each_image(
    view: &VehicleView<'_>,
    footprint: &Footprint,
    number: u32,
    mut image: impl FnMut(Symmetry, u32, [i32; 2], Move),
) {
    let Some(edge) = view.edge(number) else {
        return;
    };
    let headings = view.headings();
    let many = if footprint.is_mirrored() { 8 } else { 4 };
    let word = Word::ALL.get(usize::from(edge.word)).copied().unwrap_or(Word::Lsl);
    let mut seen = [(0, [0; 2], 0, Word::Lsl); 8];
    for (i, symmetry) in Symmetry::all().take(many).enumerate() {
        let turned = (
            symmetry.heading(edge.from.into(), headings),
            symmetry.offset(edge.offset.map(i32::from)),
            symmetry.heading(edge.to.into(), headings),
            if edge.straight { word } else { symmetry.word(word) },
        );
        let (before, rest) = seen.split_at_mut(i);
        if before.contains(&turned) {
            // A place that no image can have.
            rest[0].0 = u32::MAX;
            continue;
        }
        rest[0] = turned;
        let (from, offset, to, word) = turned;
        image(
            symmetry,
            from,
            offset,
            Move {
                offset: offset.map(|o| o as i8), // of at most 15
                to: to as u8,                    // below 32
                word: word as u8,
                length: edge.length,
            },
        );
    }
}

impl<'t> Vehicle<'t> {
    /// The vehicle of a blob, with its moves in memory of the lengths that [`VehicleSize::of`]
    /// gives.
    ///
    /// `None` when the memory is too small, or when its footprint is not a convex shape around its
    /// point.
    pub fn new(
        view: VehicleView<'t>,
        moves: &'t mut [Move],
        masks: &'t mut [u64],
        times: &'t mut [u32],
    ) -> Option<Vehicle<'t>> {
        let footprint = footprint(&view)?;
        let about = footprint.turned_about();
        let size = VehicleSize::of(&view);
        let words = words(&view);
        let moves = moves.get_mut(..size.moves)?;
        let masks = masks.get_mut(..size.masks)?;
        let headings = view.headings();
        // Count, then put each where it belongs: edges are sorted by length, so each heading's are
        // as well.
        let mut starts = [0u32; STARTS];
        let list = |number: u32| {
            let (class, back) = view.edge(number).map_or((0, false), |e| (e.class, e.back));
            let list = if class > 0 { 1 + u32::from(class) } else { u32::from(back) };
            (back, list * headings)
        };
        for number in 0..view.edge_count() {
            let (_, list) = list(number);
            each_image(&view, &footprint, number, |_, from, _, _| {
                starts[(list + from) as usize + 1] += 1;
            });
        }
        for i in 1..STARTS {
            starts[i] += starts[i - 1];
        }
        let half = (view.window() / 2) as i32; // up to 15
        let mut next = starts;
        let times = times.get_mut(..size.times)?;
        for number in 0..view.edge_count() {
            let (back, list) = list(number);
            let shape = if back { &about } else { &footprint };
            each_image(&view, &footprint, number, |symmetry, from, offset, step| {
                let place = &mut next[(list + from) as usize];
                let at = *place as usize;
                *place += 1;
                moves[at] = step;
                // The numbers of edges come first in the memory of times.
                if let Some(edge) = times.get_mut(at) {
                    *edge = number;
                }
                let mask = &mut masks[at * words..][..words];
                mask.fill(0);
                image_mask(&view, number, symmetry, half, mask);
                // The tiles of the last pose are left out in the file, and have to be free all the
                // same.
                let end = lattice_pose(offset, step.to.into(), headings);
                standing(shape, end, half, mask);
            });
        }
        let reverse = view.reverse();
        let speeds = view.speeds().map(|own| Speeds::new(&view, &own, times, size.moves));
        Some(Vehicle {
            view,
            moves,
            masks,
            starts,
            footprint,
            radius: view.turn_radius(),
            headings,
            half: half as u32,
            words,
            reverse,
            change: reverse.map_or(0, |[_, change]| parts(change)),
            steps: Steps::new(&view),
            lanes: view.gears() * speeds.as_ref().map_or(1, Speeds::level_count),
            speeds,
        })
    }

    /// The name that queries use.
    pub fn name(&self) -> &'t str {
        self.view.name()
    }

    /// The area that it covers, tiles.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// The least radius of its curves, tiles.
    pub fn turn_radius(&self) -> f64 {
        self.radius
    }

    /// Has it speeds, and do its paths take the least time?
    pub fn has_speeds(&self) -> bool {
        self.speeds.is_some()
    }

    /// Speeds that states of its lattice have; 1 without speeds.
    pub fn speed_levels(&self) -> u32 {
        self.speeds.as_ref().map_or(1, |speeds| speeds.levels().len() as u32) // at most 64
    }

    /// The least radius of its curves in a speed class, tiles.
    pub fn radius_of(&self, class: u8) -> f64 {
        self.speeds.as_ref().map_or(self.radius, |speeds| speeds.radius(class))
    }

    /// How many headings it has at the middle of a tile.
    pub fn headings(&self) -> u32 {
        self.headings
    }

    /// Speed classes: 1 without speeds.
    pub(crate) fn classes(&self) -> u8 {
        self.speeds.as_ref().map_or(1, |speeds| speeds.classes())
    }

    /// Gears: 1, or 2 with reverse.
    pub(crate) fn gears(&self) -> u32 {
        1 + u32::from(self.reverse.is_some())
    }

    /// The heading of travel in a gear, and the heading of a vehicle that travels so.
    #[inline]
    pub(crate) fn travel(&self, gear: u32, heading: u32) -> u32 {
        let turned = heading + gear * self.headings / 2;
        if turned >= self.headings { turned - self.headings } else { turned }
    }

    /// The moves from a heading of travel in a gear, and their masks: the first one's number comes
    /// first.
    #[inline]
    pub(crate) fn moves(&self, gear: u32, travel: u32) -> (usize, &'t [Move], &'t [u64]) {
        // Where backwards is like forwards there is one list.
        let own = gear > 0
            && self.starts[2 * self.headings as usize] > self.starts[self.headings as usize];
        self.list(u32::from(own), travel)
    }

    #[inline]
    fn list(&self, list: u32, travel: u32) -> (usize, &'t [Move], &'t [u64]) {
        let list = (list * self.headings + travel) as usize;
        let (first, end) = (self.starts[list] as usize, self.starts[list + 1] as usize);
        let masks = self.masks.get(first * self.words..end * self.words);
        (first, self.moves.get(first..end).unwrap_or_default(), masks.unwrap_or_default())
    }

    /// The moves forwards from a heading in a speed class beyond the first, and their masks: the
    /// first one's number comes first.
    pub(crate) fn fast_moves(&self, class: u8, travel: u32) -> (usize, &'t [Move], &'t [u64]) {
        self.list(1 + u32::from(class), travel)
    }

    /// The speed class of a move.
    pub(crate) fn class_of(&self, number: usize) -> u8 {
        let first = |class: u8| {
            let list = (1 + u32::from(class)) * self.headings;
            self.starts.get(list as usize).is_some_and(|&first| number >= first as usize)
        };
        (1..4).rev().find(|&class| first(class)).unwrap_or(0)
    }

    /// How many moves there are.
    #[cfg(feature = "alloc")]
    pub(crate) fn move_count(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    pub(crate) fn a_move(&self, number: usize) -> Move {
        self.moves.get(number).copied().unwrap_or_default()
    }

    /// The cost of a length in a gear.
    #[inline]
    pub(crate) fn cost(&self, gear: u32, length: u32) -> u32 {
        match self.reverse {
            Some([penalty, _]) if gear > 0 => times(length, penalty),
            _ => length,
        }
    }
}

fn set(mask: &mut [u64], half: i32, [x, z]: [i32; 2]) {
    if x.abs() <= half && z.abs() <= half {
        let bit = ((z + half) * (2 * half + 1) + x + half) as usize;
        if let Some(word) = mask.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }
}

/// The mask of an edge, turned and mirrored.
fn image_mask(view: &VehicleView<'_>, number: u32, by: Symmetry, half: i32, mask: &mut [u64]) {
    let side = 2 * half + 1;
    for word in 0..view.mask_words() {
        let mut left = view.mask_word(number, word);
        while left != 0 {
            let bit = word as i32 * 64 + left.trailing_zeros() as i32;
            left &= left - 1;
            set(mask, half, by.offset([bit % side - half, bit / side - half]));
        }
    }
}

/// Adds the tiles that a vehicle touches at a pose.
fn standing(footprint: &Footprint, pose: Pose, half: i32, mask: &mut [u64]) {
    let reach = footprint.reach() as i32 + 1; // at most 17 tiles
    let middle = [pose.x as i32, pose.z as i32];
    for z in (middle[1] - reach).max(-half)..=(middle[1] + reach).min(half) {
        for x in (middle[0] - reach).max(-half)..=(middle[0] + reach).min(half) {
            if footprint.separation(pose, [x, z].map(f64::from)) < -CONTACT {
                set(mask, half, [x, z]);
            }
        }
    }
}

/// Memory of a vehicle's moves.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct VehicleBuffer {
    moves: alloc::vec::Vec<Move>,
    masks: alloc::vec::Vec<u64>,
    times: alloc::vec::Vec<u32>,
}

#[cfg(feature = "alloc")]
impl VehicleBuffer {
    /// As much as the tables need.
    pub fn new(view: &VehicleView<'_>) -> VehicleBuffer {
        let size = VehicleSize::of(view);
        VehicleBuffer {
            moves: alloc::vec![Move::default(); size.moves],
            masks: alloc::vec![0; size.masks],
            times: alloc::vec![0; size.times],
        }
    }

    /// The vehicle, made in this memory. `None` when it is that of another, or when the vehicle's
    /// shape is of no use.
    pub fn vehicle<'t>(&'t mut self, view: VehicleView<'t>) -> Option<Vehicle<'t>> {
        Vehicle::new(view, &mut self.moves, &mut self.masks, &mut self.times)
    }
}
