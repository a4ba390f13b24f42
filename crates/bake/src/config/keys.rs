//! The keys of the config: one row a key, with default, range, unit and meaning.
//!
//! The template, the reference and the errors of values out of range come from these rows. The
//! structs beside this file read the values; a test compares their defaults with the rows.

use navbake_level::number::{LARGE, exact};
use navbake_level::{MAX_AREAS, WEIGHT_RANGE};

/// A table of the config with its keys.
pub(crate) struct Section {
    /// Its header in TOML; empty for the top of the file.
    pub(crate) head: &'static str,
    /// Is it in the template as it is, or as a comment?
    pub(crate) shown: bool,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
}

/// A key.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// Its default in TOML, or an example where it is not `shown`.
    pub(crate) value: &'static str,
    /// Is it in the template as it is, or as a comment?
    pub(crate) shown: bool,
    pub(crate) range: Range,
    pub(crate) unit: &'static str,
    pub(crate) doc: &'static str,
}

/// The numbers that a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// No number, or one with rules of its own.
    Any,
    /// Above 0, finite.
    Positive,
    /// At least this, finite.
    AtLeast(f64),
    /// At least this and below 1e9: a length or cost that becomes whole grid units.
    Length(f64),
    /// Between these, both included.
    Within(f64, f64),
    /// Above 0, at most this.
    UpTo(f64),
}

impl Range {
    pub(crate) fn has(self, v: f64) -> bool {
        match self {
            Range::Any => true,
            Range::Positive => v.is_finite() && v > 0.0,
            Range::AtLeast(least) => v.is_finite() && v >= least,
            Range::Length(least) => (least..LARGE).contains(&v),
            Range::Within(least, greatest) => (least..=greatest).contains(&v),
            Range::UpTo(greatest) => v > 0.0 && v <= greatest,
        }
    }

    pub(crate) fn text(self) -> String {
        match self {
            Range::Any => String::new(),
            Range::Positive => "a finite number above 0".into(),
            Range::AtLeast(least) | Range::Length(least) => {
                format!("a finite number, {least} or above")
            }
            Range::Within(least, greatest) => format!("a number from {least} to {greatest}"),
            Range::UpTo(greatest) => format!("a number above 0, {greatest} at most"),
        }
    }
}

/// Keys that were renamed: the old path and the new name. The old ones are refused.
pub(crate) const RENAMED: [(&str, &str); 6] = [
    ("rooms.find", "enabled"),
    ("rooms.max_field", "max_room_area"),
    ("auto_links.most", "max_links"),
    ("auto_links.most_in_cube", "max_links_per_cube"),
    ("check.short_by", "width_tolerance"),
    ("check.longer_by", "length_tolerance"),
];

/// Keys that are gone, and why. They are refused.
pub(crate) const REMOVED: [(&str, &str); 1] = [("borders", "borders are always exact now")];

const fn key(
    name: &'static str,
    value: &'static str,
    range: Range,
    unit: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, value, shown: true, range, unit, doc }
}

/// A key that the template has as a comment.
const fn hint(
    name: &'static str,
    value: &'static str,
    range: Range,
    unit: &'static str,
    doc: &'static str,
) -> Key {
    Key { shown: false, ..key(name, value, range, unit, doc) }
}

use Range::{Any, AtLeast, Length, Positive, UpTo, Within};

/// What an area's weight or a slope's cost may be at most.
const DEAR: f64 = WEIGHT_RANGE[1];

/// All keys, in the order of the template.
#[rustfmt::skip]
pub(crate) const SECTIONS: &[Section] = &[
    Section { head: "", shown: true, doc: "The input's axes and units. Points below are y-up metres, after this.", keys: &[
        key("up", "\"y\"", Any, "", "axis that points up in the input: y | z; z turns (x, y, z) into (x, z, -y)"),
        key("scale", "1.0", Positive, "", "input units to metres; for a MovingAI map the side of a cell"),
    ]},
    Section { head: "", shown: true, doc: "The surface.", keys: &[
        key("surface", "\"generate\"", Any, "", "generate: from any triangles (`voxel` is the same) | floor: the input's own walkable triangles"),
        hint("cell", "0.3", Positive, "m", "greatest side of the filter's cells, never the accuracy; default: by the agent's radius"),
        key("border_error", "0.098", Positive, "m", "how far borders may move into the ground to save corners; less gives more polygons"),
        key("height_error", "0.1", Positive, "m", "greatest error of a polygon's height over the ground"),
        key("slope_error", "0.25", Positive, "m", "the same for agents to whom heights cost something (`uphill`, `downhill`)"),
        hint("min_region", "2.0", AtLeast(0.0), "m2", "smaller islands without a marker or seed are dropped and reported; default for grid maps: 0"),
        key("seeds", "[]", Any, "m", "[[x, y, z], ..] or marker names: when given, only islands that a seed reaches, on foot or over links, are kept"),
        key("winding", "\"ccw\"", Any, "", "which side of a triangle is its front: ccw | cw | both"),
        hint("bounds", "[[-100.0, -10.0, -100.0], [100.0, 50.0, 100.0]]", Any, "m", "least and greatest corner; triangles wholly outside are dropped"),
        hint("origin", "[0.0, 0.0, 0.0]", Any, "m", "zero of the integer grid; default: centre of the level, rounded to 1024 m"),
        key("nonfinite", "\"refuse\"", Any, "", "positions that are not finite numbers: refuse the input | drop their triangles"),
        key("allow_empty", "false", Any, "", "a level in which nothing is walkable gives an empty navmesh instead of an error"),
        key("sources", "false", Any, "", "keep the triangles of the level's file behind each polygon, 8 bytes each, and object names"),
        key("findings", "true", Any, "", "keep oddities of the level in the file, for reports; games do not read them"),
        key("tags", "[]", Any, "", "names of tags, 32 bits of your own on ground and links: the first is bit 0"),
    ]},
    Section { head: "[[agent]]", shown: false, doc: "Agents: one with these values when there is none. Repeat the table for more.", keys: &[
        hint("name", "\"default\"", Any, "", "what queries call it"),
        hint("radius", "0.6", Any, "m", "default for grid maps: 0"),
        hint("height", "2.0", Any, "m", "the head room it needs"),
        hint("climb", "0.9", Any, "m", "the highest step, less than half the height"),
        hint("slope", "45.0", Any, "degrees", "the steepest ground"),
        hint("drop", "0.0", Any, "m", "the deepest drop from a ledge; above 0 links down are found, see [auto_links]"),
        hint("jump", "0.0", Any, "m", "the widest gap, from edge to edge; above 0 links across are found"),
        hint("uphill", "0.0", Within(0.0, DEAR), "", "cost of a metre up beside that of the ground, in metres of plain ground"),
        hint("downhill", "0.0", Within(0.0, DEAR), "", "cost of a metre down"),
    ]},
    Section { head: "[weights]", shown: true, doc: "Cost of a metre of each area, in metres of plain ground; 1 by default, \"x\" for blocked.", keys: &[
        key("limit", "100.0", UpTo(DEAR), "", "a weight of this or more blocks as well"),
        hint("columns", "[\"Road\", \"Mud\", \"Water\"]", Any, "", "the areas of rows that are lists of numbers"),
    ]},
    Section { head: "[weights.units]", shown: true, doc: "A row an agent; \"*\" is for agents without one.", keys: &[
        hint("Tank", "[1.0, 2.5, \"x\"]", Any, "", "a number for each of `columns`"),
        hint("\"Light Infantry\"", "{ Mud = 1.5 }", Any, "", "or by area"),
    ]},
    Section { head: "[weights.tasks]", shown: true, doc: "Rows that queries select by name; areas they leave out are as in `weights.units`.", keys: &[
        hint("Stealth", "{ \"Light Infantry\" = { Road = 4.0 } }", Any, "", "a row an agent"),
    ]},
    Section { head: "[clearance]", shown: true, doc: "Extra cost of ground near walls and ledges, so that agents keep away where there is room; of grid maps near blocked cells.", keys: &[
        key("range", "0.0", AtLeast(0.0), "m", "off the wall, beyond the agent's radius; 0: none"),
        key("peak", "3.0", Within(1.0, 1024.0), "", "cost of ground at the wall, times its weight"),
        key("falloff", "\"linear\"", Any, "", "linear | gaussian (three standard deviations in the range) | none"),
        key("bands", "3", Within(1.0, (MAX_AREAS - 1) as f64), "", "how many bands of one cost each the range has"),
    ]},
    Section { head: "[[field]]", shown: false, doc: "Cost fields: extra cost of ground around points and areas, by the distance to the nearest of them. Fields add up. Repeat the table for more, up to 8.", keys: &[
        hint("name", "\"fire\"", Any, "", "for messages"),
        hint("points", "[\"campfire\", [4.0, 0.0, 7.5]]", Any, "m", "its sources: markers or points, and"),
        hint("areas", "[\"Lava\"]", Any, "", "areas; of levels of triangles those of volumes"),
        hint("range", "6.0", Positive, "m", "how far off it reaches"),
        hint("peak", "3.0", Within(1.0, 1024.0), "", "cost of ground at a source, times its weight"),
        hint("falloff", "\"linear\"", Any, "", "linear | gaussian (three standard deviations in the range) | none"),
        hint("bands", "3", Within(1.0, 16.0), "", "bands of one cost each on the navmesh; cells of grid maps have their own cost"),
        hint("height", "2.0", Positive, "m", "how far above and below it reaches; grid maps have one height"),
        hint("agents", "[\"default\"]", Any, "", "whom it costs something; default: all"),
    ]},
    Section { head: "[[area]]", shown: false, doc: "Areas, for rules, volumes and weights. `ground` exists: it is all other ground. Repeat the table for more.", keys: &[
        hint("name", "\"Mud\"", Any, "", "what rules and weights call it"),
        hint("switch", "\"gate1\"", Any, "", "the switch that closes it"),
        hint("tags", "[3]", Any, "", "bits, 0 to 31, or names from `tags` at the top"),
        hint("edge_tags", "[4]", Any, "", "tags of the edges it ends at: walls, or ground of another area"),
    ]},
    Section { head: "[[rule]]", shown: false, doc: "Roles and areas of the level's parts, by their names. The last matching rule that sets a key wins; tags add up.\nPatterns: * is any run of characters, ? any one; all that are given must match. Repeat the table for more.", keys: &[
        hint("node", "\"*sky*\"", Any, "", "path of node names joined by /; without a / any one name of the path. OBJ: object or group"),
        hint("mesh", "\"*\"", Any, "", "mesh name"),
        hint("material", "\"*\"", Any, "", "material name"),
        hint("attribute", "3", Any, "", "number of the triangles: in glTF the vertex attribute _AREA"),
        hint("ignore_case", "false", Any, "", "letters match in either case"),
        hint("role", "\"ignored\"", Any, "", "ground | obstacle (blocks, never walked on) | ignored | floor (see surface; ground otherwise)"),
        hint("area", "\"Mud\"", Any, "", "the area of their ground"),
        hint("switch", "\"gate1\"", Any, "", "the switch that closes it"),
        hint("tags", "[3]", Any, "", "its tags"),
        hint("edge_tags", "[4]", Any, "", "tags of the edges it ends at"),
    ]},
    Section { head: "[[volume]]", shown: false, doc: "Convex volumes; ground is cut along their borders. They overrule rules, later ones earlier ones. Repeat the table for more.", keys: &[
        hint("name", "\"moat\"", Any, "", "for messages"),
        hint("box", "[[0.0, -1.0, 0.0], [4.0, 2.0, 9.0]]", Any, "m", "two opposite corners; or"),
        Key { shown: false, ..key("#polygon", "[[0.0, 0.0], [4.0, 0.0], [4.0, 9.0]]", Any, "m", "x and z of a convex polygon's corners, and") },
        Key { shown: false, ..key("#y", "[-1.0, 2.0]", Any, "m", "the least and greatest height") },
        hint("area", "\"Mud\"", Any, "", "the area of the ground inside"),
        hint("switch", "\"gate1\"", Any, "", "the switch that closes it"),
        hint("tags", "[3]", Any, "", "its tags"),
        hint("edge_tags", "[4]", Any, "", "tags of the edges it ends at"),
    ]},
    Section { head: "[terrain]", shown: true, doc: "Areas of a grid map's terrains.", keys: &[
        key("names", "[]", Any, "", "of terrain 0, 1, .."),
        hint("image", "\"ground.png\"", Any, "", "PNG beside this file with a texel a cell: the terrain of each"),
    ]},
    Section { head: "[terrain.colours]", shown: true, doc: "The image's colours: a name of `names`, or \"blocked\".", keys: &[
        hint("\"#c0a060\"", "\"Road\"", Any, "", "a colour as #rrggbb"),
    ]},
    Section { head: "[heightmap]", shown: true, doc: "What the values of height maps mean. The least x and z are 0; a world places them elsewhere.", keys: &[
        key("spacing", "1.0", Positive, "m", "from sample to sample"),
        hint("heights", "[0.0, 600.0]", Within(-LARGE, LARGE), "m", "of the least and the greatest value that a sample can have: no default"),
        hint("size", "[1025, 513]", Any, "", "columns and rows of a file without a header; default: it is a square"),
        key("bits", "16", Any, "", "of a sample of a file without a header: 8 | 16"),
        key("byte_order", "\"little\"", Any, "", "of a file without a header: little | big"),
        key("first_row", "\"least-z\"", Any, "", "where the first row of the file is: least-z | greatest-z"),
        hint("hole", "0", Any, "", "value of samples without ground: triangles at them are left out, as at transparent texels"),
    ]},
    Section { head: "[map_server]", shown: true, doc: "How maps of ROS are read.", keys: &[
        key("unknown", "\"blocked\"", Any, "", "what unknown cells are: blocked | free"),
    ]},
    Section { head: "[[marker]]", shown: false, doc: "Markers beside those of the level's file: named points for seeds, links, checks and queries. Repeat the table for more.", keys: &[
        hint("name", "\"spawn_red\"", Any, "", "its name; several markers can share one"),
        hint("position", "[1.0, 0.0, 4.5]", Within(-LARGE, LARGE), "m", "where it is, as all coordinates with y up"),
    ]},
    Section { head: "[[link]]", shown: false, doc: "Links: paths without ground, such as ladders and teleports. Repeat the table for more.", keys: &[
        hint("name", "\"ladder\"", Any, "", "what queries call it"),
        hint("from", "[0.0, 0.0, 0.0]", Any, "m", "or a marker's name"),
        hint("to", "\"ladder_top\"", Any, "m", "or a marker's name"),
        hint("two_way", "false", Any, "", "it can be taken back as well"),
        hint("cost", "4.0", Length(0.0), "", "metres of walking; default: its length"),
        hint("width", "0.0", Length(0.0), "m", "clear width; 0 when it is not known"),
        hint("kind", "\"climb\"", Any, "", "walk | drop | jump | climb | teleport | ride | door | other"),
        hint("agents", "[\"default\"]", Any, "", "who can take it; default: all"),
        hint("switch", "\"gate1\"", Any, "", "the switch that closes it"),
        hint("tags", "[3]", Any, "", "its tags"),
    ]},
    Section { head: "[[network]]", shown: false, doc: "Route networks: points and straight lines between them, for the planner `network`. Repeat the table for more.", keys: &[
        hint("name", "\"patrol\"", Any, "", "what queries call it"),
        hint("kind", "\"waypoints\"", Any, "", "waypoints (drawn here) | quadtree (of a grid map) | visibility (corners in sight) | grid (squares on every storey)"),
        hint("agents", "[\"default\"]", Any, "", "whose meshes it is made for; default: all"),
        hint("chains", "[[\"gate\", \"well\", [4.0, 0.0, 7.5]], [\"tower_*\"]]", Any, "m", "waypoints: rows of points or markers, joined in both directions; a pattern is all markers of such names"),
        hint("cell", "1.2", Within(0.05, 1e6), "m", "grid: side of a square; default: the agent's diameter, on grid maps a cell at least"),
        hint("diagonals", "true", Any, "", "grid: eight neighbours, not four"),
        hint("route_points", "\"centres\"", Any, "", "quadtree: centres of leaves | corners"),
        hint("max_leaf", "16", Within(1.0, 1e9), "cells", "quadtree: the widest leaf; default: as wide as the map"),
        hint("joined", "8", Any, "", "starts and goals are joined to this many of the nearest points they see; 0: all, the default of visibility"),
    ]},
    Section { head: "[[network.edge]]", shown: false, doc: "Edges of the network above. Repeat the table for more.", keys: &[
        hint("from", "\"gate\"", Any, "m", "a marker's name, or a point"),
        hint("to", "[4.0, 0.0, 7.5]", Any, "m", "a marker's name, or a point"),
        hint("factor", "1.0", Within(1.0, 1e6), "", "its cost is that of the ground times this"),
        hint("one_way", "false", Any, "", "it does not lead back"),
    ]},
    Section { head: "[auto_links]", shown: true, doc: "Drops and jumps that become links, for agents with `drop` or `jump` above 0.", keys: &[
        key("spacing", "8.0", Length(0.1), "m", "the longest piece of a ledge or gap that one link serves"),
        key("detour", "2.0", Length(1.0), "", "only where walking costs at least this many times the link"),
        // A link that costs less than its length makes every search slower.
        key("cost", "1.0", Length(1.0), "", "metres of walking for a metre of link, from end to end in space"),
        key("max_links", "4096", Any, "", "for a class of agents; the least useful beyond it are dropped and reported"),
        key("max_links_per_cube", "32", Any, "", "the same for links that begin in one cube of 4 spacings"),
    ]},
    Section { head: "[rooms]", shown: true, doc: "Rooms and the doors between them.", keys: &[
        key("enabled", "false", Any, "", "find rooms, and cut polygons along their doors"),
        key("alpha", "[0.65, 0.45, 0.3]", Any, "", "a door is narrower than this share of the rooms on both sides: a number a level, falling"),
        hint("min_area", "1.0", Length(0.0), "m2", "the least ground of a room; default for grid maps: 4 cells"),
        key("max_room_area", "0.0", Length(0.0), "m2", "larger rooms are divided into squares no larger; 0: none"),
    ]},
    Section { head: "[rooms.names]", shown: true, doc: "Names of rooms, each with a point inside: [x, y, z] in m, or a marker's name.", keys: &[
        hint("\"Great Hall\"", "[1.0, 0.0, 4.5]", Any, "m", ""),
    ]},
    Section { head: "[rooms.doors]", shown: true, doc: "Names of doors, each with a point within 2 m of it; a switch of the same name closes it.", keys: &[
        hint("\"Gate\"", "[1.0, 0.0, 9.0]", Any, "m", ""),
    ]},
    Section { head: "[[switch]]", shown: false, doc: "Switches that close ground, doors and links. Without any, names of switches are taken as they come. Repeat the table for more.", keys: &[
        hint("name", "\"gate1\"", Any, "", "what queries call it"),
        hint("closed", "false", Any, "", "as the level begins"),
    ]},
    Section { head: "[[vehicle]]", shown: false, doc: "Vehicles: units with a turning radius. Repeat the table for more.", keys: &[
        hint("name", "\"truck\"", Any, "", "what queries call it"),
        hint("turn_radius", "1.0", Any, "m", "the least radius of its curves"),
        hint("footprint", "{ disc = 0.45 }", Any, "m", "or { rectangle = [length, width] }, { polygon = [[x, z], ..] }: convex, x ahead, z to the right of the point that follows the curve"),
        hint("tile", "0.5", Any, "m", "side of the ground's tiles, 0.001 to 10000; not for grid maps, whose cells are the tiles"),
        hint("agent", "\"default\"", Any, "", "whose ground it drives on with all its footprint; default: the first agent's"),
        hint("headings", "8", Any, "", "at the middle of a tile: 8 | 16 | 32"),
        hint("rings", "3", Any, "", "reach of a curve: 1 to 8 tiles, 2 to 24, 3 to 48"),
        hint("window", "11", Any, "", "columns and rows checked for collisions; default: as many as its curves need"),
        hint("words", "1", Any, "", "how many curves between two poses, the shortest ones: 1 to 6"),
        hint("detour", "3.0", Any, "", "longer curves, by the straight line, are dropped; default with one ring: none are"),
        hint("reverse", "{ penalty = 2.0, change = 0.0 }", Any, "", "it can reverse: cost of a metre, and of a change of gear in metres"),
        hint("speeds", "[{ speed = 1.0 }, { speed = 3.0, turn_radius = 2.5 }]", Any, "m/s, m", "1 to 4 speed classes, slowest first, each with its greatest speed and the turn radius that it needs (default: turn_radius): paths then take the least time"),
        hint("acceleration", "1.0", Any, "m/s²", "the greatest, with speeds"),
        hint("braking", "1.0", Any, "m/s²", "the greatest, with speeds; default: the acceleration"),
        hint("speed_steps", "4", Any, "", "speed levels that the search has for a tile of acceleration: 1 to 64"),
        hint("roads", "{ areas = [\"road\"], off_road = 8.0, rings = 1, cones = false }", Any, "", "it keeps to these areas; off_road: cost factor of other moves, 1 or more (default: inf, with cones 1); rings: reach of moves on a road in tiles, or \"turn\" (default: all); cones: blocks tiles beside the road, away from its bends"),
        hint("directions", "8", Any, "", "it is drawn in that many: 8 | 16, lines in place of arcs; not with speeds"),
    ]},
    Section { head: "[tables]", shown: true, doc: "Tables beside the navmesh.", keys: &[
        key("budget", "\"auto\"", Any, "", "labels: optimal paths without a search | auto: labels that save work, in a file of at most 3 times the size | none | a size never exceeded, as \"4MiB\""),
        key("landmarks", "\"auto\"", Any, "", "for searches around closed and costly ground | auto: where the level has switches or weights | none | always"),
        key("require", "\"none\"", Any, "", "labels: a budget too small for them ends the bake with exit code 5 | none: they are left out, with a warning"),
    ]},
    Section { head: "[check]", shown: true, doc: "What `navbake check` expects of the level; docs/rules.md has the rules. A place is a marker, a room, or [x, y, z] in m.", keys: &[
        hint("must_reach", "[[\"spawn_red\", \"flag_blue\"], { from = \"spawn_red\", to = \"base\", agents = [\"default\"], most = 120.0 }]", Any, "m", "`most` is the greatest length"),
        hint("must_not_reach", "[[\"spawn_red\", \"vault\"]]", Any, "", "pairs without a path"),
        hint("starts", "[\"spawn_red\"]", Any, "", "where agents start; default: where `must_reach` begins, else the largest island"),
        hint("on_ground", "[\"spawn_*\"]", Any, "", "markers that must be on walkable ground"),
        hint("min_island", "5.0", AtLeast(0.0), "m2", "smaller islands are reported"),
        hint("min_hole", "0.5", AtLeast(0.0), "m2", "smaller holes in the ground are reported"),
        hint("door_width", "1.2", AtLeast(0.0), "m", "narrower doors are reported; needs rooms"),
        hint("widths", "[1.2]", AtLeast(0.0), "m", "passages a little too narrow for units of these widths are reported"),
        hint("width_tolerance", "0.1", AtLeast(0.0), "m", "how much too narrow that is"),
        hint("slope_margin", "2.0", AtLeast(0.0), "degrees", "ground too steep by at most this is reported"),
        hint("height_margin", "0.1", AtLeast(0.0), "m", "ground whose head room is short by at most this is reported"),
        hint("step_margin", "0.15", AtLeast(0.0), "m", "steps at most this much above the climb are reported where the path around is long"),
        hint("gap_margin", "0.4", AtLeast(0.0), "m", "gaps at most this wide are reported where the path around is long"),
        hint("ledge_drop", "1.5", AtLeast(0.0), "m", "ledges without a railing over a deeper drop are reported; the bake looks for them"),
        hint("length_tolerance", "0.05", AtLeast(0.0), "", "share by which a path of `must_reach` may grow since the baseline"),
        hint("max_polygons", "20000", Any, "", "of all navmeshes"),
        hint("max_bytes", "1000000", Any, "bytes", "of the file"),
        hint("max_table_bytes", "4000000", Any, "bytes", "of its tables"),
        hint("severity", "{ sliver = \"off\", \"island-cut-off\" = \"error\" }", Any, "", "off | note | warning | error, by rule"),
    ]},
    Section { head: "[[check.ignore]]", shown: false, doc: "Findings that are known and not reported. Repeat the table for more.", keys: &[
        hint("rule", "\"island-cut-off\"", Any, "", "the code of the rule"),
        hint("at", "[1.0, 0.0, 4.5]", Any, "m", "default: anywhere"),
        hint("radius", "1.0", AtLeast(0.0), "m", "around `at`"),
        hint("agent", "\"default\"", Any, "", "default: any"),
        hint("reason", "\"the roof is for the cat\"", Any, "", "for readers of the config"),
    ]},
    Section { head: "[detour]", shown: true, doc: "Areas and links in Detour's files, for `export --to detour` and `import-detour`.", keys: &[
        hint("links", "{ number = 63, flags = 8 }", Any, "", "off-mesh connections: area 0 to 63, and 16 bits of flags"),
    ]},
    Section { head: "[detour.areas]", shown: true, doc: "An area a row; others have their own number and flag 1. Without `flags` it is 1; ground with flags 0 is found by no query.", keys: &[
        hint("Mud", "{ number = 5, flags = 1 }", Any, "", ""),
    ]},
];

/// The first number out of the range of its key: its path, the number, and the error.
///
/// `within` is the table of the config that `values` are of: `check.`, or nothing for all.
pub(super) fn out_of_range(values: &toml::Table, within: &str) -> Option<(String, f64, String)> {
    for section in SECTIONS {
        let path = section.path();
        let Some(path) = path.strip_prefix(within) else {
            continue;
        };
        for key in section.keys.iter().filter(|k| k.range != Range::Any) {
            let mut found = vec![];
            numbers(values, &format!("{path}{}", key.name()), "", &mut found);
            if let Some((path, v)) = found.into_iter().find(|(_, v)| !key.range.has(*v)) {
                let unit = match key.unit {
                    "" => String::new(),
                    unit => format!(" {unit}"),
                };
                let range = key.range.text();
                let text = format!("`{path}` is {}{unit}; it must be {range}", exact(v));
                return Some((path, v, text));
            }
        }
    }
    None
}

/// The numbers at a path such as `link[].cost`, each with its own path; lists have many.
fn numbers(table: &toml::Table, path: &str, before: &str, found: &mut Vec<(String, f64)>) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(value) = table.get(name.trim_end_matches("[]")) else {
        return;
    };
    let own = format!("{before}{}", name.trim_end_matches("[]"));
    let list = match value {
        toml::Value::Array(list) => list.iter().enumerate().collect(),
        one => vec![(usize::MAX, one)],
    };
    for (i, value) in list {
        let own = match i {
            usize::MAX => own.clone(),
            i => format!("{own}[{i}]"),
        };
        match value {
            toml::Value::Table(inner) => numbers(inner, rest, &format!("{own}."), found),
            toml::Value::Float(v) => found.push((own, *v)),
            toml::Value::Integer(v) => found.push((own, *v as f64)),
            _ => {}
        }
    }
}

impl Section {
    /// The path of its keys: `weights.`, `agent[].`, or nothing at the top.
    pub(crate) fn path(&self) -> String {
        let name = self.head.trim_matches(['[', ']']);
        match self.head {
            "" => String::new(),
            head if head.starts_with("[[") => format!("{name}[]."),
            _ => format!("{name}."),
        }
    }
}

impl Key {
    /// Its name; `#` marks one that does not go with the key before it.
    pub(crate) fn name(&self) -> &'static str {
        self.name.strip_prefix('#').unwrap_or(self.name)
    }
}
