//! What the readers hand over: geometry in y-up metres, before it meets the grid.

use crate::{LinkKind, Placed, Role};

/// A level as it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Triangles.
    Scene(Scene),
    /// Square cells.
    Grid(GridMap),
}

/// A triangle soup in y-up metres (axes and scale already settled), with the names its author gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Finite positions in y-up metres.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices, counter-clockwise seen from the front; every index is valid.
    pub triangles: Vec<[u32; 3]>,
    /// The part each triangle belongs to; as long as `triangles`.
    pub triangle_parts: Vec<u32>,
    /// Places of pieces that stand in the scene more than once, in the order of their triangles; no
    /// two share any.
    pub placed: Vec<Placed>,
    /// Runs of triangles that share their names.
    pub parts: Vec<Part>,
    /// Named points, for instance spawn points.
    pub markers: Vec<Marker>,
    /// Ways without ground that the author drew.
    pub links: Vec<LinkNote>,
}

/// The names of a run of triangles. Rules of the config match these.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The path of node names from the scene's root, joined by `/`; for OBJ the object or group
    /// name.
    pub node: String,
    /// The mesh name, empty where the format has none.
    pub mesh: String,
    /// The material name, empty for none.
    pub material: String,
    /// A number that the author gave to triangles one by one: in glTF the value of the vertex
    /// attribute `_AREA` that all corners share.
    pub attribute: Option<u16>,
    /// The author marked both faces as seen.
    pub double_sided: bool,
    /// What the author said about it in the file itself.
    pub given: Given,
}

/// What a level's author said about a part in the file itself; rules of the config have the last
/// word.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Given {
    /// What it is to the walkable surface.
    pub role: Option<Role>,
    /// The area of its ground, by name.
    pub area: Option<String>,
    /// The switch that closes its ground, by name.
    pub switch: Option<String>,
    /// Tags of its ground.
    pub tags: Vec<Tag>,
}

/// One of the 32 bits of the author's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// By its number, 0 to 31.
    Bit(u8),
    /// By the name that the config has for it.
    Name(String),
}

/// A way without ground as the author drew it, with names that nobody has looked up yet.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkNote {
    /// Its name, perhaps empty.
    pub name: String,
    /// Where it begins, y-up metres.
    pub from: [f64; 3],
    /// Where it ends.
    pub to: [f64; 3],
    /// It leads back as well.
    pub two_way: bool,
    /// What it costs, metres of walking; its length when it is not said.
    pub cost: Option<f64>,
    /// Clear width, m.
    pub width: Option<f64>,
    /// What one does on it.
    pub kind: LinkKind,
    /// Who may take it, by name; all when it is not said.
    pub agents: Option<Vec<String>>,
    /// The switch that closes it, by name.
    pub switch: Option<String>,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Where it stands, for messages.
    pub place: String,
}

/// A named point of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The node's name.
    pub name: String,
    /// In y-up metres.
    pub position: [f64; 3],
}

/// A map of square cells, all at y = 0. Column is x, row is z; cell (c, r) covers `[c, c+1] x [r,
/// r+1]` times `cell`.
#[derive(Clone, Debug, PartialEq)]
pub struct GridMap {
    /// Side of a cell in metres.
    pub cell: f64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One entry a cell, row by row: can it be walked on?
    pub free: Vec<bool>,
    /// What kind of ground each cell is, row by row, from 0; empty where all of it is of one kind.
    pub terrain: Vec<u8>,
}

impl GridMap {
    /// Can the cell be walked on? Outside the map nothing can.
    pub fn is_free(&self, column: i64, row: i64) -> bool {
        column >= 0
            && row >= 0
            && column < i64::from(self.width)
            && row < i64::from(self.height)
            && self.free[row as usize * self.width as usize + column as usize]
    }
}

/// Something noticed on the way that does not stop the bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// A stable code, lower case with dashes, for instance `degenerate-triangles`.
    pub code: &'static str,
    /// What was found and what was done about it, for people.
    pub message: String,
    /// Where: a file and line, a JSON pointer, or a point in metres.
    pub place: String,
}
