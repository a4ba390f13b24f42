//! Bakes of random levels, and of navmeshes of other bakers.

use std::fmt::Write;

use navbake_bake::config::AgentConfig;
use navbake_bake::{BakeError, BakeInput, Baked, Cache, Config, Options, bake};
use navbake_format::{Blob, CellShape, CheckedBlob};
use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_level::{GridMap, Part, Scene, Source};
use navbake_search::around::Random;
use navbake_search::{NavQuery, Status};

use crate::input::Input;
use crate::queries::{Rounds, ask};

/// A bake that may be refused for the level or the config, and never for a fault of navbake.
fn sound(baked: Result<Baked, BakeError>) -> Option<Vec<u8>> {
    match baked {
        Ok(baked) => Some(baked.bytes),
        Err(error @ BakeError::Internal { .. }) => panic!("{error}"),
        Err(_) => None,
    }
}

/// Opens a blob that was just baked, and asks it everything.
fn opened(bytes: &[u8]) -> CheckedBlob<'_> {
    let blob = Blob::open(bytes).expect("a blob");
    blob.verify_checksum().expect("a right checksum");
    let file = match blob.validate() {
        Ok(file) => file,
        Err(error) => panic!("a bake is refused: {error}"),
    };
    let seed = u64::from(blob.header().checksum);
    ask(&file, Rounds { seed, count: 1 }, &mut |_| {});
    file
}

/// Detour's files: refused, or read and baked.
pub fn detour(data: &[u8]) {
    let tiles = match navbake_detour::read(data) {
        Ok(tiles) => tiles,
        Err(refused) => {
            let text = refused.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
            return;
        }
    };
    let ground = tiles.ground();
    if ground.polygons.is_empty() || ground.polygons.len() > 400 {
        return;
    }
    let mut config = Config::default();
    config.agents.push(AgentConfig {
        radius: Some(ground.radius),
        height: if ground.height > 0.0 { ground.height } else { 2.0 },
        climb: ground.climb.min(0.49 * ground.height),
        ..AgentConfig::default()
    });
    config.allow_empty = true;
    let level = navbake_detour::level(ground, &config.detour, "a.bin".as_ref());
    let options = Options { threads: 1, ..Options::default() };
    let baked = BakeInput::given(level, &config).and_then(|input| input.bake(&options));
    if let Some(bytes) = sound(baked) {
        crate::worked();
        opened(&bytes);
    }
}

/// A level of a few shapes: the triangles and the config.
fn level(input: &mut Input<'_>) -> (Vec<[[f64; 3]; 3]>, String) {
    let mut config = String::from("min_region = 0.0\nallow_empty = true\nwinding = \"both\"\n");
    let pick = |input: &mut Input<'_>, of: [f64; 4]| of[input.below(4)];
    let how = input.byte();
    if how & 1 != 0 {
        config += "sources = true\n";
    }
    if how & 2 != 0 {
        config += "surface = \"floor\"\n";
    }
    for agent in 0..1 + (how >> 6) % 2 {
        let radius = pick(input, [0.0, 0.3, 0.6, 1.1]);
        let height = pick(input, [1.0, 2.0, 2.0, 3.5]);
        let climb = pick(input, [0.0, 0.3, 0.45, 0.49]) * height;
        let slope = pick(input, [20.0, 45.0, 60.0, 89.0]);
        writeln!(
            config,
            "[[agent]]\nname = \"{agent}\"\nradius = {radius:?}\nheight = {height:?}\n\
             climb = {climb:?}\nslope = {slope:?}"
        )
        .expect("a text takes all");
        if how & 4 != 0 {
            config += "drop = 4.0\njump = 2.0\n";
        }
    }
    if how & 8 != 0 {
        config += "[rooms]\nenabled = true\n";
    }
    if how & 16 != 0 {
        config += "[tables]\nbudget = \"labels\"\n";
    }
    if how & 32 != 0 {
        config += "[clearance]\nrange = 0.7\n[[area]]\nname = \"mud\"\n[[volume]]\n\
                   box = [[2.0, -1.0, 2.0], [6.1, 3.0, 5.3]]\narea = \"mud\"\n";
    }
    let mut triangles = vec![];
    while !input.is_empty() && triangles.len() < 40 {
        shape(input, &mut triangles);
    }
    (triangles, config)
}

/// A point: mostly of a coarse lattice, so that shapes meet.
fn point(input: &mut Input<'_>) -> [f64; 3] {
    let [x, y, z] = [0; 3].map(|_: i32| input.byte());
    let along = |c: u8| match c {
        0..0xC0 => f64::from(c % 48) / 4.0,
        _ => f64::from(c) / 15.9,
    };
    [along(x), f64::from(y % 64) / 16.0, along(z)]
}

fn shape(input: &mut Input<'_>, triangles: &mut Vec<[[f64; 3]; 3]>) {
    let kind = input.byte();
    let (a, b) = (point(input), point(input));
    let at = |x: usize, y: usize, z: usize| {
        let corner = [a, b];
        [corner[x][0], corner[y][1], corner[z][2]]
    };
    let mut quad = |[p, q, r, s]: [[f64; 3]; 4]| triangles.extend([[p, q, r], [p, r, s]]);
    match kind % 6 {
        0 => triangles.push([a, b, point(input)]),
        // Level ground, a ramp, a wall.
        1 => quad([at(0, 0, 0), at(0, 0, 1), at(1, 0, 1), at(1, 0, 0)]),
        2 => quad([at(0, 0, 0), at(0, 0, 1), at(1, 1, 1), at(1, 1, 0)]),
        3 => quad([at(0, 0, 0), at(1, 0, 1), at(1, 1, 1), at(0, 1, 0)]),
        // A box.
        4 => {
            for y in 0..2 {
                quad([at(0, y, 0), at(0, y, 1), at(1, y, 1), at(1, y, 0)]);
            }
            for k in 0..2 {
                quad([at(k, 0, 0), at(k, 0, 1), at(k, 1, 1), at(k, 1, 0)]);
                quad([at(0, 0, k), at(1, 0, k), at(1, 1, k), at(0, 1, k)]);
            }
        }
        // Any four corners.
        _ => quad([a, point(input), b, point(input)]),
    }
}

/// The triangles as a level. `turn` changes their order and that of their corners.
fn scene(triangles: &[[[f64; 3]; 3]], turn: usize) -> Source {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    let count = triangles.len();
    for k in 0..count {
        let mut corners = triangles[match turn {
            0 => k,
            _ => count - 1 - k,
        }];
        corners.rotate_left((turn * k) % 3);
        let first = scene.vertices.len() as u32;
        scene.vertices.extend(corners);
        scene.triangles.push([first, first + 1, first + 2]);
        scene.triangle_parts.push(0);
    }
    Source::Scene(scene)
}

/// Triangles of any kind: the same bytes for another order, more threads, and out of a cache; and
/// no ground where the level has none.
pub fn soup(data: &[u8]) {
    let mut input = Input(data);
    let (triangles, text) = level(&mut input);
    if triangles.is_empty() {
        return;
    }
    let config = Config::parse(&text).expect("a config that is sound");
    let bake = |turn, threads, cache| {
        sound(bake(
            scene(&triangles, turn),
            &config,
            &Options { threads, cache, ..Options::default() },
        ))
    };
    let first = bake(0, 1, None);
    let order = bake(1, 1, None);
    match (&first, &order) {
        (Some(first), Some(order)) if !config.sources => {
            assert!(first == order, "the order of triangles changes bytes\n{text}{triangles:?}");
        }
        (Some(_), Some(_)) | (None, None) => {}
        _ => panic!("the order of triangles decides whether a level is refused\n{text}"),
    }
    let Some(bytes) = first else {
        return;
    };
    crate::worked();
    let cache = Cache::in_memory();
    for threads in [2, 1] {
        let again = bake(0, threads, Some(&cache)).expect("it was baked before");
        assert!(again == bytes, "{threads} threads and a cache change bytes\n{text}{triangles:?}");
    }
    let file = opened(&bytes);
    for class in 0..file.class_count() {
        let nav = file.decode(class).expect("a class of the file");
        ground_is_of_the_level(&NavQuery::new(nav.mesh()), &triangles, &text);
    }
}

/// How far a place may be off the triangles, m: the accuracy of a bake is finer, but this holds
/// for any level.
const NEAR: f64 = 1.0;

/// Places are near a triangle.
fn ground_is_of_the_level(query: &NavQuery<'_>, triangles: &[[[f64; 3]; 3]], text: &str) {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return;
    };
    let mut random = Random::new(1);
    for _ in 0..10 {
        let Some(place) = query.random_place(&areas, &mut random) else {
            return;
        };
        let at = place.position();
        let near = |t: &[[f64; 3]; 3]| {
            (0..3).all(|k| {
                let along = t.map(|p| p[k]);
                let low = along.iter().copied().fold(f64::INFINITY, f64::min);
                let high = along.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (low - NEAR..=high + NEAR).contains(&at[k])
            })
        };
        assert!(triangles.iter().any(near), "ground at {at:?}, far from all\n{text}{triangles:?}");
    }
}

/// A small map of squares or hexagons with terrain: baked the same twice, and paths over its cells
/// as short as a plain search finds them.
pub fn grid(data: &[u8]) {
    let mut input = Input(data);
    let how = input.byte();
    let (width, height) = (1 + input.below(14), 1 + input.below(14));
    let shape = if how & 1 == 0 { CellShape::Square } else { CellShape::Hexagon };
    let cells: Vec<u8> = (0..width * height).map(|_| input.byte()).collect();
    let free: Vec<bool> = cells.iter().map(|c| c % 4 != 3).collect();
    let map = GridMap {
        shape,
        cell: [1.0, 0.5, 4.0, 2.25][usize::from(how >> 1) % 4],
        corner: [0.0; 2],
        width: width as u32,
        height: height as u32,
        free,
        terrain: cells.iter().map(|c| c % 4 % 3).collect(),
    };
    let mut text = String::from(
        "allow_empty = true\n[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n[[agent]]\n\
         name = \"a\"\n[weights.units]\na = { mud = 2.5, water = \"x\" }\n",
    );
    if how & 8 != 0 {
        text += "[clearance]\nrange = 1.5\n";
    }
    if how & 16 != 0 {
        text += "[rooms]\nenabled = true\n";
    }
    if how & 32 != 0 {
        text += "[[network]]\nname = \"sight\"\nkind = \"visibility\"\n";
        if shape == CellShape::Square {
            text += "[[network]]\nname = \"tree\"\nkind = \"quadtree\"\n";
        }
    }
    if how & 64 != 0 {
        text += "[tables]\nbudget = \"labels\"\n";
    }
    let config = Config::parse(&text).expect("a config that is sound");
    let options = Options { threads: 1, ..Options::default() };
    let baked = || sound(bake(Source::Grid(map.clone()), &config, &options));
    let Some(bytes) = baked() else {
        return;
    };
    crate::worked();
    assert!(baked().as_ref() == Some(&bytes), "two bakes differ");
    let file = opened(&bytes);
    let view = file.grid_map().expect("it was baked from a map");
    let mut buffer = GridBuffer::new(GridScratchSize::of(&view));
    let query = GridQuery::new(view);
    for planner in GridPlanner::ALL.into_iter().filter(|p| p.shape() == shape) {
        for _ in 0..3 {
            let [from, to] = [(); 2].map(|()| input.below(width * height));
            let centre = |k: usize| {
                let id = view.id([(k % width) as i64, (k / width) as i64]).expect("on the map");
                (view.is_free(id), view.centre(id))
            };
            let ((from_free, start), (to_free, goal)) = (centre(from), centre(to));
            assert_eq!([from_free, to_free], [map.free[from], map.free[to]]);
            let goals = [goal];
            let request = GridRequest::new(start, &goals, planner);
            let path = query.find_path(&request, &mut buffer).expect("a sound request");
            let shortest = plain(&map, planner, from, to);
            match shortest {
                None => assert_ne!(path.status, Status::Reached, "{from} {to}"),
                Some(steps) => {
                    assert_eq!(path.status, Status::Reached, "{from} {to}");
                    let expected = steps * map.cell;
                    assert!(
                        (path.cost - expected).abs() < 0.01 * map.cell * (1.0 + steps),
                        "{} instead of {expected}",
                        path.cost
                    );
                }
            }
        }
    }
}

/// The least number of steps between two cells, by relaxing all of them until nothing changes.
fn plain(map: &GridMap, planner: GridPlanner, from: usize, to: usize) -> Option<f64> {
    let (width, height) = (map.width as i64, map.height as i64);
    let is_free = |c: i64, r: i64| {
        (0..width).contains(&c) && (0..height).contains(&r) && map.free[(r * width + c) as usize]
    };
    let steps: &[[i64; 2]] = match planner {
        GridPlanner::Grid4 => &[[1, 0], [-1, 0], [0, 1], [0, -1]],
        GridPlanner::Grid8 => {
            &[[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]]
        }
        // Odd rows are shifted by half a cell: steps up and down go to one of two columns.
        GridPlanner::Hex => &[[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]],
    };
    if !map.free[from] || !map.free[to] {
        return None;
    }
    let mut cost = vec![f64::INFINITY; map.free.len()];
    cost[from] = 0.0;
    loop {
        let mut changed = false;
        for k in 0..cost.len() {
            let (c, r) = (k as i64 % width, k as i64 / width);
            for &[dc, dr] in steps {
                let diagonal = dc != 0 && dr != 0;
                let wrong_way = match r % 2 {
                    0 => 1,
                    _ => -1,
                };
                if planner == GridPlanner::Hex && diagonal && dc == wrong_way {
                    continue;
                }
                let beside = is_free(c + dc, r) && is_free(c, r + dr);
                if !is_free(c + dc, r + dr) || planner == GridPlanner::Grid8 && diagonal && !beside
                {
                    continue;
                }
                let other = ((r + dr) * width + c + dc) as usize;
                let far = match diagonal && planner == GridPlanner::Grid8 {
                    true => std::f64::consts::SQRT_2,
                    false => 1.0,
                };
                if cost[k] + far < cost[other] - 1e-9 {
                    cost[other] = cost[k] + far;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(cost[to]).filter(|c| c.is_finite());
        }
    }
}
