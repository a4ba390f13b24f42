//! A path as Godot sees it.

use godot::prelude::*;
use navbake_search::Status;

use super::vector;
use crate::search::Path;

/// The outcome of a search for a path.
#[derive(GodotConvert, Var, Clone, Copy, Debug, PartialEq, Eq)]
#[godot(via = i64)]
pub enum PathStatus {
    /// The path leads to the goal.
    Reached,
    /// No path leads to the goal; this one leads to the place nearest to it.
    Partial,
    /// No path leads to the goal.
    Unreachable,
    /// The start or the goal is not on the ground.
    OffMesh,
    /// The planner does not serve the query: `error` says why, and which one does.
    Refused,
    /// No path was found over the chunks that are loaded, and there may be one over others. Where
    /// `partial` is set, this one leads to where the ground goes on.
    NotLoaded,
}

impl PathStatus {
    /// That of a search in memory that grows; `None` for those that such a search does not have.
    pub(super) fn of(status: Status) -> Option<PathStatus> {
        Some(match status {
            Status::Reached => PathStatus::Reached,
            Status::Partial => PathStatus::Partial,
            Status::Unreachable => PathStatus::Unreachable,
            Status::OffMesh => PathStatus::OffMesh,
            Status::NotLoaded => PathStatus::NotLoaded,
            _ => return None,
        })
    }
}

/// A path, or why there is none. `NavbakeQuery.find_path` makes it.
#[derive(GodotClass, Debug)]
#[class(tool, no_init)]
pub struct NavbakePath {
    /// The outcome: `REACHED`, `PARTIAL`, `UNREACHABLE`, `OFF_MESH`, `NOT_LOADED` or `REFUSED`.
    #[var(no_set)]
    status: PathStatus,
    /// Start, corners and end on the ground; empty where there is no path.
    #[var(no_set)]
    points: PackedVector3Array,
    /// Length in the ground plane, metres. Links do not count.
    #[var(no_set)]
    length: f64,
    /// The cost that the search minimises.
    #[var(no_set)]
    cost: f64,
    /// No path costs less: the search proved it.
    #[var(no_set)]
    optimal: bool,
    /// The links that it takes, in order: `point` of `points` where each begins, `kind`, `name`.
    #[var(no_set)]
    links: Array<VarDictionary>,
    /// Why the search was refused, else empty.
    #[var(no_set)]
    error: GString,
}

impl NavbakePath {
    pub(super) fn of(found: Result<Path, String>) -> Gd<NavbakePath> {
        let mut error = GString::new();
        let mut refused = |reason: &str| {
            error = reason.into();
            PathStatus::Refused
        };
        let (status, path) = match found {
            Err(reason) => (refused(&reason), None),
            Ok(path) => (
                PathStatus::of(path.status).unwrap_or_else(|| refused(path.status.name())),
                Some(path),
            ),
        };
        let links = path.iter().flat_map(|path| &path.links).map(|link| {
            let (point, name) = (link.point as i64, link.name.as_str());
            vdict! { "point" => point, "kind" => link.kind, "name" => name }
        });
        let number = |of: fn(&Path) -> f64| path.as_ref().map_or(0.0, of);
        Gd::from_object(NavbakePath {
            status,
            points: path.iter().flat_map(|path| &path.points).map(|&at| vector(at)).collect(),
            length: number(|path| path.length),
            cost: number(|path| path.cost),
            optimal: path.as_ref().is_some_and(|path| path.optimal),
            links: links.collect(),
            error,
        })
    }
}

#[godot_api]
impl NavbakePath {
    /// The path leads to the goal.
    #[constant]
    const REACHED: i64 = PathStatus::Reached as i64;
    /// No path leads to the goal; this one leads to the place nearest to it.
    #[constant]
    const PARTIAL: i64 = PathStatus::Partial as i64;
    /// No path leads to the goal.
    #[constant]
    const UNREACHABLE: i64 = PathStatus::Unreachable as i64;
    /// The start or the goal is not on the ground.
    #[constant]
    const OFF_MESH: i64 = PathStatus::OffMesh as i64;
    /// The planner does not serve the query.
    #[constant]
    const REFUSED: i64 = PathStatus::Refused as i64;
    /// No path was found over the chunks that are loaded, and there may be one over others.
    #[constant]
    const NOT_LOADED: i64 = PathStatus::NotLoaded as i64;
}
