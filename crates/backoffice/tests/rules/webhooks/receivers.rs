//! Receivers of all kinds, and seeded random numbers that are the same in every run.

use pressline_domain::value::Timestamp;

use crate::webhooks::fixture::{FAILED, Response, START, TAKEN};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    Healthy,
    Dead,
    /// Does not respond between the two hours.
    DownBetween(i64, i64),
    EveryTenthFails,
    OneOrderFails(u128),
    /// Fails for the events of an order until the given hour.
    OneOrderFailsUntil(u128, i64),
    /// Percentage of attempts that fail.
    Flaky(u64),
    /// Percentage of attempts that get 429, and the `Retry-After` in seconds.
    Busy(u64, u32),
    /// Alternates at random between 503 with `Retry-After` and 500, without end.
    BusyAndDead,
    /// Responds with 410 from an hour on.
    GoneAfter(i64),
}

impl Receiver {
    /// Returns the response and its duration in milliseconds; `count` is the number of the attempt.
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

    /// Range of milliseconds after which the endpoint is disabled; `None` if it remains enabled.
    pub(crate) fn disabled_at(self) -> Option<(i64, i64)> {
        match self {
            Self::Dead => Some((5 * DAY, 5 * DAY + HOUR)),
            Self::BusyAndDead => Some((5 * DAY, 5 * DAY + 3 * HOUR)),
            Self::GoneAfter(hours) => Some((hours * HOUR, 30 * DAY)),
            _ => None,
        }
    }
}

/// SplitMix64 by Sebastiano Vigna (public domain).
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
