//! What is above ground: ground at the same height, and ceilings slightly too low.
//!
//! Both are sampled along the columns of a lattice. The exact borders are the task of the walkable
//! stage; here only places that a person should look at matter.

use std::collections::BTreeMap;

use navbake_format::DiagnosticKind;
use navbake_geom::Point3;
use navbake_level::{Agent, Level};

use super::spans::{Column, Sample, Spans};
use crate::Diagnostic;
use crate::ground::{self, can_be_ground};

/// Distance between columns, m; greater on large levels.
const STEP: f64 = 0.2;
/// Approximate limit of the number of samples.
const SAMPLES: f64 = 3e5;
/// Columns farther apart than this, m, would miss relevant places.
const COARSE: f64 = 1.0;
/// Faces of ground whose heights differ by at most this, m, are at one height.
const SAME: f64 = 0.01;
/// The least area of ground that is reported, m2.
const LEAST: f64 = 0.15;

/// The diagnostics; `None` if the level is too large.
pub(crate) fn columns(level: &Level, agents: &[&Agent], margin: f64) -> Option<Vec<Diagnostic>> {
    let step = step(level)?;
    let ground = ground::ground(level, agents);
    let same = SAME * level.grid.units();
    let rooms: Vec<HeadRoom> =
        (agents.iter()).map(|agent| HeadRoom::new(level, agent, margin)).collect();
    let spans = Spans::new(level, step);
    let mut twice = vec![];
    let mut low: Vec<Vec<(Column, Floor)>> = vec![vec![]; agents.len()];
    let matters = |below: u32, above: u32, [least, most]: [f64; 2]| {
        let [below, above] = [below, above].map(|t| ground[t as usize]);
        let is_low = |least, most| rooms.iter().any(|room| room.may_be_short(least, most));
        (below && above && least <= same && most >= -same)
            || (below && is_low(least, most))
            || (above && is_low(-most, -least))
    };
    spans.crowded(&ground, matters, |column, samples| {
        overlaps(level, &ground, same, column, samples, &mut twice);
        for (room, low) in rooms.iter().zip(&mut low) {
            let short = room.floors(samples).filter(|f| room.is_short(f.room));
            low.extend(short.map(|floor| (column, floor)));
        }
    });
    let mut found = overlap_findings(&spans, level, step, &twice, same);
    for (class, (room, low)) in (0u16..).zip(rooms.iter().zip(&low)) {
        found.extend(room.low_rooms(&spans, class, step, low));
    }
    Some(found)
}

/// The distance between columns, grid units; `None` if the level is too large.
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

/// A diagnostic in a column at a height.
#[derive(Clone, Copy)]
struct Hit {
    column: Column,
    height: f64,
    value: f64,
    /// Floors with enough head room in the four columns around, near this height.
    ///
    /// `worse` counts floors whose head room is short by more than the margin.
    good: u32,
    worse: u32,
}

/// Adds the points where ground of two faces is at one height.
fn overlaps(
    level: &Level,
    ground: &[bool],
    same: f64,
    column: Column,
    samples: &[Sample],
    hits: &mut Vec<Hit>,
) {
    let mut floors = samples.iter().filter(|s| ground[s.triangle as usize]);
    let Some(mut below) = floors.next() else {
        return;
    };
    // However many faces are at one height, they are found once.
    let mut last = f64::NEG_INFINITY;
    for above in floors {
        let height = below.height;
        let is_new = height - last > same && above.height - height <= same;
        if is_new && !share_edge(level, below, above) {
            hits.push(Hit { column, height, value: 0.0, good: 0, worse: 0 });
            last = height;
        }
        below = above;
    }
}

fn overlap_findings(
    spans: &Spans,
    level: &Level,
    step: f64,
    hits: &[Hit],
    same: f64,
) -> Vec<Diagnostic> {
    let patches = patches(hits, same.max(step));
    let found = patches.iter().filter_map(|patch| {
        let area = area(level, patch, step);
        (area >= LEAST).then(|| Diagnostic {
            value: area,
            ..Diagnostic::new(DiagnosticKind::OverlappingGround, place(spans, level, patch))
        })
    });
    found.collect()
}

/// Do two triangles share two corners? On their common edge rounding would decide.
fn share_edge(level: &Level, a: &Sample, b: &Sample) -> bool {
    let [a, b] = [a, b].map(|s| level.triangles[s.triangle as usize].v);
    a.iter().filter(|v| b.contains(v)).count() == 2
}

/// Ground in a column, grid units.
#[derive(Clone, Copy)]
struct Floor {
    height: f64,
    /// Distance to the surface above, ignoring surfaces within a step.
    room: f64,
}

/// The head room that an agent needs, grid units.
struct HeadRoom<'a> {
    level: &'a Level,
    agent: &'a Agent,
    least_up: i32,
    height: f64,
    climb: f64,
    margin: f64,
}

impl<'a> HeadRoom<'a> {
    fn new(level: &'a Level, agent: &'a Agent, margin: f64) -> HeadRoom<'a> {
        let units = level.grid.units();
        HeadRoom {
            level,
            agent,
            least_up: agent.least_up(),
            height: agent.height * units,
            climb: agent.climb * units,
            margin: margin * units,
        }
    }

    /// Is the head room slightly too low? Rounding to the grid takes a unit from both.
    fn is_short(&self, room: f64) -> bool {
        room < self.height - 2.0 && room >= self.height - self.margin - 2.0
    }

    /// Can a head room between `least` and `most` be slightly too low?
    fn may_be_short(&self, least: f64, most: f64) -> bool {
        least < self.height - 2.0 && most >= self.height - self.margin - 2.0
    }

    /// The ground in a column. Faces within a step are one floor.
    fn floors(&self, samples: &[Sample]) -> impl Iterator<Item = Floor> {
        (samples.iter().enumerate()).filter_map(|(i, s)| {
            let t = &self.level.triangles[s.triangle as usize];
            let above = &samples[i + 1..];
            let is_stepped = (above.first()).is_some_and(|o| o.height - s.height <= self.climb);
            if is_stepped || t.up < self.least_up || !can_be_ground(self.level, t) {
                return None;
            }
            let above = above.iter().find(|o| o.height - s.height > self.climb);
            Some(Floor {
                height: s.height,
                room: above.map_or(f64::INFINITY, |o| o.height - s.height),
            })
        })
    }

    /// Reports ground with slightly too little head room.
    ///
    /// Under every ramp there is a strip of such ground between higher and lower head room.
    /// Therefore a patch is reported only if most of the ground around it has enough.
    fn low_rooms(
        &self,
        spans: &Spans,
        class: u16,
        step: f64,
        low: &[(Column, Floor)],
    ) -> Vec<Diagnostic> {
        let hits = self.hits(spans, low);
        let patches = patches(&hits, self.climb.max(1.0));
        let found = patches.iter().filter_map(|patch| {
            let area = area(self.level, patch, step);
            let (good, worse) = patch.iter().fold((0, 0), |(g, w), s| (g + s.good, w + s.worse));
            let room = patch.iter().map(|s| s.value).fold(f64::INFINITY, f64::min);
            (area >= LEAST && good > 2 * worse).then(|| Diagnostic {
                class: Some(class),
                value: (room * 1000.0).round() / 1000.0,
                limit: self.agent.height,
                count: (area * 100.0) as u32,
                ..Diagnostic::new(DiagnosticKind::HeadRoomMargin, place(spans, self.level, patch))
            })
        });
        found.collect()
    }

    /// Low places with the state of the columns around them.
    fn hits(&self, spans: &Spans, low: &[(Column, Floor)]) -> Vec<Hit> {
        let mut around: Vec<Column> = (low.iter()).flat_map(|(at, _)| beside(*at)).collect();
        around.sort_unstable();
        around.dedup();
        let mut floors: Vec<(Column, Floor)> = vec![];
        spans.at(&around, |column, samples| {
            floors.extend(self.floors(samples).map(|floor| (column, floor)));
        });
        let hit = |&(column, Floor { height, room }): &(Column, Floor)| {
            let (mut good, mut worse) = (0, 0);
            for beside in beside(column) {
                let first = floors.partition_point(|(at, _)| *at < beside);
                let own = floors[first..].iter().take_while(|(at, _)| *at == beside);
                for (_, other) in own.filter(|(_, o)| (o.height - height).abs() <= self.climb) {
                    good += u32::from(other.room >= self.height - 2.0);
                    worse += u32::from(other.room < self.height - self.margin - 2.0);
                }
            }
            Hit { column, height, value: room / self.level.grid.units(), good, worse }
        };
        low.iter().map(hit).collect()
    }
}

/// The four columns around one.
fn beside([x, z]: Column) -> [Column; 4] {
    [[x - 1, z], [x + 1, z], [x, z - 1], [x, z + 1]]
}

/// Groups of hits in adjacent columns whose heights differ by at most `rise`.
///
/// The hits of a column must be in ascending order of heights.
fn patches(hits: &[Hit], rise: f64) -> Vec<Vec<Hit>> {
    let mut of_column: BTreeMap<Column, Vec<usize>> = BTreeMap::new();
    for (i, hit) in hits.iter().enumerate() {
        of_column.entry(hit.column).or_default().push(i);
    }
    let mut taken = vec![false; hits.len()];
    let mut patches = vec![];
    for first in 0..hits.len() {
        if std::mem::replace(&mut taken[first], true) {
            continue;
        }
        let (mut open, mut patch) = (vec![first], vec![]);
        while let Some(i) = open.pop() {
            patch.push(hits[i]);
            let [x, z] = hits[i].column;
            for k in 0..9 {
                let beside = [x + k % 3 - 1, z + k / 3 - 1];
                let own = of_column.get(&beside).map_or(&[][..], Vec::as_slice);
                let height = hits[i].height;
                let from = own.partition_point(|&j| hits[j].height < height - rise);
                let near = own[from..].iter().take_while(|&&j| hits[j].height <= height + rise);
                open.extend(near.filter(|&&j| !std::mem::replace(&mut taken[j], true)));
            }
        }
        // Independent of the search order, so that sums do not depend on it.
        patch.sort_by_key(|s| s.column);
        patches.push(patch);
    }
    patches
}

/// The area of a patch seen from above, m2.
fn area(level: &Level, patch: &[Hit], step: f64) -> f64 {
    let side = step / level.grid.units();
    patch.chunk_by(|a, b| a.column == b.column).count() as f64 * side * side
}

/// The middle of a patch, y-up metres.
fn place(spans: &Spans, level: &Level, patch: &[Hit]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for hit in patch {
        let [x, z] = hit.column;
        for (s, c) in sum.iter_mut().zip([spans.middle(x), hit.height, spans.middle(z)]) {
            *s += c;
        }
    }
    let grid = &level.grid;
    grid.metres(sum.map(|s| s / patch.len() as f64))
}

#[cfg(test)]
mod tests {
    use navbake_level::{LevelSettings, Part, Role, Scene, Winding};

    use super::*;
    use crate::edges::{EarlierEdges, edges};

    /// Triangles of 6 by 6 m, one above the other at this distance, each of a part of its own.
    fn pile(count: u32, apart: f64) -> Level {
        let mut scene = Scene::default();
        for k in 0..count {
            let y = f64::from(k) * apart;
            scene.vertices.extend([[0.0, y, 0.0], [0.0, y, 6.0], [6.0, y, 0.0]]);
            scene.triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
            scene.triangle_parts.push(k);
            scene.parts.push(Part { node: format!("part {k}"), ..Part::default() });
        }
        let settings =
            LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
        Level::new(&scene, &vec![Role::Ground; count as usize], &settings).unwrap().0
    }

    #[test]
    fn ground_many_times_in_one_place_is_found_once_with_its_area() {
        for count in [2, 1000] {
            let level = pile(count, 0.0);
            let found = columns(&level, &[&Agent::default()], 0.1).unwrap();
            let overlaps: Vec<f64> = found.iter().map(|f| f.value).collect();
            assert_eq!(overlaps.len(), 1, "{count}: {overlaps:?}");
            assert!((overlaps[0] - 18.0).abs() < 1.0, "{count}: {overlaps:?}");
        }
    }

    #[test]
    fn gaps_are_not_looked_for_where_too_many_edges_are_in_one_place() {
        let ground = |level: &Level| vec![true; level.triangles.len()];
        let few = pile(20, 0.01);
        assert!(edges(&few, &ground(&few), &mut EarlierEdges::default()).1);
        let many = pile(4000, 0.001);
        assert!(!edges(&many, &ground(&many), &mut EarlierEdges::default()).1);
    }
}
