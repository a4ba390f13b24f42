//! Paths that are looked up allocate nothing once their scratch exists.

use navbake_format::write::replace_labels;
use navbake_search::{Blob, PathRequest, Planner, Query, SearchBuffer, Status};
use navbake_tables::{Packed, Views, labels_of};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;

#[test]
fn paths_that_are_looked_up_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
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
    let mut random = Random(5);
    let bytes = replace_labels(bytes, &[labels.parts(0)]).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = Query::new(blob.decode(0).unwrap().leak());
    let mut buffer = SearchBuffer::new(query.mesh());
    let before = allocations();
    let (mut looked_up, mut to_any, mut measured) = (0, 0, 0);
    for _ in 0..1000 {
        let mut point = || {
            let storey = 10.0 * random.below(2) as f64;
            [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
        };
        let (from, goals) = (point(), [point(), point(), point()]);
        let request = PathRequest::new(from, goals[0]).planner(Planner::Optimal);
        let answer = query.path(&request, &mut buffer);
        looked_up += usize::from(answer.by_tables && answer.status == Status::Reached);
        let points = query.path(&request.polygons(false), &mut buffer);
        looked_up += usize::from(points.polygons.is_empty() && points.by_tables);
        to_any += usize::from(query.path_to_any(&request, &goals, &mut buffer).by_tables);
        let [start, goals @ ..] = [from, goals[0], goals[1]].map(|p| query.nearest(p, [1.0; 3]));
        if let (Some(start), [Some(a), Some(b)]) = (start, goals) {
            let mut lengths = [None; 2];
            query.distances(&start, &[a, b], &mut lengths, &mut buffer);
            measured += lengths.iter().flatten().count();
        }
    }
    assert_eq!(allocations(), before);
    let counts = [looked_up, to_any, measured];
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}
