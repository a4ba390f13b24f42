//! Convex polygons seen from above, and their differences.

/// A place (x, z).
pub(crate) type Place = [f64; 2];

/// The side of the line from `a` to `b` that a place is on.
///
/// Positive to the left, with x to the right and z upwards.
fn side(a: Place, b: Place, p: Place) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Twice the signed area.
pub(crate) fn doubled(ring: &[Place]) -> f64 {
    let Some(&o) = ring.first() else {
        return 0.0;
    };
    ring.windows(2).map(|w| side(o, w[0], w[1])).sum()
}

/// Its area.
pub(crate) fn area(ring: &[Place]) -> f64 {
    doubled(ring).abs() / 2.0
}

/// The same ring with its inside to the left.
pub(crate) fn turned(mut ring: Vec<Place>) -> Vec<Place> {
    if doubled(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

/// The centroid of its area; of its corners if it has no area.
pub(crate) fn middle(ring: &[Place]) -> Place {
    let o = ring[0];
    let (mut sum, mut all) = ([0.0; 2], 0.0);
    for w in ring.windows(2) {
        let part = side(o, w[0], w[1]);
        all += part;
        for k in 0..2 {
            sum[k] += part * (o[k] + w[0][k] + w[1][k]) / 3.0;
        }
    }
    if all.abs() > 1e-12 {
        return sum.map(|s| s / all);
    }
    let count = ring.len() as f64;
    [0, 1].map(|k| ring.iter().map(|p| p[k]).sum::<f64>() / count)
}

/// The approximate width of a thin ring.
///
/// It is twice its area divided by half its perimeter.
pub(crate) fn width(ring: &[Place]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    let around: f64 = (ring.iter().zip(next))
        .map(|(a, b)| {
            let (x, z) = (b[0] - a[0], b[1] - a[1]);
            (x * x + z * z).sqrt()
        })
        .sum();
    if around > 0.0 { 2.0 * area(ring) / around } else { 0.0 }
}

/// Cuts a convex ring along a line into its left and its right part.
fn split(ring: &[Place], a: Place, b: Place) -> (Vec<Place>, Vec<Place>) {
    let (mut left, mut right) = (vec![], vec![]);
    for (k, &p) in ring.iter().enumerate() {
        let q = ring[(k + 1) % ring.len()];
        let (sp, sq) = (side(a, b, p), side(a, b, q));
        if sp >= 0.0 {
            left.push(p);
        }
        if sp <= 0.0 {
            right.push(p);
        }
        if (sp > 0.0 && sq < 0.0) || (sp < 0.0 && sq > 0.0) {
            let t = sp / (sp - sq);
            let cut = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
            left.push(cut);
            right.push(cut);
        }
    }
    (left, right)
}

fn is_something(ring: &[Place]) -> bool {
    ring.len() > 2 && area(ring) > 1e-9
}

/// Is a ring beyond an edge of another, so that they share no area?
///
/// The other is convex with its inside to the left.
pub(crate) fn is_beyond(ring: &[Place], other: &[Place]) -> bool {
    let mut edges = other.iter().zip(other.iter().cycle().skip(1));
    edges.any(|(&a, &b)| ring.iter().all(|&p| side(a, b, p) <= 0.0))
}

/// The part of `ring` inside `other`.
///
/// Both are convex with their insides to the left. Calls `outside` for each convex piece of the
/// rest. Pieces without area are dropped.
pub(crate) fn within(
    ring: &[Place],
    other: &[Place],
    mut outside: impl FnMut(Vec<Place>),
) -> Vec<Place> {
    let mut left = ring.to_vec();
    for (k, &a) in other.iter().enumerate() {
        let b = other[(k + 1) % other.len()];
        if left.len() < 3 {
            break;
        }
        let (inside, beyond) = split(&left, a, b);
        if is_something(&beyond) {
            outside(beyond);
        }
        left = inside;
    }
    if is_something(&left) { left } else { vec![] }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn regular(corners: u32, radius: f64, at: Place) -> Vec<Place> {
        let ring = (0..corners).map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / f64::from(corners);
            [at[0] + radius * angle.cos(), at[1] + radius * angle.sin()]
        });
        turned(ring.collect())
    }

    proptest! {
        #[test]
        fn inside_and_outside_make_up_the_whole(n in 3u32..9, m in 3u32..9, r in 0.1f64..5.0, x in -5.0f64..5.0, z in -5.0f64..5.0) {
            let (a, b) = (regular(n, 3.0, [0.0, 0.0]), regular(m, r, [x, z]));
            let mut rest = 0.0;
            let inside = within(&a, &b, |piece| rest += area(&piece));
            prop_assert!((area(&inside) + rest - area(&a)).abs() < 1e-6);
            let back = within(&b, &a, |_| ());
            prop_assert!((area(&inside) - area(&back)).abs() < 1e-6);
        }
    }

    #[test]
    fn a_hole_leaves_pieces_around_it() {
        let square = |r: f64| vec![[-r, -r], [r, -r], [r, r], [-r, r]];
        let mut pieces = vec![];
        let inside = within(&square(2.0), &square(1.0), |p| pieces.push(p));
        assert_eq!((area(&inside), pieces.len()), (4.0, 4));
        assert_eq!(pieces.iter().map(|p| area(p)).sum::<f64>(), 12.0);
        assert!((width(&square(1.0)) - 1.0).abs() < 1e-9);
    }
}
