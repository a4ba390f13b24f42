//! Searches allocate nothing once their scratch exists.

use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_search::Status;
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;

use crate::common::{Cells, middle, view};

#[test]
fn paths_over_cells_allocate_nothing() {
    let mut random = Random(5);
    let map = Cells {
        width: 70,
        free: (0..70 * 40).map(|_| !random.chance(25)).collect(),
        terrain: (0..70 * 40).map(|_| random.below(3) as u8).collect(),
    };
    let bytes = map.bake();
    let view = view(&bytes);
    let query = GridQuery::new(view);
    let mut buffer = GridBuffer::new(GridScratchSize::with_turns(&view));
    let before = allocations();
    let mut reached = 0;
    for _ in 0..500 {
        let mut cell = || [random.below(70) as i64, random.below(40) as i64];
        let (from, to) = (cell(), [middle(cell()), [0.5; 3]]);
        let planner = [GridPlanner::Grid4, GridPlanner::Grid8][random.below(2)];
        let request = GridRequest {
            partial: random.chance(30),
            turn_penalty: [0.0, 0.5][random.below(2)],
            costs: [&[][..], &[1.0, 2.0, f64::INFINITY]][random.below(2)],
            ..GridRequest::new(middle(from), &to, planner)
        };
        let answer = query.find_path(&request, &mut buffer).unwrap();
        reached += usize::from(answer.status == Status::Reached);
    }
    let after = allocations();
    assert_eq!(after, before, "queries");
    assert!(reached > 100);
}
