#![no_main]
// Blobs are baked before the first input, which has a limit of time.
libfuzzer_sys::fuzz_target!(
    init: {
        navbake_fuzz::seeds::world_in_chunks();
    },
    |data: &[u8]| navbake_fuzz::chunks(data)
);
