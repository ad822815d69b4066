//! The rate limit of each caller, and the headers that report it.
//!
//! The headers follow draft-ietf-httpapi-ratelimit-headers (RateLimit header fields for HTTP).

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::RateLimiter;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;

use crate::caller::Caller;

/// Checked calls between two removals of callers with a full quota, which keep the table small.
const CLEAN_EVERY: u32 = 4096;

/// Limit on the rate of a caller's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Maximum average of requests per minute. A used quota grows at this rate, up to `burst`.
    pub per_minute: NonZeroU32,
    /// Size of a full quota: the maximum number of requests in a burst after a pause.
    pub burst: NonZeroU32,
}

impl Default for RateLimit {
    fn default() -> Self {
        Self {
            per_minute: NonZeroU32::new(600).unwrap_or(NonZeroU32::MIN),
            burst: NonZeroU32::new(120).unwrap_or(NonZeroU32::MIN),
        }
    }
}

impl RateLimit {
    /// Returns the time in which a quota grows by `requests`, in seconds, rounded up.
    fn seconds_for(self, requests: u32) -> u64 {
        (u64::from(requests) * 60).div_ceil(u64::from(self.per_minute.get()))
    }
}

/// Remaining quota of a caller after a call, for the `RateLimit` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Kind of the caller that has this quota, such as `store`.
    owner: &'static str,
    limit: RateLimit,
    remaining: u32,
}

impl Quota {
    /// Returns the value of `RateLimit-Policy`: the size of a full quota, and the time in seconds
    /// in which an empty quota becomes full again.
    pub fn policy(self) -> String {
        let burst = self.limit.burst.get();
        let seconds = self.limit.seconds_for(burst);
        format!("\"{}\";q={burst};w={seconds}", self.owner)
    }

    /// Returns the value of `RateLimit`: remaining requests, and seconds until the quota is full.
    pub fn state(self) -> String {
        let used = self.limit.burst.get().saturating_sub(self.remaining);
        format!(
            "\"{}\";r={};t={}",
            self.owner,
            self.remaining,
            self.limit.seconds_for(used)
        )
    }
}

type Limiter<C> = RateLimiter<Caller, HashMapStateStore<Caller>, C, StateInformationMiddleware>;

/// Counts the requests of each caller, and compares the count with the caller's [`RateLimit`].
pub struct CallLimiter<C: Clock = DefaultClock> {
    limit: RateLimit,
    limiter: Limiter<C>,
    checks: AtomicU32,
}

/// Result of [`CallLimiter::check`] for one call.
pub struct LimitCheck {
    /// Remaining quota of the caller after the call.
    pub quota: Quota,
    /// Time until the next call is granted; `None` if the checked call is within the quota.
    pub wait: Option<Duration>,
}

impl CallLimiter {
    /// Creates a limiter for `limit` per caller. Every caller begins with a full quota.
    pub fn new(limit: RateLimit) -> Self {
        Self::with_clock(limit, DefaultClock::default())
    }
}

impl<C: Clock> CallLimiter<C> {
    fn with_clock(limit: RateLimit, clock: C) -> Self {
        let quota = governor::Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        Self {
            limit,
            limiter: RateLimiter::hashmap_with_clock(quota, clock).with_middleware(),
            checks: AtomicU32::new(0),
        }
    }

    /// Counts a call of `caller`, unless it exceeds the caller's quota.
    pub fn check(&self, caller: Caller) -> LimitCheck {
        if self.checks.fetch_add(1, Ordering::Relaxed) % CLEAN_EVERY == CLEAN_EVERY - 1 {
            // Removing callers visits all of them, so it is not done at each check.
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        match self.limiter.check_key(&caller) {
            Ok(snapshot) => LimitCheck {
                quota: self.quota(caller, snapshot.remaining_burst_capacity()),
                wait: None,
            },
            Err(not_until) => {
                let wait = not_until.wait_time_from(self.limiter.clock().now());
                LimitCheck {
                    quota: self.quota(caller, 0),
                    wait: Some(wait),
                }
            }
        }
    }

    fn quota(&self, caller: Caller, remaining: u32) -> Quota {
        Quota {
            owner: caller.noun(),
            limit: self.limit,
            remaining,
        }
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use pressline_domain::value::{StoreId, TokenId};
    use uuid::Uuid;

    use super::*;

    fn store(number: u128) -> Caller {
        Caller::Store(StoreId::new(Uuid::from_u128(number)))
    }

    fn limiter(per_minute: u32, burst: u32) -> (CallLimiter<FakeRelativeClock>, FakeRelativeClock) {
        let limit = RateLimit {
            per_minute: per_minute.try_into().unwrap(),
            burst: burst.try_into().unwrap(),
        };
        let clock = FakeRelativeClock::default();
        (CallLimiter::with_clock(limit, clock.clone()), clock)
    }

    #[test]
    fn a_store_gets_its_burst_and_does_not_affect_others() {
        let (limiter, _clock) = limiter(1, 2);
        let first = limiter.check(store(1));
        assert!(first.wait.is_none());
        assert_eq!(first.quota.policy(), "\"store\";q=2;w=120");
        assert_eq!(first.quota.state(), "\"store\";r=1;t=60");
        assert!(limiter.check(store(1)).wait.is_none());
        let refused = limiter.check(store(1));
        assert_eq!(refused.wait, Some(Duration::from_secs(60)));
        assert_eq!(refused.quota.state(), "\"store\";r=0;t=120");
        assert!(limiter.check(store(2)).wait.is_none());
    }

    #[test]
    fn requests_are_granted_again_one_by_one() {
        let (limiter, clock) = limiter(60, 2);
        for _ in 0..2 {
            assert_eq!(limiter.check(store(1)).wait, None);
        }
        clock.advance(Duration::from_millis(999));
        let wait = limiter.check(store(1)).wait;
        assert_eq!(wait, Some(Duration::from_millis(1)));
        clock.advance(Duration::from_millis(1));
        assert_eq!(limiter.check(store(1)).wait, None);
        assert_eq!(limiter.check(store(1)).wait, Some(Duration::from_secs(1)));
    }

    #[test]
    fn a_refused_request_takes_nothing_from_the_quota() {
        let (limiter, clock) = limiter(60, 1);
        assert_eq!(limiter.check(store(1)).wait, None);
        for _ in 0..10 {
            assert_eq!(limiter.check(store(1)).wait, Some(Duration::from_secs(1)));
        }
        clock.advance(Duration::from_secs(1));
        assert_eq!(limiter.check(store(1)).wait, None);
    }

    #[test]
    fn a_long_pause_grants_the_burst_and_no_more() {
        let (limiter, clock) = limiter(60, 3);
        clock.advance(Duration::from_secs(3600));
        let granted = (0..10).filter(|_| limiter.check(store(1)).wait.is_none());
        assert_eq!(granted.count(), 3);
    }

    #[test]
    fn the_headers_count_down_in_seconds_rounded_up() {
        let (limiter, clock) = limiter(600, 120);
        let quota = limiter.check(store(1)).quota;
        assert_eq!(quota.policy(), "\"store\";q=120;w=12");
        assert_eq!(quota.state(), "\"store\";r=119;t=1");
        for _ in 0..10 {
            limiter.check(store(1));
        }
        assert_eq!(limiter.check(store(1)).quota.state(), "\"store\";r=108;t=2");
        clock.advance(Duration::from_secs(60));
        assert_eq!(limiter.check(store(1)).quota.state(), "\"store\";r=119;t=1");
    }

    #[test]
    fn a_token_has_a_quota_of_its_own_under_its_own_name() {
        let (limiter, _clock) = limiter(1, 1);
        let token = Caller::Token(TokenId::new(Uuid::from_u128(1)));
        assert_eq!(limiter.check(store(1)).wait, None);
        let checked = limiter.check(token);
        assert_eq!(checked.wait, None);
        assert_eq!(checked.quota.policy(), "\"token\";q=1;w=60");
        assert!(limiter.check(token).wait.is_some());
    }

    #[test]
    fn stores_with_their_whole_quota_are_forgotten_and_others_are_not() {
        let (limiter, clock) = limiter(60, 1);
        for number in 1..CLEAN_EVERY - 1 {
            limiter.check(store(u128::from(number)));
        }
        clock.advance(Duration::from_secs(10));
        limiter.check(store(0));
        assert_eq!(limiter.limiter.len(), 4095);
        // This check cleans up first.
        assert!(limiter.check(store(0)).wait.is_some());
        assert_eq!(limiter.limiter.len(), 1);
    }
}
