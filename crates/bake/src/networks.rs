//! The stage `networks`: route networks on the finished meshes.

use std::cmp::Ordering;

use navbake_format::write::NetworkParts;
use navbake_format::{NavMeshBuf, NetworkEdge, NetworkKind, NetworkPoint};
use navbake_level::number::point;
use navbake_level::{Agent, CellShape, Class, Marker};
use navbake_search::{NavPoint, NavQuery};
use navbake_tables::networks::{GroundCells, Network, grid, quadtree, visibility};

use crate::config::{End, NetworkConfig, RoutePoints};
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::link_ends::ground_at;
use crate::recorder::{Recorder, guarded};
use crate::rules::glob;
use crate::seeds;

/// A network of an agent class.
pub(crate) struct ClassNetwork {
    class: u16,
    /// Its number in the config.
    number: usize,
    network: Network,
}

impl ClassNetwork {
    pub(crate) fn parts<'a>(&'a self, input: &'a BakeInput) -> NetworkParts<'a> {
        let own = &input.config.networks[self.number];
        NetworkParts {
            class: self.class,
            name: &own.name,
            kind: own.kind,
            joined: own.joined(),
            points: &self.network.points,
            edges: &self.network.edges,
        }
    }
}

/// Makes the networks of the config on the mesh of each class that they are for.
///
/// # Errors
/// When one names a marker that is not there, or is a quadtree of a level that is no grid map.
pub(crate) fn networks(
    input: &BakeInput,
    classes: &[Class],
    class_of_agent: &[usize],
    meshes: &[NavMeshBuf],
    rec: &mut Recorder<'_>,
) -> Result<Vec<ClassNetwork>, BakeError> {
    let agents = &input.config.agents;
    let mut made = vec![];
    for (number, own) in input.config.networks.iter().enumerate() {
        let drawn = Drawn::new(input, number, own)?;
        let ground = match own.kind {
            NetworkKind::Quadtree => ground_of_map(input, number)?,
            _ => vec![],
        };
        let map = input.grid_map().map(|map| GroundCells {
            size: [map.width, map.height],
            cell: map.cell,
            corner: map.corner,
            ground: &ground,
        });
        let is_for = |class: usize| match &own.agents {
            None => true,
            Some(names) => (agents.iter().zip(class_of_agent))
                .any(|(agent, &of)| of == class && names.contains(&agent.name)),
        };
        for (class, mesh) in meshes.iter().enumerate().filter(|(class, _)| is_for(*class)) {
            let agent = &classes[class].agent;
            let mut warnings = vec![];
            let make = || match own.kind {
                NetworkKind::Waypoints => Some(drawn.on(mesh, agent, &mut warnings)),
                NetworkKind::Quadtree => {
                    let corners = own.route_points == Some(RoutePoints::Corners);
                    let most = own.max_leaf.unwrap_or(u32::MAX);
                    map.map(|map| quadtree(&mesh.mesh(), &map, most, corners))
                }
                NetworkKind::Visibility => visibility(&mesh.mesh()),
                NetworkKind::Grid => {
                    // Agents of grid maps may have no width.
                    let least = map.map_or(LEAST_CELL, |map| map.cell);
                    let cell = own.cell.unwrap_or(least.max(2.0 * agent.radius)).max(LEAST_CELL);
                    grid(&mesh.mesh(), cell, own.diagonals.unwrap_or(true))
                }
            };
            let network = guarded(|| "networks".into(), make)?;
            for message in warnings {
                rec.warn("network-broken", &input.place, message);
            }
            let Some(network) = network else {
                let cure = match own.kind {
                    NetworkKind::Grid => "; give it a larger `cell`",
                    _ => "",
                };
                let message = format!(
                    "the network `{}` takes too much memory for agent `{}`, and is left out for it{cure}",
                    own.name, agent.name
                );
                rec.warn("network-left-out", &input.place, message);
                continue;
            };
            if network.points.is_empty() {
                let message = format!(
                    "the network `{}` has no points for agent `{}`, and is left out for it",
                    own.name, agent.name
                );
                rec.warn("network-left-out", &input.place, message);
                continue;
            }
            made.push(ClassNetwork { class: class as u16, number, network });
        }
    }
    rec.clock.stage("networks", true);
    Ok(made)
}

/// The least side of a square, m.
const LEAST_CELL: f64 = 0.05;

/// The area of each free cell of a grid map, for a quadtree.
///
/// # Errors
/// When the level is no grid map of squares.
fn ground_of_map(input: &BakeInput, number: usize) -> Result<Vec<Option<u8>>, BakeError> {
    let map = input.grid_map().filter(|map| map.shape == CellShape::Square);
    let Some(map) = map else {
        let path = format!("network[{number}].kind");
        let found = format!(
            "`{path}` is `quadtree`, which is for grid maps of squares; choose `grid` or `visibility`"
        );
        return Err(input.config.fault_at(&path, found).into());
    };
    let areas = input.areas_of_cells();
    let area = |cell: usize| areas.get(cell).copied().unwrap_or(0);
    Ok((0..).zip(&map.free).map(|(cell, free)| free.then(|| area(cell))).collect())
}

/// Waypoints: places with the words for them, and edges.
struct Drawn {
    name: String,
    places: Vec<([f64; 3], String)>,
    edges: Vec<([u32; 2], f32)>,
}

impl Drawn {
    fn new(input: &BakeInput, number: usize, own: &NetworkConfig) -> Result<Drawn, BakeError> {
        let config = &input.config;
        let mut drawn = Drawn { name: own.name.clone(), places: vec![], edges: vec![] };
        for (k, chain) in own.chains.iter().enumerate() {
            let path = format!("network[{number}].chains[{k}]");
            let mut all = vec![];
            for end in chain {
                all.extend(drawn.places(input, &path, end)?);
            }
            for pair in all.windows(2) {
                drawn.edges.extend([([pair[0], pair[1]], 1.0), ([pair[1], pair[0]], 1.0)]);
            }
        }
        for (k, edge) in own.edges.iter().enumerate() {
            let end = |drawn: &mut Drawn, key: &str, end: &End| {
                let path = format!("network[{number}].edge[{k}].{key}");
                let found = drawn.places(input, &path, end)?;
                match found[..] {
                    [one] => Ok(one),
                    _ => {
                        let found = format!("`{path}` is a pattern of several markers; give one");
                        Err(BakeError::from(config.fault_at(&path, found)))
                    }
                }
            };
            let ends = [end(&mut drawn, "from", &edge.from)?, end(&mut drawn, "to", &edge.to)?];
            let factor = edge.factor as f32;
            drawn.edges.push((ends, factor));
            if !edge.one_way {
                drawn.edges.push(([ends[1], ends[0]], factor));
            }
        }
        drawn.edges.retain(|(ends, _)| ends[0] != ends[1]);
        Ok(drawn)
    }

    /// The numbers of the places that an end means: one, or those of all markers of a pattern.
    fn places(&mut self, input: &BakeInput, path: &str, end: &End) -> Result<Vec<u32>, BakeError> {
        let markers = &input.level.markers;
        let found: Vec<([f64; 3], String)> = match end {
            End::Point(p) => vec![(*p, point(*p))],
            End::Marker(name) => {
                let own = |m: &&Marker| m.name == *name;
                let mut own: Vec<&Marker> = match markers.iter().find(own) {
                    Some(marker) => vec![marker],
                    None => markers.iter().filter(|m| glob(name, &m.name, false)).collect(),
                };
                own.sort_by(|a, b| natural(&a.name, &b.name));
                own.iter().map(|m| (m.position, format!("`{}`", m.name))).collect()
            }
        };
        if let (true, End::Marker(name)) = (found.is_empty(), end) {
            let hint = seeds::hint(name, markers);
            let said = format!("`{path}`: the level has no marker called `{name}`; {hint}");
            return Err(input.config.fault_at(path, said).into());
        }
        let number = |place: ([f64; 3], String)| {
            let known = self.places.iter().position(|(at, _)| *at == place.0);
            known.unwrap_or_else(|| {
                self.places.push(place);
                self.places.len() - 1
            }) as u32
        };
        Ok(found.into_iter().map(number).collect())
    }

    /// The waypoints on a mesh. Those off the ground are left out, and so are edges that are not
    /// straight over it.
    fn on(&self, mesh: &NavMeshBuf, agent: &Agent, warnings: &mut Vec<String>) -> Network {
        let query = NavQuery::new(mesh.mesh());
        let found: Vec<Option<NavPoint>> =
            self.places.iter().map(|(at, _)| ground_at(&query, agent, *at)).collect();
        let of = format!("of the network `{}`", self.name);
        for (_, word) in self.places.iter().zip(&found).filter(|(_, on)| on.is_none()).map(|p| p.0)
        {
            warnings.push(format!("the point {word} {of} is not on the ground of agent `{}`, and is left out for it; move it to walkable ground", agent.name));
        }
        let mut number = 0;
        let numbers: Vec<Option<u32>> = (found.iter())
            .map(|place| {
                place.map(|_| {
                    number += 1;
                    number - 1
                })
            })
            .collect();
        let mut network = Network {
            points: (found.iter().flatten())
                .map(|at| NetworkPoint { polygon: at.polygon(), at: at.point() })
                .collect(),
            edges: vec![vec![]; number as usize],
        };
        let mut sorted = self.edges.clone();
        sorted.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        sorted.dedup_by_key(|(ends, _)| *ends);
        for (ends, factor) in sorted {
            let places = ends.map(|end| found[end as usize]);
            let [Some(from), Some(to)] = places else {
                continue;
            };
            if !query.sees(&from, &to) {
                let hit = query.raycast(&from, to.position());
                let words = ends.map(|end| &self.places[end as usize].1);
                warnings.push(format!("the edge from {} to {} {of} is blocked for agent `{}` at {}, and is left out for it; add a point to go around", words[0], words[1], agent.name, point(hit.point)));
                continue;
            }
            let [Some(from), Some(to)] = ends.map(|end| numbers[end as usize]) else {
                continue;
            };
            network.edges[from as usize].push(NetworkEdge { to, factor });
        }
        network.edges.iter_mut().for_each(|own| own.sort_by_key(|edge| edge.to));
        network
    }
}

/// Names in the order that people expect: numbers in them by their value.
fn natural(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let mut parts: Vec<(bool, String)> = vec![];
        for c in text.chars() {
            let is_digit = c.is_ascii_digit();
            match parts.last_mut().filter(|(digits, _)| *digits == is_digit) {
                Some((_, part)) => part.push(c),
                None => parts.push((is_digit, c.into())),
            }
        }
        parts
    };
    let (own, other) = (parts(a), parts(b));
    for ((digits, x), (others, y)) in own.iter().zip(&other) {
        let order = match (*digits, *others) {
            (true, true) => {
                let [x, y] = [x, y].map(|n| n.trim_start_matches('0'));
                x.len().cmp(&y.len()).then(x.cmp(y))
            }
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    own.len().cmp(&other.len()).then(a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["way10", "way9", "way", "way.002", "way01", "way1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["way", "way01", "way1", "way9", "way10", "way.002"]);
    }
}
