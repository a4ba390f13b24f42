//! Drops and jumps become links by themselves where an agent gets there and nothing obstructs it,
//! and nowhere else.

use crate::air::{blocked_links, ends};
use crate::scenes::Builder;
use navbake_bake::{BakeInput, Baked, Config, Options, bake};
use navbake_format::{Blob, LinkKind};
use navbake_level::{Part, Scene, Source};
use navbake_testkit::data::data;

fn options(threads: usize) -> Options<'static> {
    Options { threads, ..Options::default() }
}

fn baked(level: Builder, config: &str) -> Baked {
    let config = Config::parse(config).unwrap();
    bake(level.source(), &config, &options(2)).unwrap()
}

/// A link: what one does on it, from where to where, and for whom.
#[derive(Clone, Debug, PartialEq)]
struct LinkRow {
    kind: LinkKind,
    from: [f64; 3],
    to: [f64; 3],
    width: f32,
    cost: f64,
    agents: u32,
}

fn links(baked: &Baked) -> Vec<LinkRow> {
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let all = (0..mesh.link_count()).filter_map(|n| mesh.link(n));
    all.map(|link| {
        let [from, to] = ends(&mesh, &link);
        LinkRow {
            kind: link.kind,
            from,
            to,
            width: link.width,
            cost: link.cost,
            agents: link.agents,
        }
    })
    .collect()
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() <= 0.2)
}

/// A strip of ground 4 m wide, and on its right half a terrace so high.
fn terrace(height: f64) -> Builder {
    Builder::new()
        .solid([-10.0, -1.0, -2.0], [0.0, 0.0, 2.0])
        .solid([0.0, -1.0, -2.0], [10.0, height, 2.0])
}

/// Two blocks of ground 4 m wide with a gap between them, the right one higher by this.
fn gap(width: f64, rise: f64) -> Builder {
    Builder::new()
        .solid([-10.0, -9.0, -2.0], [0.0, 0.0, 2.0])
        .solid([width, -9.0, -2.0], [width + 10.0, rise, 2.0])
}

const DROP: &str = "[[agent]]\ndrop = 3.0\n";
const JUMP: &str = "[[agent]]\njump = 3.0\n";

#[test]
fn a_ledge_as_high_as_the_drop_gives_one_link_down_and_none_up() {
    let baked = baked(terrace(3.0), DROP);
    let found = links(&baked);
    let [link] = &found[..] else { panic!("{found:?}") };
    assert_eq!((link.kind, link.agents), (LinkKind::Drop, 1));
    // From a radius before the ledge to a radius beyond it, in the middle, as wide as the ledge.
    assert!(near(link.from, [0.6, 3.0, 0.0]), "{link:?}");
    assert!(near(link.to, [-0.6, 0.0, 0.0]), "{link:?}");
    assert!((3.4..=4.0).contains(&link.width), "{link:?}");
    assert!((link.cost - 10.44f64.sqrt()).abs() < 0.1, "{link:?}");
    assert_eq!(baked.summary.links.drops, 1);
    assert_eq!(baked.summary.links.jumps + baked.summary.links.drawn, 0);
}

#[test]
fn a_ledge_a_little_higher_than_the_drop_or_no_higher_than_a_step_gives_none() {
    for height in [3.02, 0.9] {
        assert_eq!(links(&baked(terrace(height), DROP)), [], "{height}");
    }
    let without = baked(terrace(3.0), "");
    assert_eq!(links(&without), []);
}

#[test]
fn a_railing_blocks_a_drop_and_a_kerb_does_not() {
    let rail = |height: f64| terrace(3.0).solid([0.0, 3.0, -2.0], [0.1, 3.0 + height, 2.0]);
    assert_eq!(links(&baked(rail(1.1), DROP)), []);
    assert_eq!(links(&baked(rail(0.3), DROP)).len(), 1);
}

#[test]
fn a_beam_below_a_ledge_blocks_a_drop() {
    let beam = |x: f64| terrace(3.0).solid([x - 0.1, 1.4, -2.0], [x, 1.6, 2.0]);
    // One has to fall through where it is: the distance out is no longer than a radius beyond what
    // the body needs.
    assert_eq!(links(&baked(beam(-0.9), DROP)), []);
    assert_eq!(links(&baked(beam(-4.0), DROP)).len(), 1);
}

#[test]
fn a_gap_as_wide_as_the_jump_is_jumped_both_ways_and_a_wider_one_not() {
    let found = links(&baked(gap(3.0, 0.0), JUMP));
    let [there, back] = &found[..] else { panic!("{found:?}") };
    assert_eq!((there.kind, back.kind), (LinkKind::Jump, LinkKind::Jump));
    assert_eq!((there.from, there.to), (back.to, back.from));
    let left = [there.from, there.to].into_iter().find(|p| p[0] < 0.0);
    assert!(near(left.unwrap(), [-0.6, 0.0, 0.0]), "{there:?}");
    assert_eq!(links(&baked(gap(3.02, 0.0), JUMP)), []);
    assert_eq!(links(&baked(gap(3.0, 0.0), DROP)), []);
}

#[test]
fn a_jump_up_is_no_higher_than_a_step_and_a_jump_down_is_one_way() {
    let both = "[[agent]]\ndrop = 3.0\njump = 3.0\n";
    assert_eq!(links(&baked(gap(2.0, 0.8), JUMP)).len(), 2);
    assert_eq!(links(&baked(gap(2.0, 1.5), JUMP)), []);
    let down = links(&baked(gap(2.0, 1.5), both));
    let [link] = &down[..] else { panic!("{down:?}") };
    assert_eq!(link.kind, LinkKind::Jump);
    assert!(link.from[0] > 2.0 && link.to[0] < 0.0);
}

#[test]
fn a_low_ceiling_over_a_gap_blocks_the_jump() {
    let ceiling = |y: f64| gap(2.0, 0.0).solid([0.9, y, -2.0], [1.1, y + 0.2, 2.0]);
    // The feet rise to 0.8 m over the middle of the 3.2 m.
    assert_eq!(links(&baked(ceiling(2.6), JUMP)), []);
    assert_eq!(links(&baked(ceiling(3.2), JUMP)).len(), 2);
}

#[test]
fn a_fence_in_a_gap_blocks_the_jump() {
    let fence = |y: f64| gap(3.0, 0.0).solid([1.45, -9.0, -2.0], [1.55, y, 2.0]);
    assert_eq!(links(&baked(fence(1.3), JUMP)), []);
    assert_eq!(links(&baked(fence(-0.5), JUMP)).len(), 2);
}

#[test]
fn agents_of_one_class_take_what_they_reach() {
    let config = "[[agent]]\nname = \"cat\"\ndrop = 4.0\n[[agent]]\nname = \"cow\"\n[[agent]]\nname = \"dog\"\ndrop = 2.0\n";
    let agents = |height: f64| -> Vec<u32> {
        links(&baked(terrace(height), config)).iter().map(|l| l.agents).collect()
    };
    assert_eq!(agents(3.0), [0b001]);
    assert_eq!(agents(2.0), [0b101]);
    assert_eq!(agents(4.5), [0; 0]);
}

/// Ground with a hole of 1 m by 1 m in it.
fn hole() -> Builder {
    Builder::new()
        .solid([-10.0, -9.0, -5.0], [-0.5, 0.0, 5.0])
        .solid([0.5, -9.0, -5.0], [10.0, 0.0, 5.0])
        .solid([-0.5, -9.0, -5.0], [0.5, 0.0, -0.5])
        .solid([-0.5, -9.0, 0.5], [0.5, 0.0, 5.0])
}

#[test]
fn where_the_walk_around_is_short_there_is_no_link() {
    assert_eq!(links(&baked(hole(), JUMP)), []);
    let any = format!("{JUMP}[auto_links]\ndetour = 1.1\n");
    assert!(!links(&baked(hole(), &any)).is_empty());
}

/// A terrace along 40 m of ground.
fn long_terrace() -> Builder {
    Builder::new()
        .solid([-6.0, -1.0, -20.0], [0.0, 0.0, 20.0])
        .solid([0.0, -1.0, -20.0], [6.0, 3.0, 20.0])
}

#[test]
fn a_long_ledge_has_a_link_every_so_many_metres() {
    let config = |spacing: f64| format!("{DROP}[auto_links]\nspacing = {spacing:?}\n");
    for (spacing, count) in [(8.0, 5), (20.0, 2), (100.0, 1)] {
        let found = links(&baked(long_terrace(), &config(spacing)));
        assert_eq!(found.len(), count, "{spacing}");
        let mut middles: Vec<f64> = found.iter().map(|l| l.from[2]).collect();
        middles.sort_by(f64::total_cmp);
        for (k, z) in middles.iter().enumerate() {
            let middle = -19.4 + 38.8 * (k as f64 + 0.5) / count as f64;
            assert!((z - middle).abs() < 0.4, "{z} {middle}");
        }
        let width: f64 = found.iter().map(|l| f64::from(l.width) - 1.2).sum();
        assert!((36.0..=38.9).contains(&width), "{width}");
    }
}

#[test]
fn what_is_over_the_limits_is_left_out_and_reported() {
    let over = |limit: &str| {
        let config = format!("{DROP}[auto_links]\nspacing = 2.0\n{limit}\n");
        let baked = baked(long_terrace(), &config);
        let reported = baked.summary.warnings.iter();
        let reported = reported.filter(|w| w.code == "auto-links-left-out").count();
        (baked.summary.links.drops, reported)
    };
    assert_eq!(over(""), (20, 0));
    assert_eq!(over("max_links = 7"), (7, 1));
    // The ledge is 40 m long and a cube 8.
    let (few, reported) = over("max_links_per_cube = 2");
    assert!((8..=14).contains(&few) && reported == 1, "{few}");
}

/// Something of everything.
fn playground() -> Builder {
    let mut level = Builder::new()
        .solid([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0])
        .solid([-18.0, 0.0, -18.0], [-8.0, 3.0, -8.0])
        .solid([-6.0, 0.0, -18.0], [6.0, 3.0, -9.0])
        .solid([7.5, 0.0, -18.0], [18.0, 2.5, -9.0])
        .ramp([8.0, 0.0, 4.0], [18.0, 4.0, 8.0])
        .solid([-14.0, 4.0, -16.0], [2.0, 4.3, -10.0])
        .solid([-8.0, 3.0, -12.0], [-7.9, 4.4, -9.0]);
    for k in 0..12 {
        // A round tower, more or less, and things scattered about.
        let a = f64::from(k) * 0.5;
        level = level
            .solid([-12.0 + a, 0.0, 6.0 + a / 2.0], [-8.0 + a, 2.0, 14.0 - a / 2.0])
            .solid([a * 3.0 - 15.0, 0.0, -5.0 + a], [a * 3.0 - 14.6, 1.7, -4.2 + a]);
    }
    level
}

const PLAYER: &str = "[[agent]]\nradius = 0.4\nheight = 1.8\nclimb = 0.4\ndrop = 4.0\njump = 2.5\n[[agent]]\nname = \"giant\"\nradius = 0.8\ndrop = 5.0\njump = 4.0\n";

#[test]
fn threads_and_the_order_of_triangles_do_not_change_the_bytes() {
    let config = Config::parse(PLAYER).unwrap();
    let one = bake(playground().source(), &config, &options(1)).unwrap();
    let two = bake(playground().source(), &config, &options(2)).unwrap();
    assert!(one.summary.links.drops > 10 && one.summary.links.jumps > 2);
    assert!(one.bytes == two.bytes);
    for seed in [3, 19] {
        let shuffled = bake(playground().shuffled(seed), &config, &options(2)).unwrap();
        assert!(one.bytes == shuffled.bytes, "{seed}");
    }
}

fn scene(source: Source) -> Scene {
    match source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("triangles are wanted"),
    }
}

#[test]
fn every_way_through_the_air_is_free_by_the_plain_test() {
    let levels = [playground(), terrace(3.0), gap(2.0, 1.0), long_terrace(), hole()];
    for (k, level) in levels.into_iter().enumerate() {
        let triangles = scene(level.clone().source());
        let baked = baked(level, PLAYER);
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        for class in 0..2 {
            let blocked = blocked_links(&blob, class, &triangles);
            assert!(blocked.is_empty(), "{k}: {}", blocked.join("\n"));
        }
    }
}

#[test]
fn the_plain_test_finds_a_railing_that_was_not_there() {
    let baked = baked(terrace(3.0), DROP);
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let rail = terrace(3.0).solid([0.0, 3.0, -2.0], [0.1, 4.2, 2.0]);
    assert_eq!(blocked_links(&blob, 0, &scene(rail.source())).len(), 1);
}

const CUBE: &str =
    "scale = 0.05\nagent = [{ radius = 0.4, height = 1.8, climb = 0.5, drop = 4.0, jump = 3.0 }]";

const LEVELS: [(&str, &str); 4] = [
    (
        "synthetic_tower.obj",
        "agent = [{ radius = 0.4, height = 1.9, climb = 0.3, drop = 5.0, jump = 3.0 }]",
    ),
    (
        "gazebo_parking_garage.obj",
        "up = \"z\"\nscale = 0.0254\nagent = [{ radius = 0.3, height = 1.75, climb = 0.3, drop = 4.0, jump = 2.0 }]",
    ),
    ("tesseract_steelribs.obj", CUBE),
    ("sauerbraten_pandora.obj", CUBE),
];

#[test]
fn every_way_through_the_air_of_real_levels_is_free_by_the_plain_test() {
    let Some(data) = data("every_way_through_the_air_of_real_levels_is_free_by_the_plain_test")
    else {
        return;
    };
    for (name, text) in LEVELS {
        let config = Config::parse(text).unwrap();
        let options = navbake_import::ImportOptions {
            scale: config.scale,
            up: match config.up {
                navbake_bake::config::Up::Y => navbake_import::Up::Y,
                navbake_bake::config::Up::Z => navbake_import::Up::Z,
            },
            ..Default::default()
        };
        let path = data.join("meshes").join(name);
        let source = navbake_import::read(&path, &options).unwrap().source;
        let triangles = scene(source.clone());
        let baked = bake(source, &config, &self::options(2)).unwrap();
        let found = baked.summary.links;
        assert!(found.drops + found.jumps > 10, "{name}: {found:?}");
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let blocked = blocked_links(&blob, 0, &triangles);
        let all = found.drops + found.jumps;
        assert!(blocked.is_empty(), "{name}: {} of {all}\n{}", blocked.len(), blocked.join("\n"));
    }
}

/// Two strips of a designer's floor, 30 km long, with a gap of a metre between.
fn long_gap() -> Source {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    for x in [0.0, 4.0] {
        let first = scene.vertices.len() as u32;
        let corners = [[x, 0.0], [x, 30_000.0], [x + 3.0, 30_000.0], [x + 3.0, 0.0]];
        scene.vertices.extend(corners.map(|[x, z]| [x, 0.0, z]));
        scene.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k| first + k)));
        scene.triangle_parts.extend([0, 0]);
    }
    Source::Scene(scene)
}

#[test]
fn no_length_of_borders_keeps_more_than_the_limits_allow() {
    let text = "surface = \"floor\"\nmin_region = 0.0\n[[agent]]\nradius = 0.3\nheight = 1.0\nclimb = 0.3\njump = 2.0\n\
                [auto_links]\nspacing = 1.0\nmax_links = 10\n";
    let config = Config::parse(text).unwrap();
    let job = BakeInput::new(long_gap(), &config).unwrap();
    // The forecast counts them.
    let none = Config::parse(&text.replace("jump = 2.0", "jump = 0.0")).unwrap();
    let none = BakeInput::new(long_gap(), &none).unwrap();
    let peak = |job: &BakeInput| job.forecast(&options(1)).unwrap().peak_bytes;
    assert!(peak(&job) > peak(&none) + (20 << 20));
    let baked = job.bake(&options(1)).unwrap();
    assert_eq!(baked.summary.links.jumps, 20);
    let warned = |text: &str| baked.summary.warnings.iter().any(|w| w.message.contains(text));
    assert!(warned("were not compared"), "{:?}", baked.summary.warnings);
    assert!(!warned("looked for every"));
}
