//! Distances from many places to many on worlds that change, against single calls.

use navbake_search::around::Random as Draws;
use navbake_search::{Algorithm, Goals, NavPoint, NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;

use crate::changes::change;
use crate::kit::{Extras, world};

#[test]
fn rows_on_a_changed_world_are_single_calls() {
    let (mut random, mut draws) = (Random(40), Draws::new(40));
    let (mut goals, mut scratch, mut alone) = (Goals::default(), Scratch::new(), Scratch::new());
    let (mut reached, mut apart, mut looked_up, mut searched) = (0, 0, 0, 0);
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    for round in 0..240 {
        let scale = [1, 4, 16][round % 3];
        let links = if round % 5 == 0 { 2 } else { 0 };
        let extras = Extras { labels: round % 4 > 0, links, ..Extras::default() };
        let (scene, mut world) = world(&mut random, scale, extras);
        let mut kept = vec![];
        for _ in 0..4 {
            change(&mut random, &scene, &mut world, &mut kept, 40 * scale);
            world.commit();
            let mesh = world.nav_mesh();
            let query = NavQuery::new(mesh);
            let mut sums = vec![0; mesh.polygon_count() as usize];
            let areas = query.areas(&mut sums).expect("room for all");
            let places: Vec<NavPoint> =
                (0..12).filter_map(|_| query.random_place(&areas, &mut draws)).collect();
            goals.set(&query, &places, &mut scratch);
            for start in places.iter().take(3) {
                let mut row = vec![None; places.len()];
                query.distances_to(start, &goals, &mut row, &mut scratch);
                for (place, length) in places.iter().zip(row) {
                    let single = query.distance(start, place, &mut alone);
                    assert_eq!(length.map(f64::to_bits), single.map(f64::to_bits));
                    let path = query.find_path_between(start, place, &request, &mut alone);
                    let path = path.expect("a plain query");
                    assert_eq!(length.is_some(), path.status == Status::Reached);
                    let length = length.unwrap_or(path.cost);
                    assert!((length - path.cost).abs() <= 1e-13 * path.cost);
                    reached += usize::from(path.status == Status::Reached);
                    apart += usize::from(path.status != Status::Reached);
                    looked_up += usize::from(path.by_tables);
                    searched += usize::from(path.expanded > 0);
                }
            }
            // Goals of the mesh as it was.
            if kept.len() > 1
                && let Some(start) = places.first()
            {
                change(&mut random, &scene, &mut world, &mut kept, 40 * scale);
                world.commit();
                let query = NavQuery::new(world.nav_mesh());
                let mut row = vec![None; places.len()];
                query.distances_to(start, &goals, &mut row, &mut scratch);
            }
        }
    }
    let enough = reached > 4000 && apart > 800 && looked_up > 800 && searched > 800;
    assert!(enough, "{reached} {apart} {looked_up} {searched}");
}
