//! Cheapest paths over ground of different weights: their bounds beside a plain, fine graph.
use navbake_search::blob::{AreaId, Blob};
use navbake_search::{
    Algorithm, Error, NavPath, NavPoint, NavQuery, PathRequest, PolyId, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene::{Mix, Scene, UNITS};
use proptest::prelude::*;

use crate::a_star::{CORRIDOR, MIDPOINTS};

/// Parts into which points of the graph divide every edge.
const PARTS: usize = 8;

/// A place of the graph, its height, and the faces under it.
struct Node {
    at: [f64; 2],
    up: f64,
    faces: Vec<usize>,
}

/// A height in grid units.
fn up(place: &NavPoint) -> f64 {
    place.position()[1] * UNITS
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// The cost of the cheapest path through points on edges and over links, grid units: never less
/// than that of the cheapest path.
fn fine(case: &Case, query: &NavQuery<'_>) -> f64 {
    let Case { scene, weights, faces: [from, to], ends, .. } = case;
    let (from, to, [uphill, downhill]) = (*from, *to, case.costs.slopes());
    let height = |f: usize, p: [i32; 2]| up(&scene.place(query, f, p));
    let climb = |a: f64, b: f64| uphill * (b - a).max(0.0) + downhill * (a - b).max(0.0);
    // Forbidden ground can be left, not entered from other ground.
    let allowed = |f: usize| weights[f].is_finite();
    let enters = |f: usize, g: usize| allowed(g) || !allowed(f);
    let float = |p: [i32; 2]| p.map(f64::from);
    let mut nodes = vec![Node { at: float(ends[0]), up: height(from, ends[0]), faces: vec![from] }];
    for (f, face) in scene.faces.iter().enumerate() {
        for (k, &beyond) in face.beyond.iter().enumerate() {
            let Some(g) = beyond.filter(|&g| enters(f, g)) else {
                continue;
            };
            let (a, b) = (float(scene.corner(f, k)), float(scene.corner(f, k + 1)));
            // At a step midway between both sides.
            let other = |p: [i32; 2]| {
                let n = scene.faces[g].corners.len();
                let same = (0..n).find(|&k| scene.corner(g, k) == p);
                scene.vertex(g, same.expect("a corner of both"))[1]
            };
            let ends = [k, k + 1].map(|k| {
                let here = scene.vertex(f, k);
                f64::from(here[1] + other([here[0], here[2]])) / 2.0
            });
            for part in 0..=PARTS {
                let t = part as f64 / PARTS as f64;
                let at = [0, 1].map(|c| a[c] + t * (b[c] - a[c]));
                // Crossed in one direction: from this face, which may be one that can only be left.
                nodes.push(Node { at, up: ends[0] + t * (ends[1] - ends[0]), faces: vec![f, g] });
            }
        }
    }
    let first_link = nodes.len();
    for link in &scene.links {
        nodes.push(Node {
            at: float(link.from),
            up: height(link.face, link.from),
            faces: vec![link.face, link.beyond],
        });
    }
    let mut best = vec![f64::INFINITY; nodes.len()];
    let mut done = vec![false; nodes.len()];
    best[0] = 0.0;
    let mut goal = f64::INFINITY;
    loop {
        let open = (0..nodes.len()).filter(|&n| !done[n] && best[n].is_finite());
        let Some(n) = open.min_by(|&a, &b| best[a].total_cmp(&best[b])) else {
            return goal;
        };
        done[n] = true;
        // Where the path goes on, and on which face.
        let face = *nodes[n].faces.last().unwrap();
        let (out, level, g) = match n.checked_sub(first_link) {
            Some(link) => {
                let link = &scene.links[link];
                let level = height(link.beyond, link.to);
                (float(link.to), level, best[n] + link.cost * UNITS)
            }
            None => (nodes[n].at, nodes[n].up, best[n]),
        };
        let weight = if allowed(face) { weights[face] } else { least(weights) };
        if face == to {
            let rise = climb(level, height(to, ends[1]));
            goal = goal.min(g + weight * distance(out, float(ends[1])) + rise);
        }
        for m in 1..nodes.len() {
            if nodes[m].faces[0] == face && enters(face, nodes[m].faces[1]) {
                let way = weight * distance(out, nodes[m].at) + climb(level, nodes[m].up);
                best[m] = best[m].min(g + way);
            }
        }
    }
}

fn least(weights: &[f64]) -> f64 {
    let finite = weights.iter().copied().filter(|w| w.is_finite());
    finite.reduce(f64::min).unwrap_or(1.0)
}

fn asks() -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::weighted(Algorithm::GAP))
}

struct Case {
    scene: Scene,
    costs: QueryFilter,
    weights: Vec<f64>,
    faces: [usize; 2],
    ends: [[i32; 2]; 2],
}

fn case(seed: u64, mix: Mix, links: usize, hills: i32) -> Option<Case> {
    let mut random = Random(seed);
    let mut scene = Scene::random(&mut random, mix);
    if scene.faces.is_empty() {
        return None;
    }
    if hills > 0 {
        let hill = |random: &mut Random| random.below(hills as usize) as i32;
        scene.hills = scene.points.iter().map(|_| hill(&mut random)).collect();
    }
    scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
    scene.join(&mut random, links, 50);
    let mut costs = QueryFilter::new();
    for area in 0..3 {
        let weight = [0.5, 1.0, 1.5, 3.0, 8.0, f64::INFINITY][random.below(6)];
        costs.set_cost(AreaId(area), weight).unwrap();
    }
    if hills > 0 {
        let [uphill, downhill] = [0; 2].map(|_| [0.0, 0.5, 1.0, 3.0, 10.0][random.below(5)]);
        costs.set_slopes(uphill, downhill).unwrap();
    }
    let weights = (scene.areas.iter()).map(|&area| costs.area_cost(AreaId(area))).collect();
    let faces = [0; 2].map(|_| random.below(scene.faces.len()));
    let ends = faces.map(|f| scene.point_in(&mut random, f));
    Some(Case { scene, costs, weights, faces, ends })
}

impl Case {
    fn places(&self, query: &NavQuery<'_>) -> [NavPoint; 2] {
        [0, 1].map(|k| self.scene.place(query, self.faces[k], self.ends[k]))
    }
}

fn measured(answer: &NavPath<'_>) -> (Status, [u64; 3], Vec<[f64; 3]>, Vec<PolyId>) {
    let numbers = [answer.cost, answer.bound, answer.length_xz].map(f64::to_bits);
    (answer.status, numbers, answer.points.to_vec(), answer.polygons.to_vec())
}

fn check(seed: u64, mix: Mix, links: usize, hills: i32) -> Result<(), TestCaseError> {
    let Some(case) = case(seed, mix, links, hills) else {
        return Ok(());
    };
    let bytes = case.scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(blob.decode(0).unwrap().leak()).with_filter(&case.costs);
    let mut scratch = Scratch::new();
    let [start, goal] = case.places(&query);
    let fine = fine(&case, &query) / UNITS;
    let answer = query.find_path_between(&start, &goal, &asks(), &mut scratch).unwrap();
    prop_assert_eq!(answer.status == Status::Reached, fine.is_finite());
    if answer.status != Status::Reached {
        return Ok(());
    }
    let slack = 1e-9 * fine + 1e-9;
    prop_assert!(answer.bound <= fine + slack, "{} {fine}", answer.bound);
    prop_assert!(answer.cost <= (fine + slack) * (1.0 + answer.gap()), "{} {fine}", answer.cost);
    prop_assert!(answer.bound <= answer.cost);
    prop_assert!(!answer.certified_optimal || answer.cost <= fine + slack);
    // A path is where it says, so that it costs no less than the bound: ends and all.
    prop_assert_eq!(answer.points.first().copied(), Some(start.position()));
    prop_assert_eq!(answer.points.last().copied(), Some(goal.position()));
    let whole = measured(&answer);

    // In steps, and with a scratch that was used for something else, it is the same.
    let mut search = query.start_path_between(&start, &goal, &asks(), &mut scratch).unwrap();
    let mut steps = Random(seed);
    while search.step(&query, &mut scratch, 1 + steps.below(40) as u32) == Status::Looking {
        let so_far = search.path(&query, &mut scratch);
        prop_assert!(so_far.bound <= fine + slack);
    }
    prop_assert_eq!(measured(&search.path(&query, &mut scratch)), whole);

    // One search for the costs to several places is as right.
    let mut random = Random(seed ^ 1);
    let mut goals = vec![goal];
    for _ in 0..4 {
        let face = random.below(case.scene.faces.len());
        let point = case.scene.point_in(&mut random, face);
        goals.push(case.scene.place(&query, face, point));
    }
    let mut costs = vec![None; goals.len()];
    let gap = query.distances(&start, &goals, &mut costs, &mut scratch);
    prop_assert!(costs[0].is_some_and(|cost| cost <= (fine + slack) * (1.0 + gap)));
    for (to, cost) in goals.iter().zip(costs) {
        let path = query.find_path_between(&start, to, &asks(), &mut scratch).unwrap();
        prop_assert_eq!(cost.is_some(), path.status == Status::Reached);
        let Some(cost) = cost else { continue };
        prop_assert!(cost >= path.bound - slack, "{} {}", cost, path.bound);
        prop_assert!(cost <= path.cost * (1.0 + gap) + slack, "{} {} {}", cost, path.cost, gap);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_path_over_a_fine_graph_undercuts_the_bound(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, blocked in 0..30u64,
        cut in 0..20u64, exchanged in 0..50u64, merged in 0..100u64,
    ) {
        let mix = Mix { columns, rows, storeys, jitter: 3, blocked, cut, exchanged, merged };
        check(seed, mix, 0, 0)?;
    }

    #[test]
    fn no_path_over_hills_undercuts_the_bound(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, blocked in 0..30u64,
        exchanged in 0..50u64, merged in 0..100u64, links in 0..3usize, hills in 1..80i32,
    ) {
        let mix = Mix { columns, rows, storeys, jitter: 3, blocked, cut: 10, exchanged, merged };
        check(seed, mix, links, hills)?;
    }

    #[test]
    fn links_cost_what_they_cost(
        seed in any::<u64>(), columns in 1..5usize, rows in 1..5usize, storeys in 1..3usize, blocked in 0..30u64, links in 1..6usize,
    ) {
        let mix = Mix { columns, rows, storeys, jitter: 3, blocked, cut: 10, exchanged: 20, merged: 50 };
        check(seed, mix, links, 0)?;
    }
}

/// A strip of mud across a field, 5 m wide, on both sides of which there are 15 m of meadow.
fn strip() -> Scene {
    let mix = Mix {
        columns: 20,
        rows: 20,
        storeys: 1,
        jitter: 0,
        blocked: 0,
        cut: 0,
        exchanged: 0,
        merged: 100,
    };
    let mut scene = Scene::random(&mut Random(2), Mix { merged: 0, ..mix });
    let middle = |f: usize| {
        let x: i32 = (0..3).map(|k| scene.corner(f, k)[0]).sum();
        (3 * 32 * 8..3 * 32 * 12).contains(&x)
    };
    scene.areas = (0..scene.faces.len()).map(|f| u8::from(middle(f))).collect();
    scene
}

/// The strip, mud that costs 2 in its middle, and a place on either side.
fn across_strip(bytes: &[u8]) -> (NavQuery<'_>, QueryFilter, [NavPoint; 2]) {
    let open = NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak());
    let mut costs = QueryFilter::new();
    costs.set_cost(AreaId(1), 2.0).unwrap();
    let places = [[4.0, 0.0, 4.0], [36.0, 0.0, 36.0]];
    let places = places.map(|p| open.locate(p, 1.0).expect("on the mesh"));
    (open, costs, places)
}

#[test]
fn across_a_strip_the_path_bends_as_snell_says() {
    let bytes = strip().bake();
    let (open, costs, [west, east]) = across_strip(&bytes);
    let query = open.with_filter(&costs);
    let mut scratch = Scratch::new();
    // 12 m of meadow, 8 m of mud, 12 m of meadow: the distance along the mud, from 0 to
    // 32 m.
    let cost = |along: f64| 2.0 * 8f64.hypot(along) + 24f64.hypot(32.0 - along);
    let best = (0..=320_000).map(|k| cost(f64::from(k) / 1e4)).fold(f64::INFINITY, f64::min);
    for gap in [0.05, 0.02] {
        let answer = query
            .find_path_between(
                &west,
                &east,
                &asks().algorithm(Algorithm::weighted(gap)),
                &mut scratch,
            )
            .unwrap();
        assert_eq!((answer.status, answer.algorithm), (Status::Reached, Algorithm::weighted(gap)));
        assert!(!answer.certified_optimal);
        assert!(answer.bound <= best, "{} {best}", answer.bound);
        let most = best * (1.0 + answer.gap());
        assert!(best - 1e-3 <= answer.cost && answer.cost <= most, "{} {best}", answer.cost);
    }
    let optimal = asks().algorithm(Algorithm::Optimal);
    let refused = query.find_path_between(&west, &east, &optimal, &mut scratch);
    assert_eq!(refused, Err(Error::Costs));
    let plain = open.find_path_between(&west, &east, &asks(), &mut scratch).unwrap();
    assert!(plain.certified_optimal && plain.algorithm == Algorithm::Optimal);
}

/// A ridge across the field, 8 m high and 8 m wide, with a pass at its one end where it is only 1 m
/// high.
fn ridge() -> Scene {
    let mut scene = strip();
    scene.areas.clear();
    let hill = |p: &[i32; 2]| match (p[0] / 32, p[1] / 32) {
        (10, 0..3) => 16,
        (10, _) => 8 * 16,
        _ => 0,
    };
    scene.hills = scene.points.iter().map(hill).collect();
    scene
}

#[test]
fn up_a_ridge_or_around_it_whatever_is_cheaper() {
    let bytes = ridge().bake();
    let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let [west, east] = [[4.0, 0.0, 36.0], [36.0, 0.0, 36.0]].map(|p| open.locate(p, 1.0).unwrap());
    // (slopes, what the ridge costs straight over it, whether the pass pays): over the pass it is
    // at least 64.9 m.
    for (uphill, downhill, straight, around) in [
        (0.5, 0.0, 36.0, false),
        (0.0, 0.5, 36.0, false),
        (3.0, 0.0, 56.0, false),
        (10.0, 0.0, 112.0, true),
        (6.0, 6.0, 128.0, true),
    ] {
        let mut costs = QueryFilter::new();
        costs.set_slopes(uphill, downhill).unwrap();
        let query = open.with_filter(&costs);
        let answer = query.find_path_between(&west, &east, &asks(), &mut scratch).unwrap();
        assert_eq!(answer.algorithm, Algorithm::weighted(Algorithm::GAP));
        assert!(!answer.certified_optimal);
        assert!(answer.gap() <= 0.02, "{}", answer.gap());
        if around {
            let crest = uphill + downhill;
            assert!(answer.length_xz > 60.0 && answer.cost < answer.length_xz + 1.5 * crest);
        } else {
            assert!((answer.cost - straight).abs() < 0.05, "{}", answer.cost);
        }
        let (cost, bound) = (answer.cost, answer.bound);
        for planner in [CORRIDOR, MIDPOINTS] {
            let asked = asks().algorithm(planner);
            let other = query.find_path_between(&west, &east, &asked, &mut scratch).unwrap();
            assert!(
                other.cost >= bound && other.cost < 1.1 * straight,
                "{planner:?} {}",
                other.cost
            );
            assert_eq!(other.length_xz > 60.0, around, "{planner:?}");
        }
        // The same path back, with up and down exchanged, costs as much.
        let mut back = QueryFilter::new();
        back.set_slopes(downhill, uphill).unwrap();
        let query = open.with_filter(&back);
        let answer = query.find_path_between(&east, &west, &asks(), &mut scratch).unwrap();
        let measured = (answer.cost, answer.gap(), cost);
        assert!((answer.cost / cost - 1.0).abs() < 0.02, "{measured:?}");
    }
}
