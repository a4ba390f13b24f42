//! Paths that are looked up allocate nothing once their scratch exists.

use navbake_format::write::replace_labels;
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use navbake_tables::{Packed, Views, labels_of};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;

#[test]
fn paths_that_are_looked_up_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let mesh = nav.mesh();
    let mut labels = labels_of(&mesh).unwrap();
    // Views of a part of the ground, and of all its squares.
    let views = Views::new(&mesh).unwrap();
    views.fill(&mut labels, views.bytes() / 2);
    asked(&bytes, &labels);
    views.fill_squares(&mut labels, 4, u64::MAX).unwrap();
    asked(&bytes, &labels);
    // And labels of those.
    views.fill_labels(&mut labels, 4, u64::MAX).unwrap();
    asked(&bytes, &labels);
}

fn asked(bytes: &[u8], labels: &Packed) {
    let bytes = replace_labels(bytes, &[labels.parts(0)]).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    // The scratch grows the first time.
    let counts = ask(&query, &mut scratch);
    let before = allocations();
    assert_eq!(ask(&query, &mut scratch), counts);
    assert_eq!(allocations(), before);
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}

/// Asks a thousand times, and counts the paths and distances that were looked up.
fn ask(query: &NavQuery<'_>, scratch: &mut Scratch) -> [usize; 3] {
    let mut random = Random(5);
    let (mut looked_up, mut to_any, mut measured) = (0, 0, 0);
    for _ in 0..1000 {
        let mut point = || {
            let storey = 10.0 * random.below(2) as f64;
            [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
        };
        let (from, goals) = (point(), [point(), point(), point()]);
        let request = PathRequest::new(from, goals[0]).algorithm(Algorithm::Optimal);
        let answer = query.find_path(&request, scratch).unwrap();
        looked_up += usize::from(answer.by_tables && answer.status == Status::Reached);
        let points = query.find_path(&request.polygons(false), scratch).unwrap();
        looked_up += usize::from(points.polygons.is_empty() && points.by_tables);
        to_any += usize::from(query.find_path_to_any(&request, &goals, scratch).unwrap().by_tables);
        let [start, goals @ ..] = [from, goals[0], goals[1]].map(|p| query.nearest(p, [1.0; 3]));
        if let (Some(start), [Some(a), Some(b)]) = (start, goals) {
            let mut lengths = [None; 2];
            query.distances(&start, &[a, b], &mut lengths, scratch);
            measured += lengths.iter().flatten().count();
        }
    }
    [looked_up, to_any, measured]
}
