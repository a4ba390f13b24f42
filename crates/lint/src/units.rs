//! Signs that a level has other axes or units than the config says.

use navbake_level::{Role, Scene, Warning, WarningPlace};

/// A face is level or upright if its normal is this close to an axis.
const STRAIGHT: f64 = 0.94;
/// Fewer faces than this say nothing.
const FEW: usize = 12;
/// Walls whose median height, m, is above this are those of no building.
const HIGH: f64 = 30.0;
/// The usual height of a wall, m.
const USUAL: f64 = 3.0;

/// Warns of a level that seems to be on its side, or in other units than metres.
///
/// `up` is the axis of the file that points up, `y` or `z`; `scale` is applied already. Linear in
/// triangles.
pub fn units(scene: &Scene, roles: &[Role], up: &str, scale: f64) -> Option<Warning> {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    let (mut areas, mut walls, mut deep) = ([0.0; 3], vec![], 0);
    for (v, &part) in scene.triangles.iter().zip(&scene.triangle_parts) {
        if roles[part as usize] == Role::Ignored {
            continue;
        }
        let corners = v.map(|v| scene.vertices[v as usize]);
        for corner in corners {
            for k in 0..3 {
                bounds[0][k] = bounds[0][k].min(corner[k]);
                bounds[1][k] = bounds[1][k].max(corner[k]);
            }
        }
        let [a, b, c] = corners;
        let [p, q] = [b, c].map(|v| [0, 1, 2].map(|k| v[k] - a[k]));
        let normal = [0, 1, 2].map(|k| {
            let [i, j] = [(k + 1) % 3, (k + 2) % 3];
            p[i] * q[j] - p[j] * q[i]
        });
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        for k in 0..3 {
            if normal[k].abs() >= STRAIGHT * length {
                areas[k] += length / 2.0;
                deep += usize::from(k == 2);
            }
        }
        if normal[1].abs() <= (1.0 - STRAIGHT) * length && length > 0.0 {
            let ups = corners.map(|c| c[1]);
            let most = ups[0].max(ups[1]).max(ups[2]);
            walls.push(most - ups[0].min(ups[1]).min(ups[2]));
        }
    }
    let sides = [0, 1, 2].map(|k| bounds[1][k] - bounds[0][k]);
    let middle = walls.len() / 2;
    let height = match walls.len() {
        0..FEW => 0.0,
        _ => *walls.select_nth_unstable_by(middle, f64::total_cmp).1,
    };
    // Floors are wide and level, walls face along both other axes.
    let message = if 2.0 * sides[2] < sides[0].min(sides[1])
        && areas[2] > 1.3 * areas[0].max(areas[1])
        && deep >= FEW
    {
        let other = if up == "y" { "z" } else { "y" };
        format!(
            "the level seems to be on its side: it is {:.1} m high and {:.1} m deep, and most \
             of its surfaces are upright; if {other} is up in its file, give --up {other}",
            sides[1], sides[2]
        )
    } else if height > HIGH {
        let likely =
            [0.0254, 0.01, 0.001].map(|unit: f64| (unit, (height * unit / USUAL).ln().abs()));
        let likely = likely.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(1.0, |l| l.0);
        format!(
            "the level seems not to be in metres: half of its walls are {height:.1} m high or \
             higher; --scale {} makes that {:.2} m",
            likely * scale,
            height * likely
        )
    } else {
        return None;
    };
    Some(Warning { code: "likely-units", message, place: WarningPlace::None })
}

#[cfg(test)]
mod tests {
    use navbake_level::Part;

    use super::*;

    /// A hall of 20 by 15 m with ten pillars 3 m high, in these units, with z up or y.
    fn hall(unit: f64, z_is_up: bool) -> Scene {
        let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
        let mut quad = |corners: [[f64; 3]; 4]| {
            let at = scene.vertices.len() as u32;
            let place = |[x, y, z]: [f64; 3]| if z_is_up { [x, -z, y] } else { [x, y, z] };
            scene.vertices.extend(corners.map(|c| place(c.map(|c| c * unit))));
            scene.triangles.extend([[at, at + 1, at + 2], [at, at + 2, at + 3]]);
            scene.triangle_parts.extend([0, 0]);
        };
        for y in [0.0, 3.0] {
            for x in [0.0, 4.0, 8.0, 12.0, 16.0] {
                let [low, high] = [x, x + 4.0];
                quad([[low, y, 0.0], [low, y, 15.0], [high, y, 15.0], [high, y, 0.0]]);
            }
        }
        for k in 0..10 {
            let (x, z) = (f64::from(k) * 1.9 + 0.5, 6.0);
            quad([[x, 0.0, z], [x + 0.5, 0.0, z], [x + 0.5, 3.0, z], [x, 3.0, z]]);
            quad([[x, 0.0, z], [x, 0.0, z + 0.5], [x, 3.0, z + 0.5], [x, 3.0, z]]);
        }
        scene
    }

    #[test]
    fn a_level_on_its_side_or_in_other_units_is_noticed_with_the_option_that_helps() {
        let said = |unit, z_is_up, up| {
            units(&hall(unit, z_is_up), &[Role::Ground], up, 1.0).map(|w| w.message)
        };
        assert_eq!(said(1.0, false, "y"), None);
        for (unit, z_is_up, up, cure) in [
            (1.0, true, "y", "--up z"),
            (1.0, true, "z", "--up y"),
            (100.0, false, "y", "--scale 0.01 "),
            (1000.0, false, "y", "--scale 0.001 "),
            (1.0 / 0.0254, false, "y", "--scale 0.0254 "),
        ] {
            let message = said(unit, z_is_up, up).unwrap();
            assert!(message.contains(cure), "{unit}: {message}");
        }
        // A level that is left out says nothing.
        assert_eq!(units(&hall(1000.0, false), &[Role::Ignored], "y", 1.0), None);
    }
}
