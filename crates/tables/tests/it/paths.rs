//! Paths by labels against an oracle that knows nothing of them, on random scenes of many storeys.

use navbake_format::write::replace_labels;
use navbake_search::blob::Blob;
use navbake_search::{
    Algorithm, NavPath, NavQuery, PathRequest, PolyId, QueryFilter, Scratch, Status,
};
use navbake_tables::{Packed, Squares, Views, labels_of};
use navbake_testkit::Random;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{Mix, Scene};

/// What a random scene is made of.
pub(crate) fn mix(random: &mut Random) -> Mix {
    Mix {
        columns: 2 + random.below(4),
        rows: 2 + random.below(4),
        storeys: 1 + random.below(3),
        jitter: random.below(7) as i32,
        blocked: random.below(45) as u64,
        cut: random.below(30) as u64,
        exchanged: random.below(40) as u64,
        merged: random.below(100) as u64,
    }
}

/// With labels, and with views of the ground that a third, two thirds or all of their bytes hold,
/// or without; beyond that with those of squares of 2, 4 and 8 grid units, and then with labels of
/// such squares.
fn labelled(bytes: &[u8], thirds: u64) -> Vec<u8> {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    // Without corners there is nothing to compare.
    let Some(mut tables) = labels_of(&mesh) else {
        return bytes.to_vec();
    };
    let views = Views::new(&mesh).unwrap();
    let bytes_of_views = if thirds > 6 {
        let squares = views.fill_labels(&mut tables, thirds as u8 - 6, u64::MAX);
        squares.unwrap()
    } else if thirds > 3 {
        let squares = views.fill_squares(&mut tables, thirds as u8 - 3, u64::MAX);
        squares.unwrap_or(0)
    } else {
        let room = views.bytes() * thirds / 3;
        let (taken, share) = views.fill(&mut tables, room);
        assert!(taken <= room && (0.0..=1.0).contains(&share));
        assert!(thirds < 3 || (taken, share) == (room, if room > 0 { 1.0 } else { 0.0 }));
        taken
    };
    let plain = Packed {
        view_ends: vec![],
        views: vec![],
        view_cells: vec![],
        squares: Squares::default(),
        ..tables.clone()
    };
    assert_eq!(tables.bytes(), plain.bytes() + bytes_of_views);
    replace_labels(bytes, &[tables.parts(0)]).unwrap()
}

fn flat(points: &[[f64; 3]]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p[0], p[2]]).collect()
}

/// Polygons that follow one another are neighbours, or a link leads from one to the other, and the
/// path stays on them.
fn check_legs(query: &NavQuery<'_>, start: &navbake_search::NavPoint, answer: &NavPath<'_>) {
    let mesh = query.mesh();
    assert_eq!(answer.polygons[0], start.polygon());
    for leg in answer.legs().filter(|leg| leg.link.is_none()) {
        let polygons = &answer.polygons[leg.polygons.clone()];
        for pair in polygons.windows(2) {
            let polygon = mesh.polygon(pair[0]);
            assert!((0..polygon.len()).any(|k| polygon.neighbour(k) == Some(pair[1])));
        }
        for point in &answer.points[leg.points.clone()] {
            let holds = |p: &PolyId| {
                let place = query.on_polygon(*p, *point);
                place.is_some_and(|l| (0..3).all(|k| (l.position()[k] - point[k]).abs() < 11.0))
            };
            assert!(polygons.iter().any(holds), "{point:?} is on none of {polygons:?}");
        }
    }
}

/// Counts of queries, by kind of answer.
#[derive(Debug, Default)]
struct Tally {
    looked_up: usize,
    searched: usize,
    /// Looked up, and point for point what a search finds.
    same: usize,
    /// Looked up, over links.
    over_links: usize,
    /// Told by their points alone.
    pointed: usize,
}

fn check(scene: &mut Scene, random: &mut Random, winds: bool, tally: &mut Tally) {
    let bare = scene.bake();
    let bare = Blob::open_checked(&bare).unwrap();
    let thirds = random.below(10) as u64;
    let bytes = labelled(bare.blob().bytes(), thirds);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let bare_nav = bare.decode(0).unwrap();
    let bare = bare_nav.mesh();
    let [mut filter, mut bare_filter] = [QueryFilter::new(), QueryFilter::new()];
    let [mut scratch, mut bare_scratch] = [Scratch::new(), Scratch::new()];
    for _ in 0..24 {
        let switches = random.below(8) as u64;
        scene.close(switches, 0);
        filter.set_blocked(&mesh, &[switches], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let (a, b) = (scene.point_in(random, from), scene.point_in(random, to));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        // Out of a closed face another planner leads, and into one nothing.
        if [from, to].iter().any(|f| scene.closed.faces.contains(f)) {
            continue;
        }
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
        let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
        let optimum = scene.shortest(from, a, to, b);
        assert_eq!(answer.status == Status::Reached, optimum.is_some());
        tally.looked_up += usize::from(answer.by_tables);
        tally.searched += usize::from(answer.expanded > 0);
        let takes_link = answer.legs().count() > 1;
        tally.over_links += usize::from(answer.by_tables && takes_link);
        if let Some(optimum) = optimum {
            assert_shortest(answer.cost, optimum, [(from, a), (to, b)]);
            assert!(answer.certified_optimal);
            let ends = [answer.points[0], *answer.points.last().unwrap()];
            assert_eq!(ends, [start.position(), goal.position()]);
            bare_filter.set_blocked(&bare, &[switches], 0).unwrap();
            let plain = NavQuery::new(bare).with_filter(&bare_filter);
            let plain =
                plain.find_path_between(&start, &goal, &request, &mut bare_scratch).unwrap();
            // Of several shortest paths, and of polygons on both sides of a line, they may give
            // different ones.
            if flat(plain.points) == flat(answer.points) && plain.polygons == answer.polygons {
                // Where storeys meet in one vertex its height is that of any of them.
                assert!(winds || plain.points == answer.points);
                tally.same += usize::from(answer.by_tables);
            }
            check_legs(&query, &start, &answer);
            let points: Vec<_> = answer.points.to_vec();
            let (length, by_tables) = (answer.length_xz, answer.by_tables);
            let request = request.polygons(false);
            let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
            assert_shortest(answer.cost, optimum, [(from, a), (to, b)]);
            if answer.polygons.is_empty() {
                assert!(answer.certified_optimal && answer.by_tables);
                assert_eq!(answer.legs().count(), 1);
                tally.pointed += 1;
                // Where a line crosses several rows of polygons, these are searched for.
                if by_tables {
                    assert_eq!(flat(&points), flat(answer.points));
                    assert!(winds || points == answer.points);
                    assert_eq!(length.to_bits(), answer.length_xz.to_bits());
                }
            }
        }
    }
}

fn run(seeds: u64, furnish: impl Fn(&mut Scene, &mut Random)) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        let mut random = Random(seed + 77);
        let mut mix = mix(&mut random);
        mix.exchanged *= seed % 2;
        let mut scene = Scene::random(&mut random, mix);
        if !scene.faces.is_empty() {
            furnish(&mut scene, &mut random);
            check(&mut scene, &mut random, mix.exchanged > 0, &mut tally);
        }
    }
    tally
}

#[test]
fn paths_by_labels_are_as_short_as_plain_ones() {
    let tally = run(60, |_, _| ());
    assert!(
        tally.looked_up > 60
            && tally.searched < tally.looked_up / 20
            && tally.same > tally.looked_up / 2
            && tally.pointed > tally.looked_up / 2,
        "{tally:?}"
    );
}

#[test]
fn closed_doors_and_faces_leave_no_path_by_labels_too_short_or_too_long() {
    let tally = run(60, |scene, random| scene.furnish(random, 20, 10));
    assert!(tally.looked_up > 30 && tally.searched > 3, "{tally:?}");
}

#[test]
fn links_that_are_shorter_are_taken() {
    let tally = run(60, |scene, random| {
        let count = 1 + random.below(3);
        scene.join(random, count, 30);
    });
    assert!(tally.over_links > 60 && tally.searched < tally.looked_up / 20, "{tally:?}");
}

#[test]
fn chains_of_links_are_looked_up() {
    let tally = run(40, |scene, random| {
        let count = 4 + random.below(12);
        scene.join(random, count, 70);
    });
    assert!(tally.over_links > 100 && tally.searched < tally.looked_up / 20, "{tally:?}");
}

#[test]
fn closed_ground_and_links_leave_no_path_over_links_too_short_or_too_long() {
    let tally = run(60, |scene, random| {
        scene.furnish(random, 20, 10);
        let count = 1 + random.below(6);
        scene.join(random, count, 50);
    });
    assert!(tally.over_links > 30 && tally.searched > 3, "{tally:?}");
}

#[test]
fn distances_to_many_places_are_those_of_the_shortest_paths() {
    let (mut compared, mut apart, mut linked) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random(seed + 501);
        let mix = mix(&mut random);
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        if seed % 4 == 0 {
            scene.furnish(&mut random, 20, 10);
        }
        if seed % 5 == 0 {
            scene.join(&mut random, 2, 30);
        }
        let bytes = labelled(&scene.bake(), seed % 10);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let mut filter = QueryFilter::new();
        let mut scratch = Scratch::new();
        for _ in 0..4 {
            let switches = random.below(8) as u64;
            scene.close(switches, 0);
            filter.set_blocked(&mesh, &[switches], 0).unwrap();
            let query = NavQuery::new(mesh).with_filter(&filter);
            let mut place = || {
                let face = random.below(scene.faces.len());
                (face, scene.point_in(&mut random, face))
            };
            let ((from, a), goals) = (place(), [(); 12].map(|()| place()));
            let shut = |face: &usize| scene.closed.faces.contains(face);
            if shut(&from) || goals.iter().any(|g| shut(&g.0)) {
                continue;
            }
            let start = scene.place(&query, from, a);
            let places = goals.map(|(face, at)| scene.place(&query, face, at));
            let mut lengths = [None; 12];
            query.distances(&start, &places, &mut lengths, &mut scratch);
            for ((length, (to, b)), place) in lengths.iter().zip(goals).zip(&places) {
                let optimum = scene.shortest(from, a, to, b);
                assert_eq!(length.is_some(), optimum.is_some());
                // Alone and among others it is as far.
                let alone = query.distance(&start, place, &mut scratch);
                assert_eq!(alone.map(f64::to_bits), length.map(f64::to_bits));
                let Some((length, optimum)) = length.zip(optimum) else {
                    apart += 1;
                    continue;
                };
                assert_shortest(length, optimum, [(from, a), (to, b)]);
                compared += 1;
                linked += usize::from(mesh.link_count() > 0);
            }
        }
    }
    assert!(compared > 200 && apart > 20 && linked > 20, "{compared} {apart} {linked}");
}
