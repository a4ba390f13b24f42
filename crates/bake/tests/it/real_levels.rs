//! Real levels, where they are; skipped by name otherwise.

use navbake_bake::{BakeInput, Config, Options, bake, bake_file};
use navbake_format::{Blob, VertexId};
use navbake_level::Source;
use navbake_testkit::data::data;

fn threads(threads: usize) -> Options<'static> {
    Options { threads, ..Options::default() }
}

const LEVELS: [(&str, &str); 5] = [
    ("recast_nav_test.obj", ""),
    ("recast_dungeon.obj", ""),
    ("navcat_bridges.glb", "[[agent]]\nradius = 0.3"),
    ("castle_engine_castle/castle.gltf", "[[agent]]\nradius = 0.5"),
    ("tesseract_steelribs.obj", "scale = 0.05\n[[agent]]\nradius = 0.4\nheight = 1.8\nclimb = 0.8"),
];

#[test]
fn threads_do_not_change_the_bytes_of_real_levels() {
    let Some(data) = data("threads_do_not_change_the_bytes_of_real_levels") else {
        return;
    };
    for (name, config) in LEVELS {
        let config = Config::parse(config).unwrap();
        let job = BakeInput::open(&data.join("meshes").join(name), &config).unwrap();
        let one = job.bake(&threads(1)).unwrap();
        let two = job.bake(&threads(2)).unwrap();
        assert!(one.summary.polygons > 0, "{name}");
        assert!(one.bytes == two.bytes, "{name}");
    }
}

#[test]
fn the_order_of_triangles_does_not_change_the_bytes_of_real_levels() {
    let Some(data) = data("the_order_of_triangles_does_not_change_the_bytes_of_real_levels") else {
        return;
    };
    for (name, text) in LEVELS {
        let config = Config::parse(text).unwrap();
        let options = navbake_import::ImportOptions { scale: config.scale, ..Default::default() };
        let path = data.join("meshes").join(name);
        let source = navbake_import::read(&path, &options).unwrap().source;
        let Source::Scene(mut scene) = source.clone() else { panic!("{name} is a scene") };
        // Backwards, every other triangle turned.
        scene.triangles.reverse();
        scene.triangle_parts.reverse();
        for triangle in scene.triangles.iter_mut().step_by(2) {
            triangle.rotate_left(1);
        }
        let straight = bake(source, &config, &threads(2)).unwrap();
        let reversed = bake(Source::Scene(scene), &config, &threads(2)).unwrap();
        assert!(straight.bytes == reversed.bytes, "{name}");
    }
}

#[test]
fn the_same_dungeon_from_obj_and_glb_gives_the_same_navmesh() {
    let Some(data) = data("the_same_dungeon_from_obj_and_glb_gives_the_same_navmesh") else {
        return;
    };
    let baked = |name: &str| {
        bake_file(&data.join("meshes").join(name), &Config::default(), &threads(2)).unwrap()
    };
    let (obj, glb) = (baked("recast_dungeon.obj"), baked("rerecast_dungeon.glb"));
    let (obj, glb) =
        (Blob::open_checked(&obj.bytes).unwrap(), Blob::open_checked(&glb.bytes).unwrap());
    let (obj, glb) = (obj.decode(0).unwrap().leak(), glb.decode(0).unwrap().leak());
    assert_eq!(obj.polygon_count(), glb.polygon_count());
    assert_eq!(obj.vertex_count(), glb.vertex_count());
    for (a, b) in obj.polygons().zip(glb.polygons()) {
        assert_eq!(a.len(), b.len());
        for k in 0..a.len() {
            assert_eq!(a.vertex(k), b.vertex(k));
            assert_eq!(a.neighbour(k), b.neighbour(k));
        }
    }
    for v in (0..obj.vertex_count()).map(VertexId) {
        // The decimals of the one are the rounded floats of the other: a tie on the grid may fall
        // to either side. Corners of borders are where two lines through such places meet, at
        // angles of 30 degrees and more: twice as far on either axis. Heights are rounded to
        // multiples of 4 then, which may fall on either side too.
        let (a, b) = (obj.vertex(v), glb.vertex(v));
        for (k, most) in [2, 4, 2].into_iter().enumerate() {
            assert!((a[k] - b[k]).abs() <= most, "{v:?}: {a:?} and {b:?}");
        }
    }
}

#[test]
fn grid_maps_keep_their_cells_and_regions() {
    let Some(data) = data("grid_maps_keep_their_cells_and_regions") else {
        return;
    };
    // Free cells and regions that are connected over edges, counted by another program.
    for (name, cells, regions) in [
        ("dao/arena2", 24311.0, 1),
        ("dao/lak110d", 168.0, 1),
        ("da2/w_sundermount", 41179.0, 18),
        ("sc1/Sandstorm", 75256.0, 24),
        ("bgmaps/AR0042SR", 146_967.0, 1),
    ] {
        let path = data.join("maps").join(format!("{name}.map"));
        let baked = bake_file(&path, &Config::default(), &threads(2)).unwrap();
        assert_eq!(baked.summary.area_m2, cells, "{name}");
        assert_eq!(baked.summary.islands, regions, "{name}");
    }
}
