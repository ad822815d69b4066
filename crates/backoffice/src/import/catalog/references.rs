//! Objects that the rows of a file may refer to.

use uuid::Uuid;

use super::ImportService;
use crate::rows::References;
use pressline_domain::catalog::{CatalogVersion, Offered};
use pressline_domain::error::Result;
use pressline_domain::value::id::StoreId;

const SKUS_AT_A_TIME: usize = 500;
/// Maximum number of unknown SKUs with a suggestion. A file with more of them belongs to another
/// catalog, and each look-up reads all SKUs.
const SUGGESTED: usize = 20;
const SIMILAR: usize = 3;

impl ImportService {
    pub(super) async fn references(&self, skus: &[String]) -> Result<References> {
        let shipping = self.stored_shipping().await?;
        let zones = shipping.zones().iter();
        let mut references = References {
            stores: self.stores().await?,
            zones: zones.map(|zone| zone.name.clone()).collect(),
            ..References::default()
        };
        let mut have: Option<CatalogVersion> = None;
        for chunk in skus.chunks(SKUS_AT_A_TIME) {
            let chunk: Vec<&str> = chunk.iter().map(String::as_str).collect();
            let (version, offered) = self.offered(&chunk, have).await?;
            // Rates and fees of a known version are not read again.
            have = Some(version);
            let known = offered.iter().map(|offered| offered.variant.sku.clone());
            references.skus.extend(known);
        }
        let unknown = skus.iter().filter(|sku| !references.skus.contains(*sku));
        for sku in unknown.take(SUGGESTED) {
            let similar = self.catalog.suggest(sku, SIMILAR).await?;
            references.similar.insert(sku.clone(), similar);
        }
        Ok(references)
    }

    /// Returns the offers of `skus` with the service's own prices.
    pub(super) async fn offered(
        &self,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<(CatalogVersion, Vec<Offered>)> {
        // No store has the nil id, so the prices of stores are left out.
        let no_store = StoreId::new(Uuid::nil());
        let offer = self.catalog.offer(no_store, skus, have).await?;
        Ok((offer.version, offer.offered))
    }
}
