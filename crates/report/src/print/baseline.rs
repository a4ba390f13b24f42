//! Baselines: the JSON of an earlier check, whose findings are known.

use serde::Deserialize;

use super::json::SCHEMA;
use crate::rules::found::NotRun;
use crate::{Finding, Report, Settings, Walked};

/// The output of an earlier `navbake check --format json`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Baseline {
    schema: u32,
    findings: Vec<Known>,
    /// The paths of `must_reach` that existed. Earlier versions do not have them.
    ways: Option<Vec<Way>>,
}

/// A known finding.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Known {
    rule: String,
    place: Option<[f64; 3]>,
    agent: Option<String>,
    #[serde(default)]
    names: Vec<String>,
}

/// A known path.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Way {
    from: String,
    to: String,
    agent: String,
    length_m: f64,
}

/// A finding that moved by at most this, m, is the same.
const NEAR: f64 = 1.0;
/// Lengths that differ by less are equal, m.
const SAME: f64 = 0.01;
const LONGER: &str = "path-longer";

impl Baseline {
    /// Reads the JSON of an earlier check.
    ///
    /// # Errors
    /// If the text is not such JSON; the message gives the line.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let cure = "renew it with `navbake check --format json`";
        let baseline: Baseline = serde_json::from_str(text).map_err(|e| match e.is_data() {
            true => format!("JSON, but not a baseline (line {}); {cure}", e.line()),
            false => format!("not a baseline, nor JSON (line {}); {cure}", e.line()),
        })?;
        match baseline.schema {
            SCHEMA => Ok(baseline),
            other => Err(format!("its schema is {other}, expected {SCHEMA}; {cure}")),
        }
    }

    /// The known length of a path, m.
    fn length(&self, way: &Walked) -> Option<f64> {
        let same = |w: &&Way| w.from == way.from && w.to == way.to && w.agent == way.agent;
        let known = self.ways.iter().flatten().find(same);
        known.map(|w| w.length_m)
    }
}

impl Known {
    /// The distance to a finding of the same kind; `None` for another kind.
    fn away(&self, finding: &Finding) -> Option<f64> {
        let same =
            self.rule == finding.rule && self.agent == finding.agent && self.names == finding.names;
        let away = match (self.place, finding.place) {
            (None, None) => 0.0,
            (Some(a), Some(b)) => (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt(),
            _ => return None,
        };
        (same && away <= NEAR).then_some(away)
    }
}

impl Report {
    /// Removes known findings and adds paths that have become longer.
    ///
    /// Each finding is matched with the nearest known finding of its kind.
    pub fn against(&mut self, baseline: Baseline, settings: &Settings) {
        let longer = self.longer(&baseline, settings);
        let before = self.findings.len();
        let mut known = baseline.findings;
        self.findings.retain(|finding| {
            let near = known.iter().enumerate();
            let near = near.filter_map(|(i, k)| Some((k.away(finding)?, i)));
            match near.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((_, i)) => {
                    known.remove(i);
                    false
                }
                None => true,
            }
        });
        self.known += before - self.findings.len();
        self.add(longer, settings);
        if baseline.ways.is_none() && !self.ways.is_empty() && settings.is_on(LONGER) {
            let why = "the baseline is of an earlier version without lengths: renew it with `navbake check --format json`";
            self.not_run.push(NotRun { rule: LONGER, why: why.into() });
            self.not_run.sort();
        }
    }

    fn longer(&self, baseline: &Baseline, settings: &Settings) -> Vec<Finding> {
        let share = settings.length_tolerance();
        let reported = self.ways.iter().filter_map(|way| {
            let was = baseline.length(way)?;
            let is = way.length_m;
            (is > was * (1.0 + share) + SAME).then(|| {
                let (from, to) = (&way.from, &way.to);
                let message = format!(
                    "the path from `{from}` to `{to}` is {is:.2} m long, {was:.2} m in the baseline"
                );
                Finding::new(LONGER, message)
                    .at(way.place)
                    .of_agent(&way.agent)
                    .named(from)
                    .named(to)
                    .figure("length_m", is)
                    .figure("was_m", was)
                    .shaped(way.points.clone())
            })
        });
        reported.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use navbake_bake::config::CheckConfig;

    fn settings(text: &str) -> Settings {
        Settings::new(CheckConfig::parse(text).unwrap().0, &["tank"]).unwrap()
    }

    fn report(places: &[f64]) -> Report {
        let at = |&x: &f64| Finding::new("sliver", format!("at {x}")).at([x, 0.0, 0.0]);
        Report { findings: places.iter().map(at).collect(), ..Report::default() }
    }

    #[test]
    fn a_baseline_hides_what_it_knows_and_nothing_else() {
        let baseline = json(&report(&[1.0, 5.0]), "a.nav");
        let mut now = report(&[1.2, 1.4, 5.0, 9.0]);
        now.against(Baseline::parse(&baseline).unwrap(), &settings(""));
        let left: Vec<&str> = now.findings.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(left, ["at 1.4", "at 9"]);
        assert_eq!(now.known, 2);
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_its_place() {
        for text in ["", "{}", "[1]", "{\"schema\": 1}"] {
            let fault = Baseline::parse(text).unwrap_err();
            assert!(fault.contains("line") && fault.contains("--format json"), "{fault}");
        }
        let fault = Baseline::parse("{\"schema\": 9, \"findings\": []}").unwrap_err();
        assert!(fault.contains("schema is 9"), "{fault}");
    }

    fn walked(length_m: f64) -> Report {
        Report {
            ways: vec![Walked {
                from: "a".into(),
                to: "b".into(),
                agent: "tank".into(),
                length_m,
                place: [1.0, 2.0, 3.0],
                points: vec![[0.0; 3], [1.0, 2.0, 3.0]],
            }],
            ..Report::default()
        }
    }

    #[test]
    fn a_way_that_became_longer_than_the_share_is_reported_once_it_is_not_in_the_baseline() {
        let baseline = json(&walked(20.0), "a.nav");
        let report = |length: f64, asked: &str| {
            let mut now = walked(length);
            now.against(Baseline::parse(&baseline).unwrap(), &settings(asked));
            now
        };
        for (length, asked, count) in [
            (20.0, "", 0),
            (20.9, "", 0),
            (21.1, "", 1),
            (21.1, "length_tolerance = 0.1", 0),
            (20.1, "length_tolerance = 0", 1),
            (15.0, "length_tolerance = 0", 0),
            (90.0, "severity = { path-longer = \"off\" }", 0),
        ] {
            let now = report(length, asked);
            assert_eq!(now.findings.len(), count, "{length} m, {asked}");
            assert_eq!(now.not_run, []);
        }
        let now = report(25.0, "");
        let found = &now.findings[0];
        assert_eq!((found.rule, found.place), (LONGER, Some([1.0, 2.0, 3.0])));
        assert!(found.message.contains("25.00 m long") && found.message.contains("20.00 m"));
        // A reported path is known to the next check with its new length.
        let mut next = walked(25.0);
        let of_now = json(&now, "a.nav");
        next.against(Baseline::parse(&of_now).unwrap(), &settings(""));
        assert_eq!(next.findings, []);
    }

    #[test]
    fn a_baseline_of_before_lengths_were_stored_still_hides_findings_and_says_what_it_lacks() {
        let old = json(&report(&[1.0]), "a.nav").replace(",\"ways\":[]", "");
        assert!(!old.contains("ways"));
        let mut now = walked(25.0);
        now.findings = report(&[1.0]).findings;
        now.against(Baseline::parse(&old).unwrap(), &settings(""));
        assert_eq!((now.findings.len(), now.known), (0, 1));
        assert_eq!(now.not_run.len(), 1);
        assert_eq!(now.not_run[0].rule, LONGER);
        assert!(now.not_run[0].why.contains("--format json"));
    }
}
