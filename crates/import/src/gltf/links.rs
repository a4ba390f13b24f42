//! Off-mesh links drawn as nodes of a file.
//!
//! A node names the node at the link's end (`navbake_link`), or two nodes are a pair by name:
//! `NAME.link_from` and `NAME.link_to` for one direction, `NAME.link_a` and `NAME.link_b` for both.
//! All other settings are those of the start node.

use std::collections::BTreeMap;

use navbake_level::{LinkNote, Warning};

use crate::{ImportError, ImportOptions};

use super::document::{Document, warning};
use super::nodes::Walk;

/// The endings of pairs: where it begins, where it ends, and whether it leads back.
const PAIRS: [(&str, &str, bool); 2] =
    [(".link_from", ".link_to", false), (".link_a", ".link_b", true)];

/// Is a node of this name an end of a link?
pub(super) fn is_end(name: &str) -> bool {
    let ends = PAIRS.iter().flat_map(|(from, to, _)| [from, to]);
    ends.into_iter().any(|end| stem(name, end).is_some())
}

/// The name before a suffix.
fn stem<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    name.strip_suffix(end).filter(|stem| !stem.is_empty())
}

/// The links of a file, in the order of its nodes.
///
/// # Errors
/// When a node names one that is not there, or of which there are several.
pub(super) fn links(
    document: &Document,
    walk: &Walk,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<LinkNote>, ImportError> {
    let nodes = &document.root.nodes;
    let name = |n: usize| nodes[n].name.as_deref().unwrap_or_default();
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let placed = (0..nodes.len()).filter(|&n| walk.origins[n].is_some());
    for n in placed {
        named.entry(name(n)).or_default().push(n);
    }
    let mut links = vec![];
    for (node, place) in walk.origins.iter().enumerate() {
        if place.is_none() {
            continue;
        }
        let at = format!("/nodes/{node}");
        let own = name(node);
        let said = document.notes.get(&node);
        let target = said.and_then(|n| n.link.to.as_deref());
        let mut ends: Vec<(String, usize, bool)> = vec![];
        if let Some(target) = target {
            let found = named.get(target).map_or(&[][..], Vec::as_slice);
            let &[to] = found else {
                let finding = match found.len() {
                    0 => format!(
                        "the link leads to `{target}`, and no node of the scene is called so"
                    ),
                    n => format!("the link leads to `{target}`, and {n} nodes are called so"),
                };
                return Err(document.bad(at, finding, "give it the name of one node"));
            };
            let back = said.is_some_and(|n| n.link.two_way);
            ends.push((own.to_owned(), to, back));
        }
        for (from, to, two_way) in PAIRS {
            if let Some(stem) = stem(own, from) {
                let back = two_way || said.is_some_and(|n| n.link.two_way);
                let partner = format!("{stem}{to}");
                match named.get(partner.as_str()).map(Vec::as_slice) {
                    Some(&[to]) => ends.push((stem.to_owned(), to, back)),
                    found => warnings.push(half(document, &at, own, &partner, found)),
                }
            }
            if let Some(stem) = stem(own, to) {
                let partner = format!("{stem}{from}");
                if !named.contains_key(partner.as_str()) {
                    warnings.push(half(document, &at, own, &partner, None));
                }
            }
        }
        for (name, to, two_way) in ends {
            let (Some(from), Some(to)) = (*place, walk.origins[to]) else {
                continue;
            };
            let [from, to] = [from, to].map(|p| options.place(p));
            if [from, to].as_flattened().iter().any(|c| !c.is_finite()) {
                let finding = "an end of the link is not a finite place";
                return Err(document.bad(at, finding, "repair the transforms of its nodes"));
            }
            let note = said.cloned().unwrap_or_default();
            links.push(LinkNote {
                name,
                from,
                to,
                two_way,
                cost: note.link.cost,
                width: note.link.width,
                kind: note.link.kind.unwrap_or_default(),
                agents: note.link.agents,
                switch: note.given.switch,
                tags: note.given.tags,
                place: format!("{}, {at}", document.file.display()),
            });
        }
    }
    Ok(links)
}

fn half(
    document: &Document,
    at: &str,
    own: &str,
    partner: &str,
    found: Option<&[usize]>,
) -> Warning {
    let count = found.map_or(0, <[usize]>::len);
    let message = match count {
        0 => format!("`{own}` is one end of a link, and there is no `{partner}`; it was left out"),
        n => format!(
            "`{own}` is one end of a link, and {n} nodes are called `{partner}`; it was left out"
        ),
    };
    warning(&document.file, "link-without-partner", at, message)
}
