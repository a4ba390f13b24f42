//! The subject of a check: a blob with its navmeshes and agents.

use std::sync::OnceLock;

use navbake_bake::config::Seed;
use navbake_bake::nearest_name;
use navbake_format::{Agent, CheckedBlob, Grid, NavMeshBuf, PolyId, Polygon, exact::orient};
use navbake_search::{NavMesh, NavPoint, NavQuery, QueryFilter};

use crate::Finding;

/// Radius of the search for the nearest ground, m.
pub(crate) const FAR: f64 = 25.0;

/// The navmeshes of a blob, each decoded once.
pub struct Meshes(Vec<Option<Decoded>>);

struct Decoded {
    mesh: NavMeshBuf,
    /// The heights between its storeys, once they are asked for.
    cuts: OnceLock<Vec<f64>>,
}

fn held(mesh: NavMeshBuf) -> Decoded {
    Decoded { mesh, cuts: OnceLock::new() }
}

impl Meshes {
    /// Decodes the navmesh of every class.
    pub fn of(blob: &CheckedBlob<'_>) -> Meshes {
        Meshes((0..blob.class_count()).map(|class| blob.decode(class).ok().map(held)).collect())
    }

    /// The navmeshes of all classes, which were decoded before.
    pub fn decoded_before(all: Vec<NavMeshBuf>) -> Meshes {
        Meshes(all.into_iter().map(held).map(Some).collect())
    }

    /// The navmesh of a class.
    pub fn get(&self, class: u16) -> Option<NavMesh<'_>> {
        self.decoded(class).map(|decoded| decoded.mesh.mesh())
    }

    fn decoded(&self, class: u16) -> Option<&Decoded> {
        self.0.get(usize::from(class))?.as_ref()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = NavMesh<'_>> {
        self.0.iter().flatten().map(|decoded| decoded.mesh.mesh())
    }
}

/// A blob with its agents.
pub struct Subject<'a> {
    /// The checked blob.
    pub blob: CheckedBlob<'a>,
    /// Its agents.
    pub walkers: Vec<Walker<'a>>,
}

/// An agent on its navmesh.
pub struct Walker<'a> {
    /// The agent.
    pub agent: Agent<'a>,
    /// Its navmesh.
    pub mesh: NavMesh<'a>,
    /// The heights between the storeys of its navmesh, once they are asked for.
    pub(crate) cuts: &'a OnceLock<Vec<f64>>,
    /// Its links and costs.
    filter: QueryFilter,
    /// Its bit in the masks of links.
    bit: u32,
}

impl<'a> Subject<'a> {
    /// The agents of a blob on its navmeshes.
    pub fn new(blob: CheckedBlob<'a>, meshes: &'a Meshes) -> Subject<'a> {
        let walkers = (0u16..).zip(blob.agents()).filter_map(|(number, agent)| {
            let bit = 1u32.checked_shl(number.into()).unwrap_or(0);
            let mut filter = QueryFilter::new();
            filter.set_agents(bit);
            if let Some(row) = blob.weights_for("", number) {
                filter.set_weights(&row);
            }
            let Decoded { mesh, cuts } = meshes.decoded(agent.class)?;
            Some(Walker { agent, mesh: mesh.mesh(), cuts, filter, bit })
        });
        Subject { walkers: walkers.collect(), blob }
    }

    /// The first agent of each navmesh, for findings about the navmesh.
    pub(crate) fn of_meshes(&self) -> impl Iterator<Item = &Walker<'a>> {
        let walkers = self.walkers.iter().enumerate();
        walkers
            .filter(|(i, w)| {
                let before = self.walkers.iter().take(*i);
                before.into_iter().all(|b| b.agent.class != w.agent.class)
            })
            .map(|(_, w)| w)
    }

    /// The position of a point, marker or room of the config, y-up metres.
    pub(crate) fn place(&self, seed: &Seed) -> Option<[f64; 3]> {
        match seed {
            Seed::Point(p) => Some(*p),
            Seed::Marker(name) => {
                let marker = self.blob.markers().find(|m| m.name == *name);
                marker.map(|m| m.position).or_else(|| self.room(name))
            }
        }
    }

    fn room(&self, name: &str) -> Option<[f64; 3]> {
        let in_class = |class: u16| {
            let rooms = self.blob.rooms(class)?;
            let room = rooms.get(rooms.named(name)?)?;
            Some(self.grid().metres(room.at.map(f64::from)))
        };
        (0..self.blob.class_count()).find_map(in_class)
    }

    /// The finding that no marker or room has a name.
    pub(crate) fn missing(&self, name: &str) -> Finding {
        let markers: Vec<&str> = self.blob.markers().map(|m| m.name).collect();
        let hint = match nearest_name(name, markers.iter().copied()) {
            Some(near) => format!("; there is a marker `{near}`"),
            None if markers.is_empty() => "; the level has no markers".into(),
            None => format!("; it has {} markers with other names", markers.len()),
        };
        let message = format!("no marker or room `{name}` in the level{hint}");
        Finding::new("marker-missing", message).named(name)
    }

    pub(crate) fn grid(&self) -> Grid {
        self.blob.header().grid
    }
}

impl<'a> Walker<'a> {
    /// Queries for it, with all switches open.
    pub fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.mesh).with_filter(&self.filter)
    }

    /// Its filter with some switches closed, by number; all others are open.
    pub(crate) fn filter_closing(&self, switches: &[usize]) -> Option<QueryFilter> {
        let mut filter = self.filter.clone();
        let most = switches.iter().max().map_or(0, |most| most / 64 + 1);
        let mut bits = vec![0u64; most];
        for switch in switches {
            bits[switch / 64] |= 1 << (switch % 64);
        }
        filter.set_blocked(&self.mesh, &bits, filter.forbidden()).ok()?;
        Some(filter)
    }

    /// Whether it can use a link.
    pub(crate) fn takes(&self, agents: u32) -> bool {
        agents & self.bit != 0
    }

    /// Whether it walks on a polygon.
    pub(crate) fn walks_on(&self, polygon: PolyId) -> bool {
        let area = self.mesh.area(polygon);
        self.filter.area_cost(area).is_finite()
    }

    /// Its location at a point.
    ///
    /// The ground is at most its radius beside the point, its climb above or its height below.
    pub(crate) fn stands(&self, place: [f64; 3]) -> Option<NavPoint> {
        self.ground_at(place).filter(|found| self.walks_on(found.polygon()))
    }

    /// The number of the area at a point where there is ground that it may not walk on.
    fn forbidden(&self, place: [f64; 3]) -> Option<usize> {
        let found = self.ground_at(place)?;
        let area = self.mesh.area(found.polygon());
        (!self.walks_on(found.polygon())).then_some(usize::from(area.0))
    }

    /// The ground at a point, forbidden or not, as in [`Walker::stands`].
    fn ground_at(&self, place: [f64; 3]) -> Option<NavPoint> {
        let reach = self.agent.radius;
        // Snapping to the grid moves the point a little.
        let slack = 2.0 / self.mesh.grid().units();
        let extents = [reach + slack, self.agent.height, reach + slack];
        let found = self.query().end(place, extents)?;
        let [x, y, z] = found.position();
        let beside = (x - place[0]).hypot(z - place[2]);
        let near = beside <= reach + slack && y - place[1] <= self.agent.climb + slack;
        near.then_some(found)
    }

    /// The finding that it cannot stand at a point.
    pub(crate) fn off_mesh(&self, blob: &CheckedBlob<'_>, name: &str, place: [f64; 3]) -> Finding {
        if let Some(area) = self.forbidden(place) {
            let area = blob.areas().nth(area).map_or("", |area| area.name);
            let message = format!(
                "`{name}` is on ground of the area `{area}`, which is forbidden for the agent"
            );
            return Finding::new("marker-off-mesh", message)
                .at(place)
                .of_agent(self.agent.name)
                .named(name);
        }
        let nearest = self.query().nearest(place, [FAR; 3]).map(|at| {
            let p = at.position();
            let away = (0..3).map(|k| (p[k] - place[k]).powi(2)).sum::<f64>().sqrt();
            (p, away)
        });
        let hint = match nearest {
            Some((p, away)) => format!("the nearest ground is {}, {away:.2} m away", point(p)),
            None => format!("no ground within {FAR} m"),
        };
        let message = format!("`{name}` is not on ground that the agent can stand on: {hint}");
        let finding = Finding::new("marker-off-mesh", message)
            .at(place)
            .of_agent(self.agent.name)
            .named(name);
        match nearest {
            Some((p, away)) => finding.figure("distance_m", away).shaped(vec![place, p]),
            None => finding,
        }
    }
}

/// Coordinates in messages, to centimetres.
pub(crate) fn point(p: [f64; 3]) -> String {
    // Avoid -0.00.
    let [x, y, z] = p.map(|c| (c * 100.0).round() / 100.0 + 0.0);
    format!("({x:.2}, {y:.2}, {z:.2})")
}

/// A name for a message, behind a space; nothing if there is none.
pub(crate) fn called(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" `{name}`") }
}

/// A place on the ground of a polygon or beside it, y-up metres.
pub(crate) fn on_ground(mesh: &NavMesh<'_>, polygon: PolyId, [x, z]: [f64; 2]) -> [f64; 3] {
    mesh.grid().metres([x, mesh.polygon(polygon).height([x, z]), z])
}

/// Twice the area of a polygon seen from above, grid units squared.
pub(crate) fn area_doubled(polygon: &Polygon<'_, '_>) -> i64 {
    let first = polygon.corner(0);
    let ends = (0..polygon.len()).map(|k| (polygon.corner(k), polygon.corner(polygon.next(k))));
    ends.map(|(a, b)| orient(first, a, b)).sum()
}

/// The area of polygons of a mesh seen from above, m2.
pub(crate) fn square_metres<'m, 'a: 'm>(
    mesh: &NavMesh<'_>,
    polygons: impl IntoIterator<Item = Polygon<'m, 'a>>,
) -> f64 {
    let doubled: i128 = polygons.into_iter().map(|p| i128::from(area_doubled(&p))).sum();
    doubled as f64 / 2.0 / mesh.grid().units().powi(2)
}

/// The centre of a polygon on its ground, y-up metres.
pub(crate) fn centre(mesh: &NavMesh<'_>, polygon: &Polygon<'_, '_>) -> [f64; 3] {
    let corner = |k: u32| polygon.corner(k).map(f64::from);
    let origin = corner(0);
    let (mut sum, mut whole) = ([0.0; 2], 0.0);
    for k in 1..polygon.len().saturating_sub(1) {
        let (a, b) = (corner(k), corner(k + 1));
        let doubled = orient(polygon.corner(0), polygon.corner(k), polygon.corner(k + 1)) as f64;
        whole += doubled;
        for axis in 0..2 {
            sum[axis] += doubled * (a[axis] + b[axis] - 2.0 * origin[axis]) / 3.0;
        }
    }
    let [x, z] = [0, 1].map(|k| origin[k] + if whole > 0.0 { sum[k] / whole } else { 0.0 });
    mesh.grid().metres([x, polygon.height([x, z]), z])
}
