//! Why a place is or is not walkable, for each agent, with numbers.
//!
//! [`Explainer`] decides from the level alone: from its triangles on the grid and plane geometry.
//! It uses nothing that the bake computes from them. A place is walkable if all of this holds:
//!
//! 1. The nearest surface there is flat enough, has head room and is not an obstacle (`solid`).
//! 2. The ground continues for the agent's radius in every direction (`room`). This is decided by
//!    exact straight walks over the level cut by upright planes (`slice`).
//! 3. The ground is not part of an island that the bake drops (`island`).
//!
//! [`of_blob`] gives what can be known from a baked file alone.
//!
//! The agreement with the navmesh that `docs/explain.md` reports is measured by `explain-agrees`,
//! an example of this crate.

mod answer;
pub(crate) mod bins;
mod blob;
mod island;
mod map;
mod reasons;
mod room;
mod slice;
pub(crate) mod solid;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use navbake_bake::BakeInput;
use navbake_bake::config::{Config, Surface as SurfaceKind};
use navbake_format::NavMesh;
use navbake_level::{Agent, Level, Winding};
use navbake_search::NavQuery;

use crate::Object;
pub use answer::{Answer, Cause, Reason};
pub use blob::{BlobAnswer, of_blob};
pub use map::explain_map;

pub(crate) use answer::{metres, place as show};
pub(crate) use room::{Border, End, RAYS, direction};
#[cfg(test)]
pub(crate) use tests::Quads;

use room::Rooms;
use solid::{Body, Solids, Surface, standing};

use island::{Island, Islands};
use solid::lid;

/// Room is measured up to the agent's radius plus this, m.
const BEYOND: f64 = 0.25;

/// Explains places of one level.
///
/// It stores what it finds out about islands, so that many queries are cheap. Answers do not depend
/// on the order of queries, except for the sizes of islands, which are estimates.
#[derive(Debug)]
pub struct Explainer<'a> {
    pub(crate) level: &'a Level,
    config: &'a Config,
    pub(crate) solids: Solids,
    agents: Vec<Who>,
    /// Markers and ends of links, and the seeds, grid units.
    keepers: Vec<[f64; 3]>,
    /// With `surface = "floor"`: does the level have triangles with the role floor?
    ///
    /// If so, they are the navmesh; otherwise all flat triangles are. `None` with other surfaces.
    floors: Option<bool>,
}

#[derive(Debug)]
struct Who {
    agent: Agent,
    body: Body,
    /// For each area: is it blocked for the agent?
    blocked: Vec<bool>,
    memory: RefCell<(Rooms, Islands)>,
}

impl<'a> Explainer<'a> {
    /// An explainer for the level and config of a job.
    ///
    /// `None` if the job is a grid map; see [`explain_map`].
    pub fn new(job: &'a BakeInput) -> Option<Explainer<'a>> {
        Explainer::new_while(job, &|| true)
    }

    /// The same, and `None` once it no longer `goes_on`.
    pub(crate) fn new_while(
        job: &'a BakeInput,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Explainer<'a>> {
        if job.grid_map().is_some() {
            return None;
        }
        let level = job.level();
        let config = job.config();
        let units = level.grid.units();
        let rows = &job.weights().rows;
        let agents = config.agent_list().into_iter().zip(0u16..);
        let agents = agents
            .map(|(agent, number)| {
                let plain = |r: &&navbake_level::WeightRow| r.agent == number && r.name.is_empty();
                let row = rows.iter().find(plain);
                let blocked = row
                    .map_or(vec![], |r| r.by_area.iter().map(|weight| weight.is_none()).collect());
                Who { body: Body::new(&agent, units), agent, blocked, memory: RefCell::default() }
            })
            .collect();
        let solids = Solids::new(level, goes_on)?;
        let mut explainer = Explainer {
            floors: (config.surface == SurfaceKind::Floor)
                .then(|| solids.all.iter().any(|s| s.floor)),
            level,
            config,
            solids,
            agents,
            keepers: vec![],
        };
        let ends = level.links.iter().flat_map(|l| [l.from, l.to]);
        let markers = level.markers.iter().map(|m| m.position);
        explainer.keepers = markers.chain(ends).map(|p| explainer.inward(p)).collect();
        Some(explainer)
    }

    /// The agents in the order of the config.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter().map(|w| &w.agent)
    }

    /// The height of the tallest agent, grid units.
    pub(crate) fn tallest(&self) -> f64 {
        self.agents.iter().map(|w| w.body.height).fold(0.0, f64::max)
    }

    /// Does the config keep only islands with a seed?
    ///
    /// Then only a baked mesh says which islands those are: see [`Explainer::explain`].
    pub fn needs_mesh(&self) -> bool {
        !self.config.seeds.is_empty()
    }

    /// The seeds as places, y-up metres.
    pub fn seeds(&self) -> Vec<[f64; 3]> {
        self.config.seed_places(&self.level.markers)
    }

    /// What a place (y-up metres) is to an agent, given by its number in the config.
    ///
    /// `None` if there is no agent with that number. `mesh` is the agent's baked mesh. It serves
    /// one purpose: to find out whether otherwise walkable ground was left out because it has no
    /// seed.
    pub fn explain(&self, at: [f64; 3], agent: usize, mesh: Option<NavMesh<'_>>) -> Option<Answer> {
        self.answer(at, agent, |who, place, height, answer| {
            self.in_region(who, place, height, mesh, answer)
        })
    }

    /// The same, without a test whether the island of the place was left out.
    pub(crate) fn explain_place(&self, at: [f64; 3], agent: usize) -> Option<Answer> {
        self.answer(at, agent, |_, _, _, answer| answer)
    }

    /// What a place is to an agent. Where the agent has room, `region` adds whether its island is
    /// part of the navmesh: from the agent, the place and its height, in grid units.
    fn answer(
        &self,
        at: [f64; 3],
        agent: usize,
        region: impl FnOnce(&Who, [f64; 2], f64, Answer) -> Answer,
    ) -> Option<Answer> {
        let who = self.agents.get(agent)?;
        if !at.iter().all(|c| c.is_finite()) {
            return None;
        }
        let [x, y, z] = self.inward(at);
        Some(match self.floors {
            Some(marked) => self.on_floor(who, [x, z], y, marked),
            None => self.on_ground(who, [x, z], y, region),
        })
    }

    /// The triangles that an agent can stand on, by slope and role, with their numbers.
    ///
    /// Corners are in y-up metres.
    pub(crate) fn ground_triangles(&self, agent: usize) -> Vec<(u32, [[f64; 3]; 3])> {
        let Some(who) = self.agents.get(agent) else {
            return vec![];
        };
        let all = self.solids.all.iter().zip(0u32..);
        let ground = all.filter(|(s, _)| who.body.walks_on(s));
        ground.map(|(s, n)| (n, s.corners.map(|c| self.outward(c)))).collect()
    }

    /// Where an agent stands near a point, and its distance to the end of the ground.
    ///
    /// The ground is at most the given height above or below the point. The distance in metres is
    /// measured up to a limit.
    pub(crate) fn room_at(
        &self,
        point: [f64; 3],
        agent: usize,
        near: f64,
        limit: f64,
    ) -> Option<([f64; 3], f64)> {
        let units = self.level.grid.units();
        let [x, y, z] = self.inward(point);
        let (height, border) = self.border_at([x, y, z], agent, near * units, limit * units)?;
        let room = border.map_or(limit * units, |b| b.distance) / units;
        Some((self.outward([x, height, z]), room))
    }

    /// The height at which an agent stands near a point, and the nearest end of the ground there,
    /// up to a limit. All in grid units; the rest as [`Explainer::room_at`].
    pub(crate) fn border_at(
        &self,
        [x, y, z]: [f64; 3],
        agent: usize,
        near: f64,
        limit: f64,
    ) -> Option<(f64, Option<Border>)> {
        let who = self.agents.get(agent)?;
        let column = self.solids.column([x, z], &who.body);
        let stood = standing(&column, &who.body).into_iter();
        let rise = |k: usize| (column[k].y - y).abs();
        // Heights on the grid are integers.
        let k =
            stood.filter(|&k| rise(k) <= near + 1.0).min_by(|&a, &b| rise(a).total_cmp(&rise(b)));
        let (rooms, _) = &mut *who.memory.borrow_mut();
        let height = match k {
            Some(k) => column[k].y,
            None => self.in_crack(rooms, &column, [x, z], y, &who.body)?,
        };
        Some((height, rooms.border(&self.solids, [x, z], height, limit, false, &who.body)))
    }

    /// The body of an agent, given by its number in the config.
    pub(crate) fn body(&self, agent: usize) -> Option<&Body> {
        self.agents.get(agent).map(|who| &who.body)
    }

    /// Does an agent, given by its number in the config, stay off an area?
    pub(crate) fn is_blocked(&self, agent: usize, area: u8) -> bool {
        let blocked = self.agents.get(agent).and_then(|who| who.blocked.get(usize::from(area)));
        blocked == Some(&true)
    }

    /// Is the navmesh made of the designer's triangles, whatever is on them?
    pub(crate) fn is_of_floors(&self) -> bool {
        self.floors.is_some()
    }

    /// How far borders of the navmesh may be inside of its ground, m.
    pub(crate) fn border_error(&self) -> f64 {
        self.config.border_error
    }

    /// Which side of triangles is their front.
    pub(crate) fn winding(&self) -> Winding {
        self.config.winding
    }

    /// The object that a triangle belongs to.
    pub(crate) fn object(&self, solid: u32) -> Object {
        let part = &self.level.parts[self.solids.all[solid as usize].part as usize];
        Object { node: part.node.clone(), mesh: part.mesh.clone(), material: part.material.clone() }
    }

    /// Grid units from y-up metres.
    pub(crate) fn inward(&self, p: [f64; 3]) -> [f64; 3] {
        let (units, origin) = (self.level.grid.units(), self.level.grid.origin);
        std::array::from_fn(|k| (p[k] - origin[k]) * units)
    }

    /// Y-up metres from grid units.
    pub(crate) fn outward(&self, p: [f64; 3]) -> [f64; 3] {
        self.level.grid.metres(p)
    }

    fn length(&self, units: f64) -> f64 {
        units / self.level.grid.units()
    }

    /// The names of the part that a surface belongs to.
    fn part(&self, solid: u32) -> Option<String> {
        let solid = &self.solids.all[solid as usize];
        let part = &self.level.parts[solid.part as usize];
        let names = [&part.node, &part.mesh, &part.material];
        let known: Vec<&str> =
            (names.into_iter().map(String::as_str)).filter(|n| !n.is_empty()).collect();
        (!known.is_empty()).then(|| known.join(", "))
    }

    fn on_ground(
        &self,
        who: &Who,
        place: [f64; 2],
        y: f64,
        region: impl FnOnce(&Who, [f64; 2], f64, Answer) -> Answer,
    ) -> Answer {
        let body = &who.body;
        let mut memory = who.memory.borrow_mut();
        let (rooms, _) = &mut *memory;
        let mut answer = Answer::new(&who.agent.name);
        let column = self.solids.column(place, body);
        let asked = nearest(&column, y, body);
        let stood = asked.and_then(|k| stood_near(&column, column[k].y, body));
        let (height, solid) = match stood {
            Some(k) => (column[k].y, Some(k)),
            None => {
                let about = asked.map_or(y, |k| column[k].y);
                match self.in_crack(rooms, &column, place, about, body) {
                    Some(height) => {
                        answer.notes.push(format!(
                            "in a crack narrower than {} m, which the agent steps over",
                            metres(self.length(body.crack))
                        ));
                        (height, None)
                    }
                    None => return self.not_ground(answer, who, &column, asked, place, y),
                }
            }
        };
        answer.ground = Some(self.outward([place[0], height, place[1]]));
        if let Some(k) = solid {
            self.describe(&mut answer, &column, k, body);
        }

        let limit = body.radius + BEYOND.max(self.config.border_error) * self.level.grid.units();
        let border = rooms.border(&self.solids, place, height, limit, false, body);
        answer.room_m = border.map(|b| self.length(b.distance));
        if let Some(reason) = border.and_then(|b| self.too_narrow(rooms, who, place, height, &b)) {
            answer = answer.not(reason);
        } else if let Some(border) = border
            && border.distance < body.radius
        {
            let reason = self.too_near(who, &border);
            answer = answer.not(reason);
        } else {
            let drawn_in = self.config.border_error;
            let drawn = drawn_in * self.level.grid.units();
            if let Some(b) = border
                && body.radius > 0.0
                && b.distance < body.radius + drawn
            {
                answer.notes.push(format!(
                    "only {} m more than its radius: borders of the navmesh are drawn with fewer corners, up to {drawn_in} m within the ground",
                    metres(self.length(b.distance - body.radius))
                ));
            }
            drop(memory);
            answer = region(who, place, height, answer);
        }
        if let Some(k) = solid {
            answer = self.judge_area(answer, who, &column, k);
        }
        answer
    }

    /// Adds to the answer about a place with room for the agent whether its island was left out.
    fn in_region(
        &self,
        who: &Who,
        place: [f64; 2],
        height: f64,
        mesh: Option<NavMesh<'_>>,
        answer: Answer,
    ) -> Answer {
        if self.needs_mesh() {
            let found =
                mesh.and_then(|m| on_mesh(m, answer.ground, &who.agent, self.config.border_error));
            return match mesh.is_some() && found.is_none() {
                true => {
                    let reason = self.not_reached(answer.ground);
                    answer.not(reason)
                }
                false => answer,
            };
        }
        let least = self.config.min_region.unwrap_or(0.0) * self.level.grid.units().powi(2);
        let (rooms, islands) = &mut *who.memory.borrow_mut();
        let (solids, keepers) = (&self.solids, &self.keepers);
        match islands.around(solids, rooms, place, height, least, keepers, &who.body) {
            Island::Small(area) => answer.not(self.too_small(area, least)),
            Island::Kept => answer,
        }
    }

    /// Height of the ground beside a place that has no ground itself and is in a crack.
    fn in_crack(
        &self,
        rooms: &mut Rooms,
        column: &[Surface],
        place: [f64; 2],
        y: f64,
        body: &Body,
    ) -> Option<f64> {
        let near = |s: &Surface| (s.y - y).abs() <= body.climb;
        if column.iter().any(|s| s.ground && near(s)) {
            return None;
        }
        rooms.cracks.at(&self.solids, place, y, body)
    }

    /// Sets slope, area and names of the ground under the agent.
    fn describe(&self, answer: &mut Answer, column: &[Surface], k: usize, body: &Body) {
        let solid = column[k].solid;
        answer.slope_degrees = Some(self.solids.all[solid as usize].slope());
        answer.part = self.part(solid);
        let area = self.area(column, k, body);
        answer.area = (self.level.areas.get(usize::from(area))).map(|a| a.name.clone());
    }

    /// The area of the ground under the agent.
    ///
    /// Where several triangles coincide, the greatest area wins.
    fn area(&self, column: &[Surface], k: usize, body: &Body) -> u8 {
        let y = column[k].y;
        let same = column.iter().filter(|s| (s.y - y).abs() <= solid::TOUCH && s.ground);
        let areas = same.map(|s| &self.solids.all[s.solid as usize]);
        let walked = areas.filter(|s| body.walks_on(s));
        walked.map(|s| s.area).max().unwrap_or(0)
    }
}

/// The surface nearest in height to a point.
///
/// Only surfaces from a height below to a climb above it count. Ground wins ties.
fn nearest(column: &[Surface], y: f64, body: &Body) -> Option<usize> {
    let within = |s: &Surface| s.y - y <= body.climb && y - s.y <= body.height;
    let all = (0..column.len()).filter(|&k| within(&column[k]));
    all.min_by(|&a, &b| {
        let far = |k: usize| (column[k].y - y).abs();
        (far(a).total_cmp(&far(b))).then(column[b].ground.cmp(&column[a].ground))
    })
}

/// The surface nearest in height to `y` that an agent stands on.
///
/// `None` if there is none at most a step away.
fn stood_near(column: &[Surface], y: f64, body: &Body) -> Option<usize> {
    let found = standing(column, body).into_iter();
    let near = found.filter(|&k| (column[k].y - y).abs() <= body.climb);
    near.min_by(|&a, &b| {
        let far = |k: usize| (column[k].y - y).abs();
        far(a).total_cmp(&far(b))
    })
}

/// The polygon of a mesh at most a step above or below ground.
fn on_mesh(
    mesh: NavMesh<'_>,
    ground: Option<[f64; 3]>,
    agent: &Agent,
    drawn_in: f64,
) -> Option<()> {
    let query = NavQuery::new(mesh);
    // The margin by which borders may be drawn in, too.
    let extents = [drawn_in * 1.5, agent.climb.max(0.2), drawn_in * 1.5];
    query.nearest(ground?, extents).map(|_| ())
}
