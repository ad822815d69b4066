//! Margins: by how much each counter is skipped.

/// Numbers by which counters are skipped after a restore. Each is at least what a database can have
/// used between the backup and the failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margins {
    /// Order numbers of each store.
    pub numbers: u64,
    /// Event sequences of each store.
    pub sequences: u64,
    /// Versions of each order, store and webhook endpoint, and of the catalog.
    pub versions: u32,
    /// Batch numbers.
    pub batches: u64,
}

/// Uses of one counter that a margin must cover.
struct Rate {
    /// Uses per second, sustained for the whole time.
    per_second: u64,
    /// Uses in addition, whatever the time: for bursts and imports.
    extra: u64,
    /// The margin is a multiple of this number, so that people recognize a skip.
    step: u64,
}

/// One store's orders, at the default of `rate_limit.per_minute` on ten servers. Orders that
/// operators import do not count for the rate limit: `extra` covers them.
const NUMBERS: Rate = Rate {
    per_second: 100,
    extra: 100_000,
    step: 1_000_000,
};

/// One store's events. More than a database stores, because each event waits for the row of the
/// store's counter: the highest measured rate is 9,323 orders per second, on SQLite
/// (`docs/PERFORMANCE.md`).
const SEQUENCES: Rate = Rate {
    per_second: 100_000,
    extra: 100_000,
    step: 1_000_000,
};

/// Changes of one order, at the default rate limit of one server.
const VERSIONS: Rate = Rate {
    per_second: 10,
    extra: 100_000,
    step: 1_000_000,
};

/// Batches of the print shop, which operators make.
const BATCHES: Rate = Rate {
    per_second: 1,
    extra: 10_000,
    step: 100_000,
};

/// Clocks that wrote the newest record and that read it may differ by this time, in seconds.
const CLOCK_SECONDS: u64 = 300;
/// Number of servers that a store calls at its rate limit.
const SERVERS: u64 = 10;
/// Number of skipped sequences per order number, if the caller gives the number of orders.
const SEQUENCES_PER_NUMBER: u64 = 100;

/// Maximum margin of versions, far more than changes of one order. Versions are stored in 32 bits.
const MAX_VERSIONS: u32 = 100_000_000;

impl Rate {
    fn margin(&self, seconds: u64) -> u64 {
        let seconds = seconds.saturating_add(CLOCK_SECONDS);
        let used = self
            .per_second
            .saturating_mul(seconds)
            .saturating_add(self.extra);
        used.div_ceil(self.step).saturating_mul(self.step)
    }
}

impl Margins {
    /// Returns margins for `seconds` between the newest record of the database and now.
    /// `calls_per_minute` is the rate limit of a store on one server; a limit above the default, or
    /// none, increases the margin of order numbers.
    pub fn for_seconds(seconds: u64, calls_per_minute: Option<u32>) -> Self {
        let calls = calls_per_minute.map(|calls| u64::from(calls).div_ceil(60));
        // Each order has an event.
        let most = SEQUENCES.per_second;
        let orders = calls.map_or(most, |calls| calls.saturating_mul(SERVERS).min(most));
        let numbers = Rate {
            per_second: NUMBERS.per_second.max(orders),
            ..NUMBERS
        };
        Self {
            numbers: numbers.margin(seconds),
            sequences: SEQUENCES.margin(seconds),
            versions: u32::try_from(VERSIONS.margin(seconds))
                .unwrap_or(MAX_VERSIONS)
                .min(MAX_VERSIONS),
            batches: BATCHES.margin(seconds),
        }
    }

    /// Returns margins of `count` numbers and versions, and a hundred times as many sequences. Zero
    /// skips nothing.
    pub fn of_count(count: u32) -> Self {
        Self {
            numbers: count.into(),
            sequences: u64::from(count).saturating_mul(SEQUENCES_PER_NUMBER),
            versions: count.min(MAX_VERSIONS),
            batches: count.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 3600;

    #[test]
    fn margins_cover_the_sustained_rates_and_are_round() {
        for seconds in [0, 1, 59, 3600, DAY, 30 * DAY] {
            let margins = Margins::for_seconds(seconds, Some(600));
            assert!(margins.numbers >= 100 * seconds + 100_000);
            assert!(margins.sequences >= 100_000 * seconds + 100_000);
            assert!(u64::from(margins.versions) >= 10 * seconds + 100_000);
            assert!(margins.batches >= seconds + 10_000);
            assert_eq!(margins.numbers % 1_000_000, 0);
        }
    }

    #[test]
    fn a_recent_backup_skips_a_million_numbers() {
        let margins = Margins::for_seconds(5, Some(600));
        let expected = Margins {
            numbers: 1_000_000,
            sequences: 31_000_000,
            versions: 1_000_000,
            batches: 100_000,
        };
        assert_eq!(margins, expected);
    }

    #[test]
    fn versions_always_fit_their_column() {
        for margins in [
            Margins::for_seconds(50 * 365 * DAY, None),
            Margins::for_seconds(u64::MAX, Some(600)),
            Margins::of_count(u32::MAX),
        ] {
            assert!(i32::try_from(u64::from(margins.versions) * 20).is_ok());
        }
    }

    #[test]
    fn a_higher_rate_limit_makes_the_margins_larger() {
        let usual = Margins::for_seconds(DAY, Some(600));
        let higher = Margins::for_seconds(DAY, Some(6000));
        assert!(higher.numbers >= 1000 * DAY);
        assert_eq!(higher.versions, usual.versions);
        let unlimited = Margins::for_seconds(DAY, None);
        assert!(unlimited.numbers >= 100_000 * DAY);
        assert_eq!(unlimited.sequences, usual.sequences);
    }
}
