//! Small levels, made of floors and blocks, and their findings.

use navbake_bake::{BakeInput, Config, Options, bake};
use navbake_format::Blob;
use navbake_level::{Marker, Part, Scene, Source};
use navbake_report::why::why;
use navbake_report::{Report, Settings, check};

/// A level in the making.
#[derive(Clone, Default)]
pub(crate) struct Level {
    pub(crate) scene: Scene,
}

impl Level {
    /// Nothing yet, in one part.
    pub(crate) fn new() -> Level {
        let mut level = Level::default();
        level.part(Part::default());
        level
    }

    /// A floor of 20 m x 10 m at height 0 with the marker `a` at (2, 0, 5).
    pub(crate) fn hall() -> Level {
        let mut level = Level::new();
        level.floor([0.0, 0.0], [20.0, 10.0], 0.0);
        level.marker("a", [2.0, 0.0, 5.0]);
        level
    }

    /// What comes next belongs to this part.
    pub(crate) fn part(&mut self, part: Part) {
        self.scene.parts.push(part);
    }

    /// A triangle, counter-clockwise seen from its front.
    pub(crate) fn triangle(&mut self, corners: [[f64; 3]; 3]) {
        let first = self.scene.vertices.len() as u32;
        self.scene.vertices.extend(corners);
        self.scene.triangles.push([first, first + 1, first + 2]);
        let part = self.scene.parts.len() as u32 - 1;
        self.scene.triangle_parts.push(part);
    }

    /// Four corners of a plane.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [[f64; 3]; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// A rectangle that faces up, from x, z to x, z.
    pub(crate) fn floor(&mut self, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], y: f64) {
        self.quad([[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
    }

    /// A block between two corners, its underside left out where it is at height 0.
    pub(crate) fn block(&mut self, [x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) {
        self.floor([x0, z0], [x1, z1], y1);
        self.quad([[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]]);
        self.quad([[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]]);
        self.quad([[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]]);
        self.quad([[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]]);
        if y0 != 0.0 {
            self.quad([[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]]);
        }
    }

    /// A wall across the hall at x = 10, 0.1 m thick, with a doorway in its middle.
    pub(crate) fn wall_with_doorway(&mut self, width: f64) {
        let half = width / 2.0;
        self.block([9.95, 0.0, 0.0], [10.05, 4.0, 5.0 - half]);
        self.block([9.95, 0.0, 5.0 + half], [10.05, 4.0, 10.0]);
    }

    /// Railings of 1.2 m along the edges of a rectangle at a height, but for a gap between two
    /// places of z on the side of greater x. They are just outside, without gaps at the corners.
    pub(crate) fn railings(
        &mut self,
        [x0, z0]: [f64; 2],
        [x1, z1]: [f64; 2],
        y: f64,
        gap: Option<[f64; 2]>,
    ) {
        let mut rail = |[x, z]: [f64; 2], [u, w]: [f64; 2]| {
            self.block([x, y, z], [u, y + 1.2, w]);
        };
        let (a, b) = (z0 + 0.2, z1 - 0.2);
        rail([x0, z0 - 0.1], [x1, z0]);
        rail([x0, z1], [x1, z1 + 0.1]);
        rail([x0 - 0.1, a], [x0, b]);
        match gap {
            None => rail([x1, a], [x1 + 0.1, b]),
            Some([from, to]) => {
                rail([x1, a], [x1 + 0.1, from]);
                rail([x1, to], [x1 + 0.1, b]);
            }
        }
    }

    pub(crate) fn marker(&mut self, name: &str, position: [f64; 3]) {
        let name = name.to_owned();
        self.scene.markers.push(Marker { name, position });
    }

    /// The navmesh file for a config.
    pub(crate) fn bake(&self, config: &str) -> Vec<u8> {
        let config = Config::parse(config).unwrap();
        let source = Source::Scene(self.scene.clone());
        bake(source, &config, &Options::default()).unwrap().bytes
    }

    /// What comes next belongs to an object of this name.
    pub(crate) fn object(&mut self, node: &str) {
        self.part(Part { node: node.into(), ..Part::default() });
    }

    /// The findings in it, and why ground is cut off.
    pub(crate) fn why(&self, config: &str) -> Report {
        self.why_while(config, &|| true)
    }

    /// The same with causes whose search begins while it `goes_on`.
    pub(crate) fn why_while(&self, config: &str, goes_on: &dyn Fn() -> bool) -> Report {
        let config = Config::parse(config).unwrap();
        let job = BakeInput::new(Source::Scene(self.scene.clone()), &config).unwrap();
        let bytes = job.bake(&Options::default()).unwrap().bytes;
        let blob = Blob::open_checked(&bytes).unwrap();
        let agents: Vec<&str> = blob.agents().map(|a| a.name).collect();
        let settings = Settings::new(config.check.clone(), &agents).unwrap();
        let mut report = check(blob, &settings);
        why(&mut report, blob, &job, &settings, goes_on);
        report
    }

    /// The findings in it.
    pub(crate) fn report(&self, config: &str) -> Report {
        report(&self.bake(config), config)
    }
}

/// The findings in a navmesh file, with the config's `[check]`.
pub(crate) fn report(bytes: &[u8], config: &str) -> Report {
    let blob = Blob::open_checked(bytes).unwrap();
    let agents: Vec<&str> = blob.agents().map(|a| a.name).collect();
    let asked = Config::parse(config).unwrap().check;
    check(blob, &Settings::new(asked, &agents).unwrap())
}
