//! CPU time of service and database in a window.

use crate::database::Cluster;
use crate::error::BenchError;
use crate::figures::{Figure, Round};
use crate::load::LoadResult;
use crate::service::Server;

/// CPU seconds of service and database at a point in time.
pub(crate) struct Meter {
    pub(crate) service: f64,
    pub(crate) database: f64,
}

impl Meter {
    pub(crate) fn read(cluster: &Cluster, server: Option<&Server>) -> Result<Self, BenchError> {
        Ok(Self {
            service: server.map_or(Ok(0.0), Server::cpu)?,
            database: cluster.cpu()? + server.map_or(Ok(0.0), Server::nodes_cpu)?,
        })
    }

    /// CPU seconds between `self` and `now` per 1000 operations.
    pub(crate) fn since(&self, now: &Self, operations: f64) -> [(Figure, f64); 3] {
        let each = |seconds: f64| seconds / operations.max(1.0) * 1000.0;
        let service = each(now.service - self.service);
        let database = each(now.database - self.database);
        [
            (Figure::ServiceCpu, service),
            (Figure::DatabaseCpu, database),
            (Figure::Cpu, service + database),
        ]
    }

    /// Figures of a load that began at this reading. Rate and latencies count only responses with
    /// `status`.
    pub(crate) fn round(
        &self,
        cluster: &Cluster,
        server: &Server,
        result: &LoadResult,
        status: u16,
    ) -> Result<Round, BenchError> {
        let responses = result.responses() as f64;
        let latencies = result.of(status);
        let round = Round::default().with([
            (Figure::Operations, responses),
            (Figure::Rate, result.rate_of(status)),
            (Figure::P50, latencies.percentile(50)),
            (Figure::P99, latencies.percentile(99)),
            (Figure::ClientBusy, result.busy()),
        ]);
        let now = Self::read(cluster, Some(server))?;
        Ok(round.with(self.since(&now, responses)))
    }
}
