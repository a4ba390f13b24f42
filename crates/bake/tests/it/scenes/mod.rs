//! Small levels made of boxes and ramps.

use navbake_level::{CellShape, GridMap, Marker, Part, Scene, Source};

/// A level under construction.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    scene: Scene,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder::default()
    }

    /// Starts a part; everything after it belongs to it.
    pub(crate) fn part(mut self, node: &str) -> Builder {
        self.scene.parts.push(Part { node: node.into(), ..Part::default() });
        self
    }

    /// A quad with counter-clockwise corners seen from its front.
    pub(crate) fn quad(mut self, corners: [[f64; 3]; 4]) -> Builder {
        if self.scene.parts.is_empty() {
            self = self.part("level");
        }
        let first = self.scene.vertices.len() as u32;
        self.scene.vertices.extend(corners);
        for t in [[0, 1, 2], [0, 2, 3]] {
            self.scene.triangles.push(t.map(|k| first + k));
            let part = self.scene.parts.len() as u32 - 1;
            self.scene.triangle_parts.push(part);
        }
        self
    }

    /// A closed box.
    pub(crate) fn solid(self, [x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) -> Builder {
        self.quad([[x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]])
            .quad([[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]])
            .quad([[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]])
            .quad([[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]])
            .quad([[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]])
            .quad([[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]])
    }

    /// A sheet that rises from y0 at x0 to y1 at x1.
    pub(crate) fn ramp(self, [x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) -> Builder {
        self.quad([[x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]])
    }

    pub(crate) fn marker(mut self, name: &str, position: [f64; 3]) -> Builder {
        self.scene.markers.push(Marker { name: name.into(), position });
        self
    }

    pub(crate) fn source(self) -> Source {
        Source::Scene(self.scene)
    }

    /// The same level, its triangles, corners, vertices and markers in another order.
    pub(crate) fn shuffled(self, seed: u64) -> Source {
        let mut state = seed;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below.max(1)
        };
        let old = self.scene;
        let mut order: Vec<usize> = (0..old.triangles.len()).collect();
        let mut places: Vec<usize> = (0..old.vertices.len()).collect();
        for list in [&mut order, &mut places] {
            for i in (1..list.len()).rev() {
                list.swap(i, random(i + 1));
            }
        }
        let mut new = Scene {
            vertices: vec![[0.0; 3]; old.vertices.len()],
            parts: old.parts.iter().rev().cloned().collect(),
            markers: old.markers.iter().rev().cloned().collect(),
            ..Scene::default()
        };
        for (from, &to) in places.iter().enumerate() {
            new.vertices[to] = old.vertices[from];
        }
        for t in order {
            let mut corners = old.triangles[t].map(|v| places[v as usize] as u32);
            corners.rotate_left(random(3));
            new.triangles.push(corners);
            let part = old.parts.len() as u32 - 1 - old.triangle_parts[t];
            new.triangle_parts.push(part);
        }
        Source::Scene(new)
    }
}

/// A floor of 20 m with three boxes on it, too low for a unit inside.
pub(crate) fn boxes() -> Builder {
    Builder::new()
        .solid([-10.0, -1.0, -10.0], [10.0, 0.0, 10.0])
        .solid([-4.0, 0.0, -4.0], [-1.0, 1.8, 2.0])
        .solid([2.0, 0.0, -7.0], [5.5, 1.8, -6.0])
        .solid([1.0, 0.0, 3.0], [3.0, 1.8, 4.0])
}

/// Two floors above each other, joined by a ramp.
pub(crate) fn storeys() -> Builder {
    Builder::new()
        .part("ground")
        .solid([0.0, -1.0, 0.0], [30.0, 0.0, 12.0])
        .part("upper")
        .solid([18.0, 3.5, 0.0], [30.0, 4.0, 12.0])
        .part("ramp")
        .ramp([8.0, 0.0, 4.0], [18.0, 4.0, 8.0])
}

/// A bridge over a hall, and a floating slab with room for a small island.
pub(crate) fn bridge() -> Builder {
    Builder::new()
        .part("hall")
        .solid([0.0, -1.0, 0.0], [24.0, 0.0, 24.0])
        .part("bridge")
        .solid([0.0, 3.0, 10.0], [24.0, 3.5, 14.0])
        .part("slab")
        .solid([3.0, 3.5, 3.0], [5.0, 4.0, 5.0])
}

/// A map from rows of `.` and `#`.
pub(crate) fn map(rows: &[&str]) -> Source {
    Source::Grid(GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: rows[0].len() as u32,
        height: rows.len() as u32,
        free: rows.iter().flat_map(|r| r.bytes().map(|b| b == b'.')).collect(),
        terrain: vec![],
    })
}
