//! Links on a plan: dashed arrows in the colour of their kind, on the sheets of both ends.

use std::collections::BTreeMap;

use navbake_format::LinkKind;

use crate::plan::Plan;
use crate::storeys::Storey;
use crate::surface::Link;
use crate::svg::{Svg, escape};

pub(crate) const STYLE: &str = ".link{stroke-width:1.8;stroke-dasharray:4 2.5;fill:none}\
    .head{stroke:none}.begin{fill:#fff;stroke-width:1.2}";

/// Length and half width of an arrow head.
const HEAD: [f64; 2] = [7.0, 3.2];
/// Radius of the ring at the start of a link.
const RING: f64 = 2.2;

/// Draws the links that start or end on a sheet, and a legend below it.
pub(crate) fn draw(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, links: &[Link]) {
    let on_sheet = |link: &&Link| link.polygons.iter().any(|&p| sheet.has(p));
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for link in links.iter().filter(on_sheet) {
        let colour = colour(link.kind);
        let [a, b] = link.ends.map(|p| plan.point(p));
        out.add(format_args!(
            "<g stroke=\"{colour}\"><title>{}</title><path class=\"link\" d=\"{}\"/>",
            title(link),
            plan.segment(link.ends)
        ));
        head(out, a, b, colour);
        if link.both_ways {
            head(out, b, a, colour);
        } else {
            out.add(format_args!(
                "<circle class=\"begin\" cx=\"{:.2}\" cy=\"{:.2}\" r=\"{RING}\"/>",
                a.0, a.1
            ));
        }
        out.line(format_args!("</g>"));
        *counts.entry(link.kind as u8).or_default() += 1;
    }
    let mut x = 160.0;
    for (kind, count) in counts {
        let kind = LinkKind::ALL[usize::from(kind)];
        let text = format!("{count} {}", kind.name());
        plan.note(out, x, &text, colour(kind));
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

fn head(out: &mut Svg, from: (f64, f64), to: (f64, f64), colour: &str) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length <= 0.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let [long, half] = HEAD.map(|h| h.min(length * h / (2.0 * HEAD[0])));
    let foot = (to.0 - long * ux, to.1 - long * uy);
    out.add(format_args!(
        "<path class=\"head\" fill=\"{colour}\" d=\"M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z\"/>",
        to.0,
        to.1,
        foot.0 - half * uy,
        foot.1 + half * ux,
        foot.0 + half * uy,
        foot.1 - half * ux
    ));
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
