//! The audit: checks a bake at random points of the level and of the navmesh.
//!
//! The reference is the code of explain, which judges each point by brute force on the triangles
//! and shares no code with the bake. By that reference the ideal navmesh is the ground that
//! continues for the radius in every direction. [`audit`] measures the share of ideal ground that
//! the navmesh covers, the share of the navmesh where an agent cannot be, and the errors of its
//! heights. The worst places become [`Finding`]s.

mod places;
mod rules;
#[cfg(test)]
mod tests;

use navbake_format::{NavMesh, PolyId};
use navbake_search::NavQuery;
use serde::Serialize;

use crate::explain::{Cause, Explainer};
use crate::{Finding, sort};
use places::{Place, gather};

pub use rules::RULES;

/// Room is measured to this precision, m.
const EXACT: f64 = 0.02;
/// The width, m, over which a height mesh may rise at a vertical step: its own step is 1/32 m, and
/// points on both sides are up to half a step beside it.
const RISER: f64 = 0.048;
/// Places become findings from this error, m: borders may be drawn in by 0.1 m.
const TELLING: f64 = 0.15;
/// Heights with a larger error, m, become findings.
const HIGH: f64 = 0.3;

/// Settings of an audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditSettings {
    /// Number of points of the level, and of the navmesh.
    pub samples: u32,
    /// Seed of the random points.
    pub seed: u64,
    /// Largest number of findings of a kind.
    pub most: usize,
}

impl Default for AuditSettings {
    fn default() -> Self {
        AuditSettings { samples: 20_000, seed: 1, most: 20 }
    }
}

/// The result for an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// The agent's name.
    pub agent: String,
    /// Number of points of the level and of the mesh.
    pub samples: u32,
    /// Ground on which the agent has room, m2, an estimate.
    ///
    /// Islands that the config drops do not count.
    pub ideal_m2: f64,
    /// Part of that ground that the config drops, m2.
    ///
    /// These are small islands, islands without a seed, and areas that are blocked for the agent.
    pub left_out_m2: f64,
    /// Area of the navmesh, m2.
    pub mesh_m2: f64,
    /// Share of the ideal ground that the mesh covers.
    pub covered: f64,
    /// The same share for ground with 0.1 m more room than the radius.
    pub covered_inside: f64,
    /// Share of the mesh with more than 0.02 m less room than the radius.
    pub intruding: f64,
    /// The same with more than 0.1 m less.
    pub intruding_deep: f64,
    /// Height difference between mesh and ground, m: median and 99.9th percentile.
    pub height_error_m: [f64; 2],
    /// The worst places, sorted.
    pub findings: Vec<Finding>,
}

/// Audits the navmesh of an agent, which was baked from the explainer's level.
///
/// `agent` is its number in the config. `None` if there is no such agent, or nothing to sample.
pub fn audit(
    explainer: &Explainer<'_>,
    mesh: NavMesh<'_>,
    agent: usize,
    settings: &AuditSettings,
) -> Option<Audit> {
    let who = explainer.agents().nth(agent)?.clone();
    let mut chance = Chance::new(settings.seed);
    let query = NavQuery::new(mesh);
    let (mut missed, mut intrudes, mut off) = (vec![], vec![], vec![]);

    // Ground that the mesh should cover.
    let ground = Table::new(explainer.ground_triangles(agent))?;
    let (mut ideal, mut hit, mut inner, mut inner_hit, mut left_out) =
        (0u32, 0u32, 0u32, 0u32, 0u32);
    for _ in 0..settings.samples {
        let point = ground.pick(&mut chance);
        let Some((place, room)) = explainer.room_at(point, agent, 1e-3, who.radius + 0.3) else {
            continue;
        };
        if room < who.radius {
            continue;
        }
        let is_covered = query.locate(place, who.climb.max(0.2)).is_some();
        if !is_covered {
            let answer = explainer.explain(place, agent, Some(mesh));
            let mut reasons = answer.iter().flat_map(|a| &a.reasons);
            let is_wanted = |c: Cause| {
                !matches!(c, Cause::SmallIsland | Cause::NotReached | Cause::AreaBlocked)
            };
            if reasons.any(|r| !is_wanted(r.cause)) {
                left_out += 1;
                continue;
            }
        }
        ideal += 1;
        hit += u32::from(is_covered);
        if room >= who.radius + 0.1 {
            inner += 1;
            inner_hit += u32::from(is_covered);
        }
        if !is_covered && room >= who.radius + TELLING {
            let depth = room - who.radius;
            missed.push(Place { at: place, depth });
        }
    }

    // The mesh, which should cover nothing else.
    let polygons = Table::new(fans(&mesh))?;
    let (mut bad, mut deep, mut of_mesh, mut heights) = (0u32, 0u32, 0u32, vec![]);
    for _ in 0..settings.samples {
        let (polygon, point) = polygons.pick_of(&mut chance);
        let Some(location) = query.on_polygon(PolyId(polygon), point) else {
            continue;
        };
        of_mesh += 1;
        let place = location.position();
        let step = who.climb.max(0.2);
        let found = explainer.room_at(place, agent, step, who.radius);
        let (short, height) = match found {
            Some((ground, room)) => {
                let rise = ground[1] - place[1];
                let height = match rise.abs() > HIGH {
                    true => beside_steps(explainer, place, agent, step, rise),
                    false => rise.abs(),
                };
                (who.radius - room, height)
            }
            None => (who.radius.max(EXACT), step),
        };
        heights.push(height);
        bad += u32::from(short > EXACT);
        deep += u32::from(short > 0.1);
        if short > TELLING {
            intrudes.push(Place { at: place, depth: short });
        }
        if found.is_some() && height > HIGH {
            off.push(Place { at: place, depth: height });
        }
    }
    heights.sort_unstable_by(f64::total_cmp);
    let quantile = |share: f64| {
        let at = (heights.len() as f64 * share) as usize;
        let last = heights.len().saturating_sub(1);
        heights.get(at.min(last)).copied().unwrap_or(0.0)
    };
    let share = |part: u32, of: u32, none: f64| match of {
        0 => none,
        of => f64::from(part) / f64::from(of),
    };
    let each = ground.area() / f64::from(settings.samples.max(1));
    let mesh_each = polygons.area() / f64::from(settings.samples.max(1));
    let mut findings = vec![];
    let kinds = [
        (
            "audit-missed",
            missed,
            each,
            "of ground with room are not on the navmesh; up to {} m more room than the radius",
        ),
        (
            "audit-intrudes",
            intrudes,
            mesh_each,
            "of the navmesh without room for the agent: up to {} m too close",
        ),
        ("audit-height", off, mesh_each, "of the navmesh are off the ground by up to {} m"),
    ];
    for (code, places, each, words) in kinds {
        for cluster in gather(places, 2.0 * who.radius.max(0.5)).into_iter().take(settings.most) {
            let area = each * f64::from(cluster.count);
            let words = words.replace("{}", &format!("{:.2}", cluster.depth));
            let message = format!("about {area:.1} m2 {words}");
            let found = Finding::new(code, message).of_agent(who.name.as_str());
            let found = found.at(cluster.at).figure("area_m2", area);
            findings.push(found.figure("depth_m", cluster.depth));
        }
    }
    sort(&mut findings);
    Some(Audit {
        agent: who.name,
        samples: settings.samples,
        ideal_m2: each * f64::from(ideal),
        left_out_m2: each * f64::from(left_out),
        mesh_m2: polygons.area(),
        covered: share(hit, ideal, 1.0),
        covered_inside: share(inner_hit, inner, 1.0),
        intruding: share(bad, of_mesh, 0.0),
        intruding_deep: share(deep, of_mesh, 0.0),
        height_error_m: [quantile(0.5), quantile(0.999)],
        findings,
    })
}

/// How far a place is above or below all heights between those of the ground within [`RISER`].
///
/// A navmesh rises over a few centimetres at a vertical step. Beside one it has any height
/// between the two sides; farther away it must have the ground's. `rise` is that of the ground at
/// the place itself.
fn beside_steps(
    explainer: &Explainer<'_>,
    [x, y, z]: [f64; 3],
    agent: usize,
    step: f64,
    rise: f64,
) -> f64 {
    let (mut low, mut high) = (rise, rise);
    for k in 0..8 {
        let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
        let beside = [x + RISER * cos, y, z + RISER * sin];
        if let Some((ground, _)) = explainer.room_at(beside, agent, step, 0.0) {
            low = low.min(ground[1] - y);
            high = high.max(ground[1] - y);
        }
    }
    low.max(-high).max(0.0)
}

impl Audit {
    /// The audit for people.
    pub fn text(&self) -> String {
        let percent = |v: f64| format!("{:.2} %", 100.0 * v);
        let [median, most] = self.height_error_m;
        let mut out = format!(
            "{}: {} of {:.1} m2 of ground with room covered ({} at least 0.1 m inside); {} of {:.1} m2 of navmesh intrude ({} by more than 0.1 m); height error {median:.3} m in the median, {most:.3} m at 99.9 %\n",
            self.agent,
            percent(self.covered),
            self.ideal_m2,
            percent(self.covered_inside),
            percent(self.intruding),
            self.mesh_m2,
            percent(self.intruding_deep),
        );
        if self.left_out_m2 > 0.0 {
            out += &format!("  {:.1} m2 more are left out as the config says\n", self.left_out_m2);
        }
        out
    }
}

/// The triangle fans of a mesh's polygons, y-up metres.
fn fans(mesh: &NavMesh<'_>) -> Vec<(u32, [[f64; 3]; 3])> {
    let grid = mesh.grid();
    let mut all = vec![];
    for p in mesh.polygons() {
        let corner = |k: u32| grid.metres(p.point(k).map(f64::from));
        for k in 2..p.len() {
            all.push((p.id().0, [corner(0), corner(k - 1), corner(k)]));
        }
    }
    all
}

/// Triangles to sample evenly by their area seen from above.
struct Table {
    sums: Vec<f64>,
    triangles: Vec<(u32, [[f64; 3]; 3])>,
}

impl Table {
    fn new(triangles: Vec<(u32, [[f64; 3]; 3])>) -> Option<Table> {
        let mut sum = 0.0;
        let sums: Vec<f64> = (triangles.iter())
            .map(|(_, [a, b, c])| {
                let doubled = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
                sum += doubled.abs() / 2.0;
                sum
            })
            .collect();
        (sum > 0.0).then_some(Table { sums, triangles })
    }

    fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    fn pick(&self, chance: &mut Chance) -> [f64; 3] {
        self.pick_of(chance).1
    }

    fn pick_of(&self, chance: &mut Chance) -> (u32, [f64; 3]) {
        let at = chance.next() * self.area();
        let row = self.sums.partition_point(|s| *s <= at);
        let (number, [a, b, c]) = self.triangles[row.min(self.triangles.len() - 1)];
        let (mut u, mut v) = (chance.next(), chance.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let on = |k: usize| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]);
        (number, [on(0), on(1), on(2)])
    }
}

/// A random number generator (Marsaglia's xorshift64) for values from 0 up to 1.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
