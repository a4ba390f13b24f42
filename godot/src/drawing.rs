//! Drawings of a level: coloured triangles and lines.

use navbake_format::{AreaId, LinkKind, Polygon};
use navbake_search::{NavMesh, PolyId};
use navbake_world::World;

/// The parts of a level to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// The polygons, coloured by room, or by area where there are no rooms.
    pub polygons: bool,
    /// Walls bright, edges between polygons faint.
    pub edges: bool,
    /// The doors between rooms.
    pub doors: bool,
    /// Links, as arrows in the colour of their kind.
    pub links: bool,
    /// How far above the ground, metres.
    pub lift: f64,
}

impl Parts {
    /// Everything, 5 cm above the ground.
    pub const ALL: Parts =
        Parts { polygons: true, edges: true, doors: true, links: true, lift: 0.05 };
}

/// A corner of a triangle, or an end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Y-up metres.
    pub at: [f64; 3],
    /// Red, green, blue and opacity, from 0 to 1.
    pub colour: [f32; 4],
}

/// Triangles and lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Three corners each, clockwise seen from above: Godot's front.
    pub triangles: Vec<Corner>,
    /// Two ends each.
    pub lines: Vec<Corner>,
}

/// The colour of walls.
pub const WALL: [f32; 4] = [0.2, 0.7, 1.0, 1.0];
/// The colour of edges between polygons.
pub const EDGE: [f32; 4] = [0.2, 0.7, 1.0, 0.2];
/// The colour of doors between rooms.
pub const DOOR: [f32; 4] = [1.0, 0.7, 0.1, 1.0];
/// The colour of plain ground where there are no rooms.
pub const GROUND: [f32; 4] = [0.2, 0.7, 1.0, OPACITY];
/// How opaque polygons are.
const OPACITY: f32 = 0.35;
/// The length of the two strokes of an arrow's head, metres.
const HEAD: f64 = 0.3;
/// Drawings are this near to the ground in height, metres, where triangles and lines are longer
/// than [`SHORT`].
pub const FLAT: f64 = 0.05;
/// Sides of triangles and lines up to this length, metres, are not cut.
pub const SHORT: f64 = 0.5;

/// Draws a level as it is now, with obstacles. Polygons and edges are cut where the ground between
/// their corners is not flat.
pub fn draw(world: &World, parts: &Parts) -> Drawing {
    let mesh = world.nav_mesh();
    let mut drawing = Drawing::default();
    for polygon in mesh.polygons() {
        let sheet = Sheet { mesh: &mesh, polygon, lift: parts.lift };
        if parts.polygons {
            drawing.fan(&sheet);
        }
        for k in (0..polygon.len()).filter(|_| parts.edges) {
            let colour = match polygon.neighbour(k) {
                None => WALL,
                Some(beyond) if polygon.id() < beyond => EDGE,
                // The neighbour draws it.
                Some(_) => continue,
            };
            drawing.edge(&sheet, k, colour);
        }
    }
    // Portals of doors are edges of the mesh as baked.
    let baked = world.baked();
    if let Some(rooms) = baked.rooms().filter(|_| parts.doors) {
        for (id, k) in (0..rooms.door_count()).flat_map(|door| rooms.portals(door)) {
            let sheet = Sheet { mesh: &baked, polygon: baked.polygon(id), lift: parts.lift };
            drawing.edge(&sheet, k, DOOR);
        }
    }
    if parts.links {
        drawing.links(&mesh, parts.lift);
    }
    drawing
}

/// The colour of the room, area or kind of link of a number: neighbouring numbers differ.
pub fn colour(number: u32) -> [f32; 3] {
    // The golden ratio, the least regular of steps around the circle of hues.
    let hue = f64::from(number) * 0.618_033_988_75 % 1.0 * 6.0;
    [0.0, 4.0, 2.0].map(|shift| {
        let level = ((hue + shift) % 6.0 - 3.0).abs() - 1.0;
        (0.25 + 0.7 * level.clamp(0.0, 1.0)) as f32
    })
}

/// The colour of links of a kind.
pub fn link_colour(kind: LinkKind) -> [f32; 4] {
    let [r, g, b] = colour(kind as u32);
    [r, g, b, 1.0]
}

/// The colour of a polygon.
fn polygon_colour(mesh: &NavMesh<'_>, polygon: PolyId) -> [f32; 4] {
    let [r, g, b] = match (mesh.rooms(), mesh.area(polygon)) {
        (Some(rooms), _) => colour(rooms.of(polygon).0),
        (None, AreaId::GROUND) => return GROUND,
        (None, area) => colour(u32::from(area.0)),
    };
    [r, g, b, OPACITY]
}

/// The ground of a polygon, as high above it as it is drawn.
struct Sheet<'a, 'm> {
    mesh: &'a NavMesh<'m>,
    polygon: Polygon<'a, 'm>,
    lift: f64,
}

/// A place of a sheet.
#[derive(Clone, Copy)]
struct Place {
    /// In the ground plane, `[x, z]`, grid units.
    flat: [f64; 2],
    /// Y-up metres.
    at: [f64; 3],
}

impl Sheet<'_, '_> {
    fn place(&self, flat: [f64; 2]) -> Place {
        let [x, z] = flat;
        let [x, y, z] = self.mesh.grid().metres([x, self.polygon.height(flat), z]);
        Place { flat, at: [x, y + self.lift, z] }
    }

    fn corner(&self, k: u32) -> Place {
        self.place(self.polygon.corner(k).map(f64::from))
    }

    /// The place halfway between two, and whether the ground there is not flat between them.
    fn halfway(&self, a: &Place, b: &Place) -> (Place, bool) {
        let middle = self.place([0, 1].map(|k| (a.flat[k] + b.flat[k]) / 2.0));
        let bump = (middle.at[1] - (a.at[1] + b.at[1]) / 2.0).abs();
        (middle, bump > FLAT && length(a, b) > SHORT)
    }
}

/// The distance of two places in the ground plane, metres.
fn length(a: &Place, b: &Place) -> f64 {
    (a.at[0] - b.at[0]).hypot(a.at[2] - b.at[2])
}

impl Drawing {
    /// A polygon as triangles around its first corner.
    fn fan(&mut self, sheet: &Sheet<'_, '_>) {
        let colour = polygon_colour(sheet.mesh, sheet.polygon.id());
        for k in 1..sheet.polygon.len().saturating_sub(1) {
            // The file has them counter-clockwise.
            self.triangle(sheet, [0, k + 1, k].map(|k| sheet.corner(k)), colour);
        }
    }

    /// A triangle, cut in half at its longest side where the ground along a side is not flat.
    fn triangle(&mut self, sheet: &Sheet<'_, '_>, corners: [Place; 3], colour: [f32; 4]) {
        let turned = [0, 1, 2].map(|k| [0, 1, 2].map(|i| corners[(k + i) % 3]));
        if turned.iter().any(|[a, b, _]| sheet.halfway(a, b).1) {
            let longest = |x: &&[Place; 3], y: &&[Place; 3]| {
                length(&x[0], &x[1]).total_cmp(&length(&y[0], &y[1]))
            };
            if let Some(&[a, b, c]) = turned.iter().max_by(longest) {
                let (middle, _) = sheet.halfway(&a, &b);
                self.triangle(sheet, [a, middle, c], colour);
                self.triangle(sheet, [middle, b, c], colour);
            }
        } else {
            self.triangles.extend(corners.map(|place| Corner { at: place.at, colour }));
        }
    }

    /// An edge of a polygon.
    fn edge(&mut self, sheet: &Sheet<'_, '_>, k: u32, colour: [f32; 4]) {
        let ends = [k, sheet.polygon.next(k)].map(|k| sheet.corner(k));
        self.along(sheet, ends, colour);
    }

    /// A line over the ground, cut in half where that is not flat.
    fn along(&mut self, sheet: &Sheet<'_, '_>, [a, b]: [Place; 2], colour: [f32; 4]) {
        match sheet.halfway(&a, &b) {
            (_, false) => self.line([a.at, b.at], colour),
            (middle, true) => {
                self.along(sheet, [a, middle], colour);
                self.along(sheet, [middle, b], colour);
            }
        }
    }

    fn line(&mut self, ends: [[f64; 3]; 2], colour: [f32; 4]) {
        self.lines.extend(ends.map(|at| Corner { at, colour }));
    }

    fn links(&mut self, mesh: &NavMesh<'_>, lift: f64) {
        for link in (0..mesh.link_count()).filter_map(|k| mesh.link(k)) {
            let ends = [(link.polygon, link.from), (link.beyond, link.to)];
            let [from, to] = ends.map(|(polygon, at)| {
                let sheet = Sheet { mesh, polygon: mesh.polygon(polygon), lift };
                sheet.place(at.map(f64::from)).at
            });
            let colour = link_colour(link.kind);
            self.line([from, to], colour);
            // Two strokes from the tip, to both sides of the shaft.
            let [x, y, z]: [f64; 3] = std::array::from_fn(|k| from[k] - to[k]);
            let length = (x * x + y * y + z * z).sqrt();
            if length > 0.0 {
                let [x, y, z] = [x, y, z].map(|c| c / length * HEAD);
                for side in [0.5, -0.5] {
                    let stroke = [to[0] + x - side * z, to[1] + y, to[2] + z + side * x];
                    self.line([to, stroke], colour);
                }
            }
        }
    }
}
