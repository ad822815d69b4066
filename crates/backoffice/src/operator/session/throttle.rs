//! Limits on sign-in attempts.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{MINUTE, SessionError};
use pressline_domain::value::Timestamp;
use pressline_kit::lock;

type Result<T, E = SessionError> = std::result::Result<T, E>;

/// Maximum number of sign-in attempts with the same operator name per minute.
const OF_NAME: usize = 5;
/// Maximum number of sign-in attempts from the same IPv4 address or IPv6 network per minute.
const FROM_ADDRESS: usize = 20;
/// Maximum number of sign-in attempts per minute from an IPv6 site: all networks of a customer.
const FROM_SITE: usize = 100;
/// Maximum number of names, and of addresses, counted at the same time: about 5 MB. Attempts with
/// further names and addresses are refused. If counted names were forgotten instead, a flood of
/// names could reset the count of a name.
const COUNTED: usize = 10_000;
/// Leading bits of an IPv6 network. A client usually has a whole network, so networks are counted.
const NETWORK_BITS: u32 = 64;
/// Leading bits of an IPv6 site: providers give a customer up to 65,536 networks.
const SITE_BITS: u32 = 48;

#[derive(Debug, Default)]
pub(super) struct SignInThrottle(Mutex<AttemptCounts>);

#[derive(Debug, Default)]
struct AttemptCounts {
    /// Attempts with each name, keyed by the digest of the name: a long name takes no more memory.
    names: Recent<[u8; 32]>,
    addresses: Recent<IpAddr>,
    sites: Recent<Ipv6Addr>,
}

/// Times of attempts within the last minute.
type Recent<K> = HashMap<K, VecDeque<Timestamp>>;

impl SignInThrottle {
    /// Call it before the password is compared. Fails if the name, address or IPv6 site has reached
    /// its limit of attempts per minute, or too many names or addresses are counted already.
    pub(super) fn with_name(&self, name: &str, from: IpAddr, now: Timestamp) -> Result<()> {
        // The name comes last: attempts refused by address must not use up the attempts of a name.
        let mut counted = lock(&self.0);
        if let Some(site) = site(from) {
            count(&mut counted.sites, site, FROM_SITE, now)?;
        }
        count(&mut counted.addresses, network(from), FROM_ADDRESS, now)?;
        let digest = Sha256::digest(name.as_bytes()).into();
        count(&mut counted.names, digest, OF_NAME, now)
    }
}

fn network(address: IpAddr) -> IpAddr {
    // An IPv4 address mapped to IPv6 must not be counted as a separate address.
    match address.to_canonical() {
        IpAddr::V6(address) => first_bits(address, NETWORK_BITS).into(),
        address @ IpAddr::V4(_) => address,
    }
}

fn site(address: IpAddr) -> Option<Ipv6Addr> {
    match address.to_canonical() {
        IpAddr::V6(address) => Some(first_bits(address, SITE_BITS)),
        IpAddr::V4(_) => None,
    }
}

fn first_bits(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    let mask = u128::MAX << (Ipv6Addr::BITS - bits);
    Ipv6Addr::from_bits(address.to_bits() & mask)
}

/// Refuses, and does not count, an attempt beyond `most` or without room for its `key`.
fn count<K: Eq + Hash>(recent: &mut Recent<K>, key: K, most: usize, now: Timestamp) -> Result<()> {
    if !recent.contains_key(&key) && recent.len() >= COUNTED {
        // Old attempts are removed only if the map is full, because this visits every key.
        recent.retain(|_, attempts| {
            forget_old(attempts, now);
            !attempts.is_empty()
        });
        if recent.len() >= COUNTED {
            return Err(too_many(MINUTE));
        }
    }
    let attempts = recent.entry(key).or_default();
    forget_old(attempts, now);
    match attempts.front() {
        Some(oldest) if attempts.len() >= most => Err(too_many(MINUTE - now.millis_since(*oldest))),
        _ => {
            attempts.push_back(now);
            Ok(())
        }
    }
}

/// Also removes future attempts, which stem from before the clock was set back.
fn forget_old(attempts: &mut VecDeque<Timestamp>, now: Timestamp) {
    attempts.retain(|tried| (0..MINUTE).contains(&now.millis_since(*tried)));
}

fn too_many(millis: i64) -> SessionError {
    let millis = u64::try_from(millis).unwrap_or_default();
    // Rounded up to whole seconds: a caller that waits this long must not be refused again.
    let retry_after = Duration::from_secs(millis.div_ceil(1000));
    SessionError::TooManyTries { retry_after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn seconds(refused: Result<(), SessionError>) -> u64 {
        match refused {
            Err(SessionError::TooManyTries { retry_after }) => retry_after.as_secs(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_has_5_tries_within_any_minute() {
        let throttle = SignInThrottle::default();
        for second in 0..5 {
            let from = address(&format!("192.0.2.{second}"));
            throttle.with_name("Ana", from, at(second)).unwrap();
        }
        let from = address("198.51.100.1");
        assert_eq!(seconds(throttle.with_name("Ana", from, at(10))), 50);
        // Names with another case are counted separately.
        throttle.with_name("ana", from, at(10)).unwrap();
        assert_eq!(seconds(throttle.with_name("Ana", from, at(59))), 1);
        throttle.with_name("Ana", from, at(60)).unwrap();
        assert_eq!(seconds(throttle.with_name("Ana", from, at(60))), 1);
    }

    #[test]
    fn an_address_has_20_tries_within_any_minute() {
        let throttle = SignInThrottle::default();
        let from = address("192.0.2.1");
        for name in 0..20 {
            throttle.with_name(&name.to_string(), from, at(0)).unwrap();
        }
        assert_eq!(seconds(throttle.with_name("Ana", from, at(2))), 58);
        let elsewhere = address("192.0.2.2");
        throttle.with_name("Ana", elsewhere, at(2)).unwrap();
    }

    #[test]
    fn an_ipv6_site_has_100_tries_within_any_minute() {
        let throttle = SignInThrottle::default();
        for number in 0..100 {
            let from = address(&format!("2001:db8:1:{number:x}::1"));
            throttle
                .with_name(&number.to_string(), from, at(0))
                .unwrap();
        }
        let from = address("2001:db8:1:ffff::1");
        assert_eq!(seconds(throttle.with_name("Ana", from, at(2))), 58);
        let elsewhere = address("2001:db8:2::1");
        throttle.with_name("Ana", elsewhere, at(2)).unwrap();
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        assert_eq!(network(address("2001:db8::1:2:3:4")), address("2001:db8::"));
        assert_eq!(network(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_eq!(network(address("192.0.2.1")), address("192.0.2.1"));
    }

    #[test]
    fn a_flood_of_names_takes_bounded_memory_and_resets_no_count() {
        let mut recent = Recent::default();
        let mut take = |key, second| count(&mut recent, key, OF_NAME, at(second));
        for _ in 0..OF_NAME {
            take(0, 0).unwrap();
        }
        for key in 1..COUNTED {
            take(key, 1).unwrap();
        }
        assert_eq!(seconds(take(COUNTED, 2)), 60);
        assert_eq!(seconds(take(0, 2)), 58);
        take(COUNTED, 61).unwrap();
        assert_eq!(recent.len(), 1);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_no_name_out() {
        let throttle = SignInThrottle::default();
        let from = address("192.0.2.1");
        for _ in 0..5 {
            throttle.with_name("Ana", from, at(1000)).unwrap();
        }
        throttle.with_name("Ana", from, at(0)).unwrap();
    }
}
