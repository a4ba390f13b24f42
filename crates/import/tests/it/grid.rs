//! Grid maps and tile grids, and what can be wrong with them.

use navbake_import::{Format, ImportError, ImportOptions, read_bytes};
use navbake_level::{GridMap, Source};
use proptest::prelude::*;

fn grid_with(text: &str, format: &Format, options: &ImportOptions) -> Result<GridMap, ImportError> {
    let import = read_bytes(text.as_bytes().to_vec(), format, "level.map".as_ref(), options)?;
    match import.source {
        Source::Grid(map) => Ok(map),
        Source::Scene(_) => panic!("a scene"),
    }
}

fn grid(text: &str, format: &Format) -> Result<GridMap, ImportError> {
    grid_with(text, format, &ImportOptions::default())
}

fn refused(text: &str, format: &Format, place: &str) -> String {
    let error = grid(text, format).unwrap_err();
    assert_eq!(error.place, place, "{error}");
    assert!(!error.cure.is_empty());
    error.to_string()
}

const MAP: &str = "type octile\nheight 3\nwidth 4\nmap\n@.GS\nTWO.\n....\n";

#[test]
fn letters_mean_what_the_format_says() {
    for text in [
        MAP.to_owned(),
        MAP.replace('\n', "\r\n"),
        format!("\u{feff}{MAP}\n\n"),
        MAP.trim_end().to_owned(),
    ] {
        let map = grid(&text, Format::by_extension("map").unwrap()).unwrap();
        assert_eq!((map.width, map.height, map.cell), (4, 3, 1.0));
        let rows: Vec<String> = map
            .free
            .chunks(4)
            .map(|row| row.iter().map(|&f| if f { '.' } else { '#' }).collect())
            .collect();
        assert_eq!(rows, ["#...", "###.", "...."]);
        // The swamp is the second terrain.
        assert_eq!(map.terrain, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn width_may_stand_above_height_and_scale_is_the_cell() {
    let text = MAP.replace("height 3\nwidth 4", "width 4\nheight 3");
    let options = ImportOptions { scale: 0.25, ..ImportOptions::default() };
    let map = grid_with(&text, Format::by_extension("map").unwrap(), &options).unwrap();
    assert_eq!((map.width, map.height, map.cell), (4, 3, 0.25));
}

#[test]
fn what_is_wrong_with_a_map_is_named_by_line_and_column() {
    let bad = |from: &str, to: &str, place: &str, word: &str| {
        let message = refused(&MAP.replace(from, to), Format::by_extension("map").unwrap(), place);
        assert!(message.contains(word), "{message}");
    };
    bad("TWO.", "TWO", "line 6, column 4", "has 3 cells");
    bad("TWO.", "TWO..", "line 6, column 5", "has 5 cells");
    bad("TWO.", "TXO.", "line 6, column 2", "`X`");
    bad("TWO.", "T\u{e4}O.", "line 6, column 2", "0xc3");
    bad("TWO.\n", "", "line 7", "row 3 of 3");
    bad("TWO.\n", "TWO.\n....\n", "line 8", "after the last");
    bad("TWO.", "", "line 6, column 1", "has 0 cells");
    bad("height 3", "height 0", "line 2", "`0`");
    bad("height 3", "height -3", "line 2", "`-3`");
    bad("height 3\n", "", "line 3", "`height` is missing");
    bad("width 4\n", "", "line 3", "`width` is missing");
    bad("type octile\n", "", "line 3", "`type octile` is missing");
    bad("octile", "tile", "line 1", "`tile`");
    bad("map\n", "", "line 4", "`map`");
    bad("width 4", "width 4000000", "line 4", "are announced");
    refused("", Format::by_extension("map").unwrap(), "line 1");
    refused(
        "type octile\nheight 1\nwidth 1\nmap\n@\n",
        Format::by_extension("map").unwrap(),
        "the whole file",
    );
}

const TILES: &str = "20\n4\n3\nxxxx\nx..x\nxxxx\n";

#[test]
fn a_tile_grid_has_its_node_size_times_the_scale() {
    let options = ImportOptions { scale: 0.5, ..ImportOptions::default() };
    for text in [TILES, "20 4 3\nxxxx\nx..x\nxxxx"] {
        let map = grid_with(text, Format::by_extension("txt").unwrap(), &options).unwrap();
        assert_eq!((map.width, map.height, map.cell), (4, 3, 10.0));
        assert_eq!(map.free.iter().filter(|&&f| f).count(), 2);
        assert!(map.is_free(1, 1) && map.is_free(2, 1));
    }
}

#[test]
fn tile_grids_may_have_comments_and_places_still_count_all_lines() {
    let remarks = TILES.replace("20", "20 // node size").replace("x..x", "//\nx..x  // the room");
    let txt = || Format::by_extension("txt").unwrap();
    assert_eq!(grid(&remarks, txt()).unwrap(), grid(TILES, txt()).unwrap());
    refused(&remarks.replace("x..x", "x.X."), txt(), "line 6, column 3");
}

#[test]
fn what_is_wrong_with_a_tile_grid_is_named_by_line_and_column() {
    let bad = |from: &str, to: &str, place: &str| {
        refused(&TILES.replace(from, to), Format::by_extension("txt").unwrap(), place);
    };
    bad("x..x", "x.x", "line 5, column 4");
    bad("x..x", "x..xx", "line 5, column 5");
    bad("x..x", "x.X.", "line 5, column 3");
    bad("x..x", "x..x a remark", "line 5, column 5");
    bad("20", "0", "line 1");
    bad("20", "inf", "line 1");
    bad("4", "4 5 6", "line 2");
    bad("4", "four", "line 2");
    refused("20\n4\n", Format::by_extension("txt").unwrap(), "line 3");
    refused("20\n4\n3\nxxxx\nx..x\n", Format::by_extension("txt").unwrap(), "line 6");
    refused("20\n4\n3\nxxxx\nx..x\nxxxx\nx\n", Format::by_extension("txt").unwrap(), "line 7");
}

proptest! {
    #[test]
    fn no_text_at_all_panics(text in "(type octile|height [0-9]|width [0-9]|map|[.@TSx]{0,6}|[0-9. ]{0,6}|\n){0,12}") {
        let _ = grid(&text, Format::by_extension("map").unwrap());
        let _ = grid(&text, Format::by_extension("txt").unwrap());
    }
}
