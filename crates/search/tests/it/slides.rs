//! Slides in acute corners, where slices of ground are side by side that are narrower than the
//! grid's step.

use navbake_format::write::{BlobParts, MeshParts, encode};
use navbake_search::around::MoveLog;
use navbake_search::blob::Blob;
use navbake_search::{MoveRequest, NavQuery, PolyId};
use navbake_testkit::Random;

/// Triangles that fan out from a corner at [0, 0], each beside the next, between two walls.
struct Fan {
    /// Counter-clockwise seen from above; a wall runs from the corner to the first.
    rim: Vec<[i32; 2]>,
}

/// Positive when `c` is to the left of the line from `a` to `b`, seen from above.
fn side(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    let [ab, ac] = [b, c].map(|p| [0, 1].map(|k| i64::from(p[k]) - i64::from(a[k])));
    ab[1] * ac[0] - ab[0] * ac[1]
}

impl Fan {
    fn random(random: &mut Random) -> Fan {
        let count = 2 + random.below(20);
        let widest = [20, 400, 4000][random.below(3)];
        let mut z = random.below(400) as i32 - 200;
        let mut rim: Vec<[i32; 2]> = vec![];
        while rim.len() < count {
            let next = [6000 + random.below(4000) as i32, z];
            if rim.last().is_none_or(|&last| side([0, 0], last, next) > 0) {
                rim.push(next);
            }
            z -= 1 + random.below(widest) as i32;
        }
        Fan { rim }
    }

    fn triangles(&self) -> impl Iterator<Item = [[i32; 2]; 3]> {
        self.rim.windows(2).map(|w| [[0, 0], w[0], w[1]])
    }

    fn holds(&self, p: [i32; 2]) -> bool {
        let inside = |t: [[i32; 2]; 3]| (0..3).all(|k| side(t[k], t[(k + 1) % 3], p) >= 0);
        self.triangles().any(inside)
    }

    fn bake(&self) -> Vec<u8> {
        let n = self.rim.len() as u32 - 1;
        let mut vertices = vec![[0, 0, 0]];
        vertices.extend(self.rim.iter().map(|&[x, z]| [x, 0, z]));
        let first_edge: Vec<u32> = (0..=n).map(|t| 3 * t).collect();
        let corners: Vec<u32> = (0..n).flat_map(|t| [0, t + 1, t + 2]).collect();
        let beside = |t: u32| [t.wrapping_sub(1), u32::MAX, t + 1];
        let neighbours = (0..n).flat_map(beside);
        let neighbours: Vec<u32> = neighbours.map(|p| if p < n { p } else { u32::MAX }).collect();
        encode(&BlobParts {
            meshes: &[MeshParts {
                vertices: &vertices,
                first_edge: &first_edge,
                corners: &corners,
                neighbours: &neighbours,
                islands: &vec![0; n as usize],
                ..MeshParts::default()
            }],
            ..BlobParts::default()
        })
        .unwrap()
    }

    /// Where a motion without friction ends that meets the wall near the corner; `None` when it
    /// does not.
    fn aim(&self, from: [i32; 2], to: [i32; 2]) -> Option<[f64; 2]> {
        let wall = self.rim[0];
        let (before, behind) = (side([0, 0], wall, from), side([0, 0], wall, to));
        if before <= 0 || behind >= 0 {
            return None;
        }
        let t = before as f64 / (before - behind) as f64;
        let w = wall.map(f64::from);
        let (a, b) = (from.map(f64::from), to.map(f64::from));
        let along = |p: [f64; 2]| (p[0] * w[0] + p[1] * w[1]) / w[0].hypot(w[1]);
        let met = along([0, 1].map(|k| a[k] + t * (b[k] - a[k])));
        let end = along(b);
        let share = end / w[0].hypot(w[1]);
        (met > 0.0 && end > 0.0 && share < 0.5).then(|| w.map(|c| share * c))
    }
}

#[test]
fn a_slide_ends_at_most_two_units_off_where_the_ground_has_a_grid_point_as_near() {
    let (mut slides, mut elsewhere, mut needles) = (0, 0, 0);
    for seed in 0..300 {
        let mut random = Random(seed);
        let fan = Fan::random(&mut random);
        let bytes = fan.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let query = NavQuery::new(blob.decode(0).unwrap().leak());
        let metres = |p: [i32; 2]| {
            let grid = query.mesh().grid();
            let [x, z] = [0, 1].map(|k| f64::from(p[k]) / grid.units());
            [x + grid.origin[0], 0.0, z + grid.origin[2]]
        };
        for _ in 0..100 {
            let most = [8, 40, 400][random.below(3)];
            let x = random.below(most) as i32;
            let wall = |x: i32| fan.rim[0][1] * x / fan.rim[0][0];
            let from = [x, wall(x) - random.below(80) as i32];
            let x = random.below(most) as i32;
            let to = [x, wall(x) + 40];
            let (Some(aim), true) = (fan.aim(from, to), fan.holds(from)) else {
                continue;
            };
            let mut polygons = query.mesh().polygons();
            let start = polygons.find_map(|p| query.on_polygon(p.id(), metres(from)));
            let start = start.expect("a triangle holds it");
            let mut entered = [PolyId(0); 64];
            let log = MoveLog { entered: &mut entered, hit: &mut [] };
            let request = MoveRequest::new(metres(to)).kept(1.0);
            let motion = query.move_along(&start, &request, log);
            let end = motion.end.point();
            assert!(query.place(motion.end).is_some() && fan.holds(end));
            let mut at = start.polygon();
            for &next in &entered[..motion.entered] {
                let polygon = query.mesh().polygon(at);
                assert!((0..3).any(|k| polygon.neighbour(k) == Some(next)));
                at = next;
            }
            assert_eq!(at, motion.end.polygon());
            let off = |p: [i32; 2]| (f64::from(p[0]) - aim[0]).hypot(f64::from(p[1]) - aim[1]);
            let [x, z] = aim.map(|c| c.round() as i32);
            let mut block = (-2..=2).flat_map(|i| (-2..=2).map(move |k| [x + i, z + k]));
            let room = block.any(|p| off(p) <= 2.0 - 1e-6 && fan.holds(p));
            assert!(
                !room || off(end) <= 2.0 + 1e-6,
                "{:?}: {from:?} {to:?} {aim:?} {end:?}",
                fan.rim
            );
            slides += 1;
            needles += usize::from(!room);
            let slice = query.mesh().polygon(at);
            let beside_wall = (0..3).any(|k| slice.point(k) == [fan.rim[0][0], 0, fan.rim[0][1]]);
            elsewhere += usize::from(!beside_wall);
        }
    }
    assert!(slides > 3000 && elsewhere > 100 && needles > 10, "{slides} {elsewhere} {needles}");
}
