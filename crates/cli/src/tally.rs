//! What a run of queries adds up to.

use serde::Serialize;

/// How a query ended, as far as a comparison cares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ending {
    /// A path of this length.
    Length(f64),
    /// There is none.
    NoPath,
    /// An end is off the mesh, so there is no path either.
    OffMesh,
    /// The search gave up.
    Failed,
}

/// The JSON object of `bench`. What does not apply is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Tally {
    pub(crate) queries: usize,
    pub(crate) reached: usize,
    pub(crate) failed: usize,
    pub(crate) off_mesh: usize,
    pub(crate) mean_us: f64,
    pub(crate) median_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    pub(crate) mean_rel_error: Option<f64>,
    pub(crate) max_rel_error: Option<f64>,
    /// Reachability that differs, or a length that differs by more than 1e-6 max(1, optimum).
    pub(crate) mismatches: Option<usize>,
    /// Reachability that differs.
    pub(crate) unreachable_mismatches: Option<usize>,
    /// Lengths below the optimum by more than 1e-6 max(1, optimum): never right.
    pub(crate) shorter: Option<usize>,
    pub(crate) mean_expanded: f64,
    pub(crate) table_bytes: u64,
    pub(crate) blob_bytes: u64,
}

impl Tally {
    /// Takes in the times a query, in microseconds.
    pub(crate) fn times(&mut self, mut micros: Vec<f64>) {
        if micros.is_empty() {
            return;
        }
        micros.sort_by(f64::total_cmp);
        self.mean_us = micros.iter().sum::<f64>() / micros.len() as f64;
        self.median_us = percentile(&micros, 50);
        self.p99_us = percentile(&micros, 99);
        self.max_us = micros[micros.len() - 1];
    }

    /// Takes in how the queries ended, and how they should have if that is known (`None` for no path).
    pub(crate) fn endings(&mut self, found: &[Ending], optimal: Option<&[Option<f64>]>) {
        self.endings_within(found, optimal, |_, best| 1e-6 * best.max(1.0));
    }

    /// The same where lengths may differ by so much: by the number of the query and the length that it should have.
    pub(crate) fn endings_within(
        &mut self,
        found: &[Ending],
        optimal: Option<&[Option<f64>]>,
        slack: impl Fn(usize, f64) -> f64,
    ) {
        self.queries = found.len();
        self.reached = found
            .iter()
            .filter(|e| matches!(e, Ending::Length(_)))
            .count();
        self.off_mesh = found.iter().filter(|e| **e == Ending::OffMesh).count();
        self.failed = found.iter().filter(|e| **e == Ending::Failed).count();
        let Some(optimal) = optimal else { return };
        let (mut mismatches, mut differ, mut shorter) = (0, 0, 0);
        let (mut sum, mut worst, mut compared) = (0.0, 0.0f64, 0usize);
        for (k, (ending, optimum)) in found.iter().zip(optimal).enumerate() {
            match (ending, optimum) {
                (Ending::Length(a), Some(b)) => {
                    let slack = slack(k, *b);
                    mismatches += usize::from((a - b).abs() > slack);
                    shorter += usize::from(b - a > slack);
                    // Of a path from a point to itself only the absolute error means something.
                    let error = if *b > 0.0 { (a - b) / b } else { a - b };
                    sum += error;
                    worst = worst.max(error);
                    compared += 1;
                }
                (Ending::NoPath | Ending::OffMesh, None) => {}
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

    /// For people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "queries   {} ({} reached, {} off the mesh, {} failed)\ntime      mean {:.2} us, median {:.2}, p99 {:.2}, max {:.2}\nexpanded  {:.1} in the mean\nblob      {} bytes, {} of them tables\n",
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
                "against the optimum: {mismatches} differ, {differ} of them in reachability, {shorter} are shorter\n"
            );
        }
        if let (Some(mean), Some(max)) = (self.mean_rel_error, self.max_rel_error) {
            text += &format!(
                "length over the optimum: mean {:.4} %, max {:.4} %\n",
                mean * 100.0,
                max * 100.0
            );
        }
        text
    }
}

/// The least value that at least `percent` of the sorted values do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mismatches_are_counted_as_the_contract_says() {
        let mut tally = Tally::default();
        let found = [
            Ending::Length(10.0),
            Ending::Length(10.5),
            Ending::Length(9.0),
            Ending::OffMesh,
            Ending::NoPath,
            Ending::Failed,
            Ending::Length(1.0),
            Ending::Length(1e-7),
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
        tally.endings(&found, Some(&optimal));
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
        assert_eq!(
            (tally.median_us, tally.p99_us, tally.max_us),
            (100.0, 198.0, 200.0)
        );
        tally.times(vec![3.0]);
        assert_eq!((tally.median_us, tally.p99_us), (3.0, 3.0));
    }
}
