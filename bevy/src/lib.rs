//! Navbake for [Bevy](https://bevy.org): baked navmeshes as assets, paths and obstacles as
//! components.
//!
//! ```no_run
//! use bevy_app::{App, Startup, TaskPoolPlugin};
//! use bevy_asset::{AssetPlugin, AssetServer};
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec3;
//! use bevy_navbake::{NavAgent, NavGoal, NavLevel, NavObstacle, NavPath, NavbakePlugin, PathFound};
//! use bevy_transform::components::Transform;
//!
//! App::new()
//!     .add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), NavbakePlugin::default()))
//!     .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
//!         let level = commands.spawn(NavLevel::new(assets.load("level.navbake"))).id();
//!         let start = Transform::from_xyz(20.0, 0.0, 25.0);
//!         commands.spawn((NavAgent::on(level), NavGoal(Vec3::new(10.0, 4.0, 9.0)), start));
//!         let barrel = NavObstacle::Cylinder { radius: 0.4, height: 1.0 };
//!         commands.spawn((barrel, Transform::from_xyz(15.0, 0.5, 20.0)));
//!     })
//!     .add_observer(|found: On<PathFound>, paths: Query<&NavPath>| {
//!         println!("{:?}", paths.get(found.entity));
//!     })
//!     .run();
//! ```
//!
//! # What there is
//!
//! | item | what it is |
//! |---|---|
//! | [`Navmesh`] | the asset: a file that `navbake bake` wrote, or the index of a world in chunks |
//! | [`NavLevel`] | a navmesh for one class of agents, with its closed switches and costs |
//! | [`NavWorld`] | beside it: the navmesh of now, for every query of `navbake-search`; saves |
//! | [`NavLoader`] | an entity that wants the chunks around it, or those that it names |
//! | [`NavFiles`], [`NavChunk`] | for [`NavWorld::restore`]: the files of levels, that of a chunk |
//! | [`NavAgent`], [`NavGoal`] | an entity that wants a path, and where to |
//! | [`NavPath`] | beside it: the path, or why there is none |
//! | [`NavObstacle`] | an entity that takes ground away, where its `Transform` is |
//! | [`NavbakeSystems`] | the set of all systems; [`NavbakePlugin`] names their schedule |
//! | [`NavbakeBudget`] | how much is changed and searched each time |
//! | [`PathFound`], [`PathFailed`], [`PathStale`] | events of an agent |
//! | [`LevelReady`], [`LevelFailed`], [`ObstacleRefused`] | events of levels and obstacles |
//!
//! # Coordinates
//!
//! Navbake's are Bevy's: metres, y up, right-handed. Nothing is turned or scaled. A level is in
//! world space: a `Transform` of the level's entity does not move it.
//!
//! # Order
//!
//! In each run of the schedule: loaded files are made ready, chunks that are wanted or no longer
//! wanted come and go, obstacles are put where their transforms are, a bounded part of the changes
//! is committed, paths over changed ground become stale, and searches go on within their budget.
//! Chunks that were loaded between the same two runs come by row and column. What an agent asked
//! for in `Update` is answered in `PostUpdate` of the same frame, unless the budget is used up.
#![forbid(unsafe_code)]

mod agent;
mod answers;
mod asset;
mod chunks;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod level;
mod obstacle;
mod plugin;
mod saves;

pub use agent::{Found, LinkOnPath, NavAgent, NavGoal, NavPath, NoPath};
pub use asset::{Finding, Navmesh, NavmeshError, NavmeshLoader};
pub use chunks::{NavChunk, NavFiles, NavLoader};
pub use events::{LevelFailed, LevelReady, ObstacleRefused, PathFailed, PathFound, PathStale};
#[cfg(feature = "gizmos")]
pub use gizmos::{NavbakeGizmos, NavbakeGizmosPlugin};
pub use level::{LevelError, NavLevel, NavWorld};
pub use navbake_format::{DiagnosticKind, LinkKind};
pub use navbake_search as search;
pub use navbake_world as world;
pub use obstacle::NavObstacle;
pub use plugin::{NavbakeBudget, NavbakePlugin, NavbakeSystems};
