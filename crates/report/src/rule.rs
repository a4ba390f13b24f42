//! A rule: its code, severity and texts.

use crate::finding::Severity;
use crate::rules::found::Found;
use crate::settings::Settings;
use crate::subject::Subject;

/// A rule of a check, a diff or an audit.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its stable code, lower case with dashes. Scripts and baselines refer to it.
    pub code: &'static str,
    /// Its severity unless the config sets another.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub finds: &'static str,
    /// What to do about it, in one sentence.
    pub cure: &'static str,
    /// The keys of `[check]` that it reads.
    pub options: &'static [&'static str],
    /// Adds its findings for a blob.
    ///
    /// `None` if another rule of its file, a diff, an audit or a baseline adds them.
    pub(crate) run: Option<Run>,
}

/// Adds the findings of a rule.
pub(crate) type Run = fn(&Subject<'_>, &Settings, &mut Found);

impl Rule {
    /// A rule of a diff or an audit.
    pub(crate) const fn new(
        code: &'static str,
        severity: Severity,
        finds: &'static str,
        cure: &'static str,
    ) -> Rule {
        Rule { code, severity, finds, cure, options: &[], run: None }
    }
}
