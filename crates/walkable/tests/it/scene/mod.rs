//! Small levels, built in place.

use navbake_level::{Level, LevelSettings, Part, Role, Scene, Winding};

/// A level under construction.
#[derive(Default)]
pub(crate) struct Build {
    pub(crate) scene: Scene,
}

impl Build {
    /// A quad, counter-clockwise from its front.
    pub(crate) fn quad(mut self, corners: [[f64; 3]; 4]) -> Self {
        let at = self.scene.vertices.len() as u32;
        self.scene.vertices.extend(corners);
        self.scene.triangles.extend([[at, at + 1, at + 2], [at, at + 2, at + 3]]);
        self.scene.triangle_parts.extend([0, 0]);
        self
    }

    /// A level floor facing up.
    pub(crate) fn floor(self, x: [f64; 2], z: [f64; 2], y: f64) -> Self {
        self.quad([[x[0], y, z[0]], [x[0], y, z[1]], [x[1], y, z[1]], [x[1], y, z[0]]])
    }

    /// A closed box.
    pub(crate) fn solid(self, x: [f64; 2], y: [f64; 2], z: [f64; 2]) -> Self {
        let p = |i: usize, j: usize, k: usize| [x[i], y[j], z[k]];
        self.floor(x, z, y[1])
            .quad([p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1)])
            .quad([p(0, 0, 0), p(0, 0, 1), p(0, 1, 1), p(0, 1, 0)])
            .quad([p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), p(1, 0, 1)])
            .quad([p(0, 0, 0), p(0, 1, 0), p(1, 1, 0), p(1, 0, 0)])
            .quad([p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1)])
    }

    /// The level on a grid of 1/1024 m.
    pub(crate) fn level(mut self) -> Level {
        self.scene.parts = vec![Part::default()];
        let settings =
            LevelSettings { bits: 10, origin: None, winding: Winding::Ccw, bounds: None };
        Level::new(&self.scene, &[Role::Ground], &settings).unwrap().0
    }
}
