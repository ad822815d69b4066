//! Figures of a window, and their statistics.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    pub(crate) fn push(&mut self, latency: Duration) {
        self.0.push(latency);
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Latency at the percentile `percent` by nearest rank, in milliseconds; 0 without latencies.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted
            .get(rank - 1)
            .map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Figure {
    Operations,
    /// Operations per second.
    Rate,
    /// Median latency, in milliseconds.
    P50,
    /// 99th percentile of the latency, in milliseconds.
    P99,
    /// CPU seconds of service and database per 1000 operations. For pgbench, its own CPU time
    /// counts as the service's.
    Cpu,
    ServiceCpu,
    DatabaseCpu,
    /// Share of the time in which each thread of the load generator was busy. Near 1, the load
    /// generator is the limit rather than the server.
    ClientBusy,
    /// Bytes of WAL per operation, without page images.
    WalBytes,
    Rows,
    RowBytes,
    /// Resident memory, in megabytes.
    Memory,
    /// Milliseconds from the start of the process to the first response.
    Start,
}

impl Figure {
    pub(crate) fn heading(self) -> String {
        let name = serde_json::to_string(&self).unwrap_or_default();
        name.trim_matches('"').replace('_', " ")
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Round(BTreeMap<Figure, f64>);

impl Round {
    pub(crate) fn new(figure: Figure, value: f64) -> Self {
        Self(BTreeMap::from([(figure, value)]))
    }

    pub(crate) fn with<const N: usize>(mut self, figures: [(Figure, f64); N]) -> Self {
        self.0.extend(figures);
        self
    }

    pub(crate) fn with_all(mut self, other: &Self) -> Self {
        self.0.extend(&other.0);
        self
    }

    pub(crate) fn get(&self, figure: Figure) -> Option<f64> {
        self.0.get(&figure).copied()
    }
}

pub(crate) fn each(rounds: &[Round], figure: Figure) -> Vec<f64> {
    rounds.iter().filter_map(|r| r.get(figure)).collect()
}

/// Median, minimum and maximum over the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Returns `None` if `values` is empty.
    pub(crate) fn new(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self {
            median: f64::midpoint(lower, upper),
            min: *sorted.first()?,
            max: *sorted.last()?,
        })
    }
}

/// Ratios of `above` to `below`, round by round. On a machine with varying speed, they are steadier
/// than the ratio of the medians.
pub(crate) fn ratios(above: &[f64], below: &[f64]) -> Vec<f64> {
    let pairs = above.iter().zip(below);
    pairs
        .filter(|(_, below)| **below > 0.0)
        .map(|(above, below)| above / below)
        .collect()
}

/// Maximum probability that the confidence interval misses the median.
const ERROR: f64 = 0.05;

/// Whether the ratios of paired rounds differ significantly from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Lower,
    Higher,
    /// The confidence interval of the median contains 1. The value is the greater distance of its
    /// ends from 1: a smaller difference is indistinguishable from noise.
    Noise(f64),
    TooFewRounds,
}

impl Verdict {
    /// Judges `ratios` of paired rounds by the sign test: without any assumption on their
    /// distribution, the median is between two of the sorted ratios with a probability of at least
    /// 95 %. Fewer than six rounds have no such interval.
    pub(crate) fn new(ratios: &[f64]) -> Self {
        let mut sorted = ratios.to_vec();
        sorted.sort_by(f64::total_cmp);
        let ends = skipped(sorted.len()).and_then(|skipped| {
            let low = *sorted.get(skipped)?;
            let high = *sorted.get(sorted.len() - 1 - skipped)?;
            Some((low, high))
        });
        match ends {
            None => Self::TooFewRounds,
            Some((low, _)) if low > 1.0 => Self::Higher,
            Some((_, high)) if high < 1.0 => Self::Lower,
            Some((low, high)) => Self::Noise((1.0 - low).max(high - 1.0)),
        }
    }
}

/// Number of sorted values to leave out at each end of the interval; `None` if `count` is too
/// small. Each value has a probability of one half to be below the median.
fn skipped(count: usize) -> Option<usize> {
    // Probability that exactly `below` values are below the median: binomial coefficient / 2^count.
    let mut exactly = 0.5_f64.powi(i32::try_from(count).ok()?);
    let (mut at_most, mut skipped) = (exactly, None);
    for below in 0..count / 2 {
        if 2.0 * at_most > ERROR {
            break;
        }
        skipped = Some(below);
        exactly *= (count - below) as f64 / (below + 1) as f64;
        at_most += exactly;
    }
    skipped
}

/// Number of operations within `duration` at `rate` per second, at least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of operations are far below 2^52"
)]
pub(crate) fn in_time(rate: f64, duration: Duration) -> u64 {
    (rate * duration.as_secs_f64()).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let hundred = Latencies((1..=100).rev().map(Duration::from_millis).collect());
        for (percent, expected) in [(0, 1.0), (1, 1.0), (50, 50.0), (99, 99.0), (100, 100.0)] {
            let found = hundred.percentile(percent);
            assert!((found - expected).abs() < 1e-9, "{percent}");
        }
        assert!(Latencies::default().percentile(99).abs() < 1e-9);
    }

    #[test]
    fn spreads_have_their_median_in_the_middle() {
        let spread = Spread::new(&[4.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!((spread.median, spread.min, spread.max), (2.5, 1.0, 4.0));
        assert_eq!(Spread::new(&[]), None);
    }

    #[test]
    fn a_difference_counts_only_outside_the_noise_of_its_rounds() {
        let seven = [0.93, 0.95, 0.94, 0.99, 0.96, 0.95, 0.94];
        assert_eq!(Verdict::new(&seven), Verdict::Lower);
        let inverse = seven.map(|ratio| 1.0 / ratio);
        assert_eq!(Verdict::new(&inverse), Verdict::Higher);
        let mut noisy = seven;
        noisy[0] = 1.02;
        assert!(matches!(Verdict::new(&noisy), Verdict::Noise(_)));
        // With nine rounds, one value at each end may be outside the interval.
        let nine = [0.93, 0.95, 0.94, 0.99, 0.96, 0.95, 0.94, 0.97, 1.2];
        assert_eq!(Verdict::new(&nine), Verdict::Lower);
        assert_eq!(Verdict::new(&seven[..5]), Verdict::TooFewRounds);
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        assert_eq!(ratios(&[10.0, 40.0, 9.0], &[5.0, 20.0, 0.0]), [2.0, 2.0]);
    }
}
