use navbake_format::Blob;
use navbake_format::write::{AgentParts, BlobParts, MeshParts, encode};

use super::*;
use crate::{PathRequest, SearchBuffer};

/// Square polygons of 16 grid units, free where a row has a dot.
fn squares(rows: &[&str]) -> alloc::vec::Vec<u8> {
    use alloc::vec::Vec;
    let free = |c: i32, r: i32| {
        let row = usize::try_from(r).ok().and_then(|r| rows.get(r));
        let column = usize::try_from(c).ok();
        row.zip(column).and_then(|(row, c)| row.as_bytes().get(c)) == Some(&b'.')
    };
    let all: Vec<[i32; 2]> = (0..rows.len() as i32)
        .flat_map(|r| (0..rows[0].len() as i32).map(move |c| [c, r]))
        .filter(|&[c, r]| free(c, r))
        .collect();
    let number = |c, r| all.iter().position(|&s| s == [c, r]);
    let (mut vertices, mut corners, mut neighbours) = (Vec::new(), Vec::new(), Vec::new());
    for &[c, r] in &all {
        for ([x, z], [dc, dr]) in [
            ([c, r], [-1, 0]),
            ([c, r + 1], [0, 1]),
            ([c + 1, r + 1], [1, 0]),
            ([c + 1, r], [0, -1]),
        ] {
            let at = [16 * x, 0, 16 * z];
            let v = vertices.iter().position(|&v| v == at);
            corners.push(v.unwrap_or(vertices.len()) as u32);
            if v.is_none() {
                vertices.push(at);
            }
            neighbours.push(number(c + dc, r + dr).map_or(u32::MAX, |n| n as u32));
        }
    }
    let first_edge: Vec<u32> = (0..=all.len() as u32).map(|i| 4 * i).collect();
    let agents =
        [AgentParts { name: "point", class: 0, radius: 0.0, height: 2.0, climb: 0.5, slope: 45.0 }];
    let meshes = [MeshParts {
        vertices: &vertices,
        first_edge: &first_edge,
        corners: &corners,
        neighbours: &neighbours,
        islands: &alloc::vec![0; all.len()],
        ..MeshParts::default()
    }];
    encode(&BlobParts { grid_bits: 4, agents: &agents, meshes: &meshes, ..BlobParts::default() })
        .unwrap()
}

const ROOMS: [&str; 5] = [".......##", ".#.##..#.", ".#..#....", ".##.##.#.", "......##."];

#[test]
fn budgets_do_not_change_the_answer() {
    let bytes = squares(&ROOMS);
    let query = Query::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mesh = query.mesh();
    let ends = [[0.5, 0.0, 4.5], [8.5, 0.0, 4.5]].map(|p| query.locate(p, 1.0).unwrap());
    let [from, to] = &ends;
    let mut buffer = SearchBuffer::new(mesh);
    let request = PathRequest::new([0.0; 3], [0.0; 3]).planner(Planner::Optimal);
    let whole = query.path_between(from, to, &request, &mut buffer);
    let (length, expanded, points) = (whole.length_xz, whole.expanded, whole.points.to_vec());
    assert_eq!(whole.status, Status::Reached);
    assert!(expanded > 5);
    for budget in [1, 7, 1000] {
        // Two searches of one mesh alternate, each with its own scratch.
        let mut buffers = [SearchBuffer::new(mesh), SearchBuffer::new(mesh)];
        let mut states = [0, 1].map(|i| State::begin(&query, from, to, &mut buffers[i].scratch()));
        let mut outcomes = [None; 2];
        let mut steps = 0;
        while outcomes.iter().any(Option::is_none) {
            for i in 0..2 {
                if outcomes[i].is_none() {
                    outcomes[i] = states[i].step(&query, &mut buffers[i].scratch(), budget);
                }
            }
            steps += 1;
        }
        assert_eq!(steps > 1, budget < 10, "{budget}");
        for i in 0..2 {
            let outcome = outcomes[i].unwrap();
            let answer = states[i].answer(&query, from, to, &outcome, buffers[i].scratch());
            assert_eq!(answer.status, Status::Reached);
            assert_eq!((answer.length_xz, answer.expanded), (length, expanded));
            assert_eq!(answer.points, points);
        }
    }
}

#[test]
fn blocks_off_the_way_are_not_marked() {
    let bytes = squares(&["...##", ".#.##", ".....", "..#.."]);
    let query = Query::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
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
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let (mut turns, mut equal, mut asked) = (0, 0, 0);
    for _ in 0..60 {
        let rows: alloc::vec::Vec<alloc::string::String> = (0..7)
            .map(|_| (0..9).map(|_| if below(10) < 6 { '.' } else { '#' }).collect())
            .collect();
        let rows: alloc::vec::Vec<&str> = rows.iter().map(|row| row.as_str()).collect();
        let bytes = squares(&rows);
        let query = Query::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
        let mut buffer = SearchBuffer::new(query.mesh());
        for _ in 0..60 {
            // On corners, on borders and inside polygons.
            let ends = [(); 2].map(|()| [9, 7].map(|n| below(4 * n + 1) as f64 / 4.0));
            let [Some(from), Some(to)] = ends.map(|[x, z]| query.locate([x, 0.0, z], 1.0)) else {
                continue;
            };
            let mut scratch = buffer.scratch();
            let mut search = State::begin(&query, &from, &to, &mut scratch);
            let outcome = search.step(&query, &mut scratch, u32::MAX);
            let Some(Outcome::Reached(cone)) = outcome else {
                continue;
            };
            let corridor = trace(&query, cone, &to, &mut scratch);
            let known = bends(&query, cone, [&from, &to], &corridor, &mut scratch);
            asked += 1;
            let Some(count) = known else {
                continue;
            };
            equal += 1;
            let path = query.finish_with(&from, &to, corridor, Bend::Known(count), scratch);
            let (points, length, along) =
                (path.points.to_vec(), path.length_xz, path.length_3d(&query));
            let mut scratch = buffer.scratch();
            let corridor = trace(&query, cone, &to, &mut scratch);
            let pulled = query.finish(&from, &to, corridor, scratch);
            assert_eq!(pulled.points, points, "{rows:?} {ends:?}");
            assert_eq!(pulled.length_xz, length);
            assert_eq!(pulled.length_3d(&query), along);
            turns += points.len() - 2;
        }
    }
    assert!(asked > 1000 && turns > 1200, "{asked} {turns}");
    assert_eq!(equal, asked);
}
