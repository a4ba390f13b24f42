//! The path of one unit for another: every step is allowed, and its cost is that of its steps.

use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_search::Status;
use navbake_testkit::Random;

use crate::common::{Cells, cost_of, middle, view};

#[test]
fn paths_for_units_that_follow_take_allowed_steps_from_their_start_to_their_end() {
    let random = &mut Random(77);
    let (mut asked, mut fitted) = (0, 0);
    for round in 0..400 {
        let (width, height) = (4 + random.below(20), 4 + random.below(20));
        let blocked = random.below(40) as u64;
        let free: Vec<bool> = (0..width * height).map(|_| !random.chance(blocked)).collect();
        let terrain: Vec<u8> = free.iter().map(|_| random.below(3) as u8).collect();
        let map = Cells { width, free, terrain };
        let open: Vec<usize> = (0..map.free.len()).filter(|&k| map.free[k]).collect();
        if open.is_empty() {
            continue;
        }
        let bytes = map.bake();
        let query = GridQuery::new(view(&bytes));
        let mut buffer = GridBuffer::new(GridScratchSize::with_turns(query.map()));
        for _ in 0..10 {
            let mut cell = || map.cell(open[random.below(open.len())]);
            let [from, to, own, end] = [cell(), cell(), cell(), cell()];
            let goals = [middle(to)];
            let planner = [GridPlanner::Grid4, GridPlanner::Grid8][random.below(2)];
            let mut request = GridRequest {
                costs: [&[][..], &[1.0, 2.5, 4.0]][random.below(2)],
                turn_penalty: [0.0, 0.5][random.below(2)],
                corner_cutting: random.chance(30),
                ..GridRequest::new(middle(from), &goals, planner)
            };
            request.a_star.reverse = random.chance(40);
            let mut search = query.start_path(&request, &mut buffer).unwrap();
            search.step(&query, &mut buffer, u32::MAX);
            if search.path(&query, &mut buffer).status != Status::Reached {
                continue;
            }
            let end = query.map().id(end).unwrap();
            // Twice: the first one leaves what the search has seen as it was.
            for _ in 0..2 {
                asked += 1;
                let path = search.fitted(&query, middle(own), Some(end), &mut buffer);
                let Some(path) = path else {
                    assert!(blocked > 0, "nothing is in the way: round {round}");
                    continue;
                };
                fitted += 1;
                let at = |&cell| query.map().column_row(cell).map(i64::from);
                let cells: Vec<[i64; 2]> = path.cells.iter().map(at).collect();
                assert_eq!((cells[0], *cells.last().unwrap()), (own, at(&end)));
                let cost = cost_of(&map, &cells, &request).expect("steps that are allowed");
                assert!((cost - path.cost).abs() < 1e-9 * (1.0 + cost), "{cost} {}", path.cost);
                assert!(!path.certified_optimal && path.bound <= cost);
            }
        }
    }
    assert!(asked > 4000 && fitted * 3 > asked, "{fitted} of {asked}");
}

#[test]
fn a_search_that_reached_nothing_has_no_path_for_others() {
    let map = Cells::rows(&["..#.."]);
    let bytes = map.bake();
    let query = GridQuery::new(view(&bytes));
    let mut buffer = GridBuffer::new(GridScratchSize::of(query.map()));
    let goals = [middle([4, 0])];
    let request = GridRequest {
        partial: true,
        ..GridRequest::new(middle([0, 0]), &goals, GridPlanner::Grid8)
    };
    let mut search = query.start_path(&request, &mut buffer).unwrap();
    assert_eq!(search.step(&query, &mut buffer, 1), Status::Looking);
    assert!(search.fitted(&query, middle([1, 0]), None, &mut buffer).is_none());
    assert_eq!(search.step(&query, &mut buffer, 9), Status::Partial);
    assert!(search.fitted(&query, middle([1, 0]), None, &mut buffer).is_none());
}
