//! The output of readers: geometry in y-up metres, before conversion to the grid.

use navbake_grid::CellShape;

use crate::{LinkKind, Role};

/// A level as read.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Triangles.
    Scene(Scene),
    /// Square cells.
    Grid(GridMap),
}

/// A triangle soup in y-up metres, with the names given by its author.
///
/// Axes and scale are already converted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Finite positions in y-up metres.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices, counter-clockwise seen from the front; every index is valid.
    pub triangles: Vec<[u32; 3]>,
    /// The part of each triangle; as long as `triangles`.
    pub triangle_parts: Vec<u32>,
    /// Runs of triangles that share their names.
    pub parts: Vec<Part>,
    /// Named points, for instance spawn points.
    pub markers: Vec<Marker>,
    /// Off-mesh links drawn by the author.
    pub links: Vec<LinkNote>,
    /// How far the triangles may be above or below the surface of the source, m.
    pub height_error: f64,
}

/// The names of a run of triangles, which rules of the config match.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The path of node names from the scene's root, joined by `/`.
    ///
    /// For OBJ it is the object or group name.
    pub node: String,
    /// The mesh name, empty if the format has none.
    pub mesh: String,
    /// The material name, empty for none.
    pub material: String,
    /// A number given to individual triangles by the author.
    ///
    /// In glTF it is the value of the vertex attribute `_AREA` if all corners have the same.
    pub attribute: Option<u16>,
    /// The author marked the part as double-sided.
    pub double_sided: bool,
    /// The properties that the author specified for it in the file itself.
    pub given: Given,
}

/// The properties that an author specified for a part in the file itself.
///
/// Rules of the config override it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Given {
    /// Its role for the walkable surface.
    pub role: Option<Role>,
    /// The area of its ground, by name.
    pub area: Option<String>,
    /// The switch that blocks its ground, by name.
    pub switch: Option<String>,
    /// Tags of its ground.
    pub tags: Vec<Tag>,
}

/// One of the 32 bits for the author's own use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// By its number, 0 to 31.
    Bit(u8),
    /// By its name in the config.
    Name(String),
}

/// An off-mesh link as drawn by the author, with names that are not resolved yet.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkNote {
    /// Its name, possibly empty.
    pub name: String,
    /// Its start, y-up metres.
    pub from: [f64; 3],
    /// Its end, y-up metres.
    pub to: [f64; 3],
    /// It can be used in both directions.
    pub two_way: bool,
    /// Its cost, in metres of walking; by default its length.
    pub cost: Option<f64>,
    /// Clear width, m.
    pub width: Option<f64>,
    /// The kind of movement on it.
    pub kind: LinkKind,
    /// The agents that can use it, by name; by default all.
    pub agents: Option<Vec<String>>,
    /// The switch that blocks it, by name.
    pub switch: Option<String>,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Its position in the file, for messages.
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

/// A map of square cells, all at y = 0.
///
/// Column is x, row is z; cell (c, r) covers `[c, c+1] x [r, r+1]` times `cell` from `corner` on.
#[derive(Clone, Debug, PartialEq)]
pub struct GridMap {
    /// The shape of the cells.
    pub shape: CellShape,
    /// Side of a square cell, or width of a hexagon across two sides, in metres.
    pub cell: f64,
    /// The least x and z of the map, m.
    pub corner: [f64; 2],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One entry for each cell, row by row: is it walkable?
    pub free: Vec<bool>,
    /// The kind of ground of each cell, row by row, from 0.
    ///
    /// Empty if there is only one kind.
    pub terrain: Vec<u8>,
}

impl GridMap {
    /// The middle of a cell by its place in `free`, `[x, z]` in metres.
    pub fn middle(&self, cell: usize) -> [f64; 2] {
        let width = (self.width as usize).max(1);
        let middle = self.shape.middle([(cell % width) as i64, (cell / width) as i64]);
        self.at(middle)
    }

    /// A place counted in cells from the corner, in metres.
    pub fn at(&self, place: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| self.corner[k] + place[k] * self.cell)
    }

    /// The greatest x and z of the map, m.
    pub fn end(&self) -> [f64; 2] {
        self.at(self.shape.extent(self.width, self.height))
    }

    /// The cell at a place of the map, `[x, z]` in metres, as its place in `free`.
    pub fn cell_at(&self, place: [f64; 2]) -> Option<usize> {
        let from_corner = [0, 1].map(|k| (place[k] - self.corner[k]) / self.cell);
        let [column, row] = self.shape.cell_at(from_corner)?;
        let inside = (0..i64::from(self.width)).contains(&column)
            && (0..i64::from(self.height)).contains(&row);
        inside.then(|| row as usize * self.width as usize + column as usize)
    }

    /// Is the cell walkable? Cells outside the map are not.
    pub fn is_free(&self, column: i64, row: i64) -> bool {
        column >= 0
            && row >= 0
            && column < i64::from(self.width)
            && row < i64::from(self.height)
            && self.free[row as usize * self.width as usize + column as usize]
    }
}

/// A problem that does not stop the bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// A stable code, lower case with dashes, for instance `degenerate-triangles`.
    pub code: &'static str,
    /// The problem and how it was handled, for people.
    pub message: String,
    /// Where.
    pub place: WarningPlace,
}

/// Where a [`Warning`] applies.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum WarningPlace {
    /// Everywhere, or unknown.
    #[default]
    None,
    /// A point, y-up metres.
    Point([f64; 3]),
    /// A file and line, a JSON pointer, a key of the config, or a tile.
    Source(String),
}

impl From<[f64; 3]> for WarningPlace {
    fn from(point: [f64; 3]) -> Self {
        WarningPlace::Point(point)
    }
}

impl From<Option<[f64; 3]>> for WarningPlace {
    fn from(point: Option<[f64; 3]>) -> Self {
        point.map_or(WarningPlace::None, WarningPlace::Point)
    }
}

impl From<String> for WarningPlace {
    fn from(source: String) -> Self {
        if source.is_empty() { WarningPlace::None } else { WarningPlace::Source(source) }
    }
}

impl From<&str> for WarningPlace {
    fn from(source: &str) -> Self {
        String::from(source).into()
    }
}

impl std::fmt::Display for WarningPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WarningPlace::None => Ok(()),
            WarningPlace::Point(p) => f.write_str(&crate::number::point(*p)),
            WarningPlace::Source(source) => f.write_str(source),
        }
    }
}
