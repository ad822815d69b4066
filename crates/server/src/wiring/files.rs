//! Wiring of print files.

use std::sync::Arc;

use pressline_backoffice::file_source::FileSource;
use pressline_cli::CommandError;
use pressline_egress::{FileLimits, StoreFiles};

use crate::config::Settings;

use super::webhooks::egress_client;

pub(crate) fn file_source(settings: &Settings) -> Result<Arc<dyn FileSource>, CommandError> {
    let client = Arc::new(egress_client(&settings.egress)?);
    let (policy, limits) = (settings.egress.stores_urls()?, FileLimits::default());
    Ok(Arc::new(StoreFiles::new(client, policy, limits)))
}
