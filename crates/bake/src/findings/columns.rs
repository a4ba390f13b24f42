//! What lies above ground: other ground at the same height, and ceilings a little too low.
//!
//! Looked at along the columns of a lattice: exact borders are the walkable stage's; here it is about what a person should look at.

use std::collections::BTreeMap;

use navbake_format::NoticedKind;
use navbake_geom::Point3;
use navbake_level::{Agent, Level, Role};

use super::{Remark, can_be_ground};

/// Distance of columns, m; more on large levels.
const STEP: f64 = 0.2;
/// So many samples are looked at, more or less.
const SAMPLES: f64 = 3e5;
/// Columns farther apart than this would miss what matters, m.
const COARSE: f64 = 1.0;
/// Faces of ground that lie closer than this are at one height, m.
const SAME: f64 = 0.01;
/// Less ground than this is not worth a word, m2.
const LEAST: f64 = 0.15;

/// A triangle in a column.
#[derive(Clone, Copy)]
struct Sample {
    column: [i32; 2],
    /// Grid units.
    height: f64,
    triangle: u32,
}

/// What was found; `None` where the level is too large for it.
pub(super) fn columns(level: &Level, agents: &[&Agent], margin: f64) -> Option<Vec<Remark>> {
    let step = step(level)?;
    let samples = samples(level, step);
    let mut remarks = overlaps(level, agents, step, &samples);
    for (class, agent) in (0u16..).zip(agents) {
        remarks.extend(head_room(level, agent, class, margin, step, &samples));
    }
    Some(remarks)
}

/// The distance of columns, grid units; none where the level is too large for it.
fn step(level: &Level) -> Option<f64> {
    let flat = level.triangles.iter().map(|t| {
        let [a, b, c] = level.corners(t).map(Point3::flat);
        navbake_geom::orient(a, b, c).unsigned_abs() as f64 / 2.0
    });
    let units = level.grid.units();
    let whole = flat.sum::<f64>() / (units * units);
    let step = (whole / SAMPLES).sqrt().max(STEP);
    (step <= COARSE).then_some(step * units)
}

/// Where columns meet triangles, by column, then height.
fn samples(level: &Level, step: f64) -> Vec<Sample> {
    let mut samples = vec![];
    for (number, triangle) in (0u32..).zip(&level.triangles) {
        if level.roles[triangle.part as usize] == Role::Ignored {
            continue;
        }
        let p = level
            .corners(triangle)
            .map(|c| [c.x, c.y, c.z].map(f64::from));
        let doubled =
            (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) - (p[2][0] - p[0][0]) * (p[1][2] - p[0][2]);
        if doubled == 0.0 {
            continue;
        }
        let range = |k: usize| {
            let [a, b, c] = [p[0][k], p[1][k], p[2][k]];
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            (index(low, step), index(high, step) + 1)
        };
        let ((x0, x1), (z0, z1)) = (range(0), range(2));
        for column in x0..=x1 {
            for row in z0..=z1 {
                let [x, z] = [middle(column, step), middle(row, step)];
                let share = |a: [f64; 3], b: [f64; 3]| {
                    ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / doubled
                };
                let shares = [share(p[1], p[2]), share(p[2], p[0]), share(p[0], p[1])];
                // Well inside, so that neighbours do not both claim what lies on their edge.
                if shares.iter().any(|&s| s < 1e-6) {
                    continue;
                }
                samples.push(Sample {
                    column: [column, row],
                    height: (0..3).map(|k| shares[k] * p[k][1]).sum(),
                    triangle: number,
                });
            }
        }
    }
    samples.sort_by(|a, b| {
        let key = |s: &Sample| s.column;
        key(a)
            .cmp(&key(b))
            .then_with(|| a.height.total_cmp(&b.height))
            .then_with(|| a.triangle.cmp(&b.triangle))
    });
    samples
}

/// The column before a place. Columns stand beside round numbers, where levels have their edges.
fn index(place: f64, step: f64) -> i32 {
    (place / step - OFFSET).floor() as i32
}

fn middle(column: i32, step: f64) -> f64 {
    (f64::from(column) + OFFSET) * step
}

const OFFSET: f64 = 0.4871;

/// What was found in a column at a height.
#[derive(Clone, Copy)]
struct Spot {
    column: [i32; 2],
    height: f64,
    value: f64,
    /// Of the four columns around: those with ground there that is as it should be, and those that are worse.
    good: u32,
    worse: u32,
}

/// Ground of two faces at one height.
fn overlaps(level: &Level, agents: &[&Agent], step: f64, samples: &[Sample]) -> Vec<Remark> {
    let ground = super::ground(level, agents);
    let same = SAME * level.grid.units();
    let mut spots = vec![];
    for column in samples.chunk_by(|a, b| a.column == b.column) {
        let floors: Vec<&Sample> = column
            .iter()
            .filter(|s| ground[s.triangle as usize])
            .collect();
        for pair in floors.windows(2) {
            if pair[1].height - pair[0].height <= same && !share_edge(level, pair[0], pair[1]) {
                spots.push(Spot {
                    column: pair[0].column,
                    height: pair[0].height,
                    value: 0.0,
                    good: 0,
                    worse: 0,
                });
            }
        }
    }
    let patches = patches(&spots, same.max(step));
    let told = patches.iter().filter_map(|patch| {
        let area = area(level, patch, step);
        (area >= LEAST).then(|| Remark {
            value: area,
            ..Remark::new(NoticedKind::OverlappingGround, place(level, patch, step))
        })
    });
    told.collect()
}

/// Do two triangles have two corners in common? On their edge rounding decides.
fn share_edge(level: &Level, a: &Sample, b: &Sample) -> bool {
    let [a, b] = [a, b].map(|s| level.triangles[s.triangle as usize].v);
    a.iter().filter(|v| b.contains(v)).count() == 2
}

/// Ground with a little too little head room. Under a ramp there always is some, between more and less of it: it is told only where most of what lies around has
/// enough.
fn head_room(
    level: &Level,
    agent: &Agent,
    class: u16,
    margin: f64,
    step: f64,
    samples: &[Sample],
) -> Vec<Remark> {
    let units = level.grid.units();
    let (least, height, climb) = (agent.least_up(), agent.height * units, agent.climb * units);
    // Ground in each column: height and head room. Faces within a step are one floor.
    let mut floors: Vec<([i32; 2], f64, f64)> = vec![];
    for column in samples.chunk_by(|a, b| a.column == b.column) {
        for (i, s) in column.iter().enumerate() {
            let t = &level.triangles[s.triangle as usize];
            if t.up < least || !can_be_ground(level, t) {
                continue;
            }
            let above = column[i + 1..].iter().find(|o| o.height - s.height > climb);
            let stepped = column[i + 1..]
                .first()
                .is_some_and(|o| o.height - s.height <= climb);
            if !stepped {
                let room = above.map_or(f64::INFINITY, |o| o.height - s.height);
                floors.push((s.column, s.height, room));
            }
        }
    }
    // Rounding to the grid takes a unit on both.
    let short = |room: f64| room < height - 2.0 && room >= height - margin * units - 2.0;
    let mut spots = vec![];
    for &([x, z], y, room) in floors.iter().filter(|(_, _, room)| short(*room)) {
        let (mut good, mut worse) = (0, 0);
        for beside in [[x - 1, z], [x + 1, z], [x, z - 1], [x, z + 1]] {
            let first = floors.partition_point(|(column, ..)| *column < beside);
            let own = floors[first..]
                .iter()
                .take_while(|(column, ..)| *column == beside);
            for &(_, _, around) in own.filter(|(_, other, _)| (other - y).abs() <= climb) {
                good += u32::from(around >= height - 2.0);
                worse += u32::from(around < height - margin * units - 2.0);
            }
        }
        spots.push(Spot {
            column: [x, z],
            height: y,
            value: room / units,
            good,
            worse,
        });
    }
    let patches = patches(&spots, climb.max(1.0));
    let told = patches.iter().filter_map(|patch| {
        let area = area(level, patch, step);
        let (good, worse) = patch
            .iter()
            .fold((0, 0), |(g, w), s| (g + s.good, w + s.worse));
        let room = patch.iter().map(|s| s.value).fold(f64::INFINITY, f64::min);
        (area >= LEAST && good > 2 * worse).then(|| Remark {
            class: Some(class),
            value: (room * 1000.0).round() / 1000.0,
            limit: agent.height,
            count: (area * 100.0) as u32,
            ..Remark::new(NoticedKind::HeadRoomMargin, place(level, patch, step))
        })
    });
    told.collect()
}

/// Spots that hang together over neighbouring columns, heights no farther apart than `rise`.
fn patches(spots: &[Spot], rise: f64) -> Vec<Vec<Spot>> {
    let mut of_column: BTreeMap<[i32; 2], Vec<usize>> = BTreeMap::new();
    for (i, spot) in spots.iter().enumerate() {
        of_column.entry(spot.column).or_default().push(i);
    }
    let mut taken = vec![false; spots.len()];
    let mut patches = vec![];
    for first in 0..spots.len() {
        if std::mem::replace(&mut taken[first], true) {
            continue;
        }
        let (mut open, mut patch) = (vec![first], vec![]);
        while let Some(i) = open.pop() {
            patch.push(spots[i]);
            let [x, z] = spots[i].column;
            for k in 0..9 {
                let beside = [x + k % 3 - 1, z + k / 3 - 1];
                for &j in of_column.get(&beside).into_iter().flatten() {
                    let near = (spots[j].height - spots[i].height).abs() <= rise;
                    if near && !std::mem::replace(&mut taken[j], true) {
                        open.push(j);
                    }
                }
            }
        }
        // Not in the order of the walk, so that sums do not depend on it.
        patch.sort_by_key(|s| s.column);
        patches.push(patch);
    }
    patches
}

fn area(level: &Level, patch: &[Spot], step: f64) -> f64 {
    let side = step / level.grid.units();
    patch.len() as f64 * side * side
}

/// The middle of a patch, y-up metres.
fn place(level: &Level, patch: &[Spot], step: f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for spot in patch {
        let [x, z] = spot.column;
        for (s, c) in sum
            .iter_mut()
            .zip([middle(x, step), spot.height, middle(z, step)])
        {
            *s += c;
        }
    }
    let grid = &level.grid;
    [0, 1, 2].map(|k| sum[k] / patch.len() as f64 / grid.units() + grid.origin[k])
}
