//! The path of a vehicle as points on the ground.

use navbake_search::NavQuery;
use navbake_vehicle::{
    Ground, HeadingError, HeadingSegment, MOST_HALVINGS, Pose, Segment, TURN, TurningAnswer,
    TurningPiece, TurningQuery, TurningStatus, Vehicle,
};

use super::found::Leg;

/// Distance between the points of a path, tiles.
const POINTS: f64 = 0.5;

/// Points along a path, y-up metres.
pub(super) struct Trail {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) legs: Vec<Leg>,
    /// Where each piece begins.
    pub(super) starts: Vec<[f64; 3]>,
    /// Along the points, without links.
    pub(super) length: f64,
}

impl Trail {
    /// Of a path from that height. With a surface, points have its height, each the one nearest to
    /// that of the point before.
    pub(super) fn of(
        found: &TurningAnswer<'_>,
        vehicle: &Vehicle<'_>,
        ground: &Ground<'_>,
        (mesh, surface): (NavQuery<'_>, Option<&NavQuery<'_>>),
        height: f64,
    ) -> Trail {
        let mut trail = Trail { points: vec![], legs: vec![], starts: vec![], length: 0.0 };
        if found.status != TurningStatus::Reached {
            return trail;
        }
        let mut lift = Lift { ground, surface, y: height };
        let mut from = 0;
        while from <= found.pieces.len() {
            let rest = &found.pieces[from..];
            let many = rest.iter().position(|p| p.link.is_some()).unwrap_or(rest.len());
            let (run, link) = (&rest[..many], rest.get(many));
            let end = link.map_or(found.end, |link| link.from);
            trail.walk(&TurningAnswer { pieces: run, end, ..*found }, vehicle, &mut lift);
            from += many + 1;
            let Some(link) = link.and_then(|piece| piece.link) else {
                break;
            };
            if let Some(link) = mesh.mesh().link(link) {
                lift.y = mesh.link_end(link.beyond, link.to).position()[1];
            }
            trail.starts.extend(trail.points.last());
            let at = found.pieces.get(from).map_or(found.end, |piece| piece.from);
            let last = trail.points.len().saturating_sub(1);
            trail.points.push(lift.point(at));
            trail.legs.push(Leg { from: last, to: last + 1, ..Leg::link(mesh.mesh(), link) });
        }
        if trail.legs.is_empty() {
            trail.legs.push(Leg::default());
        }
        trail
    }

    /// The pieces as lines in 8 or 16 directions, with links as they are, and where each begins.
    ///
    /// # Errors
    /// Where there is no room for lines.
    pub(super) fn in_directions(
        &self,
        found: &TurningAnswer<'_>,
        query: &TurningQuery<'_>,
        directions: u32,
        surface: Option<&NavQuery<'_>>,
    ) -> Result<Vec<(TurningPiece, [f64; 3])>, HeadingError> {
        // A piece has no more parts than its halvings give, with a few lines each.
        let most = (found.pieces.len() << MOST_HALVINGS) * (directions as usize + 4);
        let mut lines = vec![HeadingSegment::default(); most];
        let count = query.quantise_headings(found.pieces, directions, &mut lines)?;
        let (ground, vehicle) = (query.ground(), query.vehicle());
        let mut lift = Lift { ground, surface, y: 0.0 };
        let mut lines = lines[..count].iter().peekable();
        let mut all = vec![];
        for (number, (piece, &start)) in (0..).zip(found.pieces.iter().zip(&self.starts)) {
            if piece.link.is_some() {
                all.push((*piece, start));
            }
            lift.y = start[1];
            while let Some(line) = lines.next_if(|line| line.piece == number) {
                let heading = f64::from(line.direction) * TURN / f64::from(directions);
                let [x, z] = line.from;
                let segment = Segment { turn: 0, back: line.back, length: line.length() };
                let from = Pose { x, z, heading };
                let line = TurningPiece { from, segment, ..*piece };
                all.push((line, lift.piece(&line, vehicle)));
            }
        }
        Ok(all)
    }

    /// Adds a part without links, from the last point on.
    fn walk(&mut self, run: &TurningAnswer<'_>, vehicle: &Vehicle<'_>, lift: &mut Lift<'_>) {
        let height = lift.y;
        for piece in run.pieces {
            self.starts.push(lift.piece(piece, vehicle));
        }
        lift.y = height;
        let total: f64 = run.pieces.iter().map(|p| p.segment.length).sum();
        let steps = (total / POINTS).ceil() as u32;
        let first = self.points.len().saturating_sub(1);
        // The first point is the end of the link before.
        let points = u32::from(!self.points.is_empty())..=steps;
        let along = points.map(|i| total * f64::from(i) / f64::from(steps.max(1)));
        self.points.extend(along.map(|along| lift.point(run.pose(vehicle, along))));
        let last = self.points.len() - 1;
        if last > first {
            self.legs.push(Leg { from: first, to: last, ..Leg::default() });
        }
        let long = self.points[first..].windows(2).map(|w| {
            let d = [0, 1, 2].map(|k| w[1][k] - w[0][k]);
            (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
        });
        self.length += long.sum::<f64>();
    }
}

/// Lifts the poses of a path onto the navmesh, each to the height nearest to the last.
struct Lift<'w> {
    ground: &'w Ground<'w>,
    surface: Option<&'w NavQuery<'w>>,
    y: f64,
}

impl Lift<'_> {
    fn point(&mut self, pose: Pose) -> [f64; 3] {
        let [x, y, z] = self.ground.point([pose.x, pose.z]);
        let Some(surface) = self.surface else {
            return [x, y, z];
        };
        if let Some(at) = surface.locate([x, self.y, z], f64::INFINITY) {
            self.y = at.position()[1];
        }
        [x, self.y, z]
    }

    /// The start of a piece; continues to its end, in steps short enough to stay on the storey.
    fn piece(&mut self, piece: &TurningPiece, vehicle: &Vehicle<'_>) -> [f64; 3] {
        let radius = vehicle.radius_of(piece.class);
        let first = self.point(piece.from);
        let length = piece.segment.length;
        let steps = (length / POINTS).ceil() as u32;
        for i in 1..=steps {
            let along = length * f64::from(i) / f64::from(steps);
            self.point(piece.segment.pose(piece.from, radius, along));
        }
        first
    }
}
