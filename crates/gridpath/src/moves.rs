//! The steps that a cell allows, by the cells around it: tables over all 256 surroundings.
//!
//! Where all steps cost the same, most of them need not be tried: of shortest paths that differ in
//! the order of their steps alone, one is enough (the canonical one of Sturtevant and Rabin,
//! *Canonical orderings on grids*, 2016; it bends at Harabor and Grastien's jump points, 2011). A
//! step from cell n to m after one from p to n is left out when there is a path from p to m past n
//! that is shorter, or as long with the diagonal step first (with the step along x first where
//! there are no diagonal ones).
//!
//! Distances stay the same. Let m be the nearest cell with a wrong distance, and n the last cell
//! but one of a shortest path to it. n has the right one, from some p, and its step to m was left
//! out; nothing is shorter, so a shortest path leads from p over another cell q, diagonal step
//! first. q is nearer than m and has the right distance. Its step to m is the second of two in the
//! preferred order, or straight on; such steps are left out only for a shorter path, and there is
//! none.

use crate::search::NONE;

/// Steps along x and z of the eight directions, row by row; 1, 3, 4 and 6 are straight.
pub(crate) const STEPS: [[i32; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// The directions in which both coordinates change, as bits.
pub(crate) const DIAGONAL: u8 = 0b1010_0101;

/// The eight cells around a cell, by the nine bits of [`navbake_format::GridMapView::around`].
#[inline]
pub(crate) fn eight(around: u16) -> u8 {
    (around & 15 | around >> 1 & 0xF0) as u8
}

/// Allowed steps by the direction of the step before ([`NONE`] for all of them) and the free cells
/// around.
pub(crate) type Table = [[u8; 256]; 9];

/// Straight steps only; of equal paths those along x first.
pub(crate) static FOUR: Table = table(false);

/// Diagonal steps too, where both cells beside them are free; of equal paths diagonal first.
pub(crate) static EIGHT: Table = table(true);

/// Diagonal steps too, where one of the cells beside them is free; nothing is left out.
pub(crate) static CUTTING: [u8; 256] = {
    let mut steps = [0; 256];
    let mut around = 0;
    while around < 256 {
        steps[around] = allowed(around as u8, 1);
        around += 1;
    }
    steps
};

/// The direction of a step.
pub(crate) const fn direction(dx: i32, dz: i32) -> u8 {
    let place = (dz + 1) * 3 + dx + 1;
    (if place > 4 { place - 1 } else { place }) as u8
}

const fn is_free(around: u8, dx: i32, dz: i32) -> bool {
    around >> direction(dx, dz) & 1 != 0
}

/// Steps into free cells; diagonal ones when `beside` of the two cells beside them are free.
const fn allowed(around: u8, beside: u8) -> u8 {
    let (mut steps, mut d) = (around & !DIAGONAL, 0);
    while d < 8 {
        let [dx, dz] = STEPS[d];
        if DIAGONAL >> d & 1 != 0 && around >> d & 1 != 0 {
            let free = is_free(around, dx, 0) as u8 + is_free(around, 0, dz) as u8;
            if free >= beside {
                steps |= 1 << d;
            }
        }
        d += 1;
    }
    steps
}

const fn table(diagonal: bool) -> Table {
    let mut table = [[0; 256]; 9];
    let mut around = 0;
    while around < 256 {
        let all = match diagonal {
            true => allowed(around as u8, 2),
            false => around as u8 & !DIAGONAL,
        };
        table[NONE as usize][around] = all;
        let mut d = 0;
        while d < 8 {
            table[d][around] = all & after(around as u8, d, diagonal);
            d += 1;
        }
        around += 1;
    }
    table
}

/// The steps to try after one in the direction `d`.
const fn after(around: u8, d: usize, diagonal: bool) -> u8 {
    let [dx, dz] = STEPS[d];
    let on = 1 << d;
    if dx != 0 && dz != 0 {
        return on | 1 << direction(dx, 0) | 1 << direction(0, dz);
    }
    if dx != 0 && !diagonal {
        return on | 1 << direction(0, -1) | 1 << direction(0, 1);
    }
    // Sideways only where the cell beside the one before is blocked: else the path through that one
    // is as good.
    let (mut steps, mut side) = (on, -1);
    while side <= 1 {
        let [sx, sz] = [dz * side, dx * side];
        if !is_free(around, sx - dx, sz - dz) {
            steps |= 1 << direction(sx, sz) | 1 << direction(sx + dx, sz + dz);
        }
        side += 2;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_numbered_row_by_row() {
        for (d, [dx, dz]) in (0u8..).zip(STEPS) {
            assert_eq!(direction(dx, dz), d);
            assert_eq!(DIAGONAL >> d & 1 != 0, dx != 0 && dz != 0);
            assert_eq!(eight(1 << ((dz + 1) * 3 + dx + 1)), 1 << d);
        }
        assert_eq!(eight(1 << 4), 0);
    }

    /// For each step left out there is a path past the middle that is shorter, or as long with the
    /// preferred step first.
    #[test]
    fn only_needless_steps_are_left_out() {
        // Squared lengths do not add up, so lengths count straight and diagonal steps; fewer
        // steps, then fewer diagonal ones, is shorter for the one or two steps here.
        for (table, diagonal) in [(&FOUR, false), (&EIGHT, true)] {
            for around in 0..=255u8 {
                for d in 0..8usize {
                    if !diagonal && DIAGONAL >> d & 1 != 0 {
                        continue;
                    }
                    let [px, pz] = STEPS[d].map(|c| -c); // the cell before, seen from the middle
                    let before_is_free = is_free(around, px, pz);
                    let sides_are_free = DIAGONAL >> d & 1 == 0
                        || (is_free(around, px, 0) && is_free(around, 0, pz));
                    if !before_is_free || !sides_are_free {
                        continue; // nobody came this way
                    }
                    let left_out =
                        table[NONE as usize][around as usize] & !table[d][around as usize];
                    for m in (0..8usize).filter(|m| left_out >> m & 1 != 0) {
                        let to = STEPS[m];
                        if to == [px, pz] {
                            continue; // back
                        }
                        let free = |[x, z]: [i32; 2]| {
                            x.abs() <= 1
                                && z.abs() <= 1
                                && [x, z] != [0, 0]
                                && is_free(around, x, z)
                        };
                        let middle = |[x, z]: [i32; 2]| [x, z] == [0, 0];
                        let can = |a: [i32; 2], b: [i32; 2]| {
                            let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
                            let near = dx.abs() <= 1 && dz.abs() <= 1 && [dx, dz] != [0, 0];
                            let slant = dx != 0 && dz != 0;
                            let open = |c| free(c) || middle(c);
                            let beside = open([a[0] + dx, a[1]]) && open([a[0], a[1] + dz]);
                            near && free(b) && (!slant || (diagonal && beside))
                        };
                        let slant = |a: [i32; 2], b: [i32; 2]| a[0] != b[0] && a[1] != b[1];
                        let measure = |way: &[[i32; 2]]| {
                            let slants = way.windows(2).filter(|w| slant(w[0], w[1])).count();
                            (way.len() - 1 - slants) as f64 + slants as f64 * 2f64.sqrt()
                        };
                        let own = [[px, pz], [0, 0], to];
                        let mut others: alloc::vec::Vec<alloc::vec::Vec<[i32; 2]>> = alloc::vec![];
                        if can([px, pz], to) {
                            others.push(alloc::vec![[px, pz], to]);
                        }
                        for q in STEPS.into_iter().filter(|&q| q != to) {
                            if can([px, pz], q) && can(q, to) {
                                others.push(alloc::vec![[px, pz], q, to]);
                            }
                        }
                        let better = others.iter().any(|way| {
                            let (a, b) = (measure(way), measure(&own));
                            let first = if diagonal {
                                slant(way[0], way[1]) && !slant(own[0], own[1])
                            } else {
                                way[0][0] != way[1][0] && own[0][0] == own[1][0]
                            };
                            a < b - 1e-9 || (a < b + 1e-9 && first)
                        });
                        assert!(better, "{around:08b}, after {d}, {m} was left out");
                    }
                }
            }
        }
    }
}
