//! Vehicles on levels of triangles: from storey to storey, checked against the triangles by a drive
//! that knows nothing of navmeshes, tiles or tables.

use navbake_testkit::data::data;
use std::fs;

use crate::common::Place;
use serde_json::Value;

/// Ground, a ramp of 4 m up to the floor above, and that floor.
const HOUSE: &str = "\
v 0 0 0
v 0 0 20
v 40 0 20
v 40 0 0
v 4 0 8
v 4 0 12
v 20 4 12
v 20 4 8
v 20 4 0
v 20 4 20
v 40 4 20
v 40 4 0
f 1 2 3 4
f 5 6 7 8
f 9 10 11 12
";

const CART: &str = "\
[[agent]]
name = \"walker\"

[[agent]]
name = \"ground\"
radius = 0.1
height = 1.8
climb = 0.3

[[vehicle]]
name = \"cart\"
agent = \"ground\"
tile = 1.0
turn_radius = 1.5
footprint = { rectangle = [1.6, 0.9] }
reverse = { penalty = 2.0, change = 1.0 }
";

/// The triangles of an OBJ file.
fn triangles(text: &str) -> Vec<[[f64; 3]; 3]> {
    let (mut points, mut all) = (vec![], vec![]);
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.map(|w| w.parse().unwrap()).collect();
                points.push([numbers[0], numbers[1], numbers[2]]);
            }
            Some("f") => {
                let corner = |w: &str| w.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
                let of: Vec<[f64; 3]> = words.map(|w| points[corner(w)]).collect();
                all.extend((1..of.len() - 1).map(|i| [of[0], of[i], of[i + 1]]));
            }
            _ => {}
        }
    }
    all
}

/// What drives: a rectangle around its point, so high, over steps of `climb`.
struct Cart {
    length: f64,
    width: f64,
    height: f64,
    climb: f64,
    radius: f64,
}

/// The height of a triangle at a place that it covers, seen from above.
fn height([a, b, c]: &[[f64; 3]; 3], x: f64, z: f64) -> Option<f64> {
    let cross = |p: &[f64; 3], q: &[f64; 3], x: f64, z: f64| {
        (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0])
    };
    let all = cross(a, b, c[0], c[2]);
    if all.abs() < 1e-9 {
        return None;
    }
    let shares = [cross(b, c, x, z) / all, cross(c, a, x, z) / all, cross(a, b, x, z) / all];
    let inside = shares.iter().all(|s| *s > -1e-9);
    inside.then(|| shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1])
}

impl Cart {
    /// A point of the cart in the level.
    fn point(&self, at: [f64; 2], heading: f64, ahead: f64, left: f64) -> [f64; 2] {
        let (s, c) = heading.sin_cos();
        [at[0] + ahead * c - left * s, at[1] - ahead * s - left * c]
    }

    /// Is a wall, cut at a height, within it?
    fn is_cut_by(&self, at: [f64; 2], heading: f64, y: f64, [a, b, c]: &[[f64; 3]; 3]) -> bool {
        let crossing = |p: &[f64; 3], q: &[f64; 3]| {
            let t = (y - p[1]) / (q[1] - p[1]);
            let on = (p[1] < y) != (q[1] < y);
            on.then(|| [p[0] + t * (q[0] - p[0]), p[2] + t * (q[2] - p[2])])
        };
        let ends: Vec<[f64; 2]> =
            [(a, b), (b, c), (c, a)].iter().filter_map(|(p, q)| crossing(p, q)).collect();
        let [p, q] = ends.as_slice() else {
            return false;
        };
        // In the cart's own frame, clipped by its sides.
        let (s, cos) = heading.sin_cos();
        let own = |p: &[f64; 2]| {
            let (dx, dy) = (p[0] - at[0], at[1] - p[1]);
            [dx * cos + dy * s, dy * cos - dx * s]
        };
        let (p, q) = (own(p), own(q));
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for (k, half) in [(0, self.length / 2.0), (1, self.width / 2.0)] {
            let d = q[k] - p[k];
            if d.abs() < 1e-12 {
                if p[k].abs() > half {
                    return false;
                }
                continue;
            }
            let (t, u) = ((-half - p[k]) / d, (half - p[k]) / d);
            low = low.max(t.min(u));
            high = high.min(t.max(u));
        }
        low < high
    }

    /// On ground all over, with nothing in between: the ground's height at its point.
    fn stands(&self, level: &[[[f64; 3]; 3]], at: [f64; 2], heading: f64, y: f64) -> f64 {
        // The highest that a wheel comes on to.
        let ground = |[x, z]: [f64; 2], near: f64, most: f64| {
            let heights = level.iter().filter_map(|t| height(t, x, z));
            let best = heights.filter(|h| (h - near).abs() < most).max_by(f64::total_cmp);
            best.unwrap_or_else(|| panic!("no ground at {x} {z} about {near}"))
        };
        let own = ground(at, y, self.climb);
        let reach = self.length.hypot(self.width) / 2.0;
        for i in -4..=4 {
            for j in -2..=2 {
                let (ahead, left) = (f64::from(i) / 8.0, f64::from(j) / 4.0);
                let p = self.point(at, heading, ahead * self.length, left * self.width);
                // A slope of a half at most, and steps.
                let there = ground(p, own, reach / 2.0 + self.climb);
                let above = level.iter().filter_map(|t| height(t, p[0], p[1]));
                let body = there + self.climb + 0.05..there + self.height - 0.05;
                let mut above = above.filter(|h| body.contains(h));
                assert_eq!(above.next(), None, "something above {p:?} at {there}");
            }
        }
        let cut = level.iter().find(|t| self.is_cut_by(at, heading, own + 1.0, t));
        assert_eq!(cut, None, "a wall at {at:?}");
        own
    }

    /// Drives along the pieces of an answer from a height on: the heights that it reaches.
    fn drives(&self, level: &[[[f64; 3]; 3]], answer: &Value, y: f64) -> Vec<f64> {
        assert_eq!(answer["status"], "reached", "{answer}");
        let number = |v: &Value| v.as_f64().unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-5, "{a} {b}");
        let mut at: Option<([f64; 2], f64)> = None;
        let (mut y, mut heights) = (y, vec![]);
        for piece in answer["pieces"].as_array().unwrap() {
            let from = [number(&piece["from"][0]), number(&piece["from"][2])];
            let first = number(&piece["heading"]).to_radians();
            if let Some((was, looked)) = at {
                near(was[0], from[0]);
                near(was[1], from[1]);
                near((looked - first).sin(), 0.0);
                near((looked - first).cos(), 1.0);
            }
            let way = if piece["gear"] == "reverse" { -1.0 } else { 1.0 };
            let bend = match piece["turn"].as_str().unwrap() {
                "left" => 1.0 / self.radius,
                "right" => -1.0 / self.radius,
                _ => 0.0,
            };
            let length = number(&piece["length"]);
            let steps = (length / 0.05).ceil().max(1.0) as u32;
            for i in 0..=steps {
                let along = way * length * f64::from(i) / f64::from(steps);
                let heading = first + bend * along;
                let place = if bend == 0.0 {
                    [from[0] + along * first.cos(), from[1] - along * first.sin()]
                } else {
                    [
                        from[0] + (heading.sin() - first.sin()) / bend,
                        from[1] + (heading.cos() - first.cos()) / bend,
                    ]
                };
                y = self.stands(level, place, heading, y);
                heights.push(y);
                at = Some((place, heading));
            }
            // The heights of the answer are those of the ground.
            assert!(
                (number(&piece["from"][1]) - heights[heights.len() - 1 - steps as usize]).abs()
                    < 0.4
            );
        }
        heights
    }
}

fn ask(place: &Place, options: &[&str]) -> Value {
    let mut line = vec!["query", "path", "level.nav", "--planner", "turning", "--format", "json"];
    line.extend(options);
    place.run(&line).json()
}

#[test]
fn a_cart_drives_up_a_ramp_to_the_floor_above_its_start() {
    let place = Place::new();
    place.write("house.obj", HOUSE);
    place.write("house.toml", CART);
    for threads in ["1", "3"] {
        let out = format!("{threads}.nav");
        let line =
            ["bake", "house.obj", "-o", &out, "--config", "house.toml", "--threads", threads];
        let ran = place.run(&line);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let bytes = fs::read(place.path("1.nav")).unwrap();
    assert!(bytes == fs::read(place.path("3.nav")).unwrap());
    fs::write(place.path("level.nav"), bytes).unwrap();
    let level = triangles(HOUSE);
    let cart = Cart { length: 1.6, width: 0.9, height: 1.8, climb: 0.3, radius: 1.5 };
    // The height of the goal picks the storey.
    let from = ["--from", "30,0,10@180", "--trace", "path.svg"];
    let up = ask(&place, &[&from[..], &["--to", "30,4,10@0"]].concat());
    let heights = cart.drives(&level, &up, 0.0);
    assert!((heights[heights.len() - 1] - 4.0).abs() < 0.01);
    let [plan, ground] = ["length_xz", "length_3d"].map(|k| up[k].as_f64().unwrap());
    assert!(plan > 52.0 && ground > plan + 0.3, "{plan} {ground}");
    let picture = fs::read_to_string(place.path("path.svg")).unwrap();
    assert!(picture.matches("<svg").count() > 2 && picture.contains("path other"));
    let flat = ask(&place, &[&from[..2], &["--to", "34,0,12@0"]].concat());
    let heights = cart.drives(&level, &flat, 0.0);
    assert!(heights.iter().all(|h| *h == 0.0));
    // And down again.
    let down = ask(&place, &["--from", "36,4,3@90", "--to", "36,0,3"]);
    let heights = cart.drives(&level, &down, 4.0);
    assert!(heights[heights.len() - 1].abs() < 0.01);
    // On the ramp's edge the cart has no ground under its wheels, and beside the level none at all.
    let edge = ask(&place, &["--from", "12,2,8.3@0", "--to", "30,4,10"]);
    assert_eq!(edge["status"], "start_blocked");
    let beside = ask(&place, &["--from", "30,0,10@0", "--to", "300,0,10"]);
    assert_eq!(beside["status"], "off_mesh");
    let info = place.run(&["info", "level.nav"]);
    assert!(info.out.contains("tile-twins"), "{}", info.out);
}

#[test]
fn what_a_vehicle_on_triangles_needs_is_said() {
    let place = Place::new();
    place.write("house.obj", HOUSE);
    for (from, to, word) in [
        ("tile = 1.0\n", "", "give the vehicle a `tile`"),
        ("agent = \"ground\"", "agent = \"tram\"", "the agents are: walker, ground"),
        ("tile = 1.0", "tile = -1.0", "a tile of -1 m"),
        ("tile = 1.0", "tile = 30.0", "vehicle `cart`"),
        ("tile = 1.0", "tile = 0.002", "vehicle `cart`"),
    ] {
        place.write("house.toml", &CART.replace(from, to));
        let line = ["bake", "house.obj", "-o", "no.nav", "--config", "house.toml"];
        let ran = place.run(&line);
        let message = ran.failed_with(2);
        assert!(message.contains(word) && message.contains("house.toml:"), "{message}");
        assert!(!place.path("no.nav").exists());
    }
}

#[test]
fn on_the_tower_a_small_cart_climbs_the_stairs_over_one_another() {
    let Some(data) = data("on_the_tower_a_small_cart_climbs_the_stairs_over_one_another") else {
        return;
    };
    let tower = data.join("meshes/synthetic_tower.obj");
    if !tower.is_file() {
        println!("skipped: no synthetic_tower.obj");
        return;
    }
    let place = Place::new();
    let text = fs::read_to_string(&tower).unwrap();
    place.write("tower.obj", &text);
    place.write(
        "tower.toml",
        "[[agent]]\nname = \"cart\"\nradius = 0.1\nheight = 1.9\nclimb = 0.3\n\n\
         [[vehicle]]\nname = \"cart\"\ntile = 0.25\nturn_radius = 0.5\nfootprint = { rectangle = [0.5, 0.4] }\n",
    );
    let ran = place.run(&["bake", "tower.obj", "-o", "level.nav", "--config", "tower.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let cart = Cart { length: 0.5, width: 0.4, height: 1.9, climb: 0.3, radius: 0.5 };
    let level = triangles(&text);
    // From the ground floor to the second turn of the spiral stairs, above the first.
    let up = ask(&place, &["--from", "5,0,0.5@180", "--to", "-1.8,4.98,0"]);
    let heights = cart.drives(&level, &up, 0.0);
    assert!(heights[heights.len() - 1] > 4.5, "{heights:?}");
    let first = ask(&place, &["--from", "5,0,0.5@180", "--to", "-1.8,1.78,0"]);
    let heights = cart.drives(&level, &first, 0.0);
    assert!((1.5..2.1).contains(&heights[heights.len() - 1]));
    let [long, short] = [&up, &first].map(|a| a["length_xz"].as_f64().unwrap());
    assert!(long > short + 6.0, "{long} {short}");
}
