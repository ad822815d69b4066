//! Tabs of the catalog, each with a page.

use pressline_backoffice::import::catalog::Content;

use crate::shell::SignedInRequest;

pub(super) const CATALOG: &str = "/console/catalog";
pub(super) const IMPORT: &str = "/console/catalog/import";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Products,
    Prices,
    Shipping,
    Fees,
    Check,
}

pub(super) struct TabLink {
    pub(super) label: &'static str,
    pub(super) path: &'static str,
    pub(super) is_current: bool,
}

impl Tab {
    const ALL: [Self; 5] = [
        Self::Products,
        Self::Prices,
        Self::Shipping,
        Self::Fees,
        Self::Check,
    ];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Products => "Products",
            Self::Prices => "Prices",
            Self::Shipping => "Shipping",
            Self::Fees => "Fees",
            Self::Check => "Price check",
        }
    }

    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Products => CATALOG,
            Self::Prices => "/console/catalog/prices",
            Self::Shipping => "/console/catalog/shipping",
            Self::Fees => "/console/catalog/fees",
            Self::Check => "/console/catalog/price-check",
        }
    }

    pub(super) fn links(self) -> Vec<TabLink> {
        let link = |tab: Self| TabLink {
            label: tab.label(),
            path: tab.path(),
            is_current: tab == self,
        };
        Self::ALL.map(link).into()
    }

    /// Returns the path of the tab's export; `None` if the tab has no file, or if the operator may
    /// not read it.
    pub(super) fn export(self, visit: &SignedInRequest) -> Option<&'static str> {
        let (_, path) = self.file()?;
        visit.opens(path).then_some(path)
    }

    /// Returns the path of the import page; `None` if the operator may not import.
    pub(super) fn import(visit: &SignedInRequest) -> Option<&'static str> {
        visit.opens(IMPORT).then_some(IMPORT)
    }

    /// Returns the content and path of the exported file; `None` for the price check.
    pub(super) fn file(self) -> Option<(Content, &'static str)> {
        match self {
            Self::Products => Some((Content::Variants, "/console/catalog/products.csv")),
            Self::Prices => Some((Content::Prices, "/console/catalog/prices.csv")),
            Self::Shipping => Some((Content::Shipping, "/console/catalog/shipping.csv")),
            Self::Fees => Some((Content::Fees, "/console/catalog/fees.csv")),
            Self::Check => None,
        }
    }
}
