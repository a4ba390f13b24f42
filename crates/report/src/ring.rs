//! Convex rings of the ground plane.

/// Distance from a place to a convex ring and its nearest point; `None` for an empty ring.
pub(crate) fn distance(ring: &[[f64; 2]], at: [f64; 2]) -> Option<(f64, [f64; 2])> {
    let mut best: Option<(f64, [f64; 2])> = None;
    let mut sides = [false; 2];
    for (k, &a) in ring.iter().enumerate() {
        let b = ring[(k + 1) % ring.len()];
        let d = [b[0] - a[0], b[1] - a[1]];
        let to = [at[0] - a[0], at[1] - a[1]];
        let turn = d[0] * to[1] - d[1] * to[0];
        sides[0] |= turn >= 0.0;
        sides[1] |= turn <= 0.0;
        let square = d[0] * d[0] + d[1] * d[1];
        let along = d[0] * to[0] + d[1] * to[1];
        let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        let near = [a[0] + t * d[0], a[1] + t * d[1]];
        let far = (near[0] - at[0]).powi(2) + (near[1] - at[1]).powi(2);
        if best.is_none_or(|b| far < b.0) {
            best = Some((far, near));
        }
    }
    let holds = ring.len() >= 3 && !(sides[0] && sides[1]);
    if holds {
        return Some((0.0, at));
    }
    best.map(|(_, near)| ((near[0] - at[0]).hypot(near[1] - at[1]), near))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]];

    #[test]
    fn distances_are_to_the_nearest_point_and_zero_inside() {
        assert_eq!(distance(&SQUARE, [1.0, 1.0]), Some((0.0, [1.0, 1.0])));
        assert_eq!(distance(&SQUARE, [5.0, 6.0]), Some((5.0, [2.0, 2.0])));
        assert_eq!(distance(&SQUARE[..2], [3.0, 1.0]), Some((3.0, [0.0, 1.0])));
        assert_eq!(distance(&[], [3.0, 1.0]), None);
    }
}
