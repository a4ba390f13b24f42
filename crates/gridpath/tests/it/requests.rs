//! Requests with odd numbers, over damaged maps, with scratch that was used before.

use crate::common::{Cells, view};
use crate::paths::{ask, buffer};
use navbake_format::{Blob, CellShape};
use navbake_gridpath::{GridPlanner, GridQuery, GridRequest};
use navbake_search::{AStar, Heuristic, Status};

#[test]
fn what_is_in_the_scratch_does_not_matter() {
    let map = Cells::rows(&["..0..1..", ".##.#.1.", "...#..0.", "1.#..#.."]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut used = buffer(&view);
    let n = map.free.len();
    for (from, to) in (0..n * n).map(|k| (map.cell(k / n), map.cell(k % n))) {
        for penalty in [0.0, 0.5] {
            let change = |r: &mut GridRequest<'_>| {
                r.turn_penalty = penalty;
                r.costs = &[1.0, 1.5];
            };
            let again = ask(&view, from, to, change, &mut used);
            let mut fresh = buffer(&view);
            assert_eq!(ask(&view, from, to, change, &mut fresh), again);
        }
    }
}

#[test]
fn requests_that_make_no_sense_are_answered() {
    let map = Cells::rows(&["...", ".#1"]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, -1.0, 0.0, 1e300, 1e-300, 2000.0];
    for v in odd {
        let costs = [v, 1.0];
        for goals in [&[][..], &[[v; 3]], &[[0.5; 3], [v; 3]], &[[0.5; 3]; 70]] {
            for from in [[0.5; 3], [2.5, 0.0, 0.5], [v; 3]] {
                for costs in [&[][..], &costs, &costs[..1]] {
                    for partial in [false, true] {
                        let request = GridRequest {
                            a_star: AStar {
                                weight: v,
                                heuristic: Heuristic::Octile,
                                ..AStar::default()
                            },
                            diagonal_cost: v,
                            turn_penalty: v,
                            costs,
                            partial,
                            ..GridRequest::new(from, goals, GridPlanner::Grid8)
                        };
                        let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
                        assert!(answer.cost.is_finite() && answer.bound.is_finite());
                        if goals.is_empty() {
                            assert_eq!(answer.status, Status::OffMesh);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn damaged_maps_that_pass_validate_can_be_queried() {
    let map = Cells::rows(&["..0..1..", ".##.#.1.", "...#..0.", "1.#..#.."]);
    let bytes = map.bake();
    let start = bytes.len() - 300;
    let mut passed = 0;
    for at in start..bytes.len() {
        for value in [0, 1, 3, 0x11, 0x40, 0x7F, 0xFF, bytes[at] ^ 4, bytes[at] ^ 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let Ok(blob) = Blob::open_checked(&damaged) else {
                continue;
            };
            passed += 1;
            let view = blob.grid_map().unwrap();
            let mut buffer = buffer(&view);
            for (from, to) in [([0, 0], [7, 3]), ([7, 0], [0, 2]), ([3, 1], [-5, 9])] {
                for penalty in [0.0, 0.5] {
                    let change = |r: &mut GridRequest<'_>| {
                        r.turn_penalty = penalty;
                        r.partial = true;
                        r.costs = &[1.0, 2.0];
                        if view.shape() == CellShape::Hexagon {
                            r.planner = GridPlanner::Hex;
                            r.a_star.heuristic = Heuristic::Manhattan;
                        }
                    };
                    ask(&view, from, to, change, &mut buffer);
                }
            }
        }
    }
    assert!(passed > 300, "the test must reach the queries: {passed}");
}
