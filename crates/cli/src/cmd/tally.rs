//! Statistics of many queries: the result of `bench`.

use navbake_search::Status;
use serde::Serialize;

/// The result of a query, as far as a comparison needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A path of this length.
    Length(f64),
    /// No path.
    NoPath,
    /// An end is off the mesh, so there is no path either.
    OffMesh,
    /// The search gave up.
    Failed,
}

impl Outcome {
    /// The outcome of a query with this status, and this length if a path was found.
    pub(super) fn new(status: Status, length: f64) -> Outcome {
        match status {
            Status::Reached => Outcome::Length(length),
            Status::Unreachable | Status::Partial | Status::NotLoaded => Outcome::NoPath,
            Status::OffMesh => Outcome::OffMesh,
            Status::OutOfNodes | Status::Looking => Outcome::Failed,
        }
    }
}

/// The JSON object of `bench`. Fields that do not apply are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Tally {
    pub(super) queries: usize,
    pub(super) reached: usize,
    pub(super) failed: usize,
    pub(super) off_mesh: usize,
    pub(super) mean_us: f64,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) max_us: f64,
    pub(super) mean_rel_error: Option<f64>,
    pub(super) max_rel_error: Option<f64>,
    /// Reachability that differs, or a length that differs by more than 1e-6 max(1, optimum).
    pub(super) mismatches: Option<usize>,
    /// Reachability that differs.
    pub(super) unreachable_mismatches: Option<usize>,
    /// Lengths below the optimum by more than 1e-6 max(1, optimum): always an error.
    pub(super) shorter: Option<usize>,
    pub(super) mean_expanded: f64,
    pub(super) table_bytes: u64,
    pub(super) blob_bytes: u64,
}

impl Tally {
    /// Adds the times of the queries, in microseconds.
    pub(super) fn times(&mut self, mut micros: Vec<f64>) {
        if micros.is_empty() {
            return;
        }
        micros.sort_by(f64::total_cmp);
        self.mean_us = micros.iter().sum::<f64>() / micros.len() as f64;
        self.median_us = percentile(&micros, 50);
        self.p99_us = percentile(&micros, 99);
        self.max_us = micros[micros.len() - 1];
    }

    /// Adds the outcomes of the queries and compares them with optimal lengths, where known.
    ///
    /// An optimal length is `None` for no path. `slack` is the allowed difference of a length: by
    /// the number of the query and its optimal length.
    pub(super) fn outcomes(
        &mut self,
        outcomes: &[Outcome],
        optimal: Option<&[Option<f64>]>,
        slack: impl Fn(usize, f64) -> f64,
    ) {
        let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|o| wanted(o)).count();
        self.queries = outcomes.len();
        self.reached = count(|o| matches!(o, Outcome::Length(_)));
        self.off_mesh = count(|o| *o == Outcome::OffMesh);
        self.failed = count(|o| *o == Outcome::Failed);
        let Some(optimal) = optimal else { return };
        let (mut mismatches, mut differ, mut shorter) = (0, 0, 0);
        let (mut sum, mut worst, mut compared) = (0.0, 0.0f64, 0usize);
        for (k, (outcome, optimum)) in outcomes.iter().zip(optimal).enumerate() {
            match (outcome, optimum) {
                (Outcome::Length(a), Some(b)) => {
                    let slack = slack(k, *b);
                    mismatches += usize::from((a - b).abs() > slack);
                    shorter += usize::from(b - a > slack);
                    // For a path from a point to itself only the absolute error has a meaning.
                    let error = if *b > 0.0 { (a - b) / b } else { a - b };
                    sum += error;
                    worst = worst.max(error);
                    compared += 1;
                }
                (Outcome::NoPath | Outcome::OffMesh, None) => {}
                _ => {
                    mismatches += 1;
                    differ += 1;
                }
            }
        }
        self.mismatches = Some(mismatches);
        self.unreachable_mismatches = Some(differ);
        self.shorter = Some(shorter);
        if compared > 0 {
            self.mean_rel_error = Some(sum / compared as f64);
            self.max_rel_error = Some(worst);
        }
    }

    /// The tally for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "queries   {} ({} reached, {} off mesh, {} failed)\n\
             time      mean {:.2} us, median {:.2}, p99 {:.2}, max {:.2}\n\
             expanded  {:.1} on average\n\
             blob      {} bytes, {} of them tables\n",
            self.queries,
            self.reached,
            self.off_mesh,
            self.failed,
            self.mean_us,
            self.median_us,
            self.p99_us,
            self.max_us,
            self.mean_expanded,
            self.blob_bytes,
            self.table_bytes
        );
        if let (Some(mismatches), Some(differ), Some(shorter)) =
            (self.mismatches, self.unreachable_mismatches, self.shorter)
        {
            text += &format!(
                "compared with the optimum: {mismatches} mismatches, {differ} of them in reachability; {shorter} shorter\n"
            );
        }
        if let (Some(mean), Some(max)) = (self.mean_rel_error, self.max_rel_error) {
            text += &format!(
                "length above the optimum: mean {:.4} %, max {:.4} %\n",
                mean * 100.0,
                max * 100.0
            );
        }
        text
    }
}

/// The smallest value that is at least `percent` of the sorted values.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mismatches_are_counted_as_documented() {
        let mut tally = Tally::default();
        let found = [
            Outcome::Length(10.0),
            Outcome::Length(10.5),
            Outcome::Length(9.0),
            Outcome::OffMesh,
            Outcome::NoPath,
            Outcome::Failed,
            Outcome::Length(1.0),
            Outcome::Length(1e-7),
        ];
        let optimal = [
            Some(10.0 + 9e-6),
            Some(10.0),
            Some(10.0),
            None,
            Some(1.0),
            Some(1.0),
            None,
            Some(0.0),
        ];
        tally.outcomes(&found, Some(&optimal), |_, best| 1e-6 * best.max(1.0));
        assert_eq!(tally.mismatches, Some(5));
        assert_eq!(tally.unreachable_mismatches, Some(3));
        assert_eq!(tally.shorter, Some(1));
        assert_eq!((tally.reached, tally.failed), (5, 1));
        assert!((tally.max_rel_error.unwrap() - 0.05).abs() < 1e-12);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut tally = Tally::default();
        tally.times((1..=200).rev().map(f64::from).collect());
        assert_eq!((tally.median_us, tally.p99_us, tally.max_us), (100.0, 198.0, 200.0));
        tally.times(vec![3.0]);
        assert_eq!((tally.median_us, tally.p99_us), (3.0, 3.0));
    }
}
