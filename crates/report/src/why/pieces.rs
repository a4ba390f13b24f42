//! The connected pieces of a level's parts, and their bounds.
//!
//! An editor's objects are parts. A level that was merged to one mesh has a part for each material,
//! and one part may be all crates. What is one thing to a person is connected by shared corners.

use crate::cell_map::CellMap;
use crate::explain::solid::Solid;

/// Heights that differ by less than this, in grid units, are of one top.
const SAME: f64 = 16.0;

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
    /// The triangles by their pieces.
    members: Vec<u32>,
    /// The bounds of each piece, at its number.
    extents: Vec<Extent>,
    /// The triangles of each piece that face up, at its number.
    tops: Vec<Vec<Top>>,
}

/// A triangle that faces up.
#[derive(Clone, Copy, Debug)]
struct Top {
    /// Its least and greatest height.
    heights: [f64; 2],
    /// Its area seen from above.
    area: f64,
}

impl Top {
    fn of(solid: &Solid) -> Top {
        let [a, b, c] = solid.corners;
        let doubled = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
        let heights = [a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1])];
        Top { heights, area: doubled.abs() / 2.0 }
    }
}

impl Pieces {
    pub(super) fn new(solids: &[Solid]) -> Pieces {
        let mut of: Vec<u32> = (0..solids.len() as u32).collect();
        let mut first: CellMap<(u32, [u64; 3]), u32> = CellMap::default();
        for (solid, n) in solids.iter().zip(0u32..) {
            for corner in solid.corners {
                let key = (solid.part, corner.map(f64::to_bits));
                let other = *first.entry(key).or_insert(n);
                let [a, b] = [root(&mut of, other), root(&mut of, n)];
                of[a.max(b) as usize] = a.min(b);
            }
        }
        let mut extents = vec![Extent::NONE; solids.len()];
        let mut tops = vec![vec![]; solids.len()];
        for (solid, n) in solids.iter().zip(0u32..) {
            let own = root(&mut of, n);
            solid.corners.into_iter().for_each(|p| extents[own as usize].add(p));
            if solid.up > 0 {
                tops[own as usize].push(Top::of(solid));
            }
        }
        let of: Vec<u32> = (0..solids.len() as u32).map(|n| root(&mut of, n)).collect();
        let mut members: Vec<u32> = (0..solids.len() as u32).collect();
        members.sort_by_key(|&n| of[n as usize]);
        Pieces { of, members, extents, tops }
    }

    /// The number of a triangle's piece.
    pub(super) fn of(&self, solid: u32) -> u32 {
        self.of[solid as usize]
    }

    /// The triangles of a triangle's piece.
    pub(super) fn members(&self, solid: u32) -> &[u32] {
        let own = self.of(solid);
        let first = self.members.partition_point(|&n| self.of(n) < own);
        let count = self.members[first..].partition_point(|&n| self.of(n) == own);
        &self.members[first..first + count]
    }

    /// The area, seen from above, of what faces up at a height of a triangle's piece.
    pub(super) fn top_area(&self, solid: u32, y: f64) -> f64 {
        let tops = self.tops[self.of(solid) as usize].iter();
        let is_there = |top: &&Top| top.heights[0] - SAME <= y && y <= top.heights[1] + SAME;
        tops.filter(is_there).map(|top| top.area).sum()
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
