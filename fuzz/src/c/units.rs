//! Calls about many units and vehicles.
#![allow(unsafe_code)] // calls of functions for C

use std::ffi::c_void;
use std::ptr::null_mut;

use navbake_c::path::NavbakePath;
use navbake_c::queue::*;
use navbake_c::status::NavbakeStatus;
use navbake_c::vehicle::*;
use navbake_c::vehicle_path::*;

use super::{NODES, Objects, blank, check, name, number, point, read, request};
use crate::input::Input;

extern "C" fn answer(
    context: *mut c_void,
    _: u64,
    status: NavbakeStatus,
    path: *const NavbakePath,
) {
    check(status);
    // SAFETY: the context is the counter of `queues`; the path is null or there until this ends.
    unsafe {
        *context.cast::<u32>() += 1;
        if let Some(path) = path.as_ref() {
            read(path);
        }
    }
}

pub(super) fn queues(own: &Objects, input: &mut Input<'_>) {
    let mut queue = null_mut();
    let first = request(own, input);
    let mut count = Box::new(0u32);
    let context: *mut u32 = &mut *count;
    // SAFETY: the objects live, and the queue is freed once.
    unsafe {
        let (units, lanes) = (input.below(6), input.below(4));
        if check(navbake_queue_new(own.mesh, &*first, units, lanes, &mut queue)) {
            for unit in 0..u64::from(input.byte() % 6) {
                let other = request(own, input);
                match input.byte() % 4 {
                    0 => {
                        let leader = u64::from(input.byte() % 4);
                        let spacing = number(input);
                        check(navbake_queue_follow(
                            own.mesh, queue, unit, leader, &*other, spacing,
                        ));
                    }
                    1 => drop(check(navbake_queue_lose(queue, unit))),
                    _ => drop(check(navbake_queue_ask(own.mesh, queue, unit, &*other))),
                }
            }
            for _ in 0..input.below(5) {
                let budget = u32::from(input.word());
                let mut tick = blank();
                let to = context.cast();
                check(navbake_queue_tick(own.mesh, queue, budget, Some(answer), to, &mut *tick));
                check(navbake_queue_direction(own.mesh, queue, 0, &mut *blank()));
            }
        }
        navbake_queue_free(queue);
    }
}

pub(super) fn vehicles(own: &Objects, input: &mut Input<'_>) {
    let mut vehicle = null_mut();
    let mut request = blank::<NavbakeVehicleRequest>();
    let (from, to) = (own.place(input).position, own.place(input).position);
    let name = name(own, input);
    let names = [name.as_ptr()];
    // SAFETY: the objects live, and the vehicle is freed once.
    unsafe {
        check(navbake_vehicle_kind(own.blob, input.below(3), &mut *blank()));
        let index = input.below(3);
        if check(navbake_vehicle_new(own.blob, index, own.mesh, NODES, &mut vehicle)) {
            let heading = number(input);
            check(navbake_vehicle_request(from.as_ptr(), heading, to.as_ptr(), &mut *request));
            check(navbake_vehicle_block(vehicle, point(input).as_ptr(), 1));
            let (cost, rings) = (number(input), u32::from(input.byte()));
            let (roads, count) = (names.as_ptr(), input.below(2));
            check(navbake_vehicle_set_roads(vehicle, own.mesh, roads, count, cost, rings, 1));
            check(navbake_vehicle_update(vehicle, own.mesh));
            check(navbake_vehicle_path(vehicle, own.mesh, &*request, &mut *blank()));
        }
        navbake_vehicle_free(vehicle);
    }
}
