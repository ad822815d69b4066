//! Line items.

use crate::catalog::{FileRequirement, PrintArea, STANDARD_SHIP_CLASS, assign_files};
use crate::id::ItemId;
use crate::money::Amount;

/// A product in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct LineItem {
    /// The item's id: `appItemId` in an update.
    pub id: ItemId,
    /// The caller's own reference.
    pub ref_id: Option<String>,
    /// Name, as given, else the product's.
    pub name: Option<String>,
    /// Whether the store gave the name. One from the catalog follows the SKU.
    pub name_given: bool,
    /// Stock keeping unit, as given.
    pub sku: String,
    /// Units, 1 to 1000.
    pub quantity: u32,
    /// Ship class, as given.
    pub ship_class: Option<String>,
    /// URLs of the print files, in the order given.
    pub file_urls: Vec<String>,
    /// URLs of the mockup images.
    pub mockup_images: Vec<String>,
    /// The product's print areas when the order was last priced; at least one.
    pub areas: Vec<PrintArea>,
    /// What one unit costs the store; `None` where unknown.
    pub unit_cost: Option<Amount>,
}

impl LineItem {
    /// The ship class, [`STANDARD_SHIP_CLASS`] where none was given.
    pub fn ship_class_or_standard(&self) -> &str {
        self.ship_class.as_deref().unwrap_or(STANDARD_SHIP_CLASS)
    }

    /// One entry for every print area, with its files.
    pub fn files(&self) -> Vec<FileRequirement<'_>> {
        assign_files(&self.areas, &self.file_urls)
    }
}
