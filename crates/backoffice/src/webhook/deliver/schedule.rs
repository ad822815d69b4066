//! Due times of messages, probes and pauses.

use pressline_domain::value::Timestamp;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Delays between the attempts of a message, in milliseconds: 75.6 hours in total.
const RETRIES: [i64; 9] = [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
];

/// Number of attempts after which a message is given up.
pub const MAX_ATTEMPTS: u32 = 10;

/// Delays before the probes of a paused endpoint, in milliseconds. The last delay is repeated.
const PROBES: [i64; 6] = [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
];

/// Maximum time that an event waits for an earlier event of its order, in milliseconds.
pub(super) const WAIT: i64 = 15 * MINUTE;

/// Minimum and maximum pause to ask for, in milliseconds. The minimum prevents a tight loop.
const ASKED: (i64, i64) = (SECOND, DAY);

/// Time without a successful attempt after which an endpoint is disabled, in milliseconds.
pub(super) const GIVE_UP: i64 = 5 * DAY;

/// Maximum time that the sandbox holds an event back for the next event, in milliseconds.
pub(super) const REORDER: i64 = 10 * SECOND;

/// Returns the next attempt after number `attempts` failed at `ended`; `None` after the last
/// attempt. Any `jitter` changes the delay by up to 20 % in both directions.
pub(super) fn retry_at(ended: Timestamp, attempts: u32, jitter: u32) -> Option<Timestamp> {
    let place = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let delay = RETRIES.get(place)?;
    let thousandths = 800 + i64::from(jitter % 401);
    Some(ended.plus_millis(delay * thousandths / 1000))
}

pub(super) fn probe_at(ended: Timestamp, probes: u32) -> Timestamp {
    let place = usize::try_from(probes).unwrap_or(usize::MAX);
    let [.., last] = PROBES;
    ended.plus_millis(PROBES.get(place).copied().unwrap_or(last))
}

pub(super) fn asked_until(ended: Timestamp, seconds: u32) -> Timestamp {
    let (least, limit) = ASKED;
    ended.plus_millis((i64::from(seconds) * SECOND).clamp(least, limit))
}
