//! Which triangles of the level's file a polygon comes from.

use crate::scenes;
use crate::scenes::Builder;
use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, PolyId, Section};
use navbake_level::{Scene, Source};
use navbake_search::NavQuery;

/// A floor, a bridge over it, a slope from that down to another floor, and a wall.
fn level() -> Builder {
    Builder::new()
        .part("west")
        .quad([[0.0, 0.0, 0.0], [0.0, 0.0, 12.0], [10.0, 0.0, 12.0], [10.0, 0.0, 0.0]])
        .part("east")
        .quad([[22.0, 0.1, 0.0], [22.0, 0.1, 12.0], [34.0, 0.1, 12.0], [34.0, 0.1, 0.0]])
        .part("bridge")
        .solid([2.0, 3.7, 4.0], [12.0, 4.0, 8.0])
        .part("slope")
        .ramp([12.0, 4.0, 4.0], [22.0, 0.1, 8.0])
        .part("wall")
        .solid([4.0, 0.0, 0.0], [4.4, 3.0, 3.0])
}

fn config(text: &str) -> Config {
    Config::parse(&format!(
        "{text}min_region = 0\n[[agent]]\nradius = 0.4\nclimb = 0.5\n[[agent]]\nname = \"wide\"\nradius = 0.8\nclimb = 0.5\n"
    ))
    .unwrap()
}

fn scene(source: Source) -> Scene {
    match source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => unreachable!("made of triangles"),
    }
}

/// Height of a triangle at a place seen from above, if it holds that.
fn height([a, b, c]: [[f64; 3]; 3], x: f64, z: f64) -> Option<f64> {
    let cross = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
    let whole = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    let shares = [cross(b, c), cross(c, a), cross(a, b)].map(|s| s / whole);
    let inside = whole != 0.0 && shares.iter().all(|&s| s >= 0.0);
    inside.then(|| shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1])
}

/// Samples along each of two sides of a part of a polygon.
const SIDE: u32 = 150;

/// Samples every polygon: the triangles that hold the samples at their height are the sources
/// stored, and there are no others.
fn check(scene: &Scene) {
    let baked =
        bake(Source::Scene(scene.clone()), &config("sources = true\n"), &Options::default())
            .unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let numbers: Vec<(&str, u32)> = (0..scene.triangles.len())
        .map(|t| {
            let part = scene.triangle_parts[t];
            let same = scene.triangle_parts[..t].iter().filter(|&&p| p == part);
            let node = scene.parts[part as usize].node.as_str();
            (node, same.count() as u32)
        })
        .collect();
    let mut nodes = vec![];
    for class in 0..2 {
        let nav = blob.decode(class).unwrap();
        let mesh = nav.mesh();
        let query = NavQuery::new(mesh);
        for p in (0..mesh.polygon_count()).map(PolyId) {
            let named: Vec<(&str, u32)> =
                (blob.sources(&mesh, p)).map(|s| (s.node, s.triangle)).collect();
            let polygon = mesh.polygon(p);
            let n = polygon.len();
            let corner = |k: u32| {
                let [x, z] = polygon.corner(k % n);
                let grid = mesh.grid();
                [
                    grid.origin[0] + f64::from(x) / grid.units(),
                    grid.origin[2] + f64::from(z) / grid.units(),
                ]
            };
            let mut seen = vec![false; named.len()];
            for (i, j, k) in
                (0..SIDE * SIDE).flat_map(|i| (1..n - 1).map(move |k| (i % SIDE, i / SIDE, k)))
            {
                let [s, t] = [i, j].map(|i| (f64::from(i) + 0.5) / f64::from(SIDE));
                if s + t >= 1.0 {
                    continue;
                }
                let [a, b, c] = [corner(0), corner(k), corner(k + 1)];
                let [x, z] = [0, 1].map(|d| a[d] + s * (b[d] - a[d]) + t * (c[d] - a[d]));
                // Beside the border the nearest place on the grid may be outside.
                let Some(here) = query.on_polygon(p, [x, 0.0, z]) else {
                    continue;
                };
                let here = here.position();
                for (number, corners) in numbers.iter().zip(&scene.triangles) {
                    let corners = corners.map(|v| scene.vertices[v as usize]);
                    let facing = {
                        let [u, v] = [corners[1], corners[2]]
                            .map(|q| [q[0] - corners[0][0], q[2] - corners[0][2]]);
                        u[1] * v[0] - u[0] * v[1]
                    };
                    let off = height(corners, here[0], here[2]).map(|y| (y - here[1]).abs());
                    let Some(off) = off.filter(|_| facing > 0.0) else {
                        continue;
                    };
                    let at = named.iter().position(|s| s == number);
                    // Heights may be off by a tenth of a metre.
                    assert!(
                        off > 0.05 || at.is_some(),
                        "polygon {} at {here:?}: {number:?} is missing",
                        p.0
                    );
                    if let Some(at) = at.filter(|_| off <= 0.2) {
                        seen[at] = true;
                    }
                }
            }
            for (source, seen) in named.iter().zip(&seen) {
                assert!(seen, "polygon {} tells {source:?}", p.0);
            }
            nodes.extend(named.into_iter().map(|s| s.0.to_owned()));
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes, ["bridge", "east", "slope", "west"]);
}

#[test]
fn the_triangles_behind_a_polygon_are_those_that_its_ground_lies_on_in_the_order_of_the_file() {
    check(&scene(level().source()));
    for seed in 1..4 {
        check(&scene(level().shuffled(seed)));
    }
}

#[test]
fn sources_change_nothing_else_and_are_left_out_unless_asked_for() {
    let bake = |text: &str| bake(level().source(), &config(text), &Options::default()).unwrap();
    let [plain, with_sources] = ["", "sources = true\n"].map(bake);
    let sections = |bytes: &[u8]| -> Vec<(Section, u16, Vec<u8>)> {
        let blob = Blob::open(bytes).unwrap();
        let all = blob
            .sections()
            .map(|s| (s.section, s.class, blob.section(s.section, s.class).unwrap().1.to_vec()));
        all.collect()
    };
    let own = [Section::SOURCE_PARTS, Section::SOURCE_ENDS, Section::SOURCES];
    // Names are stored together, and so is the config.
    let shared = [Section::STRINGS, Section::CONFIG];
    let rest = |bytes: &[u8]| {
        let mut all = sections(bytes);
        all.retain(|s| !own.contains(&s.0) && s.0 != Section::STRINGS && s.0 != Section::CONFIG);
        all
    };
    assert_eq!(rest(&plain.bytes), rest(&with_sources.bytes));
    let kinds: Vec<Section> = sections(&plain.bytes).iter().map(|s| s.0).collect();
    assert!(own.iter().all(|s| !kinds.contains(s)) && kinds.contains(&shared[1]));
}

#[test]
fn a_grid_map_has_no_triangles_to_tell_of() {
    let map = scenes::map(&["...", "...", "..."]);
    let config = Config::parse("sources = true\n").unwrap();
    let error = bake(map, &config, &Options::default()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let text = error.to_string();
    assert!(text.contains("`sources`") && text.contains("line 1"), "{text}");
}
