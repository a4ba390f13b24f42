//! Whether there is a path at all, over one-way links and around blocked ground, compared with a
//! plain search from face to face.

use navbake_search::blob::{AreaId, Blob};
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene;
use navbake_testkit::scene::{Mix, Scene};
use proptest::prelude::*;
use std::collections::BTreeSet;

use crate::a_star::CORRIDOR;

/// All faces that are reached from a face, itself included.
fn comes_to(scene: &Scene, from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(f) = open.pop() {
        let over = (0..scene.faces[f].corners.len()).filter_map(|k| scene.open(f, k));
        let links = scene.links.iter().filter(|l| l.face == f);
        let links = links.filter(|l| scene.can_take(l)).map(|l| l.beyond);
        for next in over.chain(links) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

const NO: f64 = f64::INFINITY;

/// Rows of weights as a game may have them: for all, for one agent, for a task.
fn weigh(scene: &mut Scene, random: &mut Random) {
    let row = |random: &mut Random| [0; 3].map(|_| [1.0, 2.0, NO][random.below(3)]);
    for (name, agent) in
        [("", None), ("", Some(0)), ("", Some(1)), ("haste", None), ("haste", Some(1))]
    {
        if random.chance(40) {
            scene.weights.push((name, agent, row(random)));
        }
    }
}

/// Asks about all pairs of faces, for every agent of the blob and for some that it does not have.
fn check_scene(scene: &mut Scene, random: &mut Random) {
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let faces = scene.faces.len();
    for _ in 0..4 {
        scene.agents = [1, 2, 3, u32::MAX][random.below(4)];
        let agent = if scene.agents == 2 { 1 } else { 0 };
        let row = blob.weights_for(["", "haste"][random.below(2)], agent);
        let mut filter = QueryFilter::new();
        filter.set_agents(scene.agents);
        row.iter().for_each(|row| filter.set_weights(row));
        // For all agents at once each row of any of them is known.
        let mut known = true;
        if random.chance(20) && !scene.areas.is_empty() {
            filter.set_cost(AreaId(random.below(3) as u8), NO).unwrap();
            known = false;
        }
        let switches = match random.chance(30) {
            true => random.below(8) as u64,
            false => 0,
        };
        let blocks = switches != 0 || random.chance(50);
        let areas = if blocks && random.chance(50) { filter.forbidden() } else { 0 };
        scene.forbid(switches, areas, filter.forbidden());
        let switched = scene
            .doors
            .iter()
            .map(|d| d.2)
            .chain(scene.closures.iter().map(|c| c.1))
            .chain(scene.links.iter().filter_map(|l| l.switch))
            .any(|s| switches >> s & 1 == 1);
        if blocks {
            filter.set_blocked(open.mesh(), &[switches], areas).unwrap();
        }
        let query = open.with_filter(&filter);
        for from in 0..faces {
            let reached = comes_to(scene, from);
            let start = scene.point_in(random, from);
            let start = scene.place(&query, from, start);
            for to in 0..faces {
                let goal = scene.point_in(random, to);
                let goal = scene.place(&query, to, goal);
                let truth = reached.contains(&to);
                let known_answer = query.connected(&start, &goal);
                assert!(
                    known_answer.is_none_or(|known_answer| known_answer == truth),
                    "{from} to {to}: {known_answer:?}"
                );
                assert!(query.reachable(&start, &goal) || !truth);
                // Of ground that is forbidden only a search knows what more of it leads to.
                let both = [from, to].iter().all(|&f| scene.closed.holds(f));
                assert!(
                    known_answer.is_some() || switched || !known || both,
                    "{from} to {to} is not known"
                );
                if random.chance(5) {
                    for planner in [Algorithm::weighted(Algorithm::GAP), CORRIDOR] {
                        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner);
                        let answer =
                            query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
                        let status = if truth { Status::Reached } else { Status::Unreachable };
                        assert_eq!(answer.status, status, "{planner:?}, {from} to {to}");
                        // An answer known beforehand needs no search.
                        assert!(known_answer != Some(false) || answer.expanded == 0);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn ways_are_known_for_all_agents_and_rows_of_weights(
        seed in any::<u64>(), columns in 1..5usize, rows in 1..5usize, storeys in 1..4usize, blocked in 0..60u64, cut in 0..50u64,
        exchanged in 0..50u64, merged in 0..100u64, links in 0..24usize, doors in 0..30u64, closures in 0..15u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter: 2, blocked, cut, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.join(&mut random, links, 50);
        if random.chance(50) {
            scene.furnish(&mut random, doors, closures);
        }
        if random.chance(60) {
            let area = |_: &_| [0, 0, 0, 1, 2][random.below(5)];
            scene.areas = scene.faces.iter().map(area).collect();
            weigh(&mut scene, &mut random);
        }
        check_scene(&mut scene, &mut random);
    }
}

/// Plates side by side with a wall between each two of them.
fn plates(random: &mut Random) -> Scene {
    let mix = Mix {
        columns: 6,
        rows: 4,
        storeys: 3,
        jitter: 0,
        blocked: 0,
        cut: 100,
        exchanged: 0,
        merged: 0,
    };
    Scene::random(random, mix)
}

#[test]
fn drops_lead_down_and_not_up_again() {
    let mut random = Random(1);
    let mut scene = plates(&mut random);
    scene.join(&mut random, 1, 0);
    let link = scene.links[0].clone();
    scene.links.clear();
    // Down a stair of plates, one after the other, and one back up that only agent 1 may take.
    let last = scene.faces.len() - 1;
    let mut put = |from: usize, to: usize, agents| {
        let ends = [from, to].map(|f| scene.point_in(&mut random, f));
        scene.links.push(scene::links::SceneLink {
            face: from,
            from: ends[0],
            beyond: to,
            to: ends[1],
            agents,
            switch: None,
            ..link.clone()
        });
    };
    (0..last).for_each(|f| put(f, f + 1, 3));
    put(last, 0, 2);
    scene.links.sort_by_key(|l| l.face);
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(blob.decode(0).unwrap().leak());
    for from in 0..=last {
        for to in 0..=last {
            let [a, b] = [from, to].map(|f| {
                let p = scene.point_in(&mut random, f);
                scene.place(&query, f, p)
            });
            let [first, second, third] = [1, 2, 4].map(|agents| {
                let mut filter = QueryFilter::new();
                filter.set_agents(agents);
                filter
            });
            assert_eq!(query.with_filter(&first).connected(&a, &b), Some(from <= to));
            assert_eq!(query.with_filter(&second).connected(&a, &b), Some(true));
            // Whom no link is for, the blob does not know.
            assert_ne!(query.with_filter(&third).connected(&a, &b), Some(from != to));
            assert_eq!(query.connected(&a, &b), Some(true));
        }
    }
}
