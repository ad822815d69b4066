//! Wiring of print files.

use std::sync::Arc;

use pressline_backoffice::file_source::FileSource;
use pressline_cli::CommandError;
use pressline_egress::{FileLimits, StoreFiles};

use super::Adapters;
use super::webhooks::egress_client;

impl Adapters {
    pub(crate) fn file_source(&self) -> Result<Arc<dyn FileSource>, CommandError> {
        let egress = &self.settings.egress;
        let client = Arc::new(egress_client(egress)?);
        let (policy, limits) = (egress.stores_urls()?, FileLimits::default());
        Ok(Arc::new(StoreFiles::new(client, policy, limits)))
    }
}
