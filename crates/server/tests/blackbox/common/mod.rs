//! Shared by the tests: a service to call, a client that signs by itself, and correct requests.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::thread;
use std::time::{Duration, Instant};

mod check;
mod client;
mod http;
mod process;
mod receiver;
mod sample;
mod site;

pub(crate) use check::{
    ErrorBody, assert_counts, assert_error, assert_members, assert_order, assert_warns, strings,
    warnings,
};
pub(crate) use client::{Client, PATHS, PLAIN, compact, sign, sign_hex, unix_seconds};
pub(crate) use http::{Connection, Request, Response, try_get, try_send};
pub(crate) use process::{Finished, Server, terminal};
pub(crate) use receiver::{Receiver, permitting, status};
pub(crate) use sample::{CATALOG, address, customer, item, label, order, update};
pub(crate) use site::{MASTER_KEY, Site, clean_command, workspace};

/// Limit of whatever has no limit of its own; only a failing test waits that long.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// Calls `look` until it returns a value, ever less often: many calls of a service take the processor time that
/// it needs itself. Fails the test after `limit`.
pub(crate) fn wait_for<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            begin.elapsed() < limit,
            "waited {limit:?} in vain for {what}"
        );
        thread::sleep(pause_after(begin.elapsed()));
    }
}

/// Returns the time until the next look at a condition that has been waited for since `waited`.
pub(crate) fn pause_after(waited: Duration) -> Duration {
    (waited / 10).clamp(Duration::from_millis(5), Duration::from_millis(50))
}

/// A random number below this one.
pub(crate) fn random_below(limit: usize) -> usize {
    // The keys of the standard library's hash tables are random.
    let random = RandomState::new().build_hasher().finish();
    usize::try_from(random % limit as u64).unwrap()
}

/// Makes a test of each function for SQLite and one for PostgreSQL; it gets a site of its own.
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&$crate::common::Site::sqlite()); })+
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(&$crate::common::Site::postgres()); })+
        }
    };
}
pub(crate) use on_both_databases;
