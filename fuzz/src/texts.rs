//! Configs, and entries of the cache.

use navbake_bake::Config;

/// A config: refused with a message of one line, or read, filled in, written for the navmesh file
/// and read again as the same.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let config = match Config::parse(text) {
        Ok(config) => config,
        Err(fault) => {
            assert!(!fault.message.is_empty());
            assert!(fault.line.is_none_or(|line| line <= 1 + text.lines().count()), "{fault}");
            return;
        }
    };
    for grid_map in [false, true] {
        let resolved = match config.resolved(grid_map) {
            Ok(resolved) => resolved,
            Err(fault) => {
                assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{fault:?}");
                continue;
            }
        };
        if !grid_map {
            crate::worked();
        }
        let twice = resolved.resolved(grid_map);
        assert_eq!(twice.map(|c| c.effective()).ok(), Some(resolved.effective()));
        let brief = resolved.brief();
        match Config::from_brief(&brief) {
            Ok(again) => assert_eq!(again.effective(), resolved.effective(), "{brief}"),
            Err(fault) => panic!("what a file keeps of a config is refused: {fault}\n{brief}"),
        }
    }
}

/// The payload of a cache's entry, with a right head and checksum: a miss, or a sound result that
/// is written again with the same bytes.
pub fn cache(data: &[u8]) {
    if let Some(again) = navbake_bake::cache_entry_again(data) {
        crate::worked();
        assert!(again == data, "an entry that is accepted is written differently");
    }
}
