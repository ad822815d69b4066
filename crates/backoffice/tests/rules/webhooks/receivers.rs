//! Receivers of all kinds, and random numbers that are the same in every run.

use pressline_domain::time::Timestamp;

use crate::webhooks::fixture::{FAILED, Response, START, TAKEN};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// How a receiver behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    Healthy,
    Dead,
    /// Does not respond at all between these hours.
    DownBetween(i64, i64),
    EveryTenthFails,
    /// Fails for the events of this order.
    OneOrderFails(u128),
    /// Fails for the events of this order for some hours.
    OneOrderFailsUntil(u128, i64),
    /// Fails so many times in a hundred.
    Flaky(u64),
    /// Asks for a pause so many times in a hundred, of this many seconds.
    Busy(u64, u32),
    /// Asks for pauses and fails, for days.
    BusyAndDead,
    /// Is gone after so many hours.
    GoneAfter(i64),
}

impl Receiver {
    /// Responds to an attempt; also how long that takes, in milliseconds.
    pub(crate) fn respond(
        self,
        order: u128,
        count: u64,
        now: Timestamp,
        random: &mut Random,
    ) -> (Response, u32) {
        let passed = now.millis_since(START);
        let response = match self {
            Self::Healthy => TAKEN,
            Self::Dead => Response::Silence,
            Self::DownBetween(from, to) if (from * HOUR..to * HOUR).contains(&passed) => {
                Response::Silence
            }
            Self::EveryTenthFails if count.is_multiple_of(10) => FAILED,
            Self::OneOrderFails(failing) if failing == order => FAILED,
            Self::OneOrderFailsUntil(failing, until)
                if failing == order && passed < until * HOUR =>
            {
                FAILED
            }
            Self::Flaky(percent) if random.below(100) < percent => FAILED,
            Self::Busy(percent, seconds) if random.below(100) < percent => {
                Response::RetryAfter(429, seconds)
            }
            Self::BusyAndDead if random.below(2) == 0 => Response::RetryAfter(503, 4000),
            Self::BusyAndDead => FAILED,
            Self::GoneAfter(hours) if passed >= hours * HOUR => Response::Status(410),
            _ => TAKEN,
        };
        let duration = match response {
            Response::Silence => 15_000,
            _ => u32::try_from(random.below(400)).unwrap(),
        };
        (response, duration)
    }

    /// When the endpoint is disabled, at the earliest and at the latest; `None` if never.
    pub(crate) fn disabled_at(self) -> Option<(i64, i64)> {
        match self {
            Self::Dead => Some((5 * DAY, 5 * DAY + HOUR)),
            Self::BusyAndDead => Some((5 * DAY, 5 * DAY + 3 * HOUR)),
            Self::GoneAfter(hours) => Some((hours * HOUR, 30 * DAY)),
            _ => None,
        }
    }
}

/// SplitMix64, by Sebastiano Vigna, in the public domain.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
