//! A comparison of two clocks.

use std::time::Duration;

/// Maximum error of a measurement that always corrects the server's time.
const EXACT: i64 = 20;

/// Comparison of this machine's clock with a reference. Times are Unix milliseconds at the middle
/// of the round trip: the reference was most likely read then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measurement {
    pub(super) machine: i64,
    pub(super) reference: i64,
    pub(super) round_trip: Duration,
}

impl Measurement {
    /// Returns how many milliseconds the machine's clock is ahead, or behind if negative.
    pub(super) fn skew(&self) -> i64 {
        self.machine.saturating_sub(self.reference)
    }

    /// Returns the maximum error of [`skew`](Self::skew), in milliseconds.
    pub(super) fn error(&self) -> i64 {
        i64::try_from(self.round_trip.as_millis() / 2).unwrap_or(i64::MAX)
    }

    /// Returns the least amount of milliseconds by which the clocks differ for certain.
    pub(super) fn certain_difference(&self) -> i64 {
        let difference = i64::try_from(self.skew().unsigned_abs()).unwrap_or(i64::MAX);
        difference.saturating_sub(self.error()).max(0)
    }

    /// Returns whether the measurement corrects the server's time, which was `now` at the middle of
    /// the round trip. A slow round trip does not, unless that time is wrong for certain.
    pub(super) fn corrects(&self, now: i64) -> bool {
        let difference = now.saturating_sub(self.reference).unsigned_abs();
        self.error() <= EXACT || difference > self.error().unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(machine: i64, reference: i64, round_trip: u64) -> Measurement {
        Measurement {
            machine,
            reference,
            round_trip: Duration::from_millis(round_trip),
        }
    }

    #[test]
    fn half_of_the_round_trip_is_not_certain() {
        for (machine, reference, round_trip, skew, certain) in [
            (1_000, 1_000, 0, 0, 0),
            (603_000, 3_000, 2, 600_000, 599_999),
            (3_000, 603_000, 2, -600_000, 599_999),
            (5_000, 3_000, 4_000, 2_000, 0),
            (5_000, 3_000, 10_000, 2_000, 0),
        ] {
            let measured = measured(machine, reference, round_trip);
            assert_eq!(measured.skew(), skew);
            assert_eq!(measured.certain_difference(), certain, "{measured:?}");
        }
    }

    #[test]
    fn a_slow_measurement_corrects_only_what_is_wrong_for_certain() {
        assert!(measured(0, 1_000, 10).corrects(1_001));
        assert!(!measured(0, 1_000, 1_000).corrects(1_400));
        assert!(measured(0, 1_000, 1_000).corrects(1_501));
        assert!(measured(0, 1_000, 1_000).corrects(499));
    }
}
