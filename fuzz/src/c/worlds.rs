//! Calls about chunks, routes and saves, on meshes of worlds and on others.
#![allow(unsafe_code)] // calls of functions for C

use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use navbake_c::blob::*;
use navbake_c::chunks::*;
use navbake_c::obstacles::navbake_commit;
use navbake_c::save::*;
use navbake_c::status::NavbakeStatus;
use navbake_format::crc32c;

use super::{Objects, blank, check, number, point};
use crate::input::Input;
use crate::seeds;

/// The index of the world of the seeds and all of its chunks, opened once in a process.
fn opened_once() -> &'static (AtomicPtr<NavbakeBlob>, Vec<AtomicPtr<NavbakeChunk>>) {
    static OPENED: OnceLock<(AtomicPtr<NavbakeBlob>, Vec<AtomicPtr<NavbakeChunk>>)> =
        OnceLock::new();
    OPENED.get_or_init(|| {
        let (files, mut index) = (seeds::world_in_chunks(), null_mut());
        // SAFETY: the bytes of the seeds are never freed.
        let opened =
            unsafe { navbake_open(files[0].as_ptr(), files[0].len(), null_mut(), 0, &mut index) };
        assert!(check(opened), "a sound index is refused");
        let open = |bytes: &Vec<u8>| {
            let mut chunk = null_mut();
            // SAFETY: the index is never closed.
            let opened = unsafe {
                let (data, size) = (bytes.as_ptr(), bytes.len());
                navbake_chunk_open(index, 0, data, size, null_mut(), 0, &mut chunk)
            };
            assert!(check(opened), "a sound chunk is refused");
            AtomicPtr::new(chunk)
        };
        (AtomicPtr::new(index), files[1..].iter().map(open).collect())
    })
}

/// The index of the world of the seeds.
pub(super) fn index() -> *mut NavbakeBlob {
    opened_once().0.load(Ordering::Relaxed)
}

fn chunks() -> Vec<*const NavbakeChunk> {
    opened_once().1.iter().map(|chunk| chunk.load(Ordering::Relaxed).cast_const()).collect()
}

/// A call about a world.
pub(super) fn worlds(own: &mut Objects, input: &mut Input<'_>) {
    let (kind, which) = (input.byte(), input.below(chunks().len()));
    // SAFETY: the objects live, and buffers have the lengths that are given.
    unsafe {
        match kind % 8 {
            0..3 => {
                check(navbake_chunk_insert(own.mesh, chunks()[which]));
                if kind >= 64 {
                    check(navbake_commit(own.mesh, input.below(9), &mut *blank()));
                }
            }
            3 => {
                let [column, row] = key(which);
                check(navbake_chunk_loaded(own.mesh, column, row));
                check(navbake_chunk_remove(own.mesh, column, row));
                check(navbake_commit(own.mesh, input.below(9), &mut *blank()));
            }
            4 => ways(own, input),
            5 => open(own, which, input),
            _ => saves(own, input),
        }
    }
}

/// The place of a chunk of the seeds, or one where none is.
fn key(which: usize) -> [i32; 2] {
    let mut file = blank::<NavbakeChunkFile>();
    // SAFETY: the index is never closed.
    match check(unsafe { navbake_chunk_file(index(), which, &mut *file) }) {
        true => file.key,
        false => [i32::MIN, i32::MAX],
    }
}

/// Chunks beyond what is loaded, and routes over them.
unsafe fn ways(own: &Objects, input: &mut Input<'_>) {
    let (from, to, vertical) = (own.place(input), point(input), number(input));
    let mut beyond = vec![[0; 2]; input.below(4)];
    let mut passages: Vec<NavbakePassage> = (0..input.below(4)).map(|_| *blank()).collect();
    let (mut count, mut route) = (Box::new(0), blank::<NavbakeRoute>());
    // SAFETY: promised by the caller.
    unsafe {
        let (first, room) = (beyond.as_mut_ptr(), beyond.len());
        check(navbake_not_loaded(own.mesh, &from, first, room, &mut *count));
        let (first, room) = (passages.as_mut_ptr(), passages.len());
        let (mesh, search, to) = (own.mesh, own.search, to.as_ptr());
        if check(navbake_route(mesh, search, &from, to, vertical, first, room, &mut *route)) {
            assert!(route.length >= 0.0, "a route of {} m", route.length);
        }
    }
}

/// Opens the bytes of a chunk, or what is left of them, and inserts it.
unsafe fn open(own: &Objects, which: usize, input: &mut Input<'_>) {
    let files = seeds::world_in_chunks();
    let mut bytes = files[usize::from(input.chance(200)) * (1 + which)].clone();
    if input.chance(64) {
        bytes.truncate(usize::from(input.word()) % bytes.len());
    }
    let (mut chunk, agent) = (null_mut(), usize::from(input.chance(8)));
    let mut message = vec![0; input.below(9)];
    // SAFETY: promised by the caller, and the chunk is freed once.
    unsafe {
        let (data, size) = (bytes.as_ptr(), bytes.len());
        let (text, room) = (message.as_mut_ptr(), message.len());
        navbake_chunk_count(own.blob);
        if check(navbake_chunk_open(own.blob, agent, data, size, text, room, &mut chunk)) {
            check(navbake_chunk_insert(own.mesh, chunk));
        }
        navbake_chunk_free(chunk);
    }
}

/// A save makes the mesh what it was; a damaged one is refused, or gives a mesh that works.
unsafe fn saves(own: &mut Objects, input: &mut Input<'_>) {
    let mut length = Box::new(0);
    let (edits, given) = (input.below(4), chunks());
    // SAFETY: promised by the caller.
    unsafe {
        assert!(check(navbake_save(own.mesh, null_mut(), 0, &mut *length)));
        let mut saved = vec![0; *length];
        assert!(check(navbake_save(own.mesh, saved.as_mut_ptr(), *length, &mut *length)));
        for _ in 0..edits {
            let at = 16 + usize::from(input.word()) % (saved.len() - 16);
            saved[at] = input.byte();
        }
        let is_sound = edits == 0;
        if !is_sound && input.chance(250) {
            let sum = crc32c(&[&saved[16..]]).to_le_bytes();
            saved[12..16].copy_from_slice(&sum);
        }
        let mut keys = vec![[0; 2]; input.below(8)];
        let mut message = vec![0; input.below(9)];
        let (data, text, room) = (saved.as_ptr(), message.as_mut_ptr(), message.len());
        let (first, most) = (keys.as_mut_ptr(), keys.len());
        let named = navbake_saved_chunks(data, saved.len(), text, room, first, most, &mut *length);
        assert!(check(named) || !is_sound, "the chunks of a sound save");
        let count = if input.chance(200) { given.len() } else { input.below(given.len()) };
        let (first, data) = (given.as_ptr(), saved.as_ptr());
        let restored = navbake_restore(own.mesh, data, saved.len(), first, count, text, room);
        if is_sound && count == given.len() && !own.is_forged {
            assert!(restored == NavbakeStatus::NavbakeOk, "a sound save is refused: {restored:?}");
            let mut again = vec![0; saved.len()];
            check(navbake_save(own.mesh, again.as_mut_ptr(), again.len(), &mut *length));
            assert!(*length == saved.len() && again == saved, "another save than before");
        }
        own.is_forged |= check(restored) && !is_sound;
        check(navbake_commit(own.mesh, 0, &mut *blank()));
    }
}
