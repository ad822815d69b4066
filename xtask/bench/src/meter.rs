//! What a measurement takes of processors, and what it writes to PostgreSQL's log.

use crate::BenchError;
use crate::database::Cluster;
use crate::figures::{Round, WalFigures};
use crate::service::Server;

/// Readings of all counters at one moment.
pub(crate) struct Meter {
    /// CPU seconds.
    service: f64,
    database: f64,
    /// Nothing while PostgreSQL is stopped.
    wal: Option<WalFigures>,
}

impl Meter {
    /// Reads the counters of the cluster, and of a server.
    pub(crate) fn read(cluster: &Cluster, server: Option<&Server>) -> Result<Self, BenchError> {
        Ok(Self {
            service: server.map_or(Ok(0.0), Server::cpu)?,
            database: cluster.cpu()? + server.map_or(Ok(0.0), Server::nodes_cpu)?,
            wal: cluster.wal()?,
        })
    }

    /// What each of so many operations took between an earlier reading and this one.
    pub(crate) fn since(&self, before: &Self, operations: f64) -> Round {
        let wal = self.wal.zip(before.wal).map(|(now, then)| WalFigures {
            bytes: (now.bytes - then.bytes) / operations,
            page_images: (now.page_images - then.page_images) / operations,
        });
        Round {
            operations,
            service_cpu: (self.service - before.service) / operations * 1000.0,
            database_cpu: (self.database - before.database) / operations * 1000.0,
            wal,
            ..Round::default()
        }
    }
}
