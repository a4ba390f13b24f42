//! Joins neighbouring leaps along the border into links.
//!
//! A stretch of a ledge gets one link, or one for each spacing.

use navbake_format::NavMesh;

use crate::floor::Place;
use crate::landing::Found;
use crate::reach::Reach;

/// A link for a stretch of the border.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// The leap in the middle of the stretch.
    pub(crate) leap: Found,
    /// The width of the free space that all its leaps share, grid units.
    pub(crate) width: f64,
}

/// One candidate for each stretch of neighbouring leaps.
///
/// A stretch longer than `spacing` (grid units) gives several. All leaps are of one kind and in the
/// order of their brinks; `None` is a brink without one.
pub(crate) fn candidates(
    mesh: &NavMesh<'_>,
    reach: &Reach,
    leaps: &[Option<Found>],
    spacing: f64,
) -> Vec<Candidate> {
    let mut candidates = vec![];
    let beside = |a: &Option<Found>, b: &Option<Found>| match (a, b) {
        (Some(a), Some(b)) => are_beside(mesh, reach, a, b),
        _ => false,
    };
    for run in leaps.chunk_by(beside) {
        let run: Vec<Found> = run.iter().flatten().copied().collect();
        parts(reach, &run, spacing, &mut candidates);
    }
    candidates
}

/// Do two consecutive leaps along the border keep one gapless space free?
fn are_beside(mesh: &NavMesh<'_>, reach: &Reach, a: &Found, b: &Found) -> bool {
    let alike = a.brink.line == b.brink.line
        && (a.both_ways, a.agents) == (b.both_ways, b.agents)
        && island(mesh, a) == island(mesh, b);
    let [from, to] = [away(&a.brink.at, &b.brink.at), away(&a.to, &b.to)];
    // The spaces of two leaps overlap if their middles are less than two radii apart.
    let near = 2.0 * reach.body.clear().max(reach.pace());
    // About 25 degrees.
    let turn: f64 = (0..2).map(|k| a.brink.out[k] * b.brink.out[k]).sum();
    alike && from <= near && to <= near && turn > 0.9
}

fn island(mesh: &NavMesh<'_>, leap: &Found) -> u32 {
    mesh.island(leap.to.polygon).0
}

/// Distance in space, grid units.
pub(crate) fn away(a: &Place, b: &Place) -> f64 {
    let [a, b] = [a.point(), b.point()];
    let square: f64 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
    square.sqrt()
}

/// Cuts a stretch into equal parts of at most the spacing.
///
/// Takes the leap nearest to the middle of each part.
fn parts(reach: &Reach, run: &[Found], spacing: f64, candidates: &mut Vec<Candidate>) {
    let mut along = Vec::with_capacity(run.len());
    let mut sum = 0.0;
    for (k, leap) in run.iter().enumerate() {
        if let Some(before) = k.checked_sub(1).and_then(|k| run.get(k)) {
            sum += away(&before.brink.at, &leap.brink.at);
        }
        along.push(sum);
    }
    let count = (sum / spacing).ceil().clamp(1.0, run.len().max(1) as f64);
    for part in 0..count as usize {
        let [begin, end] = [part, part + 1].map(|p| sum * (p as f64 / count));
        let first = along.partition_point(|&a| a < begin);
        let last = match end >= sum {
            true => run.len(),
            false => along.partition_point(|&a| a < end),
        };
        let middle = (begin + end) / 2.0;
        let off = |k: &usize| (along[*k] - middle).abs();
        let best = (first..last).min_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(best) = best {
            let side = away(&run[first].brink.at, &run[last - 1].brink.at);
            candidates.push(Candidate { leap: run[best], width: side + 2.0 * reach.body.radius });
        }
    }
}
