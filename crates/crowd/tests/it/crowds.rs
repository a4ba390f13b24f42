//! Crowds in rooms, around each other and through doors.

use navbake_crowd::{Crowd, State};
use navbake_search::{NavQuery, Scratch};

use crate::kit::{RADIUS, STEP, all_on_ground, at, body, overlap, rooms, send};

#[test]
fn a_ring_of_units_swaps_over() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    for count in [2, 20] {
        let mut crowd = Crowd::new(STEP);
        let ends: Vec<[f64; 2]> = (0..count)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
                [6.0 + 5.0 * angle.cos(), 7.0 + 5.0 * angle.sin()]
            })
            .collect();
        let ids: Vec<_> =
            ends.iter().map(|&p| crowd.add(&query, at(&query, p), body()).unwrap()).collect();
        for (k, &id) in ids.iter().enumerate() {
            let [x, z] = ends[(k + ids.len() / 2) % ids.len()];
            send(&mut crowd, &query, id, [x, 0.0, z], &mut scratch);
        }
        let mut deepest = f64::NEG_INFINITY;
        let mut steps = 0;
        while steps < 600 && ids.iter().any(|&id| crowd.state(id) != Some(State::Arrived)) {
            crowd.step(&query, &mut scratch);
            assert!(all_on_ground(&query, &crowd));
            deepest = deepest.max(overlap(&crowd));
            steps += 1;
        }
        println!("{count}: {steps} steps, deepest overlap {deepest}");
        assert!(steps < 300 && deepest <= 0.05, "{count}: {steps} steps, overlap {deepest}");
    }
}

#[test]
fn two_hundred_units_through_a_door() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut crowd = Crowd::new(STEP);
    let mut ids = vec![];
    for k in 0..200 {
        let [x, z] = [0.6 + 0.6 * f64::from(k % 16), 0.6 + 0.7 * f64::from(k / 16)];
        let id = crowd.add(&query, at(&query, [x, z]), body()).unwrap();
        ids.push(id);
    }
    for &id in &ids {
        send(&mut crowd, &query, id, [-16.0, 0.0, 7.0], &mut scratch);
    }
    let mut worst = 0.0f64;
    for step in 0..3000 {
        crowd.step(&query, &mut scratch);
        assert!(all_on_ground(&query, &crowd));
        let lost: Vec<_> =
            ids.iter().copied().filter(|&id| crowd.state(id) == Some(State::Astray)).collect();
        for &id in &lost {
            send(&mut crowd, &query, id, [-16.0, 0.0, 7.0], &mut scratch);
        }
        let deep = overlap(&crowd);
        worst = worst.max(deep);
        let through =
            ids.iter().filter(|&&id| crowd.place(id).unwrap().position()[0] < 0.0).count();
        let arrived = ids.iter().filter(|&&id| crowd.state(id) == Some(State::Arrived)).count();
        if step % 100 == 99 {
            println!(
                "{step}: through {through} arrived {arrived} overlap {deep:.3} worst {worst:.3} lost {}",
                lost.len()
            );
        }
        if arrived == 200 {
            break;
        }
    }
    assert!(RADIUS > 1.0);
}
