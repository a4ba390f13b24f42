//! Agents: what asks for a path, and the answer.

use std::fmt;

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use navbake_format::LinkKind;
use navbake_search::{Algorithm, PathRequest, Status};
use navbake_world::PolyRef;

use crate::{LevelError, NavWorld, PathFailed};

/// An entity that wants a path from its `Transform` to its [`NavGoal`].
///
/// A path is searched for when the goal, the agent or the level changes: not when the entity moves.
/// Write the goal again to ask from where it is now.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(NavPath, Request, Transform)]
pub struct NavAgent {
    /// The entity of the [`NavLevel`](crate::NavLevel).
    pub level: Entity,
    /// How the path is searched for.
    pub algorithm: Algorithm,
    /// Go as near as possible where the goal cannot be reached.
    pub partial: bool,
    /// How far the ground may be from both ends, metres along each axis. The default is 2 m up and
    /// down: room for an entity whose origin is above the ground.
    pub reach: Vec3,
    /// Search again after each change of the level, which may have opened a better way. Else a path
    /// is searched for again when the ground that it leads over changes.
    pub renew: bool,
}

impl NavAgent {
    /// An agent on a level, with the default search.
    pub fn on(level: Entity) -> NavAgent {
        NavAgent {
            level,
            algorithm: Algorithm::default(),
            partial: false,
            reach: Vec3::new(0.0, 2.0, 0.0),
            renew: false,
        }
    }

    /// What it asks for.
    fn request(&self, from: Vec3, to: Vec3) -> PathRequest {
        PathRequest::new(from.to_array(), to.to_array())
            .extents(self.reach.to_array().map(f64::from))
            .algorithm(self.algorithm)
            .partial(self.partial)
    }
}

/// Where an agent wants to go, in world space, metres.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct NavGoal(pub Vec3);

/// What an agent got.
#[derive(Component, Clone, Debug, Default)]
pub enum NavPath {
    /// It has no goal.
    #[default]
    Idle,
    /// The level is being loaded, or the search is not over.
    Waiting,
    /// A path.
    Found(Found),
    /// There is none. It is searched for again when the level changes.
    Failed(NoPath),
}

impl NavPath {
    /// The path, if there is one.
    pub fn found(&self) -> Option<&Found> {
        match self {
            NavPath::Found(found) => Some(found),
            _ => None,
        }
    }
}

/// A path.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Start, corners and end on the ground, in world space, metres.
    pub points: Vec<Vec3>,
    /// Length in the ground plane, metres. Links do not count.
    pub length: f64,
    /// The cost that the search minimises.
    pub cost: f64,
    /// Does it lead to the goal? Else to the place nearest to it, for a `partial` agent.
    pub reached: bool,
    /// No path costs less: the search proved it, and the ground has not changed since.
    pub optimal: bool,
    /// The ground that it leads over has changed; another one is being searched for.
    pub stale: bool,
    /// It ends where chunks that are not loaded may go on: it is searched for again when chunks
    /// come.
    pub not_loaded: bool,
    /// The links that it takes, in order.
    pub links: Vec<LinkOnPath>,
    /// The polygons that it leads over.
    pub(crate) polygons: Vec<PolyRef>,
}

/// A link that a path takes: a ladder, a jump, a ferry.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOnPath {
    /// The point of [`Found::points`] where it begins. It ends at the next one.
    pub point: usize,
    /// What the agent does on it.
    pub kind: LinkKind,
    /// Its name, perhaps empty.
    pub name: String,
}

/// Why there is no path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoPath {
    /// [`NavAgent::level`] is not a level.
    NoLevel,
    /// The level cannot be searched.
    Level(LevelError),
    /// The entity has no place: an entity above it has no `Transform`.
    NoTransform,
    /// An end is not on the ground, no path leads to the goal, or only chunks that are not loaded
    /// can complete it.
    Answer(Status),
    /// The search does not serve the request.
    Refused(navbake_search::Error),
}

impl fmt::Display for NoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoPath::NoLevel => "the agent's level is not an entity with NavLevel",
            NoPath::NoTransform => "the agent has no place: give each entity above it a Transform",
            NoPath::Answer(Status::OffMesh) => {
                "the start or the goal is not on the ground: look at NavAgent::reach"
            }
            NoPath::Answer(Status::Unreachable) => "no path leads to the goal",
            NoPath::Answer(Status::NotLoaded) => {
                "a path may lead over chunks that are not loaded: NavWorld::route names them"
            }
            NoPath::Answer(status) => status.name(),
            NoPath::Level(error) => return write!(f, "the level cannot be searched: {error}"),
            NoPath::Refused(error) => return error.fmt(f),
        })
    }
}

impl std::error::Error for NoPath {}

/// What is known of an agent's question.
#[derive(Component, Debug, Default)]
pub(crate) struct Request {
    /// It is to be asked.
    pub(crate) wanted: bool,
    /// The level refused it the same way before: no event again.
    reported: bool,
    /// The level's era and version when the path was asked for or looked at last.
    pub(crate) seen: [u64; 2],
}

type Asker<'a> = (Entity, Ref<'a, NavAgent>, Ref<'a, NavGoal>, &'a mut NavPath, &'a mut Request);

/// Asks for paths of agents whose goals, settings or levels changed.
pub(crate) fn ask(
    mut commands: Commands,
    mut agents: Query<Asker<'_>>,
    mut levels: Query<&mut NavWorld>,
    transforms: TransformHelper,
) {
    for (entity, agent, goal, mut path, mut request) in &mut agents {
        if agent.is_changed() || goal.is_changed() {
            (request.wanted, request.reported) = (true, false);
            *path = NavPath::Waiting;
        }
        if !request.wanted {
            continue;
        }
        let start = transforms.compute_global_transform(entity);
        let why = match (levels.get_mut(agent.level), start) {
            (Err(_), _) => NoPath::NoLevel,
            (_, Err(_)) => NoPath::NoTransform,
            (Ok(mut world), Ok(start)) => {
                let era = world.era;
                if let Some(ready) = &mut world.bypass_change_detection().ready {
                    let asked = agent.request(start.translation(), goal.0);
                    request.wanted = !ready.queue.ask(entity.to_bits(), &asked);
                    request.reported = false;
                    request.seen = [era, ready.version];
                    continue;
                }
                match world.error() {
                    Some(error) => NoPath::Level(error.clone()),
                    None => continue,
                }
            }
        };
        if !std::mem::replace(&mut request.reported, true) {
            *path = NavPath::Failed(why.clone());
            commands.trigger(PathFailed { entity, why });
        }
    }
}

/// An agent without a goal has no path, and no search goes on for it.
pub(crate) fn forget(
    gone: On<Remove, NavGoal>,
    mut agents: Query<(&NavAgent, &mut NavPath, &mut Request)>,
    mut levels: Query<&mut NavWorld>,
) {
    let Ok((agent, mut path, mut request)) = agents.get_mut(gone.entity) else {
        return;
    };
    *path = NavPath::Idle;
    *request = Request::default();
    if let Ok(mut world) = levels.get_mut(agent.level)
        && let Some(ready) = &mut world.bypass_change_detection().ready
    {
        ready.queue.lose(gone.entity.to_bits());
    }
}
