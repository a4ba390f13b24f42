//! The text of a bake's summary.

use std::fmt::Write;

use navbake_bake::world_files::is_index;
use navbake_bake::{LabelChoice, MeshQuality};
use navbake_level::number::count;

use super::bake::Report;

/// What a bake prints.
pub(super) fn text(report: &Report) -> String {
    let s = &report.summary;
    let mut out = format!(
        "{}: {}, {}, {}, {}, {:.1} m2; {}, {:.2} s, {} peak memory\n",
        s.output,
        count(s.polygons, "polygon"),
        count(s.vertices, "vertex"),
        count(s.portals, "portal"),
        count(s.islands, "island"),
        s.area_m2,
        size(s.bytes),
        s.seconds.total,
        size(s.peak_rss_bytes)
    );
    for quality in s.quality.iter().filter(|q| q.polygons_per_100_m2 > 0.0) {
        let of = match s.quality.len() {
            1 => String::new(),
            _ => format!("agent class {}: ", quality.class),
        };
        let _ = writeln!(out, "{of}{}", compactness(quality));
    }
    if s.links.drops + s.links.jumps > 0 {
        let _ = writeln!(
            out,
            "{} and {} added to {} of the level",
            count(s.links.drops, "drop link"),
            count(s.links.jumps, "jump link"),
            count(s.links.drawn, "link")
        );
    }
    for choice in &s.tables.choices {
        let _ = writeln!(out, "{}", label_choice(choice));
    }
    if s.tables.bytes > 0 {
        let _ = match s.tables.corners {
            0 => writeln!(out, "tables: {}", size(s.tables.bytes)),
            corners => writeln!(
                out,
                "tables: {}, labels of {corners} corners with {:.1} hubs each",
                size(s.tables.bytes),
                s.tables.hubs as f64 / corners as f64
            ),
        };
        if s.tables.landmark_bytes > 0 {
            let _ = writeln!(out, "{} of the tables are landmarks", size(s.tables.landmark_bytes));
        }
        if s.tables.view_bytes > 0 {
            let _ = writeln!(
                out,
                "{} of the tables are {} {:.1} % of the ground",
                size(s.tables.view_bytes),
                match s.tables.squares {
                    0 => "visibility lists of".to_owned(),
                    n => format!("labels of {n} squares, on"),
                },
                s.tables.view_share * 100.0
            );
        }
        if s.tables.predicted_us > 0.0 {
            let _ = writeln!(
                out,
                "shortest path: {:.1} us predicted, {:.1} us measured",
                s.tables.predicted_us, s.tables.measured_us
            );
        }
        if s.tables.search_us > 0.0 {
            let _ = writeln!(out, "without labels: {:.1} us measured", s.tables.search_us);
        }
    }
    if s.tiles.cached > 0 {
        let _ = writeln!(
            out,
            "{} of {} baked, {} from the cache",
            s.tiles.baked,
            count(s.tiles.total, "tile"),
            s.tiles.cached
        );
    }
    if let Some(timings) = &report.timings {
        let _ = writeln!(out, "{:<12}{:>10}{:>10}", "stage", "wall s", "CPU s");
        for stage in &timings.stages {
            let _ = writeln!(
                out,
                "{:<12}{:>10.3}{:>10.3}{}",
                stage.stage,
                stage.wall,
                stage.cpu,
                if stage.parallel { "  parallel" } else { "" }
            );
        }
        let _ = writeln!(
            out,
            "{}; {:.0} % of the time serial",
            count(timings.threads, "thread"),
            timings.serial_share * 100.0
        );
    }
    // The index of a world in chunks has no ground of its own.
    if s.output != "-" && !is_index(s.output.as_ref()) {
        let _ = writeln!(out, "look at it: navbake view {}", s.output);
    }
    out
}

/// A number of bytes.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// Why an agent class has labels, or none.
fn label_choice(choice: &LabelChoice) -> String {
    let what = match choice.choice {
        "kept" => "kept",
        "asked" => "kept, as asked for",
        _ => "left out",
    };
    let why = match choice.most_bytes {
        Some(most) if choice.choice == "too-large" => {
            format!("they take about {}, and may take {}", size(choice.bytes), size(most))
        }
        _ => format!(
            "the work of a look-up is {:.1}, of a search {:.1} (expanded cones)",
            choice.look_up_work, choice.search_work
        ),
    };
    let cure = if what == "left out" { "; `--table-budget labels` asks for them" } else { "" };
    format!("labels of agent class {} {what}: {why}{cure}", choice.class)
}

/// How compact the polygons of an agent class are.
fn compactness(quality: &MeshQuality) -> String {
    format!(
        "{:.1} polygons per 100 m2, {:.1} % narrower than 0.1 m, median least angle {:.0} degrees",
        quality.polygons_per_100_m2,
        quality.narrow_share * 100.0,
        quality.median_least_angle_degrees
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(5 << 40), "5120.0 GiB");
    }
}
