//! Readiness of the master key, which `serve` needs besides its database, and a notice about a
//! restored database.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_auth::{Sealer, StoreAuthenticator};
use pressline_domain::store::{KeyIssuer, StoreDirectory};
use pressline_http::{Check, Readiness};

/// Secret keys that cannot be opened only cause a notice: the service stays ready.
pub(crate) struct KeyReadiness {
    pub(crate) stores: Arc<dyn StoreDirectory>,
    pub(crate) sealer: Arc<Sealer>,
    pub(crate) authenticator: Arc<StoreAuthenticator>,
    /// Notice that the database was restored; `None` if it was not.
    pub(crate) restored: Option<String>,
}

#[async_trait]
impl Readiness for KeyReadiness {
    /// Returns no check if the database cannot be read, because another check reports the failure.
    async fn checks(&self) -> Vec<Check> {
        let Ok(seals) = self.stores.sealing_key().await else {
            return Vec::new();
        };
        let problem = seals.and_then(|seals| self.sealer.require(seals).err());
        let unreadable = self.authenticator.unreadable_keys();
        let notice = (unreadable > 0).then(|| {
            format!("secret keys that cannot be opened: {unreadable}; their stores get 503, and the log names them")
        });
        let key = Check {
            name: "key",
            problem: problem.map(|error| error.to_string()),
            notice,
        };
        let restored = self.restored.clone().map(|notice| Check {
            name: "restore",
            problem: None,
            notice: Some(notice),
        });
        [key].into_iter().chain(restored).collect()
    }
}
