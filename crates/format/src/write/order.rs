//! The order in which polygons are stored.

/// Place of a point on a Hilbert curve through a cube of `2^16` cells a side. Method: Skilling,
/// Programming the Hilbert curve, AIP Conference Proceedings 707 (2004).
pub(super) fn hilbert(cell: [u16; 3]) -> u64 {
    let mut x = cell.map(u32::from);
    // Undo the excess work of reflections and exchanges, from the greatest bit down.
    let mut q = 1u32 << 15;
    while q > 1 {
        let p = q - 1;
        for i in 0..3 {
            if x[i] & q != 0 {
                x[0] ^= p;
            } else {
                let t = (x[0] ^ x[i]) & p;
                x[0] ^= t;
                x[i] ^= t;
            }
        }
        q >>= 1;
    }
    // Gray code.
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut t = 0;
    let mut q = 1u32 << 15;
    while q > 1 {
        if x[2] & q != 0 {
            t ^= q - 1;
        }
        q >>= 1;
    }
    let x = x.map(|c| c ^ t);
    // The bits of the three, interleaved, are the place.
    (0..16)
        .rev()
        .fold(0, |place, bit| x.iter().fold(place, |place, c| place << 1 | u64::from(c >> bit & 1)))
}

#[cfg(test)]
mod tests {
    use super::hilbert;
    use alloc::vec::Vec;

    #[test]
    fn the_curve_visits_each_cell_once_by_single_steps() {
        let mut cells: Vec<(u64, [u16; 3])> = Vec::new();
        for x in 0..8 {
            for y in 0..8 {
                for z in 0..8 {
                    cells.push((hilbert([x, y, z]), [x, y, z]));
                }
            }
        }
        cells.sort_unstable();
        for (i, w) in cells.windows(2).enumerate() {
            assert_eq!(w[0].0, i as u64, "no gap in the first cube");
            let steps: u16 = (0..3).map(|k| w[0].1[k].abs_diff(w[1].1[k])).sum();
            assert_eq!(steps, 1);
        }
    }
}
