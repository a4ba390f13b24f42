//! The commented config that `navbake config --template` prints.

use crate::config::Config;

impl Config {
    /// A config with every key at its default, each with its unit and meaning. Keys whose default depends on the input stand in a
    /// comment. It parses to [`Config::default`].
    pub fn template() -> String {
        TEMPLATE.to_owned()
    }
}

const TEMPLATE: &str = r##"# navbake config. Every key may be left out; what stands here is the default. Lengths are metres, angles degrees.
# A key that is not known is an error. Options on the command line win over this file.

# The input's axes and units. Points below are y-up metres, after this.
up = "y"               # axis that points up in the input: y | z; z turns (x, y, z) into (x, z, -y)
scale = 1.0            # input units to metres; for a MovingAI map the side of a cell

# The surface.
surface = "voxel"      # voxel: found from any triangles | floor: the input's own walkable triangles are the navmesh
borders = "exact"      # exact: from the triangles, to millimetres | lattice: along cells, up to a cell inside
# cell = 0.3           # m, largest side of the filter's cells, never the accuracy; default: by the agent's radius
border_error = 0.098   # m, how far exact borders may be drawn into the ground to save corners; a lesser one gives more polygons
height_error = 0.1     # m, greatest error of a polygon's height over the ground
slope_error = 0.25     # m, how far polygons' corners may be off it for agents to whom heights cost something (uphill, downhill)
# min_region = 2.0     # m2, smaller islands without a marker or seed are left out and reported; default for grid maps: 0
seeds = []             # [[x, y, z], ..] in m, or marker names: when given, only islands that can be reached from one are kept
winding = "ccw"        # which side of a triangle is its front: ccw | cw | both
# bounds = [[-100.0, -10.0, -100.0], [100.0, 50.0, 100.0]]  # m, least and greatest corner; triangles wholly outside are left out
# origin = [0.0, 0.0, 0.0]  # m, where the integer grid's zero lies; default: centre of the level, rounded to 1024 m
nonfinite = "refuse"   # positions that are not finite numbers: refuse the input | drop their triangles
allow_empty = false    # a level in which nothing is walkable gives an empty navmesh instead of an error
sources = false        # keep which triangles of the level's file lie behind each polygon: 8 bytes each, and the names of its objects
findings = true        # what is noticed about the level goes into the file, for reports; games do not look at it
tags = []              # names of tags, 32 bits of your own on ground and links: the first is bit 0

# Who walks: one agent with these values when there is none. Repeat the table for more.
# [[agent]]
# name = "default"     # what queries call it
# radius = 0.6         # m; default for grid maps: 0
# height = 2.0         # m, the head room it needs
# climb = 0.9          # m, the highest step, less than half the height
# slope = 45.0         # degrees, the steepest ground
# drop = 0.0           # m, the deepest drop it takes from a ledge; above 0 links down are found by themselves, see [auto_links]
# jump = 0.0           # m, the widest gap it jumps over, from edge to edge; above 0 links across are found
# uphill = 0.0         # what a metre up costs it beside what the ground costs, in metres of plain ground
# downhill = 0.0       # what a metre down costs it so

# What a metre of each area costs whom, in metres of plain ground; 1 where nothing is told, "x" where a unit never goes.
[weights]
limit = 100.0          # a weight of this or more blocks as well
# columns = ["Road", "Mud", "Water"]  # the areas that rows of numbers below are about
[weights.units]        # a row a unit, "*" for units without one:
# Tank = [1.0, 2.5, "x"]             # a number for each of the columns,
# "Light Infantry" = { Mud = 1.5 }   # or by area
[weights.tasks]        # rows that queries ask for by a name; what they do not tell is as above:
# stealth = { "Light Infantry" = { Road = 4.0 } }

# What ground near walls and ledges costs more, so that units keep away from them where there is room.
[clearance]
range = 0.0            # m off the wall, beyond the agent's radius; 0: none
peak = 3.0             # what ground at the wall costs, times its weight
falloff = "linear"     # linear | gaussian (three standard deviations in the range) | none
bands = 3              # the range is cut into so many bands, each of one cost

# Kinds of ground, for rules, volumes and weights. `ground` is there already: all that nobody says anything about. Repeat the table for more.
# [[area]]
# name = "Mud"
# switch = "gate1"     # a switch that closes it
# tags = [3]           # bits, 0 to 31, or names from `tags` at the top
# edge_tags = [4]      # of the edges that it ends at: a wall, or ground of another name

# What parts of the level are, by their names. Of the rules that match a part the last that tells a key decides it; tags add up. Repeat the table for more.
# Patterns: * is any run of characters, ? any one; all that are given must match.
# [[rule]]
# node = "*sky*"       # path of node names joined by /; without a / in it, any one name of the path may match. OBJ: object or group
# mesh = "*"           # mesh name
# material = "*"       # material name
# attribute = 3        # the number that triangles have by themselves: in glTF the vertex attribute _AREA
# ignore_case = false  # letters match whatever their case
# role = "ignored"     # ground | obstacle (blocks, never stood on) | ignored (as if not there) | floor (see surface; ground otherwise)
# area = "Mud"         # the area of their ground
# switch = "gate1"     # the switch that closes it
# tags = [3]           # its tags; edge_tags too

# Convex pieces of space; the ground within is cut along their border. They have the last word, the last volume the very last. Repeat the table for more.
# [[volume]]
# name = "moat"        # for messages
# box = [[0.0, -1.0, 0.0], [4.0, 2.0, 9.0]]             # m, two opposite corners; or
# polygon = [[0.0, 0.0], [4.0, 0.0], [4.0, 9.0]]        # m, x and z of a convex polygon's corners, and
# y = [-1.0, 2.0]      # m, the heights between which
# area = "Water"       # as in rules; switch and tags too

# What the terrains of a grid map are: areas by name.
[terrain]
names = []             # of terrain 0, 1, ..
# image = "ground.png" # beside this file, a texel a cell, that says each cell's terrain
[terrain.colours]      # what its colours are: a name of `names`, or "blocked"
# "#c0a060" = "Road"

# Ways that do not lead over ground: ladders, teleports, doors. Repeat the table for more.
# [[link]]
# name = "ladder"
# from = [0.0, 0.0, 0.0]  # m, or a marker's name
# to = "ladder_top"
# two_way = false      # it leads back as well
# cost = 4.0           # metres of walking; default: its length
# width = 0.0          # m, clear width; 0 when it is not known
# kind = "climb"       # walk | drop | jump | climb | teleport | ride | door | other
# agents = ["Tank"]    # who may take it; default: all
# switch = "rope"      # the switch that closes it
# tags = [3]

# Which drops and jumps become links by themselves, for agents with `drop` or `jump` above 0.
[auto_links]
spacing = 8.0          # m, the longest piece of a ledge or gap that one link stands for
detour = 2.0           # only where walking costs at least so many times what the link does
cost = 1.0             # metres of walking for a metre of link, from end to end in space; at least 1
most = 4096            # for a class of agents; the rest is left out, the least useful first, and reported
most_in_cube = 32      # the same for those that begin in a cube of 4 spacings

# Rooms and the doors between them.
[rooms]
find = false           # look for rooms, and cut polygons where their doors are
alpha = [0.65, 0.45, 0.3]  # a door is where the way is narrower than so much of the rooms on both sides: a number a level, falling
# min_area = 1.0       # m2 of ground that a room has at least; default for grid maps: 4 cells
max_field = 0.0        # m2, open land with more ground is cut into fields, squares no larger; 0 for none
[rooms.names]          # names of rooms, each with a place in it: [x, y, z] in m, or a marker's name
# "Great Hall" = [1.0, 0.0, 4.5]
[rooms.doors]          # names of doors, each with a place within 2 m of it; a switch of the same name closes it
# "Gate" = [1.0, 0.0, 9.0]

# What queries may say is closed. Without any of these, names of switches are taken as they come. Repeat the table for more.
# [[switch]]
# name = "gate1"
# closed = false       # as the level begins


# Units that turn. Repeat the table for more.
# [[vehicle]]
# name = "truck"
# turn_radius = 1.0    # m, the least radius of its curves
# footprint = { disc = 0.45 }  # m; or { rectangle = [length, width] }, or { polygon = [[x, z], ..] }: convex, x ahead and z to the right of the point that follows the curve
# tile = 0.5           # m, levels of triangles only: side of the squares that ground is cut into; the tiles of a grid map are its cells
# agent = "default"    # whose ground it drives on, all that it covers; default: the first agent's
# headings = 8         # at the middle of a tile: 8 | 16 | 32
# rings = 3            # curves lead to cells within so many columns and rows: 1 to 8 cells, 2 to 24, 3 to 48
# window = 11          # columns and rows looked at for hits; default: as many as its curves need
# words = 1            # between two poses, curves of so many lengths, the shortest ones: 1 to 6
# detour = 3.0         # curves of more than so many times the straight line are left out; default with one ring: none is
# reverse = { penalty = 2.0, change = 0.0 }  # it can be driven backwards: what a metre backwards costs, and a change of gear, m


[tables]
budget = "auto"        # tables beside the navmesh: labels, with which optimal paths need no search | auto: labels of up to about 64 MiB | none | a size never exceeded, as "4MiB": labels, and what makes them faster
landmarks = "auto"     # bounds for searches around what is closed and over dear ground, on meshes without links | auto: where the level has switches or weights | none | always
require = "none"       # labels: a size too small for them ends the bake with exit code 5 | none: they are left out then, with a warning

# What `navbake check` asks of the level; docs/rules.md tells the rules. A place is the name of a marker or a room, or [x, y, z] in m.
[check]
# must_reach = [["spawn_red", "flag_blue"], { from = "spawn_red", to = "base", agents = ["default"], most = 120.0 }]  # most: m
# must_not_reach = [["spawn_red", "vault"]]
# starts = ["spawn_red"]    # where units set out; default: where `must_reach` begins, else the largest island
# on_ground = ["spawn_*"]   # markers that have to stand on ground
# min_island = 5.0     # m2, smaller islands are told
# min_hole = 0.5       # m2, smaller holes in the ground are told
# door_width = 1.2     # m, narrower doors are told; needs rooms
# widths = [1.2]       # m, ways a little too narrow for units of these widths are told, as they are for wider agents
# short_by = 0.1       # m, how much too narrow
# slope_margin = 2.0   # degrees, ground too steep by up to so much is told
# height_margin = 0.1  # m, ground whose head room is short by up to so much is told
# ledge_drop = 1.5     # m, ledges without a railing and with a deeper drop are told; the bake looks for them
# longer_by = 0.05     # of its length, by how much longer than in the baseline a way of `must_reach` is that is told
# max_polygons = 20000
# max_bytes = 1000000
# max_table_bytes = 4000000
# severity = { sliver = "off", "island-cut-off" = "error" }  # off | note | warning | error
# [[check.ignore]]     # what is known and not to be told
# rule = "island-cut-off"
# at = [1.0, 0.0, 4.5] # m; anywhere when it is not said
# radius = 1.0         # m
# agent = "default"    # for any when it is not said
# reason = "the roof is for the cat"
"##;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_parses_to_the_default() {
        assert_eq!(Config::parse(TEMPLATE).unwrap(), Config::default());
    }

    #[test]
    fn the_commented_keys_of_the_template_are_the_defaults_too() {
        // Every line that is a commented key or table, taken out of its comment.
        let mut text = String::new();
        for line in TEMPLATE.lines() {
            let bare = line.strip_prefix("# ").unwrap_or(line);
            let key = bare.split(['=', ' ']).next().unwrap_or("");
            let is_key = bare.contains(" = ")
                && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
                && !key.is_empty();
            if bare.starts_with('[') || is_key {
                text.push_str(bare);
                text.push('\n');
            }
        }
        let config = Config::parse(&text).unwrap();
        let defaults = Config::default().resolved(false).unwrap();
        assert_eq!(config.agents, defaults.agents);
        assert_eq!(config.min_region, defaults.min_region);
        assert_eq!(config.rules.len(), 1);
        for key in ["cell", "bounds", "origin"] {
            assert!(text.contains(&format!("{key} = ")), "{key}");
        }
        // Nothing that a config has is missing from the template.
        let known = toml::to_string(&config).unwrap();
        for (key, _) in known.lines().filter_map(|l| l.split_once(" = ")) {
            assert!(TEMPLATE.contains(key), "{key}");
        }
        for table in ["[[volume]]", "[[link]]", "[[area]]", "[[switch]]"] {
            assert!(known.contains(table), "{table}");
        }
    }
}
