//! Searches, their answers, and answers that no longer hold.

use bevy_ecs::prelude::*;
use navbake_search::{Error, NavPath as Answer, NavQuery, Status};
use navbake_world::World;

use crate::agent::Request;
use crate::asset::vec3;
use crate::{
    Found, LinkOnPath, NavAgent, NavGoal, NavPath, NavWorld, NavbakeBudget, NoPath, PathFailed,
    PathFound, PathStale,
};

/// Finds the agents whose answers no longer hold, and lets them ask again.
pub(crate) fn outdate(
    mut commands: Commands,
    mut agents: Query<(Entity, &NavAgent, &mut NavPath, &mut Request), With<NavGoal>>,
    levels: Query<&NavWorld>,
) {
    for (entity, agent, mut path, mut request) in &mut agents {
        let Ok(level) = levels.get(agent.level) else {
            // Despawned.
            request.wanted |= !matches!(*path, NavPath::Failed(_));
            continue;
        };
        let now = [level.era, level.ready.as_ref().map_or(0, |ready| ready.version)];
        if request.seen == now || request.seen[0] == 0 {
            continue;
        }
        let same_era = request.seen[0] == level.era;
        request.seen = now;
        match path.as_mut() {
            NavPath::Found(found) => {
                found.optimal = false;
                let holds = same_era && level.world().is_some_and(|world| holds(found, world));
                request.wanted |= !holds || agent.renew || found.not_loaded;
                if !holds && !found.stale {
                    found.stale = true;
                    commands.trigger(PathStale { entity });
                }
            }
            NavPath::Failed(_) => request.wanted = true,
            // The queue of another era is gone, and this one restarts its searches.
            NavPath::Waiting => request.wanted |= !same_era,
            NavPath::Idle => {}
        }
    }
}

/// Is all ground under a path as it was?
fn holds(found: &Found, world: &World) -> bool {
    found.polygons.iter().all(|&polygon| world.polygon(polygon).is_ok())
}

/// Searches within the budget, and hands over answers.
pub(crate) fn search(
    mut commands: Commands,
    budget: Res<NavbakeBudget>,
    mut levels: Query<(Entity, &mut NavWorld)>,
    mut agents: Query<(&NavAgent, &mut NavPath), With<NavGoal>>,
) {
    for (level, mut nav) in &mut levels {
        let Some(ready) = nav.bypass_change_detection().ready.as_mut() else {
            continue;
        };
        let world = &ready.world;
        let query = NavQuery::new(world.nav_mesh()).with_filter(&ready.filter);
        ready.queue.tick(&query, budget.entries, |unit, answer| {
            let Some(entity) = Entity::try_from_bits(unit) else {
                return;
            };
            // Agents that went, and those that are on another level now, have no use for it.
            let Ok((agent, mut path)) = agents.get_mut(entity) else {
                return;
            };
            if agent.level != level {
                return;
            }
            *path = match result(answer, world) {
                Ok(found) => {
                    commands.trigger(PathFound { entity });
                    NavPath::Found(found)
                }
                Err(why) => {
                    commands.trigger(PathFailed { entity, why: why.clone() });
                    NavPath::Failed(why)
                }
            };
        });
    }
}

/// An answer of the queue in memory of its own.
fn result(answer: Result<&Answer<'_>, &Error>, world: &World) -> Result<Found, NoPath> {
    let answer = answer.map_err(|error| NoPath::Refused(error.clone()))?;
    let reached = answer.status == Status::Reached;
    if answer.points.is_empty() || matches!(answer.status, Status::Unreachable | Status::OffMesh) {
        return Err(NoPath::Answer(answer.status));
    }
    let mesh = world.nav_mesh();
    let links = answer.legs().filter_map(|leg| {
        let link = mesh.link(leg.link?)?;
        Some(LinkOnPath { point: leg.points.start, kind: link.kind, name: link.name.to_owned() })
    });
    Ok(Found {
        points: answer.points.iter().map(|&point| vec3(point)).collect(),
        length: answer.length_xz,
        cost: answer.cost,
        reached,
        optimal: answer.certified_optimal,
        stale: false,
        not_loaded: answer.status == Status::NotLoaded,
        links: links.collect(),
        polygons: answer.polygons.iter().map(|&polygon| world.polygon_ref(polygon)).collect(),
    })
}
