//! Links on a picture from above: dashed arrows, on the sheets of both their ends, coloured by what one does on them.

use std::collections::BTreeMap;
use std::fmt::Write;

use navbake_format::LinkKind;

use super::storeys::Storey;
use super::svg::{Picture, escape};
use crate::surface::Link;

pub(super) const STYLE: &str = ".link{stroke-width:1.8;stroke-dasharray:4 2.5;fill:none}.head{stroke:none}.begin{fill:#fff;stroke-width:1.2}";

/// Length of an arrow's head, and half its width; radius of the ring that a link begins with.
const HEAD: [f64; 2] = [7.0, 3.2];
const RING: f64 = 2.2;

/// Draws the links that begin or end on a sheet, and below it what their colours mean.
pub(super) fn draw(out: &mut String, picture: &Picture<'_>, sheet: &Storey, links: &[Link]) {
    let on_sheet = |link: &&Link| {
        let holds = |p: &usize| sheet.polygons.binary_search(p).is_ok();
        link.polygons.iter().any(holds)
    };
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for link in links.iter().filter(on_sheet) {
        let colour = colour(link.kind);
        let [a, b] = link.ends.map(|p| picture.point(p));
        let _ = write!(
            out,
            "<g stroke=\"{colour}\"><title>{}</title><path class=\"link\" d=\"M{:.2} {:.2}L{:.2} {:.2}\"/>",
            title(link),
            a.0,
            a.1,
            b.0,
            b.1
        );
        head(out, a, b, colour);
        if link.both_ways {
            head(out, b, a, colour);
        } else {
            let _ = write!(
                out,
                "<circle class=\"begin\" cx=\"{:.2}\" cy=\"{:.2}\" r=\"{RING}\"/>",
                a.0, a.1
            );
        }
        out.push_str("</g>\n");
        *counts.entry(link.kind as u8).or_default() += 1;
    }
    let mut x = 160.0;
    for (kind, count) in counts {
        let kind = LinkKind::ALL[usize::from(kind)];
        let text = format!("{count} {}", kind.name());
        picture.note(out, x, &text, colour(kind));
        x += 24.0 + 9.0 * text.len() as f64;
    }
}

fn title(link: &Link) -> String {
    let name = match link.name.as_str() {
        "" => String::new(),
        name => format!(" {}", escape(name)),
    };
    let back = if link.both_ways { ", both ways" } else { "" };
    format!("{}{name}{back}", link.kind.name())
}

fn head(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length <= 0.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let [long, half] = HEAD.map(|h| h.min(length * h / (2.0 * HEAD[0])));
    let foot = (to.0 - long * ux, to.1 - long * uy);
    let _ = write!(
        out,
        "<path class=\"head\" fill=\"{colour}\" d=\"M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z\"/>",
        to.0,
        to.1,
        foot.0 - half * uy,
        foot.1 + half * ux,
        foot.0 + half * uy,
        foot.1 - half * ux
    );
}

fn colour(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Drop => "#b0224c",
        LinkKind::Jump => "#1d5fa8",
        LinkKind::Climb => "#2f6f3e",
        LinkKind::Teleport | LinkKind::Ride => "#7a3fa0",
        _ => "#333",
    }
}
