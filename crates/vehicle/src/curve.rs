//! Poses, and the curves between them: arcs of one radius and straight lines.
//!
//! Everything here is in tiles: the middle of a tile has whole coordinates, x grows with the column
//! and z with the row. A heading is an angle counter-clockwise seen from above, 0 along x; as z
//! points down on such a picture, its direction is `(cos, -sin)`.

use crate::trig::{SNAP, sin_cos};

/// Where a vehicle is, and where it looks. Tiles and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Along columns.
    pub x: f64,
    /// Along rows.
    pub z: f64,
    /// Counter-clockwise seen from above, 0 along x.
    pub heading: f64,
}

impl Pose {
    /// The same heading at a place moved by an offset.
    #[inline]
    pub fn moved(self, dx: f64, dz: f64) -> Pose {
        Pose { x: self.x + dx, z: self.z + dz, ..self }
    }

    /// A point given in the vehicle's own frame, ahead of it and to its right.
    #[inline]
    pub fn point(&self, ahead: f64, right: f64) -> [f64; 2] {
        let (s, c) = sin_cos(self.heading);
        [self.x + ahead * c + right * s, self.z - ahead * s + right * c]
    }
}

/// A part of a curve: an arc or a straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// 1 for a turn to the left (counter-clockwise seen from above, when driven forwards), -1 for
    /// one to the right, 0 for straight on.
    pub turn: i8,
    /// Driven backwards: the wheels are turned as `turn` says, and the vehicle moves in reverse.
    pub back: bool,
    /// Tiles.
    pub length: f64,
}

impl Segment {
    /// The pose after a length of it, from its first pose on.
    pub fn pose(&self, from: Pose, radius: f64, along: f64) -> Pose {
        let along = if self.back { -along } else { along };
        let (s0, c0) = sin_cos(from.heading);
        if self.turn == 0 {
            return from.moved(along * c0, -along * s0);
        }
        let turn = f64::from(self.turn);
        let heading = from.heading + turn * along / radius;
        let (s1, c1) = sin_cos(heading);
        let across = turn * radius;
        Pose { x: from.x + across * (s1 - s0), z: from.z + across * (c1 - c0), heading }
    }

    /// Where it ends.
    pub fn end(&self, from: Pose, radius: f64) -> Pose {
        self.pose(from, radius, self.length)
    }
}

/// The most segments that a curve has.
pub const MOST_SEGMENTS: usize = 5;

/// Segments one after the other, without those of no length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curve {
    segments: [Segment; MOST_SEGMENTS],
    count: u8,
}

impl Curve {
    /// Of these segments.
    ///
    /// Lengths within rounding of 0 are left out, and of more than [`MOST_SEGMENTS`] the rest.
    pub fn new(segments: &[Segment]) -> Curve {
        let mut curve = Curve::default();
        for &segment in segments.iter().filter(|s| s.length > SNAP) {
            if let Some(place) = curve.segments.get_mut(usize::from(curve.count)) {
                *place = segment;
                curve.count += 1;
            }
        }
        curve
    }

    /// Its segments.
    #[inline]
    pub fn segments(&self) -> &[Segment] {
        self.segments.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// Tiles.
    pub fn length(&self) -> f64 {
        self.segments().iter().map(|s| s.length).sum()
    }

    /// Where it ends.
    pub fn end(&self, from: Pose, radius: f64) -> Pose {
        let ends = self.segments().iter();
        ends.fold(from, |at, segment| segment.end(at, radius))
    }

    /// The same curve driven backwards, with the wheels turned the same.
    ///
    /// It leads to where the forward curve would lead a vehicle turned about.
    pub fn backwards(mut self) -> Curve {
        for segment in &mut self.segments {
            segment.back = !segment.back;
            segment.turn = -segment.turn;
        }
        self
    }
}
