//! The rules, one concept a file. Each gives what it finds; how bad that is and whether it is told is settled by [`Settings`].

mod budgets;
mod islands;
mod noticed;
mod passages;
mod shapes;
mod ways;

use navbake_format::CheckedBlob;

use crate::report::{NotRun, Walked};
use crate::{Finding, Report, Settings, Subject};

/// What the rules gave so far.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    pub(crate) not_run: Vec<NotRun>,
    pub(crate) ways: Vec<Walked>,
}

impl Found {
    fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn not_run(&mut self, rule: &'static str, why: impl Into<String>) {
        let why = why.into();
        self.not_run.push(NotRun { rule, why });
    }
}

/// Looks at a navmesh file by every rule that is on.
pub fn check(blob: CheckedBlob<'_>, settings: &Settings) -> Report {
    let subject = Subject::new(blob);
    let mut found = Found::default();
    ways::ways(&subject, settings, &mut found);
    islands::islands(&subject, settings, &mut found);
    passages::doors(&subject, settings, &mut found);
    passages::passages(&subject, settings, &mut found);
    shapes::slivers(&subject, settings, &mut found);
    shapes::holes(&subject, settings, &mut found);
    budgets::budgets(&subject, settings, &mut found);
    noticed::noticed(&subject, settings, &mut found);
    let mut report = Report::of(found.findings, found.not_run, settings);
    report.ways = found.ways;
    let noticed = subject.blob.findings();
    report.left_out = noticed.map_or(0, |known| known.left_out() as usize);
    report
}
