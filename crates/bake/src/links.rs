//! Links of the config and of the level, with their names looked up.

use navbake_level::{Link, LinkNote, Marker};

use crate::areas::{Names, tags_are_known};
use crate::config::{Config, End, TagConfig};
use crate::error::BakeError;
use crate::seeds;

/// All links, each in one direction: those of the config in their order, then those of the level by
/// name and place.
///
/// # Errors
/// When one names a marker, an agent or a tag that is not there, or it leads nowhere.
pub(crate) fn links(
    config: &Config,
    names: &Names,
    markers: &[Marker],
    notes: &[LinkNote],
    place: &str,
) -> Result<Vec<Link>, BakeError> {
    let mut links = vec![];
    for (i, link) in config.links.iter().enumerate() {
        let end = |key: &str, end: &End| match end {
            End::Point(p) => Ok(*p),
            End::Marker(name) => {
                let found = markers.iter().find(|m| m.name == *name);
                found.map(|m| m.position).ok_or_else(|| {
                    let hint = seeds::hint(name, markers);
                    let path = format!("link[{i}].{key}");
                    let said = format!("`{path}`: the level has no marker called `{name}`; {hint}");
                    config.fault_at(&path, said)
                })
            }
        };
        push(
            &mut links,
            Link {
                name: link.name.clone(),
                from: end("from", &link.from)?,
                to: end("to", &link.to)?,
                cost: 0.0,
                width: link.width,
                kind: link.kind,
                agents: mask(config, link.agents.as_deref()),
                switch: names.switch(link.switch.as_ref()),
                tags: config.tag_bits(link.tags.iter()),
            },
            link.cost,
            link.two_way,
        );
    }
    let mut notes: Vec<&LinkNote> = notes.iter().collect();
    notes.sort_by(|a, b| {
        let ends = |n: &LinkNote| [n.from, n.to].as_flattened().to_vec();
        let place = ends(a).partial_cmp(&ends(b));
        a.name.cmp(&b.name).then(place.unwrap_or(std::cmp::Ordering::Equal))
    });
    for note in notes {
        let place = match note.place.as_str() {
            "" => place,
            own => own,
        };
        tags_are_known(&note.tags, config, place)?;
        for name in note.agents.iter().flatten() {
            let mut known = config.agents.iter().map(|a| a.name.as_str());
            if !known.clone().any(|k| k == name) {
                let of = "the name of an `[[agent]]` of the config";
                let found = crate::config::unknown("agent", name, of, &mut known);
                return Err(BakeError::input(place, found));
            }
        }
        if note.from == note.to {
            let found = format!("the link `{}` ends where it begins", note.name);
            return Err(BakeError::input(place, found));
        }
        let tags: Vec<TagConfig> = note.tags.iter().map(TagConfig::from).collect();
        push(
            &mut links,
            Link {
                name: note.name.clone(),
                from: note.from,
                to: note.to,
                cost: 0.0,
                width: note.width.unwrap_or(0.0),
                kind: note.kind,
                agents: mask(config, note.agents.as_deref()),
                switch: names.switch(note.switch.as_ref()),
                tags: config.tag_bits(tags.iter()),
            },
            note.cost,
            note.two_way,
        );
    }
    Ok(links)
}

/// One bit an agent. Agents beyond the 32nd have none.
fn mask(config: &Config, agents: Option<&[String]>) -> u32 {
    let Some(names) = agents else { return u32::MAX };
    let bit = |name: &String| {
        let place = config.agents.iter().position(|a| a.name == *name)?;
        1u32.checked_shl(u32::try_from(place).ok()?)
    };
    names.iter().filter_map(bit).fold(0, |all, bit| all | bit)
}

fn push(links: &mut Vec<Link>, link: Link, cost: Option<f64>, two_way: bool) {
    let square = |k: usize| (link.to[k] - link.from[k]) * (link.to[k] - link.from[k]);
    let length = (square(0) + square(1) + square(2)).sqrt();
    let link = Link { cost: cost.unwrap_or(length), ..link };
    links.push(link.clone());
    if two_way {
        let (from, to) = (link.to, link.from);
        links.push(Link { from, to, ..link });
    }
}
