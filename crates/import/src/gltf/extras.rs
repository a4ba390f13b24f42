//! Level authors' settings in `extras` (Blender's custom properties): `"navbake": {"area": "mud"}`,
//! or flat, `"navbake_area": "mud"`.

use navbake_level::{Given, LinkKind, Role, Tag};
use serde_json::Value;

/// Settings of one object of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Note {
    /// Of ground.
    pub(super) given: Given,
    /// Settings of a link to another node.
    pub(super) link: LinkSaid,
}

/// A node's off-mesh link.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LinkSaid {
    /// The name of the node where it ends.
    pub(super) to: Option<String>,
    pub(super) two_way: bool,
    pub(super) cost: Option<f64>,
    pub(super) width: Option<f64>,
    pub(super) kind: Option<LinkKind>,
    pub(super) agents: Option<Vec<String>>,
}

/// An error: the place below the extras, the finding and the cure.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: String,
    pub(super) finding: String,
    pub(super) cure: String,
}

const OF_GROUND: [&str; 4] = ["area", "switch", "tags", "role"];
const OF_LINKS: [&str; 6] = ["link", "two_way", "cost", "width", "kind", "agents"];

/// Reads the extras of a node, a mesh, a primitive or a material; only nodes can be ends of links.
/// Keys that are not navbake's are left alone.
pub(super) fn read(extras: &Value, is_node: bool) -> Result<Note, Fault> {
    let mut note = Note::default();
    let Some(extras) = extras.as_object() else {
        return Ok(note);
    };
    for (key, value) in extras {
        if key == "navbake" {
            let Some(own) = value.as_object() else {
                return Err(Fault {
                    place: "/navbake".into(),
                    finding: format!("`navbake` is {value}, and no object"),
                    cure: "write it like {\"area\": \"mud\"}".into(),
                });
            };
            for (key, value) in own {
                set(&mut note, key, value, is_node).map_err(|f| f.at(format!("/navbake/{key}")))?;
            }
        } else if let Some(own) = key.strip_prefix("navbake_") {
            set(&mut note, own, value, is_node).map_err(|f| f.at(format!("/{key}")))?;
        }
    }
    Ok(note)
}

impl Fault {
    fn at(self, place: String) -> Fault {
        Fault { place, ..self }
    }
}

fn set(note: &mut Note, key: &str, value: &Value, is_node: bool) -> Result<(), Fault> {
    let expected = |what: &str| Fault {
        place: String::new(),
        finding: format!("`{key}` is {value}"),
        cure: format!("write {what}"),
    };
    let name = || {
        let text = value.as_str().map(str::trim).filter(|t| !t.is_empty());
        text.map(String::from).ok_or_else(|| expected("a name"))
    };
    let size = || {
        let number = value.as_f64().filter(|n| (0.0..1e9).contains(n));
        number.map(Some).ok_or_else(|| expected("a number, 0 or above"))
    };
    match key {
        "area" => note.given.area = Some(name()?),
        "switch" => note.given.switch = Some(name()?),
        "tags" => {
            let tags = list(value, true);
            let tags = tags.and_then(|words| words.iter().map(|w| tag(w)).collect());
            note.given.tags = tags.ok_or_else(|| {
                expected(
                    "numbers of bits, 0 to 31, or names, as a list or with commas between them",
                )
            })?;
        }
        "role" => {
            const ROLES: [(&str, Role); 4] = [
                ("ground", Role::Ground),
                ("obstacle", Role::Obstacle),
                ("ignored", Role::Ignored),
                ("floor", Role::Floor),
            ];
            let found = ROLES.iter().find(|(word, _)| value.as_str() == Some(*word));
            let (_, role) = found.ok_or_else(|| expected("ground, obstacle, ignored or floor"))?;
            note.given.role = Some(*role);
        }
        "link" if is_node => note.link.to = Some(name()?),
        "two_way" if is_node => {
            let number = value.as_f64().filter(|n| *n == 0.0 || *n == 1.0);
            let answer = value.as_bool().or(number.map(|n| n == 1.0));
            note.link.two_way = answer.ok_or_else(|| expected("true or false"))?;
        }
        "cost" if is_node => note.link.cost = size()?,
        "width" if is_node => note.link.width = size()?,
        "kind" if is_node => {
            let word = value.as_str().unwrap_or_default();
            let found = LinkKind::ALL.iter().find(|kind| kind.name() == word);
            note.link.kind = Some(*found.ok_or_else(|| {
                let words: Vec<&str> = LinkKind::ALL.iter().map(|kind| kind.name()).collect();
                expected(&format!("one of {}", words.join(", ")))
            })?);
        }
        "agents" if is_node => {
            let names = list(value, false).filter(|names| !names.is_empty());
            let names = names.ok_or_else(|| {
                expected("names of agents, as a list or with commas between them")
            })?;
            note.link.agents = Some(names);
        }
        _ => {
            let mut known = OF_GROUND.to_vec();
            if is_node {
                known.extend(OF_LINKS);
            }
            return Err(Fault {
                place: String::new(),
                finding: format!("there is no key `{key}` of navbake here"),
                cure: format!("known are: {}", known.join(", ")),
            });
        }
    }
    Ok(())
}

/// The words of a list, or of a text with commas between them; numbers too where they are asked
/// for.
fn list(value: &Value, numbers: bool) -> Option<Vec<String>> {
    if let Some(text) = value.as_str() {
        let words = text.split(',').map(str::trim).filter(|w| !w.is_empty());
        return Some(words.map(String::from).collect());
    }
    let word = |v: &Value| match v {
        Value::String(text) => Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
        Value::Number(n) if numbers => Some(n.to_string()),
        _ => None,
    };
    value.as_array()?.iter().map(word).collect()
}

/// A tag by its number, or else by its name.
fn tag(word: &str) -> Option<Tag> {
    if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let bit: u8 = word.parse().ok()?;
        return (bit < 32).then_some(Tag::Bit(bit));
    }
    Some(Tag::Name(word.to_owned()))
}

/// Bytes that settings take.
pub(super) fn bytes(given: &Given) -> u64 {
    let name = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let tag = |tag: &Tag| match tag {
        Tag::Bit(_) => 0,
        Tag::Name(name) => name.len(),
    };
    let tags: usize = given.tags.iter().map(|t| size_of::<Tag>() + tag(t)).sum();
    (size_of::<Given>() + name(&given.area) + name(&given.switch) + tags) as u64
}

/// Combines outer settings with inner ones: area, switch and role are replaced, tags add up.
pub(super) fn within(outer: &Given, inner: &Given) -> Given {
    let mut tags: Vec<Tag> = outer.tags.iter().chain(&inner.tags).cloned().collect();
    tags.sort();
    tags.dedup();
    Given {
        role: inner.role.or(outer.role),
        area: inner.area.clone().or_else(|| outer.area.clone()),
        switch: inner.switch.clone().or_else(|| outer.switch.clone()),
        tags,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(extras: Value, is_node: bool) -> String {
        let f = read(&extras, is_node).expect_err("a fault");
        format!("{}: {}; {}", f.place, f.finding, f.cure)
    }

    #[test]
    fn both_forms_say_the_same() {
        let nested = json!({"navbake": {"area": "mud", "tags": [3, "wet"], "role": "floor", "switch": "gate",
            "link": "top", "two_way": true, "kind": "climb", "cost": 3, "width": 0.5, "agents": ["elf", "orc"]}, "other": 1});
        let flat = json!({"navbake_area": " mud", "navbake_tags": "3, wet", "navbake_role": "floor", "navbake_switch": "gate",
            "navbake_link": "top", "navbake_two_way": 1, "navbake_kind": "climb", "navbake_cost": 3.0, "navbake_width": 0.5,
            "navbake_agents": "elf,orc"});
        let [one, other] = [nested, flat].map(|e| read(&e, true).expect("sound"));
        assert_eq!(one, other);
        assert_eq!(one.given.tags, [Tag::Bit(3), Tag::Name("wet".into())]);
        assert_eq!(one.link.to.as_deref(), Some("top"));
        for empty in [json!(null), json!(5), json!({"area": "mud"}), json!({"navbake": {}})] {
            assert_eq!(read(&empty, false).ok(), Some(Note::default()));
        }
    }

    #[test]
    fn every_fault_says_what_was_expected() {
        for (extras, place, expected) in [
            (json!({"navbake": "mud"}), "/navbake:", "{\"area\": \"mud\"}"),
            (json!({"navbake": {"arae": "mud"}}), "/navbake/arae:", "known are: area"),
            (json!({"navbake_area": 5}), "/navbake_area:", "a name"),
            (json!({"navbake_area": " "}), "/navbake_area:", "a name"),
            (json!({"navbake_tags": 5}), "/navbake_tags:", "numbers of bits"),
            (json!({"navbake_tags": "32"}), "/navbake_tags:", "0 to 31"),
            (json!({"navbake_tags": [1.5]}), "/navbake_tags:", "0 to 31"),
            (json!({"navbake_role": "door"}), "/navbake_role:", "ground, obstacle"),
            (json!({"navbake_two_way": "yes"}), "/navbake_two_way:", "true or false"),
            (json!({"navbake_cost": -1}), "/navbake_cost:", "0 or above"),
            (json!({"navbake_kind": "fly"}), "/navbake_kind:", "walk, drop, jump"),
            (json!({"navbake_agents": []}), "/navbake_agents:", "names of agents"),
        ] {
            let said = fault(extras, true);
            assert!(said.starts_with(place) && said.contains(expected), "{said}");
        }
        assert!(
            fault(json!({"navbake_link": "top"}), false)
                .contains("known are: area, switch, tags, role")
        );
    }
}
