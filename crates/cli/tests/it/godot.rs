//! `export --to godot`: what Godot's own rules make of the file.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::common::Place;

/// A `NavigationMesh` as Godot reads it.
struct Resource {
    vertices: Vec<[f32; 3]>,
    polygons: Vec<Vec<usize>>,
    cell: f32,
}

/// The numbers of each pair of parentheses in the line of a key.
fn rows(text: &str, key: &str) -> Vec<Vec<f32>> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    let row = |part: &str| {
        let numbers: Option<Vec<f32>> = part.split(", ").map(|n| n.parse().ok()).collect();
        numbers
    };
    line.split(['(', ')']).filter_map(row).collect()
}

fn read(text: &str) -> Resource {
    assert!(text.starts_with("[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\n"));
    let polygons = rows(text, "polygons = [");
    let cell = text.lines().find_map(|line| line.strip_prefix("cell_size = ")).unwrap();
    Resource {
        vertices: rows(text, "vertices = ")[0].as_chunks().0.to_vec(),
        polygons: polygons.iter().map(|p| p.iter().map(|&n| n as usize).collect()).collect(),
        cell: cell.parse().unwrap(),
    }
}

impl Resource {
    /// Pieces of ground, by the rules of Godot's `NavRegionBuilder3D`: edges whose ends round down
    /// to the same cells are joined, two at most.
    fn pieces(&self) -> usize {
        let key = |v: usize| self.vertices[v].map(|c| (c / self.cell).floor() as i64);
        let mut parent: Vec<usize> = (0..self.polygons.len()).collect();
        fn root(parent: &[usize], mut p: usize) -> usize {
            while parent[p] != p {
                p = parent[p];
            }
            p
        }
        let mut edges: BTreeMap<[[i64; 3]; 2], Vec<usize>> = BTreeMap::new();
        for (number, polygon) in self.polygons.iter().enumerate() {
            for (k, &v) in polygon.iter().enumerate() {
                let mut ends = [key(v), key(polygon[(k + 1) % polygon.len()])];
                ends.sort_unstable();
                let owners = edges.entry(ends).or_default();
                owners.push(number);
                assert!(owners.len() <= 2, "a third edge at {:?}", self.vertices[v]);
                let [a, b] = [root(&parent, owners[0]), root(&parent, number)];
                parent[a.max(b)] = a.min(b);
            }
        }
        (0..parent.len()).filter(|&p| parent[p] == p).count()
    }
}

fn fixture(name: &str) -> String {
    format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn godot_joins_the_same_ground_as_the_navmesh() {
    let place = Place::new();
    for (level, config) in [
        ("courtyard/courtyard.obj", None),
        ("terraces/terraces.obj", Some("terraces/bake.toml")),
        ("gatehouse/gatehouse.glb", None),
        ("cellar/cellar.map", None),
    ] {
        let level = fixture(level);
        let mut bake = vec!["bake", &level, "-o", "level.nav"];
        let config = config.map(fixture);
        if let Some(config) = &config {
            bake.extend(["--config", config]);
        }
        assert_eq!(place.run(&bake).code, 0);
        let info = place.run(&["info", "level.nav", "--format", "json"]).json();
        let export = ["export", "level.nav", "--to", "godot", "-o", "level.tres"];
        let ran = place.run(&[&export[..], &["--format", "json"]].concat()).json();
        let resource = read(&fs::read_to_string(place.path("level.tres")).unwrap());
        assert_eq!(ran["polygons"], resource.polygons.len(), "{level}");
        assert_eq!(ran["godot"]["misjoined"], 0, "{level}");
        assert_eq!(ran["godot"]["cell_size"], f64::from(resource.cell), "{level}");
        assert_eq!(resource.pieces() as u64, of_first_agent(&info, "islands"), "{level}");
        for polygon in &resource.polygons[..of_first_agent(&info, "polygons") as usize] {
            assert!(area(&resource, polygon) < 0.0, "{level}: {polygon:?} is no clockwise one");
        }
    }
}

/// A count of the first agent's navmesh.
fn of_first_agent(info: &Value, key: &str) -> u64 {
    info["classes"][0][key].as_u64().unwrap()
}

/// Seen from above, positive counter-clockwise.
fn area(resource: &Resource, polygon: &[usize]) -> f32 {
    let at = |k: usize| resource.vertices[polygon[k % polygon.len()]];
    let pairs = (0..polygon.len()).map(|k| (at(k), at(k + 1)));
    pairs.map(|([x, _, z], [u, _, w])| (z * u - x * w) / 2.0).sum()
}

#[test]
fn what_the_file_cannot_hold_is_a_warning() {
    let place = Place::new();
    let level = fixture("terraces/terraces.obj");
    let config = fixture("terraces/bake.toml");
    assert_eq!(place.run(&["bake", &level, "--config", &config, "-o", "level.nav"]).code, 0);
    let ran = place.run(&["export", "level.nav", "--to", "godot", "-o", "level.tres"]);
    assert!(ran.err.contains("NavigationLink3D"), "{}", ran.err);
    assert!(ran.err.contains("cell size"), "{}", ran.err);
    let input = ["export", "level.nav", "--to", "godot", "--coords", "input"];
    assert!(place.run(&input).failed_with(2).contains("metres"));
}
