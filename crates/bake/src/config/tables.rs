//! Tables beside the navmesh, and how large they may be.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Tables baked beside the navmesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tables {
    /// `auto`, `none`, `labels`, or a size.
    pub budget: BudgetText,
    /// What there must be, whatever the budget.
    #[serde(skip_serializing_if = "Require::is_nothing")]
    pub require: Require,
    /// Are landmarks made?
    #[serde(skip_serializing_if = "WantedLandmarks::is_auto")]
    pub landmarks: WantedLandmarks,
}

/// A budget as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BudgetText(pub String);

impl Default for BudgetText {
    fn default() -> Self {
        BudgetText(Budget::Auto.to_string())
    }
}

/// What there must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Require {
    /// Nothing: what does not fit is left out.
    #[default]
    None,
    /// Labels: a budget that is too small for them ends the bake.
    Labels,
}

impl Require {
    fn is_nothing(&self) -> bool {
        *self == Require::None
    }
}

/// Which meshes have landmarks, where the budget allows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WantedLandmarks {
    /// Those of levels in which something can be closed, or costs someone more or less than its
    /// length.
    #[default]
    Auto,
    /// None.
    None,
    /// All without links.
    Always,
}

impl WantedLandmarks {
    fn is_auto(&self) -> bool {
        *self == WantedLandmarks::Auto
    }
}

/// How large all tables of a file may be together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Labels where they are small beside the rest of the file, and save work.
    Auto,
    /// No tables.
    None,
    /// Labels, as large as they are.
    Labels,
    /// At most this many bytes.
    Bytes(u64),
}

/// Units of sizes, and how many bytes they are.
const UNITS: [(&str, u64); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1000),
    ("KB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        match text {
            "auto" => return Ok(Budget::Auto),
            "none" => return Ok(Budget::None),
            "labels" => return Ok(Budget::Labels),
            _ => {}
        }
        let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
        let (digits, bytes) = match unit {
            Some((unit, bytes)) => (&text[..text.len() - unit.len()], *bytes),
            None => (text, 1),
        };
        let digits = digits.trim_end();
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let count: Option<u64> = digits.parse().ok().filter(|_| is_number);
        (count.and_then(|n| n.checked_mul(bytes)))
            .map(Budget::Bytes)
            .ok_or_else(|| {
                "it must be \"auto\", \"none\", \"labels\", or a size such as \"4MiB\", \"500kB\" or \"65536\" bytes"
                    .into()
            })
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Auto => f.write_str("auto"),
            Budget::None => f.write_str("none"),
            Budget::Labels => f.write_str("labels"),
            Budget::Bytes(n) => write!(f, "{n}"),
        }
    }
}

impl From<Budget> for BudgetText {
    fn from(budget: Budget) -> Self {
        BudgetText(budget.to_string())
    }
}

impl Tables {
    /// The budget; `none` for what [`Config::resolved`](super::Config::resolved) refuses.
    pub fn budget(&self) -> Budget {
        self.budget.0.parse().unwrap_or(Budget::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, budget) in [
            ("auto", Budget::Auto),
            ("none", Budget::None),
            ("labels", Budget::Labels),
            ("0", Budget::Bytes(0)),
            ("65536", Budget::Bytes(65536)),
            ("4MiB", Budget::Bytes(4 << 20)),
            ("4 MB", Budget::Bytes(4_000_000)),
            ("12B", Budget::Bytes(12)),
            ("3kB", Budget::Bytes(3000)),
        ] {
            assert_eq!(text.parse(), Ok(budget), "{text}");
        }
        for text in ["", "MiB", "-1", "+4", "1.5MiB", "4mb", "many", "99999999999GiB"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }
}
