//! The tables, in Markdown.

use navbake_bake::MeshQuality;

use crate::oracle::{Accuracy, Judged};
use crate::run::Row;

/// Head of the table of times and sizes.
pub fn head() -> String {
    let columns = [
        "level",
        "triangles",
        "navbake CPU s",
        "rerecast CPU s",
        "ratio",
        "2 threads / 1, wall",
        "serial share",
        "Level s",
        "polygons",
        "Recast's",
        "per 100 m2 / narrower than 0.1 m / median least angle",
        "Recast's",
        "area m2",
        "Recast's",
        "bytes",
        "Detour's",
        "ratio",
    ];
    format!("| {} |\n|{}", columns.join(" | "), " --- |".repeat(columns.len()))
}

/// A row of that table.
pub fn row(row: &Row) -> String {
    let (a, b) = (&row.navbake, row.rerecast.as_ref().ok());
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
    let cells = [
        row.level.clone(),
        row.triangles.to_string(),
        format!("{:.4}", a.cpu_seconds),
        or_dash(b.map(|b| format!("{:.4}", b.cpu_seconds))),
        or_dash(b.map(|b| format!("{:.2}", a.cpu_seconds / b.cpu_seconds))),
        format!("{:.2}", a.two_threads_wall_ratio),
        format!("{:.3}", a.serial_share),
        format!("{:.4}", a.level_seconds),
        a.polygons.to_string(),
        or_dash(b.map(|b| b.polygons.to_string())),
        quality(&a.quality),
        or_dash(b.map(|b| quality(&b.quality))),
        format!("{:.1}", a.area_m2),
        or_dash(b.map(|b| format!("{:.1}", b.area_m2))),
        a.bytes.to_string(),
        or_dash(b.map(|b| b.detour_bytes.to_string())),
        or_dash(b.map(|b| format!("{:.3}", a.bytes as f64 / b.detour_bytes as f64))),
    ];
    format!("| {} |", cells.join(" | "))
}

fn quality(q: &MeshQuality) -> String {
    let (narrow, angle) = (q.narrow_share * 100.0, q.median_least_angle_degrees);
    format!("{:.2} / {narrow:.1} % / {angle:.0}°", q.polygons_per_100_m2)
}

/// Head of the table of accuracy.
pub fn accuracy_head() -> String {
    let columns = [
        "level",
        "by",
        "ideal m2",
        "mesh m2",
        "recall at 0 / 0.1 / 0.3 m",
        "intrusion at 0.05 / 0.15 m",
        "height error m, 99.9 %",
        "covered twice",
        "pairs reached",
    ];
    format!("| {} |\n|{}", columns.join(" | "), " --- |".repeat(columns.len()))
}

/// The two rows of a level in that table.
pub fn accuracy_rows(judged: &Judged) -> String {
    let one = |by: &str, a: &Accuracy, pairs: String| {
        format!(
            "| {} | {by} | {:.0} | {:.0} | {:.4} / {:.4} / {:.4} | {:.4} / {:.4} | {:.4} | {:.5} | {pairs} |",
            judged.level,
            a.ideal_area,
            a.navmesh_area,
            a.recall_at(0.0),
            a.recall_at(0.1),
            a.recall_at(0.3),
            a.intrusion_at(0.05),
            a.intrusion_at(0.15),
            a.height_error[1],
            a.covered_twice,
        )
    };
    let reached = judged.pairs - judged.pairs_missed.len();
    let pairs = format!("{reached} of {}", judged.pairs);
    let mut rows = one("navbake", &judged.navbake, pairs);
    if let Some(peer) = &judged.rerecast {
        rows.push('\n');
        rows += &one("rerecast", peer, "–".into());
    }
    rows
}
