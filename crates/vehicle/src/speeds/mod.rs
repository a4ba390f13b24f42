//! Speed classes: one vehicle that turns more sharply where it is slower.
//!
//! A state of the lattice has a speed as well: one of the *levels*, whose squares are evenly
//! spaced, so that the same length of acceleration passes the same number of them. The edges of
//! each class are curves of its turn radius. An arc is driven at the speed of its class or less, a
//! straight line at any; an edge costs the least time from one level to another, which is in a
//! table. Costs are counted in the parts of a tile that the vehicle passes at its greatest speed,
//! so that all lower bounds of lengths are lower bounds of times.
//!
//! A start in motion has a speed between levels, and a curve from there to the lattice may be too
//! short to reach a level, or may just have the room to brake. So for each class there are two more
//! levels, without squares of their own: as fast, and as slowly, as such a curve can end.
//!
//! - `motion`: the least time over a length; `search`: expansion and the ends of a search;
//! - `profile`: the speeds along the path that is found, without levels.

mod motion;
mod profile;
mod search;

use navbake_format::{VehicleSpeeds, VehicleView};

use crate::curve::{Curve, MOST_SEGMENTS};
use crate::dubins::{Between, Word};
use crate::flood_steps::NOWHERE;
use crate::lattice::{lattice_pose, parts};
use motion::{Bounds, Stretch};

/// In the table of times: the bounds forbid it.
const NEVER: u32 = u32::MAX;

/// The speed classes of a vehicle, and the times of its edges.
#[derive(Clone, Copy)]
pub(crate) struct Speeds<'t> {
    classes: usize,
    radii: [f64; VehicleSpeeds::MOST],
    /// Squares of the greatest speeds.
    caps: [f64; VehicleSpeeds::MOST],
    bounds: Bounds,
    /// The greatest speed, tiles/s.
    top: f64,
    levels: Levels,
    /// The edge of each move.
    edges: &'t [u32],
    /// By gear, edge, first and last level.
    times: &'t [u32],
    edge_count: usize,
}

/// Squares of speeds, from rest upwards.
#[derive(Clone, Copy)]
struct Levels {
    squares: [f64; VehicleSpeeds::MOST_LEVELS],
    count: usize,
}

impl Levels {
    fn new(speeds: &VehicleSpeeds) -> Levels {
        let mut levels = Levels { squares: [0.0; VehicleSpeeds::MOST_LEVELS], count: 0 };
        let classes = speeds.classes as usize;
        let top = speeds.speeds.iter().take(classes).fold(0.0, |a: f64, &b| a.max(b));
        let gain = top * top / speeds.level_count();
        let mut even = 0u32;
        for cap in speeds.speeds.iter().take(classes).map(|v| v * v) {
            while f64::from(even) * gain < cap * (1.0 - 1e-9) {
                levels.push(f64::from(even) * gain);
                even += 1;
            }
            levels.push(cap);
            even += u32::from(f64::from(even) * gain <= cap * (1.0 + 1e-9));
        }
        levels
    }

    fn push(&mut self, square: f64) {
        if let Some(place) = self.squares.get_mut(self.count) {
            *place = square;
            self.count += 1;
        }
    }

    fn squares(&self) -> &[f64] {
        self.squares.get(..self.count).unwrap_or_default()
    }
}

impl<'t> Speeds<'t> {
    /// How much memory the times of a vehicle with that many moves take.
    pub(crate) fn times_of(view: &VehicleView<'_>, moves: usize) -> usize {
        view.speeds().map_or(0, |speeds| {
            let levels = Levels::new(&speeds).count;
            let edges = (view.gears() * view.edge_count()) as usize;
            edges.saturating_mul(levels * levels).saturating_add(moves)
        })
    }

    /// Of a vehicle; `memory` begins with the edge of each move.
    pub(crate) fn new(
        view: &VehicleView<'_>,
        own: &VehicleSpeeds,
        memory: &'t mut [u32],
        moves: usize,
    ) -> Speeds<'t> {
        let (edges, times) = memory.split_at_mut(moves.min(memory.len()));
        let classes = (own.classes as usize).clamp(1, VehicleSpeeds::MOST);
        let bounds = Bounds { acceleration: own.acceleration, braking: own.braking };
        let top = own.speeds.iter().take(classes).fold(0.0, |a: f64, &b| a.max(b));
        let mut speeds = Speeds {
            classes,
            radii: own.turn_radii,
            caps: own.speeds.map(|v| v * v),
            bounds,
            top,
            levels: Levels::new(own),
            edges,
            times: &[],
            edge_count: view.edge_count() as usize,
        };
        speeds.fill(view, times);
        speeds.times = times;
        speeds
    }

    fn fill(&self, view: &VehicleView<'_>, times: &mut [u32]) {
        let levels = self.levels();
        let mut times = times.iter_mut();
        for gear in 0..view.gears() {
            for number in 0..view.edge_count() {
                let edge = view.edge(number);
                let curve = edge.and_then(|e| {
                    let from = lattice_pose([0; 2], e.from.into(), view.headings());
                    let to = lattice_pose(e.offset.map(i32::from), e.to.into(), view.headings());
                    let word = *Word::ALL.get(usize::from(e.word))?;
                    Between::new(from, to, self.radius(e.class)).curve(word)
                });
                let (class, least) = edge.map_or((0, 0), |e| (e.class, e.length));
                for &from in levels {
                    for (&to, time) in levels.iter().zip(&mut times) {
                        let own = curve.as_ref();
                        let own = own.and_then(|c| self.units(c, class, gear, from, Some(to)));
                        *time = own.map_or(NEVER, |units| units.max(least));
                    }
                }
            }
        }
    }

    /// Squares of the speeds that states have.
    pub(crate) fn levels(&self) -> &[f64] {
        self.levels.squares()
    }

    /// How many classes there are.
    pub(crate) fn classes(&self) -> u8 {
        self.classes as u8 // at most 4
    }

    /// The turn radius in a class.
    pub(crate) fn radius(&self, class: u8) -> f64 {
        self.radii.get(usize::from(class)).copied().unwrap_or(self.radii[0])
    }

    /// The square of the greatest speed on a segment of a class.
    fn cap(&self, class: u8, turn: i8, back: bool) -> f64 {
        let class = match turn {
            _ if back => 0,
            0 => self.classes - 1,
            _ => usize::from(class),
        };
        self.caps.get(class).copied().unwrap_or(self.caps[0])
    }

    /// The least time of a curve, in parts that are passed at the greatest speed.
    fn units(
        &self,
        curve: &Curve,
        class: u8,
        gear: u32,
        from: f64,
        to: Option<f64>,
    ) -> Option<u32> {
        let (stretches, count) = self.stretches(curve, class, gear);
        let time = self.bounds.time(stretches.get(..count)?, from, to)?;
        Some(parts(time * self.top).min(NOWHERE - 1))
    }

    /// The greatest and the least square at the end of a curve.
    fn range(&self, curve: &Curve, class: u8, gear: u32, from: f64) -> Option<[f64; 2]> {
        let (stretches, count) = self.stretches(curve, class, gear);
        let stretches = stretches.get(..count)?;
        let fastest = self.bounds.fastest(stretches, from)?;
        Some([fastest, self.bounds.slowest(stretches, from)?])
    }

    fn stretches(&self, curve: &Curve, class: u8, gear: u32) -> ([Stretch; MOST_SEGMENTS], usize) {
        let mut stretches = [Stretch::default(); MOST_SEGMENTS];
        for (stretch, s) in stretches.iter_mut().zip(curve.segments()) {
            *stretch = Stretch { length: s.length, cap: self.cap(class, s.turn, gear > 0) };
        }
        (stretches, curve.segments().len())
    }

    /// The times of a move from a level to each level.
    #[inline]
    fn row(&self, number: usize, gear: u32, level: usize) -> &'t [u32] {
        let Some(&edge) = self.edges.get(number) else {
            return &[];
        };
        let row = (gear as usize * self.edge_count + edge as usize) * self.levels.count + level;
        let first = row * self.levels.count;
        self.times.get(first..first + self.levels.count).unwrap_or_default()
    }

    /// A lower bound of the time from a speed over a length or more, to rest or to any speed.
    pub(crate) fn least(&self, from: f64, length: u32, stop: bool) -> u32 {
        let length = f64::from(length) / f64::from(VehicleView::UNITS);
        let stretch = Stretch { length, cap: self.top * self.top };
        let time = self.bounds.least(stretch, from, stop.then_some(0.0));
        // Rounded down, and a part less for the rounding of sums.
        ((time * self.top * f64::from(VehicleView::UNITS)) as u32).saturating_sub(1)
    }

    /// Seconds of that many parts passed at the greatest speed.
    pub(crate) fn seconds(&self, units: u64) -> f64 {
        units as f64 / f64::from(VehicleView::UNITS) / self.top
    }

    /// The square of a speed in m/s; `None` where the vehicle has no such speed.
    pub(crate) fn square(&self, speed: f64, tile: f64) -> Option<f64> {
        let speed = speed / tile;
        (0.0..=self.top * (1.0 + 1e-9)).contains(&speed).then(|| speed.min(self.top)).map(|v| v * v)
    }

    /// The level of a square, if it is one.
    fn level_of(&self, square: f64) -> Option<u32> {
        self.levels().iter().position(|&level| level == square).map(|level| level as u32)
    }

    /// The level of a start: that of its speed, or the first one beyond, which has the start's own.
    pub(crate) fn level_of_start(&self, square: f64) -> u32 {
        self.level_of(square).unwrap_or(self.levels.count as u32) // at most 64
    }

    /// How many levels states have: beyond those of the table there are two for each class, for
    /// what curves from a start in motion reach as fast and as slowly as they can.
    pub(crate) fn level_count(&self) -> u32 {
        (self.levels.count + 2 * self.classes) as u32
    }
}
