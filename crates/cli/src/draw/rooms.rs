//! Rooms on a picture from above: each with its colour and its name or number, doors with their widths.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::storeys::Storey;
use super::svg::{Picture, colour, escape};
use crate::surface::Surface;

pub(super) const STYLE: &str = ".door{stroke:#111;stroke-width:3;stroke-linecap:butt;fill:none}.divide{stroke:#111;stroke-width:1.2;stroke-dasharray:6 4;fill:none}\
.width{font-size:8px;fill:#111}.room{font-size:12px;text-anchor:middle}.number{font-size:9px;text-anchor:middle;fill-opacity:.6}";

/// Fills the polygons of a sheet, each room with its colour.
pub(super) fn fill(out: &mut String, picture: &Picture<'_>, sheet: &Storey, surface: &Surface) {
    let Some(rooms) = &surface.rooms else { return };
    for (room, polygons) in by_room(sheet, &rooms.of) {
        let _ = write!(out, "<path fill=\"{}\" d=\"", colour(room));
        for &p in &polygons {
            picture.ring(out, p);
        }
        let _ = writeln!(
            out,
            "\"><title>{}</title></path>",
            escape(&rooms.title(room))
        );
    }
}

/// Draws doors and writes names, over walls and portals.
pub(super) fn draw(out: &mut String, picture: &Picture<'_>, sheet: &Storey, surface: &Surface) {
    let Some(rooms) = &surface.rooms else { return };
    let mut count = 0;
    for door in &rooms.doors {
        if sheet.polygons.binary_search(&door.polygon).is_err() {
            continue;
        }
        if !door.divide.is_empty() {
            out.push_str("<path class=\"divide\" d=\"");
            for ends in &door.divide {
                let [a, b] = ends.map(|p| picture.point(p));
                let _ = write!(out, "M{:.2} {:.2}L{:.2} {:.2}", a.0, a.1, b.0, b.1);
            }
            out.push_str("\"/>\n");
            continue;
        }
        count += 1;
        let [a, b] = door.ends.map(|p| picture.point(p));
        let names = door.rooms.map(|r| rooms.title(r));
        let _ = writeln!(
            out,
            "<path class=\"door\" d=\"M{:.2} {:.2}L{:.2} {:.2}\"><title>{:.2} wide: {} - {}</title></path>",
            a.0,
            a.1,
            b.0,
            b.1,
            door.width,
            escape(&names[0]),
            escape(&names[1])
        );
        let (x, y) = ((a.0 + b.0) / 2.0 + 3.0, (a.1 + b.1) / 2.0 - 3.0);
        let _ = writeln!(
            out,
            "<text class=\"width\" x=\"{x:.1}\" y=\"{y:.1}\">{:.1}</text>",
            door.width
        );
    }
    let all = by_room(sheet, &rooms.of);
    picture.note(
        out,
        160.0,
        &format!("{} rooms, {count} doors", all.len()),
        "#222",
    );
    for (room, polygons) in all {
        let Some(&largest) =
            (polygons.iter()).max_by(|&&a, &&b| surface.area(a).total_cmp(&surface.area(b)))
        else {
            continue;
        };
        let ring = surface.ring(largest);
        let mean = |k: usize| ring.iter().map(|p| p[k]).sum::<f64>() / ring.len() as f64;
        let (x, y) = picture.point([mean(0), mean(1), mean(2)]);
        let (class, text) = match rooms.names[room as usize].as_str() {
            "" => ("number", rooms.numbers[room as usize].to_string()),
            name => ("room", escape(name)),
        };
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>",
            y + 4.0
        );
    }
}

/// The polygons of a sheet by their rooms.
fn by_room(sheet: &Storey, of: &[u32]) -> BTreeMap<u32, Vec<usize>> {
    let mut all: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &p in &sheet.polygons {
        all.entry(of[p]).or_default().push(p);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::svg;
    use crate::surface::tests::two_squares_and_an_island;
    use crate::surface::{Door, Rooms};

    #[test]
    fn rooms_have_colours_and_names_and_doors_their_widths() {
        let mut surface = two_squares_and_an_island();
        surface.rooms = Some(Rooms {
            of: vec![0, 1, 2],
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
        let picture = svg::write(&surface, "", "m");
        assert_eq!(picture.matches("class=\"door\"").count(), 1);
        assert_eq!(picture.matches("class=\"room\"").count(), 1);
        assert_eq!(picture.matches("class=\"number\"").count(), 2);
        assert!(
            picture.contains(">7</text>"),
            "the number that the smallest agent has"
        );
        assert!(picture.contains("a&lt;b") && picture.contains("1.25 wide: a&lt;b - room 1"));
        assert!(picture.contains("3 rooms, 1 doors"), "{picture}");
        surface.rooms = None;
        assert!(!svg::write(&surface, "", "m").contains("class=\"door\""));
    }
}
