//! Paths of vehicles: requests, and arcs, lines and links.

use navbake_search::NavQuery;
use navbake_vehicle::{
    HeadingError, HeadingSegment, MOST_HALVINGS, Pose, Segment, TURN, TurningPiece, TurningQuery,
    TurningRequest, TurningStatus,
};

use crate::blob::NavbakeMesh;
use crate::path::NAVBAKE_NO_LINK;
use crate::pointers::{Output, given, given_mut, triple};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeInternalError, NavbakeOffMesh, NavbakeOk, NavbakeOutOfNodes,
    NavbakeStartBlocked, NavbakeUnreachable,
};
use crate::status::guard;
use crate::vehicle::{NavbakeVehicle, fits};

/// Distance between places whose height is looked up, tiles.
const STEP: f64 = 0.5;

/// Directions of a path: as many as the config has the vehicle drawn in.
pub const NAVBAKE_OWN_DIRECTIONS: u32 = u32::MAX;

/// A request for a path of a vehicle. Let navbake_vehicle_request fill it in, then change
/// individual fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeVehicleRequest {
    /// From here, y-up metres.
    pub from: [f64; 3],
    /// To here, y-up metres.
    pub to: [f64; 3],
    /// Heading at the start: radians, 0 along x, counter-clockwise seen from above.
    pub from_heading: f64,
    /// Heading at the goal; not a number for any.
    pub to_heading: f64,
    /// The factor of the estimate: paths cost up to that many times the least.
    pub weight: f64,
    /// The speed at the start, m/s: 0 for vehicles without speeds.
    pub speed: f64,
    /// Not 0: make the found path shorter where the ground has room for it.
    pub smooth: u32,
    /// 0 for arcs; 8 or 16 for lines along that number of directions; NAVBAKE_OWN_DIRECTIONS.
    pub directions: u32,
    /// Not 0: stop at the goal. A vehicle with speeds may else reach it at any speed.
    pub stop: u32,
}

/// A part of a path: an arc, a straight line, or a link.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePiece {
    /// Where it begins, y-up metres at the height of the ground.
    pub from: [f64; 3],
    /// The heading there, radians.
    pub heading: f64,
    /// Length, m; 0 for a link.
    pub length: f64,
    /// 1 for a turn to the left when driven forwards, -1 to the right, 0 for straight on.
    pub turn: i32,
    /// Not 0: driven backwards.
    pub back: u32,
    /// The link of the mesh that is taken, NAVBAKE_NO_LINK for none. The next piece begins where it
    /// ends, at the same heading.
    pub link: u32,
    /// The radius of an arc, m; without speeds it is always that of the vehicle.
    pub radius: f64,
    /// The speed at its beginning, m/s; 0 without speeds.
    pub first_speed: f64,
    /// The speed at its end, m/s; the acceleration between is constant.
    pub last_speed: f64,
}

/// A path of a vehicle. The pieces are in the vehicle, until it is used again or freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeVehiclePath {
    /// Arcs and lines, in order.
    pub pieces: *const NavbakePiece,
    /// How many pieces.
    pub piece_count: usize,
    /// Length of arcs and lines without links, m.
    pub length: f64,
    /// The cost that is minimised: length by the weights of the ground, reverse penalty, gear
    /// changes and links, m; of a vehicle with speeds time, and what those add, s.
    pub cost: f64,
    /// No path over the vehicle's lattice costs less.
    pub bound: f64,
    /// Heading at the end, radians.
    pub end_heading: f64,
    /// States taken off the open list.
    pub expanded: u64,
}

/// Fills in a request between two points with the usual values: any heading at the goal, the
/// cheapest path, smoothed, from rest to rest, in the vehicle's own directions.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// `from` and `to` are NULL or three doubles each; `request` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_request(
    from: *const f64,
    from_heading: f64,
    to: *const f64,
    request: *mut NavbakeVehicleRequest,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (from, to, out) = unsafe { (triple(from)?, triple(to)?, Output::new(request)?) };
        out.put(NavbakeVehicleRequest {
            from,
            to,
            from_heading,
            to_heading: f64::NAN,
            weight: 1.0,
            speed: 0.0,
            smooth: 1,
            directions: NAVBAKE_OWN_DIRECTIONS,
            stop: 1,
        });
        Ok(NavbakeOk)
    })
}

/// Finds a path. With a status of 0 or more `path` is filled in; where no path was found it has no
/// pieces. With directions, the pieces are lines, and length and cost those of the arcs.
///
/// Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (also where the vehicle does not fit at the goal, and
/// where there is no room for lines in the directions), NAVBAKE_OFF_MESH, NAVBAKE_OUT_OF_NODES,
/// NAVBAKE_START_BLOCKED, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a heading at the start that
/// is not finite, a speed that the vehicle does not have, directions other than those in the
/// request's description, 8 or 16 of them for a vehicle with speeds, or a mesh of other ground) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
/// NULL or comes from navbake_mesh; `request` is NULL or points at one; `path` is NULL or has room
/// for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_path(
    vehicle: *mut NavbakeVehicle,
    mesh: *const NavbakeMesh,
    request: *const NavbakeVehicleRequest,
    path: *mut NavbakeVehiclePath,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (own, mesh, asked, out) =
            unsafe { (given_mut(vehicle)?, given(mesh)?, given(request)?, Output::new(path)?) };
        fits(own.identity, mesh)?;
        let directions = match asked.directions {
            NAVBAKE_OWN_DIRECTIONS => own.vehicle.rules().directions.map_or(0, u32::from),
            0 | 8 | 16 => asked.directions,
            _ => return Err(NavbakeBadArgument),
        };
        if directions != 0 && own.vehicle.has_speeds() {
            return Err(NavbakeBadArgument);
        }
        let query = TurningQuery::new(&own.vehicle, &own.ground);
        let query = query.and_then(|query| query.with_filter(&own.filter));
        let mut query = query.ok_or(NavbakeInternalError)?;
        if let Some(roads) = &own.roads {
            query = query.on_roads(roads);
        }
        let heading = Some(asked.to_heading).filter(|heading| !heading.is_nan());
        let request = TurningRequest {
            weight: asked.weight,
            smooth: asked.smooth != 0,
            speed: asked.speed,
            stop: asked.stop != 0,
            ..TurningRequest::new(asked.from, asked.from_heading, asked.to, heading)
        };
        let mut scratch = own.search.scratch();
        let found = query.path(&request, &mut scratch);
        own.pieces.clear();
        let mut status = match found.status {
            TurningStatus::Reached => NavbakeOk,
            TurningStatus::Unreachable | TurningStatus::GoalBlocked => NavbakeUnreachable,
            TurningStatus::StartOutside | TurningStatus::GoalOutside => NavbakeOffMesh,
            TurningStatus::OutOfNodes => NavbakeOutOfNodes,
            TurningStatus::StartBlocked => return Err(NavbakeStartBlocked),
            TurningStatus::NoHeading | TurningStatus::NoSpeed => return Err(NavbakeBadArgument),
            TurningStatus::Looking => return Err(NavbakeInternalError),
        };
        let mut lines = vec![];
        if status == NavbakeOk && directions != 0 {
            let most = (found.pieces.len() << MOST_HALVINGS) * (directions as usize + 4);
            lines.resize(most, HeadingSegment::default());
            match query.quantise_headings(found.pieces, directions, &mut lines) {
                Ok(count) => lines.truncate(count),
                Err(HeadingError::NoRoom { .. }) => status = NavbakeUnreachable,
                Err(_) => return Err(NavbakeInternalError),
            }
        }
        if status == NavbakeOk {
            let mut lift =
                Lift { query: &query, mesh, flat: is_flat(own.identity), y: asked.from[1] };
            lift.pieces(found.pieces, (&lines, directions), &mut own.pieces);
        }
        out.put(NavbakeVehiclePath {
            pieces: own.pieces.as_ptr(),
            piece_count: own.pieces.len(),
            length: found.length,
            cost: found.cost,
            bound: found.bound,
            end_heading: found.end.heading,
            expanded: found.expanded,
        });
        Ok(status)
    })
}

/// Is the ground that of a grid map, which is flat?
fn is_flat((_, class): (usize, Option<u16>)) -> bool {
    class.is_none()
}

/// Lifts pieces to the height of the ground, each to that nearest to the place before.
struct Lift<'l> {
    query: &'l TurningQuery<'l>,
    mesh: &'l NavbakeMesh,
    flat: bool,
    y: f64,
}

impl Lift<'_> {
    /// Writes pieces, or the lines in their place.
    fn pieces(
        &mut self,
        pieces: &[TurningPiece],
        (lines, directions): (&[HeadingSegment], u32),
        out: &mut Vec<NavbakePiece>,
    ) {
        let mut lines = lines.iter().peekable();
        for (number, piece) in (0..).zip(pieces) {
            if directions == 0 || piece.link.is_some() {
                out.push(self.piece(piece));
                continue;
            }
            let start = self.y;
            while let Some(line) = lines.next_if(|line| line.piece == number) {
                let heading = f64::from(line.direction) * TURN / f64::from(directions);
                let [x, z] = line.from;
                let from = Pose { x, z, heading };
                let segment = Segment { turn: 0, back: line.back, length: line.length() };
                out.push(self.piece(&TurningPiece { from, segment, ..*piece }));
            }
            self.y = start;
            self.piece(piece);
        }
    }

    /// A piece; goes on to its end.
    fn piece(&mut self, piece: &TurningPiece) -> NavbakePiece {
        let (tile, vehicle) = (self.query.ground().tile(), self.query.vehicle());
        let radius = vehicle.radius_of(piece.class);
        let (segment, length) = (piece.segment, piece.segment.length);
        let from = self.point(piece.from.x, piece.from.z);
        let steps = (length / STEP).ceil() as u32;
        for k in 1..=steps {
            let along = length * f64::from(k) / f64::from(steps);
            let pose = segment.pose(piece.from, radius, along);
            self.point(pose.x, pose.z);
        }
        let mesh = self.mesh.view();
        if let Some(link) = piece.link.and_then(|number| mesh.link(number)) {
            let end = self.mesh.query().link_end(link.beyond, link.to);
            self.y = end.position()[1];
        }
        NavbakePiece {
            from,
            heading: piece.from.heading,
            length: length * tile,
            turn: segment.turn.into(),
            back: u32::from(segment.back),
            link: piece.link.unwrap_or(NAVBAKE_NO_LINK),
            radius: radius * tile,
            first_speed: piece.speeds[0],
            last_speed: piece.speeds[1],
        }
    }

    fn point(&mut self, x: f64, z: f64) -> [f64; 3] {
        let [x, y, z] = self.query.ground().point([x, z]);
        if self.flat {
            return [x, y, z];
        }
        let any = NavQuery::new(self.mesh.view());
        if let Some(at) = any.locate([x, self.y, z], f64::INFINITY) {
            self.y = at.position()[1];
        }
        [x, self.y, z]
    }
}
