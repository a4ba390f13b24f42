//! Walks the nodes of the scene, without recursion: files nest as deep as they like.

use navbake_level::{Given, Warning};

use crate::ImportError;

use super::document::{Document, warning};
use super::{extras, links};
use crate::transform::Affine;

/// A node with a mesh, and where it is.
pub(super) struct Placed {
    pub(super) node: usize,
    pub(super) world: Affine,
    /// The extras inherited from it and the nodes above it: an index into [`Walk::givens`].
    pub(super) given: usize,
}

/// Contents of the scene.
pub(super) struct Walk {
    /// Nodes with a mesh, parents before children, in the file's order.
    pub(super) meshes: Vec<Placed>,
    /// Named leaf nodes that hold nothing: the name and the place in the file's axes and units.
    pub(super) markers: Vec<(String, [f64; 3])>,
    /// The place of each node in the file's axes and units; `None` for those that are not in the
    /// scene.
    pub(super) origins: Vec<Option<[f64; 3]>>,
    /// Inherited extras of nodes; the first is empty.
    pub(super) givens: Vec<Given>,
    parents: Vec<Option<usize>>,
}

/// Longer paths of names lose their first part: in a deep chain they would fill the memory.
const LONGEST_PATH: usize = 2048;

/// Walks the default scene: the one the file names, or its first, or all root nodes when it has
/// none.
pub(super) fn walk(document: &Document, warnings: &mut Vec<Warning>) -> Result<Walk, ImportError> {
    let nodes = &document.root.nodes;
    let parents = parents(document)?;
    let mut walk = Walk {
        meshes: vec![],
        markers: vec![],
        origins: vec![None; nodes.len()],
        givens: vec![Given::default()],
        parents,
    };
    let mut roots = roots(document, &walk.parents, warnings);
    roots.reverse();
    let mut seen = vec![false; nodes.len()];
    let mut stack: Vec<(usize, Affine, usize)> =
        roots.into_iter().map(|n| (n, Affine::IDENTITY, 0)).collect();
    while let Some((node, outer, mut given)) = stack.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        let world = outer.after(&document.transforms[node]);
        let source = &nodes[node];
        let children = source.children.as_deref().unwrap_or_default();
        let note = document.notes.get(&node);
        if let Some(note) = note.filter(|n| n.given != Given::default()) {
            let own = extras::within(&walk.givens[given], &note.given);
            // In a deep chain each node could add to what all above it say.
            document.budget.spend(&format!("/nodes/{node}"), extras::bytes(&own))?;
            given = walk.givens.len();
            walk.givens.push(own);
        }
        walk.origins[node] = Some(world.origin());
        stack.extend(children.iter().rev().map(|c| (c.value(), world, given)));
        let name = source.name.as_deref().unwrap_or_default();
        if source.mesh.is_some() {
            walk.meshes.push(Placed { node, world, given });
        } else if children.is_empty()
            && !name.is_empty()
            && !document.purposes.contains(&node)
            && !links::is_end(name)
            && note.is_none_or(|n| n.link.to.is_none())
        {
            walk.markers.push((name.to_owned(), world.origin()));
        }
    }
    Ok(walk)
}

/// The parent of each node. A node with two, or a circle, is an error.
fn parents(document: &Document) -> Result<Vec<Option<usize>>, ImportError> {
    let nodes = &document.root.nodes;
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (node, source) in nodes.iter().enumerate() {
        for (k, child) in source.children.iter().flatten().enumerate() {
            let slot = &mut parents[child.value()];
            if let Some(other) = slot.replace(node) {
                return Err(document.bad(
                    format!("/nodes/{node}/children/{k}"),
                    format!("node {} is a child of node {other} already", child.value()),
                    "a node has one parent: copy the node for the second place, and share its mesh",
                ));
            }
        }
    }
    // Upwards from each node; what one walk has seen, no later one need see again.
    let mut walked = vec![usize::MAX; nodes.len()];
    for start in 0..nodes.len() {
        let mut node = start;
        while walked[node] == usize::MAX {
            walked[node] = start;
            match parents[node] {
                Some(parent) => node = parent,
                None => break,
            }
        }
        if walked[node] == start && parents[node].is_some() {
            let mut circle = vec![node.to_string()];
            let mut next = parents[node];
            while let Some(n) = next.filter(|&n| n != node && circle.len() < 8) {
                circle.push(n.to_string());
                next = parents[n];
            }
            let more = if next == Some(node) { "" } else { ", …" };
            return Err(document.bad(
                format!("/nodes/{node}/children"),
                format!(
                    "nodes are their own ancestors, in a circle upwards: {}{more}",
                    circle.join(", ")
                ),
                "take one of them out of the other's children",
            ));
        }
    }
    Ok(parents)
}

fn roots(
    document: &Document,
    parents: &[Option<usize>],
    warnings: &mut Vec<Warning>,
) -> Vec<usize> {
    let root = &document.root;
    let number = root.scene.map_or(0, |s| s.value());
    let Some(scene) = root.scenes.get(number) else {
        return (0..parents.len()).filter(|&n| parents[n].is_none()).collect();
    };
    let mut listed = vec![false; parents.len()];
    for node in &scene.nodes {
        listed[node.value()] = true;
    }
    // Which nodes are reached from a listed one above them; found once for each node.
    let mut below: Vec<Option<bool>> = vec![None; parents.len()];
    let mut is_below = |node: usize| -> bool {
        let mut path = vec![];
        let mut at = node;
        let answer = loop {
            if let Some(known) = below[at] {
                break known;
            }
            path.push(at);
            match parents[at] {
                None => break false,
                Some(p) if listed[p] => break true,
                Some(p) => at = p,
            }
        };
        for n in path {
            below[n] = Some(answer);
        }
        answer
    };
    let mut roots = vec![];
    for (k, node) in scene.nodes.iter().enumerate() {
        let node = node.value();
        if parents[node].is_some() {
            let reached = is_below(node);
            warnings.push(warning(
                &document.file,
                "scene-lists-child",
                &format!("/scenes/{number}/nodes/{k}"),
                format!(
                    "node {node} has a parent, but the scene lists it; it was read {}",
                    if reached {
                        "once, below its parent"
                    } else {
                        "as a root, without the transform of its parent"
                    }
                ),
            ));
            if reached {
                continue;
            }
        }
        roots.push(node);
    }
    roots
}

impl Walk {
    /// Warns of placed meshes whose shape depends on skins or morph targets.
    pub(super) fn warn_of_rest_poses(&self, document: &Document, warnings: &mut Vec<Warning>) {
        let placed = |test: &dyn Fn(usize) -> bool| {
            let mut found = self.meshes.iter().map(|at| at.node).filter(|&n| test(n));
            found.next().map(|first| (first, 1 + found.count()))
        };
        if let Some((node, count)) = placed(&|n| document.skinned.contains(&n)) {
            warnings.push(warning(
                &document.file,
                "skin-ignored",
                &format!("/nodes/{node}"),
                format!("{count} nodes have a skin; they were read as modelled, without it"),
            ));
        }
        let mesh = |n: usize| document.root.nodes[n].mesh.map(|m| m.value());
        if let Some((node, count)) =
            placed(&|n| mesh(n).is_some_and(|m| document.morphed.contains(&m)))
        {
            warnings.push(warning(
                &document.file,
                "morph-ignored",
                &format!("/nodes/{node}"),
                format!("{count} nodes have morph targets; they were read without them"),
            ));
        }
    }

    /// The names from the root to a node, joined by `/`; nodes without a name are left out.
    pub(super) fn path(&self, document: &Document, node: usize) -> String {
        let (mut names, mut length) = (vec![], 0);
        let mut at = Some(node);
        while let Some(n) = at {
            let name = document.root.nodes[n].name.as_deref().unwrap_or_default();
            if !name.is_empty() {
                length += name.len() + 1;
                if length > LONGEST_PATH && !names.is_empty() {
                    names.push("…");
                    break;
                }
                names.push(name);
            }
            at = self.parents[n];
        }
        names.reverse();
        names.join("/")
    }
}
