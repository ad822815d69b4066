//! The connection that writes orders, in groups.

use std::thread;
use std::time::Instant;

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupJob as _, GroupWriter, OrderJob, ProbeResult, ProbeSize};

use super::lists::ClosedChunks;
use super::write::{self, Stores, WriteOutcome, chunk};
use crate::error::{Remedy, remedy_of, repository};
use crate::session::{Manager, Plans, is_broken};
use crate::{probe, retry};

/// Maximum number of reconnections while a group is written. The first connection may have been
/// closed while it was idle; the second was then lost while the group was written.
const RECONNECTS: u32 = 2;

/// Connects when the first group arrives, and again after it has lost the connection.
pub(crate) struct Writer {
    manager: Manager,
    connection: Option<PgConnection>,
    chunk: i64,
    closed_chunks: ClosedChunks,
}

impl Writer {
    pub(crate) fn new(manager: Manager, chunk: i64, closed_chunks: ClosedChunks) -> Self {
        Self {
            manager,
            connection: None,
            chunk,
            closed_chunks,
        }
    }
}

impl Writer {
    /// Connects again if the connection is lost.
    pub(crate) fn probe(&mut self, size: ProbeSize) -> ProbeResult {
        // One attempt to connect: callers ask again soon.
        let deadline = Instant::now();
        for _ in 0..=RECONNECTS {
            let connection = self.connection.take();
            let connect = || self.manager.connect(Plans::Once, deadline);
            let mut connection = match connection.map_or_else(connect, Ok) {
                Ok(connection) => connection,
                Err(error) => return ProbeResult::Failed(error),
            };
            let started = Instant::now();
            let probed = self
                .manager
                .with_settings(&mut connection, Plans::Once, |connection| {
                    probe::write(connection, size)
                });
            let failure = match probed {
                Ok(()) => {
                    self.connection = Some(connection);
                    return ProbeResult::Written;
                }
                Err(failure) => failure,
            };
            if remedy_of(&failure) == Remedy::Reconnect {
                continue;
            }
            self.connection = Some(connection);
            return match self.manager.error(failure, started.elapsed()) {
                error @ RepositoryError::Timeout(_) => ProbeResult::Busy(error),
                error => ProbeResult::Failed(error),
            };
        }
        ProbeResult::Failed(RepositoryError::Unavailable(
            "connections are lost as soon as they are made, or can only read".into(),
        ))
    }
}

impl Writer {
    /// Begins a new chunk in each store in which the orders of `jobs` completed a chunk.
    fn begin_chunks(
        &self,
        connection: &mut PgConnection,
        jobs: &[OrderJob],
        done: &[Result<WriteOutcome, RepositoryError>],
    ) {
        for (job, done) in jobs.iter().zip(done) {
            let (OrderJob::Create(_), Ok(WriteOutcome::Stored(order))) = (job, done) else {
                continue;
            };
            // Counts by numbers, which need no query. Gaps only make a chunk smaller.
            if order.service_order_id.number % self.chunk != 0 {
                continue;
            }
            let begun = self
                .manager
                .with_settings(connection, Plans::Once, |connection| {
                    Ok(chunk::begin(connection, job.store())?)
                });
            // The orders are stored in any case. The chunk becomes larger, and the next group finds
            // out whether the connection still works.
            match begun {
                Ok(()) => self.closed_chunks.report(job.store()),
                Err(failure) => {
                    let error = repository(failure, false);
                    tracing::warn!(%error, store = %job.store(), "no chunk of orders was begun");
                }
            }
        }
    }
}

impl GroupWriter for Writer {
    type Job = OrderJob;
    type Output = WriteOutcome;

    /// Repeats the write after a lost connection or a conflict. This is safe even if the connection
    /// was lost after the commit: the next attempt reports new orders as duplicates, so that the
    /// use case compares them with the stored orders, and changes as unsettled.
    fn write(
        &mut self,
        jobs: &mut [OrderJob],
        deadline: Instant,
    ) -> Result<Vec<Result<WriteOutcome, RepositoryError>>, RepositoryError> {
        let (mut reconnects, mut conflicts) = (0, 0);
        loop {
            let mut connection = match self.connection.take() {
                Some(connection) => connection,
                None => self.manager.connect(Plans::Once, deadline)?,
            };
            let started = Instant::now();
            let stores = match self.manager.is_distributed() {
                true => Stores::One,
                false => Stores::Any,
            };
            let written = self
                .manager
                .with_settings(&mut connection, Plans::Once, |connection| {
                    write::write(connection, jobs, stores)
                });
            let failure = match written {
                Ok(done) => {
                    self.begin_chunks(&mut connection, jobs, &done);
                    self.connection = Some(connection);
                    return Ok(done);
                }
                Err(failure) => failure,
            };
            let remedy = remedy_of(&failure);
            // The lost transaction may have been committed, so that a refusal of the next attempt
            // is in doubt.
            if remedy == Remedy::Reconnect {
                jobs.iter_mut().for_each(OrderJob::doubt);
            }
            if remedy != Remedy::Reconnect && !is_broken(&mut connection) {
                self.connection = Some(connection);
            }
            match remedy {
                Remedy::Reconnect if reconnects < RECONNECTS => reconnects += 1,
                Remedy::TryAgain if conflicts < retry::CONFLICTS => {
                    conflicts += 1;
                    thread::sleep(retry::pause(conflicts));
                }
                _ => return Err(self.manager.error(failure, started.elapsed())),
            }
        }
    }

    fn separates_stores(&mut self) -> bool {
        if self.connection.is_none() {
            // The first connection finds out. If it cannot be made, the next write returns the
            // reason.
            self.connection = self.manager.open(Plans::Once).ok();
        }
        self.manager.is_distributed()
    }

    fn reset(&mut self) {
        self.connection = None;
    }
}
