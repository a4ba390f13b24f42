//! Open edges that go up and down with the ground, so that the heights of both sides of a seam agree.

use navbake_geom::Point;
use navbake_walkable::Ring;

use crate::layer_heights::LayerHeights;

/// Puts corners into open edges along the lattice of a layer's heights, until the heights between corners are straight but for `error` grid units:
/// Douglas and Peucker's method at the places where the lattice's lines cross the edge, so that both sides of a seam find the same ones.
pub(crate) fn follow(ring: &mut Ring, relief: &LayerHeights<'_>, error: i32) {
    let pitch = relief.pitch();
    if pitch <= 0 || !ring.open.contains(&true) {
        return;
    }
    let mut out = Ring::default();
    let mut cuts: Vec<i32> = vec![];
    for (k, (&a, &open)) in ring.points.iter().zip(&ring.open).enumerate() {
        out.points.push(a);
        out.open.push(open);
        let b = ring.points[(k + 1) % ring.points.len()];
        // Seams lie along x or z.
        if !open || (a.x != b.x && a.z != b.z) {
            continue;
        }
        let along_z = a.x == b.x;
        let (from, to) = if along_z { (a.z, b.z) } else { (a.x, b.x) };
        let at = |t: i32| match along_z {
            true => Point::new(a.x, t),
            false => Point::new(t, a.z),
        };
        cuts.clear();
        // The ground is to the left, seen from above.
        let left = [i64::from(b.z - a.z), i64::from(a.x - b.x)];
        let height = |t: i32| relief.rough(at(t), left);
        find(from.min(to), from.max(to), pitch, error, &height, &mut cuts);
        cuts.sort_unstable();
        if from > to {
            cuts.reverse();
        }
        for &t in &cuts {
            out.points.push(at(t));
            out.open.push(true);
        }
    }
    *ring = out;
}

fn find(
    from: i32,
    to: i32,
    pitch: i32,
    error: i32,
    height: &impl Fn(i32) -> i32,
    cuts: &mut Vec<i32>,
) {
    let mut stack = vec![(from, to)];
    while let Some((from, to)) = stack.pop() {
        let (low, high) = (f64::from(height(from)), f64::from(height(to)));
        let mut worst = (f64::from(error), None);
        let mut t = (from.div_euclid(pitch) + 1) * pitch;
        while t < to {
            let part = f64::from(t - from) / f64::from(to - from);
            let off = (low + part * (high - low) - f64::from(height(t))).abs();
            if off > worst.0 {
                worst = (off, Some(t));
            }
            t += pitch;
        }
        if let Some(t) = worst.1 {
            cuts.push(t);
            stack.extend([(from, t), (t, to)]);
        }
    }
}
