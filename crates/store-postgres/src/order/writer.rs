//! The connection that writes orders, in groups.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{
    GroupJob as _, GroupWriter, OrderJob, ProbeResult, ProbeSize, StatementScope,
};

use super::lists::ListBuilder;
use super::write::{self, WriteOutcome, chunk};
use crate::error::Remedy;
use crate::migrations::Migrator;
use crate::session::{Manager, Plans};
use crate::{citus, probe, retry};

/// Maximum number of reconnections while a group is written. The first connection may have been
/// closed while it was idle; the second was then lost while the group was written.
const RECONNECTS: u32 = 2;

/// Connects when the first group arrives, and again after it has lost the connection.
pub(crate) struct Writer {
    manager: Manager,
    migrator: Arc<Migrator>,
    connection: Option<PgConnection>,
    chunk: i64,
    lists: Arc<ListBuilder>,
}

impl Writer {
    pub(crate) fn new(
        manager: Manager,
        migrator: Arc<Migrator>,
        chunk: i64,
        lists: Arc<ListBuilder>,
    ) -> Self {
        Self {
            manager,
            migrator,
            connection: None,
            chunk,
            lists,
        }
    }

    /// Connects again if the connection is lost.
    pub(crate) fn probe(&mut self, size: ProbeSize) -> ProbeResult {
        // One attempt to connect: callers ask again soon.
        let deadline = Instant::now();
        for _ in 0..=RECONNECTS {
            let work = |connection: &mut PgConnection| probe::write(connection, size);
            return match self.manager.run(&mut self.connection, deadline, work) {
                Ok(()) => ProbeResult::Written,
                Err((Remedy::Reconnect, _)) => continue,
                Err((_, error @ RepositoryError::Timeout(_))) => ProbeResult::Busy(error),
                Err((_, error)) => ProbeResult::Failed(error),
            };
        }
        ProbeResult::Failed(RepositoryError::Unavailable(
            "connections are lost as soon as they are made, or can only read".into(),
        ))
    }

    fn create_functions(&self) -> Result<(), RepositoryError> {
        let created = self
            .migrator
            .change_schema(|connection| Ok(citus::ensure(connection)?));
        created.map_err(|error| {
            tracing::error!(
                %error,
                "cannot create the functions that write orders; all writes of orders fail; \
                 run `pressline migrate` as the owner of the tables"
            );
            RepositoryError::Unavailable(error.into())
        })
    }

    /// Begins a new chunk in each store in which the orders of `jobs` completed a chunk.
    fn begin_chunks(
        &mut self,
        deadline: Instant,
        jobs: &[OrderJob],
        outcomes: &[Result<WriteOutcome, RepositoryError>],
    ) {
        for (job, outcome) in jobs.iter().zip(outcomes) {
            let (OrderJob::Create(_), Ok(WriteOutcome::Stored(order))) = (job, outcome) else {
                continue;
            };
            // Counts by numbers, which need no query. Gaps only make a chunk smaller.
            if order.service_order_id.number % self.chunk != 0 {
                continue;
            }
            let begin = |connection: &mut PgConnection| Ok(chunk::begin(connection, job.store())?);
            let begun = self.manager.run(&mut self.connection, deadline, begin);
            // The orders are stored in any case. The chunk becomes larger.
            match begun {
                Ok(()) => self.lists.chunk_closed(job.store()),
                Err((_, error)) => {
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
        let (mut reconnects, mut conflicts, mut has_functions) = (0, 0, false);
        loop {
            let manager = &self.manager;
            let written = manager.run(&mut self.connection, deadline, |connection| {
                write::write(connection, jobs, manager.nodes())
            });
            let (remedy, error) = match written {
                Ok(outcomes) => {
                    self.begin_chunks(deadline, jobs, &outcomes);
                    return Ok(outcomes);
                }
                Err(failed) => failed,
            };
            // The lost transaction may have been committed, so that a refusal of the next attempt
            // is in doubt.
            if remedy == Remedy::Reconnect {
                jobs.iter_mut().for_each(OrderJob::doubt);
            }
            match remedy {
                Remedy::Reconnect if reconnects < RECONNECTS => reconnects += 1,
                Remedy::TryAgain if conflicts < retry::CONFLICTS => {
                    conflicts += 1;
                    thread::sleep(retry::pause(conflicts));
                }
                // A later version has dropped the functions, or the service was updated without
                // `migrate`.
                Remedy::CreateFunctions if !has_functions => {
                    self.create_functions()?;
                    has_functions = true;
                }
                _ => return Err(error),
            }
        }
    }

    fn separates_stores(&mut self) -> bool {
        if self.connection.is_none() {
            // The first connection finds out. If it cannot be made, the next write returns the
            // reason.
            self.connection = self.manager.open(Plans::Once).ok();
        }
        self.manager.nodes().scope() == StatementScope::OneStore
    }

    fn reset(&mut self) {
        self.connection = None;
    }
}
