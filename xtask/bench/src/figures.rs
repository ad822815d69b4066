//! Percentiles, medians, and what is kept of a measurement.

use std::time::Duration;

use serde::Serialize;

use crate::contents::Added;

/// Times from requests to their responses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    /// Adds one.
    pub(crate) fn push(&mut self, latency: Duration) {
        self.0.push(latency);
    }

    /// Adds those of another measurement.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest latency that at least `percent` of all do not exceed, in milliseconds (nearest
    /// rank); 0 where there are none.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted
            .get(rank - 1)
            .map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }
}

/// The median of some rounds, and the least and the greatest of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Of these values; nothing where there are none.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self {
            median: f64::midpoint(lower, upper),
            min: *sorted.first()?,
            max: *sorted.last()?,
        })
    }

    /// The quotients of values that were measured in the same rounds. Of two candidates that share
    /// a machine whose speed changes, these are steadier than the quotient of the medians.
    pub(crate) fn of_ratios(above: &[f64], below: &[f64]) -> Option<Self> {
        Self::of(ratios(above, below))
    }
}

/// The quotients of values that were measured in the same rounds.
pub(crate) fn ratios(above: &[f64], below: &[f64]) -> Vec<f64> {
    let pairs = above.iter().zip(below);
    pairs
        .filter(|(_, below)| **below > 0.0)
        .map(|(above, below)| above / below)
        .collect()
}

/// Greatest probability that the interval of a median misses it.
const ERROR: f64 = 0.05;

/// Whether the ratios of paired rounds differ from 1 by more than their own noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Lower,
    Higher,
    /// The interval of the median contains 1. The value is the greater distance of its ends from 1:
    /// a smaller difference cannot be distinguished from noise.
    Noise(f64),
    TooFewRounds,
}

impl Verdict {
    /// Judges the ratios of paired rounds. The median is in the interval between two of the sorted
    /// ratios with a probability of at least 95 %, whatever their distribution is; fewer than six
    /// rounds have no such interval.
    pub(crate) fn of(ratios: &[f64]) -> Self {
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

/// How many of the sorted values may be left out at each end, so that the rest still contains the
/// median with the wanted probability. Each value is below the median with a probability of a half.
fn skipped(count: usize) -> Option<usize> {
    // The probability that exactly `below` values are below the median: count over below / 2^count.
    let mut exactly = 0.5_f64.powi(i32::try_from(count).ok()?);
    let (mut at_most, mut skipped) = (exactly, None);
    for below in 0..count / 2 {
        if 2.0 * at_most > ERROR {
            break;
        }
        skipped = Some(below);
        #[expect(clippy::cast_precision_loss, reason = "a count of rounds is small")]
        let next = (count - below) as f64 / (below + 1) as f64;
        exactly *= next;
        at_most += exactly;
    }
    skipped
}

/// What one candidate did in one round.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Round {
    /// Responses or transactions.
    pub(crate) operations: f64,
    /// The same each second.
    pub(crate) rate: f64,
    /// Milliseconds; nothing where single ones were not timed.
    pub(crate) p50: Option<f64>,
    pub(crate) p99: Option<f64>,
    /// CPU seconds per 1000 responses.
    pub(crate) service_cpu: f64,
    pub(crate) database_cpu: f64,
    pub(crate) client_cpu: f64,
    /// The part of the time in which each thread of the client worked. Near 1, the client is the
    /// limit, and not what it measures.
    pub(crate) client_busy: f64,
    /// What PostgreSQL wrote to its log, per response; nothing where it was stopped.
    pub(crate) wal: Option<WalFigures>,
    /// What an operation adds to the database; nothing where it was not counted.
    pub(crate) added: Option<Added>,
}

/// What PostgreSQL wrote to its write-ahead log, per operation.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct WalFigures {
    pub(crate) bytes: f64,
    /// Images of complete pages, one for each page at its first change after a checkpoint.
    pub(crate) page_images: f64,
}

/// What one candidate did in all rounds.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Rounds(pub(crate) Vec<Round>);

impl Rounds {
    /// One figure of all rounds.
    pub(crate) fn each(&self, figure: impl Fn(&Round) -> f64) -> Vec<f64> {
        self.0.iter().map(figure).collect()
    }

    /// The spread of one figure.
    pub(crate) fn spread(&self, figure: impl Fn(&Round) -> f64) -> Option<Spread> {
        Spread::of(self.each(figure))
    }

    /// The spread of the rounds' throughput.
    pub(crate) fn rate(&self) -> Option<Spread> {
        self.spread(|round| round.rate)
    }

    /// The spread of the quotients of one figure here and there.
    pub(crate) fn ratio(&self, other: &Self, figure: impl Fn(&Round) -> f64) -> Option<Spread> {
        Spread::of_ratios(&self.each(&figure), &other.each(&figure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latencies(millis: impl IntoIterator<Item = u64>) -> Latencies {
        Latencies(millis.into_iter().map(Duration::from_millis).collect())
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let hundred = latencies((1..=100).rev());
        for (percent, expected) in [(0, 1.0), (1, 1.0), (50, 50.0), (99, 99.0), (100, 100.0)] {
            assert!(
                (hundred.percentile(percent) - expected).abs() < 1e-9,
                "{percent}"
            );
        }
        let few = latencies([30, 10, 20]);
        assert!((few.percentile(50) - 20.0).abs() < 1e-9);
        assert!((few.percentile(99) - 30.0).abs() < 1e-9);
        assert!(latencies([]).percentile(99).abs() < 1e-9);
    }

    #[test]
    fn spreads_have_their_median_in_the_middle() {
        assert_eq!(
            Spread::of([3.0, 1.0, 2.0]),
            Some(Spread {
                median: 2.0,
                min: 1.0,
                max: 3.0
            })
        );
        assert_eq!(
            Spread::of([4.0, 1.0, 2.0, 3.0]),
            Some(Spread {
                median: 2.5,
                min: 1.0,
                max: 4.0
            })
        );
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn a_difference_counts_only_outside_the_noise_of_its_rounds() {
        let seven = [0.93, 0.95, 0.94, 0.99, 0.96, 0.95, 0.94];
        assert_eq!(Verdict::of(&seven), Verdict::Lower);
        assert_eq!(
            Verdict::of(&seven.map(|ratio| 1.0 / ratio)),
            Verdict::Higher
        );
        let mut noisy = seven;
        noisy[0] = 1.02;
        assert!(matches!(Verdict::of(&noisy), Verdict::Noise(_)));
        // With nine rounds, one may be outside at each end.
        let nine = [0.93, 0.95, 0.94, 0.99, 0.96, 0.95, 0.94, 0.97, 1.2];
        assert_eq!(Verdict::of(&nine), Verdict::Lower);
        assert_eq!(Verdict::of(&seven[..5]), Verdict::TooFewRounds);
        assert_eq!(Verdict::of(&[]), Verdict::TooFewRounds);
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let ratios = Spread::of_ratios(&[10.0, 40.0, 9.0], &[5.0, 20.0, 0.0]);
        assert_eq!(
            ratios,
            Some(Spread {
                median: 2.0,
                min: 2.0,
                max: 2.0
            })
        );
    }
}
