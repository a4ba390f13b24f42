//! Grid maps are decoded as they were encoded, and invalid ones are refused with an error that
//! names the section.
#![cfg(feature = "write")]

use navbake_format::write::{
    BlobParts, EncodeError, GridMapParts, MeshParts, OtherSection, encode,
};
use navbake_format::{Blob, BlobError, CellId, CellShape, GridMapView, Section};
use proptest::prelude::*;

fn bake(map: Option<GridMapParts<'_>>) -> Result<Vec<u8>, EncodeError> {
    encode(&BlobParts {
        meshes: &[MeshParts { first_edge: &[0], ..MeshParts::default() }],
        grid_map: map,
        ..BlobParts::default()
    })
}

fn parts<'a>(width: u32, free: &'a [bool], terrain: &'a [u8]) -> GridMapParts<'a> {
    GridMapParts {
        shape: CellShape::Square,
        width,
        height: free.len() as u32 / width,
        cell: 0.5,
        corner: [-3.0, 1.0, 2.0],
        free,
        terrain,
        factors: &[],
    }
}

/// The section's first byte and its length.
fn place(bytes: &[u8], section: Section) -> (usize, usize) {
    let blob = Blob::open(bytes).unwrap();
    let (info, _) = blob.section(section, 0).unwrap();
    (info.offset as usize, info.len() as usize)
}

/// Everything a view says, compared with the cells that went in.
fn compare(view: &GridMapView<'_>, map: &GridMapParts<'_>) {
    let (width, height) = (i64::from(map.width), i64::from(map.height));
    let free = |c: i64, r: i64| {
        let inside = c >= 0 && r >= 0 && c < width && r < height;
        inside && map.free[(r * width + c) as usize]
    };
    assert_eq!((view.width(), view.height()), (map.width, map.height));
    assert_eq!((view.cell(), view.corner()), (map.cell, map.corner));
    let count = map.free.iter().filter(|f| **f).count();
    assert_eq!(view.free_count() as usize, count);
    for row in -1..=height {
        for column in -1..=width {
            let Some(id) = view.id([column, row]) else {
                assert!(column < 0 || row < 0 || column == width || row == height);
                continue;
            };
            assert!(id.0 < view.id_count());
            assert_eq!(view.column_row(id).map(i64::from), [column, row]);
            assert_eq!(view.is_free(id), free(column, row));
            let mut around = 0;
            for k in 0..9 {
                let neighbour = free(column + k % 3 - 1, row + k / 3 - 1);
                around |= u16::from(neighbour) << k;
            }
            assert_eq!(view.around(id), around, "{column} {row}");
            let index = (row * width + column) as usize;
            let terrain = map.terrain.get(index).copied().unwrap_or(0);
            assert_eq!(view.terrain(id), terrain);
            let centre = view.centre(id);
            let own = free(column, row).then_some(id);
            assert_eq!(view.free_cell_at(centre), own);
        }
    }
}

fn cells(terrains: u8) -> impl Strategy<Value = (u32, Vec<bool>, Vec<u8>)> {
    (1u32..=140, 1u32..=9).prop_flat_map(move |(width, height)| {
        let n = (width * height) as usize;
        let free = prop::collection::vec(any::<bool>(), n);
        let terrain = prop::collection::vec(0..terrains, n);
        (Just(width), free, terrain)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_comes_out((width, free, terrain) in prop_oneof![cells(1), cells(2), cells(16), cells(17), cells(255)]) {
        let map = parts(width, &free, &terrain);
        let bytes = bake(Some(map)).unwrap();
        let view = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
        let most = terrain.iter().max().unwrap();
        prop_assert_eq!(view.terrain_count(), u16::from(*most) + 1);
        compare(&view, &map);
    }

    #[test]
    fn damaged_maps_are_refused_or_can_be_read((width, free, terrain) in cells(5), at in any::<prop::sample::Index>(), value in any::<u8>()) {
        let bytes = bake(Some(parts(width, &free, &terrain))).unwrap();
        let (start, _) = place(&bytes, Section::GRID_MAP);
        let mut damaged = bytes.clone();
        let at = start + at.index(bytes.len() - start);
        damaged[at] = value;
        if let Ok(blob) = Blob::open_checked(&damaged) {
            let view = blob.grid_map().unwrap();
            let mut free = 0;
            for id in (0..view.id_count()).map(CellId) {
                free += u32::from(view.is_free(id));
                prop_assert!(u16::from(view.terrain(id)) < view.terrain_count());
                view.around(id);
            }
            prop_assert_eq!(free, view.free_count());
            prop_assert!(view.cell() > 0.0 && view.corner().iter().all(|c| c.is_finite()));
        }
    }
}

#[test]
fn a_level_without_a_grid_map_has_none() {
    let bytes = bake(None).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    assert!(blob.grid_map().is_none());
    assert!(blob.blob().section(Section::GRID_MAP, 0).is_none());
}

#[test]
fn the_documented_bytes_are_there() {
    let free = [true, false, true, false, false, true];
    let terrain = [3, 0, 1, 0, 0, 2];
    let bytes = bake(Some(parts(3, &free, &terrain))).unwrap();
    let section = |s| {
        let (at, len) = place(&bytes, s);
        &bytes[at..at + len]
    };
    let map = section(Section::GRID_MAP);
    assert_eq!(map.len(), 48);
    assert_eq!((map[0], map[4]), (3, 2));
    assert_eq!(map[8..16], 0.5f64.to_le_bytes());
    assert_eq!(map[16..24], (-3.0f64).to_le_bytes());
    assert_eq!((&map[40..44], &map[44..48]), (&[3, 0, 0, 0][..], &[4, 0, 0, 0][..]));
    let bits = section(Section::GRID_BITS);
    // One word per row: the rim, two rows whose bit 1 is the first cell, the rim.
    assert_eq!(bits.len(), 4 * 8);
    assert_eq!((bits[8], bits[16]), (0b1010, 0b1000));
    assert_eq!(bits.iter().filter(|b| **b != 0).count(), 2);
    assert_eq!(section(Section::GRID_TERRAIN), [3, 1, 0, 2]);
    let optional = Blob::open(&bytes).unwrap();
    let grid = optional.sections().filter(|s| s.section >= Section::GRID_MAP);
    assert!(grid.into_iter().all(|s| !s.required), "older readers skip them");
}

#[test]
fn every_broken_rule_is_named() {
    let free = [true, false, true, false, false, true];
    let terrain = [3, 0, 1, 0, 0, 2];
    let factors = [1.0, 2.0, 0.5, 1.0, 4.0, 1.5];
    let map = GridMapParts { factors: &factors, ..parts(3, &free, &terrain) };
    let bytes = bake(Some(map)).unwrap();
    let broken = |section, at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        let (start, _) = place(&bytes, section);
        bytes[start + at..start + at + new.len()].copy_from_slice(new);
        match Blob::open_checked(&bytes).err() {
            Some(BlobError::Record { section, expected, .. }) => format!("{section}: {expected}"),
            other => panic!("{other:?}"),
        }
    };
    let map = Section::GRID_MAP;
    for (section, at, new, says) in [
        (map, 0, &[0][..], "a width and a height of 1"),
        (map, 0, &[255; 4], "fewer than 2^28"),
        (map, 0, &[64], "whole words for each row"),
        (map, 4, &[3], "whole words for each row"),
        (map, 8, &f64::NAN.to_le_bytes(), "one grid unit"),
        (map, 8, &1e-6f64.to_le_bytes(), "one grid unit"),
        (map, 8, &f64::INFINITY.to_le_bytes(), "one grid unit"),
        (map, 8, &1e9f64.to_le_bytes(), "between -2^25 and 2^25"),
        (map, 24, &f64::NAN.to_le_bytes(), "between -2^25 and 2^25"),
        (map, 40, &[4], "as many free cells"),
        (map, 44, &[0], "and none otherwise"),
        (map, 44, &[3], "terrains of which"),
        (map, 45, &[9], "and none otherwise"),
        (map, 46, &[2], "0 for squares, 1 for hexagons"),
        (Section::GRID_BITS, 0, &[2], "outside the map"),
        (Section::GRID_BITS, 8, &[0b1011], "outside the map"),
        (Section::GRID_BITS, 8, &[0b11010], "outside the map"),
        (Section::GRID_BITS, 24, &[2], "outside the map"),
        (Section::GRID_BITS, 8, &[0b1110], "as many free cells"),
        (Section::GRID_TERRAIN, 0, &[4], "terrains of which"),
        (Section::GRID_TERRAIN, 1, &[0x11], "behind a row's end"),
        (Section::GRID_FACTORS, 4, &0f32.to_le_bytes(), "a factor from 2^-20 to 2^20"),
        (Section::GRID_FACTORS, 4, &(-1f32).to_le_bytes(), "a factor from 2^-20 to 2^20"),
        (Section::GRID_FACTORS, 20, &f32::NAN.to_le_bytes(), "a factor from 2^-20 to 2^20"),
        (Section::GRID_FACTORS, 20, &f32::INFINITY.to_le_bytes(), "a factor from 2^-20 to 2^20"),
    ] {
        let text = broken(section, at, new);
        assert!(text.contains(says), "{text}, not {says}");
    }
}

#[test]
fn factors_are_those_of_each_cell_for_all_agents() {
    let free = [true; 6];
    let factors = [1.0, 2.0, 0.5, 1.0, 4.0, 1.5];
    let bytes = bake(Some(GridMapParts { factors: &factors, ..parts(3, &free, &[]) })).unwrap();
    let map = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
    assert!(map.has_factors());
    for (k, &factor) in factors.iter().enumerate() {
        let id = map.id([k as i64 % 3, k as i64 / 3]).unwrap();
        assert_eq!([map.factor(id, 0), map.factor(id, 7)], [f64::from(factor); 2]);
    }
    assert_eq!(map.factor(CellId(u32::MAX), 0), 1.0);
    let without = bake(Some(parts(3, &free, &[]))).unwrap();
    assert!(!Blob::open_checked(&without).unwrap().grid_map().unwrap().has_factors());
    for count in [1, 5, 7, 12] {
        let factors = vec![1.0; count];
        let map = GridMapParts { factors: &factors, ..parts(3, &free, &[]) };
        assert!(matches!(bake(Some(map)), Err(EncodeError::Length { .. })), "{count}");
    }
}

#[test]
fn sections_of_a_grid_map_do_not_come_alone() {
    for section in [Section::GRID_BITS, Section::GRID_TERRAIN, Section::GRID_FACTORS] {
        let other = OtherSection {
            section,
            class: 0,
            required: false,
            element_size: match section {
                Section::GRID_BITS => 8,
                Section::GRID_FACTORS => 4,
                _ => 1,
            },
            bytes: &[0; 8],
        };
        let result = encode(&BlobParts {
            meshes: &[MeshParts { first_edge: &[0], ..MeshParts::default() }],
            others: &[other],
            ..BlobParts::default()
        });
        let error = result.unwrap_err().to_string();
        assert!(error.contains("no such section without"), "{error}");
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let free = [true; 6];
    for (width, height, terrain) in [(3, 3, &[][..]), (3, 2, &[0; 5]), (0, 2, &[]), (7, 1, &[])] {
        let map = GridMapParts { height, ..parts(1, &free, terrain) };
        let map = GridMapParts { width, ..map };
        assert!(matches!(bake(Some(map)), Err(EncodeError::Length { .. })));
    }
    assert!(GridMapParts::fits(16_000, 16_000));
    assert!(!GridMapParts::fits(17_000, 17_000));
    assert!(!GridMapParts::fits(u32::MAX, u32::MAX));
    assert!(!GridMapParts::fits(0, 9));
}

#[test]
fn ends_on_borders_belong_to_a_free_cell_where_one_touches() {
    let free = [true, false, false, true];
    let map = parts(2, &free, &[]);
    let bytes = bake(Some(map)).unwrap();
    let view = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
    let at = |x: f64, z: f64| {
        let point = [-3.0 + x, 0.0, 2.0 + z];
        view.free_cell_at(point).map(|id| view.column_row(id))
    };
    // Cells have sides of half a metre.
    assert_eq!(at(0.0, 0.0), Some([0, 0]));
    assert_eq!(at(0.5, 0.25), Some([0, 0]));
    assert_eq!(at(0.5, 0.5), Some([1, 1]));
    assert_eq!(at(1.0, 1.0), Some([1, 1]));
    assert_eq!(at(0.6, 0.1), None);
    for (x, z) in [(1.01, 0.75), (-0.01, 0.0), (f64::NAN, 0.0), (0.0, 1e300)] {
        assert_eq!(at(x, z), None, "{x} {z}");
    }
}
