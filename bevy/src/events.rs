//! Events, for observers of one entity or of all.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;

use crate::{LevelError, NoPath};

/// A path was found: [`NavPath`](crate::NavPath) of the agent has it.
#[derive(EntityEvent, Clone, Debug)]
pub struct PathFound {
    /// The agent.
    pub entity: Entity,
}

/// There is no path.
#[derive(EntityEvent, Clone, Debug)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// Why.
    pub why: NoPath,
}

/// The ground that a path leads over has changed. A new path is being searched for; the old one
/// stays in [`NavPath`](crate::NavPath), marked as stale, until then.
#[derive(EntityEvent, Clone, Debug)]
pub struct PathStale {
    /// The agent.
    pub entity: Entity,
}

/// A level can be searched: its file was loaded, for the first time or again, or its
/// settings were changed.
#[derive(EntityEvent, Clone, Debug)]
pub struct LevelReady {
    /// The level.
    pub entity: Entity,
}

/// The file or the settings of a level were refused, or a chunk of it that is wanted.
///
/// A file that was ready before stays in use where its new version cannot be loaded. All other
/// chunks stay in use where one is refused.
#[derive(EntityEvent, Clone, Debug)]
pub struct LevelFailed {
    /// The level.
    pub entity: Entity,
    /// Why.
    pub error: LevelError,
}

/// An obstacle takes no ground, because a level refuses its shape or its place.
#[derive(EntityEvent, Clone, Debug)]
pub struct ObstacleRefused {
    /// The obstacle.
    pub entity: Entity,
    /// The level.
    pub level: Entity,
    /// Why.
    pub error: navbake_world::Error,
}
