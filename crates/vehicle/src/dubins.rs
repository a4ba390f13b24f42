//! Shortest curves forwards: L. E. Dubins, "On curves of minimal length with a constraint on
//! average curvature, and with prescribed initial and terminal positions and tangents", 1957. One
//! of six words is the shortest; all of them are available, since the shortest may be blocked. The
//! formulas are those of A. M. Shkel and V. Lumelsky, "Classification of the Dubins set", 2001, for
//! the words themselves.

use crate::curve::{Curve, Pose, Segment};
use crate::trig::{PI, acos, atan2, sin_cos, wrapped};
use navbake_navmesh::math::sqrt;

/// The form of a curve: three segments, each a turn to the left, straight on, or a turn to the
/// right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// Left, straight, left.
    Lsl,
    /// Right, straight, right.
    Rsr,
    /// Left, straight, right.
    Lsr,
    /// Right, straight, left.
    Rsl,
    /// Right, left, right.
    Rlr,
    /// Left, right, left.
    Lrl,
}

impl Word {
    /// All of them, by number.
    pub const ALL: [Word; 6] = [Word::Lsl, Word::Rsr, Word::Lsr, Word::Rsl, Word::Rlr, Word::Lrl];

    /// The word with left and right exchanged.
    pub fn mirrored(self) -> Word {
        match self {
            Word::Lsl => Word::Rsr,
            Word::Rsr => Word::Lsl,
            Word::Lsr => Word::Rsl,
            Word::Rsl => Word::Lsr,
            Word::Rlr => Word::Lrl,
            Word::Lrl => Word::Rlr,
        }
    }

    /// The turns of its segments.
    pub fn turns(self) -> [i8; 3] {
        match self {
            Word::Lsl => [1, 0, 1],
            Word::Rsr => [-1, 0, -1],
            Word::Lsr => [1, 0, -1],
            Word::Rsl => [-1, 0, 1],
            Word::Rlr => [-1, 1, -1],
            Word::Lrl => [1, -1, 1],
        }
    }
}

/// Two poses as the formulas need them: turned so that the second is ahead, lengths in radii.
#[derive(Clone, Copy)]
pub struct Between {
    radius: f64,
    /// Distance.
    d: f64,
    /// Headings from the line between the poses.
    a: f64,
    b: f64,
    sa: f64,
    ca: f64,
    sb: f64,
    cb: f64,
    cab: f64,
}

impl Between {
    /// Curves of that radius, tiles, from one pose to another.
    pub fn new(from: Pose, to: Pose, radius: f64) -> Between {
        let (dx, dy) = (to.x - from.x, from.z - to.z);
        let line = atan2(dy, dx);
        let (a, b) = (wrapped(from.heading - line), wrapped(to.heading - line));
        let ((sa, ca), (sb, cb)) = (sin_cos(a), sin_cos(b));
        Between {
            radius,
            d: sqrt(dx * dx + dy * dy) / radius,
            a,
            b,
            sa,
            ca,
            sb,
            cb,
            cab: sin_cos(a - b).1,
        }
    }

    /// The curve of a word, where there is one.
    pub fn curve(&self, word: Word) -> Option<Curve> {
        let [t, p, q] = self.parts(word)?;
        let lengths = [t, p, q].map(|part| part * self.radius);
        let turns = word.turns();
        let segment = |i: usize| Segment { turn: turns[i], back: false, length: lengths[i] };
        Some(Curve::new(&[segment(0), segment(1), segment(2)]))
    }

    /// The length of a word's curve, tiles.
    pub fn length(&self, word: Word) -> Option<f64> {
        let [t, p, q] = self.parts(word)?;
        Some((t + p + q) * self.radius)
    }

    /// The length of the shortest curve, tiles.
    pub fn shortest(&self) -> f64 {
        let lengths = Word::ALL.iter().filter_map(|&w| self.length(w));
        lengths.fold(f64::INFINITY, f64::min)
    }

    /// The lengths of the three segments, in radii.
    fn parts(&self, word: Word) -> Option<[f64; 3]> {
        let Between { d, a, b, sa, ca, sb, cb, cab, .. } = *self;
        Some(match word {
            Word::Lsl => {
                let (p, on) = beside(d + sa - sb, cb - ca, a);
                [wrapped(on - a), p, wrapped(b - on)]
            }
            Word::Rsr => {
                let (p, on) = beside(d - sa + sb, ca - cb, a);
                [wrapped(a - on), p, wrapped(on - b)]
            }
            Word::Lsr => {
                let p = root(-2.0 + d * d + 2.0 * cab + 2.0 * d * (sa + sb))?;
                let on = atan2(-ca - cb, d + sa + sb) - atan2(-2.0, p);
                [wrapped(on - a), p, wrapped(on - b)]
            }
            Word::Rsl => {
                let p = root(-2.0 + d * d + 2.0 * cab - 2.0 * d * (sa + sb))?;
                let on = atan2(ca + cb, d - sa - sb) - atan2(2.0, p);
                [wrapped(a - on), p, wrapped(b - on)]
            }
            Word::Rlr => {
                let p = middle((6.0 - d * d + 2.0 * cab + 2.0 * d * (sa - sb)) / 8.0)?;
                let t = wrapped(a - atan2(ca - cb, d - sa + sb) + p / 2.0);
                [t, p, wrapped(a - b - t + p)]
            }
            Word::Lrl => {
                let p = middle((6.0 - d * d + 2.0 * cab + 2.0 * d * (sb - sa)) / 8.0)?;
                let t = wrapped(atan2(cb - ca, d + sa - sb) - a + p / 2.0);
                [t, p, wrapped(b - a - t + p)]
            }
        })
    }
}

/// Length and direction of the straight part between two circles driven in the same direction, from
/// the vector between their centres. Where they are one circle the direction is that of the start,
/// lest the rounding of nothing add a whole turn.
fn beside(along: f64, across: f64, start: f64) -> (f64, f64) {
    let p = sqrt(along * along + across * across);
    if p < 1e-12 { (0.0, start) } else { (p, atan2(across, along)) }
}

/// The length of the straight part between two circles driven in opposite directions, from its
/// square. A 0 changed by rounding counts as 0: its root would turn the curve by more than
/// [`SNAP`](crate::trig::SNAP), and moves an end by less than a quarter of the square.
fn root(square: f64) -> Option<f64> {
    if square > 1e-12 { Some(sqrt(square)) } else { (square > -1e-12).then_some(0.0) }
}

/// The middle arc, more than half a turn, from its cosine; none where the circles beside it are one
/// or do not meet.
fn middle(cosine: f64) -> Option<f64> {
    // As above, for a whole or a half turn changed by rounding.
    if cosine.abs() > 1.0 - 1e-12 {
        return (cosine < 0.0 && cosine > -1.0 - 1e-12).then_some(PI);
    }
    Some(2.0 * PI - acos(cosine))
}
