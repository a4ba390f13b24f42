//! Benchmark maps through outlines, patches and polygons, where the maps are present: in the folder
//! that NAVBAKE_DATA names, else in `../shared/data` beside the project.

use std::path::Path;
use std::time::Instant;

use navbake_geom::Grid;
use navbake_hierarchy::islands;
use navbake_level::{CellShape, GridMap};
use navbake_mesh::{
    JoinSettings, MergeSettings, Patch, PatchSettings, join, merge_polygons, patch,
};
use navbake_testkit::data::{MapText, data_in};
use navbake_walkable::grid_map_layers;

fn read(path: &Path) -> GridMap {
    let map = MapText::read(path);
    GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: map.width as u32,
        height: map.height as u32,
        free: map.free(),
        terrain: vec![],
    }
}

/// Plain oracle: components of free cells by flood fill, as their sizes in ascending order.
fn components(map: &GridMap) -> Vec<i128> {
    let mut seen = vec![false; map.free.len()];
    let mut sizes = vec![];
    for first in 0..map.free.len() {
        if seen[first] || !map.free[first] {
            continue;
        }
        let mut stack = vec![first];
        seen[first] = true;
        let mut size = 0;
        while let Some(cell) = stack.pop() {
            size += 1;
            let (c, r) = ((cell % map.width as usize) as i64, (cell / map.width as usize) as i64);
            for (c, r) in [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)] {
                if map.is_free(c, r) {
                    let next = r as usize * map.width as usize + c as usize;
                    if !std::mem::replace(&mut seen[next], true) {
                        stack.push(next);
                    }
                }
            }
        }
        sizes.push(size);
    }
    sizes.sort_unstable();
    sizes
}

#[test]
fn benchmark_maps_keep_their_area_and_their_islands_exactly() {
    let Some(folder) = data_in("benchmark_maps_keep_their_area_and_their_islands_exactly", "maps")
    else {
        return;
    };
    let mut paths = vec![];
    for suite in std::fs::read_dir(&folder).unwrap() {
        for file in std::fs::read_dir(suite.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|e| e == "map") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let grid = Grid { bits: 10, origin: [0.0; 3] };
    let cell_doubled = 2 * 1024 * 1024;
    let exact = PatchSettings {
        tolerance: 0,
        height_error: 0,
        seam_error: 0,
        slope_error: 0,
        max_corners: MergeSettings::default().max_corners,
    };
    for path in paths {
        let map = read(&path);
        let sizes = components(&map);
        let begin = Instant::now();
        let layers = grid_map_layers(&map, &grid);
        let outlined = begin.elapsed();
        let patches: Vec<Patch> = layers.iter().map(|l| patch(l, &exact).unwrap()).collect();
        let cut = begin.elapsed();
        let joined = join(&patches, &JoinSettings { climb: 0 });
        let stitched = begin.elapsed();
        let mesh = merge_polygons(&joined, &MergeSettings::default());
        let merged = begin.elapsed();
        println!(
            "{:<22} {:>7} cells {:>6} polygons {:>6} merged {:>6} vertices; outlines {:.1?} patches {:.1?} join {:.1?} merge {:.1?}",
            path.file_name().unwrap_or_default().to_string_lossy(),
            sizes.iter().sum::<i128>(),
            joined.len(),
            mesh.len(),
            mesh.vertices.len(),
            outlined,
            cut - outlined,
            stitched - cut,
            merged - stitched
        );
        joined.check().unwrap();
        mesh.check().unwrap();
        assert_eq!(mesh.area_doubled(), cell_doubled * sizes.iter().sum::<i128>());
        assert!(mesh.height_meshes.is_empty());
        for islands in [islands(&joined), islands(&mesh)] {
            let mut areas: Vec<i128> =
                islands.area_doubled.iter().map(|a| a / cell_doubled).collect();
            areas.sort_unstable();
            assert_eq!(areas, sizes, "{path:?}");
        }
    }
}
