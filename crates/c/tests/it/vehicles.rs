//! Vehicles in C: paths, roads, parked units and closed gates, as the runtime has them.

use std::fmt::Write;

use navbake_bake::{Config, Options, bake_file};
use navbake_search::blob::Blob;
use navbake_search::{NavQuery, QueryFilter};
use navbake_vehicle::{
    Ground, GroundFilter, HeadingSegment, Obstacle, RoadRules, Roads, TurningBuffer, TurningQuery,
    TurningRequest, TurningScratchSize, VehicleBuffer,
};

use crate::c_program::program;

const FROM: [f64; 3] = [2.5, 0.0, 3.5];
const TO: [f64; 3] = [21.5, 0.0, 3.5];

/// Two yards with mud in one passage, a gate in the other, a ferry, and a road through the gate.
const CONFIG: &str = "
[[agent]]
name = \"truck\"
[[vehicle]]
name = \"truck\"
turn_radius = 1.0
footprint = { disc = 0.45 }
roads = { areas = [\"road\", \"gate\"], off_road = 4.0, rings = 1 }
directions = 8
[[area]]
name = \"mud\"
[[area]]
name = \"gate\"
switch = \"gate\"
[[switch]]
name = \"gate\"
[[area]]
name = \"road\"
[[volume]]
box = [[2, -1, 3], [4, 1, 10]]
area = \"road\"
[[volume]]
box = [[2, -1, 8], [22, 1, 10]]
area = \"road\"
[[volume]]
box = [[20, -1, 3], [22, 1, 10]]
area = \"road\"
[[volume]]
box = [[11, -1, 8], [13, 1, 10]]
area = \"gate\"
[[volume]]
box = [[11, -1, 3], [13, 1, 4]]
area = \"mud\"
[[link]]
from = [2.5, 0, 1.5]
to = [21.5, 0, 1.5]
cost = 20.0
";

fn yards() -> String {
    let row = |z: usize| match z {
        3 | 8 | 9 => ".".repeat(24),
        _ => format!("{0}xx{0}", ".".repeat(11)),
    };
    (0..12).map(row).fold("1\n24\n12\n".into(), |all, row| all + &row + "\n")
}

/// How a path is asked for.
#[derive(Default)]
struct Case {
    name: &'static str,
    closed: bool,
    parked: bool,
    /// A crate in the gate.
    obstacle: bool,
    rules: Option<RoadRules>,
    cones: bool,
    lines: bool,
}

fn expected(bytes: &[u8]) -> String {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let view = blob.vehicle("truck").unwrap();
    let mut out = String::from(
        "truck: radius 1.000, tiles of 1.000, 8 headings, reverse 0, roads 1, directions 8\n",
    );
    let only = |name| Case { name, ..Case::default() };
    let near = RoadRules { rings: Some(1), off_road_cost: 4.0 };
    for case in [
        Case { lines: true, rules: Some(near), ..only("roads and directions of the config") },
        Case { rules: Some(near), ..only("roads of the config") },
        only("plain"),
        Case { lines: true, ..only("lines") },
        only("seven directions"),
        only("a speed without speeds"),
        Case { parked: true, ..only("a parked unit in the gate") },
        Case { rules: Some(near), ..only("roads") },
        Case { cones: true, ..only("cones") },
        Case { closed: true, ..only("a closed gate") },
        Case { obstacle: true, parked: true, ..only("a crate in the gate") },
        Case { parked: true, ..only("a parked unit where the crate was") },
        only("no crate"),
    ] {
        if ["seven directions", "a speed without speeds"].contains(&case.name) {
            writeln!(out, "{}: status -2", case.name).unwrap();
            continue;
        }
        let map = blob.grid_map().unwrap();
        let mut own = VehicleBuffer::new(&view);
        let vehicle = own.vehicle(view).unwrap();
        let mut bits = vec![0; Ground::words(&map)];
        let mut ground = Ground::new(&map, &mut bits).unwrap();
        let filter = QueryFilter::new().agent(&mesh, "truck").unwrap();
        let mut filter = filter.cost(&mesh, "mud", 8.0).unwrap();
        if case.closed {
            filter = filter.block(&mesh, "gate").unwrap();
        }
        let tiles = GroundFilter::new(&vehicle, &mut ground, &mesh, &filter);
        if case.obstacle {
            let square = [[10.5, 8.5], [13.5, 8.5], [13.5, 9.5], [10.5, 9.5]];
            let box_ = Obstacle::prism(&square, [0.0, 1.0]).unwrap();
            assert_eq!(ground.set_obstacle(&mesh, 0, Some(&box_)), Ok(8));
        }
        if case.parked {
            ground.set_blocked([11, 8], true);
        }
        let mut bits = vec![0; Roads::words(&ground)];
        let rules = case.rules.unwrap_or_default();
        let mut roads = Roads::new(&ground, &mut bits, rules).unwrap();
        let any = NavQuery::new(mesh);
        roads.mark(&ground, |middle| {
            let area = mesh.area(any.locate(middle, 1.0).unwrap().polygon());
            let name = blob.areas().nth(usize::from(area.0)).unwrap().name;
            ["road", "gate"].contains(&name)
        });
        if case.cones {
            let mut cones = [[0; 2]; 300];
            let turn = vehicle.rings_for_turn().unwrap();
            assert!(roads.place_cones(&mut ground, turn, &mut cones).unwrap() > 5);
        }
        let query = TurningQuery::new(&vehicle, &ground).unwrap().with_filter(&tiles).unwrap();
        let query = if case.rules.is_some() { query.on_roads(&roads) } else { query };
        let size = TurningScratchSize::with_nodes(&vehicle, &ground, 20_000);
        let mut buffer = TurningBuffer::new(size);
        let request =
            TurningRequest { smooth: true, ..TurningRequest::new(FROM, 0.0, TO, Some(0.0)) };
        let mut scratch = buffer.scratch();
        let found = query.path(&request, &mut scratch);
        let [length, cost, bound] = [found.length, found.cost, found.bound];
        let head = format!("{length:.6} long, cost {cost:.6}, bound {bound:.6}");
        writeln!(out, "{}: status 0, {head}", case.name).unwrap();
        assert!(found.pieces.len() > 1);
        if case.lines {
            let mut lines = [HeadingSegment::default(); 2000];
            let count = query.quantise_headings(found.pieces, 8, &mut lines).unwrap();
            for line in &lines[..count] {
                let [x, y, z] = ground.point(line.from);
                let heading = f64::from(line.direction) * std::f64::consts::FRAC_PI_4;
                let long = line.length();
                writeln!(out, "  {x:.6} {y:.6} {z:.6} @{heading:.6} 0 0 {long:.6}").unwrap();
            }
            continue;
        }
        for piece in found.pieces {
            let [x, y, z] = ground.point([piece.from.x, piece.from.z]);
            let (heading, turn, long) =
                (piece.from.heading, piece.segment.turn, piece.segment.length);
            write!(out, "  {x:.6} {y:.6} {z:.6} @{heading:.6} {turn} 0 {long:.6}").unwrap();
            if let Some(link) = piece.link {
                write!(out, " link {link}").unwrap();
            }
            out += "\n";
        }
        assert_eq!(case.closed || case.obstacle, found.pieces.iter().any(|p| p.link.is_some()));
    }
    let none = "0.000000 long, cost 0.000000, bound 0.000000";
    out + &format!("from the gate: status -8\nfrom nowhere: status 3, {none}\n")
}

#[test]
fn a_c_program_drives_a_truck_as_the_runtime_does() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("yards.txt");
    std::fs::write(&level, yards()).unwrap();
    let config = Config::parse(CONFIG).unwrap();
    let baked = bake_file(&level, &config, &Options::default()).unwrap();
    if let Some(printed) = program("vehicle", &baked.bytes, [FROM, TO]) {
        assert_eq!(printed, expected(&baked.bytes));
    }
}
