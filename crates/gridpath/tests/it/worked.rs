//! The worked examples of the texts that `docs/seeds.md` names.

use crate::common::{Cells, distances, middle, view};
use navbake_format::GridMapView;
use navbake_gridpath::{
    GridAnswer, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize,
};
use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Heuristic, Status};

/// Asks for a path, cell by cell.
fn ask(
    view: &GridMapView<'_>,
    [from, to]: [[i64; 2]; 2],
    change: impl Fn(&mut GridRequest<'_>),
    check: impl Fn(&GridRequest<'_>, &GridAnswer<'_>),
) {
    let goals = [middle(to)];
    let mut request = GridRequest::new(middle(from), &goals, GridPlanner::Grid8);
    request.partial = true; // without jumps
    change(&mut request);
    let mut buffer = GridBuffer::new(GridScratchSize::with_turns(view));
    let answer = GridQuery::new(*view).find_path(&request, &mut buffer).unwrap();
    assert_eq!(answer.status, Status::Reached);
    check(&request, &answer);
}

/// How many cells a search expands on open ground of 41 x 41 cells of one cost, where a step ahead
/// is taken to cost a given number.
fn expanded(ground: f64, ahead: f64) -> u32 {
    let map = Cells::rows(&[".".repeat(41).as_str(); 41]);
    let bytes = map.bake();
    let count = std::cell::Cell::new(0);
    let change = |r: &mut GridRequest<'_>| {
        r.a_star.ahead = Ahead::Typical(ahead);
        if ground == 8.0 {
            r.costs = &[8.0];
        }
    };
    ask(&view(&bytes), [[14, 20], [26, 20]], change, |_, answer| {
        assert_eq!(answer.cost, 12.0 * ground);
        count.set(answer.expanded);
    });
    count.get()
}

/// Stout's figures 3.3.2 and 3.3.3: on clear ground an estimate of 0 spreads in a circle, and one
/// of 1 a square leads straight there. Where all ground costs 8, an estimate of 1 spreads nearly as
/// without one, and one of 5 is focused.
#[test]
fn where_all_ground_costs_8_an_estimate_of_5_is_focused_and_one_of_1_is_not() {
    let [blind, exact] = [0.0, 1.0].map(|ahead| expanded(1.0, ahead));
    assert_eq!(exact, 13);
    assert!(blind > 400, "{blind}");
    let [blind_at_8, of_one, of_five, of_eight] = [0.0, 1.0, 5.0, 8.0].map(|a| expanded(8.0, a));
    assert_eq!((blind_at_8, of_eight), (blind, exact));
    assert!(3 * of_one > 2 * blind && 4 * of_five < blind, "{of_one} {of_five} of {blind}");
}

/// The map of eight by eight cells in *Pathfinding II*: the cells that its search closes are free,
/// all others cost. With the greater of dx and dy as the estimate the goal is the 15th cell.
#[test]
fn the_free_path_through_eight_by_eight_cells_ends_at_the_15th_cell() {
    let map = Cells::rows(&[
        ".9999999", ".9999999", ".999.999", "..9.9.99", "9...9.99", "99999.99", "999999.9",
        "9999999.",
    ]);
    const COSTS: [f64; 10] = [0.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0];
    let bytes = map.bake();
    let ends = [[0, 0], [7, 7]];
    let longest = |r: &mut GridRequest<'_>| {
        r.costs = &COSTS;
        r.diagonal_cost = 1.0;
        r.corner_cutting = true;
        r.a_star.heuristic = Heuristic::LongestAxis;
        r.a_star.ahead = Ahead::Typical(1.0);
    };
    ask(&view(&bytes), ends, longest, |_, answer| {
        assert_eq!((answer.cost, answer.cells.len()), (0.0, 12));
        assert!(answer.expanded <= 15, "{}", answer.expanded);
    });
    let least = |r: &mut GridRequest<'_>| {
        longest(r);
        r.a_star.ahead = Ahead::Least;
    };
    ask(&view(&bytes), ends, least, |_, answer| {
        assert!(answer.cost == 0.0 && answer.certified_optimal);
    });
}

/// The tutorial's maze: two ways of one length, until the upper one leads through water at 10 a
/// cell.
#[test]
fn water_that_costs_10_sends_the_path_the_other_way() {
    for (rows, wet) in [
        (["#####", "#...#", "..#..", "#...#", "#####"], false),
        (["#####", "#.1.#", "..#..", "#...#", "#####"], true),
    ] {
        let map = Cells::rows(&rows);
        let bytes = map.bake();
        let ends = [[0, 2], [4, 2]];
        for order in [Order::AStar, Order::Dijkstra] {
            let change = |r: &mut GridRequest<'_>| {
                r.planner = GridPlanner::Grid4;
                r.costs = &[1.0, 10.0];
                r.a_star = AStar { order, heuristic: Heuristic::Manhattan, ..AStar::default() };
            };
            ask(&view(&bytes), ends, change, |request, answer| {
                let best = distances(&map, ends[0], request)[map.index(ends[1])];
                assert_eq!((answer.cost, best), (6.0, 6.0));
                let rows = answer.cells.iter().map(|&cell| view(&bytes).column_row(cell)[1]);
                assert!(!wet || rows.clone().all(|row| row >= 2), "{:?}", rows.collect::<Vec<_>>());
            });
        }
    }
}
