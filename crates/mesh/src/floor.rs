//! A designer's floor: marked triangles as the navmesh as they are.

use navbake_geom::{Point3, orient};
use navbake_level::number::count;
use navbake_level::{Level, Warning};

use crate::fan::{Corners, edges_by_ends};
use crate::found::Found;
use crate::junctions::bend;
use crate::overlaps::overlaps;
use crate::weld::weld;
use crate::{Patch, PolygonMesh};

/// What a floor is made for, in grid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloorSettings {
    /// Edges are joined over steps up to this height.
    pub climb: i32,
    /// Floors above one another by less than this are reported.
    pub height: i32,
}

/// The marked triangles of a level as a patch for [`crate::join_triangles`], with what was noticed.
///
/// `floor` has an entry for each triangle. The floor is not eroded.
///
/// Corners up to two grid units apart at loose edges are welded, and edges are bent to corners as
/// near beside them, so that T-junctions of slanted edges meet exactly; never where a triangle
/// would lose its area. Of triangles with the same corners one is kept. Reported, each with a count
/// and the first place: faces that do not look up (left out), duplicates, floors above one another
/// by less than `height`, edges that more than two triangles share (the nearest in height are
/// joined). [`floor_gaps`] reports what did not meet, after joining.
///
/// # Panics
/// When `floor` is not as long as the level's triangles.
pub fn floor(level: &Level, floor: &[bool], settings: &FloorSettings) -> (Patch, Vec<Warning>) {
    assert_eq!(floor.len(), level.triangles.len(), "one mark a triangle");
    let mut report = Report::new(level);
    let mut triangles: Vec<Corners> = vec![];
    let mut down = Found::default();
    for (triangle, _) in level.triangles.iter().zip(floor).filter(|(_, m)| **m) {
        let c = level.corners(triangle);
        let turn = orient(c[0].flat(), c[1].flat(), c[2].flat());
        if triangle.up <= 0 || turn == 0 {
            down.note(c[0]);
        } else if turn > 0 {
            triangles.push(c);
        } else {
            triangles.push([c[0], c[2], c[1]]);
        }
    }
    report.say("floor-faces-not-up", &down, |n| {
        format!(
            "{n} floor triangles do not look up and are left out; if they are ground, check `winding`"
        )
    });

    weld(&mut triangles);
    bend(&mut triangles, settings.climb);
    for c in &mut triangles {
        let least = (0..3).min_by_key(|&k| c[k]).unwrap_or(0);
        c.rotate_left(least);
    }
    triangles.sort_unstable();
    let mut twice = Found::default();
    for pair in triangles.windows(2) {
        if pair[0] == pair[1] {
            twice.note(pair[0][0]);
        }
    }
    triangles.dedup();
    report.say("floor-duplicates", &twice, |n| {
        format!("{} found twice; one of each was kept", count(n, "floor triangle"))
    });

    report.say("floor-shared-edges", &crowded_edges(&triangles), |n| {
        format!(
            "{} of the floor with more than two triangles; those nearest in height are joined",
            count(n, "edge")
        )
    });
    let (found, all) = overlaps(&triangles, settings.height);
    report.say("floor-overlaps", &found, |n| {
        format!(
            "{}{} of floor triangles above one another by less than the agent's height; both are \
             kept",
            if all { "" } else { "at least " },
            count(n, "pair")
        )
    });
    (patch_of(&triangles), report.warnings)
}

/// Where the floor nearly meets itself: border edges that run along another in the opposite
/// direction, with a gap between them of at most 5 cm seen from above, within `climb` in height
/// (grid units). For a floor that was joined.
pub fn floor_gaps(level: &Level, floor: &PolygonMesh, settings: &FloorSettings) -> Vec<Warning> {
    let mut report = Report::new(level);
    let width = level.grid.length(0.05).max(1);
    let (found, all) = crate::gaps::gaps(floor, width, settings.climb);
    report.say("floor-gaps", &found, |n| {
        format!(
            "{}{} of the floor within 5 cm of another and not joined to it",
            if all { "" } else { "at least " },
            count(n, "border edge")
        )
    });
    report.warnings
}

struct Report<'a> {
    level: &'a Level,
    warnings: Vec<Warning>,
}

impl Report<'_> {
    fn new(level: &Level) -> Report<'_> {
        Report { level, warnings: vec![] }
    }

    fn say(&mut self, code: &'static str, found: &Found, message: impl Fn(usize) -> String) {
        let Some(first) = found.first else { return };
        self.warnings.push(Warning {
            code,
            message: message(found.count),
            place: self.level.grid.metres(first).into(),
        });
    }
}

fn patch_of(triangles: &[Corners]) -> Patch {
    let mut vertices: Vec<Point3> = triangles.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let index = |p: Point3| vertices.partition_point(|q| *q < p) as u32;
    let indices: Vec<[u32; 3]> = triangles.iter().map(|c| c.map(index)).collect();
    Patch::of_triangles(vertices, &indices, &vec![7; triangles.len()])
}

/// Edges between two corners that more than two triangles have.
fn crowded_edges(triangles: &[Corners]) -> Found {
    let edges = edges_by_ends(triangles.iter().copied());
    let mut found = Found::default();
    for run in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|run| run.len() > 2) {
        found.note(run[0].0);
    }
    found
}
