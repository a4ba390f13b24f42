//! The walls around a unit, kept while it is near the place where they were found.

use navbake_navmesh::math::sqrt;
use navbake_search::parts::nearest_on_segment;
use navbake_search::{NavPoint, NavQuery, Scratch};

use crate::avoid::minus;
use crate::program::dot;

/// The most walls that are kept; of more, the nearest.
const KEPT: usize = 16;
/// The most walls that a unit avoids at once.
pub(crate) const MOST: usize = 8;
/// How far a unit goes before walls are looked up again, m.
const MARGIN: f64 = 1.0;

/// Ends of a wall, ground to the right as x and z are axes to the right and up, m.
pub(crate) type Wall = [[f64; 2]; 2];

#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    kept: [Wall; KEPT],
    len: usize,
    /// Where they were found.
    at: [f64; 2],
    /// How far from there they are all that matter; negative before the first look.
    valid: f64,
}

impl Walls {
    pub(crate) const NONE: Walls =
        Walls { kept: [[[0.0; 2]; 2]; KEPT], len: 0, at: [0.0; 2], valid: -1.0 };

    /// The walls within a range of a place, nearest first.
    pub(crate) fn within(
        &mut self,
        query: &NavQuery<'_>,
        place: &NavPoint,
        range: f64,
        scratch: &mut Scratch,
    ) -> ([Wall; MOST], usize) {
        let [x, _, z] = place.position();
        let at = [x, z];
        let moved = minus(at, self.at);
        if self.valid < 0.0 || dot(moved, moved) > self.valid * self.valid {
            self.look(query, place, range, scratch);
        }
        let mut nearest = Sorted::<MOST>::new();
        for wall in &self.kept[..self.len] {
            let far = squared_distance(wall, at);
            if far <= range * range {
                nearest.insert(far, *wall);
            }
        }
        (nearest.walls, nearest.len)
    }

    fn look(&mut self, query: &NavQuery<'_>, place: &NavPoint, range: f64, scratch: &mut Scratch) {
        let [x, _, z] = place.position();
        self.at = [x, z];
        let mut sorted = Sorted::<KEPT>::new();
        query.walls_near(place, range + MARGIN, scratch, |_, wall| {
            sorted.insert(squared_distance(&wall, [x, z]), wall);
        });
        (self.kept, self.len) = (sorted.walls, sorted.len);
        let whole = if sorted.len < KEPT { MARGIN } else { sqrt(sorted.far[KEPT - 1]) - range };
        self.valid = whole.clamp(0.0, MARGIN);
    }
}

fn squared_distance(wall: &Wall, at: [f64; 2]) -> f64 {
    nearest_on_segment(wall[0], wall[1], at).1
}

/// The nearest walls, ties by their ends.
struct Sorted<const N: usize> {
    walls: [Wall; N],
    far: [f64; N],
    len: usize,
}

impl<const N: usize> Sorted<N> {
    fn new() -> Sorted<N> {
        Sorted { walls: [[[0.0; 2]; 2]; N], far: [0.0; N], len: 0 }
    }

    fn insert(&mut self, far: f64, wall: Wall) {
        let before = |k: usize, all: &Sorted<N>| {
            far < all.far[k] || far == all.far[k] && wall < all.walls[k]
        };
        let mut at = self.len.min(N - 1);
        if self.len == N && !before(at, self) {
            return;
        }
        while at > 0 && before(at - 1, self) {
            (self.walls[at], self.far[at]) = (self.walls[at - 1], self.far[at - 1]);
            at -= 1;
        }
        (self.walls[at], self.far[at]) = (wall, far);
        self.len = (self.len + 1).min(N);
    }
}
