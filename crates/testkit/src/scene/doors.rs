//! Doors and faces of a scene that switches close.

use std::collections::BTreeSet;

use super::Scene;
use crate::Random;

/// Edges that cannot be crossed from their faces, and faces that cannot be entered from others.
#[derive(Clone, Debug, Default)]
pub struct Closed {
    pub shut: BTreeSet<(usize, usize)>,
    pub faces: BTreeSet<usize>,
    pub forbidden: BTreeSet<usize>,
    /// The closed switches.
    pub switches: u64,
}

impl Closed {
    /// May a path lead from a face to another: not onto closed or forbidden ground from other?
    pub fn enters(&self, from: usize, to: usize) -> bool {
        let [closed, forbidden] = [&self.faces, &self.forbidden];
        match closed.contains(&to) {
            true => closed.contains(&from),
            false => !forbidden.contains(&to) || forbidden.contains(&from),
        }
    }

    /// Is a face closed or forbidden?
    pub fn holds(&self, face: usize) -> bool {
        self.faces.contains(&face) || self.forbidden.contains(&face)
    }
}

/// The number of switches; no scene has more.
pub const SWITCHES: usize = 3;

impl Scene {
    /// Puts doors into portals and switches on faces, each in percent.
    pub fn furnish(&mut self, random: &mut Random, doors: u64, closures: u64) {
        for (f, face) in self.faces.iter().enumerate() {
            for k in 0..face.corners.len() {
                if face.beyond[k].is_some_and(|g| f < g) && random.chance(doors) {
                    self.doors.push((f, k, random.below(SWITCHES) as u16));
                }
            }
            if random.chance(closures) {
                self.closures.push((f, random.below(SWITCHES) as u16));
            }
        }
    }

    /// Closes what these switches close and all faces of these areas; opens all else.
    pub fn close(&mut self, switches: u64, closed_areas: u64) {
        self.forbid(switches, closed_areas, 0);
    }

    /// The same, and forbids faces of other areas by their costs.
    pub fn forbid(&mut self, switches: u64, closed_areas: u64, forbidden_areas: u64) {
        let is_closed = |s: u16| switches >> s & 1 == 1;
        self.closed = Closed { switches, ..Closed::default() };
        for &(f, k, _) in self.doors.iter().filter(|d| is_closed(d.2)) {
            self.closed.shut.extend([(f, k), self.twin(f, k)]);
        }
        let of_areas = |set: u64| {
            let areas = self.areas.iter().enumerate();
            areas.filter(move |(_, area)| set >> **area & 1 == 1).map(|(f, _)| f)
        };
        let switched = self.closures.iter().filter(|c| is_closed(c.1)).map(|c| c.0);
        self.closed.faces = switched.chain(of_areas(closed_areas)).collect();
        self.closed.forbidden = of_areas(forbidden_areas).collect();
        for f in 0..self.faces.len() {
            for k in 0..self.faces[f].corners.len() {
                if self.faces[f].beyond[k].is_some_and(|g| !self.closed.enters(f, g)) {
                    self.closed.shut.insert((f, k));
                }
            }
        }
    }

    /// The other side of a portal.
    pub fn twin(&self, f: usize, k: usize) -> (usize, usize) {
        let n = self.faces[f].corners.len();
        let (a, b) = (self.faces[f].corners[k], self.faces[f].corners[(k + 1) % n]);
        let g = self.faces[f].beyond[k].expect("a portal");
        let corners = &self.faces[g].corners;
        let back = |&l: &usize| corners[l] == b && corners[(l + 1) % corners.len()] == a;
        (g, (0..corners.len()).find(back).expect("a way back"))
    }

    /// The face beyond an edge, if the edge can be crossed.
    pub fn open(&self, f: usize, k: usize) -> Option<usize> {
        self.faces[f].beyond[k].filter(|_| !self.closed.shut.contains(&(f, k)))
    }
}
