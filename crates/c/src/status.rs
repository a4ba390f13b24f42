//! The status that functions return, and the boundary that no panic crosses.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. 0 is success, values above 0 are answers to valid requests, and values
/// below 0 are faults of the call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavbakeStatus {
    /// Done; of a path: it leads to the goal.
    NavbakeOk = 0,
    /// No path leads to the goal; this one leads to the place nearest to it.
    NavbakePartial = 1,
    /// No path leads to the goal.
    NavbakeUnreachable = 2,
    /// There is no ground at the point, or at the start or the goal of the path.
    NavbakeOffMesh = 3,
    /// The search has too few nodes to decide; the path leads to the place nearest to the goal that
    /// was found.
    NavbakeOutOfNodes = 4,
    /// A search that was begun is not over.
    NavbakeSearching = 5,
    /// No path over the chunks that are loaded leads to the goal, but there may be one in others. A
    /// partial one leads to where the ground goes on. Of a chunk: it is not loaded.
    NavbakeNotLoaded = 6,
    /// A pointer that has to point at something is NULL or misaligned.
    NavbakeNullPointer = -1,
    /// An argument is out of range: an index, a length, a planner, a polygon that does not hold its
    /// point, a search of another mesh.
    NavbakeBadArgument = -2,
    /// The bytes are no blob that this version can read.
    NavbakeBadBlob = -3,
    /// A fault in navbake itself. The objects involved can still be freed.
    NavbakeInternalError = -4,
    /// The planner or its heuristic needs landmarks, and the mesh has none.
    NavbakeNoLandmarks = -5,
    /// The planner needs rooms with distances between their doors, and the mesh has none.
    NavbakeNoRooms = -6,
    /// The planner does not serve a mesh with costs: NAVBAKE_PLANNER_WEIGHTED and
    /// NAVBAKE_PLANNER_CORRIDOR do.
    NavbakeCosts = -7,
    /// The start is on blocked ground, where the planner finds no path out:
    /// NAVBAKE_PLANNER_CORRIDOR does.
    NavbakeStartBlocked = -8,
    /// The planner needs cells or a network: the blob has none, or none of this kind, or the mesh
    /// changed since navbake_use_cells or navbake_use_network.
    NavbakeNoCells = -9,
    /// The bytes are a blob and not a chunk of a world. Of a save: it needs a chunk that is not
    /// given.
    NavbakeNoChunk = -10,
    /// The chunk or the save is of another bake or for another agent than the mesh, or the chunk is
    /// for a mesh that is not that of an index.
    NavbakeOtherWorld = -11,
    /// The chunk is there already: remove it first.
    NavbakeChunkLoaded = -12,
    /// The bytes are no save of a mesh that this version can read, or were changed since.
    NavbakeBadSave = -13,
}

/// Ends a call early.
pub(crate) type Fault = NavbakeStatus;

/// Runs a call; a panic becomes a status.
pub(crate) fn guard(call: impl FnOnce() -> Result<NavbakeStatus, Fault>) -> NavbakeStatus {
    // A panic leaves only scratch in an unfinished state, and every search resets that.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(status) | Err(status)) => status,
        Err(_) => NavbakeStatus::NavbakeInternalError,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let status = guard(|| panic!("on purpose"));
        assert_eq!(status, NavbakeStatus::NavbakeInternalError);
        assert_eq!(guard(|| Ok(NavbakeStatus::NavbakePartial)), NavbakeStatus::NavbakePartial);
    }
}
