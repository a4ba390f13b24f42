//! Grid points in gaps: ground is missing over less than an agent steps over, between ground and
//! ground.

use super::columns::Surface;
use super::{NONE, SamplingGrid};
use crate::exact::input::Triangles;
use crate::exact::math::V2;
use crate::exact::measures::Measures;

/// Ground for a point that has none: row, column and surface.
pub(crate) type Patch = (usize, usize, Surface);

/// Directions to look across a gap, of length 1.
const ACROSS: [V2; 4] = [
    [1.0, 0.0],
    [0.0, 1.0],
    [std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2],
    [std::f64::consts::FRAC_1_SQRT_2, -std::f64::consts::FRAC_1_SQRT_2],
];

/// Ground for points in gaps, row by row. A point without ground would cost the four squares around
/// it, and so more ground than any gap is wide.
pub(crate) fn patches(
    triangles: &Triangles,
    grid: &SamplingGrid,
    measures: &Measures,
) -> Vec<Patch> {
    let mut found: Vec<Patch> = vec![];
    let mut around = vec![];
    for (row, column, p, y) in missing(grid, measures) {
        if let Some(surface) = across(triangles, p, y, measures, &mut around) {
            found.push((row, column, surface));
        }
    }
    sort(&mut found);
    // Of one gap seen along both axes only one.
    found.dedup_by(|b, a| (a.0, a.1) == (b.0, b.1) && (a.2.y - b.2.y).abs() <= measures.climb);
    found
}

/// Row by row, the lowest of a point first.
pub(crate) fn sort(patches: &mut [Patch]) {
    patches.sort_unstable_by(|a, b| {
        let place = (a.0, a.1).cmp(&(b.0, b.1));
        place.then(a.2.y.total_cmp(&b.2.y))
    });
}

/// Points without ground between two points with ground whose heights, extended to the middle, are
/// within a step of each other: row, column, place, and the expected height.
fn missing(grid: &SamplingGrid, measures: &Measures) -> Vec<(usize, usize, V2, f64)> {
    let mut found = vec![];
    let [across, rows] = grid.size.map(|n| n as usize);
    let (step, cell) = (measures.climb + 1.0, measures.cell);
    for n in 0..grid.len() as u32 {
        let links = grid.links(n);
        if links[0] != NONE && links[1] != NONE {
            continue;
        }
        let point = grid.point(n);
        let position = [point % across, point / across];
        for axis in 0..2 {
            if links[axis] != NONE || position[axis] + 2 >= [across, rows][axis] {
                continue;
            }
            let y = grid.height(n) + 2.0 * grid.rise(n)[axis];
            let next = |far: usize| {
                let mut at = position.map(|k| k as i32);
                at[axis] += far as i32;
                grid.under_row(at[1], at[0]..=at[0])
            };
            let goes_on = |m: u32| {
                let there = grid.height(m) - 2.0 * grid.rise(m)[axis];
                grid.links(m)[axis + 2] == NONE && (there - y).abs() <= step
            };
            if !next(1).any(|m| (grid.height(m) - y).abs() <= step) && next(2).any(goes_on) {
                let [column, row] = [0, 1].map(|k| position[k] + usize::from(k == axis));
                let mut p = grid.place(n);
                p[axis] += cell;
                found.push((row, column, p, y));
            }
        }
    }
    found
}

/// The ground nearest to a place at about a height, if it ends on both sides of the place no
/// further apart than a gap is wide.
fn across(
    triangles: &Triangles,
    p: V2,
    y: f64,
    measures: &Measures,
    around: &mut Vec<u32>,
) -> Option<Surface> {
    let Measures { gap, climb, .. } = *measures;
    let bounds = [p[0] - gap, p[1] - gap, p[0] + gap, p[1] + gap];
    let (low, high) = (y - climb, y + climb);
    triangles.collect(bounds, low, high, around);
    let mut best: Option<(f64, Surface)> = None;
    for [dx, dy] in ACROSS {
        let [a, b] = [-gap, gap].map(|far| [p[0] + dx * far, p[1] + dy * far]);
        // How far from the place ground ends behind it, and begins ahead of it.
        let mut ends = [(gap, None); 2];
        for &number in around.iter() {
            let triangle = &triangles.all[number as usize];
            let here = triangle.at(p);
            if here < low || here > high {
                continue;
            }
            let Some((from, to)) = triangle.cut(a, b, 0.0, 1.0, &[0.0; 3]) else {
                continue;
            };
            let surface = Surface::ground(here, number);
            let sides = [(to, 0.5 - to), (1.0 - from, from - 0.5)];
            for (end, (_, off)) in ends.iter_mut().zip(sides) {
                let far = off * 2.0 * gap;
                let nearer =
                    far < end.0 || (far == end.0 && end.1.is_some_and(|s: Surface| here > s.y));
                if far >= 0.0 && nearer {
                    *end = (far, Some(surface));
                }
            }
        }
        let [(behind, Some(last)), (ahead, Some(next))] = ends else {
            continue;
        };
        if behind + ahead < gap {
            let (far, surface) = if behind <= ahead { (behind, last) } else { (ahead, next) };
            if best.is_none_or(|b| far < b.0) {
                best = Some((far, surface));
            }
        }
    }
    best.map(|b| b.1)
}
