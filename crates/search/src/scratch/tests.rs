use alloc::string::String;
use alloc::vec::Vec;

use navbake_format::write::{AgentParts, AreaParts, BlobParts, MeshParts, encode};
use navbake_format::{AreaId, Blob};

use super::*;
use crate::{AStar, Algorithm, NavPath, NavQuery, PathRequest, QueryFilter, Status};

/// Square polygons of 16 grid units: free where a row has a dot, mud where it has an m.
pub(crate) fn squares(rows: &[&str]) -> Vec<u8> {
    let ground = |c: i32, r: i32| {
        let row = usize::try_from(r).ok().and_then(|r| rows.get(r));
        let column = usize::try_from(c).ok();
        let found = row.zip(column).and_then(|(row, c)| row.as_bytes().get(c));
        found.copied().filter(|&b| b != b'#')
    };
    let all: Vec<[i32; 2]> = (0..rows.len() as i32)
        .flat_map(|r| (0..rows[0].len() as i32).map(move |c| [c, r]))
        .filter(|&[c, r]| ground(c, r).is_some())
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
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let areas: Vec<u8> = all.iter().map(|&[c, r]| u8::from(ground(c, r) == Some(b'm'))).collect();
    // Squares that touch in a corner only are one island here, which is allowed: a search of them
    // finds no path.
    let meshes = [MeshParts {
        vertices: &vertices,
        first_edge: &first_edge,
        corners: &corners,
        neighbours: &neighbours,
        islands: &alloc::vec![0; all.len()],
        areas: &areas,
        ..MeshParts::default()
    }];
    encode(&BlobParts {
        grid_bits: 4,
        agents: &agents,
        areas: &[area("ground"), area("mud")],
        meshes: &meshes,
        ..BlobParts::default()
    })
    .unwrap()
}

/// Random numbers below a limit.
pub(crate) fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |n| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    }
}

fn random_rows(below: &mut impl FnMut(u64) -> u64, width: usize, depth: usize) -> Vec<String> {
    let square = |below: &mut dyn FnMut(u64) -> u64| match below(10) {
        0..5 => '.',
        5..8 => 'm',
        _ => '#',
    };
    (0..depth).map(|_| (0..width).map(|_| square(below)).collect()).collect()
}

fn algorithms() -> [Algorithm; 5] {
    let reverse = AStar { reverse: true, ..AStar::default() };
    [
        Algorithm::Corridor(AStar::default()),
        Algorithm::Corridor(reverse),
        Algorithm::Midpoints(AStar::default()),
        Algorithm::Optimal,
        Algorithm::weighted(Algorithm::GAP),
    ]
}

fn mud() -> QueryFilter {
    let mut filter = QueryFilter::new();
    filter.set_cost(AreaId(1), 3.0).unwrap();
    filter
}

/// The filter of a search: mud costs more only where the algorithm serves that.
fn unit<'a>(open: NavQuery<'a>, filter: &'a QueryFilter, algorithm: Algorithm) -> NavQuery<'a> {
    if algorithm == Algorithm::Optimal { open } else { open.with_filter(filter) }
}

fn check_walkable(query: &NavQuery<'_>, path: &NavPath<'_>) {
    for pair in path.polygons.windows(2) {
        let polygon = query.mesh().polygon(pair[0]);
        assert!((0..polygon.len()).any(|k| polygon.neighbour(k) == Some(pair[1])), "{pair:?}");
    }
    for leg in path.points.windows(2) {
        for part in 1..8 {
            let t = f64::from(part) / 8.0;
            let at = [0, 1, 2].map(|k| leg[0][k] + t * (leg[1][k] - leg[0][k]));
            assert!(query.nearest(at, [0.1, 1.0, 0.1]).is_some(), "{leg:?}");
        }
    }
}

/// Memory that begins each part of a search with next to nothing, and grows.
struct Tiny(Scratch);

impl Memory for Tiny {}

impl sealed::Memory for Tiny {
    fn prepare(&mut self, mesh: &NavMesh<'_>, need: Need) {
        self.0.prepare(mesh, need);
        let lists = &mut self.0.lists;
        match need {
            Need::Optimal => {
                lists.sight.cones.truncate(1);
                lists.sight.opened.truncate(1);
                lists.sight.roots.truncate(1);
            }
            Need::Polygons | Need::Portals | Need::Weighted => {
                lists.nodes.truncate(1);
                lists.open.truncate(1);
            }
            _ => {}
        }
    }

    fn lend(&mut self) -> Slices<'_> {
        self.0.lend()
    }

    fn grow(&mut self, need: Need) -> bool {
        self.0.grow(need)
    }

    fn grows(&self, need: Need) -> bool {
        self.0.grows(need)
    }
}

#[test]
fn growth_changes_no_answer() {
    let mut below = numbers(1);
    let (mut searched, mut reached) = (0, 0);
    for _ in 0..40 {
        let (width, depth) = (2 + below(12) as usize, 2 + below(12) as usize);
        let rows = random_rows(&mut below, width, depth);
        let bytes = squares(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
        let filter = mud();
        let mut used = Scratch::new();
        for _ in 0..20 {
            let mut point =
                || [below(width as u64), 0, below(depth as u64)].map(|c| c as f64 + 0.5);
            let (from, to) = (point(), point());
            let partial = below(2) == 0;
            for algorithm in algorithms() {
                let query = unit(open, &filter, algorithm);
                let request = PathRequest::new(from, to).algorithm(algorithm).partial(partial);
                let expected = query.find_path(&request, &mut used).unwrap();
                searched += u32::from(expected.expanded > 0);
                reached += u32::from(expected.status == Status::Reached);
                for budget in [1, 7, u32::MAX] {
                    let mut tiny = Tiny(Scratch::new());
                    let mut search = query.start_path(&request, &mut tiny).unwrap();
                    while search.step(&query, &mut tiny, budget) == Status::Looking {}
                    let path = search.path(&query, &mut tiny);
                    assert_eq!(path, expected, "{rows:?} {request:?} {budget}");
                }
            }
        }
    }
    assert!(searched > 500 && reached > 500, "{searched} {reached}");
}

/// Memory in which single lists are short.
struct Short {
    scratch: Scratch,
    keep: [usize; 21],
}

impl Memory for Short {}

impl sealed::Memory for Short {
    fn prepare(&mut self, mesh: &NavMesh<'_>, need: Need) {
        self.scratch.prepare(mesh, need);
    }

    fn lend(&mut self) -> Slices<'_> {
        fn cut<T>(list: &mut &mut [T], keep: usize) {
            let all = core::mem::take(list);
            let keep = keep.min(all.len());
            *list = &mut all[..keep];
        }
        let mut lists = self.scratch.lend();
        let k = &self.keep;
        cut(&mut lists.slots, k[0]);
        cut(&mut lists.nodes, k[1]);
        cut(&mut lists.open, k[2]);
        cut(&mut lists.corridor, k[3]);
        cut(&mut lists.funnel, k[4]);
        cut(&mut lists.deque, k[5]);
        cut(&mut lists.points, k[6]);
        cut(&mut lists.polygons, k[7]);
        cut(&mut lists.goals, k[8]);
        cut(&mut lists.cheap, k[9]);
        cut(&mut lists.reached, k[10]);
        cut(&mut lists.sight.cones, k[11]);
        cut(&mut lists.sight.opened, k[12]);
        cut(&mut lists.sight.roots, k[13]);
        cut(&mut lists.sight.best, k[14]);
        cut(&mut lists.sight.marks, k[15]);
        cut(&mut lists.sight.ends, k[16]);
        cut(&mut lists.weighted.pieces, k[17]);
        cut(&mut lists.weighted.heap, k[18]);
        cut(&mut lists.weighted.best, k[19]);
        cut(&mut lists.weighted.tried, k[20]);
        lists
    }

    fn grow(&mut self, _: Need) -> bool {
        false
    }

    fn grows(&self, _: Need) -> bool {
        false
    }
}

#[test]
fn any_list_may_be_too_short_for_a_path() {
    let mut below = numbers(2);
    let (mut short, mut walked) = (0, 0);
    for _ in 0..60 {
        let rows = random_rows(&mut below, 9, 7);
        let bytes = squares(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
        let filter = mud();
        let mut whole = Scratch::new();
        let mut memory = Short { scratch: Scratch::new(), keep: [usize::MAX; 21] };
        for turn in 0..60 {
            let mut point = || [below(9), 0, below(7)].map(|c| c as f64 + 0.5);
            let (from, to) = (point(), point());
            // One list after the other, then some by chance.
            memory.keep = core::array::from_fn(|k| match turn {
                0..42 if turn % 21 == k => below(7) as usize,
                0..42 => usize::MAX,
                _ if below(5) == 0 => below(40) as usize,
                _ => usize::MAX,
            });
            for algorithm in algorithms() {
                let query = unit(open, &filter, algorithm);
                let request = PathRequest::new(from, to).algorithm(algorithm);
                let expected = query.find_path(&request, &mut whole).unwrap();
                let path = query.find_path(&request, &mut memory).unwrap();
                match path.status {
                    Status::Reached if algorithm == Algorithm::Optimal => {
                        assert!(path.certified_optimal && path.length_xz == expected.length_xz);
                    }
                    Status::Reached => assert_eq!(expected.status, Status::Reached),
                    Status::OutOfNodes => {
                        short += 1;
                        assert!(!path.certified_optimal);
                    }
                    status => assert_eq!(status, expected.status, "{request:?}"),
                }
                walked += u32::from(path.points.len() > 2);
                check_walkable(&query, &path);
            }
        }
    }
    assert!(short > 500 && walked > 500, "{short} {walked}");
}

#[test]
fn without_memory_for_pieces_the_corridor_is_the_answer() {
    let rows = ["....mmm....", "....mmm....", "....mmm...."];
    let bytes = squares(&rows);
    let filter = mud();
    let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let query = open.with_filter(&filter);
    let mut memory = Short { scratch: Scratch::new(), keep: [usize::MAX; 21] };
    memory.keep[17..].fill(0);
    let request = PathRequest::new([0.5, 0.0, 0.5], [10.5, 0.0, 2.5])
        .algorithm(Algorithm::weighted(Algorithm::GAP));
    let path = query.find_path(&request, &mut memory).unwrap();
    assert_eq!((path.status, path.algorithm.name()), (Status::Reached, "corridor"));
    assert!(!path.certified_optimal && path.bound < path.cost);
}

#[test]
fn a_bound_is_never_exceeded() {
    let mut below = numbers(3);
    let rows = random_rows(&mut below, 24, 24);
    let bytes = squares(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let filter = mud();
    let mut short = 0;
    for bound in [0, 1, 2, 3, 10, 50, 200] {
        let mut scratch = Scratch::bounded(bound);
        for _ in 0..60 {
            let mut point = || [below(24), 0, below(24)].map(|c| c as f64 + 0.5);
            let (from, to) = (point(), point());
            for algorithm in algorithms() {
                let request = PathRequest::new(from, to).algorithm(algorithm);
                let query = unit(open, &filter, algorithm);
                let status = query.find_path(&request, &mut scratch).unwrap().status;
                short += u32::from(status == Status::OutOfNodes);
                let lists = &scratch.lists;
                assert!(lists.nodes.len() <= bound && lists.open.len() <= bound);
                assert!(lists.corridor.len() <= bound && lists.polygons.len() <= bound + 1);
                assert!(lists.sight.cones.len() <= 16 * bound + 1024);
            }
        }
    }
    assert!(short > 200, "{short}");
}
