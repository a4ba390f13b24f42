//! Paths from room to room over links, beside the shortest ones: ladders, drops, lifts, teleports
//! between storeys and rooms.

use std::path::{Path, PathBuf};

use navbake_bake::{Config, Options, bake, bake_file};
use navbake_format::Blob;
use navbake_import::{Import, ImportOptions};
use navbake_level::Source;
use navbake_rooms::{Hop, RoomScratch, Walk, find_path};
use navbake_search::around::Random;
use navbake_search::{
    Algorithm, NavPath, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::data::data;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn source(path: &Path) -> Source {
    navbake_import::read(path, &ImportOptions::default())
        .map(|Import { source, .. }| source)
        .unwrap()
}

fn baked(name: &str, more: &str) -> Vec<u8> {
    let level = fixtures().join(format!("rooms/{name}.obj"));
    let seed = match name {
        "spiral" | "tower" => "[-5.0, 0.0, 0.0]",
        _ => "[5.0, 0.0, 5.0]",
    };
    let text = format!(
        "seeds = [{seed}]\n[[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n[rooms]\nenabled = true\n{more}"
    );
    bake(source(&level), &Config::parse(&text).unwrap(), &Options::default()).unwrap().bytes
}

fn place(query: &NavQuery<'_>, random: &mut Random) -> NavPoint {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    query.random_place(&areas, random).unwrap()
}

/// Links between random places of a level, a third of them with a switch each. Some cost less than
/// their length.
pub(crate) fn links(name: &str, count: usize, cheap: bool, random: &mut Random) -> String {
    let bytes = baked(name, "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut text = String::new();
    for number in 0..count {
        let [from, to] = [(); 2].map(|()| place(&query, random).position());
        let long = (0..3).map(|k| (from[k] - to[k]).powi(2)).sum::<f64>().sqrt();
        let times = if cheap && number % 3 == 0 { random.unit() } else { 1.0 };
        text += &format!(
            "[[link]]\nname = \"l{number}\"\nfrom = {from:?}\nto = {to:?}\ncost = {}\ntwo_way = {}\n",
            long * times,
            number % 2 == 0
        );
        if number % 3 == 1 {
            text += &format!("switch = \"s{number}\"\n");
        }
    }
    text
}

/// How paths compare with the shortest: how many there are, over how many links, the sum and the
/// greatest of costs over the least.
#[derive(Debug, Default)]
struct Compared {
    all: u32,
    linked: u32,
    sum: f64,
    worst: f64,
    walks: f64,
    worst_walk: f64,
    legs: u32,
    /// Walks that another planner had to replace.
    stood_in: u32,
    /// Entries taken off open lists: for shortest paths, for whole paths, for first legs; and the
    /// most for a leg.
    entries: [u64; 3],
    most: u32,
}

impl Compared {
    fn add(&mut self, other: &Compared) {
        self.all += other.all;
        self.linked += other.linked;
        self.sum += other.sum;
        self.walks += other.walks;
        self.legs += other.legs;
        self.stood_in += other.stood_in;
        for (own, other) in self.entries.iter_mut().zip(other.entries) {
            *own += other;
        }
        self.most = self.most.max(other.most);
        self.worst = self.worst.max(other.worst);
        self.worst_walk = self.worst_walk.max(other.worst_walk);
    }
}

/// Walks lead over ground, and links are taken where they begin and end.
pub(crate) fn check_legs(query: &NavQuery<'_>, answer: &NavPath<'_>) -> u32 {
    let mut taken = 0;
    for leg in answer.legs() {
        let points = &answer.points[leg.points.clone()];
        let Some(number) = leg.link else {
            for pair in points.windows(2) {
                let ends = [pair[0], pair[1]].map(|p| query.end(p, [0.01, 0.5, 0.01]).unwrap());
                let away = (pair[0][0] - pair[1][0]).hypot(pair[0][2] - pair[1][2]);
                assert!(query.sees(&ends[0], &ends[1]) || away < 0.01, "{pair:?}");
            }
            continue;
        };
        let link = query.mesh().link(number).unwrap();
        assert!(query.is_link_open(number, &link));
        assert_eq!(answer.polygons[leg.polygons], [link.polygon, link.beyond]);
        taken += 1;
    }
    taken
}

/// All of a walk: its cost, its legs, and whether another planner replaced it.
fn walked(
    query: &NavQuery<'_>,
    request: &PathRequest,
    scratch: &mut RoomScratch,
) -> (Status, f64, Vec<u32>, bool) {
    let mut route = vec![Hop::default(); 1000];
    let mut walk = Walk::new(query, request, &mut route).unwrap();
    let (mut cost, mut legs, mut stood_in) = (0.0, vec![], false);
    let mut at = walk.place().position();
    while let Some(leg) = walk.next_leg(query, scratch) {
        assert_eq!(leg.path.points[0], at, "a leg begins where the one before ended");
        at = *leg.path.points.last().unwrap();
        let links = check_legs(query, &leg.path);
        stood_in |= !leg.by_rooms;
        if leg.by_rooms {
            assert_eq!(links, u32::from(leg.link.is_some()), "a leg to a link ends with it");
        }
        cost += leg.path.cost;
        legs.push(leg.expanded);
        assert!(legs.len() < 2000);
    }
    if walk.status() == Status::Reached {
        let goal = query.end(request.to, request.extents).unwrap().position();
        assert!((0..3).all(|k| (at[k] - goal[k]).abs() < 1e-9));
    }
    (walk.status(), cost, legs, stood_in)
}

fn compare(query: &NavQuery<'_>, pairs: usize, random: &mut Random) -> Compared {
    let (mut optimal, mut own) = (Scratch::new(), RoomScratch::new());
    let mut found = Compared::default();
    for _ in 0..pairs {
        let [from, to] = [(); 2].map(|()| place(query, random).position());
        let request = PathRequest::new(from, to);
        let best = query.find_path(&request.algorithm(Algorithm::Optimal), &mut optimal).unwrap();
        let whole = find_path(query, &request, &mut own).unwrap();
        let path = whole.path;
        assert_eq!(path.status, best.status, "{from:?} {to:?}");
        if best.status != Status::Reached {
            continue;
        }
        assert!(whole.by_rooms);
        let (cost, least) = (path.cost, best.cost);
        assert!(cost >= least * (1.0 - 1e-9), "{cost} of {least}");
        assert!(cost <= 1.1 * least + 1e-9, "{cost} of {least}: {from:?} {to:?}");
        assert!(path.bound <= least * (1.0 + 1e-9), "{} of {least}", path.bound);
        assert!(!path.certified_optimal || cost <= least * (1.0 + 1e-9));
        found.linked += u32::from(check_legs(query, &path) > 0);
        let expanded = path.expanded;
        let times = |cost: f64| if least > 0.1 { cost / least } else { 1.0 };
        found.sum += times(cost);
        found.worst = found.worst.max(times(cost));
        let (status, cost, legs, stood_in) = walked(query, &request, &mut own);
        assert_eq!(status, Status::Reached);
        assert!(cost >= least * (1.0 - 1e-6), "{cost} of {least}");
        found.walks += times(cost);
        found.worst_walk = found.worst_walk.max(times(cost));
        found.legs += legs.len() as u32;
        let first = legs.first().copied().unwrap_or(0);
        for (sum, own) in (found.entries.iter_mut()).zip([best.expanded, expanded, first]) {
            *sum += u64::from(own);
        }
        found.most = found.most.max(legs.into_iter().max().unwrap_or(0));
        found.stood_in += u32::from(stood_in);
        found.all += 1;
    }
    found
}

fn judge(name: &str, found: &Compared) {
    let [mean, walk] = [found.sum, found.walks].map(|s| s / f64::from(found.all));
    println!(
        "{name}: {} paths, {} over links; whole mean {mean:.4} worst {:.4}; walks mean {walk:.4} worst {:.4}, {} legs, {} stood in for",
        found.all, found.linked, found.worst, found.worst_walk, found.legs, found.stood_in
    );
    println!(
        "{name}: entries of shortest paths, whole paths and first legs {:?}, at most {} for a leg",
        found.entries, found.most
    );
    assert!(mean <= 1.01 && walk <= 1.01, "{name}: {mean} {walk}");
    assert!(
        found.worst <= 1.1 && found.worst_walk <= 1.1,
        "{name}: {} {}",
        found.worst,
        found.worst_walk
    );
    assert!(found.stood_in * 50 <= found.all, "{name}: {}", found.stood_in);
}

#[test]
fn ways_over_links_are_at_most_a_tenth_longer_than_the_shortest() {
    for name in ["office", "dungeon", "castle", "tower"] {
        for cheap in [false, true] {
            let mut all = Compared::default();
            for seed in 0..4 {
                let mut random = Random::new(seed);
                let links = links(name, 20, cheap, &mut random);
                let bytes = baked(name, &links);
                let blob = Blob::open_checked(&bytes).unwrap();
                let nav = blob.decode(0).unwrap();
                let query = NavQuery::new(nav.mesh());
                assert!(query.mesh().link_count() >= 30);
                all.add(&compare(&query, 100, &mut random));
            }
            assert!(all.linked > 20, "{}", all.linked);
            judge(
                &format!(
                    "{name}, links {}",
                    if cheap { "of any cost" } else { "as long as they cost" }
                ),
                &all,
            );
        }
    }
}

/// Storeys that links alone lead to.
#[test]
fn storeys_that_hang_together_by_links_are_rooms_that_links_lead_between() {
    for (folder, config, level) in [
        ("mall", "bake.toml", "mall.obj"),
        ("tower", "bake.toml", "tower.obj"),
        ("tunnels", "chain.toml", "chain.map"),
        ("tunnels", "tunnel.toml", "tunnel.map"),
    ] {
        let folder = fixtures().join(folder);
        let config = std::fs::read_to_string(folder.join(config)).unwrap();
        let config = format!("{config}\n[rooms]\nenabled = true\n");
        let bytes = bake(
            source(&folder.join(level)),
            &Config::parse(&config).unwrap(),
            &Options::default(),
        )
        .unwrap()
        .bytes;
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        let found = compare(&query, 300, &mut Random::new(7));
        assert!(found.linked > 10, "{level}: {found:?}");
        judge(level, &found);
    }
}

#[test]
fn links_that_switches_close_are_not_taken() {
    let mut random = Random::new(5);
    let text = links("castle", 12, true, &mut random);
    let bytes = baked("castle", &text);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new();
    let mut all = Compared::default();
    for closed in 0..16 {
        filter.set_blocked(&mesh, &[closed], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        all.add(&compare(&query, 20, &mut random));
    }
    assert!(all.linked > 50);
    judge("castle, switches", &all);
}

/// Drops and jumps that were found, hundreds of them.
#[test]
fn levels_of_games_are_crossed_over_drops_and_jumps() {
    let Some(data) = data("levels_of_games_are_crossed_over_drops_and_jumps") else {
        return;
    };
    for (name, more) in [("synthetic_tower.obj", ""), ("sauerbraten_pandora.obj", "scale = 0.05\n")]
    {
        let text = format!("{more}[rooms]\nenabled = true\n[[agent]]\ndrop = 4.0\njump = 2.0\n");
        let config = Config::parse(&text).unwrap();
        let baked =
            bake_file(&data.join("meshes").join(name), &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        let found = compare(&query, 200, &mut Random::new(3));
        println!(
            "{name}: {} links, {} rooms",
            query.mesh().link_count(),
            blob.rooms(0).unwrap().count()
        );
        assert!(found.linked > 3, "{name}: {found:?}");
        judge(name, &found);
    }
}
