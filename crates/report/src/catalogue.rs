//! Every rule there is: its code, how bad what it finds is, what that is, and what helps.

use crate::Severity;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its stable code, lower case with dashes. Scripts and baselines hold it: it never changes its meaning.
    pub code: &'static str,
    /// How bad it is unless the rules file says otherwise.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub finds: &'static str,
    /// What helps, in one sentence.
    pub cure: &'static str,
}

/// Every rule, by code.
pub const RULES: &[Rule] = &[Rule {
    code: "marker-off-mesh",
    severity: Severity::Error,
    finds: "A marker that the config names does not lie on ground that the agent can stand on.",
    cure: "Move the marker, or make the ground under it walkable; `navbake explain` says why it is not.",
}];

/// The rule of a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    let others = crate::diff::RULES.iter().chain(crate::audit::RULES);
    RULES.iter().chain(others).find(|r| r.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_in_the_order_of_their_codes_and_say_what_helps() {
        assert!(RULES.windows(2).all(|w| w[0].code < w[1].code));
        for rule in RULES {
            let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(rule.code.chars().all(sound), "{}", rule.code);
            assert!(
                rule.finds.ends_with('.') && rule.cure.ends_with('.'),
                "{}",
                rule.code
            );
        }
    }
}
