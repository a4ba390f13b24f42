//! Open edges that go up and down with the ground, so that the heights of both sides of a seam
//! agree.

use navbake_geom::Point;
use navbake_walkable::Ring;

use crate::layer_heights::LayerHeights;

/// Puts corners into open edges along the cells of a layer's heights, until the heights between
/// corners are straight but for `error` grid units: Douglas and Peucker's method at the places
/// where the lines between cells cross the edge, so that both sides of a seam find the same ones.
pub(crate) fn follow(ring: &mut Ring, ground: &LayerHeights<'_>, error: i32) {
    let pitch = ground.pitch();
    if pitch <= 0 || !ring.open.contains(&true) {
        return;
    }
    let mut out = Ring::with_capacity(ring.points.len());
    let mut cuts: Vec<i32> = vec![];
    for (k, (&a, &open)) in ring.points.iter().zip(&ring.open).enumerate() {
        out.push(a, open);
        let b = ring.points[(k + 1) % ring.points.len()];
        // Seams run along x or z.
        if !open || (a.x != b.x && a.z != b.z) {
            continue;
        }
        let along_z = a.x == b.x;
        let (from, to) = if along_z { (a.z, b.z) } else { (a.x, b.x) };
        let at = |t: i32| match along_z {
            true => Point::new(a.x, t),
            false => Point::new(t, a.z),
        };
        // The ground is to the left, seen from above.
        let left = [i64::from(b.z - a.z), i64::from(a.x - b.x)];
        let (least, most) = (from.min(to), from.max(to));
        let first = (least.div_euclid(pitch) + 1) * pitch;
        let mut line = vec![least];
        line.extend((first..most).step_by(pitch as usize));
        line.push(most);
        let height = |t: i32| (t, f64::from(ground.rough(at(t), left)));
        let line: Vec<(i32, f64)> = line.into_iter().map(height).collect();
        cuts.clear();
        find(&line, error, &mut cuts);
        cuts.sort_unstable();
        if from > to {
            cuts.reverse();
        }
        for &t in &cuts {
            out.push(at(t), true);
        }
    }
    *ring = out;
}

/// Places between the first and the last of a line with heights where it is cut.
fn find(line: &[(i32, f64)], error: i32, cuts: &mut Vec<i32>) {
    let mut stack = vec![(0, line.len() - 1)];
    while let Some((from, to)) = stack.pop() {
        let ((start, low), (end, high)) = (line[from], line[to]);
        let mut worst = (f64::from(error), None);
        for (k, &(t, y)) in line.iter().enumerate().take(to).skip(from + 1) {
            let part = f64::from(t - start) / f64::from(end - start);
            let off = (low + part * (high - low) - y).abs();
            if off > worst.0 {
                worst = (off, Some(k));
            }
        }
        if let Some(k) = worst.1 {
            cuts.push(line[k].0);
            stack.extend([(from, k), (k, to)]);
        }
    }
}
