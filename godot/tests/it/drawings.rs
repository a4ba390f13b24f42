//! Drawings of levels.

use std::collections::{BTreeMap, BTreeSet};

use navbake_godot::drawing::{Corner, DOOR, EDGE, FLAT, Parts, SHORT, WALL, draw, link_colour};
use navbake_godot::ground::Shared;
use navbake_search::NavQuery;
use navbake_world::{Solid, World};

use crate::support::{courtyard, ground, office, terraces};

const NONE: Parts = Parts { polygons: false, edges: false, doors: false, links: false, lift: 0.0 };

/// The fixtures, as baked and with an obstacle on the ground.
fn grounds() -> Vec<Shared> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let files = [(courtyard(), "", [4.0, 0.5, 20.0]), (office(), "", [20.5, 0.5, 10.0])];
    let mut all: Vec<Shared> = vec![ground(terraces(), "cat")];
    for (bytes, agent, middle) in files {
        all.push(ground(bytes, agent));
        let changed = ground(bytes, agent);
        let barrel = Solid { half: [0.3, 1.0, 0.3], is_round: true, axes, middle };
        changed.write().add(&barrel).unwrap();
        assert!(changed.write().commit(0).polygons > 0);
        all.push(changed);
    }
    all
}

/// Twice the area of a triangle seen from above; positive where its corners are clockwise, with x
/// to the right and z towards the viewer.
fn doubled(triangle: &[Corner]) -> f64 {
    let [[ax, _, az], [bx, _, bz], [cx, _, cz]] = [0, 1, 2].map(|k| triangle[k].at);
    (bx - ax) * (cz - az) - (cx - ax) * (bz - az)
}

fn total_area(world: &World) -> f64 {
    let query = NavQuery::new(world.nav_mesh());
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    query.areas(&mut sums).unwrap().total()
}

#[test]
fn drawn_polygons_cover_the_ground_once_and_face_up() {
    for shared in grounds() {
        let ground = shared.read();
        let drawing = draw(ground.world(), &Parts { polygons: true, ..NONE });
        assert!(drawing.lines.is_empty());
        let areas: Vec<f64> = drawing.triangles.chunks(3).map(doubled).collect();
        assert!(areas.iter().all(|&area| area >= 0.0), "each is clockwise seen from above");
        let (drawn, whole) = (areas.iter().sum::<f64>() / 2.0, total_area(ground.world()));
        assert!((drawn - whole).abs() < 1e-9 * whole, "{drawn} of {whole} m²");
    }
}

#[test]
fn drawings_follow_the_ground() {
    let mut cut = 0;
    for shared in grounds() {
        let ground = shared.read();
        let mesh = ground.world().nav_mesh();
        let drawing = draw(ground.world(), &Parts { polygons: true, edges: true, ..NONE });
        let query = NavQuery::new(mesh);
        // Queries round to the grid, which on a stair is another height: so places on the grid.
        let units = mesh.grid().units();
        let is_near = |at: [f64; 3], height: f64| {
            let on_grid = [at[0], at[2]].iter().all(|c| (c * units).fract() == 0.0);
            !on_grid || query.nearest(at, [0.0, height, 0.0]).is_some()
        };
        let sides = drawing.triangles.chunks(3).flat_map(|t| [[t[0], t[1]], [t[1], t[2]]]);
        let lines = drawing.lines.chunks(2).map(|line| [line[0], line[1]]);
        for pair in sides.chain(lines) {
            let [a, b] = pair.map(|corner| corner.at);
            assert!(is_near(a, 0.002), "{a:?}");
            let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
            let short = (a[0] - b[0]).hypot(a[2] - b[2]) <= SHORT;
            assert!(short || is_near(middle, FLAT + 0.002), "{pair:?}");
        }
        let fans: u32 = mesh.polygons().map(|polygon| polygon.len().saturating_sub(2)).sum();
        cut += drawing.triangles.len() - 3 * fans as usize;
    }
    assert!(cut > 0, "some ground is not flat between corners");
}

#[test]
fn walls_and_edges_between_polygons_are_drawn_once() {
    for shared in grounds() {
        let ground = shared.read();
        let mesh = ground.world().nav_mesh();
        let drawing = draw(ground.world(), &Parts { edges: true, ..NONE });
        assert!(drawing.triangles.is_empty());
        let flat = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
        let drawn = |colour| {
            let lines = drawing.lines.chunks(2).filter(|line| line[0].colour == colour);
            lines.map(|line| flat(line[0].at, line[1].at)).sum::<f64>()
        };
        let (mut walls, mut inner) = (0.0, 0.0);
        for polygon in mesh.polygons() {
            for k in 0..polygon.len() {
                let ends = [k, polygon.next(k)].map(|k| polygon.point(k).map(f64::from));
                let [a, b] = ends.map(|end| mesh.grid().metres(end));
                match polygon.neighbour(k) {
                    None => walls += flat(a, b),
                    Some(_) => inner += flat(a, b) / 2.0,
                }
            }
        }
        for (drawn, whole) in [(drawn(WALL), walls), (drawn(EDGE), inner)] {
            assert!((drawn - whole).abs() < 1e-9 * whole, "{drawn} of {whole} m");
        }
    }
}

#[test]
fn rooms_have_colours_and_doors_and_links_have_arrows() {
    for shared in grounds() {
        let ground = shared.read();
        let baked = ground.world().baked();
        let doors = draw(ground.world(), &Parts { doors: true, ..NONE });
        let portals = baked
            .rooms()
            .map_or(0, |rooms| (0..rooms.door_count()).map(|door| rooms.portals(door).len()).sum());
        assert_eq!(doors.lines.len(), 2 * portals);
        assert!(doors.lines.iter().all(|end| end.colour == DOOR));

        let links = draw(ground.world(), &Parts { links: true, ..NONE });
        assert_eq!(links.lines.len() as u32, 6 * baked.link_count(), "a shaft and two strokes");
        for (number, arrow) in (0..).zip(links.lines.chunks(6)) {
            let link = baked.link(number).unwrap();
            assert!(arrow.iter().all(|end| end.colour == link_colour(link.kind)));
            assert_eq!((arrow[2].at, arrow[4].at), (arrow[1].at, arrow[1].at), "from the tip");
        }

        // Each room has a colour, and no other room has it.
        let mesh = ground.world().nav_mesh();
        let Some(rooms) = mesh.rooms() else { continue };
        let drawing = draw(ground.world(), &Parts { polygons: true, ..NONE });
        let query = NavQuery::new(mesh);
        let mut seen = BTreeMap::new();
        for triangle in drawing.triangles.chunks(3) {
            let middle = [0, 1, 2].map(|c| triangle.iter().map(|t| t.at[c]).sum::<f64>() / 3.0);
            let place = query.locate(middle, 0.1).unwrap();
            let colour = triangle[0].colour.map(f32::to_bits);
            assert_eq!(*seen.entry(rooms.of(place.polygon())).or_insert(colour), colour);
        }
        let colours: BTreeSet<_> = seen.values().collect();
        assert_eq!((colours.len(), seen.len()), (seen.len(), rooms.count() as usize));
    }
}

#[test]
fn all_parts_are_the_single_ones_together_and_lifted() {
    for shared in grounds() {
        let ground = shared.read();
        let world = ground.world();
        let all = draw(world, &Parts::ALL);
        let single = [
            Parts { polygons: true, ..NONE },
            Parts { edges: true, ..NONE },
            Parts { doors: true, ..NONE },
            Parts { links: true, ..NONE },
        ]
        .map(|parts| draw(world, &parts));
        let count = |of: fn(&navbake_godot::drawing::Drawing) -> usize| single.iter().map(of).sum();
        assert_eq!(all.triangles.len(), count(|drawing| drawing.triangles.len()));
        assert_eq!(all.lines.len(), count(|drawing| drawing.lines.len()));
        for (high, low) in all.triangles.iter().zip(&single[0].triangles) {
            let lifted = [low.at[0], low.at[1] + Parts::ALL.lift, low.at[2]];
            assert_eq!((high.at, high.colour), (lifted, low.colour));
        }
        assert_eq!(draw(world, &NONE).triangles.len() + draw(world, &NONE).lines.len(), 0);
    }
}
