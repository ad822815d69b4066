//! State of the program and its database, for the console.

use std::sync::Arc;
use std::time::Instant;

use pressline_console::{DatabaseState, SystemState, SystemStateFuture, SystemStatus};
use pressline_domain::error::Result;
use pressline_domain::runtime::Clock;
use pressline_host::logging;

use crate::clock::ClockMonitor;
use crate::database::Database;
use crate::version;

pub(crate) struct ServerStatus {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) monitor: Arc<ClockMonitor>,
    pub(crate) deficiencies: Vec<String>,
    pub(crate) started: Instant,
}

impl SystemStatus for ServerStatus {
    fn state(&self) -> SystemStateFuture<'_> {
        Box::pin(async {
            let database = self.database_state().await;
            let pending_migrations = self.database.pending().await;
            let disk = self.database.ping().await;
            // After the ping, so that its own refusal counts.
            let queue = self.database.writes();
            SystemState {
                version: version::TEXT.as_str(),
                uptime: self.started.elapsed(),
                database,
                pending_migrations,
                disk,
                waiting_writes: queue.waiting,
                refused_writes: queue.refused,
                dropped_log_lines: logging::dropped(),
                warnings: self.warnings(),
            }
        })
    }
}

impl ServerStatus {
    fn warnings(&self) -> Vec<String> {
        let deficiencies = self.deficiencies.iter().cloned();
        deficiencies.chain(self.monitor.warnings()).collect()
    }

    async fn database_state(&self) -> Result<DatabaseState> {
        let facts = self.database.cold().facts().await?;
        let here = self.clock.now();
        Ok(DatabaseState {
            software: format!("{} {}", self.database.engine(), facts.version),
            bytes: facts.bytes,
            clock_difference: facts
                .now
                .map(|there| here.millis_since(there).unsigned_abs()),
        })
    }
}
