use navbake_format::Blob;

use super::*;
use crate::scratch::Need;
use crate::scratch::sealed::Memory as _;
use crate::scratch::tests::{numbers, squares};
use crate::{Algorithm, PathRequest, Scratch};

/// Scratch in which there is room for every cone.
fn with_room(query: &NavQuery<'_>) -> Scratch {
    let mut scratch = Scratch::new();
    scratch.prepare(query.mesh(), Need::Goals(1));
    scratch.prepare(query.mesh(), Need::Optimal);
    while scratch.grow(Need::Optimal) {}
    scratch
}

const ROOMS: [&str; 5] = [".......##", ".#.##..#.", ".#..#....", ".##.##.#.", "......##."];

#[test]
fn budgets_do_not_change_the_answer() {
    let bytes = squares(&ROOMS);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let ends = [[0.5, 0.0, 4.5], [8.5, 0.0, 4.5]].map(|p| query.locate(p, 1.0).unwrap());
    let [from, to] = &ends;
    let mut scratch = Scratch::new();
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    let whole = query.find_path_between(from, to, &request, &mut scratch).unwrap();
    let (length, expanded, points) = (whole.length_xz, whole.expanded, whole.points.to_vec());
    assert_eq!(whole.status, Status::Reached);
    assert!(expanded > 5);
    for budget in [1, 7, 1000] {
        // Two searches of one mesh alternate, each with its own scratch.
        let mut scratches = [with_room(&query), with_room(&query)];
        let mut states = [0, 1].map(|i| State::begin(&query, from, to, &mut scratches[i].lend()));
        let mut outcomes = [None; 2];
        let mut steps = 0;
        while outcomes.iter().any(Option::is_none) {
            for i in 0..2 {
                if outcomes[i].is_none() {
                    outcomes[i] =
                        states[i].step(&query, None, &mut scratches[i].lend(), budget, false);
                }
            }
            steps += 1;
        }
        assert_eq!(steps > 1, budget < 10, "{budget}");
        for i in 0..2 {
            let outcome = outcomes[i].unwrap();
            let answer = states[i].answer(&query, from, to, &outcome, scratches[i].lend());
            assert_eq!(answer.status, Status::Reached);
            assert_eq!((answer.length_xz, answer.expanded), (length, expanded));
            assert_eq!(answer.points, points);
        }
    }
}

#[test]
fn blocks_off_the_way_are_not_marked() {
    let bytes = squares(&["...##", ".#.##", ".....", "..#.."]);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let polys = query.mesh().polys();
    let at = |x: f64, z: f64| query.locate([x, 0.0, z], 1.0).unwrap().polygon().0;
    let marked = |from, to| {
        let mut marks = [0];
        blocks::mark(polys, from, to, &mut marks);
        let through = |p: u32| {
            let border = polys.border(p).iter();
            border.filter(|e| blocks::is_marked(&marks, e.block)).count()
        };
        [(0.5, 0.5), (0.5, 3.5), (2.5, 2.5), (3.5, 2.5), (4.5, 3.5)].map(|(x, z)| through(at(x, z)))
    };
    // On the left all is one component; one portal connects the four squares on the right to it.
    let all = marked(at(0.5, 0.5), at(4.5, 3.5));
    assert!(all[0] > 0 && all[4] > 0);
    let right = marked(at(3.5, 2.5), at(4.5, 3.5));
    assert_eq!(right[0], 0);
    assert!(right[3] > 0 && right[4] > 0);
    assert_eq!(marked(at(2.5, 2.5), at(2.5, 2.5)), [0; 5]);
}

#[test]
fn cones_tell_the_bends_that_a_funnel_finds_in_their_corridor() {
    let mut below = numbers(1);
    let (mut turns, mut equal, mut asked) = (0, 0, 0);
    for _ in 0..60 {
        let rows: alloc::vec::Vec<alloc::string::String> = (0..7)
            .map(|_| (0..9).map(|_| if below(10) < 6 { '.' } else { '#' }).collect())
            .collect();
        let rows: alloc::vec::Vec<&str> = rows.iter().map(|row| row.as_str()).collect();
        let bytes = squares(&rows);
        let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
        let mut scratch = with_room(&query);
        for _ in 0..60 {
            // On corners, on borders and inside polygons.
            let ends = [(); 2].map(|()| [9, 7].map(|n| below(4 * n + 1) as f64 / 4.0));
            let [Some(from), Some(to)] = ends.map(|[x, z]| query.locate([x, 0.0, z], 1.0)) else {
                continue;
            };
            let mut lent = scratch.lend();
            let mut search = State::begin(&query, &from, &to, &mut lent);
            let outcome = search.step(&query, None, &mut lent, u32::MAX, false);
            let Some(Outcome::Reached(cone)) = outcome else {
                continue;
            };
            let corridor = trace(&query, cone, &to, &mut lent);
            let known = bends(&query, cone, [&from, &to], &corridor, &mut lent);
            asked += 1;
            let Some(count) = known else {
                continue;
            };
            equal += 1;
            let path = query.finish_with(&from, &to, corridor, Bend::Known(count), lent);
            let (points, length, along) =
                (path.points.to_vec(), path.length_xz, path.length_3d(&query));
            let mut lent = scratch.lend();
            let corridor = trace(&query, cone, &to, &mut lent);
            let pulled = query.finish(&from, &to, corridor, lent);
            assert_eq!(pulled.points, points, "{rows:?} {ends:?}");
            assert_eq!(pulled.length_xz, length);
            assert_eq!(pulled.length_3d(&query), along);
            turns += points.len() - 2;
        }
    }
    assert!(asked > 1000 && turns > 1200, "{asked} {turns}");
    assert_eq!(equal, asked);
}
