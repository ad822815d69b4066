//! Ports of the catalog: products, prices, shipping rates and fee schedules.

use std::sync::Arc;

use async_trait::async_trait;

use crate::catalog::{CatalogVersion, ListPrice, Offered, Product, Variant};
#[cfg(doc)]
use crate::error::RepositoryError;
use crate::error::Result;
use crate::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};
use crate::value::StoreId;
use crate::value::page::Start;
use pressline_kit::words::SearchKey;

/// Data for pricing a store's order, all from one version of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Version of the catalog from which the offers and the tariff were read.
    pub version: CatalogVersion,
    /// Variants with the requested SKUs, in any order; unknown SKUs are left out. Each variant has
    /// the prices of the service's list and of the store's own list.
    pub offered: Vec<Offered>,
    /// Tariff for the store; `None` if the caller already has it from the version `version`.
    pub tariff: Option<Tariff>,
    /// Whether the store has an own price for any SKU. If not, its offers equal the offers of all
    /// other stores without own prices.
    pub has_own_prices: bool,
}

/// Query for a page of products.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductQuery {
    /// Search key, as [`Catalog::search`] matches it; `None` for all products.
    pub key: Option<SearchKey>,
    /// Start of the page, by offset or by product id.
    pub start: ProductStart,
    /// Maximum number of products to return, 1 to [`PAGE_SIZE`](crate::check::limits::PAGE_SIZE).
    pub size: u32,
    /// Result of an earlier search with the same `key`, to avoid counting again; `None` if unknown.
    pub counted: Option<ProductCount>,
}

/// Number of products that match a search key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductCount {
    /// Version of the catalog in which the products were counted.
    pub version: CatalogVersion,
    /// Number of matching products on all pages.
    pub count: u64,
}

/// Start of a page of products: after a number of products, or after the product with a given id.
pub type ProductStart = Start<String>;

/// Page of the products that match a [`ProductQuery`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProductMatches {
    /// Matching products, sorted by id.
    pub products: Vec<Product>,
    /// `true` if at least one more product follows the page.
    pub more: bool,
    /// Number of matching products on all pages, with the catalog version of the page.
    pub counted: ProductCount,
}

/// Reads products and prices. One call is one transaction.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// Returns the offers and the tariff for an order of `skus` by `store`. Unknown SKUs are left
    /// out (`unknown_skus_are_left_out`), and SKUs are compared letter by letter
    /// (`skus_are_compared_letter_by_letter`). `have` is the catalog version from which the caller
    /// already has the tariff; if this version is still current, the result has no tariff.
    ///
    /// A variant MUST be found as it was imported, its areas and options in order
    /// (`an_imported_variant_is_found_as_given`), with the prices of the service's list and of this
    /// store's list, and of no other list (`each_store_sees_its_own_prices`).
    /// [`Offer::has_own_prices`] MUST be true even if the store has own prices only for other SKUs
    /// (`a_store_with_own_prices_of_any_sku_is_known`). The tariff MUST be as imported, with the
    /// store's own fee schedule or else the service's
    /// (`a_store_has_its_own_schedule_or_the_services`). All data MUST be from the catalog version
    /// [`Offer::version`]. An import that changes something MUST increase the version in the same
    /// commit; other imports leave it (`the_version_changes_with_what_is_priced_with`).
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer>;

    /// Returns up to `limit` SKUs in the catalog that are similar to `sku`, most similar first, to
    /// correct a misspelling. Includes SKUs of retired variants (`near_skus_are_suggested`).
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>>;

    /// Returns up to `query.size` products sorted by id, with the prices for `store`. A product
    /// matches if one of its variants matches all words of `query.key`; retired variants are
    /// neither searched nor returned.
    ///
    /// Every page MUST be complete and in order, whether it starts at an offset or after a product
    /// (`product_pages_are_exact`), and a variant MUST match if [`SearchKey::matches`] returns
    /// `true` for its [`VariantParts::words`](crate::catalog::VariantParts::words)
    /// (`a_product_is_found_by_the_words_of_a_variant`).
    ///
    /// [`ProductMatches::counted`] MUST be from the same catalog version as the page:
    /// [`ProductQuery::counted`] may be returned if its version is the same, else the products are
    /// counted (`the_count_is_that_of_the_state_of_the_page`). The page MUST be the same with and
    /// without `counted` (`a_known_count_changes_no_page`).
    async fn search(&self, store: StoreId, query: &ProductQuery) -> Result<ProductMatches>;
}

/// Result of an import or a dry run: numbers of rows, and the changed rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportSummary {
    /// Number of new rows.
    pub added: usize,
    /// Number of existing rows that change.
    pub changed: usize,
    /// Number of existing rows that stay as they are.
    pub unchanged: usize,
    /// Number of rows retired because the import does not contain them.
    pub retired: usize,
    /// New, changed and retired rows, each as its kind of change and its SKU.
    pub changes: Vec<(ChangeKind, String)>,
}

impl ImportSummary {
    /// Counts a row of an import by comparing the imported row `comes` with the stored row `there`.
    /// The row counts as added if `there` is `None`, as unchanged if both rows are equal, and else
    /// as changed. [`ImportSummary::changes`] names an added or changed row by `sku`.
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

/// Effect of an import on a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The row is new.
    Added,
    /// The row gets other values.
    Changed,
    /// The row is missing in the import: the variant is retired, or the price is removed.
    Retired,
}

/// Options of an import. By default, changes are stored, and rows missing in the import stay.
#[derive(Clone, Default)]
pub struct ImportOptions {
    /// Whether the import only returns its changes and stores nothing.
    pub dry_run: bool,
    /// Whether to retire stored variants missing in the import. A price import removes stored
    /// prices missing in it, but only from price lists that occur in the import.
    pub retire_missing: bool,
    /// Called now and then with the number of rows processed so far; `None` for no reports.
    pub progress: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl ImportOptions {
    /// Reports the number of `rows` processed so far to [`ImportOptions::progress`].
    pub fn done(&self, rows: usize) {
        if let Some(progress) = &self.progress {
            progress(rows);
        }
    }
}

/// Imports and exports the catalog, price lists, rates and fees. One call is one transaction.
#[async_trait]
pub trait CatalogAdmin: Send + Sync {
    /// Adds variants, or replaces variants with the same SKU as a whole
    /// (`an_import_replaces_whole_variants`), all or nothing. If several rows have the same SKU,
    /// the last row counts (`of_a_sku_that_comes_twice_the_last_counts`). All of several concurrent
    /// imports MUST take effect (`imports_at_once_all_arrive`), and each MUST report its progress
    /// (`an_import_reports_its_progress`).
    ///
    /// All variants of a product MUST have the same product name, as described at
    /// [`ImportedProducts`](crate::catalog::product_names::ImportedProducts)
    /// (`a_product_has_one_name`), and an import MUST be refused with
    /// [`RepositoryError::ProductTooLarge`] if a product becomes too large
    /// (`a_product_has_a_bounded_number_of_variants`).
    ///
    /// A repeated import MUST change nothing and report all rows as unchanged
    /// (`a_repeated_import_changes_nothing`). A dry run MUST return the changes and store nothing
    /// (`a_dry_run_says_what_it_would_do`). Stored variants missing in the import MUST be retired
    /// if [`ImportOptions::retire_missing`] is set, and only then
    /// (`what_is_missing_is_retired_where_asked`).
    async fn import(&self, variants: &[Variant], options: &ImportOptions) -> Result<ImportSummary>;

    /// Returns up to `limit` variants sorted by SKU, after the SKU `after` or from the start. Calls
    /// with the last SKU of each page MUST return every variant once
    /// (`a_walk_meets_every_variant_once`).
    async fn variants(&self, after: Option<&str>, limit: usize) -> Result<Vec<Variant>>;

    /// Adds prices to price lists, or replaces prices of the same list, SKU, currency and start of
    /// validity (`a_price_replaces_the_price_of_the_same_time`), all or nothing.
    /// [`ImportSummary::changes`] contains the SKUs of the prices. A price can be stored before its
    /// variant.
    ///
    /// Prices MUST be found as they were given (`prices_are_found_as_given`). With
    /// [`ImportOptions::retire_missing`], stored prices missing in `prices` MUST be removed, but
    /// only from price lists that occur in `prices` (`prices_that_are_missing_go_where_asked`).
    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<ImportSummary>;

    /// Returns the prices of all price lists, sorted by store, SKU, currency and start of validity.
    /// The service's price list comes first.
    async fn prices(&self) -> Result<Vec<ListPrice>>;

    /// Replaces all zones and shipping rates. Returns `true` if any of them changes
    /// (`a_tariff_is_found_as_given`).
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool>;

    /// Replaces the fee schedule of each store in `schedules`, all or nothing; `None` as store
    /// means the service. `None` as schedule removes the schedule: a store then has the service's
    /// schedule. Returns the number of schedules that change (`a_tariff_is_found_as_given`).
    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize>;

    /// Returns the shipping rates; `None` if none were ever stored.
    async fn shipping(&self) -> Result<Option<ShippingRates>>;

    /// Returns all fee schedules by store, first the service's schedule with `None` as store.
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>>;
}
