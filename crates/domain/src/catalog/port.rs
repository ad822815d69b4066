//! The ports that keep what orders are priced with.

use std::sync::Arc;

use async_trait::async_trait;

use crate::catalog::{CatalogVersion, ListPrice, Offered, Product, Variant};
#[cfg(doc)]
use crate::error::RepositoryError;
use crate::error::Result;
use crate::id::StoreId;
use crate::page::Start;
use crate::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};
use pressline_kit::words::SearchKey;

/// What a store's orders are priced with, of one state of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The state.
    pub version: CatalogVersion,
    /// What it knows of the SKUs asked for, in any order, each with the prices of the service's
    /// list and of the store's.
    pub offered: Vec<Offered>,
    /// The shipping rates, and the store's own schedule of fees, else the service's; `None` where
    /// the state is the one that the caller has them of.
    pub tariff: Option<Tariff>,
    /// Whether the store has a price of its own, of any SKU. Without one, all that is offered is the
    /// same for it as for other such stores.
    pub has_own_prices: bool,
}

/// Which products a search is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductQuery {
    /// Beginnings of words that one variant of the product must all have; `None` for all products.
    pub key: Option<SearchKey>,
    /// From where.
    pub start: ProductStart,
    /// How many at most, 1 to [`PAGE_SIZE`](crate::limits::PAGE_SIZE).
    pub size: u32,
    /// The number of products that the same key found before; `None` if it is not known.
    pub counted: Option<ProductCount>,
}

/// The number of products that a key finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductCount {
    /// The state of the catalog that they were counted in.
    pub version: CatalogVersion,
    /// All matches, wherever a page begins.
    pub count: u64,
}

/// Where a page of products begins: after so many products, or after the product of this id.
pub type ProductStart = Start<String>;

/// Products that were found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProductMatches {
    /// By id.
    pub products: Vec<Product>,
    /// True where at least one more product follows.
    pub more: bool,
    /// All matches, and the state of the catalog that the page is of.
    pub counted: ProductCount,
}

/// Knows what can be ordered, and what it costs. One call is one transaction.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// What a store's order of these SKUs is priced with; unknown SKUs are left out
    /// (`unknown_skus_are_left_out`), and others are compared letter by letter
    /// (`skus_are_compared_letter_by_letter`). `have` is the state of which the caller has rates
    /// and fees.
    ///
    /// A variant MUST be found as it was imported, its areas and options in order
    /// (`an_imported_variant_is_found_as_given`), with the prices of the service's list and of this
    /// store's and no other's (`each_store_sees_its_own_prices`), and whether the store has prices of
    /// its own MUST be known even where they are of other SKUs
    /// (`a_store_with_own_prices_of_any_sku_is_known`). Rates and fees MUST be those that
    /// were imported, a store's own schedule in place of the service's
    /// (`a_store_has_its_own_schedule_or_the_services`). The version MUST be that of the state they
    /// are read from: whatever changes something changes it with the same commit, whatever doesn't
    /// leaves it (`the_version_changes_with_what_is_priced_with`).
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer>;

    /// At most `limit` known SKUs that a mistyped one may stand for, retired ones too, nearest
    /// first (`near_skus_are_suggested`).
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>>;

    /// Products with a variant that is not retired and has all words of the key, each with all its
    /// variants that are not retired, by id, with this store's prices.
    ///
    /// The answer MUST be exact and in order at every offset and after every product
    /// (`product_pages_are_exact`), and a key MUST match as [`SearchKey::matches`] says of
    /// [`VariantParts::words`](crate::catalog::VariantParts::words)
    /// (`a_product_is_found_by_the_words_of_a_variant`).
    ///
    /// The count MUST be that of the state that the page is read from: where the query has one of
    /// that state it may be returned, else it is counted
    /// (`the_count_is_that_of_the_state_of_the_page`), and the page MUST be the same with and without
    /// it (`a_known_count_changes_no_page`).
    async fn search(&self, store: StoreId, query: &ProductQuery) -> Result<ProductMatches>;
}

/// What an import changed, or would change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportSummary {
    /// How much of it is new.
    pub added: usize,
    /// How much was there and has changed.
    pub changed: usize,
    /// How much was there just so.
    pub unchanged: usize,
    /// How much was retired as it did not come again.
    pub retired: usize,
    /// What is new, changed or retired, by SKU.
    pub changes: Vec<(ChangeKind, String)>,
}

impl ImportSummary {
    /// Counts what comes in against what is there under the same name.
    pub fn count<T: PartialEq>(&mut self, there: Option<&T>, comes: &T, sku: &str) {
        let (counter, kind) = match there {
            None => (&mut self.added, ChangeKind::Added),
            Some(there) if there == comes => {
                self.unchanged += 1;
                return;
            }
            Some(_) => (&mut self.changed, ChangeKind::Changed),
        };
        *counter += 1;
        self.changes.push((kind, sku.to_owned()));
    }

    #[cfg(feature = "memory")]
    pub(crate) fn retire(&mut self, sku: &str) {
        self.retired += 1;
        self.changes.push((ChangeKind::Retired, sku.to_owned()));
    }
}

/// What happens to a row of a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It becomes another.
    Changed,
    /// It is no longer made.
    Retired,
}

/// How to import.
#[derive(Clone, Default)]
pub struct ImportOptions {
    /// Only tell what would change.
    pub dry_run: bool,
    /// Retire the variants that do not come again.
    pub retire_missing: bool,
    /// Called now and then with how many rows are done.
    pub progress: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl ImportOptions {
    /// Tells how many rows are done.
    pub fn done(&self, rows: usize) {
        if let Some(progress) = &self.progress {
            progress(rows);
        }
    }
}

/// Changes what can be ordered and what it costs, and reads it all. One call is one transaction.
#[async_trait]
pub trait CatalogAdmin: Send + Sync {
    /// Adds variants, or replaces those whose SKU exists whole
    /// (`an_import_replaces_whole_variants`), all or nothing. Of a SKU that comes twice the last
    /// one counts (`of_a_sku_that_comes_twice_the_last_counts`). Imports at once MUST all be
    /// carried out (`imports_at_once_all_arrive`), and each tell how far it is
    /// (`an_import_reports_its_progress`).
    ///
    /// All variants of a product MUST have one name, as
    /// [`ImportedProducts`](crate::catalog::product_names::ImportedProducts) says
    /// (`a_product_has_one_name`), and an import MUST be refused with
    /// [`RepositoryError::ProductTooLarge`] where a product becomes too large
    /// (`a_product_has_a_bounded_number_of_variants`).
    ///
    /// Importing the same again MUST change nothing and say so
    /// (`a_repeated_import_changes_nothing`), a dry run MUST say what an import would do and do
    /// nothing (`a_dry_run_says_what_it_would_do`), and what does not come again MUST be retired
    /// where that is asked for and only then (`what_is_missing_is_retired_where_asked`).
    async fn import(&self, variants: &[Variant], options: &ImportOptions) -> Result<ImportSummary>;

    /// Variants by SKU, those after one, at most `limit`.
    ///
    /// A walk MUST meet every variant once (`a_walk_meets_every_variant_once`).
    async fn variants(&self, after: Option<&str>, limit: usize) -> Result<Vec<Variant>>;

    /// Adds prices of price lists, or replaces those of the same list, SKU, currency and moment
    /// (`a_price_replaces_the_one_of_its_moment`), all or nothing. The changes are named by SKU. A
    /// price may come before its variant.
    ///
    /// They MUST be found as they were given (`prices_are_found_as_given`).
    /// [`ImportOptions::retire_missing`] MUST remove the prices that do not come again, of the
    /// lists that come and of no other (`prices_that_are_missing_go_where_asked`).
    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<ImportSummary>;

    /// All prices of price lists, the service's first, then by store, SKU, currency and moment.
    async fn prices(&self) -> Result<Vec<ListPrice>>;

    /// Replaces all zones and shipping rates, and answers whether that changes something
    /// (`a_tariff_is_found_as_given`).
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool>;

    /// Replaces the schedules of fees of stores, or the service's, all or nothing; `None` takes a
    /// store's away, so that the service's holds again. Answers how many of them that changes
    /// (`a_tariff_is_found_as_given`).
    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize>;

    /// The shipping rates; `None` where none were ever stored.
    async fn shipping(&self) -> Result<Option<ShippingRates>>;

    /// All schedules of fees, the service's first, then by store.
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>>;
}
