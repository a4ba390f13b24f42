//! The report as one self-contained HTML page: no network, no server. The page of `navbake watch`
//! ([`Live`]) is served, and asks its server for news.
//!
//! The page contains the runtime (`search.wasm`, made by `tools/page/build.py`) and the navmesh
//! file, so that its paths are the same as the game's.
//!
//! The frame of the page is a template, which escapes all its values. What the page draws is JSON
//! (`data`), which the page's own script inserts as text. The Content-Security-Policy of the page
//! forbids it to load anything from elsewhere, whatever a name in the level contains.

mod data;
mod geometry;
mod search;
mod storeys;

use std::path::Path;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::{Environment, Value, context};
use navbake_bake::BakeInput;
use navbake_draw::printable;
use navbake_format::CheckedBlob;

use crate::diff::Diff;
use crate::print::portable;
use crate::subject::square_metres;
use crate::{Meshes, Report, Subject, Walker, sort};
use data::Earlier;
pub use geometry::{EarlierDrawing, LevelDrawing};

/// Efforts of compression: of a file that is kept and sent, and of a page that is soon replaced.
const SMALL: u8 = 9;
const QUICK: u8 = 1;

/// The report of a navmesh file as an HTML page, with the level under it where `job` has it.
pub fn html(report: &Report, blob: CheckedBlob<'_>, file: &str, job: Option<&BakeInput>) -> String {
    let meshes = Meshes::of(&blob);
    let subject = Subject::new(blob, &meshes);
    let level = job.map(LevelDrawing::small);
    let earlier = &mut EarlierDrawing::default();
    let drawn = Drawn::new(&subject, file, level.as_ref(), earlier, SMALL);
    page(report, &subject, "check", file, &drawn, Kind::Report)
}

/// The bake of the last save, with what changed since.
pub struct Before<'a> {
    /// The blob.
    pub blob: CheckedBlob<'a>,
    /// Its navmeshes.
    pub meshes: &'a Meshes,
    /// Its changes up to now.
    pub changes: Diff,
}

/// The pages of one bake that a server keeps up to date. The level is drawn once for all of them.
///
/// A page reads server-sent events from the address `events` beside it. Each is JSON: `version`
/// is the newest page, which replaces this one, and `error` says why there is no newer one, or is
/// null. Changes since the last save are findings of the page too, and drawn over the level.
pub struct Live<'a> {
    blob: CheckedBlob<'a>,
    meshes: &'a Meshes,
    file: &'a str,
    drawn: Drawn,
}

impl<'a> Live<'a> {
    /// Draws the navmeshes. The page stays on this machine, so that it is compressed little.
    /// `meshes` are those of the blob, and `file` is a level if one is drawn. Of what did not change
    /// since it was drawn earlier much is only copied.
    pub fn new(
        blob: CheckedBlob<'a>,
        meshes: &'a Meshes,
        file: &'a str,
        level: Option<&LevelDrawing>,
        earlier: &mut EarlierDrawing,
    ) -> Live<'a> {
        let drawn = Drawn::new(&Subject::new(blob, meshes), file, level, earlier, QUICK);
        Live { blob, meshes, file, drawn }
    }

    /// The page of a report, of this number.
    pub fn page(&self, report: &Report, version: u64, before: Option<&Before<'_>>) -> String {
        let subject = Subject::new(self.blob, self.meshes);
        let page = |report, earlier| {
            page(report, &subject, "watch", self.file, &self.drawn, Kind::Live(version, earlier))
        };
        let Some(before) = before else {
            return page(report, None);
        };
        let old = Subject::new(before.blob, before.meshes);
        let mut report = report.clone();
        report.findings.extend(before.changes.findings.iter().cloned());
        sort(&mut report.findings);
        page(&report, Some(&Earlier { subject: &old, agents: &before.changes.agents }))
    }
}

impl Diff {
    /// The changes as an HTML page: both bakes side by side or swiped, with ground gained and lost.
    ///
    /// O(n log n) in the polygons of both.
    pub fn html(&self, old: CheckedBlob<'_>, new: CheckedBlob<'_>, names: [&str; 2]) -> String {
        let meshes = [&old, &new].map(Meshes::of);
        let [before, after] = &meshes;
        let (before, after) = (Subject::new(old, before), Subject::new(new, after));
        let report = Report { findings: self.findings.clone(), ..Report::default() };
        let earlier = Earlier { subject: &before, agents: &self.agents };
        let file = names.join(" \u{2192} ");
        let drawn = Drawn::new(&after, names[1], None, &mut EarlierDrawing::default(), SMALL);
        page(&report, &after, "diff", &file, &drawn, Kind::Compared(&earlier))
    }
}

/// What a page is besides a report.
enum Kind<'a> {
    Report,
    Compared(&'a Earlier<'a>),
    /// A page of this number, with the last save.
    Live(u64, Option<&'a Earlier<'a>>),
}

/// What a page shows whatever its findings are.
struct Drawn {
    /// The blob that its commands ask.
    blob: String,
    /// JSON.
    scene: String,
    /// The stream of the geometry, in base64.
    geometry: String,
}

impl Drawn {
    /// `file` is a level if one is drawn, else a blob. `effort` is that of the compression, up to 9.
    fn new(
        subject: &Subject<'_>,
        file: &str,
        level: Option<&LevelDrawing>,
        earlier: &mut EarlierDrawing,
        effort: u8,
    ) -> Drawn {
        let (scene, geometry) = geometry::geometry(subject, level, earlier, effort);
        let blob = match level {
            Some(_) => Path::new(file).with_extension("navbake").display().to_string(),
            None => file.into(),
        };
        Drawn {
            blob,
            scene: in_script(&serde_json::to_string(&scene).unwrap_or_default()),
            geometry: STANDARD.encode(geometry),
        }
    }
}

fn page(
    report: &Report,
    subject: &Subject<'_>,
    command: &str,
    file: &str,
    drawn: &Drawn,
    kind: Kind<'_>,
) -> String {
    let (version, earlier) = match kind {
        Kind::Report => (None, None),
        Kind::Compared(earlier) => (None, Some(earlier)),
        Kind::Live(version, earlier) => (Some(version), earlier),
    };
    let mut environment = Environment::new();
    let shown = |text: &str| -> String { text.chars().map(printable).collect() };
    // The extension selects escaping for HTML.
    let name = "page.html";
    let sound = "the page's template is part of the program and tested";
    environment.add_template(name, include_str!("page.html")).expect(sound);
    let page = environment.get_template(name).expect(sound);
    let agents: Vec<Value> = subject.walkers.iter().map(|w| agent(subject, w)).collect();
    let not_run = report.not_run.iter();
    let not_run: Vec<Value> =
        not_run.map(|n| context! { rule => n.rule, why => shown(&n.why) }).collect();
    let counts = report.counts();
    let rendered = page.render(context! {
        file => shown(&portable(file)),
        command => command,
        compares => earlier.is_some(),
        live => version.map(|_| include_str!("live.js")),
        version => version,
        counts => context! { error => counts.error, warning => counts.warning, note => counts.note },
        known => report.known,
        ignored => report.ignored,
        not_run => not_run,
        agents => agents,
        style => include_str!("style.css"),
        settings => include_str!("settings.js"),
        script => PLAN,
        runtime => &*RUNTIME,
        blob => STANDARD.encode(subject.blob.blob().bytes()),
        scene => &drawn.scene,
        geometry => &drawn.geometry,
        space => [
            include_str!("three.js"),
            include_str!("space/stream.js"),
            include_str!("space/rays.js"),
            include_str!("space/camera.js"),
            include_str!("space/shapes.js"),
            include_str!("space/overlay.js"),
            include_str!("space/scene.js"),
            include_str!("compare.js"),
        ],
        data => in_script(&data::data(subject, report, &drawn.blob, earlier)),
    });
    rendered.expect(sound)
}

/// The script of the plan and the list, one function.
const PLAN: &str = concat!(
    "'use strict';\n(() => {\n",
    include_str!("plan/meshes.js"),
    include_str!("plan/drawing.js"),
    include_str!("plan/pointer.js"),
    include_str!("plan/paths.js"),
    include_str!("plan/list.js"),
    "})();\n",
);

/// The runtime, compressed, in base64.
static RUNTIME: LazyLock<String> =
    LazyLock::new(|| STANDARD.encode(geometry::compressed(include_bytes!("search.wasm"), SMALL)));

fn agent(subject: &Subject<'_>, walker: &Walker<'_>) -> Value {
    let (agent, mesh) = (&walker.agent, &walker.mesh);
    context! {
        name => agent.name.chars().map(printable).collect::<String>(),
        radius => agent.radius,
        height => agent.height,
        climb => agent.climb,
        slope => agent.slope,
        polygons => mesh.polygon_count(),
        islands => mesh.island_count(),
        area => format!("{:.1}", square_metres(mesh, mesh.polygons())),
        rooms => subject.blob.rooms(agent.class).map_or(0, |r| r.count()),
        links => mesh.link_count(),
    }
}

/// JSON that is safe in a script element.
///
/// Nothing in it ends the element or begins a comment.
fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let is_plain = |c: char| matches!(c, ' '..='~') && !matches!(c, '<' | '>' | '&');
    for part in json.split_inclusive(|c| !is_plain(c)) {
        // All before the last character stays.
        let mut chars = part.chars();
        let last = chars.next_back();
        out.push_str(chars.as_str());
        match last {
            // These characters occur only within strings.
            Some(c @ ('<' | '>' | '&' | '\u{2028}' | '\u{2029}')) => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            Some(c) => out.push(printable(c)),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script_and_all_of_it_comes_back() {
        let name = "</script><!-- &amp; \u{2028}<img src=x onerror=alert(1)>";
        let json = serde_json::to_string(name).unwrap();
        let escaped = in_script(&json);
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), name);
    }
}
