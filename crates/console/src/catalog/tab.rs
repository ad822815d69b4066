//! The parts of the catalog, each with a page.

use pressline_domain::catalog::import::Content;
use pressline_domain::operator::Operator;

use super::import::CatalogFiles;
use crate::import::Importer;
use crate::routes;

/// The path of the first part.
pub(super) const CATALOG: &str = "/console/catalog";

/// A part of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    /// What can be ordered.
    Products,
    /// The prices of these.
    Prices,
    /// Zones and rates.
    Shipping,
    /// The schedules of fees.
    Fees,
    /// What a cart would cost.
    Check,
}

/// A link to a part.
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

    /// Returns the heading of the page.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Products => "Products",
            Self::Prices => "Prices",
            Self::Shipping => "Shipping",
            Self::Fees => "Fees",
            Self::Check => "Price check",
        }
    }

    /// Returns the path of the page.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Products => CATALOG,
            Self::Prices => "/console/catalog/prices",
            Self::Shipping => "/console/catalog/shipping",
            Self::Fees => "/console/catalog/fees",
            Self::Check => "/console/catalog/price-check",
        }
    }

    /// Returns the links to all parts.
    pub(super) fn links(self) -> Vec<TabLink> {
        let link = |tab: Self| TabLink {
            label: tab.label(),
            path: tab.path(),
            is_current: tab == self,
        };
        Self::ALL.map(link).into()
    }

    /// Returns the address of the file with the whole part, if the operator may have it.
    pub(super) fn export(self, operator: &Operator) -> Option<&'static str> {
        let (_, path) = self.file()?;
        let route = routes::page(path)?;
        route.access.admits(operator).then_some(path)
    }

    /// Returns the address of the import, if the operator may import.
    pub(super) fn import(operator: &Operator) -> Option<&'static str> {
        let path = CatalogFiles::PATH;
        let route = routes::page(path)?;
        route.access.admits(operator).then_some(path)
    }

    /// Returns what the file of the part has, and its path.
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
