//! All tables of a vehicle.

use std::collections::HashMap;

use crate::roads;

use super::bound::{Bound, bound};
use super::distances::{Distances, distances};
use super::edges::{self, Edge, Edges, spread, stretch};
use super::mask::HALF;
use super::reduce::needed;
use super::spec::{SpecError, VehicleSpec};

/// A curve that is longer than the straight line by more than this factor is a detour, and no
/// window has to hold it.
const DETOUR: f64 = 1.6;

/// The tables that a vehicle's searches read.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// The vehicle they are for.
    pub vehicle: VehicleSpec,
    /// Columns and rows of the square of tiles that hit checks look at.
    pub window: u32,
    /// Edges from the headings that are kept, and of mirror images one.
    pub edges: Vec<Edge>,
    /// Those backwards, as driven by a vehicle turned about; empty when they are the same.
    pub back: Vec<Edge>,
    /// Distances over open ground.
    pub distances: Distances,
    /// Steps of the lower bound over free tiles.
    pub bound: Bound,
    /// Curves that do not fit into the window and are not among the edges.
    pub left_out: u32,
    /// Edges that two others replace.
    pub spared: u32,
}

impl Tables {
    /// The least number of rings with a move that is a quarter turn: see
    /// [`Vehicle::rings_for_turn`](crate::Vehicle::rings_for_turn).
    pub fn rings_for_turn(&self) -> Option<u32> {
        let moves = spread(&self.edges, &self.vehicle).swap_remove(0);
        let moves = moves.iter().filter(|edge| edge.class == 0);
        roads::rings_for_turn(self.vehicle.headings, moves.map(|e| (e.offset, e.to, e.length)))
    }
}

/// Builds the tables of a vehicle, on the threads of the pool that calls.
///
/// # Errors
/// When no tables can be built; the error gives the values that are accepted.
pub fn build(vehicle: &VehicleSpec) -> Result<Tables, SpecError> {
    vehicle.validate()?;
    let mut all = vec![edges::edges(vehicle, &vehicle.footprint)];
    let alike = vehicle.footprint.is_reversible();
    let with_back = vehicle.reverse.is_some() && !alike;
    if with_back {
        all.push(edges::edges(vehicle, &vehicle.footprint.turned_about()));
    }
    for (class, own) in vehicle.in_classes().skip(1) {
        let mut set = edges::edges(&own, &vehicle.footprint);
        set.edges.iter_mut().for_each(|edge| edge.class = class);
        all.push(set);
    }
    let half = half_of(vehicle, &all)?;
    let (mut left_out, mut spared) = (0, 0);
    let mut sets = vec![];
    for set in all {
        left_out += set.left_out;
        let mut edges = set.edges;
        let many = edges.len();
        edges.retain(|e| e.swept.reach() <= half);
        left_out += (many - edges.len()) as u32;
        limit(&mut edges, vehicle);
        let many = edges.len();
        let mut edges = needed(edges.clone(), &spread(&edges, vehicle));
        // Straight on all classes are the first.
        edges.retain(|e| e.class == 0 || !e.straight);
        spared += (many - edges.len()) as u32;
        sets.push(edges);
    }
    // The remaining edges may need a smaller window.
    let half = match vehicle.window {
        Some(_) => half,
        None => {
            let edges = sets.iter().flatten();
            edges.map(|e| e.swept.reach()).max().unwrap_or(1)
        }
    };
    // Bounds are of the edges of all classes.
    let bound = bound(vehicle, &sets);
    let back = if with_back { sets.remove(1) } else { vec![] };
    let edges = sets.concat();
    let forwards = spread(&edges, vehicle);
    let backwards = if with_back { spread(&back, vehicle) } else { spread(&sets[0], vehicle) };
    let distances = distances(vehicle, [&forwards, &backwards]);
    Ok(Tables {
        vehicle: *vehicle,
        window: 2 * half as u32 + 1,
        edges,
        back,
        distances,
        bound,
        left_out,
        spared,
    })
}

/// How far from the middle the window goes.
fn half_of(vehicle: &VehicleSpec, all: &[Edges]) -> Result<i32, SpecError> {
    let is_needed = |e: &&Edge| stretch(e) <= DETOUR;
    let reaches = all.iter().flat_map(|set| &set.edges).filter(is_needed);
    let least = reaches.map(|e| e.swept.reach()).max().unwrap_or(1);
    if all.iter().any(|set| set.least_left_out <= DETOUR) {
        let reach = vehicle.footprint.reach() + f64::from(vehicle.rings) + 0.5;
        return Err(SpecError::TooLarge { times: (reach / f64::from(HALF)).max(1.1) });
    }
    match vehicle.window {
        None => Ok(HALF),
        Some(window) if (window as i32 - 1) / 2 < least => {
            Err(SpecError::WindowForCurves { found: window, needed: 2 * least as u32 + 1 })
        }
        Some(window) => Ok((window as i32 - 1) / 2),
    }
}

/// Removes edges that the spec excludes: further words, and detours.
fn limit(edges: &mut Vec<Edge>, vehicle: &VehicleSpec) {
    let mut seen: HashMap<(u32, [i32; 2], u32), (u32, u32)> = HashMap::new();
    edges.retain(|e| {
        // By length: those of the same length count as one.
        let (words, last) = seen.entry((e.from, e.offset, e.to)).or_default();
        if e.length != *last {
            *words += 1;
            *last = e.length;
        }
        *words <= vehicle.words && vehicle.detour.is_none_or(|most| stretch(e) <= most)
    });
}
