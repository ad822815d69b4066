//! Helpers for all tests: a service to call, a client with its own signatures, and valid requests.

use std::hash::{BuildHasher, Hasher, RandomState};

mod check;
mod client;
mod http;
mod process;
mod receiver;
mod sample;
mod site;
mod wait;

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
pub(crate) use wait::{TIMEOUT, pause_after, wait_for};

/// Returns a random number below `limit`.
pub(crate) fn random_below(limit: usize) -> usize {
    // The hash keys of the standard library's hash maps are random.
    let random = RandomState::new().build_hasher().finish();
    usize::try_from(random % limit as u64).unwrap()
}

/// Makes two tests of each function, for SQLite and PostgreSQL, each with its own site.
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
