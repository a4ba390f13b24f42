//! Tunnels, escalators, ladders and doors of the fixtures, against a plain search over the corners
//! of their cells.

use std::path::{Path, PathBuf};

use crate::cells::{Cells, Link, Place, STEPS};
use navbake_bake::config::End;
use navbake_bake::{Baked, Config, Options, bake_file};
use navbake_format::{Blob, CheckedBlob};
use navbake_search::{
    ClosingsBuffer, Location, PathRequest, Planner, Query, Random, SearchBuffer, Status,
};

/// Random pairs of places for each question.
const PAIRS: usize = 1000;

fn fixture(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures")).join(name)
}

/// A level of the fixtures, its config and its cells.
struct Level {
    config: Config,
    baked: Baked,
    plan: String,
}

impl Level {
    fn read(level: &str, config: &str, plan: &str) -> Level {
        let config = Config::load(&fixture(config)).unwrap();
        let baked = bake_file(&fixture(level), &config, &Options::default()).unwrap();
        let notes: Vec<&str> = baked.summary.warnings.iter().map(|w| w.code.as_str()).collect();
        assert!(!notes.contains(&"link-off-mesh"), "{notes:?}");
        Level { config, baked, plan: std::fs::read_to_string(fixture(plan)).unwrap() }
    }

    fn blob(&self) -> CheckedBlob<'_> {
        Blob::open_checked(&self.baked.bytes).unwrap()
    }

    /// Its cells, with the links that an agent may take.
    fn cells(&self, agent: &str) -> Cells {
        let mut cells = Cells::read(&self.plan);
        for link in &self.config.links {
            let [from, to] = [&link.from, &link.to].map(|end| match end {
                End::Point(p) => *p,
                End::Marker(name) => panic!("the fixtures tell places: {name}"),
            });
            let square: f64 = (0..3).map(|k| (to[k] - from[k]).powi(2)).sum();
            let [a, b] =
                [from, to].map(|p| (p[1] as i64, [p[0], p[2]].map(|c| (c * STEPS as f64) as i64)));
            let agents = link.agents.as_ref();
            let way = |from: Place, to: Place| Link {
                name: link.name.clone(),
                from,
                to,
                cost: link.cost.unwrap_or_else(|| square.sqrt()),
                open: agents.is_none_or(|all| all.iter().any(|a| a == agent)),
            };
            cells.links.push(way(a, b));
            if link.two_way {
                cells.links.push(way(b, a));
            }
        }
        cells
    }
}

/// A place well inside of a cell, and where it is on the mesh.
fn place(query: &Query<'_>, cells: &[(i64, i64, i64)], random: &mut Random) -> (Place, Location) {
    let (y, x, z) = cells[random.below(cells.len() as u64) as usize];
    let mut within = |c: i64| c * STEPS + 1 + random.below(STEPS as u64 - 1) as i64;
    let p = [within(x), within(z)];
    let [x, z] = p.map(|c| c as f64 / STEPS as f64);
    let found = query.locate([x, y as f64, z], 0.1);
    ((y, p), found.expect("ground in each free cell"))
}

/// Compares paths between random places with the plain search; how many of them took a link, by
/// name.
fn check(query: &Query<'_>, cells: &Cells, seed: u64, open: bool) -> Vec<String> {
    let sight = cells.sight();
    let plain = cells.plain();
    let mut random = Random::new(seed);
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut taken = vec![];
    for _ in 0..PAIRS {
        let [(a, from), (b, to)] = [0; 2].map(|_| place(query, &plain, &mut random));
        let cheapest = cells.cheapest(&sight, a, b, |_| true);
        let walked = cells.cheapest(&sight, a, b, |_| false);
        let connected = query.connected(&from, &to);
        assert!(connected.is_none_or(|connected| connected == cheapest.is_some()), "{a:?} {b:?}");
        assert!(connected.is_some() || !open, "{a:?} to {b:?} is not known");
        for planner in [Planner::Optimal, Planner::Corridor] {
            let request = PathRequest::new([0.0; 3], [0.0; 3]).planner(planner);
            let answer = query.path_between(&from, &to, &request, &mut buffer);
            let Some(cheapest) = cheapest else {
                assert_eq!(answer.status, Status::Unreachable, "{planner:?}, {a:?} {b:?}");
                continue;
            };
            assert_eq!(answer.status, Status::Reached, "{planner:?}, {a:?} {b:?}");
            assert!(answer.cost > cheapest - 1e-9);
            assert!(answer.bound < cheapest + 1e-9);
            if planner != Planner::Optimal {
                continue;
            }
            assert!(answer.certified_optimal);
            assert!(
                (answer.cost - cheapest).abs() < 1e-9,
                "{a:?} to {b:?}: {}, not {cheapest}",
                answer.cost
            );
            let links: Vec<u32> = answer.legs().filter_map(|leg| leg.link).collect();
            // Through a tunnel exactly when that is shorter; where both cost the same, either will
            // do.
            let saves = walked.map_or(f64::INFINITY, |w| w - cheapest);
            assert!(saves.abs() < 1e-9 || links.is_empty() == (saves <= 0.0), "{a:?} to {b:?}");
            let names = links.iter().map(|&l| query.mesh().link(l).unwrap().name.to_owned());
            taken.push(names.collect::<Vec<_>>().join(", "));
        }
    }
    taken
}

fn count(taken: &[String], names: &str) -> usize {
    taken.iter().filter(|t| *t == names).count()
}

#[test]
fn the_tunnel_is_taken_exactly_when_it_is_shorter() {
    let level = Level::read("tunnels/tunnel.map", "tunnels/tunnel.toml", "tunnels/tunnel.map");
    let blob = level.blob();
    let query = Query::new(blob.decode(0).unwrap().leak());
    let taken = check(&query, &level.cells("default"), 1, true);
    let through = count(&taken, "tunnel");
    assert!((50..900).contains(&through), "{through} of {}", taken.len());
    assert_eq!(count(&taken, "") + through, taken.len());
}

#[test]
fn two_tunnels_are_chained_where_that_is_shortest() {
    let level = Level::read("tunnels/chain.map", "tunnels/chain.toml", "tunnels/chain.map");
    let blob = level.blob();
    let query = Query::new(blob.decode(0).unwrap().leak());
    let cells = level.cells("default");
    let taken = check(&query, &cells, 2, true);
    for names in ["", "left", "right", "left, right", "right, left"] {
        assert!(count(&taken, names) > 10, "{names}");
    }
    // From door to door of the two rooms: a step, a step, a step.
    let [from, to] = [[9.5, 0.0, 2.5], [15.5, 0.0, 2.5]];
    let mut buffer = SearchBuffer::new(query.mesh());
    let answer = query.path(&PathRequest::new(from, to).planner(Planner::Optimal), &mut buffer);
    assert_eq!((answer.cost, answer.length_xz), (4.0, 2.0));
    // It is less than the straight line, and one tunnel alone would be many times as long.
    let [a, b] = [from, to].map(|p| (0, [p[0], p[2]].map(|c| (c * STEPS as f64) as i64)));
    let sight = cells.sight();
    let alone =
        ["left", "right"].map(|name| cells.cheapest(&sight, a, b, |l| l.name == name).unwrap());
    let walked = cells.cheapest(&sight, a, b, |_| false).unwrap();
    assert!(alone[0].min(alone[1]) > 20.0 && walked > 30.0, "{alone:?}, {walked}");
}

#[test]
fn escalators_lead_one_way_and_the_lift_is_for_the_staff() {
    let level = Level::read("mall/mall.obj", "mall/bake.toml", "mall/plan.txt");
    let blob = level.blob();
    for (number, agent) in (0..).zip(blob.agents()) {
        let mesh = blob.decode(agent.class).unwrap().leak();
        let query = Query::new(mesh).with_agents(1 << number);
        let taken = check(&query, &level.cells(agent.name), 3, true);
        assert!(count(&taken, "escalator up") > 10 && count(&taken, "escalator down") > 10);
        assert_eq!(count(&taken, "lift") > 10, agent.name == "staff");
        // Hall, gallery, terrace, roof.
        let places = [[8.5, 0.0, 8.5], [0.5, 4.0, 0.5], [10.5, 8.0, 0.5], [14.5, 12.0, 0.5]];
        let places = places.map(|p| query.locate(p, 0.1).unwrap());
        let connected = places.map(|a| places.map(|b| query.connected(&a, &b).unwrap()));
        let back = agent.name == "staff";
        let expected = [
            [true, true, true, false],
            [true, true, true, false],
            [back, back, true, false],
            [back, back, true, true],
        ];
        assert_eq!(connected, expected, "{}", agent.name);
    }
}

#[test]
fn ladders_lead_up_the_tower_and_slides_only_down() {
    let level = Level::read("tower/tower.obj", "tower/bake.toml", "tower/plan.txt");
    let blob = level.blob();
    let query = Query::new(blob.decode(0).unwrap().leak());
    let taken = check(&query, &level.cells("default"), 4, true);
    let up = "first ladder, second ladder, third ladder";
    let down = "third ladder, second ladder, first ladder";
    assert!(count(&taken, up) > 10 && count(&taken, "slide") > 10);
    // The slide is cheaper from anywhere on top.
    assert_eq!(count(&taken, down), 0);
}

#[test]
fn doors_of_the_office_shut_and_open() {
    let level = Level::read("office/office.obj", "office/bake.toml", "office/plan.txt");
    let blob = level.blob();
    let mesh = blob.decode(0).unwrap().leak();
    let open = Query::new(mesh);
    let names: Vec<char> = blob.switches().map(|s| s.name.chars().next().unwrap()).collect();
    let first = blob.switches().position(|s| s.closed).unwrap();
    assert_eq!((names.len(), names[first]), (7, 'g'));
    let mut closings = ClosingsBuffer::new(&mesh);
    let mut cells = level.cells("default");
    // None, as the level begins, each one alone, some together, all.
    let sets = [0, 1 << first, 1, 2, 4, 8, 16, 32, 0b0100_1010, 0b0101_0101, 0b111_1111];
    for (seed, switches) in (5..).zip(sets) {
        let shut = (0..).zip(&names).filter(|(k, _)| switches >> k & 1 == 1);
        cells.shut = shut.map(|(_, &name)| name).collect();
        let query = open.with_closings(closings.close(&mesh, &[switches]));
        let taken = check(&query, &cells, seed, switches == 0);
        let all = switches == 0b111_1111;
        assert!(count(&taken, "emergency exit") > 5 && count(&taken, "") > 100 || all);
    }
}
