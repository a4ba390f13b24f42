//! `navbake query path --planner turning`: a path of arcs and lines for a vehicle.

use std::fmt::Write;
use std::time::Instant;

use navbake_draw::Axes;
use navbake_format::{CheckedBlob, VehicleView};
use navbake_search::NavQuery;
use navbake_search::path::Order;
use navbake_vehicle::{
    Ground, GroundFilter, HeadingError, TurningBuffer, TurningPiece, TurningQuery, TurningRequest,
    TurningScratchSize, TurningStatus, VehicleBuffer,
};
use serde::Serialize;

use super::found::Found;
use super::path_question::PathQuestion;
use super::trail::Trail;
use crate::blob_file::{self, AgentMesh, BlobFile};
use crate::failure::{Exit, Failure};
use crate::left_out::{self, left_out};
use crate::output::{Output, write_whole};
use crate::place::{Aim, Place, show};

/// The most states of a search: 200 MB.
const MOST_NODES: usize = 4_000_000;

/// The JSON object. On a grid map, which is flat, both lengths are equal.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    vehicle: String,
    /// The meaning of the status.
    says: &'static str,
    /// Arcs and lines.
    pieces: Vec<Piece>,
    /// Heading at the end, degrees.
    end_heading: Option<f64>,
    /// Moves tested for collisions.
    tested: u64,
    /// Index of the goal.
    goal: usize,
    /// Seconds without links, of a vehicle with speeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

/// An arc or a line.
#[derive(Clone, Debug, Serialize)]
struct Piece {
    /// `left`, `right`, `straight` or `link`.
    turn: &'static str,
    gear: &'static str,
    from: [f64; 3],
    /// Degrees.
    heading: f64,
    length: f64,
    #[serde(flatten)]
    drive: Option<Drive>,
}

/// How a vehicle with speeds drives a piece.
#[derive(Clone, Copy, Debug, Serialize)]
struct Drive {
    /// 0 for the slowest.
    class: u8,
    /// At both ends.
    speeds: [f64; 2],
    /// Seconds.
    time: f64,
}

/// Runs it.
pub(super) fn run(question: &PathQuestion, output: Output) -> Result<Exit, Failure> {
    let (common, ends) = (&question.common, &question.ends);
    if question.search.order == Order::Greedy {
        return Err(Failure::usage("--order greedy does not apply to the planner turning"));
    }
    let file = BlobFile::whole(&common.blob)?;
    let (blob, name) = (file.checked()?, &file.name);
    let view = vehicle_of(&blob, common.agent.as_deref(), name)?;
    let unfit = || {
        Failure::input(format_args!(
            "{name}: the tables of vehicle `{}` do not match its tiles; bake it again",
            view.name()
        ))
    };
    let tiles = blob.tile_ground(view.name());
    let map = blob.grid_map();
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view).ok_or_else(unfit)?;
    let (mut bits, mut twins) = (vec![], vec![]);
    let (ground, free) = match (tiles, map) {
        (Some(tiles), _) => {
            let [words, many] = Ground::layer_words(&tiles);
            bits.resize(words, 0);
            twins.resize(many, 0);
            let ground = Ground::of_layers(tiles, &mut bits, &mut twins);
            (ground, tiles.free_count() as usize)
        }
        (None, Some(map)) => {
            bits.resize(Ground::words(&map), 0);
            (Ground::new(&map, &mut bits), map.free_count() as usize)
        }
        (None, None) => return Err(unfit()),
    };
    let mut ground = ground.ok_or_else(unfit)?;
    let agent = AgentMesh::of_vehicle(&blob, view.name(), tiles.map(|t| t.class()), name)?;
    let mesh = agent.mesh();
    let filter = common.closed.filter(&blob, &agent, common.task.as_deref(), name)?;
    let closed = GroundFilter::new(&vehicle, &mut ground, &mesh, &filter);
    let missed = left_out(&mesh, &filter, closed.has_lost_links());
    // A grid map is flat.
    let surface = tiles.map(|_| NavQuery::new(mesh));
    let above = NavQuery::new(mesh);
    let mut road_bits = vec![];
    let options = &question.vehicle;
    let directions = options.directions(&vehicle);
    if directions.is_some() && vehicle.has_speeds() {
        return Err(Failure::usage(format_args!(
            "--directions does not apply to vehicle `{}`, which has speeds; leave it out",
            view.name()
        )));
    }
    let roads = options.roads((&blob, &mesh, name), &vehicle, &mut ground, &mut road_bits)?;
    let query = TurningQuery::new(&vehicle, &ground).and_then(|query| query.with_filter(&closed));
    let query = query.ok_or_else(unfit)?;
    let query = roads.as_ref().map_or(query, |roads| query.on_roads(roads));
    let states = (2 * vehicle.headings() * vehicle.speed_levels()) as usize;
    let nodes = free.saturating_mul(states);
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, nodes.min(MOST_NODES));
    // Asked for as a whole first: the parts would end the process where there is no memory.
    if Vec::<u8>::new().try_reserve_exact(size.bytes()).is_err() {
        return Err(Failure::new(
            Exit::Budget as u8,
            format_args!(
                "{name}: a search for vehicle `{}` needs {} MiB of memory, more than there is; bake it with fewer headings or larger tiles",
                view.name(),
                size.bytes() >> 20
            ),
        ));
    }
    let mut buffer = TurningBuffer::new(size);
    let axes = blob_file::axes(&blob, common.coords);
    let (from, to) = ends.places(&blob, axes, name)?;
    let heading = from.heading.unwrap_or(0.0);
    let mut best: Option<Answer> = None;
    for (k, to) in to.iter().enumerate() {
        let request = TurningRequest {
            weight: question.search.weight,
            smooth: !options.unsmoothed,
            dijkstra: question.search.order == Order::Dijkstra,
            ..TurningRequest::new(
                axes.inward(from.place.0),
                heading.to_radians(),
                axes.inward(to.place.0),
                to.heading.map(f64::to_radians),
            )
        };
        let above = (above, surface.as_ref());
        let answer = ask(&query, above, (&request, directions), &axes, k, &mut buffer);
        let answer = answer.map_err(|error| no_lines(error, name, view.name()))?;
        let rank = |a: &Answer| (a.found.cost.is_none(), a.found.cost.unwrap_or(0.0));
        if best.as_ref().is_none_or(|best| rank(&answer) < rank(best)) {
            if let Some(file) = &question.trace {
                let mut scratch = buffer.scratch();
                let found = query.path(&request, &mut scratch);
                let tiles = [request.from, request.to].map(|p| place(&ground, p));
                let title = format!("{}: {}", view.name(), aims(&from, to));
                let picture =
                    navbake_draw::vehicle::write(&title, &vehicle, &ground, &found, &tiles);
                write_whole(file, picture.as_bytes())?;
            }
            best = Some(answer);
        }
    }
    let Some(mut answer) = best else {
        return Err(Failure::usage("--to: a path needs a goal"));
    };
    answer.found = answer.found.leaving_out(missed);
    output.result(&answer, text)?;
    Ok(ends.exit(answer.found.status))
}

fn aims(from: &Aim<Place>, to: &Aim<Place>) -> String {
    let [a, b] = [from, to].map(|aim| match aim.heading {
        Some(heading) => format!("{}@{heading}", show(aim.place.0)),
        None => show(aim.place.0),
    });
    format!("{a} to {b}")
}

/// A point as column and row, integers at the centres of tiles.
fn place(ground: &Ground<'_>, point: [f64; 3]) -> [f64; 2] {
    let zero = ground.point([0.0; 2]);
    [0, 2].map(|k| (point[k] - zero[k]) / ground.tile())
}

/// A vehicle by name, by default the first.
fn vehicle_of<'a>(
    blob: &CheckedBlob<'a>,
    wanted: Option<&str>,
    name: &str,
) -> Result<VehicleView<'a>, Failure> {
    let found = match wanted {
        None => blob.vehicles().next(),
        Some(wanted) => blob.vehicle(wanted),
    };
    found.ok_or_else(|| {
        let known: Vec<&str> = blob.vehicles().map(|v| v.name()).collect();
        match (known.as_slice(), wanted) {
            ([], _) => Failure::usage(format_args!(
                "{name}: no vehicles in it; add a `[[vehicle]]` to the config and bake it again"
            )),
            (known, wanted) => Failure::usage(format_args!(
                "{name}: no vehicle `{}`; its vehicles: {}",
                wanted.unwrap_or(""),
                known.join(", ")
            )),
        }
    })
}

/// The message where there are no lines in the directions of the option.
fn no_lines(error: HeadingError, file: &str, vehicle: &str) -> Failure {
    match error {
        HeadingError::NoRoom { piece } => Failure::new(
            Exit::Findings as u8,
            format_args!(
                "{file}: vehicle `{vehicle}`: no room for lines beside piece {piece} of the path; leave out --directions, or choose 16"
            ),
        ),
        HeadingError::Directions | HeadingError::Memory => Failure::internal("too many lines"),
    }
}

fn ask(
    query: &TurningQuery<'_>,
    (mesh, surface): (NavQuery<'_>, Option<&NavQuery<'_>>),
    (request, directions): (&TurningRequest, Option<u32>),
    axes: &Axes,
    goal: usize,
    buffer: &mut TurningBuffer,
) -> Result<Answer, HeadingError> {
    let mut scratch = buffer.scratch();
    let start = Instant::now();
    let found = query.path(request, &mut scratch);
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let (vehicle, ground) = (query.vehicle(), query.ground());
    let reached = found.status == TurningStatus::Reached;
    let length = |metres: f64| reached.then_some(metres / axes.scale);
    // Of vehicles with speeds it is in seconds.
    let cost =
        |cost: f64| if vehicle.has_speeds() { reached.then_some(cost) } else { length(cost) };
    let trail = Trail::of(&found, vehicle, ground, (mesh, surface), request.from[1]);
    let length_3d = if surface.is_some() { found.length.max(trail.length) } else { found.length };
    let degrees = |angle: f64| angle.to_degrees().rem_euclid(360.0);
    let driven = match directions {
        Some(directions) if reached => trail.in_directions(&found, query, directions, surface)?,
        _ => found.pieces.iter().copied().zip(trail.starts.iter().copied()).collect(),
    };
    let drive = |p: &TurningPiece| Drive {
        class: p.class,
        speeds: p.speeds.map(|speed| speed / axes.scale),
        time: p.time(ground.tile()),
    };
    let has_speeds = vehicle.has_speeds();
    let piece = |(p, from): (TurningPiece, [f64; 3])| Piece {
        drive: has_speeds.then(|| drive(&p)),
        turn: match p.segment.turn {
            _ if p.link.is_some() => "link",
            1 => "left",
            -1 => "right",
            _ => "straight",
        },
        gear: if p.segment.back { "reverse" } else { "forward" },
        from: axes.outward(from),
        heading: degrees(p.from.heading),
        length: p.segment.length * ground.tile() / axes.scale,
    };
    let pieces: Vec<Piece> = driven.into_iter().map(piece).collect();
    Ok(Answer {
        found: Found {
            status: found.status.name(),
            length_xz: length(found.length),
            length_3d: length(length_3d),
            cost: cost(found.cost),
            bound: cost(found.bound),
            gap: (reached && found.bound > 0.0).then(|| (found.cost / found.bound - 1.0).max(0.0)),
            legs: trail.legs,
            points: trail.points.into_iter().map(|p| axes.outward(p)).collect(),
            polygons: vec![],
            expanded: u32::try_from(found.expanded).unwrap_or(u32::MAX),
            closed: u32::try_from(found.expanded).unwrap_or(u32::MAX),
            max_open: u32::try_from(found.max_open).unwrap_or(u32::MAX),
            micros,
            planner: "turning",
            // The cheapest on its lattice; paths off the lattice can be cheaper.
            certified_optimal: false,
            left_out: vec![],
        },
        vehicle: vehicle.name().into(),
        says: found.status.text(),
        pieces,
        end_heading: reached.then(|| degrees(found.end.heading)),
        tested: found.tested,
        goal,
        time: (reached && has_speeds).then_some(found.time),
    })
}

fn text(answer: &Answer) -> String {
    let mut out = format!("{}: {}", answer.found.status, answer.says);
    if let (Some(length), Some(cost)) = (answer.found.length_xz, answer.found.cost) {
        let _ = write!(
            out,
            ": {length:.3} long, cost {cost:.3}, {} pieces, heading {:.1} degrees at the end",
            answer.pieces.len(),
            answer.end_heading.unwrap_or(0.0)
        );
        if let Some(time) = answer.time {
            let _ = write!(out, ", {time:.3} s");
        }
        out.push_str(&left_out::text(&answer.found.left_out));
    }
    if answer.goal > 0 {
        let _ = write!(out, "; goal {}", answer.goal);
    }
    out.push('\n');
    for piece in &answer.pieces {
        let _ = write!(
            out,
            "  {}@{:.3} {} {} {:.3}",
            show(piece.from),
            piece.heading,
            piece.gear,
            piece.turn,
            piece.length
        );
        if let Some(Drive { class, speeds: [first, last], time }) = piece.drive {
            let _ = write!(out, ", class {class}, {first:.3} to {last:.3} m/s, {time:.3} s");
        }
        out.push('\n');
    }
    out
}
