//! The time limit of reads.
//!
//! diesel offers neither `sqlite3_interrupt` nor a progress handler, and calling them would need
//! unsafe code. Statements that can take long therefore call the SQL function `within_time()` for
//! each row that they read. After the time limit the function fails, which ends the statement like
//! any other error.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::serialize::{IsNull, Output, Result as ToSqlResult, ToSql};
use diesel::sql_types::Bool;
use diesel::sqlite::{Sqlite, SqliteConnection};

diesel::define_sql_function! {
    /// Returns `true`, or an error after the time limit of the connection's work.
    fn within_time() -> Bool;
}

/// Number of calls of `within_time()` between two looks at the clock. 64 calls take less than a
/// millisecond.
const CALLS_PER_LOOK: u32 = 64;

/// Start of the error message of a statement that `within_time()` ends.
pub(crate) const TIME_IS_OVER: &str = "the time limit of reads is over";

#[derive(Debug, Clone)]
pub(crate) struct TimeLimit {
    opened: Instant,
    /// End of the time limit, in microseconds after `opened`; `u64::MAX` for no limit.
    end: Arc<AtomicU64>,
}

impl TimeLimit {
    pub(crate) fn install(connection: &mut SqliteConnection) -> QueryResult<Self> {
        let limit = Self {
            opened: Instant::now(),
            end: Arc::new(AtomicU64::new(u64::MAX)),
        };
        let (installed, mut calls) = (limit.clone(), 0_u32);
        within_time_utils::register_nondeterministic_impl(connection, move || {
            calls = calls.wrapping_add(1);
            WithinTime(calls % CALLS_PER_LOOK != 0 || installed.look())
        })?;
        Ok(limit)
    }

    pub(crate) fn begin(&self, time: Duration) {
        let end = self.opened.elapsed().saturating_add(time).as_micros();
        self.end
            .store(u64::try_from(end).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns whether time is left. Lets waiting threads run first: otherwise threads that serve
    /// short calls would wait until the system interrupts the thread of a long read.
    fn look(&self) -> bool {
        thread::yield_now();
        self.opened.elapsed().as_micros() <= u128::from(self.end.load(Ordering::Relaxed))
    }
}

/// Result of `within_time()`: `true` if time is left; `false` becomes an error.
#[derive(Debug)]
struct WithinTime(bool);

impl ToSql<Bool, Sqlite> for WithinTime {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> ToSqlResult {
        if !self.0 {
            return Err(TIME_IS_OVER.into());
        }
        out.set_value(1);
        Ok(IsNull::No)
    }
}
