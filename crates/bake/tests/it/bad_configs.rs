//! The error of every bad config names the line, the key and the expected value, and suggests the
//! nearest known name for a wrong one.

use crate::fields::FLOOR;
use navbake_bake::{BakeInput, Config, Options, bake};
use navbake_level::{CellShape, GridMap, Part, Scene, Source};

/// Agents, areas and tags for the cases to be wrong about: seven lines.
const HEAD: &str = "tags = [\"trap\", \"wood\"]
[[agent]]
name = \"Jeep\"
[[agent]]
name = \"Tank\"
[[area]]
name = \"mud\"
";

#[derive(Clone)]
struct Case {
    text: String,
    line: usize,
    /// Parts of the message: the key, the expected value, and the nearest known name.
    said: Vec<String>,
}

/// A case: the config, its line, and parts of the message.
fn case(text: &str, line: usize, said: &[&str]) -> Case {
    Case { text: text.into(), line, said: said.iter().map(|s| (*s).into()).collect() }
}

/// A case below [`HEAD`]; its lines count from there.
fn below(text: &str, line: usize, said: &[&str]) -> Case {
    case(&format!("{HEAD}{text}"), 7 + line, said)
}

const ANY: &str = "did you mean ";

#[rustfmt::skip]
fn of_agents_and_weights() -> Vec<Case> {
    let row = |row: &str, said: &[&str]| {
        below(&format!("[weights]\ncolumns = [\"mud\", \"ground\"]\n[weights.units]\n{row}\n"), 4, said)
    };
    vec![
        case("[[agent]]\nradius = -0.1\n", 2, &["radius -0.1 m", "between 0 and 1000"]),
        case("[[agent]]\nname = \"a\"\nradius = nan\n", 3, &["agent `a`: radius is NaN", "finite numbers"]),
        case("[[agent]]\n\nheight = inf\n", 3, &["height is inf", "finite numbers"]),
        case("[[agent]]\nclimb = 1.5\nheight = 2.0\n", 2, &["climb 1.5 m", "less than half its height"]),
        case("[[agent]]\nslope = 90\n", 2, &["slope 90 degrees", "below 90"]),
        case("[auto_links]\nspacing = 0\n", 2, &["`auto_links.spacing` is 0 m", "0.1 or above"]),
        case("[auto_links]\ndetour = nan\n", 2, &["`auto_links.detour` is NaN", "1 or above"]),
        case("[auto_links]\ncost = 0.5\n", 2, &["`auto_links.cost` is 0.5", "1 or above"]),
        case("[auto_links]\nmax_links = 0\n", 2, &["`auto_links.max_links` is 0", "`drop` and `jump`"]),
        case("[auto_links]\nmax_links_per_cube = -3\n", 2, &["`auto_links.max_links_per_cube` is -3; it must be a whole number, 0 to 4294967295"]),
        case("[detour]\nlinks = { flags = 70000 }\n", 2, &["`detour.links.flags` is 70000; it must be a whole number, 0 to 65535"]),
        case("[rooms]\nenabled = 1\n", 2, &["`rooms.enabled` is 1; it must be true or false"]),
        case("[rooms]\nenable = true\n", 2, &["unknown key `enable`", "did you mean `enabled`?"]),
        case("[room]\nenabled = true\n", 1, &["unknown key `room`", "did you mean `rooms`?"]),
        case("[rooms]\nalpha = []\n", 2, &["`rooms.alpha` has 0 numbers", "1 to 8"]),
        case("[rooms]\nalpha = [0.6,\n 1.5]\n", 3, &["`rooms.alpha[1]` is 1.5", "above 0 and below 1"]),
        case("[rooms]\nalpha = [0.6, 0.6]\n", 2, &["`rooms.alpha[1]` is 0.6", "lesser"]),
        case("[rooms]\n\nmin_area = -2\n", 3, &["`rooms.min_area` is -2 m2", "0 or above"]),
        case("[rooms]\nmax_room_area = nan\n", 2, &["`rooms.max_room_area` is NaN m2", "0 or above"]),
        case("\nborders = \"exact\"\n", 2, &["`borders` is no key any more", "remove the line"]),
        case("[rooms]\n\nfind = true\n", 3, &["`rooms.find` is now called `enabled`", "rename"]),
        case("[rooms]\nmax_field = 9\n", 2, &["`rooms.max_field` is now called `max_room_area`"]),
        case("[auto_links]\nmost = 9\n", 2, &["`auto_links.most` is now called `max_links`"]),
        case("[auto_links]\nmost_in_cube = 9\n", 2, &["now called `max_links_per_cube`"]),
        case("[check]\nshort_by = 9\n", 2, &["`check.short_by` is now called `width_tolerance`"]),
        case("[check]\nlonger_by = 9\n", 2, &["`check.longer_by` is now called `length_tolerance`"]),
        case("[rooms.doors]\ngate = [0, inf, 0]\n", 2, &["`rooms.doors.gate`", "finite"]),
        case("[[switch]]\nname = \"gate\"\n[rooms.doors]\ngates = [0, 0, 0]\n", 4, &["there is no switch `gates`", "did you mean `gate`?"]),
        case("[rooms.names]\nhall = [0, nan, 0]\n", 2, &["`rooms.names.hall`", "finite"]),
        case("[rooms.names]\nhall = 3\n", 2, &["three numbers", "marker"]),
        case("[auto_links]\nspacings = 3\n", 2, &["unknown key `spacings`", "did you mean `spacing`?"]),
        case("[auto_link]\nspacing = 3\n", 1, &["unknown key `auto_link`", "did you mean `auto_links`?"]),
        case("winding = 1\n", 1, &["`winding` is 1", "text in quotes"]),
        case("up = \"x\"\n", 1, &["`up` is `x`", "one of y, z"]),
        case("scale = 1.0\nscale = 2.0\n", 2, &["`scale` is given twice", "remove one"]),
        case("[agent]\nradius = 0.4\n", 1, &["`agent` is one table", "[[agent]]"]),
        case("[[network]]\n", 1, &["`network[0]` has no `name`", "add it"]),
        case("[[network]]\nname = \"a\"\nkind = [1]\n", 3, &["`network[0].kind` is", "text in quotes"]),
        case("drop = 3\n", 1, &["unknown key `drop`", "it is a key of [[agent]]"]),
        case("[[agent]]\ndrop = -1\n", 2, &["drop -1 m", "between 0 and 1000"]),
        case("[[agent]]\njump = nan\n", 2, &["jump is NaN", "finite"]),
        case("[[agent]]\nuphill = -1\n", 2, &["`agent[0].uphill` is -1", "from 0 to 1048576"]),
        case("[[agent]]\ndownhill = nan\n", 2, &["`agent[0].downhill` is NaN", "from 0"]),
        case("[[agent]]\nuphil = 1\n", 2, &["unknown key `uphil`", "did you mean `uphill`?"]),
        case("[clearance]\nrange = -1\n", 2, &["`clearance.range` is -1 m", "0 or above"]),
        case("[clearance]\nrange = nan\n", 2, &["`clearance.range` is NaN", "finite"]),
        case("[[agent]]\nradius = 0.5\n[clearance]\nrange = 7\n", 4, &["`clearance.range` is 7", "12 times the least radius", "0.5"]),
        case("[clearance]\npeak = 0.5\n", 2, &["`clearance.peak` is 0.5", "from 1 to 1024"]),
        case("[clearance]\nbands = 0\n", 2, &["`clearance.bands` is 0", "from 1 to 63"]),
        case("[clearance]\nfalloff = \"liner\"\n", 2, &["`clearance.falloff` is `liner`", "did you mean `linear`?"]),
        case("surface = \"floor\"\n[clearance]\nrange = 1\n", 3, &["`clearance` is for `surface = \"generate\"`"]),
        case("[clearanse]\nrange = 1\n", 1, &["unknown key `clearanse`", "did you mean `clearance`?"]),
        case("[[agent]]\nradius = 1e300\n", 2, &["radius 1e300", "out of range"]),
        case("[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\n[[agent]]\nname = \"a\"\n", 6, &["two agents are called `a`", "rename"]),
        case("[[agent]]\nname = \"\"\n", 2, &["empty `name`"]),
        case("[[agent]]\nradios = 1\n", 2, &["unknown key `radios`", "did you mean `radius`?"]),
        case("[[agents]]\nname = \"a\"\n", 1, &["unknown key `agents`", "did you mean `agent`?"]),
        case("[[agent]]\nradius = \"wide\"\n", 2, &["`agent[0].radius` is the text \"wide\"; it must be a number"]),
        below("[weights]\nlimit = 0\n", 2, &["`weights.limit` is 0", "above 0"]),
        below("[weights]\nlimit = nan\n", 2, &["`weights.limit` is NaN", "above 0"]),
        below("[weights]\nlimits = 100\n", 2, &["unknown key `limits`", "did you mean `limit`?"]),
        below("[weights]\ncolumns = [\"ground\",\n\"mdu\"]\n", 3, &["no area `mdu`", "did you mean `mud`?", "`ground`, or the name of an `[[area]]`"]),
        below("[weights]\ncolumns = [\"mud\", \"mud\"]\n", 2, &["`mud` is twice", "weights.columns"]),
        row("Jeep = [1.0]", &["row of `Jeep` has 1 weights", "has 2 areas", "as many"]),
        row("Jeep = [1.0, 0]", &["weight of `ground` for `Jeep` is 0", "above 0", "\"x\""]),
        row("Jeep = [-1.0, 1]", &["weight of `mud` for `Jeep` is -1", "above 0"]),
        row("Jeep = [nan, 1]", &["weight of `mud` for `Jeep` is NaN", "above 0"]),
        row("Jeep = [\"X\", 1]", &["is \"X\"", "\"x\" for blocked"]),
        row("Jeep = { mdu = 2 }", &["no area `mdu`", "did you mean `mud`?", "known are: ground, mud"]),
        row("Jeeb = { mud = 2 }", &["no agent `Jeeb`", "did you mean `Jeep`?", "`[[agent]]`"]),
        row("Jeep = 5", &["a row of weights must be a list", "{ Road = 1"]),
        row("Jeep = [[1], 2]", &["a row of weights must be a list"]),
        row("Jeep = { mud = true }", &["a row of weights must be a list"]),
        below("[weights.tasks.stealth]\nTonk = { mud = 2 }\n", 2, &["no agent `Tonk`", "did you mean `Tank`?", "`*`"]),
        below("[weights.tasks.stealth]\nTank = { mad = 2 }\n", 2, &["no area `mad`", "did you mean `mud`?"]),
    ]
}

#[rustfmt::skip]
fn of_ground() -> Vec<Case> {
    let volume = |keys: &str, line: usize, said: &[&str]| below(&format!("[[volume]]\n{keys}\n"), line, said);
    vec![
        below("[[area]]\nname = \"mud\"\n", 2, &["two areas are called `mud`", "once"]),
        below("[[area]]\nname = \"\"\n", 2, &["empty `name`"]),
        below("[[area]]\nname = \"ground\"\n", 2, &["`ground` is an area already", "another name"]),
        below("[[area]]\nname = \"a\"\ncost = 3\n", 3, &["unknown key `cost`", "known: name"]),
        below("[[area]]\nname = \"a\"\ntags = [32]\n", 3, &["`area[1].tags[0]` is 32", "0 to 31"]),
        below("[[area]]\nname = \"a\"\ntags = [1,\n\"trop\"]\n", 4, &["no tag `trop`", "did you mean `trap`?", "`tags` at the top"]),
        below("[[area]]\nname = \"a\"\ntags = [1.5]\n", 3, &["bit's number, 0 to 31"]),
        case("tags = [\"a\", \"b\", \"a\"]\n", 1, &["`tags[2]` is `a`", "a name of its own"]),
        below("[[rule]]\nrole = \"ignored\"\n", 1, &["`[[rule]]` 1 has no pattern", "`node`, `mesh`, `material` or `attribute`"]),
        below("[[area]]\nname = \"a\"\nedge_tags = [\"wod\"]\n", 3, &["no tag `wod`", "did you mean `wood`?"]),
        below("[[rule]]\nnode = \"a\"\n", 1, &["`[[rule]]` 1 says nothing", "`role`, `area`, `switch`, `tags` or `edge_tags`"]),
        below("[[rule]]\nnode = \"a\"\narea = \"mut\"\n", 3, &["no area `mut`", "did you mean `mud`?"]),
        below("[[rule]]\nnode = \"a\"\nrole = \"ignore\"\n", 3, &["`rule[0].role` is `ignore`", "did you mean `ignored`?"]),
        below("[[rule]]\nnode = \"a\"\naera = \"mud\"\n", 3, &["unknown key `aera`", "did you mean `area`?"]),
        below("[[rule]]\nnode = \"a\"\nswitch = \"\"\n", 3, &["`rule[0].switch` is empty", "a name"]),
        below("[[switch]]\nname = \"gate\"\n[[rule]]\nnode = \"a\"\nswitch = \"gaet\"\n", 5, &["no switch `gaet`", "did you mean `gate`?", "`[[switch]]`"]),
        below("[[switch]]\nname = \"gate\"\n[[switch]]\nname = \"gate\"\n", 4, &["two switches are called `gate`"]),
        below("[[switch]]\nname = \"gate\"\nshut = true\n", 3, &["unknown key `shut`", "known: name, closed"]),
        volume("area = \"mud\"", 1, &["`[[volume]]` 1 has no shape", "`box`, or `polygon` and `y`"]),
        volume("box = [[0,0,0],[1,1,1]]", 1, &["`[[volume]]` 1 says nothing", "`area`, `switch`, `tags` or `edge_tags`"]),
        volume("box = [[0,0,0],[1,nan,1]]\narea = \"mud\"", 2, &["corner that is not a number"]),
        volume("box = [[0,0],[1,1]]\narea = \"mud\"", 2, &["`volume[0].box[0]` has the length 2; it must be a list of 3 numbers"]),
        volume("polygon = [[0,0],[1,0],[0,1]]\narea = \"mud\"", 2, &["has no heights", "y = [0.0, 3.0]"]),
        volume("polygon = [[0,0],[1,0],[0,inf]]\ny = [0, 1]\narea = \"mud\"", 2, &["not a finite number"]),
        volume("polygon = [[0,0],[1,0],[0,1]]\ny = [1, 0]\narea = \"mud\"", 3, &["two heights, the lower one first"]),
        volume("box = [[0,0,0],[1,1,1]]\ny = [0, 1]\narea = \"mud\"", 3, &["heights in `box` already"]),
        volume("box = [[0,0,0],[1,1,1]]\narea = \"mod\"", 3, &["no area `mod`", "did you mean `mud`?"]),
        volume("bax = [[0,0,0],[1,1,1]]\narea = \"mud\"", 2, &["unknown key `bax`", "did you mean `box`?"]),
        below("[terrain]\nimage = \"a.png\"\n", 1, &["`terrain.image` and `terrain.colours` belong together"]),
        below("[terrain]\nnames = [\"sand\"]\nimage = \"a.png\"\n[terrain.colours]\n\"#00\" = \"sand\"\n", 5, &["`#00` is no colour", "#rrggbb"]),
        below("[terrain]\nnames = [\"sand\"]\nimage = \"a.png\"\n[terrain.colours]\n\"#000000\" = \"snad\"\n", 5, &["no terrain `snad`", "did you mean `sand`?", "`terrain.names`, or `blocked`"]),
        below("[terrain]\nnames = [\"sand\"]\nimage = \"a.png\"\n[terrain.colours]\n\"#AA0000\" = \"sand\"\n\"#aa0000\" = \"sand\"\n", 6, &["are the same colour"]),
        below("[terrain]\nnames = [\"\"]\n", 2, &["`terrain.names[0]`", "another name"]),
        below("[terrain]\nname = [\"sand\"]\n", 2, &["unknown key `name`", "did you mean `names`?"]),
        below("[terrain]\nnames = [\"sand\"]\n[terrain.colors]\n\"#000000\" = \"sand\"\n", 3, &["unknown key `colors`", "did you mean `colours`?"]),
    ]
}

#[rustfmt::skip]
fn of_links_and_numbers() -> Vec<Case> {
    let link = |keys: &str, line: usize, said: &[&str]| {
        below(&format!("[[link]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n{keys}\n"), line, said)
    };
    vec![
        below("[[link]]\nfrom = [0, 0, 0]\n", 1, &["`link[0]` has no `to`"]),
        below("[[link]]\nfrom = [0, 0]\nto = [1, 0, 0]\n", 2, &["three numbers", "marker's name"]),
        below("[[link]]\nfrom = [0, 0, nan]\nto = [1, 0, 0]\n", 2, &["`link[0].from` is (0, 0, NaN)", "three finite numbers"]),
        below("[[link]]\nfrom = [0, 0, 0]\nto = [0, 0, 0]\n", 3, &["ends where it begins"]),
        link("cost = -1", 4, &["`link[0].cost` is -1", "finite number, 0 or above"]),
        link("width = nan", 4, &["`link[0].width` is NaN", "finite number, 0 or above"]),
        link("kind = \"clim\"", 4, &["`link[0].kind` is `clim`", "did you mean `climb`?"]),
        link("agents = [\"Jeep\",\n\"Tnk\"]", 5, &["no agent `Tnk`", "did you mean `Tank`?"]),
        link("agents = []", 4, &["`link[0].agents` is empty", "leave it out for all"]),
        link("tags = [-1]", 4, &["`link[0].tags[0]` is -1", "0 to 31"]),
        link("twoway = true", 4, &["unknown key `twoway`", "did you mean `two_way`?"]),
        case("scale = 0\n", 1, &["`scale` is 0", "above 0"]),
        case("up = \"y\"\nscale = nan\n", 2, &["`scale` is NaN", "finite"]),
        case("cell = inf\n", 1, &["`cell` is inf", "finite number above 0"]),
        case("height_error = -1\n", 1, &["`height_error` is -1", "above 0"]),
        case("\nmin_region = -2\n", 2, &["`min_region` is -2", "0 or above"]),
        case("bounds = [[0, 0, 0], [1, 0, 1]]\n", 1, &["`bounds`: along y", "first corner must be the least"]),
        case("origin = [inf, 0, 0]\n", 1, &["`origin` is (inf, 0, 0)", "three finite numbers"]),
        case("seeds = [[0, 0, 0],\n[0, 0, nan]]\n", 2, &["`seeds[1]`", "three finite numbers"]),
        case("[tables]\nbudget = \"8 miles\"\n", 2, &["`tables.budget` is `8 miles`", "\"none\""]),
        case("srface = \"voxel\"\n", 1, &["unknown key `srface`", "did you mean `surface`?"]),
    ]
}

#[test]
fn every_bad_config_is_reported_by_line_key_expectation_and_nearest_name() {
    let cases = [of_agents_and_weights(), of_ground(), of_links_and_numbers()].concat();
    let mut hints = 0;
    for case in cases {
        let text = &case.text;
        let fault = Config::parse(text).and_then(|config| config.resolved(false));
        let fault = fault.err().unwrap_or_else(|| panic!("accepted:\n{text}"));
        assert_eq!(fault.line, Some(case.line), "{fault}\n{text}");
        for said in &case.said {
            assert!(fault.message.contains(said), "no {said}: {fault}\n{text}");
        }
        // No hint where none is asked for: a far-fetched one misleads.
        let hinted = case.said.iter().any(|s| s.starts_with(ANY));
        assert_eq!(fault.message.contains(ANY), hinted, "{fault}");
        hints += usize::from(hinted);
    }
    assert!(hints > 20);
}

fn floor() -> Source {
    Source::Scene(Scene {
        vertices: vec![[0.0; 3], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2]],
        triangle_parts: vec![0],
        parts: vec![Part::default()],
        ..Scene::default()
    })
}

fn map() -> Source {
    Source::Grid(GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 3,
        height: 2,
        free: vec![true; 6],
        terrain: vec![0, 0, 1, 0, 2, 0],
    })
}

#[test]
fn what_only_the_level_shows_is_reported_with_its_line_as_well() {
    let volume =
        "[[volume]]\npolygon = [[0, 0], [4, 0], [1, 1], [0, 4]]\ny = [0, 1]\narea = \"mud\"\n";
    for (source, text, line, said) in [
        (floor(), volume, Some(9), "`[[volume]]` 1: it is not convex at corner 3"),
        (
            floor(),
            "[[volume]]\nname = \"pit\"\nbox = [[0, 0, 0], [0, 5, 5]]\narea = \"mud\"\n",
            Some(10),
            "(`pit`): it encloses no ground",
        ),
        (
            floor(),
            "[[link]]\nfrom = [0, 0, 0]\nto = \"top\"\n",
            Some(10),
            "`link[0].to`: the level has no marker called `top`",
        ),
        (
            floor(),
            "[terrain]\nnames = [\"a\"]\nimage = \"a.png\"\n[terrain.colours]\n\"#000000\" = \"a\"\n",
            Some(10),
            "`terrain.image` is for grid maps",
        ),
        (map(), volume, Some(9), "`[[volume]]` 1: it is not convex at corner 3"),
        (
            map(),
            "[terrain]\nnames = [\"sand\", \"mud\"]\n",
            None,
            "the cell in column 2, row 2 is of terrain 2, and `terrain.names` has names for 0 to 1",
        ),
        (
            map(),
            "[[agent]]\nname = \"wide\"\nradius = 0.5\n",
            Some(10),
            "agent `wide`: radius 0.5 m",
        ),
    ] {
        let config = Config::parse(&format!("{HEAD}{text}")).unwrap();
        let error = BakeInput::new(source, &config).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        if let Some(line) = line {
            assert!(error.starts_with(&format!("config, line {line}: ")), "{error}");
        }
    }
}

#[test]
fn an_option_that_overrides_the_file_is_not_reported_by_the_files_line() {
    let mut config = Config::parse("[[agent]]\nradius = 0.5\n").unwrap();
    config.agents[0].radius = Some(-1.0);
    let fault = config.resolved(false).unwrap_err();
    assert_eq!(fault.line, None);
    assert!(fault.message.contains("radius -1 m"));
}

#[test]
fn fields_that_cannot_be_are_refused() {
    let on_floor = |text: &str| {
        let config = Config::parse(&format!("{FLOOR}{text}"));
        let baked = config.map(|config| bake(crate::fields::floor(), &config, &Options::default()));
        match baked {
            Ok(Ok(baked)) => baked.summary.warnings.iter().map(|w| w.message.as_str()).collect(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        }
    };
    for (text, found) in [
        ("[[field]]\nrange = 2.0\n", "`field[0]` has no sources; give `points` or `areas`"),
        ("[[field]]\npoints = [\"fire\"]\n", "`field[0]` has no `range`"),
        ("[[field]]\npoints = [\"fire\"]\nrange = 0\n", "`field[0].range` is 0 m"),
        (
            "[[field]]\npoints = [\"fires\"]\nrange = 1\n",
            "no marker called `fires`; did you mean `fire`?",
        ),
        ("[[field]]\npoints = [[0, nan, 0]]\nrange = 1\n", "three finite numbers"),
        ("[[field]]\nareas = [\"lav\"]\nrange = 1\n", "no area `lav`; did you mean `lava`?"),
        ("[[field]]\nareas = [\"ground\"]\nrange = 1\n", "which no `[[volume]]` gives"),
        ("[[field]]\npoints = [\"fire\"]\nrange = 1\nagents = [\"elf\"]\n", "no agent `elf`"),
        ("[[field]]\npoints = [\"fire\"]\nrange = 9\nbands = 17\n", "`field[0].bands` is 17"),
        (
            "[[field]]\npoints = [[7, 3, 8]]\nrange = 1\nheight = 0.5\n",
            "reaches no ground; it has no effect",
        ),
    ] {
        let said = on_floor(text);
        assert!(said.contains(found), "{text}: {said}");
    }
    let nine = "[[field]]\npoints = [\"fire\"]\nrange = 1\n".repeat(9);
    assert!(
        on_floor(&nine).contains("9 tables `[[field]]`; there may be 8"),
        "{}",
        on_floor(&nine)
    );
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 2,
        height: 1,
        free: vec![true; 2],
        terrain: vec![],
    };
    let dear = "[weights.units]\n\"*\" = { ground = 90 }\n[[field]]\npoints = [[0, 0, 0]]\nrange = 1\npeak = 20\n";
    let config = Config::parse(dear).unwrap();
    let said = bake(Source::Grid(map), &config, &Options::default()).unwrap_err().to_string();
    assert!(said.contains("reach 1800; on a grid map a cell costs 1024 at most"), "{said}");
}
