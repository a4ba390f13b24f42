//! Passages that are too narrow for the agent: between walls, between ends of the ground, and slits
//! beside props.

use super::cause::{Cause, outward};
use super::footprint::{crosses, is_crossed};
use super::ground::{Flaw, Ground};
use super::measure::{self, Passage, Strip};
use super::pieces::Extent;
use super::props::{LEAF, PROP};
use super::search::{Move, Place};
use crate::explain::{End, metres};

/// What is wider than the narrowest by at most this, m, is as narrow.
const SAME: f64 = 0.01;

/// The narrowest passage of a stretch, if the agent does not fit through it.
pub(super) fn width(ground: &Ground<'_>, stretch: &[Place]) -> Option<Cause> {
    // Inside of walls nothing is a passage.
    if stretch.iter().any(|p| matches!(p.by, Move::Wall(_))) {
        return None;
    }
    // Where both islands are a cell apart, neither place is too near to a wall.
    let is_near = |p: &Place| p.footing.clearance < ground.body.radius;
    let is_apart = !stretch.iter().any(is_near);
    let passages = (0..stretch.len()).filter_map(|k| {
        let place = &stretch[k];
        let takes_part = (is_apart || is_near(place)) && !place.footing.has(Flaw::Air);
        Some((takes_part.then(|| passage(ground, stretch, k))??, place.footing.y))
    });
    let (passage, y) = narrowest(ground, passages.collect(), |p| p.0.wide())?;
    // What is wider by up to a centimetre is closed by rounding.
    if passage.wide() > 2.0 * ground.body.radius + 0.01 * ground.metre {
        return None;
    }
    Some(narrow(ground, &passage, y))
}

/// The passage at a place of a path, or the narrowest that the path goes through beside it.
fn passage(ground: &Ground<'_>, path: &[Place], k: usize) -> Option<Passage> {
    let Place { at, footing, .. } = path[k];
    let found = |p: [f64; 2]| measure::passage(ground, p, footing.y, 0.0);
    found(at).filter(|own| own.wide() < 2.0 * ground.body.radius).or_else(|| {
        // The ends of two thin walls, between this place and the next.
        let (walls, band) = (ground.walls(at, ground.cell), ground.band(footing.y));
        let is_free =
            |p: &[f64; 2]| !walls.iter().any(|&n| is_crossed(ground.solid(n), band, at, *p));
        let moves = path[k.saturating_sub(1)..].windows(2).take(2);
        let leads_through =
            |p: &Passage| moves.clone().any(|pair| crosses(&p.ends, pair[0].at, pair[1].at));
        let beside = ground.towards_next(at).filter(is_free).filter_map(found);
        beside.filter(leads_through).min_by(|a, b| a.wide().total_cmp(&b.wide()))
    })
}

/// The narrowest along a path; of several as narrow the one in the middle.
fn narrowest<T>(ground: &Ground<'_>, along: Vec<T>, wide: impl Fn(&T) -> f64) -> Option<T> {
    let least = along.iter().map(&wide).fold(f64::INFINITY, f64::min);
    let mut as_narrow: Vec<T> =
        along.into_iter().filter(|own| wide(own) <= least + SAME * ground.metre).collect();
    let middle = as_narrow.len() / 2;
    (!as_narrow.is_empty()).then(|| as_narrow.swap_remove(middle))
}

/// A slit between a prop and a wall that is narrower than a cell.
pub(super) fn slit(ground: &Ground<'_>, stretch: &[Place]) -> Option<Cause> {
    let near = stretch.iter().filter(|p| p.footing.clearance < ground.body.radius);
    let tightest = near.min_by(|a, b| a.footing.clearance.total_cmp(&b.footing.clearance))?;
    let passage = measure::pinch(ground, tightest.at, tightest.footing.y)?;
    let (solids, prop) = guilty(ground, &passage, tightest.footing.y);
    // Beside what is narrower than the agent there is room, if not in this slit.
    let is_filled = ground.pieces().extent(solids[0]).wide() >= 2.0 * ground.body.radius;
    (prop.is_some() && is_filled).then(|| narrow(ground, &passage, tightest.footing.y))
}

/// Ground between two of its ends that is too narrow: a plank, a beam, a path along a ledge.
pub(super) fn strip(ground: &Ground<'_>, stretch: &[Place]) -> Option<Cause> {
    let is_off = |p: &&Place| p.footing.island.is_none() && !p.footing.has(Flaw::Air);
    let mut strips: Vec<(&Place, Strip)> = vec![];
    let mut widest = f64::INFINITY;
    for place in stretch.iter().filter(is_off) {
        // What is wider than the narrowest one takes no part, and need not be measured.
        if let Some(own) = measure::strip(ground, place.at, place.footing.y, widest) {
            widest = widest.min(own.wide + SAME * ground.metre);
            strips.push((place, own));
        }
    }
    let (place, strip) = narrowest(ground, strips, |own| own.1.wide)?;
    let own = place.footing.solid;
    let [(a, of_a), (b, of_b)] = strip.ends.map(|border| beside(border.end, own));
    let prop = strip.ends.into_iter().find_map(|border| match border.end {
        End::Wall(solid) if is_low_prop(ground, solid, strip.middle[1]) => Some(solid),
        _ => None,
    });
    let [x, y, z] = strip.middle;
    let (rule, message, [x, z]) = match prop {
        Some(solid) => (
            "blocked-by-prop",
            format!("an obstacle leaves a {}", too_narrow(ground, strip.wide, "")),
            ground.pieces().extent(solid).middle(),
        ),
        None => {
            let between = match a == b {
                true => format!(" between two {a}s"),
                false => format!(" between a {a} and a {b}"),
            };
            ("blocked-by-width", too_narrow(ground, strip.wide, &between), [x, z])
        }
    };
    let solids: Vec<u32> = prop.into_iter().chain(of_a).chain(of_b).collect();
    let cause = Cause::new(rule, message, outward(ground, [x, z], y));
    let mut cause = sized(ground, cause, strip.wide).of(ground, &solids);
    cause.shape = strip.ends.map(|end| ground.explainer.outward(end.at)).to_vec();
    Some(cause)
}

/// What ends the ground, in words, and its triangle; `own` is that of the ground.
fn beside(end: End, own: Option<u32>) -> (&'static str, Option<u32>) {
    match end {
        End::Wall(solid) => ("wall", Some(solid)),
        End::Lid(solid, _) => ("low ceiling", Some(solid)),
        End::Slope(solid) => ("slope", Some(solid)),
        End::Step(_) => ("step", own),
        End::Ledge(_) => ("ledge", own),
    }
}

/// Is a triangle that of a prop lower than the agent on ground at a height?
fn is_low_prop(ground: &Ground<'_>, solid: u32, y: f64) -> bool {
    ground.is_prop(solid) && ground.pieces().extent(solid).top() - y < ground.body.height
}

/// By how much a passage is too narrow, in words. All in grid units.
fn too_narrow(ground: &Ground<'_>, wide: f64, between: &str) -> String {
    let (wide, needed, short) = sizes(ground, wide);
    match short < 0.001 {
        true => format!("passage {} m wide{between}, exactly as wide as the agent", metres(wide)),
        false => format!(
            "passage {} m wide{between}, the agent needs {} m: {} too narrow",
            metres(wide),
            metres(needed),
            match short < 0.01 {
                true => format!("{:.0} mm", (short * 1000.0).max(1.0)),
                false => format!("{:.0} cm", short * 100.0),
            }
        ),
    }
}

/// The width of a passage, what the agent needs, and what is missing, m.
fn sizes(ground: &Ground<'_>, wide: f64) -> (f64, f64, f64) {
    let [wide, needed] = [wide, 2.0 * ground.body.radius].map(|d| d / ground.metre);
    (wide, needed, (needed - wide).max(0.0))
}

/// A cause with the figures of a passage.
fn sized(ground: &Ground<'_>, cause: Cause, wide: f64) -> Cause {
    let (wide, needed, short) = sizes(ground, wide);
    cause.figure("width_m", wide).figure("needed_m", needed).figure("short_m", short)
}

/// A passage that is too narrow.
fn narrow(ground: &Ground<'_>, passage: &Passage, y: f64) -> Cause {
    let message = too_narrow(ground, passage.wide(), "");
    let (solids, prop) = guilty(ground, passage, y);
    let (rule, message, place) = match prop {
        Some(middle) => ("blocked-by-prop", format!("an obstacle leaves a {message}"), middle),
        None => ("blocked-by-width", message, passage.middle()),
    };
    let cause = Cause::new(rule, message, outward(ground, place, y));
    let mut cause = sized(ground, cause, passage.wide()).of(ground, &solids);
    cause.shape = passage.ends.map(|end| outward(ground, end, y)).to_vec();
    cause
}

/// The solids beside a passage, the guilty one first, and the middle of a prop among them.
fn guilty(ground: &Ground<'_>, passage: &Passage, y: f64) -> (Vec<u32>, Option<[f64; 2]>) {
    let [a, b] = passage.solids;
    let [of_a, of_b] = [a, b].map(|n| ground.pieces().extent(n));
    if ground.pieces().of(a) == ground.pieces().of(b) {
        return (vec![a], None);
    }
    let is_prop = |own: (u32, &Extent), other: (u32, &Extent)| {
        let [own_high, other_high] = [own, other].map(|(_, e)| e.top() - y);
        let low = own_high < 0.8 * other_high && own_high < ground.body.height;
        let small = own.1.wide() <= PROP * ground.metre;
        small
            && (low
                || (own.1.wide() < LEAF * ground.metre
                    && (own_high - other_high).abs() > 0.05 * ground.metre
                    && ground.is_prop(own.0)
                    && !ground.is_prop(other.0)))
    };
    match (is_prop((a, &of_a), (b, &of_b)), is_prop((b, &of_b), (a, &of_a))) {
        (true, _) => (vec![a, b], Some(of_a.middle())),
        (_, true) => (vec![b, a], Some(of_b.middle())),
        _ if of_b.wide() < of_a.wide() => (vec![b, a], None),
        _ => (vec![a, b], None),
    }
}
