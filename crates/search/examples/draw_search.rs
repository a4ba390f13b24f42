//! Steps a search and draws its steps, seen from above: `cargo run --example draw_search
//! level.nav 1 0 1 8 0 5 > search.svg`.
//!
//! Polygons are numbered in the order in which they were expanded; those that wait on the open list
//! are orange; the line through the entries is dashed, the finished path is bold. Storeys are drawn
//! on top of each other; `navbake query path --trace` draws them apart.

use std::fmt::Write;

use navbake_search::{Error, NavMeshBuf, NavQuery, PathRequest, PolyId, Scratch, Status};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: draw_search BLOB x y z x y z")?;
    let n: Vec<f64> = arguments.map(|a| a.parse()).collect::<Result<_, _>>()?;
    let &[a, b, c, d, e, f] = n.as_slice() else {
        return Err("expected six coordinates in metres, from and to".into());
    };
    let bytes = std::fs::read(file)?;
    let nav = NavMeshBuf::open(&bytes)?;
    let query = NavQuery::new(nav.mesh());
    print!("{}", draw(&query, &PathRequest::new([a, b, c], [d, e, f]))?);
    Ok(())
}

fn draw(query: &NavQuery<'_>, request: &PathRequest) -> Result<String, Error> {
    let mut scratch = Scratch::new();
    let mut search = query.start_path(request, &mut scratch)?;

    // One entry a step. A game would give a larger budget, and do this once a frame.
    let mut order: Vec<PolyId> = vec![];
    while search.step(query, &mut scratch, 1) == Status::Looking {
        order.extend(search.last_visit(query, &mut scratch).map(|v| v.polygon));
    }
    let visits: Vec<_> = search.visits(query, &mut scratch).collect();
    let path = search.path(query, &mut scratch);

    let mut out = String::new();
    let [low, high] = query.mesh().bounds();
    let grid = query.mesh().grid();
    let [low, high] = [low, high].map(|p| grid.metres(p.map(f64::from)));
    let (width, depth) = (high[0] - low[0], high[2] - low[2]);
    let line = width.max(depth) / 500.0;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {width} {depth}\" width=\"1000\" stroke-width=\"{line}\" font-size=\"{}\">",
        low[0],
        low[2],
        6.0 * line
    );
    for polygon in query.mesh().polygons() {
        let place = order.iter().position(|&p| p == polygon.id());
        let open = visits.iter().any(|v| !v.closed && v.polygon == polygon.id());
        let fill = match place {
            Some(k) => format!("hsl({:.0},60%,75%)", 55.0 + 165.0 * k as f64 / order.len() as f64),
            None if open => "#f6c9a8".into(),
            None => "#e6e4dc".into(),
        };
        let _ = write!(out, "<path fill=\"{fill}\" stroke=\"#fff\" d=\"");
        for k in 0..polygon.len() {
            let [x, _, z] = grid.metres(polygon.point(k).map(f64::from));
            let _ = write!(out, "{}{x} {z}", if k == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(out, "Z\"/>");
    }
    for (k, polygon) in order.iter().enumerate().take(100) {
        if let Some(visit) = visits.iter().find(|v| v.polygon == *polygon) {
            let [x, z] = visit.entry;
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{z}\">{}</text>", k + 1);
        }
    }
    let mut raw = String::new();
    let mut next = search.end_node();
    while let Some(visit) = next.and_then(|n| visits.iter().find(|v| v.node == n)) {
        let [x, z] = visit.entry;
        let _ = write!(raw, "{x},{z} ");
        next = (visit.parent != visit.node).then_some(visit.parent);
    }
    let path: Vec<String> = (path.points.iter()).map(|p| format!("{},{}", p[0], p[2])).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{raw}\" fill=\"none\" stroke=\"#b0224c\" stroke-dasharray=\"{0} {0}\"/>\n\
         <polyline points=\"{1}\" fill=\"none\" stroke=\"#111\" stroke-width=\"{2}\"/>\n</svg>",
        3.0 * line,
        path.join(" "),
        2.5 * line
    );
    Ok(out)
}
