//! The graph and the labels against plain oracles, on random scenes of many storeys.

use navbake_search::blob::Blob;
use navbake_search::{NavMesh, NavPoint, NavQuery, PolyId};
use navbake_tables::Corners;
use navbake_tables::graph::UNIT;
use navbake_tables::labels::{Labels, distance, label};
use navbake_tables::{Graph, order};
use navbake_testkit::Random;
use navbake_testkit::scene;
use navbake_testkit::scene::{Mix, Scene};

fn mix(random: &mut Random) -> Mix {
    Mix {
        columns: 2 + random.below(5),
        rows: 2 + random.below(5),
        storeys: 1 + random.below(3),
        jitter: random.below(7) as i32,
        blocked: random.below(40) as u64,
        cut: random.below(30) as u64,
        exchanged: random.below(40) as u64,
        merged: random.below(100) as u64,
    }
}

/// Scenes. In some of them the ground winds, or walls have no thickness, so that a direction does
/// not decide where a ray goes; unless it must.
fn scenes(count: usize, any: bool) -> impl Iterator<Item = Vec<u8>> {
    (0..count).filter_map(move |seed| {
        let mut random = Random(seed as u64 + 1);
        let mut mix = mix(&mut random);
        if !any {
            (mix.exchanged, mix.cut) = (0, 0);
        }
        let scene = Scene::random(&mut random, mix);
        (!scene.faces.is_empty()).then(|| scene.bake())
    })
}

fn place(query: &NavQuery<'_>, corners: &Corners, corner: u32) -> NavPoint {
    let [x, z] = corners.point(corner).map(|c| f64::from(c) / scene::UNITS);
    let polygon = PolyId(corners.polygon(corner));
    query.on_polygon(polygon, [x, 0.0, z]).expect("a corner of the polygon")
}

/// How far corners that see one another are apart, infinity for the others.
fn rays(mesh: &NavMesh<'_>, corners: &Corners) -> Vec<Vec<f64>> {
    let query = NavQuery::new(*mesh);
    let count = corners.count();
    let places: Vec<NavPoint> = (0..count as u32).map(|c| place(&query, corners, c)).collect();
    let mut all = vec![vec![f64::INFINITY; count]; count];
    for a in 0..count {
        for b in 0..count {
            if query.sees(&places[a], &places[b]) {
                let [p, q] = [a, b].map(|c| corners.point(c as u32));
                all[a][b] = f64::from(q[0] - p[0]).hypot(f64::from(q[1] - p[1]));
            }
        }
    }
    all
}

#[test]
fn edges_are_lines_of_sight_and_lose_no_shortest_way() {
    let (mut compared, mut dropped) = (0, 0);
    for bytes in scenes(60, false) {
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let corners = Corners::new(&mesh);
        let graph = Graph::new(&corners).unwrap();
        let count = graph.count();
        let rays = rays(&mesh, &corners);
        // Floyd and Warshall over every pair that sees one another.
        let mut known = rays.clone();
        for k in 0..count {
            for a in 0..count {
                for b in 0..count {
                    known[a][b] = known[a][b].min(known[a][k] + known[k][b]);
                }
            }
        }
        let order = order::by_coverage(&graph, 8);
        let labels = label(&graph, &order);
        for a in 0..count {
            for edge in graph.edges(a as u32) {
                let away = edge.length as f64 / UNIT;
                let plainly = known[a][edge.to as usize];
                let ends = [a as u32, edge.to].map(|c| corners.point(c));
                assert!(plainly <= away + 1e-6, "{ends:?}: {away}, but {plainly} by rays");
            }
            let seen = rays[a].iter().filter(|d| d.is_finite()).count();
            dropped += seen - graph.edges(a as u32).len().min(seen);
            for b in 0..count {
                let mut least = rays[a][b];
                // A corner is its own first one where the path to the first one that turns is none
                // of the graph's.
                for u in (0..count).filter(|&u| rays[a][u] < known[a][b] + 1e-9) {
                    for v in (0..count).filter(|&v| rays[v][b].is_finite()) {
                        if let Some(d) = distance(&labels, u as u32, v as u32) {
                            least = least.min(rays[a][u] + d as f64 / UNIT + rays[v][b]);
                        }
                    }
                }
                let same = least == known[a][b] || (least - known[a][b]).abs() < 1e-4;
                assert!(same, "{a} to {b}: {least}, but {} by rays", known[a][b]);
                compared += usize::from(least.is_finite());
            }
        }
    }
    assert!(compared > 5000 && dropped > 1000, "{compared} {dropped}");
}

/// One hub after another, and nothing at once.
fn one_by_one(graph: &Graph, order: &[u32]) -> Labels {
    let mut labels: Labels = vec![vec![]; graph.count()];
    for (rank, &hub) in (0..).zip(order) {
        let mut best = vec![(u64::MAX, hub); graph.count()];
        let mut done = vec![false; graph.count()];
        best[hub as usize] = (0, hub);
        while let Some(corner) = (0..graph.count())
            .filter(|&c| !done[c] && best[c].0 < u64::MAX)
            .min_by_key(|&c| (best[c].0, c))
        {
            done[corner] = true;
            let (far, hop) = best[corner];
            if distance(&labels, corner as u32, hub).is_some_and(|d| d <= far) {
                continue;
            }
            labels[corner].push(navbake_tables::labels::Entry { distance: far, hub: rank, hop });
            for edge in graph.edges(corner as u32) {
                let slot = &mut best[edge.to as usize];
                if far + edge.length < slot.0 {
                    *slot = (far + edge.length, corner as u32);
                }
            }
        }
    }
    labels
}

#[test]
fn labels_made_many_at_once_are_those_of_one_hub_after_another() {
    let plain = |labels: &Labels| -> Vec<Vec<(u32, u64)>> {
        let entries = |l: &Vec<_>| {
            l.iter().map(|e: &navbake_tables::labels::Entry| (e.hub, e.distance)).collect()
        };
        labels.iter().map(entries).collect()
    };
    let mut hubs = 0;
    for bytes in scenes(60, true) {
        let blob = Blob::open_checked(&bytes).unwrap();
        let corners = Corners::new(&blob.decode(0).unwrap().mesh());
        let graph = Graph::new(&corners).unwrap();
        for order in [order::by_coverage(&graph, 5), order::by_degree(&graph)] {
            let labels = label(&graph, &order);
            assert_eq!(plain(&labels), plain(&one_by_one(&graph, &order)));
            hubs += labels.iter().map(Vec::len).sum::<usize>();
            // A path can be followed: the next corner knows the same hub, nearer by the edge
            // between.
            for (corner, label) in (0u32..).zip(&labels) {
                for entry in label.iter().filter(|e| e.hop != corner) {
                    let on = labels[entry.hop as usize]
                        .iter()
                        .find(|e| e.hub == entry.hub)
                        .expect("the hub in the label of the hop");
                    let edge = graph
                        .edges(corner)
                        .iter()
                        .find(|e| e.to == entry.hop)
                        .expect("an edge to the hop");
                    assert_eq!(on.distance + edge.length, entry.distance);
                }
            }
        }
    }
    assert!(hubs > 5_000);
}

#[test]
fn threads_do_not_change_labels() {
    for bytes in scenes(12, true) {
        let blob = Blob::open_checked(&bytes).unwrap();
        let made = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let corners = Corners::new(&blob.decode(0).unwrap().mesh());
                let graph = Graph::new(&corners).unwrap();
                let order = order::by_coverage(&graph, 16);
                let labels = label(&graph, &order);
                (order, labels)
            })
        });
        assert_eq!(made[0], made[1]);
        assert_eq!(made[0], made[2]);
    }
}
