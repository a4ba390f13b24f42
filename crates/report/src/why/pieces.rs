//! The connected pieces of a level's parts, and their bounds.
//!
//! An editor's objects are parts. A level that was merged to one mesh has a part for each material,
//! and one part may be all crates. What is one thing to a person is connected by shared corners.

use super::ground::Cells;
use crate::explain::solid::Solid;

/// Bounds, grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    least: [f64; 3],
    most: [f64; 3],
}

impl Extent {
    const NONE: Extent = Extent { least: [f64::INFINITY; 3], most: [f64::NEG_INFINITY; 3] };

    fn add(&mut self, p: [f64; 3]) {
        for (k, c) in p.into_iter().enumerate() {
            self.least[k] = self.least[k].min(c);
            self.most[k] = self.most[k].max(c);
        }
    }

    /// Its greater side seen from above.
    pub(super) fn wide(&self) -> f64 {
        (self.most[0] - self.least[0]).max(self.most[2] - self.least[2])
    }

    /// Its diagonal seen from above.
    pub(super) fn long(&self) -> f64 {
        (self.most[0] - self.least[0]).hypot(self.most[2] - self.least[2])
    }

    /// The height of its top.
    pub(super) fn top(&self) -> f64 {
        self.most[1]
    }

    /// The height of its lowest point.
    pub(super) fn base(&self) -> f64 {
        self.least[1]
    }

    pub(super) fn middle(&self) -> [f64; 2] {
        [0, 2].map(|k| (self.least[k] + self.most[k]) / 2.0)
    }
}

/// The pieces of all triangles.
#[derive(Debug)]
pub(super) struct Pieces {
    /// The number of the piece of each triangle: the least number of its triangles.
    of: Vec<u32>,
    /// The bounds of each piece, at its number.
    extents: Vec<Extent>,
}

impl Pieces {
    pub(super) fn new(solids: &[Solid]) -> Pieces {
        let mut of: Vec<u32> = (0..solids.len() as u32).collect();
        let mut first: Cells<(u32, [u64; 3]), u32> = Cells::default();
        for (solid, n) in solids.iter().zip(0u32..) {
            for corner in solid.corners {
                let key = (solid.part, corner.map(f64::to_bits));
                let other = *first.entry(key).or_insert(n);
                let [a, b] = [root(&mut of, other), root(&mut of, n)];
                of[a.max(b) as usize] = a.min(b);
            }
        }
        let mut extents = vec![Extent::NONE; solids.len()];
        for (solid, n) in solids.iter().zip(0u32..) {
            let own = root(&mut of, n);
            solid.corners.into_iter().for_each(|p| extents[own as usize].add(p));
        }
        let of = (0..solids.len() as u32).map(|n| root(&mut of, n)).collect();
        Pieces { of, extents }
    }

    /// The number of a triangle's piece.
    pub(super) fn of(&self, solid: u32) -> u32 {
        self.of[solid as usize]
    }

    /// The bounds of a triangle's piece.
    pub(super) fn extent(&self, solid: u32) -> Extent {
        self.extents[self.of(solid) as usize]
    }
}

/// The root of a number in a forest, whose paths get shorter.
fn root(of: &mut [u32], mut n: u32) -> u32 {
    while of[n as usize] != n {
        let above = of[of[n as usize] as usize];
        of[n as usize] = above;
        n = above;
    }
    n
}
