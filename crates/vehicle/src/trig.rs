//! Sines and arcs from sums, products and square roots alone.
//!
//! The tables are built on one machine and curves are followed on another. The sines of the
//! standard library differ between platforms, so curves must not depend on them; these routines
//! give the same bits wherever arithmetic follows IEEE 754, and are within a few units of the last
//! place.

use navbake_navmesh::math::sqrt;

/// Half a turn.
pub const PI: f64 = core::f64::consts::PI;
/// A whole turn.
pub const TURN: f64 = 2.0 * PI;

/// A quarter of a turn in two parts; the first has few bits, so that small multiples of it are
/// exact.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// Sine and cosine of an angle of at most a few thousand turns.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    let quarters = navbake_navmesh::math::round((angle / (PI / 2.0)).clamp(-1e6, 1e6));
    let k = f64::from(quarters);
    let r = (angle - k * QUARTER[0]) - k * QUARTER[1];
    let (s, c) = near_zero(r);
    match quarters.rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// By their series, for angles of at most an eighth of a turn.
fn near_zero(r: f64) -> (f64, f64) {
    let q = r * r;
    let (mut s, mut c) = (1.0, 1.0);
    let mut n = 18.0;
    while n > 1.0 {
        s = 1.0 - q / (n * (n + 1.0)) * s;
        c = 1.0 - q / (n * (n - 1.0)) * c;
        n -= 2.0;
    }
    (r * s, c)
}

/// The angle of a direction, more than minus half a turn and at most half a turn; 0 where there is
/// none.
pub fn atan2(y: f64, x: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    let (low, high) = if ax < ay { (ax, ay) } else { (ay, ax) };
    if high == 0.0 || !(low + high).is_finite() {
        return 0.0;
    }
    // Halved twice, the angle's tangent is below a fifth, and a few terms of the series do.
    let half = |t: f64| t / (1.0 + sqrt(1.0 + t * t));
    let t = half(half(low / high));
    let q = t * t;
    let mut sum = 0.0;
    let mut n = 23.0;
    while n > 0.0 {
        sum = 1.0 / n - q * sum;
        n -= 2.0;
    }
    let eighth = 4.0 * t * sum;
    let first = if ax < ay { PI / 2.0 - eighth } else { eighth };
    let upper = if x < 0.0 { PI - first } else { first };
    if y < 0.0 { -upper } else { upper }
}

/// The angle between 0 and half a turn with that cosine; cosines beyond 1 are taken for 1.
pub fn acos(cosine: f64) -> f64 {
    let c = cosine.clamp(-1.0, 1.0);
    atan2(sqrt((1.0 - c) * (1.0 + c)), c)
}

/// The same angle from 0 to below a whole turn.
///
/// Within rounding of a whole turn it is 0: else an arc of no length would be a whole circle.
pub fn wrapped(angle: f64) -> f64 {
    let turns = angle / TURN;
    let mut whole = f64::from(turns.clamp(-1e9, 1e9) as i32);
    if whole > turns {
        whole -= 1.0;
    }
    let rest = angle - whole * TURN;
    if !(SNAP..=TURN - SNAP).contains(&rest) { 0.0 } else { rest }
}

/// Angles nearer to 0 than this are 0.
pub(crate) const SNAP: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_arcs_agree_with_the_standard_library() {
        for i in -4000..=4000 {
            let a = f64::from(i) * 0.006_173;
            let (s, c) = sin_cos(a);
            assert!((s - a.sin()).abs() < 1e-15 && (c - a.cos()).abs() < 1e-15, "{a}");
            let (y, x) = (f64::from(i) * 0.37, f64::from((i * 7919) % 401) - 200.0);
            assert!((atan2(y, x) - y.atan2(x)).abs() < 1e-15, "{y} {x}");
            let u = f64::from(i) / 4000.0;
            assert!((acos(u) - u.acos()).abs() < 2e-15, "{u}");
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(f64::NAN, 1.0), 0.0);
        assert_eq!(acos(1.0 + 1e-12), 0.0);
    }

    #[test]
    fn an_angle_within_rounding_of_a_whole_turn_is_none() {
        assert_eq!(wrapped(TURN), 0.0);
        assert_eq!(wrapped(-1e-12), 0.0);
        assert_eq!(wrapped(TURN - 1e-12), 0.0);
        assert!((wrapped(-1.0) - (TURN - 1.0)).abs() < 1e-15);
        assert!((wrapped(7.0) - (7.0 - TURN)).abs() < 1e-15);
    }
}
