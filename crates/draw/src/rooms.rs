//! Rooms on a plan: each with its colour and its name or number, doors with their widths.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::storeys::Storey;
use crate::surface::Surface;
use crate::svg::{Svg, colour, escape};

pub(crate) const STYLE: &str = ".door{stroke:#111;stroke-width:3;stroke-linecap:butt;fill:none}\
    .divide{stroke:#111;stroke-width:1.2;stroke-dasharray:6 4;fill:none}\
    .width{font-size:8px;fill:#111}.room{font-size:12px;text-anchor:middle}\
    .number{font-size:9px;text-anchor:middle;fill-opacity:.6}";

/// Fills the polygons of a sheet, each room with its colour.
pub(crate) fn fill(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, surface: &Surface) {
    let Some(rooms) = &surface.rooms else { return };
    for (room, polygons) in by_room(sheet, &rooms.of_polygon) {
        out.line(format_args!(
            "<path fill=\"{}\" d=\"{}\"><title>{}</title></path>",
            colour(room),
            plan.rings(polygons),
            escape(&rooms.title(room))
        ));
    }
}

/// Draws doors and writes names, over walls and portals.
pub(crate) fn draw(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, surface: &Surface) {
    let Some(rooms) = &surface.rooms else { return };
    let mut count = 0;
    for door in rooms.doors.iter().filter(|door| sheet.has(door.polygon)) {
        if !door.divide.is_empty() {
            let portals = door.divide.iter().map(|&ends| plan.segment(ends));
            out.path("divide", &portals.collect::<String>());
            continue;
        }
        count += 1;
        let [a, b] = door.ends.map(|p| plan.point(p));
        let names = door.rooms.map(|r| escape(&rooms.title(r)));
        out.line(format_args!(
            "<path class=\"door\" d=\"{}\"><title>{:.2} wide: {} - {}</title></path>",
            plan.segment(door.ends),
            door.width,
            names[0],
            names[1]
        ));
        let (x, y) = ((a.0 + b.0) / 2.0 + 3.0, (a.1 + b.1) / 2.0 - 3.0);
        out.line(format_args!(
            "<text class=\"width\" x=\"{x:.1}\" y=\"{y:.1}\">{:.1}</text>",
            door.width
        ));
    }
    let all = by_room(sheet, &rooms.of_polygon);
    let text = format!(
        "{} room{}, {count} door{}",
        all.len(),
        if all.len() == 1 { "" } else { "s" },
        if count == 1 { "" } else { "s" }
    );
    plan.note(out, 160.0, &text, "#222");
    for (room, polygons) in all {
        let by_area = |a: &&usize, b: &&usize| surface.area(**a).total_cmp(&surface.area(**b));
        let Some(&largest) = polygons.iter().max_by(by_area) else {
            continue;
        };
        let ring = surface.ring(largest);
        let mean = |k: usize| ring.iter().map(|p| p[k]).sum::<f64>() / ring.len() as f64;
        let (x, y) = plan.point([mean(0), mean(1), mean(2)]);
        let (class, text) = match rooms.names[room as usize].as_str() {
            "" => ("number", rooms.numbers[room as usize].to_string()),
            name => ("room", escape(name)),
        };
        out.line(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>",
            y + 4.0
        ));
    }
}

/// The polygons of a sheet by room.
fn by_room(sheet: &Storey, of_polygon: &[u32]) -> BTreeMap<u32, Vec<usize>> {
    let mut all: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &p in &sheet.polygons {
        all.entry(of_polygon[p]).or_default().push(p);
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::plan;
    use crate::surface::tests::two_squares_and_an_island;
    use crate::surface::{Door, Rooms};

    #[test]
    fn rooms_have_colours_and_names_and_doors_their_widths() {
        let mut surface = two_squares_and_an_island();
        surface.rooms = Some(Rooms {
            of_polygon: vec![0, 1, 2],
            names: vec!["a<b".into(), String::new(), String::new()],
            numbers: vec![0, 1, 7],
            doors: vec![Door {
                rooms: [0, 1],
                polygon: 0,
                ends: [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0]],
                width: 1.25,
                divide: vec![],
            }],
        });
        let picture = plan::write(&surface, "", "m");
        assert_eq!(picture.matches("class=\"door\"").count(), 1);
        assert_eq!(picture.matches("class=\"room\"").count(), 1);
        assert_eq!(picture.matches("class=\"number\"").count(), 2);
        assert!(picture.contains(">7</text>"), "the number of the smallest agent's room");
        assert!(picture.contains("a&lt;b") && picture.contains("1.25 wide: a&lt;b - room 1"));
        assert!(picture.contains("3 rooms, 1 door"), "{picture}");
        surface.rooms = None;
        assert!(!plan::write(&surface, "", "m").contains("class=\"door\""));
    }
}
