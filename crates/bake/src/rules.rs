//! Roles of a level's parts, from the level file and the config's rules.

use navbake_level::{Part, Role, Warning};

use crate::config::Rule;

/// One role a part: that of the last rule that matches it and has a role, else that of the level
/// itself, else [`Role::Ground`]. Every rule that matches nothing gives a warning, since its
/// pattern is most likely wrong.
pub fn roles(parts: &[Part], rules: &[Rule]) -> (Vec<Role>, Vec<Warning>) {
    let mut used = vec![false; rules.len()];
    let roles = parts
        .iter()
        .map(|part| {
            let mut role = part.given.role.unwrap_or_default();
            for (rule, used) in rules.iter().zip(&mut used) {
                if matches(rule, part) {
                    *used = true;
                    role = rule.role.unwrap_or(role);
                }
            }
            role
        })
        .collect();
    let warnings = rules
        .iter()
        .zip(&used)
        .enumerate()
        .filter(|(_, (_, used))| !**used)
        .map(|(i, (rule, _))| Warning {
            code: "rule-matches-nothing",
            message: format!("no part of the level matches {}; it has no effect", describe(rule)),
            place: format!("[[rule]] {}", i + 1).into(),
        })
        .collect();
    (roles, warnings)
}

/// The rules that match a part, in their order.
pub(crate) fn matching<'r>(part: &Part, rules: &'r [Rule]) -> impl Iterator<Item = &'r Rule> {
    rules.iter().filter(|rule| matches(rule, part))
}

fn matches(rule: &Rule, part: &Part) -> bool {
    let fits = |pattern: &Option<String>, name: &str| {
        pattern.as_ref().is_none_or(|p| glob(p, name, rule.ignore_case))
    };
    let node = match &rule.node {
        Some(p) if !p.contains('/') => {
            fits(&rule.node, &part.node) || part.node.split('/').any(|n| fits(&rule.node, n))
        }
        _ => fits(&rule.node, &part.node),
    };
    let attribute = rule.attribute.is_none() || rule.attribute == part.attribute;
    node && attribute && fits(&rule.mesh, &part.mesh) && fits(&rule.material, &part.material)
}

fn describe(rule: &Rule) -> String {
    let patterns = [("node", &rule.node), ("mesh", &rule.mesh), ("material", &rule.material)];
    let given =
        patterns.iter().filter_map(|(key, p)| p.as_ref().map(|p| format!("{key} = \"{p}\"")));
    let attribute = rule.attribute.map(|value| format!("attribute = {value}"));
    given.chain(attribute).collect::<Vec<_>>().join(" and ")
}

/// Does a pattern with `*` (any run of characters) and `?` (one character) match the whole of a
/// text? Takes time in the product of the two lengths at most.
pub fn glob(pattern: &str, text: &str, ignore_case: bool) -> bool {
    let letters = |s: &str| -> Vec<char> {
        if ignore_case { s.to_lowercase().chars().collect() } else { s.chars().collect() }
    };
    let (p, t) = (letters(pattern), letters(text));
    let (mut i, mut k) = (0, 0);
    // Where to go on after the last star: it swallows one more character each time.
    let mut star: Option<(usize, usize)> = None;
    while k < t.len() {
        if i < p.len() && p[i] == '*' {
            star = Some((i, k));
            i += 1;
        } else if i < p.len() && (p[i] == '?' || p[i] == t[k]) {
            i += 1;
            k += 1;
        } else if let Some((at, swallowed)) = star {
            star = Some((at, swallowed + 1));
            i = at + 1;
            k = swallowed + 1;
        } else {
            return false;
        }
    }
    p[i..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part(node: &str, material: &str) -> Part {
        Part { node: node.into(), material: material.into(), ..Part::default() }
    }

    fn rule(node: Option<&str>, material: Option<&str>, role: Role) -> Rule {
        Rule {
            node: node.map(String::from),
            material: material.map(String::from),
            role: Some(role),
            ..Rule::default()
        }
    }

    #[test]
    fn the_last_matching_rule_decides() {
        let parts =
            [part("root/sky/dome", ""), part("root/floor", "grass"), part("root/floor", "water")];
        let rules = [
            rule(Some("sky"), None, Role::Ignored),
            rule(Some("floor"), None, Role::Floor),
            rule(None, Some("wa*"), Role::Obstacle),
            rule(Some("*/nothing"), None, Role::Obstacle),
        ];
        let (roles, warnings) = roles(&parts, &rules);
        assert_eq!(roles, [Role::Ignored, Role::Floor, Role::Obstacle]);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].code, "rule-matches-nothing");
        assert_eq!(warnings[0].place, "[[rule]] 4".into());
    }

    #[test]
    fn a_rule_without_a_role_leaves_it_and_a_rule_overrides_the_level() {
        let mut water = part("root/pond", "water");
        water.given.role = Some(Role::Obstacle);
        let parts = [water.clone(), part("root/lake", "water"), water];
        let mud =
            Rule { role: None, area: Some("mud".into()), ..rule(None, Some("*"), Role::Ground) };
        let rules = [rule(Some("lake"), None, Role::Ignored), mud];
        let (found, warnings) = roles(&parts, &rules);
        assert_eq!(found, [Role::Obstacle, Role::Ignored, Role::Obstacle]);
        assert!(warnings.is_empty());
        let rules = [rule(None, Some("water"), Role::Floor)];
        assert_eq!(roles(&parts, &rules).0, [Role::Floor; 3]);
    }

    #[test]
    fn a_rule_for_a_number_is_for_triangles_that_have_it() {
        let numbered = |attribute| Part { attribute, ..part("floor", "") };
        let parts = [None, Some(3), Some(4)].map(numbered);
        let of = |attribute| Rule {
            attribute: Some(attribute),
            role: Some(Role::Obstacle),
            ..Rule::default()
        };
        let (found, warnings) = roles(&parts, &[of(3), of(9)]);
        assert_eq!(found, [Role::Ground, Role::Obstacle, Role::Ground]);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message.contains("attribute = 9"));
    }

    #[test]
    fn patterns_match_as_people_expect() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("sky*", "skybox", true),
            ("*box", "skybox", true),
            ("s?y*", "skybox", true),
            ("sky", "skybox", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("Sky*", "skybox", false),
        ] {
            assert_eq!(glob(pattern, text, false), expected, "{pattern} on {text}");
        }
        assert!(glob("SKY*", "skyBox", true));
    }

    /// The plain definition, exponential.
    fn slow(p: &[char], t: &[char]) -> bool {
        match p.split_first() {
            None => t.is_empty(),
            Some(('*', rest)) => (0..=t.len()).any(|k| slow(rest, &t[k..])),
            Some((c, rest)) => {
                t.split_first().is_some_and(|(d, more)| (*c == '?' || c == d) && slow(rest, more))
            }
        }
    }

    proptest! {
        #[test]
        fn the_matcher_agrees_with_the_plain_definition(pattern in "[ab*?]{0,8}", text in "[ab]{0,8}") {
            let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(glob(&pattern, &text, false), slow(&p, &t));
        }
    }
}
