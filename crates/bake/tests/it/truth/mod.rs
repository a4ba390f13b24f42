//! Levels whose rooms and doors are known, and how near what was found is to that.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_format::{CheckedBlob, RoomId};
use navbake_import::{Import, ImportOptions};
use navbake_level::Source;
use navbake_search::NavQuery;

/// The agent's radius, m.
pub(crate) const RADIUS: f64 = 0.3;

pub(crate) fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rooms");
    root.join(name)
}

/// Rooms as rectangles and doors as segments, with their heights.
pub(crate) struct Truth {
    pub(crate) rooms: Vec<(String, [f64; 5])>,
    pub(crate) doors: Vec<[f64; 5]>,
}

pub(crate) fn truth(name: &str) -> Truth {
    let text = std::fs::read_to_string(fixture(&format!("{name}.txt"))).unwrap();
    let mut truth = Truth { rooms: vec![], doors: vec![] };
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let last = &words[words.len() - 5..];
        let numbers: Vec<f64> = last.iter().map(|w| w.parse().unwrap()).collect();
        let numbers = <[f64; 5]>::try_from(numbers).unwrap();
        match words[0] {
            "room" => truth.rooms.push((words[1].into(), numbers)),
            "door" => truth.doors.push(numbers),
            other => panic!("{other}"),
        }
    }
    truth
}

/// A turn around the vertical axis by degrees and a move, both of the ground plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(crate) turn: f64,
    pub(crate) by: [f64; 2],
}

impl Moved {
    pub(crate) const NOT: Moved = Moved { turn: 0.0, by: [0.0; 2] };

    pub(crate) fn place(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (s, c) = self.turn.to_radians().sin_cos();
        [c * x + s * z + self.by[0], y, c * z - s * x + self.by[1]]
    }
}

/// The room at places, where there is ground.
pub(crate) fn rooms_at(
    blob: &CheckedBlob<'_>,
    class: u16,
    places: &[[f64; 3]],
) -> Vec<Option<RoomId>> {
    let nav = blob.decode(class).unwrap();
    let query = NavQuery::new(nav.mesh());
    let rooms = blob.rooms(class).unwrap();
    let at = |p: &[f64; 3]| Some(rooms.of(query.locate(*p, 1.4)?.polygon()));
    places.iter().map(at).collect()
}

/// Places a quarter of a metre apart in the rooms of a truth, and which room that is.
pub(crate) fn places(truth: &Truth) -> Vec<([f64; 3], String)> {
    let mut places = vec![];
    for (name, [x0, z0, x1, z1, y]) in &truth.rooms {
        let steps = |a: f64, b: f64| ((b - a) / 0.25) as i32;
        for i in 0..steps(*x0, *x1) {
            for k in 0..steps(*z0, *z1) {
                let at = [x0 + 0.25 * f64::from(i) + 0.12, *y, z0 + 0.25 * f64::from(k) + 0.12];
                places.push((at, name.clone()));
            }
        }
    }
    places
}

/// How alike two partitions are (Hubert and Arabie, Comparing partitions, 1985): 1 for
/// the same.
pub(crate) fn adjusted_rand<A: Ord + Clone, B: Ord + Clone>(pairs: &[(A, B)]) -> f64 {
    let mut both: BTreeMap<(A, B), f64> = BTreeMap::new();
    let mut one: BTreeMap<A, f64> = BTreeMap::new();
    let mut other: BTreeMap<B, f64> = BTreeMap::new();
    for (a, b) in pairs {
        *both.entry((a.clone(), b.clone())).or_default() += 1.0;
        *one.entry(a.clone()).or_default() += 1.0;
        *other.entry(b.clone()).or_default() += 1.0;
    }
    let twos = |n: &f64| n * (n - 1.0) / 2.0;
    let all = twos(&(pairs.len() as f64));
    let [both, one, other] = [
        both.values().map(twos).sum::<f64>(),
        one.values().map(twos).sum(),
        other.values().map(twos).sum(),
    ];
    let expected = one * other / all;
    (both - expected) / ((one + other) / 2.0 - expected)
}

/// The doors found, as their middles and heights.
pub(crate) fn doors(blob: &CheckedBlob<'_>, class: u16) -> Vec<[f64; 3]> {
    let nav = blob.decode(class).unwrap();
    let mesh = nav.mesh();
    let rooms = blob.rooms(class).unwrap();
    let door = |d| {
        let [a, b] = rooms.door(d).unwrap().ends;
        let (p, _) = rooms.portals(d).next().unwrap();
        let middle = [0, 1].map(|k| f64::from(a[k] + b[k]) / 2.0);
        let y = mesh.polygon(p).height(middle);
        mesh.grid().metres([middle[0], y, middle[1]])
    };
    (0..rooms.door_count()).map(door).collect()
}

/// Harmonic mean of the shares of found doors that are true and of true ones that were found.
pub(crate) fn door_f1(truth: &Truth, found: &[[f64; 3]]) -> f64 {
    let mut left: Vec<[f64; 3]> = found.to_vec();
    let mut hits = 0;
    for [x0, z0, x1, z1, y] in &truth.doors {
        let middle = [(x0 + x1) / 2.0, *y, (z0 + z1) / 2.0];
        let away = |p: &[f64; 3]| (p[0] - middle[0]).hypot(p[2] - middle[2]);
        let near = |p: &&[f64; 3]| (p[1] - y).abs() < 1.2;
        let best = (left.iter().enumerate())
            .filter(|(_, p)| near(p))
            .min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        match best {
            Some((i, p)) if away(p) <= RADIUS => {
                hits += 1;
                left.remove(i);
            }
            _ => println!("not found: {middle:?}"),
        }
    }
    left.iter().for_each(|p| println!("not true: {p:?}"));
    2.0 * f64::from(hits) / (truth.doors.len() + found.len()) as f64
}

/// A level of triangles, moved, and its seed.
pub(crate) fn moved_level(name: &str, moved: Moved) -> (Source, [f64; 3]) {
    let Import { mut source, .. } =
        navbake_import::read(&fixture(&format!("{name}.obj")), &ImportOptions::default()).unwrap();
    let Source::Scene(scene) = &mut source else { panic!("a scene") };
    for v in &mut scene.vertices {
        *v = moved.place(*v);
    }
    let seed = match name {
        "spiral" => [-5.0, 0.0, 0.0],
        _ => [5.0, 0.0, 5.0],
    };
    (source, moved.place(seed))
}
