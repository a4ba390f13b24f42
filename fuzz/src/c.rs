//! Programs of calls of the C interface: objects live, every buffer is as long as it is said to be
//! and in a piece of memory of its own, so that the address sanitizer sees what is written past it.
#![allow(unsafe_code)] // calls of functions for C

use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use navbake_c::around::*;
use navbake_c::blob::*;
use navbake_c::cells::*;
use navbake_c::closed::*;
use navbake_c::costs::*;
use navbake_c::distances::*;
use navbake_c::file::*;
use navbake_c::motion::*;
use navbake_c::obstacles::*;
use navbake_c::path::*;
use navbake_c::place::*;
use navbake_c::request::*;
use navbake_c::search::*;
use navbake_c::status::NavbakeStatus;

use crate::input::Input;
use crate::seeds;

mod units;
mod worlds;

/// Nodes of a search, and calls of a program.
const NODES: usize = 2000;
const MOST_CALLS: usize = 40;

/// A structure for a function to fill in: numbers and pointers, which may all be zero.
fn blank<T>() -> Box<T> {
    // SAFETY: this is called for structures of numbers and pointers alone.
    Box::new(unsafe { std::mem::zeroed() })
}

fn check(status: NavbakeStatus) -> bool {
    assert!(status != NavbakeStatus::NavbakeInternalError, "an internal error");
    status == NavbakeStatus::NavbakeOk
}

/// The objects of a program, each made and freed once.
struct Objects {
    blob: *mut NavbakeBlob,
    /// Is the blob the index of a world?
    is_world: bool,
    /// Was the mesh restored from a save that was changed?
    is_forged: bool,
    /// The bytes of a blob that this program opened; none where all programs share it.
    bytes: Option<Vec<u8>>,
    mesh: *mut NavbakeMesh,
    search: *mut NavbakeSearch,
    random: *mut NavbakeRandom,
    places: Vec<NavbakeLocation>,
    obstacles: Vec<u64>,
}

/// The blobs of the seeds, opened once in a process: no call changes a blob.
fn opened_once() -> &'static [AtomicPtr<NavbakeBlob>] {
    static OPENED: OnceLock<Vec<AtomicPtr<NavbakeBlob>>> = OnceLock::new();
    OPENED.get_or_init(|| {
        let open = |(_, bytes): &(String, Vec<u8>)| {
            let mut blob = null_mut();
            // SAFETY: the bytes of the seeds are never freed.
            let status =
                unsafe { navbake_open(bytes.as_ptr(), bytes.len(), null_mut(), 0, &mut blob) };
            assert!(check(status), "a sound blob is refused");
            AtomicPtr::new(blob)
        };
        seeds::blobs().iter().map(open).collect()
    })
}

impl Objects {
    fn new(input: &mut Input<'_>) -> Option<Objects> {
        let (seeds, which) = (seeds::blobs(), usize::from(input.byte()));
        let (is_world, number) = (which >= 192, which % seeds.len());
        // Opening a large blob takes longer than most programs.
        let bytes = input.chance(16).then(|| match is_world {
            true => seeds::world_in_chunks()[0].clone(),
            false => seeds[number].1.clone(),
        });
        let mut new = Objects {
            blob: null_mut(),
            is_world,
            is_forged: false,
            bytes,
            mesh: null_mut(),
            search: null_mut(),
            random: null_mut(),
            places: vec![],
            obstacles: vec![],
        };
        let which = usize::from(input.byte());
        // SAFETY: the bytes outlive the objects, all pointers are to fields.
        let made = unsafe {
            let mut message = vec![0; input.below(9)];
            let (text, room) = (message.as_mut_ptr(), message.len());
            let is_open = match &new.bytes {
                Some(own) => {
                    check(navbake_open(own.as_ptr(), own.len(), text, room, &mut new.blob))
                }
                None => {
                    new.blob = match is_world {
                        true => worlds::index(),
                        false => opened_once()[number].load(Ordering::Relaxed),
                    };
                    true
                }
            };
            // Now and then an agent that there is not.
            let count = navbake_agent_count(new.blob).max(1);
            let agent = if which < 250 { which % count } else { which };
            is_open
                && check(navbake_mesh(new.blob, agent, &mut new.mesh))
                && check(navbake_search_new(new.mesh, NODES, &mut new.search))
                && check(navbake_random_new(new.mesh, 1, &mut new.random))
        };
        made.then_some(new)
    }

    fn place(&self, input: &mut Input<'_>) -> NavbakeLocation {
        let mut place = match self.places.len() {
            0 => *blank(),
            count => self.places[input.below(count)],
        };
        // A place that no call gave.
        if input.chance(16) {
            place.polygon = u32::from(input.word());
        }
        place
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // SAFETY: each was made once or is null, and is not used any more. A shared blob stays.
        unsafe {
            navbake_random_free(self.random);
            navbake_search_free(self.search);
            navbake_mesh_free(self.mesh);
            if self.bytes.is_some() {
                navbake_close(self.blob);
            }
        }
    }
}

fn number(input: &mut Input<'_>) -> f64 {
    match input.byte() {
        0..200 => f64::from(input.word()) / 512.0 - 8.0,
        200..220 => 0.0,
        220..240 => f64::from(input.word() as i16),
        240..244 => f64::NAN,
        244..248 => f64::INFINITY,
        248..252 => -1e300,
        _ => 1e18,
    }
}

fn point(input: &mut Input<'_>) -> Box<[f64; 3]> {
    Box::new([(); 3].map(|()| number(input)))
}

fn rows<const N: usize>(input: &mut Input<'_>, most: usize) -> Vec<[f64; N]> {
    (0..input.below(most)).map(|_| [(); N].map(|()| number(input))).collect()
}

/// A name of the blob, or any.
fn name(own: &Objects, input: &mut Input<'_>) -> CString {
    let (mut area, mut network) = (blank::<NavbakeArea>(), blank::<NavbakeNetwork>());
    let index = input.below(6);
    // SAFETY: the objects live, and a name that was given is in the blob's bytes.
    let bytes = unsafe {
        let (text, length) = match input.byte() % 3 {
            0 if check(navbake_area(own.blob, index, &mut *area)) => (area.name, area.name_length),
            1 if check(navbake_network(own.mesh, index, &mut *network)) => {
                (network.name, network.name_length)
            }
            _ => (null(), 0),
        };
        match text.is_null() {
            true => b"unit".to_vec(),
            false => std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec(),
        }
    };
    CString::new(bytes).unwrap_or_default()
}

fn request(own: &Objects, input: &mut Input<'_>) -> Box<NavbakePathRequest> {
    let mut request = blank::<NavbakePathRequest>();
    let ends = [(); 2].map(|()| match input.chance(200) {
        true => Box::new(own.place(input).position),
        false => point(input),
    });
    // SAFETY: points are of three numbers.
    unsafe { check(navbake_path_request(ends[0].as_ptr(), ends[1].as_ptr(), &mut *request)) };
    request.planner = u32::from(input.byte() % 12);
    if input.chance(128) {
        let how = input.word();
        (request.partial, request.points_only) = (u32::from(how & 1), u32::from(how >> 1 & 1));
        (request.order, request.heuristic) = (u32::from(how >> 2 & 3), u32::from(how >> 4 & 7));
        (request.ahead, request.reverse) = (u32::from(how >> 7 & 3), u32::from(how >> 9 & 1));
        (request.landmarks, request.max_open) = (u32::from(how >> 10 & 1), u32::from(how >> 13));
        request.corner_cutting = u32::from(how >> 11 & 1);
        (request.weight, request.gap) = (number(input), number(input));
        (request.turn_penalty, request.diagonal_cost) = (number(input), number(input));
        (request.ahead_cost, request.unit) = (number(input), u32::from(input.byte()));
    }
    request
}

/// Reads all of a path: what it points at is there until its search is used again.
fn read(path: &NavbakePath) {
    let mut sum = 0.0;
    // SAFETY: the function that gave the path says how many there are of each.
    unsafe {
        for k in 0..path.point_count {
            sum += (*path.points.add(k)).iter().sum::<f64>();
        }
        for k in 0..path.polygon_count {
            sum += f64::from(*path.polygons.add(k));
        }
        for k in 0..path.leg_count {
            let leg = &*path.legs.add(k);
            assert!(leg.first_point as usize + leg.point_count as usize <= path.point_count);
        }
    }
    assert!(sum.is_finite());
}

/// A program: a blob, then calls.
pub fn c(data: &[u8]) {
    let mut input = Input(data);
    let Some(mut own) = Objects::new(&mut input) else {
        return;
    };
    if input.is_empty() {
        return;
    }
    crate::worked();
    for _ in 0..MOST_CALLS {
        if input.is_empty() {
            break;
        }
        let kind = input.byte();
        if kind >= if own.is_world { 128 } else { 240 } {
            worlds::worlds(&mut own, &mut input);
            continue;
        }
        match kind % 8 {
            0 | 1 => places(&mut own, &mut input),
            2 => around(&own, &mut input),
            3 => records(&own, &mut input),
            4 => paths(&own, &mut input),
            5 => changes(&mut own, &mut input),
            6 => units::queues(&own, &mut input),
            _ => units::vehicles(&own, &mut input),
        }
    }
}

fn places(own: &mut Objects, input: &mut Input<'_>) {
    let mut place = blank::<NavbakeLocation>();
    let (at, from) = (point(input), own.place(input));
    let found = match input.byte() % 5 {
        // SAFETY: the objects live, points are of three numbers.
        0 => unsafe { navbake_locate(own.mesh, at.as_ptr(), number(input), &mut *place) },
        // SAFETY: the same.
        1 => unsafe { navbake_nearest(own.mesh, at.as_ptr(), point(input).as_ptr(), &mut *place) },
        // SAFETY: the same.
        2 => unsafe {
            navbake_on_polygon(own.mesh, u32::from(input.byte()), at.as_ptr(), &mut *place)
        },
        // SAFETY: the same.
        3 => unsafe {
            navbake_random_within(
                own.mesh,
                own.search,
                own.random,
                &from,
                number(input),
                &mut *place,
            )
        },
        // SAFETY: the same.
        _ => unsafe { navbake_random_place(own.mesh, own.random, &mut *place) },
    };
    if check(found) {
        own.places.push(*place);
    }
}

fn around(own: &Objects, input: &mut Input<'_>) {
    let (from, to) = (own.place(input), own.place(input));
    let (target, most) = (point(input), number(input));
    let (mut ray, mut wall) = (blank::<NavbakeRay>(), blank::<NavbakeWall>());
    let mut motion = blank::<NavbakeMotion>();
    let mut entered = vec![0u32; input.below(4)];
    let mut hit = vec![0u32; input.below(4)];
    let mut reached: Vec<NavbakeReached> = (0..input.below(5)).map(|_| *blank()).collect();
    let outline: Vec<[f64; 2]> = rows(input, 6);
    let mut count = Box::new(0);
    let (walk, goal) = (u32::from(input.byte() & 1), target.as_ptr());
    // SAFETY: the objects live, and buffers have the lengths that are given.
    unsafe {
        check(navbake_reachable(own.mesh, &from, &to));
        check(navbake_raycast(own.mesh, &from, goal, &mut *ray));
        check(navbake_wall_distance(own.mesh, own.search, &from, most, &mut *wall));
        let (e, h) = (entered.as_mut_ptr(), hit.as_mut_ptr());
        let (es, hs) = (entered.len(), hit.len());
        check(navbake_move(own.mesh, &from, goal, most, e, es, h, hs, &mut *motion));
        check(navbake_around(
            own.mesh,
            own.search,
            &from,
            most,
            walk,
            outline.as_ptr(),
            outline.len(),
            reached.as_mut_ptr(),
            reached.len(),
            &mut *count,
        ));
        let (ends, mut gap) = ([from, to], Box::new(0.0));
        let mut lengths = vec![0.0; 2 * ends.len()];
        let (starts, goals, all) = (ends.as_ptr(), ends.as_ptr(), lengths.as_mut_ptr());
        check(navbake_distances(own.mesh, own.search, starts, 2, goals, 2, all, &mut *gap));
    }
}

fn records(own: &Objects, input: &mut Input<'_>) {
    let (index, number) = (input.below(12), u32::from(input.byte()));
    let mut polygon = blank::<NavbakePolygon>();
    let room = input.below(6);
    let (mut corners, mut beyond) = (vec![[0.0; 3]; room], vec![0u32; room]);
    let (corner, other) = (corners.as_mut_ptr(), beyond.as_mut_ptr());
    // SAFETY: the objects live, and buffers have the lengths that are given.
    unsafe {
        check(navbake_agent(own.blob, index, &mut *blank()));
        check(navbake_switch(own.blob, index, &mut *blank()));
        check(navbake_area(own.blob, index, &mut *blank()));
        check(navbake_marker(own.blob, index, &mut *blank()));
        check(navbake_counts(own.mesh, &mut *blank()));
        check(navbake_network(own.mesh, index, &mut *blank()));
        check(navbake_link(own.mesh, number, &mut *blank()));
        check(navbake_room(own.mesh, number, &mut *blank()));
        check(navbake_room_door(own.mesh, number, &mut *blank()));
        check(navbake_polygon(own.mesh, number, corner, other, room, &mut *polygon));
    }
}

fn paths(own: &Objects, input: &mut Input<'_>) {
    let request = request(own, input);
    let goals: Vec<[f64; 3]> = rows(input, 4);
    let mut path = blank::<NavbakePath>();
    // SAFETY: the objects live, and a path is read before its search is used again.
    unsafe {
        if check(navbake_path(own.mesh, own.search, &*request, &mut *path)) {
            read(&path);
        }
        let (first, count) = (goals.as_ptr(), goals.len());
        if check(navbake_path_to_any(own.mesh, own.search, &*request, first, count, &mut *path)) {
            read(&path);
        }
        check(navbake_path_start(own.mesh, own.search, &*request));
        for _ in 0..input.below(6) {
            check(navbake_path_step(own.mesh, own.search, u32::from(input.byte())));
        }
        if check(navbake_path_result(own.mesh, own.search, &mut *path)) {
            read(&path);
        }
    }
}

fn changes(own: &mut Objects, input: &mut Input<'_>) {
    let (how, size) = (input.byte(), number(input));
    let name = name(own, input);
    let corners: Vec<[f64; 2]> = rows(input, 6);
    let obstacle = NavbakeObstacle {
        corners: corners.as_ptr(),
        corner_count: corners.len(),
        radius: if corners.len() == 1 { size } else { 0.0 },
        heights: [-1.0, 9.0],
    };
    let closed = [u64::from(input.byte())];
    let old = own.obstacles.first().copied().unwrap_or_default();
    let mut id = Box::new(0);
    let unit = u32::from(how >> 4);
    // SAFETY: the objects live, rows have the lengths that are given.
    unsafe {
        match how % 12 {
            0 => check(navbake_set_closed(own.mesh, closed.as_ptr(), input.below(2))),
            1 => check(navbake_set_cost(own.mesh, name.as_ptr(), size)),
            2 => check(navbake_set_slopes(own.mesh, size, number(input))),
            3 => check(navbake_set_weights(own.mesh, name.as_ptr())),
            4 => check(navbake_set_agents(own.mesh, unit)),
            5 => check(navbake_use_cells(own.mesh, unit % 4, size)),
            6 => check(navbake_use_network(own.mesh, name.as_ptr())),
            7 => check(navbake_use_landmarks(own.mesh, 6 + unit % 4, unit)),
            8 => check(navbake_stand(own.mesh, point(input).as_ptr(), unit, unit & 1)),
            9 => check(navbake_obstacle_move(own.mesh, old, &obstacle)),
            10 => check(navbake_obstacle_remove(own.mesh, old)),
            _ if unit >= 12 => {
                check(navbake_volume_add(own.mesh, &obstacle, name.as_ptr(), &mut *id))
            }
            _ => check(navbake_obstacle_add(own.mesh, &obstacle, &mut *id)),
        };
        if *id != 0 {
            own.obstacles.insert(0, *id);
        }
        check(navbake_commit(own.mesh, input.below(9), &mut *blank()));
        // Until the next change.
        let aside = input.below(3).min(own.obstacles.len());
        check(navbake_set_aside(own.mesh, own.obstacles.as_ptr(), aside));
    }
}
