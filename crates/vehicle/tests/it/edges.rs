//! Every edge of the tables against plain computations of other kinds.

use crate::support;
use crate::support::{depth, drive, ends, plain_word};
use dubins_paths::f64::{DubinsPath, PosRot};
use navbake_vehicle::build::edges::{Edge, curve, spread};
use navbake_vehicle::build::{Tables, UNITS, VehicleSpec, build};
use navbake_vehicle::{Footprint, Word};

fn rectangle(length: f64, width: f64) -> Footprint {
    let (l, w) = (length / 2.0, width / 2.0);
    Footprint::polygon(&[[l, w], [-l, w], [-l, -w], [l, -w]]).unwrap()
}

/// Vehicles of many kinds; all words and no limits, so that every entry there can be is looked at.
fn vehicles() -> Vec<VehicleSpec> {
    let all = |vehicle: VehicleSpec| VehicleSpec { words: 6, ..vehicle };
    // Pulls a trailer that is not like its front.
    let wedge = Footprint::polygon(&[[0.6, 0.0], [-0.3, 0.4], [-0.5, -0.3]]).unwrap();
    vec![
        all(VehicleSpec::new(1.0, Footprint::disc(0.45))),
        all(VehicleSpec::new(2.0, Footprint::disc(0.5))),
        all(VehicleSpec { rings: 2, ..VehicleSpec::new(1.5, Footprint::disc(1.0)) }),
        all(VehicleSpec { rings: 2, ..VehicleSpec::new(1.0, rectangle(1.6, 0.9)) }),
        all(VehicleSpec { rings: 2, ..VehicleSpec::new(1.3, wedge) }),
        all(VehicleSpec { rings: 1, headings: 16, ..VehicleSpec::new(0.7, Footprint::disc(0.3)) }),
    ]
}

fn each(mut check: impl FnMut(&VehicleSpec, &Tables, &Edge)) {
    for vehicle in vehicles() {
        let tables = build(&vehicle).unwrap();
        assert!(tables.edges.len() > 100);
        for edge in &tables.edges {
            check(&vehicle, &tables, edge);
        }
    }
}

#[test]
fn curves_end_where_they_should_and_are_as_long_as_plain_geometry_says() {
    each(|vehicle, _, edge| {
        let [from, to] = ends(edge, vehicle.headings);
        let radius = vehicle.turn_radius;
        let parts = plain_word(from, to, radius, edge.word).expect("a curve of that word");
        let length: f64 = parts.iter().sum();
        let table_distance = f64::from(edge.length) / f64::from(UNITS);
        assert!(
            table_distance - length > -1e-9 && table_distance - length < 1.1 / f64::from(UNITS),
            "{edge:?} {length}"
        );
        let end = drive(from, radius, edge.word, parts, length);
        assert!((end.x - to.x).hypot(end.y - to.y) < 1e-9, "{edge:?} {end:?}");
        let own = curve(edge, vehicle).unwrap();
        assert!((own.length() - length).abs() < 1e-9);
        let start = navbake_vehicle::Pose { x: 0.0, z: 0.0, heading: from.heading };
        let own = own.end(start, radius);
        assert!((own.x - to.x).hypot(own.z + to.y) < 1e-9);
        let off = (own.heading - to.heading).rem_euclid(std::f64::consts::TAU);
        assert!(off.min(std::f64::consts::TAU - off) < 1e-9);
        let [x, z] = edge.offset.map(f64::from);
        assert!(table_distance >= x.hypot(z) - 1e-9);
    });
}

#[test]
fn no_word_is_missed_and_the_shortest_is_never_longer_than_another_librarys() {
    use navbake_vehicle::{Between, Pose};
    let mut differs = 0;
    for from in 0..8u32 {
        for to in 0..16u32 {
            for x in -4..=4i32 {
                for z in -4..=4i32 {
                    for radius in [0.6, 1.0, 2.0] {
                        let (a, b) = (support::heading_of(from, 8), support::heading_of(to, 16));
                        let (x, z) = (f64::from(x), f64::from(z));
                        let own = Between::new(
                            Pose { x: 0.0, z: 0.0, heading: a },
                            Pose { x, z, heading: b },
                            radius,
                        );
                        let start = support::At { x: 0.0, y: 0.0, heading: a };
                        let goal = support::At { x, y: -z, heading: b };
                        for word in Word::ALL {
                            let plain = plain_word(start, goal, radius, word)
                                .map(|p| p.iter().sum::<f64>());
                            match (plain, own.length(word)) {
                                (Some(p), Some(o)) => assert!(
                                    (p - o).abs() < 1e-6,
                                    "{word:?} {a} {b} {x} {z} {radius}: {p} {o}"
                                ),
                                (None, None) => {}
                                other => panic!("{word:?} {a} {b} {x} {z} {radius}: {other:?}"),
                            }
                        }
                        let theirs = DubinsPath::shortest_from(
                            PosRot::from_floats(0.0, 0.0, a),
                            PosRot::from_floats(x, -z, b),
                            radius,
                        );
                        let Ok(theirs) = theirs else { continue };
                        let theirs = theirs.length();
                        let off = own.shortest() - theirs;
                        // Theirs may count a whole turn where rounding says so; single precision
                        // elsewhere.
                        assert!(
                            off < 1e-6,
                            "{a} {b} {x} {z} {radius}: {} {theirs}",
                            own.shortest()
                        );
                        differs += u32::from(off < -1e-6);
                    }
                }
            }
        }
    }
    assert!(differs < 3000, "{differs}");
}

#[test]
fn d3_every_tile_that_a_dense_drive_touches_is_marked_and_every_marked_one_has_a_witness() {
    each(|vehicle, _, edge| {
        let [from, to] = ends(edge, vehicle.headings);
        let parts = plain_word(from, to, vehicle.turn_radius, edge.word).unwrap();
        let length: f64 = parts.iter().sum();
        let steps = (length / 0.05).ceil();
        let reach = edge.swept.reach() + 1;
        let mut deepest = std::collections::BTreeMap::new();
        let sample = |along: f64, tile: [i32; 2]| {
            depth(
                &vehicle.footprint,
                drive(from, vehicle.turn_radius, edge.word, parts, along),
                tile,
            )
        };
        for i in 0..=steps as u32 {
            let along = length * f64::from(i) / steps;
            let at = drive(from, vehicle.turn_radius, edge.word, parts, along);
            for z in -reach..=reach {
                for x in -reach..=reach {
                    let far = (f64::from(x) - at.x).abs().max((f64::from(z) + at.y).abs());
                    if far > vehicle.footprint.reach() + 0.6 {
                        continue;
                    }
                    let d = depth(&vehicle.footprint, at, [x, z]);
                    let best = deepest.entry([x, z]).or_insert((f64::NEG_INFINITY, 0.0));
                    if d > best.0 {
                        *best = (d, along);
                    }
                    assert!(
                        d < 1e-6 || edge.swept.has([x, z]),
                        "{edge:?} misses {x} {z}, {d} deep"
                    );
                }
            }
        }
        for tile in edge.swept.tiles() {
            let &(mut d, mut along) = deepest.get(&tile).unwrap_or(&(-1.0, 0.0));
            // Looked at more closely around the deepest sample.
            let mut step = length / steps;
            while d <= -1e-6 && step > 1e-9 {
                step /= 2.0;
                for try_at in [along - step, along + step] {
                    let deep = sample(try_at.clamp(0.0, length), tile);
                    if deep > d {
                        (d, along) = (deep, try_at);
                    }
                }
            }
            assert!(d > -1e-6, "{edge:?} marks {tile:?} and is {d} away");
        }
    });
}

#[test]
fn mirrored_turned_and_driven_back_edges_sweep_the_same_tiles() {
    for vehicle in vehicles().into_iter().filter(|v| v.footprint.is_mirrored()) {
        let tables = build(&vehicle).unwrap();
        let all = spread(&tables.edges, &vehicle);
        let headings = vehicle.headings;
        let find = |from: u32, offset: [i32; 2], to: u32, word: Word| {
            all[from as usize].iter().find(|e| (e.offset, e.to, e.word) == (offset, to, word))
        };
        for edge in all.iter().flatten() {
            let word = if edge.straight { edge.word } else { edge.word.mirrored() };
            let flat = find(
                (headings - edge.from) % headings,
                [edge.offset[0], -edge.offset[1]],
                (headings - edge.to) % headings,
                word,
            )
            .expect("a mirror image");
            assert_eq!(flat.length, edge.length);
            assert_eq!(flat.swept, edge.swept.mapped(|[x, z]| [x, -z]));
            let quarter = headings / 4;
            let turned = find(
                (edge.from + quarter) % headings,
                [edge.offset[1], -edge.offset[0]],
                (edge.to + quarter) % headings,
                edge.word,
            )
            .expect("turned");
            assert_eq!(turned.swept, edge.swept.mapped(|[x, z]| [z, -x]));
            if !vehicle.footprint.is_reversible() {
                continue;
            }
            // Driven back to where it came from: the words with their parts in the other order,
            // left and right exchanged.
            let about = |h: u32| (h + headings / 2) % headings;
            let word = match edge.word {
                Word::Lsl => Word::Rsr,
                Word::Rsr => Word::Lsl,
                Word::Rlr => Word::Lrl,
                Word::Lrl => Word::Rlr,
                other => other,
            };
            let word = if edge.straight { edge.word } else { word };
            let offset = edge.offset.map(|o| -o);
            // Of curves of the same length and tiles one is kept; which one may differ.
            let back: Vec<&Edge> = all[about(edge.to) as usize]
                .iter()
                .filter(|e| (e.offset, e.to) == (offset, about(edge.from)))
                .collect();
            let shown = back.iter().any(|b| b.word == word || b.length.abs_diff(edge.length) <= 1);
            assert!(shown, "{edge:?} {back:?} {:?}", tables.vehicle);
            if let Some(b) = back.iter().find(|b| b.word == word) {
                assert_eq!(b.length.abs_diff(edge.length).min(1), b.length.abs_diff(edge.length));
                assert_eq!(b.swept.moved(edge.offset), edge.swept);
            }
        }
    }
}

#[test]
fn both_ways_round_are_there_where_they_are_the_same_length() {
    // Turning about to a place straight behind.
    let vehicle = VehicleSpec { words: 1, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let tables = build(&vehicle).unwrap();
    let all = spread(&tables.edges, &vehicle);
    let about: Vec<&Edge> = all[0].iter().filter(|e| e.offset == [-2, 0] && e.to == 4).collect();
    assert!(about.len() >= 2 && about.len().is_multiple_of(2), "{about:?}");
    let least = about.iter().map(|e| e.length).min().unwrap();
    assert_eq!(about.iter().filter(|e| e.length == least).count(), 2);
}

#[test]
fn a_unit_as_wide_as_a_corridor_passes_and_one_that_is_wider_does_not() {
    for (radius, tiles) in [(0.5, 4), (0.500_001, 12)] {
        let vehicle = VehicleSpec::new(1.0, Footprint::disc(radius));
        let tables = build(&vehicle).unwrap();
        let straight = |e: &&Edge| e.straight && e.from == 0 && e.offset == [1, 0];
        let edge = tables.edges.iter().find(straight).unwrap();
        // The tile before, its own, the next: the tiles behind and ahead are touched by the wider
        // one alone.
        let wide = edge.swept.count();
        assert_eq!(wide > 2, tiles > 4, "{radius}: {wide}");
    }
    // The same for a rectangle: turned by whole headings it never touches the walls of a corridor.
    let vehicle = VehicleSpec::new(1.0, rectangle(1.0, 1.0));
    let tables = build(&vehicle).unwrap();
    let straight = tables.edges.iter().find(|e| e.straight && e.from == 0 && e.offset == [1, 0]);
    assert_eq!(straight.unwrap().swept.count(), 2);
}

#[test]
fn between_two_tiles_that_touch_at_a_corner_nothing_passes() {
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.05));
    let tables = build(&vehicle).unwrap();
    let all = spread(&tables.edges, &vehicle);
    let diagonal = all[1].iter().find(|e| e.offset == [1, -1] && e.to == 1).unwrap();
    assert!(diagonal.swept.has([1, 0]) && diagonal.swept.has([0, -1]));
    assert_eq!(diagonal.swept.count(), 4);
}

#[test]
fn a_long_rectangle_sweeps_a_tile_that_neither_of_its_ends_touches() {
    let vehicle = VehicleSpec { rings: 2, ..VehicleSpec::new(2.0, rectangle(3.0, 1.0)) };
    let tables = build(&vehicle).unwrap();
    let found = tables.edges.iter().any(|edge| {
        let touched = |at, tile| depth(&vehicle.footprint, at, tile) > 1e-7;
        let [from, to] = ends(edge, 8);
        let mut tiles = edge.swept.tiles();
        tiles.any(|t| !touched(from, t) && !touched(to, t))
    });
    assert!(found);
}

#[test]
fn larger_footprints_touch_all_that_smaller_ones_do() {
    let [small, large] = [0.4, 0.7].map(|r| {
        let vehicle = VehicleSpec { words: 6, ..VehicleSpec::new(1.0, Footprint::disc(r)) };
        let found = navbake_vehicle::build::build(&vehicle).unwrap();
        spread(&found.edges, &vehicle)
    });
    let mut compared = 0;
    for edge in large.iter().flatten() {
        let same = |e: &&Edge| (e.offset, e.to, e.word) == (edge.offset, edge.to, edge.word);
        if let Some(other) = small[edge.from as usize].iter().find(same) {
            assert!(other.swept.is_subset(&edge.swept));
            compared += 1;
        }
    }
    assert!(compared > 1000);
}

#[test]
fn d1_the_last_row_and_column_of_a_window_are_tiles_like_others() {
    // Curves that go as far as the window does, in every direction.
    let vehicle = VehicleSpec { words: 6, ..VehicleSpec::new(1.0, Footprint::disc(0.5)) };
    let tables = build(&vehicle).unwrap();
    assert_eq!(tables.window, 11);
    let mut seen = [false; 121];
    for edge in spread(&tables.edges, &vehicle).iter().flatten() {
        let words = edge.swept.packed(5);
        let mut bits = 0;
        for z in -5..=5i32 {
            for x in -5..=5i32 {
                let bit = ((z + 5) * 11 + x + 5) as usize;
                let set = words[bit / 64] >> (bit % 64) & 1 != 0;
                assert_eq!(set, edge.swept.has([x, z]));
                seen[bit] |= set;
                bits += u32::from(set);
            }
        }
        assert_eq!(bits, edge.swept.count());
    }
    for z in 0..11 {
        let row = &seen[z * 11..][..11];
        assert!(row.contains(&true), "row {z}");
    }
    assert!(seen[112..].contains(&true));
}
