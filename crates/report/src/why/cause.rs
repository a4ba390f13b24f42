//! Causes: the reasons why the navmesh is left along a path, measured on the level.

use super::ground::{Flaw, Ground};
use super::measure;
use super::narrow::{slit, strip, width};
use super::search::{Move, Place};
use crate::explain::{Cause as Why, metres};
use crate::{Figure, Object};

/// Gaps wider than this, m, are missing floors.
pub(super) const GAP: f64 = 1.2;

/// One reason why ground is cut off.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cause {
    /// The code of its rule.
    pub(super) rule: &'static str,
    /// The reason in words and numbers.
    pub(super) message: String,
    /// y-up metres.
    pub(super) place: [f64; 3],
    pub(super) objects: Vec<Object>,
    pub(super) figures: Vec<Figure>,
    /// A line to draw: the width of a passage, or both sides of a gap.
    pub(super) shape: Vec<[f64; 3]>,
}

impl Cause {
    pub(super) fn new(rule: &'static str, message: String, place: [f64; 3]) -> Cause {
        Cause { rule, message, place, objects: vec![], figures: vec![], shape: vec![] }
    }

    pub(super) fn figure(mut self, name: &'static str, value: f64) -> Cause {
        self.figures.push(Figure { name, value });
        self
    }

    pub(super) fn of(mut self, ground: &Ground<'_>, solids: &[u32]) -> Cause {
        for &solid in solids {
            let object = ground.explainer.object(solid);
            if !object.name().is_empty() && !self.objects.contains(&object) {
                self.objects.push(object);
            }
        }
        self
    }

    /// The message with the names of the objects that it does not name itself.
    pub(super) fn said(&self) -> String {
        // It may go on with the names of the mesh and the material.
        let is_named = |name: &str| {
            [format!("`{name}`"), format!("`{name}, ")].iter().any(|n| self.message.contains(n))
        };
        let mut names: Vec<String> = vec![];
        for object in self.objects.iter().filter(|o| !is_named(o.name())) {
            let name = format!("`{}`", object.name());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.is_empty() {
            true => self.message.clone(),
            false => format!("{} ({})", self.message, names.join(", ")),
        }
    }
}

/// The same stretch with the clearance of what is in the air, which searches leave open.
fn measured(ground: &Ground<'_>, stretch: &[Place]) -> Vec<Place> {
    let most = ground.body.radius;
    let mut stretch = stretch.to_vec();
    for place in stretch.iter_mut().filter(|place| place.footing.has(Flaw::Air)) {
        let walls = ground.walls(place.at, most);
        place.footing.clearance = ground.clearance(place.at, place.footing.y, &walls, most).0;
    }
    stretch
}

/// The causes along a stretch beside the navmesh.
pub(super) fn causes(ground: &Ground<'_>, agent: usize, stretch: &[Place]) -> Vec<Cause> {
    let stretch = &measured(ground, stretch)[..];
    let mut found = crossed(ground, stretch);
    found.extend(gaps(ground, stretch));
    for (flaw, of) in [
        (Flaw::Slope, slope as fn(&Ground<'_>, &[&Place]) -> Option<Cause>),
        (Flaw::Head, head_room),
        (Flaw::Flipped, flipped),
        (Flaw::Forbidden, forbidden),
    ] {
        for run in stretch.chunk_by(|a, b| a.footing.has(flaw) == b.footing.has(flaw)) {
            if run[0].footing.has(flaw) {
                let run: Vec<&Place> = run.iter().collect();
                let cause = of(ground, &run);
                // Above a crate that was climbed, head room is no cause of its own.
                let is_above = flaw == Flaw::Head && is_climbed(ground, &found, run[run.len() / 2]);
                found.extend(cause.filter(|_| !is_above));
            }
        }
    }
    if !stretch.iter().any(|p| p.footing.has(Flaw::Head)) {
        let low = lintel(ground, stretch, &found);
        found.extend(low);
    }
    // Beside a slope that is a cause, the slope is no wall.
    let is_slope = |narrow: &Cause| {
        let mut slopes = found.iter().filter(|c| c.rule == "blocked-by-slope");
        slopes.any(|c| c.objects.first() == narrow.objects.first())
    };
    let narrow = width(ground, stretch).filter(|narrow| !is_slope(narrow));
    found.extend(narrow);
    if found.is_empty() {
        found.extend(strip(ground, stretch));
        found.extend(thin_gap(ground, stretch));
    }
    if found.is_empty() {
        found.extend(slit(ground, stretch));
    }
    if found.is_empty() {
        found.extend(explained(ground, agent, stretch));
    }
    found.dedup_by(|b, a| {
        // Walls against each other are one.
        let is_same = a.rule == b.rule && (a.objects == b.objects || a.rule == "blocked-by-wall");
        if is_same {
            for object in b.objects.drain(..) {
                if !a.objects.contains(&object) {
                    a.objects.push(object);
                }
            }
        }
        is_same
    });
    found
}

pub(super) fn outward(ground: &Ground<'_>, [x, z]: [f64; 2], y: f64) -> [f64; 3] {
    ground.explainer.outward([x, y, z])
}

/// Is a place on an obstacle that is a cause already?
fn is_climbed(ground: &Ground<'_>, found: &[Cause], place: &Place) -> bool {
    let Some(solid) = place.footing.solid else { return false };
    let object = ground.explainer.object(solid);
    found.iter().any(|c| c.rule == "blocked-by-prop" && c.objects.first() == Some(&object))
}

/// Steps, changes of height, and what is in the path.
fn crossed(ground: &Ground<'_>, stretch: &[Place]) -> Vec<Cause> {
    let mut found: Vec<Cause> = vec![];
    // What is climbed and left again, or entered and left again, is one obstacle.
    let mut open: Option<(u32, f64, usize)> = None;
    for (k, pair) in stretch.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        match b.by {
            Move::Walk | Move::Low(..) => {}
            Move::Step(rise) => {
                let (low, high) = if rise > 0.0 { (a, b) } else { (b, a) };
                let Some(solid) = high.footing.solid else { continue };
                let part = ground.solid(solid).part;
                match open {
                    Some((from, up, at))
                        if ground.solid(from).part == part
                            && rise.signum() != up.signum()
                            && rise.signum() < 0.0 =>
                    {
                        open = None;
                        found.pop();
                        found.push(obstacle(ground, &stretch[at..=k + 1], solid, up.abs()));
                    }
                    _ => {
                        open = Some((solid, rise, k));
                        found.push(step(ground, low, high, solid));
                    }
                }
            }
            Move::Wall(solid) => {
                let part = ground.solid(solid).part;
                match open {
                    Some((from, up, _)) if up == 0.0 && ground.solid(from).part == part => {
                        open = None;
                    }
                    _ => {
                        open = Some((solid, 0.0, k));
                        found.push(obstacle(ground, &stretch[k..=k + 1], solid, 0.0));
                    }
                }
            }
        }
    }
    found
}

fn step(ground: &Ground<'_>, low: &Place, high: &Place, solid: u32) -> Cause {
    let (at, rise) = measure::step(ground, low, high);
    let y = low.footing.y;
    let at = measure::centred(ground, at, [low.at, high.at], high.footing.y);
    let rise = rise / ground.metre;
    let climb = ground.walker.agent.climb;
    let what = if rise <= climb + 1.0 { "step of" } else { "difference in height of" };
    let message = format!("{what} {} m above climb {}", metres(rise), metres(climb));
    let under: Vec<u32> = [Some(solid), low.footing.solid].into_iter().flatten().collect();
    Cause::new("blocked-by-step", message, outward(ground, at, y))
        .figure("rise_m", rise)
        .figure("climb_m", climb)
        .of(ground, &under)
}

/// A prop or a wall in the path. `rise` is its height if it was climbed over.
fn obstacle(ground: &Ground<'_>, crossing: &[Place], solid: u32, rise: f64) -> Cause {
    let middle = &crossing[crossing.len() / 2];
    let extent = ground.pieces().extent(solid);
    let y = crossing[0].footing.y.min(crossing[crossing.len() - 1].footing.y);
    if ground.is_prop(solid) {
        let message = match rise > 0.0 {
            true => format!(
                "an obstacle {} m high blocks the passage; climb {}",
                metres(rise / ground.metre),
                metres(ground.walker.agent.climb)
            ),
            false => "an obstacle blocks the passage".into(),
        };
        let at = outward(ground, extent.middle(), y);
        return Cause::new("blocked-by-prop", message, at).of(ground, &[solid]);
    }
    let message = match rise > 0.0 {
        true => format!(
            "a wall {} m high without an opening; climb {}",
            metres(rise / ground.metre),
            metres(ground.walker.agent.climb)
        ),
        false => "a wall without an opening".into(),
    };
    Cause::new("blocked-by-wall", message, outward(ground, middle.at, y)).of(ground, &[solid])
}

/// Gaps, and missing floors.
fn gaps(ground: &Ground<'_>, stretch: &[Place]) -> Vec<Cause> {
    let is_air = |p: &Place| p.footing.has(Flaw::Air);
    let mut found = vec![];
    for k in 1..stretch.len() {
        if !is_air(&stretch[k]) || is_air(&stretch[k - 1]) {
            continue;
        }
        let Some(end) = (k..stretch.len()).find(|&n| !is_air(&stretch[n])) else { continue };
        // What is crossed like a crack cuts nothing off.
        found.extend(wide_gap(ground, &stretch[k - 1], &stretch[end]));
    }
    found
}

/// A gap that is wider than a crack.
///
/// A crack that is crossed may seem wider than that here, where it is measured at a slant. A strip
/// of steep ground is none.
fn wide_gap(ground: &Ground<'_>, from: &Place, to: &Place) -> Option<Cause> {
    let gap = measure::gap(ground, from, to)?;
    let is_crossed =
        |[x, z]: &[f64; 2]| measure::border(ground, [*x, from.footing.y, *z], 0.0).is_some();
    let is_steep = measure::is_steep(ground, gap.middles[0], from.footing.y);
    let is_wide = gap.wide > ground.body.crack && !is_steep && !gap.middles.iter().any(is_crossed);
    is_wide.then(|| gap_cause(ground, from, to, &gap))
}

fn width_of(cause: &Cause) -> f64 {
    cause.figures.first().map_or(0.0, |f| f.value)
}

/// A gap that is narrower than a cell, and wider than a crack.
fn thin_gap(ground: &Ground<'_>, stretch: &[Place]) -> Option<Cause> {
    let on_ground = |pair: &&[Place]| pair.iter().all(|p| !p.footing.has(Flaw::Air));
    let pairs = stretch.windows(2).filter(on_ground);
    let pairs = pairs.filter(|pair| measure::is_torn(ground, &pair[0], &pair[1]));
    let gaps = pairs.filter_map(|pair| wide_gap(ground, &pair[0], &pair[1]));
    gaps.max_by(|a, b| width_of(a).total_cmp(&width_of(b)))
}

fn gap_cause(ground: &Ground<'_>, from: &Place, to: &Place, gap: &measure::Gap) -> Cause {
    let wide = gap.wide / ground.metre;
    let crack = ground.body.crack / ground.metre;
    let solids: Vec<u32> = [from.footing.solid, to.footing.solid].into_iter().flatten().collect();
    let place = outward(ground, gap.middles[1], from.footing.y);
    let (rule, message) = match wide <= GAP {
        true => (
            "blocked-by-gap",
            format!("gap {} m wide; gaps up to {} m are crossed", metres(wide), metres(crack)),
        ),
        false => ("floor-missing", format!("no floor for {} m", metres(wide))),
    };
    let mut cause = Cause::new(rule, message, place).figure("width_m", wide).of(ground, &solids);
    cause.shape = gap.ends.map(|end| outward(ground, end, from.footing.y)).to_vec();
    cause
}

fn slope(ground: &Ground<'_>, run: &[&Place]) -> Option<Cause> {
    let price = |p: &Place| p.footing.prices[Flaw::Slope as usize];
    let worst = run.iter().max_by(|a, b| price(a).total_cmp(&price(b)))?;
    let solid = worst.footing.solid?;
    let degrees = ground.solid(solid).slope();
    let degrees = degrees.min(180.0 - degrees);
    let limit = ground.walker.agent.slope;
    let middle = run[run.len() / 2];
    let at = measure::face(ground, solid, middle.at, middle.footing.y);
    let message = format!("slope {degrees:.1} of {limit:.1} degrees");
    Some(
        Cause::new("blocked-by-slope", message, ground.explainer.outward(at))
            .figure("slope_degrees", degrees)
            .figure("limit_degrees", limit)
            .of(ground, &[solid]),
    )
}

/// The lowest lintel that is too thin to be above a cell.
fn lintel(ground: &Ground<'_>, stretch: &[Place], found: &[Cause]) -> Option<Cause> {
    let lows = stretch.iter().filter_map(|place| match place.by {
        Move::Low(solid, room) if !is_climbed(ground, found, place) => Some((place, solid, room)),
        _ => None,
    });
    let (place, solid, room) = lows.min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(low(ground, place, solid, room))
}

fn head_room(ground: &Ground<'_>, run: &[&Place]) -> Option<Cause> {
    let room = |p: &Place| p.footing.lid.map_or(f64::INFINITY, |(_, room)| room);
    let worst = run.iter().min_by(|a, b| room(a).total_cmp(&room(b)))?;
    let (lid, room) = worst.footing.lid?;
    Some(low(ground, run[run.len() / 2], lid, room))
}

fn low(ground: &Ground<'_>, middle: &Place, lid: u32, room: f64) -> Cause {
    let extent = ground.pieces().extent(lid);
    let at = match extent.wide() <= 5.0 * ground.metre {
        true => extent.middle(),
        false => measure::passage(ground, middle.at, middle.footing.y, 3.0)
            .map_or(middle.at, |p| p.middle()),
    };
    let (room, needed) = (room / ground.metre, ground.walker.agent.height);
    let message = format!("head room {} of {} m", metres(room), metres(needed));
    Cause::new("blocked-by-head-room", message, outward(ground, at, middle.footing.y))
        .figure("room_m", room)
        .figure("needed_m", needed)
        .of(ground, &[lid])
}

/// A floor that faces down.
pub(super) fn flipped(ground: &Ground<'_>, run: &[&Place]) -> Option<Cause> {
    let middle = run[run.len() / 2];
    let solid = middle.footing.solid?;
    let at = measure::face(ground, solid, middle.at, middle.footing.y);
    let message = "this floor faces down: its winding is wrong".to_owned();
    Some(
        Cause::new("floor-faces-down", message, ground.explainer.outward(at))
            .figure("slope_degrees", ground.solid(solid).slope())
            .of(ground, &[solid]),
    )
}

fn forbidden(ground: &Ground<'_>, run: &[&Place]) -> Option<Cause> {
    let middle = run[run.len() / 2];
    let solid = middle.footing.solid?;
    let level = ground.explainer.level;
    let message = match ground.solid(solid).obstacle {
        true => "its role is `obstacle`".to_owned(),
        false => {
            let area = level.areas.get(usize::from(ground.solid(solid).area));
            format!("the agent does not walk on the area `{}`", area.map_or("", |a| &a.name))
        }
    };
    let at = ground.explainer.outward(measure::face(ground, solid, middle.at, middle.footing.y));
    Some(Cause::new("blocked-by-area", message, at).of(ground, &[solid]))
}

/// The reason that `explain` gives for the places of a stretch: the one that lacks most.
fn explained(ground: &Ground<'_>, agent: usize, stretch: &[Place]) -> Option<Cause> {
    let lacks = |figures: &[Figure]| {
        let of = |name: &str| figures.iter().find(|f| f.name == name).map(|f| f.value);
        of("radius_m").zip(of("distance_m")).map_or(10.0, |(r, d)| r - d)
    };
    let mut worst: Option<(f64, [f64; 3], crate::explain::Reason)> = None;
    for place in stretch {
        let at = outward(ground, place.at, place.footing.y);
        let Some(answer) = ground.explainer.explain_place(at, agent) else { continue };
        for reason in answer.reasons {
            let lack = lacks(&reason.figures);
            if worst.as_ref().is_none_or(|w| lack > w.0) {
                worst = Some((lack, at, reason));
            }
        }
    }
    let (_, at, reason) = worst?;
    let at = reason.place.unwrap_or(at);
    let rule = match reason.cause {
        Why::NoGround | Why::NearLedge => "blocked-by-gap",
        Why::TooSteep | Why::NearSlope => "blocked-by-slope",
        Why::FacesDown => "floor-faces-down",
        Why::LowCeiling | Why::NearLowCeiling => "blocked-by-head-room",
        Why::NearStep => "blocked-by-step",
        Why::NearWall | Why::NarrowPassage => "blocked-by-width",
        _ => "blocked-by-area",
    };
    let mut cause = Cause::new(rule, reason.message, at);
    (cause.objects, cause.figures) = (reason.object.into_iter().collect(), reason.figures);
    Some(cause)
}

#[cfg(test)]
mod tests {
    use super::Cause;
    use crate::Object;

    #[test]
    fn a_message_names_each_object_once() {
        let object = |node: &str, mesh: &str| Object {
            node: node.into(),
            mesh: mesh.into(),
            material: "wood".into(),
        };
        let mut cause =
            Cause::new("blocked-by-width", "0.16 of 0.60 m (`A, a, wood`)".into(), [0.0; 3]);
        assert_eq!(cause.said(), cause.message);
        cause.objects =
            vec![object("A", "a"), object("A2", "a"), object("B", "b"), object("B", "c")];
        assert_eq!(cause.said(), "0.16 of 0.60 m (`A, a, wood`) (`A2`, `B`)");
    }
}
