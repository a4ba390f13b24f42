//! A bake has the same bytes whatever a server of its cache does, and warns of it once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use crate::cache::plain_of_boxes;
use navbake_bake::{
    BakeError, BakeInput, Baked, Cache, CacheServer, Config, Options, ServerFault, bake,
};
use navbake_level::Source;

/// Tiles of 12.8 m.
const FINE: &str = "cell = 0.05\nmin_region = 0.5\n";

/// A server in memory.
#[derive(Debug, Default)]
struct Fake {
    entries: Mutex<BTreeMap<[u8; 32], Vec<u8>>>,
    /// Names of entries that were put in place of another.
    replaced: Mutex<BTreeSet<[u8; 32]>>,
    /// Entries that it takes and gives before it fails.
    calls_left: Mutex<Option<usize>>,
    fault: Option<ServerFault>,
}

impl Fake {
    fn failing(fault: ServerFault, after: usize) -> Fake {
        Fake { calls_left: Mutex::new(Some(after)), fault: Some(fault), ..Fake::default() }
    }

    /// Whether another call succeeds.
    fn call(&self) -> bool {
        match &mut *self.calls_left.lock().unwrap() {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

impl CacheServer for Fake {
    fn address(&self) -> &str {
        "fake://server"
    }

    fn get(&self, names: &[[u8; 32]]) -> Vec<Option<Vec<u8>>> {
        let reads = !matches!(self.fault, Some(ServerFault::NotWritten(_)));
        let entries = self.entries.lock().unwrap();
        let entry = |name| entries.get(name).filter(|_| !reads || self.call()).cloned();
        names.iter().map(entry).collect()
    }

    fn put(&self, name: [u8; 32], entry: Vec<u8>, replace: bool) {
        if !self.call() {
            return;
        }
        if replace {
            self.replaced.lock().unwrap().insert(name);
            self.entries.lock().unwrap().insert(name, entry);
        } else {
            // The first one stays, as on servers that check nothing.
            self.entries.lock().unwrap().entry(name).or_insert(entry);
        }
    }

    fn flush(&self) {}

    fn faults(&self) -> Vec<ServerFault> {
        let has_failed = *self.calls_left.lock().unwrap() == Some(0);
        self.fault.iter().filter(|_| has_failed).cloned().collect()
    }
}

fn with(source: Source, cache: Option<&Cache>) -> Result<Baked, BakeError> {
    let options = Options { threads: 2, cache, ..Options::default() };
    bake(source, &Config::parse(FINE).unwrap(), &options)
}

fn level() -> Source {
    plain_of_boxes([0.0; 2]).source()
}

fn codes(baked: &Baked) -> Vec<(&str, &str)> {
    baked.summary.warnings.iter().map(|w| (w.code.as_str(), w.source.as_str())).collect()
}

#[test]
fn a_server_keeps_what_a_bake_made_for_the_next() {
    let server = Arc::new(Fake::default());
    let cache = Cache::on_server(server.clone(), false);
    let expected = with(level(), None).unwrap();
    let cold = with(level(), Some(&cache)).unwrap();
    let warm = with(level(), Some(&Cache::on_server(server.clone(), true))).unwrap();
    assert_eq!(cold.summary.tiles.cached, 0);
    assert_eq!((warm.summary.tiles.baked, warm.summary.tiles.total >= 64), (0, true));
    assert!(cold.bytes == expected.bytes && warm.bytes == expected.bytes);
    assert_eq!(codes(&warm), codes(&expected));
    assert_eq!(server.entries.lock().unwrap().len() as u64, warm.summary.tiles.total);
}

#[test]
fn damaged_entries_of_a_server_are_baked_again_reported_once_and_replaced() {
    let expected = with(level(), None).unwrap();
    let damages: [fn(&mut [Vec<u8>]); 5] = [
        |entries| entries.iter_mut().for_each(|entry| entry.truncate(entry.len() - 1)),
        |entries| entries.iter_mut().for_each(Vec::clear),
        |entries| entries.iter_mut().for_each(|entry| entry.push(0)),
        |entries| {
            for entry in entries {
                let middle = entry.len() / 2;
                entry[middle] ^= 4;
            }
        },
        |entries| entries.rotate_left(1),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let server = Arc::new(Fake::default());
        with(level(), Some(&Cache::on_server(server.clone(), false))).unwrap();
        let mut entries: Vec<Vec<u8>> = server.entries.lock().unwrap().values().cloned().collect();
        damage(&mut entries);
        server.entries.lock().unwrap().values_mut().zip(entries).for_each(|(e, new)| *e = new);
        let cache = Cache::on_server(server.clone(), true);
        let again = with(level(), Some(&cache)).unwrap();
        assert!(again.bytes == expected.bytes, "{number}");
        let (code, place) = *codes(&again).last().unwrap();
        assert_eq!(code, "cache-entry");
        assert!(place.starts_with("fake://server/"), "{place}");
        let all = server.entries.lock().unwrap().len();
        assert_eq!(server.replaced.lock().unwrap().len(), all, "{number}");
        let warm = with(level(), Some(&cache)).unwrap();
        assert_eq!((warm.summary.tiles.baked, codes(&warm)), (0, codes(&expected)), "{number}");
    }
}

#[test]
fn a_bake_goes_on_without_a_server_that_fails_and_warns_once() {
    let expected = with(level(), None).unwrap();
    let reason = || "no answer".to_string();
    for after in [0, 1, 3] {
        for (fault, code) in [
            (ServerFault::Unreachable(reason()), "cache-unreachable"),
            (ServerFault::NotWritten(reason()), "cache-not-written"),
        ] {
            let server = Arc::new(Fake::failing(fault, after));
            let cache = Cache::on_server(server.clone(), false);
            for _ in 0..2 {
                let baked = with(level(), Some(&cache)).unwrap();
                assert!(baked.bytes == expected.bytes, "{code} after {after}");
                let found = codes(&baked);
                let of_cache = found.iter().filter(|(code, _)| code.starts_with("cache-"));
                assert_eq!(of_cache.collect::<Vec<_>>(), [&(code, "fake://server")]);
            }
        }
    }
}

#[test]
fn tiles_for_a_server_that_is_needed_end_with_an_error_that_names_it() {
    let input = BakeInput::new(level(), &Config::parse(FINE).unwrap()).unwrap();
    let work = input.tile_work(&Options::default()).unwrap();
    let tiles: BTreeSet<_> = work.iter().map(|tile| tile.job).collect();
    let keys: Vec<[u8; 32]> = work.iter().flat_map(|tile| tile.keys.clone()).collect();
    let good = Cache::on_server(Arc::new(Fake::default()), true);
    let options = Options { cache: Some(&good), ..Options::default() };
    assert_eq!(input.bake_tiles(&tiles, &options).unwrap().baked, tiles.len() as u64);
    assert!(good.has(&keys).unwrap().iter().all(|has| *has));
    for (fault, after) in [
        (ServerFault::Unreachable("no answer".into()), 0),
        (ServerFault::Unreachable("no answer".into()), 3),
        (ServerFault::NotWritten("no answer".into()), 2),
    ] {
        let cache = Cache::on_server(Arc::new(Fake::failing(fault, after)), true);
        let options = Options { cache: Some(&cache), ..Options::default() };
        for error in
            [input.bake_tiles(&tiles, &options).unwrap_err(), cache.has(&keys).unwrap_err()]
        {
            assert_eq!(error.exit_code(), 4);
            let text = error.to_string();
            assert!(text.contains("fake://server") && text.contains("no answer"), "{text}");
        }
    }
}
