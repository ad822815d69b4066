//! Tabs of the catalog, each with a page.

use crate::shell::SignedInRequest;

pub(super) const CATALOG: &str = "/console/catalog";
pub(super) const IMPORT: &str = "/console/catalog/import";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tab {
    pub(super) label: &'static str,
    pub(super) path: &'static str,
    /// URL path of the export.
    file: Option<&'static str>,
}

pub(super) const PRODUCTS: Tab =
    Tab::new("Products", CATALOG).exported_as("/console/catalog/products.csv");
pub(super) const PRICES: Tab =
    Tab::new("Prices", "/console/catalog/prices").exported_as("/console/catalog/prices.csv");
pub(super) const SHIPPING: Tab =
    Tab::new("Shipping", "/console/catalog/shipping").exported_as("/console/catalog/shipping.csv");
pub(super) const FEES: Tab =
    Tab::new("Fees", "/console/catalog/fees").exported_as("/console/catalog/fees.csv");
pub(super) const CHECK: Tab = Tab::new("Price check", "/console/catalog/price-check");

pub(super) const TABS: [Tab; 5] = [PRODUCTS, PRICES, SHIPPING, FEES, CHECK];

impl Tab {
    const fn new(label: &'static str, path: &'static str) -> Self {
        let file = None;
        Self { label, path, file }
    }

    const fn exported_as(self, file: &'static str) -> Self {
        Self {
            file: Some(file),
            ..self
        }
    }

    /// Returns `None` if the tab has no export, or if the operator may not read it.
    pub(super) fn export(self, visit: &SignedInRequest) -> Option<&'static str> {
        self.file.filter(|path| visit.opens(path))
    }

    pub(super) fn import(visit: &SignedInRequest) -> Option<&'static str> {
        visit.opens(IMPORT).then_some(IMPORT)
    }
}
