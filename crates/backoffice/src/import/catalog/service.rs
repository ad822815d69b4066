//! Use cases: catalog import and export.

use std::sync::Arc;

use uuid::Uuid;

use super::report::{Accepted, ImportError, ImportSettings, Mode, RowChanges, Summary};
use super::variants::{read_variants, variant_sheet};
use crate::audit::{AuditAction, AuditRecorder, audited};
use crate::import::pricing::{
    Schedules, Warning, fee_sheet, fee_warnings, price_sheet, read_fees, read_prices,
    read_shipping, replaced_prices, shipping_sheet, zones_only_in_fees,
};
use crate::rows::{Content, FormerReferences, References, Rows, Sheet};
use pressline_domain::catalog::{Catalog, CatalogAdmin, CatalogVersion, Offered, Variant};
#[cfg(doc)]
use pressline_domain::error::RepositoryError;
use pressline_domain::error::Result;
use pressline_domain::pricing::tariff::{ShippingRates, Tariff};
use pressline_domain::store::{Store, StoreDirectory};
use pressline_domain::value::StoreId;
use pressline_kit::boxed;

const VARIANTS_AT_A_TIME: usize = 1000;

/// Imports and exports variants, price lists, shipping rates and fees.
#[derive(Clone)]
pub struct ImportService {
    catalog: Arc<dyn Catalog>,
    admin: Arc<dyn CatalogAdmin>,
    stores: Arc<dyn StoreDirectory>,
    first: Tariff,
    recorder: AuditRecorder,
}

audited!(ImportService);

impl ImportService {
    /// Creates a service over `catalog`, `admin` and `stores`. `first` has the shipping rates and
    /// fees of a new database; removing rates or fees restores them.
    pub fn new(
        catalog: Arc<dyn Catalog>,
        admin: Arc<dyn CatalogAdmin>,
        stores: Arc<dyn StoreDirectory>,
        first: Tariff,
    ) -> Self {
        Self {
            catalog,
            admin,
            stores,
            first,
            recorder: AuditRecorder::default(),
        }
    }

    /// Checks `rows` and, unless `settings.mode` is [`Mode::DryRun`], stores them: all or nothing.
    ///
    /// # Errors
    /// [`ImportError::Rejected`] if a row is invalid, [`ImportError::Empty`] if the import would
    /// remove everything stored, [`ImportError::Repository`] if a query fails.
    #[boxed]
    pub async fn import(
        &self,
        rows: Rows,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        let (what, accepted) = match rows.content {
            Content::Variants => ("products", self.import_variants(rows, settings).await?),
            Content::Prices => ("prices", self.import_prices(rows, settings).await?),
            Content::Shipping => (
                "shipping rates",
                self.import_shipping(rows, settings).await?,
            ),
            Content::Fees => ("fees", self.import_fees(rows, settings).await?),
        };
        if settings.mode == Mode::Apply {
            // Recorded after the import, because many imports are rejected. If recording fails,
            // repeating the import changes nothing more.
            self.record(what).await?;
        }
        Ok(accepted)
    }

    async fn record(&self, subject: &str) -> Result<()> {
        self.recorder
            .record(AuditAction::CatalogImported, subject)
            .await
    }

    /// Returns all stored data of the kind `content` as rows.
    #[boxed]
    pub async fn export(&self, content: Content) -> Result<Sheet> {
        Ok(match content {
            Content::Variants => variant_sheet(&self.variants().await?),
            Content::Prices => price_sheet(&self.admin.prices().await?, &self.stores().await?),
            Content::Shipping => shipping_sheet(&self.stored_shipping().await?),
            Content::Fees => fee_sheet(&self.admin.fees().await?, &self.stores().await?),
        })
    }

    /// Returns all variants, sorted by SKU.
    #[boxed]
    pub async fn variants(&self) -> Result<Vec<Variant>> {
        let mut variants: Vec<Variant> = Vec::new();
        loop {
            let after = variants.last().map(|last| last.sku.clone());
            let page = self
                .admin
                .variants(after.as_deref(), VARIANTS_AT_A_TIME)
                .await?;
            if page.is_empty() {
                return Ok(variants);
            }
            variants.extend(page);
        }
    }

    /// Returns the variant `sku`, and its prices in all lists as rows; `None` if it does not exist.
    #[boxed]
    pub async fn variant(&self, sku: &str) -> Result<Option<(Variant, Sheet)>> {
        let mut offered_variants = self.offered(&[sku], None).await?.1;
        let Some(offered) = offered_variants.pop() else {
            return Ok(None);
        };
        let mut variant_prices = self.admin.prices().await?;
        variant_prices.retain(|price| price.sku == sku);
        let prices = price_sheet(&variant_prices, &self.stores().await?);
        Ok(Some((Arc::unwrap_or_clone(offered.variant), prices)))
    }

    /// Removes the fee schedule of `store`, so that the service's own schedule applies to the
    /// store. With `None`, resets the service's own schedule to the schedule of a new database.
    /// Returns `false` if nothing changed.
    #[boxed]
    pub async fn remove_fees(&self, store: Option<StoreId>) -> Result<bool> {
        let whose = store.map_or_else(|| "all stores".to_owned(), |store| store.to_string());
        self.record(&format!("fees of {whose} removed")).await?;
        let restored = store.is_none().then_some(&self.first.fees);
        Ok(self.admin.set_fees(&[(store, restored)]).await? > 0)
    }

    /// Resets the shipping rates to the rates of a new database. Returns `true` if they changed,
    /// and a warning if stored fees name zones that the reset rates lack.
    #[boxed]
    pub async fn remove_shipping(&self) -> Result<(bool, Option<Warning>)> {
        let lost = zones_only_in_fees(&self.admin.fees().await?, &self.first.shipping);
        // Recorded first: a change that cannot be recorded must not be made.
        self.record("shipping rates restored").await?;
        let changed = self.admin.set_shipping(&self.first.shipping).await?;
        Ok((changed, lost))
    }

    async fn import_variants(
        &self,
        mut rows: Rows,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        self.confirm_stored_skus(&mut rows).await?;
        let mut variants = read_variants(rows).map_err(ImportError::Rejected)?;
        // An empty file that retires the whole catalog is most likely the wrong file.
        if variants.is_empty() && settings.replace {
            return Err(ImportError::Empty(Content::Variants));
        }
        if settings.keep_stored {
            let skus: Vec<String> = variants.iter().map(|variant| variant.sku.clone()).collect();
            let stored = self.references(&skus).await?.skus;
            variants.retain(|variant| !stored.contains(&variant.sku));
        }
        let total = variants.len();
        let imported = self
            .admin
            .import(&variants, &settings.options(total))
            .await?;
        let summary = Summary::Variants { total, imported };
        Ok(accepted(summary, Vec::new(), None))
    }

    /// Accepts SKUs such as `1E5` that the catalog already has.
    async fn confirm_stored_skus(&self, rows: &mut Rows) -> Result<()> {
        let doubted: Vec<String> = rows.doubted("sku").into_iter().collect();
        if !doubted.is_empty() {
            let stored = self.references(&doubted).await?.skus;
            rows.confirm("sku", |sku| stored.contains(sku));
        }
        Ok(())
    }

    async fn import_prices(
        &self,
        rows: Rows,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        let mut references = self.references(&rows.texts("sku")).await?;
        let currencies = rows.texts("currency");
        // Stored prices are read only if a row may have a former currency of a store.
        if may_be_former(&references.stores, &currencies) {
            references.former = FormerReferences::of_prices(&self.admin.prices().await?);
        }
        let prices = read_prices(rows, &references).map_err(ImportError::Rejected)?;
        let mut changes = None;
        if settings.list_rows {
            let replaced = replaced_prices(self.admin.prices().await?, &prices, settings.replace);
            let [before, after] =
                [&replaced, &prices].map(|prices| price_sheet(prices, &references.stores));
            changes = Some(RowChanges::between(before, after));
        }
        let total = prices.len();
        let options = settings.options(total);
        let imported = self.admin.set_prices(&prices, &options).await?;
        let summary = Summary::Prices { total, imported };
        Ok(accepted(summary, Vec::new(), changes))
    }

    async fn import_shipping(
        &self,
        rows: Rows,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        let rates = read_shipping(rows).map_err(ImportError::Rejected)?;
        // Rates are always replaced as a whole, so an empty file would remove all.
        if rates.rates().is_empty() {
            return Err(ImportError::Empty(Content::Shipping));
        }
        let stored = self.stored_shipping().await?;
        let lost = zones_only_in_fees(&self.admin.fees().await?, &rates);
        let changed = match settings.mode {
            Mode::DryRun => stored != rates,
            Mode::Apply => self.admin.set_shipping(&rates).await?,
        };
        let changes = settings
            .list_rows
            .then(|| RowChanges::between(shipping_sheet(&stored), shipping_sheet(&rates)));
        let summary = Summary::Shipping {
            zones: rates.zones().len(),
            rates: rates.rates().len(),
            changed,
        };
        Ok(accepted(summary, lost.into_iter().collect(), changes))
    }

    async fn import_fees(
        &self,
        rows: Rows,
        settings: &ImportSettings,
    ) -> Result<Accepted, ImportError> {
        let mut references = self.references(&rows.texts("skus")).await?;
        let stored = self.admin.fees().await?;
        references.former = FormerReferences::of_fees(&stored);
        let schedules = read_fees(rows, &references).map_err(ImportError::Rejected)?;
        let changed = match settings.mode {
            Mode::DryRun => schedules
                .iter()
                .filter(|owned| !stored.contains(owned))
                .count(),
            Mode::Apply => {
                let given = schedules.iter().map(|(owner, own)| (*owner, Some(own)));
                self.admin.set_fees(&given.collect::<Vec<_>>()).await?
            }
        };
        // A schedule is replaced as a whole, so the report compares only schedules of owners named
        // in the file.
        let has_schedule = |owner| schedules.iter().any(|(other, _)| *other == owner);
        let (replaced, staying): (Schedules, Schedules) = stored
            .into_iter()
            .partition(|(owner, _)| has_schedule(*owner));
        let stores = &references.stores;
        let changes = settings.list_rows.then(|| {
            RowChanges::between(fee_sheet(&replaced, stores), fee_sheet(&schedules, stores))
        });
        let rules = schedules.iter().map(|(_, schedule)| schedule.rules().len());
        let summary = Summary::Fees {
            schedules: schedules.len(),
            rules: rules.sum(),
            changed,
        };
        let warnings = fee_warnings(&schedules, &staying, &references);
        Ok(accepted(summary, warnings, changes))
    }

    async fn stores(&self) -> Result<Vec<Store>> {
        let records = self.stores.list().await?;
        Ok(records.into_iter().map(|record| record.store).collect())
    }

    async fn stored_shipping(&self) -> Result<ShippingRates> {
        Ok(self.admin.shipping().await?.unwrap_or_default())
    }
}

fn accepted(summary: Summary, warnings: Vec<Warning>, rows: Option<RowChanges>) -> Accepted {
    Accepted {
        summary,
        warnings,
        rows,
    }
}

fn may_be_former(stores: &[Store], currencies: &[String]) -> bool {
    let mut codes = stores.iter().map(|store| store.currency.code());
    codes.any(|code| currencies.iter().any(|currency| currency != code))
}

const SKUS_AT_A_TIME: usize = 500;
/// Maximum number of unknown SKUs for which similar SKUs are suggested: each suggestion reads all
/// SKUs. A file with more unknown SKUs is probably meant for another catalog.
const SUGGESTED: usize = 20;
const SIMILAR: usize = 3;

impl ImportService {
    async fn references(&self, skus: &[String]) -> Result<References> {
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

    /// Returns the catalog version, and the known `skus` with their prices in the service's own
    /// list. If `have` is still the version, shipping rates and fees are not loaded again.
    async fn offered(
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
