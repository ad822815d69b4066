//! Readiness of the master key and of the clock, which `serve` needs besides its database.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_auth::{Sealer, StoreAuthenticator};
use pressline_domain::store::{KeyIssuer, StoreDirectory};
use pressline_http::{Check, Readiness};

use crate::clock::ClockMonitor;

/// Dependencies of `serve` besides the database. Secret keys that cannot be opened only cause a
/// notice: the service stays ready.
pub(crate) struct ServeReadiness {
    pub(crate) stores: Arc<dyn StoreDirectory>,
    pub(crate) sealer: Arc<Sealer>,
    pub(crate) authenticator: Arc<StoreAuthenticator>,
    pub(crate) clock: Arc<ClockMonitor>,
    /// Deficiencies of the database, found at the start.
    pub(crate) deficiencies: Vec<String>,
}

#[async_trait]
impl Readiness for ServeReadiness {
    /// The clock has a check only if it is wrong.
    async fn checks(&self) -> Vec<Check> {
        let clock = self.clock.problem().map(|problem| Check {
            name: "clock",
            problem: Some(problem),
            notice: None,
        });
        self.key().await.into_iter().chain(clock).collect()
    }

    fn warnings(&self) -> Vec<String> {
        let deficiencies = self.deficiencies.iter().cloned();
        deficiencies.chain(self.clock.warnings()).collect()
    }
}

impl ServeReadiness {
    /// Returns no check if the database cannot be read, because another check reports the failure.
    async fn key(&self) -> Option<Check> {
        let Ok(seals) = self.stores.sealing_key().await else {
            return None;
        };
        let problem = seals.and_then(|seals| self.sealer.require(seals).err());
        let unreadable = self.authenticator.unreadable_keys();
        let notice = (unreadable > 0).then(|| {
            format!("secret keys that cannot be opened: {unreadable}; their stores get 503, and the log names them")
        });
        Some(Check {
            name: "key",
            problem: problem.map(|error| error.to_string()),
            notice,
        })
    }
}
