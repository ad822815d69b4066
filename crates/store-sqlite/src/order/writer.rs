//! The connection that writes orders, in groups.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::Result;
use pressline_domain::order::Order;
use pressline_store_kit::{GroupWriter, OrderJob, ProbeResult, ProbeSize};

use super::write;
use crate::checkpoint::Checkpoints;
use crate::connection::{Opener, Purpose, is_broken};
use crate::error::{Failure, is_locked, repository};
use crate::probe;

/// Opens its connection when the first group arrives.
pub(crate) struct Writer {
    opener: Arc<Opener>,
    connection: Option<SqliteConnection>,
    checkpoints: Checkpoints,
    orders_of_chunk: i64,
}

impl Writer {
    /// Also starts the thread that keeps the write-ahead log short.
    pub(crate) fn new(opener: &Arc<Opener>, orders_of_chunk: i64) -> io::Result<Self> {
        Ok(Self {
            opener: Arc::clone(opener),
            connection: None,
            checkpoints: Checkpoints::start(opener)?,
            orders_of_chunk,
        })
    }

    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
    ) -> Result<T> {
        // Writes to a deleted or replaced file would be lost.
        self.opener.watch().check()?;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.opener.open(Purpose::Write)?,
        };
        let result = work(&mut connection);
        if is_broken(&mut connection) {
            self.opener.watch().closing();
        } else {
            if result.is_ok() {
                self.opener.watch().wrote();
                self.checkpoints.wrote();
            }
            self.connection = Some(connection);
        }
        result.map_err(repository)
    }

    pub(crate) fn probe(&mut self, size: ProbeSize) -> ProbeResult {
        match self.run(|connection| probe::write(connection, size)) {
            Ok(()) => ProbeResult::Written,
            Err(error) if is_locked(&error) => ProbeResult::Busy(error),
            Err(error) => ProbeResult::Failed(error),
        }
    }
}

impl GroupWriter for Writer {
    type Job = OrderJob;
    type Output = Order;

    /// Ignores `_deadline`: SQLite itself waits while the file is busy, up to its own timeout.
    fn write(&mut self, jobs: &mut [OrderJob], _deadline: Instant) -> Result<Vec<Result<Order>>> {
        let orders_of_chunk = self.orders_of_chunk;
        self.run(|connection| write(connection, jobs, orders_of_chunk))
    }

    fn reset(&mut self) {
        self.opener.watch().closing();
        self.connection = None;
    }
}
